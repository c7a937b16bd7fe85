//! Exploration of one function: each instruction in every state that SP, FP and return address can
//! have there. The emulator executes straight-line code; control flow is decided here, both ways at
//! each branch.

mod control;
mod execute;

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use isa::effects;
use isa::flow::{Flow, Marks};
use rustc_hash::{FxHashMap, FxHashSet};
use types::{Abi, AbiFacts, Compared, EarlierCalls, Event, Frame, Frames, LeftBy, Past, Pc, Probe, Regs, Step};

use super::decoded::{Decoded, Part};
use super::graph::{Graph, Held, Node, NodeId, Trust};
use super::guest::run::Ran;
use super::guest::{Entered, Guest, Snapshot, Tracked};
use super::survey::{Located, Survey};
use super::territory::{Pad, Territory};
use crate::error::MachineError;
use crate::position::Cells;

/// Maximum number of states of one PC. Compiled code has one or two; a loop that moves SP has many.
const STATES_A_PC: u32 = 12;
const STATES_IN_A_LOOP_ON_SP: u32 = 4096;
/// Maximum number of nodes for one entry.
const MOST_NODES: usize = 200_000;
/// Maximum number of states in which a jump is tried whose targets were not found.
const MOST_TRIES: u32 = 2;
/// Maximum number of bytes that a jump to a function may leave on the stack for it.
const MOST_WORDS: u64 = 4096;
/// Maximum number of other functions that one may jump into.
const MOST_PARTS: usize = 256;

