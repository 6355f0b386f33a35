//! Drives the searches of a fit: builds solvers, answers them on all cores, keeps the history, and says what is known at the end.
//! Not here: solvers (`borelli-fit`), answers (`problem`), files.
//! In: a problem. Out: a `FitRecord`.
//!
//! Each answer depends on its point alone, and answers are told in the order of the questions. So the number of threads changes no bit.

use super::afterwards::{RefitProgress, Wider};
use super::answer::{Evaluator, Shown};
use super::bookmark::{Bookmark, Lines};
use super::definition::{Fit, Method};
use super::fault::FitFault;
use super::judge::{judge, unknowns};
use super::problem::Problem;
use super::record::{FitRecord, FrontPoint, Residual, Round, Start};
use super::staging::Staging;
use crate::channels::Channels;
use crate::cores::{cores, on_all_cores};
use borelli_fit::front::{Standing, hypervolume, knee};
use borelli_fit::sample::latin_hypercube;
use borelli_fit::solver::{CmaEs, Constrained, LeastSquares, Nsga2, QuasiNewton, Rounds, cma_es, least_squares, nsga2, quasi_newton};
use borelli_fit::{Answer, Best, Progress, Query, Solver, Stop, Wanted};

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct SearchProgress {
    /// Name of the method.
    pub method: &'static str,
    /// Evaluations so far, and at most.
    pub evaluations: (usize, usize),
    /// The best objective so far.
    pub objective: f64,
    /// Length of the last step.
    pub step: f64,
}

/// Who looks on while a search goes.
pub(crate) trait SearchWatch {
    /// Told after every round, with a way to know all that the search knows; false ends it.
    fn round(&mut self, progress: SearchProgress, state: &mut dyn FnMut() -> Lines) -> bool;

    /// Told now and then while further searches are made from the best point; false ends them.
    fn refits(&mut self, progress: RefitProgress) -> bool;

    /// What an earlier run of the same search knew at its end.
    fn known(&mut self) -> Option<Lines>;
}

/// Points of which each start but the first is the best.
const DRAWN: usize = 8;
/// Individuals and generations of NSGA-II where nothing else is said.
const POPULATION: usize = 200;
const GENERATIONS: usize = 300;
/// Most steps to where constraints hold, and how far each goes beyond what slopes say.
const STEPS_INSIDE: usize = 30;
const BEYOND: f64 = 1.05;

/// Any of the solvers, with what only it can tell.
enum Search {
    LeastSquares(Box<Rounds<LeastSquares>>),
    QuasiNewton(Box<Rounds<QuasiNewton>>),
    Constrained(Box<Constrained>),
    CmaEs(Box<CmaEs>),
    Nsga2(Box<Nsga2>),
}

