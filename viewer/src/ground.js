// The ground: half-spaces as they lie, each a grid of round places that fades into the distance.

import { BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PlaneGeometry } from "three";
import { colourOf } from "./instances.js";
import { shared } from "./shared.js";

// Cells of the grid beyond what must be seen.
const BEYOND = 3;
// Half the number of cells of a half-space that a moving body carries.
const CARRIED = 1;
// How far the section of a planar ground goes, in heights of the figure: beyond the rims of the picture.
const FAR = 8;
// Lines of the grid on either side of its middle.
const MOST_LINES = 400;

// All planes of a case, in their bodies' frames: those of the shared helpers, and pieces that moving bodies carry. In space a figure without
// ground has a grid below it, for the eye: nothing stands on it, and no shadow falls on it.
function planesOf(data, one, figure, box) {
  const { scaled } = shared().vector;
  const fixed = shared().ground(data, one, box).map((plane) => ({ body: 0, solid: true, ...plane }));
  const still = { p: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
  const carried = figure.surfaces.flatMap((surface, i) => {
    if (surface.kind !== "half-space" || surface.spot[0] === 0) return [];
    return [{ body: surface.spot[0], solid: true, half: shared().meets(figure, i), ...shared().plane(surface, still) }];
  });
  if (fixed.length || figure.planar || !figure.gravity) return [...fixed, ...carried];
  const low = figure.up.reduce((sum, u, i) => sum + Math.min(u * box.low[i], u * box.high[i]), 0);
  return [...carried, { body: 0, solid: false, normal: figure.up, on: scaled(figure.up, low) }];
}

export class Ground {
  // `box` is that of the run, `about` the one around the mass centre where that is followed.
  constructor(parent, data, one, box, about) {
    const figure = shared().figureOf(data, one);
    Object.assign(this, { parent, figure, follow: about !== null });
    this.step = shared().roundAbove(figure.height / 8);
    this.lines = new LineBasicMaterial({ depthTest: false, depthWrite: false });
    this.plain = new MeshBasicMaterial({ depthTest: false, depthWrite: false });
    this.edge = new MeshBasicMaterial({ depthTest: false, depthWrite: false, side: DoubleSide });
    this.under = new MeshBasicMaterial({ depthTest: false, depthWrite: false, side: DoubleSide });
    this.planes = planesOf(data, one, figure, box).map((plane) => this.lay(plane, about || box));
    // What the shadow falls on: the plane that faces up most.
    const facing = (plane) => (plane.body === 0 && plane.solid ? shared().vector.dot(plane.normal, figure.up) : -1);
    this.floor = this.planes.reduce((best, plane) => (facing(plane) > Math.max(0.3, best ? facing(best) : 0) ? plane : best), null);
  }

  lay(plane, box) {
    const { cross, dot, norm, plus, scaled, unitOf } = shared().vector;
    const { forward, planar } = this.figure;
    // One direction of the grid is level or forward, so that lines of a slope run down it.
    const ahead = plus(forward, scaled(plane.normal, -dot(forward, plane.normal)));
    const e1 = planar ? unitOf(cross(plane.normal, [0, 0, 1])) : norm(ahead) > 0.1 ? unitOf(ahead) : unitOf(cross(plane.normal, this.figure.right));
    const e2 = cross(plane.normal, e1);
    const fixed = plane.body === 0;
    const [low, high] = fixed ? this.reach(plane, [e1, e2], box) : [[-CARRIED, -CARRIED], [CARRIED, CARRIED]];
    const group = new Group();
    group.matrixAutoUpdate = false;
    const step = plane.half || this.step;
    const at = (i, j, depth = 0) => [0, 1, 2].map((k) => e1[k] * i * step + e2[k] * j * step - plane.normal[k] * depth);
    const lines = [];
    for (let i = low[0]; i <= high[0]; i++) lines.push(at(i, low[1]), at(i, high[1]));
    for (let j = low[1]; j <= high[1]; j++) lines.push(at(low[0], j), at(high[0], j));
    group.add(this.segments(lines));
    const quad = (corners, material, order) => {
      const mesh = new Mesh(new PlaneGeometry(), material);
      corners.forEach((corner, k) => mesh.geometry.getAttribute("position").setXYZ(k, ...corner));
      mesh.renderOrder = order;
      mesh.frustumCulled = false;
      group.add(mesh);
    };
    // Corners in the order of a plane's geometry; seen from the normal's side only.
    if (plane.solid) quad([at(low[0], high[1]), at(high[0], high[1]), at(low[0], low[1]), at(high[0], low[1])], this.plain, 0);
    if (planar && plane.solid) this.section(group, fixed, low[0], high[0], at, quad);
    this.parent.add(group);
    return { ...plane, e1, e2, group };
  }

  // From the side of a planar model the ground is an edge, with its solid side below and a stroke at every line of the grid.
  section(group, fixed, low, high, at, quad) {
    const H = this.figure.height;
    const [thick, deep] = [0.012 * H, fixed ? FAR * H : 0.06 * H];
    quad([at(low, 0), at(high, 0), at(low, 0, deep), at(high, 0, deep)], this.under, 0);
    quad([at(low, 0), at(high, 0), at(low, 0, thick), at(high, 0, thick)], this.edge, 3);
    const strokes = [];
    for (let i = low; i <= high; i++) strokes.push(at(i, 0), at(i, 0, 2.5 * thick));
    group.add(this.segments(strokes));
  }

  segments(places) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places.flat()), 3));
    const segments = new LineSegments(geometry, this.lines);
    segments.renderOrder = 2;
    segments.frustumCulled = false;
    return segments;
  }

  // First and last lines of the grid about a round place, in steps.
  reach(plane, axes, box) {
    const { dot } = shared().vector;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [0, 1, 2].map((i) => ((n >> i) & 1 ? box.high[i] : box.low[i])));
    const spans = axes.map((axis) => {
      const along = corners.map((corner) => dot(corner, axis) - (this.follow ? 0 : dot(plane.on, axis)));
      // A figure that is followed walks over a piece of grid that goes with it in whole steps.
      const more = BEYOND + (this.follow ? Math.ceil((1.5 * this.figure.height) / this.step) : 0) + (this.figure.planar && axis === axes[0] ? Math.ceil((FAR * this.figure.height) / this.step) : 0);
      const ends = [Math.floor(Math.min(...along) / this.step) - more, Math.ceil(Math.max(...along) / this.step) + more];
      // A run that leaves the picture must not take the grid with it.
      return ends.map((end) => Math.max(-MOST_LINES, Math.min(MOST_LINES, end)));
    });
    return [spans.map((span) => span[0]), spans.map((span) => span[1])];
  }

  dress(palette) {
    this.lines.color.copy(colourOf(palette.grid));
    this.plain.color.copy(colourOf(shared().mixed(palette.grid, palette.stage, 0.16)));
    this.under.color.copy(this.plain.color);
    this.edge.color.copy(colourOf(palette.grid));
  }

  // `centre`: the place that is followed.
  show(nodes, centre) {
    const { dot, minus } = shared().vector;
    for (const plane of this.planes) {
      const { group, e1, e2 } = plane;
      const at = plane.on.slice();
      if (this.follow && plane.body === 0) {
        for (const axis of [e1, e2]) {
          const steps = Math.round(dot(minus(centre, plane.on), axis) / this.step);
          for (let k = 0; k < 3; k++) at[k] += axis[k] * steps * this.step;
        }
      }
      group.matrix.copy(nodes[plane.body].matrix);
      group.matrix.multiply(group.matrix.clone().makeTranslation(...at));
      group.visible = nodes[plane.body].visible;
      group.matrixWorldNeedsUpdate = true;
    }
  }

  // A planar model from the side shows the section of its ground, from elsewhere the ground itself.
  face(toward) {
    this.under.visible = Math.abs(shared().vector.dot(toward, [0, 0, 1])) > 0.999;
  }

  // Whether the floor is seen from its upper side, from a place or, in parallel projection, along a direction.
  above(eye, toward) {
    const { dot, minus } = shared().vector;
    return !this.floor || dot(toward || minus(eye, this.floor.on), this.floor.normal) > 0;
  }

  dispose() {
    for (const { group } of this.planes) {
      group.removeFromParent();
      for (const part of group.children) part.geometry.dispose();
    }
    for (const material of [this.lines, this.plain, this.under, this.edge]) material.dispose();
  }
}
