// Plots over time: axes with units, curves, legend with values, a cursor that goes with the player.

const plots = [];
const hidden = new Set();

// Makes the plots of a group inside a grid: one per unit. Its cases are those it asks for, else the chosen one.
function addGroup(grid, title, names, cases) {
  const fixed = cases ? cases.map((index) => data.cases[index]) : null;
  const own = fixed || [current()];
  const unitFor = (name) => own.map((one) => one.byName.get(name)).find(Boolean).unit;
  const known = names.filter((name) => own.some((one) => one.byName.has(name)));
  for (const unit of new Set(known.map(unitFor))) {
    const of = known.filter((name) => unitFor(name) === unit);
    const box = html(grid, "div", { class: "plot" });
    const heading = title || of.slice(0, 3).join(", ") + (of.length > 3 ? ", \u2026" : "");
    html(box, "h3", {}, heading);
    const frame = svg(box, "svg", { role: "img", "aria-label": "Plot: " + heading });
    const at = html(box, "div", { class: "at" });
    const list = html(box, "ul", {});
    const plot = { lines: linesOf(of, fixed), fixed, unit, frame, at, list, hover: null };
    fillLegend(plot);
    listen(plot);
    plots.push(plot);
  }
}

// What a plot shows, a line per entry of its legend: a column of the chosen case, or of a case of its own, then labelled by it.
function linesOf(names, fixed) {
  const short = shortNames(names);
  if (!fixed) return names.map((name, i) => ({ name, one: null, label: short[i], key: name }));
  const label = (one, i) => (fixed.length === 1 ? short[i] : names.length === 1 ? caseName(one) : caseName(one) + ": " + short[i]);
  const of = (one) => names.map((name, i) => ({ name, one, label: label(one, i), key: caseName(one) + "\n" + name }));
  return fixed.flatMap(of).filter((line) => line.one.byName.has(line.name));
}

// Names with colours; a click hides or shows a curve.
function fillLegend(plot) {
  plot.values = plot.lines.map(({ name, one, label, key }, i) => {
    const title = one ? name + ", case " + caseName(one) : name;
    const button = html(html(plot.list, "li", {}), "button", { type: "button", title, "aria-pressed": String(!hidden.has(key)) });
    html(button, "i", { style: "border-color:" + colour(i) });
    html(button, "span", {}, label);
    button.addEventListener("click", () => {
      if (!hidden.delete(key)) hidden.add(key);
      button.setAttribute("aria-pressed", String(!hidden.has(key)));
      drawPlot(plot);
    });
    return html(button, "b", {});
  });
}

// The curves of a plot: of its own cases; else of the current case, and of the others when they are laid over it.
function curvesOf(plot) {
  const { factor } = shownUnit(plot.unit);
  const others = byId("overlay").checked ? data.cases.filter((one) => one !== current() && one.time.length) : [];
  const curves = [];
  plot.lines.forEach(({ name, one, key }, i) => {
    for (const of of one ? [one] : others.concat([current()])) {
      const column = of.byName.get(name);
      if (!column || hidden.has(key)) continue;
      const own = one !== null || of === current();
      curves.push({ own, i, time: of.time, values: column.values.map((x) => (x === null ? null : x * factor)) });
    }
  });
  // What is laid under the others comes first.
  return curves.sort((a, b) => a.own - b.own);
}

// Ends of an axis around values, a little wider; what hardly changes is drawn as a flat line.
function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const x of values) {
    if (x === null) continue;
    low = Math.min(low, x);
    high = Math.max(high, x);
  }
  if (!(low <= high)) return [-1, 1];
  const least = 1e-4 * Math.max(Math.abs(low), Math.abs(high)) || 1;
  const pad = Math.max(0.06 * (high - low), high - low < least ? least : 0);
  return [low - pad, high + pad];
}

