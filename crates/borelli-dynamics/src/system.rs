//! The compiled system: flat arrays in tree order, indices instead of names, constant while it is used.
//! Not here: reading (`borelli-model`), checking (`compile`), computing (`formulation`).
//!
//! Body 0 is the world; bodies 1..=n follow parents first, depth first, so that a subtree is a contiguous range.
//! The *kernel frame* of a body has its origin at its joint and, in most joints, is parallel to its parent's kernel frame when all
//! coordinates are zero; everything fixed to the body (mass centre, points, the user's own body frame) is expressed in it once,
//! when constants are filled, so that kernels rotate nothing twice.
//!
//! | array | meaning | unit | shape |
//! | --- | --- | --- | --- |
//! | `Skeleton::parent` | index of the parent body | - | bodies + 1 |
//! | `Skeleton::motions` | elementary motions of all joints | - | by `motion_start` |
//! | `Constants::p_PF_P` | joint origin in the parent's kernel frame | m | bodies + 1 |
//! | `Constants::mass`, `mc_B`, `I_Bo_B` | mass, first and second moment about the kernel origin | kg, kg m, kg m² | bodies + 1 |
//! | `Constants::axis` | axis of each degree of freedom | - | dofs |
//! | `Constants::points` | places on bodies, kernel axes | m | by compile |

use crate::constraint::{Constraints, RowName};
use crate::contact::Contacts;
use crate::force::{Forces, Paths};
use crate::formula::Formulas;
use crate::integral::{self, Integral};
use crate::joint_angles::JointAngles;
use crate::parts::{Parts, Slot};
use crate::scene::{Loads, Scene};
use borelli_data::triangles::Triangles;
use borelli_math::function::Function;
use borelli_math::{Constant, Mat3, Real, Sym3, Vec3};
use borelli_model::{Findings, Range, Sources};
use std::sync::Arc;

/// Index of a body; 0 is the world.
pub type BodyIndex = u32;

/// Direction of an axis: the three axes of a frame are cheaper than a general one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// First axis.
    X,
    /// Second axis.
    Y,
    /// Third axis.
    Z,
    /// `Constants::axis` of the degree of freedom.
    General,
}

/// An elementary motion; a joint is a short list of them, slides before turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Turn about an axis fixed in the frame reached so far.
    Turn {
        /// Axis.
        axis: Axis,
        /// Index into q.
        coord: u32,
        /// Index into v.
        dof: u32,
    },
    /// Displacement along an axis of the parent side.
    Slide {
        /// Axis.
        axis: Axis,
        /// Index into q.
        coord: u32,
        /// Index into v.
        dof: u32,
    },
    /// Any rotation: quaternion in q, angular velocity in child axes in v.
    Ball {
        /// First of four entries of q.
        coord: u32,
        /// First of three entries of v.
        dof: u32,
    },
    /// Constant rotation of the frame, `Constants::fixed`.
    Fixed {
        /// Index into `Constants::fixed`.
        slot: u32,
    },
    /// Pose as a function of one coordinate, `Constants::curves`.
    Function {
        /// Index into `Constants::curves`.
        slot: u32,
        /// Index into q.
        coord: u32,
        /// Index into v.
        dof: u32,
    },
}

/// What a degree of freedom does to its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DofClass {
    /// Only turns it about its kernel origin.
    Turn,
    /// Only displaces it.
    Slide,
    /// Both (function joints).
    Screw,
}

/// Topology: what is connected with what, and how many there are of everything else that memory is made for. Holds no number of the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    /// True for planar models.
    pub planar: bool,
    /// Parent of each body; the world is its own parent.
    pub parent: Vec<BodyIndex>,
    /// First motion of each body, and one past the last.
    pub motion_start: Vec<u32>,
    /// All motions.
    pub motions: Vec<Motion>,
    /// First degree of freedom of each body, and one past the last.
    pub dof_start: Vec<u32>,
    /// First coordinate of each body, and one past the last.
    pub coord_start: Vec<u32>,
    /// Class of each degree of freedom.
    pub class: Vec<DofClass>,
    /// Body moved by each degree of freedom.
    pub dof_body: Vec<BodyIndex>,
    /// True for bodies whose joint is made of turns only.
    pub turns_only: Vec<bool>,
    /// True for bodies whose joint lets them turn every way: its last three degrees of freedom are turns.
    pub turns_freely: Vec<bool>,
    /// Coordinates of all turns, in the order of motions.
    pub turn_coords: Vec<u32>,
    /// How many there are of what is not in the tree.
    pub extent: Extent,
}

