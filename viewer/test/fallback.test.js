// Without script, without WebGL, without the viewer, on paper, on small screens: the page still shows what was found.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { borelli, hashOf, launch, open, reportOf, runOf, STAGES, written } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("without script the page holds a figure, every default plot and the tables", async () => {
  const folder = runOf("ballistic-gait");
  const live = await open(browser, reportOf(folder));
  const plots = await live.page.evaluate(() => window.borelli.data.groups.length);
  await live.close();
  const { page, said, close } = await open(browser, reportOf(folder), { script: false });
  assert.ok(plots > 0);
  assert.equal(await page.locator("#groups figure.plot > svg:visible").count(), plots);
  assert.ok((await page.locator("#motion svg:visible, #figure svg:visible").count()) >= 1, "a still picture of the figure");
  assert.ok((await page.locator("#expected table, #expectations table").count()) >= 1);
  assert.equal(await page.locator("button:visible").count(), 0, "nothing can be pressed that does nothing");
  assert.deepEqual(said, []);
  await close();
});

test("without WebGL the plain stage is shown, and the console is silent", async () => {
  const without = await launch(false);
  const { page, said, close } = await open(without, reportOf(runOf("thrown-person")));
  assert.equal(await page.evaluate(() => window.borelli.stageKind), "plain");
  assert.ok((await page.evaluate(() => window.borelli.stage.boxes().length)) > 10);
  assert.deepEqual(said, []);
  await close();
  await without.close();
});

test("a page of a program built without the viewer has the plain stage and all else", async () => {
  const text = readFileSync(reportOf(runOf("thrown-person")), "utf8");
  const plain = text.replace(/<script id="viewer">[\s\S]*?<\/script>/, "");
  assert.ok(plain.length < text.length, "the page holds the viewer");
  const { page, said, requests, close } = await open(browser, written("plain.html", plain));
  assert.equal(await page.evaluate(() => window.borelli.stageKind), "plain");
  assert.deepEqual([said, requests.length], [[], 1]);
  await close();
});

test("a lost context leaves the plain stage at the same instant", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")));
  await page.evaluate(() => window.borelli.goTo(7));
  await page.evaluate(() => document.querySelector("#stage canvas").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
  await page.waitForFunction(() => window.borelli.stageKind === "plain", null, { timeout: 10_000 });
  assert.equal(await page.evaluate(() => window.borelli.frame()), 7);
  await close();
});

// The smallest letters of a PDF, pt. The tool gives sizes three times as large, rounded.
function smallestLetters(file) {
  const text = execFileSync("pdftohtml", ["-xml", "-i", "-stdout", "-zoom", "3", file], { encoding: "utf8" });
  return Math.min(...[...text.matchAll(/<fontspec id="\d+" size="(\d+)"/g)].map(([, size]) => Number(size) / 3));
}

describe("on paper", () => {
  for (const study of ["ballistic-gait", "walker7-falling", "restitution"]) {
    test(`${study} takes at most ten pages, with the stage, inside the margins`, async () => {
      const { page, close } = await open(browser, reportOf(runOf(study)));
      const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
      const file = written(`${study}.pdf`, pdf);
      const pages = Number(/Pages:\s+(\d+)/.exec(execFileSync("pdfinfo", [file], { encoding: "utf8" }))[1]);
      assert.ok(pages <= 10, `${pages} pages`);
      assert.ok(smallestLetters(file) >= 7, `letters of ${smallestLetters(file)} pt`);
      const pictures = execFileSync("pdfimages", ["-list", file], { encoding: "utf8" }).trim().split("\n").slice(2);
      assert.ok(pictures.some((line) => Number(line.trim().split(/\s+/)[3]) > 500), "the picture of the stage is there");
      // A4 is 595 points wide; the margin is 12 mm, 34 points.
      const words = execFileSync("pdftotext", ["-bbox", file, "-"], { encoding: "utf8" });
      for (const [, x0, x1, word] of words.matchAll(/<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="[\d.]+">(.*?)<\/word>/g)) {
        assert.ok(Number(x0) >= 33 && Number(x1) <= 595 - 33, `"${word}" from ${x0} to ${x1}`);
      }
      await close();
    });
  }
});

for (const stage of STAGES) {
  for (const width of [390, 768, 1280]) {
    test(`${stage} stage, ${width} pixels wide: nothing sticks out sideways`, async () => {
      const { page, close } = await open(browser, reportOf(runOf("ballistic-gait")), { hash: hashOf(stage), width });
      const [inner, whole] = await page.evaluate(() => [document.documentElement.clientWidth, document.documentElement.scrollWidth]);
      assert.ok(whole <= inner, `${whole} of ${inner} pixels`);
      await close();
    });
  }
}

