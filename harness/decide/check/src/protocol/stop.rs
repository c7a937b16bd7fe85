//! Position at which a run that killed a worker is ended.

use serde::{Deserialize, Serialize};
use types::StopReason;

/// Position at which a run ends, because it killed a worker there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stop {
    /// Number of the run among those of the file, from 1.
    pub(crate) run: u64,
    pub(crate) at: At,
    /// How the worker died: name in reports, and a sentence.
    pub(crate) reason: StopReason,
    pub(crate) cause: String,
    /// Address of the last instruction that the worker reached.
    pub(crate) last: u64,
}

/// A position in a run, by instructions counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum At {
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

    /// Each death makes the run end earlier than before, so repetition terminates.
    #[test]
    fn a_run_that_kills_again_ends_earlier() {
        use At::{After, Before, Start};
        let mut stops = vec![stop(2, After(4))];
        for (death, then) in [
            (After(7), After(7)),
            // The run reached the same position: the instruction itself caused the crash.
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
