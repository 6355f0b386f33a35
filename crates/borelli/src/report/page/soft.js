// The section of soft parts: the coloured mesh at an instant and in a quantity of one's choice, true or enlarged, and marks of that instant in the
// plots. It opens at the worst instant and then follows the player.

// Most room of the picture, px.
const SOFT_ROOM = [640, 420];
const SOFT_RIM = { side: 14, top: 22, bottom: 34 };

// What the stage colours, in the panel beside it.
function softChoice(box, soft) {
  const select = html(html(box, "label", { class: "over" }), "select", { id: "layer-soft", "aria-label": "Colours of soft parts" });
  for (const own of soft.quantities) html(select, "option", { value: own.key }, own.label.toLowerCase().replace("mises", "Mises"));
  html(select, "option", { value: "" }, "soft parts hidden");
  select.value = stage.layers({}).soft || "";
  select.addEventListener("change", () => setLayer("soft", select.value || null));
}

// An instant in words.
const instantText = (one, k) => (one.soft.load ? valueText(100 * one.soft.times[k], 4) + " % of the load" : valueText(one.soft.times[k], 4) + " s");

// The picture of all parts; gives back what a pointer needs.
function drawSoftPicture(holder, one, { key, k, factor }) {
  const scene = borelliScene.soft;
  const { soft } = one;
  const own = scene.quantity(soft, key);
  const now = scene.exactly(k);
  const parts = soft.bodies.map((body) => ({ body, places: scene.places(body, now, factor), rest: scene.places(body, now, 0), values: scene.values(body, key, now) }));
  const [low, high] = [[Infinity, Infinity], [-Infinity, -Infinity]];
  for (const { places, rest } of parts) {
    for (const list of [places, rest]) {
      list.forEach((x, i) => {
        low[i % 2] = Math.min(low[i % 2], x);
        high[i % 2] = Math.max(high[i % 2], x);
      });
    }
  }
  const { side, top, bottom } = SOFT_RIM;
  const scale = Math.min((Math.min(SOFT_ROOM[0], holder.clientWidth || SOFT_ROOM[0]) - 2 * side) / Math.max(1e-12, high[0] - low[0]), (SOFT_ROOM[1] - top - bottom) / Math.max(1e-12, high[1] - low[1]));
  const width = Math.max(260, (high[0] - low[0]) * scale + 2 * side);
  const height = (high[1] - low[1]) * scale + top + bottom;
  const left = (width - (high[0] - low[0]) * scale) / 2;
  const at = (list) => (i) => [left + (list[2 * i] - low[0]) * scale, top + (high[1] - list[2 * i + 1]) * scale];
  const root = svg(holder, "svg", { class: "soft", role: "img", width: width.toFixed(0), height: height.toFixed(0), viewBox: `0 0 ${width.toFixed(1)} ${height.toFixed(1)}` });
  root.setAttribute("aria-label", "Soft parts at " + instantText(one, k) + ", coloured by " + own.label);
  const colours = { text: "var(--text)" };
  let peak = null;
  for (const part of parts) {
    drawSoftBody(root, part.body, at(part.places), part.values, colours, scale * scene.cellSize(part.body));
    svg(root, "path", { class: "soft-rest", d: sidePath(part.body.rim, at(part.rest)) });
    part.values.forEach((value, node) => {
      if (!peak || value > peak.value) peak = { part, node, value };
    });
  }
  const [x, y] = at(peak.part.places)(peak.node);
  svg(root, "circle", { class: "soft-peak", cx: x.toFixed(1), cy: y.toFixed(1), r: 6 });
  const beyond = x > width / 2;
  svg(root, "text", { class: "soft-word", x: x + (beyond ? -10 : 10), y: y - 8, "text-anchor": beyond ? "end" : "start" }, valueText(scene.value(own, peak.value), 3) + " " + own.unit);
  const length = borelliScene.roundAbove(60 / scale);
  svg(root, "path", { class: "soft-rim", d: `M14 ${(height - 13).toFixed(1)}v5h${(length * scale).toFixed(1)}v-5` });
  svg(root, "text", { x: 20 + length * scale, y: height - 8 }, length >= 1 ? valueText(length, 3) + " m" : valueText(1000 * length, 3) + " mm");
  return { root, parts, at, own, peak };
}

