// The stage in the page: which one is mounted, what it shows at first, light and dark, and what happens when it is lost.

const scheme = () => {
  const chosen = document.documentElement.dataset.scheme;
  if (chosen) return chosen;
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
};

let stage = null;
const layersAtFirst = {};
// Ghosts: poses spread over the time, and the same time of another case.
const ghosting = { with: null, poses: false };
const GHOSTS = 7;

// The three-dimensional stage where it is built in and runs, else the plain one.
function mountStage(plainOnly) {
  const holder = byId("stage");
  const options = { scheme: scheme(), onPick: showPicked, onContextLost: () => swapStage() };
  if (!plainOnly && borelliStages.three) {
    try {
      stage = borelliStages.three(holder, data, options);
      return;
    } catch {
      // No WebGL here: not worth an error, the plain stage shows the same.
      holder.replaceChildren();
    }
  }
  stage = borelliStages.plain(holder, data, options);
}

// To the plain stage, with everything as it was.
function swapStage() {
  const before = { layers: stage.layers({}), view: stage.view(), followed: following };
  try {
    stage.dispose();
  } catch {
    // What is lost need not be put away.
  }
  byId("stage").replaceChildren();
  mountStage(true);
  stage.setCase(state.case);
  stage.follow(before.followed);
  stage.layers(before.layers);
  if (before.view) stage.view(before.view);
  showGhosts();
  stage.show(state.frame);
}

const stageKind = () => (stage ? stage.stats().kind : "none");

let following = false;
function follow(on) {
  following = on;
  stage.follow(on);
}

// Forces of a case that are ever there.
function actingForces(one) {
  if (one.acting) return one.acting;
  const frames = borelliScene.spread(one.time.length, 200);
  const acts = (force) => frames.some((k) => borelliScene.vector.norm(force.of(k)) > 0);
  return (one.acting = borelliScene.visible(data, one) ? borelliScene.forces(data, one).filter(acts) : []);
}

// How much of the time at both ends holds no telling instant: where a run begins or stops, nothing has happened yet, or filters leave their ends.
const ENDS = 0.01;

// Frames that a page may open with: those that have a map of pressure where there are maps, so that map, figure and plots speak of one instant.
function openingFrames(one) {
  const mapped = (one.pressure || []).flatMap((mat) => mat.times).map((t) => nearestFrame(one.time, t));
  const frames = mapped.length ? [...new Set(mapped)].sort((a, b) => a - b) : Array.from(one.time, (_, k) => k);
  // What comes after the data of a fit was not fitted.
  const [from, to] = one.fitted || [-Infinity, Infinity];
  const within = frames.filter((k) => one.time[k] >= from && one.time[k] <= to);
  return within.length ? within : frames;
}

// The frame that tells most of a case, where the page opens and prints: the time that the study names (`poster`), else the largest sum of what ground,
// contacts and measured loads do to the figure, else the middle of the time.
function tellingFrame(one) {
  const times = one.time;
  // A load tells most when all of it acts.
  if (borelliScene.soft.loaded(one)) return times.length - 1;
  const frames = openingFrames(one);
  const nearest = (t) => frames[nearestFrame(frames.map((k) => times[k]), t)];
  if (data.poster !== null && data.poster !== undefined) return nearest(data.poster);
  const [start, span] = [times[0], times[times.length - 1] - times[0]];
  const forces = actingForces(one).filter((force) => force.kind !== "joint");
  let [best, most] = [nearest(start + span / 2), 0];
  for (const k of forces.length ? frames : []) {
    if (times[k] < start + ENDS * span || times[k] > start + (1 - ENDS) * span) continue;
    const sum = forces.reduce((total, force) => total + (borelliScene.vector.norm(force.of(k)) || 0), 0);
    if (sum > most && Number.isFinite(sum) && !borelliScene.flownApart(data, one, k)) [best, most] = [k, sum];
  }
  return best;
}

