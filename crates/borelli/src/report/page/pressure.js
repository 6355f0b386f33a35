// Pressure: of each mat the map at the player's time, the highest pressure of every cell, and a strip of maps that lead to their times. Seen from
// above, forward up the page.

const MAP_WIDTH = 280;
const STRIP = 8;
// Room around a map for its axes, px: left, right, top, bottom.
const MAP_RIM = [40, 20, 20, 34];

// How the cells of a mat lie on the page: which side goes up, signs, and the part of the mat that is ever pressed.
function layMat(mat) {
  const { dot, cross } = borelliScene.vector;
  const figure = borelliScene.figureOf(data, current());
  const forward = mat.forward || figure.forward;
  const up = Math.abs(dot(mat.axes[0], forward)) >= Math.abs(dot(mat.axes[1], forward)) ? 0 : 1;
  const signUp = dot(mat.axes[up], forward) < 0 ? -1 : 1;
  const signRight = dot(mat.axes[1 - up], cross(forward, figure.up)) < 0 ? -1 : 1;
  const [nx, nz] = mat.cells;
  const low = [nx, nz];
  const high = [0, 0];
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < nz; j++) {
      if (!mat.highest[i * nz + j]) continue;
      [low[0], low[1], high[0], high[1]] = [Math.min(low[0], i), Math.min(low[1], j), Math.max(high[0], i + 1), Math.max(high[1], j + 1)];
    }
  }
  // Outlines of what may press are seen whole, as far as they are on the mat.
  for (const at of (mat.outline || []).flat()) {
    const way = borelliScene.vector.minus(at, mat.origin);
    mat.axes.forEach((axis, k) => {
      const cell = dot(way, axis) / mat.pitch[k];
      low[k] = Math.min(low[k], Math.floor(cell));
      high[k] = Math.max(high[k], Math.ceil(cell));
    });
  }
  // A margin of an eighth.
  const part = [0, 1].map((k) => {
    if (low[0] >= high[0]) return [0, mat.cells[k]];
    const more = Math.max(2, Math.round((high[k] - low[k]) / 8));
    return [Math.max(0, low[k] - more), Math.min(mat.cells[k], high[k] + more)];
  });
  return { mat, up, signUp, signRight, part };
}

// A picture of cells, `wide` px at most and no taller than 1.8 times that, with axes where there is room for them.
function drawMap(parent, lay, values, wide, axes) {
  const { mat, up, signUp, signRight, part } = lay;
  const size = [0, 1].map((k) => (part[k][1] - part[k][0]) * mat.pitch[k]);
  const [left, right, top, bottom] = axes ? MAP_RIM : [1, 1, 1, 1];
  const scale = Math.min((wide - left - right) / size[1 - up], (1.8 * wide - top - bottom) / size[up]);
  const [w, h] = [size[1 - up] * scale, size[up] * scale];
  const root = svg(parent, "svg", { role: "img", width: (w + left + right).toFixed(1), height: (h + top + bottom).toFixed(1), viewBox: `0 0 ${(w + left + right).toFixed(1)} ${(h + top + bottom).toFixed(1)}` });
  svg(root, "rect", { class: "ground", x: left, y: top, width: w, height: h });
  // From cells to the page: along the two sides of the mat.
  const edges = [0, 1].map((k) => {
    const step = mat.pitch[k] * scale;
    return k === up ? [0, -signUp * step] : [signRight * step, 0];
  });
  const corner = [signRight > 0 ? left : left + w, signUp > 0 ? top + h : top];
  const from = [0, 1].map((i) => corner[i] - part[0][0] * edges[0][i] - part[1][0] * edges[1][i]);
  const group = svg(root, "g", { "shape-rendering": "crispEdges", transform: "matrix(" + [...edges[0], ...edges[1], ...from].map((x) => x.toFixed(5)).join(" ") + ")" });
  cellPaths(values, ...mat.cells).forEach((d, level) => d && svg(group, "path", { d, fill: levelColour(level) }));
  svg(root, "rect", { class: "edge", x: left, y: top, width: w, height: h });
  // From a place of the world, and from the page back to the cell.
  const place = (at) => {
    const { dot, minus } = borelliScene.vector;
    const way = minus(at, mat.origin);
    const along = mat.axes.map((axis, k) => dot(way, axis) / mat.pitch[k]);
    return [0, 1].map((i) => from[i] + along[0] * edges[0][i] + along[1] * edges[1][i]);
  };
  const back = ([x, y]) => {
    const det = edges[0][0] * edges[1][1] - edges[0][1] * edges[1][0];
    const [dx, dy] = [x - from[0], y - from[1]];
    return [(dx * edges[1][1] - dy * edges[1][0]) / det, (dy * edges[0][0] - dx * edges[0][1]) / det];
  };
  const map = { root, left, top, w, h, scale, edges, from, place, back, lay };
  if (axes) drawMapAxes(map);
  return map;
}