/// How many there are of what acts on the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Rows of loops and guides.
    pub rows: usize,
    /// Coefficients of rows on degrees of freedom.
    pub entries: usize,
    /// Paths.
    pub paths: usize,
    /// States of force elements, and integrals.
    pub states: usize,
    /// Controls of force elements.
    pub controls: usize,
    /// Outputs of force elements.
    pub outputs: usize,
    /// Pairs of surfaces.
    pub pairs: usize,
    /// Muscles.
    pub muscles: usize,
    /// Conditional points of paths.
    pub switches: usize,
    /// Whether force elements or contacts may load the bodies, or there are integrals.
    pub loaded: bool,
}

impl Skeleton {
    /// Number of bodies without the world.
    pub fn bodies(&self) -> usize {
        self.parent.len() - 1
    }
    /// Number of coordinates (length of q).
    pub fn coords(&self) -> usize {
        *self.coord_start.last().unwrap_or(&0) as usize
    }
    /// Number of degrees of freedom of the tree (length of v).
    pub fn dofs(&self) -> usize {
        *self.dof_start.last().unwrap_or(&0) as usize
    }
    /// Motions of one body's joint.
    #[inline(always)]
    pub fn motions_of(&self, body: usize) -> &[Motion] {
        &self.motions[self.motion_start[body] as usize..self.motion_start[body + 1] as usize]
    }
    /// Degrees of freedom of one body's joint.
    #[inline(always)]
    pub fn dofs_of(&self, body: usize) -> std::ops::Range<usize> {
        self.dof_start[body] as usize..self.dof_start[body + 1] as usize
    }
}

/// Pose of a child as a function of one coordinate: translation in the parent frame, then turns one after the other.
#[derive(Clone, Debug)]
pub struct Curve<C> {
    /// Direction, as long as the factor of the displacement, and displacement, m.
    pub slides: Vec<(Vec3<C>, Function<C>)>,
    /// Axis in the frame reached so far, and angle, rad.
    pub turns: Vec<(Vec3<C>, Function<C>)>,
}

/// Numbers of one body for the planar kernel, in one cache line.
#[derive(Clone, Copy, Debug)]
pub struct PlanarBody<C> {
    /// Joint in the parent's kernel frame, m.
    pub p_PF: [C; 2],
    /// Mass, kg.
    pub mass: C,
    /// First moment about the kernel origin, kg m.
    pub mc: [C; 2],
    /// Moment of inertia about the kernel origin, kg m².
    pub inertia: C,
}

/// Numbers of the rigid tree in kernel layout; `C` is `f64`, or a dual where derivatives by parameters are wanted.
#[derive(Clone, Debug)]
pub struct Constants<C> {
    /// Acceleration of gravity, world axes, m/s².
    pub gravity: Vec3<C>,
    /// Position of the joint in the parent's kernel frame, m.
    pub p_PF_P: Vec<Vec3<C>>,
    /// Axis of each degree of freedom in the frame its motion starts from.
    pub axis: Vec<Vec3<C>>,
    /// Constant rotations.
    pub fixed: Vec<Mat3<C>>,
    /// Function joints.
    pub curves: Vec<Curve<C>>,
    /// Mass, kg.
    pub mass: Vec<C>,
    /// Mass times position of the mass centre in kernel axes, kg m.
    pub mc_B: Vec<Vec3<C>>,
    /// Inertia about the kernel origin in kernel axes, kg m².
    pub I_Bo_B: Vec<Sym3<C>>,
    /// The same numbers for the planar kernel.
    pub planar: Vec<PlanarBody<C>>,
    /// Orientation of the user's body frame in the kernel frame.
    pub R_KB: Vec<Mat3<C>>,
    /// Origin of the user's body frame in the kernel frame, m.
    pub p_KB: Vec<Vec3<C>>,
    /// Origins of named places in the kernel frame of their body, m.
    pub place_p: Vec<Vec3<C>>,
    /// Axes of named places in the kernel frame of their body.
    pub place_R: Vec<Mat3<C>>,
}

