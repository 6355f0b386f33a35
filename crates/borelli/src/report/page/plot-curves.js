// What a plot shows: curves of columns from frames and the extremes between them, their pens, ends of axes, and what the x axis means.

// Times and values of a column with the extremes between frames, in the order of time; made once.
function curveOf(one, column) {
  if (column.curve) return column.curve;
  const extra = column.extra;
  if (!extra || !extra.t.length) return (column.curve = { t: one.time, v: column.values });
  const [n, m] = [one.time.length, extra.t.length];
  const [t, v] = [new Float64Array(n + m), new Float64Array(n + m)];
  for (let i = 0, j = 0, k = 0; k < n + m; k++) {
    const own = j >= m || (i < n && one.time[i] <= extra.t[j]);
    t[k] = own ? one.time[i] : extra.t[j];
    v[k] = own ? column.values[i++] : extra.v[j++];
  }
  return (column.curve = { t, v });
}

// Cases that a plot shows: its own or the chosen one, and after them all others where the reader wants all.
function casesOf(plot) {
  const first = plot.cases ? plot.cases.map((index) => data.cases[index]) : [current()];
  const others = state.overlay ? data.cases.filter((one) => !first.includes(one) && one.time.length) : [];
  return [...first, ...others];
}

// Lines of a plot, one per column and case.
function linesOf(plot) {
  const cases = casesOf(plot);
  const label = (one, column) => {
    if (cases.length === 1) return column.label;
    return plot.names.length === 1 ? caseLabel(one) : caseLabel(one) + ": " + column.label;
  };
  const of = (one, run) => plot.names.flatMap((name) => {
    const column = columnOf(one, name);
    return column ? [{ name, one, run, column, label: label(one, column), key: data.cases.indexOf(one) + "\n" + name }] : [];
  });
  const lines = cases.flatMap(of);
  const pens = pensOf(lines);
  lines.forEach((line, i) => (line.pen = pens[i]));
  return lines;
}

const DASHES = ["", "7 4", "2 3", "9 3 2 3", "12 4", "1 4", "14 3 2 3 2 3", "5 2", "3 6", "16 6"];
const dashOf = (k) => DASHES[k % DASHES.length];

// Shades of the colour of a side that can be told apart.
const SHADES = 4;

// Pens of lines: colour by side and dashes by run where there are sides; else colours in turn, by run where there are several. Blue and red belong
// to the sides where they occur. More curves of one side alone than it has shades take colours in turn too: their side sets none apart. The static plots
// of the page are drawn by the same rule.
function pensOf(lines) {
  const runs = Math.max(0, ...lines.map((line) => line.run)) + 1;
  const several = runs > 1;
  const sides = new Set(lines.map((line) => line.column.side || null));
  const sided = sides.size > 1 || !sides.has(null);
  const turn = sided ? [2, 3, 6, 7, 4, 1] : [0, 1, 2, 3, 4, 5, 6, 7];
  const names = [...new Set(lines.map((line) => line.name))];
  const bySide = !(sides.size === 1 && names.length > SHADES);
  return lines.map(({ name, run, column }) => {
    // A sum is dashed: a part that is all of it is seen below it.
    if (name === "account.change") return { colour: "--text", dash: dashOf(1) };
    const same = names.filter((other) => lines.some((line) => line.name === other && (line.column.side || null) === (column.side || null)));
    const rank = same.indexOf(name);
    if (column.side && bySide) {
      const dash = run + runs * Math.floor(rank / SHADES);
      return { colour: "--" + column.side[0] + (rank % SHADES), dash: dashOf(dash || (!several && state.leftDashed && column.side === "left" ? 1 : 0)) };
    }
    if (several) return { colour: "--c" + turn[run % turn.length], dash: dashOf(rank + names.length * Math.floor(run / turn.length)) };
    return { colour: "--c" + turn[rank % turn.length], dash: dashOf(Math.floor(rank / turn.length)) };
  });
}

const penStyle = ({ colour, dash }) => "stroke:var(" + colour + ");stroke-dasharray:" + (dash || "none");

// ---- The x axis: time, time from an event, or part of the run

function eventTime(one, name) {
  const event = one.events.find((event) => event.name === name);
  return event ? event.time : one.time[0];
}

function toX(one, t) {
  if (state.x.kind === "event") return t - eventTime(one, state.x.name);
  if (state.x.kind === "part") return (100 * (t - one.time[0])) / (one.time[one.time.length - 1] - one.time[0] || 1);
  return borelliScene.soft.loaded(one) ? 100 * t : t;
}

