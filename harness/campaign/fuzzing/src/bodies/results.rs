//! Fuzzes results of runs: reads, merges, compares, and prints them in every format.

use std::io::Write as _;
use std::path::Path;

use ledger::run_files::{Tail, parse_facts, parse_trials};
use reports::history::{self, CompareOptions, compare};
use reports::places::Places;
use reports::screen::Screen;
use reports::testrun::{Format, Pinned, of_matrix};
use reports::{console, merged, page};
use results::RunFacts;
use results::tally;
use results::{ResultsSource, RunResults, merge};

use super::Nowhere;

/// The first byte of the input selects a format; the next byte 0xff, which no text contains,
/// separates the facts of the run from its trials.
pub(crate) fn run(input: &[u8]) -> bool {
    let Some((format, texts)) = input.split_first() else { return false };
    let mut texts = texts.splitn(2, |byte| *byte == 0xff);
    let path = Path::new("fuzzed");
    let facts = match parse_facts(path, texts.next().unwrap_or_default()) {
        Ok(facts) => Some(facts),
        Err(error) => {
            let _ = error.to_string();
            None
        }
    };
    let trials = match parse_trials(path, texts.next().unwrap_or_default(), Tail::Cut) {
        Ok(trials) => trials,
        Err(error) => return error.to_string().is_empty(),
    };
    match merge(&[ResultsSource { name: "fuzzed".to_owned(), facts, trials }]) {
        Ok(results) => print(*format, &results),
        Err(error) => error.to_string().is_empty(),
    }
}

fn print(format: u8, results: &RunResults) -> bool {
    let RunResults { trials, facts } = results;
    let out = &mut Nowhere;
    let options = console::ConsoleOptions {
        screen: Screen { colour: true, width: Some(80) },
        places: &Places::default(),
        clauses: true,
    };
    let kind = format & 7;
    let printed = match kind {
        0 => console::write(trials, facts, options, out),
        1..=4 => {
            let tests = of_matrix(trials, facts, &Pinned::default());
            let two = Format::ALL.chunks(2).nth(usize::from(kind) - 1).unwrap_or_default();
            two.iter().try_for_each(|format| tests.write(*format, out))
        }
        5 => merged::write(trials, facts, out),
        6 => out.write_all(
            page::render(trials, facts, page::PageExtras { places: Some(&Places::default()), ..Default::default() })
                .as_bytes(),
        ),
        _ => {
            let none = RunResults { trials: Vec::new(), facts: RunFacts::default() };
            let changes = compare(&none, results, CompareOptions { size_percent: 5.0 });
            history::text::write(&changes, out).and_then(|()| history::markdown::write(&changes, out))
        }
    };
    let _ = tally::exit_code(trials, facts);
    printed.is_ok()
}
