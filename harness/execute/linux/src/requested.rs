//! Signals that the user requests: the instruction or step at which each is due, and the signal
//! that is sent then.

use types::{Pc, Rng, SignalCounts, SignalRequest, SignalTime};

use crate::signals::Signals;

/// Requested signals that are still to be sent.
pub struct RequestedSignals {
    /// The step at which the next signal is due; [`u64::MAX`] if none.
    pub step: u64,
    /// Some signals are due at instructions.
    pub by_pc: bool,
    at: Vec<AtPc>,
    random: Vec<RandomSignals>,
    sent: u64,
}

struct AtPc {
    pc: u64,
    signal: Option<u8>,
    came_unhandled: bool,
}

struct RandomSignals {
    left: u32,
    random: Rng,
    signal: Option<u8>,
    step: u64,
}

/// Number of steps after which a signal is tried again if the program handles none.
const PATIENCE: u64 = 64;
/// Bound of the exponent of the maximum number of steps between two signals, a power of two.
const POWERS: u64 = 13;

impl RequestedSignals {
    /// Creates the list of all requested signals.
    #[must_use]
    pub fn new(requests: &[SignalRequest]) -> RequestedSignals {
        let mut wanted = RequestedSignals { step: u64::MAX, by_pc: false, at: Vec::new(), random: Vec::new(), sent: 0 };
        for SignalRequest { when, signal } in requests {
            match *when {
                SignalTime::At(Pc(pc)) => wanted.at.push(AtPc { pc, signal: *signal, came_unhandled: false }),
                SignalTime::Random { count, seed } => {
                    let mut random = RandomSignals { left: count, random: Rng::new(seed), signal: *signal, step: 0 };
                    random.step = random.gap();
                    wanted.random.push(random);
                }
            }
        }
        wanted.update();
        wanted
    }

    fn update(&mut self) {
        self.by_pc = !self.at.is_empty();
        self.step = self.random.iter().filter(|one| one.left > 0).map(|one| one.step).min().unwrap_or(u64::MAX);
    }

    /// Sends the signals that are due at an instruction after `step` steps.
    #[cold]
    pub fn send_due(&mut self, pc: u64, step: u64, signals: &mut Signals) {
        let mut sent = 0;
        self.at.retain_mut(|wanted| {
            if wanted.pc != pc {
                return true;
            }
            let (_, handled) = signals.handled();
            match wanted.signal.map_or_else(|| lowest(handled), |signal| among(handled, signal)) {
                None => {
                    wanted.came_unhandled = true;
                    true
                }
                Some(signal) => {
                    signals.raise(signal);
                    sent += 1;
                    false
                }
            }
        });
        for random in self.random.iter_mut().filter(|one| one.left > 0 && one.step <= step) {
            let (free, _) = signals.handled();
            let signal = match random.signal {
                Some(signal) => among(free, signal),
                None => random.pick(free),
            };
            match signal {
                None => random.step = step + PATIENCE,
                Some(signal) => {
                    signals.raise(signal);
                    sent += 1;
                    random.left -= 1;
                    random.step = step + random.gap();
                }
            }
        }
        self.sent += sent;
        self.update();
    }

    /// Adds the counts of sent and remaining signals, at the end of the run.
    pub fn count(&self, counts: &mut SignalCounts) {
        counts.sent = self.sent;
        counts.not_handled = self.at.iter().filter(|one| one.came_unhandled).count() as u64;
        counts.not_sent = self.at.len() as u64 + self.random.iter().map(|one| u64::from(one.left)).sum::<u64>();
    }
}

impl RandomSignals {
    /// Number of steps to the next signal: small and large numbers are equally frequent.
    fn gap(&mut self) -> u64 {
        let power = self.random.below(POWERS);
        1 + self.random.below(1 << power)
    }

    /// A random element of a signal set.
    fn pick(&mut self, set: u64) -> Option<u64> {
        let mut rest = set;
        for _ in 0..self.random.below(u64::from(set.count_ones())) {
            rest &= rest - 1;
        }
        lowest(rest)
    }
}

fn lowest(set: u64) -> Option<u64> {
    (set != 0).then(|| u64::from(set.trailing_zeros()) + 1)
}

fn among(set: u64, signal: u8) -> Option<u64> {
    let bit = u32::from(signal).checked_sub(1)?;
    (set.checked_shr(bit)? & 1 == 1).then_some(u64::from(signal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_set_the_lowest_or_the_wanted_one_is_taken() {
        assert_eq!((lowest(0), lowest(0b10100)), (None, Some(3)));
        assert_eq!((among(0b10100, 3), among(0b10100, 4), among(u64::MAX, 64)), (Some(3), None, Some(64)));
        assert_eq!((among(u64::MAX, 0), among(u64::MAX, 65)), (None, None));
    }

    #[test]
    fn random_steps_follow_from_the_seed() {
        let random = |seed| {
            let request = SignalRequest { when: SignalTime::Random { count: 3, seed }, signal: None };
            RequestedSignals::new(&[request]).random.remove(0)
        };
        let gaps = |seed| {
            let mut random = random(seed);
            (0..100).map(|_| random.gap()).collect::<Vec<u64>>()
        };
        assert_eq!(gaps(1), gaps(1));
        assert_ne!(gaps(1), gaps(2));
        assert!(gaps(1).iter().all(|gap| (1..=1 << (POWERS - 1)).contains(gap)), "{:?}", gaps(1));
        assert!(gaps(1).iter().any(|gap| *gap < 10) && gaps(1).iter().any(|gap| *gap > 500));
        let mut picked: Vec<u64> = (0..100).filter_map(|_| random(7).pick(0b1010)).collect();
        let mut one = random(7);
        picked.extend((0..100).filter_map(|_| one.pick(0b1010)));
        assert!(picked.contains(&2) && picked.contains(&4) && picked.iter().all(|signal| [2, 4].contains(signal)));
        assert_eq!(one.pick(0), None);
    }
}
