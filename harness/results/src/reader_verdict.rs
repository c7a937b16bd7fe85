//! Verdicts on answers of a reader under test.

use types::named;

named! {
    /// The verdict on an answer, from good to bad.
    pub enum ReaderVerdict {
        /// No answer is expected, and the reader returned.
        Free = "free",
        /// As expected.
        Right = "right",
        /// It refuses a section or function that is valid and that it claims to read.
        Refused = "refused",
        /// It finds no row where there is one.
        Missed = "missed",
        /// The row differs from the expected one.
        WrongRow = "wrong-row",
        /// The caller differs from the expected one.
        WrongCaller = "wrong-caller",
        /// It answers from data that cannot be read.
        AnsweredMalformed = "answered-malformed",
        /// The adapter does not speak the protocol.
        Broken = "broken",
        /// It runs out of memory.
        OutOfMemory = "out-of-memory",
        /// It does not return.
        Hang = "hang",
        /// A signal ends it.
        Crash = "crash",
        /// A sanitiser ends it.
        Sanitiser = "sanitiser",
    }
}

impl ReaderVerdict {
    /// Returns true if it counts against the reader.
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
