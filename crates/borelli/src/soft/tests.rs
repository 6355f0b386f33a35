//! Shapes, meshes and peaks against formulas.

use super::*;
use crate::recorded::soft::{self, BLOCK, INSTANTS, PRESSURE, RING, block_peak, load};
use borelli_study::soft_record::SoftBody;
use std::f64::consts::PI;

#[test]
fn a_rigid_motion_is_found_and_nothing_is_left_of_it() {
    let record = soft::block(0.0);
    for (k, shape) in Shape::all(&record.bodies[0], 0, &record.frames).iter().enumerate() {
        // The helper turns by two radians in a second, and goes forward.
        let t = k as f64 / (INSTANTS - 1) as f64;
        assert!((shape.motion.angle - 2.0 * t).abs() < 1e-12, "{k}");
        assert!((shape.motion.centre[0] - 0.3 * t).abs() < 1e-12);
        assert!(shape.largest() < 1e-14);
    }
    assert_eq!(exaggeration(&record), 1.0, "nothing to enlarge");
}

#[test]
fn an_angle_goes_on_beyond_half_a_turn() {
    let rest = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let turned = |angle: f64| {
        let (s, c) = angle.sin_cos();
        rest.iter().map(|p| [c * p[0] - s * p[1], s * p[0] + c * p[1]]).collect::<Vec<_>>()
    };
    let mut record = soft::block(0.0);
    record.bodies[0].points = rest.clone();
    for (k, frame) in record.frames.iter_mut().enumerate() {
        frame.bodies[0].points = turned(k as f64);
    }
    for (k, shape) in Shape::all(&record.bodies[0], 0, &record.frames).iter().enumerate() {
        assert!((shape.motion.angle - k as f64).abs() < 1e-12, "{k} {}", shape.motion.angle);
    }
}

#[test]
fn bending_alone_is_enlarged() {
    let record = soft::block(3.0);
    let rest = &record.bodies[0].points;
    let shapes = Shape::all(&record.bodies[0], 0, &record.frames);
    for (shape, frame) in shapes.iter().zip(&record.frames) {
        for (drawn, true_place) in shape.places(rest, 1.0).iter().zip(&frame.bodies[0].points) {
            assert!((drawn[0] - true_place[0]).hypot(drawn[1] - true_place[1]) < 1e-14);
        }
    }
    // The ends of a bent block rise by κ L²/8 above its middle; twice as much where bending is doubled.
    let (half, rise) = (INSTANTS / 2, 3.0 * BLOCK[0] * BLOCK[0] / 8.0);
    let row = 2 * 17;
    let above = |places: &[[f64; 2]]| {
        let (a, m, b) = (places[row], places[row + 8], places[row + 16]);
        let along = [b[0] - a[0], b[1] - a[1]];
        ((m[0] - a[0]) * along[1] - (m[1] - a[1]) * along[0]) / along[0].hypot(along[1])
    };
    assert!((above(&shapes[half].places(rest, 1.0)) - rise).abs() < 1e-12);
    assert!((above(&shapes[half].places(rest, 2.0)) - 2.0 * rise).abs() < 1e-12);
    assert_eq!(exaggeration(&record), 1.0, "it can be seen");
    // The ring gives way by 0.04 mm of 72: a factor near 5 % of the size over that.
    let record = soft::ring();
    let factor = exaggeration(&record);
    let largest = Shape::all(&record.bodies[0], 0, &record.frames).iter().map(Shape::largest).fold(0.0, f64::max);
    let shown = factor * largest / size(&record.bodies[0].points);
    assert!((0.03..0.08).contains(&shown) && factor > 20.0, "{factor} {shown}");
}

