//! Paths: lines from place to place, straight or bent over obstacles, along which elements pull. Shared by the path laws; no law itself.
//! Not here: what makes the tension; where a string lies on an obstacle (`wrap`); second derivatives (`path_slopes`).
//! In: a `Scene`; then the sum of tensions of each path. Out: lengths and rates; the forces of the tensions on bodies.
//!
//! A path is a chain of points on bodies. Neighbours are joined by a straight line with dᵢ = pᵢ₊₁ − pᵢ, lᵢ = ‖dᵢ‖, eᵢ = dᵢ/lᵢ, or, where they are the two ends
//! T1, T2 of the string on one obstacle, by an arc of length w on it:
//!
//! ```text
//! l = Σ lᵢ + Σ w        l̇ = Σ eᵢ·(vᵢ₊₁ − vᵢ)                                                (1)
//! fᵢ = N (eᵢ − eᵢ₋₁), without e where there is no straight part                              (2)
//! ```
//!
//! | l path length m | l̇ its rate m/s | N tension, positive when it shortens the path, N | fᵢ force on the body of point i, N |
//!
//! T1 and T2 count as points fixed to the obstacle's body: the string is the shortest, so that l̇ does not see how they move on it. The power of (2) is −N l̇: lengths, rates
//! and forces belong to one virtual work. The tension is the same along the path (no friction at via points and obstacles).
//!
//! A moving point has coordinates x(q_k) in the frame of its body. Its velocity has R x' q̇_k more, and the effort on q_k that belongs to it is f·R
//! x'. A conditional point is there while a coordinate is in a range; where it comes or goes l jumps unless it lies on the line. In a run an event
//! decides where it does (`Memory::points`).
//!
//! Limits: a segment of zero length has no direction. Its unit vector is taken as zero: it adds nothing to l and l̇ and pulls at nothing, so
//! that nothing becomes NaN. Across such an instant the forces of (2) jump to the other side; the law N = c l̇ of a dashpot, f = −c e eᵀ v, does
//! not see the sign of e and goes on smoothly but for the instant itself. A string that has no place, because it slides off its obstacle, has a length that is no number.
//!
//! Source: elementary. Tests: `every_path_law_acts_and_reacts`, `the_rate_of_a_path_is_the_slope_of_its_length`,
//! `a_segment_of_zero_length_pulls_at_nothing`, `bent_paths_act_and_react`.

use crate::parts::Named;
use crate::scene::{Point, Scene};
use crate::wrap::chain::{Known, Met, Touch, wind};
use crate::wrap::{MOST, Manner, Obstacle, Trouble, bend};
use borelli_math::{Constant, Real, Vec3, vec3};
use borelli_model::{Field, FieldKind, Need};

/// The field `path` of every path law.
pub(super) const PATH: Field = Field { name: "path", kind: FieldKind::Path, need: Need::Required, doc: "path it pulls along" };

/// What a path passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop<N> {
    /// A place on a body.
    Place(u32),
    /// A place that is there while a coordinate is in a range.
    When {
        /// The place.
        place: u32,
        /// Index into q.
        coord: u32,
        /// First and last value.
        range: [N; 2],
    },
    /// A point whose coordinates in a body's frame are functions of a coordinate.
    Moving {
        /// The body.
        body: u32,
        /// Functions, by index.
        functions: [u32; 3],
        /// Index into q.
        coord: u32,
        /// Index into v.
        dof: u32,
    },
    /// An obstacle.
    Wrap {
        /// Which one.
        wrap: u32,
        /// On which side.
        manner: Manner<N>,
    },
}

impl<N> Stop<N> {
    fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Stop<M> {
        match self {
            Stop::Place(place) => Stop::Place(*place),
            Stop::When { place, coord, range: [from, to] } => {
                Stop::When { place: *place, coord: *coord, range: [number(from), number(to)] }
            }
            Stop::Moving { body, functions, coord, dof } => Stop::Moving { body: *body, functions: *functions, coord: *coord, dof: *dof },
            Stop::Wrap { wrap, manner } => Stop::Wrap { wrap: *wrap, manner: manner.map(number) },
        }
    }
}

