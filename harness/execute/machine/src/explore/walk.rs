//! Exploration of one function: each instruction in every state that SP, FP and return address can
//! have there. The emulator executes straight-line code; control flow is decided here, both ways at
//! each branch.

mod call;
mod calls;
mod control;
mod execute;
mod hints;
mod parts;
mod pending;
mod probe;
mod slots;
pub(super) mod trace;
mod unkept;

use std::cell::RefCell;
use std::rc::Rc;

use isa::flow::Marks;
use rustc_hash::FxHashMap;
use types::{Compared, Past, Probe, RegisterSet};

use super::graph::{self, Graph, Held, Node, NodeId, Trust};
use super::guest::{Entered, Guest, Snapshot};
use super::saved::{Fates, Saved};
use super::survey::{Located, Survey};
use super::territory::Territory;
use crate::error::MachineError;
use crate::position::Cells;
use call::Call;
use parts::Parts;
use trace::Trace;

/// Maximum number of states of one PC. Compiled code has one or two; a loop that moves SP has many.
const STATES_A_PC: u32 = 12;
const STATES_IN_A_LOOP_ON_SP: u32 = 4096;
/// Maximum number of times that one state of a PC is executed once more because of the registers
/// that a call preserves.
const MOST_AGAIN: u8 = 4;
/// Maximum number of nodes for one entry.
const MOST_NODES: usize = 200_000;
/// Maximum number of states in which a jump is tried whose targets were not found.
const MOST_TRIES: u32 = 2;
/// Maximum number of bytes that a jump to a function may leave on the stack for it.
const MOST_WORDS: u64 = 4096;

/// The exploration of one function. Reused for the next function to save allocations.
pub(super) struct Walk<'a> {
    pub(super) trace: Trace<'a>,
    paths: Paths,
}

/// The paths of a function that were executed, and those that are executed later.
#[derive(Default)]
struct Paths {
    seen: FxHashMap<State, Seen>,
    states: FxHashMap<u64, Visits>,
    /// Paths to execute later, by certainty since the entry: a path is executed when all more
    /// certain ones are done. The first path that reaches a jump searches for its table.
    pending: [Vec<Pending>; 3],
    /// Paths to states that were executed with other fates of registers that a call preserves. They
    /// come last: what is reached, and in which order, does not depend on these registers.
    again: Vec<Pending>,
}

/// A state that was executed.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// The first node with this state.
    first: NodeId,
    last: NodeId,
    /// Number of further nodes with this state.
    again: u8,
    /// What became of the registers that a call preserves before any of them.
    fates: Fates,
    /// Those, and what became of them on paths that are kept for later.
    kept: Fates,
}

/// State of a PC; two visits with equal states are equal for every table, but for the rules of
/// other registers that a call preserves: their [`Fates`] tell visits apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    pc: u64,
    sp: u64,
    fp: u64,
    link_is_ra: bool,
    held: Held,
}

/// A jump table as far as it is known.
#[derive(Clone, Debug)]
struct Table {
    targets: Vec<u64>,
    trust: Trust,
    tries: u32,
}

/// The visits of one PC.
#[derive(Clone, Copy, Debug)]
struct Visits {
    states: u32,
    /// SP at the first visit.
    sp: u64,
    /// The lowest certainty on the path to the first visit.
    doubt: Trust,
}

/// A path that is executed later.
struct Pending {
    way: Way,
    from: Rc<Snapshot>,
}

/// The continuation of a path.
#[derive(Clone, Copy, Debug)]
struct Way {
    pc: u64,
    parent: Option<NodeId>,
    entered: graph::Entered,
    held: Held,
    trust: Trust,
    /// The lowest certainty before this point.
    doubt: Trust,
    /// A comparison of SP led into another iteration of a loop: SP differs between iterations.
    turning: bool,
    /// The path continues with states that were executed before, in order to judge the registers
    /// that a call preserves.
    again: bool,
}

