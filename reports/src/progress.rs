//! The progress of a run: a bar with rate and remaining time on a terminal, otherwise a line from
//! time to time. On standard error, since standard output has the results.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use types::counted;

use crate::terminal;

/// Time between lines: the log of a night stays short.
const PAUSE: Duration = Duration::from_secs(20);

/// The progress of a run.
#[derive(Debug)]
pub struct Progress {
    display: Display,
    began: Instant,
    /// The counted unit: trial, file.
    what: &'static str,
    done: Amount,
    all: Amount,
    /// Number of finished items that need attention.
    bad: usize,
}

/// A number of items, and their amount of work in any unit: the remaining time is computed from the
/// work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    pub count: u64,
    pub work: u64,
}

#[derive(Debug)]
enum Display {
    Bar(ProgressBar),
    /// Time of the last printed line.
    Lines(Instant),
}

impl Progress {
    /// Starts the display for `all` items on `threads` threads.
    pub fn new(what: &'static str, all: Amount, threads: usize) -> Progress {
        let began = Instant::now();
        let display = match io::stderr().is_terminal() {
            true => Display::Bar(bar(what, all)),
            false => {
                print(&format!("{} on {}", counted(all.count, what), counted(threads, "thread")));
                Display::Lines(began)
            }
        };
        Progress { display, began, what, done: Amount::default(), all, bad: 0 }
    }

    /// Counts a finished item with its amount of work.
    pub fn add(&mut self, name: &str, work: u64) {
        self.done.count += 1;
        self.done.work += work;
        match &mut self.display {
            Display::Bar(bar) => {
                let bad = if self.bad == 0 { String::new() } else { format!(", {} to look at", self.bad) };
                let rate = rate(self.done.count, self.began.elapsed());
                bar.set_prefix(format!("{}/{}  {rate:.1}/s{bad}", self.done.count, counted(self.all.count, self.what)));
                bar.set_message(crate::escape::line(name));
                bar.inc(work);
            }
            Display::Lines(last) if last.elapsed() >= PAUSE => {
                *last = Instant::now();
                print(&sentence(self.done, self.all, self.what, self.bad, self.began.elapsed()));
            }
            Display::Lines(_) => {}
        }
    }

    /// Counts an item that needs attention.
    pub fn bad(&mut self) {
        self.bad += 1;
    }

    /// Prints a line above the bar.
    pub fn say(&self, text: &str) {
        if let Display::Bar(bar) = &self.display {
            bar.println(text);
        }
    }

    /// Prints to a terminal that may show the bar.
    pub fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.display {
            Display::Bar(bar) => bar.suspend(print),
            Display::Lines(_) => print(),
        }
    }

    /// Ends the display and removes the bar.
    pub fn end(self) {
        if let Display::Bar(bar) = self.display {
            bar.finish_and_clear();
        }
    }
}

fn bar(what: &str, all: Amount) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {prefix}  {eta} to go  {wide_msg}");
    let bar = ProgressBar::new(all.work).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_prefix(format!("0/{}", counted(all.count, what)));
    bar.tick();
    bar
}

/// Items per second.
fn rate(done: u64, passed: Duration) -> f64 {
    done as f64 / passed.as_secs_f64().max(0.001)
}

/// `120 of 400 trials, 12.0/s, 23 s to go, 2 to look at`.
fn sentence(done: Amount, all: Amount, what: &str, bad: usize, passed: Duration) -> String {
    let left = (all.work.saturating_sub(done.work) as f64 / rate(done.work, passed).max(0.001)).ceil();
    let bad = if bad == 0 { String::new() } else { format!(", {bad} to look at") };
    let rate = rate(done.count, passed);
    format!("{} of {}, {rate:.1}/s, {left:.0} s to go{bad}", done.count, counted(all.count, what))
}

fn print(text: &str) {
    // Errors are ignored: standard error is closed.
    let _ = writeln!(terminal::stderr(), "sframe-conformance: {text}");
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Amount, sentence};

    #[test]
    fn rate_and_time_to_go_follow_from_what_is_done() {
        let amount = |count, work| Amount { count, work };
        let (few, all, ten) = (amount(120, 120), amount(400, 400), Duration::from_secs(10));
        assert_eq!(sentence(few, all, "trial", 2, ten), "120 of 400 trials, 12.0/s, 24 s to go, 2 to look at");
        assert_eq!(sentence(all, all, "trial", 0, ten * 4), "400 of 400 trials, 10.0/s, 0 s to go");
        // Half of the files, but a tenth of the work.
        let (half, all) = (amount(2, 100), amount(4, 1000));
        assert_eq!(sentence(half, all, "file", 0, ten), "2 of 4 files, 0.2/s, 90 s to go");
        assert!(sentence(amount(0, 0), amount(1, 1), "file", 0, Duration::ZERO).starts_with("0 of 1 file, 0.0/s, "));
    }
}
