//! Producers (rows) against targets (columns), a mark for each SFrame version: the share of passing
//! trials and the open bugs. Readers, if tested, and frozen objects are below.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use results::{EntryClass, Reading, RunFacts, Status, ToolVersion, TrialLine, table_name};
use types::{Abi, SframeVersion};

use super::text::{clean, count, fragment};
use super::totals::sign;
use crate::causes::NewCause;
use results::tally::{Tally, WORST_FIRST, word};

/// The topic of frozen objects, which other projects built earlier.
const FROZEN: &str = "objects";

/// The table of the page.
pub(super) struct Matrix<'a> {
    /// Targets, in the order of [`Abi::ALL`].
    abis: Vec<&'a str>,
    /// Producers on this machine, by name, the newest version first.
    rows: Vec<MatrixRow<'a>>,
    /// Producers of frozen objects, in the same order.
    frozen: Vec<MatrixRow<'a>>,
    /// Producers without a version and without a trial: the ABIs that they were searched for.
    absent: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// Results of readers for right tables, by target and version.
    readers: Vec<(&'a str, BTreeMap<&'a str, Reads>)>,
}

/// Results of a reader for the tables of a target, the newest version first.
type Reads = Vec<(SframeVersion, Reading)>;

/// A producer with its cells, by target and version.
struct MatrixRow<'a> {
    producer: &'a str,
    cells: BTreeMap<&'a str, BTreeMap<Newest<'a>, Cell<'a>>>,
}

/// An SFrame version's name with its sort key; the newest is first.
type Newest<'a> = (Reverse<Option<SframeVersion>>, &'a str);

/// Trials of one producer on one target with one version.
#[derive(Clone, Debug, Default)]
struct Cell<'a> {
    counts: Tally,
    /// New bugs.
    new: usize,
    /// Recurring ledger entries that are bugs and fixed in no version.
    open: BTreeSet<&'a str>,
    /// Recurring ledger entries that a later version has fixed.
    fixed: BTreeSet<&'a str>,
}

impl<'a> Matrix<'a> {
    /// Counts the trials into cells.
    pub(super) fn new(trials: &'a [TrialLine], causes: &[NewCause<'_>], facts: &'a RunFacts) -> Matrix<'a> {
        let (frozen, built): (Vec<_>, Vec<_>) = trials.iter().partition(|trial| trial.topic == FROZEN);
        let mut matrix = Matrix {
            abis: Vec::new(),
            rows: rows(&built, causes, facts),
            frozen: rows(&frozen, causes, facts),
            absent: BTreeMap::new(),
            readers: Vec::new(),
        };
        let mut abis: BTreeSet<&str> = trials.iter().map(|trial| trial.abi.as_str()).collect();
        for facts in facts.producers.iter().filter(|facts| facts.version.is_none()) {
            // Trials of a version that is missing here have a row of their own.
            let named = |row: &MatrixRow<'_>| row.producer.split('@').next() == Some(facts.name.as_str());
            if !matrix.rows.iter().any(named) {
                matrix.absent.entry(&facts.name).or_default().insert(&facts.abi);
            }
        }
        for reader in facts.readers.iter().flat_map(|run| &run.readers) {
            let mut reads: BTreeMap<&str, Reads> = BTreeMap::new();
            for abi in Abi::ALL {
                let of = |version: &SframeVersion| Some((*version, *reader.reads.get(&table_name(*version, abi))?));
                let read: Reads = SframeVersion::ALL.iter().rev().filter_map(of).collect();
                if !read.is_empty() {
                    abis.insert(abi.name());
                    reads.insert(abi.name(), read);
                }
            }
            matrix.readers.push((&reader.name, reads));
        }
        let place = |name: &str| Abi::ALL.iter().position(|abi| abi.name() == name).unwrap_or(usize::MAX);
        matrix.abis = abis.into_iter().collect();
        matrix.abis.sort_by_key(|abi| (place(abi), *abi));
        matrix
    }

