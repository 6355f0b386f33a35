// The tree of all columns beside the plots: a box plots a column, + adds it to the plot in focus, x/y makes one over another.

// Columns of all cases by name; the first case that has one tells its label and place. What rests has no speeds.
function allColumns() {
  const columns = new Map();
  const speed = (one, { unit, low, high }) => borelliScene.soft.loaded(one) && /\/s(\^2)?$/.test(unit || "") && low === 0 && high === 0;
  for (const one of data.cases) for (const column of one.columns) if (!columns.has(column.name) && !speed(one, column)) columns.set(column.name, column);
  return columns;
}

// What the reader has ticked, in that order.
const ticked = [];
let phaseX = null;

function makeTree() {
  const aside = html(null, "aside", { class: "tree", "aria-label": "All columns" });
  const fold = html(aside, "details", {});
  html(fold, "summary", {}, "Choose columns");
  fold.open = window.innerWidth >= 900;
  const box = html(fold, "div", { class: "tree-box", id: "tree" });
  const search = html(box, "input", { type: "search", id: "search", placeholder: "search name or unit", "aria-label": "Search columns", autocomplete: "off" });
  html(box, "p", { class: "fine", id: "tree-help", role: "status" });
  const list = html(box, "div", {});
  const columns = allColumns();
  const root = { branches: new Map(), leaves: [] };
  for (const column of columns.values()) {
    let node = root;
    const path = column.path && column.path.length ? column.path : [column.label];
    for (const word of path.slice(0, -1)) {
      if (!node.branches.has(word)) node.branches.set(word, { branches: new Map(), leaves: [] });
      node = node.branches.get(word);
    }
    node.leaves.push({ column, word: path[path.length - 1] });
  }
  fillBranch(list, root, true);
  search.addEventListener("input", () => findColumns(list, search.value));
  return aside;
}

function fillBranch(parent, node, top) {
  for (const [word, branch] of node.branches) {
    const fold = html(parent, "details", top ? { class: "branch" } : {});
    html(fold, "summary", {}, word);
    fillBranch(fold, branch, false);
  }
  node.leaves.forEach((leaf) => fillLeaf(parent, leaf));
}

function fillLeaf(parent, { column, word }) {
  const constant = column.low === column.high;
  const row = html(parent, "div", { class: "leaf" + (constant ? " constant" : ""), title: column.label + "\n" + column.name + (column.unit && column.unit !== "1" ? " / " + column.unit : "") + (constant ? "\nconstant" : "") });
  row.dataset.words = (column.label + " " + column.name).toLowerCase();
  row.dataset.units = unitWords(column.unit).join("\n");
  const label = html(row, "label", {});
  const input = html(label, "input", { type: "checkbox", value: column.name, "aria-label": column.label });
  html(label, "span", {}, word);
  input.addEventListener("change", () => {
    if (input.checked) ticked.push(column.name);
    else ticked.splice(ticked.indexOf(column.name), 1);
    plotTicked();
    rememberState();
  });
  const button = (text, words, act) => html(row, "button", { type: "button", class: "small", title: words, "aria-label": words + ": " + column.label }, text).addEventListener("click", act);
  button("+", "Add to the plot in focus", () => addToFocus(column));
  button("x/y", "Plot one column over another", (event) => choosePhase(column, event.currentTarget));
}

// How a reader may write a unit: as in the file, or as in the plots.
const unitWords = (unit) => (unit && unit !== "1" ? [...new Set([unit, unit.replace(/^rad/, "deg")])].map((word) => word.toLowerCase()) : []);

// Words of a search, and the unit that it ends with, if it is the unit of a column: "moment N m", "kPa".
function searchOf(text, units) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (let k = 0; k < words.length; k++) {
    const unit = words.slice(k).join(" ");
    if (units.has(unit)) return { words: words.slice(0, k), unit };
  }
  return { words, unit: null };
}

