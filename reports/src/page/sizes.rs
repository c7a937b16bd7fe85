//! The size panel: what `.sframe` costs beside `.eh_frame` and `.eh_frame_hdr`, by producer and version.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::text::{clean, count, plural, ratio};
use crate::results::{Sizes, TrialLine};

/// Sums over the files of one row.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    files: u64,
    sizes: Sizes,
}

impl Sum {
    fn add(&mut self, sizes: &Sizes) {
        self.files += 1;
        let sum = &mut self.sizes;
        for (total, part) in [
            (&mut sum.sframe, sizes.sframe),
            (&mut sum.eh_frame, sizes.eh_frame),
            (&mut sum.eh_frame_hdr, sizes.eh_frame_hdr),
            (&mut sum.functions, sizes.functions),
            (&mut sum.rows, sizes.rows),
            (&mut sum.text, sizes.text),
        ] {
            *total = total.saturating_add(part);
        }
    }

    /// Bytes of `.eh_frame` and its index, which a reader needs as it needs the one `.sframe`.
    fn eh(&self) -> u64 {
        self.sizes.eh_frame.saturating_add(self.sizes.eh_frame_hdr)
    }
}

/// The section of the page.
pub(super) fn section(trials: &[TrialLine]) -> Markup {
    let mut coarse: BTreeMap<(&str, &str), Sum> = BTreeMap::new();
    let mut fine: BTreeMap<(&str, &str, &str), Sum> = BTreeMap::new();
    for trial in trials {
        if let Some(sizes) = &trial.sizes {
            coarse.entry((&trial.producer, &trial.sframe)).or_default().add(sizes);
            fine.entry((&trial.producer, &trial.abi, &trial.sframe)).or_default().add(sizes);
        }
    }
    if coarse.is_empty() {
        return html! { p.note { "No file of this run has a " code { ".sframe" } " section." } };
    }
    let rows: Vec<(Vec<&str>, Sum)> = coarse.into_iter().map(|((a, b), sum)| (vec![a, b], sum)).collect();
    let finer: Vec<(Vec<&str>, Sum)> = fine.into_iter().map(|((a, b, c), sum)| (vec![a, b, c], sum)).collect();
    html! {
        p.note {
            "Bytes for each function that " code { ".sframe" } " describes, in the final files of this run. "
            "The files are the cases: small, and unusual on purpose."
        }
        (chart(&rows))
        (table(&["producer", "version"], &rows))
        details {
            summary { span.name { "By target as well" } span.n { (plural(finer.len() as u64, "row")) } }
            (table(&["producer", "target", "version"], &finer))
        }
    }
}

/// Two bars a row, on one scale.
fn chart(rows: &[(Vec<&str>, Sum)]) -> Markup {
    const ROW: usize = 34;
    const LEFT: f64 = 190.0;
    const WIDTH: f64 = 420.0;
    let per =
        |bytes: u64, sum: &Sum| if sum.sizes.functions == 0 { 0.0 } else { bytes as f64 / sum.sizes.functions as f64 };
    let most = rows.iter().flat_map(|(_, sum)| [per(sum.sizes.sframe, sum), per(sum.eh(), sum)]).fold(1.0, f64::max);
    let bar = |value: f64| format!("{:.1}", (value / most * WIDTH).max(1.0));
    html! {
        div.wide tabindex="0" role="region" aria-label="Chart of bytes for each function" {
            p.key { span.swatch.sframe {} " .sframe  " span.swatch.eh {} " .eh_frame + .eh_frame_hdr — bytes a function" }
            svg.chart viewBox={ "0 0 700 " (rows.len() * ROW + 4) } role="img" aria-label="Bars; the same numbers stand in the table below" {
                @for (index, (names, sum)) in rows.iter().enumerate() {
                    @let y = index * ROW + 4;
                    @let (sframe, eh) = (per(sum.sizes.sframe, sum), per(sum.eh(), sum));
                    text x=(LEFT - 10.0) y=(y + 17) text-anchor="end" { (clean(&names.join(" "))) }
                    rect.sframe x=(LEFT) y=(y) width=(bar(sframe)) height="12" {}
                    rect.eh x=(LEFT) y=(y + 13) width=(bar(eh)) height="12" {}
                    text.value x=(LEFT + 6.0 + sframe / most * WIDTH) y=(y + 10) { (format!("{sframe:.1}")) }
                    text.value x=(LEFT + 6.0 + eh / most * WIDTH) y=(y + 23) { (format!("{eh:.1}")) }
                }
            }
        }
    }
}

fn table(names: &[&str], rows: &[(Vec<&str>, Sum)]) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Table of sizes" {
            table.plain {
                thead {
                    tr {
                        @for name in names { th scope="col" { (name) } }
                        th.n scope="col" { "files" }
                        th.n scope="col" { "functions" }
                        th.n scope="col" { "rows" }
                        th.n scope="col" { "rows a function" }
                        th.n scope="col" { ".sframe bytes" }
                        th.n scope="col" { "a function" }
                        th.n scope="col" { ".eh_frame + hdr" }
                        th.n scope="col" { "a function" }
                        th.n scope="col" { ".sframe / .eh_frame" }
                    }
                }
                tbody {
                    @for (names, sum) in rows {
                        tr {
                            @for name in names { th scope="row" { (clean(name)) } }
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
                }
            }
        }
    }
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.0} %", part as f64 * 100.0 / whole as f64) }
}