/// The exploration of one function. Reused for the next function to save allocations.
pub(super) struct Walk<'a> {
    pub(super) survey: &'a Survey,
    pads: &'a [Pad],
    pushed: &'a [(Range<u64>, u64)],
    pub(super) abi: Abi,
    facts: &'static AbiFacts,
    pub(super) graph: Graph,
    /// The function that is explored, separate parts of it, and other functions that it jumps into.
    parts: Vec<Part>,
    decoded: Decoded,
    seen: FxHashMap<State, NodeId>,
    states: FxHashMap<u64, Visits>,
    /// Jump tables by the address of the jump; each is tried in two states at most.
    tables: FxHashMap<u64, Table>,
    /// Paths to execute later, by certainty since the entry: a path is executed when all more
    /// certain ones are done. The first path that reaches a jump searches for its table.
    pending: [Vec<Pending>; 3],
    pub(super) entry: Entered,
    pub(super) number: u64,
    /// A path returns from an interrupt one word above SP at the entry: below the return address
    /// was an error code.
    has_error_code: bool,
    /// SP at each landing pad.
    landings: FxHashMap<u64, u64>,
    /// SP before the first allocation of made-up size. All such allocations are below it, so that a
    /// path with several of them is not a new state.
    room: Cell<Option<u64>>,
    /// The slot in the caller's frame from which an unknown return address was loaded.
    pub(super) handed_ra: Cell<Option<u64>>,
    /// SP differs between throws to one landing pad: not all calls of a site can throw, and it is
    /// unknown which.
    pub(super) landings_differ: bool,
    /// The code of callees that move the caller's SP, by address, as far as asked for.
    shared: RefCell<FxHashMap<u64, Option<Rc<[Located]>>>>,
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
    held: Held,
    trust: Trust,
    /// The lowest certainty before this point.
    doubt: Trust,
    /// A comparison of SP led into another iteration of a loop: SP differs between iterations.
    turning: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(survey: &'a Survey, territory: &Territory<'a>) -> Walk<'a> {
        let nowhere = Entered { sp: 0, call_sp: 0, fp: 0, ra: 0 };
        Walk {
            survey,
            pads: territory.pads,
            pushed: territory.pushed,
            abi: survey.abi,
            facts: survey.abi.facts(),
            graph: Graph::default(),
            parts: Vec::new(),
            decoded: Decoded::default(),
            seen: FxHashMap::default(),
            states: FxHashMap::default(),
            tables: FxHashMap::default(),
            pending: Default::default(),
            entry: nowhere,
            number: 0,
            has_error_code: false,
            landings: FxHashMap::default(),
            room: Cell::new(None),
            handed_ra: Cell::new(None),
            landings_differ: false,
            shared: RefCell::default(),
        }
    }

    /// Executes everything that can be reached from an entry, whose number is `number`.
    pub(super) fn explore(
        &mut self,
        guest: &mut Guest,
        probe: &mut dyn Probe,
        start: u64,
        number: u64,
    ) -> Result<(), MachineError> {
        self.has_error_code = false;
        self.explore_once(guest, probe, start, number)?;
        if self.has_error_code { self.explore_once(guest, probe, start, number) } else { Ok(()) }
    }

    fn explore_once(
        &mut self,
        guest: &mut Guest,
        probe: &mut dyn Probe,
        start: u64,
        number: u64,
    ) -> Result<(), MachineError> {
        self.graph.clear();
        self.parts.clear();
        self.seen.clear();
        self.states.clear();
        self.tables.clear();
        self.pending.iter_mut().for_each(Vec::clear);
        self.landings.clear();
        self.room.set(None);
        self.handed_ra.set(None);
        self.landings_differ = false;
        self.number = number;
        self.entry = guest.enter(self.abi, number, self.has_error_code)?;
        let held = Held {
            raw_ra: self.entry.ra,
            signed_by: None,
            signed_with_pc: false,
            fp_slot: None,
            ra_slot: (!self.facts.link_register).then_some(self.entry.call_sp),
            sp_slot: None,
            sp_is_made_up: false,
            on_other_stack: false,
            landed: false,
            past: Past::Plain,
        };
        let mut way =
            Way { pc: start, parent: None, held, trust: Trust::Certain, doubt: Trust::Certain, turning: false };
        loop {
            self.follow(guest, probe, way)?;
            let Some(next) = self.pending.iter_mut().find_map(Vec::pop) else { return Ok(()) };
            guest.restore(&next.from)?;
            way = next.way;
            guest.recycle(next.from);
            if self.graph.nodes.len() > MOST_NODES {
                return Ok(());
            }
        }
    }

    /// Start address of a part; the first part is the function itself.
    pub(super) fn part_start(&self, part: u32) -> u64 {
        self.parts.get(part as usize).map_or(0, |part| part.extent.start)
    }

    /// Targets of all jump tables; `None` if one is not completely known.
    pub(super) fn by_tables(&self) -> Option<FxHashSet<u64>> {
        let instructions = self.parts.iter().flat_map(|part| part.instructions.iter());
        let jumps = instructions.filter(|one| one.insn.flow == Flow::IndirectJump || self.tables.contains_key(&one.pc));
        let tables = jumps.map(|jump| self.tables.get(&jump.pc).filter(|table| table.trust == Trust::Certain));
        let tables: Vec<&Table> = tables.collect::<Option<_>>()?;
        Some(tables.iter().flat_map(|table| &table.targets).copied().collect())
    }

    /// The instructions of a node.
    pub(super) fn instructions(&self, node: &Node) -> &[Located] {
        let part = self.parts.get(node.part as usize).map_or(&[][..], |part| part.instructions.as_slice());
        part.get(node.first as usize..=node.last as usize).unwrap_or_default()
    }

    /// Returns true if control goes from one node to the other by the return of a call.
    pub(super) fn is_return(&self, from: &Node, to: &Node) -> bool {
        self.instructions(from).last().is_some_and(|last| match last.insn.flow {
            Flow::Call(_) | Flow::IndirectCall => last.end() == to.pc,
            Flow::Return => self.jumps_by_stack(from) && self.retpoline_call(from, to.pc).is_some(),
            Flow::IndirectJump => {
                let call = self.retpoline_call(from, to.pc);
                call.is_some_and(|call| call.insn.flow == Flow::Call(from.pc))
            }
            _ => false,
        })
    }

    /// Follows one path until it ends or reaches a known state.
    fn follow(&mut self, guest: &mut Guest, probe: &mut dyn Probe, mut way: Way) -> Result<(), MachineError> {
        let position = Cells::current();
        loop {
            let tracked = guest.tracked();
            if !guest.holds_sp(tracked.sp) && !self.has_popped_ra(guest) {
                self.has_error_code |= self.has_popped_error_code(way.pc, tracked.sp);
                self.note_drop(way, tracked.sp);
                return Ok(());
            }
            let state = self.state(way.pc, tracked, way.held, guest);
            if let Some(known) = self.seen.get(&state) {
                if let Some(parent) = way.parent {
                    self.graph.connect(parent, *known, way.trust);
                }
                return Ok(());
            }
            let Some((part, first)) = self.find(way.pc) else { return Ok(()) };
            let first_visit = Visits { states: 0, sp: tracked.sp, doubt: way.doubt };
            let visits = self.states.entry(way.pc).or_insert(first_visit);
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
            let last = self.last(part, first, (tracked, way.held));
            let mut node = Node {
                pc: way.pc,
                part,
                first,
                last,
                parent: way.parent.unwrap_or(self.graph.nodes.len() as NodeId),
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
            self.seen.insert(state, id);
            if let Some(parent) = way.parent {
                self.graph.connect(parent, id, way.trust);
            }
            position.step(u64::from(id) + 1, way.pc);
            let Some(held) = self.execute(guest, &node)? else { return Ok(()) };
            let doubt = way.doubt.max(way.trust);
            way = Way { parent: Some(id), held, trust: Trust::Certain, doubt, ..way };
            match self.leave(guest, &node, way)? {
                Some(next) if next.trust > way.doubt => {
                    self.later(guest, next, None)?;
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
        if sp != self.entry.sp + 8 {
            return false;
        }
        let Some((part, index)) = self.find(pc) else { return false };
        let located = self.parts.get(part as usize).and_then(|part| part.instructions.get(index as usize));
        located.is_some_and(|one| one.insn.marks.any(Marks::RETURNS_FROM_INTERRUPT))
    }

    /// Marks a node whose last instruction pops stack above the CFA of a call.
    fn note_drop(&mut self, way: Way, sp: u64) {
        let cfa = self.entry.call_sp.wrapping_add_signed(self.facts.cfa_minus_sp_at_entry);
        let dropped = sp.checked_sub(cfa).is_some_and(|words| (1..=MOST_WORDS).contains(&words));
        let Some(id) = way.parent.filter(|_| dropped && !way.held.sp_is_made_up) else { return };
        let moves = |last: &Located| last.insn.marks.any(Marks::MOVES_SP);
        let is_pop = self.graph.get(id).is_some_and(|node| self.instructions(node).last().is_some_and(moves));
        if let Some(node) = self.graph.nodes.get_mut(id as usize).filter(|_| is_pop) {
            node.drops_words = true;
        }
    }

    fn state(&self, pc: u64, tracked: Tracked, held: Held, guest: &Guest) -> State {
        let exact = tracked.fp == self.entry.fp || guest.holds_sp(tracked.fp);
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
            ra: Pc(self.entry.ra),
            raw_ra: node.held.raw_ra,
            signed_by: node.held.signed_by,
            signed_with_pc: node.held.signed_with_pc,
            cfa: self.entry.call_sp.wrapping_add_signed(self.facts.cfa_minus_sp_at_entry),
            fp: self.entry.fp,
            left_by: LeftBy::Call,
        };
        let ra = if self.facts.link_register { link } else { node.pc };
        let frames = [frame];
        let earlier_calls: &dyn EarlierCalls = &();
        show(&Step {
            pc: Pc(node.pc),
            event: Event::Sequential,
            regs: Regs { abi: self.abi, sp, fp, ra, others: &registers },
            stack: guest.stack(sp, self.abi),
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
        let instructions = self.instructions(node);
        let watched = || (0..).zip(instructions).skip(1).filter(|(_, one)| self.survey.watched.has(one.pc));
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
    fn later(&mut self, guest: &mut Guest, way: Way, from: Option<&Rc<Snapshot>>) -> Result<(), MachineError> {
        let tracked = guest.tracked();
        let state = self.state(way.pc, tracked, way.held, guest);
        if let (Some(known), Some(parent)) = (self.seen.get(&state), way.parent) {
            self.graph.connect(parent, *known, way.trust);
            return Ok(());
        }
        let from = match from {
            Some(from) => Rc::clone(from),
            None => guest.save(tracked.sp)?,
        };
        if let Some(pending) = self.pending.get_mut(way.doubt.max(way.trust) as usize) {
            pending.push(Pending { way, from });
        }
        Ok(())
    }

    /// Finds the instruction at an address: its part, and its index in the part.
    fn find(&mut self, pc: u64) -> Option<(u32, u32)> {
        let part = match self.parts.iter().position(|part| part.extent.contains(&pc)) {
            Some(part) => part,
            None if self.parts.len() >= MOST_PARTS => return None,
            None => {
                let part = self.decoded.part(self.survey, pc)?;
                self.parts.push(part);
                self.parts.len() - 1
            }
        };
        let instructions = &self.parts.get(part)?.instructions;
        let at = instructions.binary_search_by_key(&pc, |one| one.pc).ok()?;
        Some((u32::try_from(part).ok()?, u32::try_from(at).ok()?))
    }

    /// The last instruction of the stretch that begins with one: a branch, one that changes SP, FP
    /// or the link register or saves one of these, one before a place where the answer may change,
    /// or, where that is known at once, one that writes over what is saved.
    fn last(&self, part: u32, first: u32, (Tracked { sp, fp, .. }, held): (Tracked, Held)) -> u32 {
        let Some(part) = self.parts.get(part as usize) else { return first };
        let changes = Marks::WRITES_SP.and(Marks::WRITES_FP).and(Marks::WRITES_LINK);
        let slots = [held.fp_slot, held.ra_slot].map(|slot| {
            [sp, fp].map(|base| slot.and_then(|slot| i64::try_from(i128::from(slot) - i128::from(base)).ok()))
        });
        let writes_over = |one: &Located| {
            let Some((base, offset)) = one.simple.as_ref().and_then(effects::stored) else { return false };
            let at = [self.facts.sp, self.facts.fp].iter().position(|reg| *reg == base);
            let is_slot = at.is_some_and(|at| slots.iter().any(|slot| slot.get(at) == Some(&Some(offset))));
            // A return that follows is not a return then, and looks for it in its own stretch.
            is_slot && !self.survey.returns_elsewhere(one.pc)
        };
        // A row that is wrong before a value is saved may be right after that.
        let is_kept = held.fp_slot.is_some() && (held.ra_slot.is_some() || !self.facts.link_register);
        let saves = |one: &Located| !is_kept && one.insn.marks.any(Marks::SAVES);
        let mut last = first as usize;
        while let Some(one) = part.instructions.get(last) {
            let next = part.instructions.get(last + 1);
            let ends = one.insn.flow != Flow::Next || one.insn.marks.any(changes) || saves(one) || writes_over(one);
            let joins = next.is_some_and(|next| next.pc == one.end() && !self.survey.stops.has(next.pc));
            if ends || !joins {
                break;
            }
            last += 1;
        }
        u32::try_from(last).unwrap_or(first)
    }
}
