// Outlines of convex shapes for the plain stage: solids of bodies and bounded surfaces of contact, by the points that reach furthest.
// Seen along any direction, and in a shadow, the outline is the curve of these points; nothing is rendered.

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
    const step = (Math.log(sum) * sum) / borelliScene.vector.dot(dual, terms);
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

// A turned and moved shape: its point furthest along n, in the axes of the body.
function movedSupport(support, at, axes) {
  const { plus, turned, turnedBack } = borelliScene.vector;
  return (n) => plus(at, turned(axes, support(turnedBack(axes, n))));
}

// The hull of balls [place, radius].
function ballsSupport(balls) {
  const { dot, plus, scaled, norm } = borelliScene.vector;
  return (n) => {
    const size = norm(n);
    let best = balls[0];
    let most = -Infinity;
    for (const ball of balls) {
      const far = dot(ball[0], n) + ball[1] * size;
      if (far > most) [best, most] = [ball, far];
    }
    return plus(best[0], scaled(n, best[1] / size));
  };
}

// A mesh is drawn by its hull: of its vertices those that reach furthest in some of 400 evenly spread directions.
function meshBalls(vertices) {
  const { dot } = borelliScene.vector;
  const count = 400;
  const kept = new Map();
  for (let i = 0; i < count; i++) {
    const y = 1 - (2 * (i + 0.5)) / count;
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const n = [Math.sqrt(1 - y * y) * Math.cos(angle), y, Math.sqrt(1 - y * y) * Math.sin(angle)];
    let [best, most] = [0, -Infinity];
    for (let k = 0; k < vertices.length; k += 3) {
      const far = dot([vertices[k], vertices[k + 1], vertices[k + 2]], n);
      if (far > most) [best, most] = [k, far];
    }
    kept.set(best, [[vertices[best], vertices[best + 1], vertices[best + 2]], 0]);
  }
  return [...kept.values()];
}

// The support function of a solid in its body's axes, and its middle.
function solidShape(solid, meshes) {
  const { plus, scaled } = borelliScene.vector;
  if (solid.kind === "cone") {
    return { support: ballsSupport(borelliScene.coneCircles(solid)), middle: scaled(plus(solid.a, solid.b), 0.5) };
  }
  if (solid.kind === "hull") {
    const middle = scaled(solid.points.reduce(plus, [0, 0, 0]), 1 / solid.points.length);
    return { support: ballsSupport(solid.points.map((at) => [at, solid.radius])), middle };
  }
  if (solid.kind === "ellipsoid") {
    return { support: movedSupport(nestedSupport(solid.half, solid.power, solid.power), solid.at, solid.axes), middle: solid.at };
  }
  return { support: movedSupport(ballsSupport(meshBalls(meshes[solid.mesh].vertices)), solid.at, solid.axes), middle: solid.at };
}

// The support function of a bounded surface of contact in its body's axes; null for points and half-spaces.
function surfaceShape(surface) {
  const of = SUPPORTS[surface.kind];
  return of ? movedSupport(of(surface.parameters), surface.spot.slice(1), surface.axes.flat()) : null;
}

// The outline of a shape in a picture whose two coordinates are the products with two rows (in the shape's axes): places with the directions in which
// they reach furthest. Between two of them the outline lies in the triangle of its chord and the tangents at its ends, no higher than half the
// chord times tan(half the angle); arcs are halved until that is below `allowed`. Their number at first is enough for an ellipse.
function outlineOf(support, [r, u], allowed) {
  const { dot } = borelliScene.vector;
  const at = (angle) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const x = support([r[0] * c + u[0] * s, r[1] * c + u[1] * s, r[2] * c + u[2] * s]);
    return { angle, d: [c, s], at: [dot(r, x), dot(u, x)] };
  };
  const list = [];
  const add = (from, to, halvings) => {
    const off = 0.5 * Math.hypot(to.at[0] - from.at[0], to.at[1] - from.at[1]) * Math.tan((to.angle - from.angle) / 2);
    if (halvings === 0 || !(off > allowed)) return list.push(to);
    const middle = at((from.angle + to.angle) / 2);
    add(from, middle, halvings - 1);
    return add(middle, to, halvings - 1);
  };
  const arcs = 12;
  const first = at(0);
  let from = first;
  for (let k = 1; k <= arcs; k++) {
    const to = k === arcs ? { ...first, angle: 2 * Math.PI } : at((2 * Math.PI * k) / arcs);
    add(from, to, 6);
    from = to;
  }
  return list;
}

