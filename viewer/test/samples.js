// Made-up motions in the form of the page's data, to look at and to test the stage without running the program. No study stands behind their numbers.

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b) => a.map((x, i) => x + b[i]);
const turned = (angle, [x, y, z]) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle), z];
const EYE = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const cone = (a, b, ra, rb) => ({ kind: "cone", a, b, ra, rb, belly: 0.24 * (ra + rb) });
const ellipsoid = (at, half, power) => ({ kind: "ellipsoid", at, axes: EYE, half, power });
const words = (name) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll("_", " ").replace(/ r$/, " right").replace(/ l$/, " left");
const sideOf = (name) => (/_r$/.test(name) ? "right" : /_l$/.test(name) ? "left" : null);

function body(name, mass, center, solids, more) {
  return { name, label: words(name), side: sideOf(name), mass, center, inertia: [0, 0, 0, 0, 0, 0], points: [], depth: 0, solids, ...more };
}

const WORLD = body("world", 0, [0, 0, 0], []);

function figureOf(more) {
  return {
    planar: false, up: [0, 1, 0], forward: [1, 0, 0], right: [0, 0, 1], gravity: true, height: 1.75, machine: false, sided: true,
    bodies: [], meshes: [], joints: [], paths: [], rods: [], holds: [], surfaces: [], pairs: [], markers: [], ...more,
  };
}

// Columns of one case, from `of(frame)` that gives { body: {p, angle, axis} }; the pose finds its columns by index.
function caseOf(figure, index, time, of, more) {
  const columns = [];
  const column = (name, values) => {
    const finite = Array.from(values).filter(Number.isFinite);
    columns.push({ name, label: words(name), path: [name], unit: null, side: null, values, extra: null, low: Math.min(...finite), high: Math.max(...finite) });
    return columns.length - 1;
  };
  const frames = time.map((t, k) => of(t, k));
  const pose = figure.bodies.map((_, b) => {
    if (b === 0) return null;
    const list = (get) => column("body." + figure.bodies[b].name + "." + columns.length, Float64Array.from(frames, (frame) => get(frame[b])));
    const at = [0, 1, 2].map((i) => list((one) => one.p[i]));
    const half = (one) => one.angle / 2;
    const axis = (one) => one.axis || [0, 0, 1];
    return { at, turn: [list((one) => Math.cos(half(one))), ...[0, 1, 2].map((i) => list((one) => Math.sin(half(one)) * axis(one)[i]))] };
  });
  const made = { run: 0, name: "case", label: "Case", figure: index, samples: time.length, time: Float64Array.from(time), frame: Uint32Array.from(time, (_, k) => k), columns, pose, events: [], contacts: [], loads: [], markers: [], tensions: [], pressure: [], ...(more ? more(column) : {}) };
  made.byName = new Map(columns.map((one) => [one.name, one]));
  return made;
}

// Wave through values at equal parts of a period.
function wave(values, phase) {
  const n = values.length;
  const at = (((phase % 1) + 1) % 1) * n;
  const [i, part] = [Math.floor(at), at - Math.floor(at)];
  const s = part * part * (3 - 2 * part);
  return values[i % n] * (1 - s) + values[(i + 1) % n] * s;
}

const HIP = [25, 20, 10, 0, -10, -8, 8, 22, 30, 28].map((x) => (x * Math.PI) / 180);
const KNEE = [5, 16, 14, 8, 6, 20, 48, 60, 38, 8].map((x) => (x * Math.PI) / 180);
const ANKLE = [0, -4, 4, 8, 12, -4, -16, -4, 2, 2].map((x) => (x * Math.PI) / 180);
const [THIGH, SHANK] = [0.42, 0.42];

