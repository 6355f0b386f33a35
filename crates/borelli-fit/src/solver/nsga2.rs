//! NSGA-II: a population that spreads along the front of several objectives.
//! Not here: fronts and crowding (`front.rs`), how the population is evaluated.
//! Source: Deb, Pratap, Agarwal, Meyarivan (2002), IEEE Trans Evol Comp 6:182; operators with bounds: Deb, Agrawal (1995), Complex Systems 9:115.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::{Answer, Best, Progress, Query, Solver, Stop, Wanted, keep_stop};
use crate::checkpoint::Page;
use crate::front::{Standing, crowding, fronts};
use crate::random::{Purpose, Stream};
use crate::unknown::Bounds;

/// Pairs that are bred at most for each child that is wanted.
const TRIES: u32 = 10;

/// A point, to be compared with others.
fn bits(point: &[f64]) -> Vec<u64> {
    point.iter().map(|x| x.to_bits()).collect()
}

/// How NSGA-II goes about its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Seed of the random numbers.
    pub seed: u32,
    /// Individuals in a generation.
    pub population: usize,
    /// Generations after the first.
    pub generations: usize,
    /// Probability that two parents are crossed, and how near children stay to them.
    pub crossover: (f64, f64),
    /// How near a mutant stays; one unknown in each child is changed on average.
    pub mutation: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { seed: 1, population: 200, generations: 300, crossover: (0.9, 15.0), mutation: 20.0 }
    }
}

/// A member of the population.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual {
    /// Scaled values of all unknowns.
    pub point: Vec<f64>,
    /// What is known about it.
    pub standing: Standing,
    /// Its front, from 0.
    pub rank: usize,
    /// Room around it in its front.
    pub room: f64,
}

/// A population that is bred, merged with its children and cut to the best, generation after generation.
#[derive(Clone, Debug)]
pub struct Nsga2 {
    bounds: Bounds,
    settings: Settings,
    /// Points that the first generation begins with; the rest of it is drawn.
    planted: Vec<Vec<f64>>,
    population: Vec<Individual>,
    best: Best,
    progress: Progress,
    stop: Option<Stop>,
}

impl Nsga2 {
    /// A search between finite bounds, whose first population begins with `planted`: a front found before, for instance.
    pub fn new(bounds: Bounds, mut planted: Vec<Vec<f64>>, settings: Settings) -> Nsga2 {
        planted.truncate(settings.population);
        planted.iter_mut().for_each(|point| bounds.clip(point));
        Nsga2 {
            bounds,
            settings,
            planted,
            population: Vec::new(),
            best: Best::none(),
            progress: Progress { objective: f64::INFINITY, ..Progress::default() },
            stop: None,
        }
    }

    /// The population, best first.
    pub fn population(&self) -> &[Individual] {
        &self.population
    }

    /// Members that nobody dominates.
    pub fn front(&self) -> impl Iterator<Item = &Individual> {
        self.population.iter().filter(|individual| individual.rank == 0)
    }

    /// Mean distance between members in scaled unknowns: how diverse they are.
    pub fn diversity(&self) -> f64 {
        let n = self.population.len();
        let mut sum = 0.0;
        for a in 0..n {
            for b in 0..a {
                let pair = self.population[a].point.iter().zip(&self.population[b].point);
                sum += pair.map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
            }
        }
        sum / ((n * n.saturating_sub(1)) as f64 / 2.0).max(1.0)
    }

    fn first(&self) -> Vec<Vec<f64>> {
        let mut points = self.planted.clone();
        for individual in points.len()..self.settings.population {
            let mut stream = Stream::new(self.settings.seed, Purpose::Population, 0, individual as u32, 0);
            let drawn = (0..self.bounds.len()).map(|k| self.bounds.low[k] + (self.bounds.high[k] - self.bounds.low[k]) * stream.uniform());
            points.push(drawn.collect());
        }
        points
    }

    /// The better of two members: the one that dominates the other, else the one with more room, else either.
    fn winner(&self, [a, b]: [usize; 2], stream: &mut Stream) -> &Individual {
        let (one, other) = (&self.population[a], &self.population[b]);
        let better = if one.standing.dominates(&other.standing) {
            Ordering::Greater
        } else if other.standing.dominates(&one.standing) {
            Ordering::Less
        } else {
            one.room.total_cmp(&other.room)
        };
        let first = better.then(if stream.uniform() < 0.5 { Ordering::Greater } else { Ordering::Less }).is_gt();
        if first { one } else { other }
    }

    /// As many children as members, none of which is there already. All members compete equally often: contests go through random permutations.
    fn children(&self) -> Vec<Vec<f64>> {
        let generation = self.progress.iterations as u32;
        let mut seen: BTreeSet<Vec<u64>> = self.population.iter().map(|individual| bits(&individual.point)).collect();
        let mut children = Vec::with_capacity(self.settings.population + 1);
        let (mut entrants, mut permutations) = (Vec::new(), 0);
        // A population that has become one point has no new children but by mutation: then twins are taken.
        for pair in 0..TRIES * self.settings.population as u32 {
            if children.len() >= self.settings.population {
                break;
            }
            while entrants.len() < 4 {
                let mut stream = Stream::new(self.settings.seed, Purpose::Breeding, generation, permutations, 1);
                entrants.extend(stream.permutation(self.population.len()));
                permutations += 1;
            }
            let contest: Vec<usize> = entrants.drain(..4).collect();
            let mut stream = Stream::new(self.settings.seed, Purpose::Breeding, generation, pair, 0);
            let [mut a, mut b] =
                [[contest[0], contest[1]], [contest[2], contest[3]]].map(|two| self.winner(two, &mut stream).point.clone());
            if stream.uniform() < self.settings.crossover.0 {
                self.cross(&mut a, &mut b, &mut stream);
            }
            for mut child in [a, b] {
                self.mutate(&mut child, &mut stream);
                self.bounds.clip(&mut child);
                if seen.insert(bits(&child)) {
                    children.push(child);
                }
            }
        }
        while children.len() < self.settings.population {
            children.push(self.population[children.len() % self.population.len()].point.clone());
        }
        children.truncate(self.settings.population);
        children
    }

