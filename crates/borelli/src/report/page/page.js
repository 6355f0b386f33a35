// Starts the page: the clock of the player, controls, keys. All that moves goes through goTo.

const SPEEDS = [0.0001, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

// Shows a sample.
function goTo(frame) {
  const times = current().time;
  state.frame = Math.max(0, Math.min(times.length - 1, frame));
  state.time = times[state.frame];
  show();
}

function show() {
  const t = timeText(current().time[state.frame]);
  byId("scrub").value = state.frame;
  byId("scrub").setAttribute("aria-valuetext", t);
  byId("clock").textContent = "t = " + t;
  figureDraw();
  plots.forEach(cursorOf);
}

// One tick of the clock: time goes on by the real time passed, times the speed; the last sample at or before it is shown.
let last = null;
function tick(now) {
  if (!state.playing) return;
  const times = current().time;
  const end = times[times.length - 1];
  if (last !== null) state.time += ((now - last) / 1000) * state.speed;
  last = now;
  if (state.time >= end) {
    if (byId("loop").checked && end > times[0]) {
      state.time = times[0];
    } else {
      state.time = end;
      setPlaying(false);
    }
  }
  const frame = frameAt(times, state.time);
  if (frame !== state.frame) {
    state.frame = frame;
    show();
  }
  if (state.playing) requestAnimationFrame(tick);
}

function setPlaying(on) {
  const times = current().time;
  if (on && state.frame === times.length - 1) goTo(0);
  state.playing = on;
  last = null;
  byId("play").textContent = on ? "❚❚ Pause" : "▶ Play";
  if (on) requestAnimationFrame(tick);
}

// A case of the sweep, kept at the same time as far as it goes.
function chooseCase(index) {
  if (!data.cases[index].time.length) return;
  const t = state.time;
  state.case = index;
  if (byId("case")) byId("case").value = index;
  byId("scrub").max = current().time.length - 1;
  // A single state does not move.
  byId("playback").hidden = current().time.length < 2;
  state.frame = nearestFrame(current().time, t);
  state.time = current().time[state.frame];
  figureCase();
  if (plotted) plotsCase();
  show();
}

// Real time where one can follow it, else slowed down or hurried so that the whole takes about six seconds.
function defaultSpeed() {
  const times = current().time;
  const span = times[times.length - 1] - times[0];
  if (span === 0 || (span >= 2 && span <= 20)) return 1;
  const wanted = span / 6;
  return SPEEDS.reduce((best, x) => (Math.abs(Math.log(x / wanted)) < Math.abs(Math.log(best / wanted)) ? x : best), SPEEDS[0]);
}

// The way of the body over its own size.
function travel() {
  const rig = makeRig(current());
  if (!rig.visible) return 0;
  return Math.max(...extentOf(rig, false, null).edges) / Math.max(...extentOf(rig, true, null).edges);
}

function start() {
  const speed = byId("speed");
  SPEEDS.forEach((x) => html(speed, "option", { value: x }, x === 1 ? "real time" : x < 1 ? "1/" + Math.round(1 / x) : x + " ×"));
  state.case = first;
  state.speed = defaultSpeed();
  speed.value = state.speed;
  const bodies = Math.max(...data.figures.map((figure) => figure.bodies.length)) - 1;
  byId("names").checked = bodies <= 10;
  const way = travel();
  // What hangs on the world by a loop is not understood without the place where it hangs.
  const { holds, rods } = data.figures[current().figure];
  const hung = holds.flatMap((hold) => [hold.a, hold.b]).concat(rods.flatMap((rod) => rod.points)).some((spot) => spot && spot[0] === 0);
  byId("follow").checked = way > 8 && !hung;
  // Poses of other times tell the motion at a glance where bodies are few, or go from place to place; else they would only clutter.
  byId("ghosts").checked = current().time.length > 1 && !byId("follow").checked && (way > 1.4 || (bodies <= 4 && data.figures[0].planar));
  byId("centers").checked = bodies <= 10;
  // Where no ground pushes, a few bodies show what they do to each other.
  const pushes = (force) => force.ground && largest(force.sizes) > 0;
  if (bodies <= 4 && !forcesOf(makeRig(current())).some(pushes)) byId("forces").value = "all";

  byId("play").addEventListener("click", () => setPlaying(!state.playing));
  byId("back").addEventListener("click", () => goTo(state.frame - 1));
  byId("forward").addEventListener("click", () => goTo(state.frame + 1));
  byId("scrub").addEventListener("input", () => goTo(Number(byId("scrub").value)));
  speed.addEventListener("change", () => (state.speed = Number(speed.value)));
  if (byId("case")) byId("case").addEventListener("change", () => chooseCase(Number(byId("case").value)));
  for (const id of ["forces", "trace", "ghosts", "names", "centers", "follow"]) byId(id).addEventListener("change", figureLayout);
  for (const button of document.querySelectorAll("button[data-time]")) {
    button.addEventListener("click", () => {
      if (Number(button.dataset.case) !== state.case) chooseCase(Number(button.dataset.case));
      goTo(nearestFrame(current().time, Number(button.dataset.time)));
      byId("motion").scrollIntoView();
    });
  }
  window.addEventListener("beforeprint", () => document.querySelectorAll("details.more").forEach((fold) => (fold.open = true)));
  turning();
  keys();
  if (plotted) plotSwitches();
  chooseCase(first);
  // `#t=0.3` in the address opens the page at a time.
  const asked = /[#&]t=([-+.0-9e]+)/.exec(window.location.hash);
  if (asked && Number.isFinite(Number(asked[1]))) goTo(nearestFrame(current().time, Number(asked[1])));
  window.addEventListener("resize", () => {
    figureLayout();
    plots.forEach(drawPlot);
  });
}

function plotSwitches() {
  byId("overlay-label").hidden = data.cases.length < 2;
  byId("degrees").addEventListener("change", () => {
    state.degrees = byId("degrees").checked;
    plots.forEach(drawPlot);
  });
  byId("overlay").addEventListener("change", () => plots.forEach(drawPlot));
  fillChooser();
}

// Drag turns a spatial figure and moves a planar one that is enlarged; buttons give the usual views.
function turning() {
  const stage = byId("stage");
  stage.addEventListener("pointermove", (event) => {
    if (!(event.buttons & 1) || !picture.rig.visible) return;
    if (!picture.rig.figure.planar) {
      picture.yaw -= event.movementX * 0.008;
      picture.pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, picture.pitch + event.movementY * 0.008));
    } else if (picture.zoom !== 1) {
      picture.shift = plus(picture.shift, [event.movementX, event.movementY]);
    }
    figureView();
  });
  // The wheel scrolls the page until the figure was clicked: it must not catch a reader who scrolls by.
  stage.addEventListener("wheel", (event) => {
    if (document.activeElement !== stage) return;
    event.preventDefault();
    const bounds = stage.getBoundingClientRect();
    zoom(Math.exp(-0.0015 * event.deltaY), [event.clientX - bounds.left - picture.width / 2, event.clientY - bounds.top - picture.height / 2]);
  }, { passive: false });
  for (const button of document.querySelectorAll("button[data-zoom]")) button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));
  for (const button of document.querySelectorAll("button[data-view]")) {
    button.addEventListener("click", () => {
      [picture.yaw, picture.pitch] = VIEWS[button.dataset.view];
      if (picture.rig.visible) figureView();
    });
  }
}

