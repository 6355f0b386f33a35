//! The gait of five ellipsoids under a foot: the files of its study, made from support points in closed form, and the objectives of its search.
//! Not here: the engine's own contacts; the files are to judge them. `BORELLI_BLESS=1` writes the files anew; read the difference before committing it.
//!
//! A rigid foot turns by 20 - 55 (10 s^3 - 15 s^4 + 6 s^5) deg about its ankle, s = t/T, T = 0.7 s; the ankle comes to rest in 0.07 s; its height is the
//! one at which the sum of K delta is 735.75 N (1.15 sin(pi s) + 0.35 sin(3 pi s)), 1 mm clear of the ground where that is zero. With l the direction
//! upward in the axes of a surface, its lowest point is -D^2 l/|D l|, D its semi-axes.

use crate::root;
use borelli::math::function::{Interpolation, Outside, Table};
use borelli::study::read::{Files, Override, StudyFile};
use borelli::study::run::{Outcome, Unwatched, run};
use borelli::{Model, System, compile};
use borelli_testkit::{Random, ReferenceTable};
use std::f64::consts::PI;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

const FRAMES: usize = 71;
const WEIGHT: f64 = 735.75;
/// Standard deviations of the noise: forces, N, and centre of pressure, m; and the seed of it.
const NOISE: [f64; 2] = [5.0, 0.002];
const SEED: u64 = 93;
/// Height of the ankle over the origin of the foot, m.
const ANKLE: f64 = 0.08;
/// Threshold of friction, m/s.
const THRESHOLD: f64 = 0.01;

fn folder() -> PathBuf {
    root().join("studies/93-five-ellipsoids-under-a-foot")
}

