//! Nodes, elements and physical groups of a mesh file, as they stand in it, for both versions of the format.
//! Not here: whether they make a mesh.
//! In: sections. Out: nodes by tag, cells and lines with their groups and line numbers.
//!
//! Version 2.2 gives each element a list of numbers, the first of which is its physical group, 0 for none. Version 4.1 gives elements in blocks by the
//! entity (point, curve, surface) they lie on; `$Entities` says which groups each entity belongs to.

use super::section::{Fields, Section, sections, shortened};
use super::{Fault, MAX_BYTES};
use crate::mesh::{Edge, MAX_NODES, Shape};
use std::collections::HashMap;

/// A node as it stands in the file.
pub(super) struct Node {
    pub tag: u64,
    pub at: [f64; 3],
    pub line: usize,
}

/// A cell or a line of the file; nodes are counted in the order of the file.
pub(super) struct Element<T> {
    pub what: T,
    pub group: u64,
    pub line: usize,
}

/// What stands in a file.
#[derive(Default)]
pub(super) struct Contents {
    pub nodes: Vec<Node>,
    index: HashMap<u64, u32>,
    /// Names of groups, by dimension and number.
    names: HashMap<(u64, u64), String>,
    /// Groups of entities, by dimension and tag.
    entities: HashMap<(u64, u64), Vec<u64>>,
    pub cells: Vec<Element<(Shape, [u32; 8])>>,
    pub edges: Vec<Element<Edge>>,
    /// The last line.
    pub last: usize,
}

