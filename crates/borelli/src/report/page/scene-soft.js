// Soft parts for both stages and the section of the page: where nodes are at a time, their values, colours, what must be framed. Plain functions of
// decoded data. A node is at c + R(angle) (point + factor bend); between two instants that the run left, motion and values change evenly.

borelliScene.soft = (() => {
  // Equal steps look equal, also without colour; the same as in the static picture.
  const RAMP = ["#F8F2C4", "#EDD182", "#E4AB4B", "#DE8226", "#CF5926", "#B3393C", "#90234B", "#661C57", "#3B1751"].map(borelliScene.parts);
  const colour = (u) => borelliScene.onScale(RAMP, u);

  // A time among the instants: the one before it, the one after it, and how far between them it is. Before the first and after the last nothing changes.
  function between(soft, t) {
    const { times } = soft;
    let k = 0;
    while (k + 1 < times.length && times[k + 1] <= t) k++;
    if (!(t > times[k]) || k + 1 >= times.length) return { k, next: k, part: 0 };
    return { k, next: k + 1, part: (t - times[k]) / (times[k + 1] - times[k]) };
  }

  // One instant as it is.
  const exactly = (k) => ({ k, next: k, part: 0 });

  // Whether what is called time is the part of a load that is put on in steps.
  const loaded = (one) => Boolean(one.soft && one.soft.load);

  // What a frame of the figure shows; a lone one is the balance under the whole load.
  function atFrame(one, frame) {
    const { soft } = one;
    return one.time.length < 2 ? exactly(soft.times.length - 1) : between(soft, one.time[frame]);
  }

  // Places of the nodes of a body, x and y in turn.
  function places(body, { k, next, part }, factor = 1) {
    const { points, motion, bend } = body;
    const mix = (i) => motion[3 * k + i] + part * (motion[3 * next + i] - motion[3 * k + i]);
    const [cx, cy, angle] = [mix(0), mix(1), mix(2)];
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const out = new Float64Array(points.length);
    const [from, to] = [k * points.length, next * points.length];
    for (let i = 0; i < points.length; i += 2) {
      const x = points[i] + factor * (bend[from + i] + part * (bend[to + i] - bend[from + i]));
      const y = points[i + 1] + factor * (bend[from + i + 1] + part * (bend[to + i + 1] - bend[from + i + 1]));
      out[i] = cx + c * x - s * y;
      out[i + 1] = cy + s * x + c * y;
    }
    return out;
  }

  // Values of a quantity at its nodes, from 0 at the first colour to 1 at the last.
  function values(body, key, { k, next, part }) {
    const all = body.values[key];
    const n = body.points.length / 2;
    return Float32Array.from({ length: n }, (_, i) => (all[k * n + i] + part * (all[next * n + i] - all[k * n + i])) / 65535);
  }

  const quantity = (soft, key) => soft.quantities.find((own) => own.key === key);
  // A part of the colours as a value in the unit of the quantity.
  const value = (own, u) => own.low + u * (own.high - own.low);

  // Marks of a bar: values and their parts of it.
  function marks(own) {
    const list = [];
    for (let i = Math.round(own.low / own.step); i <= Math.round(own.high / own.step); i++) {
      list.push({ value: Number((i * own.step).toPrecision(6)), part: (i * own.step - own.low) / (own.high - own.low) });
    }
    return list;
  }

  // How long and how high a body is without load.
  function extent({ points }) {
    return [0, 1].map((i) => {
      const list = points.filter((_, k) => k % 2 === i);
      return list.reduce((most, x) => Math.max(most, x), -Infinity) - list.reduce((least, x) => Math.min(least, x), Infinity);
    });
  }

  // The larger edge of the largest body.
  const size = (one) => Math.max(...one.soft.bodies.flatMap(extent));

  // About how long the side of a cell is, m: lines between cells that are too near each other would hide the colours. Found once.
  function cellSize(body) {
    if (body.cell) return body.cell;
    const [long, high] = extent(body);
    return (body.cell = Math.sqrt((long * high * 6) / Math.max(1, body.triangles.length)));
  }

  // Everything that must be seen at a frame.
  function widen(one, frame, take) {
    for (const body of one.soft.bodies) {
      const list = places(body, atFrame(one, frame));
      for (const node of body.rim) take([list[2 * node], list[2 * node + 1], 0]);
    }
  }

  return { colour, between, exactly, loaded, atFrame, places, values, quantity, value, marks, size, cellSize, widen };
})();
