//! The F-bar element: the material feels the mean change of volume of the cell.

use super::blocks::{Sum, add_stress};
use super::fill::State;
use super::view::{View, slope};
use super::{About, Inverted, Kind};
use crate::material::{cofactor, dot, twist_add};
use crate::shape::Shape;

pub(super) const ABOUT: About = About {
    name: "f-bar",
    doc: "Mean change of volume over the cell, against locking of quadrilaterals with four nodes",
    kind: Kind::FBar,
};

/// Why a shape cannot have it.
pub(super) fn refusal(shape: Shape) -> Option<&'static str> {
    match shape {
        Shape::Q4 => None,
        Shape::T3 => Some("its volume changes evenly over the cell, so the mean is no remedy"),
        Shape::T6 | Shape::Q8 => Some("quadratic shapes do not need it"),
    }
}

/// Deformation of a cell with its mean change of volume.
///
/// ```text
/// θ = Σ w J / Σ w,   F̄ = s F,   s = (θ/J)^½,   so det F̄ = θ at every point                     (1)
/// small strain:  F̄ = F + ½(mean(tr F) − tr F) 1                                                (2)
/// ```
///
/// The exponent is ½ because both stretches of the plane are scaled and the third stays one.
pub(super) struct Averaged<const N: usize, const P: usize> {
    /// F̄.
    pub felt: [[f64; 4]; P],
    F: [[f64; 4]; P],
    /// s of (1); one in small strain.
    scale: [f64; P],
    /// ∂(ln J)/∂F, that is F⁻ᵀ; the unit tensor in small strain.
    by_F: [[f64; 4]; P],
    /// ∂(ln θ)/∂x; of the mean trace in small strain.
    by_x: [[f64; 2]; N],
    /// V θ, the current volume; not used in small strain.
    volume: f64,
}

impl<const N: usize, const P: usize> Averaged<N, P> {
    #[inline]
    pub fn new(view: &View<N, P>, x: &[[f64; 2]; N]) -> Result<Self, Inverted> {
        let F = view.gradients.each_ref().map(|gradients| slope(x, gradients));
        let mut by_x = [[0.0; 2]; N];
        let mut by_F = [[1.0, 0.0, 0.0, 1.0]; P];
        let (mut felt, mut scale, mut volume) = (F, [1.0; P], 0.0);
        let reference: f64 = view.weights.iter().sum();
        if view.material.is_small_strain() {
            let trace = |F: &[f64; 4]| F[0] + F[3];
            let mean = F.iter().zip(view.weights).map(|(F, w)| w * trace(F)).sum::<f64>() / reference;
            for point in 0..P {
                let lift = 0.5 * (mean - trace(&F[point]));
                felt[point][0] += lift;
                felt[point][3] += lift;
                add_stress(view.weights[point] / reference, by_F[point], &view.gradients[point], &mut by_x);
            }
        } else {
            let mut jacobians = [0.0; P];
            for point in 0..P {
                jacobians[point] = view.jacobian(point, F[point])?;
                volume += view.weights[point] * jacobians[point];
            }
            for point in 0..P {
                let G = cofactor(F[point]);
                scale[point] = (volume / (reference * jacobians[point])).sqrt();
                felt[point] = F[point].map(|f| scale[point] * f);
                by_F[point] = G.map(|g| g / jacobians[point]);
                add_stress(view.weights[point] / volume, G, &view.gradients[point], &mut by_x);
            }
        }
        Ok(Averaged { felt, F, scale, by_F, by_x, volume })
    }
}