#[test]
fn triangles_cover_every_cell_once_and_the_rim_is_closed() {
    for record in [soft::block(1.0), soft::ring()] {
        let body = &record.bodies[0];
        let mesh = Mesh::of(body);
        let area = |list: &[u32]| -> f64 {
            let p = |k: usize| body.points[list[k % list.len()] as usize];
            (0..list.len()).map(|k| 0.5 * (p(k)[0] * p(k + 1)[1] - p(k)[1] * p(k + 1)[0])).sum()
        };
        // A cell with nodes on its sides is the polygon through corners and these in turn.
        let outline = |cell: &Vec<u32>| match cell.len() {
            8 => [0, 4, 1, 5, 2, 6, 3, 7].iter().map(|k| cell[*k]).collect(),
            _ => cell.clone(),
        };
        let cells: f64 = body.cells.iter().map(|cell| area(&outline(cell))).sum();
        assert!(mesh.triangles.iter().all(|t| area(t) > 0.0), "{}", body.name);
        assert!((mesh.triangles.iter().map(|t| area(t)).sum::<f64>() - cells).abs() < 1e-12 * cells);
        let mut ends = vec![0; body.points.len()];
        mesh.rim.iter().flatten().for_each(|node| ends[*node as usize] += 1);
        assert!(ends.iter().all(|count| *count == 0 || *count == 2), "{}", body.name);
    }
    let six = SoftBody {
        points: vec![[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        cells: vec![vec![0, 1, 2, 3, 4, 5]],
        regions: vec![String::new()],
        ..SoftBody::default()
    };
    let mesh = Mesh::of(&six);
    assert_eq!((mesh.triangles.len(), mesh.lines.len(), mesh.rim.len()), (4, 0, 6));
}

#[test]
fn peaks_are_those_of_the_formulas() {
    let record = soft::both();
    let peak = peak_of(&record, Quantity::VonMises, 0, Extreme::Highest).expect("a peak");
    assert!((peak.value / block_peak(3.0) - 1.0).abs() < 1e-12);
    assert_eq!((peak.frame, worst_frame(&record)), (INSTANTS / 2, INSTANTS / 2));
    assert!((record.bodies[0].points[peak.node][1] - 0.9).abs() > 0.49 * BLOCK[1], "at the upper or lower side");
    let low = peak_of(&record, Quantity::Hydrostatic, 0, Extreme::Lowest).expect("a peak");
    let high = peak_of(&record, Quantity::Hydrostatic, 0, Extreme::Highest).expect("a peak");
    assert!((low.value + high.value).abs() < 1e-6 * high.value, "the block is pulled as much as it is pressed");
    // The ring is pressed most where the patch is deepest, at its inner side.
    let pressed = peak_of(&record, Quantity::Contact, 1, Extreme::Highest).expect("a peak");
    assert!((pressed.value / PRESSURE - 1.0).abs() < 1e-12);
    let [x, y] = record.bodies[1].points[pressed.node];
    assert!(x.abs() < 1e-12 && (y - (0.9 - RING[0])).abs() < 1e-12, "{x} {y}");
    let over_time = highest(&record, Quantity::Contact, 1);
    assert!(over_time.iter().zip(&record.frames).all(|(p, frame)| (p - PRESSURE * load(frame.t)).abs() < 1e-6));
    assert!(highest(&record, Quantity::Contact, 0).iter().all(|p| *p == 0.0), "nothing touches the block");
}

#[test]
fn principal_strains_turn_with_their_directions() {
    for angle in [0.0, 0.3, 1.2, -0.7] {
        let (s, c) = f64::sin_cos(angle);
        let [first, second] = [3e-3, -1e-3];
        let strain = [c * c * first + s * s * second, s * s * first + c * c * second, s * c * (first - second)];
        let found = principal(strain);
        assert!((found.values[0] - first).abs() < 1e-15 && (found.values[1] - second).abs() < 1e-15);
        let [x, y] = found.directions[0];
        assert!((x * s - y * c).abs() < 1e-12, "along the first axis");
        for (value, [x, y]) in found.values.iter().zip(found.directions) {
            let turned = [strain[0] * x + strain[2] * y, strain[2] * x + strain[1] * y];
            assert!((turned[0] - value * x).hypot(turned[1] - value * y) < 1e-15);
        }
    }
    assert_eq!(principal([2.0, 2.0, 0.0]).values, [2.0, 2.0]);
    assert!((principal([0.0, 0.0, 1.0]).directions[0][0] - (PI / 4.0).cos()).abs() < 1e-15);
}

#[test]
fn lists_that_do_not_fit_are_named() {
    let whole = soft::both();
    assert_eq!(fitting(&whole), Ok(()));
    type Damage = (fn(&mut SoftRecord), &'static str);
    let damages: [Damage; 7] = [
        (|r| r.bodies[0].cells[3] = vec![0, 1], "another number of nodes"),
        (|r| r.bodies[0].cells[3][0] = 9999, "a node that is not there"),
        (|r| r.bodies[1].regions.clear(), "as many regions"),
        (|r| r.arcs[0].body = 7, "a node that is not there"),
        (|r| r.arcs[0].arc.clear(), "as many lengths"),
        (|r| r.frames[2].bodies[0].stress.truncate(3), "stresses and strains"),
        (|r| r.frames[2].arcs[1].gap.truncate(3), "shears and gaps"),
    ];
    for (damage, words) in damages {
        let mut broken = whole.clone();
        damage(&mut broken);
        assert!(fitting(&broken).is_err_and(|said| said.contains(words)), "{words}");
    }
}