/// What paths bend around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrap<N> {
    /// Its frame, as a place.
    pub at: u32,
    /// Its shape.
    pub obstacle: Obstacle<N>,
}

/// All paths, and what they bend around.
#[derive(Clone, Debug)]
pub struct Paths<N> {
    /// What each path passes, in order.
    pub list: Vec<Vec<Stop<N>>>,
    /// What paths bend around.
    pub wraps: Vec<Named<Wrap<N>>>,
}

impl<N> Default for Paths<N> {
    fn default() -> Self {
        Paths { list: Vec::new(), wraps: Vec::new() }
    }
}

impl<N> Paths<N> {
    /// Number of paths.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True without any path.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The places of a path that passes nothing else.
    pub fn places(&self, path: usize) -> Option<Vec<u32>> {
        self.list[path].iter().map(|stop| if let Stop::Place(place) = stop { Some(*place) } else { None }).collect()
    }

    /// Body of what a path passes.
    pub fn body(&self, stop: &Stop<N>, place_body: &[u32]) -> u32 {
        match stop {
            Stop::Place(place) | Stop::When { place, .. } => place_body[*place as usize],
            Stop::Moving { body, .. } => *body,
            Stop::Wrap { wrap, .. } => place_body[self.wraps[*wrap as usize].item.at as usize],
        }
    }

    /// Bodies that decide where a stop of a path is: its own, and the one that its coordinate moves.
    pub(crate) fn bodies(&self, stop: &Stop<N>, place_body: &[u32], dof_body: &[u32]) -> impl Iterator<Item = usize> + use<N> {
        let of_coordinate = if let Stop::Moving { dof, .. } = stop { Some(dof_body[*dof as usize]) } else { None };
        std::iter::once(self.body(stop, place_body)).chain(of_coordinate).map(|body| body as usize)
    }

    /// Writes the same paths with other numbers.
    pub(crate) fn rewrite<M>(&self, number: &mut impl FnMut(&N) -> M, out: &mut Paths<M>) {
        Named::rewrite(&self.wraps, &mut out.wraps, |wrap, _| Wrap { at: wrap.at, obstacle: wrap.obstacle.map(number) });
        out.list.resize_with(self.list.len(), Vec::new);
        for (from, to) in self.list.iter().zip(&mut out.list) {
            to.clear();
            to.extend(from.iter().map(|stop| stop.map(number)));
        }
    }
}

/// Length and unit vector from `a` to `b`; none where they coincide.
#[inline(always)]
pub(super) fn segment<S: Real>(a: &Point<S>, b: &Point<S>) -> Option<(S, Vec3<S>)> {
    let d = b.p_W - a.p_W;
    let square = d.dot(d);
    // Compared with zero exactly, so that NaN is not taken for a missing segment.
    if square.value() == 0.0 {
        return None;
    }
    let length = square.sqrt();
    Some((length, d.scale(length.recip())))
}

/// A straight piece of a path. Behind each stop but the first there is one; of stops that are not touched or not there it is empty.
#[derive(Clone, Copy, Debug)]
pub struct Segment<S> {
    /// Where it begins and ends.
    pub ends: [Point<S>; 2],
    /// Length, m.
    pub length: S,
    /// Unit vector from the first end to the second, or zero where they coincide.
    pub e: Vec3<S>,
}

impl<S: Real> Segment<S> {
    fn none(at: &Point<S>) -> Self {
        Segment { ends: [*at; 2], length: S::ZERO, e: Vec3::ZERO }
    }
}

/// A point of a path that moves on its body with a coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drift<S> {
    /// The path, and which of its stops.
    pub(crate) path: usize,
    pub(crate) stop: usize,
    pub(crate) body: usize,
    pub(crate) dof: usize,
    /// R x' and R x'', world axes.
    pub(crate) along: Vec3<S>,
    pub(crate) bent: Vec3<S>,
}

/// A path that has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The path.
    pub path: u32,
    /// The obstacle, or the first of several.
    pub wrap: u32,
    /// Why.
    pub trouble: Trouble,
}

