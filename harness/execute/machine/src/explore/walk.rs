//! Exploration of one function: each instruction in every state that SP, FP and return address can
//! have there. The emulator executes straight-line code; control flow is decided here, both ways at
//! each branch.

mod call;
mod control;
mod execute;
mod hints;
mod parts;
mod probe;

use std::cell::RefCell;
use std::rc::Rc;

use isa::flow::{Flow, Marks};
use rustc_hash::{FxHashMap, FxHashSet};
use types::{Compared, EarlierCalls, Event, Frame, Frames, LeftBy, Past, Pc, Probe, Regs, Step};

use super::graph::{self, Graph, Held, Node, NodeId, Trust};
use super::guest::run::Ran;
use super::guest::{Entered, Guest, Snapshot, Tracked};
use super::survey::{Located, Survey};
use super::territory::Territory;
use crate::error::MachineError;
use crate::position::Cells;
use call::Call;
use parts::Parts;
use probe::ProbeLoop;

/// Maximum number of states of one PC. Compiled code has one or two; a loop that moves SP has many.
const STATES_A_PC: u32 = 12;
const STATES_IN_A_LOOP_ON_SP: u32 = 4096;
/// Maximum number of nodes for one entry.
const MOST_NODES: usize = 200_000;
/// Maximum number of states in which a jump is tried whose targets were not found.
const MOST_TRIES: u32 = 2;
/// Maximum number of bytes that a jump to a function may leave on the stack for it.
const MOST_WORDS: u64 = 4096;

/// The exploration of one function. Reused for the next function to save allocations.
pub(super) struct Walk<'a> {
    pub(super) parts: Parts<'a>,
    pub(super) graph: Graph,
    paths: Paths,
    pub(super) call: Call,
    /// Loops that probe the stack by their branches, as far as asked for.
    probes: RefCell<FxHashMap<u64, Option<ProbeLoop>>>,
}

/// The paths of a function that were executed, and those that are executed later.
#[derive(Default)]
struct Paths {
    seen: FxHashMap<State, NodeId>,
    states: FxHashMap<u64, Visits>,
    /// Jump tables by the address of the jump; each is tried in two states at most.
    tables: FxHashMap<u64, Table>,
    /// Paths to execute later, by certainty since the entry: a path is executed when all more
    /// certain ones are done. The first path that reaches a jump searches for its table.
    pending: [Vec<Pending>; 3],
}

/// State of a PC; two visits with equal states are equal for every table.
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
}

impl Paths {
    fn clear(&mut self) {
        self.seen.clear();
        self.states.clear();
        self.tables.clear();
        self.pending.iter_mut().for_each(Vec::clear);
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(survey: &'a Survey, territory: &Territory<'a>) -> Walk<'a> {
        let parts = Parts::new(survey, territory);
        let nowhere = Entered { sp: 0, call_sp: 0, fp: 0, ra: 0 };
        let call = Call::new(parts.facts, nowhere, 0, false);
        Walk { parts, graph: Graph::default(), paths: Paths::default(), call, probes: RefCell::default() }
    }

    /// Executes everything that can be reached from an entry, whose number is `number`.
    pub(super) fn explore(
        &mut self,
        guest: &mut Guest,
        probe: &mut dyn Probe,
        start: u64,
        number: u64,
    ) -> Result<(), MachineError> {
        self.explore_once(guest, probe, start, number, false)?;
        if self.call.has_error_code { self.explore_once(guest, probe, start, number, true) } else { Ok(()) }
    }