// Millimetres from the corner of the mat, every fifty; and which way is which.
function drawMapAxes({ root, left, top, w, h, scale, lay }) {
  const { mat, up, signUp, signRight, part } = lay;
  const span = (k) => [part[k][0] * mat.pitch[k] * 1000, part[k][1] * mat.pitch[k] * 1000];
  const step = Math.max(...[0, 1].map((k) => span(k)[1] - span(k)[0])) > 600 ? 100 : 50;
  const marks = (k, draw) => {
    const [low, high] = span(k);
    for (let x = Math.ceil(low / step) * step; x <= high + 1e-6; x += step) draw(((x - low) / 1000) * scale, String(Math.round(x)));
  };
  marks(up, (at, words) => {
    const y = signUp > 0 ? top + h - at : top + at;
    svg(root, "path", { class: "edge", d: `M${left} ${y.toFixed(1)}h-4` });
    svg(root, "text", { x: left - 6, y: y + 4, "text-anchor": "end" }, words);
  });
  marks(1 - up, (at, words) => {
    const x = signRight > 0 ? left + at : left + w - at;
    svg(root, "path", { class: "edge", d: `M${x.toFixed(1)} ${top + h}v4` });
    svg(root, "text", { x, y: top + h + 15, "text-anchor": "middle" }, words);
  });
  const known = mat.side && mat.forward;
  svg(root, "text", { x: left + w, y: top + h + 30, "text-anchor": "end" }, known ? "mm" : "to the right / mm");
  const [leftWord, rightWord] = known ? (mat.side === "left" ? ["lateral", "medial"] : ["medial", "lateral"]) : ["", ""];
  svg(root, "text", { x: left + w / 2, y: top - 6, "text-anchor": "middle" }, known ? "toes" : "forward / mm \u2191");
  svg(root, "text", { x: left + w + 13, y: top + h / 2, "text-anchor": "middle", transform: `rotate(90 ${left + w + 9} ${top + h / 2})` }, rightWord);
  if (leftWord) svg(root, "text", { x: left + w / 2, y: top + h + 30, "text-anchor": "middle" }, "heel");
  if (leftWord) svg(root, "text", { x: left - 30, y: top + h / 2, "text-anchor": "middle", transform: `rotate(-90 ${left - 30} ${top + h / 2})` }, leftWord);
}

// Outlines of what may press, the way of the centre of pressure, and the peak with its value.
function drawOver(map, values, k) {
  const { mat } = map.lay;
  for (const line of mat.outline || []) if (line.length > 1) svg(map.root, "path", { class: "shape", d: pathText(line.map(map.place)) + "Z" });
  const way = (mat.cop || []).filter(Boolean).map(map.place);
  if (way.length > 1) svg(map.root, "path", { class: "trail", d: pathText(way) });
  let peak = 0;
  values.forEach((value, i) => (peak = value > values[peak] ? i : peak));
  if (values[peak] > 0) {
    const [i, j] = [Math.floor(peak / mat.cells[1]) + 0.5, (peak % mat.cells[1]) + 0.5];
    const [x, y] = [0, 1].map((n) => map.from[n] + i * map.edges[0][n] + j * map.edges[1][n]);
    for (const kind of ["peak halo", "peak"]) svg(map.root, "circle", { class: kind, cx: x, cy: y, r: 6 });
    const near = x > map.left + 0.6 * map.w;
    svg(map.root, "text", { class: "dark", x: x + (near ? -10 : 10), y: y - 6, "text-anchor": near ? "end" : "start" }, valueText((values[peak] / 65535) * mat.high * 1e-3, 3) + " kPa");
  }
  const now = k === null ? null : (mat.cop || [])[k];
  if (now) {
    const [x, y] = map.place(now);
    svg(map.root, "circle", { class: "cop", cx: x, cy: y, r: 4 });
  }
}

