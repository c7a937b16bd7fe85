//! How findings, gaps and sizes of each producer went, night by night: a chart with a line a
//! producer, and below it every number.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::{Night, Sums};
use crate::page::text::{clean, count};

/// Maximum number of nights in a table; the line has all.
const LISTED: usize = 30;

const WIDTH: f64 = 132.0;
const HEIGHT: f64 = 30.0;
/// Margin around the line, so that its ends are visible.
const EDGE: f64 = 3.0;

/// A measure of a producer's night: value and text.
type Measure = fn(&Sums) -> Option<(f64, String)>;

const MEASURES: [(&str, &str, Measure); 4] = [
    ("findings", "Findings: distinct ones, new and known, that a producer's trials show", |sums| whole(sums.findings)),
    ("gaps", "Gaps: functions in .eh_frame but omitted from .sframe, over all trials", |sums| whole(sums.gaps)),
    ("sizes", "Sizes: bytes of .sframe for 100 of .eh_frame and its index, in compiled programs", |sums| {
        let ratio = sums.cost.ratio()?;
        Some((ratio, format!("{:.0}", ratio * 100.0)))
    }),
    ("ran", "Trials that ran: the base of the numbers above", |sums| whole(sums.trials)),
];

fn whole(number: u64) -> Option<(f64, String)> {
    Some((number as f64, count(number)))
}

