//! Small tensors of the plane as four numbers 11, 12, 21, 22, and the two energies that several laws are made of.

/// det F.
#[inline]
pub(crate) fn det(F: [f64; 4]) -> f64 {
    F[0] * F[3] - F[1] * F[2]
}

/// ∂(det F)/∂F, the cofactors.
#[inline]
pub(crate) fn cofactor(F: [f64; 4]) -> [f64; 4] {
    [F[3], -F[2], -F[1], F[0]]
}

/// a : b.
#[inline]
pub(crate) fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// A += factor · ∂²(det F)/∂F∂F, which is constant: one at (11, 22), minus one at (12, 21).
#[inline]
pub(crate) fn twist_add(factor: f64, A: &mut [[f64; 4]; 4]) {
    A[0][3] += factor;
    A[3][0] += factor;
    A[1][2] -= factor;
    A[2][1] -= factor;
}

/// FᵀF − 1 as 11, 12, 22.
#[inline]
pub(super) fn right_stretch_less_one(F: [f64; 4]) -> [f64; 3] {
    [F[0] * F[0] + F[2] * F[2] - 1.0, F[0] * F[1] + F[2] * F[3], F[1] * F[1] + F[3] * F[3] - 1.0]
}

/// F S for a symmetric S given as 11, 12, 22.
#[inline]
pub(super) fn times_symmetric(F: [f64; 4], S: [f64; 3]) -> [f64; 4] {
    [F[0] * S[0] + F[1] * S[1], F[0] * S[1] + F[1] * S[2], F[2] * S[0] + F[3] * S[1], F[2] * S[1] + F[3] * S[2]]
}

/// δ_ik S_JL for a symmetric S given as 11, 12, 22: how P = FS grows with F while S is held.
#[inline]
pub(super) fn geometric(S: [f64; 3]) -> [[f64; 4]; 4] {
    [[S[0], S[1], 0.0, 0.0], [S[1], S[2], 0.0, 0.0], [0.0, 0.0, S[0], S[1]], [0.0, 0.0, S[1], S[2]]]
}

/// A += factor · (F_iI G_kI δ_JL + F_iL G_kJ): the slope of F(FᵀG + GᵀF) by G, or by the inner F when G is its rate.
#[inline]
pub(super) fn material_add(factor: f64, F: [f64; 4], G: [f64; 4], A: &mut [[f64; 4]; 4]) {
    for i in 0..2 {
        for k in 0..2 {
            let product = F[2 * i] * G[2 * k] + F[2 * i + 1] * G[2 * k + 1];
            for J in 0..2 {
                for L in 0..2 {
                    let same = if J == L { product } else { 0.0 };
                    A[2 * i + J][2 * k + L] += factor * (same + F[2 * i + L] * G[2 * k + J]);
                }
            }
        }
    }
}

/// A += factor · a ⊗ a.
#[inline]
pub(super) fn square_add(factor: f64, a: [f64; 4], A: &mut [[f64; 4]; 4]) {
    for i in 0..4 {
        for j in 0..4 {
            A[i][j] += factor * a[i] * a[j];
        }
    }
}
