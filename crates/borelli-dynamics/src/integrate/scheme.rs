//! Weights of an implicit scheme, and how a scheme is listed: name, parameters, named sets of them.
//! Not here: the schemes (one file each), the step (`implicit`).
//! In: parameters by number or the name of a set. Out: a `Scheme`.

use super::failure::Failure;

/// Weights of generalised-α; Newmark's family has `alpha_m = alpha_f = 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheme {
    /// Weight of the old averaged acceleration.
    pub alpha_m: f64,
    /// Weight of the old acceleration.
    pub alpha_f: f64,
    /// Weight of the new averaged acceleration in the coordinates.
    pub beta: f64,
    /// Weight of the new averaged acceleration in the velocities.
    pub gamma: f64,
}

impl Scheme {
    /// Time from an acceleration to the averaged one that belongs to it, in steps.
    pub fn lead(&self) -> f64 {
        self.alpha_m - self.alpha_f
    }

    /// Order of convergence.
    pub fn order(&self) -> usize {
        if (self.gamma - 0.5 + self.lead()).abs() < 1e-12 { 2 } else { 1 }
    }
}

/// A parameter of a scheme.
#[derive(Clone, Copy, Debug)]
pub struct SchemeParameter {
    /// Name in files.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Least and largest value.
    pub range: (f64, f64),
}

/// One line of the list of implicit schemes.
pub struct SchemeEntry {
    /// Name in files and on the command line.
    pub name: &'static str,
    /// What it is made for.
    pub doc: &'static str,
    /// Its parameters.
    pub parameters: &'static [SchemeParameter],
    /// Named values of all parameters; the first is the default.
    pub sets: &'static [(&'static str, &'static [f64])],
    pub(super) scheme: fn(&[f64]) -> Scheme,
}

impl SchemeEntry {
    /// The scheme with these parameters, in the order of the list.
    pub fn with(&self, values: &[f64]) -> Result<Scheme, Failure> {
        for (k, parameter) in self.parameters.iter().enumerate() {
            let value = values.get(k).copied().unwrap_or(f64::NAN);
            if !(value >= parameter.range.0 && value <= parameter.range.1) {
                return Err(Failure::BadSetting { name: parameter.name, value });
            }
        }
        Ok((self.scheme)(values))
    }

    /// The scheme of a named set; none without such a set.
    pub fn set(&self, name: &str) -> Option<Scheme> {
        self.sets.iter().find(|set| set.0 == name).map(|set| (self.scheme)(set.1))
    }

    /// The scheme of the first set.
    pub fn default_scheme(&self) -> Scheme {
        (self.scheme)(self.sets[0].1)
    }
}
