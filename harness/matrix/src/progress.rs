//! How far a run is: a bar with rate and time to go on a terminal, now and then a line anywhere else. On standard error, for standard
//! output is the result.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use model::{Status, TrialLine};
use reports::tally::word;
use reports::terminal;

/// Time between lines: a log of a whole night stays short.
const PAUSE: Duration = Duration::from_secs(20);

/// How far a run is.
#[derive(Debug)]
pub(crate) struct Progress {
    display: Display,
    began: Instant,
    all: usize,
    done: usize,
    /// Trials that somebody has to look at.
    bad: usize,
}

#[derive(Debug)]
enum Display {
    Bar(ProgressBar),
    /// When the last one was printed.
    Lines(Instant),
}

impl Progress {
    /// Of so many trials, none of which is done, on so many threads.
    pub(crate) fn new(all: usize, threads: usize) -> Progress {
        let began = Instant::now();
        let display = match io::stderr().is_terminal() {
            true => Display::Bar(bar(all as u64)),
            false => {
                print(&format!("{all} trials on {threads} thread{}", if threads == 1 { "" } else { "s" }));
                Display::Lines(began)
            }
        };
        Progress { display, began, all, done: 0, bad: 0 }
    }

    /// One more is done.
    pub(crate) fn add(&mut self, line: &TrialLine) {
        self.done += 1;
        let bad = matches!(line.status, Status::Fail | Status::Xpass | Status::Unresolved);
        self.bad += usize::from(bad);
        match &mut self.display {
            Display::Bar(bar) => {
                if bad {
                    bar.println(format!("{} {}", word(line.status), reports::escape::line(&line.key)));
                    bar.set_prefix(format!("{} to look at  ", self.bad));
                }
                bar.set_message(reports::escape::line(&line.key));
                bar.inc(1);
            }
            Display::Lines(last) if last.elapsed() >= PAUSE => {
                *last = Instant::now();
                print(&sentence(self.done, self.all, self.bad, self.began.elapsed()));
            }
            Display::Lines(_) => {}
        }
    }

    /// It ends: the bar goes.
    pub(crate) fn end(self) {
        if let Display::Bar(bar) = self.display {
            bar.finish_and_clear();
        }
    }
}

fn bar(all: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}  {rate}  {eta} to go  {prefix}{wide_msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // Nothing is left to do when even the bar cannot be drawn.
        let _ = write!(out, "{:.0}/s", state.per_sec());
    };
    ProgressBar::new(all).with_style(style.with_key("rate", rate))
}

/// `120 of 400 trials, 12.0/s, 23 s to go, 2 to look at`.
fn sentence(done: usize, all: usize, bad: usize, passed: Duration) -> String {
    let rate = done as f64 / passed.as_secs_f64().max(0.001);
    let left = (all.saturating_sub(done) as f64 / rate.max(0.001)).ceil();
    let bad = if bad == 0 { String::new() } else { format!(", {bad} to look at") };
    format!("{done} of {all} trials, {rate:.1}/s, {left:.0} s to go{bad}")
}

fn print(text: &str) {
    // Whoever closed standard error does not want to know.
    let _ = writeln!(terminal::stderr(), "sframe-conformance: {text}");
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::sentence;

    #[test]
    fn rate_and_time_to_go_follow_from_what_is_done() {
        assert_eq!(
            sentence(120, 400, 2, Duration::from_secs(10)),
            "120 of 400 trials, 12.0/s, 24 s to go, 2 to look at"
        );
        assert_eq!(sentence(400, 400, 0, Duration::from_secs(40)), "400 of 400 trials, 10.0/s, 0 s to go");
        assert!(sentence(0, 1, 0, Duration::ZERO).starts_with("0 of 1 trials, 0.0/s, "));
    }
}
