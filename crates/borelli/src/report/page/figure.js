// The moving figure: draws one sample of the current case into the stage. Knows nothing of time going on (page.js does that).

const VIEWS = { oblique: [0.6, 0.25], side: [0, 0], front: [Math.PI / 2, 0], top: [0, Math.PI / 2] };
// Everything about the picture that does not change from sample to sample.
const picture = { rig: null, yaw: VIEWS.oblique[0], pitch: VIEWS.oblique[1], width: 800, height: 480, scale: 1, zoom: 1, shift: [0, 0] };

// Called when the case changes: new geometry, new list of traces.
function figureCase() {
  const rig = (picture.rig = makeRig(current()));
  const stage = byId("stage");
  stage.replaceChildren();
  stage.classList.toggle("turnable", !rig.figure.planar);
  byId("views").hidden = rig.figure.planar;
  byId("drawn").hidden = byId("figure-key").hidden = !rig.visible;
  if (!rig.visible) {
    html(stage, "p", { class: "fine" }, "The samples hold no poses of bodies, so nothing can be drawn; the plots show what there is.");
    return;
  }
  const label = "Moving figure of " + (rig.figure.bodies.length - 1) + " bodies; play, pause and scrub with the controls below";
  picture.svg = svg(stage, "svg", { role: "img", "aria-label": label });
  // Of many bodies the rings would hide the limbs between them.
  picture.ring = rig.figure.bodies.length > 11 ? 2.5 : 4;
  picture.forces = forcesOf(rig);
  picture.tensions = rig.figure.paths.map((path) => (rig.one.byName.get("path." + path.name + ".force") || {}).values || null);
  picture.mostTension = largest(picture.tensions.flatMap((list) => list || []));
  fillTraces(rig);
  figureLayout();
}

const largest = (list) => list.reduce((most, x) => (x === null ? most : Math.max(most, Math.abs(x))), 0);

// What can leave a trace: the common mass centre, centres and named points of bodies.
function fillTraces(rig) {
  const select = byId("trace");
  const before = select.value;
  select.replaceChildren();
  picture.traces = [{ name: "nothing", at: null }, { name: "mass centre of all", at: (k) => centerAt(rig, k) }];
  rig.figure.bodies.forEach((body, b) => {
    if (b === 0 || !rig.poses[b]) return;
    const add = (name, at) => picture.traces.push({ name, at: (k) => spotAt(rig, [b, ...at], k) });
    add(body.name + ", mass centre", body.center);
    body.points.forEach((point) => add(body.name + "." + point.name, point.at));
    const line = body.outline[0];
    if (body.shape === "inertia" && line && line.length === 2) add(body.name + ", far end", line[1]);
  });
  picture.traces.forEach((trace) => html(select, "option", { value: trace.name }, trace.name));
  if (picture.traces.some((trace) => trace.name === before)) select.value = before;
}

// Called when the window or a switch changes: what must fit into the picture.
function figureLayout() {
  const { rig } = picture;
  if (!rig.visible) return;
  picture.follow = byId("follow").checked;
  picture.extent = extentOf(rig, picture.follow, null);
  picture.arrows = shownForces();
  if (picture.arrows.list.length) picture.extent = extentOf(rig, picture.follow, picture.arrows.tips);
  figureView();
  figureKey();
}

// Called when the view is turned: size and scale of the picture.
function figureView() {
  const { figure } = picture.rig;
  picture.camera = makeCamera(figure, picture.yaw, picture.pitch);
  // A figure that is followed needs room around it, in which the world can be seen to pass.
  const size = sizeOf(figure, picture.extent.edges, picture.pitch).map((x) => (picture.follow ? 1.6 * x : x));
  picture.width = byId("stage").clientWidth || 800;
  const room = Math.max(260, Math.min(560, window.innerHeight * 0.62, picture.width));
  const margin = 46;
  const wanted = ((picture.width - 2 * margin) * size[1]) / size[0] + 2 * margin;
  picture.height = Math.round(figure.planar ? Math.max(260, Math.min(room, wanted)) : room);
  picture.scale = picture.zoom * Math.min((picture.width - 2 * margin) / size[0], (picture.height - 2 * margin) / size[1]);
  picture.svg.setAttribute("viewBox", "0 0 " + picture.width + " " + picture.height);
  picture.svg.setAttribute("height", picture.height);
  figureDraw();
}

