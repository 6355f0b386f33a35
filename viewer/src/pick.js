// What is under a point of the stage. Thin things (markers, joints, arrows, paths) count within some pixels of the point, bodies and surfaces
// by a ray.

import { Raycaster, Vector2 } from "three";
import { forceText } from "./legend.js";

const NEAR = 6; // px

// Distance of a point from a line between two, px.
function fromLine([x, y], [ax, ay], [bx, by]) {
  const [ux, uy] = [bx - ax, by - ay];
  const square = ux * ux + uy * uy;
  const part = square > 0 ? Math.max(0, Math.min(1, ((x - ax) * ux + (y - ay) * uy) / square)) : 0;
  return Math.hypot(x - ax - part * ux, y - ay - part * uy);
}

const mass = (kilograms) => (kilograms > 0 ? Number(kilograms.toPrecision(3)) + " kg" : "");

const ray = new Raycaster();

// Candidates of each kind with their distance in px; `parts` are the views of the stage.
function thin(point, viewpoint, { markers, joints, arrows, moments, paths, figure }) {
  const screen = (place) => viewpoint.screen(place);
  const list = [];
  const add = (distance, info) => distance < NEAR && list.push({ distance, info });
  for (const { index, measured, fitted } of markers.drawn) {
    const { label } = figure.markers[index];
    const apart = measured && fitted ? (1000 * Math.hypot(...measured.map((x, i) => x - fitted[i]))).toFixed(1) + " mm between measured and fitted" : "";
    for (const place of [measured, fitted]) if (place) add(fromLine(point, screen(place), screen(place)), { kind: "marker", index, label, text: apart });
  }
  for (const { index, at } of joints.drawn) add(fromLine(point, screen(at), screen(at)), { kind: "joint", index, label: figure.joints[index].label, text: figure.joints[index].kind });
  arrows.drawn.forEach(({ force, newtons, from, to }) => {
    add(fromLine(point, screen(from), screen(to)), { kind: "force", index: arrows.all.indexOf(force), label: force.label, text: forceText(newtons) });
  });
  moments.drawn.forEach(({ label, text, places }, index) => {
    const dots = places.map(screen);
    for (let i = 1; i < dots.length; i++) add(fromLine(point, dots[i - 1], dots[i]), { kind: "moment", index, label, text });
  });
  for (const { kind, index, places } of paths.drawn) {
    const { label } = (kind === "path" ? figure.paths : figure.rods)[index];
    const dots = places.map(screen);
    const text = kind === "path" ? paths.textOf(index) : "rod";
    for (let i = 1; i < dots.length; i++) add(fromLine(point, dots[i - 1], dots[i]), { kind: "path", index, label, text });
  }
  return list.sort((a, b) => a.distance - b.distance);
}

export function pick(point, viewpoint, parts) {
  const [found] = thin(point, viewpoint, parts);
  if (found) return found.info;
  const node = parts.soft.pick(point, viewpoint, 2 * NEAR);
  if (node) return node;
  const { view, figure } = parts;
  const at = new Vector2((2 * point[0]) / viewpoint.width - 1, 1 - (2 * point[1]) / viewpoint.height);
  ray.setFromCamera(at, viewpoint.camera);
  const targets = [...view.flesh, ...view.surfaces].filter((mesh) => mesh && mesh.visible && mesh.parent.visible);
  const [hit] = ray.intersectObjects(targets, false);
  if (!hit) return null;
  const surface = view.surfaces.indexOf(hit.object);
  if (surface >= 0 && view.look.layers.contacts) {
    const { label, kind } = figure.surfaces[surface];
    return { kind: "surface", index: surface, label, text: kind };
  }
  const index = surface >= 0 ? figure.surfaces[surface].spot[0] : view.flesh.indexOf(hit.object);
  return { kind: "body", index, label: figure.bodies[index].label, text: mass(figure.bodies[index].mass) };
}
