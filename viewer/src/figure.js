// The figure at the present frame: flesh, bones, surfaces of contact and what lines of pull bend around, of every body, moved by one matrix per body.

import { Group, Mesh, MeshLambertMaterial, Vector3 } from "three";
import { colourOf } from "./instances.js";
import { fillPose } from "./model.js";
import { shared } from "./shared.js";

// How much of flesh and surfaces is seen when something inside or behind them matters.
const FLESH_OVER_MUSCLES = 0.3;
const FLESH_OVER_SURFACES = 0.5;
const WRAP = 0.22;
const SURFACE_OVER_PRESSURE = 0.38;
const SURFACE_FREE = 0.5;
const SURFACE_TOUCHING = 0.85;

const matte = (opacity) => new MeshLambertMaterial({ transparent: opacity < 1, opacity, depthWrite: opacity === 1 });

export class FigureView {
  // `carriers` holds bodies with surfaces of contact, `others` the rest: pressure is drawn between them.
  constructor(carriers, others, data, one, model) {
    Object.assign(this, { data, one, model, figure: model.figure, materials: new Map() });
    const bounded = this.figure.surfaces.filter((surface, i) => model.surfaces[i]);
    this.nodes = this.figure.bodies.map((body, b) => {
      const node = new Group();
      node.matrixAutoUpdate = false;
      node.userData.touchable = bounded.some((surface) => surface.spot[0] === b);
      (node.userData.touchable ? carriers : others).add(node);
      return node;
    });
    const add = (geometry, b, order) => {
      if (!geometry) return null;
      const mesh = new Mesh(geometry);
      mesh.matrixAutoUpdate = false;
      mesh.renderOrder = order;
      this.nodes[b].add(mesh);
      return mesh;
    };
    this.flesh = model.flesh.map((geometry, b) => add(geometry, b, 1));
    this.bones = model.bones.map((geometry, b) => add(geometry, b, 0));
    this.wraps = model.wraps.map((geometry, i) => add(geometry, this.figure.wraps[i].body, 3));
    this.surfaces = model.surfaces.map((geometry, i) => add(geometry, this.figure.surfaces[i].spot[0], 2));
  }

  // Whether a body is nothing but its surface of contact: then only one of the two is drawn.
  same(b) {
    const solids = this.figure.bodies[b].solids;
    const bounded = this.figure.surfaces.filter((surface, i) => surface.spot[0] === b && this.surfaces[i]);
    if (solids.length !== 1 || solids[0].kind !== "ellipsoid" || bounded.length !== 1) return false;
    return Math.hypot(...solids[0].at.map((x, i) => x - bounded[0].spot[i + 1])) < 1e-6 * this.figure.height;
  }

  // One material for each colour and strength.
  material(colour, opacity) {
    const key = colour + opacity;
    if (!this.materials.has(key)) {
      const material = matte(opacity);
      material.color.copy(colourOf(colour));
      this.materials.set(key, material);
    }
    return this.materials.get(key);
  }

  // Which parts are seen, and how strongly.
  dress(layers, scheme) {
    const palette = shared().palette(scheme);
    this.look = { layers, palette, scheme };
    // Muscles lie in flesh, springs and cords beside it.
    const inside = layers.muscles && shared().muscular(this.figure);
    this.flesh.forEach((mesh, b) => {
      if (!mesh) return;
      const own = layers.contacts && this.nodes[b].userData.touchable;
      mesh.visible = !(layers.contacts && this.same(b));
      const opacity = inside ? FLESH_OVER_MUSCLES : own ? FLESH_OVER_SURFACES : 1;
      mesh.material = this.material(shared().bodyColour(this.data, this.figure, b, scheme), opacity);
    });
    this.bones.forEach((mesh) => {
      if (!mesh) return;
      mesh.visible = inside;
      mesh.material = this.material(palette.bone, 1);
    });
    this.wraps.forEach((mesh) => {
      if (!mesh) return;
      mesh.visible = layers.muscles;
      mesh.material = this.material(palette.soft, WRAP);
    });
  }

  show(frame) {
    this.nodes.forEach((node, b) => {
      node.visible = fillPose(node.matrix, this.data, this.one, b, frame);
      node.matrixWorldNeedsUpdate = true;
    });
    const { layers, palette } = this.look;
    this.surfaces.forEach((mesh, i) => {
      if (!mesh) return;
      const body = this.figure.surfaces[i].spot[0];
      // A body without solids is its surfaces.
      mesh.visible = layers.contacts || !this.flesh[body];
      const touching = shared().touches(this.data, this.one, i, frame);
      // A surface over a pressure map is thin, so that it does not hide the map.
      const mapped = layers.pressure && this.one.pressure.length > 0;
      const opacity = mapped ? SURFACE_OVER_PRESSURE : touching ? SURFACE_TOUCHING : SURFACE_FREE;
      if (layers.contacts) mesh.material = this.material(touching ? palette.touching : palette.free, opacity);
      else mesh.material = this.material(shared().bodyColour(this.data, this.figure, body, this.look.scheme), 1);
    });
  }

  // A place of a body as it is drawn; null where its pose is not known.
  drawnAt(body, at) {
    const node = this.nodes[body];
    return node.visible ? new Vector3(...at).applyMatrix4(node.matrix).toArray() : null;
  }

  // The same as the model has it: without the offset of sides out of the plane.
  placeOf(body, at) {
    const place = this.drawnAt(body, at);
    if (place && body > 0) place[2] -= this.figure.bodies[body].depth;
    return place;
  }

  dispose() {
    for (const node of this.nodes) node.removeFromParent();
    for (const material of this.materials.values()) material.dispose();
  }
}
