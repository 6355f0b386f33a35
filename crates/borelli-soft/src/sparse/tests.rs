//! Judges: dense elimination with row exchanges, sums of blocks in a dense matrix, counts of memory requests.

use super::*;
use borelli_math::random::Random;
use borelli_testkit::{CountingAllocator, assert_close, count_allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A grid of nodes joined by springs along edges and diagonals of its cells, with conditions on its left side and maybe a rigid coordinate.
struct Case {
    places: Vec<Place>,
    groups: Vec<Vec<u32>>,
    blocks: Vec<Vec<f64>>,
}

impl Case {
    fn grid(nx: usize, ny: usize, random: &mut Random) -> Case {
        let node = |i: usize, j: usize| i * ny + j;
        let places = (0..nx * ny).flat_map(|n| [Place::Node(n as u32); 2]).collect();
        let mut case = Case { places, groups: Vec::new(), blocks: Vec::new() };
        for i in 0..nx - 1 {
            for j in 0..ny - 1 {
                let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                let group = corners.iter().flat_map(|&(i, j)| [2 * node(i, j) as u32, 2 * node(i, j) as u32 + 1]).collect();
                let mut block = vec![0.0; 64];
                for a in 0..4 {
                    for b in a + 1..4 {
                        let (dx, dy) = (corners[b].0 as f64 - corners[a].0 as f64, corners[b].1 as f64 - corners[a].1 as f64);
                        let stiffness = 1e3 * random.uniform(0.5, 2.0) / (dx * dx + dy * dy);
                        for (p, q, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                            for (r, dr) in [dx, dy].into_iter().enumerate() {
                                for (s, ds) in [dx, dy].into_iter().enumerate() {
                                    block[(2 * p + r) * 8 + 2 * q + s] += sign * stiffness * dr * ds;
                                }
                            }
                        }
                    }
                }
                case.groups.push(group);
                case.blocks.push(block);
            }
        }
        case
    }

    /// Ties a node to the ground by two multipliers; returns the first of them.
    fn tie(&mut self, node: u32, r: f64) -> u32 {
        let first = self.places.len() as u32;
        self.places.extend([Place::Behind(node); 2]);
        self.groups.push(vec![2 * node, 2 * node + 1, first, first + 1]);
        self.blocks.push(vec![r, 0.0, 1.0, 0.0, 0.0, r, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        first
    }

    /// Ties the right side to a rigid coordinate along x that a spring holds, through multipliers of their own.
    fn rigid(&mut self, nodes: &[u32], r: f64) {
        let rigid = self.places.len() as u32;
        self.places.push(Place::Last);
        self.groups.push(vec![rigid]);
        self.blocks.push(vec![50.0]);
        for &node in nodes {
            let multiplier = self.places.len() as u32;
            self.places.push(Place::Behind(node));
            self.groups.push(vec![2 * node, rigid, multiplier]);
            self.blocks.push(vec![r, -r, 1.0, -r, r, -1.0, 1.0, -1.0, 0.0]);
        }
    }

    fn held_grid(nx: usize, ny: usize, r: f64, random: &mut Random) -> Case {
        let mut case = Case::grid(nx, ny, random);
        for j in 0..ny {
            case.tie(j as u32, r);
        }
        let right: Vec<u32> = (0..ny).map(|j| ((nx - 1) * ny + j) as u32).collect();
        case.rigid(&right, r);
        case
    }

    fn pattern(&self) -> Pattern {
        Pattern::new(self.places.len(), self.groups.iter().map(Vec::as_slice)).expect("a good pattern")
    }

    fn values(&self, pattern: &Pattern) -> Vec<f64> {
        let mut values = vec![0.0; pattern.entries()];
        for (group, block) in self.blocks.iter().enumerate() {
            pattern.add(group, block, &mut values);
        }
        values
    }

    fn solver(&self, symmetric: bool) -> (Solver, Vec<f64>) {
        let pattern = self.pattern();
        let order = Order::from_nodes(&pattern, &self.places).expect("an order");
        let values = self.values(&pattern);
        (Solver::new(pattern, &order, symmetric).expect("a solver"), values)
    }

    /// The sum of the blocks, row by row.
    fn dense(&self) -> Vec<f64> {
        let n = self.places.len();
        let mut dense = vec![0.0; n * n];
        for (group, block) in self.groups.iter().zip(&self.blocks) {
            for (i, &row) in group.iter().enumerate().filter(|(_, r)| **r != OUT) {
                for (j, &column) in group.iter().enumerate().filter(|(_, c)| **c != OUT) {
                    dense[row as usize * n + column as usize] += block[i * group.len() + j];
                }
            }
        }
        dense
    }
}

/// Gauss with row exchanges.
fn dense_solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).expect("a row");
        for j in 0..n {
            a.swap(k * n + j, pivot * n + j);
        }
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| a[k * n + j] * b[j]).sum::<f64>()) / a[k * n + k];
    }
    b
}

