//! The parts of a model as compile understood them, with a number type: slots of the parameter array, or values.
//! Not here: reading and checking (`compile`), kernels.
//! In: `Parts<Slot>` and a parameter array of any scalar. Out: `Numbers<C>` in kernel layout, so that one recipe serves values,
//! `--set`, numbers refilled in place, and derivatives by parameters.

use crate::constraint::Constraints;
use crate::contact::Contacts;
use crate::force::{Forces, Paths, Stop};
use crate::formula::Formulas;
use crate::integral::Integral;
use crate::soft::Soft;
use crate::system::{Axis, Curve, Extent, Marker, Motion, Numbers, PlanarBody, Skeleton};
use borelli_math::function::{Expression, Function, Points, Table};
use borelli_math::{Constant, Mat3, Real, Sym3, Vec3, rotation_vector, vec3};
use std::sync::Arc;

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slot {
    /// An entry of the parameter array.
    Param(u32),
    /// A constant of the format, not a parameter.
    Const(f64),
}

impl Slot {
    /// The number for a parameter array.
    pub fn get<C: Real>(self, parameters: &[C]) -> C {
        match self {
            Slot::Param(i) => parameters[i as usize],
            Slot::Const(x) => C::from_f64(x),
        }
    }

    /// Its entry of the parameter array; nothing where it is a constant.
    pub fn index(self) -> Option<usize> {
        match self {
            Slot::Param(i) => Some(i as usize),
            Slot::Const(_) => None,
        }
    }
}

/// Something with the name it has in the model file.
#[derive(Clone, Debug)]
pub struct Named<T> {
    /// Name.
    pub name: String,
    /// What is named.
    pub item: T,
}

impl<T> Named<T> {
    /// Writes a list with other numbers over one that may hold an older version of it. `item` is given the old one, so that it can use its memory.
    pub(crate) fn rewrite<U>(from: &[Named<T>], to: &mut Vec<Named<U>>, mut item: impl FnMut(&T, Option<&mut U>) -> U) {
        to.truncate(from.len());
        let (old, new) = from.split_at(to.len());
        for (named, place) in old.iter().zip(&mut *to) {
            // A version of the same list: its names are those.
            debug_assert_eq!(place.name, named.name);
            place.item = item(&named.item, Some(&mut place.item));
        }
        to.extend(new.iter().map(|named| Named { name: named.name.clone(), item: item(&named.item, None) }));
    }
}

/// A number given directly or as a fraction of another.
#[derive(Clone, Copy, Debug)]
pub enum Amount<N> {
    /// As given.
    Given(N),
    /// `fraction` of `of`.
    Fraction {
        /// The fraction.
        fraction: N,
        /// Of what.
        of: N,
    },
}

/// Mass centre in body axes.
#[derive(Clone, Copy, Debug)]
pub enum Center<N> {
    /// As given, m.
    Given([N; 3]),
    /// A fraction of the length along a direction.
    Fraction {
        /// The fraction.
        fraction: N,
        /// Length, m.
        length: Amount<N>,
        /// Unit direction in body axes.
        along: [f64; 3],
    },
}

/// Inertia about the mass centre in body axes.
#[derive(Clone, Copy, Debug)]
pub enum Inertia<N> {
    /// Ixx, Iyy, Izz, Ixy, Ixz, Iyz, kg m².
    Given([N; 6]),
    /// Radii of gyration as fractions of the length.
    Gyration {
        /// The fractions for the three axes.
        fractions: [N; 3],
        /// Length, m.
        length: Amount<N>,
    },
}

/// Mass properties of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyPart<N> {
    /// Mass, kg.
    pub mass: Amount<N>,
    /// Mass centre.
    pub center: Center<N>,
    /// Inertia.
    pub inertia: Inertia<N>,
}

