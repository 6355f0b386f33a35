// How finely the picture is drawn. Renderers without a graphics card draw coarsely while something moves and finely at rest.

const SOFTWARE = /SwiftShader|llvmpipe|softpipe|Basic Render/i;
const SLOW = 50; // ms until the next frame
const PATIENCE = 10; // slow frames before a step down
const REST = 180; // ms without motion
const MOST = 4e6; // pixels of a picture at rest, without a card

// Pixels of the picture per pixel of the page: while moving, best first; and at rest, where there is no smoothing of edges but by size.
const CARD = [2, 1, 0.75];
const NO_CARD = { moving: [0.6, 0.45], rest: 1, still: 2 };

// The name of the renderer. Some browsers tell it at once, others only to those who ask twice.
function nameOf(gl) {
  const plain = String(gl.getParameter(gl.RENDERER));
  if (!/^WebKit WebGL$/.test(plain)) return plain;
  const more = gl.getExtension("WEBGL_debug_renderer_info");
  return more ? String(gl.getParameter(more.UNMASKED_RENDERER_WEBGL)) : plain;
}

export const isSoftware = (gl) => SOFTWARE.test(nameOf(gl));

export class Quality {
  // `rested()` is called when motion has ended.
  constructor(software, rested) {
    Object.assign(this, { software, rested, step: 0, slow: 0, moving: false, last: -Infinity, timer: 0, timing: false });
  }

  // Something has moved. The second of two close moves begins a motion.
  moved() {
    const now = performance.now();
    this.moving = now - this.last < REST;
    this.last = now;
    this.settle();
  }

  // Something has changed, by motion or not: at rest it is drawn once more.
  settle() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.moving = false;
      this.rested();
    }, REST);
  }

  // A frame has been handed over. A browser that cannot keep up is late with the next one.
  drawn() {
    if (!this.moving || this.timing) return;
    const start = performance.now();
    this.timing = true;
    requestAnimationFrame(() => {
      this.timing = false;
      this.judge(performance.now() - start);
    });
  }

  judge(late) {
    this.slow = late > SLOW ? this.slow + 1 : 0;
    const steps = this.software ? NO_CARD.moving : CARD;
    if (this.slow < PATIENCE || this.step === steps.length - 1) return;
    this.step += 1;
    this.slow = 0;
  }

  get ratio() {
    const device = globalThis.devicePixelRatio || 1;
    if (this.software) return this.moving ? NO_CARD.moving[this.step] : NO_CARD.rest;
    return Math.min(device, this.moving ? CARD[this.step] : CARD[0]);
  }

  // A picture of some css px to be looked at for a while: without smoothing of edges it is drawn larger and shrunk.
  still(width, height) {
    return this.software ? Math.max(NO_CARD.rest, Math.min(NO_CARD.still, Math.sqrt(MOST / (width * height)))) : this.ratio;
  }

  dispose() {
    clearTimeout(this.timer);
  }
}
