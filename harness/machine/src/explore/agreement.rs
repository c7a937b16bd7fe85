//! What simple instructions do is compared with what the emulator makes of the same bytes: random encodings, registers, flags and memory.

use std::collections::BTreeMap;

use isa::simple::{self, Does, Operation, Simple, Size};
use model::{Abi, Reg};

use super::guest::run::Accessed;
use super::integers::{ADJUST, Integers, STATUS};
use super::processor::Processor;
use crate::arch::target;
use crate::layout::{Access, PAGE, Span};
use crate::memory::Memory;

const CODE: u64 = 0x40_0000;
const DATA: u64 = 0x60_0000;
const ROUNDS: u32 = 60_000;
/// Stops the emulator.
const HLT: u8 = 0xf4;

/// Opcodes of which some forms are simple, those of two bytes behind 0f (Intel SDM volume 2, appendix A).
const ONE_BYTE: [u8; 52] = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x0b, 0x21, 0x23, 0x25, 0x29, 0x2a, 0x2b, 0x31, 0x33, 0x38, 0x39, 0x3a,
    0x3b, 0x3d, 0x50, 0x58, 0x63, 0x68, 0x6a, 0x70, 0x7c, 0x80, 0x81, 0x83, 0x84, 0x85, 0x88, 0x89, 0x8a, 0x8b, 0x8d,
    0x90, 0xb0, 0xb8, 0xc0, 0xc1, 0xc6, 0xc7, 0xc9, 0xd1, 0xf6, 0xf7, 0xfe, 0xff, 0xa8,
];
const TWO_BYTES: [u8; 8] = [0x40, 0x80, 0x90, 0xb6, 0xb7, 0xbe, 0xbf, 0x1f];

/// A sequence of numbers that looks random (xorshift64, Marsaglia 2003).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_of(&mut self, all: &[u8]) -> u8 {
        all[self.below(all.len() as u64) as usize]
    }

    /// Prefixes, an opcode, and what may follow it: displacements are small.
    fn instruction(&mut self) -> Vec<u8> {
        let mut code = Vec::new();
        if self.below(6) == 0 {
            code.push(0x66);
        }
        if self.below(3) > 0 {
            code.push(0x40 | self.below(16) as u8);
        }
        if self.below(3) == 0 {
            code.push(0x0f);
            let first = self.one_of(&TWO_BYTES);
            // Sixteen conditions each.
            let condition = if first < 0xa0 && first & 0xf == 0 { self.below(16) as u8 } else { 0 };
            code.push(first | condition);
        } else {
            let first = self.one_of(&ONE_BYTE);
            // Where the middle of ModRM is part of the opcode the emulator refuses a prefix that extends it; processors pass over it.
            let group =
                matches!(first, 0x80 | 0x81 | 0x83 | 0xc0 | 0xc1 | 0xc6 | 0xc7 | 0xd1 | 0xf6 | 0xf7 | 0xfe | 0xff);
            if let Some(rex) = code.last_mut().filter(|last| group && **last & 0xf0 == 0x40) {
                *rex &= !4;
            }
            let register = if matches!(first, 0x50 | 0x58 | 0x70 | 0xb0 | 0xb8) { self.below(8) as u8 } else { 0 };
            code.push(first | register);
        }
        code.push(self.next() as u8);
        if self.below(2) == 0 {
            code.push(self.next() as u8);
        }
        code.extend((self.next() as i8 as i32).to_le_bytes());
        code.extend(self.next().to_le_bytes());
        code
    }

    /// Addresses of the data, small numbers, and any. An address and 1 << 63 would be the same to the emulator.
    fn value(&mut self) -> u64 {
        match self.below(8) {
            0..=3 => DATA + 256 + self.below(PAGE - 512),
            4 | 5 => self.below(8),
            6 => [0, u64::MAX, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, 0x7f, 0x80][self.below(8) as usize],
            _ => self.next(),
        }
    }
}

