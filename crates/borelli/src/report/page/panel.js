// What is shown on the stage, from where, and saving it: the panel beside the stage, made by script as it does nothing without.

// Soft parts smaller than this part of the figure cannot be read on the stage.
const SMALL = 0.2;

const VIEW_NAMES = ["oblique", "side", "front", "back", "top", "sole"];

function makePanel(parent) {
  const fold = html(parent, "details", { class: "panel-fold" });
  html(fold, "summary", {}, "Show, view, save");
  fold.open = window.innerWidth >= 900;
  const panel = html(fold, "div", { class: "panel", id: "panel" });
  const fill = () => {
    panel.replaceChildren();
    if (data.cases.length > 1) caseChoice(html(panel, "div", {}));
    if (!borelliScene.visible(data, current())) return;
    showChoices(html(panel, "div", {}));
    viewChoices(html(panel, "div", {}));
    saveChoices(html(panel, "div", {}));
  };
  let shown = null;
  watchers.case.push(() => {
    // Only another figure has other things to switch.
    if (current().figure !== shown || !byId("layer-names")) fill();
    shown = current().figure;
    if (!byId("case")) return;
    byId("case").value = state.case;
    byId("case-about").textContent = current().about;
  });
  fill();
  shown = current().figure;
}

function caseChoice(box) {
  html(box, "h3", { id: "case-title" }, "Case");
  const select = html(box, "select", { id: "case", "aria-labelledby": "case-title" });
  data.cases.forEach((one, k) => {
    const option = html(select, "option", { value: k }, caseLabel(one));
    option.disabled = !one.time.length;
  });
  select.value = state.case;
  html(box, "p", { class: "fine", id: "case-about" }, current().about);
  select.addEventListener("change", () => {
    chooseCase(Number(select.value));
    rememberState();
  });
}

// A switch of a layer of the stage.
function layerSwitch(box, name, words, key) {
  const label = html(box, "label", key ? { title: "key " + key } : {});
  const input = html(label, "input", { type: "checkbox", id: "layer-" + name });
  label.append(words);
  input.checked = layerOn(name);
  input.addEventListener("change", () => setLayer(name, input.checked));
}

// Poses at other times are not all that is pale: another case may be shown beside them.
const layerOn = (name) => (name === "ghosts" ? ghosting.poses : Boolean(stage.layers({})[name]));

function setLayer(name, value) {
  if (name === "ghosts") {
    ghosting.poses = value;
    showGhosts();
  } else stage.layers({ [name]: value });
  const input = byId("layer-" + name);
  if (input && input.type === "checkbox") input.checked = Boolean(value);
  fillKey();
}

const toggleLayer = (name) => byId("layer-" + name) && setLayer(name, !layerOn(name));

// What the lines of pull of a case are.
function pullWords(one) {
  const kinds = new Set((one.tones || []).filter(Boolean).map((tone) => tone.kind));
  const words = [["muscle", "muscles"], ["ligament", "ligaments"], ["cord", "springs and cords"]].filter(([kind]) => kinds.has(kind)).map(([, word]) => word);
  return words.length ? words.join(", ") : "springs and cords";
}

function showChoices(box) {
  const one = current();
  const figure = borelliScene.figureOf(data, one);
  html(box, "h3", {}, "Show");
  const forces = actingForces(one);
  const kinds = new Set(forces.map((force) => (force.support ? "support" : force.kind)));
  const outer = [["ground", "ground"], ["support", "support"], ["load", "measured"], ["contact", "contact"]].filter(([kind]) => kinds.has(kind)).map(([, word]) => word);
  if (outer.length) layerSwitch(box, "forces", outer.join(" and ") + " forces");
  if (kinds.has("joint")) layerSwitch(box, "jointForces", figure.rods.length ? "forces in joints and rods" : "joint forces");
  if ((one.moments || []).length) layerSwitch(box, "moments", "joint moments");
  if (one.time.length > 1) layerSwitch(box, "ghosts", "poses at other times", "G");
  if (figure.paths.length) layerSwitch(box, "muscles", pullWords(one), "M");
  if ((one.pressure || []).length) layerSwitch(box, "pressure", "pressure", "P");
  if (figure.surfaces.some((surface) => surface.kind !== "half-space")) layerSwitch(box, "contacts", "contact surfaces");
  if (figure.markers.length) layerSwitch(box, "markers", "markers");
  if (one.soft) softChoice(box, one.soft);
  layerSwitch(box, "names", "names", "N");
  layerSwitch(box, "centers", "mass centres, joints");
  const trace = html(html(box, "label", { class: "over" }), "select", { id: "trace", "aria-label": "Trace of a mass centre" });
  html(trace, "option", { value: "" }, "no trace");
  figure.bodies.forEach((body, b) => b > 0 && html(trace, "option", { value: b }, "trace of " + body.label));
  trace.addEventListener("change", () => setLayer("trace", trace.value === "" ? null : Number(trace.value)));
  if (data.cases.filter((other) => other.time.length).length > 1) compareChoice(box);
}

