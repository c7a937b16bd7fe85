//! Executes straight stretches: simple instructions here, others by the emulator.

use isa::flow::Marks;
use isa::simple::{Does, Size};
use unicorn_engine::uc_error;

use super::Guest;
use crate::arch::lacks;
use crate::explore::integers::{Data, Not};
use crate::explore::survey::Located;
use crate::layout::Access;
use crate::memory::Memory;

/// How a straight stretch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::explore) enum Ran {
    /// At its end.
    Through,
    /// An instruction that changes SP, FP or the link register failed: what they are now is not
    /// known.
    Lost,
}

impl Guest {
    /// Executes a straight stretch, `[from, to)`. Instructions that fail are skipped: a made-up
    /// address is not a bug of the program.
    pub(in crate::explore) fn run(&mut self, from: u64, to: u64, instructions: &[Located]) -> Ran {
        let begin = instructions.partition_point(|one| one.pc < from);
        let end = instructions.partition_point(|one| one.pc < to);
        let mut rest = instructions.get(begin..end).unwrap_or_default();
        while !rest.is_empty() {
            let sampled = self.sampled(rest);
            if !sampled.is_empty() {
                let Some(compared) = self.compare(sampled) else { return Ran::Lost };
                rest = rest.get(compared..).unwrap_or_default();
            }
            let Some(by_us) = self.compute(rest) else { return Ran::Lost };
            rest = rest.get(by_us..).unwrap_or_default();
            // A simple instruction is first if the emulator has to execute it.
            let begins_simple = rest.first().is_some_and(|first| first.simple.is_some());
            let (emulated, after) = rest.split_at(if begins_simple { 1 } else { strange(rest) });
            if self.emulate(emulated) == Ran::Lost {
                return Ran::Lost;
            }
            rest = after;
        }
        Ran::Through
    }

    /// Executes the simple instructions at the beginning, and returns their number. `None` if one
    /// changes SP and failed.
    fn compute(&mut self, instructions: &[Located]) -> Option<usize> {
        for (count, one) in instructions.iter().enumerate() {
            let Some(simple) = one.simple else { return Some(count) };
            match self.processor.execute(&simple, &mut Accessed(&mut self.memory)) {
                Ok(_) => {}
                Err(Not::Known) => return Some(count),
                Err(Not::Fails) if self.pass_over(one) => {}
                Err(Not::Fails) => return None,
            }
        }
        Some(instructions.len())
    }

    /// Has instructions that follow one another executed: by the emulator, and those that it lacks
    /// otherwise.
    pub(super) fn emulate(&mut self, instructions: &[Located]) -> Ran {
        let mut rest = instructions;
        while let Some(at) = rest.iter().position(|one| self.lacks(one)) {
            let (before, from) = rest.split_at(at);
            let Some((one, after)) = from.split_first() else { break };
            if self.emulate_all(before) == Ran::Lost || !self.execute_otherwise(one) && !self.pass_over(one) {
                return Ran::Lost;
            }
            rest = after;
        }
        self.emulate_all(rest)
    }

    fn emulate_all(&mut self, instructions: &[Located]) -> Ran {
        let (Some(first), Some(last)) = (instructions.first(), instructions.last()) else { return Ran::Through };
        let (mut at, to) = (first.pc, last.end());
        for _ in 0..=instructions.len() {
            if at == to {
                return Ran::Through;
            }
            let outcome = self.processor.run(at, to);
            let now = self.processor.pc();
            // What the emulator computes in C fails without stopping there, such as a store of the
            // x87: it reaches the end with an error.
            if now == to {
                return Ran::Through;
            }
            let failed = instructions.iter().find(|one| (at..to).contains(&one.pc) && one.pc == now);
            let Some(failed) = failed.filter(|_| outcome.is_err()) else { return Ran::Lost };
            if !self.pass_over(failed) {
                return Ran::Lost;
            }
            at = failed.end();
        }
        Ran::Lost
    }

    /// The emulator would take the instruction for another.
    fn lacks(&self, one: &Located) -> bool {
        let code = || self.memory.read(one.pc, usize::from(one.insn.length));
        lacks(self.processor.engine.target(), || code().unwrap_or_default())
    }

    /// The host executes an instruction. False: it fails.
    fn execute_otherwise(&mut self, one: &Located) -> bool {
        let code = self.memory.read(one.pc, usize::from(one.insn.length)).unwrap_or_default().to_vec();
        self.processor.execute_otherwise(&mut self.memory, one.pc, &code)
    }

    /// Continues after an instruction that failed. What it would have loaded is made up like
    /// everything there. False if it changes SP.
    fn pass_over(&mut self, failed: &Located) -> bool {
        let marks = failed.insn.marks;
        let registers = [(Marks::WRITES_FP, self.facts.fp), (Marks::WRITES_LINK, self.facts.ra)];
        !marks.any(Marks::WRITES_SP)
            && registers.into_iter().filter(|(mark, _)| marks.any(*mark)).all(|(_, reg)| {
                let value = self.value(failed.pc);
                self.processor.set(reg, value).is_ok()
            })
    }

    /// Executes one instruction and returns where control is then.
    pub(in crate::explore) fn step(&mut self, one: &Located) -> Option<u64> {
        if let Some(simple) = one.simple {
            match self.processor.execute(&simple, &mut Accessed(&mut self.memory)) {
                Ok(target) => return Some(target.unwrap_or_else(|| one.end())),
                Err(Not::Fails) => return None,
                Err(Not::Known) => {}
            }
        }
        let outcome = self.processor.step(one.pc);
        let now = self.processor.pc();
        // A jump to where nothing is mapped has jumped.
        let gone = matches!(outcome, Ok(()) | Err(uc_error::FETCH_UNMAPPED | uc_error::FETCH_PROT));
        (gone && now != one.pc).then_some(now)
    }
}

/// Of instructions of which the first is not simple, how many the emulator is to execute at once:
/// simple ones too where they are too few to be worth the changes, but none that does nothing. That
/// may be one that is left out, and in the emulator's memory it is still there.
fn strange(instructions: &[Located]) -> usize {
    const WORTH_IT: usize = 3;
    let mut simple = 0;
    for (at, one) in instructions.iter().enumerate() {
        if one.simple.is_some_and(|simple| simple.does == Does::Nothing) {
            return at;
        }
        simple = if one.simple.is_some() { simple + 1 } else { 0 };
        if simple == WORTH_IT {
            return at + 1 - WORTH_IT;
        }
    }
    instructions.len() - simple
}

/// Memory as the guest's code may access it.
pub(in crate::explore) struct Accessed<'a>(pub(in crate::explore) &'a mut Memory);

impl Data for Accessed<'_> {
    fn load(&self, address: u64, size: Size) -> Option<u64> {
        let mut word = [0; 8];
        let place = word.get_mut(..size.bytes())?;
        match self.0.accessible(address, size.bytes(), Access::READ) {
            Some(bytes) => place.copy_from_slice(bytes),
            // Where one region ends and another begins.
            None => {
                for (offset, byte) in (0..).zip(place) {
                    *byte = *self.0.accessible(address.checked_add(offset)?, 1, Access::READ)?.first()?;
                }
            }
        }
        Some(u64::from_le_bytes(word))
    }

    fn store(&mut self, address: u64, size: Size, value: u64) -> Option<()> {
        self.0.accessible(address, size.bytes(), Access::WRITE)?;
        self.0.write(address, value.to_le_bytes().get(..size.bytes())?).then_some(())
    }

    fn is_writable(&self, address: u64, size: Size) -> bool {
        self.0.accessible(address, size.bytes(), Access::WRITE).is_some()
    }
}
