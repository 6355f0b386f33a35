//! The root of p y + r sinh y = c: the speed of a fibre whose force over speed is an inverse sine.
//! Not here: what p, r and c are (`dgf`).
//! In: three numbers, p ≥ 0 and r > 0. Out: y with sinh y and cosh y, without memory of other roots.
//!
//! The left side is odd and rises, so that |c| is looked for. Sixteen nodes half a unit apart tell between which two of them it lies; the chord is off by
//! some hundredths at most. There sinh and cosh come from a table, the inverse series up to the cube leaves 1e-6, and a last step with two terms of it
//! rounding. All arguments in between are small steps h from known ones, for which
//!
//! ```text
//! sinh(y + h) = sinh y cosh h + cosh y sinh h      cosh(y + h) = cosh y cosh h + sinh y sinh h                      (1)
//! ```
//!
//! with short series of h: no exponential is computed at all. Beyond the nodes (y > 7.5, which is a speed 110 times the largest) Newton's method goes on with
//! exponentials. Source: elementary. Test: `the_root_of_the_balance_is_one_everywhere`.

use super::curves::root_between;

/// Nodes are so far apart, and so many.
const SPACING: f64 = 0.5;
const NODES: usize = 16;
/// Entries of the table per unit, and how many: a power of two, so that no index can be outside.
const PER_UNIT: f64 = 16.0;
const ENTRIES: usize = 128;
/// The last step may be so large: its cube is below rounding.
const NEAR: f64 = 1e-6;
/// Adding and subtracting 1.5 · 2⁵² rounds to the nearest integer without a library call.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// y and sinh y at the nodes.
static AT_NODES: [[f64; 2]; NODES] = nodes();
/// sinh and cosh at the entries.
static TABLE: [[f64; 2]; ENTRIES] = table();

/// sinh and cosh for 0 ≤ y ≤ 8 by their series, whose terms are all positive.
const fn by_series(y: f64) -> [f64; 2] {
    let (mut sinh, mut cosh, mut k) = (1.0, 1.0, 30);
    while k > 0 {
        let n = 2.0 * k as f64;
        sinh = 1.0 + y * y / (n * (n + 1.0)) * sinh;
        cosh = 1.0 + y * y / (n * (n - 1.0)) * cosh;
        k -= 1;
    }
    [y * sinh, cosh]
}

const fn nodes() -> [[f64; 2]; NODES] {
    let (mut list, mut k) = ([[0.0; 2]; NODES], 0);
    while k < NODES {
        let y = SPACING * k as f64;
        list[k] = [y, by_series(y)[0]];
        k += 1;
    }
    list
}

const fn table() -> [[f64; 2]; ENTRIES] {
    let (mut list, mut k) = ([[0.0; 2]; ENTRIES], 0);
    while k < ENTRIES {
        list[k] = by_series(k as f64 / PER_UNIT);
        k += 1;
    }
    list
}

/// sinh and cosh a small step further, by (1): below 0.1 the series leave less than rounding.
#[inline(always)]
fn moved([sinh, cosh]: [f64; 2], h: f64) -> [f64; 2] {
    let z = h * h;
    let s = h + h * z * (1.0 / 6.0 + z * (1.0 / 120.0 + z * (1.0 / 5040.0)));
    let c = 1.0 + z * (0.5 + z * (1.0 / 24.0 + z * (1.0 / 720.0)));
    [sinh * c + cosh * s, cosh * c + sinh * s]
}

/// p y + r sinh y = c.
#[derive(Clone, Copy, Debug)]
pub(super) struct SinhBalance {
    pub(super) p: f64,
    pub(super) r: f64,
    pub(super) c: f64,
}

/// Where the balance holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) y: f64,
    pub(super) sinh: f64,
    pub(super) cosh: f64,
}

impl SinhBalance {
    /// The root.
    #[inline(always)]
    pub(super) fn root(&self) -> Root {
        let SinhBalance { p, r, c } = *self;
        let w = c.abs();
        let sum = |[y, sinh]: [f64; 2]| p * y + r * sinh - w;
        let below: usize = AT_NODES[1..].iter().map(|node| usize::from(sum(*node) <= 0.0)).sum();
        let [first, next] = [AT_NODES[below.min(NODES - 2)], AT_NODES[(below + 1).min(NODES - 1)]];
        let [under, over] = [sum(first), sum(next)];
        let y = first[0] + SPACING * (under / (under - over));
        let shifted = y * PER_UNIT + ROUND;
        let entry = TABLE[(shifted.to_bits() as usize) % ENTRIES];
        let at = moved(entry, y - (shifted - ROUND) * (1.0 / PER_UNIT));
        let [sinh, cosh] = at;
        // The first three terms of the inverse series.
        let inverse = 1.0 / (p + r * cosh);
        let (e, b2, b3) = (-(p * y + r * sinh - w) * inverse, 0.5 * r * sinh * inverse, r * cosh * inverse * (1.0 / 6.0));
        let step = e * (1.0 - e * (b2 - e * (2.0 * b2 * b2 - b3)));
        let (y, [sinh, cosh]) = (y + step, moved(at, step));
        // The last one by two terms.
        let inverse = 1.0 / (p + r * cosh);
        let e = -(p * y + r * sinh - w) * inverse;
        let last = e - e * e * (0.5 * r * sinh * inverse);
        let (y, sinh, cosh) = if last.abs() <= NEAR && below + 1 < NODES {
            (y + last, sinh + last * (cosh + 0.5 * last * sinh), cosh + last * sinh)
        } else {
            self.far_root(w)
        };
        Root { y: y.copysign(c), sinh: sinh.copysign(c), cosh }
    }

    /// The root for any w, by Newton's method kept between what is known to be below and above it.
    #[cold]
    fn far_root(&self, w: f64) -> (f64, f64, f64) {
        // Without the first term it would be larger.
        let most = (w / self.r).asinh();
        let y = root_between([0.0, most], most, |y| [self.p * y + self.r * y.sinh() - w, self.p + self.r * y.cosh()]);
        let (sinh, cosh) = (y.sinh(), y.cosh());
        let last = -(self.p * y + self.r * sinh - w) / (self.p + self.r * cosh);
        (y + last, sinh + last * cosh, cosh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::random::Random;

    #[test]
    fn the_root_of_the_balance_is_one_everywhere() {
        let mut random = Random::new(5);
        for k in 0..200_000 {
            // Strengths and dampings over many decades, both alone as well, and loads from nothing to what no muscle bears.
            let p = if k % 7 == 0 { 0.0 } else { 10f64.powf(random.uniform(-8.0, 0.5)) };
            let r = 10f64.powf(random.uniform(-4.0, 0.0));
            let c = random.uniform(-1.0, 1.0) * 10f64.powf(random.uniform(-6.0, 4.0));
            let root = SinhBalance { p, r, c }.root();
            let rest = p * root.y + r * root.sinh - c;
            assert!(rest.abs() <= 1e-14 * (1.0 + c.abs()), "{p} {r} {c}: {root:?} leaves {rest:e}");
            let size = root.cosh;
            assert!((root.sinh - root.y.sinh()).abs() <= 4e-15 * size && (root.cosh - root.y.cosh()).abs() <= 1e-11 * size, "{root:?}");
        }
        assert!(SinhBalance { p: 0.1, r: 0.01, c: f64::NAN }.root().sinh.is_nan());
    }
}
