//! What can be made smaller: something with parts, of which some can go together. A source text,
//! the tables of a file, a recipe of linking, a section given to a reader.

use std::collections::{BTreeMap, BTreeSet};

use results::bundle::Size;

/// A way to cut, the coarsest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A file that a recipe makes or starts from.
    Files,
    /// The options of a step.
    Options,
    /// A function with all that belongs to it.
    Functions,
    /// A `{ }` with the text before it (C), a conditional or a branch of it.
    Blocks,
    /// A row of a table.
    Rows,
    /// An instruction, or a statement.
    Instructions,
    /// A CFI directive.
    Directives,
    /// Any other line.
    Lines,
    /// A byte of a section.
    Bytes,
}

impl Cut {
    /// The order in which they are tried.
    pub const ORDER: &'static [Cut] = &[
        Cut::Files,
        Cut::Options,
        Cut::Functions,
        Cut::Blocks,
        Cut::Rows,
        Cut::Instructions,
        Cut::Directives,
        Cut::Lines,
        Cut::Bytes,
    ];
}

/// Parts by their number, which is good for the whole that gave it and no other.
pub type Set = BTreeSet<usize>;

/// The files of a candidate by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Something of parts.
pub trait Parts: Clone {
    /// How large it is, for people.
    fn size(&self) -> Size;

    /// Number of parts that can be tried in pairs: a directive and the one that undoes it.
    fn len(&self) -> usize;

    /// Nothing can go.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sets of parts that one way of cutting takes away together.
    fn sets(&self, cut: Cut) -> Vec<Set>;

    /// What is left without some; `None` if that makes no sense.
    fn without(&self, parts: &Set) -> Option<Self>;

    /// Variants without parts that have no meaning, as a start: the first that still shows the
    /// finding is taken.
    fn bare(&self) -> Vec<Self>;

    /// Plainer wholes to try, in which a part is replaced.
    fn plainer(&self, part: usize) -> Vec<Self>;

    /// Differs for any two that differ.
    fn key(&self) -> String;
}

/// Neighbouring sets put together, that many at a time.
pub(super) fn runs(sets: &[Set], size: usize) -> Vec<Set> {
    sets.chunks(size.max(1)).map(|run| run.iter().flatten().copied().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Set, runs};

    #[test]
    fn runs_cover_every_set_once() {
        let sets: Vec<Set> = (0..5).map(|at| Set::from([at])).collect();
        assert_eq!(runs(&sets, 2), [Set::from([0, 1]), Set::from([2, 3]), Set::from([4])]);
        assert_eq!(runs(&sets, 0).len(), 5);
        assert!(runs(&[], 3).is_empty());
    }
}
