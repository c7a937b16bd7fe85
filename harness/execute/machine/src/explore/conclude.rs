//! Conclusions from a function's execution: which states a real execution can reach. Errors of a
//! table are reported if they occur in such a state and in the second world too: the same function
//! with other made-up values.

mod marks;
mod owners;

use std::ops::Range;

use isa::flow::Flow;
use rustc_hash::FxHashSet;
use types::{AssumedEntry, Compared, Handed, Image, Past, Pc, Probe, Reg, RegisterSet, UndecidedCause, Unrestored};

use super::bits::Bits;
use super::counts::Counts;
use super::graph::{Node, NodeId, Trust};
use super::guest::{Guest, Tracked, World};
use super::registers::suspects;
use super::standing::{Entered, Evidence, Standing, standings};
use super::survey::{Located, Survey};
use super::territory::{Entry, Explored};
use super::walk::trace::Trace;
use crate::error::MachineError;

use marks::Marks;
use owners::{Owners, Waiting};

/// The execution of a function.
struct Execution<'a> {
    trace: &'a Trace<'a>,
    first: &'a Guest,
    entered: Entered,
    /// Instructions at which a table is right in a certain state.
    decided: FxHashSet<u64>,
    /// The nodes that lead to a good end.
    well: Vec<bool>,
}

/// Conclusions about the functions so far.
pub(super) struct Conclusions<'a> {
    image: &'a Image,
    survey: &'a Survey,
    limit: u64,
    /// The guest of the second world, created when first needed.
    second: Option<Guest>,
    explored: Explored,
    counts: Counts<'a>,
    marks: Marks,
    owners: Owners,
}

