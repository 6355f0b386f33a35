// What the page shows now, and how its parts learn of changes. Every picture shows samples, nothing between them.

const data = borelliScene.decode(JSON.parse(byId("data").textContent));
// Without samples there is neither figure nor plot.
// The case that the study shows most of, else the first with samples.
const firstCase = data.cases[data.opening] && data.cases[data.opening].time.length ? data.opening : data.cases.findIndex((one) => one.time.length > 0);
const moves = data.cases.some((one) => one.time.length > 1);

// `frame` is an index into the kept samples of the case; `opening` while the reader has chosen no other; `span` the part of the x axis that all plots
// show, null for all of it; `chosenSpan` once the reader has chosen it.
const state = { case: Math.max(0, firstCase), frame: 0, time: 0, opening: true, playing: false, speed: 1, loop: true, degrees: true, leftDashed: false, overlay: false, x: { kind: "time" }, span: null, chosenSpan: false };
const current = () => data.cases[state.case];
// The time of the sample that is shown; while it plays, `time` runs on between samples.
const shownTime = () => current().time[state.frame];
const caseLabel = (one) => one.label || one.name || "case " + (data.cases.indexOf(one) + 1);

// Who is told: `frame` on every sample shown, `case` before it when the case was changed.
const watchers = { frame: [], case: [] };
const tell = (kind) => watchers[kind].forEach((watcher) => watcher());

// Shows a sample.
function goTo(frame) {
  const times = current().time;
  state.frame = Math.max(0, Math.min(times.length - 1, frame));
  state.opening = false;
  state.time = times[state.frame];
  tell("frame");
}

const goToTime = (t) => goTo(nearestFrame(current().time, t));

// Another case, at the same time as far as it goes.
function chooseCase(index) {
  if (!data.cases[index] || !data.cases[index].time.length) return;
  const t = state.time;
  state.case = index;
  state.frame = nearestFrame(current().time, t);
  state.time = current().time[state.frame];
  tell("case");
  tell("frame");
}

// ---- Where things happen

// The part of the time that holds all events with some room, where that is short against the whole: a run may rest long after them. Null elsewhere.
const BUSY = { events: 3, part: 0.2 };
function busySpan(one) {
  const times = one.events.map((event) => event.time);
  if (times.length < BUSY.events || borelliScene.soft.loaded(one)) return null;
  const [start, end] = [one.time[0], one.time[one.time.length - 1]];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const span = [Math.max(start, first - 0.5 * (last - first)), Math.min(end, last + (last - first))];
  return last > first && span[1] - span[0] < BUSY.part * (end - start) ? span : null;
}

// The times that are played: those that the plots show, as far as they are the case's.
function playedSpan() {
  const { time } = current();
  const whole = [time[0], time[time.length - 1]];
  if (!state.span || state.x.kind !== "time") return whole;
  const span = [Math.max(whole[0], toTime(current(), state.span[0])), Math.min(whole[1], toTime(current(), state.span[1]))];
  return span[1] > span[0] ? span : whole;
}

// Units for values from a size on, the largest first; the static plots take the same.
const SIZED = { Pa: [[1e5, "MPa", 1e-6], [100, "kPa", 1e-3]], m: [[0.01, "m", 1], [1e-5, "mm", 1e3], [1e-9, "µm", 1e6]] };

// Units as shown: angles in degrees unless switched off, nothing for pure numbers, those that make short numbers of values up to a size.
function shownUnit(unit, size) {
  if (unit === null || unit === undefined) return { text: "unit not given", factor: 1 };
  if (state.degrees && /^rad(\/s(\^2)?)?$/.test(unit)) return { text: unit.replace("rad", "deg").replace("^2", "²"), factor: 180 / Math.PI };
  const [, text, factor] = (SIZED[unit] || []).find(([least]) => size >= least) || [0, unit, 1];
  return { text: text === "1" ? "" : text.replaceAll("^2", "²").replaceAll("^3", "³"), factor };
}

// The largest size of any value of some columns.
const sizeOf = (columns) => columns.reduce((most, { low, high }) => Math.max(most, Math.abs(low || 0), Math.abs(high || 0)), 0);

const plotUnit = (plot) => shownUnit(plot.unit, sizeOf(plot.lines.map((line) => line.column)));

const columnOf = (one, name) => one.byName.get(name);
