// Soft parts: the mesh stands where the record says in both stages, with its colours and their bar; the section draws it, follows the player, and stays
// readable without script, on paper and on a small screen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { STAGES, casesOf, hashOf, launch, open, pixels, reportOf, runOf } from "./harness.js";
import { PRESSURE, bentBlock, ringInHip } from "./soft-record.js";

let browser;
let ring;
let block;
before(async () => {
  browser = await launch();
  ring = ringInHip(runOf("ballistic-gait"));
  block = bentBlock(runOf("statics"));
});
after(() => browser.close());

// Numbers of a packed list, read here.
const numbers = ({ f64 }) => new Float64Array(Uint8Array.from(Buffer.from(f64, "base64")).buffer);
const recordOf = (folder) => JSON.parse(readFileSync(join(casesOf(folder)[0].place, "soft.json"), "utf8"));

for (const stage of STAGES) {
  describe(`${stage} stage`, () => {
    test("nodes stand where the record says, and between instants between them", async () => {
      const { frames } = recordOf(ring);
      const { page, said, close } = await open(browser, reportOf(ring), { hash: hashOf(stage) });
      assert.equal(await page.evaluate(() => window.borelli.stageKind), stage);
      const times = await page.evaluate(() => [...window.borelli.data.cases[0].time]);
      const shown = (frame) => page.evaluate((k) => (window.borelli.goTo(k), [...window.borelli.stage.positions().soft[0]]), frame);
      for (const own of [frames[0], frames[2], frames[frames.length - 1]]) {
        const places = await shown(times.indexOf(own.t));
        const truth = numbers(own.bodies[0].points);
        const miss = Math.max(...places.map((x, i) => Math.abs(x - truth[i])));
        assert.ok(places.length === truth.length && miss < 1e-6, `${miss} m off at ${own.t} s`);
      }
      // A sample between two instants: each node within their distance of both.
      const between = times.findIndex((t) => t > frames[1].t && t < frames[2].t);
      const places = await shown(between);
      const [a, b] = [frames[1], frames[2]].map((own) => numbers(own.bodies[0].points));
      places.forEach((x, i) => assert.ok(x >= Math.min(a[i], b[i]) - 1e-3 && x <= Math.max(a[i], b[i]) + 1e-3));
      assert.deepEqual(said, []);
      await close();
    });

    test("the mesh is painted in its colours, with their bar, and says what is under the pointer", async () => {
      const { page, close } = await open(browser, reportOf(block), { hash: hashOf(stage) });
      const box = await page.locator("#stage").boundingBox();
      const words = await page.evaluate(() => document.querySelector("#stage").textContent);
      assert.match(words, /Von Mises stress \/ kPa/);
      const picture = await pixels(page, await page.locator("#stage").screenshot());
      // The darkest colour of the scale, at the upper and lower side of the block, is nowhere else in the picture but on the bar.
      const near = ([r, g, b], [x, y, z]) => Math.hypot(r - x, g - y, b - z) < 40;
      let dark = 0;
      for (let k = 0; k < picture.data.length; k += 4) dark += near(picture.data.slice(k, k + 3), [0x3b, 0x17, 0x51]);
      assert.ok(dark > 400, `${dark} pixels`);
      const found = [];
      for (let x = 0; x < box.width; x += 12) {
        for (let y = 0; y < box.height; y += 12) found.push(await page.evaluate(([x, y]) => window.borelli.stage.pick(x, y), [x, y]));
      }
      const soft = found.filter((one) => one && one.kind === "soft");
      assert.ok(soft.length > 5 && soft.every((one) => /^Von Mises stress [\d.]+ kPa$/.test(one.text)), JSON.stringify(soft[0]));
      await page.evaluate(() => window.borelli.stage.layers({ soft: null }));
      assert.equal(await page.evaluate(() => window.borelli.stage.positions().soft.length), 0);
      await close();
    });

    test("a choice of colours holds for the figure and for the section", async () => {
      const { page, said, close } = await open(browser, reportOf(ring), { hash: hashOf(stage) });
      await page.locator(".soft-controls select").first().selectOption("contact");
      assert.equal(await page.evaluate(() => window.borelli.stage.layers({}).soft), "contact");
      assert.match(await page.locator("#stage").textContent(), /Contact pressure \/ MPa/);
      await page.getByRole("button", { name: "highest stress" }).click();
      assert.match(await page.locator(".soft-picture figcaption").textContent(), /Highest contact pressure now: 2\.7\d MPa in Liner/);
      await page.locator("#layer-soft").selectOption("");
      assert.equal(await page.evaluate(() => window.borelli.stage.layers({}).soft), null);
      assert.deepEqual(said, []);
      await close();
    });
  });
}

