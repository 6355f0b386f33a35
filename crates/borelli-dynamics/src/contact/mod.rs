//! Contact: surfaces on bodies, pairs of them, and the loads they exert on each other.
//! Not here: shapes, where two of them touch, and the laws (`borelli-contact`); who writes the memory of a touch, and when (`memory`).
//! In: a `Scene`. Out: `Loads`, and for each pair what it does (`Touching`).
//!
//! A pair acts at one point X of space on both bodies, so that it adds no momentum and its power is F·(v_first(X) − v_second(X)), and that of the couple of a patch. That point is on
//! the plane where the second surface is a half-space, else midway between the surfaces, unless the file says otherwise.

mod alone;
mod gaps;
mod kinds;
mod mat;
mod mat_fault;
mod mat_read;
mod mat_slopes;
mod middle;
mod near;
mod patch;
mod prescribed;
mod press;
mod read;
mod resultant;

#[cfg(test)]
mod mat_tests;
#[cfg(test)]
mod tests;

pub use gaps::Gaps;
pub use kinds::{laws, surfaces};
pub use mat::{Mat, MatReading, Pressing};
pub use mat_fault::MatFault;
pub use mat_slopes::LOCAL;
pub use prescribed::Prescribed;
pub use resultant::{Resultant, resultant};

pub(crate) use mat_read::SENSORS;
pub(crate) use near::Partners;
pub(crate) use read::{CONTACT, SURFACE, read};

use crate::local::{Acting, Between, LocalWork, Sees, Slope, Stand};
use crate::memory::Touch;
use crate::parts::{Named, Slot};
use crate::scene::{Loads, Scene};
use borelli_contact::detect::Memory;
use borelli_contact::friction::Friction;
use borelli_contact::friction::spin::Spin;
use borelli_contact::normal::Normal;
use borelli_contact::pressure::Foundation;
use borelli_contact::shape::{Pose, Shape};
use borelli_contact::volume::{Immersion, SecondMoment, Volumetric};
use borelli_math::{Constant, Mat3, Real, Vec3};
use near::Near;
use std::sync::Arc;

/// A shape at a place of a body.
#[derive(Clone, Copy, Debug)]
pub struct Surface<N> {
    /// Place whose axes are the shape's.
    pub place: u32,
    /// The shape.
    pub shape: Shape<N>,
    /// Unit normal and height over the world's origin of a half-space that is fixed to the world, so that no evaluation looks for them; see `fix_planes`.
    pub plane: Option<(Vec3<N>, N)>,
}

/// What makes the normal force.
#[derive(Clone, Copy, Debug)]
pub enum NormalLaw<N> {
    /// Depth of the overlap at one point.
    Point(Normal<N>),
    /// Volume of the overlap of an ellipsoid and a half-space.
    Volume {
        /// The law.
        law: Volumetric<N>,
        /// Which second moment resists rolling.
        moment: SecondMoment,
    },
    /// The same volume summed over points, each with friction of its own.
    Foundation(Foundation<N>),
}

/// Where a pair acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceAt {
    /// On the first surface.
    First,
    /// On the second surface.
    Second,
    /// Midway.
    Middle,
}

/// How pairs of a contact push and rub.
#[derive(Clone, Copy, Debug)]
pub struct Manner<N> {
    /// Normal force.
    pub normal: NormalLaw<N>,
    /// Friction, if any.
    pub friction: Option<Friction<N>>,
    /// How the friction of a patch is shared by sliding and spinning.
    pub spin: Option<Spin<N>>,
    /// True when slip is that of the first shape's centre, not of the point where the force acts.
    pub slip_at_centre: bool,
    /// Smallest speed of impact that laws with memory see, m/s.
    pub least_speed: N,
    /// Speed of impact of a touch that was there from the start, m/s.
    pub start_speed: N,
}

/// Two surfaces that may touch; a half-space is always the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// First surface.
    pub first: u32,
    /// Second surface.
    pub second: u32,
    /// Contact whose manner it has.
    pub contact: u32,
    /// Where it acts, if its law is one of a point.
    pub force_at: ForceAt,
}

/// All surfaces, contacts and pairs of a model; pairs of one contact stand together.
#[derive(Clone, Debug)]
pub struct Contacts<N> {
    /// Surfaces.
    pub surfaces: Vec<Named<Surface<N>>>,
    /// Contacts: how their pairs behave.
    pub manners: Vec<Named<Manner<N>>>,
    /// Pairs.
    pub pairs: Vec<Pair>,
    /// First pair of each contact, and one past the last.
    pub start: Vec<u32>,
    /// Normal force below which a contact has no centre of pressure, N, by contact.
    pub least_force: Vec<f64>,
    /// Pressure mats on half-spaces.
    pub mats: Vec<Named<Mat<N>>>,
    /// Pairs by their surfaces, for the broad phase.
    pub(crate) partners: Arc<Partners>,
}