// Draws the current sample.
function figureDraw() {
  const { rig, camera } = picture;
  if (!rig || !rig.visible) return;
  const k = state.frame;
  const project = (p) => [dot(camera.right, p), dot(camera.up, p)];
  let middle = project(picture.extent.middle);
  if (picture.follow) middle = plus(middle, project(centerAt(rig, k) || [0, 0, 0]));
  const screen = (p) => {
    const [u, v] = project(p);
    return [picture.width / 2 + picture.shift[0] + (u - middle[0]) * picture.scale, picture.height / 2 + picture.shift[1] - (v - middle[1]) * picture.scale];
  };
  const root = svg(null, "g", {});
  const pen = { root, screen, k, rig };
  drawGround(pen);
  drawHalfSpaces(pen);
  if (byId("ghosts").checked) drawGhosts(pen);
  drawTrace(pen);
  drawSurfaces(pen, k, 1);
  rig.figure.bodies.forEach((_, b) => b > 0 && drawBody(pen, b, k, 1));
  drawRods(pen);
  drawPaths(pen);
  drawJoints(pen);
  if (byId("centers").checked) drawCenters(pen);
  drawHolds(pen);
  drawForces(pen);
  if (byId("names").checked) drawNames(pen);
  drawMargin(pen);
  picture.svg.replaceChildren(root);
}

const pathText = (points) => points.map((p, i) => (i ? "L" : "M") + p[0].toFixed(2) + " " + p[1].toFixed(2)).join("");

// The height zero of the world where there is gravity and no half-space: a line, or a grid in space. Fixed points of the world as small squares.
function drawGround(pen) {
  const { root, screen, rig } = pen;
  if (picture.follow && rig.figure.planar) drawMarks(pen);
  for (const point of rig.figure.bodies[0].points) {
    const [x, y] = screen(point.at);
    const square = svg(root, "rect", { x: x - 3, y: y - 3, width: 6, height: 6, style: "fill:var(--soft)" });
    svg(square, "title", {}, "world." + point.name);
  }
  if (!rig.figure.gravity || hasGround(rig)) return;
  const group = svg(root, "g", { class: "ground" });
  if (rig.figure.planar) {
    const y = screen([0, 0, 0])[1];
    if (y < -1 || y > picture.height + 1) return;
    // Ground only where nothing goes below it; else a mere mark of height.
    const solid = picture.extent.low >= -0.03 * Math.max(...picture.extent.edges);
    if (solid) svg(group, "rect", { x: 0, y, width: picture.width, height: Math.max(0, Math.min(7, picture.height - y)), style: "fill:var(--line);opacity:0.6" });
    svg(group, "line", { x1: 0, x2: picture.width, y1: y, y2: y, style: solid ? "stroke:var(--soft);stroke-width:1.5" : "stroke:var(--line);stroke-dasharray:6 5" });
    const words = rig.figure.up[1] === 1 ? "height 0 (y = 0)" : "height 0";
    svg(group, "text", { x: picture.width - 6, y: y - 5, "text-anchor": "end", "font-size": 11, class: "soft halo" }, words);
    return;
  }
  drawPlaneGrid(pen, group, rig.figure.up, [0, 0, 0], true, false);
}

