// Time going on: the clock, the slider with marks of events, speed. All that moves goes through goTo.

const SPEEDS = [0.0001, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const speedText = (x) => (x === 1 ? "real time" : x < 1 ? "1/" + Math.round(1 / x) + " speed" : x + " × speed");

// One tick of the clock: time goes on by the real time passed, times the speed; the last sample at or before it is shown.
let lastTick = null;
function tick(now) {
  if (!state.playing) return;
  const times = current().time;
  const [start, end] = playedSpan();
  if (lastTick !== null) state.time += ((now - lastTick) / 1000) * state.speed;
  lastTick = now;
  if (state.time >= end) {
    if (state.loop && end > start) {
      state.time = start;
    } else {
      state.time = end;
      setPlaying(false);
    }
  }
  const frame = frameAt(times, state.time);
  if (frame !== state.frame) {
    state.frame = frame;
    tell("frame");
  }
  if (state.playing) requestAnimationFrame(tick);
}

function setPlaying(on) {
  if (!moves || current().time.length < 2) return;
  // From the start where the reader has not chosen an instant, or is at the end.
  const [start, end] = playedSpan();
  if (on && (state.opening || shownTime() < start || state.frame >= frameAt(current().time, end))) goToTime(start);
  state.playing = on;
  lastTick = null;
  byId("play").textContent = on ? "❚❚ Pause" : "▶ Play";
  if (on) requestAnimationFrame(tick);
  else rememberState();
}

function setSpeed(x) {
  state.speed = x;
  byId("speed").value = x;
}

const nextSpeed = (step) => setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(state.speed) + step))]);

// To the next event after, or the last before, the time shown.
function goToEvent(step) {
  const times = current().events.map((event) => nearestFrame(current().time, event.time));
  const found = step > 0 ? times.find((k) => k > state.frame) : times.reverse().find((k) => k < state.frame);
  if (found !== undefined) goTo(found);
}

// Real time where one can follow it, else slowed down or hurried so that the whole takes about six seconds.
function firstSpeed() {
  const [from, to] = playedSpan();
  const span = to - from;
  if (!(span > 0) || (span >= 2 && span <= 20)) return 1;
  const wanted = span / 6;
  return SPEEDS.reduce((best, x) => (Math.abs(Math.log(x / wanted)) < Math.abs(Math.log(best / wanted)) ? x : best), SPEEDS[0]);
}

function makeTransport(parent) {
  const bar = html(parent, "div", { class: "transport", id: "transport", role: "group", "aria-label": "Player" });
  const button = (id, text, label, keys, act) => {
    const made = html(bar, "button", { type: "button", id, "aria-label": label, title: label + " (" + keys + ")" }, text);
    made.addEventListener("click", act);
    return made;
  };
  const play = button("play", "▶ Play", "Play or pause", "space", () => setPlaying(!state.playing));
  play.className = "main";
  button("back", "|◀", "One sample back", "left arrow", () => goTo(state.frame - 1));
  button("on", "▶|", "One sample on", "right arrow", () => goTo(state.frame + 1));
  const slide = html(bar, "div", { class: "slide" });
  const marks = html(slide, "div", {});
  const slider = html(slide, "input", { type: "range", id: "scrub", min: 0, step: 1, value: 0, "aria-label": "Time" });
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  html(bar, "output", { id: "clock", for: "scrub" });
  const speed = html(bar, "select", { id: "speed", "aria-label": "Speed", title: "Speed ([ and ])" });
  SPEEDS.forEach((x) => html(speed, "option", { value: x }, speedText(x)));
  speed.addEventListener("change", () => setSpeed(Number(speed.value)));
  const loop = html(html(bar, "label", {}, ""), "input", { type: "checkbox", id: "loop" });
  loop.parentElement.append("loop");
  loop.checked = state.loop;
  loop.addEventListener("change", () => (state.loop = loop.checked));
  const newCase = () => {
    slider.max = Math.max(0, current().time.length - 1);
    bar.hidden = current().time.length < 2;
    // Steps of a load have an order and no speed.
    [speed, loop.parentElement].forEach((own) => (own.hidden = borelliScene.soft.loaded(current())));
    markEvents(marks);
  };
  watchers.case.push(newCase);
  watchers.frame.push(() => showTime(slider));
  newCase();
  setSpeed(firstSpeed());
}

function showTime(slider) {
  const [one, t] = [current(), shownTime()];
  slider.value = state.frame;
  slider.setAttribute("aria-valuetext", borelliScene.instantText(one, t));
  byId("clock").textContent = borelliScene.clockText(one, t);
}

// Events nearer to each other than this part of the slider share a mark.
const MARK_PART = 0.012;

// Events above the slider; a click goes there.
function markEvents(parent) {
  parent.replaceChildren();
  const times = current().time;
  const most = Math.max(1, times.length - 1);
  const marks = [];
  for (const event of current().events) {
    const frame = nearestFrame(times, event.time);
    const last = marks[marks.length - 1];
    if (last && frame - last.frame < MARK_PART * most) last.events.push(event);
    else marks.push({ frame, events: [event] });
  }
  for (const { frame, events } of marks) {
    // The knob of a slider runs from half its width to half its width before the end.
    const left = "calc(8px + " + ((100 * frame) / most).toFixed(3) + "% - " + ((16 * frame) / most).toFixed(2) + "px)";
    const [first, last] = [events[0], events[events.length - 1]].map((event) => borelliScene.instantText(current(), event.time));
    const words = events.length === 1 ? events[0].label + ", " + first : events.length + " events from " + first + " to " + last;
    const mark = html(parent, "button", { type: "button", class: "mark", style: "left:" + left, title: words, "aria-label": "Go to " + words });
    mark.addEventListener("click", () => goTo(frame));
  }
}
