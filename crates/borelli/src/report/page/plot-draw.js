// Drawing plots: axes with round ticks, curves, events, the cursor of the page and that of the pointer. The static plots of the page look the same.

// More events than this are marked at the axis only.
const MOST_EVENTS = 12;
const PLOT_MARGIN = { left: 56, right: 16, top: 24, bottom: 34 };

// Size of a plot on paper, of which two stand beside each other: what is drawn in px is then about as large as px are there.
const PAPER_PLOT = { width: 340, height: 176 };

// Axes and curves; done when data, size, zoom or a switch changes. Without a size that of the screen is taken.
function drawPlot(plot, size = null) {
  plot.stale = false;
  const width = size ? size.width : Math.max(240, plot.frame.clientWidth || 520);
  const height = size ? size.height : Math.round(Math.max(190, Math.min(270, 0.5 * width)));
  plot.box = { left: PLOT_MARGIN.left, right: width - PLOT_MARGIN.right, top: PLOT_MARGIN.top, bottom: height - PLOT_MARGIN.bottom, width, height };
  plot.frame.setAttribute("viewBox", "0 0 " + width + " " + height);
  plot.frame.replaceChildren();
  plot.shown = plot.lines.filter((line) => !plot.hidden.has(line.key));
  if (plot.kind === "phase") drawPhase(plot);
  else drawTimes(plot);
  plot.marks = svg(plot.frame, "g", { class: "marks" });
  drawCursor(plot);
}

// From values to places and back, linear.
function scaleOf(low, high, from, to) {
  const slope = (to - from) / (high - low);
  const place = (x) => from + (x - low) * slope;
  place.back = (at) => low + (at - from) / slope;
  [place.low, place.high] = [low, high];
  return place;
}

function drawTimes(plot) {
  const { box } = plot;
  const { text: unit, factor } = plotUnit(plot);
  plot.x = scaleOf(...xRange(plot.shown.length ? plot.shown : plot.lines), box.left, box.right);
  plot.y = scaleOf(...(plot.yZoom || yRange(plot.shown, factor)), box.bottom, box.top);
  for (const [from, to] of plot.unmeasured) {
    const [left, right] = [from, to].map((t) => Math.max(box.left, Math.min(box.right, plot.x(toX(plot.lines[0].one, t)))));
    if (right > left) svg(plot.frame, "rect", { class: "unmeasured", x: left.toFixed(1), y: box.top, width: (right - left).toFixed(1), height: box.bottom - box.top });
  }
  drawAxes(plot, xName(), axisName(plot.title, unit));
  const clip = svg(svg(plot.frame, "clipPath", { id: "clip" + plot.id }), "rect", {});
  for (const [key, value] of Object.entries({ x: box.left, y: box.top - 1, width: box.right - box.left, height: box.bottom - box.top + 2 })) clip.setAttribute(key, value);
  const inside = svg(plot.frame, "g", { "clip-path": "url(#clip" + plot.id + ")" });
  drawEvents(plot, inside);
  // Bands lie behind all curves.
  for (const line of plot.shown.filter((own) => own.column.band)) {
    const d = bandText(line.column.band, (t) => plot.x(toX(line.one, t)), (y) => plot.y(y * factor));
    svg(inside, "path", { class: "band", d, style: "fill:var(" + line.pen.colour + ")" });
  }
  // The chosen case lies over the others.
  for (const line of [...plot.shown].reverse()) {
    const curve = curveOf(line.one, line.column);
    const ends = seenSamples(plot, line.one, curve.t);
    const d = curveText(curve, (t) => plot.x(toX(line.one, t)), (y) => plot.y(y * factor), ends, box.right - box.left);
    svg(inside, "path", { class: "curve", d, style: penStyle(line.pen) });
  }
}

// The samples of a curve that the x axis shows, with one more on both sides.
function seenSamples(plot, one, times) {
  const last = times.length - 1;
  return [Math.max(0, frameAt(times, toTime(one, plot.x.low)) - 1), Math.min(last, frameAt(times, toTime(one, plot.x.high)) + 2)];
}

