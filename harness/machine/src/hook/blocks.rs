//! Code that was shown step by step is taken in a block at a time, by a second processor that has a
//! hook on each block in place of one on each instruction. The first one executes what is not known
//! yet, and both hand the registers to each other; memory they share.
//!
//! A block is what the second processor translates at once: instructions of which the last alone
//! may go elsewhere. The observer says whether it begins in a state that it knows. What is more
//! than taking in known steps happens on the first processor. Should a block come to something else
//! than its like did, or not to its end, the execution is made again without blocks
//! ([`crate::run`]).

use std::panic::{AssertUnwindSafe, catch_unwind};

use types::memo::{BlockMemo as _, BlockNote, Boundary, Entered, Memo};
use types::{Event, Frames, Pc, Regs, Stack, Step};
use unicorn_engine::uc_engine;
use witness::{Branch, Observation};

use super::around::{Around, Learn};
use super::notes::Places;
use super::registers::State;
use super::tally::Tally;
use super::{Session, branch_at, word_at};
use crate::end::End;
use crate::engine::{Context, stop};
use crate::memory::Memory;

/// So often it is tried to learn which instructions a block has.
const MOST_TRIES: u32 = 4;
/// More blocks are not kept.
const MOST: usize = 1 << 18;

/// How the second processor stands.
pub(super) struct Blocks {
    /// Steps that are taken before they are tried; [`u64::MAX`]: they are not.
    pub(super) from: u64,
    pub(super) is_due: bool,
    places: Places<u32>,
    all: Vec<Block>,
    /// Where the registers are of the processor that does not execute.
    pub(super) other: State,
    pub(super) context: Option<Context>,
    /// Of the code that both processors have translated.
    pub(super) version: u64,
    /// What is executed by the first processor before the second one goes on.
    pub(super) around: Option<Around>,
    /// What the last block that was taken in has come to was not looked at yet.
    pub(super) taken: bool,
    pub(super) is_surprised: bool,
    pub(super) tally: Tally,
}

/// What is known of a block.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// Bytes, as the emulator has it, and of the first instruction.
    pub(super) size: u32,
    pub(super) first: u32,
    /// The last instruction's offset.
    pub(super) last: u32,
    /// Instructions.
    pub(super) count: u32,
    /// SP at the last one, and the least and the most that it is, from what it is at the first.
    pub(super) sp_last: i64,
    pub(super) sp_least: i64,
    pub(super) sp_most: i64,
    /// What the observer calls it; none: it is not taken in.
    pub(super) note: Option<BlockNote>,
    /// How often that was tried to find out.
    pub(super) tries: u32,
}

impl Blocks {
    /// To be tried after so many steps.
    pub(super) fn new(abi: types::Abi, from: u64) -> Blocks {
        Blocks {
            from,
            is_due: false,
            places: Places::new(abi.facts().instruction_alignment),
            all: Vec::new(),
            other: State::new(abi),
            context: None,
            version: 0,
            around: None,
            taken: false,
            is_surprised: false,
            tally: Tally::new(from == 0),
        }
    }

    /// A block was taken in that came to something else than its like did.
    pub(super) fn is_surprised(&self) -> bool {
        self.is_surprised
    }

    /// They are tried at the next occasion, if so many steps were taken.
    pub(super) fn look(&mut self, steps: u64) {
        self.is_due = steps >= self.from;
    }

    /// Returns true if the first instruction of what is executed now was shown already.
    pub(super) fn is_shown(&self, pc: u64) -> bool {
        self.around.as_ref().is_some_and(|around| around.is_shown(pc))
    }

    /// The same, true once.
    pub(super) fn was_shown(&mut self, pc: u64) -> bool {
        self.around.as_mut().is_some_and(|around| around.was_shown(pc))
    }

    #[inline(always)]
    fn get(&self, pc: u64, size: u32) -> Option<&Block> {
        let number = self.places.get(pc) as usize;
        self.all.get(number.wrapping_sub(1)).filter(|block| block.size == size)
    }

    /// What was known of code that is another now is forgotten.
    pub(super) fn forget_changed_code(&mut self, pc: u64, memory: &Memory) {
        self.places.go(pc, memory, self.version);
    }

