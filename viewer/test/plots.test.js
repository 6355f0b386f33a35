// Plots, player, keys, address and files that are saved: what a reader does with a page, and whether the numbers are those of the run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { STAGES, casesOf, hashOf, launch, open, reportOf, runOf, spread, trajectoryOf, written } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

// The bits of a number, so that NaN equals NaN and 0 is not -0.
const bits = (x) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  return view.getBigUint64(0);
};

const firstPlot = (page) => page.locator("#plots figure.plot svg.frame").first();

// A place inside a plot at a part of its width.
async function within(page, part, down = 0.5) {
  await firstPlot(page).scrollIntoViewIfNeeded();
  const box = await firstPlot(page).boundingBox();
  return [box.x + 60 + part * (box.width - 80), box.y + down * box.height];
}

test("the numbers beside a plot are those of the trajectory, bit for bit", async () => {
  const folder = runOf("walker7-falling");
  const [{ place }] = casesOf(folder);
  const table = trajectoryOf(place);
  const { page, close } = await open(browser, reportOf(folder));
  const frames = await page.evaluate(() => [...window.borelli.data.cases[0].frame]);
  let compared = 0;
  for (const part of spread(101, 10)) {
    await page.mouse.move(...(await within(page, part / 101)));
    for (const { name, frame, time, value } of await page.evaluate(() => window.borelli.values(0))) {
      const sample = frames[frame];
      assert.equal(bits(time), bits(table.time[sample]));
      assert.equal(bits(value), bits(table.value(sample, name)), `${name} at ${time} s`);
      compared++;
    }
  }
  assert.ok(compared >= 10);
  await close();
});

test("curves reach the extremes of the run, which thinning must not lose", async () => {
  const folder = runOf("foot-13dof-drop");
  const [{ place }] = casesOf(folder);
  const table = trajectoryOf(place);
  const { page, close } = await open(browser, reportOf(folder));
  const found = await page.evaluate(() => {
    const { data } = window.borelli;
    const one = data.cases[0];
    return [...new Set(data.groups.flatMap((group) => group.columns))].flatMap((name) => {
      const column = one.columns.find((column) => column.name === name);
      if (!column) return [];
      const all = [...column.values, ...(column.extra ? column.extra.v : [])].filter((x) => !Number.isNaN(x));
      return [{ name, low: Math.min(...all), high: Math.max(...all) }];
    });
  });
  const own = found.filter(({ name }) => table.has(name));
  assert.ok(own.length > 3);
  for (const { name, low, high } of own) {
    const values = table.rows.map((_, k) => table.value(k, name)).filter((x) => !Number.isNaN(x));
    assert.deepEqual([low, high], [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))], name);
  }
  await close();
});

for (const stage of STAGES) {
  test(`${stage} stage: play, slider, keys, drag in a plot and orbit do what they say`, async () => {
    const { page, said, close } = await open(browser, reportOf(runOf("thrown-person")), { hash: hashOf(stage) });
    const frame = () => page.evaluate(() => window.borelli.frame());
    const last = await page.evaluate(() => window.borelli.data.cases[0].time.length - 1);
    await page.keyboard.press("End");
    assert.equal(await frame(), last);
    await page.keyboard.press("Home");
    assert.equal(await frame(), 0);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await frame(), 11);
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.borelli.frame() > 11, null, { timeout: 30_000 });
    await page.keyboard.press(" ");
    const paused = await frame();
    await page.waitForTimeout(300);
    assert.equal(await frame(), paused, "a pause is a pause");
    await page.locator("#scrub").fill("5");
    assert.equal(await frame(), 5);
    const before = await page.evaluate(() => window.borelli.stage.positions().joints);
    const [x, y] = await within(page, 0.8);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 40, y);
    await page.mouse.up();
    assert.ok((await frame()) > last / 2, "a drag in a plot moves the figure");
    assert.notDeepEqual(await page.evaluate(() => window.borelli.stage.positions().joints), before);
    await page.keyboard.press("1");
    const boxes = () => page.evaluate(() => window.borelli.stage.boxes());
    const seen = await boxes();
    await page.locator("#stage").scrollIntoViewIfNeeded();
    const box = await page.locator("#stage").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 120, box.y + box.height / 2 + 10, { steps: 4 });
    await page.mouse.up();
    assert.notDeepEqual(await boxes(), seen, "a drag on the stage turns the figure");
    await page.keyboard.press("2");
    assert.equal(await page.evaluate(() => window.borelli.stage.view()), "side");
    await page.keyboard.press("?");
    assert.ok(await page.locator("dialog[open]").count(), "help opens");
    await page.keyboard.press("Escape");
    assert.deepEqual(said, []);
    await close();
  });
}

