//! Known bugs as the lists of `reports/known` have them: rows, and counts by project.

use crate::{EntryClass, ToolVersion};
use types::{Abi, named};

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

/// The counts of one project's bugs. One cause is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Bugs that no version fixes.
    pub open: usize,
    /// Bugs that are fixed in a later version.
    pub fixed: usize,
    /// Bugs of which the project has a report.
    pub reported: usize,
    /// Bugs of `.eh_frame` or `.eh_frame_hdr`, not of `.sframe`.
    pub eh_frame: usize,
    /// Bugs that make a program compute a wrong result, or crash it.
    pub wrong_code: usize,
    /// Bugs with a reproducer that can be filed.
    pub bundles: usize,
}

/// What counts of a bug.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountedBug {
    /// A later version fixes it.
    pub is_fixed: bool,
    /// The project has a report.
    pub is_reported: bool,
    /// It is only in `.eh_frame`.
    pub is_of_eh_frame: bool,
    /// A program computes a wrong result, or crashes.
    pub is_wrong_code: bool,
    /// It has a reproducer.
    pub has_bundle: bool,
}

impl Counted {
    /// Number of bugs.
    pub fn bugs(&self) -> usize {
        self.open + self.fixed
    }

    /// Counts a bug.
    pub fn add(&mut self, bug: CountedBug) {
        let CountedBug { is_fixed, is_reported, is_of_eh_frame, is_wrong_code, has_bundle } = bug;
        let counts = [
            (&mut self.open, !is_fixed),
            (&mut self.fixed, is_fixed),
            (&mut self.reported, is_reported),
            (&mut self.eh_frame, is_of_eh_frame),
            (&mut self.wrong_code, is_wrong_code),
            (&mut self.bundles, has_bundle),
        ];
        counts.into_iter().for_each(|(count, is)| *count += usize::from(is));
    }

    /// Adds the counts of another project.
    pub fn sum(&mut self, other: &Counted) {
        let Counted { open, fixed, reported, eh_frame, wrong_code, bundles } = *other;
        self.open += open;
        self.fixed += fixed;
        self.reported += reported;
        self.eh_frame += eh_frame;
        self.wrong_code += wrong_code;
        self.bundles += bundles;
    }
}

/// A known bug without a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfiled {
    /// The project that has it.
    pub project: String,
    /// Name of its entry.
    pub name: String,
    /// The bug in one line.
    pub title: String,
    /// How much it matters.
    pub weight: Weight,
    /// The newest version that was tested: it has the bug.
    pub newest: String,
    /// Day of the last search for a report at the project.
    pub looked: String,
    /// For a memory safety bug that is not public: the private contact.
    pub private: Option<String>,
}

named! {
    /// How much a bug matters, the most first.
    pub enum Weight {
        /// A program computes a wrong result, or a tool crashes.
        WrongCode = "wrong code or crash",
        /// Programs show it that are compiled as distributions do, with `-O2`.
        DefaultOptions = "at -O2",
        /// It is in the directives, so in both tables.
        BothTables = "both tables",
        /// It is in one table, or one reader.
        OneTable = "one table",
    }
}

/// A known bug without a report, and its bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued {
    /// The bug.
    pub bug: Unfiled,
    /// What became of its bundle.
    pub standing: Standing,
}

/// What became of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its script was executed, and distinguishes a tool with the bug from one without.
    Proven,
    /// It is written; a test of this project executes its script, or it has none.
    Written,
    /// Its script does not, for this reason.
    Unproven(String),
    /// It has to be reported to this contact first: nothing is written.
    Private(String),
    /// It could not be written.
    Missing(String),
}

impl std::fmt::Display for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Standing::Proven => write!(f, "proven"),
            Standing::Written => write!(f, "written"),
            Standing::Unproven(why) => write!(f, "not proven: {why}"),
            Standing::Private(contact) => write!(f, "in private first: {contact}"),
            Standing::Missing(why) => write!(f, "not written: {why}"),
        }
    }
}