/// Axes of a place on a body.
#[derive(Clone, Copy, Debug)]
pub enum Orientation<N> {
    /// Those of the body.
    Body,
    /// Turned about Z, rad.
    Angle(N),
    /// Rotation vector, rad.
    Vector([N; 3]),
    /// Turned about X, then Y, then Z of the frame reached so far, rad.
    Turns([N; 3]),
    /// Given by columns.
    Axes([[f64; 3]; 3]),
}

/// A place on a body, in the user's body frame.
#[derive(Clone, Copy, Debug)]
pub struct PlacePart<N> {
    /// Body.
    pub body: u32,
    /// Position, m.
    pub position: [N; 3],
    /// Axes.
    pub orientation: Orientation<N>,
}

/// An elementary motion as the joint's file states it, axes in the joint frame.
#[derive(Clone, Debug)]
pub enum MotionPart {
    /// Turn about an axis of the frame reached so far.
    Turn([f64; 3]),
    /// Displacement along an axis of the parent frame.
    Slide([f64; 3]),
    /// Any rotation.
    Ball,
    /// Pose as a function of one coordinate; functions by index.
    Function {
        /// Direction, function, and factor of its values.
        slides: Vec<([f64; 3], u32, Slot)>,
        /// Axis and function.
        turns: Vec<([f64; 3], u32)>,
    },
}

/// A joint: places on parent and child, and its motions.
#[derive(Clone, Debug)]
pub struct JointPart<N> {
    /// Frame F on the parent.
    pub parent: PlacePart<N>,
    /// Frame M on the child.
    pub child: PlacePart<N>,
    /// Motions, slides first.
    pub motions: Vec<MotionPart>,
}

/// A marker on a body.
#[derive(Clone, Debug)]
pub struct MarkerPart<N> {
    /// Name.
    pub name: String,
    /// Name in recordings.
    pub label: String,
    /// Index of its place.
    pub place: u32,
    /// Weight of its distance from where it was measured.
    pub weight: N,
    /// True: stays where it is on its body when others are moved to where they were measured.
    pub fixed: bool,
}

/// A function of one variable.
#[derive(Clone, Debug)]
pub enum FunctionPart<N> {
    /// See `Function`.
    Constant(N),
    /// See `Function`.
    Polynomial(N, Vec<N>),
    /// Amplitude, frequency, phase, offset.
    Sine([N; 4]),
    /// Period, mean, cosines, sines.
    Fourier(N, N, Vec<N>, Vec<N>),
    /// See `Function`; with its points where these are parameters.
    Table(Arc<Table>, Option<Arc<PointSlots>>),
    /// See `Function`.
    Expression(Arc<Expression>),
}

/// Points of a table that are parameters, one after the other.
#[derive(Clone, Debug)]
pub struct PointSlots {
    /// The first of them.
    pub first: u32,
    /// Their values in the file; of a periodic table the last point is the first.
    pub values: Vec<f64>,
    /// What the table is of its points: radians of degrees.
    pub factor: f64,
}

impl PointSlots {
    /// Values of the points for a parameter array.
    fn of<'p, C: Real>(&self, p: &'p [C]) -> &'p [C] {
        &p[self.first as usize..][..self.values.len()]
    }

    /// Whether a parameter array has the values of the file, without slopes.
    fn are_as_in_the_file<C: Real>(&self, p: &[C]) -> bool {
        self.of(p).iter().zip(&self.values).all(|(own, value)| own.value() == *value && !own.varies())
    }
}