function drawSoftColours(holder, own) {
  const wide = 240;
  html(holder, "span", {}, own.label);
  const root = svg(holder, "svg", { class: "bar", width: 320, height: 34, viewBox: "-8 0 320 34", role: "img", "aria-label": "Colours from " + own.low + " to " + own.high + " " + own.unit });
  for (let level = 0; level < SOFT_LEVELS; level++) svg(root, "rect", { x: ((level * wide) / SOFT_LEVELS).toFixed(2), width: (wide / SOFT_LEVELS + 0.3).toFixed(2), height: 14, fill: softColour(level) });
  for (const { value, part } of borelliScene.soft.marks(own)) {
    svg(root, "path", { class: "tick", d: "M" + (part * wide).toFixed(1) + " 0v17" });
    svg(root, "text", { x: (part * wide).toFixed(1), y: 30, "text-anchor": "middle" }, minusSign(String(value)));
  }
  svg(root, "text", { x: wide + 8, y: 12 }, own.unit);
}

// Axes of a plot that stands in the page: from a value to its place and back.
function axisOf(frame, name) {
  const [low, high, from, to] = frame.getAttribute("data-" + name).split(" ").map(Number);
  return { place: (x) => from + ((x - low) / (high - low)) * (to - from), value: (p) => low + ((p - from) / (to - from)) * (high - low), from, to };
}

// The instant in the plots: a line over time, and the pressure along each boundary.
function markInstant(block, one, k) {
  block.querySelectorAll(".soft-mark").forEach((mark) => mark.remove());
  const { soft } = one;
  for (const plot of block.querySelectorAll(".soft-time svg.frame")) {
    const x = axisOf(plot, "x").place(soft.load ? 100 * soft.times[k] : soft.times[k]);
    const { from, to } = axisOf(plot, "y");
    svg(plot, "path", { class: "cursor soft-mark", d: `M${x.toFixed(1)} ${from}V${to}` });
  }
  for (const plot of block.querySelectorAll(".soft-arc")) {
    const arc = soft.arcs[Number(plot.dataset.arc)];
    const frame = plot.querySelector("svg.frame");
    const [x, y] = [axisOf(frame, "x"), axisOf(frame, "y")];
    const n = arc.nodes.length;
    const line = Array.from(arc.arc, (s, i) => [x.place(1000 * s), y.place(arc.pressure[k * n + i] * Number(plot.dataset.factor))]);
    // One that stands in the plot keeps its colour.
    const drawn = plot.dataset.times.split(" ").map(Number).indexOf(soft.times[k]);
    const style = drawn < 0 ? "" : frame.querySelectorAll(".curve")[drawn].getAttribute("style");
    svg(frame, "path", { class: "soft-now soft-mark", d: pathText(line), style });
    const entry = html(html(plot.querySelector("ul"), "li", { class: "soft-mark" }), "span", { class: "entry" });
    svg(svg(entry, "svg", { width: 22, height: 8, "aria-hidden": "true" }), "path", { class: "soft-now", d: "M0 4h22", style });
    html(entry, "b", {}, "now: " + instantText(one, k));
  }
}

