//! A night beside another: two are chosen, and what one shows and the other does not is listed.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use results::{Status, entry_name};

use super::Night;
use crate::page::text::{clean, count, plural, script_json, uncoded};

/// What the script knows of a night.
#[derive(serde::Serialize)]
struct Shown {
    name: String,
    asked: String,
    counts: String,
    bugs: BTreeMap<String, String>,
}

/// The choice of two nights, the newest and the one before it at first. Without script the pages of
/// nights have their own comparison with the night before.
pub(super) fn choice(nights: &[Night]) -> Markup {
    let shown: Vec<Shown> = nights.iter().map(shown).collect();
    let last = nights.len().saturating_sub(1);
    let choose = |id: &str, label: &str, chosen: usize| {
        html! {
            select id={ "night-" (id) } aria-label=(label) {
                @for (nth, night) in nights.iter().enumerate().rev() {
                    option value=(nth) selected[nth == chosen] { (clean(&night.folder)) }
                }
            }
        }
    };
    html! {
        @if nights.len() < 2 { p.note { "One night alone." } } @else {
            div.finder.alive-only {
                (choose("left", "One night", last.saturating_sub(1))) span.note { "beside" } (choose("right", "Another night", last))
            }
            div #night-difference .alive-only role="status" {}
            p.note { "The page of each night lists what changed since the night before it." }
            script #night-data type="application/json" { (PreEscaped(script_json(&shown))) }
        }
    }
}

fn shown(night: &Night) -> Shown {
    let counts = format!(
        "{} trials, {} not run, {}, {} known",
        count(night.tally.all()),
        count(night.tally.count(Status::Unsupported)),
        plural(night.new.len() as u64, "new bug"),
        night.recurring(true)
    );
    let known = night.known.iter().map(|(file, known)| (clean(entry_name(file)), uncoded(&known.title)));
    let new = night.new.iter().map(|(fingerprint, title)| (clean(fingerprint), format!("new: {}", clean(title))));
    Shown { name: clean(&night.folder), asked: clean(&night.asked), counts, bugs: known.chain(new).collect() }
}
