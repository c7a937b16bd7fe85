//! Benchmark: static checks of objects: every rule, and the comparison of both tables at every row.

use std::time::Duration;

use check::{Options, check};
use types::Bytes;

use crate::object::assembled;
use crate::turns::time;
use crate::{Absent, Measured};

const LINE: &str = " functions judged statically";
/// Published rate of the only static checker of `.eh_frame` that has one, in functions per second
/// of processor time.
const PUBLISHED: f64 = 27_100.0;
/// Required factor between the two rates.
const TIMES: f64 = 10.0;
const TURNS: usize = 3;
/// Largest size that is measured by default: an object of a million functions takes a minute to
/// assemble, and is measured only if its line is named.
const MOST_UNASKED: u32 = 100_000;

/// Measures a line that begins with a number of functions; `None` for other lines.
pub(crate) fn measure(what: &str, words: &[String]) -> Option<Result<Measured, Absent>> {
    let number = what.strip_suffix(LINE)?;
    let functions = number.replace(',', "").parse().expect("a number");
    if functions > MOST_UNASKED && !words.iter().any(|word| word == number) {
        return Some(Err(format!("not measured unless asked for: ci/ratios {number}")));
    }
    Some(judged(functions))
}

fn judged(functions: u32) -> Result<Measured, Absent> {
    let object = assembled(functions)?;
    let bytes: Bytes = std::fs::read(&object.path).expect("a file").into();
    drop(object.folder);
    let options = Options::static_only();
    let mut best = Duration::MAX;
    for _ in 0..TURNS {
        best = best.min(time(|| {
            let report = check("many.o", &bytes, &options).report;
            assert!(report.discrepancies.is_empty() && report.undecided.is_empty(), "{report:?}");
            assert_eq!(report.summary.functions, u64::from(functions));
            assert!(report.notes.is_empty(), "all were compared: {:?}", report.notes);
        }));
    }
    let rate = f64::from(functions) / best.as_secs_f64();
    let expected = PUBLISHED * TIMES;
    Ok(Measured { ours: format!("{rate:.0}/s"), yardstick: format!("{expected:.0}/s"), ratio: rate / expected })
}