impl Paths {
    fn clear(&mut self) {
        self.seen.clear();
        self.states.clear();
        self.pending.iter_mut().for_each(Vec::clear);
        self.again.clear();
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(survey: &'a Survey, territory: &Territory<'a>) -> Walk<'a> {
        let parts = Parts::new(survey, territory);
        let nowhere = Entered { sp: 0, call_sp: 0, fp: 0, ra: 0 };
        let call = Call::new(parts.facts, nowhere, 0, false);
        let trace = Trace {
            parts,
            graph: Graph::default(),
            call,
            tables: FxHashMap::default(),
            probes: RefCell::default(),
            stopped: Vec::new(),
        };
        Walk { trace, paths: Paths::default() }
    }

    /// Executes everything that can be reached from an entry, whose number is `number`.
    pub(super) fn explore(
        &mut self,
        guest: &mut Guest,
        probe: &mut dyn Probe,
        start: u64,
        number: u64,
    ) -> Result<(), MachineError> {
        self.trace.stopped.clear();
        // A slot of a lazy PLT jumps to the head with a word pushed.
        let is_plt_head = self.trace.parts.survey.functions.is_plt_head(start);
        self.explore_once(guest, probe, start, number, is_plt_head)?;
        if self.trace.call.has_error_code && !is_plt_head {
            self.explore_once(guest, probe, start, number, true)
        } else {
            Ok(())
        }
    }

    fn explore_once(
        &mut self,
        guest: &mut Guest,
        probe: &mut dyn Probe,
        start: u64,
        number: u64,
        has_error_code: bool,
    ) -> Result<(), MachineError> {
        self.trace.graph.clear();
        self.trace.parts.all.clear();
        self.trace.tables.clear();
        self.paths.clear();
        let entered = guest.enter(number, has_error_code)?;
        self.trace.call = Call::new(self.trace.parts.facts, entered, number, has_error_code);
        let held = Held {
            raw_ra: self.trace.call.entered.ra,
            signed_by: None,
            signed_with_pc: false,
            link_of_call: false,
            fp_slot: None,
            ra_slot: (!self.trace.parts.facts.link_register).then_some(self.trace.call.entered.call_sp),
            sp_slot: None,
            frame_pointer: None,
            sp_is_made_up: false,
            on_other_stack: false,
            landed: false,
            past: Past::Plain,
            saved: Saved::entered(guest.preserved()),
        };
        let mut way = Way {
            pc: start,
            parent: None,
            entered: graph::Entered::Executed,
            held,
            trust: Trust::Certain,
            doubt: Trust::Certain,
            turning: false,
            again: false,
        };
        let mut are_hints_tried = false;
        loop {
            self.follow(guest, probe, way)?;
            if !are_hints_tried && self.paths.pending.iter().all(Vec::is_empty) {
                are_hints_tried = true;
                self.postpone_hinted(guest)?;
            }
            let next = self.paths.pending.iter_mut().find_map(Vec::pop);
            let Some(next) = next.or_else(|| self.paths.again.pop()) else { return Ok(()) };
            guest.restore(&next.from)?;
            way = next.way;
            guest.recycle(next.from);
            if self.trace.graph.nodes.len() > MOST_NODES {
                return Ok(());
            }
        }
    }

