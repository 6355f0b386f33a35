// Plots over time: axes with units, curves, legend with values, a cursor that goes with the player.

const plots = [];
const hidden = new Set();

// Makes the plots of a group inside a grid: one per unit.
function addGroup(grid, title, names) {
  const known = names.filter((name) => current().byName.has(name));
  const units = [...new Set(known.map((name) => current().byName.get(name).unit))];
  for (const unit of units) {
    const of = known.filter((name) => current().byName.get(name).unit === unit);
    const box = html(grid, "div", { class: "plot" });
    const heading = title || of.slice(0, 3).join(", ") + (of.length > 3 ? ", \u2026" : "");
    html(box, "h3", {}, heading);
    const frame = svg(box, "svg", { role: "img", "aria-label": "Plot: " + heading });
    const at = html(box, "div", { class: "at" });
    const list = html(box, "ul", {});
    const plot = { names: of, unit, frame, at, list, hover: null };
    fillLegend(plot);
    listen(plot);
    plots.push(plot);
  }
}

// Names with colours; a click hides or shows a curve.
function fillLegend(plot) {
  const short = shortNames(plot.names);
  plot.values = plot.names.map((name, i) => {
    const button = html(html(plot.list, "li", {}), "button", { type: "button", title: name, "aria-pressed": String(!hidden.has(name)) });
    html(button, "i", { style: "border-color:" + colour(i) });
    html(button, "span", {}, short[i]);
    button.addEventListener("click", () => {
      if (!hidden.delete(name)) hidden.add(name);
      button.setAttribute("aria-pressed", String(!hidden.has(name)));
      drawPlot(plot);
    });
    return html(button, "b", {});
  });
}

// The curves of a plot: of the current case, and of the others when they are laid over it.
function curvesOf(plot) {
  const { factor } = shownUnit(plot.unit);
  const cases = byId("overlay").checked ? data.cases.filter((one) => one !== current() && one.time.length).concat([current()]) : [current()];
  const curves = [];
  for (const one of cases) {
    plot.names.forEach((name, i) => {
      const column = one.byName.get(name);
      if (column && !hidden.has(name)) curves.push({ one, i, time: one.time, values: column.values.map((x) => (x === null ? null : x * factor)) });
    });
  }
  return curves;
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
  for (const event of current().events) {
    if (event.time < t0 || event.time > t1) continue;
    const x = plot.x(event.time);
    const line = svg(root, "line", { x1: x, x2: x, y1: box.top, y2: box.bottom, style: "stroke:var(--soft);stroke-dasharray:2 4" });
    svg(line, "title", {}, event.name);
  }
  for (const curve of curves) {
    const own = curve.one === current();
    const style = "fill:none;stroke:" + colour(curve.i) + ";stroke-width:" + (own ? 2 : 1) + ";stroke-linejoin:round;opacity:" + (own ? 1 : 0.55);
    svg(root, "path", { d: curveText(plot, curve), style });
  }
  plot.cursor = svg(root, "line", { y1: box.top - 4, y2: box.bottom, class: "cursor", style: "stroke:var(--ink);stroke-width:1.2" });
  plot.dots = svg(root, "g", {});
  plot.curves = curves.filter((curve) => curve.one === current());
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

// Cursor and readout at the pointer, else at the time of the player.
function cursorOf(plot) {
  if (!plot.x) return;
  const times = current().time;
  const k = plot.hover === null ? state.frame : plot.hover;
  const x = plot.x(times[k]);
  plot.cursor.setAttribute("x1", x);
  plot.cursor.setAttribute("x2", x);
  plot.cursor.setAttribute("stroke-dasharray", plot.hover === null ? "none" : "4 3");
  plot.dots.replaceChildren();
  plot.values.forEach((cell) => (cell.textContent = ""));
  for (const curve of plot.curves) {
    const y = curve.values[k];
    plot.values[curve.i].textContent = valueText(y);
    if (y !== null) svg(plot.dots, "circle", { cx: x, cy: plot.y(y), r: 3.2, style: "fill:" + colour(curve.i) });
  }
  plot.at.textContent = (plot.hover === null ? "at " : "pointer at ") + timeText(times[k]) + ":";
}

// Pointer: hover reads, a press or drag moves the player.
function listen(plot) {
  const frameOf = (event) => {
    const bounds = plot.frame.getBoundingClientRect();
    const x = ((event.clientX - bounds.left) / bounds.width) * plot.frame.viewBox.baseVal.width;
    return nearestFrame(current().time, plot.time(x));
  };
  plot.frame.addEventListener("pointermove", (event) => {
    plot.hover = frameOf(event);
    if (event.buttons & 1) goTo(plot.hover);
    cursorOf(plot);
  });
  plot.frame.addEventListener("pointerleave", () => {
    plot.hover = null;
    cursorOf(plot);
  });
  plot.frame.addEventListener("pointerdown", (event) => goTo(frameOf(event)));
}

// Makes all plots anew: the chosen columns first, then the groups.
function plotsCase() {
  plots.length = 0;
  byId("groups").replaceChildren();
  for (const group of data.groups) addGroup(byId("groups"), group.title, group.columns);
  plotChosen();
}

function plotChosen() {
  const names = [...byId("columns").querySelectorAll("input:checked")].map((box) => box.value);
  for (let i = plots.length - 1; i >= 0; i--) if (byId("chosen").contains(plots[i].frame)) plots.splice(i, 1);
  byId("chosen").replaceChildren();
  if (names.length) addGroup(byId("chosen"), "Your choice", names);
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
