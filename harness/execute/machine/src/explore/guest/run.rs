//! Executes straight-line code: simple instructions here, others by the emulator.

use isa::flow::{self, Marks};
use isa::simple::{Does, Executable};
use types::ByteOrder;
use unicorn_engine::uc_error;

use super::Guest;
use crate::arch::lacks;
use crate::explore::integers::{Data, Not};
use crate::explore::survey::Located;
use crate::layout::Access;
use crate::memory::Memory;

/// Maximum number of instructions that the emulator is given at once. It crashes when it translates
/// 200 or more of the x87 into one block, which use up its temporaries.
const MOST_AT_ONCE: usize = 64;

/// The end of a straight-line run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::explore) enum Ran {
    /// Control reached the end.
    Through,
    /// An instruction that changes SP, FP or the link register failed: their values are unknown.
    Lost,
}

impl Guest {
    /// Executes straight-line code, `[from, to)`. Instructions that fail are skipped: a made-up
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
            // A simple instruction is first only if the emulator must execute it.
            let begins_simple = rest.first().is_some_and(|first| first.simple.is_some());
            let (emulated, after) = rest.split_at(if begins_simple { 1 } else { strange(rest) });
            let to_learn = rest.first().and_then(|first| self.processor.to_learn(&first.simple?));
            if self.emulate(emulated) == Ran::Lost {
                return Ran::Lost;
            }
            if let Some(authentication) = to_learn {
                self.processor.learn(authentication);
            }
            rest = after;
        }
        Ran::Through
    }

    /// Executes the leading simple instructions, and returns their number. `None` if one that
    /// changes SP failed.
    fn compute(&mut self, instructions: &[Located]) -> Option<usize> {
        for (count, one) in instructions.iter().enumerate() {
            let Some(simple) = one.simple else { return Some(count) };
            match self.processor.execute(&simple, &mut Accessed { memory: &mut self.memory, order: self.facts.order }) {
                Ok(_) => {}
                Err(Not::Known) => return Some(count),
                Err(Not::Fails) if self.pass_over(one) => {}
                Err(Not::Fails) => return None,
            }
        }
        Some(instructions.len())
    }

    /// Executes consecutive instructions by the emulator, and by this crate those that the emulator
    /// lacks.
    pub(super) fn emulate(&mut self, instructions: &[Located]) -> Ran {
        let mut rest = instructions;
        while let Some(at) = rest.iter().position(|one| self.lacks(one)) {
            let (before, from) = rest.split_at(at);
            let Some((one, after)) = from.split_first() else { break };
            if self.emulate_all(before) == Ran::Lost || !self.execute_substitute(one) && !self.pass_over(one) {
                return Ran::Lost;
            }
            rest = after;
        }
        self.emulate_all(rest)
    }

    fn emulate_all(&mut self, instructions: &[Located]) -> Ran {
        let is_lost = instructions.chunks(MOST_AT_ONCE).any(|some| self.emulate_some(some) == Ran::Lost);
        if is_lost { Ran::Lost } else { Ran::Through }
    }

    fn emulate_some(&mut self, instructions: &[Located]) -> Ran {
        let (Some(first), Some(last)) = (instructions.first(), instructions.last()) else { return Ran::Through };
        let (mut at, to) = (first.pc, last.end());
        for _ in 0..=instructions.len() {
            if at == to {
                return Ran::Through;
            }
            let outcome = self.processor.run(at, to);
            let now = self.processor.pc();
            // The emulator's C helpers fail without stopping there, such as an x87 store: it
            // reaches the end with an error.
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

    /// Returns true if the emulator would execute the instruction as another one.
    fn lacks(&self, one: &Located) -> bool {
        let code = || self.memory.read(one.pc, usize::from(one.insn.length));
        lacks(self.processor.engine.target(), || code().unwrap_or_default())
    }

    /// Has the host execute an instruction. Returns false if it fails.
    fn execute_substitute(&mut self, one: &Located) -> bool {
        let code = self.memory.read(one.pc, usize::from(one.insn.length)).unwrap_or_default().to_vec();
        self.processor.execute_substitute(&mut self.memory, one.pc, &code)
    }

    /// Continues after an instruction that failed, or that the emulator lacks: what it writes gets
    /// made-up values. Returns false if it changes SP and is not a push.
    fn pass_over(&mut self, failed: &Located) -> bool {
        let pushes = matches!(failed.simple, Some(Executable::Amd64(simple)) if simple.does == Does::Pushes);
        if pushes && self.holds_sp(self.tracked().sp.wrapping_sub(8)) {
            return self.push(self.value(failed.pc)).is_ok();
        }
        if failed.insn.marks.any(Marks::WRITES_SP) {
            return false;
        }
        let code = self.memory.read(failed.pc, usize::from(failed.insn.length)).unwrap_or_default();
        let written = flow::written(self.abi, code, failed.pc).unwrap_or_default();
        let value = self.value(failed.pc);
        written.iter().all(|reg| self.processor.set(reg, value).is_ok())
    }

    /// Executes one instruction and returns the next PC.
    pub(in crate::explore) fn step(&mut self, one: &Located) -> Option<u64> {
        if let Some(simple) = one.simple {
            match self.processor.execute(&simple, &mut Accessed { memory: &mut self.memory, order: self.facts.order }) {
                Ok(target) => return Some(target.unwrap_or_else(|| one.end())),
                Err(Not::Fails) => return None,
                Err(Not::Known) => {}
            }
        }
        let outcome = self.processor.step(one.pc);
        let now = self.processor.pc();
        // A jump to an unmapped address has been taken.
        let gone = matches!(outcome, Ok(()) | Err(uc_error::FETCH_UNMAPPED | uc_error::FETCH_PROT));
        (gone && now != one.pc).then_some(now)
    }
}

/// Number of instructions that the emulator executes at once; the first is not simple. Includes
/// simple ones if they are too few to be worth a switch, but never a no-op: it may replace a
/// skipped instruction that the emulator's memory still has.
fn strange(instructions: &[Located]) -> usize {
    const WORTH_IT: usize = 3;
    let mut simple = 0;
    for (at, one) in instructions.iter().enumerate() {
        if one.simple.is_some_and(|simple| simple.is_nothing()) {
            return at;
        }
        simple = if one.simple.is_some() { simple + 1 } else { 0 };
        if simple == WORTH_IT {
            return at + 1 - WORTH_IT;
        }
    }
    instructions.len() - simple
}

/// Memory with the access rights of the guest's code.
pub(in crate::explore) struct Accessed<'a> {
    pub(in crate::explore) memory: &'a mut Memory,
    pub(in crate::explore) order: ByteOrder,
}

