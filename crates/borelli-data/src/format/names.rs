//! What names of columns tell where nobody else does: which are angles, which are the reaction of the ground.
//! Not here: names of markers and of anatomical places.
//! In: names as files have them. Out: a guess that the reader names as such.

use super::Angular;

/// A column of a ground reaction: `ground_force_vx`, `1_ground_force_px`, `ground_torque_r_x`, `grf_x`, `cop_r_x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GroundColumn {
    /// What marks the plate among others: `1`, `r`, or nothing.
    pub key: String,
    /// What it is.
    pub quantity: GroundQuantity,
    /// x, y, z as 0, 1, 2.
    pub axis: usize,
    /// The name up to the axis, for forces: `ground_force_r_`.
    pub stem: String,
}

/// What a column of a ground reaction holds, on the person and in the axes of the laboratory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroundQuantity {
    /// Force, N.
    Force,
    /// Point of application, m.
    Point,
    /// Moment about that point, N m.
    Torque,
}

impl GroundQuantity {
    /// The SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            GroundQuantity::Force => "N",
            GroundQuantity::Point => "m",
            GroundQuantity::Torque => "N m",
        }
    }
}

/// Reads the name of a column of a ground reaction. Of a path only the last part counts.
pub(crate) fn ground_column(name: &str) -> Option<GroundColumn> {
    let base = name.rsplit('/').next().unwrap_or(name);
    let small = base.to_ascii_lowercase();
    let words: Vec<&str> = small.split('_').collect();
    if let Some(column) = short_ground_column(base, &words) {
        return Some(column);
    }
    let ground = words.iter().position(|word| *word == "ground")?;
    let kind = *words.get(ground + 1)?;
    let (force, number) = match ["force", "torque", "moment"].iter().find_map(|word| kind.strip_prefix(word).map(|rest| (*word, rest))) {
        Some((word, number)) if number.bytes().all(|b| b.is_ascii_digit()) => (word == "force", number),
        _ => return None,
    };
    let mut key: Vec<&str> = words[..ground].to_vec();
    key.extend(Some(number).filter(|number| !number.is_empty()));
    let mut axis = None;
    for word in &words[ground + 2..] {
        let letter = match word.as_bytes() {
            [letter] => Some((None, *letter)),
            [kind, letter] => Some((Some(*kind), *letter)),
            _ => None,
        };
        let place = letter.and_then(|(kind, letter)| b"xyz".iter().position(|c| *c == letter).map(|place| (kind, place)));
        match place {
            Some((kind, place)) if axis.is_none() && quantity(force, kind).is_some() => axis = Some((kind, place)),
            _ => key.push(word),
        }
    }
    let (kind, axis) = axis?;
    let stem = base.get(..base.len() - words.last().map_or(0, |word| word.len())).unwrap_or(base).to_string();
    Some(GroundColumn { key: key.join("_"), quantity: quantity(force, kind)?, axis, stem })
}

/// `grf_x`, `cop_r_z`, `1_grf_y`, `grm_y`: ground reaction force, centre of pressure, ground reaction moment.
fn short_ground_column(base: &str, words: &[&str]) -> Option<GroundColumn> {
    let kinds = [("grf", GroundQuantity::Force), ("cop", GroundQuantity::Point), ("grm", GroundQuantity::Torque)];
    let (place, quantity) =
        words.iter().enumerate().find_map(|(k, word)| kinds.iter().find(|(kind, _)| kind == word).map(|kind| (k, kind.1)))?;
    let last = words.len() - 1;
    let axis = ["x", "y", "z"].iter().position(|axis| words[last] == *axis).filter(|_| place < last)?;
    let key: Vec<&str> = (0..last).filter(|k| *k != place).map(|k| words[k]).collect();
    Some(GroundColumn { key: key.join("_"), quantity, axis, stem: base.get(..base.len() - 1)?.to_string() })
}

/// What `v`, `p`, `m` or nothing before the axis means.
fn quantity(force: bool, kind: Option<u8>) -> Option<GroundQuantity> {
    match (force, kind) {
        (true, Some(b'v') | None) => Some(GroundQuantity::Force),
        (true, Some(b'p')) => Some(GroundQuantity::Point),
        (true, Some(b'm')) | (false, Some(b'm') | None) => Some(GroundQuantity::Torque),
        _ => None,
    }
}

/// Units as they stand at the end of names, where neither `/` nor `^` is at hand.
const UNITS_OF_NAMES: &[(&str, &str)] = &[
    ("m_s2", "m/s^2"),
    ("m_s", "m/s"),
    ("rad_s2", "rad/s^2"),
    ("rad_s", "rad/s"),
    ("deg_s2", "deg/s^2"),
    ("deg_s", "deg/s"),
    ("rad", "rad"),
    ("deg", "deg"),
    ("ms", "ms"),
    ("s", "s"),
    ("mm", "mm"),
    ("cm", "cm"),
    ("m", "m"),
    ("kg", "kg"),
    ("hz", "Hz"),
    ("n", "N"),
    ("nmm", "N mm"),
    ("nm", "N m"),
    ("w", "W"),
    ("kpa", "kPa"),
    ("pa", "Pa"),
];

