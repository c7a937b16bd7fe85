//! Constraints of the result schemas that the types do not express.

use schemars::{Schema, SchemaGenerator, json_schema};

use types::SframeVersion;

/// A fingerprint: 16 hex digits.
pub const FINGERPRINT: &str = "^[0-9a-f]{16}$";

/// A day, or empty if the run was not finished.
pub(crate) const DAY: &str = "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$";

/// An SFrame version, or none.
pub(crate) fn written(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = ["none"].into_iter().chain(SframeVersion::ALL.map(SframeVersion::name)).collect();
    json_schema!({ "enum": names })
}

/// An SFrame version, several separated by commas, or none.
pub(crate) fn merged(_: &mut SchemaGenerator) -> Schema {
    let one = SframeVersion::ALL.map(SframeVersion::name).join("|");
    json_schema!({ "type": "string", "pattern": format!("^(none|({one})(,({one}))*)$") })
}
