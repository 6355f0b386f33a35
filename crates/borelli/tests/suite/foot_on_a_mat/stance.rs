//! A foot of ellipsoids along a stance, by closed forms of its own: forces, centre of pressure, friction, spin, pressures of a mat.
//! Not here: the engine, of which nothing is used; how data are made (`making`). In: ellipsoids, coordinates at even samples. Out: loads and maps.
//!
//! Axes as the source: x right, y forward, z up. With S = diag(a, b, c), n the vertical in the axes of an ellipsoid, h = |S n|, d = 1 - z/h for its centre at
//! height z:
//!
//!     V = abc π d² (3 - d)/3,   c = -¾ (2 - d)²/(3 - d) S²n/h,   F = k V max(0, 1 - a v)
//!     J from M = abc [J_t (S² - S n n'S²../h²) + σ² g g'],   τ = -k a (tr M - M) ω_t,   friction F µ tanh(4 |v_t|/0.01) against v_t
//!     spin: F r_g µ tanh(4 r_g |ω_n|/0.01) against ω_n,  r_g² = tr M/V
//!
//! Pressure: k times the chord of a vertical below the floor, times max(0, 1 - a v) there.

pub type V3 = [f64; 3];
pub type M3 = [V3; 3];

const TRANSITION: f64 = 0.01;
/// Corner of the mat, right and forward, cells and their size.
const CORNER: [f64; 2] = [-0.045, -0.02];
pub const CELLS: [usize; 2] = [39, 16];
pub const PITCH: f64 = 0.0075;
const PI: f64 = std::f64::consts::PI;

fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scale(a: V3, s: f64) -> V3 {
    a.map(|x| x * s)
}

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Matrices by rows.
fn mul(a: M3, b: M3) -> M3 {
    let column = |k: usize| [b[0][k], b[1][k], b[2][k]];
    a.map(|row| [dot(row, column(0)), dot(row, column(1)), dot(row, column(2))])
}

fn on(a: M3, v: V3) -> V3 {
    a.map(|row| dot(row, v))
}

fn transposed(a: M3) -> M3 {
    [[a[0][0], a[1][0], a[2][0]], [a[0][1], a[1][1], a[2][1]], [a[0][2], a[1][2], a[2][2]]]
}

fn turn(axis: usize, angle: f64) -> M3 {
    let (s, c) = angle.sin_cos();
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut m = [[0.0; 3]; 3];
    m[axis][axis] = 1.0;
    (m[j][j], m[j][k], m[k][j], m[k][k]) = (c, -s, s, c);
    m
}

fn xyz(angles: V3) -> M3 {
    mul(mul(turn(0, angles[0]), turn(1, angles[1])), turn(2, angles[2]))
}

/// An ellipsoid on foot or toes.
#[derive(Clone, Copy)]
pub struct Ellipsoid {
    pub axes: V3,
    pub place: V3,
    pub angles: V3,
    pub on_toes: bool,
}

/// A foot: its ellipsoids, stiffness and damping of their beds, friction.
#[derive(Clone)]
pub struct Foot {
    pub list: Vec<Ellipsoid>,
    pub stiffness: f64,
    pub damping: f64,
    pub friction: f64,
}

/// Table 5.6 of the source, with the friction of a bare foot on tiles.
pub fn three() -> Foot {
    let one = |axes: V3, place: V3, angles: V3, on_toes| Ellipsoid { axes, place, angles, on_toes };
    let list = vec![
        one([0.0354, 0.054, 0.0226], [0.0037, 0.0479, 0.0004], [0.329, 0.201, 0.101], false),
        one([0.0632, 0.0338, 0.024], [0.02, 0.167, -0.0006], [-0.235, 0.191, 0.528], false),
        one([0.0182, 0.0186, 0.0132], [0.011, 0.01, -0.019], [0.339, 1.23, 0.454], true),
    ];
    Foot { list, stiffness: 1.6e7, damping: 0.565, friction: 0.65 }
}

/// Table 5.4, where the source begins.
pub fn guess() -> Foot {
    let one = |axes: V3, place: V3, angles: V3, on_toes| Ellipsoid { axes, place, angles, on_toes };
    let list = vec![
        one([0.03, 0.05, 0.03], [0.0, 0.03, -0.015], [0.0, 0.15, 0.0], false),
        one([0.06, 0.03, 0.03], [0.01, 0.17, -0.013], [0.0, 0.2, 0.5], false),
        one([0.02, 0.02, 0.02], [0.0, 0.015, -0.013], [0.0, 0.0, 0.0], true),
    ];
    Foot { list, stiffness: 1e7, damping: 1.0, friction: 0.1 }
}

/// The same with the lateral edge of the midfoot: our own.
pub fn four() -> Foot {
    let edge = Ellipsoid { axes: [0.016, 0.045, 0.022], place: [-0.016, 0.108, -0.004], angles: [0.05, -0.1, -0.1], on_toes: false };
    let mut foot = three();
    foot.list.push(edge);
    foot
}

