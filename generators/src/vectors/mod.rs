//! Test vectors for readers of `.sframe`: single sections, each with what a reader should make of
//! it. No ELF, no other tool.
//!
//! What is expected follows from how a section was made, never from reading it back. A test that
//! uses the vectors decides each class a second time, by a reader that shares nothing with this
//! crate. The id of a vector is its class, version, ABI and name; it stays when others are added.

mod bench;
mod big;
mod caller;
mod expected;
mod invalid;
mod malformed;
mod open;
mod programs;
mod valid;

use spec::RuleId;
use types::{Abi, SframeVersion};

pub use bench::combinations;
pub use big::big;
pub use caller::{Caller, Word, call};
pub use expected::{Answer, Chain, Expected, Row};
pub use open::{QUESTIONS, Question};
pub use programs::{from_program, program};

use crate::sframe::{PcType, SectionSpec};

/// A section and what a reader should make of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// `CLASS/VERSION-ABI/NAME`, unique and stable.
    pub id: String,
    /// What it is, in a sentence.
    pub about: String,
    /// What a reader should do with it.
    pub class: Class,
    /// The ABI that its rows are for. Byte order is that ABI's, unless the vector is about that.
    pub abi: Abi,
    /// Version, errata 1 apart from its predecessor.
    pub version: SframeVersion,
    /// The section.
    pub bytes: Vec<u8>,
    /// Address of its first byte.
    pub address: u64,
    /// The code that it may describe: first address, and first after it.
    pub text: (u64, u64),
    /// PCs to ask for, ascending, and what may be answered.
    pub answers: Vec<Answer>,
    /// Stacks that were witnessed in its code.
    pub chains: Vec<Chain>,
    /// It claims to be sorted by address, which some readers need.
    pub sorted: bool,
    /// What else not every reader claims to read.
    pub has: Has,
}

/// What a section has that not every reader claims to read.
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
}

impl Has {
    fn new(section: &SectionSpec) -> Has {
        Has {
            flex: section.functions.iter().any(|function| function.flex),
            gaps: !(section.aux.is_empty() && section.fde_gap.is_empty() && section.fre_gap.is_empty()),
            blocks: section.functions.iter().any(|function| function.pc_type != PcType::Inc),
            empty: section.functions.is_empty() || section.functions.iter().any(|function| function.size == 0),
        }
    }
}

/// What a reader should do with a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Answer as expected.
    Valid,
    /// It breaks this rule and can still be decoded: survive.
    Invalid(RuleId),
    /// It cannot be read, which breaks this rule: answer nothing that its whole form would not have
    /// said.
    Malformed(RuleId),
    /// The text leaves this open: do either.
    Open(&'static Question),
}

impl Class {
    /// Every name, in the order of reports.
    pub const NAMES: [&'static str; 4] = ["valid", "invalid", "malformed", "implementation-defined"];

    /// The word in ids and files.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Valid => Self::NAMES[0],
            Class::Invalid(_) => Self::NAMES[1],
            Class::Malformed(_) => Self::NAMES[2],
            Class::Open(_) => Self::NAMES[3],
        }
    }
}

/// All vectors, sorted by id. The seed decides those that are drawn, `valid/.../program-N`; the
/// rest is always the same.
pub fn all(seed: u64) -> Vec<Vector> {
    matching(seed, "")
}

/// Those whose id contains a text; no others are made.
pub fn matching(seed: u64, text: &str) -> Vec<Vector> {
    let mut all: Vec<Vector> = combinations()
        .flat_map(|bench| {
            let mut drafts = valid::drafts(bench);
            drafts.extend(invalid::drafts(bench));
            drafts.extend(malformed::drafts(bench));
            drafts.extend(open::drafts(bench));
            let wanted = drafts.into_iter().filter(|draft| draft.id().contains(text));
            wanted.map(bench::Draft::finish).chain(programs::drawn(bench, seed, text))
        })
        .collect();
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}
