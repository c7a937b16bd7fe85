//! The results of planted bugs as text and as JSON: by class, or by operator.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use generators::blind::{Effect, Unseen};
use serde_json::{Value, json};
use types::{Abi, SframeVersion};

use super::{BlindFate, BlindResult, BlindScore, Class, Demand};
use crate::score::table::Table;

/// Maximum number of mutants listed for each reason why they cannot be decided.
const EXAMPLES: usize = 12;

/// Numbers of mutants by fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reported as required.
    pub caught: usize,
    /// Number of these that structural rules alone also report.
    pub by_structure: usize,
    /// Nothing had to be reported, and no error was.
    pub quiet: usize,
    pub missed: usize,
    pub wrong_blame: usize,
    pub false_alarm: usize,
    pub panicked: usize,
    /// Undecidable, or any verdict is accepted.
    pub free: usize,
}

impl Counts {
    pub fn new<'m>(mutants: impl Iterator<Item = &'m BlindResult>) -> Counts {
        let mut counts = Counts::default();
        for mutant in mutants {
            *match (mutant.fate, mutant.demand) {
                (BlindFate::Right | BlindFate::Reported, Demand::Free | Demand::Unseen(_)) => &mut counts.free,
                (BlindFate::Right | BlindFate::Reported, Demand::Quiet) => &mut counts.quiet,
                (BlindFate::Right | BlindFate::Reported, Demand::Error | Demand::Refusal | Demand::Gap) => {
                    counts.by_structure += usize::from(mutant.by_structure);
                    &mut counts.caught
                }
                (BlindFate::Missed, _) => &mut counts.missed,
                (BlindFate::WrongBlame, _) => &mut counts.wrong_blame,
                (BlindFate::FalseAlarm, _) => &mut counts.false_alarm,
                (BlindFate::Panicked, _) => &mut counts.panicked,
            } += 1;
        }
        counts
    }

    const fn right(&self) -> usize {
        self.caught + self.quiet
    }

    const fn failed(&self) -> usize {
        self.missed + self.wrong_blame + self.false_alarm + self.panicked
    }

    const fn made(&self) -> usize {
        self.right() + self.failed() + self.free
    }

    /// `3!1+2`: caught or right, then `!` missed, `?` wrong blame, `*` false alarm, `+` the others.
    fn cell(&self, first: usize, others: usize) -> String {
        let marks =
            [('!', self.missed + self.panicked), ('?', self.wrong_blame), ('*', self.false_alarm), ('+', others)];
        let marks = marks.iter().filter(|(_, count)| *count > 0).map(|(mark, count)| format!("{mark}{count}"));
        std::iter::once(first.to_string()).chain(marks).collect()
    }
}

/// Prints a line for each class, a table by class, target and version, and every failure.
pub fn print(score: &BlindScore, out: &mut dyn Write) -> io::Result<()> {
    let mut classes = Table::new("class", ["made", "right", "missed", "blame?", "alarm", "free", "panicked"]);
    let all = Counts::new(score.mutants.iter());
    let of = |class| Counts::new(score.mutants.iter().filter(move |mutant| mutant.class == class));
    for (name, counts) in Class::ALL.iter().map(|class| (class.name(), of(*class))).chain([("all", all)]) {
        let Counts { missed, wrong_blame, false_alarm, panicked, free, .. } = counts;
        classes.line(name, [counts.made(), counts.right(), missed, wrong_blame, false_alarm, free, panicked]);
    }
    writeln!(out, "{classes}")?;
    writeln!(
        out,
        "cells: right, !missed, ?wrong blame, *false alarm, +free (no error is expected, or the bytes do not decide it)"
    )?;
    let mut grid = Table::new("", Class::ALL.iter().map(|class| class.name()));
    for column in score.columns() {
        let cell = |class: &Class| {
            let of = score.mutants.iter().filter(|mutant| (mutant.abi, mutant.version) == column);
            let counts = Counts::new(of.filter(|mutant| mutant.class == *class));
            counts.cell(counts.right(), counts.free)
        };
        grid.line(&format!("{} {}", column.0, column.1), Class::ALL.iter().map(cell));
    }
    writeln!(out, "{grid}")?;
    writeln!(out, "{} mutants of {} files", score.mutants.len(), score.files)?;
    for why in &score.left_out {
        writeln!(out, "  left out: {why}")?;
    }
    let (rows, unseen) = score.witnessed();
    writeln!(out, "{rows} with rows changed that are executed or covered; {unseen} of them cannot be detected:")?;
    for (reason, mutants) in reasons(score) {
        let examples: Vec<String> = mutants.iter().take(EXAMPLES).map(|mutant| mutant.id.to_string()).collect();
        writeln!(out, "  {} {reason}, as {}", mutants.len(), examples.join(", "))?;
    }
    if !score.is_witnessed() {
        writeln!(out, "failed: more than {} % of the changed rows cannot be detected", BlindScore::MOST_UNSEEN)?;
    }
    writeln!(
        out,
        "right {}, missed {}, wrong blame {}, false alarms {}, panics {}",
        all.right(),
        all.missed,
        all.wrong_blame,
        all.false_alarm,
        all.panicked
    )?;
    score.failures().try_for_each(|failure| show(failure, out))
}

