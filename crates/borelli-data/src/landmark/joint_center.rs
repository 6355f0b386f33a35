//! Joint centres: hips by regression on the size of the pelvis, knees and ankles between their markers, shoulders below the acromion.
//! Not here: centres from motion (`score`), axes of segments (`frame`).
//! In: places of landmarks, m. Out: places of centres, m; for hips in the axes of the pelvis.
//!
//! Regressions miss by 1 to 2 cm; whoever prints a result names the rule.

use crate::explain::Explain;
use crate::recording::Side;
use borelli_math::{Vec3, vec3};

/// Size of a pelvis and of its person's leg, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PelvisSize {
    /// Distance of the anterior spines.
    pub width: f64,
    /// From the middle of the anterior to the middle of the posterior spines.
    pub depth: f64,
    /// From the anterior spine to the medial malleolus, where it is known.
    pub leg: Option<f64>,
}

/// Size of a pelvis from its landmarks.
pub fn pelvis_size(asis_r: Vec3<f64>, asis_l: Vec3<f64>, back: Vec3<f64>, leg: Option<f64>) -> PelvisSize {
    PelvisSize { width: (asis_r - asis_l).norm(), depth: ((asis_r + asis_l).scale(0.5) - back).norm(), leg }
}

/// What keeps a joint centre from being found.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum CenterFault {
    /// A rule that needs the length of the leg.
    LegLengthNeeded { rule: &'static str },
    /// A rule nobody knows.
    UnknownRule { text: String },
}

impl Explain for CenterFault {
    fn code(&self) -> &'static str {
        match self {
            CenterFault::LegLengthNeeded { .. } => "leg-length-needed",
            CenterFault::UnknownRule { .. } => "unknown-hip-rule",
        }
    }
    fn message(&self) -> String {
        match self {
            CenterFault::LegLengthNeeded { rule } => format!("the hip rule `{rule}` needs the length of the leg"),
            CenterFault::UnknownRule { text } => format!("there is no hip rule `{text}`"),
        }
    }
    fn hint(&self) -> Option<String> {
        Some(match self {
            CenterFault::LegLengthNeeded { .. } => "give it, add markers on the medial malleoli, or take `harrington`".into(),
            CenterFault::UnknownRule { .. } => format!("one of {}", HIP_RULES.map(HipRule::name).join(", ")),
        })
    }
}

/// A rule for the centre of the hip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HipRule {
    /// A. L. Bell, D. R. Pedersen and R. A. Brand 1990, J. Biomech. 23:617.
    Bell1990,
    /// A. L. Bell, R. A. Brand and D. R. Pedersen 1989, Hum. Mov. Sci. 8:3.
    Bell1989,
    /// M. E. Harrington et al. 2007, J. Biomech. 40:595, one variable for each direction.
    #[default]
    Harrington,
    /// M. E. Harrington et al. 2007, all variables.
    HarringtonAll,
    /// R. Hara et al. 2016, Sci. Rep. 6:37707, by the length of the leg.
    Hara,
}

/// All rules.
pub const HIP_RULES: [HipRule; 5] = [HipRule::Bell1990, HipRule::Bell1989, HipRule::Harrington, HipRule::HarringtonAll, HipRule::Hara];

impl HipRule {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            HipRule::Bell1990 => "bell-1990",
            HipRule::Bell1989 => "bell-1989",
            HipRule::Harrington => "harrington",
            HipRule::HarringtonAll => "harrington-all",
            HipRule::Hara => "hara",
        }
    }

    /// A rule by its name.
    pub fn parse(text: &str) -> Result<HipRule, CenterFault> {
        let found = HIP_RULES.into_iter().find(|rule| rule.name().eq_ignore_ascii_case(text.trim()));
        found.ok_or_else(|| CenterFault::UnknownRule { text: text.to_string() })
    }

    /// Centre of the hip from the middle of the anterior spines, in the axes of the pelvis, m. The radius of the markers lies between skin and
    /// the middle of a marker and is taken off along X.
    ///
    /// Test: `hip_rules_give_the_published_numbers`.
    pub fn center(self, size: &PelvisSize, side: Side, marker_radius: f64) -> Result<Vec3<f64>, CenterFault> {
        let (pw, pd) = (1e3 * size.width, 1e3 * size.depth);
        let ll = size.leg.map(|leg| 1e3 * leg).ok_or(CenterFault::LegLengthNeeded { rule: self.name() });
        let (x, y, z) = match self {
            HipRule::Bell1990 => (-0.19 * pw, -0.30 * pw, 0.36 * pw),
            HipRule::Bell1989 => (-0.22 * pw, -0.30 * pw, 0.36 * pw),
            HipRule::Harrington => (-0.24 * pd - 9.9, -0.30 * pw - 10.9, 0.33 * pw + 7.3),
            HipRule::HarringtonAll => (-0.24 * pd - 9.9, -0.16 * pw - 0.04 * ll? - 7.1, 0.28 * pd + 0.16 * pw + 7.9),
            HipRule::Hara => {
                let ll = ll?;
                (11.0 - 0.063 * ll, -9.0 - 0.078 * ll, 8.0 + 0.086 * ll)
            }
        };
        Ok(vec3(1e-3 * x - marker_radius, 1e-3 * y, side.sign() * 1e-3 * z))
    }
}

