// Ghosts: poses of other times or of other runs, pale and opaque, behind the figure. Transparent ones would show every overlap.

import { InstancedMesh, Matrix4, MeshLambertMaterial } from "three";
import { colourOf } from "./instances.js";
import { fillPose } from "./model.js";
import { shared } from "./shared.js";

const NOWHERE = new Matrix4().makeScale(0, 0, 0);
// Of the light that reaches a ghost this part is even, so that shading does not make it dark.
const EVEN = 0.6;

export class Ghosts {
  // `modelOf(figure)` gives the geometries of a figure by its index.
  constructor(parent, data, modelOf) {
    Object.assign(this, { parent, data, modelOf, meshes: [], materials: new Map() });
  }

  // The list of {case, frame}; the same again costs nothing.
  set(list, scheme) {
    const key = scheme + list.map((ghost) => ghost.case + ":" + ghost.frame).join();
    if (key === this.key) return;
    this.clear();
    this.key = key;
    const figures = new Set(list.map((ghost) => this.data.cases[ghost.case].figure));
    for (const figure of figures) this.fill(figure, list.filter((ghost) => this.data.cases[ghost.case].figure === figure), scheme);
  }

  fill(index, list, scheme) {
    const figure = this.data.figures[index];
    const model = this.modelOf(index);
    const matrix = new Matrix4();
    const add = (geometry, b) => {
      if (!geometry) return;
      const mesh = new InstancedMesh(geometry, this.material(shared().bodyColour(this.data, figure, b, scheme), scheme), list.length);
      list.forEach((ghost, i) => mesh.setMatrixAt(i, fillPose(matrix, this.data, ghost.case, b, ghost.frame) ? matrix : NOWHERE));
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      this.parent.add(mesh);
      this.meshes.push(mesh);
    };
    model.coarse.forEach(add);
    model.surfaces.forEach((geometry, i) => {
      const body = figure.surfaces[i].spot[0];
      if (body > 0 && !model.flesh[body]) add(geometry, body);
    });
  }

  material(colour, scheme) {
    const key = colour + scheme;
    if (!this.materials.has(key)) {
      const pale = colourOf(shared().ghostColour(colour, scheme));
      const material = new MeshLambertMaterial();
      material.color.copy(pale).multiplyScalar(1 - EVEN);
      material.emissive.copy(pale).multiplyScalar(EVEN);
      this.materials.set(key, material);
    }
    return this.materials.get(key);
  }

  get any() {
    return this.meshes.length > 0;
  }

  clear() {
    for (const mesh of this.meshes) {
      mesh.removeFromParent();
      mesh.dispose();
    }
    this.meshes = [];
    this.key = "";
  }

  dispose() {
    this.clear();
    for (const material of this.materials.values()) material.dispose();
  }
}
