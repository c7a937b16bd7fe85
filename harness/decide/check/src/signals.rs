//! Signals that the user requests for a program: syntax, and reports about them.

use std::str::FromStr;

use results::Undecided;
use serde::{Deserialize, Serialize};
use types::{Image, Pc, SignalCounts, SignalRequest, SignalTime, UndecidedReason, Unknown};

use crate::symbol;

/// A requested signal: `PLACE`, `PLACE:SIGNAL` or `random:COUNT:SEED`, `random:COUNT:SEED:SIGNAL`.
/// A place is an address, or a symbol plus a number of bytes, as in `main+0x10`; a signal is its
/// number or its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalAt {
    /// When it is sent.
    pub due: Due,
    /// Signal number; `None`: one that the program handles.
    pub signal: Option<u8>,
}

/// When a signal is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Due {
    /// Before the instruction at this address.
    Address(u64),
    /// Before the instruction at this offset in bytes from a symbol.
    Symbol(String, u64),
    /// After random numbers of steps.
    Random {
        count: u32,
        /// Seed of the random numbers.
        seed: u64,
    },
}

/// The error for a text that is not a requested signal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: expected PLACE, PLACE:SIGNAL or random:COUNT:SEED[:SIGNAL]; signals are 1 to 64, {names}", names = names())]
pub struct NoSignal(String);

/// Names of the signals from 1 on, the same on all targets (Linux
/// `include/uapi/asm-generic/signal.h`, and `asm/signal.h` of x86 and s390); empty for those that
/// cannot be requested by name.
const NAMES: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM",
    "", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "",
    "SYS",
];

fn names() -> String {
    NAMES.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
}

impl FromStr for SignalAt {
    type Err = NoSignal;

    fn from_str(text: &str) -> Result<SignalAt, NoSignal> {
        parse(text).ok_or_else(|| NoSignal(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<SignalAt> {
    if let Some(rest) = text.strip_prefix("random:") {
        let mut parts = rest.split(':');
        let (count, seed) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let signal = match parts.next() {
            None => None,
            Some(name) => Some(signal(name)?),
        };
        return parts.next().is_none().then_some(SignalAt { due: Due::Random { count, seed }, signal });
    }
    let (place, signal) = match text.rsplit_once(':') {
        None => (text, None),
        Some((place, name)) => (place, Some(signal(name)?)),
    };
    let due = match (number(place), place.rsplit_once('+')) {
        (Some(address), _) => Due::Address(address),
        (None, Some((symbol, bytes))) => Due::Symbol(symbol.to_owned(), number(bytes)?),
        (None, None) if place.is_empty() => return None,
        (None, None) => Due::Symbol(place.to_owned(), 0),
    };
    Some(SignalAt { due, signal })
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn signal(text: &str) -> Option<u8> {
    let name = text.strip_prefix("SIG").unwrap_or(text);
    let named = NAMES.iter().position(|known| !known.is_empty() && *known == name);
    let number = named.map_or_else(|| text.parse().ok(), |index| u8::try_from(index + 1).ok());
    // The highest number is 64 on every target.
    number.filter(|number| (1..=64).contains(number))
}

/// Resolves the symbols in requested signals to addresses.
pub(crate) fn resolve(signals: &[SignalAt], image: &Image) -> Result<Vec<SignalRequest>, Unknown> {
    let one = |at: &SignalAt| {
        let when = match &at.due {
            Due::Address(address) => SignalTime::At(Pc(*address)),
            Due::Random { count, seed } => SignalTime::Random { count: *count, seed: *seed },
            Due::Symbol(name, bytes) => SignalTime::At(Pc(symbol::address(image, name)?.0.wrapping_add(*bytes))),
        };
        Ok(SignalRequest { when, signal: at.signal })
    };
    signals.iter().map(one).collect()
}

/// A sentence about the signals of a run; `None` if there were none.
pub fn summary(counts: &SignalCounts) -> Option<String> {
    let count: u64 = counts.handled.values().sum();
    let each: Vec<String> =
        counts.handled.iter().map(|(signal, count)| format!("{count} of {}", name(*signal))).collect();
    let list = if each.is_empty() { String::new() } else { format!(" ({})", each.join(", ")) };
    let alternate = match counts.on_alternate {
        0 => String::new(),
        count => format!(", {count} on an alternate stack"),
    };
    (count > 0).then(|| format!("signal handlers were entered {count} times{list}{alternate}"))
}

/// The reason for undecided if requested signals were not sent.
pub fn unsent(counts: &SignalCounts) -> Option<Undecided> {
    let SignalCounts { sent, not_sent, not_handled, .. } = counts;
    let why = match not_handled {
        0 => "the program has no handler for the signal, or control did not reach that address".to_owned(),
        count => format!("at {count} places the program has no handler for the signal when control reaches them"),
    };
    let message = format!("{not_sent} of {} requested signals were not sent: {why}", sent + not_sent);
    (*not_sent > 0).then_some(Undecided { reason: UndecidedReason::SignalNotSent, pc: None, message })
}

/// Name of a signal: `SIGSEGV`, or `signal 34`.
pub(crate) fn name(number: u64) -> String {
    let index = usize::try_from(number.wrapping_sub(1)).ok();
    let named = index.and_then(|index| NAMES.get(index)).filter(|name| !name.is_empty());
    named.map_or_else(|| format!("signal {number}"), |name| format!("SIG{name}"))
}
