//! Patch contact: an ellipsoid or a sphere pressed into a half-space, by the volume of the overlap.
//! Not here: the volume and the law (`borelli_contact::volume`), the sum over points (`borelli_contact::pressure`).
//! In: the two surfaces in a scene. Out: a `Touching` at the centroid of the overlap.
//!
//! Tests: `patches_act_and_react_and_lose_what_they_say`, and those of the law.

use super::press::{plane, velocity};
use super::{Manner, Surface, Touching};
use crate::memory::Touch;
use crate::scene::Scene;
use borelli_contact::law::Fault;
use borelli_contact::pressure::{Foundation, Grid, Presser, Twist, foundation};
use borelli_contact::shape::{Shape, Smooth};
use borelli_contact::volume::{Overlap, PatchMotion, SecondMoment, SemiAxes, Volumetric};
use borelli_math::{Constant, Mat3, Real, Vec3};

/// Most points along a side of a summed bed; models that would need more are refused when they are read.
pub(super) const MOST_POINTS: f64 = 2000.0;

/// Semi-axes of a shape that has a patch, and whether it is round.
pub(crate) fn semi_axes<N: Copy>(shape: &Shape<N>) -> Option<(SemiAxes<N>, bool)> {
    match shape {
        Shape::Smooth(Smooth::Sphere(sphere)) => Some((SemiAxes { a: sphere.radius, b: sphere.radius, c: sphere.radius }, true)),
        Shape::Smooth(Smooth::Ellipsoid(ellipsoid)) => {
            let [a, b, c] = ellipsoid.semi_axes;
            Some((SemiAxes { a, b, c }, false))
        }
        _ => None,
    }
}

/// An ellipsoid over a plane: what the closed form and the sum both look at.
struct Seat<S, C> {
    axes: SemiAxes<C>,
    round: bool,
    /// Unit normal of the plane, and its height over the world's origin, m.
    n: Vec3<S>,
    height: S,
    centre: Vec3<S>,
    R: Mat3<S>,
    /// Height of the plane over the centre, m.
    q: S,
}

impl<S: Real, C: Constant<S>> Seat<S, C> {
    /// Nothing for other pairs, which are refused when the model is read.
    #[inline]
    fn new(scene: &Scene<S, C>, first: &Surface<C>, second: &Surface<C>) -> Option<Self> {
        let ((axes, round), Shape::HalfSpace(half_space)) = (semi_axes(&first.shape)?, &second.shape) else { return None };
        let (n, height) = plane(scene, second, half_space);
        let centre = scene.point(first.place).p_W;
        let R = if round { Mat3::IDENTITY } else { scene.axes(first.place) };
        Some(Seat { axes, round, n, height, centre, R, q: height - n.dot(centre) })
    }

    /// The overlap in world axes, or what there is to say of surfaces apart or held open.
    #[inline]
    fn overlap(&self, moment: SecondMoment, touch: Touch) -> Result<Overlap<S>, Touching<S>> {
        let n_E = if self.round { self.n } else { self.R.transpose_mul(self.n) };
        match self.axes.overlap(n_E, self.q, moment) {
            Some(overlap) if self.round && touch != Touch::HeldOpen => Ok(overlap),
            Some(overlap) if touch != Touch::HeldOpen => Ok(overlap.rotated(&self.R)),
            _ => {
                let reach = Vec3 { x: self.axes.a.times(n_E.x), y: self.axes.b.times(n_E.y), z: self.axes.c.times(n_E.z) }.norm();
                Err(Touching { depth: reach + self.q, normal: self.n, point: self.foot(), foot: self.foot(), ..Touching::NONE })
            }
        }
    }

    /// Foot of the centre on the plane.
    #[inline]
    fn foot(&self) -> Vec3<S> {
        self.centre + self.n.scale(self.q)
    }
}

/// Velocity of the first body's material over the second's at a point, and relative angular velocity.
#[inline]
fn motion_at<S: Real, C: Constant<S>>(scene: &Scene<S, C>, first: &Surface<C>, second: &Surface<C>, point: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    let body = |surface: &Surface<C>| scene.numbers.place_body[surface.place as usize] as usize;
    let angular = scene.frames.w[body(first)] - scene.frames.w[body(second)];
    (velocity(scene, first, point) - velocity(scene, second, point), angular)
}

