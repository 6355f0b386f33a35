// Moments in joints for both stages: three quarters of a circle about the axis of the moment, the way it turns, with a head. Plain functions of decoded data.

borelliScene.moment = (() => {
  const { caseOf, figureOf, drawnPose, place, spread, vector } = borelliScene;
  const { cross, dot, finite, norm, plus, scaled, unitOf, minus } = vector;

  // The radius of the moment that only one in twenty exceeds, the largest, and the smallest that is seen, in heights of the figure.
  const [USUAL, LARGEST, LEAST] = [0.09, 0.18, 0.012];
  const STEPS = 24;

  // What the joints of a case do to their children.
  function list(data, one) {
    const it = caseOf(data, one);
    const figure = figureOf(data, it);
    const made = ({ joint, moment }) => {
      const { label, side, child } = figure.joints[joint];
      const [body, ...spot] = child;
      const at = (k) => {
        const pose = drawnPose(data, it, body, k);
        return pose && place(pose, spot);
      };
      return { label: "Moment in joint " + label + " on " + figure.bodies[body].label, side, body, at, of: (k) => moment.map((part) => part[k]) };
    };
    return it.turning || (it.turning = (it.moments || []).map(made));
  }

  // Metres of radius a newton metre, and the largest moment of the run.
  function scale(data, one, H) {
    const it = caseOf(data, one);
    const frames = spread(it.time.length, 400);
    const sizes = list(data, it).flatMap((own) => frames.map((k) => norm(own.of(k)))).filter((size) => size > 0);
    const most = sizes.reduce((a, b) => Math.max(a, b), 0);
    const counted = sizes.filter((size) => size > 0.01 * most).sort((a, b) => a - b);
    const usual = counted.length ? counted[Math.floor(0.95 * (counted.length - 1))] : 0;
    return { most, metres: usual > 0 ? (USUAL * H) / usual : 0, largest: LARGEST * H, least: LEAST * H };
  }

  // Places along the arc at a frame, the last at the point of its head; null where there is none to see.
  function arc(data, one, { metres, largest, least }, own, frame) {
    const now = own.of(frame);
    const at = finite(now) && own.at(frame);
    const radius = Math.min(largest, metres * norm(now));
    if (!at || !finite(at) || !(radius > least)) return null;
    const axis = unitOf(now);
    const { up, forward } = figureOf(data, one);
    const start = Math.abs(dot(axis, up)) < 0.9 ? up : forward;
    const u = unitOf(minus(start, scaled(axis, dot(start, axis))));
    const w = cross(axis, u);
    // The gap is below, where limbs are.
    const point = (part) => {
      const angle = 1.5 * Math.PI * (part - 0.5);
      return plus(at, plus(scaled(u, radius * Math.cos(angle)), scaled(w, radius * Math.sin(angle))));
    };
    return { places: Array.from({ length: STEPS + 1 }, (_, i) => point(i / STEPS)), newtonMetres: norm(now), radius };
  }

  const words = (newtonMetres) => Number(newtonMetres.toPrecision(3)) + " N m";

  return { list, scale, arc, words, STEPS };
})();