/// Middle of two places: knees between the epicondyles, ankles between the malleoli, elbows and wrists likewise.
pub fn between(a: Vec3<f64>, b: Vec3<f64>) -> Vec3<f64> {
    (a + b).scale(0.5)
}

/// Centre of a joint that has only a lateral marker: moved inwards by half the width of the joint and the radius of the marker. `inward` is a unit vector.
pub fn inwards(lateral: Vec3<f64>, inward: Vec3<f64>, width: f64, marker_radius: f64) -> Vec3<f64> {
    lateral + inward.scale(0.5 * width + marker_radius)
}

/// Centre of the shoulder: 0.17 times the distance of both acromia below the acromion.
/// `down` is a unit vector along the trunk.
pub fn shoulder_center(acromion: Vec3<f64>, other_acromion: Vec3<f64>, down: Vec3<f64>) -> Vec3<f64> {
    acromion + down.scale(0.17 * (acromion - other_acromion).norm())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hip_rules_give_the_published_numbers() {
        // A pelvis 240 mm wide and 150 mm deep, a leg of 900 mm: the table of each paper by hand, mm.
        let size = PelvisSize { width: 0.24, depth: 0.15, leg: Some(0.9) };
        let expected = [
            (HipRule::Bell1990, [-45.6, -72.0, 86.4]),
            (HipRule::Bell1989, [-52.8, -72.0, 86.4]),
            (HipRule::Harrington, [-45.9, -82.9, 86.5]),
            (HipRule::HarringtonAll, [-45.9, -81.5, 88.3]),
            (HipRule::Hara, [-45.7, -79.2, 85.4]),
        ];
        for (rule, [x, y, z]) in expected {
            let right = rule.center(&size, Side::Right, 0.0).expect("a centre");
            let left = rule.center(&size, Side::Left, 0.007).expect("a centre");
            assert!((right - vec3(x, y, z).scale(1e-3)).norm() < 1e-12, "{} {right:?}", rule.name());
            assert!((left - vec3(x - 7.0, y, -z).scale(1e-3)).norm() < 1e-12, "{} {left:?}", rule.name());
            assert_eq!(HipRule::parse(rule.name()), Ok(rule));
        }
        let short = PelvisSize { leg: None, ..size };
        assert!(HipRule::Harrington.center(&short, Side::Right, 0.0).is_ok());
        for rule in [HipRule::HarringtonAll, HipRule::Hara] {
            assert_eq!(rule.center(&short, Side::Right, 0.0), Err(CenterFault::LegLengthNeeded { rule: rule.name() }));
        }
        assert!(HipRule::parse("bell").is_err_and(|fault| fault.hint().is_some_and(|hint| hint.contains("bell-1990"))));
    }

    #[test]
    fn a_lateral_marker_is_moved_to_the_middle_of_the_joint() {
        let centre = inwards(vec3(0.0, 0.5, 0.06), vec3(0.0, 0.0, -1.0), 0.1, 0.01);
        assert!((centre - vec3(0.0, 0.5, 0.0)).norm() < 1e-16);
        assert_eq!(between(vec3(0.0, 1.0, 2.0), vec3(2.0, 1.0, 0.0)), vec3(1.0, 1.0, 1.0));
        let shoulder = shoulder_center(vec3(0.0, 1.5, 0.2), vec3(0.0, 1.5, -0.2), vec3(0.0, -1.0, 0.0));
        assert!((shoulder - vec3(0.0, 1.432, 0.2)).norm() < 1e-15);
    }
}
