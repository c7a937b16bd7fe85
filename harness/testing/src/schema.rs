//! Validates JSON documents against JSON Schemas.

use boon::{Compiler, SchemaIndex, Schemas, SchemeUrlLoader};
use serde_json::Value;

/// Reads a schema of `reports/schemas`.
///
/// # Panics
/// No schema has this name, or it is not JSON.
pub fn read(name: &str) -> Value {
    let path = crate::root().join("reports/schemas").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A compiled schema.
pub struct Checker {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Checker {
    /// Compiles a schema.
    ///
    /// # Panics
    /// It is not a schema, or it refers to another file.
    pub fn new(schema: &Value) -> Checker {
        const NAME: &str = "https://sframe-conformance.invalid/under-test.json";
        let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
        compiler.enable_format_assertions();
        // No loader for files or network: a reference to another schema fails.
        compiler.use_loader(Box::new(SchemeUrlLoader::new()));
        compiler.add_resource(NAME, schema.clone()).expect("a schema");
        let index = compiler.compile(NAME, &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
        Checker { schemas, index }
    }

    /// The first violation by a document, with its position; `None` if the document is valid.
    pub fn complaint(&self, document: &Value) -> Option<String> {
        self.schemas.validate(document, self.index).err().map(|error| format!("{error:#}"))
    }
}

/// Makes a schema refuse unknown keys of objects for which it lists keys.
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
