// Triangles of solids against the shapes they stand for.

import "./scene.js";
import assert from "node:assert/strict";
import test from "node:test";
import { bodyShell, boneShell, coneShell, holds, hullShell, meshShell, nestedShell, superellipsoidShell } from "../src/solids.js";
import { surfaceShell } from "../src/surfaces.js";

const at = (list, i) => [list[3 * i], list[3 * i + 1], list[3 * i + 2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const minus = (a, b) => a.map((x, i) => x - b[i]);

const CONE = { a: [0.1, 0.2, 0.3], b: [0.1, -0.25, 0.35], ra: 0.082, rb: 0.062, belly: 0.24 * 0.144 };
const HULL = { points: [[-0.05, -0.05, 0], [0.17, -0.05, 0], [0, 0.02, 0]], radius: 0.03 };
const SHELLS = {
  cone: coneShell(CONE),
  "a ball of a cone": coneShell({ ...CONE, b: CONE.a, rb: CONE.ra, belly: 0 }),
  superellipsoid: superellipsoidShell([0.114, 0.284, 0.165], [2.6, 2.6, 2.6]),
  separable: superellipsoidShell([0.05, 0.02, 0.03], [2, 3, 5]),
  nested: nestedShell([0.045, 0.018, 0.022], 2.4, 3),
  hull: hullShell(HULL),
};

function triangles(shell) {
  const list = [];
  for (let i = 0; i < shell.corners.length; i += 3) list.push(shell.corners.slice(i, i + 3));
  return list;
}

// Volume by the divergence theorem.
function volume(shell) {
  return triangles(shell).reduce((sum, [a, b, c]) => sum + dot(at(shell.places, a), cross(at(shell.places, b), at(shell.places, c))) / 6, 0);
}

test("every shell is closed and faces outward", () => {
  for (const [name, shell] of Object.entries(SHELLS)) {
    // Poles are many vertices at one place: edges are compared by place.
    const key = (k) => at(shell.places, k).map((x) => x.toFixed(9)).join();
    const edges = new Map();
    for (const corners of triangles(shell)) {
      const normal = cross(minus(at(shell.places, corners[1]), at(shell.places, corners[0])), minus(at(shell.places, corners[2]), at(shell.places, corners[0])));
      corners.forEach((corner, k) => {
        const [from, to] = [key(corner), key(corners[(k + 1) % 3])];
        edges.set(from + ">" + to, (edges.get(from + ">" + to) || 0) + 1);
        if (Math.hypot(...normal) > 1e-12) assert.ok(dot(normal, at(shell.normals, corner)) > -1e-9 * Math.hypot(...normal), name + ": a normal points inward");
      });
    }
    for (const [edge, count] of edges) {
      const back = edge.split(">").reverse().join(">");
      assert.equal(edges.get(back), count, name + ": an edge without its neighbour");
    }
    assert.ok(volume(shell) > 0, name);
  }
});

test("a cone has the volume of its profile, less what twenty corners leave out", () => {
  const length = Math.hypot(...minus(CONE.b, CONE.a));
  let exact = (2 / 3) * Math.PI * (CONE.ra ** 3 + CONE.rb ** 3);
  const steps = 20000;
  for (let i = 0; i < steps; i++) {
    const s = (i + 0.5) / steps;
    exact += Math.PI * (CONE.ra + (CONE.rb - CONE.ra) * s + CONE.belly * s * (1 - s) ** 2) ** 2 * (length / steps);
  }
  const polygon = (10 / Math.PI) * Math.sin(Math.PI / 10);
  const part = volume(SHELLS.cone) / exact;
  assert.ok(part < polygon && part > 0.99 * polygon, String(part));
});

test("vertices of superellipsoids lie on them, with the slope as normal", () => {
  const cases = [
    [SHELLS.separable, ([x, y, z]) => Math.abs(x / 0.05) ** 2 + Math.abs(y / 0.02) ** 3 + Math.abs(z / 0.03) ** 5],
    [SHELLS.nested, ([x, y, z]) => (Math.abs(x / 0.045) ** 2.4 + Math.abs(y / 0.018) ** 2.4) ** (3 / 2.4) + Math.abs(z / 0.022) ** 3],
  ];
  for (const [shell, value] of cases) {
    for (let i = 0; i < shell.places.length / 3; i++) {
      const place = at(shell.places, i);
      assert.ok(Math.abs(value(place) - 1) < 1e-9, String(value(place)));
      const slope = [0, 1, 2].map((k) => {
        const moved = (step) => value(place.map((x, j) => (j === k ? x + step : x)));
        return (moved(1e-7) - moved(-1e-7)) / 2e-7;
      });
      const size = Math.hypot(...slope);
      at(shell.normals, i).forEach((x, k) => assert.ok(Math.abs(x - slope[k] / size) < 1e-4, "normal at " + place));
    }
  }
});

test("a hull of balls reaches as far as its farthest ball, and no further", () => {
  for (const n of [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-0.6, 0.8, 0], [0.48, -0.64, 0.6]]) {
    const exact = Math.max(...HULL.points.map((point) => dot(point, n))) + HULL.radius;
    let found = -Infinity;
    for (let i = 0; i < SHELLS.hull.places.length / 3; i++) found = Math.max(found, dot(at(SHELLS.hull.places, i), n));
    assert.ok(found < exact + 1e-12 && found > exact - 0.04 * HULL.radius, n + ": " + found + " of " + exact);
  }
});

test("a mesh keeps its corners and has normals of length one", () => {
  const vertices = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const shell = meshShell({ vertices, triangles: new Uint32Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]) });
  assert.ok(Math.abs(volume(shell) - 1 / 6) < 1e-12);
  for (let i = 0; i < 4; i++) assert.ok(Math.abs(Math.hypot(...at(shell.normals, i)) - 1) < 1e-12);
});

