//! Loop: hinge.

use super::coincident::{PLACES, point_parts, push_coincident};
use super::{Constraint, Part, Row, Rows};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::Scene;
use crate::system::Measure;
use borelli_math::{Constant, Real, Vec3, vec3};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// Two points coincide; in space an axis, the same numbers in frame a and in frame b, stays parallel too.
///
/// With c the axis and (u, w, c) right-handed, u and w fixed in frame a and c_b fixed in frame b:
///
///     Φ_u = −c_b·w_a     Φ_w = c_b·u_a      the small angles of c_b about u and w                (1)
///     Φ̇  = (ω_b − ω_a)·n,   n = −c_b × w_a  or  c_b × u_a                                        (2)
///     Φ̈  = (α_b − α_a)·n + (ω_b − ω_a)·ṅ                                                         (3)
///
/// The multipliers are force on b (world axes) and moment on b about u and w. u is the world-like axis least along c, made
/// perpendicular. Planar: the rows of `coincident`.
///
/// Source: the two perpendicularity conditions are textbook (Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, ch. 7).
/// Limits: c_b opposite to c_a satisfies (1) as well; the start decides. Tests: `rates_of_all_kinds_are_the_slopes_of_their_residuals`,
/// `a_hinge_loop_tilted_a_little_shows_the_angles_of_the_tilt`.
#[derive(Clone, Debug)]
pub struct Hinge<N> {
    a: u32,
    b: u32,
    planar: bool,
    /// u, w and the axis, in frame a.
    triad: [[f64; 3]; 3],
    number: PhantomData<N>,
}

impl Constraint for Hinge<Slot> {
    const KIND: Kind = Kind {
        name: "hinge",
        doc: "Two points coincide and, in space, an axis stays parallel",
        fields: &[
            PLACES[0],
            PLACES[1],
            Field {
                name: "axis",
                kind: FieldKind::Directions { count: 1 },
                need: Need::Optional,
                doc: "spatial: axis in the axes of frame a; default Z",
            },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let places = context.two_places(fields);
        let mut axis = [0.0, 0.0, 1.0];
        if fields.has("axis") {
            if context.planar() {
                context.only_spatial(fields, "axis");
                return None;
            }
            axis = *fields.directions("axis")?.first()?;
        }
        let (a, b) = places?;
        Some(Hinge { a, b, planar: context.planar(), triad: triad(axis), number: PhantomData })
    }
}

/// Unit vectors u, w, c with c along `axis`, right-handed.
fn triad(axis: [f64; 3]) -> [[f64; 3]; 3] {
    let c = Vec3::from_array(axis);
    let c = c.scale(1.0 / c.norm());
    let least = (1..3).fold(0, |least, k| if c.to_array()[k].abs() < c.to_array()[least].abs() { k } else { least });
    let mut e = [0.0; 3];
    e[least] = 1.0;
    let e = Vec3::from_array(e);
    let u = e - c.scale(e.dot(c));
    let u = u.scale(1.0 / u.norm());
    [u.to_array(), c.cross(u).to_array(), c.to_array()]
}

impl<N> Hinge<N> {
    /// The places it holds together, for pictures.
    pub fn ends(&self) -> [u32; 2] {
        [self.a, self.b]
    }

    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut Hinge<M>>) -> Hinge<M> {
        Hinge { a: self.a, b: self.b, planar: self.planar, triad: self.triad, number: PhantomData }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let mut parts = point_parts(self.planar);
        if !self.planar {
            parts.extend(["tilt_u", "tilt_w"].map(|part| (part, Measure::Angle)));
        }
        parts
    }

    pub(super) fn entries(&self) -> usize {
        0
    }
}

impl<C> Hinge<C> {
    #[inline(never)]
    pub(super) fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>)
    where
        C: Constant<S>,
    {
        push_coincident(scene, self.a, self.b, self.planar, rows);
        if self.planar {
            return;
        }
        let [a, b] = [self.a, self.b].map(|place| scene.numbers.place_body[place as usize] as usize);
        let (R_a, R_b) = (scene.axes(self.a), scene.axes(self.b));
        let [u, w, c] = self.triad.map(|v| vec3(S::from_f64(v[0]), S::from_f64(v[1]), S::from_f64(v[2])));
        let c_b = R_b * c;
        let (w_a, w_b) = (scene.frames.w[a], scene.frames.w[b]);
        let (relative, relative_acc) = (w_b - w_a, scene.frames.al[b] - scene.frames.al[a]);
        for e in [-(R_a * w), R_a * u] {
            let n = c_b.cross(e);
            let n_rate = w_b.cross(c_b).cross(e) + c_b.cross(w_a.cross(e));
            rows.push(Row {
                body: [a, b],
                moment: [-n, n],
                force: [Vec3::ZERO; 2],
                position: c_b.dot(e),
                velocity: relative.dot(n),
                acceleration: relative_acc.dot(n) + relative.dot(n_rate),
            });
        }
    }
}