// The same time of another case as a pale figure.
function compareChoice(box) {
  const select = html(html(box, "label", { class: "over" }), "select", { id: "compare", "aria-label": "Pale figure of another case" });
  html(select, "option", { value: "" }, "no other case shown");
  data.cases.forEach((one, k) => one.time.length && html(select, "option", { value: k }, "compare with " + caseLabel(one)));
  select.addEventListener("change", () => {
    ghosting.with = select.value === "" ? null : Number(select.value);
    // One pale figure is compared more easily than eight; who wants all ticks them again.
    setLayer("ghosts", ghosting.with === null && layersAtFirst.ghosts);
  });
}

function viewChoices(box) {
  html(box, "h3", {}, "View");
  const buttons = html(box, "div", { class: "buttons" });
  if (!borelliScene.figureOf(data, current()).planar) {
    VIEW_NAMES.forEach((name, i) => {
      const button = html(buttons, "button", { type: "button", class: "small", title: "key " + (i + 1) }, name);
      button.addEventListener("click", () => chooseView(name));
    });
  }
  const frame = html(buttons, "button", { type: "button", class: "small", title: "key F" }, "frame all");
  frame.addEventListener("click", () => stage.fit(false));
  if (borelliScene.smallPart(data, current())) {
    html(buttons, "button", { type: "button", class: "small", id: "close-up" }, "close up").addEventListener("click", () => stage.fit(true));
  }
  if (!moves) return;
  const label = html(box, "label", {});
  const input = html(label, "input", { type: "checkbox", id: "follow" });
  label.append("follow the mass centre");
  input.checked = following;
  input.addEventListener("change", () => follow(input.checked));
}

function chooseView(name) {
  if (borelliScene.figureOf(data, current()).planar) return;
  stage.view(name);
  rememberState();
}

function saveChoices(box) {
  html(box, "h3", {}, "Save");
  const buttons = html(box, "div", { class: "buttons" });
  const add = (words, act) => html(buttons, "button", { type: "button", class: "small" }, words).addEventListener("click", act);
  add("picture", savePicture);
  if (moves) add("frames", saveFrames);
  if (moves && filmPossible()) add("film", saveFilm);
}

