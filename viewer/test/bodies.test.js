// Bodies that a model draws with a mesh of its own, and moments in joints: on both stages as the files say.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { STAGES, casesOf, figureOf, hashOf, launch, open, placeOf, reportOf, runOf, spread, trajectoryOf, written } from "./harness.js";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

// A wedge of 20 by 30 by 10 cm, hung up at its upper edge and turned by 30 degrees.
const WEDGE = "v 0 0 0\nv 20 0 0\nv 0 -30 0\nv 0 0 10\nv 20 0 10\nv 0 -30 10\nf 1 3 2\nf 4 5 6\nf 1 2 5 4\nf 2 3 6 5\nf 3 1 4 6\n";
const MODEL = `borelli = 1
dimension = "spatial"
[body.wedge]
mass = "2 kg"
center = [0.05, -0.1, 0.05]
inertia = [0.02, 0.01, 0.02]
mesh = { file = "wedge.obj", unit = "1 cm" }
[joint.pivot]
type = "hinge"
parent = "world"
child = "wedge"
[initial]
coordinates = { pivot = "30 deg" }
`;

for (const stage of STAGES) {
  test(`${stage} stage: a body is drawn as the mesh of its file, in its place and size`, async () => {
    written("wedge.obj", WEDGE);
    const folder = runOf("--model", written("wedge.toml", MODEL), "--end", "0.2");
    const [{ place }] = casesOf(folder);
    const [figure, table] = [figureOf(place), trajectoryOf(place)];
    const { page, said, close } = await open(browser, reportOf(folder), { hash: hashOf(stage) });
    assert.equal(await page.evaluate(() => window.borelli.stageKind), stage);
    const found = await page.evaluate(() => {
      const { stage, data } = window.borelli;
      stage.view("side");
      window.borelli.goTo(0);
      return { box: stage.boxes().find((one) => one.body === 1), vertices: data.figures[0].meshes[0].vertices.length, view: borelliScene.camera(data.figures[0], "side") };
    });
    assert.equal(found.vertices, 3 * 6);
    const corners = [[0, 0, 0], [0.2, 0, 0], [0, -0.3, 0], [0, 0, 0.1], [0.2, 0, 0.1], [0, -0.3, 0.1]].map((at) => placeOf(figure, table, [1, ...at], 0));
    const along = (axis) => corners.map((at) => at.reduce((sum, x, i) => sum + x * axis[i], 0));
    const size = (list) => Math.max(...list) - Math.min(...list);
    const ratio = size(along(found.view.right)) / size(along(found.view.up));
    const drawn = (found.box.x1 - found.box.x0) / (found.box.y1 - found.box.y0);
    // Seen in perspective its near end is a little larger.
    assert.ok(Math.abs(drawn / ratio - 1) < (stage === "plain" ? 0.01 : 0.15), `${drawn} for ${ratio}`);
    assert.deepEqual(said, []);
    await close();
  });

  test(`${stage} stage: arcs of moments turn as the efforts do, with their power`, async () => {
    const folder = runOf("synthetic-walk");
    const table = trajectoryOf(casesOf(folder)[0].place);
    const { page, said, close } = await open(browser, reportOf(folder), { hash: hashOf(stage) });
    assert.equal((await page.evaluate(() => window.borelli.stage.moments())).length, 0, "by switch only");
    await page.locator("#layer-moments").check();
    assert.match(await page.locator("#figure-key").textContent(), /moment in a joint on its outer body, up to \d+ N m/);
    const frames = await page.evaluate(() => [...window.borelli.data.cases[0].frame]);
    const bodies = await page.evaluate(() => window.borelli.data.figures[0].joints.map((joint) => ({ name: joint.name, bodies: [joint.parent[0], joint.child[0]].map((b) => window.borelli.data.figures[0].bodies[b].name), label: joint.label })));
    let seen = 0;
    for (const frame of spread(frames.length, 7)) {
      const arcs = await page.evaluate((k) => (window.borelli.goTo(k), window.borelli.stage.moments()), frame);
      for (const { label, text, places } of arcs) {
        const joint = bodies.find((own) => label.startsWith("Moment in joint " + own.label + " on "));
        // Along the arc the moment turns: its axis is across the first steps of the way.
        const [a, b, c] = [places[0], places[8], places[16]];
        const [u, v] = [b.map((x, i) => x - a[i]), c.map((x, i) => x - b[i])];
        const axis = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const moment = axis.map((x) => (x / Math.hypot(...axis)) * parseFloat(text));
        const spin = (body) => (body === "world" ? [0, 0, 0] : ["wx", "wy", "wz"].map((part) => table.value(frames[frame], `body.${body}.${part}`)));
        const [before, own] = joint.bodies.map(spin);
        const power = moment.reduce((sum, x, i) => sum + x * (own[i] - before[i]), 0);
        const truth = table.value(frames[frame], `joint.${joint.name}.power`);
        // The words have three digits.
        const size = Math.hypot(...moment) * Math.hypot(...own.map((x, i) => x - before[i]));
        assert.ok(Math.abs(power - truth) < 0.006 * size + 1e-6, `${label} in frame ${frame}: ${power} and ${truth} W`);
        seen++;
      }
    }
    assert.ok(seen > 15, `${seen}`);
    assert.deepEqual(said, []);
    await close();
  });
}

test("a mesh that is too large for a page is left out, and the page says so", async () => {
  const points = Array.from({ length: 101 * 101 }, (_, k) => `v ${k % 101} ${Math.floor(k / 101)} 0`);
  const faces = Array.from({ length: 101 * 100 - 1 }, (_, k) => k + 1).filter((k) => k % 101).map((k) => `f ${k} ${k + 1} ${k + 102} ${k + 101}`);
  written("large.obj", [...points, ...faces].join("\n"));
  const folder = runOf("--model", written("large.toml", MODEL.replace("wedge.obj", "large.obj")), "--end", "0.1");
  const { page, close } = await open(browser, reportOf(folder), { script: false });
  assert.match(await page.locator("#figure").textContent(), /The mesh of wedge, .*large\.obj, is left out: a page holds 200 kB/);
  await close();
});

test("the sign of a place that the world holds is in the key, where there is one", async () => {
  for (const [name, is] of [["ballistic-gait", true], ["thrown-person", false]]) {
    const { page, close } = await open(browser, reportOf(runOf(name)));
    assert.equal(/held by the world/.test(await page.locator("#figure-key").textContent()), is, name);
    await close();
  }
});
