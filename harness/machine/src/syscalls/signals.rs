//! Signals that a program sends to itself, as `abort` does. A handler is never called: who has one for a signal and sends it is not
//! served.

use super::Outcome;

/// Handlers that are none (Linux `include/uapi/asm-generic/signal-defs.h`).
const DEFAULT: u64 = 0;
const IGNORE: u64 = 1;
/// Signals that by default are ignored: SIGCHLD, SIGCONT to a process that runs, SIGURG, SIGWINCH.
const IGNORED: u64 = 1 << 17 | 1 << 18 | 1 << 23 | 1 << 28;
/// Signals that by default stop a process: SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU.
const STOPS: u64 = 1 << 19 | 1 << 20 | 1 << 21 | 1 << 22;
/// The highest signal whose number is a bit here.
const LAST: u64 = 63;

/// What a program asked for, a bit a signal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signals {
    caught: u64,
    ignored: u64,
}

impl Signals {
    /// Takes note of a handler.
    pub(super) fn set(&mut self, signal: u64, handler: u64) {
        let Some(bit) = bit(signal) else { return };
        (self.caught, self.ignored) = (self.caught & !bit, self.ignored & !bit);
        match handler {
            DEFAULT => {}
            IGNORE => self.ignored |= bit,
            _ => self.caught |= bit,
        }
    }

    /// The program sends itself a signal. It ends with the status that a shell gives: 128 and the signal.
    pub(super) fn send(&self, signal: u64) -> Outcome {
        match bit(signal) {
            // No signal: only asks whether the process is there.
            Some(1) => Outcome::Result(0),
            Some(bit) if bit & (self.caught | STOPS & !self.ignored) != 0 => Outcome::Unserved,
            Some(bit) if bit & (self.ignored | IGNORED) != 0 => Outcome::Result(0),
            Some(_) => Outcome::Exit(128 + signal as i32),
            None => Outcome::Unserved,
        }
    }
}

fn bit(signal: u64) -> Option<u64> {
    (signal <= LAST).then(|| 1 << signal)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABORT: u64 = 6;

    #[test]
    fn a_signal_ends_the_program_unless_it_is_ignored() {
        let mut signals = Signals::default();
        assert_eq!(signals.send(ABORT), Outcome::Exit(134));
        assert_eq!((signals.send(0), signals.send(17)), (Outcome::Result(0), Outcome::Result(0)));
        signals.set(ABORT, IGNORE);
        assert_eq!(signals.send(ABORT), Outcome::Result(0));
        signals.set(ABORT, DEFAULT);
        assert_eq!(signals.send(ABORT), Outcome::Exit(134));
    }

    #[test]
    fn a_signal_with_a_handler_is_not_served() {
        let mut signals = Signals::default();
        signals.set(ABORT, 0x40_0000);
        assert_eq!(signals.send(ABORT), Outcome::Unserved);
        assert_eq!((signals.send(19), signals.send(64)), (Outcome::Unserved, Outcome::Unserved));
    }
}
