//! CMA-ES: a search without derivatives that learns the shape of the objective, with restarts in larger and smaller populations.
//! Not here: how the population is evaluated.
//! Source: Hansen (2016), The CMA evolution strategy: a tutorial, arXiv:1604.00772; restarts: Auger, Hansen (2005), Hansen (2009, BIPOP).

use faer::{Mat, Side};

use super::{Answer, Best, Progress, Query, Solver, Stop, Wanted, keep_stop};
use crate::checkpoint::Page;
use crate::random::{Purpose, Stream};
use crate::unknown::Bounds;

/// Width of the strip at a bound in which the search is bent to reach it exactly, as a share of the range.
const STRIP: f64 = 0.05;

/// How restarts are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restarts {
    /// None.
    None,
    /// With the population doubled each time.
    Growing,
    /// Growing ones in turn with small ones, so that both have used equal budgets.
    GrowingAndSmall,
}

/// How CMA-ES goes about its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Seed of the random numbers.
    pub seed: u32,
    /// Width of the first search distribution.
    pub width: f64,
    /// Individuals in a generation; 0: 4 + 3 ln n.
    pub population: usize,
    /// Largest number of evaluations.
    pub evaluations: usize,
    /// Stop at this objective.
    pub target: f64,
    /// A restart ends where the best objectives of its last generations, 10 + 30 n/λ of them, lie within this times 1 + |f|.
    pub decrease: f64,
    /// How restarts are made.
    pub restarts: Restarts,
    /// Most restarts with a growing population.
    pub doublings: usize,
    /// Where restarts begin when unknowns have no bounds: uniformly in -spread to spread around the start.
    pub spread: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 1,
            width: 0.25,
            population: 0,
            evaluations: 1_000_000,
            target: f64::NEG_INFINITY,
            decrease: 1e-12,
            restarts: Restarts::Growing,
            doublings: 9,
            spread: 1.0,
        }
    }
}

/// Constants that follow from the number of unknowns and the population.
#[derive(Clone, Debug)]
struct Rates {
    weights: Vec<f64>,
    parents: usize,
    effective: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_path: f64,
    c_one: f64,
    c_mu: f64,
    chi: f64,
}

impl Rates {
    fn new(n: usize, population: usize) -> Rates {
        let (nf, parents) = (n as f64, population / 2);
        let raw: Vec<f64> = (1..=population).map(|i| ((population as f64 + 1.0) / 2.0).ln() - (i as f64).ln()).collect();
        let effective = |w: &[f64]| w.iter().sum::<f64>().powi(2) / w.iter().map(|w| w * w).sum::<f64>();
        let mu = effective(&raw[..parents]);
        let mu_negative = effective(&raw[parents..]);
        let c_sigma = (mu + 2.0) / (nf + mu + 5.0);
        let c_one = 2.0 / ((nf + 1.3).powi(2) + mu);
        let c_mu = (1.0 - c_one).min(2.0 * (0.25 + mu + 1.0 / mu - 2.0) / ((nf + 2.0).powi(2) + mu));
        let negative = (1.0 + c_one / c_mu).min(1.0 + 2.0 * mu_negative / (mu + 2.0)).min((1.0 - c_one - c_mu) / (nf * c_mu));
        let (up, down): (f64, f64) = (raw.iter().filter(|w| **w > 0.0).sum(), raw.iter().filter(|w| **w < 0.0).map(|w| -w).sum());
        Rates {
            weights: raw.iter().map(|&w| if w > 0.0 { w / up } else { negative * w / down }).collect(),
            parents,
            effective: mu,
            c_sigma,
            d_sigma: 1.0 + c_sigma + 2.0 * (((mu - 1.0) / (nf + 1.0)).sqrt() - 1.0).max(0.0),
            c_path: (4.0 + mu / nf) / (nf + 4.0 + 2.0 * mu / nf),
            c_one,
            c_mu,
            chi: nf.sqrt() * (1.0 - 1.0 / (4.0 * nf) + 1.0 / (21.0 * nf * nf)),
        }
    }

    /// Generations between two decompositions of the covariance.
    fn interval(&self, n: usize) -> usize {
        ((1.0 / (10.0 * n as f64 * (self.c_one + self.c_mu))) as usize).max(1)
    }
}

/// A search distribution N(m, σ² C) that is moved and reshaped by the better half of what it draws, and away from the worse.
#[derive(Clone, Debug)]
pub struct CmaEs {
    bounds: Bounds,
    settings: Settings,
    start: Vec<f64>,
    rates: Rates,
    population: usize,
    mean: Vec<f64>,
    sigma: f64,
    /// Covariance C, its eigenvectors B and the roots D of its eigenvalues, row after row.
    covariance: Vec<f64>,
    axes: Vec<f64>,
    roots: Vec<f64>,
    path: Vec<f64>,
    path_sigma: Vec<f64>,
    generation: usize,
    restart: usize,
    /// Doublings so far, and evaluations spent in large and small populations.
    doublings: usize,
    spent: [usize; 2],
    small: bool,
    /// Best objective of each generation of this restart, oldest first; infinite where none was allowed.
    history: Vec<f64>,
    best: Best,
    progress: Progress,
    stop: Option<Stop>,
}