function toTime(one, x) {
  if (state.x.kind === "event") return x + eventTime(one, state.x.name);
  if (state.x.kind === "part") return one.time[0] + (x / 100) * (one.time[one.time.length - 1] - one.time[0]);
  return borelliScene.soft.loaded(one) ? x / 100 : x;
}

function xName() {
  if (state.x.kind === "event") return "Time from " + state.x.label + " / s";
  return state.x.kind === "part" ? "Part of the run / %" : borelliScene.soft.loaded(current()) ? "Part of the load / %" : "Time / s";
}

// ---- Ends of axes

// Around values, a little wider; what hardly changes is a flat line in the middle.
function widened(low, high) {
  if (!(low <= high)) return [-1, 1];
  const least = 1e-4 * Math.max(Math.abs(low), Math.abs(high)) || 1;
  const pad = high - low < least ? least : 0.06 * (high - low);
  return [low - pad, high + pad];
}

function xRange(lines) {
  if (state.span) return state.span;
  let [low, high] = [Infinity, -Infinity];
  for (const { one } of lines) {
    low = Math.min(low, toX(one, one.time[0]));
    high = Math.max(high, toX(one, one.time[one.time.length - 1]));
  }
  return high > low ? [low, high] : [(low || 0) - 0.5, (low || 0) + 0.5];
}

function yRange(lines, factor) {
  const known = (x) => x !== null && x !== undefined && Number.isFinite(x);
  const ends = lines.flatMap(({ column }) => [column.low, column.high, ...bandEnds(column)]).filter(known).map((x) => x * factor);
  return ends.length ? widened(ends.reduce((a, b) => Math.min(a, b)), ends.reduce((a, b) => Math.max(a, b))) : [-1, 1];
}

// The lowest and the highest end of the band of a column; none where it has no band.
function bandEnds(column) {
  if (!column.band) return [];
  const pick = (list, better) => list.filter((x) => !Number.isNaN(x)).reduce((a, b) => better(a, b), undefined);
  column.bandEnds ||= [pick(column.band.low, (a, b) => (a < b ? a : b)), pick(column.band.high, (a, b) => (a > b ? a : b))];
  return column.bandEnds;
}

// A band as an area, up along its high ends and back along the low ones; a gap where it has no ends.
function bandText({ t, low, high }, placeX, placeY) {
  let text = "";
  for (let from = 0; from < t.length; from++) {
    if (Number.isNaN(low[from] + high[from])) continue;
    let to = from;
    while (to + 1 < t.length && !Number.isNaN(low[to + 1] + high[to + 1])) to++;
    const point = (k, y) => placeX(t[k]).toFixed(1) + " " + placeY(y[k]).toFixed(1);
    const points = [];
    for (let k = from; k <= to; k++) points.push(point(k, high));
    for (let k = to; k >= from; k--) points.push(point(k, low));
    text += "M" + points.join("L") + "Z";
    from = to;
  }
  return text;
}

// A curve as a path; a sample without value leaves a gap, a lone one is a dot. Where more samples than pixels are seen, the first, smallest, largest
// and last of each pixel are enough for the same picture.
function curveText({ t, v }, placeX, placeY, [first, last], pixels) {
  let text = "";
  let pen = false;
  const add = (k) => {
    const y = v[k];
    if (Number.isNaN(y)) {
      pen = false;
      return;
    }
    const point = placeX(t[k]).toFixed(1) + " " + placeY(y).toFixed(1);
    text += pen ? "L" + point : "M" + point + "h.01";
    pen = true;
  };
  const count = last - first + 1;
  if (count <= 3 * pixels) {
    for (let k = first; k <= last; k++) add(k);
    return text;
  }
  for (let b = 0; b < pixels; b++) {
    const [from, to] = [first + Math.floor((b * count) / pixels), first + Math.floor(((b + 1) * count) / pixels) - 1];
    let [low, high, gap] = [from, from, -1];
    for (let k = from; k <= to; k++) {
      if (Number.isNaN(v[k])) gap = k;
      if (!(v[k] >= v[low])) low = k;
      if (!(v[k] <= v[high])) high = k;
    }
    [...new Set([from, low, high, gap, to])].filter((k) => k >= 0).sort((a, b2) => a - b2).forEach(add);
  }
  return text;
}
