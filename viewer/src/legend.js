// What stands over the picture: time, sides, bar of length, arrow of force, bar of pressure, axes, names. A list of texts, lines and areas in
// css px, which paint.js turns into SVG on the page or into pixels of a saved picture.

import { shared } from "./shared.js";

const PAD = 14;
const SIZE = 13;
const FORCE_ROOM = 0.28; // of the width of the stage
const LENGTH_PX = 90;

const text = (x, y, words, colour, more) => ({ kind: "text", x, y, words, colour, size: SIZE, anchor: "start", bold: false, halo: false, ...more });
const line = (points, colour, width, dash = "") => ({ kind: "line", points, colour, width, dash });
const area = (points, colour) => ({ kind: "area", points, colour });

// 0.05 m as "5 cm".
function lengthText(metres) {
  const [unit, factor] = metres >= 1 ? ["m", 1] : metres >= 0.01 ? ["cm", 100] : ["mm", 1000];
  return Number((metres * factor).toPrecision(3)) + " " + unit;
}

// 500 as "500 N", 5000 as "5 kN".
export const forceText = (newtons) => (Math.abs(newtons) >= 10000 ? Number((newtons / 1000).toPrecision(3)) + " kN" : Number(newtons.toPrecision(3)) + " N");

// The largest 1, 2 or 5 times a power of ten that does not exceed x.
function roundBelow(x) {
  const above = shared().roundAbove(x);
  if (above <= x * (1 + 1e-9)) return above;
  const digit = Math.round(above / 10 ** Math.floor(Math.log10(above * (1 + 1e-9))));
  return above / (digit === 5 ? 2.5 : 2);
}

function sides(width, figure, palette) {
  const word = (side, i) => text(width - PAD - 48 * i, PAD + 11, side, palette[side + "Text"], { anchor: "end", bold: true });
  return shared().sidesOf(figure).reverse().map(word);
}

function lengthBar(height, pixels, palette) {
  const metres = shared().roundNear(LENGTH_PX / pixels);
  const [x, y, long] = [PAD + 2, height - PAD, metres * pixels];
  return [
    line([[x, y - 5], [x, y], [x + long, y], [x + long, y - 5]], palette.text, 1.5),
    text(x + long / 2, y - 8, lengthText(metres), palette.text, { anchor: "middle", halo: true }),
  ];
}

function forceArrow(width, height, pixels, scale, colour) {
  let newtons = scale.legendNewtons;
  while (newtons * scale.metresPerNewton * pixels > FORCE_ROOM * width) newtons = roundBelow(0.9 * newtons);
  const long = newtons * scale.metresPerNewton * pixels;
  if (!(long > 8)) return [];
  const [x, y, head] = [width - PAD - long, height - PAD - 4, Math.min(11, 0.5 * long)];
  const end = x + long;
  return [
    line([[x, y], [end - head + 1, y]], colour, 3),
    area([[end, y], [end - head, y - 5], [end - head, y + 5]], colour),
    text(x + long / 2, y - 9, forceText(newtons), colour, { anchor: "middle", halo: true }),
  ];
}

function pressureBar(width, top, high, palette) {
  const most = high / 1000;
  const step = shared().roundAbove(most / 4.5);
  const marks = [];
  for (let value = 0; value <= most * 1.0001; value += step) marks.push({ value: Number(value.toPrecision(6)), part: value / most });
  const [x, y] = [width - PAD - 46, top + 20];
  return [text(x + 5, y - 8, "kPa", palette.text, { anchor: "middle", size: 12 }), ...colourBar(x, y, marks, shared().pressureColour, palette)];
}

// Colours of soft parts with what they mean; left of the bar of pressure where there is one.
function softBar(width, top, own, palette) {
  const [x, y] = [width - PAD - 50, top + 26];
  return [text(width - PAD, y - 9, own.label + " / " + own.unit, palette.text, { anchor: "end", size: 12, halo: true }), ...colourBar(x, y, shared().soft.marks(own), shared().soft.colour, palette)];
}

// Colours of a line of pull with what they mean.
function pullBar(width, top, bar, palette) {
  const [x, y] = [width - PAD - 50, top + 26];
  const words = bar.label + (bar.unit ? " / " + bar.unit : "");
  return [text(width - PAD, y - 9, words, palette.text, { anchor: "end", size: 12, halo: true }), ...colourBar(x, y, bar.marks, bar.colour, palette)];
}

// A bar of colours upward with numbers beside it.
function colourBar(x, y, marks, colourAt, palette) {
  const [tall, parts] = [112, 56];
  // A frame: its darkest or palest end would melt into the ground.
  const list = [area([[x - 1, y - 1], [x + 11, y - 1], [x + 11, y + tall + 1], [x - 1, y + tall + 1]], palette.soft)];
  for (let i = 0; i < parts; i++) {
    const colour = shared().hex(colourAt((i + 0.5) / parts));
    list.push(area([[x, y + tall * (1 - i / parts)], [x + 10, y + tall * (1 - i / parts)], [x + 10, y + tall * (1 - (i + 1) / parts) - 0.4], [x, y + tall * (1 - (i + 1) / parts) - 0.4]], colour));
  }
  for (const { value, part } of marks) list.push(text(x + 16, y + tall * (1 - part) + 4, String(value).replace("-", "\u2212"), palette.text, { size: 12 }));
  return list;
}

