//! What is to be known of a fit from searches after its own.
//! Not here: how it was found, files and pages.

/// A fit without one of its trials.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The trial.
    pub trial: String,
    /// Its part of J where it was fitted with the others.
    pub fitted: f64,
    /// Its part of J where the others were fitted without it.
    pub left_out: f64,
    /// Whether the search without it found what it looked for.
    pub found: bool,
    /// Values of the unknowns without it, SI.
    pub unknowns: Vec<f64>,
    /// How far each went, in its standard deviations; NaN where it has none.
    pub shifts: Vec<f64>,
}

/// An unknown held at a value while all others are fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfilePoint {
    /// The value, SI.
    pub value: f64,
    /// The least J there.
    pub objective: f64,
    /// Root of the rise of J over that which ends the interval, below zero on the side of smaller values: 1 at an end. A linear model has a straight line.
    pub root: f64,
    /// Whether the search found what it looked for.
    pub found: bool,
    /// Values of all unknowns, SI.
    pub unknowns: Vec<f64>,
}

/// Where the interval of a profile ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// J has risen by what 95 % ask for.
    Risen(f64),
    /// A bound comes first.
    Bound(f64),
    /// It was not reached by the values that were tried.
    Open,
}

impl End {
    /// Its value, if it has one.
    pub fn value(self) -> Option<f64> {
        match self {
            End::Risen(value) | End::Bound(value) => Some(value),
            End::Open => None,
        }
    }

    /// How it came about, in one word.
    pub fn word(self) -> &'static str {
        match self {
            End::Risen(_) => "risen",
            End::Bound(_) => "bound",
            End::Open => "open",
        }
    }
}

/// What J does where one unknown is held and all others are fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The unknown, by number.
    pub unknown: usize,
    /// From the least value on; the best one is among them.
    pub points: Vec<ProfilePoint>,
    /// Ends of the 95 % interval.
    pub ends: [End; 2],
    /// Whether the unknown gives way to a constraint, so that it cannot be held.
    pub held: bool,
}

/// A fit of frames drawn anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Number of the draw, from 1.
    pub number: usize,
    /// J of the frames drawn.
    pub objective: f64,
    /// Whether the search found what it looked for.
    pub found: bool,
    /// Values of the unknowns, SI.
    pub unknowns: Vec<f64>,
}

/// How far an unknown spreads over draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Standard deviation.
    pub sd: f64,
    /// Values below which 2.5 and 97.5 % of the draws lie.
    pub ends: [f64; 2],
}

/// Fits of frames drawn anew in blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    /// Length of a block, s.
    pub block: f64,
    /// Those that are over.
    pub draws: Vec<Drawn>,
    /// Spread of each unknown over those that found what they looked for.
    pub spreads: Vec<Option<Spread>>,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wider {
    /// Searches that were to be made, and that were made.
    pub asked: usize,
    /// See `asked`.
    pub made: usize,
    /// Trials left out, in their order.
    pub left_out: Vec<LeftOut>,
    /// Profiles, in the order of the unknowns.
    pub profiles: Vec<Profile>,
    /// Frames drawn anew.
    pub bootstrap: Option<Bootstrap>,
}
