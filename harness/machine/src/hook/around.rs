//! A block that the first processor executes, step by step, while what is known of it is found out.

use isa::flow::{Flow, Marks, decode, shifts_sp};
use types::Abi;
use types::memo::{self, BlockNote, FromCfa, Note, Written};

use super::blocks::Block;
use super::stores::Stores;

/// What is to be found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Learn {
    Nothing,
    /// Which instructions it has.
    Block,
    /// What becomes of the state that it begins in now.
    State(BlockNote),
}

/// What was seen of it.
#[derive(Debug)]
pub(super) struct Around {
    pub(super) learn: Learn,
    pc: u64,
    size: u32,
    /// The instruction that comes next.
    next: u64,
    /// The first processor has reached it.
    has_begun: bool,
    /// Its first instruction was shown already, before the first processor comes to it.
    is_shown: bool,
    has_failed: bool,
    notes: Vec<Note>,
    first: u32,
    last: u32,
    sp: u64,
    first_fp: u64,
    /// SP from there: at the last instruction, at the least and at the most.
    sp_last: i64,
    sp_least: i64,
    sp_most: i64,
    /// SP was set to something else than itself and a constant.
    sp_is_set: bool,
    fp: Written,
    link: Written,
    stores: Stores,
    calls: bool,
}

impl Around {
    pub(super) fn new(pc: u64, size: u32, learn: Learn) -> Around {
        Around {
            learn,
            pc,
            size,
            next: pc,
            has_begun: false,
            is_shown: false,
            has_failed: false,
            notes: Vec::new(),
            first: 0,
            last: 0,
            sp: 0,
            first_fp: 0,
            sp_last: 0,
            sp_least: 0,
            sp_most: 0,
            sp_is_set: false,
            fp: Written::default(),
            link: Written::default(),
            stores: Stores::default(),
            calls: false,
        }
    }

    /// The same, whose first instruction was shown already.
    pub(super) fn after_its_first_step(self) -> Around {
        Around { is_shown: true, ..self }
    }

    /// True once, at its first instruction, if that was shown already.
    pub(super) fn was_shown(&mut self, pc: u64) -> bool {
        let was_shown = self.is_shown(pc);
        self.is_shown = false;
        was_shown
    }

    /// Returns true if its first instruction is this one and was shown already.
    pub(super) fn is_shown(&self, pc: u64) -> bool {
        self.is_shown && pc == self.pc
    }

    /// Where it is, and its bytes.
    pub(super) fn place(&self) -> (u64, u32) {
        (self.pc, self.size)
    }

    fn end(&self) -> u64 {
        self.pc.wrapping_add(self.size.into())
    }

    /// The first processor is at an instruction: whether that is no more of it. Its first one
    /// always is, so that each time a step is taken, even where the emulator makes a block of
    /// nothing of what is no instruction.
    pub(super) fn comes_to(&mut self, pc: u64) -> bool {
        std::mem::replace(&mut self.has_begun, true) && self.is_over(pc)
    }

    /// What follows does not belong to it; nor does what a block without a block hit leads to
    /// within itself.
    fn is_over(&self, pc: u64) -> bool {
        match self.learns() {
            true => self.next == self.end() || pc != self.next,
            false => pc.wrapping_sub(self.pc) >= self.size.into(),
        }
    }

    /// Something is to be found out, and was found so far.
    pub(super) fn learns(&self) -> bool {
        self.learn != Learn::Nothing && !self.has_failed
    }

    /// It has begun with no instruction yet.
    pub(super) fn is_new(&self) -> bool {
        self.notes.is_empty()
    }

    /// All its instructions were shown, in order, and the observer knows them.
    pub(super) fn is_whole(&self) -> bool {
        self.learns() && self.next == self.end()
    }

    /// No more is found out.
    pub(super) fn fail(&mut self) {
        self.has_failed = true;
    }

    /// An instruction of it is about to execute, with this SP and FP.
    pub(super) fn show(&mut self, abi: Abi, pc: u64, code: &[u8], [sp, fp]: [u64; 2], note: Note) {
        let Some(insn) = decode(abi, code, pc).filter(|insn| usize::from(insn.length) == code.len() && pc == self.next)
        else {
            return self.fail();
        };
        if self.is_new() {
            (self.first, self.sp, self.first_fp) = (insn.length.into(), sp, fp);
        }
        self.notes.push(note);
        self.next = pc.wrapping_add(insn.length.into());
        let is_last = self.next == self.end();
        let marks = insn.marks;
        // What moves SP otherwise may move it by another distance the next time; what is to be left
        // out may be repeated, or trap.
        let is_usual = (!marks.any(Marks::SKIP) || (is_last && marks.any(Marks::CALLS_SYSTEM)))
            && (!marks.any(Marks::WRITES_SP) || marks.any(Marks::MOVES_SP) || is_last)
            && insn.flow != Flow::Ends
            && (is_last || insn.flow == Flow::Next);
        if !is_usual {
            return self.fail();
        }
        // Where SP is set once, and to something else the next time, it is something else at the
        // end too, unless it is set again.
        let sets_sp = marks.any(Marks::WRITES_SP) && !shifts_sp(abi, code, pc);
        if sets_sp && std::mem::replace(&mut self.sp_is_set, true) {
            return self.fail();
        }
        let from_first = sp.wrapping_sub(self.sp) as i64;
        self.sp_last = from_first;
        self.sp_least = self.sp_least.min(from_first);
        self.sp_most = self.sp_most.max(from_first);
        self.last = pc.wrapping_sub(self.pc) as u32;
        self.stores.show(
            abi,
            &isa::stores::effects(abi, code, pc),
            marks,
            [sp, fp].map(|now| now.wrapping_sub(self.sp) as i64),
        );
        self.calls |= matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall);
        if marks.any(Marks::WRITES_FP) {
            self.fp.write(self.notes.len(), marks.any(Marks::SETS_FP));
        }
        if marks.any(Marks::WRITES_LINK) {
            self.link.write(self.notes.len(), false);
        }
    }

    /// For the observer, if it was seen whole. `cfa`: of the frame of its steps.
    pub(super) fn block(&self, cfa: Option<u64>) -> Option<memo::Block<'_>> {
        let Around { fp, link, calls, .. } = *self;
        let from = |value: u64| cfa.map_or(0, |cfa| value.wrapping_sub(cfa) as i64);
        let begins = FromCfa { sp: from(self.sp), fp: from(self.first_fp) };
        let stores = self.stores.all();
        self.is_whole().then(|| memo::Block { notes: &self.notes, fp, link, stores, begins, calls })
    }

    /// For the hook.
    pub(super) fn shape(&self, note: Option<BlockNote>, tries: u32) -> Block {
        let Around { size, first, last, sp_last, sp_least, sp_most, .. } = *self;
        Block { size, first, last, count: self.notes.len() as u32, sp_last, sp_least, sp_most, note, tries }
    }
}
