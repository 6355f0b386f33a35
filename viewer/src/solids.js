// From solids of a body to triangles: round cones, superellipsoids, hulls of balls, meshes.

import { IcosahedronGeometry, Vector3 } from "three";
import { ConvexHull } from "three/addons/math/ConvexHull.js";
import { shared } from "./shared.js";
import { Shell } from "./shell.js";

// Sizes of the lattices: of a cone around, along a cap and between the caps; of an ellipsoid around. A compromise with renderers without a
// graphics card, where three times finer costs 1.6 times the time. Shadows and ghosts are many, flat or pale: coarser does.
// Few bodies are seen large, and may cost more.
export const FINEST = { around: 32, cap: 8, between: 9, ellipsoid: 48, ball: 4 };
export const FINE = { around: 20, cap: 5, between: 7, ellipsoid: 24, ball: 2 };
export const COARSE = { around: 12, cap: 3, between: 4, ellipsoid: 16, ball: 1 };

const unit = (n) => {
  const length = Math.hypot(...n) || 1;
  return n.map((x) => x / length);
};

// Two unit vectors that make a right-handed frame with `axis`, a unit vector itself.
function across(axis) {
  const { cross } = shared().vector;
  const least = axis.map(Math.abs).indexOf(Math.min(...axis.map(Math.abs)));
  const u = unit(cross(axis, [0, 1, 2].map((i) => (i === least ? 1 : 0))));
  return [u, cross(axis, u)];
}

// Place along the axis, radius, and normal (along, out) of a round cone, from pole to pole.
function coneProfile(cone, length, { cap, between }) {
  const list = [];
  const { ra, rb, belly } = cone;
  const slope = (s) => (rb - ra + belly * (1 - s) * (1 - 3 * s)) / length;
  for (let i = 0; i < cap; i++) {
    const angle = (0.5 * Math.PI * i) / cap;
    list.push([-ra * Math.cos(angle), ra * Math.sin(angle), -Math.cos(angle), Math.sin(angle)]);
  }
  for (let i = 0; i <= between; i++) {
    const s = i / between;
    // Where a half-ball begins, the normal is the mean of both sides: the edge is too blunt to be worth seeing.
    const tilt = slope(s) * (i === 0 || i === between ? 0.5 : 1);
    list.push([length * s, shared().coneRadius(cone, s), -tilt, 1]);
  }
  for (let i = 1; i <= cap; i++) {
    const angle = (0.5 * Math.PI * i) / cap;
    list.push([length + rb * Math.sin(angle), rb * Math.cos(angle), Math.sin(angle), Math.cos(angle)]);
  }
  return list;
}

export function coneShell(cone, detail = FINE) {
  const { minus, norm, scaled } = shared().vector;
  const line = minus(cone.b, cone.a);
  const length = Math.max(norm(line), 1e-9);
  const axis = norm(line) > 0 ? scaled(line, 1 / length) : [0, 1, 0];
  const [u, v] = across(axis);
  const profile = coneProfile(cone, length, detail);
  return new Shell().lattice(profile.length - 1, detail.around, (ring, step) => {
    const [x, r, along, out] = profile[ring];
    const angle = (2 * Math.PI * step) / detail.around;
    const ray = [0, 1, 2].map((i) => u[i] * Math.cos(angle) + v[i] * Math.sin(angle));
    return [ray.map((w, i) => cone.a[i] + axis[i] * x + w * r), unit(ray.map((w, i) => axis[i] * along + w * out))];
  });
}

// A power that keeps the sign; what rounding leaves of zero is zero.
const signed = (x, power) => (Math.abs(x) < 1e-9 ? 0 : Math.sign(x) * Math.pow(Math.abs(x), power));

// |x/a|^g1 + |y/b|^g2 + |z/c|^g3 = 1 about its own axes. Normals are the slope of the left side.
export function superellipsoidShell(half, powers, around = 24) {
  // Poles on the longest axis, where a body is pointed.
  const k = half.indexOf(Math.max(...half));
  const [i, j] = [(k + 1) % 3, (k + 2) % 3];
  return new Shell().lattice(around / 2, around, (ring, step) => {
    const [latitude, longitude] = [Math.PI * ((2 * ring) / around - 0.5), (2 * Math.PI * step) / around];
    const place = [0, 0, 0];
    place[i] = half[i] * signed(Math.cos(latitude) * Math.cos(longitude), 2 / powers[i]);
    place[j] = half[j] * signed(Math.cos(latitude) * Math.sin(longitude), 2 / powers[j]);
    place[k] = half[k] * signed(Math.sin(latitude), 2 / powers[k]);
    return [place, unit(place.map((x, n) => (powers[n] / half[n]) * signed(x / half[n], powers[n] - 1)))];
  });
}

// (|x/a|^p + |y/b|^p)^(r/p) + |z/c|^r = 1. With α = |x/a|/t, t = (|x/a|^p + |y/b|^p)^(1/p), the slope is t^(r-1) α^(p-1)/a along x, |z/c|^(r-1)/c along z.
export function nestedShell(half, p, r, around = 24) {
  return new Shell().lattice(around / 2, around, (ring, step) => {
    const [latitude, longitude] = [Math.PI * ((2 * ring) / around - 0.5), (2 * Math.PI * step) / around];
    const t = signed(Math.cos(latitude), 2 / r);
    const [alpha, beta] = [signed(Math.cos(longitude), 2 / p), signed(Math.sin(longitude), 2 / p)];
    const z = signed(Math.sin(latitude), 2 / r);
    const out = signed(t, r - 1);
    const slope = [(out * signed(alpha, p - 1)) / half[0], (out * signed(beta, p - 1)) / half[1], signed(z, r - 1) / half[2]];
    return [[half[0] * t * alpha, half[1] * t * beta, half[2] * z], unit(slope)];
  });
}

