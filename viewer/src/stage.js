// The stage in space: what the page calls. It draws on demand only, once at the end of the task in which something changed.

import { Fog, Group, Scene } from "three";
import { Viewpoint } from "./camera.js";
import { Controls } from "./controls.js";
import { Ghosts } from "./ghosts.js";
import { colourOf, forms } from "./instances.js";
import { forceText, legend } from "./legend.js";
import { Lights } from "./light.js";
import { Model } from "./model.js";
import { paintCanvas, paintSvg } from "./paint.js";
import { pick } from "./pick.js";
import { Quality } from "./quality.js";
import { makeRenderer } from "./renderer.js";
import { Run } from "./run.js";
import { shared } from "./shared.js";
import { signs } from "./signs.js";

const LAYERS = { forces: true, jointForces: false, moments: false, ghosts: false, names: false, centers: false, muscles: false, pressure: true, markers: true, trace: null, contacts: true, soft: null };
// Poses over the time where the page has chosen none.
const GHOSTS = 7;
// More lines of pull than this have no room for their names.
const MOST_NAMES = 16;
// Fog over the ground, in heights of the figure behind the place looked at.
const FOG = [0.9, 3.2];

class Stage {
  constructor(element, data, { scheme = "light", onPick = () => {}, onContextLost = () => {} } = {}) {
    Object.assign(this, { element, data, onPick, tone: scheme, models: new Map(), set: { ...LAYERS }, wanted: null, followed: null, frame: 0, drawMs: 0, alive: true });
    Object.assign(this, makeRenderer());
    this.canvas = this.renderer.domElement;
    this.canvas.style.cssText = "position:absolute;inset:0;width:100%;height:100%;display:block";
    this.sheet = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.sheet.style.cssText = "position:absolute;inset:0;width:100%;height:100%;pointer-events:none;overflow:hidden";
    this.sheet.setAttribute("aria-hidden", "true");
    element.append(this.canvas, this.sheet);
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      if (this.alive) onContextLost();
    });
    this.scene = new Scene();
    this.scene.matrixWorldAutoUpdate = false;
    this.lights = new Lights(this.scene);
    this.forms = forms();
    this.pale = new Group();
    this.scene.add(this.pale);
    this.shades = new Ghosts(this.pale, data, (figure) => this.modelOf(figure));
    this.quality = new Quality(this.software, () => this.rest());
    this.controls = new Controls(this.canvas, () => this.viewpoint, {
      moved: () => this.touch(true),
      hover: (x, y) => this.point(x, y),
      leave: () => this.point(null),
      click: (x, y) => this.point(x, y),
    });
    // One that has samples, where there is one.
    this.setCase(Math.max(0, data.cases.findIndex((one) => one.time.length > 0)));
  }

  modelOf(figure) {
    if (!this.models.has(figure)) this.models.set(figure, new Model(this.data.figures[figure]));
    return this.models.get(figure);
  }

  // ---- What the page chooses

  setCase(index) {
    if (this.run && index === this.index) return;
    const before = this.viewpoint;
    const { figure } = this.data.cases[index];
    if (this.run) this.run.dispose();
    this.index = index;
    this.label = null;
    this.run = new Run(this.scene, this.forms, this.data, index, this.modelOf(figure), this.set, this.followed);
    this.frame = Math.max(0, Math.min(this.frame, this.run.frames - 1));
    this.viewpoint = new Viewpoint(this.run.figure);
    if (before && before.flat === this.viewpoint.flat) this.viewpoint.look(before.name);
    this.lights.stand(this.run.figure);
    this.scene.fog = this.viewpoint.flat ? null : new Fog("#FFFFFF");
    this.resize();
    this.dress();
    this.fit();
  }

  show(frame) {
    this.frame = Math.max(0, Math.min(Math.round(frame), this.run.frames - 1));
    this.stale = true;
    this.touch(true);
  }

  layers(set) {
    Object.assign(this.set, set);
    this.dress();
    return { ...this.set };
  }

  ghosts(list) {
    this.wanted = list;
    this.dress();
  }

  view(name) {
    if (name !== undefined) {
      this.viewpoint.look(name);
      this.fit();
    }
    return this.viewpoint.name;
  }

  // Frames the whole, or what pulls and presses.
  fit(near = this.run.near) {
    if (near !== this.run.near) {
      this.run.near = near;
      this.run.boxOf = this.run.box();
    }
    this.viewpoint.frame(this.run.boxOf);
    this.touch(false);
  }

  follow(on) {
    this.followed = on;
    if (on === this.run.following) return;
    this.run.go(on);
    this.stale = true;
    this.fit();
  }

  scheme(name) {
    this.tone = name;
    this.dress();
  }

  // Colours and layers of everything that is there.
  dress() {
    const changed = this.run.dress(this.set, this.tone);
    const palette = shared().palette(this.tone);
    this.renderer.setClearColor(colourOf(palette.stage));
    if (this.scene.fog) this.scene.fog.color.copy(colourOf(palette.stage));
    const ghosts = this.set.ghosts ? this.wanted || shared().spread(this.run.frames, GHOSTS).map((frame) => ({ case: this.index, frame })) : [];
    this.shades.set(ghosts, this.tone);
    this.stale = true;
    if (changed && this.viewpoint.framed) this.viewpoint.frame(this.run.boxOf);
    this.touch(false);
  }

  resize() {
    const { width, height } = this.element.getBoundingClientRect();
    this.size(Math.max(1, width), Math.max(1, height));
    this.touch(false);
  }

  // The picture on the page has a size in css px; what was framed stays so.
  size(width, height) {
    const view = this.viewpoint;
    Object.assign(view, { width, height });
    if (view.framed) view.frame(this.run.boxOf);
  }

  // ---- Drawing

  // Something changed: draw at the end of this task. `moving`: in time or by hand, so that a slow renderer may draw coarsely.
  touch(moving) {
    if (moving) this.quality.moved();
    else this.quality.settle();
    if (this.waiting) return;
    this.waiting = true;
    queueMicrotask(() => {
      this.waiting = false;
      if (this.alive) this.draw();
    });
  }

  // Nothing has changed for a while: the same once more, finely.
  rest() {
    if (!this.alive || document.hidden) return;
    this.draw(this.quality.still(this.viewpoint.width, this.viewpoint.height));
  }

  // Brings the scene to the frame that is shown and to where the viewer stands.
  update() {
    if (this.stale) this.run.show(this.frame);
    this.stale = false;
    this.viewpoint.apply(this.run.centre(this.frame));
    this.lights.follow(this.viewpoint.axes);
    this.run.face(this.viewpoint);
    if (this.scene.fog) {
      const H = this.run.figure.height;
      Object.assign(this.scene.fog, { near: this.viewpoint.distance + FOG[0] * H, far: this.viewpoint.distance + FOG[1] * H });
    }
    this.scene.updateMatrixWorld();
  }

  draw(ratio = this.quality.ratio) {
    const start = performance.now();
    this.update();
    this.render(this.viewpoint.width, this.viewpoint.height, ratio);
    paintSvg(this.sheet, this.legend(), shared().palette(this.tone).stage);
    this.quality.drawn();
    this.drawMs = performance.now() - start;
  }

  render(width, height, ratio) {
    const { renderer, run } = this;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) renderer.setSize(w, h, false);
    run.trail.ratio = ratio;
    renderer.info.reset();
    renderer.clear();
    this.pass("floor");
    if (this.shades.any) this.pass("pale");
    renderer.clearDepth();
    const { pressure } = this.set;
    if (!pressure || !run.one.pressure.length) this.pass("carriers", "others");
    // Seen from above, the legs over a mat hide it and the foot on it does not; seen from below, nothing hides it.
    else if (run.above) ["carriers", "pressure", "others"].forEach((group) => this.pass(group));
    else [["carriers", "others"], ["pressure"]].forEach((groups) => this.pass(...groups));
    if (run.soft.key) this.pass("soft");
    this.pass("arrows");
  }

  // Draws some groups of the scene over what is there.
  pass(...names) {
    const groups = { ...this.run.groups, pale: this.pale };
    for (const [name, group] of Object.entries(groups)) group.visible = names.includes(name);
    this.renderer.render(this.scene, this.viewpoint.camera);
  }

  legend() {
    const { run, viewpoint, set } = this;
    const { figure, one, palette } = run;
    const ground = run.arrows.list.some((force) => force.kind !== "joint");
    const below = shared().apart(figure);
    const down = shared().vector.scaled(viewpoint.axes.up, -1);
    const named = figure.bodies.flatMap((body, b) => {
      if (!set.names || b === 0 || !run.view.nodes[b].visible) return [];
      const at = viewpoint.screen(run.view.drawnAt(b, body.center));
      if (below) at[1] += shared().extentAlong(this.data, one, b, this.frame, down) * viewpoint.pixels + 12;
      return [{ words: body.label, at, below }];
    });
    // Lines of pull too, at their middles, where they can be told apart.
    const lines = set.names && set.muscles ? run.paths.drawn.filter(({ kind }) => kind === "path") : [];
    if (lines.length <= MOST_NAMES) named.push(...lines.map(({ index, places }) => ({ words: figure.paths[index].label, at: viewpoint.screen(shared().midway(places)), below: false })));
    return legend({
      width: viewpoint.width,
      height: viewpoint.height,
      palette,
      figure,
      pixels: viewpoint.pixels,
      axes: viewpoint.axes,
      time: run.frames > 1 ? shared().clockText(one, one.time[this.frame]) : null,
      case: this.data.cases.length > 1 ? one.label || one.name : null,
      scale: run.arrows.list.length ? run.arrows.scale : null,
      forceColour: ground ? palette.ground : palette.joint,
      high: set.pressure ? run.pressure.high : 0,
      soft: run.soft.quantity,
      pulls: set.muscles ? shared().pull.bars(one) : [],
      names: named,
      cuts: run.arrows.drawn.filter((arrow) => arrow.cut).map(({ from, to, newtons }) => ({ from: viewpoint.screen(from), to: viewpoint.screen(to), words: forceText(newtons) })),
      label: this.label,
      signs: signs(this.data, one, figure, this.frame).map((sign) => ({ ...sign, places: sign.places.map((place) => viewpoint.screen(place)) })),
    });
  }

  // ---- Looking things up

  pick(x, y) {
    this.update();
    const { view, markers, joints, arrows, moments, paths, soft, figure } = this.run;
    return pick([x, y], this.viewpoint, { view, markers, joints, arrows, moments, paths, soft, figure });
  }

  // What the pointer is on; `x` null where it has left.
  point(x, y) {
    const found = x === null ? null : this.pick(x, y);
    if (found === null && this.label === null) return;
    this.label = found && { at: [x, y], words: found.label };
    this.onPick(found);
    paintSvg(this.sheet, this.legend(), shared().palette(this.tone).stage);
  }

  positions() {
    this.update();
    const { view, figure } = this.run;
    return {
      joints: figure.joints.map((joint) => view.placeOf(joint.child[0], joint.child.slice(1))),
      bodies: figure.bodies.map((_, b) => view.placeOf(b, [0, 0, 0])),
      soft: this.run.soft.drawn,
    };
  }

  arrows() {
    this.update();
    return this.run.arrows.drawn.map(({ force, newtons, from, to }) => ({ label: force.label, from: this.viewpoint.screen(from), to: this.viewpoint.screen(to), newtons }));
  }

  moments() {
    this.update();
    return this.run.moments.drawn.map(({ label, text, places }) => ({ label, text, places }));
  }

  paths() {
    this.update();
    return this.run.paths.drawn.filter(({ kind }) => kind === "path").map(({ index, places, colour }) => ({ index, places, colour }));
  }

  boxes() {
    this.update();
    const { view } = this.run;
    return view.flesh.flatMap((mesh, body) => {
      if (!mesh || !view.nodes[body].visible) return [];
      const places = mesh.geometry.getAttribute("position");
      const box = { body, x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
      for (let i = 0; i < places.count; i++) {
        const at = [places.getX(i), places.getY(i), places.getZ(i)];
        const [x, y] = this.viewpoint.screen(view.drawnAt(body, at));
        box.x0 = Math.min(box.x0, x);
        box.y0 = Math.min(box.y0, y);
        box.x1 = Math.max(box.x1, x);
        box.y1 = Math.max(box.y1, y);
      }
      return [box];
    });
  }

  stats() {
    const { triangles, calls } = this.renderer.info.render;
    return { kind: "three", software: this.software, drawMs: this.drawMs, contextMs: this.contextMs, triangles, calls, ratio: this.canvas.width / this.viewpoint.width };
  }

  // ---- Saved pictures

  // The present picture with its legend on a canvas of some pixels, all within this task. The legend keeps its proportion to the figure, or is `larger`.
  still(width, height, larger = 1) {
    const { width: before, height: tall } = this.viewpoint;
    const scale = larger * Math.min(width / before, height / tall);
    const most = this.renderer.capabilities.maxTextureSize;
    const finer = this.software && Math.max(width, height) * 2 <= most ? 2 : 1;
    this.size(width / scale, height / scale);
    this.update();
    this.render(width, height, finer);
    const paper = Object.assign(document.createElement("canvas"), { width, height });
    const context = paper.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, 0, 0, width, height);
    context.scale(scale, scale);
    const { label } = this;
    this.label = null;
    paintCanvas(context, this.legend(), shared().palette(this.tone).stage);
    this.label = label;
    this.size(before, tall);
    this.draw();
    return paper;
  }

  picture(width, height) {
    return new Promise((done) => this.still(width, height).toBlob(done, "image/png"));
  }

  // `larger`: of words and signs, for paper on which the picture is smaller than here.
  dataURL(larger = 1) {
    return this.still(Math.round(2 * this.viewpoint.width), Math.round(2 * this.viewpoint.height), larger).toDataURL("image/png");
  }

  dispose() {
    this.alive = false;
    for (const part of [this.quality, this.controls, this.run, this.shades, this.lights, ...this.models.values()]) part.dispose();
    for (const form of Object.values(this.forms)) form.dispose();
    this.renderer.dispose();
    if (!this.renderer.getContext().isContextLost()) this.renderer.forceContextLoss();
    this.canvas.remove();
    this.sheet.remove();
  }
}

export const mount = (element, data, options) => new Stage(element, data, options);
