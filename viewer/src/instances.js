// Many copies of one small form in one call: shafts and heads of arrows, pieces of tubes, balls, rings. Filled anew at every frame, never made anew.

import { Color, ConeGeometry, CylinderGeometry, InstancedMesh, Matrix4, SphereGeometry, TorusGeometry } from "three";

// Along Y from 0 to 1, radius 1; balls and rings about the origin.
export const forms = () => ({
  rod: new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0),
  head: new ConeGeometry(1, 1, 16).translate(0, 0.5, 0),
  ball: new SphereGeometry(1, 14, 10),
  ring: new TorusGeometry(1, 0.22, 6, 20),
});

const known = new Map();

// A colour as three.js has it, made once.
export function colourOf(hex) {
  if (!known.has(hex)) known.set(hex, new Color(hex));
  return known.get(hex);
}

// The matrix that lays the Y axis of a form on the line between two places; null where they are one.
const scratch = new Matrix4();
export function laid(from, to, radius) {
  const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = Math.hypot(x, y, z);
  if (!(length > 0)) return null;
  // Any direction across the line will do: forms are round.
  const u = Math.abs(y) < 0.9 * length ? [z, 0, -x] : [0, z, -y];
  const k = radius / Math.hypot(...u);
  const [ux, uy, uz] = [u[0] * k, u[1] * k, u[2] * k];
  const [wx, wy, wz] = [(uy * z - uz * y) / length, (uz * x - ux * z) / length, (ux * y - uy * x) / length];
  return scratch.set(ux, x, wx, from[0], uy, y, wy, from[1], uz, z, wz, from[2], 0, 0, 0, 1);
}

// A form of one size at a place.
export const ballAt = (at, radius) => scratch.set(radius, 0, 0, at[0], 0, radius, 0, at[1], 0, 0, radius, at[2], 0, 0, 0, 1);

export class Instances {
  constructor(parent, form, material, most) {
    this.mesh = new InstancedMesh(form, material, Math.max(1, most));
    this.mesh.frustumCulled = false;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.setColorAt(0, colourOf("#FFFFFF"));
    this.clear();
    parent.add(this.mesh);
  }

  clear() {
    this.mesh.count = 0;
  }

  put(matrix, colour) {
    if (!matrix) return;
    this.mesh.setMatrixAt(this.mesh.count, matrix);
    this.mesh.setColorAt(this.mesh.count, colourOf(colour));
    this.mesh.count += 1;
  }

  done() {
    this.mesh.visible = this.mesh.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor.needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.dispose();
  }
}
