//! Clause coverage: clauses of the specification that trials of this run cover, by section, and the
//! kinds of tools that could cover the rest.

use maud::{Markup, html};
use results::{ClauseFacts, RunFacts};

use super::table::{columns, heads};
use super::text::{clean, count, fragment};

/// Number of covered clauses and of all clauses, without those that no tool can break.
pub(super) fn covered<'a>(clauses: impl IntoIterator<Item = &'a ClauseFacts>) -> (u64, u64) {
    let demands = clauses.into_iter().filter(|clause| can_be_shown(clause));
    demands.fold((0, 0), |(covered, all), clause| (covered + u64::from(clause.trials > 0), all + 1))
}

fn can_be_shown(clause: &ClauseFacts) -> bool {
    clause.shown_by != "nobody"
}

/// The section of the page.
pub(super) fn section(facts: &RunFacts) -> Markup {
    let clauses = &facts.clauses;
    if clauses.is_empty() {
        return html! { p.note { "This run knows no clauses." } };
    }
    let (done, all) = covered(clauses);
    let open = clauses.iter().filter(|clause| can_be_shown(clause) && clause.trials == 0).count() as u64;
    html! {
        p {
            b { (count(done)) " of " (count(all)) } " clauses that something can break are covered by a trial of this run; "
            (count(open)) " are not, and " (count(clauses.len() as u64 - all)) " define what nothing can break."
        }
        div.toggles.script role="group" aria-label="Clauses shown" {
            button type="button" data-clauses="all" aria-pressed="true" { "all" }
            button type="button" data-clauses="open" aria-pressed="false" { "☐ uncovered only" }
            button type="button" data-clauses="done" aria-pressed="false" { "☑ covered only" }
        }
        div #clause-list {
            @for (section, clauses) in sections(clauses) {
                @let (done, all) = covered(clauses.iter().copied());
                details {
                    summary {
                        span.name { (clean(section)) }
                        span.meter.moot[all == 0] aria-hidden="true" { i style={ "width:" (percent(done, all)) "%" } {} }
                        span.n { @if all > 0 { (count(done)) "/" (count(all)) } @else { "–" } }
                    }
                    table.plain {
                        (heads(&columns(&["clause", "requirement", "shown by"], &["trials"])))
                        tbody {
                            @for clause in clauses {
                                tr class=(state(clause)) {
                                    th scope="row" {
                                        span.sign { (sign(clause)) } " "
                                        @if clause.trials > 0 {
                                            a href={ "#trials&covers=" (fragment(&clause.id)) } { code { (id(&clause.id)) } }
                                        } @else {
                                            code { (id(&clause.id)) }
                                        }
                                    }
                                    td {
                                        (clean(&clause.demand))
                                        @if clause.trials == 0 && let Some(needed) = needed(&clause.id) {
                                            div.note { (needed) }
                                        }
                                    }
                                    td { (clean(&clause.shown_by)) }
                                    td.n { (count(clause.trials)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// An ID that may wrap after its slashes.
fn id(id: &str) -> Markup {
    let parts: Vec<String> = id.split('/').map(clean).collect();
    html! { @for (at, part) in parts.iter().enumerate() { @if at > 0 { "/" wbr; } (part) } }
}

/// Sections in the order in which they first occur, which is that of the specification.
fn sections(clauses: &[ClauseFacts]) -> Vec<(&str, Vec<&ClauseFacts>)> {
    let mut sections: Vec<(&str, Vec<&ClauseFacts>)> = Vec::new();
    for clause in clauses {
        match sections.iter_mut().find(|(section, _)| *section == clause.section) {
            Some((_, list)) => list.push(clause),
            None => sections.push((&clause.section, vec![clause])),
        }
    }
    sections
}

/// The features that a table needs to cover the clause; `None` if no table can cover it or this
/// version of the harness does not know the clause.
pub(super) fn needed(id: &str) -> Option<String> {
    let clause = spec::clause_named(id).filter(|clause| !clause.rules.is_empty())?;
    let versions: Vec<&str> = clause.versions.iter().map(|version| version.name()).collect();
    let needs: Vec<&str> = clause.needs.iter().map(|feature| feature.name()).collect();
    let with = if needs.is_empty() { String::new() } else { format!(" that has {}", needs.join(", ")) };
    Some(format!("covered by a table of {}{with}", versions.join(", ")))
}

fn percent(part: u64, whole: u64) -> u64 {
    (part * 100).checked_div(whole).unwrap_or_default()
}

fn state(clause: &ClauseFacts) -> &'static str {
    match (clause.trials, can_be_shown(clause)) {
        (0, true) => "open",
        (0, false) => "moot",
        _ => "done",
    }
}

fn sign(clause: &ClauseFacts) -> &'static str {
    match state(clause) {
        "open" => "☐",
        "done" => "☑",
        _ => "·",
    }
}
