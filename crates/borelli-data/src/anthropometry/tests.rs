//! Sums, single rows against the printed numbers, and tables of users.

use super::*;
use crate::explain::Explain;

#[test]
fn masses_sum_to_one() {
    for table in [de_leva(Sex::Female), de_leva(Sex::Male), winter()] {
        assert!((table.whole() - 1.0).abs() < 1e-12, "{} {}", table.source, table.whole());
    }
    // As printed: 99.99 and 100.00 per cent; normalising moves a female thigh by a ten-thousandth of itself.
    let thigh = |sex| de_leva(sex).share(BodyPart::Thigh).expect("a thigh").mass;
    assert!((thigh(Sex::Female) - 0.1478 / 0.9999).abs() < 1e-15);
    assert!((thigh(Sex::Male) - 0.1416).abs() < 1e-15);
    // Parts of Winter's that contain others have their sum.
    let mass = |part| winter().share(part).expect("a row").mass;
    assert!((mass(BodyPart::Foot) + mass(BodyPart::Shank) - mass(BodyPart::FootAndShank)).abs() < 1e-15);
    assert!((mass(BodyPart::FootAndShank) + mass(BodyPart::Thigh) - mass(BodyPart::Leg)).abs() < 1e-15);
    assert!((mass(BodyPart::Forearm) + mass(BodyPart::Hand) - mass(BodyPart::ForearmAndHand)).abs() < 1e-15);
    assert!((1.0 - 2.0 * mass(BodyPart::Leg) - mass(BodyPart::Hat)).abs() < 1e-15);
    assert_eq!(winter().remarks.len(), 2);
}

#[test]
fn combined_rows_of_winter_agree_with_their_parts() {
    let table = winter();
    let share = |part| table.share(part).expect("a row");
    let leg = share(BodyPart::Leg);
    // Thigh and shank in one line, each about half of the leg, foot at its end.
    let (thigh, shank, foot) = (share(BodyPart::Thigh), share(BodyPart::Shank), share(BodyPart::Foot));
    let (a, b) = (0.245 / 0.491, 0.246 / 0.491);
    let center = (thigh.mass * thigh.center * a + shank.mass * (a + shank.center * b) + foot.mass) / leg.mass;
    assert!((center - leg.center).abs() < 0.02, "{center}");
}

#[test]
fn a_thigh_has_the_mass_and_moments_of_its_row() {
    let thigh = de_leva(Sex::Male).segment(BodyPart::Thigh, 70.0, 0.42).expect("a thigh");
    assert!((thigh.mass - 9.912).abs() < 1e-12 && (thigh.center - 0.4095 * 0.42).abs() < 1e-15);
    let across = 9.912 * (0.329_f64 * 0.42).powi(2);
    let along = 9.912 * (0.149_f64 * 0.42).powi(2);
    assert!(thigh.moments.iter().zip([across, along, across]).all(|(a, b)| (a - b).abs() < 1e-15));
    // The long axis of the foot points forward.
    let foot = de_leva(Sex::Female).segment(BodyPart::Foot, 60.0, 0.24).expect("a foot");
    assert!(foot.moments[0] < foot.moments[1] && foot.moments[0] < foot.moments[2]);
    assert_eq!(de_leva(Sex::Male).segment(BodyPart::Hat, 70.0, 0.5), None);
    // Every principal moment is at most the sum of the other two: rows are bodies.
    for table in [de_leva(Sex::Female), de_leva(Sex::Male), winter()] {
        for row in &table.rows {
            let [a, b, c] = row.radii.map(|r| r * r);
            assert!(a <= b + c && b <= a + c && c <= a + b, "{:?}", row.part);
        }
    }
}

#[test]
fn a_users_table_is_read_and_checked() {
    let text =
        "segment, from, to, mass, center, r_forward, r_right, r_long\n# mine\nthigh, hip, knee, 0.1416, 0.4095, 0.329, 0.329, 0.149\n";
    let table = read_anthropometry("mine.csv", text).expect("a table");
    assert_eq!(table.share(BodyPart::Thigh).map(|row| row.mass), Some(0.1416));
    assert_eq!(table.clone().normalized(), table, "no whole body, nothing to normalise");
    let bad = "thig, a, b, 0.1, 0.4, 0.3, 0.3, 0.1\nthigh, a, b, 14.16, 40.95, 32, 32, 14\nshank, a, b, x, 0.4, 0.3, 0.3, 0.1\nfoot, a\n";
    let faults = read_anthropometry("bad", bad).expect_err("faults");
    let told: Vec<(usize, &str)> = faults.iter().map(|(line, fault)| (*line, fault.code())).collect();
    assert_eq!(told, [(1, "unknown-segment"), (2, "fraction-out-of-range"), (3, "not-a-number"), (4, "wrong-cell-count")]);
    assert_eq!(faults[0].1.hint().as_deref(), Some("did you mean `thigh`?"));
    assert_eq!(read_anthropometry("none", "").map_err(|faults| faults[0].1.code()), Err("empty-anthropometry"));
    let twice = "foot, a, b, 0.1, 0.4, 0.3, 0.3, 0.1\nFoot, a, b, 0.1, 0.4, 0.3, 0.3, 0.1";
    assert_eq!(read_anthropometry("twice", twice).map_err(|faults| faults[0].0), Err(2));
}

#[test]
fn lengths_add_up_to_the_height_of_the_hip() {
    let of = |part| length_by_height(part).expect("a length");
    assert!((of(BodyPart::Thigh) + of(BodyPart::Shank) + 0.039 - 0.530).abs() < 1e-15);
    assert_eq!(length_by_height(BodyPart::Head), None);
}
