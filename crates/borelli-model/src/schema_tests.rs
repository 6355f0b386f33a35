//! Tests of the schema: it is JSON, and it knows sections, kinds, fields, choices, units and defaults.

use super::*;
use crate::field::number;

const FIELDS: &[Field] = &[Field { name: "parent", kind: FieldKind::Place, need: Need::Required, doc: "where \"it\" hangs" }];
const OWN: &[Field] = &[
    number("stiffness", "N/m", Range::POSITIVE, Need::Default(2.5), "stiffness"),
    Field { name: "mode", kind: FieldKind::Choice(&["a", "b"]), need: Need::Optional, doc: "mode" },
    Field { name: "force", kind: FieldKind::Functions { value: "N", planar: 2, spatial: 3 }, need: Need::Optional, doc: "force" },
];
const SPRING: Kind = Kind { name: "spring", doc: "A spring.", fields: OWN, planar: true, spatial: false };

#[test]
fn the_schema_is_json_and_tells_what_the_registries_say() {
    let sections = [
        SectionSpec { name: "joint", doc: "Joints.", named: true, fields: FIELDS, kinds: vec![&SPRING] },
        SectionSpec { name: "subject", doc: "The subject.", named: false, fields: OWN, kinds: Vec::new() },
    ];
    let schema: serde_json::Value = serde_json::from_str(&json_schema(&sections)).expect("JSON");
    assert_eq!(schema["properties"]["borelli"]["const"], 1);
    assert_eq!(schema["properties"]["dimension"]["enum"][1], "spatial");
    let joint = &schema["properties"]["joint"];
    assert_eq!(joint["description"], "Joints.");
    let kind = &joint["additionalProperties"]["oneOf"][0];
    assert_eq!(kind["properties"]["type"]["const"], "spring");
    assert_eq!(kind["properties"]["type"]["description"], "A spring. Planar models only.");
    assert_eq!(kind["properties"]["parent"]["description"], "where \"it\" hangs");
    assert_eq!(kind["required"], serde_json::json!(["type", "parent"]));
    assert_eq!(kind["properties"]["stiffness"]["description"], "stiffness [N/m]");
    assert_eq!(kind["properties"]["stiffness"]["default"], 2.5);
    assert_eq!(kind["properties"]["stiffness"]["exclusiveMinimum"], 0);
    assert_eq!(kind["properties"]["mode"]["enum"], serde_json::json!(["a", "b"]));
    assert_eq!(kind["properties"]["force"]["minItems"], 2);
    assert_eq!(schema["properties"]["subject"]["properties"]["mode"]["description"], "mode");
    assert_eq!(schema["properties"]["mirror"]["additionalProperties"]["required"], serde_json::json!(["from", "to"]));
}

#[test]
fn a_schema_of_fields_knows_tables_lists_of_tables_words_flags_and_counts() {
    const INNER: &[Field] = &[
        Field { name: "of", kind: FieldKind::WordOf(|| vec!["one", "two"]), need: Need::Required, doc: "which" },
        Field { name: "many", kind: FieldKind::Count { least: 1 }, need: Need::Default(5.0), doc: "how many" },
    ];
    const TOP: &[Field] = &[
        Field { name: "model", kind: FieldKind::Text, need: Need::Required, doc: "the model" },
        Field { name: "time", kind: FieldKind::Table(INNER), need: Need::Optional, doc: "when" },
        Field { name: "event", kind: FieldKind::List(|| INNER.to_vec()), need: Need::Optional, doc: "events" },
        Field { name: "column", kind: FieldKind::Named(INNER), need: Need::Optional, doc: "columns" },
        Field { name: "texts", kind: FieldKind::Texts, need: Need::Optional, doc: "texts" },
        Field { name: "pairs", kind: FieldKind::Pairs, need: Need::Optional, doc: "pairs" },
        Field { name: "flag", kind: FieldKind::Flag, need: Need::Optional, doc: "flag" },
    ];
    let schema: serde_json::Value = serde_json::from_str(&json_schema_of("a file", TOP)).expect("JSON");
    assert_eq!((&schema["title"], &schema["required"]), (&"a file".into(), &serde_json::json!(["borelli", "model"])));
    let properties = &schema["properties"];
    assert_eq!(properties["borelli"]["const"], 1);
    assert_eq!(properties["time"]["properties"]["of"]["enum"], serde_json::json!(["one", "two"]));
    assert_eq!(properties["event"]["items"]["required"], serde_json::json!(["of"]));
    assert_eq!(properties["column"]["additionalProperties"]["properties"]["many"]["default"], 5);
    assert_eq!(properties["texts"]["items"]["type"], "string");
    assert_eq!((&properties["pairs"]["items"]["minItems"], &properties["pairs"]["items"]["maxItems"]), (&2.into(), &2.into()));
    assert_eq!(properties["flag"]["type"], "boolean");
}
