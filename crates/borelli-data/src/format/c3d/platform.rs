//! The group FORCE_PLATFORM: what a C3D file says of its force plates.
//! Not here: loads (`plate`), writing them (`writer`).
//! In: parameters. Out: platforms in SI, the roles of their channels.

use super::analog::Channel;
use super::parameters::Parameters;
use crate::recording::{Platform, Repair};
use borelli_math::{Vec3, vec3};

/// Most plates that are looked at.
const MOST: usize = 255;

/// Powers of length that the coefficients of FPCOPPOLY divide by: p for metres is p of the file over (metres in its unit) to this power.
pub(super) const POLYNOMIAL_ORDER: [i32; 6] = [6, 4, 2, 4, 2, 0];

/// What a channel of a plate measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A force.
    Force,
    /// A moment.
    Moment,
    /// A place.
    Length,
}

impl Role {
    /// Its SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            Role::Force => "N",
            Role::Moment => "N m",
            Role::Length => "m",
        }
    }

    /// Its factor to SI where the file's unit is not one of its kind: N, N times the length unit, the length unit.
    pub fn factor(self, metres: f64) -> f64 {
        if self == Role::Force { 1.0 } else { metres }
    }
}

/// Number of channels of a type, and what they measure; nothing for types whose channels are what the matrix makes of them.
pub(super) fn roles_of(kind: u16) -> Option<&'static [Role]> {
    use Role::{Force, Length, Moment};
    match kind {
        1 => Some(&[Force, Force, Force, Length, Length, Moment]),
        2 => Some(&[Force, Force, Force, Moment, Moment, Moment]),
        3 => Some(&[Force; 8]),
        _ => None,
    }
}

/// What each channel measures for the plates of types 1 to 3; the first plate that has it decides.
pub(super) fn roles(platforms: &[Platform], channels: usize) -> Vec<Option<Role>> {
    let mut roles = vec![None; channels];
    for platform in platforms {
        for (number, role) in platform.channels.iter().zip(roles_of(platform.kind).unwrap_or(&[])) {
            if let Some(slot) = usize::from(*number).checked_sub(1).and_then(|k| roles.get_mut(k)) {
                *slot = slot.or(Some(*role));
            }
        }
    }
    roles
}

/// The plates. Lengths are converted with `metres`; matrices are those of the file until [`calibrate`] is told the units of the channels.
pub(super) fn platforms(parameters: &Parameters, metres: f64, repairs: &mut Vec<Repair>) -> Vec<Platform> {
    let used = parameters.number("FORCE_PLATFORM", "USED").map_or(0, |used| used as usize).min(MOST);
    if used == 0 {
        return Vec::new();
    }
    let numbers = |name: &str| parameters.get("FORCE_PLATFORM", name).map(|view| view.numbers(true)).unwrap_or_default();
    let size = |name: &str, k: usize, other: usize| {
        let view = parameters.get("FORCE_PLATFORM", name);
        view.and_then(|view| view.sizes.get(k).map(|size| usize::from(*size))).filter(|size| *size > 0).unwrap_or(other)
    };
    let (kinds, corners, origins, zero) = (numbers("TYPE"), numbers("CORNERS"), numbers("ORIGIN"), numbers("ZERO"));
    let (channels, matrices, polynomials) = (numbers("CHANNEL"), numbers("CAL_MATRIX"), numbers("FPCOPPOLY"));
    if kinds.len() < used {
        let found = format!("{} types for {used} plates", kinds.len());
        repairs.push(Repair::new("FORCE_PLATFORM:TYPE", found, format!("{} plates are read", kinds.len())));
    }
    let rows = size("CHANNEL", 0, 6);
    let (high, wide) = (size("CAL_MATRIX", 0, 6), size("CAL_MATRIX", 1, 6));
    let by_row = parameters.text("FORCE_PLATFORM", "MATRIX_STORE").is_some_and(|text| text.eq_ignore_ascii_case("byrow"));
    let point = |list: &[f64], at: usize| {
        let part = list.get(at..at + 3).filter(|part| part.iter().all(|x| x.is_finite()))?;
        Some(vec3(part[0], part[1], part[2]).scale(metres))
    };
    let whole = |list: &[f64], k: usize| list.get(k).map_or(0, |x| *x as i32);
    (0..used.min(kinds.len()))
        .map(|p| {
            if point(&origins, 3 * p).is_none() && kinds[p] as i32 != 1 {
                let done =
                    "the sensor is taken to lie in the surface: centres of pressure are off by its depth times the slope of the force";
                repairs.push(Repair::new(format!("FORCE_PLATFORM:ORIGIN of plate {}", p + 1), "not there", done));
            }
            let mut square = [Vec3::ZERO; 4];
            let seen = square.iter_mut().enumerate().all(|(c, corner)| point(&corners, 12 * p + 3 * c).map(|at| *corner = at).is_some());
            let matrix = matrices.get(p * high * wide..(p + 1) * high * wide).filter(|_| high >= 6 && wide >= 6).map(|part| {
                let entry = |i: usize, j: usize| if by_row { part[j + wide * i] } else { part[i + high * j] };
                std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
            });
            let polynomial = polynomials
                .get(12 * p..12 * p + 12)
                .filter(|part| part.iter().any(|x| *x != 0.0))
                .map(|part| std::array::from_fn(|axis| std::array::from_fn(|k| part[6 * axis + k] / metres.powi(POLYNOMIAL_ORDER[k]))));
            let numbers = channels.get(p * rows..).unwrap_or(&[]).iter().take(rows);
            Platform {
                kind: kinds[p] as i32 as u16,
                corners: seen.then_some(square),
                origin: point(&origins, 3 * p).unwrap_or(Vec3::ZERO),
                channels: numbers.map(|number| *number as i32 as u16).collect(),
                matrix: matrix
                    .filter(|m: &[[f64; 6]; 6]| m.iter().flatten().all(|x| x.is_finite()) && m.iter().flatten().any(|x| *x != 0.0)),
                polynomial,
                zero: (whole(&zero, 0), whole(&zero, 1)),
            }
        })
        .collect()
}

/// Turns the matrices of the file into those for channels in SI, with forces in N and moments in N m:
/// row i times 1 or `metres`, column j over the factor of its channel.
pub(super) fn calibrate(platforms: &mut [Platform], channels: &[Channel], metres: f64) {
    for platform in platforms {
        let numbers = &platform.channels;
        let factor = |j: usize| {
            let channel = numbers.get(j).and_then(|number| channels.get(usize::from(*number).checked_sub(1)?));
            channel.map_or(1.0, |channel| channel.factor)
        };
        for (i, row) in platform.matrix.iter_mut().flatten().enumerate() {
            let made = if i < 3 { 1.0 } else { metres };
            row.iter_mut().enumerate().for_each(|(j, entry)| *entry *= made / factor(j));
        }
    }
}
