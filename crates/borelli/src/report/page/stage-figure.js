// What the plain stage draws of the figure at a frame: solids with round shading, surfaces of contact, lines of pull, rods, joints, markers, arrows, names.
// Nearer things are drawn later (painter's order); arrows and names lie over all.

// Colours of bodies, and the stops of their shading: one set for limbs, across their axis, and one for round parts, from the lit side outward.
function paintsOf(stage) {
  const { bodyColour, ghostColour, mixed } = borelliScene;
  const lit = (colour, light) => (light > 1 ? mixed("#ffffff", colour, light - 1) : mixed(colour, "#1b1f24", light));
  const bodies = stage.figure.bodies.map((_, b) => (b > 0 ? bodyColour(stage.data, stage.figure, b, stage.scheme) : borelliScene.palette(stage.scheme).soft));
  const colours = [...new Set(bodies)];
  return {
    bodies, colours, ghost: bodies.map((colour) => ghostColour(colour, stage.scheme)),
    edge: bodies.map((colour) => lit(colour, 0.62)),
    limb: colours.map((colour) => [[0, 1.0], [0.28, 1.22], [0.62, 0.95], [1, 0.66]].map(([at, light]) => [at, lit(colour, light)])),
    round: colours.map((colour) => [[0, 1.3], [0.45, 1.03], [0.8, 0.84], [1, 0.66]].map(([at, light]) => [at, lit(colour, light)])),
  };
}

// The shared stops, which the paint of each solid takes over by its place.
function defineStops(stage, root) {
  const defs = svg(root, "defs", {});
  stage.paint.colours.forEach((_, i) => {
    for (const kind of ["limb", "round"]) {
      const stops = svg(defs, "linearGradient", { id: stage.id + kind + i });
      stage.paint[kind][i].forEach(([at, colour]) => svg(stops, "stop", { offset: at, "stop-color": colour }));
    }
  });
  return defs;
}

// Two directions of the picture in the axes of a body, scaled to px.
const rowsOn = (stage, pose) => stage.rows.map((row) => borelliScene.vector.turnedBack(pose.R, row));

// A solid in the picture: the text of its outline, and where its shading lies.
function solidPicture(stage, { solid, support }, pose) {
  const { norm, minus, turned } = borelliScene.vector;
  const at = stage.screen(pose.p);
  if (solid.kind === "cone") {
    const [a, b] = [solid.a, solid.b].map((end) => stage.screen(borelliScene.place(pose, end)));
    const way = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(...way);
    const whole = norm(minus(solid.b, solid.a)) || 1;
    const discs = borelliScene.coneCircles(solid).map(([end, radius]) => [(norm(minus(end, solid.a)) / whole) * length, radius * stage.scale]);
    const e = length > 1e-6 ? way.map((x) => x / length) : [1, 0];
    const thick = Math.max(...discs.map(([, radius]) => radius));
    const shade = length > 0.5 * thick ? acrossShade(a, e, thick) : roundShade([1, 0, 0, 1].map((x) => x * thick), a);
    return { d: capsuleText(discs, a, e), shade };
  }
  const rows = rowsOn(stage, pose);
  const outline = outlineOf(support, rows, solid.kind === "ellipsoid" ? STAGE_FINE : 0.3);
  const d = outlineText(outline, at);
  if (solid.kind !== "ellipsoid") return { d, shade: slopeShade(outline, at) };
  // The ellipse of the three half-axes: the root of G Gᵀ maps the unit circle onto it.
  const axes = [0, 1, 2].map((j) => turned(pose.R, [solid.axes[j], solid.axes[3 + j], solid.axes[6 + j]]));
  const G = axes.map((axis, j) => stage.rows.map((row, i) => (i ? -1 : 1) * borelliScene.vector.dot(row, axis) * solid.half[j]));
  const [xx, xy, yy] = [0, 1, 2].map((k) => G.reduce((sum, [x, y]) => sum + [x * x, x * y, y * y][k], 0));
  const root = Math.sqrt(Math.max(0, xx * yy - xy * xy));
  const trace = Math.sqrt(xx + yy + 2 * root) || 1;
  return { d, shade: roundShade([(xx + root) / trace, xy / trace, xy / trace, (yy + root) / trace], stage.screen(borelliScene.place(pose, solid.at))) };
}

