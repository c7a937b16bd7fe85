//! Position at which a run that killed a worker is ended.

use serde::{Deserialize, Serialize};
use types::StopReason;

/// Position at which a run ends, because it killed a worker there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Number of the run among those of the file, from 1.
    pub run: u64,
    pub at: At,
    /// How the worker died: name in reports, and a sentence.
    pub reason: StopReason,
    pub cause: String,
    /// Address of the last instruction that the worker reached.
    pub last: u64,
}

/// A position in a run, by instructions counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum At {
    /// Before the run begins.
    Start,
    /// Before this instruction.
    Before(u64),
    /// After this instruction, before the emulator translates the next ones: the instruction that
    /// crashes it is usually among them.
    After(u64),
}

impl Stop {
    /// Adds the stop. If the same run already has a stop, and still killed another worker, its stop
    /// moves to an earlier position.
    pub fn add_to(mut self, stops: &mut Vec<Stop>) {
        let Some(known) = stops.iter_mut().find(|stop| stop.run == self.run) else { return stops.push(self) };
        self.at = match (known.at, self.at) {
            (At::After(last), At::After(now)) if now == last => At::Before(now),
            (At::After(last) | At::Before(last), At::After(now) | At::Before(now)) if now < last => self.at,
            _ => At::Start,
        };
        *known = self;
    }
}
