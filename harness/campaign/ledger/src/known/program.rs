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
    /// Edits of directives that make the rows right, in normal form: `insert .cfi_restore FP after
    /// pop FP`; `*` matches any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// States of the frame at the edits, `CFA by SP, FP saved`; empty: any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
    /// What has no repair, as [`ProgramCause::line`]: `outermost: ra=same where undefined`; `*`
    /// matches any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shows: Vec<String>,
    /// Words of which the program must contain one, as an option or in its text: `-Oz`, `minsize`;
    /// `*` matches any text. Of several words in one item it must contain all. Empty: any program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Programs that show the cause, each by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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
    /// Returns true if it covers a cause that a program shows.
    pub fn covers(&self, cause: &ProgramCause, program: Compiled<'_>) -> bool {
        let is_it = match cause.rule == ProgramCause::REPAIR {
            true => self.repairs(&cause.shape, &cause.after),
            false => fits(&self.shows, &cause.line()),
        };
        self.arch == cause.arch
            && is_it
            && (self.needs.is_empty() || self.needs.iter().any(|patterns| program.has_all(patterns)))
    }

    /// Returns true if it covers an edit of directives in a state of the frame.
    pub(super) fn repairs(&self, edit: &str, frame: &str) -> bool {
        fits(&self.repairs, edit) && (self.frames.is_empty() || fits(&self.frames, frame))
    }

    /// Returns true if what a whole program shows has this rule.
    pub fn is_of(&self, rule: &str) -> bool {
        self.shows.iter().any(|shown| shown.split(':').next() == Some(rule))
    }

    /// The error in the record, in a few words. A record with neither a shape nor an instruction
    /// would hide other bugs, as would a repair by any directive.
    pub(super) fn complaint(&self) -> Option<&'static str> {
        let is_open = |patterns: &[String]| patterns.iter().any(|pattern| pattern.trim_matches(['*', ' ']).is_empty());
        if is_open(&self.needs) {
            return Some("a cause needs `*`, which every program has");
        }
        let names_directive = |repair: &String| {
            let (action, rest) = repair.split_once(' ').unwrap_or_default();
            ["insert", "delete", "change", "move"].contains(&action) && rest.starts_with(".cfi_")
        };
        if !self.repairs.iter().all(names_directive) {
            return Some("a repair is `insert`, `delete`, `change` or `move`, and a directive");
        }
        // A program that computes something else has no shape: what is in it narrows it.
        let names_shape = |shown: &String| match shown.split_once(": ") {
            Some((rule, shape)) => !rule.contains('*') && !is_open(&[shape.to_owned()]),
            None => shown == WRONG_RESULT && !self.needs.is_empty(),
        };
        match self.repairs.is_empty() == self.shows.is_empty() {
            true => Some("a cause has either repairs, or what shows it"),
            false if !self.shows.iter().all(names_shape) => Some("what shows it is a rule and a shape"),
            false => None,
        }
    }
}

fn fits(patterns: &[String], text: &str) -> bool {
    patterns.iter().any(|pattern| KeyPattern(pattern).matches(text))
}