/// Paths at one instant: found once, and shared by all laws along them.
#[derive(Clone, Debug)]
pub struct Lines<S> {
    /// Length of each path, m. Filled by `fill`.
    pub length: Vec<S>,
    /// Rate of each length, m/s. Filled by `fill`.
    pub rate: Vec<S>,
    /// Sum of the tensions of the laws along each path, N. Filled by `Forces::apply`.
    pub pulled: Vec<S>,
    /// The same with the tension of elements that pull at the path's ends by themselves, for reports.
    pub tension: Vec<S>,
    /// The last path that has no place; its length is not a number.
    pub lost: Option<Lost>,
    /// Segments of all paths. Filled by `fill`.
    segments: Vec<Segment<S>>,
    /// First segment of each path, and one past the last.
    start: Vec<u32>,
    /// How each path lies on the stop behind a segment, where that is an obstacle that it touches. As many as segments. Filled by `fill`.
    touches: Vec<Option<Touch<S>>>,
    /// Whether the path passes the stop behind a segment, where that is a conditional point. As many as segments. Filled by `fill`.
    passed: Vec<bool>,
    /// Where searches begin, by obstacle, in the order of paths and stops.
    begin: Vec<Option<Known>>,
    /// Moving points, in order of paths. Filled by `fill`.
    drifts: Vec<Drift<S>>,
    /// Conditional points that are there until an event says otherwise, in the order of paths and stops; empty: coordinates decide.
    held: Vec<bool>,
    /// Paths over nodes of soft parts, which pull at nothing here: length and rate as given from outside.
    given: Vec<(u32, [S; 2])>,
}

impl<S: Real> Default for Lines<S> {
    fn default() -> Self {
        Lines::new(&Paths::<S>::default())
    }
}

impl<S: Real> Lines<S> {
    /// Memory for paths.
    pub fn new<C>(paths: &Paths<C>) -> Self {
        let nowhere = Point { body: 0, r_W: Vec3::ZERO, p_W: Vec3::ZERO, v_W: Vec3::ZERO };
        let (mut start, mut drifts, mut wraps) = (vec![0], Vec::new(), 0);
        for (path, stops) in paths.list.iter().enumerate() {
            start.push(start[start.len() - 1] + stops.len().saturating_sub(1) as u32);
            wraps += stops.iter().filter(|stop| matches!(stop, Stop::Wrap { .. })).count();
            for (stop, own) in stops.iter().enumerate() {
                if let Stop::Moving { body, dof, .. } = own {
                    let (body, dof) = (*body as usize, *dof as usize);
                    drifts.push(Drift { path, stop, body, dof, along: Vec3::ZERO, bent: Vec3::ZERO });
                }
            }
        }
        let segments = start[paths.len()] as usize;
        let zeros = vec![S::ZERO; paths.len()];
        Lines {
            length: zeros.clone(),
            rate: zeros.clone(),
            pulled: zeros.clone(),
            tension: zeros,
            lost: None,
            segments: vec![Segment::none(&nowhere); segments],
            start,
            touches: vec![None; segments],
            passed: vec![true; segments],
            begin: vec![None; wraps],
            drifts,
            held: Vec::new(),
            given: Vec::new(),
        }
    }

    /// Length and rate of a path that runs over nodes of soft parts, for all looks until they are given anew.
    pub fn give(&mut self, path: u32, along: [S; 2]) {
        match self.given.iter_mut().find(|(known, _)| *known == path) {
            Some((_, own)) => *own = along,
            None => self.given.push((path, along)),
        }
    }

    /// Keeps conditional points as they are said to be, wherever coordinates are; an empty list: coordinates decide.
    pub(crate) fn hold(&mut self, points: &[bool]) {
        self.held.clear();
        self.held.extend_from_slice(points);
    }

    /// Conditional points that are kept; empty where coordinates decide.
    pub(crate) fn held(&self) -> &[bool] {
        &self.held
    }