impl<'a> Conclusions<'a> {
    pub(super) fn new(image: &'a Image, survey: &'a Survey, limit: u64) -> Conclusions<'a> {
        Conclusions {
            image,
            survey,
            limit,
            second: None,
            explored: Explored::default(),
            counts: Counts::new(survey),
            marks: Marks::new(survey),
            owners: Owners::default(),
        }
    }

    /// Returns true if an instruction in `range` was executed in any state.
    pub(super) fn any(&self, range: &Range<u64>) -> bool {
        self.counts.any(range)
    }

    /// Returns true if an instruction in `range` was executed in a state that a real execution may
    /// reach.
    pub(super) fn any_possible(&self, range: &Range<u64>) -> bool {
        self.marks.possible.any(range.clone())
    }

    pub(super) fn explored(&mut self) -> &mut Explored {
        &mut self.explored
    }

    /// Adds the execution of one function.
    pub(super) fn add(
        &mut self,
        trace: &Trace<'_>,
        first: &Guest,
        entry: Entry,
        evidence: Evidence,
        probe: &mut dyn Probe,
    ) -> Result<(), MachineError> {
        self.explored.assumed.extend(self.assumed_entry(entry.start, evidence).map(|why| (entry.start, why)));
        let home = trace.parts.start(0);
        self.owners.add(home);
        let mut defers = false;
        trace.stopped.iter().for_each(|pc| self.marks.stopped.set(*pc));
        let standings = standings(trace, evidence);
        let entered = standings.entered;
        let returns = |(node, is): &(&Node, &Standing)| node.returns && node.leaves_well && **is == Standing::Sure;
        let returns = trace.graph.nodes.iter().zip(&standings.of_nodes).filter(returns);
        let changed = returns.map(|(node, _)| first.all_preserved.without(node.restored)).reduce(RegisterSet::and);
        changed.into_iter().for_each(|registers| probe.change_registers(registers));
        let suspects = suspects(trace, &standings);
        let well = standings.well;
        let of = Execution { trace, first, entered, decided: decided(trace, &standings.of_nodes), well };
        for (id, suspects) in suspects {
            match (standings.of_nodes.get(id), trace.graph.nodes.get(id)) {
                (Some(Standing::Sure), Some(node)) => self.confirm_registers(&of, id, node, suspects, probe)?,
                (Some(Standing::Owner(_)), Some(_)) => defers = true,
                _ => {}
            }
        }
        // A range that does not begin as a call leaves it and is not called is a part of another
        // function.
        let plausible = evidence != Evidence::None || trace.parts.survey.functions.is_callable(home);
        let is_known = trace.parts.survey.entries.is_named(home) || trace.parts.survey.entries.is_taken(home);
        let can_be_called = is_known && !trace.parts.survey.functions.is_linkage(home);
        for (id, (node, standing)) in (0..).zip(trace.graph.nodes.iter().zip(standings.of_nodes)).filter(is_first) {
            let part = trace.parts.start(node.part);
            // A path that does not exist gives a part no owner.
            if part != home && !(node.doubt == Trust::Supposed && standing == Standing::Unsure) {
                self.owners.reaches(home, part);
            }
            let is_possible = !matches!(standing, Standing::Unsure | Standing::OtherEntry);
            let is_unkept = node.reads_unkept && is_possible;
            for one in trace.parts.instructions(node) {
                self.counts.executed(one.pc);
                if is_possible {
                    self.marks.possible.set(one.pc);
                }
                if is_unkept {
                    self.marks.unkept.set(one.pc);
                }
                match standing {
                    Standing::Sure | Standing::ButForFp => self.confirmed(one.pc, node.compared),
                    Standing::Owner(part) => {
                        self.owners.wait(Waiting { part, home, pc: one.pc, compared: node.compared });
                    }
                    Standing::OtherEntry => self.marks.other_entry.set(one.pc),
                    Standing::Unsure => {}
                }
                if node.compared.wrong && standing == Standing::Unsure {
                    let doubts = match entered {
                        _ if plausible => &mut self.marks.doubted,
                        Entered::AsNamed | Entered::Returns => &mut self.marks.returning,
                        Entered::Unknown if can_be_called => &mut self.marks.assumed,
                        Entered::Unknown => &mut self.marks.doubted,
                    };
                    doubts.set(one.pc);
                }
            }
            if node.compared.named && standing == Standing::Sure {
                self.note_names(&of, id, node, probe)?;
            }
            if node.compared.wrong && !is_unkept {
                self.explored.suspects += 1;
                match standing {
                    Standing::Sure => {
                        let past = past(trace, node, evidence);
                        self.confirm(&of, id, node, past, probe)?
                    }
                    Standing::ButForFp => self.confirm(&of, id, node, Past::ButForFp, probe)?,
                    Standing::Owner(_) => defers = true,
                    Standing::OtherEntry | Standing::Unsure => self.explored.dropped += 1,
                }
            }
        }
        if defers {
            self.owners.defer(entry, evidence);
        }
        Ok(())
    }

    /// Counts a state that a real execution can reach.
    fn confirmed(&mut self, pc: u64, compared: Compared) {
        self.counts.confirmed(pc, compared);
        if !compared.wrong {
            self.marks.right.set(pc);
        }
    }

    /// Why the entry of a function is assumed; `None` if code calls it.
    fn assumed_entry(&self, start: u64, evidence: Evidence) -> Option<AssumedEntry> {
        match evidence {
            Evidence::Called => None,
            Evidence::Known if self.survey.entries.has_global_name(start) => Some(AssumedEntry::ByName),
            Evidence::Known => Some(AssumedEntry::ByAddress),
            Evidence::None => Some(AssumedEntry::NoEvidence),
        }
    }

    /// Ends the first round; returns the functions that must be executed once more, for
    /// [`Conclusions::again`].
    pub(super) fn end(&mut self) -> Vec<(Entry, Evidence)> {
        for Waiting { pc, compared, .. } in self.owners.decided(self.survey) {
            self.confirmed(pc, compared);
        }
        self.owners.deferred()
    }

    /// Adds the second execution of a function, when all owners are known.
    pub(super) fn again(
        &mut self,
        trace: &Trace<'_>,
        first: &Guest,
        evidence: Evidence,
        probe: &mut dyn Probe,
    ) -> Result<(), MachineError> {
        let home = trace.parts.start(0);
        let standings = standings(trace, evidence);
        let entered = standings.entered;
        let suspects = suspects(trace, &standings);
        let well = standings.well;
        let of = Execution { trace, first, entered, decided: decided(trace, &standings.of_nodes), well };
        for (id, suspects) in suspects {
            match (standings.of_nodes.get(id), trace.graph.nodes.get(id)) {
                (Some(Standing::Owner(part)), Some(node)) if self.owners.is_owner(self.survey, *part, home) => {
                    self.confirm_registers(&of, id, node, suspects, probe)?;
                }
                _ => {}
            }
        }
        for (id, (node, standing)) in (0..).zip(trace.graph.nodes.iter().zip(standings.of_nodes)).filter(is_first) {
            match standing {
                Standing::Owner(_) if node.reads_unkept => {}
                Standing::Owner(part) if node.compared.wrong && self.owners.is_owner(self.survey, part, home) => {
                    let past = past(trace, node, evidence);
                    self.confirm(&of, id, node, past, probe)?;
                }
                Standing::Owner(_) if node.compared.wrong => {
                    trace.parts.instructions(node).iter().for_each(|one| self.marks.doubted.set(one.pc));
                    self.explored.dropped += 1;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The result, with what a run executed.
    pub(super) fn finish(mut self, probe: &mut dyn Probe, ran: &Bits) -> Explored {
        self.marks.leave_open(&self.counts, probe);
        self.explored.disagreements = self.second.as_mut().map(Guest::disagreements).unwrap_or_default();
        self.counts.finish(self.explored, ran, &self.marks.stopped)
    }

    /// Reports an error of a table at a node, if it occurs in the second world too.
    fn confirm(
        &mut self,
        of: &Execution<'_>,
        id: NodeId,
        node: &Node,
        past: Past,
        probe: &mut dyn Probe,
    ) -> Result<(), MachineError> {
        let Execution { trace, entered, ref decided, ref well, .. } = *of;
        let is_well = well.get(id as usize).copied().unwrap_or(false);
        let guest = self.second_guest(of.first)?;
        let pcs: Vec<Pc> = trace.parts.instructions(node).iter().map(|one| Pc(one.pc)).collect();
        let path = trace.graph.path(id);
        let is_overwritten = !is_well && has_overwritten_ra(trace, &path);
        let past = if is_overwritten { Past::Overwritten } else { past };
        let mut open = true;
        let charged = trace.retrace(guest, &path)? && {
            let keeps_frame_at = |address: u64| guest.keeps_frame_at(address, node.held.raw_ra);
            let (by_call, returns) = (entered == Entered::AsNamed, entered != Entered::Unknown);
            let made_up = |address: u64, bytes: &mut [u8]| guest.copy_made_up(address, bytes);
            let ra = trace.call.handed_ra.get();
            let handed = Handed { ra, keeps_frame_at: &keeps_frame_at, made_up: &made_up, by_call, returns };
            trace.with_step(guest, node, guest.tracked(), RegisterSet::NONE, |step, preserved| {
                open = !probe.compare(step, preserved).wrong;
                !open && probe.charge(step, &pcs, past, &handed)
            })
        };
        // If the table is right in another certain state of this instruction, that state decides.
        if open && !decided.contains(&node.pc) {
            probe.leave_open(UndecidedCause::MadeUp, &pcs);
        }
        if !charged {
            self.explored.dropped += 1;
        }
        Ok(())
    }

    /// Notes a row whose CFA is a mere name, if it is one in the second world too.
    fn note_names(
        &mut self,
        of: &Execution<'_>,
        id: NodeId,
        node: &Node,
        probe: &mut dyn Probe,
    ) -> Result<(), MachineError> {
        let (trace, guest) = (of.trace, self.second_guest(of.first)?);
        if trace.retrace(guest, &trace.graph.path(id))? {
            let pcs: Vec<Pc> = trace.parts.instructions(node).iter().map(|one| Pc(one.pc)).collect();
            trace.with_step(guest, node, guest.tracked(), RegisterSet::NONE, |step, preserved| {
                if probe.compare(step, preserved).named {
                    probe.note_names(step, &pcs);
                }
            });
        }
        Ok(())
    }

    /// Reports registers that a table does not restore at a node, if that occurs in the second
    /// world too.
    fn confirm_registers(
        &mut self,
        of: &Execution<'_>,
        id: usize,
        node: &Node,
        suspects: Unrestored,
        probe: &mut dyn Probe,
    ) -> Result<(), MachineError> {
        let trace = of.trace;
        let guest = self.second_guest(of.first)?;
        let Ok(id) = NodeId::try_from(id) else { return Ok(()) };
        let path = trace.graph.path(id);
        if !trace.retrace(guest, &path)? {
            return Ok(());
        }
        // A value that is not in a known place may be saved where this harness does not look.
        let saved = node.held.saved.in_slots();
        let known = saved.and(guest.intact());
        let is_kept = |reg: Reg, entered: u64| known.has(reg) || guest.holds(entered);
        let kept = guest.preserved().iter().filter(|(reg, entered)| is_kept(*reg, *entered));
        let kept: RegisterSet = kept.map(|(reg, _)| *reg).collect();
        // A callee that was not executed may be a part of the prologue, and have stored them.
        let is_call = |node: &Node| {
            let last = trace.parts.instructions(node).last();
            last.is_some_and(|last| matches!(last.insn.flow, Flow::Call(_) | Flow::IndirectCall))
        };
        let before = path.iter().filter(|of| **of != id).filter_map(|of| trace.graph.get(*of));
        let wrong = if before.into_iter().any(is_call) { kept.common(saved) } else { kept };
        let dead = suspects.dead;
        let suspects = suspects.common(Unrestored { wrong: wrong.and(dead), dead, missing: kept });
        trace.with_step(guest, node, guest.tracked(), guest.intact(), |step, preserved| {
            let compared = probe.compare(step, preserved);
            let suspects = suspects.common(compared.unrestored);
            if !compared.wrong && !suspects.all().is_empty() {
                // What writes a register that has changed may restore it.
                let writes = |one: &Located| !one.uses.written.common(suspects.missing).is_empty();
                let instructions = trace.parts.instructions(node);
                let upto = instructions.iter().position(writes).unwrap_or(instructions.len());
                let pcs: Vec<Pc> = instructions.iter().take(upto + 1).map(|one| Pc(one.pc)).collect();
                probe.charge_registers(step, &pcs, preserved, suspects);
            }
        });
        Ok(())
    }

    /// The guest of the second world.
    fn second_guest(&mut self, first: &Guest) -> Result<&mut Guest, MachineError> {
        match &mut self.second {
            Some(guest) => Ok(guest),
            none => Ok(none.insert(Guest::new(self.image, World::Second, self.limit, Some(first))?)),
        }
    }
}

/// Instructions at which a table is right in a certain state; none if it is wrong in no state.
fn decided(trace: &Trace<'_>, standings: &[Standing]) -> FxHashSet<u64> {
    let nodes = &trace.graph.nodes;
    if !nodes.iter().any(|node| node.compared.wrong) {
        return FxHashSet::default();
    }
    let sure = nodes.iter().zip(standings).filter(|(node, is)| !node.compared.wrong && **is == Standing::Sure);
    sure.flat_map(|(node, _)| trace.parts.instructions(node)).map(|one| one.pc).collect()
}

/// Returns true if the function has stored something else where the return address was, in a slot
/// of its own, or has loaded that since.
fn has_overwritten_ra(trace: &Trace<'_>, path: &[NodeId]) -> bool {
    let nodes: Vec<&Node> = path.iter().filter_map(|id| trace.graph.get(*id)).collect();
    let has_link = trace.parts.abi.facts().link_register;
    let is_overwritten = |slot: u64, after: &Node| match after.tracked {
        Tracked { sp, .. } if slot >= sp => true,
        Tracked { link, .. } => has_link && link != after.held.raw_ra,
    };
    nodes.windows(2).any(|pair| match pair {
        [before, after] => {
            before.held.ra_slot.is_some_and(|slot| after.held.ra_slot.is_none() && is_overwritten(slot, after))
        }
        _ => false,
    })
}

/// How control reached a node, for a function at which execution may begin.
fn past(trace: &Trace<'_>, node: &Node, evidence: Evidence) -> Past {
    let unseen = evidence == Evidence::None || (evidence == Evidence::Known && !trace.graph.ends_well());
    if unseen { Past::Unseen } else { node.held.past }
}

/// Returns true for the first node with its state: the frame is the same at the others.
fn is_first((_, (node, _)): &(NodeId, (&Node, Standing))) -> bool {
    !node.again
}
