//! The last lines: where the other results are, which trials ran and which did not, changes, new
//! bugs, and the verdict in one sentence.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use results::{EntryClass, RunAsked, RunFacts, Status, TrialLine};
use types::{SframeVersion, counted};

use super::ConsoleOptions;
use crate::causes::new_causes;
use crate::escape::line;
use crate::history::{self, Changes};
use crate::screen::{Mark, Screen};
use crate::sentence::sentence;
use results::tally::Tally;

/// Facts that only the program that did the run knows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ending<'a> {
    /// The comparison with an earlier run.
    pub since: Since<'a>,
    /// Number of trials that `--full` would add.
    pub wider: usize,
    /// Lines to print first.
    pub remarks: &'a [String],
}

/// The comparison of a run with an earlier one.
#[derive(Clone, Copy, Debug, Default)]
pub enum Since<'a> {
    /// No comparison was requested.
    #[default]
    Unasked,
    /// No comparison: it is the first run in its directory.
    First,
    /// No comparison: the previous run had other options.
    Other(&'a RunAsked),
    /// The changes since the previous run.
    Changes(&'a Changes),
}

/// Maximum number of new bugs that the last lines name; all are listed above.
const NAMED: usize = 3;

/// Prints the last lines.
pub(super) fn write(
    trials: &[TrialLine],
    facts: &RunFacts,
    options: ConsoleOptions<'_>,
    ending: &Ending<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out)?;
    for remark in ending.remarks {
        writeln!(out, "{}", line(remark))?;
    }
    let mut put = |label: &str, text: &str| writeln!(out, "{label:<11}{}", line(text));
    let places = options.places;
    put("page", &format!("{}/index.html", places.results.trim_end_matches('/')))?;
    put("counts", &places.report())?;
    put("tried", &tried(trials))?;
    if let Some(text) = known(trials, facts) {
        put("known", &text)?;
    }
    if let Some(text) = absent(trials, facts) {
        put("not tried", &text)?;
    }
    if ending.wider > 0 {
        put("unselected", &format!("{} of `run --full`: all option sets and linkers", counted(ending.wider, "trial")))?;
    }
    if let Some(folder) = &facts.asked.against {
        put("compared", &format!("with {folder}: what was wrong there is known"))?;
    }
    match ending.since {
        Since::Unasked => {}
        Since::First | Since::Other(_) if facts.asked.against.is_some() => {}
        Since::First => put("compared", "with nothing: this is the first run of this folder")?,
        Since::Other(asked) => put("compared", &not_compared(asked))?,
        Since::Changes(changes) => put("compared", &history::text::sentence(changes))?,
    }
    let causes = new_causes(trials);
    for cause in causes.iter().take(NAMED) {
        put("new", &format!("{} ({})", cause.best.headline(), counted(cause.trials.len(), "trial")))?;
    }
    if causes.len() > NAMED {
        put("", &format!("and {}", counted(causes.len() - NAMED, "more new bug")))?;
    }
    verdict(trials, facts, options.screen, out)
}

fn verdict(trials: &[TrialLine], facts: &RunFacts, screen: Screen, out: &mut dyn Write) -> io::Result<()> {
    let tally = Tally::new(trials);
    let mark = if tally.exit_code() == 0 && !tally.is_untried() { Mark::Good } else { Mark::Wrong };
    writeln!(out)?;
    screen.put(mark, &sentence(trials, facts), out)?;
    writeln!(out)
}

/// Number of trials that ran, by SFrame version, the newest first.
fn tried(trials: &[TrialLine]) -> String {
    let mut versions: BTreeMap<Reverse<Option<SframeVersion>>, Tally> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.status != Status::Unsupported) {
        versions.entry(Reverse(SframeVersion::named(&trial.sframe))).or_default().add(trial.status);
    }
    let words = versions.into_iter().map(|(Reverse(version), tally)| {
        let name = version.map_or_else(|| "no .sframe".to_owned(), |version| version.name().to_uppercase());
        format!("{name}: {}", tally.sentence())
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join("; ") }
}

/// The recurring ledger entries, by tool.
fn known(trials: &[TrialLine], facts: &RunFacts) -> Option<String> {
    let findings = trials.iter().flat_map(|trial| &trial.findings);
    let files: BTreeSet<&str> = findings.filter_map(|found| found.standing.known.as_deref()).collect();
    if files.is_empty() {
        return None;
    }
    let mut tools: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut lacking, mut contested) = (0, 0);
    for file in &files {
        let entry = facts.ledger.iter().find(|entry| entry.file == *file);
        match entry.map_or(EntryClass::Bug, |entry| entry.class) {
            EntryClass::NotImplemented => lacking += 1,
            EntryClass::Contested => contested += 1,
            EntryClass::Bug => *tools.entry(entry.map_or("", |entry| &entry.project)).or_default() += 1,
        }
    }
    let bugs: usize = tools.values().sum();
    let named = tools.iter().filter(|(tool, _)| !tool.is_empty()).map(|(tool, bugs)| format!("{tool} {bugs}"));
    let named: Vec<String> = named.collect();
    let by_tool = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
    let recur = if bugs == 1 { "recurs" } else { "recur" };
    let mut words: Vec<String> = Vec::new();
    words.extend((bugs > 0).then(|| format!("{} {recur}{by_tool}", counted(bugs, "bug"))));
    words.extend((lacking > 0).then(|| counted(lacking, "feature") + " not implemented"));
    words.extend((contested > 0).then(|| format!("{contested} contested")));
    Some(words.join("; "))
}

/// The tools that are missing here, and commands to install them.
fn absent(trials: &[TrialLine], facts: &RunFacts) -> Option<String> {
    let absent: Vec<&str> = trials
        .iter()
        .filter(|trial| trial.status == Status::Unsupported)
        .map(|trial| trial.problems.first().map_or("no reason given", String::as_str))
        .collect();
    let mut why: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in &absent {
        *why.entry(reason).or_default() += 1;
    }
    let first = why.iter().max_by_key(|(reason, count)| (**count, Reverse(**reason)))?.0;
    let from: BTreeSet<&str> =
        why.keys().filter_map(|why| facts.producers.iter().find(|tool| tool.told == *why)?.from.as_deref()).collect();
    let what = counted(absent.len(), "trial");
    if from.is_empty() {
        let more =
            if why.len() > 1 { format!("; and {}", counted(why.len() - 1, "more reason")) } else { String::new() };
        return Some(format!("{what}: {first}{more}"));
    }
    Some(format!("{what}, for tools that were not found: {}", commands(&from)))
}

/// Commands merged if they call the same program.
fn commands(from: &BTreeSet<&str>) -> String {
    let mut programs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for command in from {
        let (program, words) = command.split_once(' ').unwrap_or((command, ""));
        programs.entry(program).or_default().push(words);
    }
    let calls: Vec<String> = programs.iter().map(|(program, words)| format!("{program} {}", words.join(" "))).collect();
    calls.iter().map(|call| call.trim_end()).collect::<Vec<_>>().join("; ")
}

/// The message that the previous results have other options.
fn not_compared(asked: &RunAsked) -> String {
    let words = asked.words();
    let was = if words.is_empty() { "of the whole matrix".to_owned() } else { words.join(" ") };
    format!("with nothing: the previous run was {was}")
}
