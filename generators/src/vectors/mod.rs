//! Test vectors for readers of `.sframe` and of `.eh_frame`: single sections, each with the
//! expected answers of a reader. They need neither ELF nor another tool.
//!
//! Expected answers follow from the construction of a section, never from reading it back. A test
//! of the vectors determines each class a second time, by a reader that shares nothing with this
//! crate. The ID of a vector is its class, version, ABI and name; it stays the same when others are
//! added.

mod bench;
mod big;
mod caller;
mod eh_frame;
mod expected;
mod notation;
mod open;
mod programs;
mod question;
mod table;
mod truncated;
mod valid;

use spec::RuleId;
use types::{Abi, Reg, TableFormat};

pub use bench::combinations;
pub use big::big;
pub use caller::{Caller, Word};
pub use eh_frame::eh_frame;
pub use expected::{Chain, Expected, Lookup, Row};
pub use programs::{from_program, program};
pub use question::{CFI_QUESTIONS, QUESTIONS, Question};

use crate::breaches::BREACHES;
use crate::sframe::{PcType, SectionSpec};

/// A section and the expected answers of a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// `CLASS/FORMAT-ABI/NAME`, unique and stable.
    pub id: String,
    /// Description in one sentence.
    pub about: String,
    /// The class, which defines the expected behaviour of a reader.
    pub class: Class,
    /// The ABI of its rows. The byte order is that of the ABI, unless the vector tests byte order.
    pub abi: Abi,
    /// The register whose value the third part of an answer is; `None`: FP.
    pub register: Option<Reg>,
    /// Format of the table; errata 1 of version 2 is separate from its predecessor.
    pub format: TableFormat,
    /// The section.
    pub bytes: Vec<u8>,
    /// Address of its first byte.
    pub address: u64,
    /// The `.eh_frame_hdr` of an `.eh_frame`, with its address; readers need not use it.
    pub index: Option<(Vec<u8>, u64)>,
    /// The code that the section may describe: start and end address.
    pub text: (u64, u64),
    /// PCs to ask for, ascending, with the allowed answers.
    pub answers: Vec<Lookup>,
    /// Stacks that were recorded in its code.
    pub chains: Vec<Chain>,
    /// The section is marked as sorted by address, which some readers require.
    pub sorted: bool,
    /// Features that not every reader supports.
    pub has: Has,
}

impl Vector {
    /// The caller that a row gives; `None` for the outermost frame.
    pub fn caller(&self, row: &Row) -> Option<Caller> {
        caller::call(self.format, self.abi, self.register, row)
    }

    /// Registers of a frame without a caller: SP, FP and the link register.
    pub fn outermost(&self) -> Vec<(Reg, u64)> {
        caller::outermost(self.format, self.abi)
    }
}

/// Features of a section that not every reader supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Has {
    /// Flexible rows.
    pub flex: bool,
    /// An auxiliary header, or gaps between the parts.
    pub gaps: bool,
    /// Rows that repeat in blocks.
    pub blocks: bool,
    /// No functions, or one without bytes.
    pub empty: bool,
    /// `.eh_frame`: DWARF expressions.
    pub expressions: bool,
    /// `.eh_frame`: an undefined return address.
    pub outermost: bool,
    /// `.eh_frame`: rules by other registers than SP, FP and that of the return address.
    pub registers: bool,
}

impl Has {
    fn new(section: &SectionSpec) -> Has {
        Has {
            flex: section.functions.iter().any(|function| function.flex),
            gaps: !(section.aux.is_empty() && section.fde_gap.is_empty() && section.fre_gap.is_empty()),
            blocks: section.functions.iter().any(|function| function.pc_type != PcType::Inc),
            empty: section.functions.is_empty() || section.functions.iter().any(|function| function.size == 0),
            expressions: false,
            outermost: false,
            registers: false,
        }
    }
}

/// The expected behaviour of a reader for a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The reader must answer as expected.
    Valid,
    /// The section breaks this rule and can still be decoded: the reader must not crash.
    Invalid(RuleId),
    /// The section cannot be read, which breaks this rule: the reader must answer nothing that the
    /// intact section would not answer.
    Malformed(RuleId),
    /// The text leaves the answer open: each allowed answer is right.
    Open(&'static Question),
}

impl Class {
    /// All class names, in the order of reports.
    pub const NAMES: [&'static str; 4] = ["valid", "invalid", "malformed", "implementation-defined"];

    /// The name in IDs and files.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Valid => Self::NAMES[0],
            Class::Invalid(_) => Self::NAMES[1],
            Class::Malformed(_) => Self::NAMES[2],
            Class::Open(_) => Self::NAMES[3],
        }
    }
}

/// All vectors of `.sframe`, sorted by ID. The seed only affects the random ones,
/// `valid/.../program-N`.
pub fn all(seed: u64) -> Vec<Vector> {
    matching(seed, "")
}

/// Returns true if an ID contains a text, from the beginning of a word on: `valid/v3` is not in
/// `invalid/v3-amd64/...`.
pub fn has(id: &str, text: &str) -> bool {
    let in_word = |text: &str| text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let begins =
        |at: usize| !in_word(text) || !id.get(..at).unwrap_or_default().ends_with(|c: char| c.is_ascii_alphanumeric());
    id.match_indices(text).any(|(at, _)| begins(at))
}

/// The vectors whose ID contains a text ([`has`]); only these are generated.
pub fn matching(seed: u64, text: &str) -> Vec<Vector> {
    let mut all: Vec<Vector> = combinations()
        .flat_map(|bench| {
            let mut drafts = valid::drafts(bench);
            drafts.extend(table::drafts(BREACHES, bench));
            drafts.extend(truncated::drafts(bench));
            drafts.extend(open::drafts(bench));
            let named = drafts.into_iter().filter(|draft| has(&draft.id(), text));
            named.map(bench::Draft::finish).chain(programs::drawn(bench, seed, text))
        })
        .collect();
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}
