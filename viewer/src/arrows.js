// Arrows of forces: solid, as long as the shared scale says, with a second head and their number where they are cut; seen faintly through what hides them.

import { MeshLambertMaterial } from "three";
import { Instances, laid } from "./instances.js";
import { shared } from "./shared.js";

// Head of an arrow in radii of its shaft: radius and length.
const HEAD = [2.4, 6];

export class Arrows {
  constructor(parent, forms, data, one) {
    Object.assign(this, { parent, forms, data, one, list: [], drawn: [], pools: [] });
    this.figure = shared().figureOf(data, one);
    this.all = shared().forces(data, one);
    this.solid = new MeshLambertMaterial();
    this.through = new MeshLambertMaterial({ transparent: true, opacity: 0.55, depthTest: false, depthWrite: false });
  }

  // Those that the layers show, with the scale of their lengths.
  choose(layers) {
    this.clear();
    this.list = shared().shownForces(this.all, layers);
    this.scale = shared().forceScale(this.list, shared().signHeight(this.data, this.one), this.one.time.length);
    if (!(this.scale.metresPerNewton > 0)) this.list = [];
    const make = (form, most) => {
      const solid = new Instances(this.parent, form, this.solid, most);
      // The same copies again, over everything.
      const through = new Instances(this.parent, form, this.through, most);
      through.mesh.instanceMatrix = solid.mesh.instanceMatrix;
      through.mesh.instanceColor = solid.mesh.instanceColor;
      through.mesh.renderOrder = 1;
      this.pools.push(solid, through);
      return { solid, through };
    };
    this.shafts = make(this.forms.rod, this.list.length);
    this.heads = make(this.forms.head, 2 * this.list.length);
  }

  colour(force, palette) {
    return force.kind === "joint" ? palette.joint : palette.ground;
  }

  show(frame, palette) {
    const { shaft } = this.scale;
    const [shafts, heads] = [this.shafts.solid, this.heads.solid];
    shafts.clear();
    heads.clear();
    this.drawn = [];
    for (const force of this.list) {
      const arrow = shared().arrow(this.scale, force, frame);
      if (!arrow) continue;
      const depth = this.figure.bodies[force.body].depth || 0;
      const at = (part) => [0, 1, 2].map((i) => arrow.from[i] + (arrow.to[i] - arrow.from[i]) * part + (i === 2 ? depth : 0));
      const head = Math.min(HEAD[1] * shaft, 0.6 * arrow.length) / arrow.length;
      const colour = this.colour(force, palette);
      shafts.put(laid(at(0), at(1 - head), shaft), colour);
      heads.put(laid(at(1 - head), at(1), HEAD[0] * shaft), colour);
      if (arrow.cut) heads.put(laid(at(1 - 2.5 * head), at(1 - 1.5 * head), HEAD[0] * shaft), colour);
      this.drawn.push({ force, cut: arrow.cut, newtons: arrow.newtons, of: force.of(frame), from: at(0), to: at(1) });
    }
    for (const { solid, through } of [this.shafts, this.heads]) {
      through.mesh.count = solid.mesh.count;
      through.mesh.visible = solid.mesh.count > 0;
      solid.done();
    }
  }

  clear() {
    for (const pool of this.pools) pool.dispose();
    this.pools = [];
  }

  dispose() {
    this.clear();
    this.solid.dispose();
    this.through.dispose();
  }
}