    /// Takes over what other lines of the same paths show. Allocates nothing.
    pub(crate) fn show(&mut self, other: &Lines<S>) {
        self.length.copy_from_slice(&other.length);
        self.rate.copy_from_slice(&other.rate);
        self.pulled.copy_from_slice(&other.pulled);
        self.tension.copy_from_slice(&other.tension);
        self.segments.copy_from_slice(&other.segments);
        self.touches.copy_from_slice(&other.touches);
        self.passed.copy_from_slice(&other.passed);
        self.drifts.copy_from_slice(&other.drifts);
        self.lost = other.lost;
    }

    /// Lets searches begin where those of other lines of the same paths ended, with the same points kept.
    pub(crate) fn begin_like(&mut self, other: &Lines<S>) {
        self.begin.copy_from_slice(&other.begin);
        self.hold(&other.held);
    }

    /// Lets searches begin from nowhere.
    pub(crate) fn forget(&mut self) {
        self.begin.fill(None);
    }

    /// Segments of a path.
    #[inline(always)]
    pub fn segments(&self, path: usize) -> &[Segment<S>] {
        &self.segments[self.start[path] as usize..self.start[path + 1] as usize]
    }

    /// How a path lies on its stop of this number, where that is an obstacle that it touches.
    pub(crate) fn touch(&self, path: usize, stop: usize) -> Option<&Touch<S>> {
        let before = stop.checked_sub(1)?;
        self.touches[self.start[path] as usize..self.start[path + 1] as usize].get(before)?.as_ref()
    }

    /// Whether a path passes its stop of this number; false for a conditional point that is not there.
    pub(crate) fn passes(&self, path: usize, stop: usize) -> bool {
        stop.checked_sub(1).is_none_or(|before| self.passed[self.start[path] as usize + before])
    }

    /// Moving points of a path.
    pub(crate) fn drifts(&self, path: usize) -> impl Iterator<Item = &Drift<S>> {
        self.drifts.iter().filter(move |drift| drift.path == path)
    }

    /// The directions in which a path comes to one of its stops, and leaves it.
    pub(crate) fn directions(&self, path: usize, stop: usize) -> [Vec3<S>; 2] {
        let (before, behind) = self.segments(path).split_at(stop);
        let there = |segment: &&Segment<S>| segment.length.value() != 0.0;
        [before.iter().rev().find(there), behind.iter().find(there)].map(|found| found.map_or(Vec3::ZERO, |segment| segment.e))
    }

    /// Equation (1) for every path, with or without an element on it; nothing pulls yet.
    #[inline]
    pub(crate) fn fill<C: Constant<S>>(&mut self, scene: &Scene<S, C>) {
        self.lost = None;
        let (mut drift, mut conditional, mut wrap) = (0, 0, 0);
        for (path, stops) in scene.numbers.paths.list.iter().enumerate() {
            (self.length[path], self.rate[path], self.pulled[path]) = (S::ZERO, S::ZERO, S::ZERO);
            let first = self.start[path] as usize;
            let mut last = Point { body: 0, r_W: Vec3::ZERO, p_W: Vec3::ZERO, v_W: Vec3::ZERO };
            let (mut waiting, mut count) = ([0; MOST], 0);
            // The first stop is a point always.
            for (k, stop) in stops.iter().enumerate() {
                let point = match stop {
                    Stop::Place(place) => scene.point(*place),
                    Stop::Wrap { .. } => {
                        waiting[count] = k;
                        count += 1;
                        continue;
                    }
                    Stop::When { place, coord, range: [from, to] } => {
                        let there = self.held.get(conditional).copied().unwrap_or_else(|| {
                            let q = scene.q[*coord as usize].value();
                            from.value() <= q && q <= to.value()
                        });
                        conditional += 1;
                        self.passed[first + k - 1] = there;
                        if !there {
                            self.segments[first + k - 1] = Segment::none(&last);
                            continue;
                        }
                        scene.point(*place)
                    }
                    Stop::Moving { body, functions, coord, dof } => {
                        let (point, along, bent) = moving(scene, *body as usize, functions, *coord as usize, *dof as usize);
                        (self.drifts[drift].along, self.drifts[drift].bent) = (along, bent);
                        drift += 1;
                        point
                    }
                };
                // Points are handed over by value: those whose address is taken would live in memory.
                match count {
                    _ if k == 0 => {}
                    0 => self.draw(path, first + k - 1, last, point),
                    _ => self.bend(scene, path, last, (&waiting[..count], wrap), k, point),
                }
                wrap += count;
                (last, count) = (point, 0);
            }
        }
        for (path, [length, rate]) in &self.given {
            (self.length[*path as usize], self.rate[*path as usize]) = (*length, *rate);
        }
    }