// One case: controls, picture, words.
function makeSoft(block, index) {
  const one = data.cases[index];
  const { soft } = one;
  const scene = borelliScene.soft;
  // The instant of the figure, where that moves: two parts of a page at two times contradict each other.
  const choice = { key: soft.quantities[0].key, k: one.time.length > 1 ? nearestFrame(soft.times, shownTime()) : soft.worst, factor: soft.exaggeration };
  const figure = block.querySelector(".soft-picture");
  figure.replaceChildren();
  const controls = html(null, "div", { class: "soft-controls" });
  figure.before(controls);
  const pick = html(html(controls, "label", {}, "Colours "), "select", { "aria-label": "Quantity" });
  for (const own of soft.quantities) html(pick, "option", { value: own.key }, own.label);
  pick.addEventListener("change", () => {
    choice.key = pick.value;
    // One choice for the page: the figure shows the same.
    setLayer("soft", choice.key);
    const panel = byId("layer-soft");
    if (panel) panel.value = choice.key;
    draw();
  });
  let slide = null;
  let clock = null;
  if (soft.times.length > 1) {
    const label = html(controls, "label", {}, soft.load ? "Load " : "Instant ");
    slide = html(label, "input", { type: "range", min: 0, max: soft.times.length - 1, step: 1, "aria-label": soft.load ? "Part of the load" : "Instant" });
    clock = html(label, "span", {});
    slide.addEventListener("input", () => goToInstant(Number(slide.value)));
    html(controls, "button", { type: "button" }, "highest stress").addEventListener("click", () => goToInstant(soft.worst));
  }
  if (soft.exaggeration !== 1) {
    const size = html(html(controls, "label", {}, "Deformation "), "select", { "aria-label": "Deformation" });
    html(size, "option", { value: soft.exaggeration }, valueText(soft.exaggeration, 3) + " times larger");
    html(size, "option", { value: 1 }, "as it is");
    size.addEventListener("change", () => {
      choice.factor = Number(size.value);
      draw();
    });
  }
  const said = html(null, "p", { class: "fine soft-said", role: "status", style: "min-height:20px" });
  figure.after(said);

  function goToInstant(k) {
    if (one.time.length > 1) goToTime(soft.times[k]);
    // The player may hold no sample at this very time.
    choice.k = k;
    draw();
  }

  function draw() {
    figure.replaceChildren();
    const picture = drawSoftPicture(figure, one, choice);
    const { own, peak, parts, at } = picture;
    drawSoftColours(html(figure, "div", { class: "soft-bar" }), own);
    const most = valueText(scene.value(own, peak.value), 3) + " " + own.unit;
    const scale = choice.factor === 1 ? "The deformation is drawn as it is." : "The deformation is drawn " + valueText(choice.factor, 3) + " times larger than it is.";
    const worst = choice.k === soft.worst ? ", when the von Mises stress is highest" : "";
    const words = (soft.load ? "Under " : "At ") + instantText(one, choice.k) + worst + ". Highest " + own.label.toLowerCase().replace("mises", "Mises") + " now: " + most + " in " + peak.part.body.label + ", ringed. ";
    html(figure, "figcaption", {}, words + scale + " The dashed line is the shape without load." + (soft.times.length < soft.recorded ? " The page holds " + soft.times.length + " of " + soft.recorded + " instants; the files have all." : ""));
    if (slide) {
      slide.value = choice.k;
      slide.setAttribute("aria-valuetext", instantText(one, choice.k));
      clock.textContent = instantText(one, choice.k);
    }
    markInstant(block, one, choice.k);
    picture.root.addEventListener("pointermove", (event) => {
      const bounds = picture.root.getBoundingClientRect();
      const unit = picture.root.viewBox.baseVal.width / bounds.width;
      const point = [(event.clientX - bounds.left) * unit, (event.clientY - bounds.top) * unit];
      const found = parts.map((part) => [part, nearestNode(part.values.length, at(part.places), point, 14)]).find(([, node]) => node !== null);
      said.textContent = found ? found[0].body.label + ", node " + found[1] + ": " + valueText(scene.value(own, found[0].values[found[1]]), 4) + " " + own.unit : "";
    });
    picture.root.addEventListener("pointerleave", () => (said.textContent = ""));
  }

  // A click on the plot over time goes there.
  for (const plot of block.querySelectorAll(".soft-time svg.frame")) {
    plot.addEventListener("click", (event) => {
      const bounds = plot.getBoundingClientRect();
      const t = axisOf(plot, "x").value(((event.clientX - bounds.left) * plot.viewBox.baseVal.width) / bounds.width) * (soft.load ? 0.01 : 1);
      goToInstant(nearestFrame(soft.times, t));
    });
  }
  return {
    draw,
    follow(t) {
      const k = nearestFrame(soft.times, t);
      if (one.time.length < 2 || k === choice.k) return;
      choice.k = k;
      draw();
    },
  };
}

function startSoft() {
  const holder = byId("soft");
  if (!holder) return;
  const blocks = [...holder.querySelectorAll(".soft-case")].map((block) => ({ block, index: Number(block.dataset.case), made: null }));
  const note = html(holder, "p", { class: "fine" }, "The page shows no soft parts of this case.");
  let shown = state.time;
  const choose = () => {
    for (const one of blocks) {
      one.block.hidden = one.index !== state.case;
      if (one.block.hidden || one.made) continue;
      one.made = makeSoft(one.block, one.index);
      one.made.draw();
    }
    note.hidden = blocks.some((one) => !one.block.hidden);
  };
  const follow = () => {
    const own = blocks.find((one) => one.index === state.case);
    if (state.time !== shown && own && own.made) own.made.follow(shownTime());
    shown = state.time;
  };
  choose();
  watchers.case.push(choose);
  watchers.frame.push(follow);
}