impl Search {
    /// A search in a stage from `start`, and how many points were looked at to begin it; `planted` are further points that a population begins with.
    fn new<'s>(
        problem: &Problem<'s>,
        evaluator: &mut Evaluator<'s>,
        fit: &Fit,
        method: Method,
        (staging, stage): (&Staging, usize),
        (start, [starts, rounds], planted): (Vec<f64>, [usize; 2], Vec<Vec<f64>>),
    ) -> (Search, usize) {
        let bounds = staging.narrowed_bounds(&problem.bounds());
        let (evaluations, gradient) = (fit.evaluations, fit.tolerance);
        let (points, looks) = starting_points(problem, evaluator, staging, start.clone(), starts, fit.seed);
        let start = staging.narrowed(&start);
        let search = match method {
            Method::LeastSquares => {
                let settings = least_squares::Settings { power: fit.power, evaluations, gradient, ..Default::default() };
                let runs = points.into_iter().map(|point| LeastSquares::new(bounds.clone(), point, settings)).collect();
                Search::LeastSquares(Box::new(Rounds::new(bounds, runs, rounds, fit.seed)))
            }
            Method::QuasiNewton if problem.has_free_constraints() => {
                let settings = quasi_newton::Settings { evaluations, gradient, ..Default::default() };
                Search::Constrained(Box::new(Constrained::new(bounds, start, settings)))
            }
            Method::QuasiNewton => {
                let settings = quasi_newton::Settings { evaluations, gradient, ..Default::default() };
                let runs = points.into_iter().map(|point| QuasiNewton::new(bounds.clone(), point, settings)).collect();
                Search::QuasiNewton(Box::new(Rounds::new(bounds, runs, rounds, fit.seed)))
            }
            Method::CmaEs => {
                let settings = cma_es::Settings {
                    seed: fit.seed,
                    population: fit.population.unwrap_or(0),
                    evaluations,
                    decrease: fit.tolerance,
                    restarts: if fit.restarts > 0 { cma_es::Restarts::Growing } else { cma_es::Restarts::None },
                    doublings: fit.restarts,
                    ..Default::default()
                };
                Search::CmaEs(Box::new(CmaEs::new(bounds, start, settings)))
            }
            Method::Nsga2 => {
                let population = fit.population.unwrap_or(POPULATION);
                let settings = nsga2::Settings { seed: fit.seed, population, generations: generations(fit, stage), ..Default::default() };
                let planted = std::iter::once(start).chain(planted.iter().map(|point| staging.narrowed(point))).collect();
                Search::Nsga2(Box::new(Nsga2::new(bounds, planted, settings)))
            }
        };
        (search, looks)
    }

    fn solver(&mut self) -> &mut dyn Solver {
        match self {
            Search::LeastSquares(own) => &mut **own,
            Search::QuasiNewton(own) => &mut **own,
            Search::Constrained(own) => &mut **own,
            Search::CmaEs(own) => &mut **own,
            Search::Nsga2(own) => &mut **own,
        }
    }

    fn starts(&self) -> Vec<Start> {
        let endings = match self {
            Search::LeastSquares(own) => own.endings(),
            Search::QuasiNewton(own) => own.endings(),
            _ => return Vec::new(),
        };
        let end = |stop: Option<Stop>| stop.map_or("left behind by better starts", Stop::words);
        endings.into_iter().map(|ending| Start { objective: ending.objective, end: end(ending.stop) }).collect()
    }

    /// Where searches by squares ended, best first, scaled and moved inside constraints; and how many looks that took.
    fn ends<'s>(&self, problem: &Problem<'s>, evaluator: &mut Evaluator<'s>, staging: &Staging, most: usize) -> (Vec<Vec<f64>>, usize) {
        let Search::LeastSquares(own) = self else { return Default::default() };
        let mut bests: Vec<&Best> = own.bests().filter(|best| best.objective.is_finite()).collect();
        bests.sort_by(|a, b| a.objective.total_cmp(&b.objective));
        bests.truncate(most);
        let mut looks = 0;
        let ends = bests.into_iter().map(|best| {
            let (point, more) = moved_inside(problem, evaluator, staging, best.point.clone());
            looks += more;
            staging.widened(&point)
        });
        (ends.collect(), looks)
    }

    /// The volume that the front dominates.
    fn volume(&self, fit: &Fit) -> Option<f64> {
        let (Search::Nsga2(own), Some(reference)) = (self, &fit.reference) else { return None };
        let front: Vec<Standing> = own.front().map(|one| one.standing.clone()).collect();
        hypervolume(&front, reference)
    }

    /// The front, from the least first objective on, and its points, scaled.
    fn front<'s>(&self, problem: &Problem<'s>, evaluator: &mut Evaluator<'s>, staging: &Staging) -> (Vec<FrontPoint>, Vec<Vec<f64>>) {
        let Search::Nsga2(own) = self else { return Default::default() };
        let point = |one: &nsga2::Individual| {
            let wide = staging.widened(&one.point);
            let own = FrontPoint {
                objectives: one.standing.objectives.clone(),
                violation: one.standing.violation,
                unknowns: problem.values(evaluator, &wide).unwrap_or_default(),
            };
            (own, wide)
        };
        let mut front: Vec<(FrontPoint, Vec<f64>)> = own.front().map(point).collect();
        front.sort_by(|a, b| a.0.objectives[0].total_cmp(&b.0.objectives[0]));
        front.into_iter().unzip()
    }
}

/// Methods in their order, each through all stages; where one only prepares a front, stage by stage through all methods.
fn searches(fit: &Fit) -> Vec<(Method, usize)> {
    let stages = 0..fit.stages();
    if fit.eases() {
        stages.flat_map(|stage| fit.methods.iter().map(move |method| (*method, stage))).collect()
    } else {
        fit.methods.iter().flat_map(|method| stages.clone().map(move |stage| (*method, stage))).collect()
    }
}

