//! Inertia of a body that is stretched by different factors along its axes.
//! Not here: mass centres and masses. In: inertia about the mass centre, factors, both masses. Out: inertia about the new mass centre.

use borelli_math::Sym3;

/// How inertias follow factors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InertiaRule {
    /// Every point of the body moves with the stretch.
    ///
    /// With J = ½ tr(I) 1 − I, the second moments, J' = m'/m diag(s) J diag(s) and I' = tr(J') 1 − J'. Exact for any body of any shape.
    /// Source: elementary. Tests: `an_affine_stretch_of_a_box_is_exact`.
    #[default]
    Affine,
    /// The body is read as a cylinder about the axis k of its smallest moment, as OpenSim does:
    ///
    /// r² = 2 I_kk/m, l² = 12 (I_oo − m r²/4)/m with o the first other axis; l grows with s_k, r² with the product of the other two factors; products of
    /// inertia with the factors of their axes. With equal factors I grows with their square.
    /// Source: behaviour of OpenSim 4.6 (`Body::scaleInertialProperties`). Tests: `a_cylinder_stays_a_cylinder`.
    Cylinder,
}

impl InertiaRule {
    /// Inertia of the stretched body, whose mass goes from `mass` to `new`.
    pub(super) fn scaled(self, I: &Sym3<f64>, mass: f64, s: [f64; 3], new: f64) -> Sym3<f64> {
        let ratio = new / mass;
        let equal = s[0] == s[1] && s[1] == s[2];
        match self {
            InertiaRule::Cylinder if !equal => {
                let diagonal = [I.xx, I.yy, I.zz];
                let k = (0..3).fold(0, |least, k| if diagonal[k] < diagonal[least] { k } else { least });
                let o = if k == 0 { 1 } else { 0 };
                let square = 2.0 * diagonal[k] / mass;
                let length = 12.0 * (diagonal[o] - 0.25 * mass * square) / mass * s[k] * s[k];
                let square = square * s.iter().enumerate().filter(|(i, _)| *i != k).map(|(_, s)| s).product::<f64>();
                let moment = |i: usize| if i == k { 0.5 * new * square } else { new * (0.25 * square + length / 12.0) };
                let cross = |x: f64, i: usize, j: usize| x * s[i] * s[j] * ratio;
                Sym3 { xx: moment(0), yy: moment(1), zz: moment(2), xy: cross(I.xy, 0, 1), xz: cross(I.xz, 0, 2), yz: cross(I.yz, 1, 2) }
            }
            _ => {
                let half = 0.5 * (I.xx + I.yy + I.zz);
                let second = |k: usize| (half - [I.xx, I.yy, I.zz][k]) * s[k] * s[k] * ratio;
                let [x, y, z] = [second(0), second(1), second(2)];
                let cross = |x: f64, i: usize, j: usize| x * s[i] * s[j] * ratio;
                Sym3 { xx: y + z, yy: x + z, zz: x + y, xy: cross(I.xy, 0, 1), xz: cross(I.xz, 0, 2), yz: cross(I.yz, 1, 2) }
            }
        }
    }
}
