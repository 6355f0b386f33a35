// What hands do with a page beyond playing it: every key of the list, the axis of a plot, buttons of the tree, the choice of the x axis, an address with a view.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { STAGES, hashOf, launch, open, reportOf, runOf } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

for (const stage of STAGES) {
  test(`${stage} stage: keys choose views, layers and speed, frame the whole, and save the picture`, async () => {
    const { page, said, close } = await open(browser, reportOf(runOf("thrown-person")), { hash: hashOf(stage) });
    const press = (key) => page.keyboard.press(key);
    const views = ["oblique", "side", "front", "back", "top", "sole"];
    for (const [i, name] of [...views.entries()].reverse()) {
      await press(String(i + 1));
      assert.equal(await page.evaluate(() => window.borelli.stage.view()), name);
    }
    const width = () => page.evaluate(() => {
      const boxes = window.borelli.stage.boxes();
      return Math.max(...boxes.map((box) => box.x1)) - Math.min(...boxes.map((box) => box.x0));
    });
    const framed = await width();
    await page.locator("#stage").click();
    await page.mouse.wheel(0, -300);
    await page.waitForFunction(() => window.borelli.stage.boxes().some((box) => box.x1 - box.x0 > 0));
    assert.ok((await width()) > 1.2 * framed, "the wheel zooms after a click");
    await press("f");
    assert.ok(Math.abs((await width()) / framed - 1) < 1e-6, "F shows the whole again");
    for (const [key, name] of [["g", "ghosts"], ["n", "names"]]) {
      const ticked = () => page.isChecked("#layer-" + name);
      const before = await ticked();
      await press(key);
      assert.deepEqual([await ticked(), await page.evaluate((own) => window.borelli.stage.layers({})[own], name)], [!before, !before], key);
    }
    const speed = () => page.evaluate(() => Number(document.getElementById("speed").value));
    const first = await speed();
    await press("]");
    assert.ok((await speed()) > first);
    await press("[");
    await press("[");
    assert.ok((await speed()) < first);
    const [download] = await Promise.all([page.waitForEvent("download"), press("s")]);
    const png = readFileSync(await download.path());
    const box = await page.locator("#stage").boundingBox();
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [Math.round(2 * box.width), Math.round(2 * box.height)]);
    assert.deepEqual(said, []);
    await close();
  });
}

test("keys go from event to event, and switch pressure and lines of pull", async () => {
  const drop = await open(browser, reportOf(runOf("leg-drop")));
  const [time, events] = await drop.page.evaluate(() => {
    window.borelli.goTo(0);
    const one = window.borelli.data.cases[window.borelli.data.opening];
    return [[...one.time], one.events.map((event) => event.time)];
  });
  const nearest = (t) => time.reduce((best, x, k) => (Math.abs(x - t) < Math.abs(time[best] - t) ? k : best), 0);
  const frames = [...new Set(events.map(nearest))].filter((k) => k > 0).sort((a, b) => a - b);
  assert.ok(frames.length > 1, `${frames}`);
  const frame = () => drop.page.evaluate(() => window.borelli.frame());
  for (const expected of frames.slice(0, 2)) {
    await drop.page.keyboard.press(".");
    assert.equal(await frame(), expected);
  }
  await drop.page.keyboard.press(",");
  assert.equal(await frame(), frames[0]);
  await drop.close();
  const foot = await open(browser, reportOf(runOf("three-ellipsoid-foot")));
  const mat = () => foot.page.evaluate(() => (window.borelli.stage.positions(), window.borelli.stage.run.pressure.mats[0].mesh.visible));
  assert.equal(await mat(), true);
  await foot.page.keyboard.press("p");
  assert.deepEqual([await mat(), await foot.page.isChecked("#layer-pressure")], [false, false]);
  await foot.close();
  const knee = await open(browser, reportOf(runOf("knee")));
  const lines = () => knee.page.evaluate(() => window.borelli.stage.paths().length);
  assert.ok((await lines()) > 0);
  await knee.page.keyboard.press("m");
  assert.equal(await lines(), 0);
  await knee.close();
});

