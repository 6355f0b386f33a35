// The plots of the page: those of the study or the defaults, and those that a reader makes. Each has a legend with values, and can be saved.

const plots = [];
let plotsMade = 0;
let focused = null;

// Words below the first plot with spans in which something was not measured, below further ones, and which columns lack it; the static plots have the
// first below each.
const UNMEASURED = "Grey: a foot was on the floor where no plate measured it, or the motion is not known. What that foot carries is missing there from the moments of its leg and from the residual; a leg whose own foot was measured lacks nothing.";
const UNMEASURED_TOO = "Grey: spans in which no plate measured a foot, as above.";
const needsLoads = (name) => /^(load|plate|root\.residual|joint)\./.test(name) || /\.(effort|moment|power)$/.test(name);

// One plot inside a grid. `names` are columns of one unit, or x and all y of a phase plot.
function makePlot(grid, { title, note, names, cases, kind, own }) {
  const plot = { id: ++plotsMade, title, names, cases, kind: kind === "phase" ? "phase" : "time", own: Boolean(own), hidden: new Set(), hover: null, yZoom: null, seen: false, stale: true };
  plot.element = html(grid, "figure", { class: "plot" });
  const head = html(plot.element, "div", { class: "plot-head" });
  plot.heading = html(head, "h3", {}, title);
  const beside = html(head, "div", { class: "beside-title" });
  plot.of = html(beside, "span", { class: "of" });
  plot.at = html(beside, "span", { class: "at" });
  saveMenu(beside, plot);
  if (own) html(beside, "button", { type: "button", class: "small", title: "Take this plot away", "aria-label": "Take away " + title }, "×").addEventListener("click", () => dropPlot(plot));
  plot.note = html(plot.element, "p", { class: "fine" }, note || "");
  plot.ownNote = note || "";
  plot.frame = svg(plot.element, "svg", { class: "frame", role: "img", "aria-label": "Plot: " + title });
  plot.legend = html(plot.element, "ul", {});
  plot.table = html(html(plot.element, "div", { class: "unseen" }), "table", {});
  plot.element.addEventListener("focusin", () => focusPlot(plot));
  plot.element.plot = plot;
  fillPlot(plot);
  listenToPlot(plot);
  plots.push(plot);
  if (seenPlots) seenPlots.observe(plot.element);
  return plot;
}

// Lines, legend and table, anew when cases or columns change.
function fillPlot(plot) {
  plot.lines = linesOf(plot);
  plot.unit = plot.lines.length ? plot.lines[0].column.unit : null;
  plot.heading.textContent = plot.title;
  const shown = [...new Set(plot.lines.map((line) => line.one))];
  plot.unmeasured = shown.length === 1 && plot.kind !== "phase" && plot.names.some(needsLoads) ? shown[0].unmeasured || [] : [];
  const own = plots.indexOf(plot);
  const told = (own < 0 ? plots : plots.slice(0, own)).some((other) => other.unmeasured.length);
  plot.note.textContent = plot.unmeasured.length ? (told ? UNMEASURED_TOO : UNMEASURED) : plot.ownNote;
  plot.of.textContent = data.cases.length > 1 && shown.length === 1 ? "case " + caseLabel(shown[0]) : "";
  plot.legend.replaceChildren();
  plot.values = plot.lines.map((line) => {
    const title = line.name + (data.cases.length > 1 ? ", case " + caseLabel(line.one) : "");
    const button = html(html(plot.legend, "li", {}), "button", { type: "button", title, "aria-pressed": String(!plot.hidden.has(line.key)) });
    const pen = plot.kind === "phase" ? phasePen(plot, line) : line.pen;
    if (pen) svg(svg(button, "svg", { width: 22, height: 8, "aria-hidden": "true" }), "path", { class: "curve", d: "M0 4h22", style: penStyle(pen) });
    html(button, "span", {}, line.label);
    button.addEventListener("click", () => {
      if (!plot.hidden.delete(line.key)) plot.hidden.add(line.key);
      button.setAttribute("aria-pressed", String(!plot.hidden.has(line.key)));
      drawPlot(plot);
    });
    return html(button, "b", {});
  });
  tellPlot(plot);
  plot.stale = true;
}

// Start, end and extremes in words, for readers of the screen.
function tellPlot(plot) {
  plot.table.replaceChildren();
  const row = (cells, name) => {
    const line = html(plot.table, "tr", {});
    cells.forEach((cell, i) => html(line, i === 0 || name === "th" ? "th" : "td", {}, cell));
  };
  row(["Curve", "Start", "End", "Smallest", "Largest"], "th");
  for (const { label, column } of plot.lines) {
    // Columns over another have units of their own.
    const { text, factor } = plot.kind === "phase" ? shownUnit(column.unit, sizeOf([column])) : plotUnit(plot);
    const known = column.values.filter((x) => !Number.isNaN(x));
    const words = (x) => (x === null || x === undefined ? "\u2013" : valueText(x * factor) + " " + text);
    row([label, words(known[0]), words(known[known.length - 1]), words(column.low), words(column.high)], "td");
  }
}

function focusPlot(plot) {
  if (focused) focused.element.classList.remove("focus");
  focused = plot;
  plot.element.classList.add("focus");
}

function dropPlot(plot) {
  plots.splice(plots.indexOf(plot), 1);
  plot.element.remove();
  if (focused === plot) focused = null;
  plot.names.forEach((name) => untick(name));
  rememberState();
}