// From the lit to the dark side of a limb; light comes from the upper left.
function acrossShade(a, [ex, ey], thick) {
  const side = -ey * -0.6 + ex * -0.8 > 0 ? 1 : -1;
  const [nx, ny] = [-ey * side * thick, ex * side * thick];
  return ["linearGradient", { x1: a[0] + nx, y1: a[1] + ny, x2: a[0] - nx, y2: a[1] - ny, gradientUnits: "userSpaceOnUse" }, "limb"];
}

function roundShade([a, b, c, d], [x, y]) {
  const matrix = [a, b, c, d, x, y].map((n) => n.toFixed(3)).join(" ");
  return ["radialGradient", { cx: 0, cy: 0, r: 1.06, fx: -0.38, fy: -0.48, gradientUnits: "userSpaceOnUse", gradientTransform: "matrix(" + matrix + ")" }, "round"];
}

// Over a flat shape, from its upper left to its lower right.
function slopeShade(outline, [x, y]) {
  const along = outline.map(({ at }) => at[0] * -0.5 + at[1] * 0.85);
  const [most, least] = [Math.max(...along), Math.min(...along)];
  const end = (s) => [x - 0.5 * s, y - 0.85 * s];
  const [[x1, y1], [x2, y2]] = [end(most), end(least)];
  return ["linearGradient", { x1, y1, x2, y2, gradientUnits: "userSpaceOnUse" }, "limb"];
}

// How much of a body's flesh is seen: less where muscles or surfaces of contact are to be seen in it.
function fleshOf(stage, body) {
  if (stage.layers.muscles && borelliScene.muscular(stage.figure)) return 0.3;
  return stage.layers.contacts && stage.figure.surfaces.some((surface, i) => surface.spot[0] === body && stage.surfaces[i]) ? 0.5 : 1;
}

// How near a solid comes to the viewer: its middle and half its thickness. Of two in one place the fatter hides the thinner.
function nearness(stage, { solid, middle }, pose) {
  const { dot, turnedBack } = borelliScene.vector;
  const { toward } = stage.camera;
  const own = turnedBack(pose.R, toward);
  const thick = solid.kind === "cone" ? Math.max(solid.ra, solid.rb) : solid.kind === "hull" ? solid.radius : borelliScene.reach(solid, own, stage.figure.meshes) - dot(own, middle);
  return dot(toward, borelliScene.place(pose, middle)) + thick;
}

// Solids and bounded surfaces from far to near, then what lies over them.
function drawFigure(stage, root) {
  const { data, one, figure, frame } = stage;
  const defs = defineStops(stage, root);
  const poses = figure.bodies.map((_, b) => borelliScene.drawnPose(data, one, b, frame));
  const items = stage.solids.filter(({ body }) => poses[body]).map((shape) => ({ near: nearness(stage, shape, poses[shape.body]), shape }));
  if (stage.layers.contacts) {
    figure.surfaces.forEach((surface, i) => {
      const pose = surface.kind !== "half-space" && poses[surface.spot[0]];
      if (!pose) return;
      // Seen through the flesh of its own body, so over it.
      const own = items.filter((item) => item.shape && item.shape.body === surface.spot[0]).map((item) => item.near);
      const middle = borelliScene.vector.dot(stage.camera.toward, borelliScene.place(pose, surface.spot.slice(1)));
      items.push({ near: Math.max(middle, ...own) + 1e-6, surface: i });
    });
  }
  items.sort((a, b) => a.near - b.near);
  const places = new Map();
  for (const item of items) {
    if (item.shape) drawSolid(stage, root, defs, item.shape, poses[item.shape.body], places);
    else drawSurface(stage, root, item.surface, poses[figure.surfaces[item.surface].spot[0]]);
  }
  for (const [body, ends] of places) stage.drawn.boxes.push({ body, ...ends });
  if (stage.layers.muscles && borelliScene.muscular(figure)) drawBones(stage, root, poses);
  drawRods(stage, root);
  if (stage.layers.muscles) drawPaths(stage, root);
  drawJoints(stage, root);
  if (stage.layers.markers) drawMarkers(stage, root);
  if (stage.layers.centers) drawCentres(stage, root, poses);
  if (stage.layers.names) drawNames(stage, root, poses);
  if (stage.layers.names && stage.layers.muscles) drawPathNames(stage, root);
}

