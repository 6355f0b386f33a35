// Moments in joints, by switch: arcs over everything, because joints lie inside of bodies.

import { MeshLambertMaterial } from "three";
import { Instances, laid } from "./instances.js";
import { shared } from "./shared.js";

// Steps of an arc that its head takes, and radii of the shaft: of the arc, of the head.
const [HEAD, THIN, WIDE] = [4, 0.75, 2.1];

export class Moments {
  constructor(parent, forms, data, one) {
    const { list, scale, STEPS } = shared().moment;
    Object.assign(this, { data, one, drawn: [], list: list(data, one) });
    this.figure = shared().figureOf(data, one);
    this.scale = scale(data, one, shared().signHeight(data, one));
    this.shaft = 0.0065 * shared().signHeight(data, one);
    this.material = new MeshLambertMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity: 0.85 });
    this.rods = new Instances(parent, forms.rod, this.material, STEPS * this.list.length);
    this.heads = new Instances(parent, forms.head, this.material, this.list.length);
    for (const { mesh } of [this.rods, this.heads]) mesh.renderOrder = 2;
  }

  show(frame, layers, palette) {
    this.rods.clear();
    this.heads.clear();
    this.drawn = [];
    for (const own of layers.moments ? this.list : []) {
      const arc = shared().moment.arc(this.data, this.one, this.scale, own, frame);
      if (!arc) continue;
      const { places } = arc;
      const neck = places.length - 1 - HEAD;
      for (let i = 0; i < neck; i++) this.rods.put(laid(places[i], places[i + 1], THIN * this.shaft), palette.moment);
      this.heads.put(laid(places[neck], places[places.length - 1], WIDE * this.shaft), palette.moment);
      this.drawn.push({ label: own.label, text: shared().moment.words(arc.newtonMetres), places });
    }
    this.rods.done();
    this.heads.done();
  }

  dispose() {
    this.rods.dispose();
    this.heads.dispose();
    this.material.dispose();
  }
}