/// What the floor does to the foot.
#[derive(Clone, Copy, Default, Debug)]
pub struct Load {
    pub force: V3,
    /// Centre of pressure, right and forward, m.
    pub centre: [f64; 2],
    /// Moment about the vertical through it, N m.
    pub spin: f64,
}

/// An ellipsoid at an instant.
struct Seat {
    axes: V3,
    turned: M3,
    centre: V3,
    velocity: V3,
    angular: V3,
}

fn seats(list: &[Ellipsoid], q: [f64; 7], v: [f64; 7]) -> Vec<Seat> {
    let (rx, ry) = (turn(0, q[3]), turn(1, q[4]));
    let foot = mul(mul(rx, ry), turn(2, q[5]));
    let [ex, ey, ez] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let w_foot = add(scale(ex, v[3]), add(scale(on(rx, ey), v[4]), scale(on(mul(rx, ry), ez), v[5])));
    let (p, pv) = ([q[0], q[1], q[2]], [v[0], v[1], v[2]]);
    let hinge = mul(foot, xyz([2.72, -0.2, -2.89]));
    let toes = mul(hinge, turn(0, q[6]));
    let w_toes = add(w_foot, scale(on(hinge, ex), v[6]));
    let arm = on(foot, [0.0468, 0.2059, -0.0171]);
    let seat = |own: &Ellipsoid| {
        let (base, base_v, segment, angular) =
            if own.on_toes { (add(p, arm), add(pv, cross(w_foot, arm)), toes, w_toes) } else { (p, pv, foot, w_foot) };
        let reach = on(segment, own.place);
        Seat {
            axes: own.axes,
            turned: mul(segment, xyz(own.angles)),
            centre: add(base, reach),
            velocity: add(base_v, cross(angular, reach)),
            angular,
        }
    };
    list.iter().map(seat).collect()
}

/// What the floor does to the foot at coordinates and speeds right, forward, up, rx, ry, rz, toe.
pub fn load(foot: &Foot, q: [f64; 7], v: [f64; 7]) -> Load {
    let (mut force, mut moment) = ([0.0; 3], [0.0; 3]);
    for seat in seats(&foot.list, q, v) {
        let up = [0.0, 0.0, 1.0];
        let n = on(transposed(seat.turned), up);
        let stretch = |v: V3| [seat.axes[0] * v[0], seat.axes[1] * v[1], seat.axes[2] * v[2]];
        let sn = stretch(n);
        let h = dot(sn, sn).sqrt();
        let d = 1.0 - seat.centre[2] / h;
        if d <= 0.0 {
            continue;
        }
        assert!(d < 2.0, "an ellipsoid is wholly in the floor");
        let abc = seat.axes[0] * seat.axes[1] * seat.axes[2];
        let volume = abc * PI * d * d * (3.0 - d) / 3.0;
        let ns = scale(sn, 1.0 / h);
        let sns = stretch(ns);
        let c = on(seat.turned, scale(sns, -0.75 * (2.0 - d).powi(2) / (3.0 - d)));
        let (jt, u0) = (PI * d.powi(3) * (3.0 * d * d - 15.0 * d + 20.0) / 60.0, 1.0 - d);
        // σ² = ∫ π (1 - u²) u² du - V c².
        let cap = PI * d * d * (3.0 - d) / 3.0;
        let middle = 0.75 * (2.0 - d).powi(2) / (3.0 - d);
        let spread = PI * ((1.0 - u0.powi(3)) / 3.0 - (1.0 - u0.powi(5)) / 5.0) - cap * middle * middle;
        let g = sub(sns, scale(n, dot(n, sns)));
        let mut m = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                let s2 = if i == j { seat.axes[i] * seat.axes[i] } else { 0.0 };
                m[i][j] = abc * (jt * (s2 - sns[i] * sns[j]) + spread * g[i] * g[j]);
            }
        }
        let m = mul(mul(seat.turned, m), transposed(seat.turned));
        let trace = m[0][0] + m[1][1] + m[2][2];
        let at = add(seat.centre, c);
        let speed = add(seat.velocity, cross(seat.angular, c));
        let damped = 1.0 - foot.damping * speed[2];
        let normal = foot.stiffness * volume * damped.max(0.0);
        let rolling = [seat.angular[0], seat.angular[1], 0.0];
        let resist = sub(scale(rolling, trace), on(m, rolling));
        let couple = if damped > 0.0 { scale(resist, -foot.stiffness * foot.damping) } else { [0.0; 3] };
        let slip = speed[0].hypot(speed[1]);
        let rub = if slip > 0.0 { -foot.friction * normal * (4.0 * slip / TRANSITION).tanh() / slip } else { 0.0 };
        let f = [rub * speed[0], rub * speed[1], normal];
        let r_g = (trace / volume).sqrt();
        let w = seat.angular[2];
        let spin = -normal * r_g * foot.friction * (4.0 * r_g * w.abs() / TRANSITION).tanh() * w.signum();
        force = add(force, f);
        moment = add(moment, add(cross(at, f), add(couple, [0.0, 0.0, spin])));
    }
    let centre = if force[2] > 0.0 { [-moment[1] / force[2], moment[0] / force[2]] } else { [0.0; 2] };
    Load { force, centre, spin: moment[2] - (centre[0] * force[1] - centre[1] * force[0]) }
}

