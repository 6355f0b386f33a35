// Leaves pictures of made-up motions in a folder, in both schemes and all views; says how long drawing takes. `node test/look.js FOLDER [NAME]`

import { mkdirSync } from "node:fs";
import { open, pageText } from "./browser.js";

const LOOKS = [
  ["walk-ghosts", "walk", { view: "side", frame: 48, layers: { ghosts: true } }],
  ["walk-oblique", "walk", { view: "oblique", frame: 63 }],
  ["walk-dark", "walk", { view: "oblique", frame: 63, layers: { ghosts: true }, scheme: "dark" }],
  ["walk-muscles", "walk", { view: "oblique", frame: 63, layers: { muscles: true, markers: false } }],
  ["walk-front", "walk", { view: "front", frame: 30, layers: { names: true } }],
  ["walk-top", "walk", { view: "top", frame: 30, layers: { centers: true, trace: 0 } }],
  ["walk-sole", "walk", { view: "sole", frame: 30 }],
  ["walk-long", "longWalk", { view: "oblique", frame: 300 }],
  ["planar", "planar", { frame: 30, layers: { ghosts: true } }],
  ["planar-oblique", "planar", { view: "oblique", frame: 30 }],
  ["heel", "heel", { view: "oblique", frame: 30 }],
  ["heel-sole", "heel", { view: "sole", frame: 30 }],
  ["thrown", "thrown", { frame: 40, layers: { ghosts: true } }],
  ["mechanism", "mechanism", { frame: 10 }],
];

const [folder, wanted = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await open();
for (const [name, sample, look] of LOOKS.filter(([name]) => name.startsWith(wanted))) {
  const page = await browser.newPage({ viewport: { width: 900, height: 440 } });
  page.on("console", (message) => console.log(name, message.text()));
  page.on("pageerror", (fault) => console.log(name, String(fault)));
  await page.setContent(pageText(900, 440, look.scheme));
  const times = await page.evaluate(async ([sample, look]) => {
    const data = samples[sample]();
    const start = performance.now();
    const stage = borelliStages.three(document.getElementById("stage"), data, { scheme: look.scheme });
    stage.layers(look.layers || {});
    if (look.view) stage.view(look.view);
    stage.show(look.frame);
    await null;
    const gl = stage.renderer.getContext();
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    const first = performance.now() - start;
    // Frames as while playing: script alone, and until the pixels are there.
    const [script, whole] = [[], []];
    for (let k = 0; k < 60; k++) {
      const begin = performance.now();
      stage.show((look.frame + k) % data.cases[0].time.length);
      await null;
      script.push(performance.now() - begin);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      whole.push(performance.now() - begin);
    }
    const median = (list) => list.sort((a, b) => a - b)[30];
    const ratio = stage.stats().ratio;
    stage.show(look.frame);
    await new Promise((done) => setTimeout(done, 700));
    return { context: stage.stats().contextMs, first, script: median(script), pixels: median(whole), ratio };
  }, [sample, look]);
  console.log(name, Object.entries(times).map(([key, value]) => key + " " + value.toFixed(1)).join(", "));
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.close();
}
await browser.close();
