//! Symptoms: wrong behaviour of an assembler for a file.

use std::fmt;

use spec::RuleId;
use toolchain::end::Crash;
use types::{FileErrorKind, UndecidedReason};

/// A symptom with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// Kind of symptom: unchanged while the file is reduced.
    pub what: What,
    /// Function that shows it, if it is about one.
    pub function: Option<String>,
    /// One sentence with the numbers.
    pub detail: String,
}

/// Kind of a symptom. Prints as in `classes.yaml` and `found.yaml`: a rule's id,
/// `crash: signal 11`, `refused-silently`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The table breaks a rule.
    Rule(RuleId),
    /// The tool crashed.
    Crash(Crash),
    /// The tool exceeded its time limit.
    Hang,
    /// The tool refused the file; its message without numbers.
    Rejected(String),
    /// The tool omitted more functions than it warned about.
    RefusedSilently,
    /// The tool omitted a function that the format can express; its message without numbers.
    RefusedNeedlessly(String),
    /// A function is described without a row although `.eh_frame` has one.
    RowMissing,
    /// The program exited with another status than 0.
    WrongExit,
    /// A run was undecided.
    Undecided(UndecidedReason),
    /// The file could not be judged.
    Unjudged(FileErrorKind),
    Linker(Box<What>),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Rule(id) => write!(f, "{id}"),
            What::Crash(crash) => write!(f, "crash: {crash}"),
            What::Hang => f.write_str("hang"),
            What::Rejected(message) => write!(f, "rejected: {message}"),
            What::RefusedSilently => f.write_str("refused-silently"),
            What::RefusedNeedlessly(message) => write!(f, "refused-needlessly: {message}"),
            What::RowMissing => f.write_str("row-missing"),
            What::WrongExit => f.write_str("wrong-exit"),
            What::Undecided(reason) => write!(f, "undecided-{}", reason.name()),
            What::Unjudged(kind) => write!(f, "unjudged-{}", kind.name()),
            What::Linker(what) => write!(f, "linker-{what}"),
        }
    }
}

impl What {
    /// Kind of symptom without the tool's message, which differs if several functions are in a
    /// file.
    pub fn family(&self) -> String {
        let text = self.to_string();
        text.split_once(':').map_or(text.clone(), |(family, _)| family.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::{Crash, FileErrorKind, RuleId, What};

    #[test]
    fn a_symptom_prints_as_the_lists_have_it() {
        for (what, text, family) in [
            (What::Rule(RuleId::CfiRefused), "cfi/refused", "cfi/refused"),
            (What::Crash(Crash::Signal(11)), "crash: signal 11", "crash"),
            (What::Rejected("no N".to_owned()), "rejected: no N", "rejected"),
            (What::RefusedNeedlessly("x".to_owned()), "refused-needlessly: x", "refused-needlessly"),
            (What::Unjudged(FileErrorKind::NotElf), "unjudged-not-elf", "unjudged-not-elf"),
            (What::Linker(Box::new(What::Hang)), "linker-hang", "linker-hang"),
            (What::Linker(Box::new(What::Crash(Crash::StackDump))), "linker-crash: stack dump", "linker-crash"),
        ] {
            assert_eq!((what.to_string().as_str(), what.family().as_str()), (text, family));
        }
    }
}
