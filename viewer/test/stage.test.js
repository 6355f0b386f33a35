// The stage in a browser, on made-up motions. Skipped where no Chromium is installed or the viewer is not built.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import test, { after, before, describe } from "node:test";
import { browserPath, open, pageText } from "./browser.js";

const ready = browserPath() && existsSync(new URL("../dist/viewer.js", import.meta.url));
const SIZE = [900, 440];

describe("the stage in a browser", { skip: ready ? false : "no Chromium, or no viewer built" }, () => {
  let browser;
  before(async () => (browser = await open()));
  after(async () => browser.close());

  // Opens a sample, does `act(stage, data, argument)` in the page and says what that gives; nothing may be said on the console.
  async function onStage(sample, act, argument, options = {}) {
    const page = await (options.browser || browser).newPage({ viewport: { width: 920, height: 480 } });
    const said = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (fault) => said.push(String(fault)));
    await page.setContent(pageText(...SIZE));
    await page.evaluate((name) => {
      globalThis.data = samples[name]();
      globalThis.picked = [];
      globalThis.lost = 0;
      globalThis.start = () => (globalThis.stage = borelliStages.three(document.getElementById("stage"), data, { scheme: "light", onPick: (found) => picked.push(found), onContextLost: () => lost++ }));
    }, sample);
    if (!options.unmounted) await page.evaluate(() => void start());
    const found = await (options.hand ? act(page) : page.evaluate(act, argument));
    await page.close();
    assert.deepEqual(said.filter((text) => !(options.allowed && options.allowed.test(text))), []);
    return found;
  }

  test("places of joints and bodies are those of the data, to 1e-6 of the height", async () => {
    const most = await onStage("walk", () => {
      const { pose, place } = borelliScene;
      const figure = data.figures[0];
      let most = 0;
      for (let k = 0; k < 10; k++) {
        const frame = k * 22;
        stage.show(frame);
        const shown = stage.positions();
        figure.joints.forEach((joint, i) => {
          const exact = place(pose(data, 0, joint.child[0], frame), joint.child.slice(1));
          exact.forEach((x, j) => (most = Math.max(most, Math.abs(x - shown.joints[i][j]))));
        });
        figure.bodies.forEach((_, b) => pose(data, 0, b, frame).p.forEach((x, j) => (most = Math.max(most, Math.abs(x - shown.bodies[b][j])))));
      }
      return most / figure.height;
    });
    assert.ok(most < 1e-6, String(most));
  });

  for (const sample of ["walk", "longWalk", "thrown", "planar", "mechanism"]) {
    test("solids and heads of arrows stay inside the stage in every view: " + sample, async () => {
      const outside = await onStage(sample, ([width, height]) => {
        const list = [];
        const frames = data.cases[0].time.length;
        for (const view of ["oblique", "side", "front", "back", "top", "sole"]) {
          stage.view(view);
          for (let k = 0; k < 20; k++) {
            stage.show(Math.round((k * (frames - 1)) / 19));
            const inside = (x, y) => x >= 0 && y >= 0 && x <= width && y <= height;
            for (const box of stage.boxes()) if (!inside(box.x0, box.y0) || !inside(box.x1, box.y1)) list.push([view, k, box]);
            for (const arrow of stage.arrows()) if (!inside(...arrow.to)) list.push([view, k, arrow]);
          }
        }
        return list;
      }, SIZE);
      assert.deepEqual(outside, []);
    });
  }

  test("a picked left body is red, a right one blue, and the figure covers more than 2 % of the picture", async () => {
    const found = await onStage("walk", async () => {
      stage.layers({ markers: false, forces: false });
      stage.view("front");
      stage.show(30);
      const image = new Image();
      image.src = stage.dataURL();
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      const pixels = context.getImageData(0, 0, image.width, image.height).data;
      const pixel = (x, y) => [...pixels.slice(4 * (Math.round(2 * y) * image.width + Math.round(2 * x)), 4 * (Math.round(2 * y) * image.width + Math.round(2 * x)) + 3)];
      const list = [];
      for (let x = 5; x < 900; x += 5) {
        for (let y = 5; y < 440; y += 5) {
          const hit = stage.pick(x, y);
          if (hit && hit.kind === "body") list.push({ side: data.figures[0].bodies[hit.index].side, pixel: pixel(x, y) });
        }
      }
      const back = pixel(450, 20);
      let other = 0;
      for (let i = 0; i < pixels.length; i += 4) if (Math.abs(pixels[i] - back[0]) + Math.abs(pixels[i + 1] - back[1]) + Math.abs(pixels[i + 2] - back[2]) > 60) other++;
      return { list, part: other / (pixels.length / 4) };
    });
    for (const [side, sign] of [["left", 1], ["right", -1]]) {
      const of = found.list.filter((one) => one.side === side);
      assert.ok(of.length > 20, side + ": " + of.length);
      const agree = of.filter(({ pixel: [r, , b] }) => sign * (r - b) > 40);
      // A point at the rim of a body may fall on the pixel beside it.
      assert.ok(agree.length > 0.9 * of.length, side + ": " + agree.length + " of " + of.length);
    }
    assert.ok(found.part > 0.02, String(found.part));
  });

  test("pictures have the size that was asked for, and nothing is drawn without demand", async () => {
    const found = await onStage("walk", async () => {
      const size = async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        return [image.width, image.height];
      };
      const saved = await size(URL.createObjectURL(await stage.picture(1280, 720)));
      const printed = await size(stage.dataURL());
      await new Promise((done) => setTimeout(done, 400));
      const before = stage.renderer.info.render.frame;
      await new Promise((done) => setTimeout(done, 300));
      return { saved, printed, idle: stage.renderer.info.render.frame - before };
    });
    assert.deepEqual(found, { saved: [1280, 720], printed: [1800, 880], idle: 0 });
  });

  test("forces that are off scale are cut to 0.9 of the height, and the legend names a round force", async () => {
    const found = await onStage("walk", () => {
      const { values } = data.cases[0].byName.get("load.r.fy");
      values[40] = 5000;
      stage.layers({ jointForces: true });
      stage.view("side");
      stage.show(40);
      const arrow = stage.arrows().find((one) => one.newtons > 4000);
      const { low, high } = borelliScene.box(data, 0, 221);
      const words = [...document.querySelectorAll("#stage svg text")].map((one) => one.textContent);
      return { length: Math.hypot(arrow.to[0] - arrow.from[0], arrow.to[1] - arrow.from[1]), tall: high[1] - low[1], scale: stage.viewpoint.pixels, H: data.figures[0].height, words };
    });
    assert.ok(Math.abs(found.length / found.scale - 0.9 * found.H) < 0.12 * found.H, JSON.stringify(found));
    assert.ok(found.words.some((words) => /^[125]0* N$/.test(words)), found.words.join());
  });

  test("the pointer turns the view and names what it is on; the wheel zooms after a click only", async () => {
    const found = await onStage("walk", async (page) => {
      const state = () => page.evaluate(() => [stage.viewpoint.azimuth, stage.viewpoint.distance]);
      const box = await page.evaluate(() => {
        stage.view("side");
        stage.show(0);
        return stage.boxes().find((one) => data.figures[0].bodies[one.body].name === "torso");
      });
      const [x, y] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
      const start = await state();
      await page.mouse.move(x, y);
      await page.mouse.wheel(0, -200);
      const scrolled = await state();
      const named = await page.evaluate(() => picked.at(-1));
      await page.mouse.click(x, y);
      await page.mouse.wheel(0, -200);
      await page.waitForTimeout(50);
      const zoomed = await state();
      await page.mouse.down();
      await page.mouse.move(x + 60, y, { steps: 4 });
      await page.mouse.up();
      return { start, scrolled, zoomed, turned: await state(), named };
    }, null, { hand: true });
    assert.deepEqual(found.scrolled, found.start);
    assert.ok(found.zoomed[1] < found.start[1], "the wheel does not zoom after a click");
    assert.ok(found.turned[0] < found.zoomed[0], "a drag does not turn");
    assert.equal(found.named.kind, "body");
    assert.ok(found.named.label && / kg$/.test(found.named.text), JSON.stringify(found.named));
  });

  test("layers, cases and schemes can be changed in any order, and the stage can be left", async () => {
    const found = await onStage("walk", async () => {
      data.cases.push({ ...data.cases[0], label: "Other" });
      const set = stage.layers({ muscles: true, names: true, centers: true, ghosts: true, jointForces: true, trace: 0 });
      stage.ghosts([{ case: 1, frame: 10 }]);
      stage.scheme("dark");
      stage.setCase(1);
      stage.show(100);
      stage.follow(true);
      stage.resize();
      stage.layers({ trace: 3, contacts: false, pressure: false });
      stage.fit();
      await null;
      const view = stage.view();
      stage.dispose();
      return { set, view, left: document.getElementById("stage").childElementCount };
    });
    assert.equal(found.set.muscles, true);
    assert.equal(found.set.forces, true);
    assert.equal(found.view, "oblique");
    assert.equal(found.left, 0);
  });

  test("a lost context is told once", async () => {
    const times = await onStage("heel", async () => {
      stage.renderer.forceContextLoss();
      await new Promise((done) => setTimeout(done, 200));
      return lost;
    }, null, { allowed: /Context Lost/ });
    assert.equal(times, 1);
  });

  test("without WebGL the stage throws, and says nothing else", async () => {
    const plain = await open(["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]);
    const fault = await onStage("walk", () => {
      try {
        start();
        return "";
      } catch (thrown) {
        return thrown.message;
      }
    }, null, { unmounted: true, browser: plain });
    await plain.close();
    assert.match(fault, /WebGL/);
  });
});
