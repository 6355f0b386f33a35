// Shared by all scripts of the page: the data, making elements, numbers and units, the state of the player.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// Makes an element inside a parent. Text is set as text, never as markup.
function element(parent, space, name, attributes, text) {
  const made = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}
const svg = (parent, name, attributes, text) => element(parent, "http://www.w3.org/2000/svg", name, attributes, text);
const html = (parent, name, attributes, text) => element(parent, "", name, attributes, text);

// Columns by name, once per case.
for (const one of data.cases) {
  one.byName = new Map(one.columns.map((column) => [column.name, column]));
}

// What is shown. `frame` is an index into the samples of the case; every picture shows samples, nothing between them.
const state = { case: 0, frame: 0, time: 0, playing: false, speed: 1, degrees: true };
const current = () => data.cases[state.case];
const caseName = (one) => one.name || "case " + (data.cases.indexOf(one) + 1);

// The last sample at or before a time.
function frameAt(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The sample nearest to a time.
function nearestFrame(times, t) {
  const k = frameAt(times, t);
  return k + 1 < times.length && times[k + 1] - t < t - times[k] ? k + 1 : k;
}

// Units as shown: angles in degrees unless switched off, nothing for pure numbers.
function shownUnit(unit) {
  if (unit === null) return { text: "unit not given", factor: 1 };
  if (state.degrees && /^rad(\/s(\^2)?)?$/.test(unit)) return { text: unit.replace("rad", "deg"), factor: 180 / Math.PI };
  return { text: unit === "1" ? "" : unit, factor: 1 };
}

// 1, 2 or 5 times a power of ten, not below x.
function niceAbove(x) {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  for (const m of [1, 2, 5]) if (m * power >= x * (1 - 1e-9)) return m * power;
  return 10 * power;
}

// Round values between two ends, about `count` of them, and how many decimals they need.
function ticks(low, high, count) {
  const step = niceAbove((high - low) / count);
  const first = Math.ceil(low / step - 1e-9);
  const values = [];
  for (let k = first; k * step <= high + 1e-9 * step; k++) values.push(k * step);
  return { values, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

// A tick's text: plain digits unless the largest value of the axis is so big or small that they would be long.
function tickText(x, decimals, size) {
  if (Math.abs(x) < 1e-9 * size) return "0";
  const text = size >= 1e6 || size < 1e-3 ? Number(x.toPrecision(6)).toExponential().replace("e+", "e") : x.toFixed(Math.min(9, decimals));
  return text.replace(/-/g, "\u2212");
}

// A value for a readout: five significant digits.
function valueText(x) {
  if (x === null || !Number.isFinite(x)) return "\u2013";
  const text = Math.abs(x) !== 0 && (Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3) ? x.toExponential(3).replace("e+", "e") : String(Number(x.toPrecision(5)));
  return text.replace(/-/g, "\u2212");
}

// A length of the scale bar in the unit that gives a short number.
function lengthText(x) {
  if (x >= 1) return Number(x.toPrecision(3)) + " m";
  if (x >= 0.01) return Number((x * 100).toPrecision(3)) + " cm";
  return Number((x * 1000).toPrecision(3)) + " mm";
}

// Time with the decimals that its samples need.
function timeText(t) {
  const times = current().time;
  const span = times[times.length - 1] - times[0];
  const decimals = span > 0 ? Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(span) + 1e-9))) : 3;
  return t.toFixed(decimals).replace(/-/g, "\u2212") + " s";
}

// Names without what all of them share: "coord.hip.value" and "coord.knee.value" become "hip" and "knee".
function shortNames(names) {
  if (names.length < 2) return names.slice();
  const words = names.map((name) => name.split("."));
  const least = Math.min(...words.map((w) => w.length));
  let head = 0;
  while (head < least - 1 && words.every((w) => w[head] === words[0][head])) head++;
  let tail = 0;
  while (tail < least - 1 - head && words.every((w) => w[w.length - 1 - tail] === words[0][words[0].length - 1 - tail])) tail++;
  return words.map((w) => w.slice(head, w.length - tail).join("."));
}

// Joints that hold a body nowhere: their place is an origin, not an end of anything.
const FLOATING = ["free", "planar"];

const colour = (k) => "var(--c" + (k % 8) + ")";