impl<N> Default for Contacts<N> {
    fn default() -> Self {
        Contacts {
            surfaces: Vec::new(),
            manners: Vec::new(),
            pairs: Vec::new(),
            start: vec![0],
            least_force: Vec::new(),
            mats: Vec::new(),
            partners: Arc::default(),
        }
    }
}

/// What a pair does at one instant. World axes; forces and moments are those on the first body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching<S> {
    /// δ, overlap, m; minus the distance where the surfaces are apart (of far apart curved pairs: at least so far).
    pub depth: S,
    /// δ̇, m/s, positive while they approach. Zero where they are apart.
    pub rate: S,
    /// Unit normal out of the second surface into the first.
    pub normal: Vec3<S>,
    /// X, where the pair acts, m.
    pub point: Vec3<S>,
    /// A point of the second surface: the nearest or deepest one, or of a patch the foot of the centre on the plane, m.
    pub foot: Vec3<S>,
    /// Tangential velocity of the first body over the second that friction sees, m/s.
    pub slip: Vec3<S>,
    /// F_n ≥ 0, N.
    pub normal_force: S,
    /// Friction, N.
    pub friction: Vec3<S>,
    /// Couple beside the force at X: resistance to rolling and spinning, N m.
    pub couple: Vec3<S>,
    /// Volume of the overlap, m³; zero for point contacts.
    pub volume: S,
    /// Area of the patch, m²; zero for point contacts.
    pub area: S,
    /// Energy stored, J.
    pub stored: S,
    /// Power that is lost: −(power of the pair) − rate of what is stored, W.
    pub dissipation: S,
    /// True when the law itself would pull and zero is given instead.
    pub clipped: bool,
    /// How far the first shape is inside; where the law is one of a point never `Full`.
    pub immersion: Immersion,
}

impl<S: Real> Touching<S> {
    /// Nothing yet.
    pub const NONE: Self = Touching {
        depth: S::ZERO,
        rate: S::ZERO,
        normal: Vec3::ZERO,
        point: Vec3::ZERO,
        foot: Vec3::ZERO,
        slip: Vec3::ZERO,
        normal_force: S::ZERO,
        friction: Vec3::ZERO,
        couple: Vec3::ZERO,
        volume: S::ZERO,
        area: S::ZERO,
        stored: S::ZERO,
        dissipation: S::ZERO,
        clipped: false,
        immersion: Immersion::Partial,
    };

    /// What is known of a pair that was not looked at: it is apart.
    fn apart() -> Self {
        Touching { depth: S::from_f64(f64::NEG_INFINITY), ..Touching::NONE }
    }

    /// Whether it loads its bodies: surfaces that touch, or a force that is no number because they could not be found.
    pub fn acts(&self) -> bool {
        !(self.depth.value() < 0.0) || self.normal_force.value() > 0.0
    }

    /// F, normal force and friction together, N.
    pub fn force(&self) -> Vec3<S> {
        self.normal.scale(self.normal_force) + self.friction
    }
}

/// What pairs need beside the state, and what they report. One for each workspace.
#[derive(Clone, Debug)]
pub struct PairMemory<S> {
    /// What each pair does. Of a pair that is not among those that may touch only that it does nothing.
    pub touching: Vec<Touching<S>>,
    /// Which pairs may touch at the last look.
    near: Near,
    /// What events remember of each pair.
    touch: Vec<Touch>,
    /// The speed of its first touch with slopes, where these are wanted.
    impact: Vec<Option<S>>,
    /// Where the search for the common normal of curved surfaces begins.
    following: Vec<Option<Memory>>,
    /// The last pair whose surfaces' common normal could not be found; its force is not a number.
    pub unsolved: Option<Unsolved>,
}

/// A pair whose contact could not be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsolved {
    /// The pair.
    pub pair: u32,
}

impl<S: Real> PairMemory<S> {
    /// Memory for the pairs of a model.
    pub fn new<N>(contacts: &Contacts<N>) -> Self {
        let pairs = contacts.pairs.len();
        PairMemory {
            touching: vec![Touching::apart(); pairs],
            near: Near::new(contacts),
            touch: vec![Touch::Open; pairs],
            impact: vec![None; pairs],
            following: vec![None; pairs],
            unsolved: None,
        }
    }

    /// Pairs that may touch at the last look, in increasing order: all that can act are among them.
    pub fn near(&self) -> &[u32] {
        self.near.list()
    }

    /// Forgets where searches ended.
    pub fn forget(&mut self) {
        self.following.fill(None);
    }

