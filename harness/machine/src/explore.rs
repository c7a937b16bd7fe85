//! Executes every function of an image without its inputs: what calls it, with what, is made up, and both ways of every branch are taken.
//!
//! Exact are SP, FP and return address as a call leaves them, and whatever the function computes of them. Everything else is made up, and a
//! verdict must not rest on it: where a table is not right, the same way is gone again in a second world in which every made-up value is
//! another, and only what is wrong there too, in a state that a real execution can come to, is charged.
//!
//! The caller hands in addresses: functions, landing pads, places where the answer may change. No rule of a table comes here.

mod bits;
mod graph;
mod guest;
mod survey;
mod table;
mod walk;

use std::ops::Range;
use std::time::Instant;

use model::{Image, Past, Pc, Probe, Reach};

pub use bits::Bits;
use guest::{Guest, World};
use survey::{Located, Survey};
use walk::Walk;

use crate::MachineError;
use crate::position::{self, Cells};
use isa::flow::Marks;

/// What is to be explored of an image: addresses that tables have.
#[derive(Clone, Copy, Debug)]
pub struct Territory<'a> {
    /// Functions, or the parts of them that are apart.
    pub functions: &'a [Range<u64>],
    /// Where control goes when a call in a range of addresses throws, by range.
    pub pads: &'a [Pad],
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
}

/// A landing pad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pad {
    /// The calls that it is for.
    pub site: Range<u64>,
    /// Where control goes.
    pub pad: u64,
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
}

/// Executes the functions of an image. The same image and territory give the same, but for the deadline.
///
/// # Errors
/// The image cannot be loaded, or the emulator fails.
pub fn explore(image: &Image, territory: &Territory<'_>, probe: &mut impl Probe) -> Result<Explored, MachineError> {
    let survey = Survey::of(image, territory);
    let mut worlds = Worlds {
        image,
        survey: &survey,
        limit: territory.memory_limit,
        first: Guest::new(image, World::First, &survey.left_out, territory.memory_limit)?,
        second: None,
    };
    let reach = Reach { covered: survey.covered, ..Reach::default() };
    let mut explored = Explored { reach, pcs: survey.nothing(), ..Explored::default() };
    let mut tentative = survey.nothing();
    let mut walk = Walk::new(&survey, territory.pads);
    let mut instructions: Vec<Located> = Vec::new();
    let mut number = 0;
    // Functions of which nothing shows that they are entered come last, if nothing has come into them by then: most are parts that others
    // jump into.
    for evident in [true, false] {
        for extent in &survey.extents {
            instructions.clear();
            survey.instructions(extent, &mut instructions);
            let entries = match evident {
                true => survey.entries(extent, &instructions),
                false if instructions.iter().any(|one| explored.pcs.has(one.pc) || tentative.has(one.pc)) => Vec::new(),
                false => vec![extent.start],
            };
            for start in entries {
                number += 1;
                if territory.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    explored.left_out += 1;
                    continue;
                }
                if territory.skipped.contains(&number) {
                    position::leave_out();
                    continue;
                }
                explored.entries += 1;
                let executing = Cells::current().begin();
                Cells::current().step(1, start);
                walk.explore(&mut worlds.first, probe, start, number)?;
                let evidence = match (evident, survey.is_called(start)) {
                    (false, _) => Evidence::None,
                    (true, false) => Evidence::Known,
                    (true, true) => Evidence::Called,
                };
                conclude(&mut walk, evidence, &mut worlds, probe, &mut explored, &mut tentative)?;
                drop(executing);
            }
        }
    }
    count(&survey, &tentative, &mut explored);
    Ok(explored)
}

/// What shows that a function is entered as by a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    /// A call.
    Called,
    /// Its address is known to others, who may have a convention of their own.
    Known,
    /// Nothing.
    None,
}

/// The second world is made when it is first needed.
struct Worlds<'a> {
    image: &'a Image,
    survey: &'a Survey,
    limit: u64,
    first: Guest,
    second: Option<Guest>,
}

impl Worlds<'_> {
    fn second(&mut self) -> Result<&mut Guest, MachineError> {
        let guest = match self.second.take() {
            Some(guest) => guest,
            None => Guest::new(self.image, World::Second, &self.survey.left_out, self.limit)?,
        };
        Ok(self.second.insert(guest))
    }
}

/// One function is explored: keeps what a real execution can come to, and charges what is wrong there.
fn conclude(
    walk: &mut Walk<'_>,
    evidence: Evidence,
    worlds: &mut Worlds<'_>,
    probe: &mut impl Probe,
    explored: &mut Explored,
    tentative: &mut Bits,
) -> Result<(), MachineError> {
    let possible = walk.graph.possible(evidence == Evidence::Called);
    let (leaving, well) = (walk.graph.leaving(), walk.graph.ending_well());
    let badly = walk.graph.ending_badly();
    let home = walk.graph.get(0).map_or(0, |node| node.part);
    for (id, (node, (possible, leaving))) in (0..).zip(walk.graph.nodes.iter().zip(possible.iter().zip(leaving))) {
        let pcs = if *possible { &mut explored.pcs } else { &mut *tentative };
        walk.instructions(node).iter().for_each(|one| pcs.set(one.pc));
        if !node.suspect {
            continue;
        }
        explored.suspects += 1;
        let guest = worlds.second()?;
        // A part of another function, by a branch that is never taken, or a landing with another SP than the call's, does not end well.
        let unseen = evidence != Evidence::Called && well.first() == Some(&false);
        let past = if unseen { Past::Unseen } else { node.held.past };
        let doubtful = node.part != home || node.held.landed;
        let ends_well = well.get(id as usize).copied().unwrap_or(false);
        let ends_badly = badly.get(id as usize).copied().unwrap_or(false);
        let judged = *possible && !leaving && evidence != Evidence::None && (ends_well || !(doubtful || ends_badly));
        let confirmed = judged && walk.retrace(guest, &walk.graph.path(id))? && {
            let pcs: Vec<Pc> = walk.instructions(node).iter().map(|one| Pc(one.pc)).collect();
            walk.with_step(guest, node, guest.tracked(walk.abi.facts().link_register), |step| {
                let wrong = !probe.is_right(step, &[]);
                if wrong {
                    probe.charge(step, &pcs, past);
                }
                wrong
            })
        };
        explored.dropped += u64::from(!confirmed);
    }
    Ok(())
}

/// Counts the instructions by what became of them.
fn count(survey: &Survey, tentative: &Bits, explored: &mut Explored) {
    let mut instructions = Vec::new();
    for extent in &survey.extents {
        instructions.clear();
        survey.instructions(extent, &mut instructions);
        let (mut missed, mut any) = (0, false);
        for one in instructions.iter().filter(|one| !one.insn.marks.any(Marks::NOP)) {
            if explored.pcs.has(one.pc) {
                explored.reach.executed += 1;
                any = true;
            } else if tentative.has(one.pc) {
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
