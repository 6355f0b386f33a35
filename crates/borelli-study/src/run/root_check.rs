//! What a free root and measured loads tell of an inverse analysis: residuals against the ground reaction, Newton's law of the whole body, powers.
//! Not here: the residual at one instant (`root_residual`).
//! In: states with accelerations and the channels recorded there. Out: lines of the health block, numbers of the run.
//!
//! | check | green |
//! | --- | --- |
//! | largest residual force, part of the largest ground reaction | 5 % |
//! | largest residual moment, part of that times the mean height of the mass centre | 1 % |
//! | m a = Σ f + m g + F of the root | rounding |
//! | Σ τ v + power of loads = d/dt (T + V) | rounding |
//!
//! Limits from J. L. Hicks et al., Journal of Biomechanical Engineering 137 (2015) 020905. Residuals of the root are the same whichever foot a load is
//! put on, so that they are judged together with whether loads act under the bodies they are put on.

use super::{CheckWords, HealthLine, Scalar, Verdict};
use crate::channels::Channels;
use crate::root_residual::free_root;
use borelli_dynamics::System;
use borelli_dynamics::frames::Frames;
use borelli_dynamics::system::DofClass;
use borelli_math::{Sym3, Vec3, vec3};

const FORCE_LIMIT: f64 = 0.05;
const MOMENT_LIMIT: f64 = 0.01;
/// Rounding of sums over a body, relative to the largest term.
const ROUNDING: f64 = 1e-9;

/// Numbers of the channels of a vector; nothing for an axis that is not there.
type Axes = [Option<usize>; 3];

/// The two lines of residuals: root mean squares, whether each is within its limit, and what was found.
pub fn residual_lines(rms: [f64; 2], good: [bool; 2], found: [String; 2]) -> [HealthLine; 2] {
    const ADVICE: &str = "motion, masses and measured forces do not fit together: check body mass, axes and synchrony of the force plates, which foot stood on which plate, \
                          and the cut-off of the filter";
    let [force, moment] = found;
    let line = |key: &'static str, label: &str, k: usize, unit: &str, allowed: &str, found: String| {
        let words = CheckWords { found, allowed, advice: ADVICE };
        HealthLine::judged(key, label, (rms[k], unit), Verdict::good_if(good[k]), words)
    };
    [
        line("residual_force", "residual force of the root", 0, "N", "5 % of the largest ground reaction", force),
        line(
            "residual_moment",
            "residual moment of the root",
            1,
            "N m",
            "1 % of the largest ground reaction times the height of the mass centre",
            moment,
        ),
    ]
}

/// Gathers over the samples of a run.
pub(super) struct RootCheck<'s> {
    system: &'s System,
    frames: Frames<f64>,
    /// Degrees of freedom along which the root slides.
    slides: Vec<usize>,
    force: Axes,
    moment: Axes,
    center: Axes,
    /// Force, point and power of each load.
    loads: Vec<(Axes, Axes, Option<usize>)>,
    joints: Vec<Option<usize>>,
    /// Other force elements or contacts exert something, too, so that the sums are not closed.
    others: bool,
    /// Samples, and those among them that can be judged.
    samples: f64,
    judged: f64,
    square: [f64; 2],
    peak: [f64; 2],
    ground: f64,
    /// Sum of heights of the mass centre above the points of application, and their number.
    height: (f64, f64),
    newton: (f64, f64),
    power: (f64, f64),
}