// The three directions of the figure as the viewer sees them.
function axesCross(height, figure, axes, palette) {
  const { dot } = shared().vector;
  const [x, y, long] = [PAD + 58, height - PAD - 74, 26];
  return ["forward", "up", "right"].flatMap((name) => {
    const [u, v] = [dot(figure[name], axes.right), -dot(figure[name], axes.up)];
    // An axis that points at the viewer has neither length nor room for its name.
    if (Math.hypot(u, v) < 0.2) return [];
    const end = [x + long * u, y + long * v];
    const far = [end[0] + (9 * u) / Math.hypot(u, v), end[1] + (9 * v) / Math.hypot(u, v) + 4];
    const anchor = u > 0.3 ? "start" : u < -0.3 ? "end" : "middle";
    return [line([[x, y], end], palette.soft, 1.5), text(far[0], far[1], name, palette.soft, { anchor, size: 11, halo: true })];
  });
}

// A place that the world holds: a triangle on a hatched line. A guided point: a diamond. Rails of sliding joints and rods that were let go: dashed.
const SIGNS = {
  held: ([[x, y]], palette) => [
    area([[x, y], [x - 7, y + 11], [x + 7, y + 11]], palette.stage),
    line([[x - 7, y + 11], [x, y], [x + 7, y + 11]], palette.soft, 1.2),
    line([[x - 10, y + 11], [x + 10, y + 11]], palette.soft, 1.2),
    ...[-8, -2, 4, 10].map((shift) => line([[x + shift, y + 11], [x + shift - 4, y + 16]], palette.soft, 1.2)),
  ],
  guided: ([[x, y]], palette) => [line([[x, y - 6], [x + 6, y], [x, y + 6], [x - 6, y], [x, y - 6], [x + 1, y - 5]], palette.text, 1.6)],
  loose: (places, palette) => [line(places, palette.soft, 1.4, "5 4")],
};

// Names below their bodies, or beside their places to the outside of the figure, and moved down where they would cover each other. What they take of the
// picture is noted in `taken`.
function names(list, palette, taken) {
  const middle = list.reduce((sum, { at }) => sum + at[0] / list.length, 0);
  return list.map(({ at: [x, y], words, below }) => {
    const out = below ? 0 : x < middle - 4 ? -1 : x > middle + 4 ? 1 : 0;
    const [half, from] = [3.3 * words.length, x + 9 * out];
    const centre = from + half * out;
    const covers = (row) => taken.some((other) => Math.abs(other.at[1] - row) < 13 && Math.abs(other.at[0] - centre) < other.half + half);
    let row = y + 4;
    while (covers(row) && row < y + (below ? 60 : 30)) row += 13;
    taken.push({ at: [centre, row], half });
    return text(from, row, words, palette.text, { anchor: ["end", "middle", "start"][out + 1], size: 12, halo: true });
  });
}

// Everything: `state` is what the stage shows now.
export function legend(state) {
  const { width, height, palette, figure, pixels } = state;
  const list = [];
  if (state.time !== null) list.push(text(PAD, PAD + 12, state.time, palette.text, { bold: true, size: 15, halo: true }));
  if (state.case) list.push(text(PAD, PAD + (state.time === null ? 12 : 31), state.case, palette.soft, { halo: true }));
  list.push(...sides(width, figure, palette));
  list.push(...lengthBar(height, pixels, palette));
  if (state.scale) list.push(...forceArrow(width, height, pixels, state.scale, state.forceColour));
  if (state.high > 0) list.push(...pressureBar(width, figure.sided ? PAD + 22 : PAD, state.high, palette));
  if (state.soft) list.push(...softBar(width - (state.high > 0 ? 70 : 0), figure.sided ? PAD + 22 : PAD, state.soft, palette));
  const beside = [state.high > 0, state.soft].filter(Boolean).length;
  state.pulls.forEach((bar, i) => list.push(...pullBar(width - 84 * (beside + i), figure.sided ? PAD + 22 : PAD, bar, palette)));
  if (!figure.planar) list.push(...axesCross(height, figure, state.axes, palette));
  for (const { kind, places } of state.signs) list.push(...SIGNS[kind](places, palette));
  const taken = [];
  list.push(...names(state.names, palette, taken));
  // An arrow that was cut tells by its number how long it would be.
  shared().cutPlaces(state.cuts, taken).forEach(([x, y], i) => list.push(text(x, y, state.cuts[i].words, state.forceColour, { anchor: "middle", size: 12, halo: true })));
  if (state.label) {
    // Beside the pointer, on the side that has room.
    const [x, y] = state.label.at;
    const right = x > 0.7 * width;
    list.push(text(x + (right ? -12 : 14), Math.max(34, y - 10), state.label.words, palette.text, { anchor: right ? "end" : "start", bold: true, halo: true }));
  }
  return list;
}
