// Soft parts: triangles whose corners move at every frame, coloured by one number per node through a texture of all colours, so that the colour
// between nodes is that of the value between them. Drawn over the figure, inside which they would be hidden.

import { BufferAttribute, BufferGeometry, DataTexture, DoubleSide, LineBasicMaterial, LineSegments, LinearFilter, Mesh, MeshBasicMaterial, SRGBColorSpace } from "three";
import { colourOf } from "./instances.js";
import { shared } from "./shared.js";

const COLOURS = 256;
// More triangles than this are drawn without lines between cells.
const MOST_LINED = 4000;
// Lines between cells nearer than this are left out, px.
const LINES_APART = 5;
// More nodes than this are not searched for the one under the pointer.
const MOST_PICKED = 20000;

function ramp() {
  const bytes = new Uint8Array(4 * COLOURS);
  for (let i = 0; i < COLOURS; i++) bytes.set([...shared().soft.colour(i / (COLOURS - 1)), 255], 4 * i);
  const texture = new DataTexture(bytes, COLOURS, 1);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

// Over all else, in the order in which they are drawn.
const over = { depthTest: false, depthWrite: false };

export class Soft {
  constructor(parent, one) {
    this.one = one;
    this.parts = [];
    this.key = null;
    if (!one.soft) return;
    this.texture = ramp();
    this.fill = new MeshBasicMaterial({ map: this.texture, side: DoubleSide, ...over });
    this.lines = new LineBasicMaterial({ color: "#1b1f24", transparent: true, opacity: 0.3, ...over });
    this.rim = new LineBasicMaterial({ ...over });
    this.parts = one.soft.bodies.map((body) => this.part(parent, body));
  }

  part(parent, body) {
    const count = body.points.length / 2;
    const places = new BufferAttribute(new Float32Array(3 * count), 3);
    const values = new BufferAttribute(new Float32Array(2 * count).fill(0.5), 2);
    const shape = (index) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", places);
      geometry.setAttribute("uv", values);
      geometry.setIndex(new BufferAttribute(index, 1));
      return geometry;
    };
    const inner = new LineSegments(shape(body.lines), this.lines);
    const objects = [new Mesh(shape(body.triangles), this.fill), inner, new LineSegments(shape(body.rim), this.rim)];
    objects.forEach((object, i) => {
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      object.renderOrder = i;
      parent.add(object);
    });
    return { body, places, values, objects, inner, size: shared().soft.cellSize(body) };
  }

  dress(palette) {
    if (this.rim) this.rim.color.copy(colourOf(palette.text));
  }

  // `key`: the quantity that is coloured; null where soft parts are hidden.
  show(frame, key) {
    this.key = this.parts.length ? key : null;
    for (const { objects } of this.parts) for (const object of objects) object.visible = Boolean(this.key);
    if (!this.key) return;
    const now = shared().soft.atFrame(this.one, frame);
    for (const part of this.parts) {
      part.at = shared().soft.places(part.body, now);
      part.of = shared().soft.values(part.body, this.key, now);
      for (let i = 0; i < part.of.length; i++) {
        part.places.setXYZ(i, part.at[2 * i], part.at[2 * i + 1], 0);
        // The middles of the first and of the last texel are the ends of the scale.
        part.values.setX(i, (0.5 + part.of[i] * (COLOURS - 1)) / COLOURS);
      }
      part.places.needsUpdate = true;
      part.values.needsUpdate = true;
    }
  }

  // Lines between cells, where there is room for them at so many px a metre.
  face(pixels) {
    for (const { body, inner, size } of this.parts) inner.visible = Boolean(this.key) && body.triangles.length / 3 <= MOST_LINED && size * pixels > LINES_APART;
  }

  get quantity() {
    return this.key ? shared().soft.quantity(this.one.soft, this.key) : null;
  }

  // Where nodes are drawn, x and y in turn.
  get drawn() {
    return this.key ? this.parts.map(({ places }) => Float64Array.from({ length: 2 * places.count }, (_, i) => (i % 2 ? places.getY(i >> 1) : places.getX(i >> 1)))) : [];
  }

  // The node nearest to a point of the picture, within some px.
  pick([x, y], viewpoint, within) {
    let [found, least] = [null, within];
    if (!this.key) return found;
    const own = this.quantity;
    this.parts.forEach(({ body, at, of }, index) => {
      if (of.length > MOST_PICKED) return;
      for (let i = 0; i < of.length; i++) {
        const [px, py] = viewpoint.screen([at[2 * i], at[2 * i + 1], 0]);
        const away = Math.hypot(px - x, py - y);
        if (away >= least) continue;
        least = away;
        found = { kind: "soft", index, label: body.label, text: own.label + " " + Number(shared().soft.value(own, of[i]).toPrecision(4)) + " " + own.unit };
      }
    });
    return found;
  }

  dispose() {
    for (const { objects } of this.parts) {
      for (const object of objects) {
        object.removeFromParent();
        object.geometry.dispose();
      }
    }
    for (const part of [this.fill, this.lines, this.rim, this.texture]) if (part) part.dispose();
  }
}
