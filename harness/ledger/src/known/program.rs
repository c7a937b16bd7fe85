//! By what an entry's bug is recognised in programs that nobody wrote, and the programs that prove
//! it.

use results::{KeyPattern, ProgramCause};
use types::Abi;

/// A cause as recorded. It covers a cause where everything that it names fits.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedCause {
    /// The architecture: `aarch64`.
    pub arch: String,
    /// Rules, without the table's name: `cfa-matches-truth`.
    pub rules: Vec<String>,
    /// How wrong rows differ from right ones, `cfa=rsp+N where rsp+N`; `*` matches any text.
    pub shapes: Vec<String>,
    /// Instructions before wrong rows; `*` matches any text.
    pub after: Vec<String>,
    /// Programs that show it, each alone.
    pub proofs: Vec<Proof>,
}

/// A program that shows a cause.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// A file in C, below `cases/compiled`.
    pub file: String,
    /// The target that it is compiled for.
    pub abi: Abi,
    /// Options of the compiler.
    pub options: String,
}

impl RecordedCause {
    /// Returns true if it covers a cause.
    pub fn covers(&self, cause: &ProgramCause) -> bool {
        let fits = |patterns: &[String], text: &str| patterns.iter().any(|pattern| KeyPattern(pattern).matches(text));
        self.arch == cause.arch
            && self.rules.contains(&cause.rule)
            && fits(&self.shapes, &cause.shape)
            && fits(&self.after, &cause.after)
    }

    /// Why it cannot be used, in a few words. One that names neither a shape nor an instruction
    /// would hide other bugs.
    pub(super) fn complaint(&self) -> Option<&'static str> {
        let is_open = |patterns: &[String]| patterns.iter().any(|pattern| pattern.trim_matches('*').is_empty());
        if self.rules.is_empty() || self.shapes.is_empty() || self.after.is_empty() {
            return Some("one names no rule, no shape or no instruction");
        }
        if is_open(&self.shapes) && is_open(&self.after) {
            return Some("one covers any shape after any instruction: nothing narrows it");
        }
        if self.proofs.is_empty() {
            return Some("one has no program that proves it");
        }
        None
    }
}
