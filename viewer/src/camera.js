// Where the viewer stands: direction by two angles about the upward direction, distance, and the place looked at. Spatial figures are seen
// in perspective, planar ones in parallel projection from the side.

import { OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { shared } from "./shared.js";

const OPENING = 28; // degrees, of the height of the picture
// Room beside the figure, as a part of the half width, and above and below it in css px, where the legend stands.
const BESIDE = 1 / 1.08;
const ABOVE = 24;
const BELOW = 36;
const LEAST = 0.75; // of the half height, in a low picture
const TAN = Math.tan((OPENING * Math.PI) / 360);

export class Viewpoint {
  constructor(figure) {
    this.figure = figure;
    this.flat = figure.planar;
    this.camera = this.flat ? new OrthographicCamera() : new PerspectiveCamera(OPENING);
    this.camera.matrixAutoUpdate = false;
    this.middle = [0, 0, 0];
    this.distance = 1;
    this.half = 1;
    this.width = this.height = 1;
    this.look(this.flat ? "side" : "oblique");
  }

  // A named view; what was moved by hand is forgotten.
  look(name) {
    const [forward, up, right] = shared().VIEWS[name];
    this.name = name;
    // From straight above or below, forward is up the picture.
    this.azimuth = forward === 0 && right === 0 ? (-Math.sign(up) * Math.PI) / 2 : Math.atan2(forward, right);
    this.elevation = Math.atan2(up, Math.hypot(forward, right));
    this.framed = true;
  }

  // Directions of the picture in world axes: to its right, up, and toward the viewer.
  get axes() {
    const { cross, plus, scaled } = shared().vector;
    const { forward, up, right } = this.figure;
    const level = plus(scaled(forward, Math.sin(this.azimuth)), scaled(right, Math.cos(this.azimuth)));
    const toward = plus(scaled(level, Math.cos(this.elevation)), scaled(up, Math.sin(this.elevation)));
    const across = cross(up, level);
    return { right: across, up: cross(toward, across), toward };
  }

  turn(azimuth, elevation) {
    this.azimuth += azimuth;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + elevation));
  }

  // Nearer by a factor; a point of the picture (css px) stays where it is.
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const shift = (1 - 1 / factor) / this.pixels;
    this.slide((x - this.width / 2) * shift, (this.height / 2 - y) * shift);
    this.distance /= factor;
    this.half /= factor;
    this.framed = false;
  }

  // Moves the place looked at, in metres to the right and up of the picture.
  slide(right, up) {
    const { plus, scaled } = shared().vector;
    const axes = this.axes;
    this.middle = plus(this.middle, plus(scaled(axes.right, right), scaled(axes.up, up)));
    this.framed = false;
  }

  // Looks at a box from where all its corners are seen, with room for the legend. A corner at x across, y up and z toward the viewer from the
  // place (cx, cy) looked at is seen from the distance d where |x - cx| w + z <= d, (y - cy) t + z <= d and (cy - y) b + z <= d, with
  // w, t, b the slopes of the rims of the picture. In parallel projection z counts nothing and d is half the height over TAN.
  frame(box) {
    const { dot, plus, scaled } = shared().vector;
    const axes = this.axes;
    const part = (pixels) => Math.max(LEAST, 1 - (2 * pixels) / this.height);
    const [w, t, b] = [(BESIDE * this.width) / this.height, part(ABOVE), part(BELOW)].map((rim) => 1 / (TAN * rim));
    const most = { right: -Infinity, left: -Infinity, top: -Infinity, bottom: -Infinity };
    for (let n = 0; n < 8; n++) {
      const corner = [0, 1, 2].map((i) => ((n >> i) & 1 ? 0.5 : -0.5) * (box.high[i] - box.low[i]));
      const [x, y, toward] = [axes.right, axes.up, axes.toward].map((axis) => dot(axis, corner));
      const z = this.flat ? 0 : toward;
      most.right = Math.max(most.right, x * w + z);
      most.left = Math.max(most.left, -x * w + z);
      most.top = Math.max(most.top, y * t + z);
      most.bottom = Math.max(most.bottom, -y * b + z);
    }
    const across = (most.right + most.left) / 2;
    const upright = (most.top * b + most.bottom * t) / (t + b);
    this.distance = Math.max(across, upright, 0.05 * this.figure.height);
    this.half = this.distance * TAN;
    const cx = (most.right - most.left) / (2 * w);
    // Where the width decides, the height has room to spare: half of it above.
    const cy = ((most.top - this.distance) / t + (this.distance - most.bottom) / b) / 2;
    const middle = box.low.map((x, i) => (x + box.high[i]) / 2);
    this.middle = plus(middle, plus(scaled(axes.right, cx), scaled(axes.up, cy)));
    this.framed = true;
  }

  // Pixels of the page per metre at the place looked at.
  get pixels() {
    return this.height / (2 * (this.flat ? this.half : this.distance * TAN));
  }

  // Sets the camera; `centre` is added to the place looked at.
  apply(centre) {
    const { plus, scaled } = shared().vector;
    const { camera } = this;
    const { right, up, toward } = this.axes;
    const H = this.figure.height;
    const target = plus(this.middle, centre);
    const away = this.flat ? 20 * H + this.half : this.distance;
    const eye = plus(target, scaled(toward, away));
    const R = [right, up, toward];
    camera.matrix.set(...[0, 1, 2].flatMap((i) => [R[0][i], R[1][i], R[2][i], eye[i]]), 0, 0, 0, 1);
    camera.matrix.decompose(camera.position, camera.quaternion, camera.scale);
    camera.near = this.flat ? 0 : 0.02 * away;
    camera.far = away + 40 * H;
    if (this.flat) {
      const wide = (this.half * this.width) / this.height;
      Object.assign(camera, { left: -wide, right: wide, top: this.half, bottom: -this.half });
    } else camera.aspect = this.width / this.height;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld(true);
    this.target = target;
    this.eye = eye;
  }

  // A place of the world on the page: css px from the upper left corner of the stage.
  screen(place) {
    const at = new Vector3(...place).project(this.camera);
    return [((at.x + 1) / 2) * this.width, ((1 - at.y) / 2) * this.height];
  }
}
