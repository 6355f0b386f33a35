//! What markers do not say, may not change, or must obey: missing markers, ranges, locks, loops.

use super::super::{Options, Solver, Target};
use super::{apart, coordinate, gallery, marker, parsed, planar_legs, positions, seen, solver, swing};
use crate::assemble::assemble;
use borelli_math::Vec3;

#[test]
fn a_segment_without_markers_keeps_its_joint_and_is_told() {
    let system = gallery("lower-limb-markers");
    let truth = swing(&system, 0.05);
    let mut targets = seen(&system, &truth);
    targets
        .retain(|t| !system.names.markers[t.marker as usize].starts_with("toe") || system.names.markers[t.marker as usize].ends_with("_l"));
    let mut q = truth.clone();
    let mtp = coordinate(&system, "mtp_angle_r");
    q[mtp] = 0.123;
    let mut solver = solver(&system);
    let fit = solver.solve(&system, 0.0, &targets, &[], &mut q).unwrap();
    assert!(fit.converged && fit.rms < 1e-9);
    assert_eq!((q[mtp], &fit.unobserved[..]), (0.123, &[mtp as u32][..]));
    q[mtp] = truth[mtp];
    assert!(apart(&q, &truth) < 1e-9);
    // The whole leg below the hip: what hangs on it is held, the rest is found.
    targets.retain(|t| {
        let name = &system.names.markers[t.marker as usize];
        !name.ends_with("_r") || ["asis", "psis", "acro"].iter().any(|head| name.starts_with(head))
    });
    let before = q.clone();
    q[3] += 0.1;
    let fit = solver.solve(&system, 0.0, &targets, &[], &mut q).unwrap();
    assert!(fit.converged && fit.rms < 1e-9);
    let held: Vec<&str> = fit.unobserved.iter().map(|k| system.names.coordinates[*k as usize].name.as_str()).collect();
    assert_eq!(held.len(), 7, "{held:?}");
    assert!(held.iter().all(|name| name.ends_with("_r")), "{held:?}");
    assert!(apart(&q, &before) < 1e-9);
}

#[test]
fn markers_that_come_and_go_leave_the_rest_exact() {
    let system = planar_legs();
    let mut solver = solver(&system);
    let mut q = swing(&system, 0.0);
    for k in 0..60 {
        let truth = swing(&system, 0.01 * k as f64);
        let mut targets = seen(&system, &truth);
        if k % 3 == 0 {
            targets.retain(|t| t.marker % 5 != 0);
        }
        let fit = solver.solve(&system, 0.0, &targets, &[], &mut q).unwrap();
        assert!(fit.converged && fit.unobserved.is_empty() && apart(&q, &truth) < 1e-9);
        assert!(!fit.few_root_markers);
    }
    let mut targets = seen(&system, &swing(&system, 0.6));
    targets.retain(|t| !system.names.markers[t.marker as usize].starts_with("trunk") || t.marker == marker(&system, "trunk_0"));
    assert!(solver.solve(&system, 0.0, &targets, &[], &mut q).unwrap().few_root_markers);
}

#[test]
fn markers_on_a_line_and_at_one_place_leave_a_turn_open() {
    let text = |second: &str, third: &str| {
        format!(
            "borelli = 1\ndimension = \"spatial\"\n[body.rod]\nmass = 1\ninertia = [1, 1, 1]\n[joint.hip]\ntype = \"gimbal\"\nparent = \"world\"\nchild = \"rod\"\n\
             [marker.a]\nbody = \"rod\"\nlocation = [0, -0.2, 0]\n[marker.b]\nbody = \"rod\"\nlocation = [{second}]\n[marker.c]\nbody = \"rod\"\nlocation = [{third}]\n"
        )
    };
    // On a line through the joint: turns about it (the third angle) are not seen. At one place the same.
    for system in [parsed(&text("0, -0.3, 0", "0, -0.5, 0")), parsed(&text("0, -0.2, 0", "0, -0.2, 0"))] {
        let mut q = vec![0.1, -0.2, 0.7];
        let truth = [0.5, 0.3, -0.9];
        let mut solver = solver(&system);
        let fit = solver.solve(&system, 0.0, &seen(&system, &truth), &[], &mut q).unwrap();
        assert_eq!(fit.unobserved, [2]);
        assert!(fit.converged && fit.rms < 1e-12 && q[2] == 0.7);
        assert!((q[0] - 0.5).abs() < 1e-9 && (q[1] - 0.3).abs() < 1e-9);
    }
    // A tenth of a millimetre off the line is enough to see it.
    let system = parsed(&text("0, -0.3, 0", "0.0001, -0.5, 0"));
    let mut q = vec![0.1, -0.2, 0.7];
    let mut solver = solver(&system);
    let fit = solver.solve(&system, 0.0, &seen(&system, &[0.5, 0.3, 0.6]), &[], &mut q).unwrap();
    assert!(fit.unobserved.is_empty() && apart(&q, &[0.5, 0.3, 0.6]) < 1e-7, "{q:?}");
}

