//! The error for a name that does not exist.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The error for an unknown name, with the known ones: "unknown ABI `x`: one of amd64, s390x".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    what: &'static str,
    name: String,
    known: Vec<String>,
    near: Option<String>,
}

/// Largest number of known names that are listed in full.
const MOST: usize = 24;

/// Number of names listed if there are more.
const FIRST: usize = 8;

impl Unknown {
    /// The error for `name`, which is not a `what`. `known` are the valid names; duplicates are
    /// removed.
    pub fn new(what: &'static str, name: &str, known: impl IntoIterator<Item = impl Into<String>>) -> Unknown {
        let mut known: Vec<String> = known.into_iter().map(Into::into).collect();
        let mut seen = alloc::collections::BTreeSet::new();
        known.retain(|name| !name.is_empty() && seen.insert(name.clone()));
        Unknown { what, name: name.to_owned(), known, near: None }
    }

    /// Adds a similar name that the user may have meant.
    #[must_use]
    pub fn with_near(self, near: Option<String>) -> Unknown {
        Unknown { near, ..self }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unknown { what, name, known, near } = self;
        write!(f, "unknown {what} `{name}`")?;
        match (near, known.len()) {
            (_, 0) => write!(f, ": there are none"),
            (None, 1..=MOST) => write!(f, ": one of {}", known.join(", ")),
            (None, all) => {
                write!(f, ": one of {}, ... ({all} in all)", known.get(..FIRST).unwrap_or_default().join(", "))
            }
            (Some(near), 1..=MOST) => write!(f, ", did you mean `{near}`? One of {}", known.join(", ")),
            (Some(near), all) => write!(f, ", did you mean `{near}`? ({all} in all)"),
        }
    }
}

impl core::error::Error for Unknown {}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString as _};

    use super::Unknown;

    #[test]
    fn what_exists_is_listed_as_far_as_it_helps() {
        let some = Unknown::new("ABI", "x", ["a", "b", "a"]);
        assert_eq!(some.to_string(), "unknown ABI `x`: one of a, b");
        let near = some.with_near(Some(String::from("b")));
        assert_eq!(near.to_string(), "unknown ABI `x`, did you mean `b`? One of a, b");
        assert_eq!(Unknown::new("ABI", "x", [""; 2]).to_string(), "unknown ABI `x`: there are none");
        let many = Unknown::new("rule", "x", (10..40).map(|number| number.to_string()));
        assert_eq!(many.to_string(), "unknown rule `x`: one of 10, 11, 12, 13, 14, 15, 16, 17, ... (30 in all)");
        let near = many.with_near(Some(String::from("11")));
        assert_eq!(near.to_string(), "unknown rule `x`, did you mean `11`? (30 in all)");
    }
}
