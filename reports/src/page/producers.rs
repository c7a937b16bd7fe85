//! Producers of the file that was read: found with their version, or absent with the reason.

use maud::{Markup, html};

use super::text::{clean, count, fragment};
use crate::results::{ProducerFacts, RunFacts};

/// The section of the page.
pub(super) fn section(facts: &RunFacts) -> Markup {
    let (found, absent): (Vec<_>, Vec<_>) = facts.producers.iter().partition(|facts| facts.version.is_some());
    html! {
        p { b { (count(found.len() as u64)) } " found, " b { (count(absent.len() as u64)) } " not on this machine; each counted once a target." }
        @if !absent.is_empty() {
            h3 { "Not here" }
            (table(&absent))
        }
        @if !found.is_empty() {
            h3 { "Found" }
            (table(&found))
        }
    }
}

fn table(rows: &[&ProducerFacts]) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Table of producers" {
            table.plain {
                thead {
                    tr {
                        th scope="col" { "producer" } th scope="col" { "kind" } th scope="col" { "target" }
                        th scope="col" { "version" } th scope="col" { "SFrame" } th scope="col" { "told" }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            th scope="row" { (named(row)) }
                            td { (clean(&row.kind)) }
                            td { (clean(&row.abi)) }
                            td {
                                @match &row.version {
                                    Some(version) => { (clean(version)) }
                                    None => { span.status.UNSUPPORTED { "– absent" } }
                                }
                            }
                            td { (clean(&row.sframe)) }
                            td.told { (clean(&row.told)) }
                        }
                    }
                }
            }
        }
    }
}

fn named(row: &ProducerFacts) -> Markup {
    match &row.version {
        Some(version) => {
            let link =
                format!("#trials&producer={}&abi={}", fragment(&format!("{}@{version}", row.name)), fragment(&row.abi));
            html! { a href=(link) { (clean(&row.name)) } }
        }
        None => html! { (clean(&row.name)) },
    }
}
