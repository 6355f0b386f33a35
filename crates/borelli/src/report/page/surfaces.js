// Surfaces of contact: bounded ones by their outline, half-spaces as a line or a grid, hatched on their solid side.

// (u^p + v^p)^(1/p) of numbers that are not negative.
function powerNorm(u, v, p) {
  const most = Math.max(u, v);
  return most > 0 ? most * Math.pow(Math.pow(u / most, p) + Math.pow(v / most, p), 1 / p) : 0;
}

// The point of (|x/a|^p + |y/b|^p)^(r/p) + |z/c|^r = 1 that is furthest along n, by Hölder's inequality.
const nestedSupport = ([a, b, c], p, r) => (n) => {
  const [p1, r1] = [1 / (p - 1), 1 / (r - 1)];
  const [A, B, C] = [a * Math.abs(n[0]), b * Math.abs(n[1]), c * Math.abs(n[2])];
  const t = powerNorm(A, B, p1 + 1);
  const far = powerNorm(t, C, r1 + 1);
  const part = (x, whole, e) => (whole > 0 ? Math.pow(x / whole, e) : 0);
  const equator = part(t, far, r1);
  return [a * part(A, t, p1) * equator * Math.sign(n[0]), b * part(B, t, p1) * equator * Math.sign(n[1]), c * part(C, far, r1) * Math.sign(n[2])];
};

// The same of |x/a|^g1 + |y/b|^g2 + |z/c|^g3 = 1: |x_i/a_i|^(g_i-1) = k a_i |n_i|/g_i, with k by Newton's method in logarithms, which
// does not overshoot from where the largest term is one.
const separableSupport = (axes, g) => (n) => {
  const logs = axes.map((a, i) => Math.log((a * Math.abs(n[i])) / g[i]));
  const dual = g.map((x) => x / (x - 1));
  let logK = -Math.max(...logs);
  for (let i = 0; i < 60; i++) {
    const terms = logs.map((log, j) => Math.exp(dual[j] * (log + logK)));
    const sum = terms[0] + terms[1] + terms[2];
    const step = (Math.log(sum) * sum) / dot(dual, terms);
    logK -= step;
    if (!(Math.abs(step) > 1e-15)) break;
  }
  return axes.map((a, i) => a * Math.exp((dual[i] - 1) * (logs[i] + logK)) * Math.sign(n[i]));
};

// Support points of bounded shapes from the parameters of their kinds.
const SUPPORTS = {
  circle: ([radius]) => nestedSupport([radius, radius, radius], 2, 2),
  ellipse: ([a, b]) => nestedSupport([a, b, 0], 2, 2),
  sphere: ([radius]) => nestedSupport([radius, radius, radius], 2, 2),
  ellipsoid: (axes) => nestedSupport(axes, 2, 2),
  superellipsoid: ([a, b, c, p, r]) => nestedSupport([a, b, c], p, r),
  "separable-superellipsoid": (list) => separableSupport(list.slice(0, 3), list.slice(3)),
};

// Surfaces of a figure with their support functions, the pairs they are in, and which samples see them touch.
function surfacesOf(figure, one) {
  const forces = figure.pairs.map((pair) => (one.byName.get("contact." + pair.name + ".normal_force") || {}).values);
  return figure.surfaces.map((surface, i) => ({
    ...surface,
    support: SUPPORTS[surface.kind] ? SUPPORTS[surface.kind](surface.parameters) : null,
    touches: (k) => figure.pairs.some((pair, j) => (pair.first === i || pair.second === i) && forces[j] && forces[j][k] > 0),
  }));
}

// Origin and axes (rows) of a surface in the world at a sample; null where not known.
function surfacePose(rig, surface, k) {
  const pose = poseAt(rig, surface.spot[0], k);
  if (!pose) return null;
  const columns = [0, 1, 2].map((j) => surface.axes.map((row) => row[j]));
  return { p: place(pose, surface.spot.slice(1)), R: pose.R.map((row) => columns.map((column) => dot(row, column))) };
}

const ownAxes = (pose, vector) => [0, 1, 2].map((j) => pose.R.reduce((sum, row, i) => sum + row[j] * vector[i], 0));