#[test]
fn simple_instructions_do_what_the_emulator_does() {
    let mut processor = Processor::new(target(Abi::Amd64)).unwrap();
    let mut memory = Memory::new(16 * PAGE);
    memory.map(&processor.engine, Span::uniform(CODE, PAGE, Access(Access::READ.0 | Access::EXECUTE.0))).unwrap();
    memory.map(&processor.engine, Span::uniform(DATA, PAGE, Access::READ_WRITE)).unwrap();
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut done: BTreeMap<String, u32> = BTreeMap::new();
    let mut failed = 0;
    for _ in 0..ROUNDS {
        let code = numbers.instruction();
        let Some((insn, Some(simple))) = simple::decode(Abi::Amd64, &code, CODE) else { continue };
        let end = CODE + u64::from(insn.length);
        memory.write(CODE, &[HLT; PAGE as usize]);
        memory.write(CODE, &code[..usize::from(insn.length)]);
        let before: Vec<u8> = (0..PAGE / 8).flat_map(|_| numbers.value().to_le_bytes()).collect();
        memory.write(DATA, &before);
        let start = processor.integers().unwrap();
        start.registers.iter_mut().for_each(|register| *register = numbers.value());
        start.flags = (start.flags & !STATUS) | (numbers.next() & STATUS);
        let mut ours = *start;
        let jumped = ours.execute(&simple, &mut Accessed(&mut memory));
        let our_data = memory.read(DATA, PAGE as usize).unwrap().to_vec();
        memory.write(DATA, &before);
        // Into the middle of itself.
        if jumped.flatten().is_some_and(|target| (CODE..end).contains(&target)) {
            continue;
        }

        // What was written there before is not to be found again.
        processor.engine.forget_stretch(CODE, CODE + PAGE - 1).unwrap();
        let outcome = processor.run(CODE, end);
        let pc = processor.pc();
        let theirs = *processor.integers().unwrap();
        let what = format!("{:x?} {simple:x?}: {outcome:?} at {pc:#x}", &code[..usize::from(insn.length)]);
        let Some(target) = jumped else {
            assert!(outcome.is_err() && pc == CODE, "ours fails: {what}");
            failed += 1;
            continue;
        };
        match target {
            // It stands at the target, or behind the instruction there that stops it.
            Some(target) => assert!([0, 1].contains(&pc.wrapping_sub(target)), "to {target:#x}: {what}"),
            None => assert!(outcome.is_ok() && pc == end, "theirs fails: {what}"),
        }
        let defined = |integers: Integers| integers.flags & STATUS & !undefined(&simple);
        assert_eq!(ours.registers, theirs.registers, "{what}");
        assert_eq!(defined(ours), defined(theirs), "{what}");
        assert_eq!(memory.read(DATA, PAGE as usize).unwrap(), our_data, "{what}");
        let size = if matches!(simple.does, Does::BranchesIf(_) | Does::SetsIf(_)) { Size::One } else { simple.size };
        *done.entry(format!("{:?} {size:?}", simple.does)).or_default() += 1;
    }
    assert!(failed > 1000, "{failed}");
    let kinds = done.len();
    let seldom: Vec<_> = done.iter().filter(|(_, count)| **count < 3).collect();
    assert!(kinds > 110 && seldom.len() < kinds / 10, "{kinds}: {done:?}");
}

/// Flags that the manual leaves undefined.
fn undefined(simple: &Simple) -> u64 {
    match simple.does {
        Does::Computes(Operation::And | Operation::Or | Operation::Xor) | Does::Compares(Operation::And) => ADJUST,
        Does::Computes(Operation::ShiftLeft | Operation::ShiftRight | Operation::ShiftRightSigned) => ADJUST,
        _ => 0,
    }
}

/// A register that the batch has in another place would be another one.
#[test]
fn registers_of_a_batch_are_in_order() {
    let mut processor = Processor::new(target(Abi::Amd64)).unwrap();
    for number in 0..16 {
        processor.set(Reg(number), 0x100 + u64::from(number)).unwrap();
    }
    let registers = processor.integers().unwrap().registers;
    assert_eq!(registers.to_vec(), (0x100..0x110).collect::<Vec<u64>>());
}