#[test]
fn without_markers_everything_is_held() {
    for system in [gallery("lower-limb-markers"), planar_legs()] {
        let start = swing(&system, 0.2);
        let mut q = start.clone();
        let mut solver = solver(&system);
        let nothing: Vec<Target> = seen(&system, &start).into_iter().map(|t| Target { weight: 0.0, ..t }).collect();
        for targets in [&[][..], &nothing] {
            let fit = solver.solve(&system, 0.0, targets, &[], &mut q).unwrap();
            assert_eq!(fit.unobserved.len(), q.len());
            assert!(fit.converged && fit.objective == 0.0 && fit.rms == 0.0 && fit.worst.is_none() && fit.few_root_markers);
            for (k, rule) in system.coordinates.iter().enumerate() {
                let range = rule.range.filter(|_| rule.clamp);
                assert_eq!(q[k], range.map_or(start[k], |(low, high)| start[k].clamp(low, high)));
            }
        }
        solver.begin(&system, &[], &mut q).unwrap();
    }
}

const ARM: &str = "borelli = 1\ndimension = \"planar\"\n[body.upper]\nmass = 1\ninertia = 1\npoint.end = [1, 0]\n[body.lower]\nmass = 1\ninertia = 1\n\
    [joint.shoulder]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"upper\"\n[joint.elbow]\ntype = \"hinge\"\nparent = \"upper.end\"\nchild = \"lower\"\n\
    [marker.hand]\nbody = \"lower\"\nlocation = [1, 0]\n[marker.mid]\nbody = \"upper\"\nlocation = [0.5, 0.1]\nweight = 0.5\n[coordinate.elbow]\nrange = [0, 1.2]\nclamp = true\n";

#[test]
fn a_range_holds_and_lets_go() {
    let system = parsed(ARM);
    let mut solver = Solver::new(&system, Options { swaps: false, ..Options::default() });
    let mut q = vec![0.2, 0.5];
    // Beyond the range: the elbow stays at its end and the shoulder answers, so that its slope vanishes.
    let beyond = seen(&system, &[0.4, 2.0]);
    let fit = solver.solve(&system, 0.0, &beyond, &[], &mut q).unwrap().clone();
    assert!(fit.converged && q[1] == 1.2);
    assert_eq!(fit.at_bound, [1]);
    let objective = |shoulder: f64| -> f64 {
        let at = positions(&system, &[shoulder, 1.2]);
        at.iter().zip(&beyond).map(|(p, t)| t.weight * (*p - t.position).dot(*p - t.position)).sum()
    };
    let slope = (objective(q[0] + 1e-6) - objective(q[0] - 1e-6)) / 2e-6;
    assert!(slope.abs() < 1e-8, "{slope}");
    // Back inside: exact again.
    for truth in [[0.3, 1.1], [-0.4, 0.01], [0.1, 0.0]] {
        let fit = solver.solve(&system, 0.0, &seen(&system, &truth), &[], &mut q).unwrap();
        assert!(fit.converged && apart(&q, &truth) < 1e-9, "{q:?} {truth:?} {fit:?}");
    }
    // Below the lower end, and from far outside.
    q = vec![0.0, 9.0];
    let fit = solver.solve(&system, 0.0, &seen(&system, &[0.3, -0.5]), &[], &mut q).unwrap();
    assert!(fit.converged && q[1] == 0.0 && fit.at_bound == [1]);
}

#[test]
fn a_locked_coordinate_stays() {
    let system = parsed(&ARM.replace("range = [0, 1.2]\nclamp = true", "lock = true"));
    let mut solver = solver(&system);
    let mut q = vec![0.2, 0.5];
    let fit = solver.solve(&system, 0.0, &seen(&system, &[0.4, 0.9]), &[], &mut q).unwrap();
    assert!(fit.converged && q[1] == 0.5 && fit.rms > 0.01 && fit.unobserved.is_empty());
    let fit = solver.solve(&system, 0.0, &seen(&system, &[0.4, 0.5]), &[], &mut q).unwrap();
    assert!(apart(&q, &[0.4, 0.5]) < 1e-10 && fit.rms < 1e-10);
}

#[test]
fn angles_go_on_beyond_half_a_turn() {
    let system = parsed(&ARM.replace("[coordinate.elbow]\nrange = [0, 1.2]\nclamp = true\n", ""));
    let mut solver = solver(&system);
    let mut q = vec![0.0, 0.3];
    for k in 1..100 {
        let truth = [0.2 * k as f64, 0.3];
        solver.solve(&system, 0.0, &seen(&system, &truth), &[], &mut q).unwrap();
        assert!(apart(&q, &truth) < 1e-9);
    }
}