// Values of one map.
const mapOf = (mat, k) => mat.maps.subarray(k * mat.cells[0] * mat.cells[1], (k + 1) * mat.cells[0] * mat.cells[1]);

// Force, highest pressure, pressed area and centre of one map, in words.
function mapWords(mat, k) {
  const values = mapOf(mat, k);
  const cell = mat.pitch[0] * mat.pitch[1];
  let [sum, most, count] = [0, 0, 0];
  for (const value of values) {
    sum += value;
    most = Math.max(most, value);
    if (value) count++;
  }
  const unit = mat.high / 65535;
  const { dot, minus } = borelliScene.vector;
  const cop = (mat.cop || [])[k];
  const millimetres = (list) => list.map((x) => valueText(x * 1000, 3)).join(", ") + " mm";
  const centre = cop ? millimetres(mat.axes.map((axis) => dot(minus(cop, mat.origin), axis))) : "\u2013";
  const world = cop ? millimetres(mat.axes.map((axis) => dot(cop, axis))) : "\u2013";
  return [["At", valueText(mat.times[k], 4) + " s"], ["Force", valueText(sum * unit * cell, 4) + " N"], ["Highest", valueText(most * unit * 1e-3, 4) + " kPa"], ["Area", valueText(count * cell * 1e4, 3) + " cm²"], ["Centre of pressure from the corner of the mat", centre], ["The same in the world, as in the plots", world]];
}

// Pressure and place under the pointer.
function readMap(map, values, line) {
  const { mat } = map.lay;
  map.root.addEventListener("pointermove", (event) => {
    const bounds = map.root.getBoundingClientRect();
    const unit = map.root.viewBox.baseVal.width / bounds.width;
    const [i, j] = map.back([(event.clientX - bounds.left) * unit, (event.clientY - bounds.top) * unit]);
    const inside = i >= 0 && j >= 0 && i < mat.cells[0] && j < mat.cells[1];
    const value = inside ? values[Math.floor(i) * mat.cells[1] + Math.floor(j)] : 0;
    const at = valueText(i * mat.pitch[0] * 1000, 3) + ", " + valueText(j * mat.pitch[1] * 1000, 3) + " mm";
    line.textContent = inside ? valueText((value / 65535) * mat.high * 1e-3, 4) + " kPa at " + at : "";
  });
  map.root.addEventListener("pointerleave", () => (line.textContent = ""));
}

// Which map is shown: that of the player's time, or the nearest one that the page holds.
function mapCaption(mat, k) {
  const own = "map at " + valueText(mat.times[k], 4) + " s";
  if (nearestFrame(current().time, mat.times[k]) === state.frame) return own + ", the time of figure and plots";
  return own + ", the nearest that the page holds; figure and plots are at " + borelliScene.instantText(current(), shownTime());
}