// All words must occur in label or name, in any order; a lone letter is a word of its own. The unit must be the same.
function findColumns(list, text) {
  const leaves = [...list.querySelectorAll(".leaf")];
  const { words, unit } = searchOf(text, new Set(leaves.flatMap((leaf) => leaf.dataset.units.split("\n")).filter(Boolean)));
  const occurs = (leaf, word) => (word.length > 1 ? leaf.dataset.words.includes(word) : leaf.dataset.words.split(/[^\p{L}\p{N}]+/u).includes(word));
  const searched = words.length > 0 || unit !== null;
  let count = 0;
  for (const leaf of leaves) {
    leaf.hidden = !words.every((word) => occurs(leaf, word)) || (unit !== null && !leaf.dataset.units.split("\n").includes(unit));
    if (!leaf.hidden) count++;
  }
  for (const fold of list.querySelectorAll("details")) {
    fold.hidden = !fold.querySelector(".leaf:not([hidden])");
    // A search shows what it finds; without one the branches fold again.
    fold.open = searched && !fold.hidden;
  }
  byId("tree-help").textContent = searched ? count + " found" + (unit ? " in " + unit : "") : "";
}

// One plot per unit of all ticked columns, above the others.
function plotTicked() {
  const grid = byId("chosen");
  for (const plot of plots.filter((plot) => plot.fromTicks)) {
    plots.splice(plots.indexOf(plot), 1);
    plot.element.remove();
    if (focused === plot) focused = null;
  }
  const made = ticked.length ? makeGroup(grid, { title: "Your choice", columns: ticked, cases: null, kind: "time" }, true) : [];
  for (const plot of made) {
    plot.fromTicks = true;
    plot.title = ownTitle(plot);
    plot.heading.textContent = plot.title;
  }
  if (made.length) focusPlot(made[made.length - 1]);
}

// What a plot of one's own is called: the branch its columns share, else the first of them.
function ownTitle(plot) {
  const paths = plot.lines.map((line) => line.column.path || [line.label]);
  if (plot.names.length === 1) return plot.lines.length ? plot.lines[0].column.label : plot.title;
  return paths.every((path) => path[0] === paths[0][0]) ? paths[0][0] : "Your choice";
}

function untick(name) {
  const at = ticked.indexOf(name);
  if (at >= 0) ticked.splice(at, 1);
  for (const input of byId("tree").querySelectorAll("input[type=checkbox]")) if (input.value === name) input.checked = false;
}

// Ticks columns as if by hand: from the address.
function tickColumns(names) {
  const known = new Set(allColumns().keys());
  ticked.splice(0, ticked.length, ...names.filter((name) => known.has(name)));
  for (const input of byId("tree").querySelectorAll("input[type=checkbox]")) input.checked = ticked.includes(input.value);
  plotTicked();
}

// Into the plot in focus where the unit is the same, else a plot of its own.
function addToFocus(column) {
  const fits = focused && focused.kind !== "phase" && focused.lines.length && focused.unit === column.unit;
  if (!fits) {
    const [made] = makeGroup(byId("chosen"), { title: column.label, columns: [column.name], cases: null, kind: "time" }, true);
    if (made) focusPlot(made);
    byId("tree-help").textContent = focused && made ? "New plot: " + column.label : "";
    return;
  }
  if (!focused.names.includes(column.name)) focused.names.push(column.name);
  fillPlot(focused);
  drawPlot(focused);
  byId("tree-help").textContent = "Added to " + focused.title;
}

// The first click chooses x, the second y.
function choosePhase(column, button) {
  if (!phaseX) {
    phaseX = { column, button };
    button.setAttribute("aria-pressed", "true");
    byId("tree-help").textContent = "x: " + column.label + ". Now choose y by its x/y.";
    return;
  }
  phaseX.button.removeAttribute("aria-pressed");
  const x = phaseX.column;
  phaseX = null;
  byId("tree-help").textContent = "";
  if (x === column) return;
  const title = column.label + " over " + x.label;
  focusPlot(makePlot(byId("chosen"), { title, names: [x.name, column.name], cases: null, kind: "phase", own: true }));
}