    /// Another thread goes on: what was found out of a block that was being executed is of no use.
    pub(super) fn change_thread(&mut self, steps: u64) {
        (self.around, self.taken) = (None, false);
        self.look(steps);
    }

    pub(super) fn refuse(&mut self) {
        (self.from, self.is_due) = (u64::MAX, false);
    }
}

/// What became of a block that control came to.
enum Tried {
    /// Its steps were block hits.
    Hit,
    /// Frames are those of its first step, which was reached so and is not shown yet.
    Entered(Event),
    /// Nothing is done.
    Unknown,
}

impl<M: Memo> Session<'_, M> {
    /// The second processor is about to execute a block.
    #[inline(always)]
    pub(super) fn on_block(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32) {
        match self.pass_block(env, pc, size) {
            Tried::Hit => {}
            Tried::Entered(event) => self.on_block_slowly(uc, env, pc, size, Some(event)),
            Tried::Unknown => self.on_block_slowly(uc, env, pc, size, None),
        }
    }

    /// Takes in a block that is known.
    #[inline(always)]
    fn pass_block(&mut self, env: usize, pc: u64, size: u32) -> Tried {
        let Some(&block) = self.blocks.get(pc, size) else { return Tried::Unknown };
        let Some(note) = block.note else { return Tried::Unknown };
        if !self.state.is(env) || self.steps.wrapping_add(block.count.into()) >= self.core.calm_until {
            return Tried::Unknown;
        }
        // SAFETY: it is the state, and the guest does not run inside the hook.
        let [sp, fp, link] = unsafe { self.state.read() };
        let within = |away: i64| self.stack.holds_sp(sp.wrapping_add_signed(away));
        if !within(block.sp_least) || !within(block.sp_most) || !self.has_ended([sp, fp, link]) {
            return Tried::Unknown;
        }
        // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
        let (bytes, base, order) = (unsafe { self.stack.bytes() }, self.stack.base, self.order);
        let at = Observation { pc, size: block.first.into(), sp, fp, link };
        let top = || word_at(bytes, sp.wrapping_sub(base), order);
        let Some(event) = self.shadow.plain(&at, top) else { return self.pass_edge(at, size, top()) };
        let Some(memo) = self.observer.blocks() else { return Tried::Unknown };
        if !memo.block_hit(note, &step_at!(self, pc, event, [sp, fp, link]), Entered::Within) {
            return Tried::Unknown;
        }
        self.steps += u64::from(block.count);
        self.go_to_end(&block, &at);
        Tried::Hit
    }

    /// The same of one that is called, or returned to.
    #[inline(never)]
    fn pass_edge(&mut self, at: Observation, size: u32, top: Option<u64>) -> Tried {
        let Observation { pc, sp, fp, link, .. } = at;
        let Some(&block) = self.blocks.get(pc, size) else { return Tried::Unknown };
        let Some(event) = self.shadow.edge(&at, || top) else { return Tried::Unknown };
        let step = step_at!(self, pc, event, [sp, fp, link]);
        let Some((memo, note)) = self.observer.blocks().zip(block.note) else { return Tried::Entered(event) };
        if !memo.block_hit(note, &step, Entered::Edge) {
            return Tried::Entered(event);
        }
        self.steps += u64::from(block.count);
        self.go_to_end(&block, &at);
        Tried::Hit
    }

    /// The steps of a block were taken in.
    #[inline(always)]
    fn go_to_end(&mut self, block: &Block, at: &Observation) {
        let pc = at.pc.wrapping_add(block.last.into());
        let (size, sp) = (block.size.wrapping_sub(block.last).into(), at.sp.wrapping_add_signed(block.sp_last));
        self.shadow.pass(&Observation { pc, size, sp, ..*at });
        self.core.pc = pc;
        self.position.step(self.steps, pc);
        self.blocks.taken = true;
    }

    /// The block before came to what its like did.
    #[inline(always)]
    fn has_ended(&mut self, [sp, fp, link]: [u64; 3]) -> bool {
        if !self.blocks.taken {
            return true;
        }
        // After a system call the stack may be gone: then nothing of it is read.
        let memory = &self.core.memory;
        let is_there = self.epoch == memory.epoch() || memory.window(self.stack.base) == Some(self.stack);
        let frames = Frames(self.shadow.frames());
        let Some(memo) = self.observer.blocks() else { return false };
        is_there && memo.block_ended(&Boundary { sp, fp, link, stack: stack_at!(self, sp), frames })
    }

    /// It was left behind a block that was taken in: whether that came to what its like did.
    pub(super) fn has_ended_at_last(&mut self) -> bool {
        let registers = self.ids.map(|id| self.core.engine.read(id));
        self.has_ended(registers)
    }

    #[inline(never)]
    fn on_block_slowly(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32, entered: Option<Event>) {
        if self.core.end.is_some() || self.core.turn.is_some() || self.panic.is_some() || self.blocks.is_surprised {
            return;
        }
        // A panic must not cross the emulator's C frames; `run` raises it again.
        match catch_unwind(AssertUnwindSafe(|| self.look_at_block(uc, env, pc, size, entered))) {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(around))) => {
                self.blocks.around = Some(around);
                // SAFETY: the handle is live.
                unsafe { stop(uc) };
            }
            Ok(Err(end)) => self.core.finish(end),
            Err(payload) => self.stop(uc, payload),
        }
    }

    /// Takes in a block whatever it begins with. What is left of it to the first processor, and
    /// what that finds out, else.
    fn look_at_block(
        &mut self,
        uc: *mut uc_engine,
        env: usize,
        pc: u64,
        size: u32,
        mut entered: Option<Event>,
    ) -> Result<Option<Around>, End> {
        let [sp, fp, link] = self.tracked(uc, env);
        if entered.is_none() {
            if !self.has_ended([sp, fp, link]) {
                self.be_surprised();
                return Ok(None);
            }
            self.blocks.taken = false;
            self.blocks.places.go(pc, &self.core.memory, self.blocks.version);
        }
        let around = |learn| Ok(Some(Around::new(pc, size, learn)));
        let Some(&block) = self.blocks.get(pc, size) else { return around(Learn::Block) };
        let note = match block.note {
            Some(note) => note,
            None if block.tries < MOST_TRIES => return around(Learn::Block),
            None => return around(Learn::Nothing),
        };
        if self.steps + u64::from(block.count) >= self.core.calm_until {
            if !self.is_calm_for(block.count) {
                return around(Learn::Nothing);
            }
            match self.pass_block(env, pc, size) {
                Tried::Hit => return Ok(None),
                Tried::Entered(event) => entered = Some(event),
                Tried::Unknown => {}
            }
        }
        let at = Observation { pc, size: block.first.into(), sp, fp, link };
        if let Some(event) = entered {
            (self.core.pc, self.regs.pc) = (pc, pc);
            self.position.step(self.steps + 1, pc);
            self.steps += 1;
            self.observer.step(&step_at!(self, pc, event, [sp, fp, link]));
            return Ok(self.take_rest(&block, note, &at));
        }
        if !self.state.is(env) {
            return around(Learn::Nothing);
        }
        let within = |away: i64| self.stack.holds_sp(sp.wrapping_add_signed(away));
        if !within(block.sp_least) || !within(block.sp_most) {
            return around(Learn::Nothing);
        }
        // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
        let (bytes, base, order) = (unsafe { self.stack.bytes() }, self.stack.base, self.order);
        if self.shadow.plain(&at, || word_at(bytes, sp.wrapping_sub(base), order)).is_some() {
            return around(Learn::State(note));
        }
        let calm_until = std::mem::take(&mut self.core.calm_until);
        (self.core.pc, self.regs.pc) = (pc, pc);
        self.position.step(self.steps + 1, pc);
        self.witness(&at)?;
        self.core.calm_until = calm_until;
        Ok(self.take_rest(&block, note, &at))
    }

    /// The first step of a block was shown: takes in the others, or leaves them to the first
    /// processor.
    fn take_rest(&mut self, block: &Block, note: BlockNote, at: &Observation) -> Option<Around> {
        let Observation { pc, sp, fp, link, .. } = *at;
        let step = step_at!(self, pc, Event::Sequential, [sp, fp, link]);
        let is_calm = self.is_calm();
        if is_calm && self.observer.blocks()?.block_hit(note, &step, Entered::Shown) {
            self.steps += u64::from(block.count) - 1;
            self.go_to_end(block, at);
            return None;
        }
        Some(Around::new(pc, block.size, Learn::State(note)).after_its_first_step())
    }

    /// After a system call, or another reason to look: whether so many steps can be taken in as
    /// before.
    fn is_calm_for(&mut self, steps: u32) -> bool {
        let memory = &self.core.memory;
        let same = self.epoch == memory.epoch() && self.blocks.version == memory.code_version();
        self.core.calm_until = if same && self.is_calm() { self.calm_until() } else { 0 };
        self.steps + u64::from(steps) < self.core.calm_until
    }

    #[cold]
    fn be_surprised(&mut self) {
        self.blocks.is_surprised = true;
        self.core.calm_until = 0;
        // SAFETY: the engine is live.
        unsafe { stop(self.core.engine.handle()) };
    }

    /// Before a step on the first processor: whether the second one is to go on here.
    #[cold]
    pub(super) fn leads_to_blocks(&mut self, pc: u64, registers: [u64; 3]) -> bool {
        if let Some(around) = &mut self.blocks.around {
            if !around.comes_to(pc) {
                return false;
            }
            self.learn_block(registers);
        } else if !self.blocks.is_due {
            return false;
        }
        let takes = self.blocks.from <= self.steps && self.is_calm() && self.pending.is_none();
        takes && !self.core.memory.has_writable_code()
    }

    /// The first processor has shown a block.
    fn learn_block(&mut self, [sp, fp, link]: [u64; 3]) {
        let Some(around) = self.blocks.around.take() else { return };
        let (pc, size) = around.place();
        let known = self.blocks.get(pc, size).copied();
        let tries = known.map_or(0, |block| block.tries) + 1;
        match around.learn {
            Learn::Nothing => {}
            Learn::State(_) => {
                if around.is_whole() {
                    let frames = Frames(self.shadow.frames());
                    let after = Boundary { sp, fp, link, stack: stack_at!(self, sp), frames };
                    self.observer.blocks().into_iter().for_each(|memo| memo.close(&after));
                }
            }
            Learn::Block => {
                let cfa = self.shadow.frames().last().map(|frame| frame.cfa);
                let note = around.block(cfa).zip(self.observer.blocks()).and_then(|(block, memo)| memo.block(&block));
                // A call that leads here is none: [`Shadow::edge`] would take it for one.
                let note = note.filter(|_| {
                    let branch = branch_at(&self.core.memory, self.branch, pc);
                    !matches!(branch, Branch::Discards | Branch::Retpoline)
                });
                if self.blocks.all.len() == MOST {
                    return self.blocks.refuse();
                }
                self.blocks.all.push(around.shape(note, tries));
                self.blocks.places.go(pc, &self.core.memory, self.blocks.version);
                let number = u32::try_from(self.blocks.all.len()).unwrap_or(0);
                self.blocks.places.keep(pc, number, &self.core.memory);
            }
        }
    }

    /// The instruction is about to execute on the first processor, and was looked at in full.
    #[cold]
    pub(super) fn show_around(&mut self, pc: u64, size: u32, [sp, fp, link]: [u64; 3]) {
        let Some(around) = &mut self.blocks.around else { return };
        if !around.learns() {
            return;
        }
        let Some(memo) = self.observer.blocks() else { return };
        let step = step_at!(self, pc, Event::Sequential, [sp, fp, link]);
        if let Learn::State(block) = around.learn
            && around.is_new()
        {
            memo.open(block, &step);
        }
        // What signing and authenticating do is followed step by step.
        let note = if self.pending.is_none() { memo.known(&step) } else { None };
        match note.zip(self.core.memory.read(pc, size as usize)) {
            Some((note, code)) => around.show(self.abi, pc, code, [sp, fp], note),
            None => around.fail(),
        }
    }
}
