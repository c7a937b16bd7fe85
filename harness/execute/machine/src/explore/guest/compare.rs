//! Has the emulator repeat a sample of simple instructions in every run: a difference is a bug of
//! this project.

use isa::flow::may_be_apx;
use isa::simple::{self, Executable};
use types::Abi;

use super::Guest;
use super::run::{Accessed, Ran};
use crate::explore::integers::compute::undefined;
use crate::explore::integers::{ADJUST, Data, STATUS};
use crate::explore::survey::Located;
use crate::explore::territory::Disagreement;
use crate::layout::Access;

impl Guest {
    /// The leading simple instructions that both must execute; empty if they are not in the sample.
    /// Stops at no-ops, which may replace a skipped instruction that the emulator's memory still
    /// has.
    pub(super) fn sampled<'i>(&mut self, instructions: &'i [Located]) -> &'i [Located] {
        let taken = instructions.first().is_some_and(|first| first.simple.is_some() && self.sample.takes(first.pc));
        if !taken {
            return &[];
        }
        let does = |one: &&Located| one.simple.is_some_and(|simple| !simple.is_nothing()) && self.is_there(one);
        let mut end = instructions.iter().take_while(does).count();
        // Later instructions may depend on undefined flags. No simple instruction reads the adjust
        // flag.
        let leaves = |one: &Located| one.simple.is_some_and(|simple| undefined_by(&simple) & !ADJUST != 0);
        if let Some(unclear) = instructions.iter().take(end).position(leaves) {
            end = unclear + 1;
        }
        instructions.get(..end).unwrap_or_default()
    }

    /// Returns true if read-only memory has this instruction: the file may differ from memory in a
    /// segment that is not loaded or is writable. The emulator lacks instructions of APX.
    fn is_there(&self, one: &Located) -> bool {
        let length = usize::from(one.insn.length);
        self.memory.accessible(one.pc, length, Access::WRITE).is_none()
            && self.memory.accessible(one.pc, length, Access::EXECUTE).is_some()
            && self
                .memory
                .read(one.pc, length)
                .filter(|code| !may_be_apx(code))
                .and_then(|code| simple::decode(self.abi, code, one.pc))
                == Some((one.insn, one.simple))
    }

    /// Executes simple instructions here and in the emulator, up to one that fails, and returns
    /// their number. `None` if the emulator ends elsewhere. Memory is compared at the addresses
    /// stored to, and next to them.
    pub(super) fn compare(&mut self, instructions: &[Located]) -> Option<usize> {
        let before = self.processor.ours();
        let mut stores =
            Stores { memory: Accessed { memory: &mut self.memory, order: self.facts.order }, undo: Vec::new() };
        let (mut count, mut defined) = (0, if self.abi == Abi::Amd64 { STATUS } else { u64::MAX });
        for simple in instructions.iter().filter_map(|one| one.simple) {
            if self.processor.execute(&simple, &mut stores).is_err() {
                break;
            }
            defined &= !undefined_by(&simple);
            count += 1;
        }
        let undo = stores.undo;
        let done = instructions.get(..count).unwrap_or_default();
        let Some((first, last)) = done.first().zip(done.last()) else { return Some(0) };
        let ours = self.processor.ours();
        let stored: Vec<Vec<u8>> = undo.iter().map(|(at, old)| self.bytes(*at, old.len())).collect();
        for (at, old) in undo.iter().rev() {
            self.memory.write(*at, old);
        }
        self.processor.take(before);
        let through = self.emulate(done) == Ran::Through;
        let theirs = self.processor.ours();
        let same_memory = undo.iter().zip(&stored).all(|((at, _), new)| self.bytes(*at, new.len()) == *new);
        if through && same_memory && ours.agrees(&theirs, defined) {
            self.processor.take(ours);
            return Some(count);
        }
        self.sample.disagreements.push(Disagreement { start: first.pc, end: last.end() });
        through.then_some(count)
    }

    fn bytes(&self, address: u64, len: usize) -> Vec<u8> {
        self.memory.read(address, len).unwrap_or_default().to_vec()
    }
}

/// Memory, and the bytes before each store.
struct Stores<'a> {
    memory: Accessed<'a>,
    undo: Vec<(u64, Vec<u8>)>,
}

impl Data for Stores<'_> {
    fn load_bytes(&self, address: u64, bytes: usize) -> Option<u128> {
        self.memory.load_bytes(address, bytes)
    }

    fn store_bytes(&mut self, address: u64, bytes: usize, value: u128) -> Option<()> {
        // Saves more bytes than are stored: the emulator may store more.
        let memory = &self.memory.memory;
        let old = memory.read(address, 16).or_else(|| memory.read(address, bytes));
        let old = old.unwrap_or_default().to_vec();
        self.memory.store_bytes(address, bytes, value)?;
        self.undo.push((address, old));
        Some(())
    }

    fn is_readable(&self, address: u64, bytes: usize) -> bool {
        self.memory.is_readable(address, bytes)
    }

    fn is_writable(&self, address: u64, bytes: usize) -> bool {
        self.memory.is_writable(address, bytes)
    }
}