    /// A straight piece.
    #[inline(always)]
    fn draw(&mut self, path: usize, own: usize, from: Point<S>, to: Point<S>) {
        let (length, e) = segment(&from, &to).unwrap_or((S::ZERO, Vec3::ZERO));
        self.length[path] += length;
        self.rate[path] += e.dot(to.v_W - from.v_W);
        self.segments[own] = Segment { ends: [from, to], length, e };
    }

    /// Both pieces from a point over one obstacle that has a closed form to the next point.
    #[inline]
    fn bend_once<C: Constant<S>>(&mut self, scene: &Scene<S, C>, path: usize, from: Point<S>, over: usize, to: Point<S>) -> bool {
        let Stop::Wrap { wrap, manner } = &scene.numbers.paths.list[path][over] else { return false };
        let Wrap { at, obstacle } = &scene.numbers.paths.wraps[*wrap as usize].item;
        if !obstacle.is_closed() {
            return false;
        }
        let (pose, obstacle) = (scene.pose(*at), obstacle.lift());
        let [P, Q] = [from, to].map(|point| pose.inside(point.p_W));
        if obstacle.holds(P) || obstacle.holds(Q) {
            return false;
        }
        let found = bend(&obstacle, &manner.map(&mut |x| x.lift()), P, Q);
        let before = self.start[path] as usize + over - 1;
        match found {
            Ok(Some(bend)) => {
                let body = scene.numbers.place_body[*at as usize] as usize;
                let ends = bend.ends.map(|x| pose.outside(x));
                let [T1, T2] = ends.map(|p_W| scene.point_at(body, p_W));
                self.touches[before] = Some(Touch { ends, arc: bend.arc, turn: bend.turn, jacobi: [0.0; 4] });
                self.draw(path, before, from, T1);
                self.length[path] += bend.arc;
                self.draw(path, before + 1, T2, to);
            }
            Ok(None) => {
                self.touches[before] = None;
                self.segments[before] = Segment::none(&from);
                self.draw(path, before + 1, from, to);
            }
            Err(_) => return false,
        }
        true
    }

    /// All pieces from a point over obstacles to the next point: `over` are their stops, and the number of the first among all obstacles of paths.
    #[inline(never)]
    fn bend<C: Constant<S>>(
        &mut self,
        scene: &Scene<S, C>,
        path: usize,
        from: Point<S>,
        (over, wrap): (&[usize], usize),
        stop: usize,
        to: Point<S>,
    ) {
        if let [over] = over
            && *over + 1 == stop
            && self.bend_once(scene, path, from, *over, to)
        {
            return;
        }
        let first = self.start[path] as usize;
        let stops = &scene.numbers.paths.list[path];
        let met = |k: usize| met_at(scene, &stops[over[k.min(over.len() - 1)]]);
        // The first obstacle with an end of the string inside, and which end.
        let held = (0..over.len()).find_map(|k| {
            let (own, _) = met(k)?;
            let [before, behind] = [from, to].map(|point| own.obstacle.holds(own.pose.inside(point.p_W)));
            (before || behind).then_some((k, Trouble::EndInside { before }))
        });
        let found = match (held, met(0)) {
            (Some((_, trouble)), _) => Err(trouble),
            (None, Some((own, _))) => {
                let all: [Met<S>; MOST] = std::array::from_fn(|k| met(k).map_or(own, |(met, _)| met));
                wind(from.p_W, &all[..over.len()], to.p_W, &mut self.begin[wrap..][..over.len()])
            }
            (None, None) => Ok([None; MOST]),
        };
        let found = match found {
            Ok(found) => found,
            Err(trouble) => {
                let wrap = if let Stop::Wrap { wrap, .. } = stops[over[held.map_or(0, |(k, _)| k)]] { wrap } else { 0 };
                self.lost = Some(Lost { path: path as u32, wrap, trouble });
                self.length[path] += S::from_f64(f64::NAN);
                [None; MOST]
            }
        };
        let mut from = from;
        for (i, (&k, touch)) in over.iter().zip(found).enumerate() {
            self.touches[first + k - 1] = touch;
            match (touch, met(i)) {
                (Some(touch), Some((_, body))) => {
                    let [T1, T2] = touch.ends.map(|p_W| scene.point_at(body, p_W));
                    self.draw(path, first + k - 1, from, T1);
                    self.length[path] += touch.arc;
                    from = T2;
                }
                _ => self.segments[first + k - 1] = Segment::none(&from),
            }
        }
        self.draw(path, first + stop - 1, from, to);
    }

