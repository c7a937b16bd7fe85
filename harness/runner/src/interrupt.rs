//! Being asked to stop: Ctrl-C (SIGINT), and SIGTERM, with which CI services end a job.
//!
//! Whoever calls [`watch`] promises to look at [`asked`] and end by itself, so that what is finished is kept and what is temporary goes.
//! Commands that run are killed ([`crate::process`]). A second signal ends the program at once, as if nobody watched.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Set by the first signal.
static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on the first signal is only noted.
///
/// # Errors
/// When the system refuses.
pub fn watch() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds the flag unset, the second finds it set.
        flag::register_conditional_default(signal, Arc::clone(&ASKED))?;
        flag::register(signal, Arc::clone(&ASKED))?;
    }
    Ok(())
}

/// A signal has come.
pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
