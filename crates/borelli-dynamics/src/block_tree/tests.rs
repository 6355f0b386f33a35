//! The elimination against one dense solve of all equations at once, on trees, blocks and rows of random numbers.
//! Not here: what the numbers stand for. The dense solve (LU with full pivoting of another library) shares no code with what it judges.

use super::{Border, Tree};
use crate::row_system::RowStructure;
use borelli_testkit::{Random, assert_close};
use nalgebra::{DMatrix, DVector};

/// A row of the border: coefficients on some bodies' unknowns, and what must cancel them.
struct Extra<const D: usize> {
    on: Vec<(usize, [f64; D])>,
    rest: f64,
}

/// All numbers of one problem, `Tree` in the form the elimination takes them.
struct Problem<const D: usize> {
    parent: Vec<u32>,
    rows: Vec<usize>,
    thin: Vec<bool>,
    /// Rank that each mass block lacks.
    lacks: usize,
    extra: Vec<Extra<D>>,
}

/// What comes out: accelerations, multipliers of all bodies' rows in turn, multipliers of the border.
struct Solution {
    acceleration: Vec<f64>,
    lambda: Vec<f64>,
    mu: Vec<f64>,
}

fn below(random: &mut Random, n: usize) -> usize {
    (random.uniform(0.0, n as f64) as usize).min(n - 1)
}

fn numbers<const D: usize>(random: &mut Random) -> [f64; D] {
    [0.0; D].map(|_| random.uniform(-1.0, 1.0))
}

impl<const D: usize> Problem<D> {
    /// A tree of any branching; every body with 0 to D − 1 rows, or at least as many as its block lacks.
    fn new(random: &mut Random, bodies: usize, lacks: usize, extra: usize) -> Self {
        let n = bodies + 1;
        let parent = (0..n).map(|b| if b < 2 { 0 } else { below(random, b) as u32 }).collect();
        let rows = (0..n).map(|b| if b == 0 { 0 } else { lacks + below(random, D - lacks) }).collect();
        let thin = (0..n).map(|_| lacks > 0 || random.uniform(0.0, 1.0) < 0.5).collect();
        let mut border = Vec::new();
        for _ in 0..extra {
            let (a, b) = (1 + below(random, bodies), 1 + below(random, bodies));
            border.push(Extra { on: vec![(a, numbers(random)), (b, numbers(random))], rest: random.uniform(-1.0, 1.0) });
        }
        Problem { parent, rows, thin, lacks, extra: border }
    }

    /// Random numbers for another round, in the same memory.
    fn refill(&self, random: &mut Random, tree: &mut Tree<D>) {
        for b in 1..self.parent.len() {
            // A sum of squares has the rank of their number.
            let mut block = [[0.0; D]; D];
            for _ in self.lacks..D {
                let x: [f64; D] = numbers(random);
                (0..D).for_each(|i| (0..D).for_each(|j| block[i][j] += x[i] * x[j]));
            }
            if self.lacks == 0 {
                (0..D).for_each(|i| block[i][i] += 0.5);
            }
            (tree.mass[b], tree.wrench[b]) = (block, numbers(random));
            (tree.child[b], tree.on_parent[b], tree.gamma[b]) = ([[0.0; D]; D], [[0.0; D]; D], [0.0; D]);
            for i in 0..self.rows[b] {
                (tree.on_parent[b][i], tree.gamma[b][i]) = (numbers(random), random.uniform(-1.0, 1.0));
                (0..D).for_each(|k| tree.child[b][k][i] = random.uniform(-1.0, 1.0));
            }
        }
    }