function walkerFigure(planar) {
  const legs = ["r", "l"].flatMap((s) => {
    const depth = planar ? (s === "r" ? 0.09 : -0.09) : 0;
    return [
      body("thigh_" + s, 9.3, [0, -0.18, 0], [cone([0, 0, 0], [0, -THIGH, 0], 0.082, 0.062)], { depth }),
      body("shank_" + s, 3.6, [0, -0.18, 0], [cone([0, 0, 0], [0, -SHANK, 0], 0.051, 0.041)], { depth }),
      planar
        ? body("foot_" + s, 1, [0.05, -0.05, 0], [{ kind: "hull", points: [[-0.05, -0.05, 0], [0.17, -0.05, 0], [0, 0, 0]], radius: 0.03 }], { depth })
        : body("foot_" + s, 1, [0.05, -0.05, 0], [ellipsoid([0.05, -0.045, 0], [0.12, 0.032, 0.042], 2.2), cone([0.12, -0.055, 0], [0.18, -0.062, 0], 0.026, 0.02)], { depth }),
    ];
  });
  const arms = planar ? [] : ["r", "l"].flatMap((s) => [
    body("upper_arm_" + s, 2, [0, -0.14, 0], [cone([0, 0, 0], [0, -0.3, 0], 0.047, 0.038)]),
    body("forearm_" + s, 1.1, [0, -0.12, 0], [cone([0, 0, 0], [0, -0.25, 0], 0.038, 0.03)]),
    body("hand_" + s, 0.4, [0, -0.05, 0], [ellipsoid([0.01, -0.06, 0], [0.04, 0.065, 0.03], 2.2)]),
  ]);
  const trunk = planar
    ? [body("hat", 50, [0, 0.3, 0], [cone([0, 0, 0], [0, 0.5, 0], 0.1, 0.12), cone([0, 0.52, 0], [0, 0.62, 0], 0.05, 0.05), ellipsoid([0.01, 0.72, 0], [0.1, 0.12, 0.09], 2)])]
    : [
        body("pelvis", 11, [0, 0.05, 0], [ellipsoid([0, 0.05, 0], [0.105, 0.09, 0.155], 2.6)]),
        body("torso", 30, [0, 0.3, 0], [ellipsoid([0, 0.32, 0], [0.114, 0.284, 0.165], 2.6), cone([0, 0.58, 0], [0, 0.66, 0], 0.05, 0.045), cone([0, 0.52, 0], [0, 0.52, 0.18], 0.045, 0.047), cone([0, 0.52, 0], [0, 0.52, -0.18], 0.045, 0.047)]),
        body("head", 5, [0.01, 0.12, 0], [ellipsoid([0.015, 0.12, 0], [0.098, 0.125, 0.078], 2.2)]),
      ];
  const bodies = [WORLD, ...trunk, ...legs, ...arms];
  const find = (name) => bodies.findIndex((one) => one.name === name);
  const joints = ["r", "l"].flatMap((s) => {
    const joint = (name, parent, at, child) => ({ name: name + "_" + s, label: words(name + "_" + s), side: sideOf("_" + s), kind: "revolute", parent: [find(parent), ...at], child: [find(child + "_" + s), 0, 0, 0] });
    return [joint("hip", planar ? "hat" : "pelvis", [0, 0, 0], "thigh"), joint("knee", "thigh_" + s, [0, -THIGH, 0], "shank"), joint("ankle", "shank_" + s, [0, -SHANK, 0], "foot")];
  });
  const paths = planar ? [] : ["r", "l"].flatMap((s) => {
    const path = (name, ...points) => ({ name: name + "_" + s, label: words(name + "_" + s), side: sideOf("_" + s), points: points.map(([b, ...at]) => [find(b === "pelvis" ? b : b + "_" + s), ...at]) });
    const z = s === "r" ? 0.085 : -0.085;
    return [
      path("vasti", ["thigh", 0.06, -0.05, 0], ["thigh", 0.085, -0.2, 0], ["thigh", 0.06, -0.38, 0], ["shank", 0.045, -0.06, 0]),
      path("hamstrings", ["pelvis", -0.06, 0, z], ["thigh", -0.075, -0.2, 0], ["thigh", -0.05, -0.4, 0], ["shank", -0.04, -0.06, 0]),
      path("gastrocnemius", ["thigh", -0.045, -0.39, 0], ["shank", -0.06, -0.12, 0], ["shank", -0.045, -0.3, 0], ["foot", -0.05, -0.04, 0]),
      path("tibialis_anterior", ["shank", 0.045, -0.08, 0], ["shank", 0.045, -0.34, 0], ["foot", 0.07, -0.02, 0]),
    ];
  });
  const markers = planar ? [] : ["r", "l"].flatMap((s) => [["thigh", [0.06, -0.25, 0]], ["shank", [0.04, -0.2, 0]], ["foot", [0.16, -0.03, 0]], ["upper_arm", [0, -0.15, 0.05]]].map(([b, at]) => ({ name: b + "_" + s, label: words(b + "_" + s) + " marker", side: sideOf("_" + s), at: [find(b + "_" + s), ...at] })));
  return figureOf({ planar, bodies, joints, paths, markers, height: 1.73 });
}