/// A point of a stage at which constraints hold, by short steps against the one that is farthest above, if there is one nearby; and the looks it took.
fn moved_inside<'s>(problem: &Problem<'s>, evaluator: &mut Evaluator<'s>, staging: &Staging, mut point: Vec<f64>) -> (Vec<f64>, usize) {
    let bounds = staging.narrowed_bounds(&problem.bounds());
    let mut answer = Answer::default();
    for looks in 0..STEPS_INSIDE {
        if !problem.has_free_constraints() {
            return (point, looks);
        }
        problem.answer(evaluator, &Query { wanted: Wanted::Jacobian, point: staging.widened(&point) }, &mut answer);
        staging.narrow(&mut answer);
        let worst = (0..answer.constraints.len()).max_by(|a, b| answer.constraints[*a].total_cmp(&answer.constraints[*b]));
        let Some(worst) = worst.filter(|k| answer.constraints[*k] > 0.0) else { return (point, looks + 1) };
        let slopes = &answer.slopes.constraints[worst * point.len()..][..point.len()];
        let square: f64 = slopes.iter().map(|slope| slope * slope).sum();
        let step = BEYOND * answer.constraints[worst] / square;
        if !step.is_finite() {
            return (point, looks + 1);
        }
        point.iter_mut().zip(slopes).for_each(|(z, slope)| *z -= step * slope);
        bounds.clip(&mut point);
    }
    (point, STEPS_INSIDE)
}

/// Generations of a stage, from 0.
fn generations(fit: &Fit, stage: usize) -> usize {
    fit.generations.get(stage).or(fit.generations.last()).copied().unwrap_or(GENERATIONS)
}

/// Points of a front, evenly along it, that a population of the next stage begins with: a quarter of it, the rest is drawn.
fn planted(front: &[Vec<f64>], population: usize) -> Vec<Vec<f64>> {
    let count = front.len().min(population / 4);
    (0..count).map(|k| front[if count > 1 { k * (front.len() - 1) / (count - 1) } else { 0 }].clone()).collect()
}

/// The given start, and others spread between the bounds, unknowns without bounds by half their size. Each is the best of some, so that few begin
/// where a term has no slopes, such as a contact that never touches. Where unknowns give way to constraints those are taken that leave them a value.
/// Also how many points were looked at.
fn starting_points<'s>(
    problem: &Problem<'s>,
    evaluator: &mut Evaluator<'s>,
    staging: &Staging,
    start: Vec<f64>,
    starts: usize,
    seed: u32,
) -> (Vec<Vec<f64>>, usize) {
    let (bounds, others) = (problem.bounds(), starts.saturating_sub(1));
    let place = |k: usize, u: f64| match (bounds.low[k], bounds.high[k]) {
        (low, high) if low.is_finite() && high.is_finite() => low + (high - low) * u,
        _ => start[k] + u - 0.5,
    };
    let spread = |cells: &Vec<f64>| {
        let point: Vec<f64> = cells.iter().enumerate().map(|(k, u)| place(k, *u)).collect();
        staging.widened(&staging.narrowed(&point))
    };
    let drawn: Vec<Vec<f64>> = latin_hypercube(DRAWN * others, start.len(), seed).iter().map(spread).collect();
    let mut list = vec![staging.narrowed(&start)];
    if problem.gives_way() {
        for point in drawn {
            if list.len() <= others && problem.place(evaluator, &point) {
                list.push(staging.narrowed(&problem.given_way(evaluator, &point)));
            }
        }
        return (list, 0);
    }
    for few in drawn.chunks(DRAWN) {
        let mut value =
            |point: &Vec<f64>| problem.terms_at(evaluator, point).map_or(f64::NAN, |(terms, extra)| terms.iter().sum::<f64>() + extra);
        let values = few.iter().map(|point| (value(point), point)).filter(|(value, _)| value.is_finite());
        list.extend(values.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, point)| staging.narrowed(point)));
    }
    (list, DRAWN * others)
}

/// Answers in the order of the questions, found by as many threads as there are evaluators, written over older ones. How many points have no value, and the
/// first of them.
fn answer_all<'s>(
    problem: &Problem<'s>,
    evaluators: &mut [Evaluator<'s>],
    staging: &Staging,
    mut queries: Vec<Query>,
    answers: &mut Vec<Answer>,
) -> (usize, Option<Vec<f64>>) {
    answers.resize_with(queries.len(), Answer::default);
    if !staging.is_whole() {
        queries.iter_mut().for_each(|query| query.point = staging.widened(&query.point));
    }
    let answer = |evaluator: &mut Evaluator<'s>, (query, answer): (&Query, &mut Answer)| {
        problem.answer(evaluator, query, answer);
        staging.narrow(answer);
    };
    on_all_cores(evaluators, queries.iter().zip(answers.iter_mut()), answer, || {});
    let is_none =
        |answer: &Answer| answer.residuals.iter().chain(&answer.objectives).chain(&answer.constraints).any(|value| value.is_nan());
    let mut points = queries.into_iter().zip(&*answers).filter(|(_, answer)| is_none(answer)).map(|(query, _)| query.point);
    let first = points.next();
    (usize::from(first.is_some()) + points.count(), first)
}