test("a drag on the y axis zooms one plot, a double click shows all again", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")), { hash: "#stage=plain" });
  const frame = page.locator("#groups figure.plot svg.frame").first();
  await frame.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => window.borelli.plots.every((plot) => plot.y));
  const spans = () => page.evaluate(() => window.borelli.plots.map((plot) => [plot.y.low, plot.y.high]));
  const whole = await spans();
  const box = await frame.boundingBox();
  // The box of the curves is 24 px below the top and 34 px above the bottom of the picture.
  const inside = box.height - 58;
  await page.mouse.move(box.x + 20, box.y + 24 + 0.25 * inside);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + 24 + 0.75 * inside, { steps: 3 });
  await page.mouse.up();
  const [[low, high], ...others] = await spans();
  const size = whole[0][1] - whole[0][0];
  assert.ok(Math.abs(low - (whole[0][0] + 0.25 * size)) < 0.02 * size && Math.abs(high - (whole[0][1] - 0.25 * size)) < 0.02 * size, `${low} to ${high} of ${whole[0]}`);
  assert.deepEqual(others, whole.slice(1));
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  assert.deepEqual(await spans(), whole);
  await close();
});

test("the tree adds a column to the plot in focus, and plots one column over another", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")), { hash: "#stage=plain" });
  await page.locator("#search").fill("energy");
  const names = await page.locator("#tree .leaf:not([hidden]) input").evaluateAll((list) => list.map((input) => input.value));
  const leaf = (name) => page.locator("#tree .leaf", { has: page.locator(`input[value="${name}"]`) });
  const [first, second] = names;
  await leaf(first).locator("input").check();
  await leaf(second).getByRole("button", { name: /^Add to the plot/ }).click();
  const own = () => page.evaluate(() => window.borelli.plots.filter((plot) => plot.own).map((plot) => [plot.kind, plot.names]));
  assert.deepEqual(await own(), [["time", [first, second]]]);
  for (const name of [first, second]) await leaf(name).getByRole("button", { name: /^Plot one column over another/ }).click();
  assert.deepEqual((await own())[1], ["phase", [first, second]]);
  await page.waitForFunction(() => window.borelli.plots.find((plot) => plot.kind === "phase").pairs?.length === 1);
  // Equal units have equal scales: a step along is as long as a step up.
  const { x, y, heads } = await page.evaluate(() => {
    const plot = window.borelli.plots.find((own) => own.kind === "phase");
    const scale = (axis) => Math.abs((axis(1) - axis(0)));
    return { x: scale(plot.x), y: scale(plot.y), heads: plot.frame.querySelectorAll("path[transform]").length };
  });
  assert.ok(Math.abs(x / y - 1) < 1e-9 && heads > 0 && heads < 10, `${x} ${y} ${heads}`);
  await close();
});

test("plots run over the time from an event, and over parts of the run", async () => {
  const { page, close } = await open(browser, reportOf(runOf("leg-drop")), { hash: "#stage=plain" });
  await page.waitForFunction(() => window.borelli.plots.every((plot) => plot.x));
  const ends = () => page.evaluate(() => {
    const { data, plots } = window.borelli;
    const plot = plots.find((own) => own.kind === "time" && own.lines.every((line) => line.one === data.cases[data.opening]));
    const { time, events } = data.cases[data.opening];
    return { low: plot.x.low, high: plot.x.high, from: time[0], to: time[time.length - 1], event: events[0], words: plot.frame.textContent };
  });
  const choice = page.getByLabel("X axis");
  const event = (await ends()).event;
  await choice.selectOption("event:" + event.name);
  await page.waitForFunction(() => window.borelli.plots.every((plot) => !plot.stale));
  const shifted = await ends();
  assert.ok(Math.abs(shifted.low - (shifted.from - event.time)) < 1e-9 && Math.abs(shifted.high - (shifted.to - event.time)) < 1e-9, JSON.stringify(shifted));
  assert.ok(shifted.words.includes("Time from " + event.label + " / s"));
  await choice.selectOption("part");
  await page.waitForFunction(() => window.borelli.plots.every((plot) => !plot.stale));
  const parts = await ends();
  assert.deepEqual([parts.low, parts.high], [0, 100]);
  assert.ok(parts.words.includes("Part of the run / %"));
  await close();
});

test("the address keeps the view of a spatial figure", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")), { hash: "#view=top" });
  assert.equal(await page.evaluate(() => window.borelli.stage.view()), "top");
  await page.keyboard.press("3");
  await page.waitForFunction(() => location.hash.includes("view=front"), null, { timeout: 5000 });
  const again = await open(browser, reportOf(runOf("thrown-person")), { hash: await page.evaluate(() => location.hash) });
  assert.equal(await again.page.evaluate(() => window.borelli.stage.view()), "front");
  await again.close();
  await close();
});

