//! What is wrong, without addresses, files and versions: the part of a finding's identity that is
//! not its place.

use std::fmt;

/// What is wrong, in a form that is the same wherever it shows. Its text is part of the
/// fingerprint. Which rows are wrong is no part of it: a finding lists them, [`crate::WrongRow`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// The rule describes it fully.
    #[default]
    Rule,
    /// What is wrong with functions of these names.
    Functions {
        /// What is wrong; `None` if the rule describes it.
        what: Option<String>,
        /// The names.
        names: Vec<String>,
    },
    /// What is wrong, in fixed words.
    Words(String),
}

impl Shape {
    /// The functions that it is about.
    pub(crate) fn into_functions(self) -> Vec<String> {
        match self {
            Shape::Functions { names, .. } => names,
            Shape::Rule | Shape::Words(_) => Vec::new(),
        }
    }
}

/// Names of functions, as a shape ends with them.
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
