// Signs of what holds a figure: places held by the world, guided points, rails of sliding joints, rods that were let go.

import { shared } from "./shared.js";

// Kinds and places in the world at a frame.
export function signs(data, one, figure, frame) {
  const { minus, norm } = shared().vector;
  const list = [];
  const at = (spot) => shared().spot(data, one, spot, frame);
  const add = (kind, ...spots) => {
    const places = spots.map(at);
    if (places.every(Boolean)) list.push({ kind, places });
  };
  for (const joint of figure.joints) {
    const [from, to] = [at(joint.parent), at(joint.child)];
    if (shared().floats(joint) || !from || !to) continue;
    if (norm(minus(from, to)) > 0.01 * figure.height) add("loose", joint.parent, joint.child);
    if (shared().held(figure, joint)) add("held", joint.parent);
  }
  for (const hold of figure.holds) {
    if (shared().letGo(data, one, hold.element, frame)) continue;
    for (const spot of [hold.a, hold.b]) if (spot && spot[0] === 0) add("held", spot);
    if (hold.a === null) add("guided", hold.b);
  }
  for (const rod of figure.rods) {
    if (shared().letGo(data, one, "loop." + rod.name, frame)) add("loose", ...rod.points);
    else for (const spot of rod.points) if (spot[0] === 0) add("held", spot);
  }
  return list;
}