// What the signs on the stage mean, below it; only of what is there.
function fillKey() {
  const list = byId("figure-key");
  if (!list) return;
  list.replaceChildren();
  if (!borelliScene.visible(data, current())) return;
  const one = current();
  const figure = borelliScene.figureOf(data, one);
  const layers = stage.layers({});
  const colours = borelliScene.palette(scheme());
  const item = (words, d, style) => {
    const entry = html(list, "li", {});
    const sign = svg(entry, "svg", { width: 26, height: 14, "aria-hidden": "true" });
    svg(sign, "path", { d, style });
    entry.append(words);
  };
  const arrow = "M1 5.6h15v-3.6l9 5l-9 5v-3.6h-15z";
  const disc = "M13 1.5a5.5 5.5 0 1 0 0.01 0z";
  const shown = borelliScene.shownForces(actingForces(one), layers);
  const [ground, support] = [false, true].map((held) => shown.some((force) => force.kind === "ground" && force.support === held));
  if (ground || support) item((ground && support ? "force of ground or support" : ground ? "ground force" : "force of the support") + " on the figure", arrow, "fill:" + colours.ground);
  if (shown.some((force) => force.kind === "load")) item("measured force", arrow, "fill:" + colours.ground);
  if (shown.some((force) => force.kind === "contact")) item("contact force", arrow, "fill:" + colours.ground);
  if (shown.some((force) => force.kind === "joint")) item("force in a joint or rod", arrow, "fill:" + colours.joint);
  const scale = borelliScene.forceScale(shown, borelliScene.signHeight(data, one), one.time.length);
  if (scale.most * scale.metresPerNewton > scale.longest) item("larger than drawn", "M1 5.6h6v-3.6l8 5l-8 5v-3.6h-6zM15 2l9 5l-9 5z", "fill:" + (shown.every((force) => force.kind === "joint") ? colours.joint : colours.ground));
  if (layers.moments && (one.moments || []).length) {
    const { most } = borelliScene.moment.scale(data, one, borelliScene.signHeight(data, one));
    item("moment in a joint on its outer body, up to " + borelliScene.moment.words(most), "M9 12a6 6 0 1 1 8 0M17 12l-1 -5M17 12l5 -1", "fill:none;stroke-width:2;stroke:" + colours.moment);
  }
  if (moves && shown.some((force) => force.moves)) item("path of the point of force", "M5 7h.01M13 7h.01M21 7h.01", "fill:none;stroke-linecap:round;stroke-width:3.4;stroke:" + colours.ground);
  if (layers.contacts && figure.surfaces.some((surface) => surface.kind !== "half-space")) {
    item("contact surface, free", disc, "fill-opacity:0.5;fill:" + colours.free + ";stroke:" + colours.free);
    item("touching", disc, "fill-opacity:0.7;fill:" + colours.touching + ";stroke:" + colours.touching);
  }
  const carried = figure.surfaces.filter((surface) => surface.kind === "half-space" && surface.spot[0] > 0).map((surface) => surface.label.toLowerCase());
  if (carried.length) item("plane of contact: " + carried.join(", "), "M4 11l5 -8h13l-5 8z", "fill-opacity:0.16;fill:" + colours.soft + ";stroke:" + colours.soft);
  if (layers.muscles && figure.paths.length) {
    const of = (kind) => (one.tones || []).filter((tone) => tone && tone.kind === kind && tone.column !== null);
    const cords = of("cord").map((tone) => one.columns[tone.column]);
    const most = (key, sign) => cords.reduce((best, column) => Math.max(best, sign * (column[key] || 0)), 0);
    const [pull, push] = [most("high", 1), most("low", -1)];
    const line = (words, kind, part, width) => item(words, "M2 7h22", "fill:none;stroke-width:" + width + ";stroke:" + borelliScene.pull.colour({ kind, part }));
    if (of("muscle").length) {
      line("muscle at rest", "muscle", 0, 3);
      line("fully active", "muscle", 1, 5);
    }
    if (of("ligament").length) {
      line("ligament, slack", "ligament", 0, 3);
      line("strained by " + valueText(100 * of("ligament")[0].most, 3) + " %", "ligament", 1, 5);
    }
    if (pull > 0) line("pulling, up to " + valueText(pull, 3) + " N", "cord", 0.8, 4);
    if (push > 0) line("pushing, up to " + valueText(push, 3) + " N", "cord", -0.8, 4);
    if (!(pull > 0 || push > 0) && cords.length) line("cord", "cord", 0, 3);
    if ((figure.wraps || []).length) item("what they bend around", disc, "fill-opacity:0.16;stroke-opacity:0.5;fill:" + colours.soft + ";stroke:" + colours.soft);
  }
  if (layers.markers && figure.markers.length) {
    item("measured marker", "M13 4a3 3 0 1 0 0.01 0z", "fill:" + colours.text);
    item("the same marker on the model", "M13 3a4 4 0 1 0 0.01 0z", "fill:none;stroke-width:1.6;stroke:" + colours.fitted);
  }
  if (figure.joints.some((joint) => borelliScene.held(figure, joint))) item("held by the world", "M13 2l6 8h-12zM5 10h16M9 10l-3 3M14 10l-3 3M19 10l-3 3", "fill:none;stroke-width:1.3;stroke:" + colours.soft);
  if (figure.holds.some((hold) => hold.a === null)) item("guided point", "M13 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z", "fill:none;stroke-width:1.6;stroke:" + colours.text);
  if (figure.rods.length) item("massless rod, dashed once released", "M2 7h22", "fill:none;stroke-width:3;stroke:" + colours.text);
  if (one.soft && byId("soft-parts") && borelliScene.soft.size(one) < SMALL * figure.height) {
    const entry = html(list, "li", {});
    html(entry, "a", { href: "#soft-parts" }, "The soft part is small here: enlarged below");
  }
  const pale = [ghosting.poses && "the same figure at other times", ghosting.with !== null && "the other case at the same time"].filter(Boolean);
  if (layers.ghosts && moves) item(pale.join(", and "), disc, "fill:" + borelliScene.ghostColour(figure.sided ? colours.neither : borelliScene.bodyColour(data, figure, 1, scheme()), scheme()));
}