impl<C: Real> Constants<C> {
    /// Constants of zeros and unit rotations for a skeleton with some places, to be filled by the recipe.
    pub fn empty(skeleton: &Skeleton) -> Self {
        let n = skeleton.parent.len();
        Constants {
            gravity: Vec3::ZERO,
            p_PF_P: vec![Vec3::ZERO; n],
            axis: vec![Vec3::ZERO; skeleton.dofs()],
            fixed: Vec::new(),
            curves: Vec::new(),
            mass: vec![C::ZERO; n],
            mc_B: vec![Vec3::ZERO; n],
            I_Bo_B: vec![Sym3::ZERO; n],
            planar: vec![PlanarBody { p_PF: [C::ZERO; 2], mass: C::ZERO, mc: [C::ZERO; 2], inertia: C::ZERO }; n],
            R_KB: vec![Mat3::IDENTITY; n],
            p_KB: vec![Vec3::ZERO; n],
            place_p: Vec::new(),
            place_R: Vec::new(),
        }
    }
}

/// What a coordinate measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// rad.
    Angle,
    /// m.
    Length,
    /// Part of a quaternion.
    Quaternion,
}

/// A parameter: a number of the model file that can be set, swept, fitted and differentiated by.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Path such as `body.shank.mass`.
    pub path: String,
    /// SI value in the file.
    pub value: f64,
    /// SI unit, or empty where the file's function has none.
    pub unit: String,
    /// SI values the file may give it; whoever sets it keeps to them.
    pub range: Range,
}

/// Name of a coordinate or speed.
#[derive(Clone, Debug)]
pub struct CoordinateName {
    /// Name.
    pub name: String,
    /// What it measures.
    pub measure: Measure,
    /// Body whose joint it belongs to.
    pub joint: BodyIndex,
}

/// All names, for reports and messages.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Bodies, world first.
    pub bodies: Vec<String>,
    /// Joint of each body; the entry of the world is empty.
    pub joints: Vec<String>,
    /// Type of each joint; the entry of the world is empty.
    pub joint_kinds: Vec<&'static str>,
    /// Entries of q.
    pub coordinates: Vec<CoordinateName>,
    /// Entries of v.
    pub speeds: Vec<CoordinateName>,
    /// Rows of loops and guides.
    pub rows: Vec<RowName>,
    /// Paths.
    pub paths: Vec<String>,
    /// Contacts.
    pub contacts: Vec<String>,
    /// Pairs of surfaces in contact: the contact's name, with those of surfaces where it has several.
    pub pairs: Vec<String>,
    /// Sensors.
    pub sensors: Vec<String>,
    /// Functions, by index.
    pub functions: Vec<String>,
    /// Markers.
    pub markers: Vec<String>,
    /// States of force elements, then integrals: entries of z.
    pub states: Vec<InsideName>,
    /// Controls of force elements: entries of u.
    pub controls: Vec<InsideName>,
    /// What force elements report beside their states: their outputs, then all controls.
    pub outputs: Vec<InsideName>,
}

/// A state, control or output of a force element, or an integral.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsideName {
    /// The element: `force.tendon`, `integral.work`.
    pub element: String,
    /// What it is: `creep`; empty for an integral, which is all that its element has.
    pub name: &'static str,
    /// SI unit.
    pub unit: String,
}

impl InsideName {
    /// The name of its column, and the path of a control: `force.tendon.creep`.
    pub fn column(&self) -> String {
        if self.name.is_empty() { self.element.clone() } else { format!("{}.{}", self.element, self.name) }
    }
}

/// A point on a body that is seen in measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Index of its place.
    pub place: u32,
    /// Name in recordings.
    pub label: String,
    /// Weight of its distance from where it was measured.
    pub weight: f64,
    /// True: stays where it is on its body when others are moved to where they were measured.
    pub fixed: bool,
}

/// What inverse kinematics and scaling are to know of a coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoordinateRule {
    /// Smallest and largest value, rad or m.
    pub range: Option<(f64, f64)>,
    /// True: inverse kinematics keeps to the range.
    pub clamp: bool,
    /// True: inverse kinematics does not change it.
    pub lock: bool,
    /// Value in the default pose.
    pub default: f64,
    /// Weight with which the fit of a static trial draws it to its default, m²/rad² or none.
    pub static_weight: f64,
}

