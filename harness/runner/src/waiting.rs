//! The line of a command without a progress bar of its own, once it has taken two seconds: its name
//! and for how long it has been at work. On a terminal only, on standard error.

use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reports::screen;

const SOON: Duration = Duration::from_secs(2);

/// Returns the bar for a command of this name; one that is never drawn without a name or a
/// terminal.
pub(crate) fn bar(command: Option<String>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    let Some(name) = command.filter(|_| screen::messages_are_seen()) else { return bar };
    let style = ProgressStyle::with_template("sframe-conformance {prefix}: {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_prefix(name);
    let later = bar.clone();
    let show = move || {
        thread::sleep(SOON);
        later.set_draw_target(ProgressDrawTarget::stderr());
        later.enable_steady_tick(Duration::from_millis(500));
    };
    // Without a thread the command continues without the line.
    let _ = thread::Builder::new().name("waiting".to_owned()).spawn(show);
    bar
}
