//! Compares the results of simple instructions with the emulator's for the same bytes: random
//! encodings, registers, flags and memory.

use std::collections::BTreeMap;

use isa::flow::may_be_apx;
use isa::simple::{self, Does, Operand};
use types::{Abi, Reg, Rng};

use super::guest::run::Accessed;
use super::integers::compute::undefined;
use super::integers::{Integers, Not, STATUS};
use super::processor::Processor;
use crate::arch::target;
use crate::layout::{Access, PAGE, Span};
use crate::memory::Memory;

const CODE: u64 = 0x40_0000;
const DATA: u64 = 0x60_0000;
/// The halt instruction, which stops the emulator.
const HLT: u8 = 0xf4;

/// Number of random instructions for each opcode.
const DRAWS: u32 = 12;
/// The bytes before an opcode: the escape to one of four opcode maps (Intel SDM volume 2, appendix
/// A), and prefixes.
const MAPS: [&[u8]; 4] = [&[], &[0x0f], &[0x0f, 0x38], &[0x0f, 0x3a]];
const PREFIXES: [&[u8]; 8] = [&[], &[0x66], &[0xf2], &[0xf3], &[0xf0], &[0x64], &[0x65], &[0x66, 0x64]];

/// The bytes of the first map that are not opcodes.
const IS_PREFIX: [u8; 28] = [
    0x0f, 0x26, 0x2e, 0x36, 0x3e, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d,
    0x4e, 0x4f, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3,
];

/// Random instructions and values.
struct Numbers(Rng);

impl Numbers {
    /// A random instruction with this opcode, whose next byte has `middle` in the reg field.
    /// Displacements are small.
    fn instruction(&mut self, prefixes: &[u8], map: &[u8], opcode: u8, middle: u8) -> Vec<u8> {
        let mut code = prefixes.to_vec();
        if self.0.below(3) > 0 {
            // If the reg field of ModRM is part of the opcode, the emulator refuses the prefix that
            // extends it; processors ignore it.
            let group = match map {
                [] => {
                    matches!(opcode, 0x80..=0x83 | 0x8f | 0xc0 | 0xc1 | 0xc6 | 0xc7 | 0xd0..=0xd3 | 0xf6 | 0xf7 | 0xfe | 0xff)
                }
                _ => matches!(opcode, 0x0d | 0x18 | 0x1e | 0x1f | 0x71..=0x73 | 0xae | 0xba | 0xc7),
            };
            code.push(0x40 | self.0.below(16) as u8 & if group { 0b1011 } else { 0b1111 });
        }
        code.extend(map);
        code.push(opcode);
        code.push(self.0.bits() as u8 & 0b1100_0111 | middle << 3);
        if self.0.below(2) == 0 {
            code.push(self.0.bits() as u8);
        }
        let even = if self.0.below(2) == 0 { !0xf } else { !0 };
        code.extend((i32::from(self.0.bits() as i8) & even).to_le_bytes());
        code.extend(self.0.bits().to_le_bytes());
        code
    }

    /// A random value: an address of the data, a small number, or any. The emulator would not
    /// distinguish an address from one with bit 63 set.
    fn value(&mut self) -> u64 {
        match self.0.below(8) {
            0..=1 => DATA + 256 + self.0.below(PAGE - 512),
            2..=3 => DATA + 256 + self.0.below(PAGE - 512) / 16 * 16,
            4 | 5 => self.0.below(8),
            6 => [0, u64::MAX, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, 0x7f, 0x80][self.0.below(8) as usize],
            _ => self.0.bits(),
        }
    }

    fn vector(&mut self) -> u128 {
        u128::from(self.value()) << 64 | u128::from(self.value())
    }
}

