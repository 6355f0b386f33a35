// Words and measures at the rims of the plain stage: time, sides, length of a bar, force of an arrow, colours of pressure, directions in space.

function drawMargin(stage, root) {
  const { one, figure, width, height, data } = stage;
  const colours = borelliScene.palette(stage.scheme);
  const halo = "paint-order:stroke;stroke-width:4;stroke-linejoin:round;stroke:" + colours.stage + ";";
  const write = (x, y, words, colour, more) => svg(root, "text", { x, y, style: halo + "fill:" + colour, ...more }, words);
  const words = [one.time.length > 1 && borelliScene.clockText(one, one.time[stage.frame]), data.cases.length > 1 && (one.label || one.name)];
  write(14, 24, words.filter(Boolean).join(", "), colours.text, { "font-weight": 600, "font-size": 15 });
  borelliScene.sidesOf(figure).reverse().forEach((side, i) => write(width - 14 - 42 * i, 24, side, colours[side + "Text"], { "text-anchor": "end", "font-weight": 600 }));
  drawScaleBar(stage, root, colours, write);
  if (stage.drawn.arrows.length || stage.arrowScale.legendNewtons) drawForceLegend(stage, root, colours, write);
  if (stage.layers.pressure && (one.pressure || []).length) drawPressureBar(stage, root, colours, write);
  drawSoftBar(stage, root, colours, write);
  drawPullBars(stage, root, colours, write);
  if (!figure.planar) drawDirections(stage, root, colours, write, height);
}

function drawScaleBar(stage, root, colours, write) {
  const length = borelliScene.roundNear((0.13 * stage.width) / stage.scale);
  const [x, y, wide] = [14, stage.height - 12, length * stage.scale];
  svg(root, "path", { d: `M${x} ${y - 5}v5h${wide.toFixed(1)}v-5`, style: "fill:none;stroke-width:1.6;stroke:" + colours.text });
  write(x + wide / 2, y - 6, lengthText(length), colours.text, { "text-anchor": "middle" });
}

// How long the arrow of a round force is.
function drawForceLegend(stage, root, colours, write) {
  const { metresPerNewton, shaft } = stage.arrowScale;
  // A close look has no room for the arrow of a typical force.
  let { legendNewtons } = stage.arrowScale;
  while (legendNewtons * metresPerNewton * stage.scale > 0.28 * stage.width) legendNewtons = borelliScene.roundNear(0.4 * legendNewtons);
  const joints = stage.forces.every((force) => force.kind === "joint");
  const colour = joints ? colours.joint : colours.ground;
  const [x, y, long] = [stage.width - 14, stage.height - 14, legendNewtons * metresPerNewton * stage.scale];
  arrowPath(root, [x - long, y], [x, y], Math.max(1.3, shaft * stage.scale), false, colour);
  const both = stage.forces.some((force) => force.kind === "joint") && !joints;
  const words = valueText(legendNewtons, 3) + " N" + (both ? " (violet: in joints)" : "");
  write(x, y - 10, words, colour, { "text-anchor": "end" });
}

// Round a bar of colours, whose darkest or palest end would melt into the ground.
function drawFrame(root, x, top, wide, tall, colours) {
  svg(root, "rect", { x: x - 1, y: top - 1, width: wide + 2, height: tall + 2, style: "fill:" + colours.soft });
}

function drawPressureBar(stage, root, colours, write) {
  const high = Math.max(...stage.one.pressure.map((mat) => mat.high)) / 1000;
  const [x, top, tall] = [stage.width - 60, 44, Math.min(130, stage.height - 140)];
  if (tall < 40) return;
  drawFrame(root, x, top, 12, tall, colours);
  for (let level = 0; level < LEVELS; level++) {
    const y = top + tall * (1 - (level + 1) / LEVELS);
    svg(root, "rect", { x, y: y.toFixed(2), width: 12, height: (tall / LEVELS + 0.4).toFixed(2), style: "fill:" + levelColour(level) });
  }
  write(x, top - 6, "kPa", colours.text, { "font-size": 12 });
  const marks = ticks(0, high, 4);
  for (const value of marks.values) write(x + 17, top + tall * (1 - value / high) + 4, tickText(value, marks.decimals, high), colours.text, { "font-size": 11 });
}

// Colours of muscles and ligaments; left of other bars.
function drawPullBars(stage, root, colours, write) {
  if (!stage.layers.muscles) return;
  const beside = [stage.layers.pressure && (stage.one.pressure || []).length, stage.one.soft && stage.layers.soft].filter(Boolean).length;
  const [top, tall, parts] = [62, Math.min(110, stage.height - 160), 40];
  if (tall < 40) return;
  borelliScene.pull.bars(stage.one).forEach((bar, i) => {
    const x = stage.width - 52 - 80 * (beside + i);
    const group = svg(root, "g", { class: "pull-bar " + bar.kind });
    drawFrame(group, x, top, 11, tall, colours);
    for (let k = 0; k < parts; k++) {
      const y = top + tall * (1 - (k + 1) / parts);
      svg(group, "rect", { x, y: y.toFixed(2), width: 11, height: (tall / parts + 0.4).toFixed(2), style: "fill:" + borelliScene.hex(bar.colour((k + 0.5) / parts)) });
    }
    write(x + 38, top - 10, bar.label + (bar.unit ? " / " + bar.unit : ""), colours.text, { "text-anchor": "end", "font-size": 12 });
    for (const { value, part } of bar.marks) write(x + 16, top + tall * (1 - part) + 4, String(value), colours.text, { "font-size": 11 });
  });
}

// Forward, up and right of the world, small, above the scale bar.
function drawDirections(stage, root, colours, write, height) {
  const { dot } = borelliScene.vector;
  const from = [62, height - 74];
  for (const [name, axis] of [["forward", stage.figure.forward], ["up", stage.figure.up], ["right", stage.figure.right]]) {
    const [x, y] = [dot(stage.camera.right, axis) * 26, -dot(stage.camera.up, axis) * 26];
    // One that points at the viewer has no length to show.
    if (Math.hypot(x, y) < 5) continue;
    svg(root, "path", { d: pathText([from, [from[0] + x, from[1] + y]]), style: "fill:none;stroke-width:1.4;stroke:" + colours.soft });
    const anchor = x > 8 ? "start" : x < -8 ? "end" : "middle";
    write(from[0] + x * 1.18, from[1] + y * 1.3 + 4, name, colours.soft, { "text-anchor": anchor, "font-size": 11 });
  }
}
