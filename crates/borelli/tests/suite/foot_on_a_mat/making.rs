//! Data of a foot along a stance as they are made: the motion, its errors, what plate and mat show with noise, and what a foot comes to beside them.
//! Not here: the mechanics of a foot (`stance`), the engine.
//! In: turns and heights of another motion, seeds. Out: motions, measured loads and maps, terms of an objective.

use super::stance::{Foot, Motion, PITCH, STEP, Spline, load, pressures, speeds};
use std::f64::consts::PI;

fn bump(u: f64) -> f64 {
    if u.abs() < 1.0 { (1.0 - u * u).powi(2) } else { 0.0 }
}

/// Horizontal force that the foot is to have at a share of the stance, right and forward, N.
pub fn wanted(s: f64) -> [f64; 2] {
    let first = 0.06 * bump((s - 0.08) / 0.08) - 0.05 * bump((s - 0.45) / 0.4);
    [688.0 * first, 688.0 * (-0.18 * bump((s - 0.22) / 0.2) + 0.2 * bump((s - 0.72) / 0.18))]
}

/// Share of the greatest friction that is ever asked for.
const SHARE: f64 = 0.6;

/// The motion that has the turns and heights of another, and the horizontal force that is wanted: the foot creeps at the speed at which its friction
/// is that force.
pub fn creeping(base: &Motion, foot: &Foot) -> Motion {
    let rates = speeds(base);
    let duration = (base.len() - 1) as f64 * STEP;
    let mut found: Vec<Option<[f64; 2]>> = Vec::new();
    let mut last = [0.0; 2];
    for (k, (q, v)) in base.iter().zip(&rates).enumerate() {
        let at = |w: [f64; 2]| load(foot, *q, [w[0], w[1], v[2], v[3], v[4], v[5], v[6]]).force;
        let normal = at(last)[2];
        if normal < 5.0 {
            found.push(None);
            continue;
        }
        let want = wanted(k as f64 * STEP / duration);
        let most = SHARE * foot.friction * normal / want[0].hypot(want[1]).max(1e-9);
        let want = want.map(|f| f * most.min(1.0));
        let miss = |w: [f64; 2]| {
            let f = at(w);
            [f[0] - want[0], f[1] - want[1]]
        };
        let size = |e: [f64; 2]| e[0].hypot(e[1]);
        let mut w = last;
        // Newton, cut back until it helps; from the speed before, then from others.
        let starts = (0..25).map(|j| [0.02 * (f64::from(j % 5) - 2.0), 0.02 * (f64::from(j / 5) - 2.0)]);
        for start in std::iter::once([0.0; 2]).chain(starts) {
            w = [last[0] + start[0], last[1] + start[1]];
            for _ in 0..200 {
                let (e, d) = (miss(w), 1e-7);
                let (right, ahead) = (miss([w[0] + d, w[1]]), miss([w[0], w[1] + d]));
                let j = [[(right[0] - e[0]) / d, (ahead[0] - e[0]) / d], [(right[1] - e[1]) / d, (ahead[1] - e[1]) / d]];
                let det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
                let step = [(j[1][1] * e[0] - j[0][1] * e[1]) / det, (j[0][0] * e[1] - j[1][0] * e[0]) / det];
                let mut share = (0.01 / size(step)).min(1.0);
                while share > 1e-6 && size(miss([w[0] - share * step[0], w[1] - share * step[1]])) >= size(e) {
                    share *= 0.5;
                }
                w = [w[0] - share * step[0], w[1] - share * step[1]];
                if size(miss(w)) < 1e-9 {
                    break;
                }
            }
            if size(miss(w)) < 1e-6 {
                break;
            }
        }
        assert!(size(miss(w)) < 1e-6, "no speed has the force that is wanted at sample {k}: {:?}", miss(w));
        last = w;
        found.push(Some(w));
    }
    // Where the foot is in the air it goes on as it touches and leaves.
    let first = found.iter().flatten().next().copied().expect("a touch");
    let mut held = first;
    let speeds: Vec<[f64; 2]> = found.iter().map(|w| *w.as_ref().inspect(|w| held = **w).unwrap_or(&held)).collect();
    let tracks = [0, 1].map(|k| Spline::new(STEP, &speeds.iter().map(|w| w[k]).collect::<Vec<_>>()));
    let place = |k: usize, sample: usize| base[0][k] + tracks[k].integral(sample);
    base.iter().enumerate().map(|(sample, q)| [place(0, sample), place(1, sample), q[2], q[3], q[4], q[5], q[6]]).collect()
}

/// SplitMix64, Steele, Lea and Flood 2014.
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(seed)
    }

    /// Even between -1 and 1.
    pub fn even(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// With mean 0 and standard deviation 1, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (self.unit(), self.unit());
        (-2.0 * (-u).ln_1p()).sqrt() * (2.0 * PI * v).cos()
    }
}

/// Largest errors of nodes, m and rad.
pub const ERRORS: [f64; 7] = [1e-3, 1e-3, 1e-3, 0.02, 0.02, 0.02, 0.2];

/// A motion with errors: splines through ten even nodes.
pub fn erroneous(motion: &Motion, seed: u64) -> Motion {
    let mut draw = Draw::new(seed);
    let step = (motion.len() - 1) as f64 * STEP / 9.0;
    let errors = ERRORS.map(|size| Spline::new(step, &(0..10).map(|_| size * draw.even()).collect::<Vec<_>>()));
    let row = |(sample, q): (usize, &[f64; 7])| std::array::from_fn(|k| q[k] + errors[k].at(sample as f64 * STEP).0);
    motion.iter().enumerate().map(row).collect()
}