/// Adds force and tangent of the elastic stress: first and second slopes of Π = Σ w W(F̄), so the tangent is symmetric.
///
/// With δF = e at a point and δ(ln θ) = y for the cell, s changes by s δl, δl = ½(y − h·e), and
///
/// ```text
/// δΠ  = Σ w [T·e + ½sπ y],   T = s(P̄ − ½π h),   π = P̄·F                                        (3)
/// δ²Π = Σ w [e·M e + 2 (m·e) y + n y²]                                                         (4)
/// M = s²Ā − ½(b⊗h + h⊗b) + (¼β + ½sπ) h⊗h + (c/Vθ − ½sπ/J) ∂²J/∂F∂F                            (5)
/// m = ½b − ¼β h,   n = ¼β − ½sπ,   b = s²ĀF + sP̄,   β = F·b,   c = ½ Σ w s π                   (6)
/// ```
///
/// | h = ∂(ln J)/∂F | P̄, Ā stress and tangent of the material at F̄ | V reference volume of the cell m³ |
///
/// The term with c is the second slope of θ, shared out to the points. In small strain h = 1, s = 1 and all terms with π vanish:
/// the B-bar element.
///
/// Source: de Souza Neto, Peric, Dutko & Owen 1996, Int. J. Solids Struct. 33:3277 for F̄ (with F at the centre in place of the mean);
/// as a minimum of energy as in Elguedj, Bazilevs, Calo & Hughes 2008, Comput. Methods Appl. Mech. Eng. 197:2732.
/// Departures: θ is the mean of J, and stress is the slope of the energy, so that the tangent is symmetric. Viscous stress takes F, not F̄.
/// Limits: quadrilaterals with four nodes. The pressure of neighbouring cells may alternate; look at the mean of nodes.
/// Tests: `tangents_are_slopes_of_forces`, `forces_are_slopes_of_the_energy`, `f_bar_does_not_lock_in_cook`.
#[inline]
pub(super) fn fill<const N: usize, const P: usize>(view: &View<N, P>, state: &State<N>, out: &mut Sum<N>) -> Result<(), Inverted> {
    let cell = Averaged::new(view, &state.x)?;
    let small = view.material.is_small_strain();
    let stress = cell.felt.map(|F| view.material.stress(F, view.plane));
    // sπ of (3).
    let pull: [f64; P] = std::array::from_fn(|p| if small { trace(stress[p]) } else { cell.scale[p] * dot(stress[p], cell.F[p]) });
    let mut shared = 0.0;
    for p in 0..P {
        let (s, h, w) = (cell.scale[p], cell.by_F[p], view.weights[p]);
        shared += 0.5 * w * pull[p];
        out.add_stress(w, std::array::from_fn(|k| s * stress[p][k] - 0.5 * pull[p] * h[k]), &view.gradients[p]);
    }
    for (f, y) in out.force.iter_mut().zip(&cell.by_x) {
        *f = [f[0] + shared * y[0], f[1] + shared * y[1]];
    }
    if !state.wants_tangent() {
        return Ok(());
    }
    let (mut cross, mut twice) = ([[0.0; 2]; N], 0.0);
    for p in 0..P {
        let (s, h, w) = (cell.scale[p], cell.by_F[p], view.weights[p]);
        let mut M = view.material.tangent(cell.felt[p], view.plane);
        // Direction in which a change of volume moves F̄, and the curvature of that motion, which small strain has not.
        let (along, bend) = if small { (h, 0.0) } else { (cell.F[p], pull[p]) };
        let b: [f64; 4] = std::array::from_fn(|i| s * s * dot(M[i], along) + if small { 0.0 } else { s * stress[p][i] });
        let beta = dot(along, b);
        for i in 0..4 {
            for j in 0..4 {
                M[i][j] = s * s * M[i][j] - 0.5 * (b[i] * h[j] + h[i] * b[j]) + (0.25 * beta + 0.5 * bend) * h[i] * h[j];
            }
        }
        if !small {
            let reference_over_J = s * s / cell.volume * view.weights.iter().sum::<f64>();
            twist_add(shared / cell.volume - 0.5 * bend * reference_over_J, &mut M);
        }
        out.add_tangent(w, &M, &view.gradients[p]);
        add_stress(w, std::array::from_fn(|i| 0.5 * b[i] - 0.25 * beta * h[i]), &view.gradients[p], &mut cross);
        twice += w * (0.25 * beta - 0.5 * bend);
    }
    for (m, y) in cross.iter_mut().zip(&cell.by_x) {
        *m = [m[0] + 0.5 * twice * y[0], m[1] + 0.5 * twice * y[1]];
    }
    out.add_pair(&cross, &cell.by_x);
    Ok(())
}

#[inline]
fn trace(P: [f64; 4]) -> f64 {
    P[0] + P[3]
}
