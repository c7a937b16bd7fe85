//! Producers (rows) against ABI and SFrame version (columns): how the trials of each cell came out;
//! and below them readers, where some were asked.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use results::{Reading, RunFacts, Status, TrialLine, table_name};
use types::{Abi, SframeVersion};

use super::text::{clean, count, fragment};
use super::totals::sign;
use crate::tally::{Tally, WORST_FIRST, word};

/// A column: ABI and SFrame version.
type Column<'a> = (&'a str, &'a str);

/// The table of the page.
pub(super) struct Matrix<'a> {
    columns: BTreeSet<Column<'a>>,
    rows: BTreeMap<&'a str, BTreeMap<Column<'a>, Cell>>,
    /// Producers without a version and without a trial: for which ABIs they were looked for.
    absent: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// How readers read the tables of a column.
    readers: Vec<(&'a str, BTreeMap<Column<'a>, Reading>)>,
}

/// Counts of the trials of one producer on one target.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    counts: Tally,
    /// Trials with a finding that no ledger entry covers.
    new: u64,
}

impl<'a> Matrix<'a> {
    /// Tally the trials into cells.
    pub(super) fn new(trials: &'a [TrialLine], facts: &'a RunFacts) -> Matrix<'a> {
        let mut matrix =
            Matrix { columns: BTreeSet::new(), rows: BTreeMap::new(), absent: BTreeMap::new(), readers: Vec::new() };
        for trial in trials {
            let column = (trial.abi.as_str(), trial.sframe.as_str());
            matrix.columns.insert(column);
            let cell = matrix.rows.entry(&trial.producer).or_default().entry(column).or_default();
            cell.counts.add(trial.status);
            cell.new += u64::from(trial.findings.iter().any(|finding| finding.standing.known.is_none()));
        }
        for facts in facts.producers.iter().filter(|facts| facts.version.is_none()) {
            // Trials of a version that ought to be here have a row of their own.
            let named = |producer: &&str| producer.split('@').next() == Some(facts.name.as_str());
            if !matrix.rows.keys().any(named) {
                matrix.absent.entry(&facts.name).or_default().insert(&facts.abi);
            }
        }
        for reader in facts.readers.iter().flat_map(|run| &run.readers) {
            let of = |abi: Abi, version: SframeVersion| {
                Some(((abi.name(), version.name()), *reader.reads.get(&table_name(version, abi))?))
            };
            let reads =
                Abi::ALL.iter().flat_map(|abi| SframeVersion::ALL.iter().filter_map(|version| of(*abi, *version)));
            let reads: BTreeMap<Column<'_>, Reading> = reads.collect();
            matrix.columns.extend(reads.keys().copied());
            matrix.readers.push((&reader.name, reads));
        }
        matrix
    }

    /// The table. Every cell is a link to its trials.
    pub(super) fn table(&self) -> Markup {
        let mut abis: BTreeMap<&str, usize> = BTreeMap::new();
        for (abi, _) in &self.columns {
            *abis.entry(abi).or_default() += 1;
        }
        let first_of_abi: BTreeSet<&Column<'_>> =
            abis.keys().filter_map(|abi| self.columns.iter().find(|(other, _)| other == abi)).collect();
        let edge = |column: &Column<'_>| if first_of_abi.contains(column) { "edge" } else { "" };
        html! {
            @if self.columns.is_empty() {
                p.note { "No trials." }
            } @else {
                div.wide tabindex="0" role="region" aria-label="Matrix of producers, targets and versions" {
                    table #grid .matrix {
                        thead {
                            tr {
                                th scope="col" rowspan="2" { "producer" }
                                @for (abi, span) in &abis {
                                    th.edge scope="colgroup" colspan=(span) { (clean(abi)) }
                                }
                            }
                            tr {
                                @for column in &self.columns {
                                    th scope="col" class=(edge(column)) { (version(column.1)) }
                                }
                            }
                        }
                        tbody {
                            @for (producer, cells) in &self.rows {
                                tr {
                                    th scope="row" { (name(producer)) }
                                    @for column in &self.columns {
                                        td class=(edge(column)) { (cell(producer, column, cells.get(column))) }
                                    }
                                }
                            }
                            @for (producer, looked_for) in &self.absent {
                                tr.absent {
                                    th scope="row" { (clean(producer)) }
                                    @for column in &self.columns {
                                        td class=(edge(column)) {
                                            @if looked_for.contains(column.0) {
                                                span.cell.UNSUPPORTED { "– not here" }
                                            } @else {
                                                span.none aria-hidden="true" { "·" }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                        @if !self.readers.is_empty() { (self.readers(&edge)) }
                    }
                }
                p.key {
                    @for status in WORST_FIRST {
                        span class={ "status " (word(status)) } { (sign(status)) " " (name_of(status)) @if status == Status::Fail { " or fail" } }
                        " "
                    }
                    span.note { "· no trials" }
                }
            }
        }
    }
}

impl<'a> Matrix<'a> {
    /// What readers make of tables of each column that are right.
    fn readers(&self, edge: &impl Fn(&Column<'a>) -> &'static str) -> Markup {
        html! {
            tbody {
                tr.group { th scope="rowgroup" colspan=(self.columns.len() + 1) { "readers, of right tables" } }
                @for (reader, reads) in &self.readers {
                    tr {
                        th scope="row" { (clean(reader)) }
                        @for column in &self.columns {
                            td class=(edge(column)) {
                                @match reads.get(column) {
                                    Some(reading) => { span class={ "cell " (gravity(*reading)) } { (reading_sign(*reading)) " " (reading.word()) } }
                                    None => { span.none aria-hidden="true" { "·" } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How grave it is, as a status of the page.
fn gravity(reading: Reading) -> &'static str {
    match reading {
        Reading { wrong: 1.., .. } => word(Status::Fail),
        Reading { silent: 0, refused: 0, .. } => word(Status::Pass),
        Reading { .. } => word(Status::Xfail),
    }
}

fn reading_sign(reading: Reading) -> &'static str {
    match reading {
        Reading { wrong: 1.., .. } => "✗",
        Reading { right: 0, .. } => "–",
        Reading { silent: 0, refused: 0, .. } => "✓",
        Reading { .. } => "◐",
    }
}

/// The words of the cells: they say what a status means for a producer.
const fn name_of(status: Status) -> &'static str {
    match status {
        Status::Fail => "new",
        Status::Xpass => "gone",
        Status::Unresolved => "undecided",
        Status::Xfail => "known",
        Status::Pass => "pass",
        Status::Unsupported => "not here",
    }
}

/// The column's heading; `none` is an ABI without a version to write.
fn version(sframe: &str) -> String {
    if sframe == "none" { "no SFrame".to_owned() } else { clean(sframe) }
}

/// `gas@2.44` as name and version.
fn name(producer: &str) -> Markup {
    let (name, version) = producer.split_once('@').unwrap_or((producer, ""));
    html! { (clean(name)) @if !version.is_empty() { span.version { "@" wbr; (clean(version)) } } }
}

fn cell(producer: &str, column: &Column<'_>, cell: Option<&Cell>) -> Markup {
    let Some((cell, worst)) = cell.and_then(|cell| Some((cell, cell.counts.worst()?))) else {
        return html! { span.none aria-hidden="true" { "·" } };
    };
    let (abi, sframe) = column;
    let total = cell.counts.all();
    // A failure without a new finding is a broken, vacuous or expired trial.
    let words = if worst == Status::Fail && cell.new == 0 { "fail" } else { name_of(worst) };
    let counts: Vec<String> = WORST_FIRST
        .into_iter()
        .filter(|status| cell.counts.count(*status) > 0)
        .map(|status| format!("{} {}", count(cell.counts.count(status)), word(status)))
        .collect();
    let (part, absent) = (cell.counts.count(worst), cell.counts.count(Status::Unsupported));
    let seen = format!("{} {words}", sign(worst));
    let of = if part < total { format!("{}/{}", count(part), count(total)) } else { count(part) };
    let not_run = if (1..total).contains(&absent) { format!(" {} not run", count(absent)) } else { String::new() };
    // The script of the page gives the text.
    let label = format!("{producer}, {abi} {sframe}: {seen} {of}{not_run}: {}", counts.join(", "));
    let link = format!("#trials&producer={}&abi={}&sframe={}", fragment(producer), fragment(abi), fragment(sframe));
    html! {
        a class={ "cell " (word(worst)) } href=(link) aria-label=(clean(&label)) {
            span.word { (seen) } " "
            span.of { b { (count(part)) } @if part < total { "/" (count(total)) } }
            @if !not_run.is_empty() { span.of { (not_run) } }
            (strip(&cell.counts))
        }
    }
}

/// The counts as a strip of proportional parts.
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