/// A motion whose horizontal coordinates tremble, as no smooth curve does: three tones between 5 and 9 Hz, 0.1 mm each.
pub fn trembling(motion: &Motion, seed: u64) -> Motion {
    let mut draw = Draw::new(seed);
    let tones: Vec<[[f64; 2]; 3]> = (0..2).map(|_| [5.0, 7.0, 9.0].map(|f| [f, PI * draw.even()])).collect();
    let own = |k: usize, t: f64| tones[k].iter().map(|[f, phase]| 1e-4 * (2.0 * PI * f * t + phase).sin()).sum::<f64>();
    let row = |(sample, q): (usize, &[f64; 7])| {
        let t = sample as f64 * STEP;
        [q[0] + own(0, t), q[1] + own(1, t), q[2], q[3], q[4], q[5], q[6]]
    };
    motion.iter().enumerate().map(row).collect()
}

/// Samples of the fifteen frames of a map: of a mat at 64 Hz those nearest to even times.
pub fn frames(samples: usize) -> Vec<usize> {
    let last = (samples - 1) / 2;
    (0..15).map(|k| 2 * ((k * last) as f64 / 14.0).round() as usize).collect()
}

/// Standard deviations of the noise: forces N, centre of pressure m, spin N m, pressure Pa.
pub const NOISE: [f64; 4] = [2.0, 1e-3, 0.05, 2000.0];

/// Measured loads: load, centre right and forward, push right and forward, spin; and pressures of cells by frame, cell by cell those that are pressed.
pub type Measured = (Vec<[f64; 6]>, Vec<Vec<(usize, f64)>>);

/// What plate and mat show along a motion.
pub fn measured(motion: &Motion, foot: &Foot, seed: u64) -> Measured {
    let mut draw = Draw::new(seed);
    let rates = speeds(motion);
    let [force, place, spin, pressure] = NOISE;
    let loads = motion.iter().zip(&rates).map(|(q, v)| {
        let exact = load(foot, *q, *v);
        let noise: [f64; 6] = std::array::from_fn(|_| draw.normal());
        let pressed = exact.force[2] >= 20.0;
        let [f, c] = [exact.force, [exact.centre[0], exact.centre[1], 0.0]];
        let centre = |k: usize| if pressed { c[k] + place * noise[1 + k] } else { 0.0 };
        [
            f[2] + force * noise[0],
            centre(0),
            centre(1),
            f[0] + force * noise[3],
            f[1] + force * noise[4],
            if pressed { exact.spin + spin * noise[5] } else { 0.0 },
        ]
    });
    let loads = loads.collect();
    let maps = frames(motion.len()).into_iter().map(|sample| {
        let cells = pressures(foot, motion[sample], rates[sample]);
        cells.into_iter().enumerate().filter(|(_, p)| *p > 0.0).map(|(cell, p)| (cell, p + pressure * draw.normal())).collect()
    });
    (loads, maps.collect())
}

/// What a foot comes to beside measured loads and maps, term by term as the studies weigh them: load, centre right and forward, push right and forward, spin,
/// pressure.
pub fn objective(motion: &Motion, foot: &Foot, (loads, maps): &Measured) -> [f64; 7] {
    let rates = speeds(motion);
    let most =
        |k: usize, count: &dyn Fn(&[f64; 6]) -> bool| loads.iter().filter(|own| count(own)).map(|own| own[k].abs()).fold(0.0, f64::max);
    let pressed = |own: &[f64; 6]| own[0] > 20.0;
    let push = most(3, &|_| true).hypot(most(4, &|_| true));
    let twist = most(5, &pressed);
    let (all, some) = (loads.len() as f64, loads.iter().filter(|own| pressed(own)).count() as f64);
    let mut sums = [0.0; 7];
    for ((q, v), m) in motion.iter().zip(&rates).zip(loads) {
        let found = load(foot, *q, *v);
        sums[0] += ((found.force[2] - m[0]) / 688.0).powi(2) / all;
        sums[3] += ((found.force[0] - m[3]) / push).powi(2) / all;
        sums[4] += ((found.force[1] - m[4]) / push).powi(2) / all;
        let u = ((found.force[2] - 10.0) / 20.0).clamp(0.0, 1.0);
        let gate = if pressed(m) { u * u * (3.0 - 2.0 * u) } else { 0.0 };
        if gate > 0.0 {
            sums[1] += (gate * (found.centre[0] - m[1]) / 0.2).powi(2) / some;
            sums[2] += (gate * (found.centre[1] - m[2]) / 0.2).powi(2) / some;
            sums[5] += (gate * (found.spin - m[5]) / twist).powi(2) / some;
        }
    }
    let area = PITCH * PITCH;
    for (sample, cells) in frames(motion.len()).into_iter().zip(maps) {
        let mut found = pressures(foot, motion[sample], rates[sample]);
        cells.iter().for_each(|(cell, p)| found[*cell] -= p);
        sums[6] += found.iter().map(|p| (2.0 * area * p / 688.0).powi(2)).sum::<f64>() / 15.0;
    }
    sums
}

/// What draws the nodes that take the errors of a motion away to zero adds.
pub fn pull(seed: u64) -> f64 {
    let mut draw = Draw::new(seed);
    let halves = [2e-3, 2e-3, 2e-3, 0.05, 0.05, 0.175, 0.6];
    let part = |size: f64, half: f64, draw: &mut Draw| (0..10).map(|_| (size * draw.even() / half).powi(2)).sum::<f64>();
    ERRORS.iter().zip(halves).map(|(size, half)| 1e-6 / 70.0 * part(*size, half, &mut draw)).sum()
}