/// Everything with a number in it.
#[derive(Clone, Debug)]
pub struct Parts<N> {
    /// Gravity, m/s².
    pub gravity: [N; 3],
    /// Bodies in tree order, without the world.
    pub bodies: Vec<BodyPart<N>>,
    /// The joint of each body.
    pub joints: Vec<JointPart<N>>,
    /// Named places used by forces, loops, guides and paths.
    pub places: Vec<PlacePart<N>>,
    /// Functions.
    pub functions: Vec<FunctionPart<N>>,
    /// Paths and what they bend around.
    pub paths: Paths<N>,
    /// Force elements.
    pub forces: Forces<N>,
    /// Loops and guides.
    pub constraints: Constraints<N>,
    /// Surfaces and their contacts.
    pub contacts: Contacts<N>,
    /// Soft parts; their numbers are slots whatever N is, and no kernel sees them.
    pub soft: Arc<Soft>,
    /// Markers.
    pub markers: Vec<MarkerPart<N>>,
    /// States of force elements, then integrals: where they start.
    pub states: Vec<N>,
    /// Integrals of the user's own.
    pub integrals: Arc<Vec<Integral>>,
    /// Formulas of force elements and integrals.
    pub formulas: Arc<Formulas>,
    /// Numbers that formulas call by name.
    pub named: Vec<N>,
    /// Controls of force elements: the function of time that each follows.
    pub controls: Vec<u32>,
    /// Number of outputs of force elements.
    pub outputs: usize,
}

impl Amount<Slot> {
    fn each_slot(&self, note: &mut impl FnMut(&Slot)) {
        match self {
            Amount::Given(number) => note(number),
            Amount::Fraction { fraction, of } => [fraction, of].into_iter().for_each(note),
        }
    }

    fn get<C: Real>(&self, p: &[C]) -> C {
        match *self {
            Amount::Given(n) => n.get(p),
            Amount::Fraction { fraction, of } => fraction.get(p) * of.get(p),
        }
    }
}

fn vector<C: Real>(v: &[Slot; 3], p: &[C]) -> Vec3<C> {
    vec3(v[0].get(p), v[1].get(p), v[2].get(p))
}

fn direction<C: Real>(v: [f64; 3]) -> Vec3<C> {
    vec3(C::from_f64(v[0]), C::from_f64(v[1]), C::from_f64(v[2]))
}

impl PlacePart<Slot> {
    /// Position and axes in those of the body.
    pub(crate) fn pose<C: Real>(&self, p: &[C]) -> (Vec3<C>, Mat3<C>) {
        let R = match &self.orientation {
            Orientation::Body => Mat3::IDENTITY,
            Orientation::Angle(angle) => rotation_vector(vec3(C::ZERO, C::ZERO, angle.get(p))),
            Orientation::Vector(v) => rotation_vector(vector(v, p)),
            Orientation::Turns([x, y, z]) => {
                let about = |axis: [f64; 3], angle: &Slot| rotation_vector(direction::<C>(axis).scale(angle.get(p)));
                about([1.0, 0.0, 0.0], x) * about([0.0, 1.0, 0.0], y) * about([0.0, 0.0, 1.0], z)
            }
            Orientation::Axes(columns) => Mat3 { x: direction(columns[0]), y: direction(columns[1]), z: direction(columns[2]) },
        };
        (vector(&self.position, p), R)
    }

    fn aligned(&self) -> bool {
        matches!(self.orientation, Orientation::Body)
    }

    /// Shows all numbers of the place.
    pub(crate) fn each_slot(&self, note: &mut impl FnMut(&Slot)) {
        self.position.iter().for_each(&mut *note);
        match &self.orientation {
            Orientation::Body | Orientation::Axes(_) => {}
            Orientation::Angle(angle) => note(angle),
            Orientation::Vector(list) | Orientation::Turns(list) => list.iter().for_each(note),
        }
    }
}

impl BodyPart<Slot> {
    /// Mass, mass centre and inertia about it, in the user's body frame.
    pub fn properties<C: Real>(&self, p: &[C]) -> (C, Vec3<C>, Sym3<C>) {
        let mass = self.mass.get(p);
        let center = match &self.center {
            Center::Given(v) => vector(v, p),
            Center::Fraction { fraction, length, along } => direction::<C>(*along).scale(fraction.get(p) * length.get(p)),
        };
        let inertia = match &self.inertia {
            Inertia::Given(i) => {
                Sym3 { xx: i[0].get(p), yy: i[1].get(p), zz: i[2].get(p), xy: i[3].get(p), xz: i[4].get(p), yz: i[5].get(p) }
            }
            Inertia::Gyration { fractions, length } => {
                let moment = |k: usize| {
                    let radius = fractions[k].get(p) * length.get(p);
                    mass * radius * radius
                };
                Sym3 { xx: moment(0), yy: moment(1), zz: moment(2), ..Sym3::ZERO }
            }
        };
        (mass, center, inertia)
    }
}

