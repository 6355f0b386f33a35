// Making elements, and numbers as people read them. Text is set as text, never as markup.

const SVG_SPACE = "http://www.w3.org/2000/svg";

// Makes an element inside a parent.
function element(parent, space, name, attributes, text) {
  const made = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}
const svg = (parent, name, attributes, text) => element(parent, SVG_SPACE, name, attributes, text);
const html = (parent, name, attributes, text) => element(parent, "", name, attributes, text);
const byId = (id) => document.getElementById(id);

const minusSign = (text) => text.replace(/-/g, "\u2212");

// Round values between two ends, about `count` of them, and how many decimals they need.
function ticks(low, high, count) {
  const step = borelliScene.roundAbove((high - low) / count);
  const values = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) values.push(k * step);
  return { values, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

// A tick's text: plain digits unless the largest value of the axis is so big or small that they would be long.
function tickText(x, decimals, size) {
  if (Math.abs(x) < 1e-9 * size) return "0";
  const long = size >= 1e6 || size < 1e-3;
  return minusSign(long ? Number(x.toPrecision(6)).toExponential().replace("e+", "e") : x.toFixed(Math.min(9, decimals)));
}

// A value for a readout: five significant digits.
function valueText(x, digits = 5) {
  if (x === null || x === undefined || !Number.isFinite(x)) return "\u2013";
  const long = x !== 0 && (Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3);
  return minusSign(long ? x.toExponential(3).replace("e+", "e") : String(Number(x.toPrecision(digits))));
}

// A length of the scale bar in the unit that gives a short number.
function lengthText(x) {
  if (x >= 1) return Number(x.toPrecision(3)) + " m";
  if (x >= 0.01) return Number((x * 100).toPrecision(3)) + " cm";
  return Number((x * 1000).toPrecision(3)) + " mm";
}

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

const pathText = (points) => points.map((p, i) => (i ? "L" : "M") + p[0].toFixed(2) + " " + p[1].toFixed(2)).join("");
