//! Ctrl-C and SIGTERM as a wish: work that can stop with a result does so; a second signal ends the program on the spot.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// What a shell reports of a program that a signal ended: this and the signal's number.
const ENDED_BY_SIGNAL: i32 = 128;

/// Whether somebody asked to stop.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt {
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Listens from now on.
    pub(crate) fn listen() -> io::Result<Interrupt> {
        let (signal, again) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for number in [SIGINT, SIGTERM] {
            // In this order: the first signal finds `again` unset.
            flag::register_conditional_shutdown(number, ENDED_BY_SIGNAL + number, Arc::clone(&again))?;
            flag::register(number, Arc::clone(&again))?;
            flag::register_usize(number, Arc::clone(&signal), usize::try_from(number).unwrap_or(usize::MAX))?;
        }
        Ok(Interrupt { signal })
    }

    /// Somebody asked to stop.
    pub(crate) fn is_asked(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }

    /// The exit code that tells of it; none where nobody asked.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        let signal = i32::try_from(self.signal.load(Ordering::Relaxed)).ok().filter(|signal| *signal != 0)?;
        u8::try_from(ENDED_BY_SIGNAL + signal).ok()
    }
}