    fn explore_once(
        &mut self,
        guest: &mut Guest,
        probe: &mut dyn Probe,
        start: u64,
        number: u64,
        has_error_code: bool,
    ) -> Result<(), MachineError> {
        self.graph.clear();
        self.parts.all.clear();
        self.paths.clear();
        let entered = guest.enter(number, has_error_code)?;
        self.call = Call::new(self.parts.facts, entered, number, has_error_code);
        let held = Held {
            raw_ra: self.call.entered.ra,
            signed_by: None,
            signed_with_pc: false,
            link_of_call: false,
            fp_slot: None,
            ra_slot: (!self.parts.facts.link_register).then_some(self.call.entered.call_sp),
            sp_slot: None,
            sp_is_made_up: false,
            on_other_stack: false,
            landed: false,
            past: Past::Plain,
        };
        let mut way = Way {
            pc: start,
            parent: None,
            entered: graph::Entered::Executed,
            held,
            trust: Trust::Certain,
            doubt: Trust::Certain,
            turning: false,
        };
        let mut are_hints_tried = false;
        loop {
            self.follow(guest, probe, way)?;
            if !are_hints_tried && self.paths.pending.iter().all(Vec::is_empty) {
                are_hints_tried = true;
                self.postpone_hinted(guest)?;
            }
            let Some(next) = self.paths.pending.iter_mut().find_map(Vec::pop) else { return Ok(()) };
            guest.restore(&next.from)?;
            way = next.way;
            guest.recycle(next.from);
            if self.graph.nodes.len() > MOST_NODES {
                return Ok(());
            }
        }
    }

    /// Targets of all jump tables; `None` if one is not completely known.
    pub(super) fn by_tables(&self) -> Option<FxHashSet<u64>> {
        let instructions = self.parts.all.iter().flat_map(|part| part.instructions.iter());
        let jumps =
            instructions.filter(|one| one.insn.flow == Flow::IndirectJump || self.paths.tables.contains_key(&one.pc));
        let tables = jumps.map(|jump| self.paths.tables.get(&jump.pc).filter(|table| table.trust == Trust::Certain));
        let tables: Vec<&Table> = tables.collect::<Option<_>>()?;
        Some(tables.iter().flat_map(|table| &table.targets).copied().collect())
    }

