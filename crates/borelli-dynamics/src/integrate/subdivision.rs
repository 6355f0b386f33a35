//! A step of a grid made in parts: whole, in halves, in quarters, and so on.
//! Not here: who wants it shorter (`implicit`).
//! In: the ends of the step, cuts. Out: where the next part ends; the last one ends exactly on the grid.

/// Most halvings of a step: the shortest part is 2⁻¹⁰, about a thousandth.
pub const MOST_CUTS: u32 = 10;

/// Shortest parts in a step.
const FINEST: u32 = 1 << MOST_CUTS;

/// Where a step that may be cut stands.
#[derive(Clone, Copy, Debug)]
pub struct Subdivision {
    t0: f64,
    t1: f64,
    /// Shortest parts made.
    made: u32,
    /// Halvings of the next part.
    halvings: u32,
}

impl Subdivision {
    /// A step that is to be made whole.
    pub fn new(t0: f64, t1: f64) -> Self {
        Subdivision { t0, t1, made: 0, halvings: 0 }
    }

    /// A step that is made.
    pub fn done() -> Self {
        Subdivision { made: FINEST, ..Subdivision::new(0.0, 0.0) }
    }

    /// Whether all of it is made.
    pub fn is_done(&self) -> bool {
        self.made == FINEST
    }

    /// Halvings of the next part.
    pub fn halvings(&self) -> u32 {
        self.halvings
    }

    /// Shortest parts of the next part.
    fn next(&self) -> u32 {
        FINEST >> self.halvings
    }

    /// Where the next part ends, s.
    pub fn end(&self) -> f64 {
        let made = self.made + self.next();
        if made == FINEST { self.t1 } else { self.t0 + (self.t1 - self.t0) * (f64::from(made) / f64::from(FINEST)) }
    }

    /// Makes the next part half as long; `false` where it is as short as can be.
    pub fn cut(&mut self) -> bool {
        let can = self.halvings < MOST_CUTS;
        self.halvings += u32::from(can);
        can
    }

    /// The part is made. The next one is twice as long where two of this length make one of that: a part never grows right after a cut.
    pub fn pass(&mut self) {
        self.made += self.next();
        if self.halvings > 0 && self.made.is_multiple_of(2 * self.next()) {
            self.halvings -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_grow_again_and_end_on_the_grid() {
        let mut step = Subdivision::new(0.3, 0.7);
        let mut ends = Vec::new();
        // The whole fails and so does its half; after two quarters the next half fails twice.
        assert!(step.cut() && step.cut());
        while !step.is_done() {
            ends.push(step.end());
            step.pass();
            if ends.len() == 2 {
                assert!(step.cut() && step.cut());
            }
        }
        let expected = [0.4, 0.5, 0.55, 0.6, 0.7];
        assert_eq!(ends.len(), expected.len(), "{ends:?}");
        assert!(ends.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{ends:?}");
        assert_eq!(ends.last(), Some(&0.7));
    }

    #[test]
    fn the_shortest_part_is_stated() {
        let mut step = Subdivision::new(0.0, 1.0);
        assert_eq!((0..100).take_while(|_| step.cut()).count(), MOST_CUTS as usize);
        assert_eq!(step.end(), 1.0 / 1024.0);
        // Parts that are made one after the other fill the step without a gap.
        let mut last = 0.0;
        while !step.is_done() {
            assert!(step.end() > last);
            last = step.end();
            step.pass();
        }
        assert_eq!(last, 1.0);
    }
}