/// Mean pressures of the cells of the mat, Pa: along forward, then right; three by three points each.
pub fn pressures(foot: &Foot, q: [f64; 7], v: [f64; 7]) -> Vec<f64> {
    let seats = seats(&foot.list, q, v);
    let mut cells = vec![0.0; CELLS[0] * CELLS[1]];
    for (cell, mean) in cells.iter_mut().enumerate() {
        for point in 0..9 {
            let along = |k: usize, corner: f64, part: usize| corner + PITCH * (k as f64 + (part as f64 + 0.5) / 3.0);
            let x = [along(cell % CELLS[1], CORNER[0], point % 3), along(cell / CELLS[1], CORNER[1], point / 3), 0.0];
            for seat in &seats {
                let shrink = |v: V3| [v[0] / seat.axes[0], v[1] / seat.axes[1], v[2] / seat.axes[2]];
                let into = transposed(seat.turned);
                let (w, m) = (shrink(on(into, sub(x, seat.centre))), shrink(on(into, [0.0, 0.0, 1.0])));
                let (a, b, c) = (dot(m, m), dot(w, m), dot(w, w) - 1.0);
                let square = b * b - a * c;
                if square <= 0.0 {
                    continue;
                }
                let [low, high] = [(-b - square.sqrt()) / a, (-b + square.sqrt()) / a].map(|z| z.min(0.0));
                let speed = add(seat.velocity, cross(seat.angular, sub(x, seat.centre)));
                *mean += foot.stiffness * (high - low) * (1.0 - foot.damping * speed[2]).max(0.0) / 9.0;
            }
        }
    }
    cells
}

/// Slopes and values between of the cubic spline through even samples, without a knot at the second and last but one.
pub struct Spline {
    pub step: f64,
    pub values: Vec<f64>,
    /// Second derivatives.
    bends: Vec<f64>,
}

impl Spline {
    pub fn new(step: f64, values: &[f64]) -> Spline {
        let n = values.len();
        // Rows of four: below, on, above the diagonal, right side; third derivatives are equal at the second knots from the ends.
        let right = |k: usize| 6.0 * (values[k - 1] - 2.0 * values[k] + values[k + 1]) / (step * step);
        let mut bends = vec![0.0; n];
        // M_0 = 2 M_1 - M_2 makes the first inner row 6 M_1 = right, and so at the end.
        let (mut diagonal, mut rhs) = (vec![4.0; n], (0..n).map(|k| if k > 0 && k + 1 < n { right(k) } else { 0.0 }).collect::<Vec<_>>());
        let mut above = vec![1.0; n];
        (diagonal[1], above[1]) = (6.0, 0.0);
        for k in 2..n - 1 {
            let (below, own) = if k == n - 2 { (0.0, 6.0) } else { (1.0, 4.0) };
            let factor = below / diagonal[k - 1];
            diagonal[k] = own - factor * above[k - 1];
            rhs[k] -= factor * rhs[k - 1];
        }
        bends[n - 2] = rhs[n - 2] / diagonal[n - 2];
        for k in (1..n - 2).rev() {
            bends[k] = (rhs[k] - above[k] * bends[k + 1]) / diagonal[k];
        }
        bends[0] = 2.0 * bends[1] - bends[2];
        bends[n - 1] = 2.0 * bends[n - 2] - bends[n - 3];
        Spline { step, values: values.to_vec(), bends }
    }

    /// Value and slope at a time.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let k = ((t / self.step) as usize).min(self.values.len() - 2);
        let (h, u) = (self.step, t / self.step - k as f64);
        let (y0, y1, m0, m1) = (self.values[k], self.values[k + 1], self.bends[k], self.bends[k + 1]);
        let w = 1.0 - u;
        let value = w * y0 + u * y1 + h * h / 6.0 * ((w * w * w - w) * m0 + (u * u * u - u) * m1);
        let slope = (y1 - y0) / h + h / 6.0 * ((1.0 - 3.0 * w * w) * m0 + (3.0 * u * u - 1.0) * m1);
        (value, slope)
    }

    /// Integral from the start to a sample.
    pub fn integral(&self, sample: usize) -> f64 {
        let h = self.step;
        (0..sample).map(|k| h / 2.0 * (self.values[k] + self.values[k + 1]) - h.powi(3) / 24.0 * (self.bends[k] + self.bends[k + 1])).sum()
    }
}

/// Coordinates at even samples, sample by sample.
pub type Motion = Vec<[f64; 7]>;

pub const STEP: f64 = 1.0 / 128.0;

/// Slopes of the splines through a motion.
pub fn speeds(motion: &Motion) -> Motion {
    let mut speeds = vec![[0.0; 7]; motion.len()];
    for k in 0..7 {
        let spline = Spline::new(STEP, &motion.iter().map(|row| row[k]).collect::<Vec<_>>());
        speeds.iter_mut().enumerate().for_each(|(sample, row)| row[k] = spline.at(sample as f64 * STEP).1);
    }
    speeds
}