test("the switch changes light and dark for page and figure, over what the system wants", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")), { scheme: "dark" });
  const look = () => page.evaluate(() => [getComputedStyle(document.body).backgroundColor, window.borelli.stage.tone]);
  assert.deepEqual(await look(), ["rgb(15, 18, 22)", "dark"]);
  await page.locator("#tools button", { hasText: "light" }).click();
  assert.deepEqual(await look(), ["rgb(255, 255, 255)", "light"]);
  await page.locator("#tools button", { hasText: "dark" }).click();
  assert.deepEqual(await look(), ["rgb(15, 18, 22)", "dark"]);
  await close();
});

test("readers of the screen find landmarks, a way to the content, named controls, the time in words and a table for each plot", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")));
  const found = await page.evaluate(() => {
    const named = (element) => element.getAttribute("aria-label") || element.getAttribute("title") || element.textContent.trim() || element.closest("label")?.textContent.trim() || document.getElementById(element.getAttribute("aria-labelledby"))?.textContent.trim();
    const controls = [...document.querySelectorAll("button, select, input")];
    return {
      landmarks: ["header", "nav[aria-label]", "main", "footer"].map((some) => document.querySelectorAll(some).length),
      nameless: controls.filter((one) => !named(one)).map((one) => one.outerHTML),
      controls: controls.length,
      time: document.getElementById("scrub").getAttribute("aria-valuetext"),
      tables: window.borelli.plots.map((plot) => [plot.table.rows.length, plot.lines.length]),
      headings: [...document.querySelectorAll("main > section")].every((part) => document.getElementById(part.getAttribute("aria-labelledby"))),
    };
  });
  assert.deepEqual(found.landmarks, [1, 1, 1, 1]);
  assert.ok(found.controls > 30 && found.headings, `${found.controls}`);
  assert.deepEqual(found.nameless, []);
  assert.match(found.time, /^0\.500 s$/);
  assert.ok(found.tables.length > 2 && found.tables.every(([rows, lines]) => rows === lines + 1), JSON.stringify(found.tables));
  await page.keyboard.press("Tab");
  const skip = await page.evaluate(() => ({ text: document.activeElement.textContent, ring: getComputedStyle(document.activeElement).outlineWidth, top: document.activeElement.getBoundingClientRect().top }));
  assert.ok(skip.text === "Skip to the content" && skip.ring === "2px" && skip.top >= 0, JSON.stringify(skip));
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await close();
});

test("a poster is the stage alone at the time of the study, 640 by 360", async () => {
  for (const stage of STAGES) {
    const { page, said, close } = await open(browser, reportOf(runOf("ballistic-gait")), { hash: stage === "plain" ? "#poster&stage=plain" : "#poster", width: 640, height: 360 });
    const found = await page.evaluate(() => {
      const box = document.getElementById("stage").getBoundingClientRect();
      const seen = [...document.querySelectorAll("header, nav, footer, main > section, .transport, .panel")].filter((one) => one.checkVisibility()).map((one) => one.id || one.className);
      return { box: [box.left, box.top, box.width, box.height], seen, time: window.borelli.time(), kind: window.borelli.stageKind };
    });
    assert.deepEqual(found, { box: [0, 0, 640, 360], seen: ["figure"], time: found.time, kind: stage });
    assert.ok(Math.abs(found.time - 0.15) < 0.006, `${found.time}`);
    assert.deepEqual(said, []);
    await close();
  }
});

test("a film is offered where frames come fast enough, and is one", async () => {
  const { page, said, close } = await open(browser, reportOf(runOf("thrown-person")));
  const button = page.getByRole("button", { name: "film", exact: true });
  if ((await button.count()) === 0) {
    const drawn = await page.evaluate(() => window.borelli.stage.stats().drawMs);
    assert.ok(drawn >= 33, `no film, though a frame takes ${drawn} ms`);
  } else {
    await page.locator("#speed").selectOption("0.5");
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 120_000 }), button.click()]);
    const bytes = readFileSync(await download.path());
    // The head of a WebM file.
    assert.ok(/\.webm$/.test(download.suggestedFilename()) && bytes.readUInt32BE(0) === 0x1a45dfa3 && bytes.length > 1000, `${bytes.length} bytes`);
    assert.equal(await page.evaluate(() => window.borelli.frame()), await page.evaluate(() => window.borelli.data.cases[0].time.length - 1));
  }
  assert.deepEqual(said, []);
  await close();
});
