// What a stranger stumbled over: figure, map and plots of one instant, signs that mean something else, paper, narrow screens, fits.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { STAGES, borelli, hashOf, launch, open, reportOf, runOf, written } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("a page opens at a time that has a map of pressure, and says which map it shows elsewhere", async () => {
  const { page, close } = await open(browser, reportOf(runOf("three-ellipsoid-foot")));
  const caption = () => page.locator("#mats figcaption").first().textContent();
  const [time, times] = await page.evaluate(() => [window.borelli.time(), window.borelli.data.cases[window.borelli.data.opening].pressure[0].times]);
  assert.ok(times.includes(time), `${time} of ${times}`);
  assert.match(await caption(), /, the time of figure and plots$/);
  await page.evaluate(() => window.borelli.goTo(window.borelli.frame() + 1));
  assert.match(await caption(), /, the nearest that the page holds; figure and plots are at 0\.\d+ s$/);
  await close();
});

test("a double click shows all again, also on the line that the first click draws", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")), { hash: "#stage=plain" });
  await page.waitForFunction(() => window.borelli.plots[0].frame.querySelector(".curve"));
  const frame = page.locator("#groups .plot svg.frame").first();
  await frame.scrollIntoViewIfNeeded();
  const box = await frame.boundingBox();
  const span = () => page.evaluate(() => [window.borelli.plots[0].x.low, window.borelli.plots[0].x.high]);
  const whole = await span();
  const middle = box.y + box.height / 2;
  await page.keyboard.down("Shift");
  await page.mouse.move(box.x + 150, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + 250, middle, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  assert.notDeepEqual(await span(), whole);
  await page.mouse.dblclick(box.x + 200, middle);
  assert.deepEqual(await span(), whole);
  await close();
});

for (const stage of STAGES) {
  test(`${stage} stage: a head that presses a soft liner is touching, and curves of the load keep their colours`, async () => {
    const { page, close } = await open(browser, reportOf(runOf("hip-liner-design")), { hash: hashOf(stage) });
    const found = await page.evaluate(() => {
      const { data } = window.borelli;
      const plot = document.querySelector(".soft-case:not([hidden]) .soft-arc");
      const stroke = (path) => getComputedStyle(path).stroke;
      return {
        touches: data.cases.map((one) => borelliScene.touches(data, one, 0, one.time.length - 1)),
        now: stroke(plot.querySelector(".soft-now")),
        last: stroke([...plot.querySelectorAll("svg.frame .curve")].pop()),
        shown: ["speed", "loop"].map((id) => document.getElementById(id).offsetParent !== null),
        help: document.querySelector(".plot-bar .fine").textContent,
        rates: document.querySelectorAll("#tree input[value$='.rate']").length,
      };
    });
    assert.ok(found.touches.length > 1 && found.touches.every(Boolean), found.touches.join());
    assert.equal(found.now, found.last);
    // A load has no speed, and its steps are no times.
    assert.deepEqual([found.shown, found.rates], [[false, false], 0]);
    assert.match(found.help, /go to a part of the load/);
    await close();
  });

  test(`${stage} stage: what slides or turns freely hangs on no support`, async () => {
    for (const [name, supports] of [["asymmetric-top", false], ["restitution", false], ["heavy-top", true]]) {
      const { page, close } = await open(browser, reportOf(runOf(name)), { hash: hashOf(stage) });
      const held = await page.evaluate(() => {
        const { data } = window.borelli;
        const figure = data.figures[data.cases[data.opening].figure];
        return figure.joints.some((joint) => borelliScene.held(figure, joint));
      });
      assert.equal(held, supports, name);
      await close();
    }
  });

  test(`${stage} stage: the view sole looks from straight below, toes up`, async () => {
    const { page, close } = await open(browser, reportOf(runOf("three-ellipsoid-foot")), { hash: stage === "plain" ? "#stage=plain&view=sole" : "#view=sole" });
    const words = await page.evaluate(() => [...document.querySelectorAll("#stage text")].map((text) => text.textContent));
    // The direction that points at the viewer has no name; the other two have.
    assert.ok(words.includes("forward") && words.includes("right") && !words.includes("up"), words.join("; "));
    const { up, right } = await page.evaluate(() => borelliScene.camera(window.borelli.data.figures[0], "sole"));
    assert.ok(up[0] > 0.999 && right[2] < -0.999, JSON.stringify({ up, right }));
    await close();
  });

  test(`${stage} stage: the number of a cut arrow stands behind the point of force`, async () => {
    const { page, close } = await open(browser, reportOf(runOf("walker7-falling")), { hash: hashOf(stage) });
    const found = await page.evaluate(() => {
      const number = [...document.querySelectorAll("#stage text")].find((text) => /^1\d\d\d N$/.test(text.textContent));
      const feet = window.borelli.stage.arrows().map((arrow) => arrow.from[1]);
      return { y: number && Number(number.getAttribute("y")), lowest: Math.max(...feet) };
    });
    assert.ok(found.y > found.lowest, JSON.stringify(found));
    await close();
  });
}