fn foot() -> System {
    let model = Model::read(&folder().join("model.toml")).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// A surface with its laws, as the model has them.
struct Surface {
    axes: [[f64; 3]; 3],
    half: [f64; 3],
    centre: [f64; 3],
    stiffness: f64,
    restitution: f64,
    friction: f64,
    viscosity: f64,
}

fn product(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

fn surfaces(system: &System) -> Vec<Surface> {
    let value = |path: String| {
        let found = system.parameters.iter().find(|parameter| parameter.path == path);
        found.unwrap_or_else(|| panic!("no {path}")).value
    };
    let one = |k: usize| {
        let frame = |part: &str| ["x", "y", "z"].map(|axis| value(format!("body.foot.frame.s{k}.{part}.{axis}")));
        let [(sx, cx), (sy, cy), (sz, cz)] = frame("angles").map(f64::sin_cos);
        let x = [[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]];
        let y = [[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]];
        let z = [[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]];
        Surface {
            axes: product(product(x, y), z),
            half: ["a", "b", "c"].map(|axis| value(format!("surface.s{k}.{axis}"))),
            centre: frame("origin"),
            stiffness: value(format!("law.push{k}.stiffness")),
            restitution: value(format!("law.push{k}.restitution")),
            friction: value(format!("law.rub{k}.friction")),
            viscosity: value(format!("law.rub{k}.viscosity")),
        }
    };
    (1..=5).map(one).collect()
}

impl Surface {
    /// The lowest point at a pitch: forward of the ankle, to the left, and above the ankle.
    fn lowest(&self, pitch: f64) -> [f64; 3] {
        let (sin, cos) = pitch.sin_cos();
        let l: [f64; 3] = std::array::from_fn(|j| self.axes[0][j] * sin + self.axes[2][j] * cos);
        let length = (0..3).map(|j| (self.half[j] * l[j]).powi(2)).sum::<f64>().sqrt();
        let p: [f64; 3] =
            std::array::from_fn(|i| self.centre[i] - (0..3).map(|j| self.axes[i][j] * self.half[j].powi(2) * l[j] / length).sum::<f64>());
        [p[0] * cos - (p[2] - ANKLE) * sin, p[1], p[0] * sin + (p[2] - ANKLE) * cos]
    }
}

/// Time, and the ankle: forward, height, pitch.
fn motion(surfaces: &[Surface]) -> Vec<(f64, [f64; 3])> {
    let frame = |k: usize| {
        let t = 0.01 * k as f64;
        let s = t / 0.7;
        let pitch = (20.0 - 55.0 * (10.0 * s.powi(3) - 15.0 * s.powi(4) + 6.0 * s.powi(5))).to_radians();
        let u = (1.0 - t / 0.07).max(0.0);
        let low: Vec<f64> = surfaces.iter().map(|surface| surface.lowest(pitch)[2]).collect();
        let wanted = WEIGHT * (1.15 * (PI * s).sin() + 0.35 * (3.0 * PI * s).sin());
        let touch = -low.iter().copied().fold(f64::INFINITY, f64::min);
        let force = |z: f64| surfaces.iter().zip(&low).map(|(surface, low)| surface.stiffness * (-(z + low)).max(0.0)).sum::<f64>();
        let (mut below, mut above) = (touch - 0.2, touch);
        for _ in 0..200 {
            let middle = 0.5 * (below + above);
            if force(middle) > wanted { below = middle } else { above = middle }
        }
        let height = if wanted < 1e-9 { touch + 0.001 } else { 0.5 * (below + above) };
        (t, [0.07 / 3.0 * (1.0 - u.powi(3)), height, pitch])
    };
    (0..FRAMES).map(frame).collect()
}

/// Forward, left and upward force, and the centre of pressure where 20 N are exceeded, else zero.
fn forces(surfaces: &[Surface], motion: &[(f64, [f64; 3])]) -> Vec<[f64; 5]> {
    let times: Vec<f64> = motion.iter().map(|(t, _)| *t).collect();
    let rates: [Vec<f64>; 3] = std::array::from_fn(|j| {
        let values = motion.iter().map(|(_, pose)| pose[j]).collect();
        let spline = Table::new(times.clone(), values, Interpolation::Spline, Outside::Hold).expect("a spline");
        times.iter().map(|t| spline.derivatives(*t)[1]).collect()
    });
    let mut last = vec![(0.0, 0.0); surfaces.len()];
    let mut first = vec![0.0; surfaces.len()];
    let frame = |(k, (_, [x, z, pitch])): (usize, &(f64, [f64; 3]))| {
        let (mut sum, mut moments) = ([0.0; 3], [0.0; 2]);
        for (i, surface) in surfaces.iter().enumerate() {
            let [dx, y, dz] = surface.lowest(*pitch);
            let (depth, rate, slip) = (-(z + dz), -(rates[1][k] + rates[2][k] * dx), rates[0][k] - rates[2][k] * dz);
            let before = std::mem::replace(&mut last[i], (depth, rate));
            if k == 0 {
                first[i] = 0.1;
            } else if before.0 <= 0.0 {
                let u = -before.0 / (depth - before.0);
                first[i] = ((1.0 - u) * before.1 + u * rate).max(1e-3);
            }
            if depth <= 0.0 {
                continue;
            }
            let lambda = 1.6 * (1.0 - surface.restitution) / surface.restitution;
            let normal = (surface.stiffness * depth * (1.0 + lambda * rate / first[i])).max(0.0);
            let speed = slip.abs();
            let friction = if speed >= THRESHOLD {
                surface.friction * normal + surface.viscosity * speed
            } else {
                let most = surface.friction * normal + surface.viscosity * THRESHOLD;
                let (beta, s) = (surface.viscosity * THRESHOLD / most, speed / THRESHOLD);
                if most > 0.0 { most * ((3.0 - beta) * s - (1.0 - beta) * s.powi(3)) / 2.0 } else { 0.0 }
            };
            sum[0] -= friction * slip.signum();
            sum[2] += normal;
            moments[0] += normal * (x + dx);
            moments[1] += normal * y;
        }
        let centre = moments.map(|moment| if sum[2] > 20.0 { moment / sum[2] } else { 0.0 });
        [sum[0], sum[1], sum[2], centre[0], centre[1]]
    };
    motion.iter().enumerate().map(frame).collect()
}

/// A number with some decimals, no minus before a zero.
fn decimals(x: f64, digits: usize) -> String {
    format!("{:.digits$}", x + 0.0)
}

fn motion_file(motion: &[(f64, [f64; 3])]) -> String {
    let mut text = String::from("time [s],coord.ankle_x.value [m],coord.ankle_y.value [m],coord.ankle_angle.value [rad]\n");
    for (t, pose) in motion {
        let _ = writeln!(text, "{t:.2},{}", pose.map(|x| decimals(x, 13)).join(","));
    }
    text
}

/// Forces with noise; nothing is measured where nothing presses, and no centre of pressure below 20 N.
fn forces_file(motion: &[(f64, [f64; 3])], exact: &[[f64; 5]]) -> String {
    let mut random = Random::new(SEED);
    let mut text = String::from("time [s],forward [N],left [N],up [N],cop_forward [m],cop_left [m]\n");
    for ((t, _), row) in motion.iter().zip(exact) {
        let noise: [f64; 5] = std::array::from_fn(|_| {
            let (u, v) = (random.uniform(0.0, 1.0), random.uniform(0.0, 1.0));
            (-2.0 * (-u).ln_1p()).sqrt() * (2.0 * PI * v).cos()
        });
        let measured = |j: usize| match j {
            0..3 if row[2] > 0.0 => row[j] + NOISE[0] * noise[j],
            3.. if row[2] >= 20.0 => row[j] + NOISE[1] * noise[j],
            _ => 0.0,
        };
        let _ = write!(text, "{t:.2}");
        for j in 0..5 {
            let _ = write!(text, ",{}", decimals(measured(j), if j < 3 { 7 } else { 10 }));
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_files_of_the_study_are_those_of_the_gait() {
    let surfaces = surfaces(&foot());
    let motion = motion(&surfaces);
    let exact = forces(&surfaces, &motion);
    for (name, text) in [("motion.csv", motion_file(&motion)), ("forces.csv", forces_file(&motion, &exact))] {
        let path = folder().join(name);
        if std::env::var_os("BORELLI_BLESS").is_some() {
            fs::write(&path, &text).expect("written");
        }
        let stored = fs::read_to_string(&path).expect("a file");
        assert!(stored == text, "{name} is not what the gait says; `BORELLI_BLESS=1` writes it anew");
    }
    // The engine finds what the closed forms say, but for the digits of the file.
    let outcome = outcome(&foot(), "truth", &study(), None);
    for (j, name) in ["forward", "left", "up", "pressure_forward", "pressure_left"].into_iter().enumerate() {
        let column = outcome.trajectory.column(&format!("derived.{name}")).expect("recorded");
        let tolerance = if j < 3 { 1e-6 } else { 1e-9 };
        for (k, row) in exact.iter().enumerate().filter(|(_, row)| row[2] > 20.0) {
            assert!((column[k] - row[j]).abs() < tolerance, "{name} {k}: {} {}", column[k], row[j]);
        }
    }
    let Some(reference) = ReferenceTable::read("benchmarks/data/ident_foot5_gait.csv") else { return };
    for (k, ((_, [x, z, pitch]), row)) in motion.iter().zip(&exact).enumerate() {
        let found = [*x, *z, pitch.to_degrees(), row[0], row[2], row[3], row[4]];
        let names = ["ankle_x_m", "ankle_z_m", "pitch_deg", "fx_exact_n", "fz_exact_n", "cop_x_exact_m", "cop_y_exact_m"];
        for (found, name) in found.into_iter().zip(names) {
            let known = reference.number(k, name);
            assert!((found - known).abs() < 1e-11 * (1.0 + 100.0 * known.abs()), "{name} {k}: {found} {known}");
        }
    }
}

fn study() -> String {
    fs::read_to_string(folder().join("study.toml")).expect("a study")
}

/// What a case of the study comes to, with other data where they are given.
fn outcome(system: &System, case: &str, text: &str, data: Option<[String; 2]>) -> Outcome {
    let files = Files::new(move |path| match (&data, path.ends_with("motion.csv")) {
        (Some([motion, _]), true) => Ok(motion.clone().into_bytes()),
        (Some([_, forces]), false) => Ok(forces.clone().into_bytes()),
        (None, _) => fs::read(folder().join(path)),
    });
    let plan = StudyFile::parse("study.toml", text, files).and_then(|study| study.plan(case, &[] as &[Override]));
    let plan = plan.unwrap_or_else(|rejected| panic!("{rejected}"));
    run(system, &plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{findings:?}"))
}

/// Objectives on the data of an independent program, at three sets of numbers: those of the table, that set with other sizes and laws, and half-way
/// between all bounds.
#[test]
fn objectives_are_those_of_an_independent_program() {
    let Some(reference) = ReferenceTable::read("benchmarks/data/ident_foot5_gait.csv") else { return };
    let number = |k: usize, name: &str| reference.number(k, name);
    let mut motion = String::from("time [s],coord.ankle_x.value [m],coord.ankle_y.value [m],coord.ankle_angle.value [deg]\n");
    let mut forces = String::from("time [s],forward [N],left [N],up [N],cop_forward [m],cop_left [m]\n");
    for k in 0..FRAMES {
        let row = |names: &[&str]| names.iter().map(|name| format!(",{:?}", number(k, name))).collect::<String>();
        let _ = writeln!(motion, "{:.2}{}", 0.01 * k as f64, row(&["ankle_x_m", "ankle_z_m", "pitch_deg"]));
        let _ = writeln!(forces, "{:.2}{}", 0.01 * k as f64, row(&["fx_n", "fy_n", "fz_n", "cop_x_m", "cop_y_m"]));
    }
    // A search of a few steps is enough to tell where it begins.
    let short = study()
        .replace("population = 200\ngenerations = [280, 580]", "population = 4\ngenerations = [1, 1]")
        .replace("starts = 24\nevaluations = 500", "starts = 1\nevaluations = 2");
    assert!(short.contains("population = 4") && short.contains("starts = 1\n"));
    let at_model: String =
        short.lines().filter(|line| !line.starts_with("start = ") || *line == "start = \"0 s\"").map(|line| format!("{line}\n")).collect();
    let table = foot();
    let mut values = table.values();
    for (value, parameter) in values.iter_mut().zip(&table.parameters) {
        let path = parameter.path.as_str();
        let last = path.rsplit('.').next().unwrap_or_default();
        match (path.split('.').next(), last) {
            (Some("surface"), "a" | "b" | "c") => *value *= 1.05,
            (_, "stiffness") => *value *= 0.5,
            (_, "restitution") => *value = 0.6,
            (_, "friction") => *value = 0.3,
            (_, "viscosity") => *value = 1.0,
            _ => {}
        }
    }
    let other = table.with_parameters(&values);
    let cases = [
        ("table", &table, &at_model, [23.843771, 7.36359047e-3]),
        ("other", &other, &at_model, [729.536169, 0.249991734]),
        ("half-way", &table, &short, [10272.5126, 0.177474837]),
    ];
    for (what, system, text, [force, pressure]) in cases {
        let record = outcome(system, "seed-1", text, Some([motion.clone(), forces.clone()])).fit.expect("a record");
        let at_start = |term: &str| record.terms.iter().find(|(name, ..)| name == term).expect("a term").1;
        for (found, known) in [(at_start("forward") * WEIGHT, force), (at_start("pressure_forward") * 0.25, pressure)] {
            assert!((found / known - 1.0).abs() < 3e-8, "{what}: {found} {known}");
        }
    }
}
