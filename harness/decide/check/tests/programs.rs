//! Programs and objects from `programs`: no false alarm where the tables are right, no silence
//! where they are wrong. The directives are those of [`testing::sources`], and of [`KEYS`].

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;
use std::sync::LazyLock;

use check::client::{Limits, Pool};
use check::{Checked, Include, Judging, Options, Sframe, Synchronous};
use libtest_mimic::Arguments;
use results::{Deny, Finding, Outcome, Report, UndecidedIn};
use testing::sources::{Built, trials};
use types::{Bytes, UndecidedReason, Unreached};

/// - `check`: `execute` (the default; judged in full at every step as well, with the same result),
///   `explore` or `static`, and options: `causes`, `deny=undecided`, `require-sframe`,
///   `schedule=SEED`, `steps=NUMBER`, `sync-tables=error|listed|note`.
/// - `ignore`: rules whose findings the outcome leaves out, if they are no errors.
/// - `show`: what else the outcome states: `assumed`, `blame`, `causes`, `functions`, `messages`,
///   `notes`, `steps`, `unreached`.
const KEYS: &[&str] = &["check", "ignore", "show"];

static POOL: LazyLock<Pool> = LazyLock::new(|| Pool::new(env!("CARGO_BIN_EXE_check-worker").into(), Limits::default()));

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    libtest_mimic::run(&Arguments::from_args(), trials(&folder, KEYS, outcome)).exit();
}

fn outcome(built: &Built<'_>) -> Vec<String> {
    let words = |key| built.setting(key).unwrap_or_default().split_whitespace().collect::<BTreeSet<_>>();
    let options = options(&words("check"));
    let bytes = Bytes::copy_from_slice(&built.bytes);
    let checked = POOL.check("f", &bytes, &options);
    if !words("check").contains("explore") {
        let every_step = Options { judging: Judging::every_step(), ..options };
        assert_eq!(POOL.check("f", &bytes, &every_step), checked, "{}, judged at every step", built.name);
    }
    let deny = Deny { undecided: words("check").contains("deny=undecided"), ..Deny::default() };
    lines(&checked, deny, &words("show"), &words("ignore"))
}

fn options(words: &BTreeSet<&str>) -> Options {
    let mut options = if words.contains("explore") { Options::exploring() } else { Options::default() };
    for word in words {
        match word.split_once('=').unwrap_or((word, "")) {
            // Of the verdict: `headline`.
            ("execute" | "explore", "") | ("deny", "undecided") => {}
            ("static", "") => options.execution = Options::static_only().execution,
            ("require-sframe", "") => options.sframe = Sframe::Required,
            ("sync-tables", "error") => options.synchronous = Synchronous::Error,
            ("sync-tables", "note") => options.synchronous = Synchronous::Note,
            ("sync-tables", "listed") => options.synchronous = Synchronous::Listed,
            ("schedule", seed) => options.inputs.schedule = Some(seed.parse().expect("a seed")),
            ("causes", "") => options.include = [Include::Causes].into(),
            ("steps", steps) => options.limits = check::Limits::steps(steps.parse().expect("a number of steps")),
            _ => panic!("check: {word}"),
        }
    }
    options
}

/// The lines of the outcome: verdict, findings, undecided items, and what else is to be shown.
fn lines(checked: &Checked, deny: Deny, show: &BTreeSet<&str>, ignore: &BTreeSet<&str>) -> Vec<String> {
    let report = &checked.report;
    let mut lines = vec![headline(report, deny, show)];
    let is_ignored = |found: &&Finding| !found.is_error() && ignore.contains(found.rule().name());
    for found in report.discrepancies.iter().filter(|found| !is_ignored(found)) {
        let mut line = format!("{} {}", found.severity, found.rule());
        let mut add = |word: &str, text: &dyn Display| line += &format!(" {word} {text}");
        if !found.shown.place.is_empty() {
            add("at", &found.shown.place);
        }
        if let more @ 1.. = found.evidence.ranges.len().saturating_sub(1) {
            add("and", &format!("{more} more ranges"));
        }
        if show.contains("functions") {
            add("in", &found.function());
        }
        if show.contains("blame") {
            add("by", &found.blame());
        }
        if show.contains("steps") && found.evidence.steps > 0 {
            add("steps", &found.evidence.steps);
        }
        if show.contains("messages") {
            add(":", &found.shown.message);
        }
        lines.push(line);
    }
    if show.contains("causes") {
        let causes = report.discrepancies.iter().flat_map(|found| &found.evidence.causes);
        lines.extend(causes.map(|cause| format!("cause {}", cause.title())).collect::<BTreeSet<_>>());
    }
    let of_answers = |reason| matches!(reason, UndecidedReason::Answers(_));
    let of_run = report.undecided.iter().filter(|one| !of_answers(one.reason));
    lines.extend(of_run.map(|one| format!("undecided {}", one.reason.name())));
    let answers = |one: &UndecidedIn| format!("undecided {} at {}: {} answers", one.why.name(), one.place, one.answers);
    lines.extend(report.undecided_in.iter().map(answers));
    lines.extend(report.contradicted.iter().map(|one| format!("a run and exploration differ at {}", one.place)));
    if show.contains("assumed") {
        lines.extend(report.assumed.iter().map(|one| format!("assumed {} in {}", one.why.name(), one.function)));
    }
    if show.contains("unreached") {
        lines.extend(report.unreached.iter().map(|one| {
            let Unreached { instructions, unconfirmed, unreached, .. } = one.counts;
            let stopped = one.stopped_by.as_ref().map_or_else(String::new, |by| format!(", stopped by {by}"));
            format!(
                "of {instructions} instructions at {}: {unconfirmed} unconfirmed, {unreached} unreached{stopped}",
                one.place
            )
        }));
    }
    if show.contains("notes") {
        lines.extend(report.notes.iter().map(|note| format!("note {note}")));
    }
    lines
}

/// The verdict, and what was looked at.
fn headline(report: &Report, deny: Deny, show: &BTreeSet<&str>) -> String {
    let mut line = match (report.outcome(deny), &report.error) {
        (_, Some(error)) => format!("failed: {error}"),
        (Outcome::Discrepancy, None) => "error".to_owned(),
        (outcome, None) => outcome.name().to_owned(),
    };
    if let Some(reach) = report.summary.reach {
        line += &format!(", {} of {} reached", reach.executed, reach.covered);
    }
    if report.static_only {
        line += ", not executed";
    }
    if let Some(status) = report.exit_status {
        line += &format!(", exited {status}");
    }
    if report.summary.refused > 0 {
        line += &format!(", {} steps refused", report.summary.refused);
    }
    if show.contains("steps") {
        line += &format!(", {} of {} steps judged", report.summary.steps_judged, report.summary.steps_executed);
    }
    line
}
