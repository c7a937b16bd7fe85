//! The checker of schemas, checked: each keyword takes one document and refuses another.

use serde_json::{Value, json};

use crate::checker::check;

fn complaints(schema: &Value, document: &Value) -> Vec<String> {
    let beside = |name: &str| {
        assert_eq!(name, "other.json");
        json!({ "type": "object", "required": ["x"] })
    };
    check(schema, document, &beside)
}

#[test]
fn every_keyword_takes_one_and_refuses_another() {
    for (schema, good, bad) in [
        (json!({ "type": "integer" }), json!(1), json!(1.5)),
        (json!({ "type": "number" }), json!(1.5), json!("1")),
        (json!({ "type": ["string", "null"] }), json!(null), json!(true)),
        (json!({ "type": "array" }), json!([]), json!({})),
        (json!({ "enum": ["a", null] }), json!(null), json!("b")),
        (json!({ "const": 2 }), json!(2), json!("2")),
        (json!({ "minimum": 0 }), json!(0), json!(-1)),
        (json!({ "maximum": 1 }), json!(1), json!(1.5)),
        (json!({ "pattern": "^[0-9a-f]{16}$" }), json!("00c0ffee00c0ffee"), json!("00C0FFEE00C0FFEE")),
        (json!({ "pattern": "^0x[0-9a-f]+$" }), json!("0x1f"), json!("0x")),
        (json!({ "pattern": "^[a-z0-9-]+/[a-z0-9-]+$" }), json!("eh-frame/x-1"), json!("a/b/c")),
        (json!({ "pattern": "^[^/]+$" }), json!("a.yaml"), json!("a/b")),
        (json!({ "pattern": "^[^@]+@.+$" }), json!("gas@2.44"), json!("@2")),
        (json!({ "pattern": "^[^@]+@.+::.+::.+::.+::.+$" }), json!("gas@1::a::v2::t::c"), json!("gas@1::a::v2::t")),
        (json!({ "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$" }), json!("2026-11-21"), json!("2026-11-1x")),
        (json!({ "pattern": "^(none|(v1|v2|v2e1|v3)(,(v1|v2|v2e1|v3))*)$" }), json!("v2,v2e1"), json!("none,v2")),
        (json!({ "format": "uri" }), json!("https://a/b%20c"), json!("a b")),
        (json!({ "format": "uri-reference" }), json!("a/b%20c"), json!("a%2")),
        (json!({ "anyOf": [{ "type": "null" }, { "const": 1 }] }), json!(1), json!(2)),
        (json!({ "oneOf": [{ "type": "integer" }, { "minimum": 5 }] }), json!(1), json!(7)),
        (json!({ "required": ["a"] }), json!({ "a": 1 }), json!({ "b": 1 })),
        (json!({ "properties": { "a": { "const": 1 } } }), json!({ "b": 2 }), json!({ "a": 2 })),
        (json!({ "properties": { "a": {} }, "additionalProperties": false }), json!({ "a": 2 }), json!({ "b": 2 })),
        (json!({ "additionalProperties": { "const": 1 } }), json!({ "b": 1 }), json!({ "b": 2 })),
        (json!({ "propertyNames": { "pattern": "^[^/]+$" } }), json!({ "ab": 1 }), json!({ "a/b": 1 })),
        (json!({ "items": { "const": 1 } }), json!([1, 1]), json!([1, 2])),
        (json!({ "minItems": 1 }), json!([1]), json!([])),
        (json!({ "maxItems": 1 }), json!([1]), json!([1, 2])),
        (json!({ "uniqueItems": true }), json!([1, 2]), json!([1, 1])),
        (json!({ "$ref": "#/$defs/a", "$defs": { "a": { "const": 1 } } }), json!(1), json!(2)),
        (json!({ "items": { "$ref": "other.json" } }), json!([{ "x": 1 }]), json!([{}])),
    ] {
        assert_eq!(complaints(&schema, &good), Vec::<String>::new(), "{schema} on {good}");
        assert_eq!(complaints(&schema, &bad).len(), 1, "{schema} on {bad}");
    }
}

#[test]
fn complaints_name_the_place() {
    let schema = json!({ "properties": { "a": { "items": { "type": "string" } } } });
    assert_eq!(complaints(&schema, &json!({ "a": ["x", 1] })), ["/a/1: 1 is not of type \"string\""]);
}

#[test]
#[should_panic(expected = "does not know: multipleOf")]
fn a_keyword_that_is_not_known_is_no_silence() {
    complaints(&json!({ "multipleOf": 2 }), &json!(1));
}
