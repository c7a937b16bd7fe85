//! The shape of a finding: the error without addresses, files and versions, as the part of the
//! identity that does not depend on the position.

use std::fmt;

/// The error in a form that does not depend on the position. Its text is part of the fingerprint.
/// Wrong rows are not part of it: a finding lists them, [`crate::WrongRow`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// The rule describes it fully.
    #[default]
    Rule,
    /// An error in functions with these names.
    Functions {
        /// Description of the error; `None` if the rule describes it.
        what: Option<String>,
        /// Names of the functions.
        names: Vec<String>,
    },
    /// Description of the error, in fixed words.
    Words(String),
}

impl Shape {
    /// Names of the affected functions.
    pub(crate) fn into_functions(self) -> Vec<String> {
        match self {
            Shape::Functions { names, .. } => names,
            Shape::Rule | Shape::Words(_) => Vec::new(),
        }
    }
}

/// Names of functions as text at the end of a shape.
pub(crate) fn listed(names: &[String]) -> String {
    names.join(",")
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Rule => Ok(()),
            Shape::Functions { what: Some(what), names } => write!(f, "{what}: {}", listed(names)),
            Shape::Functions { what: None, names } => f.write_str(&listed(names)),
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