test("a small joint of ligaments and contact is looked at closely, from its true side, and its ligaments have names", async () => {
  const { page, close } = await open(browser, reportOf(runOf("knee")));
  const pixels = () => page.evaluate(() => window.borelli.stage.viewpoint.pixels);
  const near = await pixels();
  await page.click("#layer-names");
  const words = await page.evaluate(() => [...document.querySelectorAll("#stage text")].map((text) => text.textContent));
  assert.ok(words.some((word) => /^ACL anterior/.test(word)), words.join("; "));
  assert.match(await page.locator("#figure-key").textContent(), /plane of contact: plateau/);
  await page.getByRole("button", { name: "frame all" }).click();
  assert.ok(near > 2.5 * (await pixels()), `${near}`);
  await page.click("#close-up");
  assert.ok(Math.abs((await pixels()) / near - 1) < 1e-9);
  await close();
});

test("comparing with another case unticks the poses, and both can be had", async () => {
  const { page, close } = await open(browser, reportOf(runOf("leg-drop")));
  const ticked = () => page.isChecked("#layer-ghosts");
  const key = () => page.locator("#figure-key").textContent();
  assert.ok((await ticked()) && /at other times/.test(await key()));
  await page.selectOption("#compare", "1");
  assert.ok(!(await ticked()) && /the other case at the same time/.test(await key()) && !/at other times/.test(await key()));
  await page.check("#layer-ghosts");
  assert.match(await key(), /at other times, and the other case/);
  await page.selectOption("#compare", "");
  assert.ok((await ticked()) && !/other case/.test(await key()));
  await close();
});

test("plots and player open where the events are, say so, and show all on demand", async () => {
  const { page, close } = await open(browser, reportOf(runOf("foot-13dof-drop")));
  await page.waitForFunction(() => window.borelli.plots[0].x);
  const found = await page.evaluate(() => ({
    span: [window.borelli.plots[0].x.low, window.borelli.plots[0].x.high],
    events: window.borelli.data.cases[window.borelli.data.opening].events.map((event) => event.time),
    speed: Number(document.getElementById("speed").value),
    marks: document.querySelectorAll("#transport .mark").length,
  }));
  assert.ok(found.span[0] <= Math.min(...found.events) && found.span[1] >= Math.max(...found.events) && found.span[1] < 1, JSON.stringify(found));
  assert.ok(found.speed <= 0.1 && found.marks < found.events.length, JSON.stringify(found));
  assert.match(await page.locator("#span-note").textContent(), /where the events are; the run goes on to 6\.000 s/);
  await page.locator("#span-note button").click();
  await page.waitForFunction(() => window.borelli.plots.some((plot) => plot.x && plot.x.high > 5.9));
  assert.ok(await page.locator("#span-note").isHidden());
  await close();
});

test("on a narrow screen heads stand above values, long tables are one line, long texts are folded", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")), { width: 390, height: 844 });
  const found = await page.evaluate(() => ({
    displays: [...new Set([...document.querySelectorAll(".stacks td:not(:empty)")].map((cell) => getComputedStyle(cell, "::before").display))],
    open: [...document.querySelectorAll(".stacks")].filter((table) => table.tBodies[0].rows.length > 8 && !table.closest("details") && !table.querySelector("td.bad, td.look:first-child")).length,
    tall: Math.max(...[...document.querySelectorAll(".stacks td")].map((cell) => cell.getBoundingClientRect().height)),
  }));
  assert.deepEqual([found.displays, found.open], [["block"], 0]);
  assert.ok(found.tall < 300, `${found.tall}`);
  await close();
});

describe("paper", () => {
  for (const name of ["three-ellipsoid-foot", "leg-drop", "walker7-falling", "ballistic-gait"]) {
    test(`${name}: no page ends with a heading or the head of a table or holds next to nothing, and what cannot be unfolded says where it is`, async () => {
      const { page, close } = await open(browser, reportOf(runOf(name)));
      const file = written(name + ".pdf", "");
      await page.pdf({ path: file, format: "A4", printBackground: true });
      const headings = (await page.locator("main h2").allTextContents()).map((text) => text.trim());
      const heads = await page.evaluate(() => [...document.querySelectorAll("thead tr")].map((row) => [...row.cells].map((cell) => cell.textContent.trim()).join(" ").trim()));
      const sheets = execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" }).trim().split("\f").map((text) => text.trim().split("\n"));
      // Each page ends with its number.
      const numbers = sheets.map((lines) => lines[lines.length - 1].replaceAll(" ", ""));
      assert.deepEqual(numbers, sheets.map((_, k) => k + 1 + "/" + sheets.length));
      const pages = sheets.map((lines) => lines.slice(0, -1).map((line) => line.trim().replace(/\s+/g, " ")).filter(Boolean));
      for (const lines of pages) {
        const last = lines[lines.length - 1];
        assert.ok(!headings.includes(last) && !heads.includes(last), `a page ends with “${last}”`);
        assert.ok(lines.length > 5, `a page holds ${lines.join("; ")} alone`);
      }
      const text = pages.flat().join("\n");
      assert.ok(!/\bMore$/m.test(text), "a link to a part of the page");
      assert.ok((text.match(/not judged$/gm) || []).length < 3, "rows without numbers");
      await close();
    });
  }
});