impl FunctionPart<Slot> {
    /// Shows all numbers of the function that are parameters.
    fn each_slot(&self, note: &mut impl FnMut(&Slot)) {
        match self {
            FunctionPart::Constant(c) => note(c),
            FunctionPart::Polynomial(origin, list) => std::iter::once(origin).chain(list).for_each(note),
            FunctionPart::Sine(list) => list.iter().for_each(note),
            FunctionPart::Fourier(period, mean, cosines, sines) => [period, mean].into_iter().chain(cosines).chain(sines).for_each(note),
            FunctionPart::Table(_, points) => {
                let slots = points.iter().flat_map(|points| points.first..points.first + points.values.len() as u32);
                slots.for_each(|slot| note(&Slot::Param(slot)));
            }
            FunctionPart::Expression(_) => {}
        }
    }

    /// Writes the function over an older one, whose memory it uses.
    fn fill<C: Real>(&self, p: &[C], out: &mut Function<C>) {
        if let FunctionPart::Table(table, points) = self {
            return fill_table(table, points.as_deref(), p, out);
        }
        let [first, second] = match std::mem::replace(out, Function::Constant(C::ZERO)) {
            Function::Polynomial { coefficients, .. } => [coefficients, Vec::new()],
            Function::Fourier { cosines, sines, .. } => [cosines, sines],
            _ => [Vec::new(), Vec::new()],
        };
        let list = |v: &[Slot], mut memory: Vec<C>| {
            memory.clear();
            memory.extend(v.iter().map(|n| n.get(p)));
            memory
        };
        *out = match self {
            FunctionPart::Constant(c) => Function::Constant(c.get(p)),
            FunctionPart::Polynomial(origin, c) => Function::Polynomial { origin: origin.get(p), coefficients: list(c, first) },
            FunctionPart::Sine([a, f, phase, offset]) => {
                Function::Sine { amplitude: a.get(p), frequency: f.get(p), phase: phase.get(p), offset: offset.get(p) }
            }
            FunctionPart::Fourier(period, mean, c, s) => {
                Function::Fourier { period: period.get(p), mean: mean.get(p), cosines: list(c, first), sines: list(s, second) }
            }
            FunctionPart::Table(table, _) => Function::Table(table.clone()),
            FunctionPart::Expression(expression) => Function::Expression(expression.clone()),
        };
    }
}

/// Writes a table over an older one: as it is in the file as long as its points are, so that memory for others is made once.
fn fill_table<C: Real>(table: &Arc<Table>, points: Option<&PointSlots>, p: &[C], out: &mut Function<C>) {
    let Some(slots) = points.filter(|points| matches!(out, Function::Points(_)) || !points.are_as_in_the_file(p)) else {
        *out = Function::Table(table.clone());
        return;
    };
    if !matches!(out, Function::Points(own) if Arc::ptr_eq(own.base(), table))
        && let Some(memory) = Points::new(table.clone())
    {
        *out = Function::Points(Box::new(memory));
    }
    if let Function::Points(own) = out {
        own.fill(slots.of(p).iter().copied(), slots.factor);
    }
}

/// Writes each entry of a list over an older one; those that are missing begin as `blank`.
fn rewrite<A, B>(from: &[A], to: &mut Vec<B>, blank: impl FnMut() -> B, mut fill: impl FnMut(&A, &mut B)) {
    to.resize_with(from.len(), blank);
    from.iter().zip(to).for_each(|(a, b)| fill(a, b));
}

