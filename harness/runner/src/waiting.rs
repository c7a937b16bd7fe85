//! Progress indicator of a command without its own progress bar, shown after two seconds: its name
//! and elapsed time. On a terminal only, on standard error.

use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reports::screen;

const SOON: Duration = Duration::from_secs(2);

/// The indicator for a command with this name; without a name or a terminal it is never drawn.
pub(crate) fn bar(command: Option<String>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    let Some(name) = command.filter(|_| screen::messages_are_seen()) else { return bar };
    let style = ProgressStyle::with_template("sframe-conformance {prefix}: {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_prefix(name);
    let after_pause = bar.clone();
    let show = move || {
        thread::sleep(SOON);
        after_pause.set_draw_target(ProgressDrawTarget::stderr());
        after_pause.enable_steady_tick(Duration::from_millis(500));
    };
    // If no thread can be started, the command continues without the indicator.
    let _ = thread::Builder::new().name("waiting".to_owned()).spawn(show);
    bar
}
