//! One function: every instruction of it in every state that SP, FP and return address can have there. The emulator executes straight
//! stretches; where control goes is decided here, both ways at each branch.

use std::ops::Range;
use std::rc::Rc;

use isa::flow::{Flow, Marks};
use model::{Abi, AbiFacts, EarlierCalls, Event, Frame, Frames, Past, Pc, Probe, Regs, Step};

use rustc_hash::FxHashMap;

use super::Pad;
use super::graph::{Graph, Held, Node, NodeId, Trust};
use super::guest::{Entry, Guest, Ran, Snapshot, Tracked};
use super::survey::{Located, Survey};
use crate::MachineError;
use crate::pac::{PacOp, on_link_register};
use crate::position::Cells;

/// States of one PC. Compilers' code has one or two; a loop that moves SP has many.
const STATES_A_PC: u32 = 12;
const STATES_IN_A_LOOP_ON_SP: u32 = 4096;
/// Stretches executed for one entry.
const MOST_NODES: usize = 200_000;
/// States in which a jump is tried out that went nowhere.
const MOST_TRIES: u32 = 2;
/// Other functions that one may jump into.
const MOST_PARTS: usize = 256;

/// One function as it is explored. Kept from one function to the next for its memory alone.
pub(super) struct Walk<'a> {
    pub(super) survey: &'a Survey,
    pads: &'a [Pad],
    pub(super) abi: Abi,
    facts: &'static AbiFacts,
    pub(super) graph: Graph,
    parts: Vec<Part>,
    seen: FxHashMap<State, NodeId>,
    states: FxHashMap<u64, Visits>,
    /// Where jumps by tables go, by their address: each is tried out in two states at most.
    tables: FxHashMap<u64, Table>,
    pending: Vec<Pending>,
    /// Ways of which it is only supposed that control goes there: taken when all others are done.
    doubtful: Vec<Pending>,
    pub(super) entry: Entry,
    pub(super) number: u64,
    pcs: Vec<Pc>,
}

/// A function that is executed here, or a part of one.
struct Part {
    extent: Range<u64>,
    instructions: Vec<Located>,
}

/// What makes two visits of a PC the same for any table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    pc: u64,
    sp: u64,
    fp: u64,
    link_is_ra: bool,
    held: Held,
}

/// What is known of a jump by a table.
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
    /// SP at the first.
    sp: u64,
    /// The first was on a path without doubt.
    certain: bool,
}

/// A path that is taken later.
struct Pending {
    way: Way,
    from: Rc<Snapshot>,
}

