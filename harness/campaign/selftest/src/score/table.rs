//! The score as text and as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use generators::mutate::{Effect, Expectation, operators};
use serde_json::{Value, json};
use types::{Abi, SframeVersion};

use super::{Counts, MutantResult, Score};

/// Prints a line for each operator with a cell for each target and version, totals, and every
/// failure.
pub fn print(score: &Score, out: &mut dyn Write) -> io::Result<()> {
    let cells = score.cells();
    let columns: BTreeSet<(Abi, SframeVersion)> = cells.keys().map(|(_, abi, version)| (*abi, *version)).collect();
    writeln!(
        out,
        "cells: caught, +equivalent, !missed, ?wrong blame; structure: caught by structural rules alone too"
    )?;
    writeln!(out)?;
    let title = |(abi, version): &(Abi, SframeVersion)| {
        let abi = match abi {
            Abi::Amd64 => "amd",
            Abi::Aarch64 => "aarch",
            Abi::Aarch64Be => "be",
            Abi::S390x => "s390x",
        };
        format!("{abi}-{}", version.name())
    };
    let heads: Vec<String> = columns.iter().map(title).collect();
    write!(out, "{:26}", "operator")?;
    for head in &heads {
        write!(out, " {head:>10}")?;
    }
    writeln!(out, " {:>7} {:>9} {:>7}", "caught", "structure", "failed")?;
    let names: BTreeSet<&str> = cells.keys().map(|(name, ..)| *name).collect();
    let in_order: Vec<&str> =
        operators().iter().map(|operator| operator.name).filter(|name| names.contains(name)).collect();
    for name in in_order {
        write!(out, "{name:26}")?;
        for (abi, version) in &columns {
            let cell = cells.get(&(name, *abi, *version)).map_or_else(|| "-".to_owned(), cell);
            write!(out, " {cell:>10}")?;
        }
        totals(&score.counts(|mutant| mutant.operator == name), out)?;
    }
    write!(out, "{:26}", "all")?;
    for column in &columns {
        let counts = score.counts(|mutant| (mutant.abi, mutant.version) == *column);
        write!(out, " {:>10}", cell(&counts))?;
    }
    totals(&score.counts(|_| true), out)?;
    writeln!(out)?;
    summary(score, out)?;
    for failure in score.failures() {
        writeln!(out, "{}: {}", failure.fate.name(), failure.name)?;
        writeln!(out, "    changes {}; findings: {}", worth(failure), failure.findings.join(", "))?;
    }
    Ok(())
}

fn summary(score: &Score, out: &mut dyn Write) -> io::Result<()> {
    let all = score.counts(|_| true);
    let relevant = all.caught + all.missed + all.wrong_blame;
    let operators: BTreeSet<&str> = score.mutants.iter().map(|mutant| mutant.operator).collect();
    writeln!(out, "{} mutants of {} operators", score.mutants.len(), operators.len())?;
    let meaning = score.counts(|mutant| matches!(mutant.effect, Effect::Meaning(_)));
    let structure = score.counts(|mutant| matches!(mutant.effect, Effect::Structure(_)));
    for (what, counts) in [("change what the table means", meaning), ("only break the format", structure)] {
        let of = counts.caught + counts.missed + counts.wrong_blame;
        writeln!(
            out,
            "  {of} {what}: {} caught, {} of them by structural rules too",
            counts.caught, counts.by_structure
        )?;
    }
    let equivalences = score.mutants.iter().filter_map(|mutant| match &mutant.effect {
        Effect::Equivalent(equivalence) => Some(equivalence),
        Effect::Meaning(_) | Effect::Structure(_) => None,
    });
    let mut equivalent: BTreeMap<&str, usize> = BTreeMap::new();
    for equivalence in equivalences {
        let by_another = equivalence.by_another_rule > 0;
        let kind = if by_another { "the same values, by another rule" } else { "the same rules" };
        *equivalent.entry(kind).or_default() += 1;
    }
    for (reason, count) in equivalent {
        writeln!(out, "  {count} are equivalent: {reason}")?;
    }
    let milder: BTreeSet<(&str, &str, &str)> = score.mutants.iter().filter_map(milder).collect();
    for (operator, clause, level) in milder {
        writeln!(out, "  {operator}: {level} is enough: {clause}")?;
    }
    writeln!(
        out,
        "caught {} of {relevant}, {} missed, {} with the wrong blame",
        all.caught, all.missed, all.wrong_blame
    )
}

/// Effects that need not be an error, with the reason.
fn milder(mutant: &MutantResult) -> Option<(&'static str, &'static str, &'static str)> {
    match (&mutant.effect, mutant.expected) {
        (Effect::Structure(clause), Expectation::Warning) => Some((mutant.operator, *clause, "a warning")),
        (Effect::Structure(clause), Expectation::Info) => Some((mutant.operator, *clause, "any finding")),
        (Effect::Meaning(_), Expectation::Gap) => Some((mutant.operator, "a table may omit functions", "a gap")),
        _ => None,
    }
}

fn worth(mutant: &MutantResult) -> String {
    match &mutant.effect {
        Effect::Meaning(place) => format!("the meaning ({place})"),
        Effect::Structure(clause) => format!("the structure ({clause})"),
        Effect::Equivalent(reason) => format!("nothing ({reason})"),
    }
}

fn totals(counts: &Counts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, " {:>7} {:>9} {:>7}", counts.caught, counts.by_structure, counts.missed + counts.wrong_blame)
}

fn cell(counts: &Counts) -> String {
    let mut text = counts.caught.to_string();
    for (mark, count) in [('+', counts.equivalent), ('!', counts.missed), ('?', counts.wrong_blame)] {
        if count > 0 {
            text.push_str(&format!("{mark}{count}"));
        }
    }
    text
}

/// The score as JSON: counts by cell, failures, and reasons why mutants are equivalent.
pub fn to_json(score: &Score) -> Value {
    let counts = |counts: &Counts| {
        json!({
            "caught": counts.caught, "missed": counts.missed, "wrong_blame": counts.wrong_blame,
            "equivalent": counts.equivalent, "by_structure": counts.by_structure,
        })
    };
    let cells: Vec<Value> = score
        .cells()
        .iter()
        .map(|((operator, abi, version), cell)| {
            json!({"operator": operator, "abi": abi.name(), "sframe_version": version.name(), "counts": counts(cell)})
        })
        .collect();
    let failures: Vec<Value> = score
        .failures()
        .map(|mutant| {
            json!({
                "operator": mutant.operator, "mutant": mutant.name, "fate": mutant.fate.name(),
                "changes": worth(mutant), "findings": mutant.findings,
            })
        })
        .collect();
    let mut equivalent: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for mutant in &score.mutants {
        if let Effect::Equivalent(reason) = &mutant.effect {
            *equivalent.entry((mutant.operator, reason.to_string())).or_default() += 1;
        }
    }
    let equivalent: Vec<Value> = equivalent
        .into_iter()
        .map(|((operator, reason), count)| json!({"operator": operator, "reason": reason, "count": count}))
        .collect();
    json!({
        "schema": 1, "mutants": score.mutants.len(), "total": counts(&score.counts(|_| true)), "cells": cells,
        "equivalent": equivalent, "failures": failures,
    })
}