// A smooth closed path through an outline, moved: each arc is the parabola that has the same tangents at its ends. Heights are negative on the page.
function outlineText(list, [x0, y0]) {
  const point = ([x, y]) => (x0 + x).toFixed(1) + " " + (y0 - y).toFixed(1);
  let text = "M" + point(list[list.length - 1].at);
  let from = list[list.length - 1];
  for (const to of list) {
    const [[c1, s1], [c2, s2]] = [from.d, to.d];
    const [h1, h2] = [c1 * from.at[0] + s1 * from.at[1], c2 * to.at[0] + s2 * to.at[1]];
    const turn = c1 * s2 - s1 * c2;
    text += Math.abs(turn) > 1e-9 ? "Q" + point([(h1 * s2 - h2 * s1) / turn, (c1 * h2 - c2 * h1) / turn]) + " " + point(to.at) : "L" + point(to.at);
    from = to;
  }
  return text + "Z";
}

// The hull of circles whose centres lie on one line, exactly: arcs and tangents. `discs` are [distance from the first centre, radius] in their order
// along the unit vector e from a.
function capsuleText(discs, a, [ex, ey]) {
  const last = discs.length - 1;
  const length = discs[last][0];
  const ends = [discs[0], discs[last]];
  // Seen along its axis one ball hides the others.
  const whole = ends.find(([x, radius], i) => ends[1 - i][1] + length <= radius + 1e-9) || (length < 1e-6 ? ends[0] : null);
  if (whole) {
    const most = Math.max(...discs.map(([, radius]) => radius));
    const [x, y] = [a[0] + ex * whole[0], a[1] + ey * whole[0]];
    return `M${(x - most).toFixed(1)} ${y.toFixed(1)}a${most.toFixed(1)} ${most.toFixed(1)} 0 1 0 ${(2 * most).toFixed(1)} 0a${most.toFixed(1)} ${most.toFixed(1)} 0 1 0 ${(-2 * most).toFixed(1)} 0Z`;
  }
  // From the first to the last: the circle that the tangent meets first when it rolls over.
  const chain = [];
  for (let i = 0; i < last; ) {
    let [next, best] = [last, -Infinity];
    for (let j = i + 1; j <= last; j++) {
      const slope = (discs[j][1] - discs[i][1]) / (discs[j][0] - discs[i][0]);
      if (slope > best) [next, best] = [j, slope];
    }
    // The normal of the tangent, in parts along and across the axis.
    chain.push([i, next, -Math.max(-1, Math.min(1, best)), Math.sqrt(Math.max(0, 1 - best * best))]);
    i = next;
  }
  const point = (k, along, across, side) => {
    const [x, radius] = discs[k];
    const [s, t] = [x + along * radius, side * across * radius];
    return (a[0] + ex * s - ey * t).toFixed(1) + " " + (a[1] + ey * s + ex * t).toFixed(1);
  };
  const arc = (k, large, to) => `A${discs[k][1].toFixed(1)} ${discs[k][1].toFixed(1)} 0 ${large} 0 ${to}`;
  let text = "";
  chain.forEach(([i, j, along, across], n) => {
    const from = point(i, along, across, 1);
    text += (n ? arc(i, 0, from) : "M" + from) + "L" + point(j, along, across, 1);
  });
  const back = chain.slice().reverse();
  back.forEach(([i, j, along, across], n) => {
    const from = point(j, along, across, -1);
    text += arc(j, n === 0 && discs[j][1] > 0 && along < 0 ? 1 : 0, from) + "L" + point(i, along, across, -1);
  });
  const [i, , along, across] = chain[0];
  return text + arc(i, along > 0 ? 1 : 0, point(i, along, across, 1)) + "Z";
}

// Whether a place lies in a polygon: by the count of edges that a ray to the right crosses.
function inside(polygon, [x, y]) {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [[xi, yi], [xj, yj]] = [polygon[i], polygon[j]];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

// The distance of a place from a line of points.
function fromLine(points, [x, y]) {
  let least = Infinity;
  for (let i = 0; i < points.length - 1; i++) {
    const [[ax, ay], [bx, by]] = [points[i], points[i + 1]];
    const square = (bx - ax) ** 2 + (by - ay) ** 2;
    const part = square > 0 ? Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square)) : 0;
    least = Math.min(least, Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay)));
  }
  return least;
}