// A ball that is guided into a floor and out again, and forces of a stiffer and rougher one.
const BALL = `borelli = 1
dimension = "planar"
[body.ball]
mass = "1 kg"
inertia = "0.01 kg m^2"
[joint.place]
type = "planar"
parent = "world"
child = "ball"
coordinates = ["x", "y", "angle"]
[guide.x]
type = "coordinate"
coordinate = "x"
function = { type = "sine", amplitude = "0.05 m", frequency = "1.3 1/s" }
[guide.y]
type = "coordinate"
coordinate = "y"
function = { type = "sine", amplitude = "12 mm", frequency = "2 1/s", offset = "98 mm" }
[guide.angle]
type = "coordinate"
coordinate = "angle"
function = { type = "constant", constant = "0 rad" }
[surface]
floor = { type = "half-space", at = "world" }
ball = { type = "circle", at = "ball", radius = "100 mm" }
[law.push]
type = "hunt-crossley"
stiffness = "50000 N/m^1.5"
exponent = 1.5
dissipation = "0.4 s/m"
[law.rub]
type = "tanh"
friction = 0.35
transition = "0.05 m/s"
[contact.sole]
a = "ball"
b = "floor"
normal = "push"
friction = "rub"
`;

const FIT = `borelli = 1
title = "A ball fitted"
model = "ball.toml"
analysis = "fit"
[time]
end = "1 s"
sample = "5 ms"
[column.vertical]
formula = "contact.sole.normal_force"
[fit]
of = "evaluate"
[[fit.trial]]
name = "press"
data = ["forces.csv"]
[[fit.term]]
name = "push"
column = "derived.vertical"
data = "fy"
normalise = "max"
[[fit.unknown]]
path = "law.push.stiffness"
low = "1e4 N/m^1.5"
high = "1e6 N/m^1.5"
[[fit.unknown]]
path = "law.push.dissipation"
low = "0.1 s/m"
high = "0.2 s/m"
start = "0.15 s/m"
`;

// Sizes of letters on paper of plots that no script draws anew, pt: those of the style times what the picture is made smaller. A4 has 186 mm between
// its margins.
async function lettersOnPaper(page) {
  await page.setViewportSize({ width: Math.round((186 * 96) / 25.4), height: 1000 });
  await page.emulateMedia({ media: "print" });
  return page.evaluate(() =>
    [...document.querySelectorAll(".plot:not(.plotting .plot) svg[viewBox] text")]
      .filter((text) => text.checkVisibility())
      .map((text) => (parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b) * 72) / 96),
  );
}

test("a fit shows measured and computed curves, unknowns at their bounds, J in words, and again from the folder", async () => {
  written("ball.toml", BALL);
  const plain = written("press.toml", FIT.split("[fit]")[0].replace('analysis = "fit"', 'analysis = "evaluate"'));
  const source = runOf(plain);
  const lines = readFileSync(join(source, "trajectory.sto"), "utf8").split("\n");
  const head = lines.findIndex((line) => line.trim() === "endheader") + 1;
  const [time, force] = ["time", "derived.vertical"].map((name) => lines[head].split("\t").indexOf(name));
  const rows = lines.slice(head + 1).filter(Boolean).map((line) => line.split("\t"));
  written("forces.csv", "time [s],fy [N]\n" + rows.map((row) => row[time] + "," + row[force]).join("\n") + "\n");
  const folder = runOf(written("fit.toml", FIT));
  const look = async () => {
    const { page, close } = await open(browser, reportOf(folder), { script: false });
    const section = page.locator("#fit");
    const found = { text: await section.textContent(), plots: await section.locator(".plot h3").allTextContents(), curves: await section.locator(".plot svg.frame .curve").count() };
    await close();
    return found;
  };
  const first = await look();
  assert.deepEqual([first.plots, first.curves], [["Push", "Push: residual", "Best J so far"], 4]);
  assert.match(first.text, /J = \(sum of \|e\|\^2 over terms and samples\)\./);
  assert.match(first.text, /Push \/ N/);
  // 0.4 s/m made the forces, and is beyond the bound.
  assert.match(first.text, /at its high bound/);
  borelli("report", folder);
  assert.deepEqual(await look(), first);
  assert.equal(dirname(folder), dirname(source));
  const { page, close } = await open(browser, reportOf(folder));
  const letters = await lettersOnPaper(page);
  assert.ok(letters.length > 10 && Math.min(...letters) >= 7, `${Math.min(...letters)} pt`);
  await close();
  // A formula that is one long word stays on a narrow screen.
  const narrow = await open(browser, reportOf(folder), { width: 390 });
  const beyond = await narrow.page.evaluate(() => {
    document.querySelector("#method tbody td:last-child").textContent = "max(number.depth1,[1e-7m])+".repeat(12);
    return [...document.querySelectorAll(".scroll")].filter((box) => box.checkVisibility()).map((box) => box.scrollWidth - box.clientWidth);
  });
  assert.ok(beyond.length > 3 && beyond.every((more) => more <= 0), beyond.join());
  await narrow.close();
});