// Lines of the world behind a planar figure that is followed, so that one sees it travel.
function drawMarks({ root, screen }) {
  const group = svg(root, "g", { "font-size": 11 });
  const origin = screen([0, 0, 0]);
  const step = niceAbove(90 / picture.scale);
  const lines = (from, length, sign, draw) => {
    const ends = [(sign * (0 - from)) / picture.scale, (sign * (length - from)) / picture.scale];
    for (const at of ticks(Math.min(...ends), Math.max(...ends), Math.abs(ends[1] - ends[0]) / step).values) draw(from + sign * at * picture.scale, lengthText(Math.abs(at)).replace(/^/, at < 0 ? "\u2212" : ""));
  };
  const style = "stroke:var(--line);stroke-width:1";
  lines(origin[0], picture.width, 1, (x, words) => {
    svg(group, "line", { x1: x, x2: x, y1: 0, y2: picture.height, style });
    svg(group, "text", { x: x + 4, y: picture.height - 34, class: "soft" }, words);
  });
  lines(origin[1], picture.height, -1, (y, words) => {
    svg(group, "line", { x1: 0, x2: picture.width, y1: y, y2: y, style });
    svg(group, "text", { x: picture.width - 4, y: y - 4, "text-anchor": "end", class: "soft" }, words);
  });
}

// Faint poses spread over the whole time.
function drawGhosts(pen) {
  const times = pen.rig.one.time;
  const group = svg(pen.root, "g", { opacity: 0.16 });
  const count = 8;
  for (let i = 0; i < count; i++) {
    const t = times[0] + ((times[times.length - 1] - times[0]) * i) / (count - 1);
    const k = nearestFrame(times, t);
    drawSurfaces({ ...pen, root: group }, k, 0.7);
    pen.rig.figure.bodies.forEach((_, b) => b > 0 && drawBody({ ...pen, root: group }, b, k, 0.7));
  }
}

// The chosen trace: faint over the whole time, strong up to now.
function drawTrace({ root, screen, rig, k }) {
  const trace = picture.traces[byId("trace").selectedIndex];
  if (!trace || !trace.at) return;
  const points = rig.one.time.map((_, i) => trace.at(i)).map((p) => p && screen(p));
  const line = (list, style) => svg(root, "path", { d: pathText(list.filter(Boolean)), style: "fill:none;stroke:var(--accent);" + style });
  line(points, "stroke-width:1;opacity:0.45");
  line(points.slice(0, k + 1), "stroke-width:2");
}

// The outline of a body: limbs thick, shapes filled.
function drawBody({ root, screen, rig }, b, k, weight) {
  const pose = poseAt(rig, b, k);
  if (!pose) return;
  const body = rig.figure.bodies[b];
  const group = svg(root, "g", {});
  svg(group, "title", {}, body.name);
  for (const stay of weight === 1 ? body.stays : []) {
    const ends = stay.map((at) => screen(place(pose, at)));
    svg(group, "path", { d: pathText(ends), style: "fill:none;stroke-width:1.5;stroke:" + colour(b - 1) });
  }
  for (const line of body.outline) {
    const points = line.map((at) => screen(place(pose, at)));
    const closed = line.length > 2;
    const limb = !closed && !(body.shape === "inertia" && body.outline.length > 1);
    // Thick limbs would hide the surfaces at their ends.
    const thick = rig.surfaces.some((surface) => surface.spot[0] === b && surface.support) ? 3.5 : rig.figure.planar ? 8 : 6;
    const width = (limb ? thick : 2.5) * weight;
    const fill = closed ? "fill:" + colour(b - 1) + ";fill-opacity:0.16" : "fill:none";
    const style = "stroke:" + colour(b - 1) + ";stroke-width:" + width + ";stroke-linecap:round;stroke-linejoin:round;" + fill;
    svg(group, "path", { d: pathText(points), style: style + (limb ? ";stroke-opacity:0.8" : "") });
  }
  if (weight === 1) {
    for (const point of body.points) {
      const [x, y] = screen(place(pose, point.at));
      const dotted = svg(group, "circle", { cx: x, cy: y, r: 2.2, style: "fill:var(--ink)" });
      svg(dotted, "title", {}, body.name + "." + point.name);
    }
  }
}