test("the address restores time, case, view and plots", async () => {
  const folder = runOf("ballistic-gait");
  const name = "coord.stance.value";
  const known = (await import("node:fs")).readFileSync(reportOf(folder), "utf8").includes(name);
  const column = known ? name : "system.energy.total";
  const { page, close } = await open(browser, reportOf(folder), { hash: `#t=0.2&case=1&plot=${column}` });
  assert.equal(await page.evaluate(() => window.borelli.time().toFixed(2)), "0.20");
  assert.deepEqual(await page.evaluate(() => window.borelli.plots.filter((plot) => plot.own).flatMap((plot) => plot.names)), [column]);
  await page.keyboard.press("ArrowRight");
  const shown = await page.evaluate(() => window.borelli.time());
  await page.waitForFunction((t) => location.hash.includes("t=" + t) && location.hash.includes("case=1"), shown, { timeout: 5000 });
  const again = await open(browser, reportOf(folder), { hash: await page.evaluate(() => location.hash) });
  assert.equal(await again.page.evaluate(() => window.borelli.time()), shown);
  await again.close();
  await close();
});

test("Shift and drag zooms time in every plot, a double click shows all again", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")));
  const span = () => page.evaluate(() => window.borelli.plots.filter((plot) => plot.x && plot.kind !== "phase").map((plot) => plot.x.high - plot.x.low));
  const [whole] = await span();
  await page.keyboard.down("Shift");
  await page.mouse.move(...(await within(page, 0.25)));
  await page.mouse.down();
  await page.mouse.move(...(await within(page, 0.5)), { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  for (const one of await span()) assert.ok(Math.abs(one / whole - 0.25) < 0.03, `${one} of ${whole} s`);
  const [x, y] = await within(page, 0.5);
  await page.mouse.dblclick(x, y);
  assert.equal((await span())[0], whole);
  await close();
});

test("search finds columns by words in any order; a box plots one", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")));
  const count = () => page.locator("#tree .leaf:not([hidden])").count();
  const all = await count();
  await page.locator("#search").fill("energy total");
  const some = await count();
  await page.locator("#search").fill("total energy");
  assert.equal(await count(), some);
  assert.ok(some > 0 && some < all);
  const plots = await page.evaluate(() => window.borelli.plots.length);
  await page.locator("#tree .leaf:not([hidden]) input").first().check();
  assert.equal(await page.evaluate(() => window.borelli.plots.length), plots + 1);
  await close();
});

test("search finds columns by their unit, alone or after words", async () => {
  const { page, close } = await open(browser, reportOf(runOf("synthetic-walk")));
  // Names and units of what is found, from the data of the page.
  const found = (text) =>
    page.locator("#search").fill(text).then(() =>
      page.evaluate(() => {
        const units = new Map(window.borelli.data.cases[0].columns.map(({ name, unit }) => [name, unit]));
        return [...document.querySelectorAll("#tree .leaf:not([hidden]) input")].map(({ value }) => [value, units.get(value)]);
      }),
    );
  const unit = await page.evaluate(() => window.borelli.data.cases[0].columns.filter((column) => column.unit === "N m").length);
  const moments = await found("N m");
  assert.equal(moments.length, unit);
  assert.ok(unit > 0 && moments.every(([, own]) => own === "N m"));
  const knee = await found("knee n m");
  assert.ok(knee.length > 0 && knee.length < unit && knee.every(([name, own]) => /knee/.test(name) && own === "N m"));
  // as the plots show it
  assert.ok((await found("deg/s")).every(([, own]) => own === "rad/s"));
  assert.match(await page.locator("#tree-help").textContent(), /in deg\/s/);
  await close();
});