test("a gait session prints on ten pages, and reads on a narrow screen without scrolling sideways", async () => {
  const data = join(import.meta.dirname, "../../studies/45-synthetic-walk");
  const folder = join(dirname(written("gait.txt", "")), "gait-session");
  borelli("gait", join(data, "walk.trc"), "--forces", join(data, "walk_grf.mot"), "--model", "lower-limb", "--mass", "70", "--out", folder);
  const wide = await open(browser, reportOf(folder));
  const pdf = written("gait.pdf", await wide.page.pdf({ preferCSSPageSize: true, printBackground: true }));
  const pages = Number(/Pages:\s+(\d+)/.exec(execFileSync("pdfinfo", [pdf], { encoding: "utf8" }))[1]);
  assert.ok(pages <= 10, `${pages} pages`);
  assert.ok(smallestLetters(pdf) >= 7, `letters of ${smallestLetters(pdf)} pt`);
  // One sign everywhere: a bent knee is positive over the cycle and over time.
  const knee = await wide.page.evaluate(() => {
    const { data, plots } = window.borelli;
    const shown = plots.flatMap((plot) => plot.lines).filter((line) => /^Knee flexion, /.test(line.label));
    const model = data.cases[0].columns.find((column) => column.name === "coord.knee_angle_r.value");
    return { shown: shown.map((line) => [line.column.low, line.column.high]), model: [model.low, model.high, model.label] };
  });
  assert.equal(knee.shown.length, 2);
  assert.ok(knee.shown.every(([low, high]) => high > 0.8 && low > -0.2), JSON.stringify(knee));
  assert.ok(knee.model[0] < -0.8 && /model sign/.test(knee.model[2]), JSON.stringify(knee));
  await wide.close();
  const { page, close } = await open(browser, reportOf(folder), { width: 390 });
  const tables = await page.evaluate(() => [...document.querySelectorAll(".scroll > table:not(.stacks)")].filter((table) => table.checkVisibility()).map((table) => table.tBodies[0].rows.length));
  assert.ok(tables.length > 2 && Math.max(...tables) <= 20, tables.join());
  const [inner, whole, small, boxes] = await page.evaluate(() => [
    document.documentElement.clientWidth,
    document.documentElement.scrollWidth,
    // Small plots are as wide as the screen, so that their letters keep their size.
    [...document.querySelectorAll(".cells > svg")].map((svg) => svg.getBoundingClientRect().width),
    [...document.querySelectorAll(".scroll")].filter((box) => box.checkVisibility()).map((box) => box.scrollWidth - box.clientWidth),
  ]);
  assert.ok(whole <= inner, `${whole} of ${inner} pixels`);
  assert.ok(small.length > 10 && small.every((width) => width > 300), small.join());
  assert.ok(boxes.length > 5 && boxes.every((more) => more <= 0), boxes.join());
  await close();
});

test("forces in joints have a switch, and what pushes is in the legend", async () => {
  const { page, close } = await open(browser, reportOf(runOf("andrews")));
  const arrows = () => page.evaluate(() => window.borelli.stage.arrows().length);
  await page.evaluate(() => window.borelli.goTo(Math.floor(window.borelli.data.cases[0].time.length / 2)));
  await page.locator("#layer-jointForces").uncheck();
  const without = await arrows();
  await page.locator("#layer-jointForces").check();
  assert.ok((await arrows()) > without);
  assert.match(await page.locator("#figure-key").textContent(), /pushing, up to \d+/);
  await close();
});

// WCAG 2.1: relative luminance and contrast ratio, worked out from the computed colours.
const contrasts = () => {
  const parse = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const luminance = (c) => {
    const [r, g, b] = c.slice(0, 3).map((x) => ((x /= 255), x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    // Maps of pressure are white paper in both schemes, which no computed style tells.
    if (element.closest("script, style, #stage, #pressure svg, [disabled], [aria-disabled=true]")) continue;
    const style = getComputedStyle(element);
    const ink = parse(element instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [luminance(ink), luminance(ground(element))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(`${((a + 0.05) / (b + 0.05)).toFixed(2)}: ${node.textContent.trim().slice(0, 40)}`);
  }
  return poor;
};

for (const scheme of ["light", "dark"]) {
  test(`${scheme}: every text stands out from its ground by 4.5 to 1`, async () => {
    for (const study of ["ballistic-gait", "walker7-falling", "three-ellipsoid-foot"]) {
      const { page, close } = await open(browser, reportOf(runOf(study)), { scheme });
      assert.deepEqual(await page.evaluate(contrasts), [], study);
      await close();
    }
  });
}
