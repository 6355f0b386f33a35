// What a page shows first: a telling instant, what touches in its colour also over a pressure map, sides that the figure has, the answer of a sweep.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { STAGES, casesOf, hashOf, launch, open, reportOf, runOf, trajectoryOf } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const shown = (page) => page.evaluate(() => window.borelli.time());

test("a page opens where the ground pushes most, and its first play begins at the start", async () => {
  const folder = runOf("walker7-falling");
  const table = trajectoryOf(casesOf(folder)[0].place);
  const { page, close } = await open(browser, reportOf(folder));
  const columns = await page.evaluate(() => window.borelli.data.cases[0].columns.map((column) => column.name).filter((name) => /^contact\..*\.normal_force$/.test(name)));
  const push = (k) => columns.reduce((sum, name) => sum + table.value(k, name), 0);
  const [frame, samples] = await page.evaluate(() => [window.borelli.frame(), [...window.borelli.data.cases[0].frame]]);
  // The page holds fewer samples than the file; arrows have friction, too.
  const [sample, all] = [samples[frame], samples.map(push)];
  assert.ok(columns.length === 8 && push(sample) > 0.9 * Math.max(...all), `${push(sample)} of ${Math.max(...all)} N`);
  const started = await page.evaluate(() => {
    document.getElementById("play").click();
    return window.borelli.frame();
  });
  assert.ok(frame > 0 && started === 0, `from ${frame} to ${started}`);
  await close();
});

test("a wish of the study comes before the largest force, the middle stands where no force acts, and the address before all", async () => {
  for (const [study, hash, time] of [["ballistic-gait", "", 0.15], ["thrown-person", "", 0.5], ["thrown-person", "#t=0.2", 0.2], ["thrown-person", "#t=0", 0]]) {
    const { page, close } = await open(browser, reportOf(runOf(study)), { hash });
    const t = await shown(page);
    assert.ok(Math.abs(t - time) < 0.006, `${study} ${hash}: ${t} s`);
    if (hash) {
      // A chosen instant is not left by playing on from it.
      const played = await page.evaluate(() => (document.getElementById("play").click(), window.borelli.time()));
      assert.equal(played, t);
    }
    await close();
  }
});

test("over a pressure map surfaces that touch have the colour of touching", async () => {
  const { page, close } = await open(browser, reportOf(runOf("three-ellipsoid-foot")));
  const found = await page.evaluate(async () => {
    const { stage, data } = window.borelli;
    await null;
    const palette = borelliScene.palette("light");
    return stage.run.view.surfaces.flatMap((mesh, i) => {
      if (!mesh) return [];
      const touches = borelliScene.touches(data, 0, i, window.borelli.frame());
      const wanted = touches ? palette.touching : palette.free;
      return [{ touches, right: mesh.material.color.getHexString() === wanted.slice(1).toLowerCase() }];
    });
  });
  assert.ok(found.some(({ touches }) => touches) && found.some(({ touches }) => !touches), JSON.stringify(found));
  assert.ok(found.every(({ right }) => right), JSON.stringify(found));
  await close();
});

describe("sides", () => {
  for (const stage of STAGES) {
    test(`${stage} stage: a model of one leg names one side`, async () => {
      for (const [study, sides] of [["sprint-cyclist", ["right"]], ["thrown-person", ["left", "right"]]]) {
        const { page, close } = await open(browser, reportOf(runOf(study)), { hash: hashOf(stage) });
        const words = await page.evaluate(() => [...document.querySelectorAll("#stage text")].map((text) => text.textContent));
        // The axes cross of a spatial figure says "right", too.
        assert.deepEqual([...new Set(words.filter((word) => word === "left" || word === "right"))].sort(), sides);
        await close();
      }
    });
  }
});

test("a cyclist's crank is held by an axle whose force is drawn", async () => {
  const { page, close } = await open(browser, reportOf(runOf("sprint-cyclist")));
  const labels = await page.evaluate(() => window.borelli.stage.arrows().map((arrow) => arrow.label));
  assert.ok(labels.some((label) => /axle/i.test(label)), labels.join(", "));
  await close();
});

test("the page of a sweep plots its answer over what is swept, with and without script", async () => {
  const folder = runOf("restitution");
  for (const script of [true, false]) {
    const { page, close } = await open(browser, reportOf(folder), { script });
    const plot = page.locator(".sweeps figure.plot").first();
    assert.equal(await plot.locator("circle").count(), 7 * 9);
    const rows = await plot.locator(".unseen tbody tr").allTextContents();
    // The exact law returns what it is given: its row at 0.5 says 0.5.
    assert.ok(rows.some((row) => /^Exact velocity0\.50\.5 m\/s$/.test(row)), rows.join("; "));
    assert.match(await plot.locator("svg.frame").textContent(), /Restitution/);
    await close();
  }
});