#[test]
fn blocks_arrive_where_a_dense_sum_puts_them() {
    let mut random = Random::new(11);
    let n = 23;
    let mut case = Case { places: vec![Place::Last; n], groups: Vec::new(), blocks: Vec::new() };
    for k in 0..60 {
        // Repeated and left-out members come up often among so few.
        let group: Vec<u32> =
            (0..1 + k % 7).map(|_| if random.bits().is_multiple_of(5) { OUT } else { (random.bits() % n as u64) as u32 }).collect();
        case.blocks.push(random.uniforms(group.len() * group.len(), -1.0, 1.0));
        case.groups.push(group);
    }
    let (pattern, dense) = (case.pattern(), case.dense());
    let values = case.values(&pattern);
    for row in 0..n {
        for column in 0..n {
            let found = pattern.slot(row, column).map_or(0.0, |slot| values[slot]);
            assert!((found - dense[row * n + column]).abs() < 1e-13, "{row} {column}");
            assert_eq!(pattern.slot(row, column).is_some(), pattern.slot(column, row).is_some());
        }
        assert!(pattern.slot(row, row).is_some());
    }
    let x = random.uniforms(n, -1.0, 1.0);
    let mut product = vec![1.0; n];
    pattern.multiply(&values, &x, &mut product);
    let expected: Vec<f64> = (0..n).map(|i| (0..n).map(|j| dense[i * n + j] * x[j]).sum()).collect();
    assert_close(&product, &expected, 1e-13, "product");
    assert_eq!(Pattern::new(3, [[1u32, 3].as_slice()]).err(), Some(Fault::NoSuchUnknown { unknown: 3, unknowns: 3 }));
}

#[test]
fn multipliers_follow_their_node_and_rigid_coordinates_come_last() {
    let case = Case::held_grid(12, 9, 0.0, &mut Random::new(3));
    let pattern = case.pattern();
    let order = Order::from_nodes(&pattern, &case.places).expect("an order");
    let mut sorted = order.unknowns().to_vec();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..case.places.len()).collect::<Vec<_>>());
    let mut previous = None;
    for (step, &unknown) in order.unknowns().iter().enumerate() {
        assert_eq!(order.steps()[unknown], step);
        match case.places[unknown] {
            Place::Node(node) => previous = Some(node),
            Place::Behind(node) => assert_eq!(previous, Some(node), "step {step}"),
            Place::Last => assert_eq!(step, case.places.len() - 1),
        }
    }
    assert_eq!(order, Order::from_nodes(&case.pattern(), &case.places).expect("an order"));
    assert_eq!(
        Order::from_nodes(&pattern, &case.places[1..]).err(),
        Some(Fault::WrongLength { found: case.places.len() - 1, expected: case.places.len() })
    );
}

#[test]
fn the_order_from_the_graph_fills_less_than_rows_of_a_square_grid() {
    let mut case = Case::grid(60, 60, &mut Random::new(4));
    case.tie(0, 0.0);
    let pattern = case.pattern();
    let entries = |order: &Order| Ldlt::new(&pattern, order).expect("factors").entries();
    let graph = entries(&Order::from_nodes(&pattern, &case.places).expect("an order"));
    let rows = entries(&Order::as_given(case.places.len()));
    assert!(2 * graph < rows, "{graph} entries against {rows}");
}

#[test]
fn conditions_with_and_without_regularisation_are_solved_as_by_dense_elimination() {
    let mut random = Random::new(5);
    for (nx, ny) in [(2, 2), (3, 5), (7, 4), (9, 9)] {
        for r in [0.0, 1e-3, 1.0, 1e3, 1e6] {
            let case = Case::held_grid(nx, ny, r, &mut random);
            let b = random.uniforms(case.places.len(), -1.0, 1.0);
            let expected = dense_solve(case.dense(), b.clone());
            for symmetric in [true, false] {
                let (mut solver, values) = case.solver(symmetric);
                assert_eq!(solver.factor(&values), Ok(if symmetric { Method::Ldlt } else { Method::Lu }));
                let mut x = b.clone();
                let accuracy = solver.solve(&mut x).expect("a solution");
                assert!(accuracy.within(1e-9, 1e-9), "{accuracy:?}");
                assert_close(&x, &expected, 1e-9, &format!("{nx} x {ny}, r = {r}, symmetric {symmetric}"));
                assert_eq!(solver.notes().fallbacks, 0);
            }
        }
    }
}