// Poses of a walk at a time, by body.
function walkPoses(figure, t, speed) {
  const list = figure.bodies.map(() => ({ p: [0, 0, 0], angle: 0 }));
  const find = (name) => figure.bodies.findIndex((one) => one.name === name);
  const phase = t / 1.1;
  const hipHeight = 0.895 + 0.018 * Math.cos(4 * Math.PI * phase - 0.6);
  const base = [speed * t, hipHeight, 0];
  const put = (name, p, angle) => find(name) > 0 && Object.assign(list[find(name)], { p, angle });
  put("hat", base, -0.06);
  put("pelvis", base, 0);
  put("torso", plus(base, [0, 0.1, 0]), -0.05);
  put("head", plus(base, [0.035, 0.78, 0]), 0);
  for (const [s, shift] of [["r", 0], ["l", 0.5]]) {
    const z = figure.planar ? 0 : s === "r" ? 0.085 : -0.085;
    const hip = plus(base, [0, 0, z]);
    const thigh = wave(HIP, phase + shift);
    const shank = thigh - wave(KNEE, phase + shift);
    const foot = shank + wave(ANKLE, phase + shift);
    const knee = plus(hip, turned(thigh, [0, -THIGH, 0]));
    const ankle = plus(knee, turned(shank, [0, -SHANK, 0]));
    put("thigh_" + s, hip, thigh);
    put("shank_" + s, knee, shank);
    put("foot_" + s, ankle, foot);
    const swing = -0.45 * Math.cos(2 * Math.PI * (phase + shift));
    const shoulder = plus(base, turned(-0.05, [0, 0.62, 2.25 * z]));
    const elbow = plus(shoulder, turned(swing, [0, -0.3, 0]));
    const bent = swing + 0.35;
    put("upper_arm_" + s, shoulder, swing);
    put("forearm_" + s, elbow, bent);
    put("hand_" + s, plus(elbow, turned(bent, [0, -0.25, 0])), bent);
  }
  return list;
}

// A walk over two strides, with ground forces as measured loads.
export function walk({ planar = false, speed = 1.25, seconds = 2.2, frames = 221 } = {}) {
  const figure = walkerFigure(planar);
  const time = Array.from({ length: frames }, (_, k) => (seconds * k) / (frames - 1));
  const load = (phase) => {
    const u = (((phase % 1) + 1) % 1) / 0.62;
    if (u > 1) return [0, 0];
    const up = 750 * Math.sin(Math.PI * u) ** 0.6 * (1 + 0.25 * Math.cos(4 * Math.PI * (u - 0.22)));
    return [-130 * Math.sin(2 * Math.PI * u), up];
  };
  const one = caseOf(figure, 0, time, (t) => walkPoses(figure, t, speed), (column) => {
    const loads = ["r", "l"].map((s, i) => {
      const foot = figure.bodies.findIndex((b) => b.name === "foot_" + s);
      const at = time.map((t) => walkPoses(figure, t, speed)[foot].p);
      const phase = (t) => t / 1.1 + 0.5 * i;
      const part = (name, get) => column("load." + s + "." + name, Float64Array.from(time, get));
      const on = (t) => load(phase(t))[1] > 0;
      const roll = (t) => -0.05 + 0.2 * Math.min(1, (((phase(t) % 1) + 1) % 1) / 0.62);
      return {
        name: "grf_" + s, label: i ? "Ground force left" : "Ground force right", side: i ? "left" : "right", body: foot,
        force: [part("fx", (t) => load(phase(t))[0]), part("fy", (t) => load(phase(t))[1]), part("fz", (t) => (on(t) ? (i ? 1 : -1) * 20 : 0))],
        point: [part("px", (t, k) => at[k][0] + roll(t)), part("py", () => 0), part("pz", (t, k) => at[k][2])],
      };
    });
    const tensions = figure.paths.map((path, i) => column("path." + path.name + ".force", Float64Array.from(time, (t) => 900 * Math.max(0, Math.sin(2 * Math.PI * (t / 1.1 + i * 0.13))) ** 2)));
    const markers = figure.markers.map(({ at }, i) => ({
      measured: [0, 1, 2].map((axis) => column("marker." + i + "." + axis, Float64Array.from(time, (t) => {
        const { p, angle } = walkPoses(figure, t, speed)[at[0]];
        return plus(p, turned(angle, at.slice(1)))[axis] + 0.012 * Math.sin(7 * t + i + axis);
      }))),
      error: null,
    }));
    return { name: "walk", label: "Walk", loads, tensions, markers };
  });
  return { format: 2, figures: [figure], cases: [one], groups: [], poster: null };
}

