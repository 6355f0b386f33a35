// Light: a sky, a sun that stands still, and a lamp at the viewer's upper left, so that no view is flat.

import { DirectionalLight, HemisphereLight } from "three";
import { shared } from "./shared.js";

// Where the sun stands: forward, up, right.
const SUN = [-0.16, 1, 0.3];

export function sunOf({ forward, up, right }) {
  const { plus, scaled, unitOf } = shared().vector;
  return unitOf(plus(plus(scaled(forward, SUN[0]), scaled(up, SUN[1])), scaled(right, SUN[2])));
}

export class Lights {
  constructor(scene) {
    this.sky = new HemisphereLight("#FFFFFF", "#B9C3CE", 1.55);
    this.sun = new DirectionalLight("#FFFFFF", 1.3);
    this.lamp = new DirectionalLight("#FFFFFF", 0.95);
    this.all = [this.sky, this.sun, this.lamp];
    scene.add(...this.all);
  }

  stand(figure) {
    this.sky.position.set(...figure.up);
    this.sun.position.set(...sunOf(figure));
  }

  // The lamp goes with the viewer.
  follow({ right, up, toward }) {
    this.lamp.position.set(...[0, 1, 2].map((i) => toward[i] + 0.6 * up[i] - 0.5 * right[i]));
  }

  dispose() {
    for (const light of this.all) light.dispose();
  }
}