#[test]
fn many_right_sides_are_solved_as_one_by_one() {
    let mut random = Random::new(6);
    let case = Case::held_grid(6, 5, 10.0, &mut random);
    let n = case.places.len();
    let mut all = random.uniforms(n * 19, -1.0, 1.0);
    for symmetric in [true, false] {
        let (mut solver, values) = case.solver(symmetric);
        solver.factor(&values).expect("factors");
        let mut single = all.clone();
        for b in single.chunks_mut(n) {
            solver.solve(b).expect("a solution");
        }
        let mut together = all.clone();
        solver.solve(&mut together).expect("solutions");
        // Sums are in another order, and the matrix makes ten thousand of a rounding.
        assert_close(&together, &single, 1e-11, "solutions");
    }
    all.pop();
    let (mut solver, values) = case.solver(true);
    assert_eq!(solver.solve(&mut vec![1.0; n]), Err(Fault::NotFactored));
    solver.factor(&values).expect("factors");
    assert!(matches!(solver.solve(&mut all), Err(Fault::WrongLength { .. })));
    assert_eq!(solver.solve(&mut vec![0.0; n]), Ok(Accuracy::default()));
}

#[test]
fn a_new_factorisation_asks_for_no_memory_and_has_the_same_bits() {
    let mut random = Random::new(7);
    let case = Case::held_grid(30, 20, 5.0, &mut random);
    let n = case.places.len();
    let (mut solver, values) = case.solver(true);
    let b = random.uniforms(n * 11, -1.0, 1.0);
    let mut first = b.clone();
    // The first product of a process asks the machine once what it can do; that is no part of a factorisation.
    let (mut other, other_values) = Case::held_grid(9, 9, 1.0, &mut random).solver(true);
    other.factor(&other_values).expect("factors");
    let (done, requests) = count_allocations(|| {
        solver.factor(&values)?;
        solver.solve(&mut first)
    });
    done.expect("a solution");
    assert_eq!(requests, 0);
    let other: Vec<f64> = values.iter().map(|v| 3.0 * v).collect();
    solver.factor(&other).expect("factors");
    let (mut again, mut fresh) = (b.clone(), b.clone());
    solver.factor(&values).expect("factors");
    solver.solve(&mut again).expect("a solution");
    let (mut second, values) = case.solver(true);
    second.factor(&values).expect("factors");
    second.solve(&mut fresh).expect("a solution");
    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&first), bits(&again));
    assert_eq!(bits(&first), bits(&fresh));
}

#[test]
fn matrices_that_are_not_symmetric_are_solved_whether_announced_or_not() {
    let mut random = Random::new(8);
    let mut case = Case::held_grid(6, 6, 10.0, &mut random);
    for block in &mut case.blocks[..25] {
        for entry in block {
            *entry += random.uniform(-30.0, 30.0);
        }
    }
    let b = random.uniforms(case.places.len(), -1.0, 1.0);
    let expected = dense_solve(case.dense(), b.clone());
    for announced in [true, false] {
        let (mut solver, values) = case.solver(!announced);
        solver.factor(&values).expect("factors");
        let mut x = b.clone();
        solver.solve(&mut x).expect("a solution");
        assert_close(&x, &expected, 1e-9, "solution");
        assert_eq!(solver.method(), Some(Method::Lu));
        assert_eq!(solver.notes().fallbacks, usize::from(!announced));
        assert_eq!(matches!(solver.notes().last_failure, Some(Fault::Inaccurate { .. })), !announced);
    }
}

#[test]
fn an_order_that_meets_a_multiplier_first_falls_back_and_says_so() {
    let mut random = Random::new(9);
    let case = Case::held_grid(5, 4, 0.0, &mut random);
    let n = case.places.len();
    let multiplier = 2 * 20;
    let backwards = Order::from_list((0..n).rev().collect());
    let pattern = case.pattern();
    let values = case.values(&pattern);
    let mut alone = Ldlt::new(&pattern, &backwards).expect("factors");
    let failure = alone.factor(&pattern, &values).expect_err("a zero pivot");
    assert!(matches!(failure, Fault::Singular { unknown } if unknown >= multiplier), "{failure:?}");
    let mut solver = Solver::new(pattern, &backwards, true).expect("a solver");
    assert_eq!(solver.factor(&values), Ok(Method::Lu));
    assert_eq!(solver.notes().last_failure, Some(failure));
    let b = random.uniforms(n, -1.0, 1.0);
    let mut x = b.clone();
    solver.solve(&mut x).expect("a solution");
    assert_close(&x, &dense_solve(case.dense(), b), 1e-9, "solution");
}

