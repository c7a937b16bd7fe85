//! Executes every function of an image without its inputs: what calls it, with what, is made up, and both ways of every branch are taken.
//!
//! Exact are SP, FP and return address as a call leaves them, and whatever the function computes of them. Everything else is made up, and a
//! verdict must not rest on it: where a table is not right, the same way is gone again in a second world in which every made-up value is
//! another, and only what is wrong there too, in a state that a real execution can come to, is charged.
//!
//! The caller hands in addresses: functions, landing pads, places where the answer may change. No rule of a table comes here.

#[cfg(test)]
mod agreement;
mod bits;
mod conclude;
mod decoded;
mod graph;
mod guest;
mod integers;
mod processor;
mod survey;
mod table;
mod vectors;
mod walk;

use std::ops::Range;
use std::time::Instant;

use types::{Image, Probe, Reach};

pub use bits::Bits;
use conclude::{Conclusions, Evidence};
use guest::{Guest, World};
use survey::Survey;
use walk::Walk;

use crate::MachineError;
use crate::position::{self, Cells};

/// What is to be explored of an image: addresses that tables have.
#[derive(Clone, Copy, Debug)]
pub struct Territory<'a> {
    /// Functions, or the parts of them that are apart.
    pub functions: &'a [Range<u64>],
    /// Where control goes when a call in a range of addresses throws, by range.
    pub pads: &'a [Pad],
    /// Where arguments are on the stack that are gone when a call throws, by address: how many bytes.
    pub pushed: &'a [(Range<u64>, u64)],
    /// Functions that may be entered as by a call; others are parts that are jumped into, or have a convention of their own.
    pub callable: &'a [u64],
    /// Addresses at which what a table answers may change.
    pub stops: &'a [u64],
    /// Entries that are left out, counted from 1: they killed the process.
    pub skipped: &'a [u64],
    /// No function is begun after it.
    pub deadline: Option<Instant>,
    /// The most bytes of guest memory.
    pub memory_limit: u64,
    /// Who executes simple instructions.
    pub executor: Executor,
}

/// What executes instructions that are simple; the others are always the emulator's. Both come to the same, one sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// This crate, but for a sample that both execute.
    Crate,
    /// The emulator.
    Emulator,
}

/// A landing pad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pad {
    /// The calls that it is for.
    pub site: Range<u64>,
    /// Where control goes.
    pub pad: u64,
}

/// A stretch of instructions that this crate executed otherwise than the emulator: a fault of one of them. What the emulator says was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Disagreement {
    /// The first instruction.
    pub start: u64,
    /// Behind the last.
    pub end: u64,
}

/// What became of it.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// How much was reached.
    pub reach: Reach,
    /// Entries of functions.
    pub entries: u64,
    /// Stretches about which a table was wrong, and of those the ones that rested on made-up values or on a state that may be none.
    pub suspects: u64,
    /// See `suspects`.
    pub dropped: u64,
    /// Functions that were not begun before the deadline.
    pub left_out: u64,
    /// The addresses of the instructions executed, [`Reach::executed`].
    pub pcs: Bits,
    /// Of the sample that both executed.
    pub disagreements: Vec<Disagreement>,
}

/// Executes the functions of an image. The same image and territory give the same, but for the deadline.
///
/// # Errors
/// The image cannot be loaded, or the emulator fails.
pub fn explore(image: &Image, territory: &Territory<'_>, probe: &mut impl Probe) -> Result<Explored, MachineError> {
    let survey = Survey::of(image, territory);
    let limit = territory.memory_limit;
    let mut guest = Guest::new(image, World::First, &survey.left_out, limit, None)?;
    let reach = Reach { covered: survey.covered, ..Reach::default() };
    let explored = Explored { reach, pcs: survey.nothing(), ..Explored::default() };
    let mut conclusions = Conclusions::new(image, &survey, limit, explored);
    let mut walk = Walk::new(&survey, territory);
    let mut number = 0;
    // Functions of which nothing shows that they are entered come last, if nothing has come into them by then: most are parts that others
    // jump into.
    for evident in [true, false] {
        for extent in &survey.extents {
            let entries = match evident {
                true => survey.entries(extent),
                false if conclusions.any(extent) => Vec::new(),
                false => vec![extent.start],
            };
            for start in entries {
                number += 1;
                if territory.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    conclusions.explored().left_out += 1;
                    continue;
                }
                if territory.skipped.contains(&number) {
                    position::leave_out();
                    continue;
                }
                conclusions.explored().entries += 1;
                let entry = Entry { number, start };
                let evidence = match (evident, survey.is_called(start)) {
                    (false, _) => Evidence::None,
                    (true, false) => Evidence::Known,
                    (true, true) => Evidence::Called,
                };
                execute(&mut walk, &mut guest, entry, probe, |walk, guest, probe| {
                    conclusions.add(walk, guest, entry, evidence, probe)
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
        execute(&mut walk, &mut guest, Entry { number, ..entry }, probe, |walk, guest, probe| {
            conclusions.again(walk, guest, evidence, probe)
        })?;
    }
    let (mut explored, tentative) = conclusions.finish();
    explored.disagreements.extend(guest.disagreements());
    // Each is compared twice, in both worlds.
    explored.disagreements.sort_unstable();
    explored.disagreements.dedup();
    count(&survey, &tentative, &mut explored);
    Ok(explored)
}

/// Where a function is entered, and the number of that execution.
#[derive(Clone, Copy, Debug)]
struct Entry {
    number: u64,
    start: u64,
}

/// Executes one function, and concludes from it.
fn execute<P: Probe>(
    walk: &mut Walk<'_>,
    guest: &mut Guest,
    entry: Entry,
    probe: &mut P,
    conclude: impl FnOnce(&Walk<'_>, &Guest, &mut P) -> Result<(), MachineError>,
) -> Result<(), MachineError> {
    // Ends with it.
    let _executing = Cells::current().begin();
    Cells::current().step(1, entry.start);
    walk.explore(guest, probe, entry.start, entry.number)?;
    conclude(walk, guest, probe)
}

/// Counts the instructions by what became of them.
fn count(survey: &Survey, tentative: &Bits, explored: &mut Explored) {
    for extent in &survey.extents {
        let (mut missed, mut any) = (0, false);
        for pc in survey.work.within(extent.clone()) {
            if explored.pcs.has(pc) {
                explored.reach.executed += 1;
                any = true;
            } else if tentative.has(pc) {
                explored.reach.unconfirmed += 1;
                any = true;
            } else {
                missed += 1;
            }
        }
        if !any {
            explored.reach.not_entered += missed;
        }
    }
}