impl<'s> RootCheck<'s> {
    /// For a system with a free root and measured loads, asking for the channels that it looks at; nothing for others.
    pub(super) fn new(system: &'s System, channels: &mut Channels) -> Option<RootCheck<'s>> {
        let loads = &system.numbers.forces.load;
        let root = free_root(system).filter(|_| !loads.is_empty())?;
        let axes = |stem: &str| ["x", "y", "z"].map(|axis| channels.index(&format!("{stem}.{axis}")));
        let elements = system.parts.forces.each().len();
        let check = RootCheck {
            frames: Frames::new(&system.skeleton),
            slides: system.skeleton.dofs_of(root).filter(|d| system.skeleton.class[*d] == DofClass::Slide).collect(),
            force: axes("root.residual.force"),
            moment: axes("root.residual.moment"),
            center: axes("system.center"),
            loads: loads
                .iter()
                .map(|load| {
                    let stem = format!("load.{}", load.name);
                    (axes(&format!("{stem}.force")), axes(&format!("{stem}.point")), channels.index(&format!("{stem}.power")))
                })
                .collect(),
            joints: system.names.joints[1..].iter().map(|joint| channels.index(&format!("joint.{joint}.power"))).collect(),
            others: elements > loads.len() || !system.numbers.contacts.is_empty(),
            samples: 0.0,
            judged: 0.0,
            square: [0.0; 2],
            peak: [0.0; 2],
            ground: 0.0,
            height: (0.0, 0.0),
            newton: (0.0, 0.0),
            power: (0.0, 0.0),
            system,
        };
        let of_loads = check.loads.iter().flat_map(|(force, point, power)| force.iter().chain(point).chain([power]));
        let of_root = [&check.force, &check.moment, &check.center].into_iter().flatten();
        of_root.chain(of_loads).chain(&check.joints).flatten().for_each(|channel| channels.ask(*channel));
        Some(check)
    }

    /// Whether any load acts at a sample.
    pub(super) fn is_loaded(&self, values: &[f64]) -> bool {
        self.loads.iter().any(|(force, ..)| force.iter().flatten().any(|axis| values[*axis] != 0.0))
    }

    /// Notes a sample; its residuals count where they can be judged, the identities hold everywhere.
    pub(super) fn note(&mut self, q: &[f64], v: &[f64], vdot: &[f64], values: &[f64], judged: bool) {
        let of = |axes: &Axes| {
            let [x, y, z] = axes.map(|axis| axis.map_or(0.0, |axis| values[axis]));
            vec3(x, y, z)
        };
        let (force, moment) = (of(&self.force), of(&self.moment));
        self.samples += 1.0;
        self.judged += f64::from(u8::from(judged));
        for (k, size) in [force.norm(), moment.norm()].into_iter().enumerate().filter(|_| judged) {
            self.square[k] += size * size;
            self.peak[k] = self.peak[k].max(size);
        }
        let up = self.system.numbers.tree.gravity.scale(-1.0);
        let up = if up.norm() > 0.0 { up.scale(1.0 / up.norm()) } else { vec3(0.0, 1.0, 0.0) };
        let (mut ground, mut load_power) = (Vec3::ZERO, 0.0);
        for (force, point, power) in &self.loads {
            let f = of(force);
            ground += f;
            load_power += power.map_or(0.0, |power| values[power]);
            if f.norm() > 0.0 {
                self.height = (self.height.0 + (of(&self.center) - of(point)).dot(up), self.height.1 + 1.0);
            }
        }
        self.ground = self.ground.max(ground.norm());
        if self.others {
            return;
        }
        // Inertia forces of all bodies; the base accelerates against gravity, so that weight is among them.
        let (skeleton, tree) = (&self.system.skeleton, &self.system.numbers.tree);
        self.frames.fill::<f64, true>(skeleton, tree, q, v, vdot);
        self.frames.fill_points(skeleton);
        let (mut inertia, mut rate, mut scale) = (Vec3::ZERO, 0.0, 0.0_f64);
        for b in 1..skeleton.parent.len() {
            let (R, w, al, a) = (&self.frames.R[b], self.frames.w[b], self.frames.al[b], self.frames.a[b]);
            let (mc, I) = (*R * tree.mc_B[b], Sym3::rotated(R, &tree.I_Bo_B[b]));
            let f = a.scale(tree.mass[b]) + al.cross(mc) + w.cross(w.cross(mc));
            let n = I * al + w.cross(I * w) + mc.cross(a);
            inertia += f;
            let power = f.dot(self.frames.v[b]) + n.dot(w);
            rate += power;
            scale = scale.max(power.abs());
        }
        // Along the slides of the root only: what it cannot do its joint bears.
        let open = inertia - ground - force;
        let gap = self.slides.iter().map(|d| open.dot(self.frames.s_lin[*d]).abs()).fold(0.0, f64::max);
        self.newton = (self.newton.0.max(gap), self.newton.1.max(inertia.norm()).max(ground.norm()));
        let joints: f64 = self.joints.iter().map(|joint| joint.map_or(0.0, |joint| values[joint])).sum();
        self.power = (self.power.0.max((joints + load_power - rate).abs()), self.power.1.max(scale));
    }

    fn parts(&self) -> [f64; 2] {
        let height = if self.height.1 > 0.0 { self.height.0 / self.height.1 } else { 1.0 };
        let part = |x: f64, whole: f64| if whole > 0.0 { x / whole } else { f64::INFINITY };
        if self.judged == 0.0 {
            // Nothing speaks for residuals that nobody could look at.
            return [f64::INFINITY; 2];
        }
        [part(self.peak[0], self.ground), part(self.peak[1], self.ground * height.abs())]
    }

    fn rms(&self, k: usize) -> f64 {
        (self.square[k] / self.judged.max(1.0)).sqrt()
    }

    /// Lines of the health block.
    pub(super) fn lines(&self) -> Vec<HealthLine> {
        let [force, moment] = self.parts();
        let percent = |part: f64| if part.is_finite() { format!("{:.2} %", 100.0 * part) } else { "more than all".into() };
        let over = match (self.judged, self.samples) {
            (judged, samples) if judged == samples => "Root mean square".to_string(),
            (0.0, _) => "No sample has a known motion and a ground reaction".into(),
            (judged, samples) => {
                format!("Root mean square over {judged} of {samples} samples, those with a known motion and a ground reaction")
            }
        };
        let found = [
            format!("{over}; at most {:.2} N, {} of the largest ground reaction, {:.1} N", self.peak[0], percent(force), self.ground),
            format!(
                "{over}; at most {:.2} N m, {} of the largest ground reaction times the height of the mass centre",
                self.peak[1],
                percent(moment)
            ),
        ];
        let mut lines = residual_lines([self.rms(0), self.rms(1)], [force <= FORCE_LIMIT, moment <= MOMENT_LIMIT], found).to_vec();
        if !self.others {
            let (gap, size) = self.newton;
            let words = CheckWords {
                found: "Largest difference between mass times acceleration of the whole body and all forces on it".into(),
                allowed: "rounding, 1e-9 of the largest force",
                advice: "this is a fault of the program: please report it with the files",
            };
            let verdict = Verdict::good_if(gap <= ROUNDING * size.max(1.0));
            lines.push(HealthLine::judged("newton", "Newton's law of the whole body", (gap, "N"), verdict, words));
            let (gap, size) = self.power;
            let words = CheckWords {
                found: format!("Largest difference between the power of joints and loads and the rate of energy; powers reach {size:.1} W"),
                allowed: "rounding, 1e-9 of the largest power",
                advice: "this is a fault of the program: please report it with the files",
            };
            let verdict = Verdict::good_if(gap <= ROUNDING * size.max(1.0));
            lines.push(HealthLine::judged("power_balance", "balance of power", (gap, "W"), verdict, words));
        }
        lines
    }

    /// Numbers of the run.
    pub(super) fn scalars(&self) -> Vec<Scalar> {
        let scalar = |name: &str, value: f64, unit: &str| Scalar { name: format!("run.{name}"), value, unit: unit.into() };
        vec![
            scalar("residual_force_rms", self.rms(0), "N"),
            scalar("residual_force_peak", self.peak[0], "N"),
            scalar("residual_moment_rms", self.rms(1), "N m"),
            scalar("residual_moment_peak", self.peak[1], "N m"),
            scalar("ground_reaction_peak", self.ground, "N"),
        ]
    }
}
