//! Masses of the model's bodies: rows of a table of segments, and trunk, head and arms lumped together.
//! Not here: where segments are (`survey`).
//! In: the table, the mass of the person, lengths. Out: lumps with mass, centre and principal moments.

use super::fault::SubjectFault;
use borelli_data::anthropometry::{Anthropometry, BodyPart, Sex};

/// A part of the upper body on the line from the middle of the hips to the middle of the shoulders.
#[derive(Clone, Copy, Debug)]
pub struct Lump {
    /// kg.
    pub mass: f64,
    /// Height of the centre above the middle of the hips along that line, m.
    pub height: f64,
    /// Principal moments about the centre: forward, along the line, to the right, kg m².
    pub moments: [f64; 3],
}

impl Lump {
    /// Moments about another height of the line.
    fn about(&self, height: f64) -> [f64; 3] {
        let d = self.mass * (self.height - height).powi(2);
        [self.moments[0] + d, self.moments[1], self.moments[2] + d]
    }

    /// Both together.
    fn plus(&self, other: &Lump) -> Lump {
        let mass = self.mass + other.mass;
        let height = (self.mass * self.height + other.mass * other.height) / mass;
        let (a, b) = (self.about(height), other.about(height));
        Lump { mass, height, moments: [a[0] + b[0], a[1] + b[1], a[2] + b[2]] }
    }

    /// What is left when a part is taken away. Test: `what_is_taken_apart_goes_together_again`.
    fn minus(&self, part: &Lump) -> Lump {
        let mass = self.mass - part.mass;
        let height = (self.mass * self.height - part.mass * part.height) / mass;
        let (a, b) = (self.about(height), part.about(height));
        // The rest has its centre at `height`: moments of the whole about there minus those of the part about there.
        Lump { mass, height, moments: [a[0] - b[0], a[1] - b[1], a[2] - b[2]] }
    }
}

/// Pelvis and everything above it: the pelvis alone, and trunk, head and arms.
///
/// By a table with head, trunk, lower trunk and arms (de Leva): the head's centre 0.38 trunk lengths above the shoulders, arms hanging straight at
/// `half_width`, lengths of head, upper arm, forearm and hand 0.40, 0.55, 0.52, 0.17 and of the lower trunk 0.28 (men) or 0.36 (women) trunk lengths, which are de Leva's
/// own mean lengths. By a table with head, arms and trunk in one row (Winter): the pelvis has 0.142 of the mass (Winter 2009, table 4.1), its centre a tenth of the
/// length above the hips, and radii of a fifth of it.
pub fn upper_body(table: &Anthropometry, mass: f64, trunk_length: f64, half_width: f64, sex: Sex) -> Result<[Lump; 2], SubjectFault> {
    let L = trunk_length;
    if let Some(hat) = table.segment(BodyPart::Hat, mass, L) {
        let whole = Lump { mass: hat.mass, height: hat.center, moments: hat.moments };
        let pelvis = 0.142 * mass;
        let pelvis = Lump { mass: pelvis, height: 0.1 * L, moments: [pelvis * (0.2 * L).powi(2); 3] };
        return Ok([pelvis, whole.minus(&pelvis)]);
    }
    let row = |part: BodyPart, length: f64| {
        table.segment(part, mass, length).ok_or_else(|| SubjectFault::TableLacks { table: table.name.clone(), segment: part.name() })
    };
    let lower = L * if sex == Sex::Female { 0.364 } else { 0.283 };
    // Rows count from the upper end.
    let down = |part: BodyPart, length: f64, top: f64| {
        row(part, length).map(|s| Lump { mass: s.mass, height: top - s.center, moments: s.moments })
    };
    let pelvis = down(BodyPart::LowerTrunk, lower, lower)?;
    let head = row(BodyPart::Head, 0.40 * L)?;
    let mut whole = down(BodyPart::Trunk, L, L)?.plus(&Lump { mass: head.mass, height: 1.38 * L, moments: head.moments });
    let arm = [(BodyPart::UpperArm, 0.55, 0.0), (BodyPart::Forearm, 0.52, 0.55), (BodyPart::Hand, 0.17, 1.07)];
    for (part, length, below) in arm {
        let one = down(part, length * L, L * (1.0 - below))?;
        let out = one.mass * half_width * half_width;
        let [x, y, z] = one.moments;
        whole = whole.plus(&Lump { mass: 2.0 * one.mass, height: one.height, moments: [2.0 * (x + out), 2.0 * (y + out), 2.0 * z] });
    }
    Ok([pelvis, whole.minus(&pelvis)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_data::anthropometry::{de_leva, winter};

    #[test]
    fn what_is_taken_apart_goes_together_again() {
        let a = Lump { mass: 11.0, height: 0.06, moments: [0.07, 0.06, 0.05] };
        let b = Lump { mass: 33.0, height: 0.4, moments: [1.4, 0.4, 1.3] };
        let back = a.plus(&b).minus(&a);
        assert!((back.mass - b.mass).abs() < 1e-13 && (back.height - b.height).abs() < 1e-14);
        assert!(back.moments.iter().zip(b.moments).all(|(x, y)| (x - y).abs() < 1e-13));
        // Two points of 1 kg, 2 m apart: m d²/2 about the axes across.
        let point = |height| Lump { mass: 1.0, height, moments: [0.0; 3] };
        assert_eq!(point(0.0).plus(&point(2.0)).moments, [2.0, 0.0, 2.0]);
    }

    #[test]
    fn an_upper_body_is_a_body() {
        for (table, sex) in [(de_leva(Sex::Female), Sex::Female), (de_leva(Sex::Male), Sex::Male), (winter(), Sex::Male)] {
            let legs: f64 = [BodyPart::Thigh, BodyPart::Shank, BodyPart::Foot]
                .iter()
                .filter_map(|part| table.share(*part))
                .map(|row| 2.0 * row.mass)
                .sum();
            let [pelvis, torso] = upper_body(&table, 70.0, 0.5, 0.18, sex).expect("a body");
            assert!((pelvis.mass + torso.mass + 70.0 * legs - 70.0).abs() < 1e-12, "{}", table.name);
            for lump in [pelvis, torso] {
                let [x, y, z] = lump.moments;
                assert!(x > 0.0 && y > 0.0 && z > 0.0 && x < y + z && y < x + z && z < x + y, "{} {lump:?}", table.name);
            }
            // Head, arms and trunk together have their centre near 0.63 of the way to the shoulders (Winter's row).
            let whole = pelvis.plus(&torso);
            assert!((whole.height / 0.5 - 0.626).abs() < 0.06, "{} {}", table.name, whole.height);
        }
    }
}
