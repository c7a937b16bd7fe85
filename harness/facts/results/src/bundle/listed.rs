//! Known bugs as the lists of `reports/known` have them: rows, and counts by project.

use std::collections::BTreeMap;

use crate::{EntryClass, ToolVersion};
use types::Abi;

/// One row of the list.
#[derive(Clone, Debug)]
pub struct ListedBug {
    /// Name of the entry's file without `.yaml`, and of its bundle's directory.
    pub name: String,
    /// The bug in one line.
    pub title: String,
    /// The tool that has the bug, with affected versions: `gas 2.40 to 2.44`.
    pub tools: String,
    /// The first fixed version.
    pub fixed: Option<ToolVersion>,
    /// Address of the report, or `unfiled`.
    pub link: String,
    /// The class of the cause.
    pub class: EntryClass,
    /// The reason why the entry is not a bug; empty for a bug.
    pub because: Option<String>,
    /// The bundle that is filed.
    pub bundle: Option<ListedBundle>,
}

/// The bundle of a row.
#[derive(Clone, Debug, Default)]
pub struct ListedBundle {
    /// A footnote.
    pub remark: Option<String>,
    /// The target, if it is another reproducer of the entry above.
    pub another: Option<Abi>,
}

/// The counts of one project's entries. One cause is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Number of bugs.
    pub bugs: usize,
    /// Bugs of a separately named part, by its name: `llvm-mc` of clang.
    pub parts: BTreeMap<String, usize>,
    /// Bugs of `.eh_frame` or `.eh_frame_hdr`, not of `.sframe`.
    pub eh_frame: usize,
    /// Bugs that are fixed in a later version.
    pub fixed: usize,
    /// Bugs with a reproducer that can be filed.
    pub bundles: usize,
    /// Bugs that are also visible in other programs, by program.
    pub also_in: BTreeMap<String, usize>,
    /// Number of features that are not implemented.
    pub not_implemented: usize,
    /// Number of contested behaviours.
    pub contested: usize,
}

impl Counted {
    /// Counts an entry.
    pub fn add(&mut self, class: EntryClass, is_fixed: bool, has_bundle: bool) {
        match class {
            EntryClass::Bug => {
                self.bugs += 1;
                self.fixed += usize::from(is_fixed);
                self.bundles += usize::from(has_bundle);
            }
            EntryClass::NotImplemented => self.not_implemented += 1,
            EntryClass::Contested => self.contested += 1,
        }
    }
}