impl Data for Accessed<'_> {
    fn load_bytes(&self, address: u64, bytes: usize) -> Option<u128> {
        let mut value = [0; 16];
        let place = value.get_mut(..bytes)?;
        match self.memory.accessible(address, bytes, Access::READ) {
            Some(bytes) => place.copy_from_slice(bytes),
            // The access crosses from one region into the next.
            None => {
                for (offset, byte) in (0..).zip(place) {
                    *byte = *self.memory.accessible(address.checked_add(offset)?, 1, Access::READ)?.first()?;
                }
            }
        }
        Some(match self.order {
            ByteOrder::Little => u128::from_le_bytes(value),
            ByteOrder::Big => u128::from_be_bytes(value) >> (128 - 8 * bytes),
        })
    }

    fn store_bytes(&mut self, address: u64, bytes: usize, value: u128) -> Option<()> {
        self.memory.accessible(address, bytes, Access::WRITE)?;
        let (little, big) = (value.to_le_bytes(), value.to_be_bytes());
        let stored = match self.order {
            ByteOrder::Little => little.get(..bytes)?,
            ByteOrder::Big => big.get(16_usize.checked_sub(bytes)?..)?,
        };
        self.memory.write(address, stored).then_some(())
    }

    fn is_readable(&self, address: u64, bytes: usize) -> bool {
        self.memory.accessible(address, bytes, Access::READ).is_some()
    }

    fn is_writable(&self, address: u64, bytes: usize) -> bool {
        self.memory.accessible(address, bytes, Access::WRITE).is_some()
    }
}