impl CmaEs {
    /// A search around `start`, which is moved inside the bounds. Unknowns have two bounds, or none.
    pub fn new(bounds: Bounds, mut start: Vec<f64>, settings: Settings) -> CmaEs {
        bounds.clip(&mut start);
        let n = start.len();
        let population = if settings.population > 0 { settings.population.max(4) } else { 4 + (3.0 * (n as f64).ln()) as usize };
        let mut search = CmaEs {
            rates: Rates::new(n, population),
            bounds,
            settings,
            start,
            population,
            mean: Vec::new(),
            sigma: settings.width,
            covariance: Vec::new(),
            axes: Vec::new(),
            roots: Vec::new(),
            path: Vec::new(),
            path_sigma: Vec::new(),
            generation: 0,
            restart: 0,
            doublings: 0,
            spent: [0; 2],
            small: false,
            history: Vec::new(),
            best: Best::none(),
            progress: Progress { objective: f64::INFINITY, ..Progress::default() },
            stop: None,
        };
        let mean = search.start.iter().enumerate().map(|(k, &z)| search.bent(k, z)).collect();
        search.begin(mean, settings.width, population);
        search
    }

    fn begin(&mut self, mean: Vec<f64>, sigma: f64, population: usize) {
        let n = mean.len();
        self.rates = Rates::new(n, population);
        (self.mean, self.sigma, self.population) = (mean, sigma, population);
        self.covariance = identity(n);
        self.axes = identity(n);
        self.roots = vec![1.0; n];
        self.path = vec![0.0; n];
        self.path_sigma = vec![0.0; n];
        self.generation = 0;
        self.history.clear();
    }

    /// Where the search looks for a point at `z`: the inverse of `straight` between the bounds.
    fn bent(&self, k: usize, z: f64) -> f64 {
        let (low, range) = (self.bounds.low[k], self.bounds.high[k] - self.bounds.low[k]);
        if !range.is_finite() {
            return z;
        }
        let u = (z - low) / range;
        let near = |u: f64| if u < STRIP { 2.0 * (STRIP * u).sqrt() - STRIP } else { u };
        low + range * if u < 0.5 { near(u) } else { 1.0 - near(1.0 - u) }
    }

    /// The point between the bounds that belongs to `y`: a parabola in strips at the bounds, mirrored beyond them.
    fn straight(&self, k: usize, y: f64) -> f64 {
        let (low, range) = (self.bounds.low[k], self.bounds.high[k] - self.bounds.low[k]);
        if !range.is_finite() {
            return y;
        }
        // Mirrored at -a and 1 + a, with period 2(1 + 2a).
        let width = 1.0 + 2.0 * STRIP;
        let folded = ((y - low) / range + STRIP).rem_euclid(2.0 * width);
        let u = if folded > width { 2.0 * width - folded } else { folded } - STRIP;
        let near = |u: f64| if u < STRIP { (u + STRIP).powi(2) / (4.0 * STRIP) } else { u };
        self.bounds.clipped(k, low + range * if u < 0.5 { near(u) } else { 1.0 - near(1.0 - u) })
    }

    /// Steps y of the generation, drawn from N(0, C).
    fn steps(&self) -> Vec<Vec<f64>> {
        let n = self.mean.len();
        (0..self.population)
            .map(|individual| {
                let mut stream =
                    Stream::new(self.settings.seed, Purpose::Evolution, self.generation as u32, individual as u32, self.restart as u32);
                let drawn: Vec<f64> = self.roots.iter().map(|root| root * stream.normal()).collect();
                (0..n).map(|i| (0..n).map(|j| self.axes[i * n + j] * drawn[j]).sum()).collect()
            })
            .collect()
    }

    /// C^(-1/2) y.
    fn whitened(&self, y: &[f64]) -> Vec<f64> {
        let n = y.len();
        let along: Vec<f64> = (0..n).map(|j| (0..n).map(|i| self.axes[i * n + j] * y[i]).sum::<f64>() / self.roots[j]).collect();
        (0..n).map(|i| (0..n).map(|j| self.axes[i * n + j] * along[j]).sum()).collect()
    }

