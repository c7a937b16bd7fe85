//! The truth at a boundary.

use std::collections::BTreeMap;

use crate::row::{Part, Row, Value};

/// The rules that held in every observed state at a boundary. Nothing is known of a part that is
/// absent: no rule of it is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(BTreeMap<Part, Vec<Value>>);

impl Facts {
    /// The facts with the values of a part that held.
    #[must_use]
    pub fn with(mut self, part: Part, values: impl IntoIterator<Item = Value>) -> Facts {
        self.0.insert(part, values.into_iter().collect());
        self
    }

    /// The facts with a value of a part that held, beside others.
    #[must_use]
    pub fn and(mut self, part: Part, value: Value) -> Facts {
        let all = self.0.entry(part).or_default();
        if !all.contains(&value) {
            all.push(value);
        }
        self
    }

    /// The values of a part that held, the best first; `None` if nothing is known of it.
    pub fn of(&self, part: Part) -> Option<&[Value]> {
        self.0.get(&part).map(Vec::as_slice)
    }

    /// Returns true if a value of a part is not known to be wrong.
    pub fn allows(&self, part: Part, value: Value) -> bool {
        self.of(part).is_none_or(|values| values.contains(&value))
    }

    /// Returns true if a row is not known to be wrong.
    pub fn allow(&self, row: &Row) -> bool {
        self.parts().all(|part| self.allows(part, row.get(part)))
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> {
        self.0.keys().copied()
    }
}
