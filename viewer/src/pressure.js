// Pressure on the floor: one texture per mat, a texel per cell, at the map nearest to the time shown. Drawn without depth test: deep contact
// would hide it.

import { DataTexture, DoubleSide, Mesh, MeshBasicMaterial, NearestFilter, PlaneGeometry, SRGBColorSpace } from "three";
import { shared } from "./shared.js";

export class Pressure {
  constructor(parent, one) {
    this.one = one;
    // One scale for the run.
    this.high = one.pressure.reduce((most, mat) => Math.max(most, mat.high), 0);
    const colours = Array.from({ length: 256 }, (_, i) => shared().pressureColour(i / 255));
    this.mats = one.pressure.filter((mat) => mat.times.length).map((mat) => {
      const [n, m] = mat.cells;
      // Rows of the texture are steps of the first axis.
      const bytes = new Uint8Array(4 * n * m);
      const texture = new DataTexture(bytes, m, n);
      texture.colorSpace = SRGBColorSpace;
      texture.magFilter = texture.minFilter = NearestFilter;
      const material = new MeshBasicMaterial({ map: texture, side: DoubleSide, transparent: true, depthTest: false, depthWrite: false });
      const mesh = new Mesh(new PlaneGeometry(), material);
      const place = mesh.geometry.getAttribute("position");
      const uv = mesh.geometry.getAttribute("uv");
      [[0, 0], [1, 0], [0, 1], [1, 1]].forEach(([a, b], k) => {
        place.setXYZ(k, ...mat.origin.map((x, i) => x + mat.axes[0][i] * a * n * mat.pitch[0] + mat.axes[1][i] * b * m * mat.pitch[1]));
        uv.setXY(k, b, a);
      });
      mesh.frustumCulled = false;
      parent.add(mesh);
      return { mat, mesh, texture, bytes, colours, shown: -1 };
    });
  }

  show(frame, on) {
    for (const item of this.mats) {
      item.mesh.visible = on;
      const map = shared().mapAt(item.mat, this.one.time[frame]);
      if (!on || map === item.shown) continue;
      item.shown = map;
      this.fill(item, map);
    }
  }

  fill({ mat, texture, bytes, colours }, map) {
    const cells = mat.cells[0] * mat.cells[1];
    const part = mat.high / this.high;
    for (let i = 0; i < cells; i++) {
      const value = mat.maps[map * cells + i];
      const colour = colours[Math.round((255 * part * value) / 65535)];
      bytes[4 * i] = colour[0];
      bytes[4 * i + 1] = colour[1];
      bytes[4 * i + 2] = colour[2];
      bytes[4 * i + 3] = value > 0 ? 255 : 0;
    }
    texture.needsUpdate = true;
  }

  dispose() {
    for (const { mesh, texture } of this.mats) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
      mesh.material.dispose();
      texture.dispose();
    }
  }
}
