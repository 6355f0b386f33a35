//! From the recipe of soft parts and values of all parameters to the definition that the crate of soft bodies takes.
//! Not here: reading the recipe; what does not depend on numbers (`check`).
//! In: `Soft`, places and surfaces of the model, values. Out: `Definition`, or what does not go together.

use super::{LinePointPart, LoadFunctions, LoadPart, MaterialPart, Outline, Soft, SoftBodyPart, SoftFault, TargetPart};
use crate::contact::Surface;
use crate::parts::{Named, PlacePart, Slot};
use crate::system::System;
use borelli_contact::shape::{HalfSpace, Shape, Smooth};
use borelli_soft::definition::{Body, Contact, Definition, Line, LinePoint, Load, LoadKind, Support, Tie};
use borelli_soft::material::Material;
use borelli_soft::mesh::{Annulus, BadValue, Block, Disc, Mesh};
use borelli_soft::target::{self, BadTarget, Circle, Ellipse, Hermite, Side, Target};

impl System {
    /// True where the model has soft parts.
    pub fn has_soft(&self) -> bool {
        !self.parts.soft.is_empty()
    }

    /// The soft parts with the numbers that the parameters have now. Carriers are in the order of `parts.soft.carriers`, their frames are those of the
    /// model file (see `soft`); everything else is in the order of the model file.
    pub fn soft_definition(&self) -> Result<Definition, SoftFault> {
        let surfaces = &self.parts.contacts.surfaces;
        self.parts.soft.define(&self.parts.places, surfaces, &self.values())
    }

    /// The definition with what ties it to the system: bodies that are carriers, functions of time.
    pub fn soft_model(&self) -> Result<SoftModel, SoftFault> {
        let soft = &self.parts.soft;
        let load = |load: &Named<LoadPart>| match load.item.kind {
            LoadFunctions::Traction([x, y]) => [Some(x), Some(y)],
            LoadFunctions::Pressure(pressure) => [Some(pressure), None],
        };
        Ok(SoftModel {
            definition: self.soft_definition()?,
            carriers: soft.carriers.iter().map(|carrier| carrier.item).collect(),
            displacement: soft.supports.iter().map(|support| support.item.displacement).collect(),
            load: soft.loads.iter().map(load).collect(),
            paths: soft.lines.iter().map(|line| line.item.path).collect(),
        })
    }
}

/// Soft parts of a system for one set of numbers.
#[derive(Clone, Debug)]
pub struct SoftModel {
    /// What they are.
    pub definition: Definition,
    /// The rigid body of each carrier, by index into the tree; 0 is the world, which comes first.
    pub carriers: Vec<u32>,
    /// Functions of time of each support, by index: displacement along x and y, m; nothing: none.
    pub displacement: Vec<[Option<u32>; 2]>,
    /// Functions of time of each load, by index: force per area along x and y, or a pressure, Pa.
    pub load: Vec<[Option<u32>; 2]>,
    /// Path of the model that each path over nodes is.
    pub paths: Vec<u32>,
}

/// What is wrong with the soft parts of a system whose parameters were set: the soft part or material that is meant, and the fault.
pub(crate) fn misfit(system: &System) -> Option<(String, SoftFault)> {
    let fault = system.soft_definition().err()?;
    let what = match &fault {
        SoftFault::BadMesh { soft, .. } => format!("soft.{soft}"),
        SoftFault::NotBuilt { what, .. } => what.clone(),
        _ => String::new(),
    };
    Some((what, fault))
}

/// Position and angle of a place of the plane in the axes of its body.
fn pose(place: &PlacePart<Slot>, p: &[f64]) -> [f64; 3] {
    let (position, R) = place.pose(p);
    [position.x, position.y, R.x.y.atan2(R.x.x)]
}

/// A point given in the axes of a pose, in those around it.
fn carried([x, y, angle]: [f64; 3], point: [f64; 2]) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]]
}

impl MaterialPart {
    /// The material for values of the parameters.
    pub fn material(&self, name: &str, p: &[f64]) -> Result<Material, SoftFault> {
        let given: Vec<(&str, f64)> = self.law.parameters.iter().zip(&self.numbers).map(|(d, slot)| (d.name, slot.get(p))).collect();
        Material::new(self.law.name, &given)
            .map_err(|fault| SoftFault::NotBuilt { what: format!("material.{name}"), reason: fault.to_string() })
    }
}

impl SoftBodyPart {
    /// The mesh in its own axes, for values of the parameters.
    pub fn mesh(&self, p: &[f64]) -> Result<Mesh, BadValue> {
        let get = |slot: &Slot| slot.get(p);
        let two = |slots: &[Slot; 2]| slots.each_ref().map(get);
        match &self.outline {
            Outline::Annulus { inner, outer, direction, span, grading, divisions: [around, through] } => Annulus {
                centre: [0.0; 2],
                inner: get(inner),
                outer: get(outer),
                middle: get(direction),
                span: get(span),
                around: *around,
                through: *through,
                grading: get(grading),
            }
            .mesh(self.cells),
            Outline::Rectangle { corner, size, grading, divisions } => {
                let (corner, size) = (two(corner), two(size));
                if let Some(side) = size.into_iter().find(|side| !(*side > 0.0)) {
                    return Err(BadValue { field: "size", found: side, expected: "above 0 m" });
                }
                Block { grading: two(grading), ..Block::rectangle(corner, size, *divisions) }.mesh(self.cells)
            }
            Outline::Corners { corners, grading, divisions } => {
                Block { corners: corners.each_ref().map(two), divisions: *divisions, grading: two(grading) }.mesh(self.cells)
            }
            Outline::Disc { radius, part, grading, divisions: [along, core] } => {
                Disc { centre: [0.0; 2], radius: get(radius), part: *part, along: *along, core: *core, grading: get(grading) }
                    .mesh(self.cells)
            }
            Outline::File { mesh, unit } => {
                let (mut mesh, unit) = (Mesh::clone(mesh), get(unit));
                mesh.points.iter_mut().flatten().for_each(|x| *x *= unit);
                Ok(mesh)
            }
        }
    }
}

