//! Sums over the points of a cell: nodal forces, and the tangent in blocks of two by two.

/// Force and tangent of a cell under way.
///
/// The block of nodes a and b holds the entries 11, 12, 21, 22 in one vector of four, so that a point adds to it in two products.
pub(super) struct Sum<const N: usize> {
    pub force: [[f64; 2]; N],
    blocks: [[[f64; 4]; N]; N],
    /// Only blocks with a ≤ b are summed; the others are their mirror images.
    symmetric: bool,
}

impl<const N: usize> Sum<N> {
    pub fn new(symmetric: bool) -> Self {
        Sum { force: [[0.0; 2]; N], blocks: [[[0.0; 4]; N]; N], symmetric }
    }

    /// f_ai += w P_iJ g_aJ.
    #[inline]
    pub fn add_stress(&mut self, w: f64, P: [f64; 4], gradients: &[[f64; 2]; N]) {
        add_stress(w, P, gradients, &mut self.force);
    }

    /// k_aibk += w g_aJ M_iJkL g_bL.
    #[inline]
    pub fn add_tangent(&mut self, w: f64, M: &[[f64; 4]; 4], gradients: &[[f64; 2]; N]) {
        // By J and L: the four numbers i, k.
        let slice = |J: usize, L: usize| [w * M[J][L], w * M[J][2 + L], w * M[2 + J][L], w * M[2 + J][2 + L]];
        let (M11, M12, M21, M22) = (slice(0, 0), slice(0, 1), slice(1, 0), slice(1, 1));
        for b in 0..N {
            let [g1, g2] = gradients[b];
            let right1: [f64; 4] = std::array::from_fn(|k| M11[k] * g1 + M12[k] * g2);
            let right2: [f64; 4] = std::array::from_fn(|k| M21[k] * g1 + M22[k] * g2);
            for a in 0..if self.symmetric { b + 1 } else { N } {
                let [h1, h2] = gradients[a];
                let block = &mut self.blocks[a][b];
                for k in 0..4 {
                    block[k] += h1 * right1[k] + h2 * right2[k];
                }
            }
        }
    }

    /// k_aibk += u_ai v_bk + v_ai u_bk.
    #[inline]
    pub fn add_pair(&mut self, u: &[[f64; 2]; N], v: &[[f64; 2]; N]) {
        for b in 0..N {
            for a in 0..if self.symmetric { b + 1 } else { N } {
                let block = &mut self.blocks[a][b];
                for i in 0..2 {
                    for k in 0..2 {
                        block[2 * i + k] += u[a][i] * v[b][k] + v[a][i] * u[b][k];
                    }
                }
            }
        }
    }

    /// Writes the tangent by rows of 2N numbers.
    #[inline]
    pub fn write_tangent(&self, k: &mut [f64]) {
        for a in 0..N {
            for b in 0..N {
                let mirrored = self.symmetric && a > b;
                let [k11, k12, k21, k22] = if mirrored { self.blocks[b][a] } else { self.blocks[a][b] };
                let (k12, k21) = if mirrored { (k21, k12) } else { (k12, k21) };
                let at = 4 * N * a + 2 * b;
                (k[at], k[at + 1], k[at + 2 * N], k[at + 2 * N + 1]) = (k11, k12, k21, k22);
            }
        }
    }
}

/// f_ai += w P_iJ g_aJ.
#[inline]
pub(super) fn add_stress<const N: usize>(w: f64, P: [f64; 4], gradients: &[[f64; 2]; N], f: &mut [[f64; 2]; N]) {
    let P = P.map(|p| w * p);
    for (f, g) in f.iter_mut().zip(gradients) {
        f[0] += P[0] * g[0] + P[1] * g[1];
        f[1] += P[2] * g[0] + P[3] * g[1];
    }
}
