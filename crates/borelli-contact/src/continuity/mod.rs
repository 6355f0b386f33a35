//! What each law promises, found by scanning its force: one row per law, with its typical numbers.
//! Not here: the laws, tables as text.
//! In: the lists of laws. Out: for every law what is continuous, how great its friction becomes, whether it lets go.

mod friction;
mod normal;
pub mod scan;

pub use friction::{FrictionRow, Peak, friction_rows, peak};
pub use normal::{NormalRow, normal_rows};

use crate::law::{Fault, Kind};
use std::fmt;

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// It is when this parameter is zero.
    OnlyWithout(&'static str),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Yes => f.write_str("yes"),
            Verdict::No => f.write_str("no"),
            Verdict::OnlyWithout(parameter) => write!(f, "no if {parameter} > 0"),
        }
    }
}

/// A verdict on a law with its typical numbers and, if it is not good, without its dampers: parameters in N s/m, whose force grows neither with
/// the normal force nor with depth.
fn judge<L>(kind: &Kind, make: impl Fn(&[(&str, f64)]) -> Result<L, Fault>, holds: impl Fn(&L) -> bool) -> Result<Verdict, Fault> {
    let typical = kind.typical_values();
    if holds(&make(&typical)?) {
        return Ok(Verdict::Yes);
    }
    for damper in kind.parameters.iter().filter(|p| p.unit == "N s/m") {
        if holds(&make(&without(&typical, damper.name))?) {
            return Ok(Verdict::OnlyWithout(damper.name));
        }
    }
    Ok(Verdict::No)
}

/// The same values with one of them zero.
fn without<'n>(values: &[(&'n str, f64)], name: &str) -> Vec<(&'n str, f64)> {
    values.iter().map(|&(known, x)| (known, if known == name { 0.0 } else { x })).collect()
}

#[cfg(test)]
mod tests;