/// The flags that are not defined after an instruction.
fn undefined_by(simple: &Executable) -> u64 {
    match simple {
        Executable::Amd64(simple) => undefined(simple),
        Executable::Aarch64(_) | Executable::S390x(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use isa::preserved::Uses;
    use isa::simple::{self, Does, Lanes, Operation, Simple, Size, Vector};
    use types::{Image, ImageKind, Pc, Reg, Segment};

    use super::*;
    use crate::explore::guest::World;
    use crate::explore::guest::sample::Sample;

    const CODE: u64 = 0x40_0000;

    /// add $1,%rax; mov %rax,-16(%rsp); pxor %xmm0,%xmm0; sub $1,%rcx
    const TEXT: [u8; 17] =
        [0x48, 0x83, 0xc0, 1, 0x48, 0x89, 0x44, 0x24, 0xf0, 0x66, 0x0f, 0xef, 0xc0, 0x48, 0x83, 0xe9, 1];

    const SEVEN: u64 = 7 << 32 | 7;

    fn guest() -> Guest {
        guest_of(CODE, &TEXT, 5)
    }

    /// A guest with code at an address, in a segment with these flags.
    fn guest_of(address: u64, text: &[u8], flags: u32) -> Guest {
        let segment = Segment::new(1, flags, address, text.to_vec());
        let image =
            Image { segments: vec![segment], ..Image::new("test", Abi::Amd64, ImageKind::Executable, Pc(address)) };
        Guest::new(&image, World::First, 1 << 20, None).unwrap()
    }

    fn instructions() -> Vec<Located> {
        located(CODE, &TEXT)
    }

    fn located(start: u64, text: &[u8]) -> Vec<Located> {
        let mut all = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let pc = start + at as u64;
            let (insn, simple) = simple::decode(Abi::Amd64, &text[at..], pc).unwrap();
            at += usize::from(insn.length);
            all.push(Located { pc, insn, simple, uses: Uses::default() });
        }
        all
    }

    /// Excludes instructions that may depend on undefined flags, are writable, or are in the file
    /// and not in memory.
    #[test]
    fn what_may_come_out_otherwise_is_not_compared() {
        // add %esi,%edi; bt $3,%edx; seto %al: overflow is undefined after bt.
        const UNDEFINED: [u8; 9] = [0x01, 0xf7, 0x0f, 0xba, 0xe2, 0x03, 0x0f, 0x90, 0xc0];
        let is_taken = |pc: &u64| Sample::default().takes(*pc);
        let start = (CODE..).step_by(0x1000).find(is_taken).unwrap();
        let length = |text: &[u8], flags, decoded: &[Located]| guest_of(start, text, flags).sampled(decoded).len();
        assert_eq!(length(&TEXT, 5, &located(start, &TEXT)), 4);
        assert_eq!(length(&UNDEFINED, 5, &located(start, &UNDEFINED)), 2);
        assert_eq!(length(&TEXT, 7, &located(start, &TEXT)), 0, "it may be written");
        assert_eq!(length(&UNDEFINED, 5, &located(start, &TEXT)), 0, "memory has something else");
    }

    /// RAX, RCX and the slot afterwards, and the differences.
    fn compared(instructions: &[Located]) -> (u64, u64, u64, Vec<Disagreement>) {
        let mut guest = guest();
        let sp = guest.enter(1, false).unwrap().sp;
        guest.set(Reg(0), SEVEN).unwrap();
        guest.set(Reg(2), 7).unwrap();
        assert_eq!(guest.compare(instructions), Some(4));
        let slot = guest.stack(sp).read(sp - 16).unwrap();
        (guest.register(Reg(0)), guest.register(Reg(2)), slot, guest.disagreements())
    }

    #[test]
    fn what_differs_is_told_and_the_emulator_is_believed() {
        let right = instructions();
        assert_eq!(compared(&right), (SEVEN + 1, 6, SEVEN + 1, Vec::new()));
        let expected = vec![Disagreement { start: CODE, end: CODE + TEXT.len() as u64 }];
        let with = |number: usize, change: &dyn Fn(Simple) -> Simple| {
            let mut wrong = right.clone();
            let Some(Executable::Amd64(simple)) = wrong[number].simple else { unreachable!() };
            wrong[number].simple = Some(Executable::Amd64(change(simple)));
            compared(&wrong)
        };
        let subtracts = |simple| Simple { does: Does::Computes(Operation::Subtract), ..simple };
        assert_eq!(with(0, &subtracts), (SEVEN + 1, 6, SEVEN + 1, expected.clone()), "a register");
        assert_eq!(
            with(1, &|simple| Simple { size: Size::Four, ..simple }),
            (SEVEN + 1, 6, SEVEN + 1, expected.clone()),
            "memory"
        );
        let equal = |simple| Simple { does: Does::Vector(Vector::Lanes(Lanes::Equal, Size::Eight)), ..simple };
        assert_eq!(with(2, &equal).3, expected, "a vector");
        let to_sum = |simple| Simple { does: Does::Computes(Operation::SubtractWithBorrow), ..simple };
        assert_eq!(with(3, &to_sum), (SEVEN + 1, 6, SEVEN + 1, Vec::new()), "no carry: the same");
    }
}
