//! Whether this program is to stop: Ctrl-C (SIGINT), and SIGTERM, with which CI services end a job.
//!
//! A caller of [`watch`] has to look at [`is_requested`] and end by itself, so that what is
//! finished is kept and what is temporary goes. Commands that run are killed ([`crate::process`]).
//! A second signal ends the program at once, as if nobody watched; and so does the first where
//! nobody looks in time ([`heard`]).

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use crate::running;

/// Set by the first signal.
static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Its number.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Set once somebody ends by it.
static HEARD: AtomicBool = AtomicBool::new(false);

/// How long work may continue that nobody can break off: a trial whose code is executed.
const GRACE: Duration = Duration::from_secs(5);

/// Interval of checks for a signal.
const LOOK: Duration = Duration::from_millis(100);

/// What a shell reports of a program that a signal ended: this and the signal's number.
const ENDED_BY_SIGNAL: usize = 128;

/// From now on the first signal is only noted.
///
/// # Errors
/// When the system refuses.
pub fn watch() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds the flag unset, the second finds it set.
        flag::register_conditional_default(signal, Arc::clone(&REQUESTED))?;
        flag::register_usize(signal, Arc::clone(&SIGNAL), usize::try_from(signal).unwrap_or_default())?;
        flag::register(signal, Arc::clone(&REQUESTED))?;
    }
    thread::Builder::new().name("interrupt".to_owned()).spawn(|| {
        while !is_requested() {
            thread::sleep(LOOK);
        }
        thread::sleep(GRACE);
        if !HEARD.load(Ordering::SeqCst) {
            running::kill_all();
            // It ends the program.
            let _ = low_level::emulate_default_handler(i32::try_from(SIGNAL.load(Ordering::SeqCst)).unwrap_or(SIGTERM));
        }
    })?;
    Ok(())
}

/// Says that the work has stopped and what is finished is being written, however long that takes.
pub fn heard() {
    HEARD.store(true, Ordering::SeqCst);
}

/// True once a signal has come.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// The exit code after a signal, 128 and its number; none if none has come. For commands whose
/// exit code is no verdict.
pub fn exit_code() -> Option<u8> {
    is_requested().then(|| u8::try_from(ENDED_BY_SIGNAL + SIGNAL.load(Ordering::SeqCst)).unwrap_or(u8::MAX))
}