    /// All equations at once, with the first `kept` rows of the border.
    fn dense(&self, tree: &Tree<D>, kept: usize) -> Solution {
        let n = self.parent.len();
        let unknowns = (n - 1) * D;
        let total = unknowns + self.rows.iter().sum::<usize>() + kept;
        let (mut K, mut right) = (DMatrix::<f64>::zeros(total, total), DVector::<f64>::zeros(total));
        let mut row = unknowns;
        for b in 1..n {
            let (at, P) = ((b - 1) * D, self.parent[b] as usize);
            for i in 0..D {
                right[at + i] = tree.wrench[b][i];
                (0..D).for_each(|j| K[(at + i, at + j)] = tree.mass[b][i.max(j)][i.min(j)]);
            }
            for i in 0..self.rows[b] {
                for k in 0..D {
                    (K[(row, at + k)], K[(at + k, row)]) = (tree.child[b][k][i], -tree.child[b][k][i]);
                    if P > 0 {
                        let (from, x) = ((P - 1) * D + k, tree.on_parent[b][i][k]);
                        (K[(row, from)], K[(from, row)]) = (-x, x);
                    }
                }
                right[row] = tree.gamma[b][i];
                row += 1;
            }
        }
        for extra in &self.extra[..kept] {
            for (b, x) in &extra.on {
                for k in 0..D {
                    K[(row, (b - 1) * D + k)] += x[k];
                    K[((b - 1) * D + k, row)] -= x[k];
                }
            }
            right[row] = -extra.rest;
            row += 1;
        }
        let x = K.full_piv_lu().solve(&right).expect("a regular problem");
        let part = |from: usize, to: usize| x.as_slice()[from..to].to_vec();
        Solution { acceleration: part(0, unknowns), lambda: part(unknowns, total - kept), mu: part(total - kept, total) }
    }

    /// The same by the elimination; the body it stumbles over, if any.
    fn eliminated(&self, tree: &mut Tree<D>) -> Result<Solution, usize> {
        let n = self.parent.len();
        tree.eliminate()?;
        let ground: Vec<bool> = (0..n).map(|b| b == 0).collect();
        let bodies: Vec<Vec<usize>> = self.extra.iter().map(|extra| extra.on.iter().map(|(b, _)| *b).collect()).collect();
        let mut border = Border::new(RowStructure::of_parents(&self.parent, &ground, &bodies), n);
        border.clear();
        // What a row could move by if no joint held its bodies: inertias are about one.
        (0..bodies.len()).for_each(|row| border.system.set_scale(row, 1.0));
        for (i, extra) in self.extra.iter().enumerate() {
            extra.on.iter().for_each(|(b, x)| border.add(i, *b, x));
            border.multiplier[i] = extra.rest;
        }
        border.solve(tree).expect("finite numbers");
        tree.substitute();
        let lambda = (1..n).flat_map(|b| tree.lambda[b][..self.rows[b]].to_vec()).collect();
        Ok(Solution { acceleration: tree.acceleration[1..].as_flattened().to_vec(), lambda, mu: border.multiplier })
    }

    fn tree(&self) -> Tree<D> {
        Tree::new(&self.parent, self.rows.clone(), self.thin.clone())
    }
}

/// Several fillings of several trees; `extra` rows of the border.
fn agrees<const D: usize>(seed: u64, lacks: usize, extra: usize) {
    let mut random = Random::new(seed);
    for bodies in 1..=9 {
        let problem = Problem::<D>::new(&mut random, bodies, lacks, extra.min(bodies));
        let mut tree = problem.tree();
        for _ in 0..4 {
            problem.refill(&mut random, &mut tree);
            let expected = problem.dense(&tree, problem.extra.len());
            let found = problem.eliminated(&mut tree).expect("regular blocks");
            assert_close(&found.acceleration, &expected.acceleration, 1e-9, "accelerations");
            assert_close(&found.lambda, &expected.lambda, 1e-9, "multipliers of the tree");
            assert_close(&found.mu, &expected.mu, 1e-9, "multipliers of the border");
        }
    }
}

#[test]
fn a_tree_is_solved_as_all_equations_at_once() {
    agrees::<3>(51, 0, 0);
    agrees::<4>(52, 0, 0);
    agrees::<6>(53, 0, 0);
    agrees::<12>(54, 0, 0);
}

#[test]
fn blocks_that_only_their_rows_make_regular_change_nothing() {
    agrees::<4>(55, 1, 0);
    agrees::<6>(56, 2, 0);
    agrees::<12>(57, 4, 0);
}

#[test]
fn a_border_is_solved_as_all_equations_at_once() {
    agrees::<3>(58, 0, 1);
    agrees::<6>(59, 0, 3);
    agrees::<12>(60, 0, 3);
    agrees::<12>(61, 3, 2);
}