/// Every opcode is drawn, so that no simple one is missed.
#[test]
fn simple_instructions_do_what_the_emulator_does() {
    let mut processor = Processor::new(target(Abi::Amd64)).unwrap();
    let mut memory = Memory::new(16 * PAGE);
    memory.map(&processor.engine, Span::uniform(CODE, PAGE, Access(Access::READ.0 | Access::EXECUTE.0))).unwrap();
    memory.map(&processor.engine, Span::uniform(DATA, PAGE, Access::READ_WRITE)).unwrap();
    memory.write(CODE, &[HLT; PAGE as usize]);
    for (id, base) in target(Abi::Amd64).simple.as_ref().unwrap().segments.into_iter().zip([0x20, 0x50]) {
        processor.set_other(id, base).unwrap();
    }
    let mut numbers = Numbers(Rng::new(1));
    let words: Vec<u8> = (0..PAGE / 8).flat_map(|_| numbers.value().to_le_bytes()).collect();
    memory.write(DATA, &words);
    let mut done: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    let mut failed = 0;
    let opcodes = (0..=255).flat_map(|opcode| (0..8).map(move |middle| (opcode, middle)));
    let in_maps = opcodes.flat_map(|opcode| MAPS.map(|map| (map, opcode)));
    let in_maps = in_maps.filter(|(map, (opcode, _))| !map.is_empty() || !IS_PREFIX.contains(opcode));
    let with_prefixes = in_maps.flat_map(|(map, opcode)| PREFIXES.map(|prefixes| (prefixes, map, opcode)));
    for (prefixes, map, (opcode, middle)) in with_prefixes.flat_map(|one| (0..DRAWS).map(move |_| one)) {
        let code = numbers.instruction(prefixes, map, opcode, middle);
        // The emulator lacks instructions of APX.
        let decoded = simple::decode(Abi::Amd64, &code, CODE).filter(|_| !may_be_apx(&code));
        let Some((insn, Some(simple))) = decoded else { continue };
        let end = CODE + u64::from(insn.length);
        memory.write(CODE, &[HLT; 16]);
        memory.write(CODE, &code[..usize::from(insn.length)]);
        // Random words where the instruction may access memory.
        for _ in 0..16 {
            memory.write(DATA + numbers.0.below(PAGE / 8) * 8, &numbers.value().to_le_bytes());
        }
        let before = memory.read(DATA, PAGE as usize).unwrap().to_vec();
        let start = processor.integers().unwrap();
        start.registers.iter_mut().for_each(|register| *register = numbers.value());
        start.flags = (start.flags & !STATUS) | (numbers.0.bits() & STATUS);
        let vectors = processor.vectors().unwrap();
        vectors.iter_mut().for_each(|vector| *vector = numbers.vector());
        // The emulator starts with the same state.
        processor.hand_over().unwrap();
        let start = (*processor.integers().unwrap(), *processor.vectors().unwrap());
        // The emulator drops the highest bits of a non-canonical address.
        let far = [simple.to, simple.from].into_iter().any(|place| match place {
            Operand::Memory(address) => start.0.address(address) >> 47 != 0,
            _ => false,
        });
        if far && !matches!(simple.does, Does::Addresses) {
            continue;
        }
        let jumped = processor.execute(&simple, &mut Accessed(&mut memory));
        let ours = (*processor.integers().unwrap(), *processor.vectors().unwrap());
        let our_data = memory.read(DATA, PAGE as usize).unwrap().to_vec();
        let drawn = || format!("{:x?} {simple:x?}: {start:x?}", &code[..usize::from(insn.length)]);
        let kind = format!("{:?} {:?}", simple.does, simple.size).replace(char::is_numeric, "");
        let count = done.entry(kind).or_default();
        if jumped.is_err() {
            assert!(ours == start && our_data == before, "not executed, and yet changed: {}", drawn());
        }
        memory.write(DATA, &before);
        *processor.integers().unwrap() = start.0;
        *processor.vectors().unwrap() = start.1;
        // Skips instructions that only the emulator decides, and jumps into the middle of the
        // instruction itself.
        if jumped == Err(Not::Known) || matches!(jumped, Ok(Some(target)) if (CODE..end).contains(&target)) {
            count[1] += 1;
            continue;
        }
        // Discards the translation of the previous instruction at this address.
        processor.engine.forget_stretch(CODE, CODE + PAGE - 1).unwrap();
        let outcome = processor.run(CODE, end);
        let pc = processor.pc();
        let theirs = (*processor.integers().unwrap(), *processor.vectors().unwrap());
        let what = || format!("{}: {outcome:?} at {pc:#x}", drawn());
        let Ok(target) = jumped else {
            assert!(outcome.is_err() && pc == CODE, "ours fails: {}", what());
            failed += 1;
            continue;
        };
        match target {
            // Control is at the target, or after the halt instruction there.
            Some(target) => assert!([0, 1].contains(&pc.wrapping_sub(target)), "to {target:#x}: {}", what()),
            None => assert!(outcome.is_ok() && pc == end, "theirs fails: {}", what()),
        }
        let defined = |integers: Integers| integers.flags & STATUS & !undefined(&simple);
        assert_eq!(ours.0.registers, theirs.0.registers, "{}", what());
        assert_eq!(defined(ours.0), defined(theirs.0), "{}", what());
        assert_eq!(ours.1, theirs.1, "{}", what());
        assert_eq!(memory.read(DATA, PAGE as usize).unwrap(), our_data, "{}", what());
        count[0] += 1;
    }
    assert!(failed > 1000, "{failed}");
    let seldom: Vec<_> = done.iter().filter(|(_, count)| count[0] < 3).collect();
    assert!(
        done.len() > 200 && seldom.is_empty(),
        "{} kinds, compared and left to the emulator: {seldom:?}",
        done.len()
    );
}

/// A register at another index in the batch would be another register.
#[test]
fn registers_of_a_batch_are_in_order() {
    let mut processor = Processor::new(target(Abi::Amd64)).unwrap();
    for number in 0..16 {
        processor.set(Reg(number), 0x100 + u64::from(number)).unwrap();
    }
    let registers = processor.integers().unwrap().registers;
    assert_eq!(registers.to_vec(), (0x100..0x110).collect::<Vec<u64>>());
}