impl Parts<Slot> {
    /// Markers for a parameter array.
    pub fn markers(&self, p: &[f64]) -> Vec<Marker> {
        let marker = |m: &MarkerPart<Slot>| Marker { place: m.place, label: m.label.clone(), weight: 0.0, fixed: m.fixed };
        let mut markers: Vec<Marker> = self.markers.iter().map(marker).collect();
        self.fill_markers(p, &mut markers);
        markers
    }

    /// Writes the numbers of markers.
    pub fn fill_markers(&self, p: &[f64], markers: &mut [Marker]) {
        markers.iter_mut().zip(&self.markers).for_each(|(marker, part)| marker.weight = part.weight.get(p));
    }

    /// Parameters that poses and velocities of bodies depend on beside the coordinates: those of joints.
    pub fn slots_of_joints(&self) -> Vec<usize> {
        let mut slots = Vec::new();
        let mut note = |slot: &Slot| slots.extend(slot.index());
        for joint in &self.joints {
            joint.parent.each_slot(&mut note);
            joint.child.each_slot(&mut note);
            for motion in &joint.motions {
                let MotionPart::Function { slides, turns } = motion else { continue };
                slides.iter().for_each(|(_, _, factor)| note(factor));
                let functions = slides.iter().map(|(_, f, _)| f).chain(turns.iter().map(|(_, f)| f));
                functions.for_each(|f| self.functions[*f as usize].each_slot(&mut note));
            }
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Parameters of a function.
    pub fn slots_of_function(&self, function: usize) -> Vec<usize> {
        let mut slots = Vec::new();
        self.functions[function].each_slot(&mut |slot| slots.extend(slot.index()));
        slots
    }

    /// Parameters that places of markers have beside the joints.
    pub fn slots_of_markers(&self) -> Vec<usize> {
        let mut slots = Vec::new();
        self.markers.iter().for_each(|marker| self.places[marker.place as usize].each_slot(&mut |slot| slots.extend(slot.index())));
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Parameters of gravity, of the masses of bodies and of places on them.
    pub fn slots_of_bodies(&self) -> Vec<usize> {
        let mut slots = Vec::new();
        let mut note = |slot: &Slot| slots.extend(slot.index());
        self.gravity.iter().for_each(&mut note);
        for body in &self.bodies {
            body.mass.each_slot(&mut note);
            match &body.center {
                Center::Given(list) => list.iter().for_each(&mut note),
                Center::Fraction { fraction, length, .. } => {
                    note(fraction);
                    length.each_slot(&mut note);
                }
            }
            match &body.inertia {
                Inertia::Given(list) => list.iter().for_each(&mut note),
                Inertia::Gyration { fractions, length } => {
                    fractions.iter().for_each(&mut note);
                    length.each_slot(&mut note);
                }
            }
        }
        self.places.iter().for_each(|place| place.each_slot(&mut note));
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// How many there are of what acts on the tree.
    pub fn extent(&self) -> Extent {
        Extent {
            rows: self.constraints.row_names().len(),
            entries: self.constraints.entries(),
            paths: self.paths.len(),
            states: self.states.len(),
            controls: self.controls.len(),
            outputs: self.outputs,
            pairs: self.contacts.pairs.len(),
            muscles: self.forces.count_of_muscles(),
            switches: self.paths.list.iter().flatten().filter(|stop| matches!(stop, Stop::When { .. })).count(),
            loaded: !(self.forces.is_empty() && self.contacts.is_empty() && self.integrals.is_empty() && self.paths.is_empty()),
        }
    }

    /// The skeleton: motions with their coordinate and degree-of-freedom indices. `parent` is the tree, world first.
    pub fn skeleton(&self, planar: bool, parent: Vec<u32>) -> Skeleton {
        use crate::system::DofClass;
        let mut s = Skeleton { planar, parent, extent: self.extent(), ..Skeleton::default() };
        s.motion_start.extend([0, 0]);
        s.dof_start.extend([0, 0]);
        s.coord_start.extend([0, 0]);
        let (mut coord, mut dof, mut fixed, mut curve) = (0, 0, 0, 0);
        let mut aligned = vec![true; s.parent.len()];
        s.turns_only.push(true);
        s.turns_freely.push(false);
        for (i, joint) in self.joints.iter().enumerate() {
            let body = i as u32 + 1;
            let frame_aligned = aligned[s.parent[i + 1] as usize] && joint.parent.aligned();
            let has_ball = joint.has_ball();
            aligned[i + 1] = joint.child.aligned() && (has_ball || frame_aligned);
            let axis_of = |axis: [f64; 3], turn: bool| match axis {
                _ if !(frame_aligned || planar && turn) => Axis::General,
                [1.0, 0.0, 0.0] => Axis::X,
                [0.0, 1.0, 0.0] => Axis::Y,
                [0.0, 0.0, 1.0] => Axis::Z,
                _ => Axis::General,
            };
            for motion in &joint.motions {
                let mut add = |class: DofClass, coords: u32, dofs: u32| {
                    s.class.extend((0..dofs).map(|_| class));
                    s.dof_body.extend((0..dofs).map(|_| body));
                    let at = (coord, dof);
                    coord += coords;
                    dof += dofs;
                    at
                };
                match motion {
                    MotionPart::Turn(axis) => {
                        let (coord, dof) = add(DofClass::Turn, 1, 1);
                        s.motions.push(Motion::Turn { axis: axis_of(*axis, true), coord, dof });
                        s.turn_coords.push(coord);
                    }
                    MotionPart::Slide(axis) => {
                        let (coord, dof) = add(DofClass::Slide, 1, 1);
                        s.motions.push(Motion::Slide { axis: axis_of(*axis, false), coord, dof });
                    }
                    MotionPart::Ball => {
                        if !frame_aligned {
                            s.motions.push(Motion::Fixed { slot: fixed });
                            fixed += 1;
                        }
                        let (coord, dof) = add(DofClass::Turn, 4, 3);
                        s.motions.push(Motion::Ball { coord, dof });
                    }
                    MotionPart::Function { .. } => {
                        let (coord, dof) = add(DofClass::Screw, 1, 1);
                        s.motions.push(Motion::Function { slot: curve, coord, dof });
                        curve += 1;
                    }
                }
            }
            let turns = joint.motions.iter().filter(|m| matches!(m, MotionPart::Turn(_))).count();
            s.turns_only.push(turns == joint.motions.len());
            s.turns_freely.push(turns == 3 || has_ball);
            s.motion_start.push(s.motions.len() as u32);
            s.dof_start.push(dof);
            s.coord_start.push(coord);
        }
        s
    }

    /// All numbers in kernel layout for a parameter array.
    pub fn numbers<C: Constant<C>>(&self, skeleton: &Skeleton, p: &[C]) -> Numbers<C> {
        let mut numbers = Numbers::empty(skeleton);
        self.fill(skeleton, p, &mut numbers);
        numbers
    }

    /// Writes all numbers for a parameter array over older ones of the same skeleton. Where those were of this recipe too, it allocates nothing.
    pub fn fill<C: Constant<C>>(&self, skeleton: &Skeleton, p: &[C], out: &mut Numbers<C>) {
        let blank = || Function::Constant(C::ZERO);
        rewrite(&self.functions, &mut out.functions, blank, |part, function| part.fill(p, function));
        let c = &mut out.tree;
        c.fixed.clear();
        let mut curves = 0;
        c.gravity = vector(&self.gravity, p);
        for (i, (body, joint)) in self.bodies.iter().zip(&self.joints).enumerate() {
            let b = i + 1;
            let P = skeleton.parent[b] as usize;
            // F in the parent's kernel frame.
            let (p_BF, R_BF) = joint.parent.pose(p);
            let p_PF_P = c.p_KB[P] + c.R_KB[P] * p_BF;
            let R_PF = c.R_KB[P] * R_BF;
            c.p_PF_P[b] = p_PF_P;
            // Motions: axes in parent kernel axes; a ball keeps its own frame.
            let has_ball = joint.has_ball();
            let mut dof = skeleton.dof_start[b] as usize;
            for motion in &joint.motions {
                match motion {
                    MotionPart::Turn(axis) | MotionPart::Slide(axis) => {
                        c.axis[dof] = R_PF * direction(*axis);
                        dof += 1;
                    }
                    MotionPart::Ball => dof += 3,
                    MotionPart::Function { slides, turns } => {
                        if curves == c.curves.len() {
                            c.curves.push(Curve { slides: Vec::new(), turns: Vec::new() });
                        }
                        let curve = &mut c.curves[curves];
                        let axis = |along: [f64; 3]| R_PF * direction(along);
                        let blank = || (Vec3::ZERO, Function::Constant(C::ZERO));
                        rewrite(slides, &mut curve.slides, blank, |(along, f, scale), slide| {
                            slide.0 = axis(*along).scale(scale.get(p));
                            self.functions[*f as usize].fill(p, &mut slide.1);
                        });
                        rewrite(turns, &mut curve.turns, blank, |(about, f), turn| {
                            turn.0 = axis(*about);
                            self.functions[*f as usize].fill(p, &mut turn.1);
                        });
                        curves += 1;
                        dof += 1;
                    }
                }
            }
            if skeleton.motions_of(b).iter().any(|m| matches!(m, Motion::Fixed { .. })) {
                c.fixed.push(R_PF);
            }
            // The user's body frame in the kernel frame, whose origin is M.
            let (p_BM, R_BM) = joint.child.pose(p);
            let R_KB = if has_ball { R_BM.transpose() } else { R_PF * R_BM.transpose() };
            let p_KB = -(R_KB * p_BM);
            c.R_KB[b] = R_KB;
            c.p_KB[b] = p_KB;
            // Mass properties about the kernel origin.
            let (mass, center, inertia) = body.properties(p);
            let p_KC = p_KB + R_KB * center;
            let steiner = Sym3::diagonal(mass * p_KC.dot(p_KC)) - Sym3::outer(p_KC).scale(mass);
            c.mass[b] = mass;
            c.mc_B[b] = p_KC.scale(mass);
            c.I_Bo_B[b] = Sym3::rotated::<C>(&R_KB, &inertia) + steiner;
            let flat = |v: Vec3<C>| [v.x, v.y];
            c.planar[b] = PlanarBody { p_PF: flat(p_PF_P), mass, mc: flat(c.mc_B[b]), inertia: c.I_Bo_B[b].zz };
        }
        c.place_p.clear();
        c.place_R.clear();
        out.place_body.clear();
        for place in &self.places {
            let (p_BS, R_BS) = place.pose(p);
            let b = place.body as usize;
            c.place_p.push(c.p_KB[b] + c.R_KB[b] * p_BS);
            c.place_R.push(c.R_KB[b] * R_BS);
            out.place_body.push(place.body);
        }
        let number = &mut |slot: &Slot| slot.get(p);
        self.forces.rewrite(number, &mut out.forces);
        out.forces.settle();
        self.constraints.rewrite(number, &mut out.constraints);
        self.contacts.rewrite(number, &mut out.contacts);
        out.contacts.fix_planes(&out.place_body, &c.place_p, &c.place_R);
        self.paths.rewrite(number, &mut out.paths);
        out.states.clear();
        out.states.extend(self.states.iter().map(|slot| slot.get(p)));
        out.integrals = self.integrals.clone();
        out.formulas = self.formulas.clone();
        out.named.clear();
        out.named.extend(self.named.iter().map(|slot| slot.get(p)));
        out.controls.clone_from(&self.controls);
        out.outputs = self.outputs;
    }
}

impl<N> JointPart<N> {
    /// True when the joint holds a quaternion.
    pub fn has_ball(&self) -> bool {
        self.motions.iter().any(|m| matches!(m, MotionPart::Ball))
    }
}