/// What a patch does.
#[inline]
pub(super) fn press<S: Real, C: Constant<S>>(
    scene: &Scene<S, C>,
    manner: &Manner<C>,
    law: &Volumetric<C>,
    moment: SecondMoment,
    first: &Surface<C>,
    second: &Surface<C>,
    touch: Touch,
) -> Touching<S> {
    let Some(seat) = Seat::new(scene, first, second) else { return Touching::NONE };
    let overlap = match seat.overlap(moment, touch) {
        Ok(overlap) => overlap,
        Err(apart) => return apart,
    };
    let point = seat.centre + overlap.centroid;
    let (v, angular) = motion_at(scene, first, second, point);
    let friction = manner.friction.as_ref().zip(manner.spin.as_ref());
    let load = law.load(&overlap, &PatchMotion { normal: seat.n, velocity: v, angular }, friction);
    let along = seat.n.dot(v);
    Touching {
        depth: overlap.support + seat.q,
        rate: -along,
        normal: seat.n,
        point,
        foot: seat.foot(),
        slip: v - seat.n.scale(along),
        normal_force: load.normal_force,
        friction: load.friction,
        couple: load.moment,
        volume: overlap.volume,
        area: overlap.area,
        stored: load.stored,
        dissipation: load.dissipated,
        clipped: load.clipped,
        immersion: overlap.immersion,
    }
}

/// The same summed over points of the plane. They stay at multiples of the pitch in the axes of the half-space, so that a sum does not change by its grid.
///
/// Volume and area are those of the closed form; everything else is summed.
#[inline(never)]
pub(super) fn press_summed<S: Real, C: Constant<S>>(
    scene: &Scene<S, C>,
    manner: &Manner<C>,
    law: &Foundation<C>,
    first: &Surface<C>,
    second: &Surface<C>,
    touch: Touch,
) -> Touching<S> {
    let Some(seat) = Seat::new(scene, first, second) else { return Touching::NONE };
    let overlap = match seat.overlap(SecondMoment::Weighted, touch) {
        Ok(overlap) => overlap,
        Err(apart) => return apart,
    };
    let (bed, point, n) = (law.bed(), seat.centre + overlap.centroid, seat.n);
    let (v, angular) = motion_at(scene, first, second, point);
    let along = n.dot(v);
    let none = Touching {
        depth: overlap.support + seat.q,
        rate: -along,
        normal: n,
        point,
        foot: seat.foot(),
        slip: v - n.scale(along),
        volume: overlap.volume,
        area: overlap.area,
        immersion: overlap.immersion,
        ..Touching::NONE
    };
    let summed = Presser::new(bed, &seat.axes, &seat.R, seat.centre, n, Twist { at: point, velocity: v, angular }).and_then(|presser| {
        let grid =
            grid(&presser, &scene.axes(second.place).values(), scene.point(second.place).p_W.values(), n.values(), law.pitch.value())?;
        Ok(foundation(&grid, &presser, seat.height, manner.friction.as_ref(), point))
    });
    // Units, pitch and axes are right by construction: a fault can only be a state that is not finite.
    let Ok(sum) = summed else { return Touching { normal_force: S::from_f64(f64::NAN), ..none } };
    Touching {
        normal_force: sum.normal_force,
        friction: sum.force - n.scale(sum.normal_force),
        couple: sum.moment,
        stored: sum.stored,
        dissipation: sum.lost,
        clipped: sum.stored.value() > 0.0 && !(sum.normal_force.value() > 0.0),
        ..none
    }
}

/// A grid of single points that covers the shadow of an ellipsoid on the plane with unit normal `n`, fixed to the axes `R` of the half-space at `origin`.
fn grid<S: Real, C: Constant<S>>(
    presser: &Presser<S, C>,
    R: &Mat3<f64>,
    origin: Vec3<f64>,
    n: Vec3<f64>,
    pitch: f64,
) -> Result<Grid, Fault> {
    // The axis of the half-space that is most along the plane gives the first side.
    let along = |axis: Vec3<f64>| axis.dot(n).abs();
    let side = [R.x, R.y, R.z].into_iter().min_by(|a, b| along(*a).total_cmp(&along(*b))).unwrap_or(R.x);
    let side = side - n.scale(side.dot(n));
    let first = side.scale(side.norm().recip());
    let along = [first, n.cross(first)];
    let [(i, columns), (j, rows)] = along.map(|u| {
        let (middle, half) = presser.shadow(origin, u);
        let from = ((middle - half) / pitch).floor();
        (from, (((middle + half) / pitch).ceil() - from).min(MOST_POINTS))
    });
    let corner = origin + along[0].scale(i * pitch) + along[1].scale(j * pitch);
    Grid::new(corner, along, [pitch; 2], [columns as usize, rows as usize], 1)
}