/// Distances of markers that tell how large bodies are.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurementRule {
    /// Name.
    pub name: String,
    /// Pairs of markers, by index.
    pub pairs: Vec<[u32; 2]>,
    /// Bodies whose size they tell.
    pub bodies: Vec<u32>,
    /// Along which of their axes.
    pub axes: [bool; 3],
}

/// The range of a function whose table may not be left.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Name of the function.
    pub function: String,
    /// The element of the file that it stands in: `function.hip`, `path.vasti`.
    pub element: String,
    /// Coordinate it is a function of, or time.
    pub coord: Option<u32>,
    /// Ends of the table.
    pub range: (f64, f64),
}

/// The start written in the file.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Degrees of freedom that assembling must not change.
    pub held: Vec<bool>,
}

/// A surface that a body is drawn with, as its file has it.
#[derive(Clone, Debug)]
pub struct BodyMesh {
    /// The file, as it was found.
    pub file: String,
    /// What the file holds.
    pub surface: Arc<Triangles>,
    /// Length of one unit of the file, m.
    pub unit: f64,
    /// Place of the file's origin, m.
    pub origin: [Slot; 3],
    /// Factors along the axes of the body.
    pub scale: [Slot; 3],
}

impl BodyMesh {
    /// The surface in the frame of its body, m. Where the factors mirror it, corners go round the other way.
    fn placed(&self, values: &[f64]) -> Triangles {
        let [origin, scale] = [self.origin, self.scale].map(|own| own.map(|slot| slot.get(values)));
        let vertices = self.surface.vertices.iter().map(|u| [0, 1, 2].map(|k| scale[k] * self.unit * u[k] + origin[k])).collect();
        let mirrored = scale.iter().product::<f64>() < 0.0;
        let triangles = self.surface.triangles.iter().map(|[a, b, c]| if mirrored { [*a, *c, *b] } else { [*a, *b, *c] }).collect();
        Triangles { vertices, triangles }
    }
}

/// A compiled model: constant, shared between threads, the same for all formulations.
#[derive(Clone, Debug)]
pub struct System {
    /// Name of the model.
    pub name: String,
    /// Topology, shared by all systems that differ in numbers only: what memory made for one of them is good for.
    pub skeleton: Arc<Skeleton>,
    /// Parts with parameter slots: the recipe for `numbers`.
    pub parts: Parts<Slot>,
    /// Parameters, by slot.
    pub parameters: Vec<Parameter>,
    /// Numbers for the parameters' values.
    pub numbers: Numbers<f64>,
    /// Names.
    pub names: Names,
    /// Ranges of tables that do not extend beyond their ends.
    pub bounds: Vec<Bound>,
    /// Functions that are asked for at the time.
    pub of_time: Vec<u32>,
    /// Markers.
    pub markers: Vec<Marker>,
    /// Rules for coordinates, one for every entry of q.
    pub coordinates: Vec<CoordinateRule>,
    /// Signs that reports use, by coordinate or by a word in the names of coordinates.
    pub report_signs: Vec<(String, f64)>,
    /// Distances that tell the size of bodies.
    pub measurements: Vec<MeasurementRule>,
    /// Pairs of frames between which angles and displacements are told.
    pub joint_angles: Vec<JointAngles>,
    /// What reports call elements, by `section.NAME`, where it is not the words of the name.
    pub report_labels: Vec<(String, String)>,
    /// Surfaces that bodies but the world are drawn with, by body from 1.
    pub meshes: Vec<Option<BodyMesh>>,
    /// Start.
    pub start: Start,
    /// Warnings of reading and compiling.
    pub warnings: Findings,
    /// The files, to show where warnings stand.
    pub sources: Arc<Sources>,
}

impl System {
    /// The surface that a body is drawn with, in its frame, m; the world has none.
    pub fn mesh(&self, body: usize) -> Option<Triangles> {
        let mesh = self.meshes.get(body.checked_sub(1)?)?.as_ref()?;
        let values: Vec<f64> = self.parameters.iter().map(|p| p.value).collect();
        Some(mesh.placed(&values))
    }

