// The stage shows the motion of the trajectory, whole, in the colours of the sides: in three dimensions and plain.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { STAGES, casesOf, figureOf, hashOf, launch, open, pixels, placeOf, reportOf, runOf, spread, trajectoryOf } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const PEOPLE = ["thrown-person", "walker7-falling", "foot-13dof-drop"];

for (const stage of STAGES) {
  describe(`${stage} stage`, () => {
    for (const study of PEOPLE) {
      test(`${study}: joints stand where the trajectory says`, async () => {
        const folder = runOf(study);
        const [{ place }] = casesOf(folder);
        const [figure, table] = [figureOf(place), trajectoryOf(place)];
        const { page, close } = await open(browser, reportOf(folder), { hash: hashOf(stage) });
        assert.equal(await page.evaluate(() => window.borelli.stageKind), stage);
        const frames = await page.evaluate(() => [...window.borelli.data.cases[0].frame]);
        for (const frame of spread(frames.length, 10)) {
          const shown = await page.evaluate((k) => (window.borelli.goTo(k), window.borelli.stage.positions()), frame);
          assert.equal(shown.joints.length, figure.joints.length);
          figure.joints.forEach((joint, k) => {
            const truth = placeOf(figure, table, joint.child, frames[frame]);
            const miss = Math.hypot(...truth.map((x, axis) => x - shown.joints[k][axis]));
            assert.ok(miss <= 1e-6 * figure.height, `${joint.name} at frame ${frame}: ${miss} m off`);
          });
        }
        await close();
      });

      test(`${study}: bodies and arrows stay inside the picture`, async () => {
        const { page, close } = await open(browser, reportOf(runOf(study)), { hash: hashOf(stage) });
        const frames = await page.evaluate(() => window.borelli.data.cases[0].time.length);
        const box = await page.locator("#stage").boundingBox();
        for (const frame of spread(frames, 20)) {
          const { boxes, arrows } = await page.evaluate((k) => {
            window.borelli.goTo(k);
            return { boxes: window.borelli.stage.boxes(), arrows: window.borelli.stage.arrows() };
          }, frame);
          assert.ok(boxes.length > 0);
          const inside = (x, y, what) => assert.ok(x >= -1 && y >= -1 && x <= box.width + 1 && y <= box.height + 1, `frame ${frame}: ${what} at ${x}, ${y}`);
          for (const { body, x0, y0, x1, y1 } of boxes) inside(x0, y0, `body ${body}`), inside(x1, y1, `body ${body}`);
          for (const { label, to } of arrows) inside(...to, label);
        }
        const picture = await pixels(page, await page.locator("#stage").screenshot());
        const background = picture.data.slice(4 * (5 * picture.width + picture.width / 2), 4 * (5 * picture.width + picture.width / 2) + 3);
        let drawn = 0;
        for (let k = 0; k < picture.data.length; k += 4) drawn += background.some((value, c) => Math.abs(picture.data[k + c] - value) > 12);
        assert.ok(drawn > 0.02 * picture.width * picture.height, `${drawn} pixels are drawn`);
        await close();
      });
    }

    test("what is picked as left is red, as right blue", async () => {
      const { page, close } = await open(browser, reportOf(runOf("thrown-person")), { hash: hashOf(stage) });
      await page.evaluate(() => (window.borelli.stage.layers({ ghosts: false, forces: false, jointForces: false, names: false, centers: false }), window.borelli.goTo(0)));
      const picture = await pixels(page, await page.locator("#stage").screenshot());
      const box = await page.locator("#stage").boundingBox();
      const bodies = await page.evaluate(() => window.borelli.data.figures[0].bodies.map((body) => body.side));
      const found = { left: 0, right: 0 };
      for (let x = 8; x < box.width; x += 8) {
        for (let y = 40; y < box.height - 40; y += 8) {
          const picked = await page.evaluate(([x, y]) => window.borelli.stage.pick(x, y), [x, y]);
          const side = picked && picked.kind === "body" ? bodies[picked.index] : null;
          if (!side) continue;
          const at = 4 * (Math.round((y * picture.height) / box.height) * picture.width + Math.round((x * picture.width) / box.width));
          const [red, , blue] = picture.data.slice(at, at + 3);
          // The edge of a body may lie between the pixel and the place that was picked.
          found[side] += side === "left" ? Math.sign(red - blue) : Math.sign(blue - red);
        }
      }
      assert.ok(found.left > 5 && found.right > 5, JSON.stringify(found));
      await close();
    });
  });
}