    /// The table. Every mark is a link to its trials.
    pub(super) fn table(&self) -> Markup {
        html! {
            @if self.abis.is_empty() {
                p.note { "No trials." }
            } @else {
                div.wide tabindex="0" role="region" aria-label="Matrix of producers and targets" {
                    table #grid .matrix {
                        thead { tr {
                            th scope="col" { "producer" }
                            @for abi in &self.abis { th.edge scope="col" { (clean(abi)) } }
                        } }
                        tbody.producers {
                            @for row in &self.rows { (self.row(row)) }
                            @for (producer, looked_for) in &self.absent {
                                tr.absent {
                                    th scope="row" { (clean(producer)) }
                                    @for abi in &self.abis {
                                        td.edge {
                                            @if looked_for.contains(abi) { span.cell.UNSUPPORTED { "– not found" } } @else { (nothing()) }
                                        }
                                    }
                                }
                            }
                        }
                        tbody {
                            @if !self.frozen.is_empty() {
                                (self.group("frozen objects: built by others, part of the project"))
                                @for row in &self.frozen { (self.row(row)) }
                            }
                            @if !self.readers.is_empty() { (self.readers()) }
                        }
                    }
                }
                p.key {
                    span.note { "A mark: SFrame version, trials that are right in per cent of those that ran, bugs that no version has fixed. " }
                    @for status in WORST_FIRST {
                        span class={ "status " (word(status)) } { (sign(status)) " " (name_of(status)) @if status == Status::Fail { " or fail" } }
                        " "
                    }
                    span.note { "· no trials" }
                }
            }
        }
    }

    fn group(&self, title: &str) -> Markup {
        html! { tr.group { th scope="rowgroup" colspan=(self.abis.len() + 1) { (title) } } }
    }

    fn row(&self, row: &MatrixRow<'a>) -> Markup {
        html! {
            tr {
                th scope="row" { (name(row.producer)) }
                @for abi in &self.abis {
                    td.edge {
                        @match row.cells.get(abi) {
                            Some(cells) => { div.marks { @for ((_, version), one) in cells { (cell(row.producer, (abi, version), one)) } } }
                            None => (nothing()),
                        }
                    }
                }
            }
        }
    }

    /// Results of readers for right tables of each target.
    fn readers(&self) -> Markup {
        html! {
            (self.group("readers, of right tables"))
            @for (reader, reads) in &self.readers {
                tr {
                    th scope="row" { (clean(reader)) }
                    @for abi in &self.abis {
                        td.edge {
                            @match reads.get(abi) {
                                Some(read) => { div.marks {
                                    @for (version, reading) in read {
                                        span class={ "cell " (gravity(*reading)) } {
                                            span.word { (version.name()) " " (reading_sign(*reading)) " " (reading.word()) }
                                        }
                                    }
                                } }
                                None => (nothing()),
                            }
                        }
                    }
                }
            }
        }
    }
}

fn rows<'a>(trials: &[&'a TrialLine], causes: &[NewCause<'_>], facts: &'a RunFacts) -> Vec<MatrixRow<'a>> {
    let mut new: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, cause) in causes.iter().enumerate() {
        for key in &cause.trials {
            new.entry(key).or_default().push(number);
        }
    }
    let entries: BTreeMap<&str, (EntryClass, bool)> =
        facts.ledger.iter().map(|entry| (entry.file.as_str(), (entry.class, entry.fixed.is_some()))).collect();
    let mut rows: BTreeMap<&str, MatrixRow<'a>> = BTreeMap::new();
    let mut fresh: BTreeMap<(&str, &str, &str), BTreeSet<usize>> = BTreeMap::new();
    for trial in trials {
        let row = rows
            .entry(&trial.producer)
            .or_insert_with(|| MatrixRow { producer: &trial.producer, cells: BTreeMap::new() });
        let version = (Reverse(SframeVersion::named(&trial.sframe)), trial.sframe.as_str());
        let cell = row.cells.entry(&trial.abi).or_default().entry(version).or_default();
        cell.counts.add(trial.status);
        for file in trial.findings.iter().filter_map(|found| found.standing.known.as_deref()) {
            match entries.get(file) {
                Some((EntryClass::Bug, true)) => cell.fixed.insert(file),
                Some((EntryClass::Bug, false)) | None => cell.open.insert(file),
                Some((EntryClass::NotImplemented | EntryClass::Contested, _)) => false,
            };
        }
        let fresh = fresh.entry((&trial.producer, &trial.abi, &trial.sframe)).or_default();
        fresh.extend(new.get(trial.key.as_str()).into_iter().flatten());
        cell.new = fresh.len();
    }
    let mut rows: Vec<MatrixRow<'a>> = rows.into_values().collect();
    let parts = |row: &MatrixRow<'a>| {
        let (name, version) = row.producer.split_once('@').unwrap_or((row.producer, ""));
        (name, ToolVersion::new(version))
    };
    rows.sort_by(|a, b| {
        let ((name, version), (other, older)) = (parts(a), parts(b));
        name.cmp(other).then_with(|| older.cmp_numbers(&version))
    });
    rows
}

