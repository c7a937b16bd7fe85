//! Executes every function of an image with invented inputs: caller and arguments are made up,
//! and both ways of every branch are taken.
//!
//! SP, FP and return address are exact, as after a call, and so is every value that the function
//! computes from them. Everything else is made up, and a verdict must not depend on it: where a
//! table is wrong, the same path is executed again with every made-up value changed. An error is
//! reported only if it occurs there too, in a state that a real execution can reach.
//!
//! The caller passes addresses: functions, landing pads, and addresses at which a table's answer
//! may change. No table is read here.

#[cfg(test)]
mod agreement;
mod bits;
mod budget;
mod conclude;
mod counts;
mod decoded;
mod graph;
mod guest;
mod integers;
mod processor;
mod registers;
mod saved;
mod standing;
mod survey;
mod table;
mod territory;
mod vectors;
mod walk;

use types::{Image, Probe};

pub use bits::Bits;
pub use budget::Budget;
use conclude::Conclusions;
use guest::{Guest, World};
use standing::Evidence;
use survey::Survey;
use territory::Entry;
pub use territory::{Disagreement, Executor, Explored, Pad, Territory};
use walk::Walk;
use walk::trace::Trace;

use crate::error::MachineError;
use crate::position::{self, Cells};

/// The functions of a round of exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// Those with evidence of being entered.
    Evident,
    /// Those without, whose first row may be that of a call.
    Callable,
    /// The others: most are parts.
    Other,
}

/// Executes the functions of an image. The same image and territory give the same result, except
/// for the budget.
pub fn explore(image: &Image, territory: &Territory<'_>, probe: &mut dyn Probe) -> Result<Explored, MachineError> {
    let survey = Survey::new(image, territory);
    let limit = territory.memory_limit;
    let mut guest = Guest::new(image, World::First, limit, None)?;
    let mut conclusions = Conclusions::new(image, &survey, limit);
    let mut walk = Walk::new(&survey, territory);
    let ran = survey.functions.set(territory.ran);
    let mut number = 0;
    // Functions without evidence of being entered are executed last, and only if no other function
    // has jumped into them by then: most are parts that others jump into. A function whose address
    // is taken is not such a part, although its own separate parts jump into it; nor is one that
    // may be called, that nothing jumps to, and that others reach only in impossible states, such
    // as after a call that never returns.
    for round in [Round::Evident, Round::Callable, Round::Other] {
        for extent in &survey.functions.extents {
            let entries = match round {
                Round::Evident => survey.entries_of(extent),
                other if (other == Round::Callable) != survey.functions.is_callable(extent.start) => Vec::new(),
                _ if conclusions.any(extent) => {
                    let start = extent.start;
                    let is_no_part = || survey.functions.is_callable(start) && !survey.jumps.targets.has(start);
                    let is_apart = || is_no_part() && !conclusions.any_possible(extent);
                    let is_own = !survey.is_entered(start) && (survey.entries.is_taken(start) || is_apart());
                    if is_own { vec![start] } else { Vec::new() }
                }
                _ => vec![extent.start],
            };
            for start in entries {
                number += 1;
                if territory.budget.is_spent() {
                    conclusions.explored().left_out += 1;
                    continue;
                }
                if territory.skipped.contains(&number) {
                    position::leave_out();
                    continue;
                }
                conclusions.explored().entries += 1;
                let entry = Entry { number, start };
                let evidence = match (round, survey.entries.is_called(start)) {
                    (Round::Callable | Round::Other, _) => Evidence::None,
                    (Round::Evident, false) => Evidence::Known,
                    (Round::Evident, true) => Evidence::Called,
                };
                execute(&mut walk, &mut guest, entry, probe, |trace, guest, probe| {
                    conclusions.add(trace, guest, entry, evidence, probe)
                })?;
            }
        }
    }
    for (entry, evidence) in conclusions.end() {
        number += 1;
        if territory.skipped.contains(&number) {
            position::leave_out();
            continue;
        }
        execute(&mut walk, &mut guest, Entry { number, ..entry }, probe, |trace, guest, probe| {
            conclusions.again(trace, guest, evidence, probe)
        })?;
    }
    let mut explored = conclusions.finish(probe, &ran);
    explored.disagreements.extend(guest.disagreements());
    // Stretches are compared twice, once in each world.
    explored.disagreements.sort_unstable();
    explored.disagreements.dedup();
    Ok(explored)
}

/// Executes one function and draws conclusions from its graph.
fn execute(
    walk: &mut Walk<'_>,
    guest: &mut Guest,
    entry: Entry,
    probe: &mut dyn Probe,
    conclude: impl FnOnce(&Trace<'_>, &Guest, &mut dyn Probe) -> Result<(), MachineError>,
) -> Result<(), MachineError> {
    // The position is published until this value is dropped.
    let _executing = Cells::current().begin();
    Cells::current().step(1, entry.start);
    walk.explore(guest, probe, entry.start, entry.number)?;
    conclude(&walk.trace, guest, probe)
}
