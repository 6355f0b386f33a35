// Everything of one case that stands in the scene, in groups that are drawn one after the other.

import { Group } from "three";
import { Arrows } from "./arrows.js";
import { FigureView } from "./figure.js";
import { Ground } from "./ground.js";
import { Joints } from "./joints.js";
import { sunOf } from "./light.js";
import { Markers } from "./markers.js";
import { Moments } from "./moments.js";
import { Paths } from "./paths.js";
import { Pressure } from "./pressure.js";
import { Shadow } from "./shadow.js";
import { shared } from "./shared.js";
import { Soft } from "./soft.js";
import { PressureTrail, Trace } from "./trail.js";

// Changes of height below this part of the figure's are not followed.
const LEVEL = 0.15;

export class Run {
  constructor(scene, forms, data, index, model, layers, follow) {
    const one = data.cases[index];
    Object.assign(this, { data, one, layers: { ...layers }, figure: model.figure, frames: one.time.length, near: false });
    this.groups = {};
    for (const name of ["floor", "carriers", "others", "pressure", "soft", "arrows"]) scene.add((this.groups[name] = new Group()));
    const { floor, carriers, others, pressure, soft, arrows } = this.groups;
    this.view = new FigureView(carriers, others, data, one, model);
    this.shadow = new Shadow(floor, this.view);
    this.arrows = new Arrows(arrows, forms, data, one);
    this.paths = new Paths(others, forms, data, one);
    this.markers = new Markers(others, forms, data, one);
    this.joints = new Joints(arrows, forms, data, one);
    this.moments = new Moments(arrows, forms, data, one);
    this.pressure = new Pressure(pressure, one);
    this.soft = new Soft(soft, one);
    this.trace = null;
    this.go(follow === null ? shared().followed(data, one, this.frames) : follow);
  }

  // What must be seen; about the place that is followed.
  box() {
    const box = shared().box(this.data, this.one, this.frames, { layers: this.layers, follow: this.following, near: this.near });
    if (!this.following) return box;
    // Going with every bob of a walk would shake the ground: the height is followed only where it changes much.
    const { dot } = shared().vector;
    const { up, height } = this.figure;
    const heights = shared().spread(this.frames, 60).map((k) => dot(up, shared().centre(this.data, this.one, k)));
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    this.level = high - low < LEVEL * height ? (low + high) / 2 : null;
    const more = this.level === null ? 0 : (high - low) / 2;
    return { ...box, low: box.low.map((x, i) => x - more * Math.abs(up[i])), high: box.high.map((x, i) => x + more * Math.abs(up[i])) };
  }

  // Whether the view goes with the mass centre.
  go(following) {
    this.following = following;
    this.boxOf = this.box();
    if (this.ground) this.ground.dispose();
    // The ground lies where the run is, also where the view goes with the figure.
    const whole = shared().box(this.data, this.one, this.frames, { arrows: false });
    this.ground = new Ground(this.groups.floor, this.data, this.one, whole, following ? this.boxOf : null);
    if (this.palette) this.ground.dress(this.palette);
    const { floor } = this.ground;
    if (floor) this.shadow.onto(floor.normal, shared().vector.dot(floor.normal, floor.on), sunOf(this.figure));
  }

  // Chooses what is seen; says whether the forces have changed, and with them what must be seen.
  dress(layers, scheme) {
    const palette = shared().palette(scheme);
    const forces = [layers.forces, layers.jointForces, layers.moments].join();
    const changed = this.chosen !== forces;
    if (changed) {
      this.chosen = forces;
      this.layers = { ...layers };
      this.boxOf = this.box();
      this.arrows.choose(layers);
      if (this.trail) this.trail.dispose();
      this.trail = new PressureTrail(this.groups.floor, this.arrows);
    }
    if (!this.trace || this.trace.body !== layers.trace) {
      if (this.trace) this.trace.line.dispose();
      this.trace = layers.trace === null ? null : { body: layers.trace, line: new Trace(this.groups.arrows, this.data, this.one, layers.trace) };
    }
    this.view.dress(layers, scheme);
    this.shadow.dress(palette);
    this.ground.dress(palette);
    this.trail.dress(palette);
    this.soft.dress(palette);
    if (this.trace) this.trace.line.dress(palette);
    Object.assign(this, { layers: { ...layers }, palette });
    return changed;
  }

  // The place that the view goes with at a frame.
  centre(frame) {
    if (!this.following) return [0, 0, 0];
    const { dot, plus, scaled } = shared().vector;
    const { up } = this.figure;
    const centre = shared().centre(this.data, this.one, frame);
    return this.level === null ? centre : plus(centre, scaled(up, this.level - dot(up, centre)));
  }

  show(frame) {
    this.frame = frame;
    this.view.show(frame);
    this.ground.show(this.view.nodes, this.centre(frame));
    this.arrows.show(frame, this.palette);
    this.paths.show(frame, this.layers, this.palette);
    this.joints.show(frame, this.layers, this.palette);
    this.moments.show(frame, this.layers, this.palette);
    this.pressure.show(frame, this.layers.pressure);
    this.soft.show(frame, this.layers.soft);
    if (this.trace) this.trace.line.show(frame);
  }

  // What depends on where the viewer stands.
  face(viewpoint) {
    this.above = this.ground.above(viewpoint.eye, viewpoint.flat ? viewpoint.axes.toward : null);
    this.ground.face(viewpoint.axes.toward);
    this.soft.face(viewpoint.pixels);
    this.shadow.show(this.above && this.ground.floor !== null);
    this.markers.show(this.frame, this.layers, this.palette, viewpoint.camera);
  }

  dispose() {
    for (const part of ["view", "ground", "shadow", "arrows", "paths", "markers", "joints", "moments", "pressure", "soft", "trail"]) this[part].dispose();
    if (this.trace) this.trace.line.dispose();
    for (const group of Object.values(this.groups)) group.removeFromParent();
  }
}
