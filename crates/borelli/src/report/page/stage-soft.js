// Soft parts as SVG: bands of colour over triangles, lines of the mesh. Used by the plain stage and by the section of soft parts.

// Bands of colour that are told apart.
const SOFT_LEVELS = 20;
// More triangles than this are painted in one colour each, and more than that without lines between cells.
const MOST_BANDED = 6000;
const MOST_LINED = 4000;
const softColour = (level) => borelliScene.hex(borelliScene.soft.colour((level + 0.5) / SOFT_LEVELS));

// What is left of a convex piece of corners [x, y, value] on one side of a value.
function cutPiece(piece, at, above) {
  const keeps = (u) => (above ? u >= at : u <= at);
  const out = [];
  piece.forEach((corner, i) => {
    const next = piece[(i + 1) % piece.length];
    if (keeps(corner[2])) out.push(corner);
    if (keeps(corner[2]) !== keeps(next[2])) {
      const part = (at - corner[2]) / (next[2] - corner[2]);
      out.push([corner[0] + part * (next[0] - corner[0]), corner[1] + part * (next[1] - corner[1]), at]);
    }
  });
  return out;
}

const pieceText = (piece) => piece.map((p, i) => (i ? "L" : "M") + p[0].toFixed(1) + " " + p[1].toFixed(1)).join("") + "z";

// A path for each band. `at` gives the place of a node on the page; values go from 0 to 1.
function bandPaths(triangles, at, values) {
  const paths = new Array(SOFT_LEVELS).fill("");
  const level = (u) => Math.min(SOFT_LEVELS - 1, Math.floor(u * SOFT_LEVELS));
  const fine = triangles.length / 3 <= MOST_BANDED;
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [0, 1, 2].map((j) => [...at(triangles[i + j]), values[triangles[i + j]]]);
    const own = corners.map((corner) => corner[2]);
    const [low, high] = [level(Math.min(...own)), level(Math.max(...own))];
    if (!fine || low === high) {
      paths[fine ? low : level((own[0] + own[1] + own[2]) / 3)] += pieceText(corners);
      continue;
    }
    for (let k = low; k <= high; k++) {
      let piece = corners;
      if (k > low) piece = cutPiece(piece, k / SOFT_LEVELS, true);
      if (k < high) piece = cutPiece(piece, (k + 1) / SOFT_LEVELS, false);
      if (piece.length > 2) paths[k] += pieceText(piece);
    }
  }
  return paths;
}

function sidePath(sides, at) {
  let d = "";
  for (let i = 0; i < sides.length; i += 2) d += pathText([at(sides[i]), at(sides[i + 1])]);
  return d;
}

// Lines between cells nearer than this are left out, px.
const LINES_APART = 5;

// One part: colours, lines between cells, rim. `apart`: about how long the side of a cell is on the page, px.
function drawSoftBody(root, body, at, values, colours, apart) {
  bandPaths(body.triangles, at, values).forEach((d, level) => {
    const fill = softColour(level);
    // Without a thin line of its own colour the ground would shine through between neighbours.
    if (d) svg(root, "path", { d, style: "stroke-width:0.6;stroke-linejoin:round;fill:" + fill + ";stroke:" + fill });
  });
  if (body.triangles.length / 3 <= MOST_LINED && apart > LINES_APART) svg(root, "path", { d: sidePath(body.lines, at), style: "fill:none;stroke-width:0.6;opacity:0.35;stroke:#1b1f24" });
  svg(root, "path", { class: "soft-edge", d: sidePath(body.rim, at), style: "fill:none;stroke-width:" + (apart > LINES_APART ? 1.4 : 0.7) + ";stroke-linecap:round;stroke:" + colours.text });
}

// The node nearest to a place within some px, with its place; null where there is none.
function nearestNode(count, at, [x, y], within) {
  let [best, least] = [null, within];
  for (let i = 0; i < count; i++) {
    const [px, py] = at(i);
    const away = Math.hypot(px - x, py - y);
    if (away < least) [best, least] = [i, away];
  }
  return best;
}

// Soft parts on the plain stage, over the figure: they would be hidden inside it.
function drawSoft(stage, root) {
  const { one } = stage;
  stage.drawn.soft = [];
  if (!one.soft || !stage.layers.soft) return;
  const scene = borelliScene.soft;
  const now = scene.atFrame(one, stage.frame);
  const own = scene.quantity(one.soft, stage.layers.soft);
  one.soft.bodies.forEach((body, index) => {
    const places = scene.places(body, now);
    const values = scene.values(body, own.key, now);
    const at = (i) => stage.screen([places[2 * i], places[2 * i + 1], 0]);
    drawSoftBody(root, body, at, values, borelliScene.palette(stage.scheme), stage.scale * scene.cellSize(body));
    stage.drawn.soft.push(places);
    const node = (p) => nearestNode(values.length, at, p, 12);
    const hit = { kind: "soft", index, label: body.label, text: "", at: (p) => node(p) !== null };
    hit.read = (p) => own.label + " " + valueText(scene.value(own, values[node(p)]), 4) + " " + own.unit;
    stage.hits.push(hit);
  });
}

// The colours of soft parts with their unit; left of the bar of pressure where there is one.
function drawSoftBar(stage, root, colours, write) {
  const { one } = stage;
  if (!one.soft || !stage.layers.soft) return;
  const own = borelliScene.soft.quantity(one.soft, stage.layers.soft);
  const beside = stage.layers.pressure && (one.pressure || []).length ? 76 : 0;
  const [x, top, tall] = [stage.width - 64 - beside, 62, Math.min(150, stage.height - 160)];
  if (tall < 40) return;
  for (let level = 0; level < SOFT_LEVELS; level++) {
    const y = top + tall * (1 - (level + 1) / SOFT_LEVELS);
    svg(root, "rect", { class: "soft-colour", x, y: y.toFixed(2), width: 12, height: (tall / SOFT_LEVELS + 0.4).toFixed(2), style: "fill:" + softColour(level) });
  }
  write(stage.width - 14 - beside, top - 9, own.label + " / " + own.unit, colours.text, { "font-size": 12, "text-anchor": "end" });
  for (const { value, part } of borelliScene.soft.marks(own)) write(x + 17, top + tall * (1 - part) + 4, minusSign(String(value)), colours.text, { "font-size": 11 });
}
