//! The JSON object of `check` for one file.

use results::{Outcome, Report};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// Version of the JSON format.
const CHECK_SCHEMA: u32 = 3;

/// What `check --format json` prints of one file, on a line. Later versions of the tool may add
/// keys.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "check --format json")]
pub struct Checked<'a> {
    /// Version of this shape.
    #[schemars(extend("const" = CHECK_SCHEMA))]
    schema: u32,
    /// Version of sframe-conformance.
    tool_version: &'a str,
    /// Verdict on the file.
    #[schemars(extend("enum" = ["clean", "discrepancy", "undecided", "error"]))]
    verdict: &'static str,
    /// The report on the file.
    #[serde(flatten)]
    report: &'a Report,
}

/// The JSON object for one file.
pub fn to_json(report: &Report, outcome: Outcome, tool_version: &str) -> Value {
    json!(Checked { schema: CHECK_SCHEMA, tool_version, verdict: outcome.name(), report })
}