fn nothing() -> Markup {
    html! { span.none aria-hidden="true" { "·" } }
}

/// How grave it is, as a status of the page.
pub(super) fn gravity(reading: Reading) -> &'static str {
    match reading {
        Reading { wrong: 1.., .. } => word(Status::Fail),
        Reading { silent: 0, refused: 0, .. } => word(Status::Pass),
        Reading { .. } => word(Status::Xfail),
    }
}

pub(super) fn reading_sign(reading: Reading) -> &'static str {
    match reading {
        Reading { wrong: 1.., .. } => "✗",
        Reading { right: 0, .. } => "–",
        Reading { silent: 0, refused: 0, .. } => "✓",
        Reading { .. } => "◐",
    }
}

/// The text of a cell: the meaning of a status for a producer.
const fn name_of(status: Status) -> &'static str {
    match status {
        Status::Fail => "new",
        Status::Xpass => "gone",
        Status::Unresolved => "undecided",
        Status::Xfail => "known",
        Status::Pass => "pass",
        Status::Unsupported => "not found",
    }
}

/// The name of a version; `none` means that the producer writes no SFrame for the ABI.
fn version(sframe: &str) -> String {
    if sframe == "none" { "no SFrame".to_owned() } else { clean(sframe) }
}

/// `gas@2.44` as name and version. A line may end before the last part of the version, the day of a
/// snapshot.
fn name(producer: &str) -> Markup {
    let (name, version) = producer.split_once('@').unwrap_or((producer, ""));
    let (first, last) = version.rsplit_once('.').map_or(("", version), |(first, last)| (first, last));
    html! {
        (clean(name))
        @if !version.is_empty() {
            wbr;
            span.version { "@" @if !first.is_empty() { (clean(first)) "." wbr; } (clean(last)) }
        }
    }
}

/// Percentage of passing trials of those that ran, rounded down: less than all is less than 100.
fn right(counts: &Tally) -> Option<u64> {
    let ran = counts.all() - counts.count(Status::Unsupported);
    (ran > 0).then(|| counts.count(Status::Pass) * 100 / ran)
}

/// The CSS class for the colour of a share.
const fn shade(percent: u64) -> &'static str {
    match percent {
        100.. => "all",
        90..100 => "most",
        50..90 => "many",
        0..50 => "few",
    }
}

fn cell(producer: &str, (abi, sframe): (&str, &str), cell: &Cell<'_>) -> Markup {
    let Some(worst) = cell.counts.worst() else { return nothing() };
    // A failure without a new finding is a broken, vacuous or expired trial.
    let words = if worst == Status::Fail && cell.new == 0 { "fail" } else { name_of(worst) };
    let counts: Vec<String> = WORST_FIRST
        .into_iter()
        .filter(|status| cell.counts.count(*status) > 0)
        .map(|status| format!("{} {}", count(cell.counts.count(status)), word(status)))
        .collect();
    let percent = right(&cell.counts);
    let share = percent.map_or_else(String::new, |percent| format!("{percent}\u{a0}%"));
    let bugs = match (cell.new, cell.open.len()) {
        (0, 0) => String::new(),
        (0, open) => format!("{open} open"),
        (new, 0) => format!("{new} new"),
        (new, open) => format!("{new} new, {open} open"),
    };
    let fixed = if cell.fixed.is_empty() { String::new() } else { format!(", {} fixed later", cell.fixed.len()) };
    let seen = if share.is_empty() { words } else { &share };
    // The label begins with the visible text (WCAG 2.5.3).
    let label = format!(
        "{producer}, {abi} {} {} {seen} {bugs}: {words}{fixed}, {}",
        version(sframe),
        sign(worst),
        counts.join(", ")
    );
    let link = format!("#trials&producer={}&abi={}&sframe={}", fragment(producer), fragment(abi), fragment(sframe));
    html! {
        a class={ "cell " (word(worst)) " " (percent.map_or("", shade)) } href=(link) aria-label=(clean(&label)) {
            span.of { (version(sframe)) } " "
            span.word { (sign(worst)) " " (seen) }
            @if !bugs.is_empty() { " " span.of { (bugs) } }
        }
    }
}

/// The counts as a bar of proportional parts.
pub(super) fn strip(counts: &Tally) -> Markup {
    html! {
        span.strip aria-hidden="true" {
            @for status in WORST_FIRST {
                @if counts.count(status) > 0 {
                    i class=(word(status)) style={ "flex-grow:" (counts.count(status)) } {}
                }
            }
        }
    }
}