// The curve of support points over the directions between two perpendicular ones, u and v, all in the shape's axes. Between two of
// them the outline is within half the chord times tan(half the angle) of the chord; arcs are halved until that is below `allowed`, m.
function supportCurve(support, u, v, allowed) {
  const at = (angle) => {
    const n = plus(scaled(u, Math.cos(angle)), scaled(v, Math.sin(angle)));
    return { angle, n, at: support(n) };
  };
  const list = [at(0)];
  const add = (from, to, halvings) => {
    const off = 0.5 * Math.hypot(...plus(to.at, scaled(from.at, -1))) * Math.tan((to.angle - from.angle) / 2);
    if (halvings === 0 || !(off > allowed)) return list.push(to);
    const middle = at((from.angle + to.angle) / 2);
    add(from, middle, halvings - 1);
    return add(middle, to, halvings - 1);
  };
  for (let k = 0; k < 24; k++) add(list[list.length - 1], at(((k + 1) * Math.PI) / 12), 8);
  return list;
}

// Directions in which places of a surface are looked up for the size of the picture: axes and diagonals.
const AROUND = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z]))).filter((n) => Math.hypot(...n) > 0);

// Places on a surface in its body's frame, for the size of the picture; none on half-spaces, which have no size.
function surfacePlaces(surface) {
  const origin = surface.spot.slice(1);
  if (surface.kind === "point") return [origin];
  if (!surface.support) return [];
  return AROUND.map((n) => place({ p: origin, R: surface.axes }, surface.support(unitOf(n))));
}

const surfaceColour = (surface) => (surface.spot[0] === 0 ? "var(--soft)" : colour(surface.spot[0] - 1));

// All bounded surfaces at a sample. Those that touch are filled more strongly.
function drawSurfaces(pen, k, weight) {
  for (const surface of pen.rig.surfaces) {
    const pose = surface.kind !== "half-space" && surfacePose(pen.rig, surface, k);
    if (!pose) continue;
    const group = svg(pen.root, "g", { class: "surface" });
    svg(group, "title", {}, "surface " + surface.name + " (" + surface.kind + ")");
    const touches = weight === 1 && surface.touches(k);
    if (surface.support) drawBounded(pen, group, surface, pose, touches, weight);
    else {
      const [x, y] = pen.screen(pose.p);
      svg(group, "circle", { cx: x, cy: y, r: 3.4 * weight, style: "stroke-width:1.6;stroke:" + surfaceColour(surface) + ";fill:" + (touches ? "var(--force)" : "var(--paper)") });
    }
  }
}

function drawBounded({ screen, rig }, group, surface, pose, touches, weight) {
  const { camera } = picture;
  const allowed = 0.1 / picture.scale;
  const axes = [camera.right, camera.up].map((axis) => ownAxes(pose, axis));
  const paint = surfaceColour(surface);
  const outline = supportCurve(surface.support, ...axes, allowed).map((found) => screen(place(pose, found.at)));
  const style = "stroke:" + paint + ";stroke-width:" + 1.8 * weight + ";fill:" + paint + ";fill-opacity:" + (touches ? 0.42 : 0.16);
  svg(group, "path", { d: pathText(outline) + "Z", style });
  if (weight < 1) return;
  const thin = "fill:none;stroke-width:1;stroke-opacity:0.65;stroke:" + paint;
  if (rig.figure.planar) {
    // A spoke along X, so that turning can be seen.
    svg(group, "path", { d: pathText([pose.p, place(pose, surface.support([1, 0, 0]))].map(screen)), style: thin });
    return;
  }
  // In space the halves toward the viewer of the three sections by the planes of its axes: curves of support points too, by symmetry.
  const toward = ownAxes(pose, cross(camera.right, camera.up));
  const units = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let i = 0; i < 3; i++) {
    const curve = supportCurve(surface.support, units[i], units[(i + 1) % 3], allowed);
    let line = [];
    for (const found of [...curve, null]) {
      if (found && dot(found.n, toward) >= 0) line.push(screen(place(pose, found.at)));
      else {
        if (line.length > 1) svg(group, "path", { d: pathText(line), style: thin });
        line = [];
      }
    }
  }
}

// Whether the world has a half-space: then that is the ground.
const hasGround = (rig) => rig.surfaces.some((surface) => surface.kind === "half-space" && surface.spot[0] === 0);