// The beginning of a title says what is measured, where it is short; the unit always.
function axisName(title, unit) {
  const first = title.split(/[,:(]/)[0].trim();
  const words = unit || "pure number";
  return first && first.length <= 28 ? first[0].toUpperCase() + first.slice(1) + " / " + words : words;
}

function drawAxes(plot, xWords, yWords) {
  const { frame, box } = plot;
  const size = (scale) => Math.max(Math.abs(scale.low), Math.abs(scale.high));
  const yTicks = ticks(plot.y.low, plot.y.high, 5);
  for (const y of yTicks.values) {
    const at = plot.y(y).toFixed(1);
    const zero = Math.abs(y) < 1e-9 * (plot.y.high - plot.y.low);
    svg(frame, "path", { class: zero ? "zero" : "tick", d: "M" + box.left + " " + at + "H" + box.right });
    svg(frame, "text", { x: box.left - 6, y: Number(at) + 4, "text-anchor": "end" }, tickText(y, yTicks.decimals, size(plot.y)));
  }
  const xTicks = ticks(plot.x.low, plot.x.high, Math.max(3, Math.min(8, Math.floor(box.width / 80))));
  for (const x of xTicks.values) {
    const at = plot.x(x).toFixed(1);
    svg(frame, "path", { class: "edge-line", d: "M" + at + " " + box.bottom + "v4" });
    svg(frame, "text", { x: at, y: box.bottom + 16, "text-anchor": "middle" }, tickText(x, xTicks.decimals, size(plot.x)));
  }
  svg(frame, "path", { class: "edge-line", d: "M" + box.left + " " + box.bottom + "H" + box.right });
  svg(frame, "text", { class: "name", x: box.right, y: box.height - 4, "text-anchor": "end" }, xWords);
  svg(frame, "text", { class: "name", x: 4, y: 13 }, yWords);
}

// Events of the only case that is shown; of several a mark would not tell whose it is.
function drawEvents(plot, parent) {
  const cases = [...new Set(plot.lines.map((line) => line.one))];
  if (cases.length !== 1) return;
  // Of many only the feet are drawn: they would hide the curves.
  const seen = cases[0].events.map((event) => plot.x(toX(cases[0], event.time))).filter((x) => x >= plot.box.left && x <= plot.box.right);
  const top = seen.length > MOST_EVENTS ? plot.box.bottom - 9 : plot.box.top;
  for (const event of cases[0].events) {
    const at = plot.x(toX(cases[0], event.time)).toFixed(1);
    const line = svg(parent, "path", { class: "event", d: "M" + at + " " + top + "V" + plot.box.bottom });
    svg(line, "title", {}, event.label);
  }
}

// Columns of a phase plot over its first, case by case.
function phasePairs(plot) {
  const [right, ...upward] = plot.names;
  const of = (one, run) => upward.map((name) => ({ one, run, name, x: columnOf(one, right), y: columnOf(one, name) }));
  const pairs = casesOf(plot).flatMap(of).filter((pair) => pair.x && pair.y);
  // As over time: a curve has the same pen in both plots of the same columns.
  const pens = pensOf(pairs.map((pair) => ({ name: pair.name, run: pair.run, column: pair.y })));
  pairs.forEach((pair, i) => (pair.pen = pens[i]));
  return pairs;
}

// The pen of a line where several curves must be told apart; none for the column to the right.
function phasePen(plot, line) {
  const pairs = phasePairs(plot);
  const own = pairs.find((pair) => pair.one === line.one && pair.name === line.name);
  return pairs.length > 1 && own ? own.pen : null;
}

// Columns over another: equal scales for equal units, a dot at the start, arrow heads every tenth of the time.
function drawPhase(plot) {
  const { box } = plot;
  const pairs = phasePairs(plot);
  plot.pairs = pairs;
  if (!pairs.length) return;
  const [ux, uy] = ["x", "y"].map((axis) => shownUnit(pairs[0][axis].unit, sizeOf(pairs.map((pair) => pair[axis]))));
  plot.units = [ux, uy];
  let [xs, ys] = [yRange(pairs.map((pair) => ({ column: pair.x })), ux.factor), plot.yZoom || yRange(pairs.map((pair) => ({ column: pair.y })), uy.factor)];
  if (ux.text === uy.text) [xs, ys] = equalSpans(xs, ys, (box.right - box.left) / (box.bottom - box.top));
  plot.x = scaleOf(...xs, box.left, box.right);
  plot.y = scaleOf(...ys, box.bottom, box.top);
  const named = (column, unit) => column.label + (unit.text ? " / " + unit.text : "");
  // The name of one curve, or of what all have in common.
  drawAxes(plot, named(pairs[0].x, ux), plot.names.length > 2 ? axisName(plot.title, uy.text) : named(pairs[0].y, uy));
  pairs.forEach((pair) => {
    if (plot.hidden.has(data.cases.indexOf(pair.one) + "\n" + pair.name)) return;
    const at = (k) => [plot.x(pair.x.values[k] * ux.factor), plot.y(pair.y.values[k] * uy.factor)];
    const { pen } = pair;
    const style = "stroke:var(" + pen.colour + ")";
    const points = Array.from(pair.one.time, (_, k) => at(k)).filter(([x, y]) => Number.isFinite(x + y));
    svg(plot.frame, "path", { class: "curve", d: pathText(points), style: penStyle(pen) });
    if (points.length) svg(plot.frame, "circle", { cx: points[0][0], cy: points[0][1], r: 4, style: "fill:var(--page);stroke-width:2;" + style });
    drawHeads(plot, pair.one, at, style.replace("stroke", "fill"));
  });
}

function equalSpans([x0, x1], [y0, y1], ratio) {
  const tall = Math.max(y1 - y0, (x1 - x0) / ratio);
  const [mx, my] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return [[mx - (tall * ratio) / 2, mx + (tall * ratio) / 2], [my - tall / 2, my + tall / 2]];
}

function drawHeads(plot, one, at, style) {
  const [start, end] = [one.time[0], one.time[one.time.length - 1]];
  for (let part = 1; part < 10; part++) {
    const k = nearestFrame(one.time, start + ((end - start) * part) / 10);
    const [[x, y], [bx, by]] = [at(k), at(Math.max(0, k - 1))];
    const length = Math.hypot(x - bx, y - by);
    if (!(length > 0.05)) continue;
    const angle = (Math.atan2(y - by, x - bx) * 180) / Math.PI;
    svg(plot.frame, "path", { d: "M0 0l-8 3.4v-6.8z", transform: "translate(" + x.toFixed(1) + " " + y.toFixed(1) + ") rotate(" + angle.toFixed(1) + ")", style });
  }
}

// The x of the pointer where it is over a plot, else that of the player's time.
const cursorX = (plot) => (plot.hover === null ? toX(current(), shownTime()) : plot.hover);

// Samples that the readout shows: of each line the one nearest to the cursor, if the line goes so far.
function readout(plot) {
  const at = cursorX(plot);
  return plot.lines.map((line) => {
    const { one, column } = line;
    // The player's time is a sample of its own case, bit for bit.
    const t = plot.hover === null && one === current() ? shownTime() : toTime(one, at);
    const frame = plot.hover === null && one === current() ? state.frame : nearestFrame(one.time, t);
    const step = one.time.length > 1 ? (one.time[one.time.length - 1] - one.time[0]) / (one.time.length - 1) : Infinity;
    const reached = Math.abs(one.time[frame] - t) <= 2 * step + 1e-12;
    return { line, frame, time: one.time[frame], value: reached ? column.values[frame] : NaN };
  });
}

// A value as it is shown, with its unit.
const withUnit = (value, { text, factor }) => valueText(value * factor) + (Number.isFinite(value) && text ? " " + text : "");

// Cursor, dots and values; done for every sample shown.
function drawCursor(plot) {
  if (plot.kind === "phase") return drawPhaseCursor(plot);
  if (!plot.x) return undefined;
  plot.marks.replaceChildren();
  const { box } = plot;
  const unit = plotUnit(plot);
  const { factor } = unit;
  const within = (x) => x >= box.left - 0.5 && x <= box.right + 0.5;
  const now = plot.x(toX(current(), shownTime()));
  if (within(now)) svg(plot.marks, "path", { class: "cursor", d: "M" + now.toFixed(1) + " " + (box.top - 4) + "V" + box.bottom });
  if (plot.hover !== null) {
    const at = plot.x(plot.hover).toFixed(1);
    svg(plot.marks, "path", { class: "hover", d: "M" + at + " " + (box.top - 4) + "V" + box.bottom });
  }
  readout(plot).forEach(({ line, time, value }, i) => {
    plot.values[i].textContent = withUnit(value, unit);
    const [x, y] = [plot.x(toX(line.one, time)), plot.y(value * factor)];
    if (!plot.hidden.has(line.key) && within(x) && y >= box.top - 1 && y <= box.bottom + 1) svg(plot.marks, "circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3.2, style: "fill:var(" + line.pen.colour + ")" });
  });
  plot.at.textContent = readoutWords(plot);
  return undefined;
}

function readoutWords(plot) {
  const at = cursorX(plot);
  if (state.x.kind === "part") return valueText(at, 4) + " %";
  const near = plot.hover !== null && eventNear(plot);
  return (plot.hover === null ? "at " : "pointer at ") + borelliScene.instantText(current(), state.x.kind === "time" ? toTime(current(), at) : at) + (near ? ", " + near.label : "");
}

// The event that the pointer is on, within four pixels.
function eventNear(plot) {
  const cases = [...new Set(plot.lines.map((line) => line.one))];
  if (cases.length !== 1) return null;
  return cases[0].events.find((event) => Math.abs(plot.x(toX(cases[0], event.time)) - plot.x(plot.hover)) < 4) || null;
}

function drawPhaseCursor(plot) {
  if (!plot.x || !plot.pairs.length) return;
  plot.marks.replaceChildren();
  plot.pairs.forEach(({ one, x, y, pen }) => {
    const k = one === current() ? state.frame : nearestFrame(one.time, shownTime());
    const [px, py] = [plot.x(x.values[k] * plot.units[0].factor), plot.y(y.values[k] * plot.units[1].factor)];
    if (Number.isFinite(px + py)) svg(plot.marks, "circle", { cx: px, cy: py, r: 5, style: "stroke:var(--page);stroke-width:1.5;fill:var(" + pen.colour + ")" });
  });
  plot.lines.forEach(({ one, column }, i) => {
    const k = one === current() ? state.frame : nearestFrame(one.time, shownTime());
    plot.values[i].textContent = withUnit(column.values[k], shownUnit(column.unit, sizeOf([column])));
  });
  plot.at.textContent = "at " + borelliScene.instantText(current(), shownTime());
}