    fn learn(&mut self, steps: &[Vec<f64>], order: &[usize]) {
        let (n, rates) = (self.mean.len(), self.rates.clone());
        let mut mean_step = vec![0.0; n];
        for (rank, &individual) in order[..rates.parents].iter().enumerate() {
            (0..n).for_each(|k| mean_step[k] += rates.weights[rank] * steps[individual][k]);
        }
        (0..n).for_each(|k| self.mean[k] += self.sigma * mean_step[k]);
        let white = self.whitened(&mean_step);
        let gain = (rates.c_sigma * (2.0 - rates.c_sigma) * rates.effective).sqrt();
        (0..n).for_each(|k| self.path_sigma[k] = (1.0 - rates.c_sigma) * self.path_sigma[k] + gain * white[k]);
        let length = norm(&self.path_sigma);
        let settled = (1.0 - (1.0 - rates.c_sigma).powf(2.0 * (self.generation as f64 + 1.0))).sqrt();
        let moving = length / settled < (1.4 + 2.0 / (n as f64 + 1.0)) * rates.chi;
        let gain = (rates.c_path * (2.0 - rates.c_path) * rates.effective).sqrt();
        (0..n).for_each(|k| self.path[k] = (1.0 - rates.c_path) * self.path[k] + if moving { gain * mean_step[k] } else { 0.0 });
        let lost = if moving { 0.0 } else { rates.c_one * rates.c_path * (2.0 - rates.c_path) };
        let total: f64 = rates.weights.iter().sum();
        let keep = 1.0 + lost - rates.c_one - rates.c_mu * total;
        let shares: Vec<f64> = order
            .iter()
            .zip(&rates.weights)
            .map(|(&individual, &w)| {
                let scale = if w < 0.0 { n as f64 / norm(&self.whitened(&steps[individual])).powi(2).max(1e-300) } else { 1.0 };
                rates.c_mu * w * scale
            })
            .collect();
        for i in 0..n {
            for j in 0..=i {
                let mut c = keep * self.covariance[i * n + j] + rates.c_one * self.path[i] * self.path[j];
                for (&individual, share) in order.iter().zip(&shares) {
                    c += share * steps[individual][i] * steps[individual][j];
                }
                self.covariance[i * n + j] = c;
                self.covariance[j * n + i] = c;
            }
        }
        self.sigma *= ((rates.c_sigma / rates.d_sigma) * (length / rates.chi - 1.0)).min(1.0).exp();
        self.generation += 1;
        if self.generation.is_multiple_of(rates.interval(n)) {
            self.decompose();
        }
    }

    fn decompose(&mut self) {
        let n = self.mean.len();
        let matrix = Mat::from_fn(n, n, |i, j| self.covariance[i * n + j]);
        // Where no decomposition is found the last one stays; the search then stops by its condition.
        let Ok(eigen) = matrix.self_adjoint_eigen(Side::Lower) else { return };
        for j in 0..n {
            self.roots[j] = eigen.S()[j].max(0.0).sqrt();
            (0..n).for_each(|i| self.axes[i * n + j] = eigen.U()[(i, j)]);
        }
    }

    /// Whether this restart has come to its end, and why.
    fn ended(&self) -> Option<Stop> {
        let (n, population) = (self.mean.len(), self.population);
        let long = 10 + (30 * n).div_ceil(population);
        let last = self.history.len().saturating_sub(1);
        if self.history.len() >= long {
            let recent = &self.history[self.history.len() - long..];
            let (low, high) = recent.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &f| (a.min(f), b.max(f)));
            // While nothing allowed is found, the violation may still fall.
            if high.is_finite() && high - low < self.settings.decrease * (1.0 + self.history[last].abs()) {
                return Some(Stop::Decrease);
            }
        }
        if (0..n).all(|k| self.sigma * self.covariance[k * n + k].sqrt() < 1e-12) {
            return Some(Stop::Step);
        }
        let (least, largest) = self.roots.iter().fold((f64::INFINITY, 0.0f64), |(a, b), &d| (a.min(d), b.max(d)));
        if !(largest * largest < 1e14 * least * least) || !self.sigma.is_finite() {
            return Some(Stop::Condition);
        }
        let axis = self.generation % n;
        if (0..n).all(|k| self.mean[k] + 0.1 * self.sigma * self.roots[axis] * self.axes[k * n + axis] == self.mean[k]) {
            return Some(Stop::Step);
        }
        let back = 120 + 30 * n / population;
        if self.history.len() > back + 20 {
            let median = |values: &[f64]| {
                let mut sorted = values.to_vec();
                sorted.sort_by(f64::total_cmp);
                0.5 * (sorted[9] + sorted[10])
            };
            let (now, then) = (self.history.len() - 20, self.history.len() - 20 - back);
            let before = median(&self.history[then..then + 20]);
            if before.is_finite() && median(&self.history[now..]) >= before {
                return Some(Stop::Decrease);
            }
        }
        None
    }

    fn begin_again(&mut self, reason: Stop) {
        if self.settings.restarts == Restarts::None {
            self.stop = Some(reason);
            return;
        }
        if self.doublings >= self.settings.doublings && !self.small {
            self.stop = Some(Stop::Restarts);
            return;
        }
        self.restart += 1;
        self.progress.restarts += 1;
        let n = self.mean.len();
        let first = if self.settings.population > 0 { self.settings.population.max(4) } else { 4 + (3.0 * (n as f64).ln()) as usize };
        let mut stream = Stream::new(self.settings.seed, Purpose::Restart, 0, 0, self.restart as u32);
        let mean: Vec<f64> = (0..n)
            .map(|k| {
                let (low, range) = (self.bounds.low[k], self.bounds.high[k] - self.bounds.low[k]);
                let u = stream.uniform();
                if range.is_finite() { self.bent(k, low + range * u) } else { self.start[k] + self.settings.spread * (2.0 * u - 1.0) }
            })
            .collect();
        self.small = self.settings.restarts == Restarts::GrowingAndSmall && self.spent[1] < self.spent[0];
        if self.small {
            let u = stream.uniform();
            let large = first << self.doublings;
            let population = (first as f64 * (large as f64 / (2.0 * first as f64)).powf(u * u)) as usize;
            self.begin(mean, self.settings.width * 10f64.powf(-2.0 * stream.uniform()), population.max(first));
        } else {
            self.doublings += 1;
            self.begin(mean, self.settings.width, first << self.doublings);
        }
    }
}

