//! Exact slopes of columns of a run by parameters and start values: of `simulate` by the sensitivity equations, of `statics` by the implicit function at rest.
//! Not here: derivatives of a motion (`slopes`) and of a balance (`rest` of the engine), who asks for them (`fit`).
//! In: a system, a plan, its run, changes. Out: slopes of columns at samples; why there are none.
//!
//! With the state y(t, p) and its derivatives S = ∂y/∂p a column changes by dF = ∂F/∂y S + ∂F/∂p, which is one look at the column over duals.

use super::slopes::{self, Change, Starts, Stops};
use super::{EndState, channels};
use crate::parameter_columns::{N, ParameterColumns, StateOver};
use crate::plan::{Analysis, Plan};
use borelli_dynamics::System;
use borelli_dynamics::movement::Layout;
use borelli_dynamics::rest::Rest;
use borelli_math::Dual;
use borelli_model::Findings;

/// Columns of runs that are looked at with slopes.
pub(crate) struct Exact<'s> {
    columns: ParameterColumns<'s, Dual<N>>,
    wanted: Vec<usize>,
    layout: Layout,
    seeded: Vec<Dual<N>>,
    /// Coordinates, velocities and states over duals; accelerations at rest.
    y: Vec<Dual<N>>,
    still: Vec<Dual<N>>,
}

/// A state, and how it changes with each change.
struct Sloped<'m> {
    sample: usize,
    t: f64,
    y: &'m [f64],
    slopes: &'m [Vec<f64>],
}

/// Why columns of a run have no exact slopes, in words; nothing where they have.
pub(crate) fn why_not(system: &System, plan: &Plan, starts: Starts) -> Vec<String> {
    match plan.analysis {
        Analysis::Simulate => slopes::reasons(system, plan, "fit", starts),
        Analysis::Statics => {
            let has = [
                (system.has_soft(), "the model has soft parts"),
                (!system.names.rows.is_empty(), "the model has loops or guides"),
                (!system.names.states.is_empty(), "force elements have states"),
                (system.skeleton.extent.switches > 0, "points of paths come and go with the pose, and lengths may jump"),
            ];
            has.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason.to_string()).collect()
        }
        other => vec![format!("`{}` has no derivatives by parameters", other.name())],
    }
}

impl<'s> Exact<'s> {
    /// Columns by name.
    ///
    /// # Errors
    /// A column without slopes: mats, work since the start, tables.
    pub(crate) fn new(system: &'s System, plan: &Plan, names: &[String]) -> Result<Exact<'s>, String> {
        let first = || names.first().cloned().unwrap_or_default();
        // The work done is not among the states that have derivatives.
        let known = channels(system, plan, false, &mut Findings::new()).ok_or_else(first)?;
        let mut columns = ParameterColumns::new(system, &known);
        let mut wanted = Vec::with_capacity(names.len());
        for name in names {
            let channel = known.index(name).filter(|channel| columns.ask(*channel)).ok_or_else(|| name.clone())?;
            wanted.push(channel);
        }
        let layout = Layout::new(system, false);
        let zero = Dual { re: 0.0, eps: [0.0; N] };
        Ok(Exact { columns, wanted, layout, seeded: Vec::new(), y: vec![zero; layout.dim()], still: vec![zero; layout.dofs] })
    }

    /// Slopes of a run of `system`, handed over by sample, column and change; `times` are those of the samples, increasing, and `end` is where the run ended.
    ///
    /// # Errors
    /// Why there are none.
    pub(crate) fn find(
        &mut self,
        system: &System,
        plan: &Plan,
        changes: &[Change],
        (times, end): (&[f64], &EndState),
        take: &mut dyn FnMut(usize, usize, usize, f64),
    ) -> Result<(), String> {
        if plan.analysis == Analysis::Statics {
            let memory = end.memory.clone();
            let mut slots: Vec<usize> = changes.iter().flat_map(|change| &change.parameters).map(|(slot, _)| *slot).collect();
            slots.sort_unstable();
            slots.dedup();
            let by_slot = Rest { fixed: Vec::new(), gravity: true, memory }.slopes(system, end.t, &end.q, &slots);
            let by_slot = by_slot.map_err(|fault| fault.to_string())?;
            let mut y = end.q.clone();
            y.resize(self.layout.dim(), 0.0);
            let along = |change: &Change| {
                let mut sum = vec![0.0; y.len()];
                for (slot, amount) in &change.parameters {
                    let Ok(place) = slots.binary_search(slot) else { continue };
                    sum.iter_mut().zip(&by_slot[place]).for_each(|(sum, slope)| *sum += amount * slope);
                }
                sum
            };
            let slopes: Vec<Vec<f64>> = changes.iter().map(along).collect();
            let at = times.iter().enumerate().map(|(sample, t)| Sloped { sample, t: *t, y: &y, slopes: &slopes });
            return self.look(system, changes, &at.collect::<Vec<_>>(), true, take);
        }
        let (moments, _) = slopes::moments(system, plan, changes, times, Stops::Between)?;
        let at = moments.iter().enumerate().map(|(sample, moment)| Sloped { sample, t: moment.t, y: &moment.y, slopes: &moment.slopes });
        self.look(system, changes, &at.collect::<Vec<_>>(), false, take)
    }

    /// Looks at all columns at some states.
    fn look(
        &mut self,
        system: &System,
        changes: &[Change],
        at: &[Sloped],
        rests: bool,
        take: &mut dyn FnMut(usize, usize, usize, f64),
    ) -> Result<(), String> {
        let Exact { columns, wanted, layout, seeded, y, still } = self;
        let (v, z) = (layout.v_range(), layout.z_range());
        for (first, chunk) in changes.chunks(N).enumerate() {
            seeded.clear();
            seeded.extend(system.parameters.iter().map(|parameter| Dual { re: parameter.value, eps: [0.0; N] }));
            for (k, change) in chunk.iter().enumerate() {
                change.parameters.iter().for_each(|(slot, amount)| seeded[*slot].eps[k] += amount);
            }
            columns.set_parameters(seeded);
            columns.forget();
            for own in at {
                for (entry, dual) in y.iter_mut().enumerate() {
                    dual.re = own.y[entry];
                    (0..N).for_each(|k| dual.eps[k] = if k < chunk.len() { own.slopes[first * N + k][entry] } else { 0.0 });
                }
                let vdot = rests.then_some(&still[..]);
                let state = StateOver { t: own.t, q: &y[..v.start], v: &y[v.clone()], z: &y[z.clone()], vdot };
                let values = columns.look(state).map_err(|failure| failure.to_string())?;
                for (column, channel) in wanted.iter().enumerate() {
                    (0..chunk.len()).for_each(|k| take(own.sample, column, first * N + k, values[*channel].eps[k]));
                }
            }
        }
        Ok(())
    }
}
