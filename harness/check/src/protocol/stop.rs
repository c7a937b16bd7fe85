//! Where a run ends that killed a worker.

use serde::{Deserialize, Serialize};
use types::StopReason;

/// Where a run is to end because it killed a worker there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stop {
    /// Which run of the file's, from 1.
    pub(crate) run: u64,
    pub(crate) at: At,
    /// How the worker died: the word in reports, and a sentence.
    pub(crate) reason: StopReason,
    pub(crate) cause: String,
    /// Address of the last instruction that it reached.
    pub(crate) last: u64,
}

/// A place in a run, by instructions counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum At {
    /// The run is not begun.
    Start,
    /// Before this instruction.
    Before(u64),
    /// After it, before the emulator translates what comes next: the instruction that it does not
    /// survive is most often there.
    After(u64),
}

impl Stop {
    /// Adds it. Where the same run was to end already, and yet killed another worker, it ends
    /// earlier.
    pub(crate) fn add_to(mut self, stops: &mut Vec<Stop>) {
        let Some(known) = stops.iter_mut().find(|stop| stop.run == self.run) else { return stops.push(self) };
        self.at = match (known.at, self.at) {
            (At::After(last), At::After(now)) if now == last => At::Before(now),
            (At::After(last) | At::Before(last), At::After(now) | At::Before(now)) if now < last => self.at,
            _ => At::Start,
        };
        *known = self;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(run: u64, at: At) -> Stop {
        Stop { run, at, reason: StopReason::EngineDied, cause: "died".to_owned(), last: 0 }
    }

    /// Each death makes the run end earlier than the one before: so there is an end.
    #[test]
    fn a_run_that_kills_again_ends_earlier() {
        use At::{After, Before, Start};
        let mut stops = vec![stop(2, After(4))];
        for (death, then) in [
            (After(7), After(7)),
            // It came as far again: the instruction itself did it.
            (After(7), Before(7)),
            (After(5), After(5)),
            (Before(4), Before(4)),
            (After(4), Start),
            (Start, Start),
        ] {
            stop(1, death).add_to(&mut stops);
            assert_eq!(stops, [stop(2, After(4)), stop(1, then)], "{death:?}");
        }
    }
}
