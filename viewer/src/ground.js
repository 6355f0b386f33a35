// The ground: half-spaces as they lie, each a grid of round places that fades into the distance. Where a model has gravity and no
// half-space, a grid at height zero, or under everything where the figure goes below it.

import { BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PlaneGeometry } from "three";
import { colourOf } from "./instances.js";
import { shared } from "./shared.js";

// Cells of the grid beyond what must be seen.
const BEYOND = 3;
// Half the number of cells of a half-space that a moving body carries.
const CARRIED = 2;

// Unit normal and a place of the plane of a half-space in its body's frame.
function planeOf({ spot, axes, parameters }) {
  const { dot, plus, scaled, unitOf } = shared().vector;
  const normal = unitOf(axes.map((row) => dot(row, parameters)));
  return { normal, on: plus(spot.slice(1), scaled(normal, parameters[3])) };
}

// All planes of a figure: body, normal and place in its frame, and whether something stands on it.
export function planesOf(figure, box) {
  const { dot, scaled } = shared().vector;
  const list = figure.surfaces.filter((surface) => surface.kind === "half-space").map((surface) => ({ body: surface.spot[0], solid: true, ...planeOf(surface) }));
  if (!figure.gravity || list.some((plane) => plane.body === 0)) return list;
  const low = figure.up.reduce((sum, u, i) => sum + Math.min(u * box.low[i], u * box.high[i]), 0);
  const below = low < -0.03 * figure.height;
  // In the plane, height zero is a line that tells the height; in space a grid through the figure would tell nothing.
  const height = below && !figure.planar ? low : 0;
  return list.concat({ body: 0, solid: !below, normal: figure.up, on: scaled(figure.up, height / dot(figure.up, figure.up)) });
}

export class Ground {
  // `box` is that of the run, `about` the one around the mass centre where that is followed.
  constructor(parent, figure, box, about) {
    Object.assign(this, { parent, figure, follow: about !== null });
    this.step = shared().roundAbove(figure.height / 8);
    this.lines = new LineBasicMaterial({ depthTest: false, depthWrite: false });
    this.plain = new MeshBasicMaterial({ depthTest: false, depthWrite: false });
    this.edge = new MeshBasicMaterial({ depthTest: false, depthWrite: false, side: DoubleSide });
    this.planes = planesOf(figure, box).map((plane) => this.lay(plane, about || box));
    // What the shadow falls on: the plane that faces up most.
    const facing = (plane) => (plane.body === 0 ? shared().vector.dot(plane.normal, figure.up) : -1);
    this.floor = this.planes.reduce((best, plane) => (facing(plane) > Math.max(0.3, best ? facing(best) : 0) ? plane : best), null);
  }

  lay(plane, box) {
    const { cross, dot, norm, plus, scaled, unitOf } = shared().vector;
    const { forward, planar } = this.figure;
    // One direction of the grid is level or forward, so that lines of a slope run down it.
    const ahead = plus(forward, scaled(plane.normal, -dot(forward, plane.normal)));
    const e1 = planar ? unitOf(cross(plane.normal, [0, 0, 1])) : norm(ahead) > 0.1 ? unitOf(ahead) : unitOf(cross(plane.normal, this.figure.right));
    const e2 = cross(plane.normal, e1);
    const [low, high] = plane.body === 0 ? this.reach(plane, [e1, e2], box) : [[-CARRIED, -CARRIED], [CARRIED, CARRIED]];
    const group = new Group();
    group.matrixAutoUpdate = false;
    const at = (i, j, depth = 0) => [0, 1, 2].map((k) => e1[k] * i * this.step + e2[k] * j * this.step - plane.normal[k] * depth);
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
    // From the side of a planar model the ground is an edge.
    if (planar && plane.solid) {
      const thick = 0.012 * this.figure.height;
      quad([at(low[0], 0), at(high[0], 0), at(low[0], 0, thick), at(high[0], 0, thick)], this.edge, 3);
      const ticks = [];
      for (let i = low[0]; i <= high[0]; i++) ticks.push(at(i, 0), at(i, 0, 2.5 * thick));
      group.add(this.segments(ticks));
    }
    this.parent.add(group);
    return { ...plane, e1, e2, group };
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
      const more = BEYOND + (this.follow ? Math.ceil((1.5 * this.figure.height) / this.step) : 0);
      return [Math.floor(Math.min(...along) / this.step) - more, Math.ceil(Math.max(...along) / this.step) + more];
    });
    return [spans.map((span) => span[0]), spans.map((span) => span[1])];
  }

  dress(palette) {
    this.lines.color.copy(colourOf(palette.grid));
    this.plain.color.copy(colourOf(shared().mixed(palette.grid, palette.stage, 0.16)));
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

  // Whether a place is on the upper side of the floor.
  above(place) {
    const { dot, minus } = shared().vector;
    return !this.floor || dot(minus(place, this.floor.on), this.floor.normal) > 0;
  }

  dispose() {
    for (const { group } of this.planes) {
      group.removeFromParent();
      for (const part of group.children) part.geometry.dispose();
    }
    for (const material of [this.lines, this.plain, this.edge]) material.dispose();
  }
}