/// The name that a number of a generator has in model files.
pub(super) fn field_of(bad: &BadValue) -> &'static str {
    match bad.field {
        "inner" => "inner_radius",
        "outer" => "outer_radius",
        "middle" => "direction",
        "around" | "through" | "along" | "core" => "divisions",
        other => other,
    }
}

impl Soft {
    /// The definition for values of the parameters.
    pub(super) fn define(&self, places: &[PlacePart<Slot>], surfaces: &[Named<Surface<Slot>>], p: &[f64]) -> Result<Definition, SoftFault> {
        let materials = self.materials.iter().map(|m| m.item.material(&m.name, p)).collect::<Result<Vec<_>, _>>()?;
        let mut definition =
            Definition { carriers: self.carriers.iter().map(|carrier| carrier.name.clone()).collect(), ..Definition::default() };
        for Named { name, item } in &self.bodies {
            let mesh = item.mesh(p).map_err(|bad| SoftFault::BadMesh {
                soft: name.clone(),
                field: field_of(&bad),
                value: bad.found,
                expected: bad.expected,
            })?;
            let of_region: Vec<Material> = item.materials.iter().map(|k| materials[*k as usize]).collect();
            definition.bodies.push(Body {
                name: name.clone(),
                mesh,
                carrier: item.carrier,
                placement: pose(&item.place, p),
                density: of_region.iter().map(Material::density).collect(),
                materials: of_region,
                depth: item.depth.get(p),
                plane: item.plane,
                element: item.element,
            });
        }
        for Named { name, item } in &self.ties {
            definition.ties.push(Tie {
                name: name.clone(),
                of: item.of,
                to: item.to,
                method: item.method,
                stiffness: item.stiffness.get(p),
            });
        }
        definition.supports.extend(self.supports.iter().map(|s| Support { name: s.name.clone(), of: s.item.of, held: s.item.held }));
        definition.loads.extend(self.loads.iter().map(|load| {
            let kind = match load.item.kind {
                LoadFunctions::Traction(_) => LoadKind::Traction,
                LoadFunctions::Pressure(_) => LoadKind::Pressure,
            };
            Load { name: load.name.clone(), of: load.item.of, kind }
        }));
        for Named { name, item } in &self.lines {
            let point = |part: &LinePointPart| match *part {
                LinePointPart::Node { body, node } => LinePoint::Node { body, node },
                LinePointPart::Place { place, carrier } => {
                    let [x, y, _] = pose(&places[place as usize], p);
                    LinePoint::Carrier { carrier, point: [x, y] }
                }
            };
            let points = item.points.iter().map(point).collect();
            definition.lines.push(Line { name: name.clone(), points, damped: item.damped });
        }
        for Named { name, item } in &self.contacts {
            let side = if item.cavity { Side::Cavity } else { Side::Solid };
            let target = match &item.target {
                TargetPart::Surface(k) => of_surface(&surfaces[*k as usize], places, side, p)?,
                TargetPart::Curve { place, points, closed, alpha } => {
                    let frame = pose(place, p);
                    let points: Vec<[f64; 2]> = points.iter().map(|point| carried(frame, *point)).collect();
                    let alpha = alpha.get(p);
                    let curve = if *closed { Hermite::closed(&points, alpha, side) } else { Hermite::open(&points, alpha, None) };
                    Target::Hermite(curve.map_err(|bad| not_built(&format!("soft_contact.{name}"), &bad))?)
                }
            };
            definition.contacts.push(Contact {
                name: name.clone(),
                of: item.of,
                carrier: item.carrier,
                target,
                method: item.method,
                stiffness: item.stiffness.get(p),
            });
        }
        Ok(definition)
    }
}

/// A surface of the model as a target in the axes of its body.
fn of_surface(surface: &Named<Surface<Slot>>, places: &[PlacePart<Slot>], side: Side, p: &[f64]) -> Result<Target, SoftFault> {
    let frame = pose(&places[surface.item.place as usize], p);
    let centre = [frame[0], frame[1]];
    let target = match surface.item.shape.map(&mut |slot: &Slot| slot.get(p)) {
        Shape::Smooth(Smooth::Circle(circle)) => Circle::new(centre, circle.radius, side).map(Target::Circle),
        Shape::Smooth(Smooth::Ellipse(ellipse)) => Ellipse::new(centre, ellipse.semi_axes, frame[2], side).map(Target::Ellipse),
        Shape::HalfSpace(HalfSpace { normal: [x, y, _], height }) => {
            let [nx, ny] = [x / x.hypot(y), y / x.hypot(y)];
            let from = [height * nx, height * ny];
            // The body lies on the left of the way, against the outward normal.
            let to = [from[0] - ny, from[1] + nx];
            target::Line::through(carried(frame, from), carried(frame, to)).map(Target::Line)
        }
        other => return Err(SoftFault::NoTarget { surface: surface.name.clone(), shape: other.kind().name }),
    };
    target.map_err(|bad| not_built(&format!("surface.{}", surface.name), &bad))
}

fn not_built(what: &str, bad: &BadTarget) -> SoftFault {
    SoftFault::NotBuilt { what: what.into(), reason: bad.to_string() }
}