    /// Remembers that a pair touched down at a speed, with its slopes; or that it came apart.
    pub fn note(&mut self, pair: usize, speed: Option<S>) {
        self.touch[pair] = speed.map_or(Touch::Open, |speed| Touch::at(speed.value()));
        self.impact[pair] = speed;
    }

    /// Takes over what another workspace remembers of events.
    pub(crate) fn recall_from<T>(&mut self, other: &PairMemory<T>) {
        self.impact.fill(None);
        self.touch.copy_from_slice(&other.touch);
    }

    /// Takes over what events remember; of an empty list nothing is known.
    pub fn recall(&mut self, touch: &[Touch]) {
        self.impact.fill(None);
        self.touch.fill(Touch::Open);
        self.touch.iter_mut().zip(touch).for_each(|(own, touch)| *own = *touch);
    }
}

impl<N> Contacts<N> {
    /// Writes the same with other numbers, without the planes of `fix_planes`.
    pub(crate) fn rewrite<M>(&self, number: &mut impl FnMut(&N) -> M, out: &mut Contacts<M>) {
        let surface = |own: &Surface<N>, number: &mut _| Surface { place: own.place, shape: own.shape.map(number), plane: None };
        Named::rewrite(&self.surfaces, &mut out.surfaces, |own, _| surface(own, number));
        Named::rewrite(&self.manners, &mut out.manners, |manner, _| manner.map(number));
        Named::rewrite(&self.mats, &mut out.mats, |mat, _| mat.map(number));
        out.pairs.clone_from(&self.pairs);
        out.start.clone_from(&self.start);
        out.least_force.clone_from(&self.least_force);
        out.partners.clone_from(&self.partners);
    }

    /// True when nothing can touch.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Pairs of a contact.
    pub fn pairs_of(&self, contact: usize) -> std::ops::Range<usize> {
        self.start[contact] as usize..self.start[contact + 1] as usize
    }

    /// The same with the pairs of one contact only.
    pub(crate) fn only(&self, contact: usize) -> Contacts<N>
    where
        N: Clone,
    {
        let pairs = self.pairs[self.pairs_of(contact)].to_vec();
        let start = (0..self.start.len()).map(|k| if k <= contact { 0 } else { pairs.len() as u32 }).collect();
        let mut alone = Contacts { pairs, start, ..self.clone() };
        alone.partners = Arc::new(Partners::new(&alone));
        alone
    }

    /// The manner of a pair.
    pub fn manner(&self, pair: usize) -> &Manner<N> {
        &self.manners[self.pairs[pair].contact as usize].item
    }

    /// True for a pair whose law looks at the speed of the first touch.
    pub fn remembers(&self, pair: usize) -> bool {
        matches!(&self.manner(pair).normal, NormalLaw::Point(law) if law.kind().remembers)
    }

    /// True for a pair with an overlap that has a volume.
    pub fn has_volume(&self, pair: usize) -> bool {
        !matches!(self.manner(pair).normal, NormalLaw::Point(_))
    }

    /// Name of each pair: that of its contact, with those of the surfaces where the contact has several.
    pub fn pair_names(&self) -> Vec<String> {
        let name = |pair: &Pair| {
            let others = &self.pairs[self.pairs_of(pair.contact as usize)];
            let mut name = self.manners[pair.contact as usize].name.clone();
            for (own, differs) in [
                (pair.first, others.iter().any(|other| other.first != pair.first)),
                (pair.second, others.iter().any(|other| other.second != pair.second)),
            ] {
                if differs {
                    name = format!("{name}.{}", self.surfaces[own as usize].name);
                }
            }
            name
        };
        self.pairs.iter().map(name).collect()
    }
}

impl<N> Manner<N> {
    fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Manner<M> {
        Manner {
            normal: match &self.normal {
                NormalLaw::Point(law) => NormalLaw::Point(law.map(number)),
                NormalLaw::Volume { law, moment } => NormalLaw::Volume { law: law.map(number), moment: *moment },
                NormalLaw::Foundation(law) => NormalLaw::Foundation(law.map(number)),
            },
            friction: self.friction.as_ref().map(|law| law.map(number)),
            spin: self.spin.as_ref().map(|law| law.map(number)),
            slip_at_centre: self.slip_at_centre,
            least_speed: number(&self.least_speed),
            start_speed: number(&self.start_speed),
        }
    }
}

impl<C: Constant<C>> Contacts<C> {
    /// Finds the planes of half-spaces that are fixed to the world, from the places' bodies, origins and axes.
    pub(crate) fn fix_planes(&mut self, body: &[u32], origin: &[Vec3<C>], axes: &[Mat3<C>]) {
        for surface in &mut self.surfaces {
            let Surface { place, shape, plane } = &mut surface.item;
            let place = *place as usize;
            if let (Shape::HalfSpace(half_space), 0) = (&*shape, body[place]) {
                *plane = Some(half_space.in_world(&Pose { p: origin[place], R: axes[place] }));
            }
        }
    }
}

