//! Holds a JSON document against a JSON Schema: as much of drafts 7 and 2020-12 as the schemas in `reports/schemas` use. A keyword
//! that it does not know is an error, so that nothing in a schema is passed over.
//!
//! Validators that are to be had bring a regular-expression engine with all its features, with which the emulator would be built twice.
//! So each pattern of the schemas stands here as code.

use model::SframeVersion;
use serde_json::{Map, Value};

/// Keywords that say nothing about a document.
const REMARKS: [&str; 8] = ["$schema", "$id", "$defs", "definitions", "title", "description", "default", "$comment"];

/// A schema with those beside it that it refers to.
pub(crate) struct Checker<'a> {
    root: &'a Value,
    beside: &'a dyn Fn(&str) -> Value,
    complaints: Vec<String>,
}

/// What the schema has against the document, by place in the document. `beside` gives a schema by the name of its file.
///
/// # Panics
/// On a schema that it does not understand.
pub(crate) fn check(schema: &Value, document: &Value, beside: &dyn Fn(&str) -> Value) -> Vec<String> {
    let mut checker = Checker { root: schema, beside, complaints: Vec::new() };
    checker.value(schema, document, "");
    checker.complaints
}

/// Refuses keys that an object of the schema does not name, where it names any.
pub(crate) fn closed(mut schema: Value) -> Value {
    fn close(schema: &mut Value) {
        match schema {
            Value::Object(keys) => {
                keys.values_mut().for_each(close);
                if keys.get("properties").is_some_and(Value::is_object) && keys.contains_key("type") {
                    keys.entry("additionalProperties").or_insert(Value::Bool(false));
                }
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => {}
        }
    }
    close(&mut schema);
    schema
}

impl Checker<'_> {
    fn complain(&mut self, at: &str, what: &str) {
        self.complaints.push(format!("{at}: {what}"));
    }

    fn value(&mut self, schema: &Value, value: &Value, at: &str) {
        let schema = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return self.complain(at, "must not be there"),
            schema => schema.as_object().expect("a schema is an object"),
        };
        for (keyword, demand) in schema {
            match keyword.as_str() {
                "$ref" => self.reference(demand.as_str().expect("a reference"), value, at),
                "type" => self.require(at, is_of(demand, value), || format!("{value} is not of type {demand}")),
                "enum" => {
                    let known = list(demand).contains(value);
                    self.require(at, known, || format!("{value} is none of {demand}"));
                }
                "const" => self.require(at, demand == value, || format!("{value} is not {demand}")),
                "minimum" | "maximum" => {
                    let compare =
                        |value: f64, bound: f64| if keyword == "minimum" { value >= bound } else { value <= bound };
                    let fits = value.as_f64().is_none_or(|value| compare(value, demand.as_f64().expect("a bound")));
                    self.require(at, fits, || format!("{value} against {keyword} {demand}"));
                }
                "pattern" => {
                    let pattern = demand.as_str().expect("a pattern");
                    let fits = value.as_str().is_none_or(|text| has_pattern(pattern, text));
                    self.require(at, fits, || format!("{value} against pattern {demand}"));
                }
                "format" => {
                    let fits = value.as_str().is_none_or(|text| has_format(demand.as_str().expect("a format"), text));
                    self.require(at, fits, || format!("{value} is no {demand}"));
                }
                "anyOf" | "oneOf" => {
                    let fitting = list(demand).iter().filter(|schema| self.fits(schema, value, at)).count();
                    let fits = if keyword == "anyOf" { fitting > 0 } else { fitting == 1 };
                    self.require(at, fits, || format!("{value} fits {fitting} of {keyword}"));
                }
                "required" | "properties" | "additionalProperties" | "propertyNames" => {
                    if let Some(object) = value.as_object() {
                        self.object(keyword, schema, object, at);
                    }
                }
                "items" | "minItems" | "maxItems" | "uniqueItems" => {
                    if let Some(items) = value.as_array() {
                        self.array(keyword, demand, items, at);
                    }
                }
                remark if REMARKS.contains(&remark) => {}
                unknown => panic!("the schema has a keyword that this checker does not know: {unknown}"),
            }
        }
    }

    fn require(&mut self, at: &str, fits: bool, what: impl FnOnce() -> String) {
        if !fits {
            self.complain(at, &what());
        }
    }

    fn fits(&self, schema: &Value, value: &Value, at: &str) -> bool {
        let mut alone = Checker { root: self.root, beside: self.beside, complaints: Vec::new() };
        alone.value(schema, value, at);
        alone.complaints.is_empty()
    }

    fn reference(&mut self, reference: &str, value: &Value, at: &str) {
        match reference.strip_prefix('#') {
            Some(pointer) => {
                let schema = self.root.pointer(pointer).unwrap_or_else(|| panic!("the schema has no {reference}"));
                self.value(schema, value, at);
            }
            None => {
                let other = (self.beside)(reference);
                for complaint in check(&other, value, self.beside) {
                    self.complaints.push(format!("{at}{complaint}"));
                }
            }
        }
    }

    fn object(&mut self, keyword: &str, schema: &Map<String, Value>, object: &Map<String, Value>, at: &str) {
        let properties = schema.get("properties").and_then(Value::as_object);
        match (keyword, schema.get(keyword).expect("the keyword")) {
            ("required", names) => {
                for name in list(names) {
                    let name = name.as_str().expect("a name");
                    self.require(at, object.contains_key(name), || format!("has no {name}"));
                }
            }
            ("propertyNames", demand) => {
                for name in object.keys() {
                    self.value(demand, &Value::String(name.clone()), &format!("{at}/{name}"));
                }
            }
            ("properties", _) => {
                for (name, schema) in properties.expect("properties are an object") {
                    if let Some(value) = object.get(name) {
                        self.value(schema, value, &format!("{at}/{name}"));
                    }
                }
            }
            (_, demand) => {
                for (name, value) in
                    object.iter().filter(|(name, _)| properties.is_none_or(|of| !of.contains_key(*name)))
                {
                    self.value(demand, value, &format!("{at}/{name}"));
                }
            }
        }
    }

    fn array(&mut self, keyword: &str, demand: &Value, items: &[Value], at: &str) {
        let bound = || demand.as_u64().expect("a count") as usize;
        match keyword {
            "items" => {
                for (index, item) in items.iter().enumerate() {
                    self.value(demand, item, &format!("{at}/{index}"));
                }
            }
            "minItems" => self.require(at, items.len() >= bound(), || format!("fewer than {demand} items")),
            "maxItems" => self.require(at, items.len() <= bound(), || format!("more than {demand} items")),
            _ => {
                let unique = items.iter().enumerate().all(|(index, item)| !items[..index].contains(item));
                self.require(at, unique || *demand == Value::Bool(false), || "items are not unique".to_owned());
            }
        }
    }
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn is_of(types: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str().expect("the name of a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the schema has a type {other}"),
    };
    types.as_array().map_or_else(|| is(types), |types| types.iter().any(is))
}

