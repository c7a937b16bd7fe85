//! The blind score as text and as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use generators::blind::{Effect, Unseen};
use serde_json::{Value, json};
use types::{Abi, SframeVersion};

use super::{BlindFate, BlindResult, BlindScore, Class, Demand};

/// Maximum number of mutants listed for each reason why they cannot be decided.
const EXAMPLES: usize = 12;

/// Numbers of mutants by fate.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    made: usize,
    /// As expected.
    right: usize,
    missed: usize,
    wrong_blame: usize,
    false_alarm: usize,
    panicked: usize,
    /// Undecidable, or any verdict is accepted.
    free: usize,
}

fn counts<'m>(mutants: impl Iterator<Item = &'m BlindResult>) -> Counts {
    let mut counts = Counts::default();
    for mutant in mutants {
        counts.made += 1;
        let free = matches!(mutant.demand, Demand::Free | Demand::Unseen(_));
        *match mutant.fate {
            BlindFate::Right | BlindFate::Reported if free => &mut counts.free,
            BlindFate::Right | BlindFate::Reported => &mut counts.right,
            BlindFate::Missed => &mut counts.missed,
            BlindFate::WrongBlame => &mut counts.wrong_blame,
            BlindFate::FalseAlarm => &mut counts.false_alarm,
            BlindFate::Panicked => &mut counts.panicked,
        } += 1;
    }
    counts
}

/// Prints a line for each class, a table by class, target and version, and every failure.
pub fn print(score: &BlindScore, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{:24} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8}",
        "class", "made", "right", "missed", "blame?", "alarm", "free", "panicked"
    )?;
    for class in Class::ALL {
        line(class.name(), counts(score.mutants.iter().filter(|mutant| mutant.class == class)), out)?;
    }
    line("all", counts(score.mutants.iter()), out)?;
    writeln!(out)?;
    grid(score, out)?;
    writeln!(out)?;
    summary(score, out)?;
    for failure in score.failures() {
        show(failure, out)?;
    }
    Ok(())
}

fn line(name: &str, counts: Counts, out: &mut dyn Write) -> io::Result<()> {
    let Counts { made, right, missed, wrong_blame, false_alarm, panicked, free } = counts;
    writeln!(
        out,
        "{name:24} {made:>7} {right:>7} {missed:>7} {wrong_blame:>7} {false_alarm:>7} {free:>7} {panicked:>8}"
    )
}

/// Cells: right, !missed, ?wrong blame, *false alarm, +free.
fn grid(score: &BlindScore, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "cells: right, !missed, ?wrong blame, *false alarm, +free (no error is expected, or the bytes do not decide it)"
    )?;
    let columns: BTreeSet<(Abi, SframeVersion)> =
        score.mutants.iter().map(|mutant| (mutant.abi, mutant.version)).collect();
    for (abi, version) in columns {
        write!(out, "{:18}", format!("{abi} {version}"))?;
        for class in Class::ALL {
            let of = |mutant: &&BlindResult| (mutant.abi, mutant.version, mutant.class) == (abi, version, class);
            let counts = counts(score.mutants.iter().filter(of));
            let mut cell = counts.right.to_string();
            for (mark, count) in [
                ('!', counts.missed + counts.panicked),
                ('?', counts.wrong_blame),
                ('*', counts.false_alarm),
                ('+', counts.free),
            ] {
                if count > 0 {
                    cell.push_str(&format!("{mark}{count}"));
                }
            }
            write!(out, " {cell:>14}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn summary(score: &BlindScore, out: &mut dyn Write) -> io::Result<()> {
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
    let all = counts(score.mutants.iter());
    writeln!(
        out,
        "right {}, missed {}, wrong blame {}, false alarms {}, panics {}",
        all.right, all.missed, all.wrong_blame, all.false_alarm, all.panicked
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
        let Counts { made, right, missed, wrong_blame, false_alarm, panicked, free } =
            counts(score.mutants.iter().filter(of));
        json!({
            "class": key.0.name(), "abi": key.1.name(), "sframe_version": key.2.name(), "made": made, "right": right,
            "missed": missed, "wrong_blame": wrong_blame, "false_alarm": false_alarm, "panicked": panicked,
            "free": free,
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
