//! Pressure mats: the pressure of patches on a grid of cells in the plane of a half-space.
//! Not here: pressure at a point, cells and their points (`borelli_contact::pressure`); when a mat is read; the lag and saturation of a real mat.
//! In: a mat, a scene. Out: the mean pressure of each cell, Pa; their force, its centre, the highest of them.
//!
//! All is seen from the mat: its corner is the foot of its place on the plane, Y the normal, and its cells stand still whatever the plane does.
//!
//! Tests: `a_mat_carries_the_force_of_its_contacts`, `a_mat_on_a_moving_tilted_plate_sees_what_a_mat_on_the_ground_sees`.

use super::patch::semi_axes;
use super::press::{plane, velocity};
use super::{Contacts, NormalLaw};
use crate::scene::Scene;
use borelli_contact::law::Fault;
use borelli_contact::pressure::{Grid, Presser, Twist};
use borelli_contact::shape::Shape;
use borelli_contact::volume::{SemiAxes, Volumetric};
use borelli_math::{Constant, Mat3, Real, Vec3, vec3};

/// A mat on a half-space.
#[derive(Clone, Copy, Debug)]
pub struct Mat<N> {
    /// The half-space.
    pub surface: u32,
    /// Place whose foot on the plane is the corner; cells run along its X and Z.
    pub place: u32,
    /// Number of cells along X and Z.
    pub cells: [usize; 2],
    /// Size of a cell along X and Z, m.
    pub pitch: [N; 2],
    /// Points along each side of a cell at which pressure is taken.
    pub samples: usize,
    /// Force below which it has no centre of pressure, N.
    pub least_force: f64,
}

impl<N> Mat<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Mat<M> {
        let Mat { surface, place, cells, samples, least_force, .. } = *self;
        Mat { surface, place, cells, pitch: self.pitch.each_ref().map(number), samples, least_force }
    }

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.cells[0] * self.cells[1]
    }
}

impl<N: Real> Mat<N> {
    /// Its cells seen from its corner, those along Z first: cell (i, k) has the number i `cells[1]` + k.
    pub fn grid(&self) -> Result<Grid, Fault> {
        let ([x, z], [columns, rows]) = (self.pitch.map(|pitch| pitch.value()), self.cells);
        Grid::new(Vec3::ZERO, [vec3(0.0, 0.0, 1.0), vec3(1.0, 0.0, 0.0)], [z, x], [rows, columns], self.samples)
    }
}

/// Angle between Y of a mat and the normal of its plane, rad; axes of mat and surface in those of their body.
pub(super) fn lean(mat: &Mat3<f64>, surface: &Mat3<f64>, normal: [f64; 3]) -> f64 {
    let n = *surface * Vec3::from_array(normal);
    mat.y.cross(n).norm().atan2(mat.y.dot(n))
}

/// Lean that is taken for none, rad: what is left of numbers with some digits.
pub(super) const UPRIGHT: f64 = 1e-6;

impl Contacts<f64> {
    /// The first mat that is not parallel to its plane, and its lean, rad; axes of places as the system has them.
    pub fn leaning_mat(&self, place_R: &[Mat3<f64>]) -> Option<(&str, f64)> {
        self.mats.iter().find_map(|named| {
            let (mat, surface) = (&named.item, &self.surfaces[named.item.surface as usize].item);
            let Shape::HalfSpace(half_space) = &surface.shape else { return None };
            let lean = lean(&place_R[mat.place as usize], &place_R[surface.place as usize], half_space.normal);
            (!(lean < UPRIGHT)).then_some((named.name.as_str(), lean))
        })
    }
}

/// An ellipsoid that presses on a mat, in the axes of the mat and from its corner.
#[derive(Clone, Copy, Debug)]
pub struct Pressing<S, C> {
    /// Its bed.
    pub law: Volumetric<C>,
    /// Its semi-axes.
    pub axes: SemiAxes<C>,
    /// From its axes to those of the mat.
    pub R_ME: Mat3<S>,
    /// Its centre, and its motion relative to the mat there.
    pub twist: Twist<S>,
}