/// Searches for the best unknowns; `watch` is asked after every round whether to go on. The best point, scaled and as values, and all that is known.
///
/// # Errors
/// Why there is no number where the search begins.
pub(crate) fn search<'s>(
    problem: &Problem<'s>,
    channels: &Channels,
    fit: &Fit,
    watch: &mut dyn SearchWatch,
) -> Result<(Vec<f64>, Vec<f64>, FitRecord), FitFault> {
    let mut evaluators: Vec<Evaluator<'s>> = (0..cores()).map(|_| problem.evaluator(channels)).collect();
    let begin = problem.unknowns.start();
    if let Some(fault) = problem.trouble(&mut evaluators[0], &begin) {
        return Err(fault);
    }
    let (mut history, mut starts, mut front, mut volumes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut middle = None;
    let (mut evaluations, mut jacobians) = (0, 0);
    let mut told = Vec::new();
    let mut point = begin.clone();
    let mut stop = None;
    // Whether any search found a point that is allowed and no worse than where it began.
    let mut came_on = false;
    let mut going = true;
    let mut bookmark = Bookmark::new(watch.known(), &mut history)?;
    // The front of the stage before, and ends of searches for less than a front, scaled.
    let (mut points, mut ends): (Vec<Vec<f64>>, Vec<Vec<f64>>) = Default::default();
    let is_easing = |method: Method| fit.eases() && method == Method::LeastSquares;
    for (k, (method, stage)) in searches(fit).into_iter().enumerate() {
        // Where an unknown gives way to a constraint the objective does not change with it: a search begins where it stops giving way.
        let given_way = problem.given_way(&mut evaluators[0], &point);
        let staging = Staging::new(fit, &given_way, stage + 1);
        let from = staging.widened(&staging.narrowed(&given_way));
        let before = problem.terms_at(&mut evaluators[0], &from).map_or(f64::INFINITY, |(terms, extra)| terms.iter().sum::<f64>() + extra);
        let population = fit.population.unwrap_or(POPULATION);
        let mut seeds = planted(&points, population);
        seeds.append(&mut ends);
        let begins = (from.clone(), if k == 0 || is_easing(method) { [fit.starts, fit.rounds] } else { [1, 1] }, seeds);
        let (mut own, looks) = Search::new(problem, &mut evaluators[0], fit, method, (&staging, stage), begins);
        evaluations += looks;
        bookmark.take_up(k, own.solver())?;
        while going && own.solver().stop().is_none() {
            let queries = own.solver().ask();
            bookmark.rejected.note(answer_all(problem, &mut evaluators, &staging, queries, &mut told));
            own.solver().tell(&told);
            let Progress { iterations, evaluations: done, objective, step, control, gradient, .. } = own.solver().progress();
            let volume = own.volume(fit);
            history.push(Round { iterations, evaluations: evaluations + done, objective, step, control, gradient, volume });
            let limit = match method {
                Method::Nsga2 => fit.population.unwrap_or(POPULATION) * (generations(fit, stage) + 1),
                _ => fit.evaluations,
            };
            let progress = SearchProgress { method: method.name(), evaluations: (done, limit), objective, step };
            going = watch.round(progress, &mut || bookmark.lines(k, own.solver(), &mut history));
        }
        bookmark.close(k, own.solver());
        let Best { point: best, objective, violation } = own.solver().best().clone();
        let found = if best.is_empty() { from.clone() } else { staging.widened(&best) };
        // A search by chance need not have come back to where it began.
        let is_met = |evaluator: &mut Evaluator<'s>, at: &[f64]| problem.exceeded(evaluator, at).is_empty();
        let [began, ended] = [&from, &found].map(|at| is_met(&mut evaluators[0], at));
        let better = problem.objectives() > 1 || !began || ended && objective <= before;
        let is_taken = better && violation.is_finite();
        came_on |= is_taken;
        point = if is_taken { found } else { from };
        if is_easing(method) {
            let (inside, looks) = own.ends(problem, &mut evaluators[0], &staging, population / 4);
            ends = inside;
            (evaluations, jacobians) = (evaluations + looks, jacobians + looks);
        }
        let progress = own.solver().progress();
        (evaluations, jacobians) = (evaluations + progress.evaluations, jacobians + progress.jacobians);
        stop = own.solver().stop();
        if k == 0 {
            starts = own.starts();
        }
        let (found, scaled) = own.front(problem, &mut evaluators[0], &staging);
        if !found.is_empty() {
            (front, points) = (found, scaled);
            volumes.extend(own.volume(fit));
            // Of several objectives none is the best: what is left is where they meet.
            let standing = |one: &FrontPoint| Standing { objectives: one.objectives.clone(), violation: one.violation };
            middle = knee(&front.iter().map(standing).collect::<Vec<_>>());
            if let Some(middle) = middle {
                point.clone_from(&points[middle]);
            }
        }
    }
    let evaluator = &mut evaluators[0];
    let (at_start, extra_at_start) = problem.terms_at(evaluator, &begin).unwrap_or_default();
    let (at_end, extra) = problem.terms_at(evaluator, &point).unwrap_or_default();
    let names = fit.terms.iter().map(|term| term.name.clone());
    let terms = names.zip(at_start.iter().zip(&at_end)).map(|(name, (start, end))| (name, *start, *end)).collect();
    let (map_start, map_end) = (problem.mismatches(evaluator, &begin), problem.mismatches(evaluator, &point));
    let named = fit.terms.iter().zip(map_start.iter().zip(&map_end));
    let mismatches = named.filter_map(|(term, (start, end))| Some((term.name.clone(), (*start)?, (*end)?))).collect();
    let values = problem.values(evaluator, &point).unwrap_or_default();
    let residuals = all_terms(problem, evaluator, &point);
    let mut shown: Vec<usize> = (0..problem.objectives()).filter_map(|k| end(&front, k)).chain(middle).collect();
    shown.sort_unstable();
    shown.dedup();
    let front_curves = shown.into_iter().map(|k| (k, all_terms(problem, evaluator, &points[k]))).collect();
    let mut record = FitRecord {
        methods: fit.methods.iter().map(|method| method.name()).collect(),
        stop: match stop {
            Some(_) if !came_on => "it found no point that is allowed and better than the start",
            stop => stop.map_or("it was stopped", Stop::words),
        },
        found: came_on && stop.is_some_and(|stop| stop.is_success() || matches!(stop, Stop::Generations | Stop::Restarts)),
        objective_at_start: at_start.iter().sum::<f64>() + extra_at_start,
        objective: at_end.iter().sum::<f64>() + extra,
        extra,
        terms,
        mismatches,
        residual_count: problem.rows(),
        evaluations,
        jacobians,
        condition: None,
        singular: Vec::new(),
        weak: Vec::new(),
        unknowns: unknowns(problem, fit, &point, &values),
        correlation: (Vec::new(), Vec::new()),
        residuals,
        history,
        starts,
        front,
        middle,
        volumes,
        exceeded: problem.exceeded(evaluator, &point),
        limits: Vec::new(),
        scatter: None,
        rise: None,
        accepts: problem.accepts(),
        front_curves,
        wider: Wider::default(),
        rejected: bookmark.rejected.count,
        rejected_because: (bookmark.rejected.count > 0).then(|| problem.why_none(evaluator, &bookmark.rejected.first)),
    };
    if problem.objectives() == 1 && going {
        judge(problem, fit, evaluator, &point, &mut record);
    }
    Ok((point, values, record))
}

/// All terms of all trials at a point.
fn all_terms<'s>(problem: &Problem<'s>, evaluator: &mut Evaluator<'s>, point: &[f64]) -> Vec<Residual> {
    let residual = |shown: Shown| Residual {
        trial: shown.trial.into(),
        is_fitted: shown.is_fitted,
        term: shown.term.into(),
        time: shown.time,
        measured: shown.measured,
        computed: shown.computed,
        error: shown.error,
    };
    problem.shown(evaluator, point).into_iter().map(residual).collect()
}

/// The point of a front with the least of an objective, among those that break no constraint.
pub(crate) fn end(front: &[FrontPoint], objective: usize) -> Option<usize> {
    let value = |k: &usize| front[*k].objectives[objective];
    (0..front.len()).filter(|k| front[*k].violation <= 0.0).min_by(|a, b| value(a).total_cmp(&value(b)))
}