    /// Follows one path until it ends or reaches a known state.
    fn follow(&mut self, guest: &mut Guest, probe: &mut dyn Probe, mut way: Way) -> Result<(), MachineError> {
        let position = Cells::current();
        loop {
            let tracked = guest.tracked();
            if !guest.holds_sp(tracked.sp) && !self.trace.call.has_popped_ra(guest) {
                self.trace.call.has_error_code |= self.has_popped_error_code(way.pc, tracked.sp);
                self.note_drop(way, tracked.sp);
                return Ok(());
            }
            let state = self.trace.state(way.pc, tracked, way.held, guest);
            let seen = self.paths.seen.get(&state).copied();
            let fates = self.trace.fates(guest, way.held, seen.as_ref());
            match seen {
                Some(seen) if way.again && !seen.has(fates) => {}
                Some(_) => return self.join(guest, way, state),
                None if way.again => return Ok(()),
                None => {}
            }
            let Some((part, first)) = self.trace.parts.find(way.pc) else {
                self.trace.stopped.push(way.pc);
                return Ok(());
            };
            let first_visit = Visits { states: 0, sp: tracked.sp, doubt: way.doubt };
            let visits = self.paths.states.entry(way.pc).or_insert(first_visit);
            way.turning &= visits.states > 0;
            if visits.sp != tracked.sp && !way.turning {
                // Compiled code has one SP at each PC, so that a path through a call that does not
                // return is noticed here. Below an allocation of made-up size SP differs from that
                // of other paths.
                if !way.held.sp_is_made_up {
                    if way.doubt > visits.doubt {
                        return Ok(());
                    }
                    way.trust = Trust::Supposed;
                }
            }
            let states = visits.states;
            visits.states += u32::from(seen.is_none());
            if states >= STATES_IN_A_LOOP_ON_SP || (states >= STATES_A_PC && !way.turning) {
                return Ok(());
            }
            let last = self.trace.parts.last(part, first, tracked, way.held);
            let mut node = Node {
                pc: way.pc,
                part,
                first,
                last,
                parent: way.parent.unwrap_or(self.trace.graph.nodes.len() as NodeId),
                entered: way.entered,
                tracked,
                held: way.held,
                doubt: way.doubt.max(way.trust),
                again: seen.is_some(),
                compared: Compared::default(),
                reads_unkept: false,
                leaves_well: false,
                returns: false,
                restored: RegisterSet::NONE,
                leaves_badly: false,
                loses_fp: false,
                drops_words: false,
            };
            let intact = way.held.saved.intact;
            node.compared =
                self.trace.with_step(guest, &node, tracked, intact, |step, saved| probe.compare(step, saved));
            node.last = self.trace.last_alike(guest, probe, &node)?;
            node.reads_unkept = self.trace.reads_unkept(guest, probe, &node);
            let id = self.trace.graph.add(node);
            let seen = match seen {
                Some(seen) => Seen { last: id, again: seen.again + 1, fates: seen.fates.and(fates), ..seen },
                None => Seen { first: id, last: id, again: 0, fates, kept: fates },
            };
            self.paths.seen.insert(state, seen);
            if let Some(parent) = way.parent {
                self.trace.graph.connect(parent, id, way.trust, intact);
            }
            position.step(u64::from(id) + 1, way.pc);
            self.leave_by_tables(guest, id, way)?;
            let Some(held) = self.trace.execute(guest, &node)? else {
                let last = self.trace.parts.instructions(&node).last().map(|last| last.pc);
                self.trace.stopped.extend(last);
                return Ok(());
            };
            let doubt = way.doubt.max(way.trust);
            way =
                Way { parent: Some(id), entered: graph::Entered::Executed, held, trust: Trust::Certain, doubt, ..way };
            match self.leave(guest, &node, way)? {
                Some(next) if next.trust > way.doubt => {
                    self.postpone(guest, next, None)?;
                    return Ok(());
                }
                Some(next) => way = next,
                None => return Ok(()),
            }
        }
    }

    /// Returns true if the instruction returns from an interrupt, and only one word was released
    /// that the function did not push.
    fn has_popped_error_code(&mut self, pc: u64, sp: u64) -> bool {
        // To look for the instruction may decode another function.
        if sp != self.trace.call.entered.sp + 8 {
            return false;
        }
        let Some((part, index)) = self.trace.parts.find(pc) else { return false };
        let located = self.trace.parts.all.get(part as usize).and_then(|part| part.instructions.get(index as usize));
        located.is_some_and(|one| one.insn.marks.any(Marks::RETURNS_FROM_INTERRUPT))
    }

    /// Marks a node whose last instruction pops stack above the CFA of a call.
    fn note_drop(&mut self, way: Way, sp: u64) {
        let cfa = self.trace.call.cfa();
        let dropped = sp.checked_sub(cfa).is_some_and(|words| (1..=MOST_WORDS).contains(&words));
        let Some(id) = way.parent.filter(|_| dropped && !way.held.sp_is_made_up) else { return };
        let moves = |last: &Located| last.insn.marks.any(Marks::MOVES_SP);
        let is_pop =
            self.trace.graph.get(id).is_some_and(|node| self.trace.parts.instructions(node).last().is_some_and(moves));
        if let Some(node) = self.trace.graph.nodes.get_mut(id as usize).filter(|_| is_pop) {
            node.drops_words = true;
        }
    }
}