/// Prints a line for each operator with a cell for each target and version, totals, and every
/// failure.
pub fn print_operators(score: &BlindScore, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "cells: caught, !missed, ?wrong blame, *false alarm, +equivalent; structure: caught by structural rules alone too"
    )?;
    let columns = score.columns();
    let title = |(abi, version): &(Abi, SframeVersion)| {
        let abi = match abi {
            Abi::Amd64 => "amd",
            Abi::Aarch64 => "aarch",
            Abi::Aarch64Be => "be",
            Abi::S390x => "s390x",
        };
        format!("{abi}-{}", version.name())
    };
    let totals = ["caught", "structure", "failed"].map(str::to_owned);
    let mut table = Table::new("operator", columns.iter().map(title).chain(totals));
    let operators: BTreeSet<&str> = score.mutants.iter().map(BlindResult::operator).collect();
    let mut line = |name: &str, of: &dyn Fn(&BlindResult) -> bool| {
        let counts = |in_column: &dyn Fn(&BlindResult) -> bool| {
            Counts::new(score.mutants.iter().filter(|mutant| of(mutant) && in_column(mutant)))
        };
        let cells = columns.iter().map(|column| {
            let counts = counts(&|mutant| (mutant.abi, mutant.version) == *column);
            if counts == Counts::default() {
                "-".to_owned()
            } else {
                counts.cell(counts.caught, counts.quiet + counts.free)
            }
        });
        let all = counts(&|_| true);
        let totals = [all.caught, all.by_structure, all.failed()].map(|count| count.to_string());
        table.line(name, cells.chain(totals));
    };
    for operator in &operators {
        line(operator, &|mutant| mutant.operator() == *operator);
    }
    line("all", &|_| true);
    writeln!(out, "\n{table}")?;
    writeln!(out, "{} mutants of {} operators", score.mutants.len(), operators.len())?;
    for (what, breaks) in [("change what the table means", false), ("only break the format", true)] {
        let of = score.mutants.iter().filter(|mutant| mutant.mutant.effect.breaks_format() == breaks);
        let counts = Counts::new(of);
        let required = counts.caught + counts.missed + counts.wrong_blame;
        writeln!(
            out,
            "  {required} {what}: {} caught, {} of them by structural rules too",
            counts.caught, counts.by_structure
        )?;
    }
    let all = Counts::new(score.mutants.iter());
    writeln!(out, "  {} are equivalent or cannot be decided", all.quiet + all.free)?;
    score.failures().try_for_each(|failure| show(failure, out))?;
    let required = all.caught + all.missed + all.wrong_blame;
    writeln!(
        out,
        "caught {} of {required}, {} missed, {} with the wrong blame, {} false alarms, {} panics",
        all.caught, all.missed, all.wrong_blame, all.false_alarm, all.panicked
    )
}

/// Mutants whose changed rows are executed or covered but cannot be decided, by reason.
fn reasons(score: &BlindScore) -> BTreeMap<Unseen, Vec<&BlindResult>> {
    let mut reasons: BTreeMap<Unseen, Vec<&BlindResult>> = BTreeMap::new();
    for mutant in score.mutants.iter().filter(|mutant| mutant.class.is_witnessed()) {
        if let Demand::Unseen(reason) = mutant.demand {
            reasons.entry(reason).or_default().push(mutant);
        }
    }
    reasons
}

/// Prints a mutant with all details.
pub fn show(result: &BlindResult, out: &mut dyn Write) -> io::Result<()> {
    let damage = &result.mutant.damage;
    writeln!(out, "{} ({}): --replay {}", result.fate.name(), result.class.name(), result.id)?;
    writeln!(out, "    {} {}; exit {}", damage.target.name(), damage.what, result.exit_code)?;
    for fact in facts(&result.mutant.effect).iter().take(6) {
        writeln!(out, "    {fact}")?;
    }
    for finding in result.findings.iter().take(6) {
        writeln!(out, "    reported: {finding}")?;
    }
    Ok(())
}

