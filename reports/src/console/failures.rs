//! Results that need action: trials that fail for other reasons than new bugs, equal ones once, and
//! each new bug once, with the next commands.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use results::{CaseName, RunFacts, Status, TrialLine};

use super::ConsoleOptions;
use crate::causes::{NewCause, new_causes};
use crate::escape::{line, lines};
use crate::places::{Places, Steps};
use crate::screen::Mark;
use results::tally::{WORST_FIRST, word};
use types::counted;

use crate::text::values_line;

/// Maximum number of bugs and trials that are printed in full; a page lists all.
const MOST: usize = 10;

/// Maximum number of trials and functions that are named for a finding.
const NAMED: usize = 3;

/// Prints new bugs and other failures; nothing if there are none.
pub(super) fn write(
    trials: &[TrialLine],
    facts: &RunFacts,
    options: ConsoleOptions<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let causes = new_causes(trials);
    let others = alike(trials);
    let (told_others, more_others) = others.split_at(others.len().min(MOST));
    rest(more_others.iter().map(|others| others.len()).sum(), "more trial", "of these", options.places, out)?;
    // The most severe is last: it is read first.
    for trials in told_others.iter().rev() {
        problem(trials, options, out)?;
    }
    let (shown, more) = causes.split_at(causes.len().min(MOST));
    rest(more.len(), "more new bug", "with fewer trials each", options.places, out)?;
    for cause in shown.iter().rev() {
        bug(cause, facts, options, out)?;
    }
    Ok(())
}

/// Returns true if a trial has a failure besides new findings.
fn fails_otherwise(trial: &TrialLine) -> bool {
    let new = trial.findings.iter().any(|found| found.standing.known.is_none());
    let bad = matches!(trial.status, Status::Fail | Status::Xpass | Status::Unresolved);
    bad && (!new || !trial.problems.is_empty())
}

fn rest(count: usize, what: &str, which: &str, places: &Places, out: &mut dyn Write) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    let page = format!("{}/index.html", places.results.trim_end_matches('/'));
    writeln!(out, "\n{} {which}: {} has them all", counted(count, what), line(&page))
}

/// Trials with other failures, grouped by equal problems: a failure of a tool or of the machine
/// occurs in many trials. The most severe first, then the most frequent.
fn alike(trials: &[TrialLine]) -> Vec<Vec<&TrialLine>> {
    let mut alike: BTreeMap<(Status, &[String]), Vec<&TrialLine>> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| fails_otherwise(trial)) {
        alike.entry((trial.status, &trial.problems)).or_default().push(trial);
    }
    let mut alike: Vec<Vec<&TrialLine>> = alike.into_values().collect();
    let gravity = |status| WORST_FIRST.iter().position(|other| *other == status);
    alike.sort_by_key(|trials| {
        let first = trials.first();
        (first.map(|trial| gravity(trial.status)), Reverse(trials.len()), first.map(|trial| &trial.key))
    });
    alike
}

/// Prints `FAIL NAME`, with the reason below.
fn problem(trials: &[&TrialLine], options: ConsoleOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Some(trial) = trials.first() else { return Ok(()) };
    writeln!(out)?;
    options.screen.put(Mark::Wrong, word(trial.status), out)?;
    writeln!(out, " {}{}", line(&trial.key), and_more(trials.len(), "trial"))?;
    for problem in trial.problems.iter().flat_map(|problem| problem.lines()) {
        writeln!(out, "     {}", lines(problem))?;
    }
    steps(options.places.steps_of_trial(trial), out)
}

/// Prints a bug: a sentence with the address, where it occurs, the values in the first trial, and
/// the next commands.
fn bug(cause: &NewCause<'_>, facts: &RunFacts, options: ConsoleOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
    let NewCause { best, best_trial, .. } = cause;
    let case = format!("{}/{}", best_trial.topic, CaseName(&best_trial.case).plain());
    writeln!(out)?;
    options.screen.put(Mark::Wrong, word(best_trial.status), out)?;
    write!(out, " ")?;
    options.screen.put(Mark::Head, &line(&format!("{}, in {case}", best.headline())), out)?;
    writeln!(out, "\n     {}{}", line(&best_trial.key), and_more(cause.trials.len(), "trial"))?;
    let rules: Vec<&str> = cause.rules.iter().map(|rule| rule.name()).collect();
    write!(out, "     blame: {}   {}", best.blame(), rules.join(", "))?;
    let functions: Vec<&str> = std::iter::once(best.function())
        .chain(cause.functions.iter().copied().filter(|name| *name != best.function()))
        .filter(|name| !name.is_empty())
        .collect();
    if !functions.is_empty() {
        let named: Vec<String> = functions.iter().take(NAMED).map(|name| line(name)).collect();
        let more = functions.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        write!(out, "   in {}{more}", named.join(", "))?;
    }
    writeln!(out)?;
    if let Some(source) = &best.shown.source {
        writeln!(out, "     {}:{}", line(&source.file), source.line)?;
    }
    for (name, values) in
        [("truth", &best.evidence.truth), (".sframe", &best.evidence.sframe), (".eh_frame", &best.evidence.eh_frame)]
    {
        if let Some(values) = values {
            writeln!(out, "{}", options.screen.cut(&format!("     {name:>9}: {}", values_line(values))))?;
        }
    }
    if let Some(row) = best.standing.unlisted.and_then(|index| best.evidence.rows.get(index)) {
        writeln!(out, "     the ledger has other rows of it, not: {}", line(&row.to_string()))?;
    }
    if let Some(like) = &best.standing.resembles {
        let name = like.file.trim_end_matches(".yaml");
        let how = if like.same_case { "known as" } else { "looks like" };
        writeln!(out, "     {how} {} in {}", line(name), line(&like.of))?;
    }
    let all = options.places.steps(best_trial, best, &cause.fingerprints, facts);
    steps(all, out)
}

/// `, and 3 more trials`.
fn and_more(all: usize, what: &str) -> String {
    match all.saturating_sub(1) {
        0 => String::new(),
        more => format!(", and {}", counted(more, &format!("more {what}"))),
    }
}

/// Prints one command per line, ready to be pasted.
fn steps(steps: Steps, out: &mut dyn Write) -> io::Result<()> {
    steps.into_iter().try_for_each(|(what, command)| writeln!(out, "     {what:<8} {command}"))
}