function drawSolid(stage, root, defs, shape, pose, places) {
  const body = stage.figure.bodies[shape.body];
  const { d, shade } = solidPicture(stage, shape, pose);
  const [kind, where, stops] = shade;
  const id = stage.id + "p" + stage.hits.length;
  svg(defs, kind, { id, href: "#" + stage.id + stops + stage.paint.colours.indexOf(stage.paint.bodies[shape.body]), ...where });
  const style = "stroke-width:0.8;stroke:" + stage.paint.edge[shape.body] + ";opacity:" + fleshOf(stage, shape.body);
  svg(root, "path", { d, fill: "url(#" + id + ")", style });
  const origin = stage.screen(pose.p);
  let polygon = null;
  const corners = () => (polygon = polygon || outlineOf(shape.support, rowsOn(stage, pose), 1).map(({ at }) => [origin[0] + at[0], origin[1] - at[1]]));
  const text = body.mass > 0 ? valueText(body.mass, 3) + " kg" : "";
  stage.hits.push({ kind: "body", index: shape.body, label: body.label, text, at: (p) => inside(corners(), p) });
  // How far it reaches to the four sides.
  const rows = rowsOn(stage, pose);
  const reach = (row) => borelliScene.vector.dot(row, shape.support(row));
  const [x1, y1] = rows.map(reach);
  const [x0, y0] = rows.map((row) => -reach(borelliScene.vector.scaled(row, -1)));
  const known = places.get(shape.body) || { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  places.set(shape.body, {
    x0: Math.min(known.x0, origin[0] + x0), y0: Math.min(known.y0, origin[1] - y1), x1: Math.max(known.x1, origin[0] + x1), y1: Math.max(known.y1, origin[1] - y0),
  });
}

// A surface of contact by its exact outline; stronger and in another colour while it touches.
function drawSurface(stage, root, index, pose) {
  const surface = stage.figure.surfaces[index];
  const touches = borelliScene.touches(stage.data, stage.one, index, stage.frame);
  const colour = borelliScene.palette(stage.scheme)[touches ? "touching" : "free"];
  const words = { kind: "surface", index, label: surface.label, text: touches ? "touches" : "free" };
  if (!stage.surfaces[index]) {
    const [x, y] = stage.screen(borelliScene.place(pose, surface.spot.slice(1)));
    svg(root, "circle", { cx: x, cy: y, r: 3.6, style: "stroke-width:1.6;stroke:" + colour + ";fill:" + (touches ? colour : "none") });
    stage.hits.push({ ...words, at: (p) => Math.hypot(p[0] - x, p[1] - y) < 6 });
    return;
  }
  const origin = stage.screen(pose.p);
  const outline = outlineOf(stage.surfaces[index], rowsOn(stage, pose), STAGE_FINE);
  const paint = stage.layers.pressure && (stage.one.pressure || []).length ? 0.38 : touches ? 0.62 : 0.42;
  svg(root, "path", { d: outlineText(outline, origin), style: "stroke-width:1.2;stroke:" + colour + ";fill:" + colour + ";fill-opacity:" + paint });
  const polygon = outline.map(({ at }) => [origin[0] + at[0], origin[1] - at[1]]);
  stage.hits.push({ ...words, at: (p) => inside(polygon, p) });
}

// A pale pose of another time or case, without shading.
function drawGhost(stage, root, { case: index, frame }) {
  const { data } = stage;
  const one = data.cases[index];
  const figure = data.figures[one.figure];
  const same = one.figure === stage.one.figure;
  const solids = same ? stage.solids : figure.bodies.flatMap((body, b) => body.solids.map((solid) => ({ ...solidShape(solid, figure.meshes), solid, body: b })));
  const poses = figure.bodies.map((_, b) => borelliScene.drawnPose(data, one, b, frame));
  const near = (shape) => nearness(stage, shape, poses[shape.body]);
  for (const shape of solids.filter(({ body }) => poses[body]).sort((a, b) => near(a) - near(b))) {
    const colour = borelliScene.ghostColour(borelliScene.bodyColour(data, figure, shape.body, stage.scheme), stage.scheme);
    const edge = borelliScene.mixed(colour, borelliScene.palette(stage.scheme).soft, 0.8);
    svg(root, "path", { d: solidPicture(stage, shape, poses[shape.body]).d, style: "stroke-width:0.6;fill:" + colour + ";stroke:" + edge });
  }
  figure.surfaces.forEach((surface, i) => {
    const support = surfaceShape(surface);
    if (!support || !poses[surface.spot[0]] || !stage.layers.contacts) return;
    const pose = poses[surface.spot[0]];
    const d = outlineText(outlineOf(support, rowsOn(stage, pose), STAGE_FINE), stage.screen(pose.p));
    svg(root, "path", { d, style: "fill:none;stroke-width:0.8;stroke:" + borelliScene.ghostColour(borelliScene.palette(stage.scheme).free, stage.scheme) });
  });
}

// The way of a body's mass centre, and the places where the ground pushed.
function drawTrails(stage, root) {
  const { data, one, figure } = stage;
  const colours = borelliScene.palette(stage.scheme);
  const frames = borelliScene.spread(one.time.length, 1000);
  const body = stage.layers.trace === null ? null : figure.bodies[stage.layers.trace];
  if (body) {
    const at = (k) => borelliScene.spot(data, one, [stage.layers.trace, ...body.center], k);
    const points = frames.map(at).filter(Boolean).map(stage.screen);
    svg(root, "path", { d: pathText(points), style: "fill:none;stroke-width:1.6;opacity:0.8;stroke:" + colours.accent });
  }
  for (const force of stage.forces.filter((force) => force.moves)) {
    const sizes = frames.map((k) => borelliScene.vector.norm(force.of(k)));
    const most = sizes.reduce((a, b) => (b > a ? b : a), 0);
    const dots = frames.filter((_, i) => sizes[i] > 0.02 * most).map(force.at).filter((at) => at && borelliScene.vector.finite(at)).map(stage.screen);
    const d = dots.map(([x, y]) => "M" + x.toFixed(1) + " " + y.toFixed(1) + "h0.01").join("");
    svg(root, "path", { d, style: "fill:none;stroke-linecap:round;stroke-width:3;stroke:" + colours.ground });
  }
}

// Thin bones in the flesh that muscles let through.
function drawBones(stage, root, poses) {
  for (const { solid, body } of stage.solids) {
    if (solid.kind !== "cone" || !poses[body]) continue;
    const ends = [solid.a, solid.b].map((at) => stage.screen(borelliScene.place(poses[body], at)));
    const length = borelliScene.vector.norm(borelliScene.vector.minus(solid.b, solid.a));
    const width = Math.max(2, 2 * (0.03 * length + 0.004) * stage.scale);
    svg(root, "path", { d: pathText(ends), style: "fill:none;stroke-linecap:round;stroke-width:" + width + ";stroke:" + borelliScene.palette(stage.scheme).bone });
  }
}

// Rods without mass; one that was let go is dashed.
function drawRods(stage, root) {
  const { data, one, frame, figure } = stage;
  const colours = borelliScene.palette(stage.scheme);
  for (const rod of figure.rods) {
    const ends = rod.points.map((where) => borelliScene.spot(data, one, where, frame));
    if (ends.includes(null)) continue;
    const idle = borelliScene.letGo(data, one, "loop." + rod.name, frame);
    const width = Math.max(2, 0.008 * figure.height * stage.scale);
    const pen = idle ? "stroke-width:1.2;stroke-dasharray:3 5;stroke:" + colours.soft : "stroke-linecap:round;stroke-width:" + width + ";stroke:" + colours.text;
    const line = ends.map(stage.screen);
    svg(root, "path", { d: pathText(line), style: "fill:none;" + pen });
    stage.hits.push({ kind: "path", index: -1, label: "Rod " + rod.label, text: idle ? "let go" : "", at: (p) => fromLine(line, p) < width / 2 + 3 });
    rod.points.forEach((where, i) => where[0] === 0 && foot(stage, root, line[i]));
  }
}

// Lines of pull over what they bend around: thicker and stronger in colour with activation, strain or tension.
function drawPaths(stage, root) {
  const { data, one, frame, figure } = stage;
  const { pull, palette } = borelliScene;
  const soft = palette(stage.scheme).soft;
  drawWraps(stage, root, soft);
  figure.paths.forEach((path, i) => {
    const places = pull.places(data, one, i, frame);
    if (!places) return;
    const tone = pull.tone(one, i, frame);
    const width = Math.max(1.6, 2 * pull.radius(tone) * borelliScene.signHeight(data, one) * stage.scale);
    const line = places.map(stage.screen);
    const pen = (wide, colour) => "fill:none;stroke-linejoin:round;stroke-linecap:round;stroke-width:" + wide + ";stroke:" + colour;
    svg(root, "path", { d: pathText(line), style: pen(width + 1, soft) });
    svg(root, "path", { class: "pull " + tone.kind, d: pathText(line), style: pen(width, pull.colour(tone)) });
    stage.drawn.paths.push({ index: i, places, colour: pull.colour(tone) });
    stage.hits.push({ kind: "path", index: i, label: path.label, text: pull.text(one, i, frame), at: (p) => fromLine(line, p) < width / 2 + 3 });
  });
}

// What lines of pull bend around, faintly.
function drawWraps(stage, root, colour) {
  const { data, one, frame, figure } = stage;
  for (const wrap of figure.wraps || []) {
    const pose = borelliScene.drawnPose(data, one, wrap.body, frame);
    if (!pose) continue;
    const group = svg(root, "g", { class: "wrap", style: "stroke-width:0.8;stroke-opacity:0.5;fill-opacity:0.16;fill:" + colour + ";stroke:" + colour });
    for (const solid of wrap.solids) svg(group, "path", { d: solidPicture(stage, { ...solidShape(solid, figure.meshes), solid }, pose).d });
  }
}

// Joints: of machines always, of people by switch; where a joint holds to the world, it stands on a foot. Loops that were let go hold nothing.
function drawJoints(stage, root) {
  const { data, one, frame, figure } = stage;
  const colours = borelliScene.palette(stage.scheme);
  const shown = figure.machine || stage.layers.centers;
  const size = Math.max(2.4, Math.min(6, 0.011 * figure.height * stage.scale));
  const ring = ([x, y], words) => {
    if (shown) svg(root, "circle", { cx: x, cy: y, r: size, style: "stroke-width:1.4;fill:" + colours.stage + ";stroke:" + colours.text });
    stage.hits.push({ ...words, at: (p) => Math.hypot(p[0] - x, p[1] - y) < size + 2 });
  };
  figure.joints.forEach((joint, index) => {
    const at = borelliScene.spot(data, one, joint.child, frame);
    const from = borelliScene.spot(data, one, joint.parent, frame);
    if (!at || !from || borelliScene.floats(joint)) return;
    const [a, b] = [from, at].map(stage.screen);
    // A sliding joint and its rail.
    if (Math.hypot(a[0] - b[0], a[1] - b[1]) > 3) svg(root, "path", { d: pathText([a, b]), style: "fill:none;stroke-width:1.5;stroke-dasharray:5 4;stroke:" + colours.soft });
    if (borelliScene.held(figure, joint)) foot(stage, root, a);
    ring(b, { kind: "joint", index, label: "Joint " + joint.label, text: joint.kind });
  });
  for (const hold of figure.holds) {
    if (borelliScene.letGo(data, one, hold.element, frame)) continue;
    const words = { kind: "joint", index: -1, label: hold.label, text: hold.kind };
    for (const where of [hold.a, hold.b]) {
      const at = where && borelliScene.spot(data, one, where, frame);
      if (!at) continue;
      const [x, y] = stage.screen(at);
      if (where[0] === 0) foot(stage, root, [x, y]);
      if (hold.a === null) svg(root, "path", { d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z`, style: "stroke-width:1.6;fill:" + colours.stage + ";stroke:" + colours.text });
      ring([x, y], words);
    }
  }
}

// The sign of a place that is held by the world: a triangle on three strokes.
function foot(stage, root, [x, y]) {
  const colours = borelliScene.palette(stage.scheme);
  const d = `M${x.toFixed(1)} ${y.toFixed(1)}l-7 11h14zm-10 11h20m-18 0l-4 5m10 -5l-4 5m10 -5l-4 5m10 -5l-4 5`;
  svg(root, "path", { d, style: "stroke-width:1.2;stroke:" + colours.soft + ";fill:" + colours.stage });
}

// Measured markers as balls, fitted ones as rings, with the line between them.
function drawMarkers(stage, root) {
  const { data, one, frame, figure } = stage;
  const colours = borelliScene.palette(stage.scheme);
  const size = Math.max(1.8, 0.006 * figure.height * stage.scale);
  figure.markers.forEach((marker, i) => {
    const of = (one.markers || [])[i];
    const fitted = borelliScene.spot(data, one, marker.at, frame);
    const value = (column) => (column === null || column === undefined ? 0 : one.columns[column].values[frame]);
    const measured = of && of.measured ? of.measured.map(value) : null;
    const [a, b] = [measured && borelliScene.vector.finite(measured) ? stage.screen(measured) : null, fitted ? stage.screen(fitted) : null];
    if (a && b) svg(root, "path", { d: pathText([a, b]), style: "stroke-width:1.2;stroke:" + colours.fitted });
    if (b) svg(root, "circle", { cx: b[0], cy: b[1], r: size, style: "fill:none;stroke-width:1.4;stroke:" + colours.fitted });
    if (a) svg(root, "circle", { cx: a[0], cy: a[1], r: size * 0.8, style: "fill:" + colours.text });
    const at = a || b;
    const off = a && b ? borelliScene.vector.norm(borelliScene.vector.minus(measured, fitted)) : NaN;
    const text = Number.isFinite(off) ? "measured and fitted " + valueText(off * 1000, 3) + " mm apart" : a ? "measured" : "fitted";
    if (at) stage.hits.push({ kind: "marker", index: i, label: "Marker " + marker.label, text, at: (p) => Math.hypot(p[0] - at[0], p[1] - at[1]) < size + 2 });
  });
}

// The usual sign of a mass centre: a circle with two dark quarters; the larger one is that of all bodies.
function drawCentres(stage, root, poses) {
  const colours = borelliScene.palette(stage.scheme);
  const mark = ([x, y], r) => {
    const group = svg(root, "g", { transform: "translate(" + x.toFixed(1) + " " + y.toFixed(1) + ")" });
    svg(group, "circle", { r, style: "stroke-width:1;fill:" + colours.page + ";stroke:" + colours.text });
    svg(group, "path", { d: `M0 0V${-r}A${r} ${r} 0 0 1 ${r} 0H0V${r}A${r} ${r} 0 0 1 ${-r} 0Z`, style: "fill:" + colours.text });
  };
  stage.figure.bodies.forEach((body, b) => b > 0 && body.mass > 0 && poses[b] && mark(stage.screen(borelliScene.place(poses[b], body.center)), 3.4));
  mark(stage.screen(borelliScene.centre(stage.data, stage.one, stage.frame)), 5.5);
}

// Names of bodies beside their mass centres, or below bodies that move each by itself; moved down where they would cover one that stands already.
function drawNames(stage, root, poses) {
  const colours = borelliScene.palette(stage.scheme);
  const taken = [];
  const below = borelliScene.apart(stage.figure);
  const down = borelliScene.vector.scaled(stage.camera.up, -1);
  stage.figure.bodies.forEach((body, b) => {
    if (b === 0 || !poses[b]) return;
    let [x, y] = stage.screen(borelliScene.place(poses[b], body.center));
    const wide = 7 * body.label.length;
    if (below) [x, y] = [x - wide / 2, y + borelliScene.extentAlong(stage.data, stage.one, b, stage.frame, down) * stage.scale + 12];
    while (taken.some(([tx, ty, tw]) => Math.abs(ty - y) < 14 && x < tx + tw && tx < x + wide)) y += 14;
    taken.push([x, y, wide]);
    stage.drawn.words.push({ at: [x + wide / 2, y + 4], half: wide / 2 });
    const style = "paint-order:stroke;stroke-width:3;stroke-linejoin:round;stroke:" + colours.stage + ";fill:" + colours.text;
    svg(root, "text", { x: below ? x + wide / 2 : x + 8, y: y + 4, "text-anchor": below ? "middle" : "start", "font-size": 12, style }, body.label);
  });
}

// Names of lines of pull, where there is room for them.
const MOST_NAMED = 16;
function drawPathNames(stage, root) {
  const drawn = stage.drawn.paths;
  if (drawn.length > MOST_NAMED) return;
  const style = "paint-order:stroke;stroke-width:3;stroke-linejoin:round;stroke:" + borelliScene.palette(stage.scheme).stage + ";fill:" + borelliScene.palette(stage.scheme).text;
  const taken = [];
  for (const { index, places } of drawn) {
    let [x, y] = stage.screen(borelliScene.midway(places));
    const words = stage.figure.paths[index].label;
    while (taken.some(([tx, ty, tw]) => Math.abs(ty - y) < 13 && x < tx + tw && tx < x + 6.5 * words.length)) y += 13;
    taken.push([x, y, 6.5 * words.length]);
    svg(root, "text", { x: x + 8, y: y + 4, "font-size": 11, style }, words);
  }
}

// Arrows of forces over all, so that they shine through the leg.
function drawArrows(stage, root) {
  const colours = borelliScene.palette(stage.scheme);
  const radius = Math.max(1.3, stage.arrowScale.shaft * stage.scale);
  const cuts = [];
  stage.forces.forEach((force, index) => {
    const found = borelliScene.arrow(stage.arrowScale, force, stage.frame);
    if (!found) return;
    const [from, to] = [found.from, found.to].map(stage.screen);
    const colour = colours[force.kind === "joint" ? "joint" : "ground"];
    arrowPath(root, from, to, radius, found.cut, colour);
    if (found.cut) cuts.push({ from, to, colour, words: valueText(found.newtons, 3) + " N" });
    stage.drawn.arrows.push({ label: force.label, from, to, newtons: found.newtons });
    stage.hits.push({ kind: "force", index, label: force.label, text: valueText(found.newtons, 4) + " N", at: (p) => fromLine([from, to], p) < radius + 3 });
  });
  borelliScene.cutPlaces(cuts, stage.drawn.words).forEach(([x, y], i) => {
    const style = "paint-order:stroke;stroke-width:3;stroke-linejoin:round;stroke:" + colours.stage + ";fill:" + cuts[i].colour;
    svg(root, "text", { x, y, "text-anchor": "middle", "font-size": 12, style }, cuts[i].words);
  });
}

// Moments in joints, by switch, over all.
function drawMoments(stage, root) {
  if (!stage.layers.moments) return;
  const { data, one, momentScale } = stage;
  const { moment, palette } = borelliScene;
  const radius = Math.max(1.3, stage.arrowScale.shaft * stage.scale);
  const colour = palette(stage.scheme).moment;
  moment.list(data, one).forEach((own, index) => {
    const arc = moment.arc(data, one, momentScale, own, stage.frame);
    if (!arc) return;
    const dots = arc.places.map(stage.screen);
    const neck = dots.length - 5;
    const style = "fill:none;stroke-opacity:0.85;stroke-linecap:round;stroke-width:" + (1.5 * radius).toFixed(2) + ";stroke:" + colour;
    svg(root, "path", { d: pathText(dots.slice(0, neck + 1)), style });
    arrowPath(root, dots[neck], dots[dots.length - 1], radius, false, colour);
    stage.drawn.moments.push({ label: own.label, text: moment.words(arc.newtonMetres), places: arc.places });
    const near = (p) => dots.slice(1).some((dot, i) => fromLine([dots[i], dot], p) < radius + 3);
    stage.hits.push({ kind: "moment", index, label: own.label, text: moment.words(arc.newtonMetres), at: near });
  });
}

// A solid arrow; one that was cut has a second head apart from the first.
function arrowPath(root, [x1, y1], [x2, y2], radius, cut, colour) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (!(length > 1)) return;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = Math.min(6 * radius, 0.8 * length);
  const at = (along, across) => [x1 + ux * along - uy * across, y1 + uy * along + ux * across];
  const shaft = [at(0, radius), at(length - head, radius), at(length - head, -radius), at(0, -radius)];
  const tip = (end) => pathText([at(end, 0), at(end - head, 2.4 * radius), at(end - head, -2.4 * radius)]) + "Z";
  const d = pathText(shaft) + "Z" + tip(length) + (cut ? tip(length - 1.5 * head) : "");
  svg(root, "path", { d, style: "stroke:none;fill:" + colour });
}
