//! Requests to stop this program: Ctrl-C (SIGINT), and SIGTERM, with which CI services end a job.
//!
//! A caller of [`watch`] has to poll [`is_requested`] and exit by itself, so that finished results
//! are stored and temporary files removed. Running commands are killed ([`crate::process`]). A
//! second signal ends the program immediately, as without [`watch`]; so does the first if it is not
//! noticed in time ([`acknowledge`]).

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};

use crate::running;

/// Set by the first signal.
static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Set once the program is stopping because of the signal.
static ACKNOWLEDGED: AtomicBool = AtomicBool::new(false);

/// Grace period for work that cannot be interrupted: a trial whose code is executed.
const GRACE: Duration = Duration::from_secs(5);

/// Interval of checks for a signal.
const LOOK: Duration = Duration::from_millis(100);

/// Base of a shell's exit status for a program killed by a signal: the signal's number is added.
const ENDED_BY_SIGNAL: usize = 128;

/// From now on a write beyond the limit of a file's size (`ulimit -f`) is an error, not the end of
/// the program.
pub fn survive_file_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// From now on the first signal is only recorded.
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
        if !ACKNOWLEDGED.load(Ordering::SeqCst) {
            running::kill_all();
            // Ends the program.
            let _ = low_level::emulate_default_handler(i32::try_from(SIGNAL.load(Ordering::SeqCst)).unwrap_or(SIGTERM));
        }
    })?;
    Ok(())
}

/// Declares that the work has stopped and results are being written, which may take any time.
pub fn acknowledge() {
    ACKNOWLEDGED.store(true, Ordering::SeqCst);
}

/// Returns true once a signal has arrived.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Exit code after a signal, 128 plus its number; `None` if none has arrived. For commands whose
/// exit code is not a verdict.
pub fn exit_code() -> Option<u8> {
    is_requested().then(|| u8::try_from(ENDED_BY_SIGNAL + SIGNAL.load(Ordering::SeqCst)).unwrap_or(u8::MAX))
}
