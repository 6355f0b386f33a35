//! Which curves a gait report shows: their place in the grid, the coordinates they come from, and what positive means.
//! Not here: cycles, drawing.
//! In: names of coordinates of a model. Out: for each cell and side the coordinate, and the sign that turns it into the clinical one.
//!
//! Signs of reports: anterior tilt, obliquity up on the own side, internal rotation of the pelvis; flexion, adduction, internal rotation of hip and
//! knee; dorsiflexion, inversion. Internal moments: extension of hip and knee, plantarflexion of the ankle, abduction and external rotation are positive
//! where the moment would turn the joint that way; power is positive where it is generated. Source: the habits of gait laboratories (Winter 2009,
//! Baker 2013, Measuring Walking).

use borelli_data::recording::Side;

/// A row of the kinematics grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// Pelvis against the laboratory.
    Pelvis,
    /// Hip.
    Hip,
    /// Knee.
    Knee,
    /// Ankle.
    Ankle,
    /// Foot.
    Foot,
}

/// One curve of the report.
#[derive(Debug)]
pub struct CurveKind {
    /// Row.
    pub joint: Joint,
    /// Column: 0 sagittal, 1 frontal, 2 transverse.
    pub plane: usize,
    /// Title of the cell.
    pub title: &'static str,
    /// Key in tables: `hip_flexion`.
    pub key: &'static str,
    /// What up and down mean.
    pub words: [&'static str; 2],
    /// Names of coordinates without the side, the first that a model has counts.
    pub names: &'static [&'static str],
    /// The coordinate is one for both sides; in the frontal and transverse plane its left curve has the other sign.
    pub shared: bool,
    /// Its moment is shown with the other sign: `extension` positive where the angle is flexion.
    pub moment_words: Option<[&'static str; 2]>,
}

const fn curve(
    joint: Joint,
    plane: usize,
    title: &'static str,
    key: &'static str,
    words: [&'static str; 2],
    names: &'static [&'static str],
    shared: bool,
    moment_words: Option<[&'static str; 2]>,
) -> CurveKind {
    CurveKind { joint, plane, title, key, words, names, shared, moment_words }
}

/// All curves, row by row.
pub static CURVES: &[CurveKind] = &[
    curve(Joint::Pelvis, 0, "Pelvic tilt", "pelvis_tilt", ["Ant", "Post"], &["pelvis_tilt"], true, None),
    curve(Joint::Pelvis, 1, "Pelvic obliquity", "pelvis_obliquity", ["Up", "Down"], &["pelvis_list", "pelvis_obliquity"], true, None),
    curve(Joint::Pelvis, 2, "Pelvic rotation", "pelvis_rotation", ["Int", "Ext"], &["pelvis_rotation"], true, None),
    curve(Joint::Hip, 0, "Hip flexion", "hip_flexion", ["Flex", "Ext"], &["hip_flexion", "hip_angle"], false, Some(["Ext", "Flex"])),
    curve(Joint::Hip, 1, "Hip adduction", "hip_adduction", ["Add", "Abd"], &["hip_adduction"], false, Some(["Abd", "Add"])),
    curve(Joint::Hip, 2, "Hip rotation", "hip_rotation", ["Int", "Ext"], &["hip_rotation"], false, Some(["Ext", "Int"])),
    curve(
        Joint::Knee,
        0,
        "Knee flexion",
        "knee_flexion",
        ["Flex", "Ext"],
        &["knee_angle", "knee_flexion", "knee"],
        false,
        Some(["Ext", "Flex"]),
    ),
    curve(Joint::Knee, 1, "Knee varus", "knee_adduction", ["Var", "Val"], &["knee_adduction", "knee_varus"], false, Some(["Val", "Var"])),
    curve(Joint::Knee, 2, "Knee rotation", "knee_rotation", ["Int", "Ext"], &["knee_rotation"], false, Some(["Ext", "Int"])),
    curve(
        Joint::Ankle,
        0,
        "Ankle dorsiflexion",
        "ankle_dorsiflexion",
        ["Dors", "Plan"],
        &["ankle_angle", "ankle_flexion", "ankle"],
        false,
        Some(["Plan", "Dors"]),
    ),
    curve(
        Joint::Foot,
        1,
        "Foot inversion",
        "foot_inversion",
        ["Inv", "Ev"],
        &["subtalar_angle", "ankle_inversion"],
        false,
        Some(["Ev", "Inv"]),
    ),
];

/// Rows of the kinematics grid in order.
pub const ROWS: [Joint; 5] = [Joint::Pelvis, Joint::Hip, Joint::Knee, Joint::Ankle, Joint::Foot];

/// Endings of names that mean a side.
const ENDINGS: [(Side, [&str; 4]); 2] = [(Side::Left, ["_l", "_left", "_L", ".l"]), (Side::Right, ["_r", "_right", "_R", ".r"])];

/// Words of reports, spelt out.
const SPELT: [(&str, &str); 7] = [
    ("Ext", "extension"),
    ("Flex", "flexion"),
    ("Abd", "abduction"),
    ("Add", "adduction"),
    ("Plan", "plantarflexion"),
    ("Val", "valgus"),
    ("Ev", "eversion"),
];

impl CurveKind {
    /// What its internal moment is called, by its positive direction: `Hip extension moment`; empty where none is shown.
    pub fn moment_title(&self) -> String {
        let Some([up, _]) = self.moment_words else { return String::new() };
        let joint = self.title.split(' ').next().unwrap_or_default();
        // external rotation is `Ext` too
        let spelt = SPELT.iter().find(|(word, _)| *word == up).map_or(up, |(_, spelt)| spelt);
        let spelt = if self.plane == 2 { "external rotation" } else { spelt };
        format!("{joint} {spelt} moment")
    }

    /// The coordinate of a side among those of a model.
    pub fn coordinate<'n>(&self, side: Side, names: &[&'n str]) -> Option<&'n str> {
        let find = |wanted: &str| names.iter().copied().find(|name| *name == wanted);
        if self.shared {
            return self.names.iter().find_map(|name| find(name));
        }
        let (_, endings) = ENDINGS.iter().find(|(own, _)| *own == side)?;
        self.names.iter().find_map(|name| endings.iter().find_map(|ending| find(&format!("{name}{ending}"))))
    }
}