// A plot per unit of some columns.
function makeGroup(grid, { title, note, columns, cases, kind }, own) {
  const shown = cases ? cases.map((index) => data.cases[index]) : data.cases;
  const known = columns.filter((name) => shown.some((one) => columnOf(one, name)));
  const unitOf = (name) => columnOf(shown.find((one) => columnOf(one, name)), name).unit;
  // Of a phase plot the first column is to the right, and all others of one unit are upward.
  if (kind === "phase") {
    const upward = known.slice(1);
    return [...new Set(upward.map(unitOf))].map((unit) => makePlot(grid, { title, note, names: [known[0], ...upward.filter((name) => unitOf(name) === unit)], cases, kind, own }));
  }
  const units = [...new Set(known.map(unitOf))];
  // Two plots of one name are told apart by their units.
  const named = (unit) => (units.length > 1 ? title + ", " + (shownUnit(unit).text || "pure number") : title);
  return units.map((unit) => makePlot(grid, { title: named(unit), note, names: known.filter((name) => unitOf(name) === unit), cases, kind, own }));
}

// Only plots that are seen follow the cursor; the others are drawn when there is time, so that none is empty when the page is scrolled or pictured.
let seenPlots = null;

const whenIdle = window.requestIdleCallback ? (act) => window.requestIdleCallback(act, { timeout: 1000 }) : (act) => setTimeout(act, 50);

let drawing = false;
function drawRest() {
  const next = plots.find((plot) => plot.stale);
  drawing = Boolean(next);
  if (!next) return;
  drawPlot(next);
  whenIdle(drawRest);
}

function drawSoon() {
  if (drawing || state.playing) return;
  drawing = true;
  whenIdle(drawRest);
}

// All of the time again.
function showAllTimes() {
  Object.assign(state, { span: null, chosenSpan: true });
  redrawPlots();
}

// While the reader has chosen nothing, plots and player show where things happen, and say so.
function chooseSpan() {
  if (!state.chosenSpan) state.span = state.x.kind === "time" ? busySpan(current()) : null;
}

function tellSpan() {
  const line = byId("span-note");
  if (!line) return;
  line.hidden = state.chosenSpan || !state.span;
  if (line.hidden) return;
  const [from, to] = state.span.map((t) => borelliScene.instantText(current(), t));
  line.replaceChildren("Plots and player show " + from + " to " + to + ", where the events are; the run goes on to " + borelliScene.instantText(current(), current().time[current().time.length - 1]) + ". ");
  html(line, "button", { type: "button", class: "small" }, "show all").addEventListener("click", showAllTimes);
}

function redrawPlots() {
  tellSpan();
  for (const plot of plots) {
    plot.stale = true;
    if (plot.seen) drawPlot(plot);
  }
  drawSoon();
}

function refillPlots() {
  plots.forEach(fillPlot);
  redrawPlots();
}

function startPlots() {
  const grid = byId("groups");
  if (!grid) return;
  grid.replaceChildren();
  seenPlots = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const { plot } = entry.target;
      plot.seen = entry.isIntersecting;
      if (!plot.seen) continue;
      if (plot.stale) drawPlot(plot);
      else drawCursor(plot);
    }
  }, { rootMargin: "300px" });
  const main = html(null, "div", {});
  byId("plotting").replaceChildren(makeTree(), main);
  main.append(makePlotBar(), html(null, "p", { class: "fine", id: "span-note", hidden: "" }), html(null, "div", { class: "plots", id: "chosen" }), grid);
  tellSpan();
  for (const group of data.groups) makeGroup(grid, group, false);
  drawSoon();
  watchers.case.push(chooseSpan, refillPlots);
  watchers.frame.push(() => plots.forEach((plot) => plot.seen && !plot.stale && drawCursor(plot)));
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth !== width) redrawPlots();
    width = window.innerWidth;
  });
}

// Switches of all plots.
function makePlotBar() {
  const bar = html(null, "div", { class: "plot-bar", role: "group", "aria-label": "How plots are drawn" });
  const tickBox = (words, key, act) => {
    const label = html(bar, "label", {});
    const input = html(label, "input", { type: "checkbox" });
    input.checked = state[key];
    label.append(words);
    input.addEventListener("change", () => {
      state[key] = input.checked;
      act();
    });
  };
  tickBox("angles in degrees", "degrees", refillPlots);
  if (data.cases.filter((one) => one.time.length).length > 1) tickBox("all cases", "overlay", refillPlots);
  if (data.cases.some((one) => one.columns.some((column) => column.side === "left"))) tickBox("left dashed", "leftDashed", refillPlots);
  const names = [...new Map(data.cases.flatMap((one) => one.events).map((event) => [event.name, event.label])).entries()];
  const select = html(bar, "select", { "aria-label": "X axis" });
  html(select, "option", { value: "time" }, borelliScene.soft.loaded(current()) ? "over the load" : "over time");
  names.slice(0, 12).forEach(([name, label]) => html(select, "option", { value: "event:" + name }, "over time from " + label));
  html(select, "option", { value: "part" }, "over % of the run");
  select.addEventListener("change", () => {
    const [kind, ...name] = select.value.split(":");
    state.x = { kind, name: name.join(":"), label: (names.find(([known]) => known === name.join(":")) || [])[1] };
    showAllTimes();
  });
  const place = borelliScene.soft.loaded(current()) ? "a part of the load" : "a time";
  html(bar, "span", { class: "fine" }, "Click or drag: go to " + place + ". Shift and drag: zoom. Double click: all.");
  return bar;
}
