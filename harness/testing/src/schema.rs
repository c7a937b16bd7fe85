//! Compares a JSON document with a JSON Schema.

use boon::{Compiler, SchemaIndex, Schemas, SchemeUrlLoader};
use serde_json::Value;

/// Returns a schema of `reports/schemas`.
///
/// # Panics
/// If no schema has this name, or it is not JSON.
pub fn read(name: &str) -> Value {
    let path = crate::root().join("reports/schemas").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A schema, ready to be compared with documents.
pub struct Checker {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Checker {
    /// Compiles a schema.
    ///
    /// # Panics
    /// On what is no schema, or one that refers to another.
    pub fn new(schema: &Value) -> Checker {
        const NAME: &str = "https://sframe-conformance.invalid/under-test.json";
        let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
        compiler.enable_format_assertions();
        // Nothing is read from a file or a network: a reference to another schema has no loader.
        compiler.use_loader(Box::new(SchemeUrlLoader::new()));
        compiler.add_resource(NAME, schema.clone()).expect("a schema");
        let index = compiler.compile(NAME, &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
        Checker { schemas, index }
    }

    /// What the schema has against the document, with the place in the document; none if it
    /// fits.
    pub fn complaint(&self, document: &Value) -> Option<String> {
        self.schemas.validate(document, self.index).err().map(|error| format!("{error:#}"))
    }
}

/// Refuses keys that an object of the schema does not name, where it names any.
pub fn closed(mut schema: Value) -> Value {
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
