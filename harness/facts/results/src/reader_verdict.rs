//! Verdicts on answers of readers under test.

use types::named;

named! {
    /// The verdict on an answer, from good to bad.
    pub enum ReaderVerdict {
        /// Any answer is accepted, and the reader returned.
        Free = "free",
        /// As expected.
        Right = "right",
        /// The reader refuses a section or function that is valid and that it claims to read.
        Refused = "refused",
        /// The reader finds no row although there is one.
        Missed = "missed",
        /// The row differs from the expected one.
        WrongRow = "wrong-row",
        /// The caller differs from the expected one.
        WrongCaller = "wrong-caller",
        /// The reader answers from data that cannot be read.
        AnsweredMalformed = "answered-malformed",
        /// The adapter violates the protocol.
        Broken = "broken",
        /// The reader runs out of memory.
        OutOfMemory = "out-of-memory",
        /// The reader does not return.
        Hang = "hang",
        /// The reader is killed by a signal.
        Crash = "crash",
        /// A sanitizer aborts the reader.
        Sanitiser = "sanitiser",
    }
}

impl ReaderVerdict {
    /// Returns true if the verdict counts against the reader.
    pub const fn accuses(self) -> bool {
        !matches!(self, ReaderVerdict::Free | ReaderVerdict::Right | ReaderVerdict::Broken)
    }

    /// Returns true if the reader crashed, which may be a memory safety bug: only the existence of
    /// the finding is published until a person decides otherwise.
    pub const fn is_private(self) -> bool {
        matches!(
            self,
            ReaderVerdict::OutOfMemory | ReaderVerdict::Hang | ReaderVerdict::Crash | ReaderVerdict::Sanitiser
        )
    }
}
