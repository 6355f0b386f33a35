//! JSON schemas of the program's files, for completion and checking in an editor.
//! Not here: the sections and fields themselves; the registries hand them in.
//! In: [`SectionSpec`]s or fields. Out: text, JSON Schema draft 2020-12.

use crate::field::{Field, FieldKind, Kind, Need, Range};
use crate::mirror;
use std::fmt::Write;

/// One section of a model file.
pub struct SectionSpec {
    /// Its name, such as `joint`.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// True for `[name.NAME]`, false where there is one table `[name]`.
    pub named: bool,
    /// Fields of every element.
    pub fields: &'static [Field],
    /// Kinds, told apart by `type`; empty where there is no `type`.
    pub kinds: Vec<&'static Kind>,
}

/// A JSON value, as much as a schema needs.
enum Json {
    Text(String),
    Number(f64),
    No,
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

use Json::{List, No, Number, Object, Text};

const NAME: &str = "^[A-Za-z][A-Za-z0-9_-]*$";
const PLACE: &str = "^[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z][A-Za-z0-9_-]*)?$";

fn text(s: &str) -> Json {
    Text(s.to_string())
}

fn texts(list: &[&str]) -> Json {
    List(list.iter().map(|s| text(s)).collect())
}

fn object<const N: usize>(entries: [(&str, Json); N]) -> Json {
    Object(entries.into_iter().map(|(k, v)| (k.to_string(), v)).collect())
}

/// The schema of model files with these sections. The keys of the top level and `[mirror.NAME]` are added here.
pub fn json_schema(sections: &[SectionSpec]) -> String {
    let plain = |doc: &str| object([("type", text("string")), ("description", text(doc))]);
    let mut properties = vec![
        version(),
        ("name".to_string(), plain("Name of the model; the file's name if left out.")),
        ("description".to_string(), plain("What the model is, in words.")),
        (
            "dimension".to_string(),
            object([
                ("enum", texts(&["planar", "spatial"])),
                ("description", text("planar: in the X-Y plane, turning about +Z; spatial: in space.")),
            ]),
        ),
        ("gravity".to_string(), described(vector(2, 3), "Gravity [m/s^2]; 9.81 m/s^2 along -Y if left out.")),
        (
            "include".to_string(),
            described(list_of(object([("type", text("string"))])), "Files, relative to this one, whose tables are merged."),
        ),
    ];
    properties.extend(sections.iter().map(|s| (s.name.to_string(), section(s))));
    if !sections.iter().any(|s| s.name == "mirror") {
        const FIELDS: &[Field] = &mirror::FIELDS;
        let doc = "Copies one side of the body to the other.";
        properties.push(("mirror".into(), section(&SectionSpec { name: "mirror", doc, named: true, fields: FIELDS, kinds: Vec::new() })));
    }
    whole("borelli model file", vec![text("borelli")], properties)
}

/// The schema of files whose top level has these fields; `borelli` is added here.
pub fn json_schema_of(title: &str, fields: &[Field]) -> String {
    let required = std::iter::once("borelli").chain(fields.iter().filter(|f| f.need == Need::Required).map(|f| f.name));
    let properties = std::iter::once(version()).chain(fields.iter().map(|f| (f.name.to_string(), field_schema(f))));
    whole(title, required.map(text).collect(), properties.collect())
}

fn version() -> (String, Json) {
    ("borelli".to_string(), object([("const", Number(1.0)), ("description", text("Format version; the first key of the file."))]))
}

/// The text of a schema.
fn whole(title: &str, required: Vec<Json>, properties: Vec<(String, Json)>) -> String {
    let schema = object([
        ("$schema", text("https://json-schema.org/draft/2020-12/schema")),
        ("title", text(title)),
        ("type", text("object")),
        ("required", List(required)),
        ("properties", Object(properties)),
        ("additionalProperties", No),
    ]);
    let mut out = String::new();
    write_json(&schema, 0, &mut out);
    out.push('\n');
    out
}

fn section(spec: &SectionSpec) -> Json {
    let element = if spec.kinds.is_empty() { element(spec.fields, None) } else { one_of(spec) };
    if !spec.named {
        return described(element, spec.doc);
    }
    object([
        ("type", text("object")),
        ("description", text(spec.doc)),
        ("propertyNames", object([("pattern", text(NAME))])),
        ("additionalProperties", element),
    ])
}

fn one_of(spec: &SectionSpec) -> Json {
    let kinds = spec.kinds.iter().map(|kind| element(spec.fields, Some(kind))).collect();
    object([("type", text("object")), ("required", texts(&["type"])), ("oneOf", List(kinds))])
}

/// An element's table: the common fields and, if it has kinds, those of one kind.
fn element(common: &[Field], kind: Option<&Kind>) -> Json {
    let own = kind.map_or(&[][..], |k| k.fields);
    let mut properties = Vec::new();
    let mut required = Vec::new();
    if let Some(kind) = kind {
        let place = match (kind.planar, kind.spatial) {
            (true, false) => " Planar models only.",
            (false, true) => " Spatial models only.",
            _ => "",
        };
        properties.push(("type".to_string(), object([("const", text(kind.name)), ("description", Text(format!("{}{place}", kind.doc)))])));
        required.push(text("type"));
    }
    for field in common.iter().chain(own).filter(|f| f.name != "type") {
        properties.push((field.name.to_string(), field_schema(field)));
        if field.need == Need::Required {
            required.push(text(field.name));
        }
    }
    let mut entries = vec![("type".to_string(), text("object")), ("properties".to_string(), Object(properties))];
    if !required.is_empty() {
        entries.push(("required".into(), List(required)));
    }
    entries.push(("additionalProperties".into(), No));
    Object(entries)
}

fn described(mut schema: Json, doc: &str) -> Json {
    if let Object(entries) = &mut schema {
        entries.push(("description".into(), text(doc)));
    }
    schema
}

/// The schema of one kind of value, and the unit to be shown with it.
fn kind_schema(kind: &FieldKind) -> (Json, Option<String>) {
    let one = |unit: &str| Some(unit.to_string());
    let pattern = |p: &str| object([("type", text("string")), ("pattern", text(p))]);
    let any_number = quantity(Range::ANY);
    match *kind {
        FieldKind::Quantity { unit, range } => (quantity(range), one(unit)),
        FieldKind::QuantityOf { angle, length, range } => (quantity(range), Some(format!("{angle} for an angle, {length} for a length"))),
        FieldKind::Vector { unit } => (vector(2, 3), one(unit)),
        FieldKind::Numbers { unit, .. } => (either(quantity(Range::ANY), list_of(any_number)), one(unit)),
        FieldKind::Vectors { unit, .. } => (list_of(vector(2, 3)), one(unit)),
        FieldKind::Direction => (vector(2, 3), None),
        FieldKind::Directions { count: 1 } => (vector(3, 3), None),
        FieldKind::Directions { count } => (sized(vector(3, 3), count, count), None),
        FieldKind::Inertia => (either(quantity(Range::NON_NEGATIVE), vector(3, 6)), one("kg m^2")),
        FieldKind::Function { value } => (function(), one(value)),
        FieldKind::Functions { value, planar, spatial } => {
            let (least, most) = (planar.min(spatial).max(1), planar.max(spatial));
            let several = sized(function(), least, most);
            (if least == 1 { either(function(), several) } else { several }, one(value))
        }
        FieldKind::Place => (pattern(PLACE), None),
        FieldKind::Body
        | FieldKind::Joint
        | FieldKind::Path
        | FieldKind::Wrap
        | FieldKind::Coordinate
        | FieldKind::Surface
        | FieldKind::Material => (pattern(NAME), None),
        FieldKind::Stops(fields) => {
            let stop = either(pattern(PLACE), element(fields, None));
            (object([("type", text("array")), ("items", stop), ("minItems", Number(2.0))]), None)
        }
        FieldKind::Coefficients => (table_of(any_number), None),
        FieldKind::Choice(choices) => (object([("enum", texts(choices))]), None),
        FieldKind::WordOf(words) => (object([("enum", texts(&words()))]), None),
        FieldKind::Flag => (object([("type", text("boolean"))]), None),
        FieldKind::Count { least } => (object([("type", text("integer")), ("minimum", Number(least as f64))]), None),
        FieldKind::Text => (object([("type", text("string"))]), None),
        FieldKind::Texts => (list_of(object([("type", text("string"))])), None),
        FieldKind::Pairs => (list_of(sized(object([("type", text("string"))]), 2, 2)), None),
        FieldKind::NamesByName => (object([("type", text("object")), ("additionalProperties", pattern(NAME))]), None),
        FieldKind::Table(fields) => (element(fields, None), None),
        FieldKind::List(fields) => (list_of(element(&fields(), None)), None),
        FieldKind::Named(fields) => (table_of(element(fields, None)), None),
        FieldKind::Law => (object([("type", texts(&["string", "object"]))]), None),
        FieldKind::NameOrNames => (either(pattern(NAME), list_of(pattern(NAME))), None),
        FieldKind::Names => (list_of(pattern(NAME)), None),
        FieldKind::Rotations => (list_of(rotation()), None),
        FieldKind::Points { unit } => (table_of(vector(2, 3)), one(unit)),
        FieldKind::Tables => (table_of(object([("type", text("object"))])), None),
        FieldKind::Any => (object([]), None),
    }
}

fn field_schema(field: &Field) -> Json {
    let (mut schema, unit) = kind_schema(&field.kind);
    let unit = unit.filter(|u| u != "1" && u != "*").map_or(String::new(), |u| format!(" [{u}]"));
    if let (Object(entries), Need::Default(x)) = (&mut schema, field.need) {
        entries.push(("default".into(), Number(x)));
    }
    described(schema, &format!("{}{unit}", field.doc))
}

/// A bare number in SI or a text with a unit. Bounds of JSON schema hold for the bare number only.
fn quantity(range: Range) -> Json {
    let mut entries = vec![("type".to_string(), texts(&["number", "string"]))];
    if range.min.is_finite() {
        entries.push((if range.open_min { "exclusiveMinimum" } else { "minimum" }.into(), Number(range.min)));
    }
    if range.max.is_finite() {
        entries.push(("maximum".into(), Number(range.max)));
    }
    Object(entries)
}

fn sized(item: Json, least: usize, most: usize) -> Json {
    object([("type", text("array")), ("items", item), ("minItems", Number(least as f64)), ("maxItems", Number(most as f64))])
}

fn vector(least: usize, most: usize) -> Json {
    sized(quantity(Range::ANY), least, most)
}

fn list_of(item: Json) -> Json {
    object([("type", text("array")), ("items", item)])
}

fn table_of(item: Json) -> Json {
    object([("type", text("object")), ("propertyNames", object([("pattern", text(NAME))])), ("additionalProperties", item)])
}

fn either(a: Json, b: Json) -> Json {
    object([("anyOf", List(vec![a, b]))])
}

fn function() -> Json {
    object([("type", texts(&["number", "string", "object"]))])
}

fn rotation() -> Json {
    object([
        ("type", text("object")),
        ("properties", object([("axis", vector(3, 3)), ("function", function())])),
        ("required", texts(&["axis", "function"])),
        ("additionalProperties", No),
    ])
}

fn write_json(value: &Json, indent: usize, out: &mut String) {
    match value {
        Text(s) => write_text(s, out),
        // writing into a String cannot fail
        Number(x) => drop(write!(out, "{x}")),
        No => out.push_str("false"),
        List(list) if list.iter().all(|v| matches!(v, Text(_) | Number(_) | No)) => {
            out.push('[');
            for (k, item) in list.iter().enumerate() {
                out.push_str(if k > 0 { ", " } else { "" });
                write_json(item, indent, out);
            }
            out.push(']');
        }
        List(list) => write_block('[', ']', list.len(), indent, out, |k, out| write_json(&list[k], indent + 1, out)),
        Object(entries) => write_block('{', '}', entries.len(), indent, out, |k, out| {
            write_text(&entries[k].0, out);
            out.push_str(": ");
            write_json(&entries[k].1, indent + 1, out);
        }),
    }
}

fn write_block(open: char, close: char, count: usize, indent: usize, out: &mut String, item: impl Fn(usize, &mut String)) {
    out.push(open);
    for k in 0..count {
        out.push_str(if k > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(indent + 1));
        item(k, out);
    }
    if count > 0 {
        out.push('\n');
        out.push_str(&"  ".repeat(indent));
    }
    out.push(close);
}

fn write_text(s: &str, out: &mut String) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if (c as u32) < 0x20 => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