/// What turns a coordinate into the clinical curve, and where that is known from.
#[derive(Clone, Debug, PartialEq)]
pub struct Sign {
    /// 1 or -1, for the right side of a coordinate that both sides share.
    pub factor: f64,
    /// `model`, `name`, or `data`.
    pub basis: &'static str,
}

impl CurveKind {
    /// The sign of a coordinate: as the model says, else by its name and, for the knee, by the walk itself, since people bend their knees one way.
    ///
    /// Names mean what OpenSim's models mean by them: axes X forward, Y up, Z right, so that a positive `pelvis_tilt` tips the pelvis backward, a positive `pelvis_list`
    /// lowers the right side, and a positive `pelvis_rotation` brings it forward.
    pub fn sign(&self, coordinate: &str, said: &[(String, f64)], values: &[f64]) -> Sign {
        if let Some((_, factor)) = said.iter().find(|(name, _)| name == coordinate || name == self.key) {
            return Sign { factor: *factor, basis: "model" };
        }
        match self.key {
            "pelvis_tilt" | "pelvis_obliquity" => Sign { factor: -1.0, basis: "name" },
            "knee_flexion" => {
                let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
                Sign { factor: if mean < 0.0 { -1.0 } else { 1.0 }, basis: "data" }
            }
            _ => Sign { factor: 1.0, basis: "name" },
        }
    }

    /// The sign of a side: the left one of a shared coordinate is seen from the other side, but for the sagittal plane.
    pub fn side_factor(&self, side: Side) -> f64 {
        if self.shared && self.plane > 0 && side == Side::Left { -1.0 } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_found_by_side_and_shared_ones_for_both() {
        let names = ["pelvis_tilt", "hip_flexion_r", "hip_flexion_l", "knee_angle_r", "ankle_angle_l"];
        let find = |key: &str, side| CURVES.iter().find(|curve| curve.key == key).and_then(|curve| curve.coordinate(side, &names));
        assert_eq!(find("hip_flexion", Side::Left), Some("hip_flexion_l"));
        assert_eq!(find("hip_flexion", Side::Right), Some("hip_flexion_r"));
        assert_eq!((find("pelvis_tilt", Side::Left), find("pelvis_tilt", Side::Right)), (Some("pelvis_tilt"), Some("pelvis_tilt")));
        assert_eq!((find("knee_flexion", Side::Left), find("hip_rotation", Side::Right)), (None, None));
    }

    #[test]
    fn every_cell_has_one_curve() {
        for (k, curve) in CURVES.iter().enumerate() {
            let same = |other: &CurveKind| other.joint == curve.joint && other.plane == curve.plane;
            assert!(CURVES[k + 1..].iter().all(|other| !same(other)), "{}", curve.key);
        }
    }

    #[test]
    fn the_model_says_the_sign_else_the_name_and_for_the_knee_the_walk() {
        let kind = |key: &str| CURVES.iter().find(|curve| curve.key == key).expect("a curve");
        let said = [("knee_angle_r".to_string(), -1.0), ("ankle_dorsiflexion".to_string(), -1.0)];
        let bent = [0.1, 1.0, -0.05];
        assert_eq!(kind("knee_flexion").sign("knee_angle_r", &said, &bent), Sign { factor: -1.0, basis: "model" });
        assert_eq!(kind("ankle_dorsiflexion").sign("ankle_angle_l", &said, &bent).factor, -1.0);
        assert_eq!(kind("knee_flexion").sign("knee_angle_l", &said, &bent), Sign { factor: 1.0, basis: "data" });
        assert_eq!(kind("knee_flexion").sign("knee_angle_l", &said, &[-0.1, -1.0]).factor, -1.0);
        assert_eq!(kind("pelvis_tilt").sign("pelvis_tilt", &[], &[]), Sign { factor: -1.0, basis: "name" });
        assert_eq!((kind("pelvis_tilt").side_factor(Side::Left), kind("pelvis_rotation").side_factor(Side::Left)), (1.0, -1.0));
    }
}