enum Kind {
    Point,
    Line { nodes: usize },
    Cell(Shape),
    Solid(&'static str),
    Unknown(&'static str),
}

/// What the number of an element type stands for.
fn kind(number: u64) -> Kind {
    match number {
        1 => Kind::Line { nodes: 2 },
        8 => Kind::Line { nodes: 3 },
        2 => Kind::Cell(Shape::T3),
        3 => Kind::Cell(Shape::Q4),
        9 => Kind::Cell(Shape::T6),
        16 => Kind::Cell(Shape::Q8),
        15 => Kind::Point,
        4 | 11 | 29..=31 => Kind::Solid("tetrahedron"),
        5 | 12 | 17 | 92 | 93 => Kind::Solid("hexahedron"),
        6 | 13 | 18 => Kind::Solid("prism"),
        7 | 14 | 19 => Kind::Solid("pyramid"),
        10 => Kind::Unknown("quadrilateral with nine nodes"),
        20..=25 => Kind::Unknown("triangle of order three or more"),
        26..=28 => Kind::Unknown("line of order three or more"),
        36..=41 => Kind::Unknown("quadrilateral of order three or more"),
        _ => Kind::Unknown("not known"),
    }
}

impl Contents {
    pub fn read(text: &str) -> Result<Contents, Fault> {
        if text.len() > MAX_BYTES {
            return Err(Fault::TooMany { line: 0, what: "bytes", found: text.len() as u64, limit: MAX_BYTES });
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // a binary file is recognised before its bytes are taken for sections
        let version = version(text)?;
        let (list, last) = sections(text)?;
        let find = |name: &str| list.iter().find(|section| section.name == name);
        let need = |section: &'static str| find(section).ok_or(Fault::MissingSection { line: last, section });
        let mut contents = Contents { last, ..Contents::default() };
        if let Some(section) = find("PhysicalNames") {
            contents.read_names(section)?;
        }
        let [nodes, elements] = [need("Nodes")?, need("Elements")?];
        match version {
            Version::Two => {
                contents.read_nodes_2(nodes)?;
                contents.read_elements_2(elements)?;
            }
            Version::Four => {
                contents.read_entities(need("Entities")?)?;
                contents.read_nodes_4(nodes)?;
                contents.read_elements_4(elements)?;
            }
        }
        Ok(contents)
    }

    /// The name of a group; groups without a name go by their number.
    pub fn name(&self, dimension: u64, group: u64) -> String {
        self.names.get(&(dimension, group)).cloned().unwrap_or_else(|| group.to_string())
    }

    fn read_names(&mut self, section: &Section) -> Result<(), Fault> {
        let mut lines = section.lines();
        let count = counted(&mut lines.next("number of names")?, "number of names")?;
        for _ in 0..count {
            let mut fields = lines.next("dimension, number and name of a physical group")?;
            let key = (fields.count("dimension of a physical group")?, fields.group()?);
            fields.word("name of a physical group in quotes")?;
            // names may hold spaces
            let name = fields.text.split_once('"').and_then(|(_, rest)| rest.strip_suffix('"')).map(str::trim).unwrap_or("");
            if name.is_empty() {
                return Err(Fault::EmptyName { line: fields.line });
            }
            self.names.insert(key, name.into());
        }
        lines.finish()
    }

    fn read_entities(&mut self, section: &Section) -> Result<(), Fault> {
        let mut lines = section.lines();
        let mut head = lines.next("numbers of points, curves, surfaces and volumes")?;
        let counts = [head.count("number of points")?, head.count("number of curves")?, head.count("number of surfaces")?];
        let volumes = head.count("number of volumes")?;
        for (dimension, count) in counts.into_iter().chain([volumes]).enumerate() {
            for _ in 0..count {
                let mut fields = lines.next("an entity")?;
                let tag = fields.group()?;
                fields.skip(if dimension == 0 { 3 } else { 6 }, "bounds of an entity")?;
                let number = fields.count("number of physical groups")?;
                let mut groups = Vec::new();
                for _ in 0..number {
                    groups.push(fields.group()?);
                }
                // the entities that bound it follow; they are not needed
                self.entities.insert((dimension as u64, tag), groups);
            }
        }
        lines.finish()
    }

    fn read_nodes_2(&mut self, section: &Section) -> Result<(), Fault> {
        let mut lines = section.lines();
        let count = counted(&mut lines.next("number of nodes")?, "number of nodes")?;
        self.nodes.reserve(count.min(section.room(8)));
        for _ in 0..count {
            let mut fields = lines.next("a node")?;
            let tag = fields.count("tag of a node")?;
            self.add_node(tag, &mut fields)?;
            fields.finish()?;
        }
        lines.finish()
    }

    fn read_nodes_4(&mut self, section: &Section) -> Result<(), Fault> {
        let mut lines = section.lines();
        let mut head = lines.next("numbers of blocks and nodes")?;
        let head_line = head.line;
        let blocks = head.count("number of blocks")?;
        let total = counted(&mut head, "number of nodes")?;
        self.nodes.reserve(total.min(section.room(8)));
        let mut tags = Vec::new();
        for _ in 0..blocks {
            let mut fields = lines.next("a block of nodes")?;
            fields.skip(2, "entity of a block")?;
            let parametric = fields.count("flag of parameters")? != 0;
            let count = counted(&mut fields, "number of nodes")?;
            fields.finish()?;
            tags.clear();
            for _ in 0..count {
                let mut fields = lines.next("tag of a node")?;
                tags.push(fields.count("tag of a node")?);
                fields.finish()?;
            }
            for &tag in &tags {
                let mut fields = lines.next("coordinates of a node")?;
                self.add_node(tag, &mut fields)?;
                if !parametric {
                    fields.finish()?;
                }
            }
        }
        check_total(head_line, "number of nodes", total, self.nodes.len())?;
        lines.finish()
    }

    fn add_node(&mut self, tag: u64, fields: &mut Fields) -> Result<(), Fault> {
        let line = fields.line;
        let at = [fields.real("x")?, fields.real("y")?, fields.real("z")?];
        if self.nodes.len() >= MAX_NODES {
            return Err(Fault::TooMany { line, what: "nodes", found: self.nodes.len() as u64 + 1, limit: MAX_NODES });
        }
        if self.index.insert(tag, self.nodes.len() as u32).is_some() {
            return Err(Fault::RepeatedNode { line, tag });
        }
        self.nodes.push(Node { tag, at, line });
        Ok(())
    }

    fn read_elements_2(&mut self, section: &Section) -> Result<(), Fault> {
        let mut lines = section.lines();
        let count = lines.next("number of elements")?.count("number of elements")?;
        for _ in 0..count {
            let mut fields = lines.next("an element")?;
            fields.skip(1, "tag of an element")?;
            let number = fields.count("type of an element")?;
            let numbers = fields.count("number of tags")?;
            let group = if numbers > 0 { fields.group()? } else { 0 };
            fields.skip(numbers.saturating_sub(1), "tag of an element")?;
            let groups: &[u64] = if group > 0 { &[group] } else { &[] };
            self.add_element(number, groups, fields)?;
        }
        lines.finish()
    }

    fn read_elements_4(&mut self, section: &Section) -> Result<(), Fault> {
        let mut lines = section.lines();
        let mut head = lines.next("numbers of blocks and elements")?;
        let head_line = head.line;
        let [blocks, total] = [head.count("number of blocks")?, head.count("number of elements")?];
        let mut read = 0;
        for _ in 0..blocks {
            let mut fields = lines.next("a block of elements")?;
            let entity = (fields.count("dimension of an entity")?, fields.group()?);
            let number = fields.count("type of an element")?;
            let count = fields.count("number of elements")?;
            fields.finish()?;
            let groups = self.entities.get(&entity).cloned().unwrap_or_default();
            for _ in 0..count {
                let mut fields = lines.next("an element")?;
                fields.skip(1, "tag of an element")?;
                self.add_element(number, &groups, fields)?;
                read += 1;
            }
        }
        check_total(head_line, "number of elements", total as usize, read)?;
        lines.finish()
    }

    /// An element with its groups; `fields` holds its nodes.
    fn add_element(&mut self, number: u64, groups: &[u64], mut fields: Fields) -> Result<(), Fault> {
        let line = fields.line;
        let count = match kind(number) {
            Kind::Point => return Ok(()),
            Kind::Line { nodes } => nodes,
            Kind::Cell(shape) => shape.nodes(),
            Kind::Solid(name) => return Err(Fault::NotPlanar { line, number, name }),
            Kind::Unknown(name) => return Err(Fault::UnknownType { line, number, name }),
        };
        let mut nodes = [0; 8];
        for slot in &mut nodes[..count] {
            let tag = fields.count("node of an element")?;
            *slot = *self.index.get(&tag).ok_or(Fault::UndefinedNode { line, tag })?;
        }
        fields.finish()?;
        match (kind(number), groups) {
            (Kind::Cell(shape), &[group]) => self.cells.push(Element { what: (shape, nodes), group, line }),
            (Kind::Cell(_), &[]) => return Err(Fault::NoGroup { line }),
            (Kind::Cell(_), &[a, b, ..]) => return Err(Fault::TwoGroups { line, names: [a, b].map(|group| self.name(2, group)) }),
            // lines without a group bound no part that has a name
            _ => {
                let edge = Edge { ends: [nodes[0], nodes[1]], middle: (count == 3).then_some(nodes[2]) };
                self.edges.extend(groups.iter().map(|&group| Element { what: edge, group, line }));
            }
        }
        Ok(())
    }
}

pub(super) enum Version {
    Two,
    Four,
}

/// The version, from the section `$MeshFormat`.
pub(super) fn version(text: &str) -> Result<Version, Fault> {
    let mut lines = text.lines().enumerate().map(|(k, line)| (k + 1, line.trim()));
    let Some((head, _)) = lines.find(|(_, line)| *line == "$MeshFormat") else {
        let found = text.trim_start().lines().next().unwrap_or("");
        return Err(Fault::NotMesh { line: 1, found: shortened(found.trim_end()) });
    };
    let truncated = |line: usize, found: &str, expected: &str| Fault::Truncated {
        line,
        section: "MeshFormat".into(),
        found: found.into(),
        expected: expected.into(),
    };
    let (line, numbers) = lines.find(|(_, line)| !line.is_empty()).ok_or_else(|| truncated(head, "the end of the file", "a version"))?;
    let mut words = numbers.split_whitespace();
    let found = words.next().unwrap_or("");
    let version = match found {
        "2.2" => Version::Two,
        "4.1" => Version::Four,
        _ => return Err(Fault::Version { line, found: shortened(found) }),
    };
    match words.next() {
        Some("0") => Ok(version),
        Some("1") => Err(Fault::Binary { line }),
        Some(word) => {
            let expected = "0 for a text file or 1 for a binary one";
            Err(Fault::BadNumber { line, field: "type of the file", found: shortened(word), expected })
        }
        None => Err(truncated(line, "the end of the line", "the type of the file")),
    }
}

/// A count that stays within the limit of nodes.
fn counted(fields: &mut Fields, what: &'static str) -> Result<usize, Fault> {
    let found = fields.count(what)?;
    usize::try_from(found).ok().filter(|&n| n <= MAX_NODES).ok_or(Fault::TooMany { line: fields.line, what, found, limit: MAX_NODES })
}

fn check_total(line: usize, field: &'static str, announced: usize, read: usize) -> Result<(), Fault> {
    if announced == read {
        return Ok(());
    }
    Err(Fault::BadNumber { line, field, found: format!("{announced}"), expected: "the sum over all blocks" })
}
