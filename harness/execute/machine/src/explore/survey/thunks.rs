//! Calls that make no frame: what they push is dropped, popped as data, or returned through; and
//! calls of parts of prologues and epilogues; and callees that drop their arguments.

use std::ops::Range;

use isa::Code;
use isa::effects::{self, Effect};
use isa::flow::{Flow, Insn, ends_speculation};
use isa::preserved::Uses;
use rustc_hash::FxHashSet;
use types::{AbiFacts, Reg};
use witness::{Branch, branches};

use super::functions::{Functions, Located};

/// Maximum number of instructions of a shared part of prologues or epilogues.
const MOST_SHARED: usize = 32;

/// What straight-line code has done to the frame of its caller.
#[derive(Default)]
struct Change {
    /// The number of bytes by which SP was raised.
    moved: i64,
    /// FP is another one than at the start.
    has_fp: bool,
    /// FP was stored while it was as at the start.
    saves_fp: bool,
    /// The link register holds an address that was computed.
    has_computed_link: bool,
}

impl Change {
    /// Adds an effect of the next instruction; `None` if SP is unknown after it, or FP no address
    /// in the frame.
    fn take(&mut self, facts: &AbiFacts, effect: Effect) -> Option<()> {
        let is_link = |to: Reg| facts.link_register && to == facts.ra;
        match effect {
            Effect::Sets { to, base, offset } if to == facts.sp && base == facts.sp => self.moved += offset,
            Effect::Sets { to, .. }
            | Effect::Constant { to, .. }
            | Effect::Inserts { to, .. }
            | Effect::Adds { to, .. }
            | Effect::Loads { to, .. }
            | Effect::Loses(to)
                if to == facts.sp =>
            {
                return None;
            }
            Effect::Loads { to, base, .. } if is_link(to) => self.has_computed_link = base != facts.sp,
            Effect::Sets { to, .. }
            | Effect::Constant { to, .. }
            | Effect::Inserts { to, .. }
            | Effect::Adds { to, .. }
            | Effect::Loses(to)
                if is_link(to) =>
            {
                self.has_computed_link = true;
            }
            Effect::Stores { from, .. } if from == facts.fp => self.saves_fp |= !self.has_fp,
            // What the code saved itself it restores.
            Effect::Loads { to, .. } if to == facts.fp => self.has_fp = !self.saves_fp,
            Effect::Sets { to, base, .. } if to == facts.fp && base == facts.sp => self.has_fp = true,
            // A function that uses FP for something else, and keeps it elsewhere or loses it.
            Effect::Sets { to, .. }
            | Effect::Constant { to, .. }
            | Effect::Inserts { to, .. }
            | Effect::Adds { to, .. }
            | Effect::Loses(to)
                if to == facts.fp =>
            {
                return None;
            }
            _ => {}
        }
        Some(())
    }

    /// Returns true if the caller has another SP or FP after a return. On a target without link
    /// register SP must be that of the return address.
    fn is_change(&self, facts: &AbiFacts) -> bool {
        let moves = facts.link_register && self.moved != 0;
        let returns = facts.link_register || self.moved == 0;
        !self.has_computed_link && returns && (moves || self.has_fp)
    }
}

impl Functions {
    /// Returns true if a call that leads there makes no frame: code that drops the return address,
    /// or returns through another.
    pub(in crate::explore) fn discards(&self, target: u64) -> bool {
        self.extent_of(target).is_some() && self.returns_elsewhere(target)
    }

    /// The instructions that end speculative execution after a jump, a return, or the call of a
    /// thunk in the same function: barriers, and loops of them (on s390x empty ones). Nothing falls
    /// through or jumps to them.
    pub(super) fn traps(&self, extent: &Range<u64>, all: &[(u64, Insn)]) -> FxHashSet<u64> {
        let jumps = all.iter().filter_map(|(pc, insn)| match insn.flow {
            Flow::Jump(target) | Flow::Branch(target) => Some((target, *pc)),
            _ => None,
        });
        let mut jumps: Vec<(u64, u64)> = jumps.collect();
        jumps.sort_unstable();
        let mut traps = FxHashSet::default();
        for (at, (_, before)) in (1..).zip(all) {
            let ends = match before.flow {
                Flow::Jump(_) | Flow::IndirectJump | Flow::Return | Flow::Ends => true,
                Flow::Call(target) => extent.contains(&target) && target != extent.start,
                Flow::Next | Flow::Branch(_) | Flow::IndirectCall | Flow::ReturnOrNext => false,
            };
            let rest = all.get(at..).filter(|_| ends).unwrap_or_default();
            let is_barrier = |one: &(u64, Insn)| self.bytes(one.0).is_some_and(|code| ends_speculation(self.abi, code));
            let barriers = rest.iter().take_while(|one| is_barrier(one)).count();
            let Some((start, _)) = rest.first() else { continue };
            let loops = |one: &&(u64, Insn)| matches!(one.1.flow, Flow::Jump(to) if (*start..=one.0).contains(&to));
            let last = rest.get(barriers).filter(loops);
            let part: FxHashSet<u64> = rest.iter().take(barriers).chain(last).map(|(pc, _)| *pc).collect();
            let targets = |pc: &u64| {
                let from = jumps.partition_point(|(target, _)| target < pc);
                jumps.iter().skip(from).take_while(|(target, _)| target == pc).any(|(_, from)| !part.contains(from))
            };
            if !part.iter().any(targets) {
                traps.extend(part);
            }
        }
        traps
    }

