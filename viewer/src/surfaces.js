// Surfaces of contact as triangles, from the parameters of their kinds. Half-spaces are ground, not bodies: see ground.js.

import { nestedShell, superellipsoidShell } from "./solids.js";

// What a pressure map lies on is looked at closely: finer than flesh.
const AROUND = 40;

const ball = (radius, around = AROUND) => superellipsoidShell([radius, radius, radius], [2, 2, 2], around);

// Circles and ellipses stand for a section by the plane: lenses, so that they do not hide what lies beside them.
const lens = (a, b, H) => superellipsoidShell([a, b, Math.min(a, b, 0.03 * H)], [2, 2, 2], AROUND);

const MAKERS = {
  circle: ([radius], H) => lens(radius, radius, H),
  ellipse: ([a, b], H) => lens(a, b, H),
  sphere: ([radius]) => ball(radius),
  ellipsoid: (half) => superellipsoidShell(half, [2, 2, 2], AROUND),
  superellipsoid: ([a, b, c, p, r]) => nestedShell([a, b, c], p, r, AROUND),
  "separable-superellipsoid": (list) => superellipsoidShell(list.slice(0, 3), list.slice(3), AROUND),
  point: (_, H) => ball(0.006 * H, 12),
};

// The surface in its body's frame; null for half-spaces. H is the height of the figure.
export function surfaceShell({ kind, parameters, spot, axes }, H) {
  const maker = MAKERS[kind];
  return maker ? maker(parameters, H).placed(spot.slice(1), axes.flat()) : null;
}
