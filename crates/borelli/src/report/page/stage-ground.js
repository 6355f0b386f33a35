// What the plain stage draws of the world: ground as a grid in space and as a hatched line in the plane, shadows, pressure on the floor.

// Where the sun stands, in parts of (forward, up, right).
const SUN = [-0.16, 1, 0.3];

function drawGround(stage, root) {
  const { figure } = stage;
  if (stage.follow && figure.planar) drawMarks(stage, root);
  for (const plane of stage.grounds) {
    if (figure.planar) drawPlaneLine(stage, root, plane, true);
    else drawPlaneGrid(stage, root, plane, true);
  }
  // Half-spaces that move with a body: a piece about their place.
  for (const surface of figure.surfaces) {
    const pose = surface.kind === "half-space" && surface.spot[0] > 0 && borelliScene.pose(stage.data, stage.one, surface.spot[0], stage.frame);
    if (!pose) continue;
    const plane = borelliScene.plane(surface, pose);
    if (figure.planar) drawPlaneLine(stage, root, plane, false);
    else drawPlaneGrid(stage, root, plane, false);
  }
}

// Ends of the picture along two perpendicular unit vectors, from the middle of what is framed at this frame.
function framedSpan(stage, axis) {
  const { dot } = borelliScene.vector;
  const { low, high } = stage.box;
  const centre = stage.follow ? borelliScene.centre(stage.data, stage.one, stage.frame) : [0, 0, 0];
  const ends = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => dot(axis, [i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]]));
  return [Math.min(...ends) + dot(axis, centre), Math.max(...ends) + dot(axis, centre)];
}

// A half-space of the plane: its edge over the whole picture, and strokes on its solid side that stand still in the world.
function drawPlaneLine(stage, root, { on, normal }, whole) {
  const { dot, plus, minus, scaled } = borelliScene.vector;
  const colours = borelliScene.palette(stage.scheme);
  const pixel = 1 / stage.scale;
  const along = [normal[1], -normal[0], 0];
  // The middle of the picture, in the world.
  const seen = plus(scaled(stage.camera.right, (stage.width / 2 - stage.origin[0]) * pixel), scaled(stage.camera.up, (stage.origin[1] - stage.height / 2) * pixel));
  const from = whole ? dot(minus(seen, on), along) : 0;
  const reach = whole ? (stage.width + stage.height) * 0.75 * pixel : 0.3 * stage.figure.height;
  const at = (s, depth) => stage.screen(plus(on, plus(scaled(along, s), scaled(normal, -depth))));
  const deep = whole ? (stage.width + stage.height) * pixel : 0;
  if (deep) svg(root, "path", { d: pathText([at(from - reach, 0), at(from + reach, 0), at(from + reach, deep), at(from - reach, deep)]) + "Z", style: "stroke:none;opacity:0.55;fill:" + colours.shadow });
  svg(root, "path", { d: pathText([at(from - reach, 0), at(from + reach, 0)]), style: "fill:none;stroke-width:1.6;stroke:" + colours.soft });
  const step = 12 * pixel;
  let strokes = "";
  for (let i = Math.ceil((from - reach) / step); i * step <= from + reach; i++) strokes += pathText([at(i * step, 0), at(i * step - 7 * pixel, 8 * pixel)]);
  svg(root, "path", { d: strokes, style: "fill:none;stroke-width:1;opacity:0.6;stroke:" + colours.soft });
}

// A plane in space: shadows of the figure, then a grid of a round length, three cells beyond what is framed.
function drawPlaneGrid(stage, root, { on, normal, solid }, whole) {
  const { dot, plus, minus, scaled, cross, norm, unitOf } = borelliScene.vector;
  const { figure } = stage;
  const colours = borelliScene.palette(stage.scheme);
  const level = minus(figure.forward, scaled(normal, dot(figure.forward, normal)));
  const along = norm(level) > 0.1 ? unitOf(level) : unitOf(minus(figure.up, scaled(normal, dot(figure.up, normal))));
  const across = cross(along, normal);
  const step = borelliScene.roundAbove(figure.height / 8);
  const foot = scaled(normal, dot(on, normal));
  const span = (axis) => {
    const [low, high] = whole ? framedSpan(stage, axis) : [dot(axis, on) - figure.height / 8, dot(axis, on) + figure.height / 8];
    const more = whole ? 3 : 1;
    return [Math.floor(low / step) - more, Math.ceil(high / step) + more];
  };
  const [[a0, a1], [s0, s1]] = [span(along), span(across)];
  const at = (a, s) => stage.screen(plus(foot, plus(scaled(along, a * step), scaled(across, s * step))));
  const above = dot(stage.camera.toward, normal);
  const rim = pathText([at(a0, s0), at(a1, s0), at(a1, s1), at(a0, s1)]) + "Z";
  if (above > 0.02) svg(root, "path", { d: rim, style: "stroke:none;opacity:0.5;fill:" + colours.page });
  if (above > 0.02 && whole && solid) drawShadow(stage, root, on, normal);
  // A long way has many lines: those that could not be told apart are left out.
  const every = Math.max(1, Math.ceil(Math.max(a1 - a0, s1 - s0) / 60));
  let lines = "";
  for (let a = a0; a <= a1; a += every) lines += pathText([at(a, s0), at(a, s1)]);
  for (let s = s0; s <= s1; s += every) lines += pathText([at(a0, s), at(a1, s)]);
  svg(root, "path", { d: lines, style: "fill:none;stroke-width:1;stroke:" + colours.grid });
}