// Axes and curves; done when data, size or a switch changes.
function drawPlot(plot) {
  const width = Math.max(260, plot.frame.clientWidth || 520);
  const height = Math.round(Math.max(190, Math.min(270, 0.5 * width)));
  const box = { left: 56, right: width - 20, top: 24, bottom: height - 34 };
  const curves = curvesOf(plot);
  const times = curves.length ? curves.flatMap((curve) => [curve.time[0], curve.time[curve.time.length - 1]]) : [0, 1];
  let [t0, t1] = [Math.min(...times), Math.max(...times)];
  if (!(t1 > t0)) [t0, t1] = [t0 - 0.5, t0 + 0.5];
  const [y0, y1] = rangeOf(curves.flatMap((curve) => curve.values));
  plot.x = (t) => box.left + ((t - t0) / (t1 - t0)) * (box.right - box.left);
  plot.y = (y) => box.bottom - ((y - y0) / (y1 - y0)) * (box.bottom - box.top);
  plot.time = (x) => Math.min(t1, Math.max(t0, t0 + ((x - box.left) / (box.right - box.left)) * (t1 - t0)));
  plot.box = box;
  const root = plot.frame;
  root.setAttribute("viewBox", "0 0 " + width + " " + height);
  root.setAttribute("height", height);
  root.replaceChildren();
  const grid = svg(root, "g", { "font-size": 11 });
  const yTicks = ticks(y0, y1, 5);
  for (const y of yTicks.values) {
    const at = plot.y(y);
    const zero = Math.abs(y) < 1e-9 * (y1 - y0);
    svg(grid, "line", { x1: box.left, x2: box.right, y1: at, y2: at, style: "stroke:var(--" + (zero ? "soft" : "line") + ");stroke-width:1" });
    svg(grid, "text", { x: box.left - 6, y: at + 4, "text-anchor": "end", class: "soft" }, tickText(y, yTicks.decimals, Math.max(Math.abs(y0), Math.abs(y1))));
  }
  const tTicks = ticks(t0, t1, Math.max(3, Math.min(8, Math.floor(width / 75))));
  for (const t of tTicks.values) {
    svg(grid, "line", { x1: plot.x(t), x2: plot.x(t), y1: box.bottom, y2: box.bottom + 4, style: "stroke:var(--soft)" });
    svg(grid, "text", { x: plot.x(t), y: box.bottom + 16, "text-anchor": "middle", class: "soft" }, tickText(t, tTicks.decimals, Math.max(Math.abs(t0), Math.abs(t1))));
  }
  svg(grid, "line", { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, style: "stroke:var(--soft)" });
  svg(grid, "text", { x: box.right, y: height - 4, "text-anchor": "end" }, "time / s");
  svg(grid, "text", { x: 6, y: 13, "font-weight": 600 }, shownUnit(plot.unit).text || "pure number");
  // In a plot of several cases a mark would not tell whose event it is.
  const events = plot.fixed ? (plot.fixed.length === 1 ? plot.fixed[0].events : []) : current().events;
  for (const event of events) {
    if (event.time < t0 || event.time > t1) continue;
    const x = plot.x(event.time);
    const line = svg(root, "line", { x1: x, x2: x, y1: box.top, y2: box.bottom, style: "stroke:var(--soft);stroke-dasharray:2 4" });
    svg(line, "title", {}, event.name);
  }
  for (const curve of curves) {
    const style = "fill:none;stroke:" + colour(curve.i) + ";stroke-width:" + (curve.own ? 2 : 1) + ";stroke-linejoin:round;opacity:" + (curve.own ? 1 : 0.55);
    svg(root, "path", { d: curveText(plot, curve), style });
  }
  plot.cursor = svg(root, "line", { y1: box.top - 4, y2: box.bottom, class: "cursor", style: "stroke:var(--ink);stroke-width:1.2" });
  plot.dots = svg(root, "g", {});
  plot.curves = curves.filter((curve) => curve.own);
  cursorOf(plot);
}