    /// Index of a parameter by path.
    pub fn parameter(&self, path: &str) -> Option<usize> {
        self.parameters.iter().position(|p| p.path == path)
    }

    /// The same system with other parameter values, in SI.
    pub fn with_parameters(&self, values: &[f64]) -> System {
        let mut system = self.clone();
        system.refill(values);
        system
    }

    /// Sets all parameters, in SI, in place: all numbers are those of a fresh compile, to the bit. Allocates nothing; memory made for this system stays good for it.
    ///
    /// # Panics
    /// Where there are not as many values as parameters.
    pub fn refill(&mut self, values: &[f64]) {
        assert_eq!(values.len(), self.parameters.len(), "a value for every parameter");
        for (parameter, value) in self.parameters.iter_mut().zip(values) {
            parameter.value = *value;
        }
        self.parts.fill(&self.skeleton, values, &mut self.numbers);
        self.parts.fill_markers(values, &mut self.markers);
    }

    /// Values of all parameters, in SI.
    pub fn values(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.value).collect()
    }

    /// Whether memory made for a skeleton is good for this system: it comes from the same compiled model, whatever its parameters. Of models compiled apart paths,
    /// pairs and tables may differ where the skeletons look alike, so that memory of one is never taken for the other.
    #[inline(always)]
    pub fn has_shape(&self, skeleton: &Arc<Skeleton>) -> bool {
        Arc::ptr_eq(skeleton, &self.skeleton)
    }

    /// The same system computed by the spatial kernel, whatever its dimension.
    pub fn spatial(&self) -> System {
        let mut system = self.clone();
        Arc::make_mut(&mut system.skeleton).planar = false;
        system
    }
}

/// All numbers of a system: the tree, its functions, forces and constraints.
#[derive(Clone, Debug)]
pub struct Numbers<C> {
    /// Rigid tree.
    pub tree: Constants<C>,
    /// Functions of one variable, by index.
    pub functions: Vec<Function<C>>,
    /// Paths and what they bend around.
    pub paths: Paths<C>,
    /// Body of each place.
    pub place_body: Vec<BodyIndex>,
    /// Force elements.
    pub forces: Forces<C>,
    /// Loops and guides.
    pub constraints: Constraints<C>,
    /// Surfaces and their contacts.
    pub contacts: Contacts<C>,
    /// States of force elements, then integrals, where the model starts.
    pub states: Vec<C>,
    /// Integrals of the user's own.
    pub integrals: Arc<Vec<Integral>>,
    /// Formulas of force elements and integrals.
    pub formulas: Arc<Formulas>,
    /// Numbers that formulas call by name.
    pub named: Vec<C>,
    /// Function of time that each control of a force element follows unless it is replaced.
    pub controls: Vec<u32>,
    /// Number of outputs of force elements, controls not counted.
    pub outputs: usize,
}

impl<C: Real> Numbers<C> {
    /// Numbers of no part yet, to be filled by the recipe.
    pub fn empty(skeleton: &Skeleton) -> Self {
        Numbers {
            tree: Constants::empty(skeleton),
            functions: Vec::new(),
            paths: Paths::default(),
            place_body: Vec::new(),
            forces: Forces::default(),
            constraints: Constraints::default(),
            contacts: Contacts::default(),
            states: Vec::new(),
            integrals: Arc::default(),
            formulas: Arc::default(),
            named: Vec::new(),
            controls: Vec::new(),
            outputs: 0,
        }
    }
}

impl<C> Numbers<C> {
    /// True when force elements or contacts may load the bodies, or integrals follow from what these see, or there are paths to be found.
    pub fn is_loaded(&self) -> bool {
        !(self.forces.is_empty() && self.contacts.is_empty() && self.integrals.is_empty() && self.paths.is_empty())
    }

    /// Adds the loads of all force elements and contacts; rates of states and integrals are found with them.
    #[inline(always)]
    pub fn apply_loads<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        self.forces.apply(scene, loads);
        if !self.contacts.is_empty() {
            self.contacts.apply(scene, loads);
        }
        if !self.integrals.is_empty() {
            integral::apply(&self.integrals, scene, loads);
        }
    }
}