fn has_pattern(pattern: &str, text: &str) -> bool {
    let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_kebab = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let is_producer =
        |text: &str| text.split_once('@').is_some_and(|(name, version)| !name.is_empty() && !version.is_empty());
    match pattern {
        "^([0-9a-f]{64})?$" => matches!(text.len(), 0 | 64) && is_hex(text),
        "^[0-9a-f]{16}$" => text.len() == 16 && is_hex(text),
        "^0x[0-9a-f]+$" => text.strip_prefix("0x").is_some_and(|digits| !digits.is_empty() && is_hex(digits)),
        "^[a-z0-9-]+/[a-z0-9-]+$" => {
            text.split_once('/').is_some_and(|(group, name)| is_kebab(group) && is_kebab(name))
        }
        "^[^/]+$" => !text.is_empty() && !text.contains('/'),
        "^[^@]+@.+$" => is_producer(text),
        "^[^@]+@.+::.+::.+::.+::.+$" => {
            is_producer(text) && text.split("::").filter(|part| !part.is_empty()).count() == 5
        }
        "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$" => {
            let digit =
                |(index, byte): (usize, u8)| if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
            text.is_empty() || text.len() == 10 && text.bytes().enumerate().all(digit)
        }
        _ if pattern == sframe_list() => {
            text == "none" || text.split(',').all(|version| SframeVersion::named(version).is_some())
        }
        other => panic!("the schema has a pattern that this checker does not know: {other}"),
    }
}

/// `none`, or versions parted by commas.
fn sframe_list() -> String {
    let versions = SframeVersion::ALL.map(SframeVersion::name).join("|");
    format!("^(none|({versions})(,({versions}))*)$")
}

/// RFC 3986, appendix A, as far as characters go; date and time are written nowhere.
fn has_format(format: &str, text: &str) -> bool {
    let characters = |text: &str| {
        let mut parts = text.split('%');
        let plain = |part: &str| {
            part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(&byte))
        };
        parts.next().is_some_and(plain)
            && parts.all(|part| {
                part.get(..2).is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit())) && plain(&part[2..])
            })
    };
    match format {
        "uri" => {
            let scheme = |scheme: &str| {
                scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                    && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
            };
            text.split_once(':').is_some_and(|(before, after)| scheme(before) && characters(after))
        }
        "uri-reference" => characters(text),
        other => panic!("the schema has a format that this checker does not know: {other}"),
    }
}
