//! Tests of the values of results: their texts, order and forms in JSON and YAML.

mod bundle;
mod cause;
mod claim;
mod day;
mod headline;
mod key;
mod pattern;
mod provenance;
mod reader_bundle;
mod repair;
mod tool_version;
mod tried;
mod yaml;
