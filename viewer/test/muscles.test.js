// Muscles, ligaments and cords on both stages: there, as long as their paths, in the colours of what they do; diagrams of muscles on the page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { borelli, hashOf, launch, open, reportOf, runOf, STAGES, trajectoryOf } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const FRAMES = [0, 60, 120, 200];
// The model, not the study of the same name.
const ELBOW = fileURLToPath(new URL("../../models/elbow-muscles.toml", import.meta.url));

for (const kind of STAGES) {
  test("lines over obstacles are as long as their paths: " + kind, async () => {
    const folder = runOf("knee-extensor");
    const { page, said, close } = await open(browser, reportOf(folder), { hash: hashOf(kind) });
    assert.equal(await page.evaluate(() => window.borelli.stageKind), kind);
    const table = trajectoryOf(folder);
    for (const frame of FRAMES) {
      const drawn = await page.evaluate((k) => {
        window.borelli.goTo(k);
        return window.borelli.stage.paths();
      }, frame);
      assert.equal(drawn.length, 2);
      drawn.forEach(({ places }, i) => {
        const long = places.slice(1).reduce((sum, at, k) => sum + Math.hypot(...at.map((x, j) => x - places[k][j])), 0);
        const exact = table.value(frame, `path.${["extensor", "flexor"][i]}.length`);
        // Chords of 8 degrees are shorter than their arc by 8e-4 of it; the arc is a small part of the path.
        assert.ok(exact - long > -1e-6 && exact - long < 1e-3 * exact, `${i} at ${frame}: ${long} of ${exact}`);
      });
    }
    assert.deepEqual(said, []);
    await close();
  });

  test("muscles have the colour of their activation, and a bar says so: " + kind, async () => {
    const folder = runOf(ELBOW);
    const { page, said, close } = await open(browser, reportOf(folder), { hash: hashOf(kind) });
    const table = trajectoryOf(folder);
    const ramp = [[247, 204, 184], [204, 51, 41], [102, 0, 26]];
    const expected = (u) => {
      const k = Math.min(1, Math.floor(2 * u));
      return ramp[k].map((x, i) => x + (ramp[k + 1][i] - x) * (2 * u - k));
    };
    for (const frame of FRAMES) {
      const drawn = await page.evaluate((k) => {
        window.borelli.goTo(k);
        return window.borelli.stage.paths();
      }, frame);
      ["flexor", "extensor"].forEach((name, i) => {
        const wanted = expected(table.value(frame, `muscle.${name}.activation`));
        const found = [1, 3, 5].map((at) => parseInt(drawn[i].colour.slice(at, at + 2), 16));
        found.forEach((x, j) => assert.ok(Math.abs(x - wanted[j]) <= 1, `${name} at ${frame}: ${found} for ${wanted}`));
      });
      // A slack ligament has the palest of its own colours, and only a slack one.
      assert.equal(drawn[2].colour === "#e4e0c8", table.value(frame, "ligament.anterior.strain") <= 0);
    }
    const words = await page.locator("#stage").textContent();
    assert.ok(words.includes("activation") && words.includes("strain / %"), words);
    const key = await page.locator("#figure-key").textContent();
    assert.match(key, /muscle at rest.*fully active.*ligament, slack/);
    assert.deepEqual(said, []);
    await close();
  });
}

test("the section of muscles holds five diagrams of each, with script and without", async () => {
  for (const script of [true, false]) {
    const { page, said, close } = await open(browser, reportOf(runOf(ELBOW)), { script });
    assert.equal(await page.locator("#muscles details.muscle").count(), 2);
    assert.equal(await page.locator("#muscles figure.plot").count(), 10);
    assert.ok((await page.locator("#muscles figure.plot svg.frame").first().boundingBox()).width > 200);
    assert.deepEqual(said, []);
    await close();
  }
});

test("a page made again from its folder is the same", () => {
  for (const name of ["knee-extensor", ELBOW]) {
    const folder = runOf(name);
    const before = readFileSync(reportOf(folder), "utf8");
    borelli("report", folder, "--out", join(folder, "again.html"));
    assert.equal(readFileSync(join(folder, "again.html"), "utf8") === before, true, name);
  }
});