fn identity(n: usize) -> Vec<f64> {
    (0..n * n).map(|k| f64::from(u8::from(k % (n + 1) == 0))).collect()
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Solver for CmaEs {
    fn ask(&self) -> Vec<Query> {
        if self.stop.is_some() {
            return Vec::new();
        }
        self.steps()
            .iter()
            .map(|step| {
                let point = (0..step.len()).map(|k| self.straight(k, self.mean[k] + self.sigma * step[k])).collect();
                Query { wanted: Wanted::Objectives, point }
            })
            .collect()
    }

    fn tell(&mut self, answers: &[Answer]) {
        let (asked, steps) = (self.ask(), self.steps());
        if answers.len() != asked.len() || answers.is_empty() {
            return;
        }
        self.progress.count(&asked);
        self.spent[usize::from(self.small)] += asked.len();
        // Feasible ones by their objective, the others behind them by how far they violate; what is not a number comes last.
        let key = |k: usize| {
            let (value, violation) = (answers[k].objectives.first().copied().unwrap_or(f64::NAN), answers[k].violation());
            let value = if value.is_nan() { f64::INFINITY } else { value };
            if violation > 0.0 { (violation, 0.0) } else { (violation.min(0.0), value) }
        };
        let mut order: Vec<usize> = (0..asked.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let first = order[0];
        let value = answers[first].objectives.first().copied().unwrap_or(f64::NAN);
        self.best.offer(&asked[first].point, value, answers[first].violation());
        self.history.push(if answers[first].violation() > 0.0 || value.is_nan() { f64::INFINITY } else { value });
        self.learn(&steps, &order);
        self.progress.iterations += 1;
        self.progress.objective = self.best.objective;
        (self.progress.control, self.progress.step) = (self.sigma, self.sigma * self.roots.iter().fold(0.0, |a: f64, &b| a.max(b)));
        if self.best.violation <= 0.0 && self.best.objective <= self.settings.target {
            self.stop = Some(Stop::Target);
        } else if self.progress.evaluations >= self.settings.evaluations {
            self.stop = Some(Stop::Evaluations);
        } else if let Some(reason) = self.ended() {
            self.begin_again(reason);
        }
    }

    fn stop(&self) -> Option<Stop> {
        self.stop
    }

    fn best(&self) -> &Best {
        &self.best
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn keep(&mut self, page: &mut Page) {
        page.count("population", &mut self.population);
        page.numbers("mean", &mut self.mean);
        page.number("sigma", &mut self.sigma);
        page.numbers("covariance", &mut self.covariance);
        page.numbers("axes", &mut self.axes);
        page.numbers("roots", &mut self.roots);
        page.numbers("path", &mut self.path);
        page.numbers("path_sigma", &mut self.path_sigma);
        page.count("generation", &mut self.generation);
        page.count("restart", &mut self.restart);
        page.count("doublings", &mut self.doublings);
        page.inner("spent", |page| {
            page.count("large", &mut self.spent[0]);
            page.count("small", &mut self.spent[1]);
        });
        page.flag("small", &mut self.small);
        page.numbers("history", &mut self.history);
        self.best.keep(page);
        self.progress.keep(page);
        keep_stop(&mut self.stop, page);
        self.rates = Rates::new(self.mean.len(), self.population.max(4));
    }
}
