// Keys for everything that one does often, and the list of them.

const HELP = [
  ["Space", "play and pause"],
  ["← →", "one sample back or on; with Shift ten"],
  ["Home, End", "first and last sample"],
  [", .", "event before and after"],
  ["[ ]", "slower, faster"],
  ["1 to 6", "views: oblique, side, front, back, top, sole"],
  ["F", "frame the whole"],
  ["G M P N", "poses of other times, lines of pull, pressure, names"],
  ["S", "save the picture"],
  ["?", "this list"],
];

const ACTS = {
  " ": () => setPlaying(!state.playing),
  ArrowLeft: (many) => goTo(state.frame - many),
  ArrowRight: (many) => goTo(state.frame + many),
  Home: () => goTo(0),
  End: () => goTo(current().time.length - 1),
  ",": () => goToEvent(-1),
  ".": () => goToEvent(1),
  "[": () => nextSpeed(-1),
  "]": () => nextSpeed(1),
  f: () => stage.fit(false),
  g: () => toggleLayer("ghosts"),
  m: () => toggleLayer("muscles"),
  p: () => toggleLayer("pressure"),
  n: () => toggleLayer("names"),
  s: () => savePicture(),
  "?": () => showHelp(),
};
VIEW_NAMES.forEach((name, i) => (ACTS[String(i + 1)] = () => chooseView(name)));

// Fields keep their own keys; buttons keep the space bar.
function startKeys() {
  document.addEventListener("keydown", (event) => {
    const within = (selector) => event.target instanceof Element && event.target.closest(selector);
    if (event.ctrlKey || event.metaKey || event.altKey || within("select, textarea, dialog, input[type=search]")) return;
    // A slider knows its arrows itself, but not what Shift means.
    const act = ACTS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key === " " && within("button, a, summary, input[type=checkbox]"))) return;
    if (!moves && [" ", "ArrowLeft", "ArrowRight", "Home", "End", ",", ".", "[", "]"].includes(event.key)) return;
    event.preventDefault();
    act(event.shiftKey ? 10 : 1);
    if (/^(Arrow|Home|End|[,.])/.test(event.key)) rememberState();
  });
}

function showHelp() {
  let dialog = byId("help");
  if (!dialog) {
    dialog = html(document.body, "dialog", { id: "help", "aria-labelledby": "help-title" });
    html(dialog, "h2", { id: "help-title", style: "margin-top:0" }, "Keys and pointer");
    const list = html(dialog, "dl", {});
    for (const [keys, words] of HELP) {
      const term = html(list, "dt", {});
      keys.split(" ").forEach((key) => (["to", "and"].includes(key) ? term.append(" " + key + " ") : (html(term, "kbd", {}, key), term.append(" "))));
      html(list, "dd", {}, words);
    }
    html(dialog, "p", { class: "fine" }, "Drag turns a figure in space and moves a planar one; with Shift it moves both. The wheel zooms after a click on the figure, or with Ctrl.");
    html(dialog, "p", { class: "fine" }, "In a plot a click or drag goes to a time; Shift and drag zooms the time of all plots; a drag on the y axis zooms y; a double click shows all again.");
    html(html(dialog, "form", { method: "dialog" }), "button", { class: "main" }, "Close");
  }
  if (!dialog.open) dialog.showModal();
}
