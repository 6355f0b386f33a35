// What a reader must be able to tell without asking: whose curves and numbers these are, where energy goes, what is warned of, what was not measured.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { STAGES, borelli, casesOf, hashOf, launch, open, reportOf, runOf, trajectoryOf, written } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("figure, headline and plots of a sweep show one case, and each plot says whose it is", async () => {
  const { page, close } = await open(browser, reportOf(runOf("restitution")));
  const found = await page.evaluate(() => {
    const { data, plots } = window.borelli;
    const chosen = document.getElementById("case");
    return {
      chosen: chosen.selectedOptions[0].textContent,
      stage: [...document.querySelectorAll("#stage text")].map((text) => text.textContent),
      plots: plots.filter((plot) => new Set(plot.lines.map((line) => line.one)).size === 1).map((plot) => plot.element.querySelector(".of").textContent),
      about: document.getElementById("case-about").textContent,
      names: data.figures[0].bodies.slice(1).map((body) => body.label),
    };
  });
  const headline = await page.locator(".outcome").textContent();
  assert.equal(found.chosen, "C-0.5");
  assert.match(headline, /In “C-0\.5”: largest force of the ground/);
  assert.ok(found.plots.length > 0 && found.plots.every((words) => words === "case C-0.5"), found.plots.join("; "));
  assert.match(found.about, /given 0\.5/);
  // Balls that are drawn alike have their names beside them.
  assert.ok(found.names.length === 7 && found.names.every((name) => found.stage.includes(name)), found.stage.join("; "));
  await close();
});

test("plots below the first screen are drawn without being scrolled to", async () => {
  const { page, close } = await open(browser, reportOf(runOf("ballistic-gait")), { height: 500 });
  await page.waitForFunction(() => window.borelli.plots.length > 3 && window.borelli.plots.every((plot) => plot.frame.querySelector(".curve")), null, { timeout: 15_000 });
  await close();
});

test("the account of energy adds up: its curves sum to the change of the total in the trajectory", async () => {
  const folder = runOf("leg-drop");
  const table = trajectoryOf(casesOf(folder)[0].place);
  const { page, close } = await open(browser, reportOf(folder));
  const found = await page.evaluate(() => {
    const plot = window.borelli.plots.find((own) => own.names[0] === "account.change");
    const [first, ...rest] = plot.lines.map((line) => ({ name: line.name, label: line.label, values: [...line.column.values] }));
    return { first, rest, frames: [...plot.lines[0].one.frame], note: plot.note.textContent };
  });
  assert.deepEqual(found.rest.map((line) => line.name), ["account.elements", "account.contacts", "account.open"]);
  assert.match(found.note, /sum of the other curves/);
  found.frames.forEach((sample, k) => {
    const change = table.value(sample, "system.energy.total") - table.value(0, "system.energy.total");
    const sum = found.rest.reduce((total, line) => total + line.values[k], 0);
    assert.ok(Math.abs(found.first.values[k] - change) < 1e-12 && Math.abs(sum - change) < 1e-9, `${sample}: ${sum} and ${change}`);
    const lost = ["heel", "ball"].reduce((total, name) => total + table.value(sample, `contact.sole.${name}.dissipated`), 0);
    assert.ok(Math.abs(found.rest[1].values[k] + lost) < 1e-12, `${sample}: lost ${lost}`);
  });
  await close();
});

test("a warning names its check, its cases and its size at the top, and the headline what it leaves out", async () => {
  const { page, close } = await open(browser, reportOf(runOf("three-ellipsoid-foot")), { script: false });
  const words = (await page.locator(".warnings li").allTextContents()).join("\n");
  assert.match(words, /^Deepest contact, look closer in 1 of 4 cases \(“Sunk”\): 0\.28\s?m\. Too deep: /);
  assert.match(await page.locator(".outcome").textContent(), /Not in these numbers, because a check warns of it: “Sunk”\.$/);
  const cases = await page.locator("#cases tbody tr").allTextContents();
  assert.ok(cases.length === 4 && /held below the floor/.test(cases[3]), cases.join("; "));
  await close();
});