// Enlarges the picture about a place (pixels from its middle), which stays where it is; 0 shows everything again.
function zoom(factor, about = [0, 0]) {
  if (!picture.rig.visible) return;
  const before = picture.zoom;
  picture.zoom = factor === 0 ? 1 : Math.max(0.2, Math.min(50, before * factor));
  picture.shift = factor === 0 ? [0, 0] : plus(about, scaled(plus(picture.shift, scaled(about, -1)), picture.zoom / before));
  figureView();
}

// Space plays and pauses; arrows step, with shift by ten; Home and End go to the ends; plus, minus and 0 change the size. Fields keep their own keys.
function keys() {
  document.addEventListener("keydown", (event) => {
    const within = (selector) => event.target instanceof Element && event.target.closest(selector);
    const slider = event.target === byId("scrub");
    if (event.ctrlKey || event.metaKey || event.altKey || (!slider && within("input, select, textarea, summary"))) return;
    const many = event.shiftKey ? 10 : 1;
    if (event.key === " " && !within("button, a")) setPlaying(!state.playing);
    else if (event.key === "ArrowLeft") goTo(state.frame - many);
    else if (event.key === "ArrowRight") goTo(state.frame + many);
    else if (event.key === "Home") goTo(0);
    else if (event.key === "End") goTo(current().time.length - 1);
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") zoom(0);
    else return;
    event.preventDefault();
  });
}

// Single states have no plots.
const plotted = byId("groups") !== null;
// Without samples there is neither player nor plot.
const first = data.cases.findIndex((one) => one.time.length > 0);
if (first >= 0) start();
