//! Interface of reducible inputs: they have parts, of which some can be removed together. A source
//! text, the tables of a file, a link recipe, a section given to a reader.

use std::collections::{BTreeMap, BTreeSet};

use results::bundle::Size;

/// Kind of cut, the coarsest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A file that a recipe makes or uses.
    Files,
    /// The options of a step.
    Options,
    /// A function with everything that belongs to it.
    Functions,
    /// A `{ }` with the text before it (C), a conditional or a branch of it.
    Blocks,
    /// A row of a table.
    Rows,
    /// An instruction, or a statement.
    Instructions,
    /// A CFI directive.
    Directives,
    Lines,
    /// A byte of a section.
    Bytes,
}

impl Cut {
    /// The kinds in the order in which they are tried.
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

/// Indices of parts, valid only for the whole that they come from.
pub type Set = BTreeSet<usize>;

/// Files of a candidate by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// An input that consists of parts.
pub trait Parts: Clone {
    /// Size, for people.
    fn size(&self) -> Size;

    /// Number of parts that can be tried in pairs: for example a directive and the one that undoes
    /// it.
    fn len(&self) -> usize;

    /// Returns true if nothing can be removed.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sets of parts that one kind of cut removes together.
    fn sets(&self, cut: Cut) -> Vec<Set>;

    /// The rest without some parts; `None` if that is not valid.
    fn without(&self, parts: &Set) -> Option<Self>;

    /// Variants without meaningless parts, to start with: the first that still shows the finding is
    /// used.
    fn bare(&self) -> Vec<Self>;

    /// Simpler variants in which one part is replaced.
    fn plainer(&self, part: usize) -> Vec<Self>;

    /// A text that differs for different inputs.
    fn key(&self) -> String;
}

/// Unions of `size` adjacent sets.
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
