//! What parts see while they are read: names to indices, quantities to parameter slots.
//! Not here: the parts themselves; each force, constraint and joint reads its own fields through this.
//! In: fields of one element. Out: slots, indices; faults go to the fields' findings.

use super::fault::Fault;
use super::formula::Waiting;
use super::function::{self, FunctionInfo};
use crate::force::{Own, Stop, Wrap};
use crate::parts::{FunctionPart, Named, Orientation, PlacePart, PointSlots, Slot};
use crate::system::{InsideName, Measure, Parameter};
use borelli_math::Mat3;
use borelli_model::{
    DataFiles, Dim, Dimension, Element, Fields, FunctionRef, MeshFile, Model, PlaceRef, Quantity, Range, Span, parse_unit, suggest,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A coordinate that elements can act on.
#[derive(Clone, Copy, Debug)]
pub struct Coordinate {
    /// Index into q.
    pub coord: u32,
    /// Index into v.
    pub dof: u32,
    /// Angle or length.
    pub measure: Measure,
}

/// Places of one body before the tree is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Spots {
    pub names: Vec<String>,
    pub places: Vec<([Slot; 3], Orientation<Slot>)>,
}

impl Spots {
    /// A place that was reported as faulty: its name is known, its numbers are never used.
    pub fn add_faulty(&mut self, name: &str) {
        self.names.push(name.to_string());
        self.places.push(([Slot::Const(0.0); 3], Orientation::Body));
    }
}

/// Names and numbers collected so far.
pub struct Context<'m> {
    /// Planar or spatial.
    pub dimension: Dimension,
    /// Parameters, by slot.
    pub(super) parameters: Vec<Parameter>,
    pub(super) spots: HashMap<String, Spots>,
    pub(super) body_names: Vec<String>,
    pub(super) bodies: HashMap<String, u32>,
    pub(super) joints: HashMap<String, u32>,
    pub(super) joint_names: Vec<String>,
    pub(super) coordinates: HashMap<String, Coordinate>,
    pub(super) quaternions: Vec<String>,
    /// Speeds of joints whose coordinates are a quaternion, with its first part.
    pub(super) turning: HashMap<String, Coordinate>,
    pub(super) places: Vec<PlacePart<Slot>>,
    pub(super) place_index: HashMap<PlaceKey, u32>,
    pub(super) function_elements: HashMap<&'m str, &'m Element>,
    pub(super) data: Arc<DataFiles>,
    pub(super) function_index: HashMap<String, u32>,
    pub(super) functions: Vec<FunctionPart<Slot>>,
    pub(super) function_info: Vec<FunctionInfo>,
    /// Tables of files in degrees that are used as angles: the same table in radians.
    pub(super) radians: HashMap<u32, u32>,
    /// Functions asked for at the time.
    pub(super) of_time: Vec<u32>,
    pub(super) paths: HashMap<String, u32>,
    /// What each path passes, and where that stands in the file.
    pub(super) path_stops: Vec<Vec<Stop<Slot>>>,
    pub(super) path_spans: Vec<Vec<Span>>,
    /// Conditional points, by path and stop, whose jumps were accepted.
    pub(super) accepted_jumps: Vec<(usize, usize)>,
    /// Paths that were read and found at fault.
    pub(super) faulty_paths: Vec<String>,
    pub(super) wraps: Vec<Named<Wrap<Slot>>>,
    pub(super) wrap_index: HashMap<String, u32>,
    /// Paths that run over nodes of soft parts, whose places are found when those are read.
    pub(crate) soft_paths: Vec<SoftPath>,
    /// Kind of each body's joint, by its name in the registry.
    pub(super) joint_kinds: Vec<&'static str>,
    /// Parent of each body in tree order, world first.
    pub(super) parent: Vec<u32>,
    /// Bodies (by place in the file) whose joint is at fault.
    pub(super) excused: HashSet<usize>,
    /// States of force elements, then integrals, and where they start, controls and the functions that they follow, outputs.
    pub(super) states: Vec<(InsideName, Slot)>,
    pub(super) controls: Vec<(InsideName, u32)>,
    pub(super) outputs: Vec<InsideName>,
    /// Bodies whose inertia the file leaves out.
    pub(super) without_inertia: Vec<String>,
    /// Formulas that wait, and the numbers that they call by name.
    pub(super) formulas: Vec<Waiting>,
    pub(super) named: Vec<Slot>,
    /// Start values of elements that `[initial]` gives.
    pub(super) starts: Vec<StartValue>,
}

