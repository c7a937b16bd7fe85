//! What an answer of a reader under test is worth.

use types::named;

named! {
    /// What an answer is worth, from good to bad.
    pub enum ReaderVerdict {
        /// No answer is expected, and the reader returned.
        Free = "free",
        /// As expected.
        Right = "right",
        /// It refuses a section or function that is valid and that it claims to read.
        Refused = "refused",
        /// It finds no row where there is one.
        Missed = "missed",
        /// The row finds something else than the right one.
        WrongRow = "wrong-row",
        /// The caller is not the right one.
        WrongCaller = "wrong-caller",
        /// It answers from what cannot be read.
        AnsweredMalformed = "answered-malformed",
        /// The adapter does not speak the protocol.
        Broken = "broken",
        /// It runs out of memory.
        OutOfMemory = "out-of-memory",
        /// It does not come back.
        Hang = "hang",
        /// A signal ends it.
        Crash = "crash",
        /// A sanitiser ends it.
        Sanitiser = "sanitiser",
    }
}

impl ReaderVerdict {
    /// It is held against the reader.
    pub const fn accuses(self) -> bool {
        !matches!(self, ReaderVerdict::Free | ReaderVerdict::Right | ReaderVerdict::Broken)
    }

    /// It crashes the reader, which may be a memory safety bug: only its existence is made public
    /// until a person decides otherwise.
    pub const fn is_private(self) -> bool {
        matches!(
            self,
            ReaderVerdict::OutOfMemory | ReaderVerdict::Hang | ReaderVerdict::Crash | ReaderVerdict::Sanitiser
        )
    }
}