    /// Returns true if a call leads into the function that it is in, where the return address is
    /// popped into a register: it is data.
    pub(in crate::explore) fn pops(&self, call: u64, target: u64) -> bool {
        let is_own = self.extent_of(target).is_some_and(|extent| extent.start != target && extent.contains(&call));
        is_own && self.branch(target) == Some(Branch::Pops)
    }

    /// Returns true if a return address is written over, and returned through, by the code there,
    /// in which nothing moves SP.
    pub(in crate::explore) fn returns_elsewhere(&self, pc: u64) -> bool {
        self.branch(pc) == Some(Branch::Discards)
    }

    /// Returns true if a call that leads there is an indirect call: a retpoline within a function.
    pub(in crate::explore) fn is_retpoline(&self, target: u64) -> bool {
        self.extent_of(target).is_some_and(|extent| extent.start != target)
            && self.branch(target) == Some(Branch::Retpoline)
    }

    /// The instructions of a function before its end, if it leaves its caller another SP or FP than
    /// it was entered with: a part of prologues or epilogues that several functions share (`clang
    /// -Oz`). Such code has no branch, moves SP by constants, and ends with a return, or with a
    /// jump to another function (`is_other`). A jump to a computed address that the link register
    /// holds is no return (a `switch` on s390x: `agf %r14, 0(%r1,%r14); br %r14`).
    pub(in crate::explore) fn changes_frame(
        &self,
        start: u64,
        is_other: impl Fn(&Located, u64) -> bool,
    ) -> Option<Vec<Located>> {
        let facts = self.abi.facts();
        // Such code may have no FDE, and so be in no extent.
        if self.extent_of(start).is_some_and(|extent| extent.start != start) {
            return None;
        }
        let (mut code, mut pc) = (Code::new(self.abi, self.bytes(start)?, start), start);
        let (mut part, mut frame) = (Vec::new(), Change::default());
        while part.len() < MOST_SHARED {
            let (insn, effects) = effects::decode(self.abi, &mut code, usize::try_from(pc - start).ok()?)?;
            let one = Located { pc, insn, simple: None, uses: Uses::default() };
            match insn.flow {
                Flow::Return => return frame.is_change(facts).then_some(part),
                Flow::Jump(target) if facts.link_register && is_other(&one, target) => {
                    return frame.is_change(facts).then_some(part);
                }
                Flow::Next => {}
                _ => return None,
            }
            for effect in effects {
                frame.take(facts, effect)?;
            }
            part.push(one);
            pc = pc.wrapping_add(u64::from(insn.length.max(1)));
        }
        None
    }

    /// Notes a return of a function, and the stack arguments that it drops.
    pub(super) fn take_return(&mut self, function: u64, pc: u64) {
        // Intel SDM volume 2, RET.
        let drops = match self.bytes(pc) {
            Some([0xc2, low, high, ..]) if !self.abi.facts().link_register => {
                u64::from(u16::from_le_bytes([*low, *high]))
            }
            _ => 0,
        };
        self.know(function, |facts| {
            let is_alike = !facts.returning || facts.drops == drops;
            (facts.returning, facts.drops) = (true, if is_alike { drops } else { 0 });
        });
    }

    /// Number of bytes of stack arguments that a callee drops when it returns (`ret $16`), if its
    /// returns agree.
    pub(in crate::explore) fn drops(&self, callee: u64) -> u64 {
        self.facts(callee).drops
    }

    fn branch(&self, pc: u64) -> Option<Branch> {
        Some(branches(self.abi)(self.bytes(pc)?))
    }
}
