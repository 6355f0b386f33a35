// Starts the page, and the few things that concern all of it: light and dark, print, buttons in tables, what tests may ask.

// Light or dark by the system, or by the switch.
function makeTools() {
  const tools = byId("tools");
  const add = (words, title, act) => {
    const button = html(tools, "button", { type: "button", title }, words);
    button.addEventListener("click", () => act(button));
    return button;
  };
  const name = () => (scheme() === "dark" ? "light" : "dark");
  add(name(), "Change to light or dark", (button) => {
    document.documentElement.dataset.scheme = name();
    button.textContent = name();
    if (stage) stage.scheme(scheme());
    fillKey();
  });
  add("print", "Print this page", () => window.print());
  if (firstCase >= 0) add("?", "Keys and pointer", showHelp);
}

// The stage on paper, 186 mm by 90 mm, in px of which words of 11 px are 7 pt high.
const PAPER_STAGE = { width: 827, height: 400 };

// Gives the stage some size, or with none that of the page.
function sizeStage(size) {
  const holder = byId("stage");
  for (const side of ["width", "height"]) holder.style[side] = size ? size[side] + "px" : "";
  stage.resize();
  // Both stages size themselves at the end of the task, or when they are asked for what they show.
  stage.positions();
}

// Rows of a folded table that are printed: as many as a page on a screen shows unfolded.
const MOST_PRINTED = 30;

// Paper is light, has all plots, and a picture of the stage: a canvas would be empty there.
function startPrinting() {
  let image = null;
  let opened = [];
  window.addEventListener("beforeprint", () => {
    if (state.playing) setPlaying(false);
    // What is folded can be read on a screen only; long lists stay one line, and say so.
    opened = [...document.querySelectorAll("details.more:not(.met, .open)")].filter((one) => !one.open && one.querySelectorAll("tbody tr").length <= MOST_PRINTED);
    opened.forEach((one) => (one.open = true));
    state.leftDashed = true;
    plots.forEach(fillPlot);
    plots.forEach((plot) => drawPlot(plot, PAPER_PLOT));
    if (!stage) return;
    stage.scheme("light");
    sizeStage(PAPER_STAGE);
    const holder = byId("stage");
    if (stageKind() !== "plain") {
      image = html(holder, "img", { class: "print-image", alt: "The figure at the time shown", src: stage.dataURL() });
      holder.classList.add("imaged");
    }
    // The paper gives the holder its size.
    for (const side of ["width", "height"]) holder.style[side] = "";
  });
  window.addEventListener("afterprint", () => {
    state.leftDashed = false;
    opened.forEach((one) => (one.open = false));
    refillPlots();
    if (!stage) return;
    sizeStage(null);
    stage.scheme(scheme());
    if (image) image.remove();
    image = null;
    byId("stage").classList.remove("imaged");
  });
}

// Times in tables lead to the figure.
function linkTimes() {
  for (const button of document.querySelectorAll("button[data-time]")) {
    button.addEventListener("click", () => {
      if (Number(button.dataset.case) !== state.case) chooseCase(Number(button.dataset.case));
      goToTime(Number(button.dataset.time));
      byId("figure").scrollIntoView();
    });
  }
}

// More columns than this do not fit on a narrow screen, which then shows each row as a block, its cells with their heads.
const MOST_HEADS = 4;
// So many letters of one cell leave no room for two more columns.
const LONG_CELL = 60;

// Rows of a table that a narrow screen shows unfolded, each as a block, or as rows (`lines`); cells of one without verdicts, each of which may take a
// line; letters of a text that it shows.
const NARROW = { width: 600, rows: 8, lines: 20, cells: 30, letters: 260, shown: 110 };

// Cells and warnings with long texts begin with a line or two on a narrow screen.
function foldTexts(places) {
  if (window.innerWidth >= NARROW.width) return;
  for (const place of places) {
    const text = place.textContent;
    if (text.length <= NARROW.letters) continue;
    const inside = html(null, "div", {});
    inside.append(...place.childNodes);
    const fold = html(place, "details", {});
    html(fold, "summary", {}, text.slice(0, NARROW.shown).replace(/\s\S*$/, "") + " \u2026");
    fold.append(inside);
  }
}

