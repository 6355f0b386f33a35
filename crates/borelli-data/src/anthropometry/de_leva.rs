//! The table of de Leva: Zatsiorsky's and Seluyanov's measurements, referred to joint centres.
//! Not here: what tables are (`anthropometry`).
//! In: sex. Out: rows, normalised.

use super::{Anthropometry, BodyPart, Sex, Share};

/// Part, ends, then female and male: mass, centre, radii about the forward, the rightward and the long axis, all in per cent.
type Row = (BodyPart, [&'static str; 2], [f64; 5], [f64; 5]);

const ROWS: [Row; 10] = [
    (BodyPart::Head, ["vertex", "mid gonion"], [6.68, 58.94, 33.0, 35.9, 31.8], [6.94, 59.76, 36.2, 37.6, 31.2]),
    (BodyPart::Trunk, ["mid shoulders", "mid hips"], [42.57, 37.82, 37.9, 36.1, 18.2], [43.46, 43.10, 38.4, 35.8, 19.7]),
    (BodyPart::LowerTrunk, ["navel", "mid hips"], [12.47, 49.20, 43.3, 40.2, 44.4], [11.17, 61.15, 61.5, 55.1, 58.7]),
    (BodyPart::UpperArm, ["shoulder", "elbow"], [2.55, 57.54, 27.8, 26.0, 14.8], [2.71, 57.72, 28.5, 26.9, 15.8]),
    (BodyPart::Forearm, ["elbow", "wrist"], [1.38, 45.59, 26.1, 25.7, 9.4], [1.62, 45.74, 27.6, 26.5, 12.1]),
    (BodyPart::Hand, ["wrist", "third metacarpal"], [0.56, 74.74, 53.1, 45.4, 33.5], [0.61, 79.00, 62.8, 51.3, 40.1]),
    (BodyPart::Thigh, ["hip", "knee"], [14.78, 36.12, 36.9, 36.4, 16.2], [14.16, 40.95, 32.9, 32.9, 14.9]),
    (BodyPart::Shank, ["knee", "lateral malleolus"], [4.81, 44.16, 27.1, 26.7, 9.3], [4.33, 44.59, 25.5, 24.9, 10.3]),
    (BodyPart::ShankToCenter, ["knee", "ankle"], [4.81, 43.52, 26.7, 26.3, 9.2], [4.33, 43.95, 25.1, 24.6, 10.2]),
    (BodyPart::Foot, ["heel", "toe tip"], [1.29, 40.14, 29.9, 27.9, 13.9], [1.37, 44.15, 25.7, 24.5, 12.4]),
];

/// De Leva's table for a sex, masses normalised to one.
///
/// Source: P. de Leva 1996, J. Biomech. 29:1223-1230. Masses as printed sum to 99.99 (female) and 100.0 per cent (male).
/// Test: `masses_sum_to_one`.
pub fn de_leva(sex: Sex) -> Anthropometry {
    let row = |(part, ends, female, male): &Row| {
        let [mass, center, forward, right, long] = (if sex == Sex::Female { *female } else { *male }).map(|percent| percent / 100.0);
        Share { part: *part, ends: (ends[0].into(), ends[1].into()), mass, center, radii: [forward, right, long] }
    };
    let table = Anthropometry {
        name: "de-leva".into(),
        source: format!("de Leva 1996, {}", if sex == Sex::Female { "female" } else { "male" }),
        rows: ROWS.iter().map(row).collect(),
        remarks: Vec::new(),
    };
    table.normalized()
}
