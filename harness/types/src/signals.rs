//! Signals sent to a program while it executes: what the user asks for, and counts of what
//! happened.

use alloc::collections::BTreeMap;

use crate::Pc;

/// A signal to be sent to the program while it executes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SignalRequest {
    /// When.
    pub when: SignalTime,
    /// Its number; `None`: one that the program handles then (the lowest at an instruction, a
    /// random one otherwise).
    pub signal: Option<u8>,
}

/// When a signal is due.
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
    /// Number of times a handler began, by the signal's number.
    pub handled: BTreeMap<u64, u64>,
    /// Of these, how many on an alternate stack.
    pub on_alternate: u64,
    /// Of those that were asked for: how many were sent.
    pub sent: u64,
    /// Number of those that were not sent.
    pub not_sent: u64,
    /// Of `not_sent`: how many because the program had no handler for the signal at that
    /// instruction.
    pub not_handled: u64,
}
