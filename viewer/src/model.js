// Geometries of one figure, made once and used by the figure itself, and coarser ones by its shadow and its ghosts.

import { shared } from "./shared.js";
import { COARSE, FINE, FINEST, bodyShell, boneShell } from "./solids.js";
import { surfaceShell } from "./surfaces.js";

const FEW = 8;

export class Model {
  constructor(figure) {
    const [detail, coarse] = figure.bodies.length - 1 <= FEW ? [FINEST, FINE] : [FINE, COARSE];
    const geometry = (shell) => (shell ? shell.geometry() : null);
    this.figure = figure;
    this.flesh = figure.bodies.map((body) => geometry(bodyShell(body, figure.meshes, detail)));
    this.coarse = figure.bodies.map((body) => geometry(bodyShell(body, figure.meshes, coarse)));
    this.bones = figure.bodies.map((body) => geometry(boneShell(body, figure.height)));
    this.wraps = (figure.wraps || []).map((wrap) => geometry(bodyShell(wrap, figure.meshes, coarse)));
    this.surfaces = figure.surfaces.map((surface) => geometry(surfaceShell(surface, figure.height)));
  }

  dispose() {
    for (const geometry of [...this.flesh, ...this.coarse, ...this.bones, ...this.wraps, ...this.surfaces]) if (geometry) geometry.dispose();
  }
}

// The pose of a body as drawn, as a matrix; false where the samples do not tell.
export function fillPose(matrix, data, one, body, frame) {
  const found = shared().drawnPose(data, one, body, frame);
  if (!found) return false;
  const { p, R } = found;
  matrix.set(R[0], R[1], R[2], p[0], R[3], R[4], R[5], p[1], R[6], R[7], R[8], p[2], 0, 0, 0, 1);
  return true;
}
