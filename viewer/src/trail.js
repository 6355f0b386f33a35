// Ways over time: where ground forces act (points on the floor) and where the mass centre of a body goes (a line).

import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, Points, PointsMaterial } from "three";
import { colourOf } from "./instances.js";
import { shared } from "./shared.js";

const POINT = 3; // px
// Forces below this part of the largest tell no place worth a point.
const LEAST = 0.02;

const geometryOf = (places) => new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(places.flat()), 3));

// Points where the forces of a list act over the whole run.
export class PressureTrail {
  constructor(parent, arrows) {
    const { finite, norm } = shared().vector;
    const frames = arrows.one.time.length;
    const sized = arrows.list.filter((force) => force.moves).map((force) => {
      const sizes = Array.from({ length: frames }, (_, k) => norm(force.of(k)));
      return { force, sizes };
    });
    const most = sized.reduce((largest, { sizes }) => sizes.reduce((a, b) => (b > a ? b : a), largest), 0);
    const places = [];
    for (const { force, sizes } of sized) {
      for (let k = 0; k < frames; k++) {
        const at = sizes[k] > LEAST * most && force.at(k);
        if (at && finite(at)) places.push(at);
      }
    }
    this.material = new PointsMaterial({ size: POINT, sizeAttenuation: false, depthWrite: false });
    this.points = new Points(geometryOf(places), this.material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 4;
    this.points.visible = places.length > 0;
    parent.add(this.points);
  }

  dress(palette) {
    this.material.color.copy(colourOf(palette.ground));
  }

  // Pixels of the picture per pixel of the page.
  set ratio(ratio) {
    this.material.size = Math.max(1.5, POINT * ratio);
  }

  dispose() {
    this.points.removeFromParent();
    this.points.geometry.dispose();
    this.material.dispose();
  }
}

// The way of a body's mass centre, or of the common one for body 0: faint over the whole run, strong up to now.
export class Trace {
  constructor(parent, data, one, body) {
    const figure = shared().figureOf(data, one);
    const at = (k) => (body === 0 ? shared().centre(data, one, k) : shared().spot(data, one, [body, ...figure.bodies[body].center], k));
    const frames = Array.from({ length: one.time.length }, (_, k) => k);
    const places = frames.map(at);
    // Where a pose is missing the line goes on from the last known place.
    places.forEach((place, k) => (places[k] = place || places[k - 1] || places.find(Boolean) || [0, 0, 0]));
    this.materials = [0.35, 1].map((opacity) => new LineBasicMaterial({ transparent: true, opacity, depthTest: false }));
    this.lines = this.materials.map((material) => new Line(geometryOf(places), material));
    for (const line of this.lines) {
      line.frustumCulled = false;
      parent.add(line);
    }
  }

  dress(palette) {
    for (const material of this.materials) material.color.copy(colourOf(palette.accent));
  }

  show(frame) {
    this.lines[1].geometry.setDrawRange(0, frame + 1);
  }

  dispose() {
    for (const line of this.lines) {
      line.removeFromParent();
      line.geometry.dispose();
    }
    for (const material of this.materials) material.dispose();
  }
}
