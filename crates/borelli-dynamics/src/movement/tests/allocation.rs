//! Steps of a movement take no memory, whatever the formulation, the drift control and the method.

use super::*;
use crate::formulation::FORMULATIONS;
use crate::integrate::INTEGRATORS;
use borelli_testkit::count_allocations;

#[test]
fn steps_without_recording_take_no_memory() {
    let controls = [DriftControl::None, DriftControl::Baumgarte { alpha: 5.0, beta: 7.0 }, DriftControl::Projection];
    // A tree with quaternions and forces, loops with redundant rows, guides by tables.
    for name in ["spatial-arm", "redundant-loop", "spatial-four-bar", "half-hat-leg"] {
        let system = read(name);
        let Assembled { q, v, .. } = start(&system);
        for (formulation, drift) in FORMULATIONS.iter().flat_map(|entry| controls.map(|drift| (entry.name, drift))) {
            for entry in INTEGRATORS {
                let options = Options { formulation, drift, audit: true, ..Options::default() };
                // Chains are planar, and so is what may be coupled with soft parts.
                let Ok(mut movement) = Movement::new(&system, options) else {
                    assert!(matches!(formulation, "segment-chain" | "coupled") && !system.skeleton.planar, "{name} {formulation}");
                    continue;
                };
                let mut y = movement.state(&system, &q, &v);
                let (mut method, mut statistics) = ((entry.build)(y.len()), Statistics::default());
                let settings = Settings { step: Some(1e-3), ..Settings::default() };
                let mut step = |interval| {
                    integrate(&mut *method, &mut movement.of(&system), interval, &mut y, &settings, &mut statistics, &mut Unobserved)
                };
                step((0.0, 0.01)).unwrap();
                let (end, requests) = count_allocations(|| step((0.01, 0.05)));
                assert!(end.is_ok(), "{name} {formulation} {drift:?} {}", entry.name);
                assert_eq!(requests, 0, "{name} {formulation} {drift:?} {}", entry.name);
            }
        }
    }
}
