// Lines of pull and rods without mass, as tubes of cylinders and balls. Where a line lies and what its colour and width tell is known to `borelliScene.pull`.

import { MeshLambertMaterial } from "three";
import { Instances, ballAt, laid } from "./instances.js";
import { shared } from "./shared.js";

const ROD = 0.006; // radius in heights of the figure

export class Paths {
  constructor(parent, forms, data, one) {
    Object.assign(this, { data, one, figure: shared().figureOf(data, one), drawn: [], frame: 0 });
    const { paths, rods } = this.figure;
    const bent = paths.reduce((sum, _, i) => sum + shared().pull.count(data, one, i), 0);
    const count = rods.reduce((sum, rod) => sum + rod.points.length, bent);
    this.material = new MeshLambertMaterial();
    this.tubes = new Instances(parent, forms.rod, this.material, count);
    this.balls = new Instances(parent, forms.ball, this.material, count);
  }

  show(frame, layers, palette) {
    const H = shared().signHeight(this.data, this.one);
    this.tubes.clear();
    this.balls.clear();
    this.drawn = [];
    this.frame = frame;
    if (layers.muscles) {
      const { pull } = shared();
      this.figure.paths.forEach((_, index) => {
        const tone = pull.tone(this.one, index, frame);
        this.tube(pull.places(this.data, this.one, index, frame), H * pull.radius(tone), pull.colour(tone), { kind: "path", index });
      });
    }
    this.figure.rods.forEach((rod, index) => {
      if (!shared().letGo(this.data, this.one, "loop." + rod.name, frame)) this.tube(this.ends(rod, frame), H * ROD, palette.soft, { kind: "rod", index });
    });
    this.tubes.done();
    this.balls.done();
  }

  // Ends of a rod; null where the samples do not tell.
  ends(rod, frame) {
    const places = rod.points.map(([body, ...at]) => {
      const pose = shared().drawnPose(this.data, this.one, body, frame);
      return pose && shared().place(pose, at);
    });
    return places.includes(null) ? null : places;
  }

  tube(places, radius, colour, info) {
    if (!places) return;
    places.forEach((place, i) => {
      this.balls.put(ballAt(place, radius), colour);
      // Points of what is not touched lie on each other.
      if (i > 0 && shared().vector.norm(shared().vector.minus(place, places[i - 1])) > 0) this.tubes.put(laid(places[i - 1], place, radius), colour);
    });
    this.drawn.push({ ...info, places, colour });
  }

  // What a path does now, in words.
  textOf(path) {
    return shared().pull.text(this.one, path, this.frame);
  }

  dispose() {
    this.tubes.dispose();
    this.balls.dispose();
    this.material.dispose();
  }
}
