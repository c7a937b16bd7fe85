//! Recognition of an entry's bug in generated programs, and the programs that prove it.

use results::{KeyPattern, ProgramCause};
use types::Abi;

/// The rule of a program that computes something else than the generator did.
pub const WRONG_RESULT: &str = "wrong-result";

/// A program as a compiler gets it.
#[derive(Clone, Copy, Debug)]
pub struct Compiled<'a> {
    /// Source text in C.
    pub text: &'a str,
    /// Options of the compiler.
    pub options: &'a str,
}

impl Compiled<'_> {
    /// Returns true if for each of the patterns a word of the options, or of the text, matches.
    fn has_all(&self, patterns: &str) -> bool {
        patterns.split_whitespace().all(|pattern| self.has(pattern))
    }

    /// Returns true if a word of the options, or of the text, matches a pattern.
    fn has(&self, pattern: &str) -> bool {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_-=+".contains(c);
        let words = self.options.split_whitespace().chain(self.text.split(|c| !is_word(c)));
        let mut words = words.filter(|word| !word.is_empty());
        words.any(|word| KeyPattern(pattern).matches(word))
    }
}

/// A recorded cause. It covers a cause that matches all of its fields.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedCause {
    /// Architecture: `aarch64`.
    pub arch: String,
    /// Rules, without the table's name: `cfa-matches-truth`.
    pub rules: Vec<String>,
    /// Differences of wrong rows from the right ones, `cfa=rsp+N where rsp+N`; `*` matches any
    /// text.
    pub shapes: Vec<String>,
    /// Instructions before wrong rows; `*` matches any text.
    pub after: Vec<String>,
    /// Words of which the program must contain one, as an option or in its text: `-Oz`, `minsize`;
    /// `*` matches any text. Of several words in one item it must contain all. Empty: any program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Programs that show the cause, each by itself.
    pub proofs: Vec<Proof>,
}

/// A program that shows a cause.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// File in C, relative to `cases/compiled`.
    pub file: String,
    /// Target to compile for.
    pub abi: Abi,
    /// Options of the compiler.
    pub options: String,
}

impl RecordedCause {
    /// Returns true if it covers a cause that a program shows. Without the `program` a record that
    /// needs words covers nothing.
    pub fn covers(&self, cause: &ProgramCause, program: Option<Compiled<'_>>) -> bool {
        let fits = |patterns: &[String], text: &str| patterns.iter().any(|pattern| KeyPattern(pattern).matches(text));
        self.arch == cause.arch
            && self.rules.contains(&cause.rule)
            && fits(&self.shapes, &cause.shape)
            && fits(&self.after, &cause.after)
            && (self.needs.is_empty()
                || self.needs.iter().any(|patterns| program.is_some_and(|program| program.has_all(patterns))))
    }

    /// The error in the record, in a few words. A record with neither a shape nor an instruction
    /// would hide other bugs.
    pub(super) fn complaint(&self) -> Option<&'static str> {
        let is_open = |patterns: &[String]| patterns.iter().any(|pattern| pattern.trim_matches(['*', ' ']).is_empty());
        if self.rules.is_empty() || self.shapes.is_empty() || self.after.is_empty() {
            return Some("a cause needs a rule, a shape and an instruction");
        }
        if is_open(&self.needs) {
            return Some("a cause needs `*`, which every program has");
        }
        // A program that computes something else has neither: what is in it narrows it.
        let is_result = self.rules == [WRONG_RESULT] && !self.needs.is_empty();
        if is_open(&self.shapes) && is_open(&self.after) && !is_result {
            return Some("a cause covers any shape after any instruction");
        }
        if self.proofs.is_empty() {
            return Some("a cause has no program that proves it");
        }
        None
    }
}
