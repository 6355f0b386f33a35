// Lines of pull and rods without mass, as tubes of cylinders and balls. A line of pull is thicker and redder the stronger it pulls.

import { MeshLambertMaterial } from "three";
import { Instances, ballAt, laid } from "./instances.js";
import { forceText } from "./legend.js";
import { shared } from "./shared.js";

// Radii in heights of the figure.
const THIN = 0.0055;
const MORE = 0.004;
const ROD = 0.006;

// How strongly a path pulls at a frame, from -1 (pushes) to 1: its force over the largest of the run. This is the place for activations.
function strengthOf(one, path) {
  const index = one.tensions ? one.tensions[path] : null;
  if (index === null || index === undefined) return () => 0;
  const { values, low, high } = one.columns[index];
  const most = Math.max(Math.abs(low), Math.abs(high));
  return (frame) => (most > 0 && Number.isFinite(values[frame]) ? values[frame] / most : 0);
}

export class Paths {
  constructor(parent, forms, data, one) {
    Object.assign(this, { data, one, figure: shared().figureOf(data, one), drawn: [], frame: 0 });
    const { paths, rods } = this.figure;
    this.strengths = paths.map((_, i) => strengthOf(one, i));
    const count = paths.concat(rods).reduce((sum, path) => sum + path.points.length, 0);
    this.material = new MeshLambertMaterial();
    this.tubes = new Instances(parent, forms.rod, this.material, count);
    this.balls = new Instances(parent, forms.ball, this.material, count);
  }

  show(frame, layers, palette) {
    const H = this.figure.height;
    this.tubes.clear();
    this.balls.clear();
    this.drawn = [];
    this.frame = frame;
    if (layers.muscles) {
      this.figure.paths.forEach((path, index) => {
        const u = this.strengths[index](frame);
        this.tube(path, frame, H * (THIN + MORE * Math.min(1, Math.abs(u))), shared().muscleColour(u), { kind: "path", index });
      });
    }
    this.figure.rods.forEach((rod, index) => {
      if (!shared().letGo(this.data, this.one, "loop." + rod.name, frame)) this.tube(rod, frame, H * ROD, palette.soft, { kind: "rod", index });
    });
    this.tubes.done();
    this.balls.done();
  }

  tube(path, frame, radius, colour, info) {
    const places = path.points.map(([body, ...at]) => {
      const pose = shared().drawnPose(this.data, this.one, body, frame);
      return pose && shared().place(pose, at);
    });
    if (places.some((place) => !place)) return;
    places.forEach((place, i) => {
      this.balls.put(ballAt(place, radius), colour);
      if (i > 0) this.tubes.put(laid(places[i - 1], place, radius), colour);
    });
    this.drawn.push({ ...info, places });
  }

  // The force of a path now, in words.
  textOf(path) {
    const index = this.one.tensions ? this.one.tensions[path] : null;
    const newtons = index === null || index === undefined ? NaN : this.one.columns[index].values[this.frame];
    return Number.isFinite(newtons) ? forceText(newtons) : "";
  }

  dispose() {
    this.tubes.dispose();
    this.balls.dispose();
    this.material.dispose();
  }
}
