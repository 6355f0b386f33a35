// Made-up soft parts put into a finished run folder, as a run would leave them: a ring in the hip that moves with the leg and is pressed from inside,
// and a block bent in steps of load. The program makes the page of them.

import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { borelli, casesOf, figureOf, placeOf, trajectoryOf } from "./harness.js";

const packed = (list) => ({ f64: Buffer.from(Float64Array.from(list).buffer).toString("base64") });
const flat = (points) => packed(points.flat());
const turned = ([xx, yy, xy], angle) => {
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  return [c * c * xx + s * s * yy - 2 * s * c * xy, s * s * xx + c * c * yy + 2 * s * c * xy, s * c * (xx - yy) + (c * c - s * s) * xy];
};

// Puts a record into a copy of a folder and has its page made. Gives the folder.
function withRecord(folder, name, record) {
  const copy = folder + "-" + name;
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true });
  const text = JSON.stringify(record);
  const file = join(copy, "summary.json");
  const summary = JSON.parse(readFileSync(file, "utf8"));
  const place = summary.cases ? `cases/${summary.cases[0].name}/` : "";
  writeFileSync(join(copy, place + "soft.json"), text);
  summary.outputs.push({ path: place + "soft.json", sha256: createHash("sha256").update(text).digest("hex") });
  writeFileSync(file, JSON.stringify(summary));
  borelli("report", copy);
  return copy;
}

export const PRESSURE = 2.76e6;
const [INNER, OUTER, AROUND, OUT] = [0.028, 0.036, 24, 4];

// Half a ring about the first joint between two bodies, which is a hip, at every tenth sample; the patch under pressure is deepest in the middle of the run.
export function ringInHip(folder) {
  const [{ place }] = casesOf(folder);
  const [figure, table] = [figureOf(place), trajectoryOf(place)];
  const joint = figure.joints.find((one) => one.parent[0] > 0);
  const [body, x0, y0] = joint.child;
  const polar = [];
  for (let j = 0; j <= OUT; j++) for (let i = 0; i <= AROUND; i++) polar.push([-Math.PI + (Math.PI * i) / AROUND, INNER + ((OUTER - INNER) * j) / OUT]);
  const node = (i, j) => j * (AROUND + 1) + i;
  const cells = [];
  for (let j = 0; j < OUT; j++) for (let i = 0; i < AROUND; i++) cells.push([node(i, j), node(i, j + 1), node(i + 1, j + 1), node(i + 1, j)]);
  const patch = (angle) => (Math.abs(angle + Math.PI / 2) < Math.PI / 3 ? Math.cos(1.5 * (angle + Math.PI / 2)) ** 2 : 0);
  const samples = table.time.map((_, k) => k).filter((k) => k % 10 === 0);
  const end = table.time[table.time.length - 1];
  const frame = (sample) => {
    const t = table.time[sample];
    const load = Math.sin((Math.PI * t) / end);
    const at = (angle, radius) => placeOf(figure, table, [body, x0 + radius * Math.cos(angle), y0 + radius * Math.sin(angle), 0], sample).slice(0, 2);
    const [a, b] = [at(0, 0), at(0, 1)];
    const turn = Math.atan2(b[1] - a[1], b[0] - a[0]);
    const radial = ([angle, radius]) => (-PRESSURE * load * patch(angle) * INNER) / radius;
    const on = (j) => Array.from({ length: AROUND + 1 }, (_, i) => polar[node(i, j)]);
    const stress = (p) => {
      const rr = radial(p);
      return [...turned([rr, 0.4 * rr, 0], p[0] + turn), 0.42 * rr];
    };
    const zero = packed(new Array(AROUND + 1).fill(0));
    return {
      t,
      bodies: [{
        points: flat(polar.map(([angle, radius]) => at(angle, radius + (4e-5 * load * patch(angle) * (OUTER - radius)) / (OUTER - INNER)))),
        stress: flat(polar.map(stress)),
        strain: flat(polar.map((p) => turned([radial(p) / 5e8, 0, 0], p[0]))),
      }],
      arcs: [
        { pressure: packed(on(0).map((p) => -radial(p))), shear: zero, gap: packed(on(0).map(([angle]) => (patch(angle) > 0 ? 0 : 1e-4))) },
        { pressure: packed(on(OUT).map((p) => -radial(p))), shear: packed(on(OUT).map((p) => 0.1 * radial(p))), gap: zero },
      ],
    };
  };
  const frames = samples.map(frame);
  const arc = (name, contact, j) => ({ name, contact, body: 0, nodes: Array.from({ length: AROUND + 1 }, (_, i) => node(i, j)), arc: packed(Array.from({ length: AROUND + 1 }, (_, i) => (Math.PI * i * polar[node(i, j)][1]) / AROUND)) });
  return withRecord(folder, "ring", {
    bodies: [{ name: "liner", depth: 0.03, points: frames[0].bodies[0].points, cells, regions: ["polyethylene"], region: cells.map(() => 0) }],
    arcs: [arc("head", true, 0), arc("cup", false, OUT)],
    frames,
    steps: [],
  });
}

// A block bent so much that it is seen, in steps of load.
export function bentBlock(folder) {
  const [nx, ny, long, tall] = [20, 6, 0.5, 0.12];
  const points = [];
  for (let j = 0; j <= ny; j++) for (let i = 0; i <= nx; i++) points.push([long * (i / nx - 0.5), tall * (j / ny - 0.5)]);
  const node = (i, j) => j * (nx + 1) + i;
  const cells = [];
  for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) cells.push([node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]);
  const frame = (load) => {
    const bent = 0.8 * load;
    return {
      t: load,
      bodies: [{
        points: flat(points.map(([x, y]) => [x - bent * x * y, y + 0.5 * bent * x * x])),
        stress: flat(points.map(([, y]) => [-1e6 * bent * y, 0, 0, -3e5 * bent * y])),
        strain: flat(points.map(([, y]) => [-bent * y, 0, 0])),
      }],
      arcs: [],
    };
  };
  const frames = [0.25, 0.5, 0.75, 1].map(frame);
  return withRecord(folder, "block", { bodies: [{ name: "block", depth: 0.01, points: flat(points), cells, regions: ["rubber"], region: cells.map(() => 0) }], arcs: [], frames, steps: [] });
}
