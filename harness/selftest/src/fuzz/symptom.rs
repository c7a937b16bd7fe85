//! What an assembler did with a file that it should not have done.

use std::fmt;

use spec::RuleId;
use toolchain::end::Crash;
use types::{FileErrorKind, UndecidedReason};

/// Something that should not be, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// What it is: the same while the file gets smaller.
    pub what: What,
    /// The function that shows it, where one does.
    pub function: Option<String>,
    /// One sentence with the numbers.
    pub detail: String,
}

/// A kind of symptom. Prints as `classes.yaml` and `found.yaml` have it: a rule's id,
/// `crash: signal 11`, `refused-silently`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The table breaks a rule.
    Rule(RuleId),
    /// The tool broke down.
    Crash(Crash),
    /// It did not end in its time.
    Hang,
    /// It refused the file; its message without numbers.
    Rejected(String),
    /// It omitted more functions than it warned about.
    RefusedSilently,
    /// It left out what the format can say; its message without numbers.
    RefusedNeedlessly(String),
    /// A function is described without a row where `.eh_frame` has one.
    RowMissing,
    /// The program ended with another exit status than 0.
    WrongExit,
    /// A run could not be decided.
    Undecided(UndecidedReason),
    /// The file could not be judged.
    Unjudged(FileErrorKind),
    /// The same of the linker.
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
    /// The symptom without the tool's words, which differ where several functions are in a file.
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