#[test]
fn a_body_that_nothing_holds_is_named_before_any_load_is_seen() {
    // Two bodies; the second one, nodes 20 and on, is free.
    let mut random = Random::new(10);
    let mut case = Case::held_grid(5, 4, 2.0, &mut random);
    let free = Case::grid(4, 4, &mut random);
    let (first_unknown, first_node) = (case.places.len() as u32, 20);
    case.places.extend(free.places.iter().map(|place| match place {
        Place::Node(node) => Place::Node(node + first_node),
        other => *other,
    }));
    case.groups.extend(free.groups.iter().map(|group| group.iter().map(|u| u + first_unknown).collect::<Vec<_>>()));
    case.blocks.extend(free.blocks);
    for symmetric in [true, false] {
        let (mut solver, values) = case.solver(symmetric);
        let fault = solver.factor(&values).expect_err("a free body");
        assert!(matches!(fault, Fault::Singular { unknown } if unknown as u32 >= first_unknown), "{symmetric} {fault:?}");
        assert_eq!(solver.solve(&mut vec![0.0; case.places.len()]), Err(Fault::NotFactored));
    }
}

#[test]
fn a_node_tied_twice_is_named_by_its_multiplier() {
    for r in [0.0, 100.0] {
        let mut case = Case::held_grid(5, 4, r, &mut Random::new(12));
        let first = 2 * 20 + 2 * 2; // the multipliers of node 2
        let second = case.tie(2, r) as usize;
        for symmetric in [true, false] {
            let (mut solver, values) = case.solver(symmetric);
            let fault = solver.factor(&values).expect_err("a condition too many");
            let Fault::Singular { unknown } = fault else { panic!("{fault:?}") };
            assert!([first, first + 1, second, second + 1].contains(&unknown), "{symmetric} {unknown}");
        }
    }
}

#[test]
fn numbers_that_are_not_finite_are_named_by_their_unknown() {
    let case = Case::held_grid(4, 3, 1.0, &mut Random::new(13));
    let (mut solver, mut values) = case.solver(true);
    solver.factor(&values).expect("factors");
    let mut b = vec![1.0; case.places.len()];
    b[7] = f64::NAN;
    assert_eq!(solver.solve(&mut b), Err(Fault::NotFinite { unknown: 7 }));
    let slot = solver.pattern().slot(5, 5).expect("an entry");
    values[slot] = f64::INFINITY;
    assert_eq!(solver.factor(&values), Err(Fault::NotFinite { unknown: 5 }));
    assert_eq!(solver.factor(&values[1..]), Err(Fault::WrongLength { found: values.len() - 1, expected: values.len() }));
}

#[test]
fn a_wrong_row_in_metres_is_seen_beside_rows_in_newtons() {
    let pattern = Pattern::new(2, [[0u32].as_slice(), &[1]]).expect("a pattern");
    let mut solver = Solver::new(pattern, &Order::as_given(2), true).expect("a solver");
    solver.factor(&[1e9, 1.0]).expect("factors");
    solver.right_sides[..2].copy_from_slice(&[1e3, 1e-6]);
    assert_eq!(solver.measure(&[1e-6, 1e-6], 0), Accuracy::default());
    let wrong = solver.measure(&[1e-6, 2e-6], 0);
    assert!(wrong.residual < 1e-8 && wrong.worst_row > 0.3, "{wrong:?}");
    assert!(!solver.measure(&[f64::NAN, 1e-6], 0).within(RESIDUAL, ROW));
}

#[test]
fn fifty_thousand_unknowns_fulfil_their_equations() {
    let mut random = Random::new(14);
    let case = Case::held_grid(158, 158, 100.0, &mut random);
    let (mut solver, values) = case.solver(true);
    assert_eq!(solver.factor(&values), Ok(Method::Ldlt));
    let mut x = random.uniforms(case.places.len(), -1.0, 1.0);
    let accuracy = solver.solve(&mut x).expect("a solution");
    assert!(accuracy.within(1e-10, 1e-10), "{accuracy:?}");
    let filled = solver.factor_entries().expect("symmetric factors") as f64 / case.places.len() as f64;
    assert!(filled < 100.0, "{filled} entries a column");
}

#[test]
fn an_empty_system_is_solved_by_nothing() {
    let pattern = Pattern::new(0, std::iter::empty::<&[u32]>()).expect("a pattern");
    let order = Order::from_nodes(&pattern, &[]).expect("an order");
    for symmetric in [true, false] {
        let mut solver = Solver::new(pattern.clone(), &order, symmetric).expect("a solver");
        solver.factor(&[]).expect("nothing to do");
        assert_eq!(solver.solve(&mut []), Ok(Accuracy::default()));
    }
}