// What a first look should show of a case.
function firstLook() {
  const one = current();
  const figure = borelliScene.figureOf(data, one);
  const bodies = figure.bodies.length - 1;
  const pushed = actingForces(one).some((force) => force.kind !== "joint");
  const box = borelliScene.box(data, one, one.time.length, { arrows: false });
  const way = Math.max(...box.high.map((x, i) => x - box.low[i])) / figure.height;
  // What hangs on the world by a loop is not understood without the place where it hangs.
  const hung = figure.holds.flatMap((hold) => [hold.a, hold.b]).concat(figure.rods.flatMap((rod) => rod.points)).some((spot) => spot && spot[0] === 0);
  following = box.travel > 2.5 * figure.height && !hung;
  const pulls = (one.tensions || []).some((column) => column !== null && Math.max(Math.abs(one.columns[column].low || 0), Math.abs(one.columns[column].high || 0)) > 0);
  return {
    forces: true,
    // Where no ground pushes, a few bodies show what they do to each other.
    jointForces: !pushed && bodies <= 4,
    moments: false,
    // Poses of other times tell the motion at a glance where bodies are few, or go from place to place; else they would only clutter.
    ghosts: one.time.length > 1 && !borelliScene.soft.loaded(one) && !following && (way > 1.4 || (bodies <= 4 && figure.planar)),
    // What moves each by itself and is drawn alike is told apart by its name only.
    names: bodies > 1 && bodies <= 12 && borelliScene.apart(figure), centers: false, muscles: pulls, pressure: (one.pressure || []).length > 0, markers: figure.markers.length > 0, trace: null, contacts: true, soft: one.soft ? one.soft.quantities[0].key : null,
  };
}

// Frames evenly spread over the time.
function ghostFrames() {
  const times = current().time;
  const end = times.length - 1;
  return Array.from({ length: GHOSTS }, (_, i) => nearestFrame(times, times[0] + ((times[end] - times[0]) * i) / (GHOSTS - 1)));
}

function showGhosts() {
  const other = ghosting.with === null ? [] : [{ case: ghosting.with, frame: nearestFrame(data.cases[ghosting.with].time, state.time) }];
  const own = ghosting.poses ? ghostFrames().map((frame) => ({ case: state.case, frame })) : [];
  stage.layers({ ghosts: other.length + own.length > 0 });
  stage.ghosts([...own, ...other]);
}

// Where nothing can be drawn, the stage says so.
function noteEmpty() {
  let note = byId("stage-note");
  const seen = borelliScene.visible(data, current());
  if (!note) note = html(byId("stage").parentElement, "p", { class: "fine", id: "stage-note" }, "There is no figure, because the trajectory of this case has no positions of bodies (columns body.*). See the plots.");
  note.hidden = seen;
  byId("stage").hidden = !seen;
  if (seen) stage.resize();
}

// What is under the pointer, in words below the stage.
function showPicked(info) {
  const line = byId("pointer");
  if (!line) return;
  line.textContent = info ? info.label + (info.text ? ", " + info.text : "") : "";
}

function startStage(plainOnly) {
  const holder = byId("stage");
  holder.replaceChildren();
  holder.setAttribute("tabindex", "0");
  holder.setAttribute("role", "group");
  holder.setAttribute("aria-label", "The moving figure");
  mountStage(plainOnly);
  Object.assign(layersAtFirst, firstLook());
  ghosting.poses = layersAtFirst.ghosts;
  stage.setCase(state.case);
  stage.follow(following);
  stage.layers(layersAtFirst);
  const frameCase = () => borelliScene.smallPart(data, current()) && stage.fit(true);
  frameCase();
  showGhosts();
  stage.show(state.frame);
  noteEmpty();
  watchers.case.push(() => {
    stage.setCase(state.case);
    frameCase();
    showGhosts();
    noteEmpty();
  });
  watchers.frame.push(() => {
    if (ghosting.with !== null) showGhosts();
    stage.show(state.frame);
  });
  window.addEventListener("resize", () => stage.resize());
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => stage.scheme(scheme()));
}