/// Where a path goes on.
#[derive(Clone, Copy, Debug)]
struct Way {
    pc: u64,
    parent: Option<NodeId>,
    held: Held,
    trust: Trust,
    /// Something before it was only supposed.
    doubted: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(survey: &'a Survey, pads: &'a [Pad]) -> Walk<'a> {
        let nowhere = Entry { sp: 0, fp: 0, ra: 0 };
        Walk {
            survey,
            pads,
            abi: survey.abi,
            facts: survey.abi.facts(),
            graph: Graph::default(),
            parts: Vec::new(),
            seen: FxHashMap::default(),
            states: FxHashMap::default(),
            tables: FxHashMap::default(),
            pending: Vec::new(),
            doubtful: Vec::new(),
            entry: nowhere,
            number: 0,
            pcs: Vec::new(),
        }
    }

    /// Executes everything that can be come to from an entry. `number` is that of the entry.
    pub(super) fn explore(
        &mut self,
        guest: &mut Guest,
        probe: &mut impl Probe,
        start: u64,
        number: u64,
    ) -> Result<(), MachineError> {
        self.graph.clear();
        // Code that a linker makes has thousands of entries in one function.
        if !self.parts.first().is_some_and(|part| part.extent.contains(&start)) {
            self.parts.clear();
        }
        self.parts.truncate(1);
        self.seen.clear();
        self.states.clear();
        self.tables.clear();
        self.pending.clear();
        self.doubtful.clear();
        self.number = number;
        self.entry = guest.enter(self.abi, number)?;
        let held = Held {
            raw_ra: self.entry.ra,
            signed_by: None,
            fp_slot: None,
            ra_slot: (!self.facts.link_register).then_some(self.entry.sp),
            sp_slot: None,
            sp_is_made_up: false,
            landed: false,
            past: Past::Plain,
        };
        let mut way = Way { pc: start, parent: None, held, trust: Trust::Certain, doubted: false };
        loop {
            self.follow(guest, probe, way)?;
            let Some(next) = self.pending.pop().or_else(|| self.doubtful.pop()) else { return Ok(()) };
            guest.restore(&next.from)?;
            way = next.way;
            if let Ok(snapshot) = Rc::try_unwrap(next.from) {
                guest.recycle(snapshot);
            }
            if self.graph.nodes.len() > MOST_NODES {
                return Ok(());
            }
        }
    }

    /// The instructions of a node.
    pub(super) fn instructions(&self, node: &Node) -> &[Located] {
        let part = self.parts.get(node.part as usize).map_or(&[][..], |part| part.instructions.as_slice());
        part.get(node.first as usize..=node.last as usize).unwrap_or_default()
    }

    /// Follows one path until it ends or comes to where one was before.
    fn follow(&mut self, guest: &mut Guest, probe: &mut impl Probe, mut way: Way) -> Result<(), MachineError> {
        let position = Cells::current();
        loop {
            let tracked = guest.tracked(self.facts.link_register);
            if !guest.holds_sp(tracked.sp) {
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
            let first_visit = Visits { states: 0, sp: tracked.sp, certain: !way.doubted };
            let visits = self.states.entry(way.pc).or_insert(first_visit);
            if visits.sp != tracked.sp {
                // Code of compilers has one SP at each place, so that a way that came by a call which does not come back shows here.
                if way.doubted && visits.certain {
                    return Ok(());
                }
                way.trust = Trust::Supposed;
            }
            let states = visits.states;
            visits.states += 1;
            if states >= STATES_IN_A_LOOP_ON_SP || (states >= STATES_A_PC && !self.is_in_loop_on_sp(part, first)) {
                return Ok(());
            }
            let last = self.last(part, first);
            let id = self.graph.add(Node {
                pc: way.pc,
                part,
                first,
                last,
                parent: way.parent.unwrap_or(self.graph.nodes.len() as NodeId),
                tracked,
                held: way.held,
                suspect: false,
                leaves_well: false,
                leaves_badly: false,
            });
            self.seen.insert(state, id);
            if let Some(parent) = way.parent {
                self.graph.connect(parent, id, way.trust);
            }
            let Some(node) = self.graph.get(id).copied() else { return Ok(()) };
            let suspect = !self.probe(guest, probe, &node);
            if let Some(node) = self.graph.nodes.get_mut(id as usize) {
                node.suspect = suspect;
            }
            position.step(u64::from(id) + 1, way.pc);
            let Some(held) = self.execute(guest, &node)? else { return Ok(()) };
            let doubted = way.doubted || way.trust == Trust::Supposed;
            way = Way { pc: way.pc, parent: Some(id), held, trust: Trust::Certain, doubted };
            match self.leave(guest, &node, way)? {
                Some(next) if next.trust == Trust::Supposed && !way.doubted => {
                    self.later(guest, next, None)?;
                    return Ok(());
                }
                Some(next) => way = next,
                None => return Ok(()),
            }
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

    /// Whether both tables are right at a node.
    fn probe(&mut self, guest: &Guest, probe: &mut impl Probe, node: &Node) -> bool {
        let mut pcs = std::mem::take(&mut self.pcs);
        pcs.clear();
        pcs.extend(self.instructions(node).iter().map(|one| Pc(one.pc)));
        let right = self.with_step(guest, node, node.tracked, |step| probe.is_right(step, &pcs));
        self.pcs = pcs;
        right
    }

    /// Shows a node as a step. The guest is about to execute it.
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
            cfa: self.entry.sp.wrapping_add_signed(self.facts.cfa_minus_sp_at_entry),
            fp: self.entry.fp,
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
            earlier_calls,
        })
    }

    /// Executes what of a node is no branch, call or return. None where what SP is then is not known.
    pub(super) fn execute(&self, guest: &mut Guest, node: &Node) -> Result<Option<Held>, MachineError> {
        let instructions = self.instructions(node);
        let straight = match instructions.last() {
            Some(last) if last.insn.flow != Flow::Next => last.pc,
            Some(last) => last.end(),
            None => return Ok(None),
        };
        let before = node.tracked.link;
        let mut from = node.pc;
        // What is loaded back from its slot is to be there: made-up stores before it in the same stretch are undone first.
        if let Some(last) = instructions.last().filter(|last| self.may_restore(last) && last.pc != node.pc) {
            if guest.run(from, last.pc, instructions) == Ran::Lost {
                return Ok(None);
            }
            let mut held = node.held;
            self.keep(guest, node.tracked.sp, &mut held);
            from = last.pc;
        }
        if guest.run(from, straight, instructions) == Ran::Lost {
            return Ok(None);
        }
        let mut after = guest.tracked(self.facts.link_register);
        let mut held = node.held;
        let slots = [held.fp_slot, held.ra_slot, held.sp_slot];
        let astray = !guest.holds_sp(after.sp) || slots.into_iter().flatten().any(|slot| slot < after.sp);
        if astray && instructions.last().is_some_and(|last| self.makes_room(last)) {
            after.sp = guest.below(node.tracked.sp);
            guest.set_sp(after.sp)?;
            held.sp_is_made_up = true;
        }
        if let Some(last) = instructions.last().filter(|last| last.insn.marks.any(Marks::WRITES_LINK)) {
            held = self.held_after(held, before, after.link, last.pc);
        }
        if instructions.iter().any(|one| one.insn.marks.any(Marks::CALLS_SYSTEM)) {
            held.past = Past::SystemCall;
        }
        if instructions.iter().any(|one| one.insn.marks.any(Marks::SAVES)) {
            held.fp_slot = held.fp_slot.or_else(|| guest.find(self.abi, after.sp, self.entry.fp));
            held.ra_slot = held.ra_slot.or_else(|| guest.find(self.abi, after.sp, held.raw_ra));
            if self.facts.link_register {
                held.sp_slot = held.sp_slot.or_else(|| guest.find(self.abi, after.sp, self.entry.sp));
            }
        }
        self.keep(guest, after.sp, &mut held);
        Ok(Some(held))
    }

    /// An instruction that ends a stretch, and may load FP or link register.
    fn may_restore(&self, last: &Located) -> bool {
        last.insn.flow == Flow::Next && last.insn.marks.any(Marks::WRITES_FP.and(Marks::WRITES_LINK))
    }

    /// The caller's values stay in their slots, and slots that are free by now are forgotten.
    fn keep(&self, guest: &mut Guest, sp: u64, held: &mut Held) {
        held.fp_slot = self.kept(guest, sp, held.fp_slot, self.entry.fp);
        held.ra_slot = self.kept(guest, sp, held.ra_slot, held.raw_ra);
        held.sp_slot = self.kept(guest, sp, held.sp_slot, self.entry.sp);
    }

    /// Whether SP was given a value by an instruction that is no push, pop or the like: room on the stack of a size that is made up.
    fn makes_room(&self, last: &Located) -> bool {
        last.insn.marks.any(Marks::WRITES_SP) && !last.insn.marks.any(Marks::MOVES_SP)
    }

    /// A slot after a node, as long as it is not below SP and so free: a store into it went by a made-up address, and is undone.
    fn kept(&self, guest: &mut Guest, sp: u64, slot: Option<u64>, value: u64) -> Option<u64> {
        let slot = slot.filter(|slot| *slot >= sp)?;
        if guest.stack(slot, self.abi).read(slot) != Ok(value) {
            guest.write(slot, &crate::stack::bytes_of(self.facts.order, value));
        }
        Some(slot)
    }

    /// The return address after an instruction that may have signed or authenticated it.
    fn held_after(&self, held: Held, before: u64, after: u64, pc: u64) -> Held {
        let is_arm = matches!(self.abi, Abi::Aarch64 | Abi::Aarch64Be);
        let word = self.survey.bytes(pc).and_then(|bytes| bytes.first_chunk::<4>());
        let op = word.filter(|_| is_arm).and_then(|word| on_link_register(u32::from_le_bytes(*word)));
        match op {
            Some(PacOp::Sign(key)) if before == self.entry.ra => Held { raw_ra: after, signed_by: Some(key), ..held },
            Some(PacOp::Authenticate(_) | PacOp::Strip) if after == self.entry.ra => {
                Held { raw_ra: after, signed_by: None, ..held }
            }
            _ => held,
        }
    }

    /// What a node's last instruction does with control. Ways that are not taken now are kept for later.
    fn leave(&mut self, guest: &mut Guest, node: &Node, way: Way) -> Result<Option<Way>, MachineError> {
        let Some(last) = self.instructions(node).last().copied() else { return Ok(None) };
        let next = last.end();
        let to = |pc| Some(Way { pc, ..way });
        match last.insn.flow {
            Flow::Next => Ok(to(next).filter(|_| !self.begins_another(node, next))),
            Flow::Ends => Ok(None),
            Flow::Jump(target) => Ok(self.jump(guest, node, way, target)),
            Flow::Branch(target) if self.depends_on_sp(node) => {
                let goes = guest.step(last.pc).filter(|goes| *goes == next || *goes == target);
                Ok(goes.and_then(to))
            }
            Flow::Branch(target) => {
                if let Some(taken) = self.jump(guest, node, way, target) {
                    self.later(guest, taken, None)?;
                }
                Ok(to(next))
            }
            Flow::Call(target) if self.pushes(&last, target) => {
                self.push(guest, next)?;
                Ok(to(target))
            }
            Flow::Call(target) => {
                let callee = (!self.is_open(&last, target)).then_some(target);
                self.call(guest, &last, way, callee)
            }
            Flow::IndirectCall => self.call(guest, &last, way, None),
            Flow::Return => {
                self.end(guest, way);
                Ok(None)
            }
            Flow::ReturnOrNext => {
                self.end(guest, way);
                Ok(to(next))
            }
            Flow::IndirectJump => {
                self.indirect(guest, last.pc, way)?;
                Ok(to(next).filter(|_| self.survey.is_bound_late(last.pc, next)))
            }
        }
    }

    /// Whether another function begins there that can be entered by itself: nothing falls into it, the instruction before does not end.
    fn begins_another(&self, node: &Node, next: u64) -> bool {
        let home = self.survey.extent_of(next);
        home.is_some_and(|home| !home.contains(&node.pc)) && self.survey.is_entry(next)
    }

    /// In an object: the place of a symbol of another file, that only a linker knows.
    fn is_open(&self, at: &Located, target: u64) -> bool {
        // In place stands 0, which AMD64 counts from the next instruction, others from this one.
        let zero = if self.facts.link_register { at.pc } else { at.end() };
        !self.survey.linked() && target == zero && at.insn.length >= 4
    }

    /// A call to the next instruction, for the address that it pushes. Where a function begins it is a call.
    fn pushes(&self, call: &Located, target: u64) -> bool {
        let begins = self.survey.extent_of(target).is_some_and(|extent| extent.start == target);
        call.insn.marks.any(Marks::PUSHES) && !begins && !self.is_open(call, target)
    }

    /// A jump, to another part of the function or out of it.
    fn jump(&mut self, guest: &Guest, node: &Node, way: Way, target: u64) -> Option<Way> {
        let open = self.instructions(node).last().is_some_and(|last| self.is_open(last, target));
        let home = self.survey.extent_of(target).filter(|_| !open);
        let own = home.as_ref().is_some_and(|home| home.contains(&node.pc));
        let another = self.survey.is_entry(target);
        if !own && (home.is_none() || another) && self.is_as_entered(guest) {
            self.end_well(way);
            return None;
        }
        home?;
        let trust = if another && !own { Trust::Supposed } else { way.trust };
        Some(Way { pc: target, trust, ..way })
    }

    /// A call, stepped over: SP, FP and what is saved come back as they were.
    fn call(
        &mut self,
        guest: &mut Guest,
        call: &Located,
        way: Way,
        callee: Option<u64>,
    ) -> Result<Option<Way>, MachineError> {
        let next = call.end();
        if self.facts.link_register {
            guest.set_link(next)?;
        }
        let pads: Vec<u64> =
            self.pads_of(call.pc).iter().filter(|pad| pad.site.contains(&call.pc)).map(|pad| pad.pad).collect();
        for pad in pads {
            let held = Held { landed: true, ..way.held };
            self.later(guest, Way { pc: pad, trust: Trust::Certain, held, ..way }, None)?;
        }
        let here = self.survey.extent_of(call.pc);
        if !here.is_some_and(|here| here.contains(&next)) {
            return Ok(None);
        }
        let trust = if self.survey.comes_back(callee, next) { Trust::Certain } else { Trust::Supposed };
        Ok(Some(Way { pc: next, trust, ..way }))
    }

    /// The landing pads whose call sites may hold an address, by site.
    fn pads_of(&self, pc: u64) -> &[Pad] {
        let upto = self.pads.partition_point(|pad| pad.site.start <= pc);
        let from = self.pads.get(..upto).unwrap_or_default().iter().rposition(|pad| pad.site.end > pc);
        // Sites do not overlap; the same one may have several pads.
        let Some(from) = from else { return &[] };
        let start = self.pads.get(from).map_or(0, |pad| pad.site.start);
        let first = self.pads.partition_point(|pad| pad.site.start < start);
        self.pads.get(first..=from).unwrap_or_default()
    }

    /// `call .+5`: the return address is data.
    fn push(&self, guest: &mut Guest, next: u64) -> Result<(), MachineError> {
        let sp = guest.tracked(false).sp.wrapping_sub(8);
        guest.write(sp, &crate::stack::bytes_of(self.facts.order, next));
        guest.set_sp(sp)
    }

    /// A jump to an address in a register: by a table, or to another function.
    fn indirect(&mut self, guest: &mut Guest, jump: u64, way: Way) -> Result<(), MachineError> {
        let Some(id) = way.parent else { return Ok(()) };
        let sp = guest.tracked(false).sp;
        let here = Rc::new(guest.save(sp)?);
        let tried = self.tables.get(&jump).cloned();
        let tries = tried.as_ref().map_or(0, |table| table.tries);
        let Table { targets, trust, .. } = match tried {
            Some(table) if tries >= MOST_TRIES || !table.targets.is_empty() => table,
            _ => {
                let (targets, trust) = self.table(guest, id)?;
                guest.restore(&here)?;
                let table = Table { targets, trust, tries: tries + 1 };
                self.tables.insert(jump, table.clone());
                table
            }
        };
        if targets.is_empty() && self.is_as_entered(guest) {
            self.end_well(way);
        }
        for target in targets {
            self.later(guest, Way { pc: target, trust, ..way }, Some(&here))?;
        }
        Ok(())
    }

    /// Keeps a way for later, unless it was gone already.
    fn later(&mut self, guest: &mut Guest, way: Way, from: Option<&Rc<Snapshot>>) -> Result<(), MachineError> {
        let tracked = guest.tracked(self.facts.link_register);
        let state = self.state(way.pc, tracked, way.held, guest);
        if let (Some(known), Some(parent)) = (self.seen.get(&state), way.parent) {
            self.graph.connect(parent, *known, way.trust);
            return Ok(());
        }
        let from = match from {
            Some(from) => Rc::clone(from),
            None => Rc::new(guest.save(tracked.sp)?),
        };
        let pending = if way.trust == Trust::Supposed || way.doubted { &mut self.doubtful } else { &mut self.pending };
        pending.push(Pending { way, from });
        Ok(())
    }

    /// A return.
    fn end(&mut self, guest: &Guest, way: Way) {
        if self.is_as_entered(guest) {
            self.end_well(way);
        } else if let Some(node) = way.parent.and_then(|id| self.graph.nodes.get_mut(id as usize)) {
            node.leaves_badly = true;
        }
    }

    fn end_well(&mut self, way: Way) {
        let node = way.parent.and_then(|id| self.graph.nodes.get_mut(id as usize));
        if let Some(node) = node {
            node.leaves_well = true;
        }
    }

    /// SP, FP and return address are as the function found them.
    fn is_as_entered(&self, guest: &Guest) -> bool {
        let Tracked { sp, fp, link } = guest.tracked(self.facts.link_register);
        // An authenticating return takes the signed address.
        let ra = !self.facts.link_register || link == self.entry.ra || self.is_signed(link);
        sp == self.entry.sp && fp == self.entry.fp && ra
    }

    fn is_signed(&self, link: u64) -> bool {
        link != self.entry.ra
            && self
                .graph
                .nodes
                .iter()
                .rev()
                .take(64)
                .any(|node| node.held.signed_by.is_some() && node.held.raw_ra == link)
    }

    /// Whether the branch at the end of a node is on a comparison of SP: then it goes one way only.
    fn depends_on_sp(&self, node: &Node) -> bool {
        self.instructions(node).iter().rev().take(3).any(|one| one.insn.marks.any(Marks::COMPARES_SP))
    }

    fn is_in_loop_on_sp(&self, part: u32, first: u32) -> bool {
        let part = self.parts.get(part as usize).map_or(&[][..], |part| part.instructions.as_slice());
        part.iter().skip(first as usize).take(8).any(|one| one.insn.marks.any(Marks::COMPARES_SP))
    }

    /// The instruction at an address: the function it is in, and which of its instructions.
    fn find(&mut self, pc: u64) -> Option<(u32, u32)> {
        let part = match self.parts.iter().position(|part| part.extent.contains(&pc)) {
            Some(part) => part,
            None if self.parts.len() >= MOST_PARTS => return None,
            None => {
                let extent = self.survey.extent_of(pc)?;
                let mut instructions = Vec::new();
                self.survey.instructions(&extent, &mut instructions);
                self.parts.push(Part { extent, instructions });
                self.parts.len() - 1
            }
        };
        let instructions = &self.parts.get(part)?.instructions;
        let at = instructions.binary_search_by_key(&pc, |one| one.pc).ok()?;
        Some((u32::try_from(part).ok()?, u32::try_from(at).ok()?))
    }

    /// The last instruction of the stretch that begins with one.
    fn last(&self, part: u32, first: u32) -> u32 {
        let Some(part) = self.parts.get(part as usize) else { return first };
        let changes = Marks::WRITES_SP.and(Marks::WRITES_FP).and(Marks::WRITES_LINK);
        let mut last = first as usize;
        while let Some(one) = part.instructions.get(last) {
            let next = part.instructions.get(last + 1);
            let ends = one.insn.flow != Flow::Next || one.insn.marks.any(changes);
            let joins = next.is_some_and(|next| next.pc == one.end() && !self.survey.stops.has(next.pc));
            if ends || !joins {
                break;
            }
            last += 1;
        }
        u32::try_from(last).unwrap_or(first)
    }

    /// Goes the same way again, from the entry to a node, which is not executed. False where it is not the same way.
    pub(super) fn retrace(&self, guest: &mut Guest, path: &[NodeId]) -> Result<bool, MachineError> {
        guest.enter(self.abi, self.number)?;
        for pair in path.windows(2) {
            let [from, to] = pair else { continue };
            if !self.again(guest, *from, *to)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Executes a node and what leads from it to the next.
    pub(super) fn again(&self, guest: &mut Guest, from: NodeId, to: NodeId) -> Result<bool, MachineError> {
        let (Some(node), Some(next)) = (self.graph.get(from).copied(), self.graph.get(to).copied()) else {
            return Ok(false);
        };
        if self.execute(guest, &node)?.is_none() {
            return Ok(false);
        }
        if let Some(last) = self.instructions(&node).last() {
            match last.insn.flow {
                Flow::Call(target) if self.pushes(last, target) => {
                    self.push(guest, last.end())?;
                }
                Flow::Call(_) | Flow::IndirectCall if self.facts.link_register => guest.set_link(last.end())?,
                _ => {}
            }
        }
        let now = guest.tracked(self.facts.link_register);
        let same_fp = self.state(0, now, next.held, guest).fp == self.state(0, next.tracked, next.held, guest).fp;
        // Below room of a made-up size SP is another in each world.
        Ok((now.sp == next.tracked.sp || next.held.sp_is_made_up) && same_fp)
    }
}
