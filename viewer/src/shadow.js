// The shadow: all solids again, flattened along the sun onto the ground, in one opaque colour. Cheaper than a shadow map, and without its edges.

import { Matrix4, Mesh, MeshBasicMaterial } from "three";
import { colourOf } from "./instances.js";

export class Shadow {
  constructor(parent, view) {
    this.view = view;
    this.material = new MeshBasicMaterial({ depthTest: false, depthWrite: false });
    this.flatten = new Matrix4();
    this.meshes = view.model.coarse.map((geometry, b) => this.add(parent, geometry, b));
    // A body without solids throws the shadow of its surfaces.
    view.model.surfaces.forEach((geometry, i) => {
      const body = view.figure.surfaces[i].spot[0];
      if (!view.model.flesh[body]) this.meshes.push(this.add(parent, geometry, body));
    });
  }

  add(parent, geometry, body) {
    if (!geometry) return null;
    const mesh = new Mesh(geometry, this.material);
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.userData.body = body;
    mesh.renderOrder = 1;
    parent.add(mesh);
    return mesh;
  }

  dress(palette) {
    this.material.color.copy(colourOf(palette.shadow));
  }

  // x - s (n·x - h)/(n·s): along the sun s onto the plane n·x = h.
  onto(normal, height, sun) {
    const slope = normal[0] * sun[0] + normal[1] * sun[1] + normal[2] * sun[2];
    const row = (i) => [0, 1, 2].map((j) => (i === j ? 1 : 0) - (sun[i] * normal[j]) / slope).concat((sun[i] * height) / slope);
    this.flatten.set(...row(0), ...row(1), ...row(2), 0, 0, 0, 1);
  }

  // `above`: the ground is seen from its upper side; from below it is glass.
  show(above) {
    for (const mesh of this.meshes) {
      if (!mesh) continue;
      const node = this.view.nodes[mesh.userData.body];
      mesh.visible = above && node.visible;
      mesh.matrix.multiplyMatrices(this.flatten, node.matrix);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  dispose() {
    for (const mesh of this.meshes) if (mesh) mesh.removeFromParent();
    this.material.dispose();
  }
}