    /// Follows one path until it ends or reaches a known state.
    fn follow(&mut self, guest: &mut Guest, probe: &mut dyn Probe, mut way: Way) -> Result<(), MachineError> {
        let position = Cells::current();
        loop {
            let tracked = guest.tracked();
            if !guest.holds_sp(tracked.sp) && !self.call.has_popped_ra(guest) {
                self.call.has_error_code |= self.has_popped_error_code(way.pc, tracked.sp);
                self.note_drop(way, tracked.sp);
                return Ok(());
            }
            let state = self.state(way.pc, tracked, way.held, guest);
            if let Some(known) = self.paths.seen.get(&state) {
                if let Some(parent) = way.parent {
                    self.graph.connect(parent, *known, way.trust);
                }
                return Ok(());
            }
            let Some((part, first)) = self.parts.find(way.pc) else { return Ok(()) };
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
            visits.states += 1;
            if states >= STATES_IN_A_LOOP_ON_SP || (states >= STATES_A_PC && !way.turning) {
                return Ok(());
            }
            let last = self.parts.last(part, first, tracked, way.held);
            let mut node = Node {
                pc: way.pc,
                part,
                first,
                last,
                parent: way.parent.unwrap_or(self.graph.nodes.len() as NodeId),
                entered: way.entered,
                tracked,
                held: way.held,
                compared: Compared::default(),
                leaves_well: false,
                returns: false,
                leaves_badly: false,
                loses_fp: false,
                drops_words: false,
            };
            node.compared = self.with_step(guest, &node, tracked, |step| probe.compare(step));
            node.last = self.last_alike(guest, probe, &node)?;
            let id = self.graph.add(node);
            self.paths.seen.insert(state, id);
            if let Some(parent) = way.parent {
                self.graph.connect(parent, id, way.trust);
            }
            position.step(u64::from(id) + 1, way.pc);
            self.leave_by_tables(guest, id, way)?;
            let Some(held) = self.execute(guest, &node)? else { return Ok(()) };
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
        if sp != self.call.entered.sp + 8 {
            return false;
        }
        let Some((part, index)) = self.parts.find(pc) else { return false };
        let located = self.parts.all.get(part as usize).and_then(|part| part.instructions.get(index as usize));
        located.is_some_and(|one| one.insn.marks.any(Marks::RETURNS_FROM_INTERRUPT))
    }

    /// Marks a node whose last instruction pops stack above the CFA of a call.
    fn note_drop(&mut self, way: Way, sp: u64) {
        let cfa = self.call.cfa();
        let dropped = sp.checked_sub(cfa).is_some_and(|words| (1..=MOST_WORDS).contains(&words));
        let Some(id) = way.parent.filter(|_| dropped && !way.held.sp_is_made_up) else { return };
        let moves = |last: &Located| last.insn.marks.any(Marks::MOVES_SP);
        let is_pop = self.graph.get(id).is_some_and(|node| self.parts.instructions(node).last().is_some_and(moves));
        if let Some(node) = self.graph.nodes.get_mut(id as usize).filter(|_| is_pop) {
            node.drops_words = true;
        }
    }

    fn state(&self, pc: u64, tracked: Tracked, held: Held, guest: &Guest) -> State {
        let exact = tracked.fp == self.call.entered.fp || guest.is_in_frame(tracked.fp, tracked.sp);
        State {
            pc,
            sp: tracked.sp,
            fp: if exact { tracked.fp } else { 0 },
            link_is_ra: tracked.link == held.raw_ra,
            held,
        }
    }

    /// Passes a node to `show` as a step. The guest is about to execute it.
    pub(super) fn with_step<T>(
        &self,
        guest: &Guest,
        node: &Node,
        Tracked { sp, fp, link }: Tracked,
        show: impl FnOnce(&Step<'_>) -> T,
    ) -> T {
        let registers = guest.registers(node.pc);
        let frame = Frame {
            ra: Pc(self.call.entered.ra),
            raw_ra: node.held.raw_ra,
            signed_by: node.held.signed_by,
            signed_with_pc: node.held.signed_with_pc,
            cfa: self.call.cfa(),
            fp: self.call.entered.fp,
            left_by: LeftBy::Call,
            number: 0,
        };
        let ra = if self.parts.facts.link_register { link } else { node.pc };
        let frames = [frame];
        let earlier_calls: &dyn EarlierCalls = &();
        show(&Step {
            pc: Pc(node.pc),
            event: Event::Sequential,
            regs: Regs { abi: self.parts.abi, sp, fp, ra, others: &registers },
            stack: guest.stack(sp),
            frames: Frames(&frames),
            changes: 0,
            thread: types::ThreadId::FIRST,
            outermost: types::Outermost::Begun,
            earlier_calls,
        })
    }

    /// The last instruction of a stretch up to which the tables are as right as at its start. The
    /// stretch is executed for that only if it has addresses that are watched.
    fn last_alike(&self, guest: &mut Guest, probe: &mut dyn Probe, node: &Node) -> Result<u32, MachineError> {
        let instructions = self.parts.instructions(node);
        let watched =
            || (0..).zip(instructions).skip(1).filter(|(_, one)| self.parts.survey.places.watched.has(one.pc));
        if watched().next().is_none() {
            return Ok(node.last);
        }
        let before = guest.save(node.tracked.sp)?;
        let (mut last, mut at) = (node.last, node.pc);
        for (index, one) in watched() {
            if guest.run(at, one.pc, instructions) == Ran::Lost {
                break;
            }
            at = one.pc;
            let compared = self.with_step(guest, &Node { pc: at, ..*node }, node.tracked, |step| probe.compare(step));
            if compared != node.compared {
                last = node.first + index - 1;
                break;
            }
        }
        guest.restore(&before)?;
        guest.recycle(before);
        Ok(last)
    }

    /// Keeps a path for later, unless its state is known.
    fn postpone(&mut self, guest: &mut Guest, way: Way, from: Option<&Rc<Snapshot>>) -> Result<(), MachineError> {
        let tracked = guest.tracked();
        let state = self.state(way.pc, tracked, way.held, guest);
        if let (Some(known), Some(parent)) = (self.paths.seen.get(&state), way.parent) {
            self.graph.connect(parent, *known, way.trust);
            return Ok(());
        }
        let from = match from {
            Some(from) => Rc::clone(from),
            None => guest.save(tracked.sp)?,
        };
        if let Some(pending) = self.paths.pending.get_mut(way.doubt.max(way.trust) as usize) {
            pending.push(Pending { way, from });
        }
        Ok(())
    }
}