test("a place is inside a solid where it is nearer to its middle than its surface is", () => {
  const ellipsoid = { kind: "ellipsoid", at: [0.3, -0.2, 0.1], axes: [0, -1, 0, 1, 0, 0, 0, 0, 1], half: [0.114, 0.284, 0.165], power: 2.6 };
  for (const solid of [{ kind: "cone", ...CONE }, { kind: "cone", ...CONE, b: CONE.a, rb: CONE.ra, belly: 0 }, ellipsoid]) {
    const shell = bodyShell({ solids: [solid] }, []);
    const middle = solid.kind === "cone" ? CONE.a.map((x, i) => (x + solid.b[i]) / 2) : solid.at;
    for (let i = 0; i < shell.places.length / 3; i++) {
      const between = (part) => at(shell.places, i).map((x, k) => middle[k] + part * (x - middle[k]));
      assert.ok(holds(solid, between(0.999)) && !holds(solid, between(1)) && !holds(solid, between(1.001)), solid.kind + " " + i);
    }
  }
  assert.ok(!holds({ kind: "hull", ...HULL }, HULL.points[0]));
});

test("of a body of several solids nothing inside another one is drawn, and all that is outside", () => {
  // A trunk, a head above it, and a neck that reaches far into both: only its middle is seen.
  const trunk = { kind: "ellipsoid", at: [0, 0, 0], axes: [1, 0, 0, 0, 1, 0, 0, 0, 1], half: [0.11, 0.28, 0.16], power: 2.6 };
  const head = { ...trunk, at: [0, 0.45, 0], half: [0.09, 0.12, 0.08], power: 2 };
  const neck = { kind: "cone", a: [0, 0, 0], b: [0, 0.45, 0], ra: 0.05, rb: 0.05, belly: 0 };
  const solids = [trunk, neck, head];
  const shell = bodyShell({ solids }, []);
  const whole = solids.map((solid) => bodyShell({ solids: [solid] }, []));
  const seen = (corners, own) => !solids.some((solid) => solid !== own && corners.every((place) => holds(solid, place)));
  const expected = whole.reduce((sum, one, k) => sum + triangles(one).filter((corners) => seen(corners.map((c) => at(one.places, c)), solids[k])).length, 0);
  assert.equal(triangles(shell).length, expected);
  const all = whole.reduce((sum, one) => sum + triangles(one).length, 0);
  assert.ok(expected < all, `${expected} of ${all}`);
  // The neck is there between trunk and head, and not deep inside.
  const heights = triangles(shell).flatMap((corners) => corners.map((c) => at(shell.places, c))).filter(([x, , z]) => Math.abs(Math.hypot(x, z) - 0.05) < 1e-9).map(([, y]) => y);
  assert.ok(heights.some((y) => y > 0.28 && y < 0.33) && heights.every((y) => y > 0.15), heights.join());
  // Two solids in one place stay both.
  assert.equal(triangles(bodyShell({ solids: [trunk, { ...trunk }] }, [])).length, 2 * triangles(whole[0]).length);
});

test("bones lie in cones only", () => {
  assert.equal(boneShell({ solids: [{ kind: "hull", ...HULL }] }, 1.8), null);
  assert.ok(boneShell({ solids: [{ kind: "cone", ...CONE }] }, 1.8).corners.length > 0);
});

test("every bounded surface of contact has a shell about its own place, a half-space none", () => {
  const axes = [[0, -1, 0], [1, 0, 0], [0, 0, 1]];
  const kinds = { circle: [0.05], ellipse: [0.06, 0.03], sphere: [0.05], ellipsoid: [0.1, 0.05, 0.04], superellipsoid: [0.1, 0.05, 0.04, 2.5, 3], "separable-superellipsoid": [0.1, 0.05, 0.04, 2, 3, 4], point: [] };
  for (const [kind, parameters] of Object.entries(kinds)) {
    const shell = surfaceShell({ kind, parameters, spot: [1, 0.3, 0.2, 0.1], axes }, 1.8);
    // The first semi-axis points along Y of the body.
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < shell.places.length / 3; i++) {
      low = Math.min(low, shell.places[3 * i + 1]);
      high = Math.max(high, shell.places[3 * i + 1]);
    }
    const half = parameters[0] || 0.006 * 1.8;
    assert.ok(Math.abs((low + high) / 2 - 0.2) < 1e-9 && Math.abs((high - low) / 2 - half) < 0.01 * half, kind);
  }
  assert.equal(surfaceShell({ kind: "half-space", parameters: [0, 1, 0, 0], spot: [0, 0, 0, 0], axes }, 1.8), null);
});