test("a knee of contact and ligaments: ligaments are drawn, contact is not called ground, and twelve curves over the angle can be told apart", async () => {
  const { page, close } = await open(browser, reportOf(runOf("knee")));
  await page.waitForFunction(() => window.borelli.plots.every((plot) => plot.frame.querySelector(".curve")), null, { timeout: 15_000 });
  const found = await page.evaluate(() => {
    const over = window.borelli.plots.find((plot) => plot.kind === "phase" && plot.names.filter((name) => name.startsWith("ligament.")).length === 12);
    const pens = (plot) => [...plot.frame.querySelectorAll(".curve")].map((curve) => curve.getAttribute("style"));
    const timed = window.borelli.plots.find((plot) => plot.kind === "time" && plot.names.filter((name) => name.startsWith("ligament.")).length === 12);
    return {
      pens: new Set(pens(over)).size,
      dots: [...over.marks.querySelectorAll("circle")].map((dot) => /fill:(.*)$/.exec(dot.getAttribute("style"))[1]),
      colours: pens(over).map((pen) => /stroke:(var\(--\w+\))/.exec(pen)[1]),
      // Over time the first curve is drawn last, above the others.
      alike: JSON.stringify(pens(over)) === JSON.stringify(pens(timed).reverse()),
      key: document.getElementById("figure-key").textContent,
      shown: window.borelli.stage.layers({}).muscles,
    };
  });
  assert.ok(found.pens >= 12, `${found.pens} pens`);
  // A ligament has one pen in both plots, and its dot the same colour.
  assert.ok(found.alike);
  assert.deepEqual(found.dots, found.colours);
  assert.ok(found.shown && /contact force/.test(found.key) && /ligament/.test(found.key) && !/ground/.test(found.key), found.key);
  assert.match(await page.locator(".outcome").textContent(), /largest force of contact 3\d\d/);
  const verdicts = await page.locator("#expected td:first-child").allTextContents();
  assert.ok(verdicts[0] === "not reached" && verdicts.includes("fitted") && !verdicts.includes("missed"), verdicts.join());
  await close();
});

test("a map of pressure says its time and what its lines mean, on a scale of cases without a warning", async () => {
  const { page, close } = await open(browser, reportOf(runOf("three-ellipsoid-foot")), { width: 390, height: 844 });
  const facts = await page.locator(".mat.facts").first().textContent();
  assert.match(facts, /At\s*0\.\d+ s/);
  assert.match(facts, /dashed: outlines of the surfaces/);
  const highs = await page.evaluate(() => window.borelli.data.cases.map((one) => one.pressure[0].high));
  assert.ok(highs[0] < 450e3 && highs[3] > 1.2 * highs[0], highs.join());
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "a page as wide as the screen");
  await close();
});

test("what no plate measured is grey where loads count, and only there", async () => {
  const data = join(import.meta.dirname, "../../studies/45-synthetic-walk");
  const folder = join(dirname(written("measured.txt", "")), "measured-session");
  borelli("gait", join(data, "walk.trc"), "--forces", join(data, "walk_grf.mot"), "--model", "lower-limb", "--mass", "70", "--out", folder);
  const { page, close } = await open(browser, reportOf(folder));
  await page.waitForFunction(() => window.borelli.plots.every((plot) => !plot.stale));
  const found = await page.evaluate(() => ({
    spans: window.borelli.data.cases[0].unmeasured,
    plots: window.borelli.plots.map((plot) => ({ title: plot.title, grey: plot.frame.querySelectorAll(".unmeasured").length, note: plot.note.textContent })),
  }));
  const of = (words) => found.plots.filter((plot) => words.test(plot.title));
  assert.ok(found.spans.length > 0 && found.spans.every(([from, to]) => to > from), JSON.stringify(found.spans));
  assert.ok(of(/moment$/).length > 2 && of(/moment$|^Ground force/).every((plot) => plot.grey === found.spans.length && /no plate/.test(plot.note)), JSON.stringify(found.plots));
  // What that means is said once.
  assert.equal(found.plots.filter((plot) => /lacks nothing/.test(plot.note)).length, 1);
  assert.ok(of(/flexion$/).length > 1 && of(/flexion$/).every((plot) => plot.grey === 0 && plot.note === ""), JSON.stringify(found.plots));
  await close();
  // The same from the folder, without computing.
  borelli("report", folder);
  const again = await open(browser, reportOf(folder));
  assert.deepEqual(await again.page.evaluate(() => window.borelli.data.cases[0].unmeasured), found.spans);
  await again.close();
});