// A heel, one superellipsoid, pressed onto a mat of cells.
export function heel() {
  const half = [0.045, 0.018, 0.022];
  const figure = figureOf({
    bodies: [WORLD, body("heel", 1, [0, 0, 0], [])],
    sided: false, height: 0.1,
    surfaces: [
      { name: "floor", label: "Floor", side: null, kind: "half-space", spot: [0, 0, 0, 0], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], parameters: [0, 1, 0, 0] },
      { name: "heel", label: "Heel pad", side: null, kind: "superellipsoid", spot: [1, 0, 0, 0], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], parameters: [...half, 2.4, 2.4] },
    ],
    pairs: [{ name: "heel", label: "Heel on floor", side: null, first: 1, second: 0 }],
  });
  const time = Array.from({ length: 60 }, (_, k) => k / 300);
  const height = (t) => 0.027 - 0.012 * Math.sin((Math.PI * t) / 0.2);
  const one = caseOf(figure, 0, time, (t) => [null, { p: [0.01, height(t), 0], angle: 0.5 }], () => {
    const depth = time.map((t) => Math.max(0, 0.027 - height(t)));
    const [n, m] = [64, 48];
    const maps = new Uint16Array(time.length * n * m);
    time.forEach((_, k) => {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < m; j++) {
          const [x, z] = [(i + 0.5) * 0.001 - 0.032, (j + 0.5) * 0.001 - 0.024];
          const p = depth[k] / 0.012 - (x / 0.028) ** 2 - (z / 0.017) ** 2;
          maps[(k * n + i) * m + j] = Math.round(65535 * Math.max(0, Math.min(1, p + 0.03 * x)));
        }
      }
    });
    const part = (get) => Float64Array.from(time, (t, k) => (depth[k] > 0 ? get(depth[k]) : NaN));
    return {
      label: "Heel",
      contacts: [{ force: [part(() => 30), part((d) => 60000 * d), part(() => 0)], point: [part(() => -0.004), part(() => 0), part(() => 0)] }],
      pressure: [{ name: "mat", label: "Mat", cells: [n, m], pitch: [0.001, 0.001], origin: [-0.036, 0, -0.024], axes: [[1, 0, 0], [0, 0, 1]], times: time, maps, high: 320000, highest: maps.subarray(0, n * m), cop: time.map(() => null), outline: [], side: null, forward: null }],
    };
  });
  return { format: 2, figures: [figure], cases: [one], groups: [], poster: null };
}

// A person thrown through the air, without ground.
export function thrown() {
  const figure = { ...walkerFigure(false), paths: [], markers: [] };
  const time = Array.from({ length: 101 }, (_, k) => k / 100);
  const axis = [0.3, 0.2, 0.933].map((x) => x / Math.hypot(0.3, 0.2, 0.933));
  const one = caseOf(figure, 0, time, (t) => {
    const still = walkPoses(figure, 0.3 + 0.2 * t, 0);
    return still.map((at) => {
      if (!at) return at;
      // The whole turns about its hips: first the own angle about Z, then about the axis.
      const angle = 4 * t;
      const rel = plus(at.p, [0, -0.9, 0]);
      const along = axis.map((a) => a * rel.reduce((sum, x, i) => sum + x * axis[i], 0));
      const over = cross(axis, rel);
      const p = rel.map((x, i) => along[i] + (x - along[i]) * Math.cos(angle) + over[i] * Math.sin(angle));
      const [q1, q2] = [[Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2))], [Math.cos(at.angle / 2), 0, 0, Math.sin(at.angle / 2)]];
      const w = q1[0] * q2[0] - q1[3] * q2[3];
      const v = [q1[1] * q2[0] + q1[2] * q2[3], q1[2] * q2[0] - q1[1] * q2[3], q1[0] * q2[3] + q1[3] * q2[0]];
      const size = Math.hypot(...v) || 1;
      return { p: plus(p, [2.5 * t, 3 * t - 4.9 * t * t, 0]), angle: 2 * Math.atan2(size, w), axis: v.map((x) => x / size) };
    });
  }, () => ({ label: "Thrown" }));
  return { format: 2, figures: [figure], cases: [one], groups: [], poster: null };
}

// A planar mechanism of seven rods without sides.
export function mechanism() {
  const bars = [[0, 0, 0.3, 0.05], [0.3, 0.05, 0.55, 0.3], [0.55, 0.3, 0.6, 0], [0.3, 0.05, 0.1, 0.4], [0.1, 0.4, -0.2, 0.3], [-0.2, 0.3, 0, 0], [0.55, 0.3, 0.9, 0.5]];
  const bodies = [WORLD, ...bars.map(([x0, y0, x1, y1], i) => {
    const end = [x1 - x0, y1 - y0, 0];
    const radius = 0.08 * Math.hypot(...end) * 0.35;
    return body("k" + (i + 1), 0.1, end.map((x) => x / 2), [{ kind: "cone", a: [0, 0, 0], b: end, ra: radius, rb: radius, belly: 0 }]);
  })];
  const figure = figureOf({ planar: true, gravity: false, sided: false, machine: true, height: 1.1, bodies });
  const time = Array.from({ length: 51 }, (_, k) => k / 50);
  const one = caseOf(figure, 0, time, (t) => [null, ...bars.map(([x, y]) => ({ p: [x, y, 0], angle: 0.4 * t }))], () => ({ label: "Mechanism" }));
  return { format: 2, figures: [figure], cases: [one], groups: [], poster: null };
}

// The walk of a planar figure.
export const planar = () => walk({ planar: true });

// A walk so long that the view goes with it.
export const longWalk = () => walk({ seconds: 8, frames: 801 });