// Longer tables are one line on a narrow screen, unless a verdict in them must be seen.
function foldRows(table) {
  if (window.innerWidth >= NARROW.width) return;
  const rows = [...table.tBodies[0].rows];
  const holder = table.parentElement;
  const cells = rows.reduce((sum, row) => sum + row.cells.length, 0);
  const few = rows.length <= NARROW.rows && (cells <= NARROW.cells || table.querySelector("td.good"));
  if (few || holder.closest("details") || table.querySelector("td.bad, td.look:first-child")) return;
  const fold = html(null, "details", { class: "more" });
  holder.replaceWith(fold);
  const caption = table.caption ? ": " + table.caption.textContent : "";
  html(fold, "summary", {}, rows.length + " rows" + caption);
  fold.append(holder);
  // Numbered notes are cited by the rows only, and definitions are of their words.
  if (fold.nextElementSibling?.matches(".notes, .terms")) fold.append(fold.nextElementSibling);
}

function stackTables() {
  for (const table of document.querySelectorAll(".scroll > table")) {
    const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
    const cells = [...table.tBodies[0].rows].flatMap((row) => [...row.cells]);
    const wordy = heads.length > 2 && cells.some((cell) => cell.textContent.length > LONG_CELL);
    foldTexts(cells);
    if (heads.length <= MOST_HEADS && !wordy) {
      if (table.tBodies[0].rows.length > NARROW.lines) foldRows(table);
      continue;
    }
    table.classList.add("stacks");
    foldRows(table);
    for (const cell of cells) {
      cell.dataset.head = heads[cell.cellIndex] || "";
      // Beside the head stands one thing: text, links and small words together.
      const inside = [...cell.childNodes];
      if (inside.length) html(cell, "div", {}).append(...inside);
    }
  }
}

function makePlayer() {
  const player = byId("player");
  const left = html(null, "div", {});
  left.append(byId("stage"));
  player.replaceChildren(left);
  startStage(asked.stage === "plain");
  if (moves) makeTransport(left);
  html(left, "ul", { class: "key", id: "figure-key", "aria-label": "What the signs mean" });
  html(left, "p", { id: "pointer", class: "fine" });
  makePanel(player);
  fillKey();
  watchers.case.push(fillKey);
}

// The stage alone.
function showPoster() {
  document.documentElement.classList.add("poster");
  stage.resize();
  stage.fit(borelliScene.smallPart(data, current()));
}

// On a narrow screen the list of parts goes on to the right; an arrow says so until its end is seen.
function hintParts() {
  const parts = document.querySelector("nav");
  const tell = () => parts.classList.toggle("goes-on", parts.scrollLeft + parts.clientWidth < parts.scrollWidth - 4);
  parts.addEventListener("scroll", tell);
  window.addEventListener("resize", tell);
  tell();
}

function start() {
  makeTools();
  hintParts();
  foldTexts(document.querySelectorAll(".warnings li"));
  stackTables();
  if (firstCase < 0) return;
  state.frame = tellingFrame(current());
  state.time = shownTime();
  chooseSpan();
  makePlayer();
  startPlots();
  startPressure();
  startPrinting();
  linkTimes();
  startKeys();
  tell("frame");
  state.opening = true;
  restoreState(asked);
  startSoft();
  window.addEventListener("hashchange", () => restoreState(addressed()));
  if (asked.poster) showPoster();
  else if (window.location.hash && !window.location.hash.includes("=")) {
    const part = byId(window.location.hash.slice(1));
    if (part) part.scrollIntoView();
  }
}

// What tests and tools may ask; `values` gives the numbers beside the names of a plot as they are in the data.
window.borelli = {
  ready: Promise.resolve().then(start),
  time: () => shownTime(),
  frame: () => state.frame,
  goTo,
  get stage() {
    return stage;
  },
  get stageKind() {
    return stageKind();
  },
  data,
  plots,
  values: (index) => readout(plots[index]).map(({ line, frame, time, value }) => ({ name: line.name, case: data.cases.indexOf(line.one), frame, time, value })),
  setCase: chooseCase,
};
