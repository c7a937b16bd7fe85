//! Signals sent to a program while it executes: requests of the user, and counts.

use alloc::collections::BTreeMap;

use crate::Pc;

/// A signal to be sent to the program while it executes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SignalRequest {
    /// When to send it.
    pub when: SignalTime,
    /// Signal number. `None`: one that the program handles at that time (the lowest at an
    /// instruction, a random one otherwise).
    pub signal: Option<u8>,
}

/// When a signal is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SignalTime {
    /// Before this instruction, the first time that it is about to execute while the program has a
    /// handler for the signal.
    At(Pc),
    /// This many times, after random numbers of steps.
    Random {
        /// Number of signals.
        count: u32,
        /// Seed of the random numbers.
        seed: u64,
    },
}

/// Counts of the signals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SignalCounts {
    /// Number of times that a handler began, by signal number.
    pub handled: BTreeMap<u64, u64>,
    /// Number of handlers that began on an alternate stack.
    pub on_alternate: u64,
    /// Number of requested signals that were sent.
    pub sent: u64,
    /// Number of requested signals that were not sent.
    pub not_sent: u64,
    /// The part of `not_sent` for which the program had no handler at that instruction.
    pub not_handled: u64,
}