#[test]
fn loops_are_kept_while_markers_are_fitted() {
    // A four-bar knee on a thigh that floats, and a coupler between two joints further on.
    let text = "borelli = 1\ndimension = \"planar\"\n\
        [body.thigh]\nmass = 1\ninertia = 1\npoint.front = [0.02, -0.4]\npoint.rear = [-0.02, -0.41]\n\
        [body.front]\nmass = 0.1\ninertia = 0.01\npoint.end = [-0.02, -0.03]\n[body.rear]\nmass = 0.1\ninertia = 0.01\npoint.end = [0.02, -0.035]\n\
        [body.shank]\nmass = 1\ninertia = 1\npoint.rear = [0.03, 0.0]\npoint.ankle = [0, -0.4]\n[body.foot]\nmass = 1\ninertia = 1\npoint.toes = [0.1, 0]\n[body.toes]\nmass = 1\ninertia = 1\n\
        [joint.root]\ntype = \"planar\"\nparent = \"world\"\nchild = \"thigh\"\n[joint.front]\ntype = \"hinge\"\nparent = \"thigh.front\"\nchild = \"front\"\n\
        [joint.rear]\ntype = \"hinge\"\nparent = \"thigh.rear\"\nchild = \"rear\"\n[joint.shank]\ntype = \"hinge\"\nparent = \"front.end\"\nchild = \"shank\"\n\
        [joint.ankle]\ntype = \"hinge\"\nparent = \"shank.ankle\"\nchild = \"foot\"\n[joint.toes]\ntype = \"hinge\"\nparent = \"foot.toes\"\nchild = \"toes\"\n\
        [loop.knee]\ntype = \"coincident\"\na = \"rear.end\"\nb = \"shank.rear\"\n[loop.toes]\ntype = \"relation\"\ncoefficients = { ankle = -0.5, toes = 1 }\n\
        [guide.ankle]\ntype = \"coordinate\"\ncoordinate = \"ankle\"\nfunction = { type = \"sine\", amplitude = 0.2, frequency = 1 }\n\
        [marker.t1]\nbody = \"thigh\"\nlocation = [0.05, -0.1]\n[marker.t2]\nbody = \"thigh\"\nlocation = [-0.05, -0.3]\n[marker.s1]\nbody = \"shank\"\nlocation = [0.04, -0.1]\n\
        [marker.s2]\nbody = \"shank\"\nlocation = [-0.04, -0.35]\n[marker.f1]\nbody = \"foot\"\nlocation = [0.08, 0.03]\n[marker.f2]\nbody = \"toes\"\nlocation = [0.05, 0.01]\n";
    let system = parsed(text);
    let rows = system.names.rows.len();
    let assembled =
        assemble(&system, 0.0, &system.start.q, &system.start.v, &system.start.held).unwrap_or_else(|fault| panic!("{fault:?}"));
    let mut solver = Solver::new(&system, Options { swaps: false, ..Options::default() });
    let mut q = assembled.q.clone();
    assert_eq!(rows, 4);
    // First the pose itself, then markers moved about it: the loops stay closed, the guide of time is not looked at.
    let fit = solver.solve(&system, 0.0, &seen(&system, &assembled.q), &[], &mut q).unwrap();
    assert!(fit.converged && fit.loop_error < 1e-10 && apart(&q, &assembled.q) < 1e-9, "{fit:?}");
    for k in 1..40 {
        let mut targets = seen(&system, &assembled.q);
        let phase = 0.15 * f64::from(k);
        for target in &mut targets {
            let name = &system.names.markers[target.marker as usize];
            // The shank swings about the knee, the foot with it; 5 mm of noise on top.
            if !name.starts_with('t') {
                let knee = Vec3 { x: 0.0, y: -0.42, z: 0.0 };
                let r = target.position - knee;
                let (s, c) = (-0.4 * (1.0 - phase.cos())).sin_cos();
                target.position = knee + Vec3 { x: c * r.x - s * r.y, y: s * r.x + c * r.y, z: 0.0 };
            }
            target.position.x += 0.005 * (7.0 * phase + f64::from(target.marker)).sin();
        }
        let fit = solver.solve(&system, 0.0, &targets, &[], &mut q).unwrap();
        assert!(fit.converged && fit.loop_error < 1e-10 && fit.unobserved.is_empty(), "{k}: {fit:?}");
        assert!(fit.rms < 0.02 && (q[coordinate(&system, "toes")] - 0.5 * q[coordinate(&system, "ankle")]).abs() < 1e-11);
        // A second search from the minimum stays there.
        let mut again = q.clone();
        let objective = fit.objective;
        let fit = solver.solve(&system, 0.0, &targets, &[], &mut again).unwrap();
        assert!(apart(&q, &again) < 1e-7 && (fit.objective - objective).abs() <= 1e-10 * objective, "{k}: {:e}", apart(&q, &again));
    }
    // Guides on request.
    let mut guided = Solver::new(&system, Options { swaps: false, guides: true, ..Options::default() });
    let fit = guided.solve(&system, 0.25, &seen(&system, &assembled.q), &[], &mut q).unwrap();
    assert!(fit.converged && (q[coordinate(&system, "ankle")] - 0.2).abs() < 1e-10);
}
