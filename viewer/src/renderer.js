// The renderer. Whether there is a graphics card is known only from a context, and whether edges are smoothed must be said before: so the first
// context is made for the slow case, which then pays once, and thrown away where there is a card.

import { WebGLRenderer } from "three";
import { isSoftware } from "./quality.js";

function contextOf(antialias) {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { antialias, alpha: false, stencil: false });
  if (!context) throw new Error("this browser has no WebGL 2");
  return { canvas, context };
}

function letGo(context) {
  const way = context.getExtension("WEBGL_lose_context");
  if (way) way.loseContext();
}

export function makeRenderer() {
  const start = performance.now();
  let made = contextOf(false);
  const software = isSoftware(made.context);
  if (!software) {
    letGo(made.context);
    made = contextOf(true);
  }
  const renderer = new WebGLRenderer({ ...made, antialias: !software, stencil: false });
  renderer.autoClear = false;
  // Counted over all passes of a picture.
  renderer.info.autoReset = false;
  renderer.debug.checkShaderErrors = false;
  return { renderer, software, contextMs: performance.now() - start };
}