// Rods without mass; one that was let go is drawn dashed.
function drawRods({ root, screen, rig, k }) {
  for (const rod of rig.figure.rods) {
    const ends = rod.points.map((spot) => spotAt(rig, spot, k));
    if (ends.includes(null)) continue;
    const idle = letGo(rig, "loop." + rod.name, k);
    const pen = idle ? "stroke:var(--soft);stroke-width:1.2;stroke-dasharray:3 5" : "stroke:var(--ink);stroke-width:3;stroke-linecap:round";
    const line = svg(root, "path", { d: pathText(ends.map(screen)), style: "fill:none;" + pen });
    svg(line, "title", {}, "rod " + rod.name + (idle ? ", let go" : ""));
    rod.points.forEach((spot) => held(root, screen, rig, spot, k, "end of rod " + rod.name));
  }
}

// Lines of pull: thicker and redder with tension, blue when they push, grey without force.
function drawPaths({ root, screen, rig, k }) {
  rig.figure.paths.forEach((path, i) => {
    const points = path.points.map((spot) => spotAt(rig, spot, k));
    if (points.includes(null)) return;
    const tension = picture.tensions[i] ? picture.tensions[i][k] : null;
    const part = tension && picture.mostTension > 0 ? Math.abs(tension) / picture.mostTension : 0;
    const line = svg(root, "path", { d: pathText(points.map(screen)), fill: "none", "stroke-width": 1.8 + 3.2 * part, "stroke-linejoin": "round" });
    line.style.stroke = "var(--soft)";
    if (part > 0) line.style.stroke = "color-mix(in srgb, var(--" + (tension > 0 ? "pull" : "push") + ") " + Math.round(40 + 60 * part) + "%, var(--soft))";
    svg(line, "title", {}, path.name + (tension === null ? "" : ": " + valueText(tension) + " N"));
  });
}

// Joints; those on the ground with a foot, sliding ones with their rail.
function drawJoints({ root, screen, rig, k }) {
  for (const joint of rig.figure.joints) {
    const at = spotAt(rig, joint.child, k);
    if (!at || FLOATING.includes(joint.kind)) continue;
    const [x, y] = screen(at);
    const from = spotAt(rig, joint.parent, k);
    if (from) {
      const [fx, fy] = screen(from);
      if (Math.hypot(fx - x, fy - y) > 3) {
        svg(root, "line", { x1: fx, y1: fy, x2: x, y2: y, style: "stroke:var(--soft);stroke-width:1.5;stroke-dasharray:5 4" });
      }
      if (joint.parent[0] === 0) foot(root, fx, fy);
    }
    ring(root, x, y, "joint " + joint.name + " (" + joint.kind + ")");
  }
}

// Loops: a ring on each of the two places, which are one. Guided points as diamonds. What was let go holds nothing.
function drawHolds({ root, screen, rig, k }) {
  for (const hold of rig.figure.holds) {
    if (letGo(rig, hold.element, k)) continue;
    const words = hold.element.replace(".", " ") + " (" + hold.kind + ")";
    const at = spotAt(rig, hold.b, k);
    if (hold.a === null) {
      if (at) diamond(root, ...screen(at), words);
      continue;
    }
    for (const spot of [hold.a, hold.b]) held(root, screen, rig, spot, k, words);
  }
}

// The end of a loop: a ring, with a foot where it is a place of the world.
function held(root, screen, rig, spot, k, words) {
  const at = spotAt(rig, spot, k);
  if (!at) return;
  const [x, y] = screen(at);
  if (spot[0] === 0) foot(root, x, y);
  ring(root, x, y, words);
}

function ring(root, x, y, words) {
  const circle = svg(root, "circle", { cx: x, cy: y, r: picture.ring, style: "fill:var(--paper);stroke:var(--ink);stroke-width:" + 0.45 * picture.ring });
  if (words) svg(circle, "title", {}, words);
}

function diamond(root, x, y, words) {
  const mark = svg(root, "path", { d: `M${x} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5z`, style: "fill:var(--paper);stroke:var(--ink);stroke-width:1.8" });
  if (words) svg(mark, "title", {}, words);
}

