//! The result of a run in one sentence, at the end of the terminal's output and the top of a page.

use results::{RunFacts, Status, TrialLine};

use crate::causes::new_causes;
use results::tally::{Tally, UNFINISHED};
use types::counted;

/// `No new bug: 1 XFAIL, 40 PASS`, `2 new bugs: 3 FAIL, 1 XFAIL, 40 PASS`, and a note if trials are
/// missing. New means that no ledger entry covers it.
pub fn sentence(trials: &[TrialLine], facts: &RunFacts) -> String {
    let tally = Tally::new(trials);
    let unfinished = if facts.unfinished { format!("; {UNFINISHED}") } else { String::new() };
    format!("{}: {}{unfinished}", verdict(trials, facts, &tally), tally.sentence())
}

/// `gas`, `gas and ld`, `gas, gcc and ld`.
pub fn and<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words = Vec::from_iter(words);
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

fn verdict(trials: &[TrialLine], facts: &RunFacts, tally: &Tally) -> String {
    let new = new_causes(trials).len();
    let any = |status| tally.count(status) > 0;
    let words = if new > 0 {
        return counted(new, "new bug");
    } else if tally.is_untried() && !facts.unfinished {
        "Nothing was tried"
    } else if any(Status::Fail) {
        "Failed without a new bug"
    } else if any(Status::Xpass) {
        "A known bug did not recur"
    } else if any(Status::Unresolved) || facts.unfinished {
        "Not everything was decided"
    } else if any(Status::Xfail) {
        "As expected, no new bug"
    } else {
        "Clean"
    };
    words.to_owned()
}