/// A name that ends with its unit, in parts: `grf_x_n` is `grf_x` in N; `nm` is N m, since nobody measures motion in nanometres.
pub(super) fn unit_at_end(name: &str) -> Option<(&str, &'static str)> {
    let ends = |short: &str| {
        let split = name.len().checked_sub(short.len() + 1).filter(|k| *k > 0 && name.is_char_boundary(*k))?;
        let (bare, end) = name.split_at(split);
        end.strip_prefix('_').is_some_and(|end| end.eq_ignore_ascii_case(short)).then_some(bare)
    };
    UNITS_OF_NAMES.iter().find_map(|(short, unit)| ends(short).map(|bare| (bare, *unit)))
}

/// Which columns of a file in degrees are angles, by their names alone: all but translations (`_tx`, `_ty`, `_tz`), forces (`_force`), `_beta`,
/// components of vectors, and the reaction of the ground.
pub fn angular_by_name(name: &str) -> Option<Angular> {
    let name = name.strip_suffix("/value").or_else(|| name.strip_suffix("/speed")).unwrap_or(name);
    let other = ["_tx", "_ty", "_tz", "_force", "_beta", ".x", ".y", ".z", ".w"].iter().any(|end| name.ends_with(end));
    (!other && !name.starts_with("/forceset/") && ground_column(name).is_none()).then_some(Angular::Named)
}

/// True for names that people give to angles.
pub(super) fn reads_like_an_angle(name: &str) -> bool {
    let small = name.to_ascii_lowercase();
    let words = ["angle", "flexion", "tilt", "rotation", "adduction", "abduction", "bending", "extension"];
    let other = ["moment", "force", "power", "speed", "_u", "torque"];
    words.iter().any(|word| small.contains(word)) && !other.iter().any(|word| small.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_ground_reactions_are_known_in_every_spelling() {
        let found = |name: &str| ground_column(name).map(|c| (c.key, c.quantity, c.axis, c.stem));
        use GroundQuantity::*;
        let is = |key: &str, quantity, axis, stem: &str| Some((key.to_string(), quantity, axis, stem.to_string()));
        assert_eq!(found("ground_force_vx"), is("", Force, 0, "ground_force_"));
        assert_eq!(found("1_ground_force_vy"), is("1", Force, 1, "1_ground_force_"));
        assert_eq!(found("ground_force_r_pz"), is("r", Point, 2, "ground_force_r_"));
        assert_eq!(found("ground_force_1_vx"), is("1", Force, 0, "ground_force_1_"));
        assert_eq!(found("R_ground_torque_x"), is("r", Torque, 0, "R_ground_torque_"));
        assert_eq!(found("ground_moment_l_mz"), is("l", Torque, 2, "ground_moment_l_"));
        assert_eq!(found("/forceset/left/ground_force_l_vx"), is("l", Force, 0, "ground_force_l_"));
        assert_eq!(found("ground_force_vx_r").map(|c| c.0), Some("r".into()));
        assert_eq!(found("grf_y"), is("", Force, 1, "grf_"));
        assert_eq!(found("COP_r_x"), is("r", Point, 0, "COP_r_"));
        assert_eq!(found("1_grm_y"), is("1", Torque, 1, "1_grm_"));
        for other in
            ["ground_clearance", "knee_force", "ground_force", "ground", "pelvis_tx", "under_ground_forces_vx", "grf", "cop_x_r", "scope_x"]
        {
            assert_eq!(found(other), None, "{other}");
        }
    }

    #[test]
    fn units_stand_at_the_end_of_names() {
        assert_eq!(unit_at_end("rib_x_cm"), Some(("rib_x", "cm")));
        assert_eq!(unit_at_end("hip_moment_nm"), Some(("hip_moment", "N m")));
        assert_eq!(unit_at_end("foot_alpha_rad_s2"), Some(("foot_alpha", "rad/s^2")));
        assert_eq!(unit_at_end("knee_vx_m_s"), Some(("knee_vx", "m/s")));
        assert_eq!(unit_at_end("GRF_X_N"), Some(("GRF_X", "N")));
        for other in ["_m", "m", "heel", "knee_flexion", "größe_ä", ""] {
            assert_eq!(unit_at_end(other), None, "{other}");
        }
    }

    #[test]
    fn names_tell_angles_from_translations_and_forces() {
        for angle in ["knee_angle_r", "pelvis_tilt", "/jointset/hip_r/hip_flexion_r/value", "lumbar_extension"] {
            assert_eq!(angular_by_name(angle), Some(Angular::Named), "{angle}");
        }
        for other in [
            "pelvis_tx",
            "soleus_r_force",
            "knee_r_beta",
            "ground_force_vx",
            "1_ground_torque_y",
            "RASI.x",
            "/jointset/ground_pelvis/pelvis_tx/value",
        ] {
            assert_eq!(angular_by_name(other), None, "{other}");
        }
    }
}
