//! The size panel: sizes of `.sframe`, `.eh_frame` and `.eh_frame_hdr` by producer and version.

use std::collections::BTreeMap;

use maud::{Markup, html};
use results::TrialLine;

use super::table::Column::{self, Number, Text};
use super::table::{PLAIN, wide_table};
use super::text::{clean, count, plural, ratio};
use crate::sizes::{Cost, compared};

/// The section of the page.
pub(super) fn section(trials: &[TrialLine]) -> Markup {
    let mut coarse: BTreeMap<(&str, &str), Cost> = BTreeMap::new();
    let mut fine: BTreeMap<(&str, &str, &str), Cost> = BTreeMap::new();
    for trial in trials {
        if let Some(sizes) = compared(trial) {
            coarse.entry((&trial.producer, &trial.sframe)).or_default().add(sizes);
            fine.entry((&trial.producer, &trial.abi, &trial.sframe)).or_default().add(sizes);
        }
    }
    if coarse.is_empty() {
        return html! { p.note { "No compiled program of this run has both " code { ".sframe" } " and " code { ".eh_frame" } "." } };
    }
    let rows: Vec<(Vec<&str>, Cost)> = coarse.into_iter().map(|((a, b), sum)| (vec![a, b], sum)).collect();
    let finer: Vec<(Vec<&str>, Cost)> = fine.into_iter().map(|((a, b, c), sum)| (vec![a, b, c], sum)).collect();
    html! {
        p.note {
            "Bytes for each function that " code { ".sframe" } " describes, in the compiled programs of this run that have both tables. "
            "They are small, and start-up code that nothing describes is in them too."
        }
        p.key { span { span.swatch.sframe {} " .sframe" } span { span.swatch.eh {} " .eh_frame + .eh_frame_hdr" } }
        (table(&["producer", "version"], &rows))
        details {
            summary { span.name { "By target as well" } span.n { (plural(finer.len() as u64, "row")) } }
            (table(&["producer", "target", "version"], &finer))
        }
    }
}

/// Width of the longest bar, in the picture's units.
const LONGEST: f64 = 180.0;

/// Bytes per function.
fn per(bytes: u64, cost: &Cost) -> f64 {
    cost.per_function(bytes).unwrap_or_default()
}

/// Two bars, for `.sframe` and for `.eh_frame` with its index; `most` bytes fill the width.
fn bars(sum: &Cost, most: f64) -> Markup {
    let width = |bytes: u64| format!("{:.1}", (per(bytes, sum) / most * LONGEST).max(1.0));
    html! {
        svg.bars viewBox={ "0 0 " (LONGEST) " 18" } width=(LONGEST) height="18" preserveAspectRatio="none" aria-hidden="true" {
            rect.sframe y="1" width=(width(sum.sizes.sframe)) height="8" {}
            rect.eh y="10" width=(width(sum.eh())) height="8" {}
        }
    }
}

fn table(names: &[&str], rows: &[(Vec<&str>, Cost)]) -> Markup {
    let most = rows.iter().flat_map(|(_, sum)| [per(sum.sizes.sframe, sum), per(sum.eh(), sum)]).fold(1.0, f64::max);
    let mut columns: Vec<Column<'_>> = names.iter().copied().map(Text).collect();
    columns.push(Text("bytes a function"));
    columns.extend(["files", "functions", "rows", "rows a function", ".sframe bytes", "a function"].map(Number));
    columns.extend([".eh_frame + hdr", "a function", ".sframe / .eh_frame"].map(Number));
    let body = html! {
        @for (names, sum) in rows {
            tr {
                @for name in names { th scope="row" { (clean(name)) } }
                td.bar { (bars(sum, most)) }
                td.n { (count(sum.files)) }
                td.n { (count(sum.sizes.functions)) }
                td.n { (count(sum.sizes.rows)) }
                td.n { (ratio(sum.sizes.rows, sum.sizes.functions)) }
                td.n { (count(sum.sizes.sframe)) }
                td.n { (ratio(sum.sizes.sframe, sum.sizes.functions)) }
                td.n { (count(sum.eh())) }
                td.n { (ratio(sum.eh(), sum.sizes.functions)) }
                td.n { (percent(sum.sizes.sframe, sum.eh())) }
            }
        }
    };
    wide_table(&format!("Sizes by {}", names.join(", ")), PLAIN, &columns, &body)
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.0} %", part as f64 * 100.0 / whole as f64) }
}