/// A start value of an element.
pub(super) struct StartValue {
    /// Table of `[initial]`.
    pub(super) table: &'static str,
    pub(super) element: String,
    pub(super) at: Span,
    pub(super) slot: Slot,
    /// Whether an element took it.
    pub(super) used: bool,
}

/// A path that runs over nodes of soft parts, as it is written.
pub(crate) struct SoftPath {
    pub(crate) name: String,
    /// Among all paths.
    pub(crate) path: u32,
    pub(crate) points: Vec<(SoftPathPoint, Span)>,
}

/// A point of such a path.
pub(crate) enum SoftPathPoint {
    /// A place on a body.
    Place(u32),
    /// A soft part and what names a node of it: `outer.3`.
    Node(String, String),
}

type PlaceKey = (u32, Option<String>);

impl<'m> Context<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Context {
            dimension: model.dimension,
            parameters: Vec::new(),
            spots: HashMap::new(),
            body_names: Vec::new(),
            bodies: HashMap::new(),
            joints: HashMap::new(),
            joint_names: Vec::new(),
            coordinates: HashMap::new(),
            quaternions: Vec::new(),
            turning: HashMap::new(),
            places: Vec::new(),
            place_index: HashMap::new(),
            function_elements: model.functions.iter().map(|f| (f.name.as_str(), f)).collect(),
            data: model.data.clone(),
            function_index: HashMap::new(),
            functions: Vec::new(),
            function_info: Vec::new(),
            radians: HashMap::new(),
            of_time: Vec::new(),
            paths: HashMap::new(),
            path_stops: Vec::new(),
            path_spans: Vec::new(),
            accepted_jumps: Vec::new(),
            faulty_paths: Vec::new(),
            wraps: Vec::new(),
            wrap_index: HashMap::new(),
            soft_paths: Vec::new(),
            joint_kinds: Vec::new(),
            parent: Vec::new(),
            excused: HashSet::new(),
            states: Vec::new(),
            controls: Vec::new(),
            outputs: Vec::new(),
            without_inertia: Vec::new(),
            formulas: Vec::new(),
            named: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// True for planar models.
    pub fn planar(&self) -> bool {
        self.dimension == Dimension::Planar
    }

    /// Registers a parameter and gives its slot.
    pub(crate) fn parameter(&mut self, path: String, value: f64, unit: &str) -> Slot {
        self.parameter_in(path, value, unit, Range::ANY)
    }

    /// Registers a parameter that is kept to a range.
    pub(crate) fn parameter_in(&mut self, path: String, value: f64, unit: &str, range: Range) -> Slot {
        self.parameters.push(Parameter { path, value, unit: unit.to_string(), range });
        Slot::Param(self.parameters.len() as u32 - 1)
    }

    /// The value that a slot has in the file.
    pub(crate) fn value(&self, slot: Slot) -> f64 {
        match slot {
            Slot::Param(k) => self.parameters[k as usize].value,
            Slot::Const(value) => value,
        }
    }

    /// A quantity of the element as a parameter `section.name.field`.
    pub fn quantity(&mut self, fields: &Fields, name: &str, unit: &str) -> Option<Slot> {
        self.quantity_at(fields, &fields.element().path(), name, unit)
    }

    pub(crate) fn quantity_at(&mut self, fields: &Fields, path: &str, name: &str, unit: &str) -> Option<Slot> {
        let quantity = fields.quantity(name)?;
        Some(self.parameter_in(format!("{path}.{name}"), quantity.value, unit, fields.range(name)))
    }

    /// Reports a field that exists only in spatial models.
    pub fn only_spatial(&self, fields: &mut Fields, field: &'static str) {
        fields.fault(field, &Fault::FieldOfOtherDimension { field, dimension: "planar" });
    }

    /// Reports a field that exists only in planar models.
    pub fn only_planar(&self, fields: &mut Fields, field: &'static str) {
        fields.fault(field, &Fault::FieldOfOtherDimension { field, dimension: "spatial" });
    }

    /// A quantity whose unit depends on what the coordinate measures: `angle` or `length` unit.
    pub fn quantity_of(&mut self, fields: &mut Fields, name: &str, measure: Measure, units: [&str; 2]) -> Option<Slot> {
        let unit = if measure == Measure::Angle { units[0] } else { units[1] };
        let quantity = fields.quantity_in(name, unit)?;
        Some(self.parameter_in(format!("{}.{name}", fields.element().path()), quantity.value, unit, fields.range(name)))
    }

    /// A function of time whose unit depends on what the coordinate measures: `angle` or `length` unit.
    pub fn function_of(&mut self, fields: &mut Fields, name: &str, measure: Measure, units: [&str; 2]) -> Option<u32> {
        let unit = if measure == Measure::Angle { units[0] } else { units[1] };
        fields.function_in(name, unit)?;
        self.function(fields, name, "s", unit)
    }

    /// A vector field as three parameters `section.name.field.x` ...; the third is the constant zero in the plane.
    pub fn vector(&mut self, fields: &Fields, name: &str, unit: &str) -> Option<[Slot; 3]> {
        let values = fields.vector(name)?;
        let path = format!("{}.{name}", fields.element().path());
        Some(self.vector_parameters(&path, &values, unit))
    }

    pub(super) fn vector_parameters(&mut self, path: &str, values: &[Quantity], unit: &str) -> [Slot; 3] {
        let mut slots = [Slot::Const(0.0); 3];
        for (k, value) in values.iter().take(3).enumerate() {
            slots[k] = self.parameter(format!("{path}.{}", ["x", "y", "z"][k]), value.value, unit);
        }
        slots
    }

    /// A coordinate by name; parts of quaternions are refused.
    pub fn coordinate(&mut self, fields: &mut Fields, name: &str) -> Option<Coordinate> {
        let (found, _) = fields.name(name)?;
        self.coordinate_named(&found).map_err(|fault| fields.fault(name, &fault)).ok()
    }

    pub(crate) fn coordinate_named(&self, found: &str) -> Result<Coordinate, Fault> {
        if let Some(coordinate) = self.coordinates.get(found) {
            return Ok(*coordinate);
        }
        if self.quaternions.iter().any(|q| q == found) {
            return Err(Fault::Quaternion { coordinate: found.to_string() });
        }
        let mut known: Vec<&str> = self.coordinates.keys().map(String::as_str).collect();
        known.sort_unstable();
        let nearest = suggest(found, known.into_iter()).map(str::to_string);
        Err(Fault::UnknownCoordinate { found: found.to_string(), nearest })
    }

    /// A coordinate, or an angular velocity of a joint that turns by a quaternion: what an effort can act on.
    pub fn coordinate_or_speed(&mut self, fields: &mut Fields, name: &str) -> Option<Coordinate> {
        let (found, _) = fields.name(name)?;
        match self.turning.get(&found) {
            Some(speed) => Some(*speed),
            None => self.coordinate(fields, name),
        }
    }

    /// A body by name.
    pub fn body(&mut self, fields: &mut Fields, name: &str) -> Option<u32> {
        let (found, _) = fields.name(name)?;
        self.body_named(&found).map_err(|fault| fields.fault(name, &fault)).ok()
    }

    pub(super) fn body_named(&self, found: &str) -> Result<u32, Fault> {
        self.bodies.get(found).copied().ok_or_else(|| self.unknown_body(found))
    }

    pub(crate) fn unknown_body(&self, found: &str) -> Fault {
        let nearest = suggest(found, self.body_names.iter().map(String::as_str)).map(str::to_string);
        Fault::UnknownBody { found: found.to_string(), nearest, known: self.body_names.clone() }
    }

    /// Position and axes of a place in its body's frame.
    pub(super) fn spot(&self, place: &PlaceRef) -> Result<([Slot; 3], Orientation<Slot>), Fault> {
        let Some(spots) = self.spots.get(&place.body) else {
            return Err(self.unknown_body(&place.body));
        };
        let Some(name) = &place.spot else {
            return Ok(([Slot::Const(0.0); 3], Orientation::Body));
        };
        match spots.names.iter().position(|n| n == name) {
            Some(k) => Ok(spots.places[k]),
            None => Err(Fault::UnknownSpot {
                body: place.body.clone(),
                found: name.clone(),
                nearest: suggest(name, spots.names.iter().map(String::as_str)).map(str::to_string),
                known: spots.names.clone(),
            }),
        }
    }

    /// A place that no list of places holds.
    pub(crate) fn place_part(&self, place: &PlaceRef) -> Result<PlacePart<Slot>, Fault> {
        let (position, orientation) = self.spot(place)?;
        Ok(PlacePart { body: self.body_named(&place.body)?, position, orientation })
    }

    /// Index of a body, if there is one of that name.
    pub(crate) fn body_index(&self, name: &str) -> Option<u32> {
        self.bodies.get(name).copied()
    }

    /// The mesh that the text at a place names; nothing where it could not be read.
    pub(crate) fn mesh_file(&self, at: Span) -> Option<Arc<MeshFile>> {
        self.data.mesh_at(at).cloned()
    }

    /// A function by index.
    pub(crate) fn function_part(&self, function: u32) -> &FunctionPart<Slot> {
        &self.functions[function as usize]
    }

    /// Index of a place, the same for the same place.
    pub(super) fn place_at(&mut self, place: &PlaceRef) -> Result<u32, Fault> {
        let (position, orientation) = self.spot(place)?;
        let body = self.body_named(&place.body)?;
        let key = (body, place.spot.clone());
        if let Some(index) = self.place_index.get(&key) {
            return Ok(*index);
        }
        let index = self.places.len() as u32;
        self.places.push(PlacePart { body, position, orientation });
        self.place_index.insert(key, index);
        Ok(index)
    }

    /// A place.
    pub fn place(&mut self, fields: &mut Fields, name: &str) -> Option<u32> {
        let (place, _) = fields.place(name)?;
        self.place_at(&place).map_err(|fault| fields.fault(name, &fault)).ok()
    }

    /// Three axes (0, 1, 2 for x, y, z) from the field `sequence`; zxy unless given.
    pub(crate) fn sequence(&self, fields: &mut Fields) -> Option<[usize; 3]> {
        let text = fields.text("sequence").map_or("zxy", |(text, _)| text);
        let axes: Option<Vec<usize>> = text.chars().map(|letter| "xyz".find(letter)).collect();
        let axes = axes.and_then(|axes| <[usize; 3]>::try_from(axes).ok());
        let axes = axes.filter(|axes| axes[0] != axes[1] && axes[1] != axes[2]);
        if axes.is_none() {
            fields.fault("sequence", &Fault::BadSequence { found: text.to_string() });
        }
        axes
    }

    /// A place that only one element has, given by its position in body axes.
    pub(crate) fn own_place(&mut self, body: u32, position: [Slot; 3]) -> u32 {
        self.places.push(PlacePart { body, position, orientation: Orientation::Body });
        self.places.len() as u32 - 1
    }

    /// Values of all parameters so far.
    pub(crate) fn values(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.value).collect()
    }

    /// Axes of a place in those of its body, for values of the parameters.
    pub(crate) fn axes_in_body(&self, place: u32, values: &[f64]) -> Mat3<f64> {
        self.places[place as usize].pose(values).1
    }

    /// Body of a place.
    pub fn body_of(&self, place: u32) -> u32 {
        self.places[place as usize].body
    }

    /// The places `a` and `b` of a loop, on two different bodies.
    pub fn two_places(&mut self, fields: &mut Fields) -> Option<(u32, u32)> {
        let (a, b) = (self.place(fields, "a"), self.place(fields, "b"));
        let (a, b) = (a?, b?);
        if self.body_of(a) == self.body_of(b) {
            let body = self.body_name(self.body_of(a));
            fields.fault("b", &Fault::SameBody { body });
            return None;
        }
        Some((a, b))
    }

    /// Name of a body by index.
    pub fn body_name(&self, body: u32) -> String {
        if body == 0 { "world".to_string() } else { self.body_names[body as usize - 1].clone() }
    }

    /// The body that a joint carries, by the joint's name.
    pub fn joint(&mut self, fields: &mut Fields, name: &str) -> Option<u32> {
        let (found, _) = fields.name(name)?;
        match self.joints.get(&found) {
            Some(body) => Some(*body),
            None => {
                let nearest = suggest(&found, self.joint_names.iter().map(String::as_str)).map(str::to_string);
                fields.fault(name, &Fault::UnknownJoint { found, nearest });
                None
            }
        }
    }

    /// Type of the joint that carries a body.
    pub fn joint_kind(&self, body: u32) -> &'static str {
        self.joint_kinds[body as usize - 1]
    }

    /// Parent of a body.
    pub fn parent_of(&self, body: u32) -> u32 {
        self.parent[body as usize]
    }

    /// A path by name.
    pub fn path(&mut self, fields: &mut Fields, name: &str) -> Option<u32> {
        let (found, _) = fields.name(name)?;
        match self.paths.get(&found) {
            Some(path) => Some(*path),
            None if self.faulty_paths.contains(&found) => None,
            None => {
                let mut known: Vec<&str> = self.paths.keys().map(String::as_str).collect();
                known.sort_unstable();
                let nearest = suggest(&found, known.into_iter()).map(str::to_string);
                fields.fault(name, &Fault::UnknownPath { found, nearest });
                None
            }
        }
    }

    /// What a path passes.
    pub(crate) fn path_stops(&self, path: u32) -> &[Stop<Slot>] {
        &self.path_stops[path as usize]
    }

    pub(super) fn unknown_wrap(&self, found: String) -> Fault {
        let nearest = suggest(&found, self.wraps.iter().map(|wrap| wrap.name.as_str())).map(str::to_string);
        Fault::UnknownWrap { found, nearest }
    }

    /// The function that is zero everywhere.
    pub(super) fn zero_function(&mut self) -> u32 {
        self.add_function(FunctionPart::Constant(Slot::Const(0.0)), FunctionInfo::constant("0"))
    }

    /// A quantity that has a value of its own where the file has none; a parameter in both cases.
    pub(crate) fn quantity_or(&mut self, fields: &Fields, name: &str, unit: &str, default: f64) -> Option<Slot> {
        if fields.has(name) {
            return self.quantity(fields, name, unit);
        }
        Some(self.parameter_in(format!("{}.{name}", fields.element().path()), default, unit, fields.range(name)))
    }

    /// A list of so many numbers without unit as parameters `section.name.field.1` …; the given ones where the file has none.
    pub(crate) fn number_list<const K: usize>(&mut self, fields: &mut Fields, name: &'static str, default: [f64; K]) -> Option<[Slot; K]> {
        let mut values = default;
        if fields.has(name) {
            let found = fields.numbers(name)?;
            if found.len() != K {
                fields.fault(name, &Fault::WrongCount { what: "numbers", expected: K, found: found.len() });
                return None;
            }
            values = std::array::from_fn(|k| found[k].value);
        }
        let path = fields.element().path();
        Some(std::array::from_fn(|k| self.parameter(format!("{path}.{name}.{}", k + 1), values[k], "1")))
    }

    /// Warns of a strain of tissue that is rather a percentage without its sign.
    pub(crate) fn doubt_strain(&self, fields: &mut Fields, field: &'static str, strain: Option<Slot>) {
        // Tendons and ligaments tear at less than a third of it.
        const LARGE: f64 = 0.5;
        if let Some(found) = strain.map(|slot| self.value(slot)).filter(|found| *found > LARGE) {
            fields.fault(field, &Fault::LargeStrain { found });
        }
    }

    /// A start value of `[initial]`, by table and element; a parameter `initial.table.element`.
    pub(crate) fn start_value(&mut self, table: &'static str, element: &str) -> Option<Slot> {
        let own = self.starts.iter_mut().find(|own| own.table == table && own.element == element)?;
        own.used = true;
        Some(own.slot)
    }

    /// A function whose values are in `unit`, of an argument in `argument`.
    pub fn function(&mut self, fields: &mut Fields, name: &str, argument: &str, unit: &str) -> Option<u32> {
        let reference = fields.function(name)?;
        let path = format!("{}.{name}", fields.element().path());
        let at = fields.span_of(name);
        self.function_reference(fields, name, at, &path, reference, argument, unit)
    }

    /// Declares a state of the element with where it starts; its index in z.
    pub fn state(&mut self, fields: &Fields, name: &'static str, unit: &'static str, start: Slot) -> u32 {
        self.states.push((InsideName { element: fields.element().path(), name, unit: unit.into() }, start));
        self.states.len() as u32 - 1
    }

    /// Number of states and of controls declared so far.
    pub(crate) fn inside(&self) -> (usize, usize) {
        (self.states.len(), self.controls.len())
    }

    /// States and controls declared since then.
    pub(crate) fn own_since(&self, (states, controls): (usize, usize)) -> Own {
        Own { states: states..self.states.len(), controls: controls..self.controls.len() }
    }

    /// Declares an output of the element beside its states; its index.
    pub fn output(&mut self, fields: &Fields, name: &'static str, unit: &'static str) -> u32 {
        self.outputs.push(InsideName { element: fields.element().path(), name, unit: unit.into() });
        self.outputs.len() as u32 - 1
    }

    /// Declares a control of the element: a field that takes a number, a function of time or a column of a table. Its index in u.
    pub fn control(&mut self, fields: &mut Fields, field: &'static str, unit: &'static str) -> Option<u32> {
        let function = self.function(fields, field, "s", unit)?;
        self.controls.push((InsideName { element: fields.element().path(), name: field, unit: unit.into() }, function));
        Some(self.controls.len() as u32 - 1)
    }

    /// The same for a field that is a constant where the file has none.
    pub(crate) fn control_or(&mut self, fields: &mut Fields, field: &'static str, unit: &'static str, default: f64) -> Option<u32> {
        if fields.has(field) {
            return self.control(fields, field, unit);
        }
        let element = fields.element().path();
        let path = format!("{element}.{field}");
        let slot = self.parameter(path.clone(), default, unit);
        let function = self.add_function(FunctionPart::Constant(slot), FunctionInfo::constant(&path));
        self.controls.push((InsideName { element, name: field, unit: unit.into() }, function));
        Some(self.controls.len() as u32 - 1)
    }

    /// A list of functions.
    pub fn functions(&mut self, fields: &mut Fields, name: &str, argument: &str, unit: &str) -> Option<Vec<u32>> {
        let references = fields.functions(name)?;
        let at = fields.span_of(name);
        let mut out = Vec::new();
        let mut complete = true;
        for (k, reference) in references.into_iter().enumerate() {
            let path = format!("{}.{name}.{}", fields.element().path(), k + 1);
            match self.function_reference(fields, name, at, &path, reference, argument, unit) {
                Some(function) => out.push(function),
                None => complete = false,
            }
        }
        complete.then_some(out)
    }

    /// A function from a reference; checks that its values and argument fit.
    pub(crate) fn function_reference(
        &mut self,
        fields: &mut Fields,
        field: &str,
        at: Span,
        path: &str,
        reference: FunctionRef,
        argument: &str,
        unit: &str,
    ) -> Option<u32> {
        let (index, at) = match reference {
            FunctionRef::Constant(quantity) => {
                let slot = self.parameter(path.to_string(), quantity.value, unit);
                return Some(self.add_function(FunctionPart::Constant(slot), FunctionInfo::constant(path)));
            }
            FunctionRef::Inline(element) => {
                let at = element.at;
                let dimension = self.dimension;
                (function::read(&element, path, dimension, self, fields.findings())?, at)
            }
            FunctionRef::Named(name, at_name) => {
                let at = if at_name == at { at } else { at_name };
                if let Some(index) = self.function_index.get(&name) {
                    (*index, at)
                } else {
                    let mut known: Vec<&str> = self.function_elements.keys().copied().collect();
                    known.sort_unstable();
                    // A function that exists but was at fault has been reported already.
                    if !self.function_elements.contains_key(name.as_str()) {
                        let nearest = suggest(&name, known.into_iter()).map(str::to_string);
                        let element = fields.element();
                        fields.findings().push(at, element, field, &Fault::UnknownFunction { found: name, nearest });
                    }
                    return None;
                }
            }
        };
        let wanted = |text: &str| parse_unit(text).map(|(_, dim)| dim).unwrap_or(Dim::NONE);
        let index = self.in_degrees(index, wanted(unit));
        let info = &self.function_info[index as usize];
        let element = fields.element();
        let faults = [info.check_value(wanted(unit), unit), info.check_argument(wanted(argument), argument)];
        for fault in faults.iter().flatten() {
            fields.findings().push(at, element, field, fault);
        }
        if argument == "s" && !self.of_time.contains(&index) {
            self.of_time.push(index);
        }
        faults.iter().all(Option::is_none).then_some(index)
    }

    /// The function to take where an angle, its rate or acceleration is wanted: that in radians of a table whose file is in degrees, made once.
    fn in_degrees(&mut self, index: u32, wanted: Dim) -> u32 {
        let info = &self.function_info[index as usize];
        let (Some(turned), FunctionPart::Table(table, points)) = (info.in_radians(wanted), &self.functions[index as usize]) else {
            return index;
        };
        if let Some(known) = self.radians.get(&index) {
            return *known;
        }
        let factor = std::f64::consts::PI / 180.0;
        let table = Arc::new(table.scaled(factor));
        let points = points.as_ref().map(|points| Arc::new(PointSlots { factor, ..(**points).clone() }));
        let made = self.add_function(FunctionPart::Table(table, points), turned);
        self.radians.insert(index, made);
        made
    }

    pub(super) fn add_function(&mut self, part: FunctionPart<Slot>, info: FunctionInfo) -> u32 {
        self.functions.push(part);
        self.function_info.push(info);
        self.functions.len() as u32 - 1
    }

    /// What is known of a function: name, continuity.
    pub fn function_info(&self, function: u32) -> &FunctionInfo {
        &self.function_info[function as usize]
    }
}