const foot = (root, x, y) => svg(root, "path", { d: footText(x, y), style: "fill:var(--stage);stroke:var(--ink);stroke-width:1.4" });

// A triangle standing on three strokes.
const footText = (x, y) => `M${x} ${y}l-8 12h16zm-11 12h22m-20 0l-4 5m11 -5l-4 5m11 -5l-4 5m11 -5l-4 5`;

function drawCenters({ root, screen, rig, k }) {
  rig.figure.bodies.forEach((body, b) => {
    const pose = b > 0 && body.mass > 0 && poseAt(rig, b, k);
    if (!pose) return;
    const [x, y] = screen(place(pose, body.center));
    centerMark(root, x, y, "mass centre of " + body.name + ", " + valueText(body.mass) + " kg");
  });
}

// The usual sign: a circle with two dark quarters.
function centerMark(root, x, y, words) {
  const group = svg(root, "g", { transform: "translate(" + x + " " + y + ")" });
  svg(group, "circle", { r: 4.6, style: "fill:var(--paper);stroke:var(--ink);stroke-width:1.2" });
  svg(group, "path", { d: "M0 0V-4.6A4.6 4.6 0 0 1 4.6 0zM0 0V4.6A4.6 4.6 0 0 1 -4.6 0z", style: "fill:var(--ink)" });
  if (words) svg(group, "title", {}, words);
}

function drawNames({ root, screen, rig, k }) {
  const group = svg(root, "g", { "font-size": 12, class: "names" });
  rig.figure.bodies.forEach((body, b) => {
    const pose = b > 0 && poseAt(rig, b, k);
    if (!pose) return;
    const [x, y] = screen(place(pose, body.center));
    svg(group, "text", { x: x + 10, y: y + 4, class: "halo", style: "fill:" + colour(b - 1) }, body.name);
  });
  rig.figure.paths.forEach((path) => {
    const ends = path.points.slice(0, 2).map((spot) => spotAt(rig, spot, k));
    if (ends.includes(null)) return;
    const [x, y] = screen(scaled(plus(ends[0], ends[1]), 0.5));
    // A name beside a line shorter than itself hides more than it tells.
    const [a, b] = ends.map(screen);
    if (Math.hypot(a[0] - b[0], a[1] - b[1]) < 50) return;
    svg(group, "text", { x: x - 8, y, "text-anchor": "end", class: "halo soft" }, path.name);
  });
}

// Time, scale bar and, in space, the directions of the axes.
function drawMargin({ root }) {
  svg(root, "text", { x: 14, y: 26, "font-size": 17, "font-weight": 600, class: "halo", id: "figure-time" }, "t = " + timeText(current().time[state.frame]));
  const length = niceAbove((0.11 * picture.width) / picture.scale);
  const [x, y] = [14, picture.height - 14];
  svg(root, "path", { d: `M${x} ${y - 5}v5h${length * picture.scale}v-5`, style: "fill:none;stroke:var(--ink);stroke-width:1.6" });
  svg(root, "text", { x: x + (length * picture.scale) / 2, y: y - 5, "text-anchor": "middle", "font-size": 12, class: "halo" }, lengthText(length));
  if (picture.rig.figure.planar) return;
  const [ox, oy] = [picture.width - 46, 50];
  ["X", "Y", "Z"].forEach((name, i) => {
    const axis = [0, 0, 0];
    axis[i] = 1;
    const [dx, dy] = [dot(picture.camera.right, axis) * 28, -dot(picture.camera.up, axis) * 28];
    const style = "stroke:" + colour([1, 2, 0][i]) + ";stroke-width:2.5";
    svg(root, "line", { x1: ox, y1: oy, x2: ox + dx, y2: oy + dy, style });
    svg(root, "text", { x: ox + dx * 1.35, y: oy + dy * 1.35 + 4, "text-anchor": "middle", "font-size": 12 }, name);
  });
}