// The solids once more, flattened along the sun onto the plane.
function drawShadow(stage, root, on, normal) {
  const { dot, plus, scaled, turnedBack } = borelliScene.vector;
  const { figure } = stage;
  const sun = plus(plus(scaled(figure.forward, SUN[0]), scaled(figure.up, SUN[1])), scaled(figure.right, SUN[2]));
  const rise = dot(normal, sun);
  if (!(rise > 0.1)) return;
  // A place x falls on x - sun (n.x - h)/(n.sun): rows of the picture for the shadow, and what the height adds.
  const height = dot(normal, on);
  const rows = stage.rows.map((row) => plus(row, scaled(normal, -dot(row, sun) / rise)));
  const [dx, dy] = stage.rows.map((row) => (dot(row, sun) * height) / rise);
  let d = "";
  for (const { support, body } of stage.solids) {
    const pose = borelliScene.drawnPose(stage.data, stage.one, body, stage.frame);
    // What is below the ground throws no shadow on it.
    if (!pose || dot(normal, pose.p) - height < -0.3 * figure.height) continue;
    const own = rows.map((row) => turnedBack(pose.R, row));
    d += outlineText(outlineOf(support, own, 6), [stage.origin[0] + dot(rows[0], pose.p) + dx, stage.origin[1] - dot(rows[1], pose.p) - dy]);
  }
  svg(root, "path", { d, style: "stroke:none;fill:" + borelliScene.palette(stage.scheme).shadow });
}

// Lines of the world behind a planar figure that is followed, so that one sees it travel.
function drawMarks(stage, root) {
  const colours = borelliScene.palette(stage.scheme);
  const step = borelliScene.roundAbove(90 / stage.scale);
  const words = (at) => (at < 0 ? "\u2212" : "") + lengthText(Math.abs(at));
  const lines = (from, length, sign, drawLine) => {
    const ends = [(sign * -from) / stage.scale, (sign * (length - from)) / stage.scale].sort((a, b) => a - b);
    for (let k = Math.ceil(ends[0] / step); k * step <= ends[1]; k++) drawLine(from + sign * k * step * stage.scale, k === 0 ? "0" : words(k * step));
  };
  const style = "stroke-width:1;stroke:" + colours.grid;
  const text = { "font-size": 11, style: "fill:" + colours.soft };
  lines(stage.origin[0], stage.width, 1, (x, label) => {
    svg(root, "line", { x1: x, x2: x, y1: 0, y2: stage.height, style });
    svg(root, "text", { ...text, x: x + 4, y: stage.height - 38 }, label);
  });
  lines(stage.origin[1], stage.height, -1, (y, label) => {
    svg(root, "line", { x1: 0, x2: stage.width, y1: y, y2: y, style });
    svg(root, "text", { ...text, x: stage.width - 6, y: y - 4, "text-anchor": "end" }, label);
  });
}

// Pressure on the floor by cells: the map nearest to the time, in the plane of its mat.
function drawPressure(stage, root) {
  if (!stage.layers.pressure) return;
  const { dot, scaled } = borelliScene.vector;
  for (const mat of stage.one.pressure || []) {
    if (!mat.times.length) continue;
    const k = borelliScene.mapAt(mat, stage.one.time[stage.frame]);
    const [nx, nz] = mat.cells;
    const [x, y] = stage.screen(mat.origin);
    // Cell (i, j) goes to the picture by the two edges of a cell.
    const [a, b] = mat.axes.map((axis, i) => stage.rows.map((row, n) => (n ? -1 : 1) * dot(row, scaled(axis, mat.pitch[i]))));
    const group = svg(root, "g", { transform: "matrix(" + [a[0], a[1], b[0], b[1], x, y].map((n) => n.toFixed(4)).join(" ") + ")" });
    cellPaths(mat.maps.subarray(k * nx * nz, (k + 1) * nx * nz), nx, nz).forEach((d, level) => {
      if (d) svg(group, "path", { d, style: "stroke:none;fill:" + levelColour(level) });
    });
  }
}

// Colours of pressure that are told apart.
const LEVELS = 24;
const levelColour = (level) => borelliScene.hex(borelliScene.pressureColour((level + 0.5) / LEVELS));

// Cells of one colour as one path, the first side to the right and the second down; neighbours along the second side are one rectangle.
function cellPaths(values, nx, nz) {
  const paths = new Array(LEVELS).fill("");
  const level = (value) => (value > 0 ? Math.min(LEVELS - 1, Math.floor((value / 65536) * LEVELS)) : -1);
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < nz; ) {
      const own = level(values[i * nz + j]);
      let end = j + 1;
      while (end < nz && level(values[i * nz + end]) === own) end++;
      if (own >= 0) paths[own] += "M" + i + " " + j + "h1v" + (end - j) + "h-1z";
      j = end;
    }
  }
  return paths;
}
