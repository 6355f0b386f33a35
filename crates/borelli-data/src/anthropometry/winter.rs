//! The table of Winter, after Dempster's cadavers. Planar: one radius of gyration for each segment.
//! Not here: what tables are (`anthropometry`).
//! In: nothing. Out: rows.

use super::{Anthropometry, BodyPart, Share};

/// Radius about the long axis, of the length: not in the table, assumed so that bodies in space have three moments.
const LONG_RADIUS: f64 = 0.15;

/// Part, ends, mass, centre from the first end, radius about the centre, all as fractions; no radius for the trunk.
type Row = (BodyPart, [&'static str; 2], f64, f64, Option<f64>);

const ROWS: [Row; 12] = [
    (BodyPart::Foot, ["lateral malleolus", "second metatarsal head"], 0.0145, 0.500, Some(0.475)),
    (BodyPart::Shank, ["knee", "medial malleolus"], 0.0465, 0.433, Some(0.302)),
    (BodyPart::Thigh, ["greater trochanter", "knee"], 0.100, 0.433, Some(0.323)),
    (BodyPart::FootAndShank, ["knee", "medial malleolus"], 0.061, 0.606, Some(0.416)),
    (BodyPart::Leg, ["greater trochanter", "medial malleolus"], 0.161, 0.447, Some(0.326)),
    (BodyPart::Hand, ["wrist", "second knuckle of the middle finger"], 0.006, 0.506, Some(0.297)),
    (BodyPart::Forearm, ["elbow", "ulnar styloid"], 0.016, 0.430, Some(0.303)),
    (BodyPart::UpperArm, ["shoulder", "elbow"], 0.028, 0.436, Some(0.322)),
    (BodyPart::ForearmAndHand, ["elbow", "ulnar styloid"], 0.022, 0.682, Some(0.468)),
    (BodyPart::HeadAndNeck, ["seventh cervical vertebra and first rib", "ear canal"], 0.081, 1.000, Some(0.495)),
    (BodyPart::Trunk, ["greater trochanter", "shoulder"], 0.497, 0.500, None),
    (BodyPart::Hat, ["greater trochanter", "shoulder"], 0.678, 0.626, Some(0.496)),
];

/// Winter's table.
///
/// Source: D. A. Winter 2009, Biomechanics and Motor Control of Human Movement, 4th edition, table 4.1, after W. T. Dempster 1955.
/// Departures, for bodies in space: the radius is taken about both axes across the segment, and 0.15 lengths about its long axis; the trunk, which has no
/// radius in the table, has that of head, arms and trunk. Test: `masses_sum_to_one`.
pub fn winter() -> Anthropometry {
    let trunk = 0.496;
    let row = |(part, ends, mass, center, radius): &Row| {
        let across = radius.unwrap_or(trunk);
        Share { part: *part, ends: (ends[0].into(), ends[1].into()), mass: *mass, center: *center, radii: [across, across, LONG_RADIUS] }
    };
    Anthropometry {
        name: "winter".into(),
        source: "Winter 2009 after Dempster 1955".into(),
        rows: ROWS.iter().map(row).collect(),
        remarks: vec![
            format!(
                "Winter's table is planar: its radius is used about both axes across a segment, and {LONG_RADIUS} lengths about the long axis"
            ),
            "Winter's lengths run between landmarks that are not joint centres (greater trochanter, malleoli)".into(),
        ],
    }
}
