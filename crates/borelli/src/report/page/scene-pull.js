// Lines of pull for both stages: where they lie at a frame, over obstacles and through points that move, and what their colour and width tell. Plain functions of
// decoded data. A muscle is coloured by its activation, a ligament by its strain, anything else by its tension over the largest of the run.

borelliScene.pull = (() => {
  const { caseOf, figureOf, drawnPose, place, onScale, parts, hex, vector } = borelliScene;

  // The same as in static pictures.
  const PULLING = ["#F7CCB8", "#CC3329", "#66001A"].map(parts);
  const PUSHING = ["#C9D6EA", "#3B6FB6"].map(parts);
  const STRAINED = ["#E4E0C8", "#3F9A8A", "#0B3C49"].map(parts);

  // Points on bodies, [body, x, y, z], at a frame.
  function spots(data, one, path, frame) {
    const course = (caseOf(data, one).courses || [])[path];
    if (!course) return figureOf(data, one).paths[path].points;
    const { bodies, at } = course;
    return bodies.map((body, i) => [body, ...at.subarray(3 * (frame * bodies.length + i), 3 * (frame * bodies.length + i) + 3)]);
  }

  // How many points a path has at most, whatever the frame.
  const count = (data, one, path) => ((caseOf(data, one).courses || [])[path] || { bodies: figureOf(data, one).paths[path].points }).bodies.length;

  // Places in the world as drawn; null where a pose is not known or the string has no place.
  function places(data, one, path, frame) {
    const poses = new Map();
    const list = spots(data, one, path, frame).map(([body, ...at]) => {
      if (!poses.has(body)) poses.set(body, drawnPose(data, one, body, frame));
      return poses.get(body) && place(poses.get(body), at);
    });
    return list.every((at) => at && vector.finite(at)) ? list : null;
  }

  // What colours a path at a frame: its kind, and the part of full colour from -1 to 1.
  function tone(one, path, frame) {
    const own = (one.tones || [])[path];
    if (!own || own.column === null) return { kind: "cord", part: 0 };
    const value = one.columns[own.column].values[frame];
    const part = Number.isFinite(value) ? Math.max(own.kind === "cord" ? -1 : 0, Math.min(1, value / own.most)) : 0;
    return { kind: own.kind, part };
  }

  function colour({ kind, part }) {
    if (kind === "ligament") return hex(onScale(STRAINED, part));
    return hex(part < 0 ? onScale(PUSHING, -part) : onScale(PULLING, part));
  }

  // Radius of a line in heights of the figure.
  const radius = ({ kind, part }) => (kind === "ligament" ? 0.0045 : 0.0055) + 0.004 * Math.abs(part);

  const word = (x, digits = 3) => String(Number(x.toPrecision(digits))).replace("-", "\u2212");

  // Force and what colours it, in words.
  function text(one, path, frame) {
    const value = (column) => (column === null || column === undefined ? NaN : one.columns[column].values[frame]);
    const force = value((one.tensions || [])[path]);
    const own = (one.tones || [])[path];
    const told = own ? value(own.column) : NaN;
    const list = [Number.isFinite(force) ? word(force, 4) + " N" : "force not recorded"];
    if (Number.isFinite(told) && own.kind === "muscle") list.push("activation " + word(told));
    if (Number.isFinite(told) && own.kind === "ligament") list.push("strain " + word(100 * told) + " %");
    return list.join(", ");
  }

  // Bars of colours that a case needs: words, colour of a part, and marks.
  function bars(one) {
    const most = (kind) => ((one.tones || []).find((own) => own && own.kind === kind) || { most: 0 }).most;
    const marks = (top) => [0, 0.5, 1].map((part) => ({ part, value: Number((top * part).toPrecision(6)) }));
    const list = [];
    if (most("muscle") > 0) list.push({ kind: "muscle", label: "activation", unit: "", marks: marks(1), colour: (u) => onScale(PULLING, u) });
    if (most("ligament") > 0) list.push({ kind: "ligament", label: "strain", unit: "%", marks: marks(100 * most("ligament")), colour: (u) => onScale(STRAINED, u) });
    return list;
  }

  return { spots, count, places, tone, colour, radius, text, bars };
})();
