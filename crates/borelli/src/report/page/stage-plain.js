// The plain stage: the moving figure as SVG, where the page has no WebGL. Orthographic, with the same solids, colours, arrows and framing as the other.
// Here: its interface, what a pointer does, and the way from space to the picture. What is drawn stands in stage-ground, stage-figure and stage-margin.

// Room for the words at the rims of the picture, px: top, sides, bottom.
const STAGE_RIM = { top: 34, side: 18, bottom: 46 };
// Distance of an outline from the true one that nobody sees, px.
const STAGE_FINE = 2;
let stagesMade = 0;

borelliStages.plain = function mountPlain(holder, data, options) {
  const scene = borelliScene;
  const { dot, plus, scaled } = scene.vector;
  const root = svg(null, "svg", { role: "img", class: "plain-stage", "aria-label": "Moving figure" });
  const stage = {
    data, root, id: "s" + ++stagesMade, scheme: options.scheme || "light", frame: 0, index: data.cases.findIndex((one) => one.time.length > 0),
    layers: { forces: true, jointForces: false, moments: false, ghosts: false, names: false, centers: false, muscles: false, pressure: true, markers: true, trace: null, contacts: true, soft: null },
    ghosts: [], yaw: 0, pitch: 0, view: "", zoom: 1, shift: [0, 0], follow: false, width: 800, height: 450, drawMs: 0,
  };
  stage.index = Math.max(0, stage.index);
  holder.appendChild(root);
  const still = svg(root, "g", {});
  const moving = svg(root, "g", {});
  const rim = svg(root, "g", { "font-size": 13 });

  // Everything that depends on the case: shapes of solids, forces.
  function setCase(index) {
    stage.index = index;
    stage.one = data.cases[index];
    stage.figure = data.figures[stage.one.figure];
    stage.frame = Math.min(stage.frame, Math.max(0, stage.one.time.length - 1));
    stage.visible = scene.visible(data, stage.one);
    stage.solids = stage.figure.bodies.flatMap((body, b) => body.solids.map((solid) => ({ ...solidShape(solid, stage.figure.meshes), solid, body: b })));
    stage.surfaces = stage.figure.surfaces.map(surfaceShape);
    stage.allForces = stage.visible ? scene.forces(data, stage.one) : [];
    stage.paint = paintsOf(stage);
    root.setAttribute("aria-label", "Moving figure of " + (stage.figure.bodies.length - 1) + " bodies");
    if (stage.figure.planar) turnTo("side");
    later(arrange);
  }

  // Several wishes at once are drawn once: at the end of the task, or when somebody asks for what is drawn.
  const wishes = [];
  function later(act) {
    if (!wishes.length) queueMicrotask(settle);
    if (!wishes.includes(act)) wishes.push(act);
  }
  function settle() {
    const act = [arrange, fit, look, draw].find((wish) => wishes.includes(wish));
    wishes.length = 0;
    if (act) act();
  }

  // Everything that depends on what is shown: lengths of arrows, ground, framing.
  function arrange() {
    if (!stage.visible) return draw();
    const count = stage.one.time.length;
    stage.forces = scene.shownForces(stage.allForces, stage.layers);
    stage.arrowScale = scene.forceScale(stage.forces, scene.signHeight(data, stage.one), count);
    stage.momentScale = scene.moment.scale(data, stage.one, scene.signHeight(data, stage.one));
    stage.box = scene.box(data, stage.one, count, { layers: stage.layers, follow: stage.follow });
    stage.grounds = scene.ground(data, stage.one, stage.follow ? scene.box(data, stage.one, count, { arrows: false }) : stage.box);
    return fit();
  }

  // Frames the whole from where the camera stands.
  function fit() {
    if (!stage.visible) return look();
    [stage.zoom, stage.shift] = [1, [0, 0]];
    turn();
    const { right, up, toward } = stage.camera;
    const { low, high } = scene.box(data, stage.one, stage.one.time.length, { layers: stage.layers, follow: stage.follow, near: stage.near, axes: [right, up, toward] });
    // A figure that is followed needs room around it, in which the world can be seen to pass.
    const room = stage.follow ? 1.35 : 1.08;
    const least = 0.05 * stage.figure.height || 1;
    stage.size = [0, 1].map((i) => room * Math.max(high[i] - low[i], least));
    stage.middle = [right, up, toward].reduce((sum, axis, i) => plus(sum, scaled(axis, (low[i] + high[i]) / 2)), [0, 0, 0]);
    return look();
  }

  function turn() {
    const cosine = Math.cos(stage.pitch);
    const direction = stage.view ? scene.VIEWS[stage.view] : [Math.sin(stage.yaw) * cosine, Math.sin(stage.pitch), Math.cos(stage.yaw) * cosine];
    stage.camera = scene.cameraToward(stage.figure, direction);
  }

  // Everything that depends on the view and the size of the picture. Turning keeps the scale.
  function look() {
    stage.width = Math.max(200, holder.clientWidth || 800);
    stage.height = Math.max(150, holder.clientHeight || 450);
    root.setAttribute("viewBox", "0 0 " + stage.width + " " + stage.height);
    if (!stage.visible) return draw();
    turn();
    const tallest = stage.height - STAGE_RIM.top - STAGE_RIM.bottom;
    stage.scale = stage.zoom * Math.min((stage.width - 2 * STAGE_RIM.side) / stage.size[0], tallest / stage.size[1]);
    stage.rows = [scaled(stage.camera.right, stage.scale), scaled(stage.camera.up, stage.scale)];
    return draw();
  }

  // Where the origin of the world is in the picture at this frame.
  function originNow() {
    const middle = stage.follow ? plus(stage.middle, scene.centre(data, stage.one, stage.frame)) : stage.middle;
    const [x, y] = stage.rows.map((row) => dot(row, middle));
    return [stage.width / 2 + stage.shift[0] - x, STAGE_RIM.top + (stage.height - STAGE_RIM.top - STAGE_RIM.bottom) / 2 + stage.shift[1] + y];
  }

  function draw() {
    const began = performance.now();
    stage.hits = [];
    stage.drawn = { arrows: [], boxes: [], moments: [], soft: [], paths: [], words: [] };
    moving.replaceChildren();
    rim.replaceChildren();
    if (!stage.visible) {
      still.replaceChildren();
      return;
    }
    stage.origin = originNow();
    stage.screen = (p) => [stage.origin[0] + dot(stage.rows[0], p), stage.origin[1] - dot(stage.rows[1], p)];
    drawStill();
    drawGround(stage, moving);
    // What stays in the world lies over the ground and under the figure.
    moving.appendChild(still);
    drawPressure(stage, moving);
    drawFigure(stage, moving);
    drawSoft(stage, moving);
    drawArrows(stage, moving);
    drawMoments(stage, moving);
    drawMargin(stage, rim);
    stage.drawMs = performance.now() - began;
  }

  // Ghosts and trails stay where they are in the world: drawn anew only when view, case or layers change, else moved.
  let stillKey = "";
  function drawStill() {
    const ghosts = stage.layers.ghosts ? stage.ghosts : [];
    const key = JSON.stringify([stage.index, stage.rows, stage.scheme, ghosts, stage.layers, stage.width, stage.height]);
    if (key !== stillKey) {
      stillKey = key;
      stage.stillOrigin = stage.origin;
      still.replaceChildren();
      drawTrails(stage, still);
      ghosts.forEach((ghost) => drawGhost(stage, still, ghost));
    }
    const [x, y] = stage.origin.map((at, i) => at - stage.stillOrigin[i]);
    still.setAttribute("transform", "translate(" + x.toFixed(2) + " " + y.toFixed(2) + ")");
  }

  function turnTo(name) {
    stage.view = name;
    const [f, u, r] = scene.VIEWS[name];
    stage.yaw = Math.atan2(f, r);
    stage.pitch = Math.asin(u / Math.hypot(f, u, r));
  }

  // Enlarges the picture about a place (px), which stays where it is.
  function zoomBy(factor, [x, y]) {
    const before = stage.zoom;
    stage.zoom = Math.max(0.2, Math.min(50, before * factor));
    const about = [x - stage.width / 2, y - STAGE_RIM.top - (stage.height - STAGE_RIM.top - STAGE_RIM.bottom) / 2];
    stage.shift = about.map((at, i) => at + ((stage.shift[i] - at) * stage.zoom) / before);
    look();
  }

  const stop = listenToPointer();

  // Drag turns a spatial figure and moves a planar one; with Shift it moves both. The wheel scrolls the page until the figure was clicked.
  function listenToPointer() {
    let [last, clicked] = [null, false];
    const at = (event) => {
      const bounds = root.getBoundingClientRect();
      return [event.clientX - bounds.left, event.clientY - bounds.top];
    };
    const down = (event) => {
      if (event.button === 0) [last, clicked] = [at(event), true];
    };
    const outside = (event) => {
      if (!holder.contains(event.target)) clicked = false;
    };
    const move = (event) => {
      const now = at(event);
      if (!last || !(event.buttons & 1)) {
        last = null;
        if (options.onPick) options.onPick(pick(...now));
        return;
      }
      const [dx, dy] = [now[0] - last[0], now[1] - last[1]];
      last = now;
      if (stage.figure.planar || event.shiftKey) stage.shift = [stage.shift[0] + dx, stage.shift[1] + dy];
      else {
        stage.view = "";
        stage.yaw -= dx * 0.008;
        stage.pitch = Math.max(-1.55, Math.min(1.55, stage.pitch + dy * 0.008));
      }
      look();
    };
    const leave = () => options.onPick && options.onPick(null);
    const wheel = (event) => {
      if (!event.ctrlKey && !clicked) return;
      event.preventDefault();
      zoomBy(Math.exp(-0.0015 * event.deltaY), at(event));
    };
    root.addEventListener("pointerdown", down);
    root.addEventListener("pointermove", move);
    root.addEventListener("pointerleave", leave);
    root.addEventListener("wheel", wheel, { passive: false });
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }

  // The last thing drawn at a place is the one on top.
  function pick(x, y) {
    for (let i = (stage.hits || []).length - 1; i >= 0; i--) {
      const hit = stage.hits[i];
      if (hit.at([x, y])) return { kind: hit.kind, index: hit.index, label: hit.label, text: hit.read ? hit.read([x, y]) : hit.text };
    }
    return null;
  }

  // The picture as the text of an SVG file of its own.
  function fileText(width, height) {
    const copy = root.cloneNode(true);
    copy.setAttribute("xmlns", SVG_SPACE);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    copy.setAttribute("font-family", "Liberation Sans, Arial, Helvetica, sans-serif");
    const ground = svg(null, "rect", { width: "100%", height: "100%", fill: scene.palette(stage.scheme).stage });
    copy.insertBefore(ground, copy.firstChild);
    return new XMLSerializer().serializeToString(copy);
  }

  turnTo("oblique");
  setCase(stage.index);
  settle();
  return {
    setCase,
    show(frame) {
      stage.frame = frame;
      if (wishes.length) later(draw);
      else draw();
    },
    layers(set) {
      const changed = Object.keys(set || {}).some((key) => stage.layers[key] !== set[key]);
      if (changed) {
        Object.assign(stage.layers, set);
        later(arrange);
      }
      return { ...stage.layers };
    },
    ghosts(list) {
      stage.ghosts = list;
      later(draw);
    },
    view(name) {
      if (name && scene.VIEWS[name] && !stage.figure.planar) {
        turnTo(name);
        later(fit);
      }
      return stage.view;
    },
    fit(near = false) {
      stage.near = near;
      later(fit);
    },
    follow(on) {
      stage.follow = on;
      later(arrange);
    },
    pick(x, y) {
      settle();
      return pick(x, y);
    },
    picture(width, height) {
      settle();
      return imageOf(fileText(width, height), width, height);
    },
    dataURL() {
      settle();
      return "data:image/svg+xml;charset=utf-8," + encodeURIComponent(fileText(stage.width, stage.height));
    },
    positions() {
      settle();
      return { ...scene.positions(data, stage.one, stage.frame), soft: stage.drawn.soft };
    },
    moments() {
      settle();
      return stage.drawn.moments;
    },
    paths() {
      settle();
      return stage.drawn.paths;
    },
    arrows() {
      settle();
      return stage.drawn.arrows;
    },
    boxes() {
      settle();
      return stage.drawn.boxes;
    },
    scheme(name) {
      stage.scheme = name;
      stage.paint = paintsOf(stage);
      settle();
      draw();
    },
    resize: () => later(look),
    stats() {
      settle();
      return { kind: "plain", software: false, drawMs: stage.drawMs, contextMs: 0 };
    },
    dispose() {
      wishes.length = 0;
      stop();
      root.remove();
    },
  };
};

// The text of an SVG file as a PNG.
function imageOf(text, width, height) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [width, height];
      canvas.getContext("2d").drawImage(image, 0, 0, width, height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))), "image/png");
    };
    image.onerror = () => reject(new Error("the picture could not be made"));
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  });
}