/// The parts of an effect, one line each.
fn facts(effect: &Effect) -> Vec<String> {
    match effect {
        Effect::Invalid(flaws) | Effect::Headers(flaws) => {
            flaws.iter().map(|(flaw, at)| format!("breaks {flaw:?} at {at:#x}")).collect()
        }
        Effect::InvalidCfi(flaws) => flaws.iter().map(|(at, flaw)| format!("entry at {at:#x}: {flaw}")).collect(),
        Effect::Rows(spans) | Effect::Lost(spans) => spans
            .iter()
            .map(|span| {
                let word = |holds: bool, word: &'static str| if holds { word } else { "" };
                format!(
                    "{:#x}..{:#x}{}{}{}: {} -> {}",
                    span.start,
                    span.end,
                    word(span.executed, " executed"),
                    word(span.covered, " covered"),
                    span.unseen.map_or_else(String::new, |reason| format!(" ({reason})")),
                    span.was,
                    span.is
                )
            })
            .collect(),
        Effect::Redundant | Effect::Nothing => Vec::new(),
    }
}

/// The score as JSON: counts by class, target and version, undecidable mutants by reason, and
/// failures.
pub fn to_json(score: &BlindScore) -> Value {
    let keys: BTreeSet<(Class, Abi, SframeVersion)> =
        score.mutants.iter().map(|mutant| (mutant.class, mutant.abi, mutant.version)).collect();
    let cells = keys.iter().map(|key| {
        let of = |mutant: &&BlindResult| (mutant.class, mutant.abi, mutant.version) == *key;
        let counts = Counts::new(score.mutants.iter().filter(of));
        json!({
            "class": key.0.name(), "abi": key.1.name(), "sframe_version": key.2.name(), "made": counts.made(),
            "right": counts.right(), "missed": counts.missed, "wrong_blame": counts.wrong_blame,
            "false_alarm": counts.false_alarm, "panicked": counts.panicked, "free": counts.free,
        })
    });
    let failures = score.failures().map(|failure| {
        json!({
            "fate": failure.fate.name(), "class": failure.class.name(), "replay": failure.id.to_string(),
            "target": failure.mutant.damage.target.name(), "change": failure.mutant.damage.what,
            "offset": failure.mutant.damage.edits.first().map(|edit| edit.at), "exit_code": failure.exit_code,
            "effect": facts(&failure.mutant.effect), "findings": failure.findings,
        })
    });
    let (rows, unseen) = score.witnessed();
    let reasons: BTreeMap<&str, usize> =
        reasons(score).into_iter().map(|(reason, mutants)| (reason.name(), mutants.len())).collect();
    json!({
        "files": score.files, "left_out": score.left_out.iter().map(ToString::to_string).collect::<Vec<_>>(), "mutants": score.mutants.len(),
        "rows_witnessed": rows, "rows_unseen": unseen, "unseen": reasons,
        "cells": cells.collect::<Vec<_>>(), "failures": failures.collect::<Vec<_>>(),
    })
}

/// The score as JSON: counts by operator, target and version, reasons why nothing is required, and
/// failures.
pub fn operators_to_json(score: &BlindScore) -> Value {
    let counts = |counts: &Counts| {
        json!({
            "caught": counts.caught, "missed": counts.missed, "wrong_blame": counts.wrong_blame,
            "false_alarm": counts.false_alarm, "panicked": counts.panicked,
            "equivalent": counts.quiet + counts.free, "by_structure": counts.by_structure,
        })
    };
    let keys: BTreeSet<(&str, Abi, SframeVersion)> =
        score.mutants.iter().map(|mutant| (mutant.operator(), mutant.abi, mutant.version)).collect();
    let cells = keys.iter().map(|key| {
        let of = score.mutants.iter().filter(|mutant| (mutant.operator(), mutant.abi, mutant.version) == *key);
        let (operator, abi, version) = key;
        json!({
            "operator": operator, "abi": abi.name(), "sframe_version": version.name(),
            "counts": counts(&Counts::new(of)),
        })
    });
    let failures = score.failures().map(|failure| {
        json!({
            "operator": failure.operator(), "mutant": failure.id.to_string(), "fate": failure.fate.name(),
            "changes": failure.mutant.damage.what, "findings": failure.findings,
        })
    });
    let mut equivalent: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for mutant in score.mutants.iter().filter(|mutant| !mutant.fate.is_failure()) {
        if let Some(reason) = mutant.demand.reason_for_nothing() {
            *equivalent.entry((mutant.operator(), reason)).or_default() += 1;
        }
    }
    let equivalent = equivalent.into_iter();
    let equivalent =
        equivalent.map(|((operator, reason), count)| json!({"operator": operator, "reason": reason, "count": count}));
    json!({
        "schema": 1, "mutants": score.mutants.len(), "total": counts(&Counts::new(score.mutants.iter())),
        "cells": cells.collect::<Vec<_>>(), "equivalent": equivalent.collect::<Vec<_>>(),
        "failures": failures.collect::<Vec<_>>(),
    })
}