// All that lies within a radius of the hull of some points: the hull of balls. A vertex on a ball has the ball's normal.
export function hullShell({ points, radius }, detail = FINE) {
  const ball = new IcosahedronGeometry(1, detail.ball).getAttribute("position");
  const rays = new Map();
  for (let i = 0; i < ball.count; i++) {
    const ray = [ball.getX(i), ball.getY(i), ball.getZ(i)];
    rays.set(ray.map((x) => x.toFixed(5)).join(), ray);
  }
  const normals = new Map();
  for (const point of points) {
    for (const ray of rays.values()) normals.set(new Vector3(...point.map((x, i) => x + radius * ray[i])), ray);
  }
  const shell = new Shell();
  const known = new Map();
  const vertex = (place) => {
    if (!known.has(place)) known.set(place, shell.vertex(place.toArray(), normals.get(place)));
    return known.get(place);
  };
  for (const face of new ConvexHull().setFromPoints([...normals.keys()]).faces) {
    // A face of more than three corners is a fan about its first.
    const corners = [];
    let edge = face.edge;
    do {
      corners.push(vertex(edge.head().point));
      edge = edge.next;
    } while (edge !== face.edge);
    for (let i = 2; i < corners.length; i++) shell.triangle(corners[0], corners[i - 1], corners[i]);
  }
  return shell;
}

// A mesh of the model: the normal of a vertex is the mean of its triangles by area.
export function meshShell({ vertices, triangles }) {
  const { cross, minus } = shared().vector;
  const shell = new Shell();
  shell.places = Array.from(vertices);
  shell.corners = Array.from(triangles);
  const sums = new Float64Array(vertices.length);
  const at = (k) => [vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i], triangles[i + 1], triangles[i + 2]];
    const area = cross(minus(at(b), at(a)), minus(at(c), at(a)));
    for (const k of [a, b, c]) for (let j = 0; j < 3; j++) sums[3 * k + j] += area[j];
  }
  for (let k = 0; k < sums.length; k += 3) shell.normals.push(...unit([sums[k], sums[k + 1], sums[k + 2]]));
  return shell;
}

const MAKERS = {
  cone: (solid, detail) => coneShell(solid, detail),
  ellipsoid: (solid, detail) => superellipsoidShell(solid.half, [solid.power, solid.power, solid.power], detail.ellipsoid).placed(solid.at, solid.axes),
  hull: (solid, detail) => hullShell(solid, detail),
  mesh: (solid, _, meshes) => meshShell(meshes[solid.mesh]).placed(solid.at, solid.axes),
};

// What is so near to a surface, as a part of its size, counts as outside: of two solids in one place neither hides the other.
const NEAR = 1e-6;

// Whether a place is inside a solid, as its formula has it; of hulls and meshes, which have none, nothing is said to be.
export function holds(solid, place) {
  const { dot, minus, norm, scaled, turnedBack } = shared().vector;
  if (solid.kind === "ellipsoid") {
    const own = turnedBack(solid.axes, minus(place, solid.at));
    return own.reduce((sum, x, i) => sum + Math.abs(x / solid.half[i]) ** solid.power, 0) < 1 - NEAR;
  }
  if (solid.kind !== "cone") return false;
  const line = minus(solid.b, solid.a);
  const length = norm(line);
  const way = minus(place, solid.a);
  const within = (distance, radius) => distance < (1 - NEAR) * radius;
  if (!(length > 0)) return within(norm(way), Math.max(solid.ra, solid.rb));
  const axis = scaled(line, 1 / length);
  const along = dot(way, axis);
  const out = norm(minus(way, scaled(axis, along)));
  if (along < 0) return within(Math.hypot(along, out), solid.ra);
  if (along > length) return within(Math.hypot(along - length, out), solid.rb);
  return within(out, shared().coneRadius(solid, along / length));
}

// All solids of a body as one surface in the body's frame; null where it has none. What lies inside another solid of the body is left out: it would be
// seen where flesh is transparent.
export function bodyShell(body, meshes, detail = FINE) {
  const shell = new Shell();
  for (const solid of body.solids) {
    const others = body.solids.filter((other) => other !== solid);
    // Solids are convex: what has its corners inside one of them is inside.
    const hidden = (corners) => others.some((other) => corners.every((place) => holds(other, place)));
    shell.add(MAKERS[solid.kind](solid, detail, meshes).without(hidden));
  }
  return shell.corners.length ? shell : null;
}

// Bones of a body whose flesh is made transparent: the thin rods inside its cones. H is the height of the figure.
export function boneShell(body, H) {
  const { minus, norm } = shared().vector;
  const shell = new Shell();
  for (const { kind, a, b } of body.solids) {
    if (kind !== "cone") continue;
    // 4 mm of a person of 1.8 m.
    const radius = 0.03 * norm(minus(b, a)) + (0.004 / 1.8) * H;
    shell.add(coneShell({ a, b, ra: radius, rb: radius, belly: 0 }));
  }
  return shell.corners.length ? shell : null;
}
