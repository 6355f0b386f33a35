// Saving: a plot as CSV, SVG or PNG; the stage as a picture, as frames in a ZIP file, or as a film. Pictures are light, whatever the page is.

// Hands a file to the reader.
function download(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = html(document.body, "a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const fileName = (title) => (document.title + " " + title).replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 80) || "plot";

function saveMenu(parent, plot) {
  const menu = html(parent, "details", { class: "save" });
  html(menu, "summary", { "aria-label": "Save " + plot.title }, "save");
  const box = html(menu, "div", {});
  const add = (words, act) => html(box, "button", { type: "button", class: "small" }, words).addEventListener("click", () => {
    menu.open = false;
    act();
  });
  add("CSV", () => download(fileName(plot.title) + ".csv", plotCsv(plot), "text/csv"));
  add("SVG", () => download(fileName(plot.title) + ".svg", plotFile(plot), "image/svg+xml"));
  add("PNG", () => imageOf(plotFile(plot), 2 * plot.box.width, 2 * fileHeight(plot)).then((blob) => download(fileName(plot.title) + ".png", blob)));
}

// A cell of CSV: quoted where it must be.
const csvCell = (text) => (/[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);

// Columns of a plot with all digits: three rows of labels, names and units, then samples; each case has its own time. What is left out is said first.
function plotCsv(plot) {
  const cases = [...new Set(plot.lines.map((line) => line.one))];
  const columns = cases.flatMap((one) => {
    const name = cases.length > 1 ? caseLabel(one) + ": " : "";
    const own = plot.lines.filter((line) => line.one === one).map(({ column }) => [name + column.label, column.name, column.unit || "", column.values]);
    return [[name + "Time", "time", "s", one.time], ...own];
  });
  const thinned = cases.filter((one) => one.samples > one.time.length).map((one) => (cases.length > 1 ? caseLabel(one) + ": " : "") + one.time.length + " of " + one.samples + " samples");
  const rows = thinned.length ? ["# thinned: " + thinned.join("; ") + "; all are in the trajectory file"] : [];
  for (const k of [0, 1, 2]) rows.push(columns.map((column) => csvCell(column[k])).join(","));
  const most = Math.max(...columns.map((column) => column[3].length));
  for (let i = 0; i < most; i++) rows.push(columns.map(([, , , values]) => (i < values.length && !Number.isNaN(values[i]) ? String(values[i]) : "")).join(","));
  return rows.join("\n") + "\n";
}

const LEGEND_ROW = 16;
const fileHeight = (plot) => plot.box.height + 26 + LEGEND_ROW * plot.lines.length + 6;

// A plot as the text of an SVG file: with title and legend, colours spelt out, light.
function plotFile(plot) {
  if (plot.stale) drawPlot(plot);
  const { width } = plot.box;
  const height = fileHeight(plot);
  const root = svg(null, "svg", { xmlns: SVG_SPACE, viewBox: "0 0 " + width + " " + height, width, height, "font-family": "Liberation Sans, Arial, Helvetica, sans-serif", "font-size": 11 });
  svg(root, "rect", { width, height, style: "fill:var(--page)" });
  svg(root, "text", { x: 8, y: 18, "font-size": 14, "font-weight": "bold", style: "fill:var(--text)" }, plot.title);
  const inner = svg(root, "g", { transform: "translate(0 26)" });
  for (const child of plot.frame.cloneNode(true).children) if (!child.querySelector || child.tagName !== "g" || child.getAttribute("clip-path")) inner.appendChild(child.cloneNode(true));
  plot.lines.forEach((line, i) => {
    const y = plot.box.height + 26 + LEGEND_ROW * i + 8;
    if (plot.kind !== "phase") svg(root, "path", { class: "curve", d: "M" + PLOT_MARGIN.left + " " + (y - 4) + "h22", style: penStyle(line.pen) });
    svg(root, "text", { x: PLOT_MARGIN.left + 28, y, style: "fill:var(--text)" }, line.label);
  });
  spellStyles(root);
  return new XMLSerializer().serializeToString(root);
}

// What the page's style says, written to the elements themselves.
const FILE_STYLES = {
  tick: "stroke:var(--line);stroke-width:1", zero: "stroke:var(--soft);stroke-width:1", "edge-line": "stroke:var(--soft);stroke-width:1",
  event: "stroke:var(--soft);stroke-width:1;stroke-dasharray:2 4", curve: "fill:none;stroke-width:1.8;stroke-linejoin:round", name: "fill:var(--text)",
};

function spellStyles(root) {
  const light = html(document.body, "div", { "data-scheme": "light", hidden: "" });
  const style = getComputedStyle(light);
  const spelt = (text) => text.replace(/var\((--[a-z0-9]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  for (const part of root.querySelectorAll("*")) {
    const own = FILE_STYLES[part.getAttribute("class")] || (part.tagName === "text" && !part.getAttribute("style") ? "fill:var(--soft)" : "");
    const whole = [own, part.getAttribute("style") || ""].filter(Boolean).join(";");
    if (whole) part.setAttribute("style", spelt(whole));
    part.removeAttribute("class");
  }
  light.remove();
}

// ---- The stage

// Twice its size in the page.
function stageSize() {
  const bounds = byId("stage").getBoundingClientRect();
  return [Math.round(2 * bounds.width), Math.round(2 * bounds.height)];
}

function savePicture() {
  return stage.picture(...stageSize()).then((blob) => download(fileName("t " + borelliScene.instantText(current(), shownTime())) + ".png", blob));
}

// Thirty a second of the time that playing takes, at most 900.
const MOST_SAVED = 900;

async function saveFrames() {
  setPlaying(false);
  const times = current().time;
  const span = times[times.length - 1] - times[0];
  const count = Math.max(2, Math.min(MOST_SAVED, Math.round((30 * span) / state.speed) + 1, times.length));
  const [before, size] = [state.frame, stageSize()];
  const files = [];
  for (let i = 0; i < count; i++) {
    goTo(nearestFrame(times, times[0] + (span * i) / (count - 1)));
    const blob = await stage.picture(...size);
    files.push(["frame-" + String(i + 1).padStart(4, "0") + ".png", new Uint8Array(await blob.arrayBuffer())]);
    byId("pointer").textContent = "Saving frame " + (i + 1) + " of " + count;
  }
  goTo(before);
  byId("pointer").textContent = "";
  download(fileName("frames") + ".zip", zipOf(files), "application/zip");
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

// Files as they are (pictures are packed already) in a ZIP file: each behind its head, then the list of all.
function zipOf(files) {
  const numbers = (...list) => {
    const bytes = new Uint8Array(list.reduce((sum, [size]) => sum + size, 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const [size, value] of list) {
      if (size === 2) view.setUint16(at, value, true);
      else view.setUint32(at, value, true);
      at += size;
    }
    return bytes;
  };
  const [parts, listing] = [[], []];
  let offset = 0;
  for (const [name, bytes] of files) {
    const word = new TextEncoder().encode(name);
    // Version, flags, method 0, time, date (1980-01-01), checksum, packed and real size, length of the name, no extra.
    const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, checksum(bytes)], [4, bytes.length], [4, bytes.length], [2, word.length], [2, 0]];
    parts.push(numbers([4, 0x04034b50], ...common), word, bytes);
    listing.push(numbers([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), word);
    offset += 30 + word.length + bytes.length;
  }
  const length = listing.reduce((sum, part) => sum + part.length, 0);
  return new Blob([...parts, ...listing, numbers([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, offset], [2, 0])]);
}

// A film records wall time: worth it only where frames come fast enough.
// Decided once: a button that comes and goes with every choice of a case would puzzle.
let film = null;
function filmPossible() {
  const canvas = byId("stage").querySelector("canvas");
  if (film === null) film = Boolean(canvas && canvas.captureStream && window.MediaRecorder && stage.stats().drawMs < 33);
  return film;
}

function saveFilm() {
  const recorder = new MediaRecorder(byId("stage").querySelector("canvas").captureStream(30), { videoBitsPerSecond: 8e6 });
  const parts = [];
  const loops = state.loop;
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  recorder.addEventListener("stop", () => download(fileName("film") + ".webm", new Blob(parts, { type: recorder.mimeType })));
  state.loop = false;
  goTo(0);
  recorder.start();
  setPlaying(true);
  const wait = setInterval(() => {
    if (state.playing) return;
    clearInterval(wait);
    state.loop = loops;
    recorder.stop();
  }, 100);
}