test("the section opens at the time of the figure, follows the player, and its plots follow too", async () => {
  const { frames } = recordOf(ring);
  const { page, said, close } = await open(browser, reportOf(ring));
  const caption = () => page.locator(".soft-picture figcaption").textContent();
  const time = await page.evaluate(() => window.borelli.time());
  const nearest = frames.map(({ t }) => t).reduce((best, t) => (Math.abs(t - time) < Math.abs(best - time) ? t : best));
  const told = Number(/^At ([\d.e-]+) s/.exec(await caption())[1]);
  assert.ok(time > 0 && Math.abs(told - nearest) <= 1e-3 * nearest, `${told} for ${nearest} at ${time}`);
  assert.match(await caption(), /drawn \d+ times larger than it is/);
  assert.equal(await page.locator(".soft-picture svg.bar text").last().textContent(), "MPa");
  await page.evaluate(() => (window.borelli.goTo(1), window.borelli.goTo(0)));
  assert.match(await caption(), /^At 0 s\./);
  // The thick line over the arc has the pressure of the instant.
  const heights = () => page.locator(".soft-arc .soft-now").first().evaluate((path) => {
    const [low, high, from, to] = path.ownerSVGElement.dataset.y.split(" ").map(Number);
    const list = path.getAttribute("d").match(/[\d.]+ [\d.]+/g).map((pair) => Number(pair.split(" ")[1]));
    return low + ((Math.min(...list) - from) / (to - from)) * (high - low);
  });
  assert.ok(Math.abs(await heights()) < 0.02);
  await page.locator(".soft-controls button").click();
  const most = Math.max(...frames.flatMap((frame) => [...numbers(frame.arcs[0].pressure)]));
  assert.ok(Math.abs((await heights()) - most * 1e-6) < 0.02 && most > 0.9 * PRESSURE);
  assert.match(await caption(), /when the von Mises stress is highest/);
  // A click on the plot over time goes there.
  const plot = page.locator(".soft-time svg.frame");
  const box = await plot.boundingBox();
  await plot.click({ position: { x: 0.15 * box.width, y: box.height / 2 } });
  assert.ok((await page.evaluate(() => window.borelli.time())) < 0.2 * frames[frames.length - 1].t);
  assert.deepEqual(said, []);
  await close();
});

test("loads of a balance have a slider of their own, and what bends visibly is not enlarged", async () => {
  const { page, said, close } = await open(browser, reportOf(block));
  const caption = () => page.locator(".soft-picture figcaption").textContent();
  assert.match(await caption(), /^Under 100 % of the load/);
  assert.match(await caption(), /The deformation is drawn as it is\./);
  await page.locator(".soft-controls input[type=range]").fill("1");
  assert.match(await caption(), /^Under 50 % of the load/);
  assert.deepEqual(said, []);
  await close();
});

test("without script the picture, its bar, the plots and the table are there", async () => {
  const { page, said, close } = await open(browser, reportOf(ring), { script: false });
  assert.equal(await page.locator("#soft svg.soft:visible").count(), 1);
  assert.equal(await page.locator("#soft svg.bar:visible").count(), 1);
  assert.equal(await page.locator("#soft figure.plot > svg:visible").count(), 3);
  assert.ok((await page.locator("#soft table:visible tbody tr").count()) > 5);
  assert.match(await page.locator(".soft-picture figcaption").textContent(), /times larger than it is: in truth it is at most 0\.0\d+ mm/);
  assert.deepEqual(said, []);
  await close();
});

for (const width of [390, 1280]) {
  test(`${width} px: nothing scrolls sideways`, async () => {
    const { page, close } = await open(browser, reportOf(ring), { width });
    const [inner, whole] = await page.evaluate(() => [document.documentElement.clientWidth, document.documentElement.scrollWidth]);
    assert.ok(whole <= inner, `${whole} of ${inner}`);
    await close();
  });
}
