//! The result of a run, in the one sentence that a terminal ends with and a page begins with.

use results::{RunFacts, TrialLine};

use crate::causes::new_causes;
use crate::tally::{Tally, UNFINISHED};
use types::counted;

/// `2 new bugs: 3 FAIL, 1 XFAIL, 40 PASS`, and whether trials are missing.
pub fn sentence(trials: &[TrialLine], facts: &RunFacts) -> String {
    let new = new_causes(trials).len();
    let bugs = if new > 0 { format!("{}: ", counted(new, "new bug")) } else { String::new() };
    let unfinished = if facts.unfinished { format!("; {UNFINISHED}") } else { String::new() };
    format!("{bugs}{}{unfinished}", Tally::new(trials).sentence())
}
