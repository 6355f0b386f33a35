//! Made-up soft parts for tests of files and pages: a block that is bent, turned and carried along, and a ring pressed from inside.
//! Their shapes and stresses are given by formulas, so that peaks are known without any file or page.

use borelli_dynamics::coupled::{Converged, Iteration};
use borelli_study::soft_record::{SoftArc, SoftArcFrame, SoftBody, SoftBodyFrame, SoftFrame, SoftRecord};
use std::f64::consts::PI;

/// No soft parts.
pub static NONE: SoftRecord = SoftRecord { bodies: Vec::new(), arcs: Vec::new(), frames: Vec::new(), steps: Vec::new() };

/// Ten steps; the sixth is hard, is cut once and falls with the exponent 2 after a contact changed.
fn steps() -> Vec<Converged> {
    let iteration = |open: f64, changed: usize, renewed: bool| Iteration { open, rounding: 1e-9, changed, renewed };
    let easy = vec![iteration(10.0, 0, true), iteration(0.5, 0, false), iteration(1e-7, 0, false)];
    let hard = [(1e3, 0), (100.0, 2), (1.0, 0), (1e-4, 0), (1e-12, 0)].map(|(open, changed)| iteration(open, changed, true));
    let step = |k: usize| match k {
        5 => Converged { at: 0.6, attempts: 2, iterations: hard.to_vec() },
        _ => Converged { at: 0.1 * (k + 1) as f64, attempts: 1, iterations: easy.clone() },
    };
    (0..10).map(step).collect()
}

/// Length and height of the block, m.
pub const BLOCK: [f64; 2] = [0.08, 0.02];
/// Stiffness of both, Pa, and ratio of Poisson.
pub const STIFFNESS: f64 = 5e8;
const POISSON: f64 = 0.3;
/// Radii of the ring, m.
pub const RING: [f64; 2] = [0.028, 0.036];
/// Highest pressure in the ring, Pa.
pub const PRESSURE: f64 = 2.76e6;
/// Instants from 0 s to 1 s.
pub const INSTANTS: usize = 11;

/// How strong the load is at a time.
pub fn load(t: f64) -> f64 {
    (PI * t).sin()
}

/// Largest von Mises stress of the block when its curvature is κ, 1/m: at its upper and lower side, where xx is E κ h/2 and zz is ν times that.
pub fn block_peak(curvature: f64) -> f64 {
    STIFFNESS * curvature * 0.5 * BLOCK[1] * (1.0 - POISSON + POISSON * POISSON).sqrt()
}

/// Where the axes of the parts are at a time: they go forward and turn.
fn carried([x, y]: [f64; 2], t: f64) -> [f64; 2] {
    let (sine, cosine) = (2.0 * t).sin_cos();
    [0.3 * t + cosine * x - sine * y, 0.9 + sine * x + cosine * y]
}

/// A tensor xx, yy, xy in axes that are turned by an angle.
fn turned([xx, yy, xy]: [f64; 3], angle: f64) -> [f64; 3] {
    let (s, c) = angle.sin_cos();
    [c * c * xx + s * s * yy - 2.0 * s * c * xy, s * s * xx + c * c * yy + 2.0 * s * c * xy, s * c * (xx - yy) + (c * c - s * s) * xy]
}

/// A block of cells with four corners, bent to a curvature that is largest at half the time, turned and carried along.
pub fn block(curvature: f64) -> SoftRecord {
    let (nx, ny) = (16_u32, 4_u32);
    let at = |i: u32, j: u32| [BLOCK[0] * (f64::from(i) / f64::from(nx) - 0.5), BLOCK[1] * (f64::from(j) / f64::from(ny) - 0.5)];
    let places: Vec<[f64; 2]> = (0..=ny).flat_map(|j| (0..=nx).map(move |i| at(i, j))).collect();
    let node = |i: u32, j: u32| j * (nx + 1) + i;
    let cell = |k: u32| {
        let (i, j) = (k % nx, k / nx);
        vec![node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]
    };
    let body = SoftBody {
        name: "block".into(),
        points: places.iter().map(|p| carried(*p, 0.0)).collect(),
        cells: (0..nx * ny).map(cell).collect(),
        regions: (0..nx * ny).map(|k| if k % nx < nx / 2 { "left half" } else { "right half" }.to_string()).collect(),
        depth: 0.01,
    };
    let frame = |k: usize| {
        let t = k as f64 / (INSTANTS - 1) as f64;
        let bent = curvature * load(t);
        let place = |p: &[f64; 2]| carried([p[0] - bent * p[0] * p[1], p[1] + 0.5 * bent * p[0] * p[0]], t);
        let stress = |p: &[f64; 2]| {
            let xx = -STIFFNESS * bent * p[1];
            let [x, y, xy] = turned([xx, 0.0, 0.0], 2.0 * t);
            [x, y, xy, POISSON * xx]
        };
        let strain = |p: &[f64; 2]| [-bent * p[1], POISSON * bent * p[1], 0.0];
        let body = SoftBodyFrame {
            points: places.iter().map(place).collect(),
            stress: places.iter().map(stress).collect(),
            strain: places.iter().map(strain).collect(),
            gauss: Vec::new(),
        };
        SoftFrame { t, bodies: vec![body], arcs: Vec::new() }
    };
    SoftRecord { bodies: vec![body], arcs: Vec::new(), frames: (0..INSTANTS).map(frame).collect(), steps: steps() }
}

