// Where things are: poses of bodies from the columns, places on bodies, and how space becomes a picture.

// The columns that hold each body's pose, or null where the samples lack them. Body 0 is the world.
function makeRig(one) {
  const figure = data.figures[one.figure];
  const values = (body, part) => {
    const column = one.byName.get("body." + body.name + "." + part);
    return column ? column.values : null;
  };
  const poses = figure.bodies.map((body, b) => {
    if (b === 0) return { fixed: true };
    const pose = { fixed: false };
    for (const part of ["x", "y", "z", "angle", "qw", "qx", "qy", "qz"]) pose[part] = values(body, part);
    const turned = pose.angle || (pose.qw && pose.qx && pose.qy && pose.qz);
    return pose.x && pose.y && turned ? pose : null;
  });
  return { one, figure, poses, surfaces: surfacesOf(figure, one), visible: poses.some((pose, b) => b > 0 && pose) };
}

// Position and rotation (rows) of a body at a sample; null where not known.
function poseAt(rig, b, k) {
  const pose = rig.poses[b];
  if (!pose) return null;
  if (pose.fixed) return { p: [0, 0, 0], R: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] };
  const p = [pose.x[k], pose.y[k], pose.z ? pose.z[k] : 0];
  if (p.includes(null)) return null;
  if (pose.qw) {
    const [w, x, y, z] = [pose.qw[k], pose.qx[k], pose.qy[k], pose.qz[k]];
    return {
      p,
      R: [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
      ],
    };
  }
  const [c, s] = [Math.cos(pose.angle[k]), Math.sin(pose.angle[k])];
  return { p, R: [[c, -s, 0], [s, c, 0], [0, 0, 1]] };
}

// Whether an event up to a sample has released a loop or guide.
const letGo = (rig, element, k) => rig.one.events.some((event) => event.action === "release " + element && event.time <= rig.one.time[k]);

// A place of a body in world axes.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const place = (pose, at) => [0, 1, 2].map((i) => pose.p[i] + dot(pose.R[i], at));

// A spot [body, x, y, z] in world axes at a sample.
function spotAt(rig, spot, k) {
  const pose = poseAt(rig, spot[0], k);
  return pose && place(pose, spot.slice(1));
}

// The mass centre of all bodies whose pose is known.
function centerAt(rig, k) {
  const sum = [0, 0, 0];
  let mass = 0;
  rig.figure.bodies.forEach((body, b) => {
    const pose = b > 0 && body.mass > 0 && poseAt(rig, b, k);
    if (!pose) return;
    const at = place(pose, body.center);
    for (let i = 0; i < 3; i++) sum[i] += body.mass * at[i];
    mass += body.mass;
  });
  return mass > 0 ? sum.map((x) => x / mass) : null;
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a, s) => a.map((x) => x * s);
const plus = (a, b) => a.map((x, i) => x + b[i]);
const unitOf = (a) => scaled(a, 1 / Math.hypot(...a));

// Level directions of a figure: to the right and toward a viewer at its right side, where X points to the right of the picture.
function level(figure) {
  const up = figure.up;
  if (figure.planar) return { right: [up[1], -up[0], 0], toward: [0, 0, 1] };
  const forward = Math.abs(up[0]) > 0.9 ? [0, 0, 1] : [1, 0, 0];
  const right = unitOf(plus(forward, scaled(up, -dot(forward, up))));
  return { right, toward: cross(right, up) };
}

// Where the viewer stands: directions of the picture's right and up in world axes. A spatial figure is turned by `yaw` about the
// upward direction and seen from a raised place by `pitch`.
function makeCamera(figure, yaw, pitch) {
  const base = level(figure);
  if (figure.planar) return { right: base.right, up: figure.up };
  const toward = plus(scaled(base.toward, Math.cos(yaw)), scaled(base.right, Math.sin(yaw)));
  const right = plus(scaled(base.right, Math.cos(yaw)), scaled(base.toward, -Math.sin(yaw)));
  return { right, up: plus(scaled(figure.up, Math.cos(pitch)), scaled(toward, -Math.sin(pitch))) };
}

// The middle (world axes) and the edges (right, up, toward) of a box around everything that is drawn, over at most 300 samples; about
// the moving mass centre when it is followed. `more` may give further places for a sample: tips of arrows. `low` is the least height.
function extentOf(rig, follow, more) {
  const { figure, one } = rig;
  const base = level(figure);
  const axes = [base.right, figure.up, base.toward];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const places = figure.bodies.map((body, b) => (b > 0 ? [body.center, ...body.outline.flat(), ...body.points.map((p) => p.at)] : []));
  // The origin of a floating body is no place of anything.
  const joints = figure.joints.filter((joint) => !FLOATING.includes(joint.kind)).flatMap((joint) => [joint.child, joint.parent]);
  const holds = figure.holds.flatMap((hold) => [hold.a, hold.b]).filter(Boolean);
  const spots = figure.paths.concat(figure.rods).flatMap((path) => path.points).concat(joints, holds);
  for (const spot of spots) places[spot[0]].push(spot.slice(1));
  for (const surface of rig.surfaces) places[surface.spot[0]].push(...surfacePlaces(surface));
  // A place of the world runs away from a view that follows the body; it does not widen it.
  if (follow) places[0] = [];
  const n = one.time.length;
  const stride = Math.max(1, Math.ceil(n / 300));
  for (let k = 0; k < n; k = k === n - 1 ? n : Math.min(k + stride, n - 1)) {
    const from = (follow && centerAt(rig, k)) || [0, 0, 0];
    const widen = (p) => {
      axes.forEach((axis, i) => {
        const x = dot(axis, p) - dot(axis, from);
        low[i] = Math.min(low[i], x);
        high[i] = Math.max(high[i], x);
      });
    };
    places.forEach((list, b) => {
      const pose = list.length && poseAt(rig, b, k);
      if (pose) list.forEach((at) => widen(place(pose, at)));
    });
    if (more) more(k).forEach(widen);
  }
  if (!(low[0] <= high[0])) return { middle: [0, 0, 0], edges: [1, 1, 0], low: 0 };
  const middle = axes.reduce((sum, axis, i) => plus(sum, scaled(axis, (low[i] + high[i]) / 2)), [0, 0, 0]);
  return { middle, edges: [0, 1, 2].map((i) => high[i] - low[i]), low: low[1] };
}

// Width and height that hold a box from any side, seen from a raised place.
function sizeOf(figure, edges, pitch) {
  const around = figure.planar ? edges[0] : Math.hypot(edges[0], edges[2]);
  const size = figure.planar ? [edges[0], edges[1]] : [around, edges[1] * Math.cos(pitch) + around * Math.abs(Math.sin(pitch))];
  const least = 0.15 * Math.max(...size) || 1;
  return size.map((x) => Math.max(x, least));
}
