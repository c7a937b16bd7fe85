//! Producers in the producers' file: found with version and targets, or missing with the reason.

use std::collections::BTreeSet;

use maud::{Markup, html};
use results::{ProducerFacts, RunFacts, TrialLine};

use super::table::{PLAIN, columns, wide_table};
use super::text::{clean, count, fragment};

/// One version of a producer, with all targets for which its facts are equal.
struct ProducerRow<'a> {
    facts: &'a ProducerFacts,
    /// Targets, and the SFrame version that is written for each.
    targets: Vec<(&'a str, &'a str)>,
}

/// The section of the page.
pub(super) fn section(facts: &RunFacts, trials: &[TrialLine]) -> Markup {
    let tested: BTreeSet<&str> = trials.iter().map(|trial| trial.producer.as_str()).collect();
    let (found, absent): (Vec<_>, Vec<_>) = facts.producers.iter().partition(|facts| facts.version.is_some());
    let (found, absent) = (rows(&found), rows(&absent));
    html! {
        p { b { (count(found.len() as u64)) } " found, " b { (count(absent.len() as u64)) } " not found on this machine." }
        @if !absent.is_empty() {
            h3 { "Not found" }
            (table("Producers that were not found", &absent, &tested))
        }
        @if !found.is_empty() {
            h3 { "Found" }
            (table("Producers that were found", &found, &tested))
        }
    }
}

/// The rows in the order of the producers' file. If the version text of a producer differs between
/// targets, each has a row.
fn rows<'a>(producers: &[&'a ProducerFacts]) -> Vec<ProducerRow<'a>> {
    let mut rows: Vec<ProducerRow<'a>> = Vec::new();
    for facts in producers {
        let same = |row: &&mut ProducerRow<'a>| {
            let ProducerFacts { name, kind, version, told, .. } = row.facts;
            (name, kind, version, told) == (&facts.name, &facts.kind, &facts.version, &facts.told)
        };
        let target = (facts.abi.as_str(), facts.sframe.as_str());
        match rows.iter_mut().find(same) {
            Some(row) => row.targets.push(target),
            None => rows.push(ProducerRow { facts, targets: vec![target] }),
        }
    }
    rows
}

fn table(label: &str, rows: &[ProducerRow<'_>], tested: &BTreeSet<&str>) -> Markup {
    let rows = html! {
        @for row in rows {
            tr {
                th scope="row" { (named(row.facts, tested)) }
                td { (clean(&row.facts.kind)) }
                td {
                    @match &row.facts.version {
                        Some(version) => { (clean(version)) }
                        None => { span.status.UNSUPPORTED { "– absent" } }
                    }
                }
                td.told {
                    @for (abi, sframe) in &row.targets {
                        span.target { (clean(abi)) @if *sframe != "none" { " " b { (clean(sframe).replace(',', ", ")) } } } " "
                    }
                }
                td.told { (clean(&row.facts.told)) }
            }
        }
    };
    wide_table(
        label,
        PLAIN,
        &columns(&["producer", "kind", "version", "targets, and the SFrame written for them", "version line"], &[]),
        &rows,
    )
}

/// The producer's name, as a link if there are trials of it; helper tools have none.
fn named(facts: &ProducerFacts, tested: &BTreeSet<&str>) -> Markup {
    let name = facts.version.as_ref().map(|version| format!("{}@{version}", facts.name));
    html! {
        @match name.filter(|name| tested.contains(name.as_str())) {
            Some(name) => { a href={ "#trials&producer=" (fragment(&name)) } { (clean(&facts.name)) } }
            None => { (clean(&facts.name)) }
        }
    }
}
