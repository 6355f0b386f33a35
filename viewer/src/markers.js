// Markers: measured ones as balls, fitted ones (fixed to their bodies) as rings that face the viewer, and the line between the two.

import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Matrix4, MeshBasicMaterial, MeshLambertMaterial, Vector3 } from "three";
import { Instances, ballAt, colourOf } from "./instances.js";
import { shared } from "./shared.js";

const RADIUS = 0.006; // heights of the figure
const RING = 1.8; // radii of the balls

export class Markers {
  constructor(parent, forms, data, one) {
    Object.assign(this, { data, one, figure: shared().figureOf(data, one), drawn: [] });
    const count = this.figure.markers.length;
    this.materials = { ball: new MeshLambertMaterial(), ring: new MeshBasicMaterial(), line: new LineBasicMaterial() };
    this.balls = new Instances(parent, forms.ball, this.materials.ball, count);
    this.rings = new Instances(parent, forms.ring, this.materials.ring, count);
    this.ends = new Float32Array(6 * Math.max(1, count));
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(this.ends, 3));
    this.lines = new LineSegments(geometry, this.materials.line);
    this.lines.frustumCulled = false;
    parent.add(this.lines);
    this.facing = new Matrix4();
    this.size = new Vector3();
  }

  place(frame, index) {
    const { finite } = shared().vector;
    const of = this.one.markers && this.one.markers[index];
    const columns = of && of.measured;
    const measured = columns && columns.map((column) => (column === null ? 0 : this.one.columns[column].values[frame]));
    return { measured: measured && finite(measured) ? measured : null, fitted: shared().spot(this.data, this.one, this.figure.markers[index].at, frame) };
  }

  // `camera` is what the rings face.
  show(frame, layers, palette, camera) {
    this.balls.clear();
    this.rings.clear();
    this.drawn = [];
    let ends = 0;
    const size = RADIUS * this.figure.height;
    for (let i = 0; layers.markers && i < this.figure.markers.length; i++) {
      const { measured, fitted } = this.place(frame, i);
      if (measured) this.balls.put(ballAt(measured, size), palette.text);
      if (fitted) {
        this.facing.makeRotationFromQuaternion(camera.quaternion).scale(this.size.setScalar(RING * size)).setPosition(...fitted);
        this.rings.put(this.facing, palette.fitted);
      }
      if (measured && fitted) this.ends.set([...measured, ...fitted], 6 * ends++);
      this.drawn.push({ index: i, measured, fitted });
    }
    this.balls.done();
    this.rings.done();
    this.materials.line.color.copy(colourOf(palette.fitted));
    this.lines.geometry.setDrawRange(0, 2 * ends);
    this.lines.geometry.getAttribute("position").needsUpdate = true;
    this.lines.visible = ends > 0;
  }

  dispose() {
    this.balls.dispose();
    this.rings.dispose();
    this.lines.removeFromParent();
    this.lines.geometry.dispose();
    for (const material of Object.values(this.materials)) material.dispose();
  }
}
