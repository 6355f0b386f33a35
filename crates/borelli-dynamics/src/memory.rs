//! What events write and evaluations only read: which rows are held and where, how each pair of surfaces touches, which conditional points paths pass.
//! Not here: who writes it and when (whoever runs the motion), what rows and laws make of it.
//! In: nothing but what is told. Out: plain lists by row, by pair and by point, part of where a run ends.
//!
//! Between two events the memory does not change, so that an evaluation is a function of time, state and memory, and a rejected step leaves no trace.

use crate::system::Extent;

/// Overlap up to which a pair of surfaces stands at zero, m: what locating leaves of a touchdown at some metres per second.
pub const AT_ZERO: f64 = 1e-12;

/// Whether a row of a loop or guide is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// At this Φ, m or rad.
    At(f64),
    /// It has been let go.
    LetGo,
}

/// A pair of surfaces as events know it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Touch {
    /// Apart, or nothing is known: the law acts wherever there is depth, as after a touch from the start.
    #[default]
    Open,
    /// Apart until touchdown is located: nothing acts, also at trial states beyond it. So a step over a touchdown at which the law jumps, or begins to remember, is
    /// smooth until the event cuts it.
    HeldOpen,
    /// Touching: a law that jumps at touchdown acts at once, also where the surfaces stand apart by rounding.
    Touching {
        /// Rate of the overlap when the surfaces met, m/s; nothing where it is not known, as in a touch from the start.
        speed: Option<f64>,
    },
}

impl Touch {
    /// A touch that began with a speed.
    pub fn at(speed: f64) -> Touch {
        Touch::Touching { speed: Some(speed) }
    }

    /// True between touchdown and lift-off.
    pub fn is_touching(self) -> bool {
        matches!(self, Touch::Touching { .. })
    }
}

/// Everything that events have written. An empty list: rows are held at zero, of pairs nothing is known, coordinates decide which points are there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Rows of loops and guides.
    pub rows: Vec<Hold>,
    /// Pairs of surfaces.
    pub touch: Vec<Touch>,
    /// Conditional points of paths, in the order of paths and their stops: whether they are there until a switch is located, also at trial states
    /// beyond it. So a step over a switch is smooth until the event cuts it.
    pub points: Vec<bool>,
}

impl Memory {
    /// Of so many rows, all held at zero, and so many pairs of which nothing is known.
    pub fn new(rows: usize, pairs: usize) -> Memory {
        Memory { rows: vec![Hold::At(0.0); rows], touch: vec![Touch::Open; pairs], points: Vec::new() }
    }

    /// Some rows let go, the others held at zero; nothing known of pairs.
    pub fn letting_go(released: &[bool]) -> Memory {
        let rows = released.iter().map(|released| if *released { Hold::LetGo } else { Hold::At(0.0) }).collect();
        Memory { rows, ..Memory::default() }
    }

    /// Rows held at these Φ; nothing known of pairs.
    pub fn held_at(offset: &[f64]) -> Memory {
        Memory { rows: offset.iter().map(|offset| Hold::At(*offset)).collect(), ..Memory::default() }
    }

    /// Pairs that touch so; all rows held at zero.
    pub fn touching(touch: &[Touch]) -> Memory {
        Memory { touch: touch.to_vec(), ..Memory::default() }
    }

    /// True for a row that is not held.
    pub fn is_released(&self, row: usize) -> bool {
        self.rows.get(row) == Some(&Hold::LetGo)
    }

    /// Φ at which a row is held; zero for one that is not.
    pub fn offset(&self, row: usize) -> f64 {
        match self.rows.get(row) {
            Some(Hold::At(offset)) => *offset,
            _ => 0.0,
        }
    }

    /// Takes over the values of another without asking for memory that is there.
    pub fn copy_from(&mut self, other: &Memory) {
        self.rows.clone_from(&other.rows);
        self.touch.clone_from(&other.touch);
        self.points.clone_from(&other.points);
    }

    /// Why this is no memory of a system of this extent.
    pub fn fault(&self, extent: &Extent) -> Option<String> {
        let Extent { rows, pairs, switches, .. } = *extent;
        if !self.rows.is_empty() && self.rows.len() != rows {
            return Some(format!("{} rows are held or let go, the system has {rows}", self.rows.len()));
        }
        if !self.touch.is_empty() && self.touch.len() != pairs {
            return Some(format!("{} pairs of surfaces touch or not, the system has {pairs}", self.touch.len()));
        }
        if !self.points.is_empty() && self.points.len() != switches {
            return Some(format!("{} conditional points are there or not, the system has {switches}", self.points.len()));
        }
        if self.rows.iter().any(|hold| matches!(hold, Hold::At(offset) if !offset.is_finite())) {
            return Some("the offset of a row is not finite".into());
        }
        let speed = |touch: &Touch| if let Touch::Touching { speed } = touch { *speed } else { None };
        self.touch
            .iter()
            .any(|touch| speed(touch).is_some_and(|v| !v.is_finite()))
            .then(|| "the speed of a first touch is not finite".into())
    }
}