    /// Simulated binary crossover between bounds.
    fn cross(&self, a: &mut [f64], b: &mut [f64], stream: &mut Stream) {
        let power = self.settings.crossover.1 + 1.0;
        for k in 0..a.len() {
            if stream.uniform() > 0.5 || (a[k] - b[k]).abs() <= 1e-14 {
                continue;
            }
            let (x1, x2) = (a[k].min(b[k]), a[k].max(b[k]));
            let u = stream.uniform();
            let spread = |room: f64| {
                let alpha = 2.0 - (1.0 + 2.0 * room / (x2 - x1)).powf(-power);
                if u <= 1.0 / alpha { (u * alpha).powf(1.0 / power) } else { (1.0 / (2.0 - u * alpha)).powf(1.0 / power) }
            };
            let lower = 0.5 * (x1 + x2 - spread(x1 - self.bounds.low[k]) * (x2 - x1));
            let upper = 0.5 * (x1 + x2 + spread(self.bounds.high[k] - x2) * (x2 - x1));
            (a[k], b[k]) = if stream.uniform() < 0.5 { (upper, lower) } else { (lower, upper) };
        }
    }

    /// Polynomial mutation between bounds.
    fn mutate(&self, point: &mut [f64], stream: &mut Stream) {
        let (share, power) = (1.0 / point.len() as f64, self.settings.mutation + 1.0);
        for (k, x) in point.iter_mut().enumerate() {
            if stream.uniform() >= share {
                continue;
            }
            let range = self.bounds.high[k] - self.bounds.low[k];
            let (below, u) = ((*x - self.bounds.low[k]) / range, stream.uniform());
            let change = if u < 0.5 {
                (2.0 * u + (1.0 - 2.0 * u) * (1.0 - below).powf(power)).powf(1.0 / power) - 1.0
            } else {
                1.0 - (2.0 * (1.0 - u) + 2.0 * (u - 0.5) * below.powf(power)).powf(1.0 / power)
            };
            *x += change * range;
        }
    }

    /// Keeps the best of parents and children; points that are there twice count once.
    fn select(&mut self, mut all: Vec<Individual>) {
        let mut seen = BTreeSet::new();
        all.retain(|individual| seen.insert(bits(&individual.point)));
        let standings: Vec<Standing> = all.iter().map(|individual| individual.standing.clone()).collect();
        let mut kept = Vec::with_capacity(self.settings.population);
        for (rank, front) in fronts(&standings).into_iter().enumerate() {
            let room = crowding(&standings, &front);
            let mut order: Vec<usize> = (0..front.len()).collect();
            order.sort_by(|&a, &b| room[b].total_cmp(&room[a]).then(front[a].cmp(&front[b])));
            for place in order {
                if kept.len() == self.settings.population {
                    break;
                }
                kept.push(Individual { rank, room: room[place], ..all[front[place]].clone() });
            }
        }
        self.population = kept;
    }
}

impl Solver for Nsga2 {
    fn ask(&self) -> Vec<Query> {
        if self.stop.is_some() {
            return Vec::new();
        }
        let points = if self.population.is_empty() { self.first() } else { self.children() };
        points.into_iter().map(|point| Query { wanted: Wanted::Objectives, point }).collect()
    }

    fn tell(&mut self, answers: &[Answer]) {
        let asked = self.ask();
        if answers.len() != asked.len() {
            return;
        }
        self.progress.count(&asked);
        let born = asked.into_iter().zip(answers).map(|(query, answer)| Individual {
            point: query.point,
            standing: Standing { objectives: answer.objectives.clone(), violation: answer.violation() },
            rank: 0,
            room: 0.0,
        });
        let mut all = std::mem::take(&mut self.population);
        let is_first = all.is_empty();
        all.extend(born);
        self.select(all);
        for individual in &self.population {
            self.best.offer(&individual.point, individual.standing.objectives[0], individual.standing.violation);
        }
        self.progress.objective = self.best.objective;
        if !is_first {
            self.progress.iterations += 1;
        }
        if self.progress.iterations >= self.settings.generations {
            self.stop = Some(Stop::Generations);
        }
    }

    fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// The best of the first objective alone; what counts is the front.
    fn best(&self) -> &Best {
        &self.best
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn keep(&mut self, page: &mut Page) {
        let mut points: Vec<Vec<f64>> = self.population.iter().map(|individual| individual.point.clone()).collect();
        let mut standings: Vec<Vec<f64>> = self
            .population
            .iter()
            .map(|individual| {
                let known = [individual.standing.violation, individual.rank as f64, individual.room];
                known.into_iter().chain(individual.standing.objectives.iter().copied()).collect()
            })
            .collect();
        page.rows("points", &mut points);
        page.rows("standings", &mut standings);
        if page.is_read() {
            let pairs = points.into_iter().zip(standings).filter(|(_, known)| known.len() > 3);
            self.population = pairs
                .map(|(point, known)| Individual {
                    point,
                    standing: Standing { objectives: known[3..].to_vec(), violation: known[0] },
                    rank: known[1] as usize,
                    room: known[2],
                })
                .collect();
        }
        self.best.keep(page);
        self.progress.keep(page);
        keep_stop(&mut self.stop, page);
    }
}
