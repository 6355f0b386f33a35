// What a pointer does in a plot: hover reads, a press or drag moves the player, with Shift it zooms the time of all plots, on the y axis it zooms y, a
// double click shows all again.

function listenToPlot(plot) {
  let drag = null;
  // In units of the picture, not pixels: they differ in print and while a page is scaled.
  const place = (event) => {
    const bounds = plot.frame.getBoundingClientRect();
    const unit = plot.box.width / bounds.width;
    return [(event.clientX - bounds.left) * unit, (event.clientY - bounds.top) * unit];
  };
  const within = (value, low, high) => Math.min(high, Math.max(low, value));
  const xAt = ([x]) => within(plot.x.back(within(x, plot.box.left, plot.box.right)), plot.x.low, plot.x.high);
  // To a sample of the chosen case, as far as it goes.
  const snapped = (x) => {
    const times = current().time;
    const t = times[nearestFrame(times, toTime(current(), x))];
    const near = toX(current(), t);
    return Math.abs(plot.x(near) - plot.x(x)) < 12 ? near : x;
  };

  plot.frame.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !plot.x) return;
    focusPlot(plot);
    const at = place(event);
    const kind = at[0] < plot.box.left - 2 ? "y" : plot.kind === "phase" ? null : event.shiftKey ? "x" : "time";
    if (!kind) return;
    drag = { kind, from: at };
    if (event.pointerId !== undefined) plot.frame.setPointerCapture(event.pointerId);
    if (kind === "time") goToTime(toTime(current(), xAt(at)));
    if (kind !== "time") event.preventDefault();
  });
  plot.frame.addEventListener("pointermove", (event) => {
    if (!plot.x || plot.kind === "phase" && !drag) return;
    const at = place(event);
    if (drag && drag.kind !== "time") return markSpan(plot, drag, at);
    plot.hover = plot.kind === "phase" ? null : snapped(xAt(at));
    if (drag) goToTime(toTime(current(), xAt(at)));
    hoverAll(plot);
    return undefined;
  });
  plot.frame.addEventListener("pointerup", (event) => {
    const done = drag;
    drag = null;
    if (done && done.kind !== "time") zoomTo(plot, done, place(event));
    if (done) rememberState();
  });
  plot.frame.addEventListener("pointerleave", () => {
    plot.hover = null;
    hoverAll(plot);
  });
  plot.frame.addEventListener("dblclick", () => {
    plot.yZoom = null;
    showAllTimes();
  });
}

// The pointer's line is seen in all plots over time.
function hoverAll(plot) {
  for (const other of plots) {
    if (other.kind === "phase") continue;
    other.hover = plot.hover;
    if (other.seen && !other.stale) drawCursor(other);
  }
}

// The part that a drag has chosen so far.
function markSpan(plot, drag, at) {
  const { box } = plot;
  plot.marks.replaceChildren();
  const [a, b] = drag.kind === "x" ? [drag.from[0], at[0]] : [drag.from[1], at[1]];
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  const area = drag.kind === "x" ? { x: low, width: high - low, y: box.top, height: box.bottom - box.top } : { x: box.left, width: box.right - box.left, y: low, height: high - low };
  svg(plot.marks, "rect", { class: "chosen-span", ...area });
}

function zoomTo(plot, drag, at) {
  const [from, to] = drag.kind === "x" ? [drag.from[0], at[0]] : [drag.from[1], at[1]];
  // A slip of the hand is no wish.
  if (Math.abs(to - from) < 6) return drawCursor(plot);
  const scale = drag.kind === "x" ? plot.x : plot.y;
  const span = [scale.back(from), scale.back(to)].sort((a, b) => a - b);
  if (drag.kind === "x") {
    Object.assign(state, { span, chosenSpan: true });
    redrawPlots();
  } else {
    plot.yZoom = span;
    drawPlot(plot);
  }
  return undefined;
}
