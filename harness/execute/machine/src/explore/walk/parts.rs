//! The code of the function that is explored.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use isa::Code;
use isa::effects::{self, Effect};
use isa::flow::{Flow, Marks};
use rustc_hash::FxHashMap;
use types::{Abi, AbiFacts};

use crate::explore::decoded::{Decoded, Part};
use crate::explore::graph::{Held, Node};
use crate::explore::guest::Tracked;
use crate::explore::survey::{Located, Overwritten, Survey};
use crate::explore::territory::{Pad, Territory};

/// Maximum number of other functions that one may jump into.
const MOST_PARTS: usize = 256;

/// A stretch ends after an instruction with one of these.
const ENDS: Marks = Marks::WRITES_SP.and(Marks::WRITES_FP).and(Marks::WRITES_LINK);

/// The code of the function that is explored, of separate parts of it, and of other functions that
/// it jumps into.
pub(in crate::explore) struct Parts<'a> {
    pub(in crate::explore) survey: &'a Survey,
    pads: &'a [Pad],
    pushed: &'a [(Range<u64>, u64)],
    pub(in crate::explore) abi: Abi,
    pub(super) facts: &'static AbiFacts,
    pub(super) all: Vec<Part>,
    decoded: Decoded,
    /// The code of callees that change the caller's SP or FP, by address, as far as asked for.
    shared: RefCell<FxHashMap<u64, Option<Rc<[Located]>>>>,
    /// What callees overwrite, by address, as far as asked for.
    overwritten: RefCell<FxHashMap<u64, Overwritten>>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(survey: &'a Survey, territory: &Territory<'a>) -> Parts<'a> {
        let abi = survey.functions.abi;
        Parts {
            survey,
            pads: territory.pads,
            pushed: territory.pushed,
            abi,
            facts: abi.facts(),
            all: Vec::new(),
            decoded: Decoded::default(),
            shared: RefCell::default(),
            overwritten: RefCell::default(),
        }
    }

    /// The bytes from an instruction to the end of its range.
    pub(in crate::explore) fn bytes(&self, pc: u64) -> &'a [u8] {
        self.survey.functions.bytes(pc).unwrap_or_default()
    }

    /// The effects of an instruction; none if it cannot be decoded.
    pub(super) fn effects(&self, one: &Located) -> Vec<Effect> {
        let decoded = effects::decode(self.abi, &mut Code::new(self.abi, self.bytes(one.pc), one.pc), 0);
        decoded.map_or_else(Vec::new, |(_, effects)| effects.into_iter().collect())
    }

    /// Start address of a part; the first part is the function itself.
    pub(in crate::explore) fn start(&self, part: u32) -> u64 {
        self.all.get(part as usize).map_or(0, |part| part.extent.start)
    }

    pub(in crate::explore) fn instructions(&self, node: &Node) -> &[Located] {
        let part = self.all.get(node.part as usize).map_or(&[][..], |part| part.instructions.as_slice());
        part.get(node.first as usize..=node.last as usize).unwrap_or_default()
    }

    /// The instruction at an address of a part.
    pub(in crate::explore) fn in_part(&self, part: u32, pc: u64) -> Option<Located> {
        let instructions = self.all.get(part as usize)?.instructions.as_slice();
        let at = instructions.binary_search_by_key(&pc, |one| one.pc).ok()?;
        instructions.get(at).copied()
    }

    /// Returns true if control goes from one node to the other by the return of a call.
    pub(in crate::explore) fn is_return(&self, from: &Node, to: &Node) -> bool {
        self.instructions(from).last().is_some_and(|last| match last.insn.flow {
            Flow::Call(_) | Flow::IndirectCall => last.end() == to.pc,
            // A call by hand.
            Flow::Jump(target) => last.end() == to.pc && target != to.pc,
            Flow::Return => self.jumps_by_stack(from) && self.retpoline_call(from, to.pc).is_some(),
            Flow::IndirectJump => {
                let call = self.retpoline_call(from, to.pc);
                call.is_some_and(|call| call.insn.flow == Flow::Call(from.pc))
            }
            _ => false,
        })
    }

    /// Finds the instruction at an address: its part, and its index in the part.
    pub(in crate::explore) fn find(&mut self, pc: u64) -> Option<(u32, u32)> {
        let part = match self.all.iter().position(|part| part.extent.contains(&pc)) {
            Some(part) => part,
            None if self.all.len() >= MOST_PARTS => return None,
            None => {
                let part = self.decoded.part(self.survey, pc)?;
                self.all.push(part);
                self.all.len() - 1
            }
        };
        let instructions = &self.all.get(part)?.instructions;
        let at = instructions.binary_search_by_key(&pc, |one| one.pc).ok()?;
        Some((u32::try_from(part).ok()?, u32::try_from(at).ok()?))
    }

    /// The last instruction of the stretch that begins with one: a branch, one that changes SP, FP
    /// or the link register or saves one of these, one before a place where the answer may change,
    /// or, where that is known at once, one that writes over what is saved.
    pub(in crate::explore) fn last(&self, part: u32, first: u32, Tracked { sp, fp, .. }: Tracked, held: Held) -> u32 {
        let Some(part) = self.all.get(part as usize) else { return first };
        let slots = [held.fp_slot, held.ra_slot].map(|slot| {
            [sp, fp].map(|base| slot.and_then(|slot| i64::try_from(i128::from(slot) - i128::from(base)).ok()))
        });
        let writes_over = |one: &Located| {
            let Some((base, offset)) = one.simple.as_ref().and_then(effects::stored) else { return false };
            let at = [self.facts.sp, self.facts.fp].iter().position(|reg| *reg == base);
            let is_slot = at.is_some_and(|at| slots.iter().any(|slot| slot.get(at) == Some(&Some(offset))));
            // A return that follows is not a return then, and looks for it in its own stretch.
            is_slot && !self.survey.functions.returns_elsewhere(one.pc)
        };
        // A row that is wrong before a value is saved may be right after that.
        let is_kept = held.fp_slot.is_some() && (held.ra_slot.is_some() || !self.facts.link_register);
        let saves = |one: &Located| !is_kept && one.insn.marks.any(Marks::SAVES);
        // A row that has a register unchanged may be wrong after that.
        let changes_register =
            |at: usize, one: &Located| !one.uses.written.common(held.saved.intact).is_empty() && self.may_end(part, at);
        let mut last = first as usize;
        while let Some(one) = part.instructions.get(last) {
            let next = part.instructions.get(last + 1);
            let ends = one.insn.flow != Flow::Next
                || one.insn.marks.any(ENDS)
                || saves(one)
                || writes_over(one)
                || changes_register(last, one);
            let joins = next.is_some_and(|next| next.pc == one.end() && !self.survey.places.stops.has(next.pc));
            if ends || !joins {
                break;
            }
            last += 1;
        }
        u32::try_from(last).unwrap_or(first)
    }

    /// Returns true if a node ends only because it changes a register that a call preserves.
    pub(in crate::explore) fn is_split(&self, node: &Node) -> bool {
        self.instructions(node).last().is_some_and(|last| {
            last.insn.flow == Flow::Next
                && !last.insn.marks.any(ENDS.and(Marks::SAVES))
                && !last.uses.written.is_empty()
                && !self.survey.places.stops.has(last.end())
        })
    }

    /// Returns true if a stretch may end at an instruction: the branch or return that follows needs
    /// no instruction from here on.
    fn may_end(&self, part: &Part, at: usize) -> bool {
        let needed =
            |one: &Located| one.insn.marks.any(Marks::COMPARES_SP) || self.survey.functions.returns_elsewhere(one.pc);
        !part.instructions.iter().take(at + 1).rev().take(3).any(needed)
    }

    /// Returns true if another function begins after an instruction, and nothing falls through into
    /// it: it can be entered by itself, or a system call ends this function, as in `exit` and
    /// `rt_sigreturn`.
    pub(in crate::explore) fn begins_another(&self, node: &Node, last: &Located) -> bool {
        let next = last.end();
        let home = self.survey.functions.extent_of(next);
        let ends = last.insn.marks.any(Marks::CALLS_SYSTEM);
        home.is_some_and(|home| !home.contains(&node.pc)) && (ends || self.survey.is_entry(next))
    }

    /// Returns true if a function that does nothing ends after an instruction, and other code
    /// begins: compilers leave nothing else of a function that control cannot get to.
    pub(in crate::explore) fn falls_out_of_nothing(&self, node: &Node, last: &Located) -> bool {
        let home = self.survey.functions.extent_of(node.pc);
        let is_nothing = |home: Range<u64>| {
            let does_nothing = |one: &Located| one.simple.is_some_and(|simple| simple.is_nothing());
            let instructions = self.instructions(node);
            node.pc == home.start && instructions.iter().all(|one| one.insn.marks.any(Marks::NOP) || does_nothing(one))
        };
        home.filter(|home| !home.contains(&last.end())).is_some_and(is_nothing)
    }

    /// Returns true for a jump or call in an object file whose target only the linker knows.
    pub(in crate::explore) fn is_open(&self, at: &Located) -> bool {
        self.survey.functions.is_unresolved(at.pc..at.end())
    }

    /// Returns true for a call that makes no frame: a call of a thunk, or of the next instruction
    /// to push its address. The start of a function makes a frame.
    pub(in crate::explore) fn pushes(&self, call: &Located, target: u64) -> bool {
        let begins = self.survey.functions.extent_of(target).is_some_and(|extent| extent.start == target);
        let only_pushes = call.insn.marks.any(Marks::PUSHES) && !begins;
        let survey = self.survey;
        let is_data = only_pushes || survey.functions.pops(call.pc, target) || survey.functions.discards(target);
        (is_data || survey.functions.is_retpoline(target)) && !self.is_open(call)
    }

    /// Returns true if the return at the end of a node is a jump to a value written over the return
    /// address: `mov %rax,(%rsp); ret`.
    pub(in crate::explore) fn jumps_by_stack(&self, node: &Node) -> bool {
        self.instructions(node).iter().rev().take(3).any(|one| self.survey.functions.returns_elsewhere(one.pc))
    }

    /// Bytes of stack arguments at a call.
    pub(in crate::explore) fn pushed_at(&self, pc: u64) -> u64 {
        let upto = self.pushed.partition_point(|(range, _)| range.start <= pc);
        let last = upto.checked_sub(1).and_then(|last| self.pushed.get(last));
        last.filter(|(range, _)| range.contains(&pc)).map_or(0, |(_, bytes)| *bytes)
    }

    /// The landing pads whose call sites contain an address.
    pub(in crate::explore) fn pads_of(&self, pc: u64) -> &[Pad] {
        let upto = self.pads.partition_point(|pad| pad.site.start <= pc);
        let from = self.pads.get(..upto).unwrap_or_default().iter().rposition(|pad| pad.site.end > pc);
        // Sites do not overlap; one site may have several pads.
        let Some(from) = from else { return &[] };
        let start = self.pads.get(from).map_or(0, |pad| pad.site.start);
        let first = self.pads.partition_point(|pad| pad.site.start < start);
        self.pads.get(first..=from).unwrap_or_default()
    }

    /// The call before an address whose target is a retpoline within the node's function.
    pub(in crate::explore) fn retpoline_call(&self, node: &Node, ra: u64) -> Option<Located> {
        let instructions = self.all.get(node.part as usize)?.instructions.as_slice();
        let call = instructions.get(instructions.partition_point(|one| one.end() < ra))?;
        let leads = matches!(call.insn.flow, Flow::Call(target) if self.survey.functions.is_retpoline(target));
        (call.end() == ra && leads).then_some(*call)
    }

    /// Returns true if an instruction of a function that this path is in begins at an address. Its
    /// first instruction does not count: made-up addresses are unlikely to be others.
    pub(in crate::explore) fn is_in_parts(&self, pc: u64) -> bool {
        self.survey.places.begins.has(pc)
            && self.all.iter().any(|part| part.extent.start != pc && part.extent.contains(&pc))
    }

    /// The code of a callee that changes the caller's SP or FP: see [`Functions::changes_frame`].
    ///
    /// [`Functions::changes_frame`]: crate::explore::survey::Functions::changes_frame
    pub(in crate::explore) fn shared_part(&self, callee: u64) -> Option<Rc<[Located]>> {
        let known = self.shared.borrow().get(&callee).cloned();
        known.unwrap_or_else(|| {
            let is_function = |at: u64| self.survey.functions.is_callable(at) && self.survey.is_entry(at);
            let is_other = |jump: &Located, target: u64| self.is_open(jump) || is_function(target);
            let part = self.survey.functions.changes_frame(callee, is_other).map(Rc::from);
            self.shared.borrow_mut().insert(callee, part.clone());
            part
        })
    }

    pub(in crate::explore) fn shared_part_called(&self, call: &Located) -> Option<Rc<[Located]>> {
        let Flow::Call(callee) = call.insn.flow else { return None };
        self.shared_part(callee).filter(|_| !self.is_open(call))
    }

    /// What the callee of a direct call is seen to overwrite.
    pub(in crate::explore) fn overwritten_by(&self, call: &Located) -> Overwritten {
        match call.insn.flow {
            Flow::Call(callee) if !self.is_open(call) => {
                let mut known = self.overwritten.borrow_mut();
                known.entry(callee).or_insert_with(|| self.survey.functions.overwritten(callee)).clone()
            }
            _ => Overwritten::default(),
        }
    }

    /// Number of bytes of stack arguments that the callee of a direct call drops.
    pub(in crate::explore) fn dropped_by(&self, call: &Located) -> u64 {
        match call.insn.flow {
            Flow::Call(callee) if !self.is_open(call) => self.survey.functions.drops(callee),
            _ => 0,
        }
    }

    /// Returns true if an instruction other than push, pop and similar sets SP: an allocation of
    /// made-up size.
    pub(in crate::explore) fn makes_room(&self, last: &Located) -> bool {
        last.insn.marks.any(Marks::WRITES_SP) && !last.insn.marks.any(Marks::MOVES_SP)
    }

    /// Returns true for an allocation of no bytes, the size in a register: that size is made up,
    /// and code after it that stores there is not executed with it.
    pub(in crate::explore) fn makes_no_room(&self, last: &Located, node: &Node, sp: u64) -> bool {
        if sp != node.tracked.sp || !last.insn.marks.any(Marks::WRITES_SP) {
            return false;
        }
        let sp_twice = (self.facts.sp, self.facts.sp);
        let lowers =
            |effect: &Effect| matches!(effect, Effect::Adds { to, base, sign: -1, .. } if (*to, *base) == sp_twice);
        self.effects(last).iter().any(lowers)
    }

    /// Returns true for an instruction that ends a node and may load FP or link register.
    pub(in crate::explore) fn may_restore(&self, last: &Located) -> bool {
        last.insn.flow == Flow::Next && last.insn.marks.any(Marks::WRITES_FP.and(Marks::WRITES_LINK))
    }

    /// Returns true if the branch at the end of a node depends on a comparison of SP: then only one
    /// way is possible.
    pub(in crate::explore) fn depends_on_sp(&self, node: &Node) -> bool {
        self.instructions(node).iter().rev().take(3).any(|one| one.insn.marks.any(Marks::COMPARES_SP))
    }

    /// Returns true if the target is in the function of the jump, or in a part that nothing calls.
    pub(in crate::explore) fn is_own(&self, target: u64, jump: u64) -> bool {
        let home = self.survey.functions.extent_of(target);
        home.is_some_and(|home| home.contains(&jump) || !self.survey.is_entered(home.start))
    }

    /// Returns true if the target is in the function of the jump.
    pub(in crate::explore) fn is_same(&self, target: u64, jump: u64) -> bool {
        self.survey.functions.extent_of(target).is_some_and(|home| home.contains(&jump))
    }
}