/// Nodes of the ring: angle and radius.
fn ring_places(around: u32, out: u32) -> Vec<[f64; 2]> {
    let place = |i: u32, j: u32| {
        let angle = PI * f64::from(i) / f64::from(2 * around) - PI;
        [angle, RING[0] + (RING[1] - RING[0]) * f64::from(j) / f64::from(2 * out)]
    };
    (0..=2 * out).flat_map(|j| (0..=2 * around).map(move |i| place(i, j))).collect()
}

/// Half of a ring of cells with eight nodes: pressed from inside over a patch, tied outside, so little that it cannot be seen.
pub fn ring() -> SoftRecord {
    let (around, out) = (24_u32, 3_u32);
    // All places of a grid of half cells but the middles of cells.
    let grid = ring_places(around, out);
    let wide = 2 * around + 1;
    let mut index = vec![u32::MAX; grid.len()];
    let mut kept = Vec::new();
    for (k, place) in grid.iter().enumerate() {
        let (i, j) = (k as u32 % wide, k as u32 / wide);
        if i % 2 == 0 || j % 2 == 0 {
            index[k] = kept.len() as u32;
            kept.push(*place);
        }
    }
    let node = |i: u32, j: u32| index[(j * wide + i) as usize];
    let cell = |k: u32| {
        let (i, j) = (2 * (k % around), 2 * (k / around));
        let corners = [(i, j), (i, j + 2), (i + 2, j + 2), (i + 2, j)];
        let middles = [(i, j + 1), (i + 1, j + 2), (i + 2, j + 1), (i + 1, j)];
        corners.iter().chain(&middles).map(|(i, j)| node(*i, *j)).collect()
    };
    let flat = |[angle, radius]: [f64; 2]| [radius * angle.cos(), radius * angle.sin()];
    let body = SoftBody {
        name: "liner".into(),
        points: kept.iter().map(|p| carried(flat(*p), 0.0)).collect(),
        cells: (0..around * out).map(cell).collect(),
        regions: vec!["polyethylene".into(); (around * out) as usize],
        depth: 0.03,
    };
    let arc = |name: &str, contact: bool, row: u32| {
        let nodes: Vec<u32> = (0..wide).map(|i| node(i, row)).collect();
        let lengths = nodes.iter().map(|n| kept[*n as usize][1] * (kept[*n as usize][0] - kept[nodes[0] as usize][0]));
        SoftArc { name: name.into(), contact, body: 0, arc: lengths.collect(), nodes }
    };
    let arcs = vec![arc("head", true, 0), arc("cup", false, 2 * out)];
    // Pressure by angle: a patch of a quarter of a turn to both sides of the lowest place.
    let patch = |angle: f64| if (angle + PI / 2.0).abs() < PI / 4.0 { (2.0 * (angle + PI / 2.0)).cos().powi(2) } else { 0.0 };
    let frame = |k: usize| {
        let t = k as f64 / (INSTANTS - 1) as f64;
        let p = |angle: f64| PRESSURE * load(t) * patch(angle);
        let place = |[angle, radius]: &[f64; 2]| {
            let inward = (RING[1] - radius) / (RING[1] - RING[0]);
            carried(flat([*angle, radius + 4e-5 * load(t) * patch(*angle) * inward]), t)
        };
        let radial = |[angle, radius]: &[f64; 2]| -p(*angle) * (RING[0] / radius);
        let stress = |place: &[f64; 2]| {
            let rr = radial(place);
            let [x, y, xy] = turned([rr, 0.4 * rr, 0.0], place[0] + 2.0 * t);
            [x, y, xy, 0.42 * rr]
        };
        let strain = |place: &[f64; 2]| turned([radial(place) / STIFFNESS, 0.0, 0.0], place[0]);
        let body = SoftBodyFrame {
            points: kept.iter().map(place).collect(),
            stress: kept.iter().map(stress).collect(),
            strain: kept.iter().map(strain).collect(),
            gauss: Vec::new(),
        };
        let on = |arc: &SoftArc| {
            let at = || arc.nodes.iter().map(|n| kept[*n as usize]);
            let pressure = at().map(|place| -radial(&place)).collect();
            let zero = vec![0.0; arc.nodes.len()];
            let gap = if arc.contact { at().map(|[angle, _]| if patch(angle) > 0.0 { 0.0 } else { 1e-4 }).collect() } else { zero.clone() };
            let shear = if arc.contact { zero } else { at().map(|place| 0.1 * radial(&place)).collect() };
            SoftArcFrame { pressure, shear, gap }
        };
        SoftFrame { t, bodies: vec![body], arcs: arcs.iter().map(on).collect() }
    };
    let frames = (0..INSTANTS).map(frame).collect();
    SoftRecord { bodies: vec![body], arcs: arcs.clone(), frames, steps: steps() }
}

/// Both side by side.
pub fn both() -> SoftRecord {
    let (mut first, second) = (block(3.0), ring());
    first.arcs = second.arcs.iter().map(|arc| SoftArc { body: 1, ..arc.clone() }).collect();
    first.bodies.extend(second.bodies);
    for (own, other) in first.frames.iter_mut().zip(second.frames) {
        own.bodies.extend(other.bodies);
        own.arcs.extend(other.arcs);
    }
    first
}