// The place of the world in the middle of the picture.
function viewMiddle(rig, k) {
  const { camera, shift, scale, extent } = picture;
  const middle = picture.follow ? plus(extent.middle, centerAt(rig, k) || [0, 0, 0]) : extent.middle;
  return plus(middle, plus(scaled(camera.right, -shift[0] / scale), scaled(camera.up, shift[1] / scale)));
}

// Half-spaces: those of the world as far as the picture shows, others as a piece about their place.
function drawHalfSpaces(pen) {
  const { root, rig, k } = pen;
  for (const surface of rig.surfaces) {
    const pose = surface.kind === "half-space" && surfacePose(rig, surface, k);
    if (!pose) continue;
    const group = svg(root, "g", { class: "ground" });
    svg(group, "title", {}, "surface " + surface.name + " (half-space)");
    const n = unitOf(place({ p: [0, 0, 0], R: pose.R }, surface.parameters.slice(0, 3)));
    const on = plus(pose.p, scaled(n, surface.parameters[3]));
    const fixed = surface.spot[0] === 0;
    if (rig.figure.planar) drawPlaneLine(pen, group, n, on, fixed, surfaceColour(surface));
    else drawPlaneGrid(pen, group, n, on, fixed, true);
  }
}

// A half-space of the plane: its edge, and strokes of equal distance that stand still in the world.
function drawPlaneLine({ screen, rig, k }, group, n, on, fixed, paint) {
  const pixel = 1 / picture.scale;
  const t = [n[1], -n[0], 0];
  const from = fixed ? dot(plus(viewMiddle(rig, k), scaled(on, -1)), t) : 0;
  const reach = fixed ? (picture.width + picture.height) * pixel : 0.25 * Math.max(...picture.extent.edges);
  const at = (s, depth) => screen(plus(on, plus(scaled(t, s), scaled(n, -depth))));
  svg(group, "path", { d: pathText([at(from - reach, 0), at(from + reach, 0)]), style: "fill:none;stroke-width:1.8;stroke:" + paint });
  const step = 11 * pixel;
  let strokes = "";
  for (let i = Math.ceil((from - reach) / step); i * step <= from + reach; i++) strokes += pathText([at(i * step, 0), at(i * step - 7 * pixel, 8 * pixel)]);
  svg(group, "path", { d: strokes, style: "fill:none;stroke-width:1;opacity:0.75;stroke:" + paint });
}

// A plane in space: a grid about the middle of the picture, on round places of the world where it is fixed; strokes at its rim toward its solid side.
function drawPlaneGrid({ screen, rig, k }, group, n, on, fixed, solid) {
  const up = rig.figure.up;
  const level = cross(n, up);
  const other = Math.abs(n[0]) > 0.9 ? [0, 0, 1] : [1, 0, 0];
  const side = unitOf(Math.hypot(...level) > 1e-6 ? level : cross(n, other));
  const along = cross(side, n);
  const step = niceAbove(Math.max(...picture.extent.edges) / 10);
  const base = fixed ? viewMiddle(rig, k) : on;
  const from = (axis) => (fixed ? Math.round(dot(base, axis) / step) * step : dot(on, axis));
  const foot = scaled(n, dot(on, n));
  const [a0, s0] = [from(along), from(side)];
  const half = fixed ? 4 : 2;
  const at = (a, s) => plus(foot, plus(scaled(along, a0 + a * step), scaled(side, s0 + s * step)));
  const line = (points, style) => svg(group, "path", { d: pathText(points.map(screen)), style: "fill:none;stroke-width:1;stroke:var(--line);" + style });
  for (let i = -half; i <= half; i++) {
    line([at(i, -half), at(i, half)], "");
    line([at(-half, i), at(half, i)], "");
  }
  if (!solid) return;
  const rim = [[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 1]].map(([a, s]) => at(a * half, s * half));
  line(rim, "stroke:var(--soft);fill:var(--line);fill-opacity:0.18");
  const below = scaled(n, -0.25 * step);
  for (let edge = 0; edge < 4; edge++) {
    const way = plus(rim[edge + 1], scaled(rim[edge], -1));
    for (let i = 1; i <= 8 * half; i++) {
      const start = plus(rim[edge], scaled(way, i / (8 * half)));
      line([start, plus(plus(start, below), scaled(way, -0.5 / (8 * half)))], "stroke:var(--soft);stroke-opacity:0.7");
    }
  }
}