// What the symbols mean, only those that are drawn.
function figureKey() {
  const key = byId("figure-key");
  key.replaceChildren();
  const { figure } = picture.rig;
  const item = (words, draw) => {
    const entry = html(key, "li", {});
    draw(svg(entry, "svg", { width: 30, height: 16, viewBox: "0 0 30 16", "aria-hidden": "true" }));
    entry.append(words);
  };
  const stroke = (name, width) => (root) => svg(root, "line", { x1: 2, y1: 8, x2: 28, y2: 8, style: "stroke:var(--" + name + ");stroke-width:" + width });
  const joints = figure.joints.filter((joint) => !FLOATING.includes(joint.kind));
  const loops = figure.holds.filter((hold) => hold.a !== null).map((hold) => [hold.a, hold.b]).concat(figure.rods.map((rod) => rod.points));
  if (joints.length || loops.length) item(loops.length ? "joint, or places that a loop connects" : "joint", (root) => ring(root, 15, 8));
  if (joints.some((joint) => joint.parent[0] === 0) || loops.some((ends) => ends.some((spot) => spot[0] === 0))) {
    item("joint on the ground", (root) => svg(root, "path", { d: footText(15, 1).replace("l-8 12", "l-6 9").replace("h16zm-11 12", "h12zm-9 9").replace("h22m-20 0", "h18m-16 0"), style: "fill:none;stroke:var(--ink);stroke-width:1.2" }));
  }
  if (byId("centers").checked) item("mass centre", (root) => centerMark(root, 15, 8));
  if (picture.arrows.list.length) {
    const contacts = picture.arrows.list.some((force) => force.contact);
    const held = picture.arrows.list.some((force) => !force.contact);
    const words = "force of a joint" + (loops.length ? " or loop" : "") + (figure.holds.length > loops.length - figure.rods.length ? " or guide" : "");
    const kinds = [held && words + " on the body it carries", contacts && (held ? "of a contact where it acts" : "force of a contact where it acts")];
    item(kinds.filter(Boolean).join(", ") + "; moments are not drawn", (root) => arrow(root, 2, 8, 28, 8));
  }
  const bounded = figure.surfaces.filter((surface) => surface.kind !== "half-space");
  if (bounded.length) {
    const words = figure.pairs.length ? "surface of contact, stronger while it touches" : "surface";
    item(words, (root) => svg(root, "circle", { cx: 15, cy: 8, r: 6.5, style: "fill:var(--soft);fill-opacity:0.2;stroke:var(--soft);stroke-width:1.6" }));
  }
  if (bounded.length < figure.surfaces.length) {
    item("half-space, hatched on its solid side", (root) => svg(root, "path", { d: "M2 5h26M8 5l-4 6M14 5l-4 6M20 5l-4 6M26 5l-4 6", style: "fill:none;stroke:var(--soft);stroke-width:1.4" }));
  }
  if (figure.holds.some((hold) => hold.a === null)) item("guided point", (root) => diamond(root, 15, 8));
  if (figure.rods.length) item("rod without mass, dashed once it is let go", stroke("ink", 3));
  if (figure.paths.length) {
    if (picture.mostTension > 0) {
      item("line of pull under tension, at most " + valueText(picture.mostTension) + " N", stroke("pull", 4));
      if (picture.tensions.some((list) => list && list.some((x) => x < 0))) item("line that pushes", stroke("push", 4));
    }
    const kinds = [picture.tensions.some((list) => list && list.some((x) => !x)) && "without force", picture.tensions.some((list) => !list) && "whose force is not recorded"];
    if (kinds.some(Boolean)) item("line of pull " + kinds.filter(Boolean).join(", or "), stroke("soft", 1.8));
  }
  if (figure.bodies.some((body, b) => b > 0 && body.shape === "inertia")) {
    html(key, "li", {}, "A body with one place only is drawn as a uniform rod, disc or box of its mass and moments of inertia.");
  }
}
