// Mass centres and joints, by switch: small balls over everything, because they lie inside of bodies.

import { MeshBasicMaterial } from "three";
import { Instances, ballAt } from "./instances.js";
import { shared } from "./shared.js";

const RADIUS = 0.006; // heights of the figure

export class Joints {
  constructor(parent, forms, data, one) {
    Object.assign(this, { data, one, figure: shared().figureOf(data, one), drawn: [] });
    this.material = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });
    this.balls = new Instances(parent, forms.ball, this.material, 2 * (this.figure.joints.length + this.figure.bodies.length));
  }

  show(frame, layers, palette) {
    const { data, one, figure } = this;
    const size = RADIUS * figure.height;
    this.balls.clear();
    this.drawn = [];
    const dot = (at, colour, radius) => {
      this.balls.put(ballAt(at, 1.45 * radius), palette.stage);
      this.balls.put(ballAt(at, radius), colour);
    };
    const drawn = ([body, ...at]) => {
      const pose = shared().drawnPose(data, one, body, frame);
      return pose && shared().place(pose, at);
    };
    if (layers.centers) {
      figure.joints.forEach((joint, index) => {
        const at = !shared().floats(joint) && drawn(joint.child);
        if (!at) return;
        dot(at, palette.soft, size);
        this.drawn.push({ index, at });
      });
      figure.bodies.forEach((body, b) => {
        const at = b > 0 && body.mass > 0 && drawn([b, ...body.center]);
        if (at) dot(at, palette.text, size);
      });
      dot(shared().centre(data, one, frame), palette.accent, 1.5 * size);
    }
    this.balls.done();
  }

  dispose() {
    this.balls.dispose();
    this.material.dispose();
  }
}
