// Pointer and wheel on the stage. A drag turns the view, or moves a planar figure; with Shift or the right button it moves. Two fingers zoom.
// The wheel zooms only with Ctrl or after a click into the stage: else it scrolls the page.

const TURN = 0.008; // rad per px
const CLICK = 4; // px

export class Controls {
  // `viewpoint()` is what is moved; `moved()` is called after each change, `hover(x, y)` for a pointer that presses nothing.
  constructor(element, viewpoint, { moved, hover, leave, click }) {
    Object.assign(this, { element, viewpoint, moved, hover, leave, click, pointers: new Map(), engaged: false, listening: [] });
    // Fingers still scroll the page up and down.
    element.style.touchAction = "pan-y";
    this.on("pointerdown", (event) => this.down(event));
    this.on("pointermove", (event) => this.move(event));
    this.on("pointerup", (event) => this.up(event));
    this.on("pointercancel", (event) => this.up(event));
    this.on("pointerleave", () => {
      this.engaged = false;
      this.leave();
    });
    this.on("contextmenu", (event) => event.preventDefault());
    this.on("wheel", (event) => this.wheel(event), { passive: false });
  }

  on(name, act, options) {
    this.element.addEventListener(name, act, options);
    this.listening.push(() => this.element.removeEventListener(name, act, options));
  }

  at(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.at(event));
    this.start = this.at(event);
    this.dragged = false;
  }

  move(event) {
    const [x, y] = this.at(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.hover(x, y);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    this.pointers.set(event.pointerId, [x, y]);
    if (Math.hypot(x - this.start[0], y - this.start[1]) > CLICK) this.dragged = true;
    if (!this.dragged) return undefined;
    const [dx, dy] = [x - before[0], y - before[1]];
    const view = this.viewpoint();
    if (others.length) {
      const [other] = others;
      const apart = (place) => Math.max(1, Math.hypot(place[0] - other[0], place[1] - other[1]));
      view.zoom(apart([x, y]) / apart(before), (x + other[0]) / 2, (y + other[1]) / 2);
      view.slide(-dx / (2 * view.pixels), dy / (2 * view.pixels));
    } else if (view.flat || event.shiftKey || event.buttons & 2) view.slide(-dx / view.pixels, dy / view.pixels);
    else view.turn(-dx * TURN, dy * TURN);
    return this.moved();
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.dragged || event.type === "pointercancel") return;
    this.engaged = true;
    this.click(...this.at(event));
  }

  wheel(event) {
    if (!event.ctrlKey && !this.engaged) return;
    event.preventDefault();
    // Wheels that count lines or pages turn by about as much as those that count pixels.
    const step = event.deltaY * [1, 16, 400][event.deltaMode];
    this.viewpoint().zoom(Math.exp(-0.0015 * Math.max(-400, Math.min(400, step))), ...this.at(event));
    this.moved();
  }

  dispose() {
    for (const stop of this.listening) stop();
  }
}