test("the list of parts says that it goes on until its end is seen", async () => {
  const { page, close } = await open(browser, reportOf(runOf("ballistic-gait")), { width: 390, height: 844 });
  const goesOn = () => page.evaluate(() => document.querySelector("nav").classList.contains("goes-on"));
  assert.equal(await goesOn(), true);
  await page.evaluate(() => (document.querySelector("nav").scrollLeft = 10_000));
  await page.waitForFunction(() => !document.querySelector("nav").classList.contains("goes-on"));
  // A number and its unit stand on one line.
  const split = await page.evaluate(() => document.querySelector(".outcome").textContent.match(/\d (N|m|s|rad\/s|%)\b/));
  assert.equal(split, null);
  await close();
});

describe("paper", () => {
  for (const stage of STAGES) {
    test(`${stage} stage: the figure fills its place, short folded tables are open, long lists of met numbers one line`, async () => {
      const { page, close } = await open(browser, reportOf(runOf("leg-drop")), { hash: hashOf(stage) });
      await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
      const found = await page.evaluate(async () => {
        const holder = document.getElementById("stage");
        const image = holder.querySelector(".print-image");
        if (image) await image.decode();
        const box = holder.querySelector("svg.plain-stage, svg").viewBox.baseVal;
        const [width, height] = image ? [image.naturalWidth, image.naturalHeight] : [box.width, box.height];
        const open = (some) => [...document.querySelectorAll(some)].map((one) => [one.open, one.querySelectorAll("tbody tr").length]);
        return { ratio: width / height, more: open("details.more:not(.met, .open)"), met: open("details.met") };
      });
      assert.ok(Math.abs(found.ratio / (186 / 90) - 1) < 0.01, `${found.ratio}`);
      assert.ok(found.more.length > 0 && found.more.every(([open, rows]) => open === rows <= 30), JSON.stringify(found));
      assert.ok(found.met.length === 1 && !found.met[0][0], JSON.stringify(found));
      await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
      const after = await page.evaluate(() => [document.getElementById("stage").style.height, document.querySelectorAll("details.more[open]").length]);
      assert.deepEqual(after, ["", 0]);
      await close();
    });
  }
});

describe("arrows that were cut", () => {
  for (const stage of STAGES) {
    test(`${stage} stage: their numbers stand beside them`, async () => {
      const { page, close } = await open(browser, reportOf(runOf("walker7-falling")), { hash: hashOf(stage) });
      const found = await page.evaluate(async () => {
        const { stage: own, data, goTo } = window.borelli;
        const scale = borelliScene.forceScale(borelliScene.forces(data, data.cases[data.opening]).filter((force) => force.kind !== "joint"), data.figures[0].height, data.cases[data.opening].time.length);
        for (let k = 0; k < data.cases[data.opening].time.length; k++) {
          const cut = borelliScene.forces(data, data.cases[data.opening]).filter((force) => force.kind !== "joint").map((force) => borelliScene.arrow(scale, force, k)).find((arrow) => arrow && arrow.cut);
          if (!cut) continue;
          goTo(k);
          own.positions();
          await new Promise(requestAnimationFrame);
          return { newtons: Number(cut.newtons.toPrecision(3)), words: [...document.querySelectorAll("#stage text")].map((text) => text.textContent) };
        }
        return null;
      });
      assert.ok(found && found.words.includes(found.newtons + " N"), JSON.stringify(found));
      await close();
    });
  }
});

test("a plot of an order has logarithmic axes with units", async () => {
  const { page, close } = await open(browser, reportOf(runOf("sprint-cyclist")), { script: false });
  const plot = page.locator(".sweeps figure.plot", { hasText: "over the step" });
  const text = await plot.locator("svg.frame").textContent();
  assert.match(text, /Step \/ s/);
  // Powers of ten on both axes.
  assert.ok((text.match(/1e-\d/g) || []).length >= 3, text);
  await close();
});

test("a page tells what its words mean", () => {
  const text = readFileSync(reportOf(runOf("ballistic-gait")), "utf8");
  for (const word of ["dopri5", "rk4", "rtol"]) assert.ok(text.includes(`<dt>${word}</dt>`), word);
  assert.equal(text.split("What these words mean").length, 2);
});
