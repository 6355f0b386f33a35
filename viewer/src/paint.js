// Two painters of the legend: into SVG on the page, into a canvas for saved pictures. The canvas one works within one task, as print needs it.

const SVG = "http://www.w3.org/2000/svg";
const FONT = "system-ui, sans-serif";
const HALO = 3.5;

function node(parent, name, attributes, words) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (words !== undefined) made.textContent = words;
  parent.append(made);
}

const corners = (points) => points.map(([x, y]) => x.toFixed(1) + "," + y.toFixed(1)).join(" ");

const TO_SVG = {
  text(root, { x, y, words, colour, size, anchor, bold, halo }, background) {
    const style = `font:${bold ? 700 : 400} ${size}px ${FONT};font-variant-numeric:tabular-nums;fill:${colour};text-anchor:${anchor}`;
    const around = halo ? `;paint-order:stroke;stroke:${background};stroke-width:${HALO}px;stroke-linejoin:round` : "";
    node(root, "text", { x: x.toFixed(1), y: y.toFixed(1), style: style + around }, words);
  },
  line(root, { points, colour, width, dash }) {
    node(root, "polyline", { points: corners(points), fill: "none", stroke: colour, "stroke-width": width, "stroke-dasharray": dash });
  },
  area(root, { points, colour }) {
    node(root, "polygon", { points: corners(points), fill: colour });
  },
};

// Fills an SVG element with the list; does nothing where it is the same as before.
export function paintSvg(root, list, background) {
  const key = background + JSON.stringify(list);
  if (root.drawn === key) return;
  root.drawn = key;
  root.replaceChildren();
  for (const item of list) TO_SVG[item.kind](root, item, background);
}

const TO_CANVAS = {
  text(context, { x, y, words, colour, size, anchor, bold, halo }, background) {
    context.font = `${bold ? 700 : 400} ${size}px ${FONT}`;
    context.textAlign = anchor === "middle" ? "center" : anchor;
    if (halo) {
      Object.assign(context, { strokeStyle: background, lineWidth: HALO, lineJoin: "round" });
      context.strokeText(words, x, y);
    }
    context.fillStyle = colour;
    context.fillText(words, x, y);
  },
  line(context, { points, colour, width, dash }) {
    context.setLineDash(dash.split(" ").filter(Boolean).map(Number));
    Object.assign(context, { strokeStyle: colour, lineWidth: width, lineJoin: "miter" });
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
  },
  area(context, { points, colour }) {
    context.fillStyle = colour;
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.fill();
  },
};

export function paintCanvas(context, list, background) {
  for (const item of list) TO_CANVAS[item.kind](context, item, background);
}
