//! Steps take no memory. The counting allocator stands here for all unit tests of the crate.
//! Not here: formulations, which the integration binary counts.

use super::*;
use crate::integrate::{Direction, Flow, Rule, Step, with_events};
use borelli_testkit::{CountingAllocator, count_allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn after_the_first_run_no_method_asks_for_memory() {
    // Breakpoints make new starts, the events are looked for in each step and never found.
    let equation = Equation { breakpoints: &[0.7, 1.9, 4.4], ..KEPLER };
    let rules = [Rule { direction: Direction::Any, terminal: false }; 2];
    for entry in INTEGRATORS {
        let (mut built, mut equation, mut statistics) = ((entry.build)(4), equation.solved(), Statistics::default());
        let (settings, mut steps, mut y) = (Settings { step: Some(0.01), ..Settings::default() }, 0, KEPLER_START);
        let mut count = |_: &Step| {
            steps += 1;
            Flow::Continue
        };
        let mut watch = with_events(&rules, 4, |_, _, y| 5.0 + y[0], &mut count);
        let (end, requests) =
            count_allocations(|| integrate(&mut *built, &mut equation, (0.0, 10.0), &mut y, &settings, &mut statistics, &mut watch));
        assert!(end.is_ok() && statistics.starts == 4, "{}", entry.name);
        assert_eq!(requests, 0, "{}", entry.name);
        assert_eq!(steps, statistics.accepted);
    }
}
