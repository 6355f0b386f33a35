//! Models without force elements, contacts and guides keep their energy.

use super::*;
use crate::constraint::RowKind;

#[test]
fn conservative_models_keep_their_energy_for_ten_seconds() {
    let conservative = |system: &System| !system.numbers.is_loaded() && system.names.rows.iter().all(|row| row.kind == RowKind::Loop);
    let (mut tested, mut loops) = (0, 0);
    for (name, system) in gallery().into_iter().filter(|(_, system)| conservative(system)) {
        let Assembled { q, mut v, .. } = start(&system);
        if name == "human3d" || name == "walker7" {
            // Without a floor they would fall as one piece.
            v.iter_mut().enumerate().for_each(|(k, v)| *v += 0.5 * (1.3 * k as f64).sin());
        }
        let mut movement = Movement::new(&system, Options { drift: DriftControl::Projection, ..Options::default() }).unwrap();
        let mut y = movement.state(&system, &q, &v);
        let (mut judge, mut out) = (Movement::new(&system, Options::default()).unwrap(), Evaluation::new(&system));
        let mut energy = |t: f64, y: &[f64]| {
            judge.evaluate(&system, t, y, &mut out).unwrap();
            (out.kinetic_energy, out.kinetic_energy + out.gravity_energy)
        };
        let start = energy(0.0, &y).1;
        let (mut peak, mut drift) = (0.0_f64, 0.0_f64);
        let mut look = |step: &Step| {
            let (kinetic, total) = energy(step.t1, step.y);
            peak = peak.max(kinetic);
            drift = drift.max((total - start).abs());
            Flow::Continue
        };
        let (mut method, mut statistics) = ((find("adams").unwrap().build)(y.len()), Statistics::default());
        let settings = Settings::tolerance(1e-12);
        integrate(&mut *method, &mut movement.of(&system), (0.0, 10.0), &mut y, &settings, &mut statistics, &mut look)
            .unwrap_or_else(|failure| panic!("{name}: {failure}"));
        assert!(drift <= 1e-9 * peak, "{name}: {drift:e} of {peak} J in {} steps", statistics.accepted);
        tested += 1;
        loops += usize::from(!system.names.rows.is_empty());
    }
    assert!(tested >= 15 && loops >= 7, "{tested} models, {loops} with loops");
}