    /// Equation (2): pulls along every path with the sum of the tensions of its laws; moving points work on their coordinates, too.
    #[inline]
    pub(super) fn pull(&mut self, force: &mut [Vec3<S>], moment: &mut [Vec3<S>], tau: &mut [S]) {
        self.tension.copy_from_slice(&self.pulled);
        let mut pull = |at: &Point<S>, f: Vec3<S>| {
            force[at.body] += f;
            moment[at.body] += at.r_W.cross(f);
        };
        for (path, tension) in self.pulled.iter().enumerate() {
            let own = self.start[path] as usize..self.start[path + 1] as usize;
            let (segments, touches) = (&self.segments[own.clone()], &self.touches[own]);
            let mut came = Vec3::ZERO;
            for (k, Segment { ends: [a, b], e, .. }) in segments.iter().enumerate() {
                // Where a piece begins at the point at which the one before ends, both pull there together.
                pull(a, (*e - came).scale(*tension));
                came = *e;
                if touches[k].is_some() || k + 1 == segments.len() {
                    pull(b, -e.scale(*tension));
                    came = Vec3::ZERO;
                }
            }
        }
        for drift in &self.drifts {
            let [before, behind] = self.directions(drift.path, drift.stop);
            tau[drift.dof] += (behind - before).dot(drift.along) * self.pulled[drift.path];
        }
    }
}

/// An obstacle of a path as a shape in space, and its body; nothing for other stops.
#[inline(always)]
pub(super) fn met_at<S: Real, C: Constant<S>>(scene: &Scene<S, C>, stop: &Stop<C>) -> Option<(Met<S>, usize)> {
    let Stop::Wrap { wrap, manner } = stop else { return None };
    let Wrap { at, obstacle } = &scene.numbers.paths.wraps[*wrap as usize].item;
    let pose = scene.pose(*at);
    let body = scene.numbers.place_body[*at as usize] as usize;
    Some((Met { obstacle: obstacle.lift(), manner: manner.map(&mut |x| x.lift()), pose }, body))
}

/// Where a moving point is; nothing for other stops.
pub(crate) fn moving_point<S: Real, C: Constant<S>>(scene: &Scene<S, C>, stop: &Stop<C>) -> Option<Point<S>> {
    let Stop::Moving { body, functions, coord, dof } = stop else { return None };
    Some(moving(scene, *body as usize, functions, *coord as usize, *dof as usize).0)
}

/// A point that moves on its body: where it is, R x' and R x''.
fn moving<S: Real, C: Constant<S>>(
    scene: &Scene<S, C>,
    body: usize,
    functions: &[u32; 3],
    coord: usize,
    dof: usize,
) -> (Point<S>, Vec3<S>, Vec3<S>) {
    let [x, y, z] = functions.map(|f| scene.numbers.functions[f as usize].eval(scene.q[coord]));
    let tree = &scene.numbers.tree;
    let axes = scene.frames.R[body].mul_const_mat(&tree.R_KB[body]);
    let [at, along, bent] = [0, 1, 2].map(|k| axes * vec3(x[k], y[k], z[k]));
    let mut point = scene.point_at(body, scene.frames.p[body] + scene.frames.R[body].mul_const(tree.p_KB[body]) + at);
    point.v_W += along.scale(scene.v[dof]);
    (point, along, bent)
}
