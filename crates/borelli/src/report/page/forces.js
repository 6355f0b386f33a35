// Arrows of the forces that hold bodies: of joints, loops, rods, guided points and contacts. Moments are not drawn.

// All that can be drawn: where the force acts, what it is at a sample (world axes), whether the ground exerts it, what it is called.
function forcesOf(rig) {
  const { figure, one } = rig;
  const column = (name) => (one.byName.get(name) || {}).values;
  const onto = (spot) => figure.bodies[spot[0]].name;
  const list = [];
  // Parts that a guide leaves free have no column and no force.
  const add = (spot, ground, words, parts, sign) => {
    if (!parts.some(Boolean)) return;
    const of = (k) => parts.map((values) => (values ? (values[k] === null ? null : sign * values[k]) : 0));
    list.push({ at: (k) => spotAt(rig, spot, k), ground, words: words + " on " + onto(spot), of });
  };
  const axes = (prefix) => ["x", "y", "z"].map((axis) => column(prefix + axis));
  for (const joint of figure.joints) {
    if (!FLOATING.includes(joint.kind)) add(joint.child, joint.parent[0] === 0, "force of joint " + joint.name, axes("joint." + joint.name + ".reaction.force."), 1);
  }
  // A loop acts on its place b, and on a the other way; an arrow stands at the one that is no place of the world.
  for (const hold of figure.holds) {
    const turned = hold.b[0] === 0 && hold.a !== null;
    const ground = turned || hold.a === null || hold.a[0] === 0;
    add(turned ? hold.a : hold.b, ground, "force of " + hold.element.replace(".", " "), axes(hold.element + ".reaction."), turned ? -1 : 1);
  }
  for (const rod of figure.rods) addRod(rig, list, rod, column("loop." + rod.name + ".reaction.length"));
  figure.pairs.forEach((pair, i) => addContact(rig, list, pair, one.contacts[i], axes("contact." + pair.name + ".point.")));
  for (const force of list) force.sizes = one.time.map((_, k) => Math.hypot(...force.of(k)));
  return list;
}

// A rod pushes its second end away from its first with the value of its column.
function addRod(rig, list, rod, values) {
  if (!values) return;
  const turned = rod.points[1][0] === 0;
  const [from, to] = turned ? [rod.points[1], rod.points[0]] : rod.points;
  const of = (k) => {
    const [a, b] = [spotAt(rig, from, k), spotAt(rig, to, k)];
    if (!a || !b || values[k] === null) return [null, null, null];
    const line = plus(b, scaled(a, -1));
    const length = Math.hypot(...line);
    return length > 0 ? scaled(line, values[k] / length) : [0, 0, 0];
  };
  list.push({ at: (k) => spotAt(rig, to, k), ground: from[0] === 0, words: "force of rod " + rod.name + " on " + rig.figure.bodies[to[0]].name, of });
}

// A contact pushes its first body, and the second the other way; the arrow is what acts on the one that is not the world.
function addContact(rig, list, pair, force, point) {
  if (!force) return;
  const bodies = [pair.first, pair.second].map((surface) => rig.figure.surfaces[surface].spot[0]);
  const turned = bodies[0] === 0;
  const lists = [force.x, force.y, force.z];
  const of = (k) => lists.map((values) => (values[k] === null ? null : turned ? -values[k] : values[k]));
  const at = (k) => {
    const found = point.map((values) => (values ? values[k] : 0));
    return found.includes(null) ? null : found;
  };
  const words = "force of contact " + pair.name + " on " + rig.figure.bodies[turned ? bodies[1] : bodies[0]].name;
  list.push({ at, ground: bodies.includes(0), words, of, contact: true });
}

// Forces that are chosen, metres of the picture per newton, and where the tips of the arrows are, so that they fit into the
// picture. The force that only 3 % of the samples exceed is a quarter of the figure long: a short blow must not make all others invisible.
function shownForces() {
  const choice = byId("forces").value;
  const list = picture.forces.filter((force) => choice === "all" || (choice === "ground" && force.ground));
  const sizes = list.flatMap((force) => force.sizes).sort((a, b) => a - b);
  const most = sizes[Math.floor(0.97 * (sizes.length - 1))] || sizes[sizes.length - 1];
  if (!(most > 0)) return { list: [] };
  const scale = (0.25 * Math.max(...picture.extent.edges)) / most;
  const tip = (force, k) => {
    const at = force.at(k);
    const now = force.of(k);
    return at && !now.includes(null) ? { at, force: now, end: plus(at, scaled(now, scale)) } : null;
  };
  const room = (found) => plus(found.at, scaled(found.force, scale * Math.min(1, (1.5 * most) / Math.hypot(...found.force))));
  const tips = (k) => list.map((force) => tip(force, k)).filter((found) => found && Math.hypot(...found.force) > 0).map(room);
  return { list, most, scale, tip, tips };
}

function drawForces({ root, screen, k }) {
  const { list, most, scale, tip } = picture.arrows;
  for (const force of list) {
    const found = tip(force, k);
    if (!found) continue;
    const group = svg(root, "g", { style: force.ground ? "" : "opacity:0.75" });
    arrow(group, ...screen(found.at), ...screen(found.end));
    svg(group, "title", {}, force.words + ": " + valueText(Math.hypot(...found.force)) + " N");
  }
  if (list.length) {
    // How long an arrow of a round force is.
    const force = niceAbove(most / 2.5);
    const [x, y] = [picture.width - 14, picture.height - 14];
    arrow(root, x - force * scale * picture.scale, y, x, y);
    svg(root, "text", { x, y: y - 8, "text-anchor": "end", "font-size": 12, class: "halo" }, valueText(force) + " N");
  }
}

function arrow(root, x1, y1, x2, y2) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (!(length > 1.5)) return;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = Math.min(10, 0.6 * length);
  const [bx, by] = [x2 - ux * head, y2 - uy * head];
  const style = "stroke:var(--force);stroke-width:2.6;fill:var(--force)";
  svg(root, "line", { x1, y1, x2: bx, y2: by, style });
  const tip = [[x2, y2], [bx - uy * head * 0.42, by + ux * head * 0.42], [bx + uy * head * 0.42, by - ux * head * 0.42]];
  svg(root, "path", { d: pathText(tip) + "Z", style: "fill:var(--force)" });
}
