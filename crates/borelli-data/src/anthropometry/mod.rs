//! Masses, centres and radii of gyration of body segments, as fractions, from tables of the literature or of the user.
//! Not here: where segments begin and end on a person (`landmark`); models.
//! In: a table by name and sex, the mass of the person, the length of a segment. Out: mass, centre and principal moments of the segment.

mod de_leva;
mod read;
mod winter;

pub use de_leva::de_leva;
pub use read::{AnthropometryFault, read_anthropometry};
pub use winter::winter;

/// Sex, where a table has two rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sex {
    /// Female.
    Female,
    /// Male.
    Male,
}

/// What a row of a table speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the segments
pub enum BodyPart {
    Head,
    HeadAndNeck,
    Trunk,
    LowerTrunk,
    Hat,
    UpperArm,
    Forearm,
    Hand,
    ForearmAndHand,
    Thigh,
    Shank,
    /// The shank with its lower end at the centre of the ankle instead of a malleolus.
    ShankToCenter,
    Foot,
    FootAndShank,
    Leg,
}

impl BodyPart {
    /// All of them with their names in files.
    pub const ALL: [(BodyPart, &'static str); 15] = [
        (BodyPart::Head, "head"),
        (BodyPart::HeadAndNeck, "head-and-neck"),
        (BodyPart::Trunk, "trunk"),
        (BodyPart::LowerTrunk, "lower-trunk"),
        (BodyPart::Hat, "hat"),
        (BodyPart::UpperArm, "upper-arm"),
        (BodyPart::Forearm, "forearm"),
        (BodyPart::Hand, "hand"),
        (BodyPart::ForearmAndHand, "forearm-and-hand"),
        (BodyPart::Thigh, "thigh"),
        (BodyPart::Shank, "shank"),
        (BodyPart::ShankToCenter, "shank-to-center"),
        (BodyPart::Foot, "foot"),
        (BodyPart::FootAndShank, "foot-and-shank"),
        (BodyPart::Leg, "leg"),
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        BodyPart::ALL.iter().find(|(part, _)| *part == self).map_or("", |(_, name)| name)
    }

    /// How many of it make up a person when whole bodies are summed: a partition into head, trunk and limbs.
    fn count(self) -> usize {
        match self {
            BodyPart::Head | BodyPart::HeadAndNeck | BodyPart::Trunk => 1,
            BodyPart::UpperArm | BodyPart::Forearm | BodyPart::Hand | BodyPart::Thigh | BodyPart::Shank | BodyPart::Foot => 2,
            _ => 0,
        }
    }

    /// Whether the long axis points forward, as in the foot, and not upward.
    pub fn lies_forward(self) -> bool {
        self == BodyPart::Foot
    }
}

/// One row: a segment between two ends, everything as a fraction.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// Which segment.
    pub part: BodyPart,
    /// The ends that centre and length refer to; the centre counts from the first.
    pub ends: (String, String),
    /// Of body mass.
    pub mass: f64,
    /// Distance of the mass centre from the first end, of the length.
    pub center: f64,
    /// Radii of gyration about the mass centre, of the length: about the axis that points forward (for the foot: up), about the axis to the right, about the
    /// long axis.
    pub radii: [f64; 3],
}

/// Mass, centre and moments of a segment of a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentInertia {
    /// kg.
    pub mass: f64,
    /// Distance of the mass centre from the first end, m.
    pub center: f64,
    /// Principal moments about the mass centre in the axes X forward, Y up, Z right of the standing person, kg m².
    pub moments: [f64; 3],
}

/// A table of segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Anthropometry {
    /// `de-leva`, `winter`, or the name of a file.
    pub name: String,
    /// Where the numbers come from, in words for a report.
    pub source: String,
    /// The rows.
    pub rows: Vec<Share>,
    /// What a user ought to know about the numbers.
    pub remarks: Vec<String>,
}

impl Anthropometry {
    /// The row of a segment.
    pub fn share(&self, part: BodyPart) -> Option<&Share> {
        self.rows.iter().find(|row| row.part == part)
    }

    /// Sum of the masses of head, trunk and limbs as printed.
    pub fn whole(&self) -> f64 {
        self.rows.iter().map(|row| row.part.count() as f64 * row.mass).sum()
    }

    /// The table with all masses divided by their sum, so that a person has its own mass exactly. A table without a whole body is left as it is.
    pub fn normalized(mut self) -> Anthropometry {
        let whole = self.whole();
        let complete = self.rows.iter().map(|row| row.part.count()).sum::<usize>() == 14;
        if complete && whole > 0.0 {
            self.rows.iter_mut().for_each(|row| row.mass /= whole);
        }
        self
    }

    /// A segment of a person: `body_mass` in kg, `length` between its ends in m.
    ///
    /// Moments are `m (r l)²`. Test: `a_thigh_has_the_mass_and_moments_of_its_row`.
    pub fn segment(&self, part: BodyPart, body_mass: f64, length: f64) -> Option<SegmentInertia> {
        let row = self.share(part)?;
        let mass = row.mass * body_mass;
        let [forward, right, long] = row.radii.map(|radius| mass * (radius * length).powi(2));
        let moments = if part.lies_forward() { [long, forward, right] } else { [forward, long, right] };
        Some(SegmentInertia { mass, center: row.center * length, moments })
    }
}

/// Length of a segment as a fraction of body height, for what no marker shows.
///
/// Source: R. Drillis and R. Contini 1966, as drawn in D. A. Winter 2009, Biomechanics and Motor Control of Human Movement, figure 4.1.
/// Hips at 0.530, knees at 0.285, ankles at 0.039, shoulders at 0.818 of the height.
pub fn length_by_height(part: BodyPart) -> Option<f64> {
    match part {
        BodyPart::Thigh => Some(0.530 - 0.285),
        BodyPart::Shank | BodyPart::ShankToCenter => Some(0.285 - 0.039),
        BodyPart::Foot => Some(0.152),
        BodyPart::Trunk | BodyPart::Hat => Some(0.818 - 0.530),
        BodyPart::UpperArm => Some(0.186),
        BodyPart::Forearm => Some(0.146),
        BodyPart::Hand => Some(0.108),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
