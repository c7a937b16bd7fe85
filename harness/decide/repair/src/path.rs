//! A path of the search: right rows up to a boundary, with the edits that they need.

use std::rc::Rc;

use crate::row::{Part, Row, Value};

/// A change of a table's directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Did {
    /// A directive was added.
    Insert,
    /// The table's directive was removed.
    Delete,
    /// The operand of the table's directive was changed.
    Change,
    /// What was deleted at an earlier boundary stands here.
    Complete(usize),
    /// The table restores a state; another one is right, that was in force from this boundary on.
    Remember(usize),
}

/// An edit at a boundary: of a part, or of the whole state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) index: usize,
    pub(crate) part: Option<Part>,
    pub(crate) did: Did,
}

/// Right rows from a boundary on.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) start: usize,
    pub(crate) row: Rc<Row>,
    pub(crate) before: Option<Rc<Segment>>,
}

/// A directive that was deleted and may be at a later boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Removed {
    pub(crate) index: usize,
    pub(crate) target: Target,
}

/// What a directive sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Part(Part, Value),
    State(Rc<Row>),
}

/// Right rows, and how they differ from the table's.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// Number of edits.
    pub(crate) cost: u32,
    /// How unusual their places are.
    pub(crate) badness: u32,
    /// Number of places with edits since rows were last equal to the table's.
    pub(crate) island: u32,
    /// The right row.
    pub(crate) row: Rc<Row>,
    pub(crate) segments: Option<Rc<Segment>>,
    pub(crate) steps: Vec<Step>,
    pub(crate) removed: Vec<Removed>,
}

impl Path {
    /// A path before the first boundary.
    pub(crate) fn new(row: Row) -> Path {
        let (segments, steps, removed) = (None, Vec::new(), Vec::new());
        Path { cost: 0, badness: 0, island: 0, row: Rc::new(row), segments, steps, removed }
    }

    /// The segments, the last first.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &Rc<Segment>> {
        std::iter::successors(self.segments.as_ref(), |segment| segment.before.as_ref())
    }

    /// The right rows of boundaries `0..count`.
    pub(crate) fn rows(&self, count: usize) -> Vec<Rc<Row>> {
        let mut rows = Vec::new();
        let mut end = count;
        for segment in self.segments() {
            rows.extend(std::iter::repeat_n(Rc::clone(&segment.row), end.saturating_sub(segment.start)));
            end = segment.start;
        }
        rows.reverse();
        rows
    }

    /// Where a directive that sets this was deleted.
    pub(crate) fn removed_at(&self, target: &Target) -> Option<usize> {
        self.removed.iter().find(|removed| removed.target == *target).map(|removed| removed.index)
    }
}
