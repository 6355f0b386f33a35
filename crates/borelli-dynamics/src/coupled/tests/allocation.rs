//! Steps of bodies with soft parts take no memory once they have begun.

use super::{hip, movement, newmark};
use crate::integrate::{Implicit, Newton, Settings, Statistics, Unobserved, integrate_implicit};
use borelli_testkit::count_allocations;

#[test]
fn more_steps_take_no_more_memory() {
    let system = hip(&[("divisions = [48, 8]", "divisions = [12, 2]")]);
    // A run from its start: the scheme looks at the start once, and then makes its steps.
    let requests = |steps: f64| {
        let mut movement = movement(&system);
        let nodes = movement.problem().dofs();
        let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
        movement.fill_start(&system, &system.start.q, &system.start.v, &mut x, &mut v);
        let mut y = [&system.start.q[..], &x, &system.start.v, &v].concat();
        let mut method = Implicit::new(newmark(0.3025, 0.6), Newton::default(), &movement.of(&system));
        let (settings, mut statistics) = (Settings { step: Some(0.01), ..Settings::default() }, Statistics::default());
        let (end, requests) = count_allocations(|| {
            let interval = (0.0, 0.01 * steps);
            integrate_implicit(&mut method, &mut movement.of(&system), interval, &mut y, &settings, &mut statistics, &mut Unobserved)
        });
        end.expect("a run");
        assert!(movement.problem().solver_notes().factorisations as f64 >= steps && statistics.accepted as f64 == steps);
        requests
    };
    requests(1.0); // the first product of a process asks the machine once what it can do
    let few = requests(2.0);
    assert_eq!(requests(12.0), few, "assembly, factorisation and solves take no memory");
}