// One mat: the map of the time, the highest, the strip, the bar of colours.
function makeMat(parent, mat) {
  const lay = layMat(mat);
  const box = html(parent, "div", { class: "mat-box" });
  const whose = data.cases.length > 1 ? ", case " + caseLabel(current()) : "";
  html(box, "h3", {}, mat.label + (mat.side ? ", " + mat.side : "") + whose);
  const row = html(box, "div", { class: "mats" });
  const now = html(row, "figure", { class: "mat" });
  const highest = html(row, "figure", { class: "mat" });
  const line = html(null, "p", { class: "fine", role: "status", style: "min-height:20px" });
  const top = drawMap(highest, lay, mat.highest, MAP_WIDTH, true);
  top.root.setAttribute("aria-label", "Highest pressure of every cell over the whole run");
  drawOver(top, mat.highest, null);
  readMap(top, mat.highest, line);
  html(highest, "figcaption", {}, "highest pressure of every cell over the whole run");
  const facts = html(row, "div", { class: "mat facts" });
  drawBar(facts, mat);
  const list = html(facts, "dl", {});
  const signs = [(mat.outline || []).some((line) => line.length > 1) && "dashed: outlines of the surfaces that may press", (mat.cop || []).some(Boolean) && "blue: centre of pressure and its way", "ring: the cell under the highest pressure"];
  html(facts, "p", { class: "fine" }, signs.filter(Boolean).join("; "));
  const strip = html(box, "div", { class: "mats strip", role: "group", "aria-label": "Maps over time" });
  const chosen = borelliScene.spread(mat.times.length, STRIP);
  const marks = chosen.map((k) => {
    const figure = html(strip, "figure", { class: "mat" });
    const button = html(figure, "button", { type: "button", "aria-label": "Go to " + valueText(mat.times[k], 4) + " s" });
    drawMap(button, lay, mapOf(mat, k), 96, false).root.setAttribute("aria-hidden", "true");
    button.addEventListener("click", () => {
      goToTime(mat.times[k]);
      rememberState();
    });
    html(figure, "figcaption", {}, valueText(mat.times[k], 4) + " s");
    return [k, figure];
  });
  box.append(line);
  let shown = -1;
  return () => {
    const k = borelliScene.mapAt(mat, shownTime());
    const caption = mapCaption(mat, k);
    if (k === shown) {
      now.lastChild.textContent = caption;
      return;
    }
    shown = k;
    now.replaceChildren();
    const map = drawMap(now, lay, mapOf(mat, k), MAP_WIDTH, true);
    map.root.setAttribute("aria-label", "Pressure at " + valueText(mat.times[k], 4) + " s");
    drawOver(map, mapOf(mat, k), k);
    readMap(map, mapOf(mat, k), line);
    html(now, "figcaption", {}, caption);
    list.replaceChildren();
    for (const [name, words] of mapWords(mat, k)) {
      html(list, "dt", {}, name);
      html(list, "dd", {}, words);
    }
    const nearest = chosen.reduce((best, one) => (Math.abs(one - k) < Math.abs(best - k) ? one : best), chosen[0]);
    marks.forEach(([one, figure]) => figure.classList.toggle("now", one === nearest));
  };
}

// What the colours mean, with about five round ticks.
function drawBar(parent, mat) {
  const [wide, high] = [200, mat.high * 1e-3];
  const root = svg(parent, "svg", { class: "bar", width: 250, height: 40, viewBox: "-10 0 250 40", role: "img", "aria-label": "Colours from 0 to " + valueText(high, 3) + " kPa" });
  for (let level = 0; level < LEVELS; level++) svg(root, "rect", { x: ((level * wide) / LEVELS).toFixed(2), width: (wide / LEVELS + 0.3).toFixed(2), height: 14, fill: levelColour(level) });
  const marks = ticks(0, high, 4);
  for (const value of marks.values) {
    const x = ((value / high) * wide).toFixed(1);
    svg(root, "path", { class: "tick", d: "M" + x + " 0v18" });
    svg(root, "text", { x, y: 31, "text-anchor": "middle" }, tickText(value, marks.decimals, high));
  }
  svg(root, "text", { x: wide + 8, y: 12 }, "kPa");
}

function startPressure() {
  const holder = byId("mats");
  if (!holder) return;
  let updates = [];
  const fill = () => {
    holder.replaceChildren();
    const mats = (current().pressure || []).filter((mat) => mat.times.length);
    if (!mats.length) html(holder, "p", { class: "fine" }, "This case has no maps.");
    // Left and right as they stand, so that the inner sides of the feet meet.
    const rank = (mat) => (mat.side === "left" ? 0 : mat.side === "right" ? 2 : 1);
    updates = [...mats].sort((a, b) => rank(a) - rank(b)).map((mat) => makeMat(holder, mat));
  };
  fill();
  watchers.case.push(fill);
  watchers.frame.push(() => updates.forEach((update) => update()));
}
