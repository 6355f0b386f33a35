// What both stages share: reading the data, poses, forces with the scale of their arrows, framing, colours. No page is needed: plain
// functions of decoded data. A case may be given by its index or as the object itself. Places are world axes, m; rotations nine numbers by rows.

globalThis.borelliScene = (() => {
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const norm = (a) => Math.hypot(a[0], a[1], a[2]);
  const unitOf = (a) => scaled(a, 1 / norm(a));
  const finite = (a) => Number.isFinite(a[0]) && Number.isFinite(a[1]) && Number.isFinite(a[2]);
  const turned = (R, a) => [R[0] * a[0] + R[1] * a[1] + R[2] * a[2], R[3] * a[0] + R[4] * a[1] + R[5] * a[2], R[6] * a[0] + R[7] * a[1] + R[8] * a[2]];
  // The same vector in the axes that R turns from.
  const turnedBack = (R, a) => [R[0] * a[0] + R[3] * a[1] + R[6] * a[2], R[1] * a[0] + R[4] * a[1] + R[7] * a[2], R[2] * a[0] + R[5] * a[1] + R[8] * a[2]];

  // ---- Data

  const KINDS = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array };

  // Numbers packed as base64, little endian like the memory of every machine that runs browsers.
  function unpack(text, Kind) {
    if (Uint8Array.fromBase64) return new Kind(Uint8Array.fromBase64(text).buffer);
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
    return new Kind(bytes.buffer);
  }

  // The same tree with every packed list as a typed array.
  function unpacked(value) {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.length && typeof value[0] === "number" ? value : value.map(unpacked);
    const keys = Object.keys(value);
    if (keys.length === 1 && KINDS[keys[0]] && typeof value[keys[0]] === "string") return unpack(value[keys[0]], KINDS[keys[0]]);
    for (const key of keys) value[key] = unpacked(value[key]);
    return value;
  }

  // From the parsed JSON of the page to what the stages and plots use. Cases also find their columns by name.
  function decode(json) {
    const data = unpacked(json);
    for (const one of data.cases) one.byName = new Map(one.columns.map((column) => [column.name, column]));
    return data;
  }

  const caseOf = (data, one) => (typeof one === "number" ? data.cases[one] : one);
  const figureOf = (data, one) => data.figures[caseOf(data, one).figure];

  // ---- Places

  const STILL = { p: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1] };

  // Position and rotation of a body at a frame; null where the samples do not tell.
  function pose(data, one, body, frame) {
    if (body === 0) return STILL;
    const { pose: poses, columns } = caseOf(data, one);
    const of = poses[body];
    if (!of) return null;
    const value = (index) => (index === null || index === undefined ? 0 : columns[index].values[frame]);
    const p = [value(of.at[0]), value(of.at[1]), value(of.at[2])];
    if (!finite(p)) return null;
    if (of.turn) {
      const [w, x, y, z] = of.turn.map(value);
      const R = [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
      ];
      return Number.isFinite(w + x + y + z) ? { p, R } : null;
    }
    const angle = value(of.angle);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return Number.isFinite(angle) ? { p, R: [c, -s, 0, s, c, 0, 0, 0, 1] } : null;
  }

  // The pose as drawn: sides of a planar figure stand out of its plane, so that the near leg hides the far one.
  function drawnPose(data, one, body, frame) {
    const found = pose(data, one, body, frame);
    const depth = body > 0 ? figureOf(data, one).bodies[body].depth : 0;
    return found && depth ? { p: [found.p[0], found.p[1], found.p[2] + depth], R: found.R } : found;
  }

  const place = (at, point) => plus(at.p, turned(at.R, point));

  // A spot [body, x, y, z] at a frame.
  function spot(data, one, where, frame) {
    const found = pose(data, one, where[0], frame);
    return found && place(found, [where[1], where[2], where[3]]);
  }

  // The mass centre of all bodies whose pose is known.
  function centre(data, one, frame) {
    let [sum, mass] = [[0, 0, 0], 0];
    figureOf(data, one).bodies.forEach((body, b) => {
      const found = b > 0 && body.mass > 0 && pose(data, one, b, frame);
      if (!found) return;
      sum = plus(sum, scaled(place(found, body.center), body.mass));
      mass += body.mass;
    });
    return mass > 0 ? scaled(sum, 1 / mass) : [0, 0, 0];
  }

  // Places of joints (on their children) and of the origins of bodies, as the model has them.
  function positions(data, one, frame) {
    const figure = figureOf(data, one);
    return {
      joints: figure.joints.map((joint) => spot(data, one, joint.child, frame)),
      bodies: figure.bodies.map((_, b) => (pose(data, one, b, frame) || { p: null }).p),
    };
  }

  // Joints that hold a body nowhere: their place is an origin, not an end of anything.
  const floats = (joint) => joint.kind === "free" || joint.kind === "planar";

  // Whether the world holds a place of a figure by a joint: not where it floats or slides, nor where a body without weight and neighbours turns about
  // its mass centre, which nothing needs to hold.
  function held(figure, joint) {
    if (joint.parent[0] !== 0 || floats(joint) || joint.kind === "slider") return false;
    const b = joint.child[0];
    const off = norm(minus(joint.child.slice(1), figure.bodies[b].center));
    if (figure.gravity || off > 1e-6 * figure.height) return true;
    const meets = (spot) => Boolean(spot) && spot[0] === b;
    const spots = [...figure.paths, ...figure.rods].flatMap((line) => line.points).concat(figure.holds.flatMap((hold) => [hold.a, hold.b]), figure.surfaces.map((surface) => surface.spot));
    return spots.some(meets) || figure.joints.some((other) => meets(other.parent));
  }

  // An instant in words: time with the decimals that its samples need, or how much of a load acts.
  function instantText(one, t) {
    const { time } = one;
    if (borelliScene.soft.loaded(one)) return Number((100 * t).toPrecision(4)) + " % of the load";
    const span = time[time.length - 1] - time[0];
    const decimals = span > 0 ? Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(span) + 1e-9))) : 3;
    return t.toFixed(decimals).replace("-", "\u2212") + " s";
  }
  const clockText = (one, t) => (borelliScene.soft.loaded(one) ? "" : "t = ") + instantText(one, t);

  // Whether an event up to a frame has released a loop, rod or guide.
  function letGo(data, one, element, frame) {
    const { events, time } = caseOf(data, one);
    return events.some((event) => event.action === "release " + element && event.time <= time[frame]);
  }

  // Whether lines of pull are muscles or ligaments, inside the flesh: springs and cords that hold to the world are seen without.
  const muscular = (figure) => figure.paths.some((path) => Boolean(path.element) || (!figure.machine && path.points.every((where) => where[0] > 0)));

  // Whether any frame of a case shows a body or a soft part.
  const visible = (data, one) => caseOf(data, one).time.length > 0 && (Boolean(caseOf(data, one).soft) || caseOf(data, one).pose.some((pose, b) => b > 0 && pose));

  // Whether a surface touches another at a frame.
  function touches(data, one, surface, frame) {
    const { contacts, columns, softContacts } = caseOf(data, one);
    if ((softContacts || []).some((own) => own.surface === surface && columns[own.column].values[frame] > 0)) return true;
    return figureOf(data, one).pairs.some((pair, i) => {
      if (!contacts[i] || (pair.first !== surface && pair.second !== surface)) return false;
      return contacts[i].force.some((part) => Math.abs(part[frame]) > 0);
    });
  }

  // ---- Forces

  // All forces that can be drawn: `at` where, `of` what (N) at a frame; `moves` where the place wanders over the ground and leaves a trail.
  function forces(data, one) {
    const it = caseOf(data, one);
    return it.forces || (it.forces = beyondRounding(it, forceList(data, it)));
  }

  // What balances to zero leaves a rest of rounding, which would fill the picture with arrows of nothing; the largest force of the case tells.
  const ROUNDING = 1e-9;

  function beyondRounding(it, list) {
    const size = (column) => (column.unit === "N" ? Math.max(Math.abs(column.low || 0), Math.abs(column.high || 0)) : 0);
    const least = ROUNDING * it.columns.reduce((most, column) => Math.max(most, size(column)), 0);
    return list.filter((force) => it.time.some((_, k) => norm(force.of(k)) > least));
  }

  function forceList(data, it) {
    const figure = figureOf(data, it);
    const list = [];
    const column = (name) => (it.byName.get(name) || {}).values;
    const axes = (prefix) => ["x", "y", "z"].map((axis) => column(prefix + axis));
    const add = (kind, words, body, at, of, moves) => {
      const { label, side } = figure.bodies[body];
      // A ground that is no contact holds the figure as a saddle or a pin does.
      const support = kind === "ground" && !moves;
      list.push({ label: words + " on " + label, kind, support, side: side || null, body, at, of, moves: Boolean(moves) });
    };
    // Parts that a guide leaves free have no column and no force.
    const reaction = (kind, words, where, parts, sign) => {
      if (parts.some(Boolean)) add(kind, words, where[0], (k) => spot(data, it, where, k), (k) => parts.map((values) => (values ? sign * values[k] : 0)));
    };
    for (const joint of figure.joints) {
      const kind = joint.parent[0] === 0 ? "ground" : "joint";
      if (!floats(joint)) reaction(kind, "Force of joint " + joint.label, joint.child, axes("joint." + joint.name + ".reaction.force."), 1);
    }
    // A loop acts on its place b, and on a the other way; an arrow stands at the one that is no place of the world.
    for (const hold of figure.holds) {
      const back = hold.b[0] === 0 && hold.a !== null;
      const kind = back || hold.a === null || hold.a[0] === 0 ? "ground" : "joint";
      reaction(kind, "Force of " + hold.label, back ? hold.a : hold.b, axes(hold.element + ".reaction."), back ? -1 : 1);
    }
    for (const rod of figure.rods) addRod(rod, column("loop." + rod.name + ".reaction.length"));
    figure.pairs.forEach((pair, i) => it.contacts[i] && addContact(pair, it.contacts[i]));
    const at = (indices, k) => indices.map((index) => (index === null || index === undefined ? 0 : it.columns[index].values[k]));
    for (const load of it.loads || []) add("load", "Measured force " + load.label, load.body, (k) => at(load.point, k), (k) => at(load.force, k), true);
    return list;

    // A rod pushes its second end away from its first with the value of its column.
    function addRod(rod, values) {
      if (!values) return;
      const [from, to] = rod.points[1][0] === 0 ? [rod.points[1], rod.points[0]] : rod.points;
      const of = (k) => {
        const [a, b] = [spot(data, it, from, k), spot(data, it, to, k)];
        const line = a && b ? minus(b, a) : [NaN, NaN, NaN];
        return norm(line) > 0 ? scaled(line, values[k] / norm(line)) : line;
      };
      add(from[0] === 0 ? "ground" : "joint", "Force of rod " + rod.label, to[0], (k) => spot(data, it, to, k), of);
    }

    // A contact pushes its first body, and the second the other way; the arrow is what acts on the one that is not the world.
    function addContact(pair, { force, point }) {
      const bodies = [pair.first, pair.second].map((surface) => figure.surfaces[surface].spot[0]);
      const [body, sign] = bodies[0] === 0 ? [bodies[1], -1] : [bodies[0], 1];
      const of = (k) => force.map((values) => sign * values[k]);
      // What is no plane of the world is no ground: a condyle of a thigh that is the world.
      const onGround = [pair.first, pair.second].some((surface) => figure.surfaces[surface].spot[0] === 0 && figure.surfaces[surface].kind === "half-space");
      add(onGround ? "ground" : "contact", "Force of contact " + pair.label, body, (k) => point.map((values) => values[k]), of, true);
    }
  }

  // Those that a set of layers shows.
  function shownForces(list, layers) {
    return list.filter((force) => (force.kind === "joint" ? layers.jointForces : layers.forces));
  }

  const framesOf = (frames) => (typeof frames === "number" ? Array.from({ length: frames }, (_, k) => k) : frames);

  // Lengths of arrows: the force that only 5 % of all (over 1 % of the largest) exceed is 0.45 H long, so that a short blow does not make all
  // others invisible. `longest` and `hideBelow` are lengths in m, `shaft` the radius of arrows; `frames` is how many, or a list of them.
  function forceScale(list, H, frames) {
    const sizes = [];
    for (const k of framesOf(frames)) {
      for (const force of list) {
        const size = norm(force.of(k));
        if (size > 0) sizes.push(size);
      }
    }
    const most = sizes.reduce((a, b) => Math.max(a, b), 0);
    const counted = sizes.filter((size) => size > 0.01 * most).sort((a, b) => a - b);
    const f95 = counted.length ? counted[Math.floor(0.95 * (counted.length - 1))] : 0;
    const metresPerNewton = f95 > 0 ? (0.45 * H) / f95 : 0;
    const shaft = 0.0065 * H;
    return { f95, most, metresPerNewton, legendNewtons: f95 > 0 ? roundNear(0.55 * f95) : 0, longest: 0.9 * H, hideBelow: 2.2 * shaft, shaft };
  }

  // Where the numbers of arrows that were cut stand on the screen, middle of the base line: behind the points of force, since what pushes a body stands
  // outside it; moved on where they would cover each other or other `words`, each with the middle of its base line (`at`) and half its width.
  function cutPlaces(arrows, words = []) {
    const taken = [...words];
    return arrows.map(({ from, to, words: own }) => {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      const [ux, uy] = [0, 1].map((i) => (from[i] - to[i]) / length);
      const half = 3.6 * own.length;
      const covers = ([x, y]) => taken.some((other) => Math.abs(other.at[1] - y) < 14 && Math.abs(other.at[0] - x) < other.half + half);
      let at = [from[0] + ux * (8 + half), from[1] + uy * 16 + 4];
      while (covers(at)) at = [at[0], at[1] + 14];
      taken.push({ at, half });
      return at;
    });
  }

  // The arrow of a force at a frame; null where there is none to see. What is too long is cut, and gets a second head.
  function arrow(scale, force, frame) {
    const now = force.of(frame);
    const from = finite(now) && force.at(frame);
    const length = norm(now) * scale.metresPerNewton;
    if (!from || !finite(from) || !(length > scale.hideBelow)) return null;
    const cut = length > scale.longest;
    const drawn = cut ? scale.longest : length;
    return { from, to: plus(from, scaled(now, drawn / norm(now))), length: drawn, cut, newtons: norm(now) };
  }

  // ---- Framing

  // How far a solid reaches along a unit vector of its body's axes.
  function reach(solid, n, meshes) {
    if (solid.kind === "cone") return coneCircles(solid).reduce((most, [at, radius]) => Math.max(most, dot(at, n) + radius), -Infinity);
    if (solid.kind === "hull") return Math.max(...solid.points.map((at) => dot(at, n))) + solid.radius;
    const own = turnedBack(solid.axes, n);
    if (solid.kind === "ellipsoid") {
      const dual = solid.power / (solid.power - 1);
      const sum = own.reduce((total, x, i) => total + Math.pow(Math.abs(x) * solid.half[i], dual), 0);
      return dot(solid.at, n) + Math.pow(sum, 1 / dual);
    }
    const { vertices } = meshes[solid.mesh];
    let most = -Infinity;
    for (let i = 0; i < vertices.length; i += 3) most = Math.max(most, own[0] * vertices[i] + own[1] * vertices[i + 1] + own[2] * vertices[i + 2]);
    return dot(solid.at, n) + most;
  }

  const coneRadius = ({ ra, rb, belly }, s) => ra + (rb - ra) * s + belly * s * (1 - s) * (1 - s);

  // Circles along a cone whose hull is its picture; those between the ends only where it has a belly. Made once.
  function coneCircles(cone) {
    if (cone.circles) return cone.circles;
    const steps = cone.belly > 0 ? 6 : 1;
    return (cone.circles = Array.from({ length: steps + 1 }, (_, i) => {
      const s = i / steps;
      return [plus(scaled(cone.a, 1 - s), scaled(cone.b, s)), coneRadius(cone, s)];
    }));
  }

  // At most `count` frames of `n`, evenly spread, with both ends.
  function spread(n, count) {
    if (n <= count) return framesOf(n);
    return Array.from({ length: count }, (_, i) => Math.round((i * (n - 1)) / (count - 1)));
  }

  const AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

  // The box of all solids and bounded surfaces over 60 frames, of the arrows that the layers show, and of joints and of ends of paths and rods
  // nearer than 2 H, in machines 3 H. `travel` is the longest way of the mass centre along an axis. With `follow` the box is about the mass centre; `axes` other than those of
  // the world give ends along them. Frames in which a failed run has flown apart would hide all others, and are left out.
  function box(data, one, frames, { layers = { forces: true, jointForces: false }, follow = false, arrows = true, axes = AXES, near: close = false } = {}) {
    const figure = figureOf(data, one);
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const ways = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    const widenAlong = (i, x) => {
      low[i] = Math.min(low[i], x);
      high[i] = Math.max(high[i], x);
    };
    const widen = (at, from) => axes.forEach((axis, i) => widenAlong(i, dot(axis, at) - dot(axis, from)));
    const list = arrows && !close ? shownForces(forces(data, one), layers) : [];
    const turning = arrows && !close && layers.moments ? borelliScene.moment.list(data, one) : [];
    // The height of a close look is found from a box itself, without moments.
    const arcs = turning.length ? borelliScene.moment.scale(data, one, signHeight(data, one)) : null;
    const scale = forceScale(list, close ? figure.height : signHeight(data, one), frames);
    const held = figure.holds.flatMap((hold) => [hold.a, hold.b]).filter(Boolean);
    const ends = figure.joints.filter((joint) => !floats(joint)).flatMap((joint) => [joint.child, joint.parent]);
    const spots = close ? figure.paths.flatMap((path) => path.points) : figure.paths.concat(figure.rods).flatMap((path) => path.points).concat(ends, held);
    const pressed = close ? pressedSurfaces(figure) : [];
    const listed = framesOf(frames);
    const near = (figure.sided ? 2 : 3) * figure.height;
    for (const k of spread(listed.length, 60).map((i) => listed[i])) {
      const middle = centre(data, one, k);
      if (flownApart(data, one, k, middle)) continue;
      const from = follow ? middle : [0, 0, 0];
      AXES.forEach((_, i) => {
        ways[0][i] = Math.min(ways[0][i], middle[i]);
        ways[1][i] = Math.max(ways[1][i], middle[i]);
      });
      if (!close) figure.bodies.forEach((_, b) => widenBody(data, one, b, k, axes, (i, x) => widenAlong(i, x - dot(axes[i], from))));
      for (const surface of pressed) {
        const at = spot(data, one, surface.spot, k);
        const radius = surfaceRadius(surface);
        if (at) axes.forEach((axis, i) => [-radius, radius].forEach((x) => widenAlong(i, dot(axis, at) - dot(axis, from) + x)));
      }
      if (caseOf(data, one).soft && !close) borelliScene.soft.widen(caseOf(data, one), k, (at) => widen(at, from));
      for (const where of spots) {
        const at = (where[0] > 0 || !follow) && spot(data, one, where, k);
        if (at && norm(minus(at, middle)) < near) widen(at, from);
      }
      for (const force of list) {
        const found = arrow(scale, force, k);
        if (found) [found.from, found.to].forEach((at) => widen(at, from));
      }
      for (const own of turning) {
        const found = borelliScene.moment.arc(data, one, arcs, own, k);
        if (found) found.places.forEach((at) => widen(at, from));
      }
    }
    if (!(low[0] <= high[0])) return { low: [-0.5, -0.5, 0], high: [0.5, 0.5, 0], travel: 0 };
    return { low, high, travel: Math.max(...AXES.map((_, i) => ways[1][i] - ways[0][i])) };
  }

  // Bounded surfaces that meet others than the ground.
  function pressedSurfaces({ surfaces, pairs }) {
    const ground = (i) => surfaces[i].kind === "half-space" && surfaces[i].spot[0] === 0;
    const met = pairs.filter(({ first, second }) => !ground(first) && !ground(second)).flatMap(({ first, second }) => [first, second]);
    return surfaces.filter((surface, i) => met.includes(i) && surfaceRadius(surface) > 0);
  }

  // Half the edge of the piece of a half-space that is drawn on a moving body: as far as the surfaces that it may touch reach; null where it meets none.
  function meets({ surfaces, pairs }, index) {
    const others = pairs.filter((pair) => pair.first === index || pair.second === index).map((pair) => surfaces[pair.first === index ? pair.second : pair.first]);
    return others.reduce((most, surface) => Math.max(most, surfaceRadius(surface)), 0) || null;
  }

  // Whether what pulls and presses is so small a part of the figure that it must be looked at closely: a joint made of ligaments and contact.
  const CLOSE = 0.4;
  const smallPart = (data, one) => signHeight(data, one) < figureOf(data, one).height;

  // The height that arrows and lines of pull are measured by: that of the figure, or of the small part that is looked at. Found once a case.
  function signHeight(data, one) {
    const [it, figure] = [caseOf(data, one), figureOf(data, one)];
    if (it.signHeight) return it.signHeight;
    if (figure.planar || !figure.paths.length || !pressedSurfaces(figure).length) return (it.signHeight = figure.height);
    const { low, high } = box(data, one, it.time.length, { near: true });
    return (it.signHeight = Math.min(figure.height, Math.max(...high.map((x, i) => x - low[i])) / CLOSE));
  }

  // Heights from the mass centre at which a body no longer belongs to anything that can be drawn.
  const APART = 100;
  const ASTRAY = 1e4;

  function flownApart(data, one, frame, middle = centre(data, one, frame)) {
    const { bodies, height } = figureOf(data, one);
    const far = (at, limit) => !(norm(at) <= limit * height);
    const gone = (_, b) => {
      const at = b > 0 && pose(data, one, b, frame);
      return at && far(minus(at.p, middle), APART);
    };
    return far(minus(middle, centre(data, one, 0)), ASTRAY) || bodies.some(gone);
  }

  // Ends of one body's solids and bounded surfaces along axes.
  function widenBody(data, one, b, frame, axes, widen) {
    const figure = figureOf(data, one);
    const at = b > 0 && drawnPose(data, one, b, frame);
    if (!at) return;
    const surfaces = figure.surfaces.filter((surface) => surface.spot[0] === b && surfaceRadius(surface) > 0);
    axes.forEach((axis, i) => {
      const own = turnedBack(at.R, axis);
      for (const solid of figure.bodies[b].solids) {
        widen(i, dot(axis, at.p) + reach(solid, own, figure.meshes));
        widen(i, dot(axis, at.p) - reach(solid, scaled(own, -1), figure.meshes));
      }
      for (const surface of surfaces) {
        const middle = dot(axis, place(at, surface.spot.slice(1)));
        const far = surfaceReach(surface, own);
        [-far, far].forEach((x) => widen(i, middle + x));
      }
    });
  }

  // The middle of a line's points.
  const midway = (places) => scaled(plus(places[Math.floor((places.length - 1) / 2)], places[Math.ceil((places.length - 1) / 2)]), 0.5);

  // How far a body reaches from its mass centre along a unit vector of the world.
  function extentAlong(data, one, b, frame, axis) {
    let most = 0;
    const at = drawnPose(data, one, b, frame);
    const middle = dot(axis, place(at, figureOf(data, one).bodies[b].center));
    widenBody(data, one, b, frame, [axis], (_, x) => (most = Math.max(most, x - middle)));
    return most;
  }

  // Whether every body moves by itself: then names stand below their bodies, else beside them.
  const apart = (figure) => figure.joints.every((joint) => joint.parent[0] === 0) && !figure.holds.length && !figure.rods.length;

  // How far a bounded surface of contact may reach from its origin; zero for points and half-spaces.
  function surfaceRadius({ kind, parameters }) {
    if (kind === "half-space" || kind === "point") return 0;
    const axes = { circle: 1, sphere: 1, ellipse: 2 }[kind] || 3;
    return Math.max(...parameters.slice(0, axes));
  }

  // How far it reaches along a unit vector of its body's axes: exactly for ellipsoids, at most for shapes with corners.
  function surfaceReach(surface, n) {
    const radius = surfaceRadius(surface);
    if (surface.kind === "circle" || surface.kind === "sphere") return radius;
    const own = turnedBack(surface.axes.flat(), n);
    const parts = own.map((x, i) => Math.abs(x) * (surface.kind === "ellipse" && i === 2 ? 0 : surface.parameters[i]));
    return surface.kind === "ellipse" || surface.kind === "ellipsoid" ? norm(parts) : Math.min(radius * Math.sqrt(3), parts[0] + parts[1] + parts[2]);
  }

  // A run longer than 2.5 H is followed: framed as a whole the figure would be small.
  const followed = (data, one, frames) => box(data, one, frames, { arrows: false }).travel > 2.5 * figureOf(data, one).height;

  // Planes of the ground: half-spaces of the world; where there is none, height zero if there is gravity and the lowest of the box stands near it. A
  // spatial figure without any has a grid below it for the eye, which is not `solid`: nothing stands on it.
  function ground(data, one, { low, high }) {
    const figure = figureOf(data, one);
    const planes = figure.surfaces.flatMap((surface, i) => (surface.kind === "half-space" && surface.spot[0] === 0 ? [{ ...plane(surface, STILL), surface: i, solid: true }] : []));
    if (planes.length || !figure.gravity) return planes;
    const lowest = dot(figure.up, figure.up.map((x, i) => (x > 0 ? low[i] : high[i])));
    if (lowest > -0.08 * figure.height && lowest < 0.6 * figure.height) return [{ on: [0, 0, 0], normal: figure.up, surface: null, solid: true }];
    return figure.planar ? [] : [{ on: scaled(figure.up, lowest), normal: figure.up, surface: null, solid: false }];
  }

  // A place and the normal of a half-space whose body is at a pose.
  function plane(surface, at) {
    const own = turned(surface.axes.flat(), surface.parameters.slice(0, 3));
    const normal = unitOf(turned(at.R, own));
    return { on: plus(place(at, surface.spot.slice(1)), scaled(normal, surface.parameters[3])), normal };
  }

  // The map of a pressure mat nearest to a time.
  function mapAt(mat, t) {
    let best = 0;
    mat.times.forEach((time, k) => {
      if (Math.abs(time - t) < Math.abs(mat.times[best] - t)) best = k;
    });
    return best;
  }

  // Where the camera stands, in parts of (forward, up, right).
  const VIEWS = { oblique: [0.62, 0.32, 1], side: [0, 0, 1], front: [1, 0, 0], back: [-1, 0, 0], top: [0, 1, 0], sole: [0, -1, 0] };

  // Directions of the picture in world axes for a view: to its right, up, and toward the viewer.
  function camera(figure, view) {
    return cameraToward(figure, VIEWS[view] || VIEWS.oblique);
  }

  // The same from any direction (forward, up, right); from straight above or below, forward is up the picture.
  function cameraToward({ forward, up, right }, [f, u, r]) {
    const toward = unitOf(plus(plus(scaled(forward, f), scaled(up, u)), scaled(right, r)));
    const side = cross(up, toward);
    const across = norm(side) > 1e-6 ? unitOf(side) : scaled(unitOf(right), Math.sign(u));
    return { right: across, up: cross(toward, across), toward };
  }

  // ---- Numbers and colours

  // 1, 2 or 5 times a power of ten, not below x.
  function roundAbove(x) {
    const power = Math.pow(10, Math.floor(Math.log10(x)));
    for (const m of [1, 2, 5]) if (m * power >= x * (1 - 1e-9)) return m * power;
    return 10 * power;
  }

  // The one nearest to x, by ratio.
  function roundNear(x) {
    const above = roundAbove(x);
    const below = above / (Math.round(above / Math.pow(10, Math.floor(Math.log10(above * (1 + 1e-9))))) === 5 ? 2.5 : 2);
    return above / x < x / below ? above : below;
  }

  const SHARED = { left: "#D9604A", right: "#3F8FC9", leftLine: "#CC3311", rightLine: "#0077BB", free: "#009988", touching: "#EE7733", fitted: "#EE7733", bone: "#EFE9DD" };
  const LIGHT = {
    page: "#FFFFFF", stage: "#F7F9FB", text: "#1B1F24", soft: "#59636E", line: "#D5DBE1", accent: "#0B5CAD", neither: "#C9CDD3",
    ground: "#1B7F3B", joint: "#7A3E9D", moment: "#8A6500", grid: "#CFD6DD", shadow: "#D9DFE6", leftText: "#CC3311", rightText: "#0069A6",
  };
  const DARK = {
    page: "#0F1216", stage: "#14181D", text: "#E8EAED", soft: "#9AA4AF", line: "#343B44", accent: "#6CB6FF", neither: "#AEB4BC",
    ground: "#5CC98A", joint: "#B98AD6", moment: "#D9B44A", grid: "#343B44", shadow: "#0C0F13", leftText: "#F08A72", rightText: "#6DB5E8",
  };
  const palette = (scheme) => ({ ...SHARED, ...(scheme === "dark" ? DARK : LIGHT) });

  // Bodies by side; where the model has no sides, in turn.
  // None is like the red of the left, the blue of the right, or the colours of contact surfaces.
  const BODIES = ["#B7A0D6", "#EEDD88", "#8FA870", "#B08D6A", "#BBCC33", "#8F9AA6", "#C995C4"];
  function bodyColour(data, figure, body, scheme) {
    const it = typeof figure === "number" ? data.figures[figure] : figure;
    if (!it.sided) return BODIES[(body - 1 + BODIES.length) % BODIES.length];
    const colours = palette(scheme);
    return colours[it.bodies[body].side || "neither"];
  }

  // Sides that bodies of a figure have, left first: a model of one leg has one.
  const sidesOf = (figure) => ["left", "right"].filter((side) => figure.bodies.some((body) => body.side === side));

  const parts = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  const hex = (rgb) => "#" + rgb.map((x) => Math.round(Math.max(0, Math.min(255, x))).toString(16).padStart(2, "0")).join("");
  // A part of one colour with the rest of another, mixed as they are written (sRGB).
  const mixed = (a, b, part) => hex(parts(a).map((x, i) => x * part + parts(b)[i] * (1 - part)));
  const ghostColour = (colour, scheme) => mixed(colour, palette(scheme).stage, 0.3);

  // A colour on a scale of colours, u from 0 to 1.
  function onScale(scale, u) {
    const at = Math.max(0, Math.min(1, u || 0)) * (scale.length - 1);
    const k = Math.min(scale.length - 2, Math.floor(at));
    return scale[k].map((x, i) => Math.round(x + (scale[k + 1][i] - x) * (at - k)));
  }
  const PRESSURE = ["#FFF7BC", "#FEC44F", "#EC7014", "#993404", "#4D0E3C", "#1E0532"].map(parts);
  const pressureColour = (u) => onScale(PRESSURE, u);

  return {
    decode, caseOf, figureOf, pose, drawnPose, place, spot, centre, positions, floats, held, instantText, clockText, letGo, muscular, visible, touches,
    cutPlaces, forces, shownForces, forceScale, arrow, reach, coneRadius, coneCircles, surfaceRadius, extentAlong, apart, midway, spread, box, smallPart, signHeight, meets, flownApart, followed, ground, plane, mapAt, VIEWS, camera, cameraToward,
    roundAbove, roundNear, palette, bodyColour, sidesOf, ghostColour, mixed, hex, parts, pressureColour, onScale,
    vector: { dot, plus, minus, scaled, cross, norm, unitOf, turned, turnedBack, finite },
  };
})();
globalThis.borelliStages = globalThis.borelliStages || {};