#[test]
fn a_row_that_follows_from_others_does_not_change_the_motion() {
    let mut random = Random::new(62);
    for _ in 0..10 {
        let mut problem = Problem::<6>::new(&mut random, 6, 0, 2);
        // The third row is the sum of the first two, and so is what it asks for.
        let on = problem.extra.iter().flat_map(|extra| extra.on.clone()).collect();
        let rest = problem.extra.iter().map(|extra| extra.rest).sum();
        problem.extra.push(Extra { on, rest });
        let mut tree = problem.tree();
        let seed = random.bits();
        let mut again = Random::new(seed);
        problem.refill(&mut Random::new(seed), &mut tree);
        let expected = problem.dense(&tree, 2);
        let found = problem.eliminated(&mut tree).expect("regular blocks");
        assert_close(&found.acceleration, &expected.acceleration, 1e-9, "accelerations");
        assert_close(&found.lambda, &expected.lambda, 1e-9, "multipliers of the tree");
        // What all three do together is determined.
        assert_close(&[found.mu[0] + found.mu[2], found.mu[1] + found.mu[2]], &expected.mu, 1e-9, "multipliers of the border");
        // Drift makes rows disagree a little: the motion then changes as little, and forces stay of their size.
        problem.extra[2].rest += 1e-7;
        let mut tree = problem.tree();
        problem.refill(&mut again, &mut tree);
        let found = problem.eliminated(&mut tree).expect("regular blocks");
        assert_close(&found.acceleration, &expected.acceleration, 1e-5, "accelerations with drift");
        let largest = |list: &[f64]| list.iter().fold(1.0f64, |max, x| max.max(x.abs()));
        assert!(largest(&found.mu) < 10.0 * largest(&expected.mu), "{:?} for {:?}", found.mu, expected.mu);
    }
}

#[test]
fn a_row_that_nothing_can_move_gets_no_multiplier() {
    let mut random = Random::new(63);
    let mut problem = Problem::<6>::new(&mut random, 3, 0, 1);
    // The first body is held by six rows: whatever is asked of it, it cannot give.
    problem.rows[1] = 6;
    problem.extra[0].on[0].0 = 3;
    problem.extra.push(Extra { on: vec![(1, numbers(&mut random))], rest: 1.0 });
    let mut tree = problem.tree();
    problem.refill(&mut random, &mut tree);
    // Rows far from parallel, as those of a joint are.
    (0..6).for_each(|k| (0..6).for_each(|i| tree.child[1][k][i] = tree.child[1][k][i] / 8.0 + f64::from(u8::from(i == k))));
    let expected = problem.dense(&tree, 1);
    let found = problem.eliminated(&mut tree).expect("regular blocks");
    assert_close(&found.acceleration, &expected.acceleration, 1e-9, "accelerations");
    assert_close(&found.mu, &[expected.mu[0], 0.0], 1e-9, "multipliers of the border");
}

#[test]
fn the_body_without_a_regular_block_is_named() {
    let mut random = Random::new(64);
    for round in 0..60 {
        let singular = 1 + round % 5;
        let mut problem = Problem::<4>::new(&mut random, 5, 0, 0);
        problem.thin.fill(false);
        problem.rows[singular] = 0;
        // Nothing rests on it.
        for b in 1..=5 {
            if problem.parent[b] as usize == singular {
                problem.rows[b] = 0;
            }
        }
        let mut tree = problem.tree();
        problem.refill(&mut random, &mut tree);
        // Rank three; its last pivot is rounding, of either sign, which must not pass for mass.
        let mut block = [[0.0; 4]; 4];
        for k in 0..3 {
            let mut x: [f64; 4] = numbers(&mut random);
            x = x.map(|x| 0.3 * x);
            x[k] += 1.0;
            (0..4).for_each(|i| (0..4).for_each(|j| block[i][j] += x[i] * x[j]));
        }
        tree.mass[singular] = block;
        assert_eq!(problem.eliminated(&mut tree).map(|_| ()), Err(singular));
    }
}
