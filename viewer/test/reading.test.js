// What a reader without a manual must be able to tell: whole words on a narrow screen, units beside numbers, loads that are no times, no arrows of rounding.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { STAGES, hashOf, launch, open, reportOf, runOf } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("on a narrow screen cells keep together what belongs together, and short words of tables are whole", async () => {
  const { page, close } = await open(browser, reportOf(runOf("thrown-person")), { width: 390, height: 844 });
  const found = await page.evaluate(() => {
    document.querySelectorAll("details").forEach((one) => (one.open = true));
    const cells = [...document.querySelectorAll(".stacks td")];
    const marks = [...document.querySelectorAll(".stacks sup")].map((mark) => {
      const [own, value] = [mark.getBoundingClientRect(), mark.closest("td").firstElementChild.getBoundingClientRect()];
      return own.left >= value.left - 1 && own.top >= value.top - 8 && own.bottom <= value.bottom + 8;
    });
    const broken = [];
    for (const cell of document.querySelectorAll(".scroll > table:not(.stacks) td:first-child")) {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { 0: word, index } of node.data.matchAll(/[A-Za-z]+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (word.length <= 12 && range.getClientRects().length > 1) broken.push(word);
        }
      }
    }
    return { cells: cells.length, split: cells.filter((cell) => cell.childNodes.length > 1).length, marks, broken };
  });
  assert.ok(found.cells > 50 && found.marks.length > 10, JSON.stringify(found));
  assert.equal(found.split, 0);
  assert.ok(found.marks.every(Boolean), "the number of a note stands beside its word");
  assert.deepEqual(found.broken, []);
  await close();
});

test("numbers beside a plot have their unit, and the legend says why an arrow has two heads", async () => {
  const { page, close } = await open(browser, reportOf(runOf("foot-13dof-drop")));
  const values = await page.locator(".plot").first().locator("li b").allTextContents();
  assert.ok(values.length > 1 && values.every((text) => / N$/.test(text)), values.join("; "));
  assert.match(await page.locator("#figure-key").textContent(), /larger than drawn/);
  await close();
});

for (const stage of STAGES) {
  test(`${stage} stage: a balance under a growing load tells the load, its own colours, and draws no rounding`, async () => {
    const { page, close } = await open(browser, reportOf(runOf("static-liner")), { hash: hashOf(stage) });
    assert.equal(await page.locator("#clock").textContent(), "100 % of the load");
    const found = await page.evaluate(() => {
      const { data, stage, goTo } = window.borelli;
      const ends = data.cases.filter((one) => one.soft).map((one) => {
        const own = one.soft.quantities.find((quantity) => quantity.key === "von_mises") || one.soft.quantities[0];
        const most = one.soft.bodies.reduce((top, body) => body.values[own.key].reduce((a, b) => Math.max(a, b), top), 0);
        return most / 65535;
      });
      goTo(0);
      return { arrows: stage.arrows().length, ends };
    });
    assert.equal(found.arrows, 0);
    assert.ok(found.ends.length > 1 && found.ends.every((part) => part > 0.4), `highest values in parts of the colours: ${found.ends}`);
    assert.match(await page.locator("#clock").textContent(), /^\d+ % of the load$/);
    assert.match(await page.locator(".plot svg.frame").first().textContent(), /MPa/);
    assert.match(await page.locator(".plot svg.frame").first().textContent(), /Part of the load \/ %/);
    assert.doesNotMatch(await page.locator(".outcome").textContent(), /e.1\d N/);
    await close();
  });
}
