//! What is wrong, without addresses, files and versions: the part of a finding's identity that is not its place.

use std::fmt;

/// What is wrong, in a form that is the same wherever it shows. Its text is part of the fingerprint. Which rows are wrong is no part of it:
/// a finding lists them, [`crate::WrongRow`].
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(remote = "Self")]
pub enum Shape {
    /// The rule says it all.
    #[default]
    Rule,
    /// What is wrong with functions of these names.
    Functions {
        /// What is wrong; none where the rule says it.
        what: Option<String>,
        /// The names.
        names: Vec<String>,
    },
    /// What is wrong, in fixed words.
    Words(String),
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Rule => Ok(()),
            Shape::Functions { what: Some(what), names } => write!(f, "{what}: {}", names.join(",")),
            Shape::Functions { what: None, names } => f.write_str(&names.join(",")),
            Shape::Words(words) => f.write_str(words),
        }
    }
}

impl From<&str> for Shape {
    fn from(words: &str) -> Shape {
        Shape::from(words.to_owned())
    }
}

impl From<String> for Shape {
    fn from(words: String) -> Shape {
        if words.is_empty() { Shape::Rule } else { Shape::Words(words) }
    }
}

/// In files for people and programs as text, of which [`Shape::Words`] is read back; between processes as it is.
impl serde::Serialize for Shape {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { Shape::serialize(self, serializer) }
    }
}

impl<'de> serde::Deserialize<'de> for Shape {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer).map(Shape::from)
        } else {
            Shape::deserialize(deserializer)
        }
    }
}