test("all cases are drawn in every plot, also in those that show cases of their own", async () => {
  const { page, close } = await open(browser, reportOf(runOf("sprint-cyclist")));
  const look = () =>
    page.evaluate(() => {
      const { plots, data } = window.borelli;
      const runs = (plot) => new Set(plot.lines.map((line) => data.cases.indexOf(line.one))).size;
      const pens = (plot) => new Set(plot.lines.map((line) => line.pen.colour + line.pen.dash)).size;
      return { cases: data.cases.length, own: plots.filter((plot) => plot.cases).length, plots: plots.map((plot) => ({ runs: runs(plot), lines: plot.lines.length, pens: pens(plot) })) };
    });
  const before = await look();
  assert.ok(before.own > 0 && before.cases > 4 && before.plots.every(({ runs }) => runs < before.cases));
  await page.getByLabel("all cases").check();
  const after = await look();
  assert.ok(after.plots.every(({ runs }) => runs === after.cases), JSON.stringify(after));
  // one curve a case can be told apart by colour and dashes
  for (const { lines, pens } of after.plots.filter(({ lines }) => lines === after.cases)) assert.equal(pens, lines);
  await close();
});

// What a button of the save menu of the first plot, or of the panel, hands over.
async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 120_000 }), act()]);
  return readFileSync(await download.path());
}

test("a plot is saved as CSV, SVG and PNG with the numbers of the run", async () => {
  const folder = runOf("thrown-person");
  const [{ place }] = casesOf(folder);
  const table = trajectoryOf(place);
  const { page, close } = await open(browser, reportOf(folder));
  const figure = page.locator("#plots figure.plot").filter({ has: page.locator("svg.frame") }).first();
  const menu = async (words) => {
    await figure.locator("details.save summary").click();
    await figure.locator("details.save button", { hasText: words }).click();
  };
  const frames = await page.evaluate(() => [...window.borelli.data.cases[0].frame]);
  const lines = String(await saved(page, () => menu("CSV"))).trimEnd().split("\n").filter((line) => !line.startsWith("#"));
  const names = lines[1].split(",");
  const rows = lines.slice(3).map((line) => line.split(","));
  assert.equal(rows.length, frames.length);
  let compared = 0;
  rows.forEach((row, k) =>
    names.forEach((name, c) => {
      if (!table.has(name)) return;
      assert.equal(bits(Number(row[c])), bits(table.value(frames[k], name)), `${name} in row ${k}`);
      compared++;
    }),
  );
  assert.ok(compared > frames.length);
  const svg = String(await saved(page, () => menu("SVG")));
  const parsed = await page.evaluate((text) => {
    const made = new DOMParser().parseFromString(text, "image/svg+xml");
    return { fault: made.querySelector("parsererror") !== null, curves: made.querySelectorAll("path").length, open: /var\(--|class=/.test(text) };
  }, svg);
  assert.ok(!parsed.fault && parsed.curves > 1 && !parsed.open, JSON.stringify(parsed));
  const png = await saved(page, () => menu("PNG"));
  const width = await page.evaluate(() => window.borelli.plots[0].box.width);
  assert.equal(png.readUInt32BE(16), Math.round(2 * width), "twice the width of the plot");
  await close();
});

for (const stage of STAGES) {
  test(`${stage} stage: its picture is twice its size`, async () => {
    const { page, close } = await open(browser, reportOf(runOf("ballistic-gait")), { hash: hashOf(stage) });
    const size = await page.evaluate(async () => {
      const blob = await window.borelli.stage.picture(800, 450);
      const picture = await createImageBitmap(blob);
      return [blob.type, picture.width, picture.height];
    });
    assert.deepEqual(size, ["image/png", 800, 450]);
    await close();
  });
}

test("frames are saved in a ZIP file that another program opens", async (t) => {
  try {
    execFileSync("python3", ["--version"]);
  } catch {
    return t.skip("there is no other program to open it");
  }
  const { page, close } = await open(browser, reportOf(runOf("ballistic-gait")), { hash: "#stage=plain" });
  await page.locator("#speed").selectOption("1");
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 300_000 }), page.getByRole("button", { name: /frames/i }).click()]);
  const said = execFileSync("python3", ["-c", "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))", await download.path()], { encoding: "utf8" });
  const [bad, count] = said.trim().split(" ");
  assert.equal(bad, "None");
  assert.ok(Number(count) >= 2, said);
  await close();
});