/// The measures, a chart and a table each. Nights in order of their days.
pub(super) fn measures(nights: &[Night]) -> Markup {
    let producers: BTreeSet<&str> =
        nights.iter().flat_map(|night| night.producers.keys()).map(String::as_str).collect();
    let (first, listed) = (nights.len().saturating_sub(LISTED), nights.len().min(LISTED));
    html! {
        @for (id, title, measure) in MEASURES {
            h3 id=(id) { (title) }
            @if nights.len() > 1 { div.wide tabindex="0" role="region" aria-label={ "Chart: " (title) } { (chart(nights, &producers, measure)) } }
            div.wide tabindex="0" role="region" aria-label=(title) {
                table.plain.fit {
                    thead { tr {
                        th scope="col" { "producer" } th scope="col" { (nights.len()) " nights" }
                        @for night in nights.iter().skip(first).rev() { th.n scope="col" { a href={ "nights/" (night.folder) "/index.html" } { (clean(&night.folder)) } } }
                    } }
                    tbody {
                        @for producer in &producers {
                            @let values: Vec<Value> = nights.iter().map(|night| measure(night.producers.get(*producer)?)).collect();
                            @if values.iter().any(Option::is_some) {
                                tr {
                                    th scope="row" { (clean(producer)) }
                                    td.spark-cell { (line(&alike(nights, &values))) }
                                    @for value in values.iter().rev().take(listed) { td.n { (value.as_ref().map_or("–", |(_, text)| text)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Size of a chart, and room for the scale at its left and the days below it.
const CHART: (f64, f64) = (900.0, 200.0);
const LEFT: f64 = 44.0;
const BELOW: f64 = 18.0;
/// Colours of lines; then they repeat.
const COLOURS: usize = 6;

/// A producer's value in a night, with its text; nothing where it did not run.
type Value = Option<(f64, String)>;

/// A line a producer, from nothing at the bottom to the greatest at the top. A point has its night
/// and number for the pointer; the table below has all for those who do not use one.
fn chart(nights: &[Night], producers: &BTreeSet<&str>, measure: Measure) -> Markup {
    let values =
        |producer: &str| -> Vec<Value> { nights.iter().map(|night| measure(night.producers.get(producer)?)).collect() };
    let all: Vec<(&str, Vec<Value>)> = producers.iter().map(|name| (*name, values(name))).collect();
    let most =
        all.iter().flat_map(|(_, values)| values).flatten().map(|value| value.0).fold(f64::MIN_POSITIVE, f64::max);
    let (width, height) = CHART;
    let step = (width - LEFT - EDGE) / nights.len().saturating_sub(1).max(1) as f64;
    let at = |nth: usize, value: f64| {
        (LEFT + nth as f64 * step, height - BELOW - value / most * (height - BELOW - 2.0 * EDGE))
    };
    let joined = |run: &[(f64, f64)]| run.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ");
    let top = all.iter().flat_map(|(_, values)| values).flatten().max_by(|a, b| a.0.total_cmp(&b.0));
    let shown = || all.iter().filter(|(_, values)| values.iter().any(Option::is_some)).enumerate();
    html! {
        svg.chart viewBox=(format!("0 0 {width} {height}")) aria-hidden="true" {
            line.axis x1=(LEFT) y1=(height - BELOW) x2=(width) y2=(height - BELOW) {}
            text x=(LEFT - 6.0) y=(height - BELOW) text-anchor="end" { "0" }
            @if let Some((_, text)) = top { text x=(LEFT - 6.0) y="12" text-anchor="end" { (text) } }
            @if let Some(night) = nights.first() { text x=(LEFT) y=(height - 4.0) { (clean(&night.folder)) } }
            @if let Some(night) = nights.last() { text x=(width - EDGE) y=(height - 4.0) text-anchor="end" { (clean(&night.folder)) } }
            @for (nth, (producer, values)) in shown() {
                @let points: Vec<Option<(f64, f64)>> = alike(nights, values).into_iter().enumerate().map(|(nth, value)| value.map(|value| at(nth, value))).collect();
                g class={ "series s" (nth % COLOURS) } {
                    @for run in points.split(Option::is_none).filter(|run| run.len() > 1) {
                        polyline points=(joined(&run.iter().flatten().copied().collect::<Vec<_>>())) {}
                    }
                    @for (night, (point, value)) in nights.iter().zip(points.iter().zip(values)) {
                        @if let (Some((x, y)), Some((_, text))) = (point, value) {
                            circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="2.5" {}
                            circle.hit cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="9" {
                                title { (clean(producer)) ", " (clean(&night.folder)) ": " (text) }
                            }
                        }
                    }
                }
            }
        }
        ul.legend aria-hidden="true" { @for (nth, (producer, _)) in shown() { li class={ "s" (nth % COLOURS) } { b { "— " } (clean(producer)) } } }
    }
}

/// The values of nights that were asked for the same as the newest: others are not compared with
/// it.
fn alike(nights: &[Night], values: &[Value]) -> Vec<Option<f64>> {
    let newest = nights.last().map(|night| &night.asked);
    let of = |(night, value): (&Night, &Value)| {
        value.as_ref().filter(|_| Some(&night.asked) == newest).map(|(value, _)| *value)
    };
    nights.iter().zip(values).map(of).collect()
}

/// A line through the nights that have a value, with gaps at others; from 0 at the bottom to the
/// maximum at the top.
fn line(values: &[Option<f64>]) -> Markup {
    let most = values.iter().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
    let step = (WIDTH - 2.0 * EDGE) / values.len().saturating_sub(1).max(1) as f64;
    let at = |nth: usize, value: f64| (EDGE + nth as f64 * step, HEIGHT - EDGE - value / most * (HEIGHT - 2.0 * EDGE));
    let points: Vec<Option<(f64, f64)>> =
        values.iter().enumerate().map(|(nth, value)| value.map(|value| at(nth, value))).collect();
    let runs: Vec<Vec<(f64, f64)>> =
        points.split(Option::is_none).map(|run| run.iter().flatten().copied().collect()).collect();
    // A single night, and the end of the last line, are drawn as dots.
    let alone = runs.iter().filter(|run| run.len() == 1).flatten();
    let end = runs.iter().rev().find(|run| !run.is_empty()).filter(|run| run.len() > 1).and_then(|run| run.last());
    let dots: Vec<&(f64, f64)> = alone.chain(end).collect();
    let joined = |run: &[(f64, f64)]| run.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ");
    html! {
        svg.spark viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) width=(WIDTH) height=(HEIGHT) aria-hidden="true" {
            @for run in runs.iter().filter(|run| run.len() > 1) { polyline points=(joined(run)) {} }
            @for (x, y) in dots { circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="2.5" {} }
        }
    }
}
