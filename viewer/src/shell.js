// A closed surface of triangles with a normal at every vertex. Normals come from the shape itself, never from the triangles: those would
// show a seam where a lathe closes.

import { BufferAttribute, BufferGeometry } from "three";

export class Shell {
  constructor() {
    this.places = [];
    this.normals = [];
    this.corners = [];
  }

  vertex(place, normal) {
    this.places.push(place[0], place[1], place[2]);
    this.normals.push(normal[0], normal[1], normal[2]);
    return this.places.length / 3 - 1;
  }

  triangle(a, b, c) {
    this.corners.push(a, b, c);
  }

  // Rings of vertices from one pole to the other; `at(ring, step)` gives place and normal. Steps go around the axis by the right hand.
  lattice(rings, around, at) {
    const first = this.places.length / 3;
    for (let ring = 0; ring <= rings; ring++) for (let step = 0; step < around; step++) this.vertex(...at(ring, step));
    for (let ring = 0; ring < rings; ring++) {
      for (let step = 0; step < around; step++) {
        const [a, b] = [first + ring * around + step, first + ring * around + ((step + 1) % around)];
        // At a pole all vertices of a ring are one place: half of the triangles are nothing.
        if (ring > 0) this.triangle(a, b, a + around);
        if (ring < rings - 1) this.triangle(b, b + around, a + around);
      }
    }
    return this;
  }

  // The same without the triangles of which `hidden` says so; it gets the places of their corners.
  without(hidden) {
    const at = (k) => this.places.slice(3 * k, 3 * k + 3);
    const kept = [];
    for (let i = 0; i < this.corners.length; i += 3) {
      const corners = this.corners.slice(i, i + 3);
      if (!hidden(corners.map(at))) kept.push(...corners);
    }
    this.corners = kept;
    return this;
  }

  add(other) {
    const first = this.places.length / 3;
    for (const x of other.places) this.places.push(x);
    for (const x of other.normals) this.normals.push(x);
    for (const corner of other.corners) this.corners.push(first + corner);
    return this;
  }

  // The same moved by `at` and turned by nine numbers, rows first.
  placed(at, R) {
    const turn = (list, shift) => {
      for (let i = 0; i < list.length; i += 3) {
        const [x, y, z] = [list[i], list[i + 1], list[i + 2]];
        for (let k = 0; k < 3; k++) list[i + k] = shift[k] + R[3 * k] * x + R[3 * k + 1] * y + R[3 * k + 2] * z;
      }
    };
    turn(this.places, at);
    turn(this.normals, [0, 0, 0]);
    return this;
  }

  geometry() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.places), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setIndex(this.corners);
    return geometry;
  }
}