impl<S: Real, C: Constant<S>> Pressing<S, C> {
    /// Ready to be asked for pressures.
    pub fn presser(&self) -> Result<Presser<S, C>, Fault> {
        Presser::new(self.law, &self.axes, &self.R_ME, self.twist.at, vec3(S::ZERO, S::ONE, S::ZERO), self.twist)
    }
}

impl<C> Contacts<C> {
    /// Pairs whose patches press on a mat.
    pub fn pairs_on(&self, mat: &Mat<C>) -> impl Iterator<Item = usize> {
        let presses = |pair: &usize| {
            let own = &self.pairs[*pair];
            let patch = matches!(self.manners[own.contact as usize].item.normal, NormalLaw::Volume { .. });
            own.second == mat.surface && patch
        };
        (0..self.pairs.len()).filter(presses)
    }

    /// What a pair presses on a mat with; nothing where it has no patch.
    pub fn pressing<S: Real>(&self, mat: &Mat<C>, pair: usize, scene: &Scene<S, C>) -> Option<Pressing<S, C>>
    where
        C: Constant<S>,
    {
        let pair = &self.pairs[pair];
        let [first, second] = [pair.first, mat.surface].map(|surface| &self.surfaces[surface as usize].item);
        let (Shape::HalfSpace(half_space), NormalLaw::Volume { law, .. }) =
            (&second.shape, &self.manners[pair.contact as usize].item.normal)
        else {
            return None;
        };
        let (axes, _) = semi_axes(&first.shape)?;
        let (n, height) = plane(scene, second, half_space);
        let place = scene.point(mat.place).p_W;
        let corner = place - n.scale(n.dot(place) - height);
        let R_MW = scene.axes(mat.place).transpose();
        let body = |place: u32| scene.numbers.place_body[place as usize] as usize;
        let centre = scene.point(first.place).p_W;
        let twist = Twist {
            at: R_MW * (centre - corner),
            velocity: R_MW * (velocity(scene, first, centre) - velocity(scene, second, centre)),
            angular: R_MW * (scene.frames.w[body(first.place)] - scene.frames.w[body(second.place)]),
        };
        Some(Pressing { law: *law, axes, R_ME: R_MW * scene.axes(first.place), twist })
    }

    /// Mean pressure of each cell of a mat, Pa. Patches only have a pressure; those of several ellipsoids add.
    pub fn fill_pressures<S: Real>(&self, mat: &Mat<C>, scene: &Scene<S, C>, grid: &Grid, pressures: &mut [S])
    where
        C: Constant<S>,
    {
        pressures.fill(S::ZERO);
        let pressers = self.pairs_on(mat).filter_map(|pair| self.pressing(mat, pair, scene)?.presser().ok());
        pressers.for_each(|presser| grid.add_pressures(&presser, pressures));
    }
}

/// What a mat shows at one instant, and the memory for it.
#[derive(Clone, Debug)]
pub struct MatReading {
    /// Mean pressure of each cell, Pa, in the order of [`Mat::grid`].
    pub pressures: Vec<f64>,
    /// Sum of pressure times area, N.
    pub force: f64,
    /// Centre of pressure along X and Z from the corner, m; nothing below the least force.
    pub centre: Option<[f64; 2]>,
    /// Highest pressure of a cell, Pa.
    pub peak: f64,
}

impl MatReading {
    /// Memory for a mat.
    pub fn new<N>(mat: &Mat<N>) -> Self {
        MatReading { pressures: vec![0.0; mat.count()], force: 0.0, centre: None, peak: 0.0 }
    }

    /// Reads a mat. With a pitch that is none its force is not a number.
    pub fn look(&mut self, mat: &Mat<f64>, scene: &Scene<f64, f64>) {
        let Ok(grid) = mat.grid() else {
            (self.force, self.peak, self.centre) = (f64::NAN, f64::NAN, None);
            return;
        };
        scene.numbers.contacts.fill_pressures(mat, scene, &grid, &mut self.pressures);
        let (force, centre) = grid.total(&self.pressures);
        self.force = force;
        self.centre = centre.filter(|_| force > mat.least_force).map(|centre| [centre.x, centre.z]);
        self.peak = self.pressures.iter().copied().fold(0.0, f64::max);
    }
}