// A curve as a path; a sample without value leaves a gap, a lone one is a dot.
function curveText(plot, curve) {
  let text = "";
  let pen = false;
  curve.values.forEach((y, k) => {
    if (y === null) {
      pen = false;
      return;
    }
    const point = plot.x(curve.time[k]).toFixed(2) + " " + plot.y(y).toFixed(2);
    text += pen ? "L" + point : "M" + point + "h0.01";
    pen = true;
  });
  return text;
}

// Cursor and readout at the pointer, else at the time of the player: each curve at its sample nearest to that time, if it goes so far.
function cursorOf(plot) {
  if (!plot.x) return;
  const t = plot.hover === null ? current().time[state.frame] : plot.hover;
  const x = plot.x(t);
  plot.cursor.setAttribute("x1", x);
  plot.cursor.setAttribute("x2", x);
  plot.cursor.setAttribute("stroke-dasharray", plot.hover === null ? "none" : "4 3");
  plot.dots.replaceChildren();
  plot.values.forEach((cell) => (cell.textContent = ""));
  for (const curve of plot.curves) {
    const k = nearestFrame(curve.time, t);
    const near = plot.x(curve.time[k]);
    // Samples of cases may differ; a curve that ended earlier has no value here.
    if (k === curve.time.length - 1 && near < x - 2) continue;
    const y = curve.values[k];
    plot.values[curve.i].textContent = valueText(y);
    if (y !== null) svg(plot.dots, "circle", { cx: near, cy: plot.y(y), r: 3.2, style: "fill:" + colour(curve.i) });
  }
  const of = plot.fixed || [current()];
  const whose = data.cases.length > 1 && of.length === 1 ? caseName(of[0]) + ", " : "";
  plot.at.textContent = whose + (plot.hover === null ? "at " : "pointer at ") + timeText(t) + ":";
}

// Pointer: hover reads, a press or drag moves the player.
function listen(plot) {
  const timeOf = (event) => {
    const bounds = plot.frame.getBoundingClientRect();
    const x = ((event.clientX - bounds.left) / bounds.width) * plot.frame.viewBox.baseVal.width;
    // To a sample of the curve that goes on longest.
    const ends = (curve) => curve.time[curve.time.length - 1];
    const times = plot.curves.length ? plot.curves.reduce((a, b) => (ends(b) > ends(a) ? b : a)).time : current().time;
    return times[nearestFrame(times, plot.time(x))];
  };
  const follow = (t) => goTo(nearestFrame(current().time, t));
  plot.frame.addEventListener("pointermove", (event) => {
    plot.hover = timeOf(event);
    if (event.buttons & 1) follow(plot.hover);
    cursorOf(plot);
  });
  plot.frame.addEventListener("pointerleave", () => {
    plot.hover = null;
    cursorOf(plot);
  });
  plot.frame.addEventListener("pointerdown", (event) => follow(timeOf(event)));
}

// Makes all plots anew: the chosen columns first, then the groups.
function plotsCase() {
  plots.length = 0;
  byId("groups").replaceChildren();
  for (const group of data.groups) addGroup(byId("groups"), group.title, group.columns, group.cases);
  plotChosen();
}

function plotChosen() {
  const names = [...byId("columns").querySelectorAll("input:checked")].map((box) => box.value);
  for (let i = plots.length - 1; i >= 0; i--) if (byId("chosen").contains(plots[i].frame)) plots.splice(i, 1);
  byId("chosen").replaceChildren();
  if (names.length) addGroup(byId("chosen"), "Your choice", names, null);
  plots.forEach(drawPlot);
}

// The list of all columns, with a search field.
function fillChooser() {
  const box = byId("columns");
  const names = [...new Set(data.cases.flatMap((one) => one.columns.map((column) => column.name)))];
  for (const name of names) {
    const label = html(box, "label", {});
    html(label, "input", { type: "checkbox", value: name });
    label.append(name);
  }
  box.addEventListener("change", plotChosen);
  byId("filter").addEventListener("input", () => {
    const part = byId("filter").value.trim().toLowerCase();
    for (const label of box.children) label.hidden = !label.textContent.toLowerCase().includes(part);
  });
}
