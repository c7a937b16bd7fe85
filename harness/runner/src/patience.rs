//! What a command without a bar of its own shows once it has taken two seconds: that it is at work, and for how long. On a terminal only, on
//! standard error, and never in a line with what it prints.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use reports::screen;

/// What nobody has to be told of.
const SOON: Duration = Duration::from_secs(2);

/// A line that comes after a while, and goes at the end.
pub(crate) struct Patience(Option<Arc<Shared>>);

struct Shared {
    state: Mutex<State>,
    over: Condvar,
}

#[derive(Default)]
struct State {
    bar: Option<ProgressBar>,
    over: bool,
}

impl Patience {
    /// For a command of that name; for none where it has a bar of its own, or nobody would see one.
    pub(crate) fn with(command: Option<&'static str>) -> Patience {
        let Some(name) = command.filter(|_| screen::messages_are_seen()) else { return Patience(None) };
        let shared = Arc::new(Shared { state: Mutex::default(), over: Condvar::new() });
        let waiting = Arc::clone(&shared);
        let waits = move || {
            let state = waiting.lock();
            let (mut state, slept) = waiting
                .over
                .wait_timeout_while(state, SOON, |state| !state.over)
                .unwrap_or_else(PoisonError::into_inner);
            if slept.timed_out() && !state.over {
                state.bar = Some(bar(name));
            }
        };
        // Without a thread it goes on without a word.
        let begun = thread::Builder::new().name("patience".to_owned()).spawn(waits);
        Patience(begun.is_ok().then_some(shared))
    }

    /// Prints to what may be the same terminal.
    pub(crate) fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        let bar = self.0.as_ref().and_then(|shared| shared.lock().bar.clone());
        match bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// The command has come to its end.
    pub(crate) fn end(&self) {
        if let Some(shared) = &self.0 {
            let mut state = shared.lock();
            state.over = true;
            if let Some(bar) = state.bar.take() {
                bar.finish_and_clear();
            }
            shared.over.notify_all();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bar(name: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("sframe-conformance {prefix}: {elapsed}");
    let bar = ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    let bar = bar.with_elapsed(SOON);
    bar.set_prefix(name);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