// A study whose plot has a column in the place of time.
const ACROSS = {
  title: "forces over the angle",
  right: "coord.elbow.value",
  upward: ["muscle.flexor.force", "muscle.extensor.force"],
};
const acrossStudy = () =>
  written(
    "across.toml",
    `borelli = 1
title = "a plot across a column"
model = "${fileURLToPath(new URL("../../models/elbow-muscles.toml", import.meta.url))}"
[time]
end = "0.5 s"
sample = "10 ms"
[[plot]]
title = "${ACROSS.title}"
columns = ${JSON.stringify(ACROSS.upward)}
across = "${ACROSS.right}"
`,
  );

test("a plot across another column has it to the right: dots follow the player", async () => {
  const folder = runOf(acrossStudy());
  const table = trajectoryOf(folder);
  const { page, said, close } = await open(browser, reportOf(folder));
  const figure = page.locator("figure.plot", { has: page.getByRole("heading", { name: ACROSS.title }) }).first();
  await figure.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => window.borelli.plots.some((plot) => plot.kind === "phase" && plot.x));
  const words = await figure.textContent();
  assert.match(words, /Elbow angle \/ deg/);
  // The table for those who do not see the plot has each column in its own unit.
  const start = table.value(0, ACROSS.upward[0]);
  assert.ok(words.includes(Number(start.toPrecision(5)) + " N"), `${start} in ${words}`);
  for (const sample of [0, 13, 37, 50]) {
    const { names, x, y, box, factors, dots, frames } = await page.evaluate((k) => {
      const { data, plots, goTo } = window.borelli;
      goTo(data.cases[0].frame.indexOf(k));
      const plot = plots.find((plot) => plot.kind === "phase");
      const dots = [...plot.marks.querySelectorAll("circle")].map((dot) => ["cx", "cy"].map((at) => Number(dot.getAttribute(at))));
      return { names: plot.names, x: [plot.x.low, plot.x.high], y: [plot.y.low, plot.y.high], box: plot.box, factors: plot.units.map((unit) => unit.factor), dots, frames: [...data.cases[0].frame] };
    }, sample);
    assert.deepEqual(names, [ACROSS.right, ...ACROSS.upward]);
    assert.ok(frames.includes(sample), "every sample is in the page");
    // Angles are shown in degrees.
    assert.ok(Math.abs(factors[0] - 180 / Math.PI) < 1e-12);
    assert.equal(dots.length, 2);
    dots.forEach(([px, py], i) => {
      const [right, up] = [factors[0] * table.value(sample, ACROSS.right), factors[1] * table.value(sample, ACROSS.upward[i])];
      assert.ok(Math.abs(px - (box.left + ((right - x[0]) / (x[1] - x[0])) * (box.right - box.left))) < 1e-6, `${px} at ${sample}`);
      assert.ok(Math.abs(py - (box.bottom - ((up - y[0]) / (y[1] - y[0])) * (box.bottom - box.top))) < 1e-6, `${py} at ${sample}`);
    });
  }
  assert.deepEqual(said, []);
  await close();
});

test("without script a plot across another column is drawn sample by sample", async () => {
  const folder = runOf(acrossStudy());
  const table = trajectoryOf(folder);
  const { page, said, close } = await open(browser, reportOf(folder), { script: false });
  const frame = page.locator("figure.plot", { has: page.getByRole("heading", { name: ACROSS.title }) }).locator("svg.frame").first();
  const [x0, x1, left, right] = (await frame.getAttribute("data-x")).split(" ").map(Number);
  const [y0, y1, bottom, top] = (await frame.getAttribute("data-y")).split(" ").map(Number);
  const curves = await frame.locator("path.curve").all();
  assert.equal(curves.length, 2);
  for (const [i, curve] of curves.entries()) {
    const points = (await curve.getAttribute("d")).replaceAll("h.01", "").split(/[ML]/).filter(Boolean).map((pair) => pair.split(" ").map(Number));
    for (const [point, sample] of [[points[0], 0], [points.at(-1), table.rows.length - 1]]) {
      const at = [
        left + (((180 / Math.PI) * table.value(sample, ACROSS.right) - x0) / (x1 - x0)) * (right - left),
        bottom - ((table.value(sample, ACROSS.upward[i]) - y0) / (y1 - y0)) * (bottom - top),
      ];
      at.forEach((wanted, k) => assert.ok(Math.abs(point[k] - wanted) < 0.11, `${point} for ${at}, sample ${sample}`));
    }
  }
  assert.deepEqual(said, []);
  await close();
});
