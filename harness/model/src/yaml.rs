//! YAML as text to values and back. The only user of serde_yaml, so that another reader takes an hour.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What is wrong with a text, with its line and column: syntax, an unknown key, a wrong type.
pub type SyntaxError = serde_yaml::Error;

/// Reads a value.
///
/// # Errors
/// When the text is no YAML, or no such value.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, SyntaxError> {
    serde_yaml::from_str(text)
}

/// Writes a value.
///
/// # Errors
/// When the value has no form in YAML.
pub fn print<T: Serialize>(value: &T) -> Result<String, SyntaxError> {
    serde_yaml::to_string(value)
}