impl Contacts<Slot> {
    /// Whether the model has a law with memory.
    pub fn any_remembers(&self) -> bool {
        (0..self.pairs.len()).any(|pair| self.remembers(pair))
    }
}

impl<C> Contacts<C> {
    /// Adds the loads of all pairs. Where nothing is reported, pairs that cannot touch are not looked at; loads are the same to the bit.
    ///
    /// Compiled once for each number type and called, as force elements are.
    #[inline(never)]
    pub fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        let mut near = std::mem::take(&mut loads.pairs.near);
        if loads.inner.reporting {
            near.take_all(self.pairs.len());
        } else {
            for last in near.list() {
                let last = &mut loads.pairs.touching[*last as usize];
                if last.acts() {
                    *last = Touching::apart();
                }
            }
            near.find(self, scene);
        }
        for k in near.list().iter().map(|k| *k as usize) {
            self.fill_pair(k, scene, &mut loads.pairs);
            let Loads { force, moment, stored, pairs, .. } = &mut *loads;
            let out = &pairs.touching[k];
            if out.acts() {
                let f = out.force();
                let [first, second] = self.bodies(k, &scene.numbers.place_body);
                for (body, f, couple) in [(first, f, out.couple), (second, -f, -out.couple)] {
                    force[body] += f;
                    moment[body] += (out.point - scene.frames.p[body]).cross(f) + couple;
                }
                *stored += out.stored;
            }
        }
        loads.pairs.near = near;
    }

    /// The bodies of a pair's two surfaces.
    pub fn bodies(&self, pair: usize, place_body: &[u32]) -> [usize; 2] {
        let Pair { first, second, .. } = self.pairs[pair];
        [first, second].map(|surface| place_body[self.surfaces[surface as usize].item.place as usize] as usize)
    }

    /// The body of a pair that is moved where slopes are taken, that of the first surface unless it is the world, and the other one.
    pub(crate) fn moved_and_other(&self, pair: usize, place_body: &[u32]) -> [usize; 2] {
        let [first, second] = self.bodies(pair, place_body);
        if first == 0 { [second, first] } else { [first, second] }
    }

    /// The two surfaces of a pair.
    fn surfaces_of(&self, pair: usize) -> [&Surface<C>; 2] {
        let Pair { first, second, .. } = self.pairs[pair];
        [first, second].map(|surface| &self.surfaces[surface as usize].item)
    }

    /// What a pair does.
    #[inline]
    fn fill_pair<S: Real>(&self, k: usize, scene: &Scene<S, C>, memory: &mut PairMemory<S>)
    where
        C: Constant<S>,
    {
        let pair = &self.pairs[k];
        let [first, second] = self.surfaces_of(k);
        let manner = &self.manners[pair.contact as usize].item;
        let (out, touch, impact) = (&mut memory.touching[k], memory.touch[k], memory.impact[k]);
        match &manner.normal {
            NormalLaw::Volume { law, moment } => *out = patch::press(scene, manner, law, *moment, first, second, touch),
            NormalLaw::Foundation(law) => *out = patch::press_summed(scene, manner, law, first, second, touch),
            NormalLaw::Point(law) => match press::meet(scene, first, second, press::Reach::Near, &mut memory.following[k]) {
                Some(meeting) => press::press(scene, manner, law, first, second, &meeting, pair.force_at, (touch, impact), out),
                None => {
                    memory.unsolved = Some(Unsolved { pair: k as u32 });
                    let normal = Vec3 { x: S::ONE, ..Vec3::ZERO };
                    *out = Touching { normal_force: S::from_f64(f64::NAN), normal, ..Touching::NONE };
                }
            },
        }
    }
}

impl Contacts<f64> {
    /// What a pair does, with its slopes by the pose and the twist of one of its bodies.
    pub(crate) fn slopes(&self, pair: usize, stand: &Stand, work: &mut LocalWork) -> Between {
        // The world stays where it is; surfaces fixed to it are not asked how they move.
        let bodies = self.moved_and_other(pair, &stand.numbers.place_body);
        let sign = if bodies == self.bodies(pair, &stand.numbers.place_body) { 1.0 } else { -1.0 };
        work.slopes(stand, bodies, Sees::Motion, |scene, loads| {
            self.fill_pair(pair, scene, &mut loads.pairs);
            let out = &loads.pairs.touching[pair];
            let sign = Slope::from_f64(sign);
            Acting::at(out.point, scene.frames.p[bodies[0]], out.force().scale(sign), out.couple.scale(sign), out.dissipation)
        })
    }
}
