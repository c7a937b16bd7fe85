//! Compares the results of simple instructions with the emulator's for the same bytes: random
//! encodings, registers, flags and memory.

use std::collections::BTreeMap;

use isa::flow::may_be_apx;
use isa::simple::{self, Does, Executable, Operand};
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

/// A number of random instructions, for one of each kind by day and three at night.
fn draws(day: u32, night: u32) -> u32 {
    if testing::samples::all() { night } else { day }
}
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
    let mut bench = Bench::new(Abi::Amd64);
    let opcodes = (0..=255).flat_map(|opcode| (0..8).map(move |middle| (opcode, middle)));
    let in_maps = opcodes.flat_map(|opcode| MAPS.map(|map| (map, opcode)));
    let in_maps = in_maps.filter(|(map, (opcode, _))| !map.is_empty() || !IS_PREFIX.contains(opcode));
    let with_prefixes = in_maps.flat_map(|(map, opcode)| PREFIXES.map(|prefixes| (prefixes, map, opcode)));
    for (prefixes, map, (opcode, middle)) in with_prefixes.flat_map(|one| (0..draws(4, 12)).map(move |_| one)) {
        let code = bench.numbers.instruction(prefixes, map, opcode, middle);
        // The emulator lacks instructions of APX.
        if !may_be_apx(&code) {
            bench.compare(&code);
        }
    }
    bench.finish(200, 1000);
}

/// Words are random but for the bits that select a group of instructions (Arm ARM DDI 0487, C4.1).
#[test]
fn simple_instructions_of_aarch64_do_what_the_emulator_does() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let mut bench = Bench::new(abi);
        for number in 0..draws(1 << 17, 1 << 20) {
            let group: u32 = [0b1000, 0b1001, 0b1010, 0b0101, 0b1101, 0b0100, 0b1100, 0b0111][number as usize & 7];
            let word = bench.numbers.0.bits() as u32 & !(0xf << 25) | group << 25;
            // Fields that most instructions need to be zero or one.
            let word = match number >> 3 & 7 {
                0 if group & 0b111 == 0b101 && number >> 6 & 1 == 0 => word & !0x601f_e000 | 0x5ac0_0000,
                0 => word & !0xfc00,
                1 => word & !0x001f_0000,
                2 => word & !0x6000_0000,
                3 => word & !0x6020_0000,
                4 if group & 0b101 == 0b100 => word & !0x3f20_0c00 | 0x3820_4800,
                4 => word & 0x1f | [0xd503_2000, 0xd53b_d040, 0xd61f_0000, 0xd65f_0000][number as usize >> 6 & 3],
                5 => {
                    word & !0x9fe0_fc00 | [0x0e00_0c00, 0x0e00_3c00, 0x0e20_1c00, 0x0f00_0400][number as usize >> 6 & 3]
                }
                6 if number >> 8 & 1 == 0 => word & !0xffa0_1fe0 | 0x1e20_1000,
                6 => word & 0x3ff | [0x1e26, 0x9e66, 0x1e27, 0x9e67][number as usize >> 6 & 3] << 16,
                _ => word,
            };
            bench.compare(&word.to_le_bytes());
        }
        bench.finish(20, 1000);
    }
}

/// Every opcode is drawn, in each of the places that an opcode may have a second part.
#[test]
fn simple_instructions_of_s390x_do_what_the_emulator_does() {
    let mut bench = Bench::new(Abi::S390x);
    for (first, second) in (0..=255_u8).flat_map(|first| (0..=255_u8).map(move |second| (first, second))) {
        let draws = if first >= 0xa0 { draws(16, 24) } else { 1 };
        for place in (0..draws).flat_map(|_| [1, 5]) {
            let mut code = bench.numbers.0.bits().to_le_bytes();
            code[0] = first;
            code[place] = second;
            // Small displacements from a register without an index, and from the instruction.
            code[2] &= 0xf0;
            if bench.numbers.0.below(2) == 0 {
                (code[1], code[4]) = (if place == 1 { second } else { code[1] & 0xf0 }, 0);
            }
            if matches!(first, 0xc4 | 0xc6) {
                (code[2], code[3], code[4]) = (0x00, 0x10, code[4] & 7);
            }
            bench.compare(&code);
        }
    }
    bench.finish(200, 1000);
}

/// A processor and memory to compare instructions in.
struct Bench {
    abi: Abi,
    processor: Processor,
    memory: Memory,
    numbers: Numbers,
    /// How often each kind was compared, and left to the emulator.
    done: BTreeMap<String, [u32; 2]>,
    failed: u32,
}

impl Bench {
    fn new(abi: Abi) -> Bench {
        let mut processor = Processor::new(target(abi)).unwrap();
        let mut memory = Memory::new(16 * PAGE);
        memory.map(&processor.engine, Span::uniform(CODE, PAGE, Access(Access::READ.0 | Access::EXECUTE.0))).unwrap();
        memory.map(&processor.engine, Span::uniform(DATA, PAGE, Access::READ_WRITE)).unwrap();
        memory.write(CODE, &[halt(abi); PAGE as usize]);
        if abi != Abi::Amd64 {
            processor.protect(&memory).unwrap();
        }
        for (id, base) in target(abi).simple.bases.into_iter().zip([0x20, 0x50]) {
            processor.set_other(id, base).unwrap();
        }
        let mut numbers = Numbers(Rng::new(1));
        let words: Vec<u8> = (0..PAGE / 8).flat_map(|_| abi.facts().order.bytes_of(numbers.value())).collect();
        memory.write(DATA, &words);
        Bench { abi, processor, memory, numbers, done: BTreeMap::new(), failed: 0 }
    }

    /// Executes the instruction at the start of `code` here and in the emulator, if it is simple.
    fn compare(&mut self, code: &[u8]) {
        let Bench { abi, processor, memory, numbers, done, failed } = self;
        let (abi, order) = (*abi, abi.facts().order);
        let Some((insn, Some(simple))) = simple::decode(abi, code, CODE) else { return };
        let code = &code[..usize::from(insn.length)];
        let end = CODE + u64::from(insn.length);
        memory.write(CODE, &[halt(abi); 16]);
        memory.write(CODE, code);
        // Random words where the instruction may access memory.
        for _ in 0..16 {
            memory.write(DATA + numbers.0.below(PAGE / 8) * 8, &order.bytes_of(numbers.value()));
        }
        let before = memory.read(DATA, PAGE as usize).unwrap().to_vec();
        let general = target(abi).simple.general;
        let start = processor.integers().unwrap();
        start.registers.iter_mut().take(general).for_each(|register| *register = numbers.value());
        let status = status(abi);
        start.flags = (start.flags & !status) | (numbers.0.bits() & status);
        let count = target(abi).simple.vectors.len();
        let vectors = processor.vectors().unwrap();
        vectors.iter_mut().take(count).for_each(|vector| *vector = numbers.vector());
        // The emulator starts with the same state.
        processor.hand_over().unwrap();
        let start = (*processor.integers().unwrap(), *processor.vectors().unwrap());
        // The emulator drops the highest bits of a non-canonical address.
        if is_far(&simple, &start.0) {
            return;
        }
        let jumped = processor.execute(&simple, &mut Accessed { memory, order });
        let ours = (*processor.integers().unwrap(), *processor.vectors().unwrap());
        let our_data = memory.read(DATA, PAGE as usize).unwrap().to_vec();
        let drawn = || format!("{code:02x?} {simple:x?}: {start:x?}");
        let count = done.entry(kind(&simple, code)).or_default();
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
            return;
        }
        // Discards the translation of the previous instruction at this address.
        processor.engine.forget_stretch(CODE, CODE + PAGE - 1).unwrap();
        let outcome = processor.run(CODE, end);
        let pc = processor.pc();
        let theirs = (*processor.integers().unwrap(), *processor.vectors().unwrap());
        let what = || format!("{}: {outcome:?} at {pc:#x}", drawn());
        let Ok(target) = jumped else {
            assert!(outcome.is_err() && pc == CODE, "ours fails: {}", what());
            *failed += 1;
            return;
        };
        match target {
            // Control is at the target, or after the halt instruction there.
            Some(target) => assert!([0, 1].contains(&pc.wrapping_sub(target)), "to {target:#x}: {}", what()),
            None => assert!(outcome.is_ok() && pc == end, "theirs fails: {}", what()),
        }
        let undefined = match &simple {
            Executable::Amd64(simple) => undefined(simple),
            _ => 0,
        };
        let defined = |integers: Integers| integers.flags & status & !undefined;
        assert_eq!(ours.0.registers, theirs.0.registers, "{}", what());
        assert_eq!(defined(ours.0), defined(theirs.0), "{}", what());
        assert_eq!(ours.1, theirs.1, "{}", what());
        assert!(memory.read(DATA, PAGE as usize).unwrap() == our_data, "memory: {}", what());
        count[0] += 1;
    }

    /// Checks that enough kinds of instructions were compared, and that enough failed.
    fn finish(self, kinds: usize, failed: u32) {
        assert!(self.failed > failed, "{}", self.failed);
        let least = draws(1, 3);
        let seldom: Vec<_> = self.done.iter().filter(|(_, count)| count[0] < least).collect();
        assert!(
            self.done.len() > kinds && seldom.is_empty(),
            "{} kinds, compared and left to the emulator: {seldom:?}",
            self.done.len()
        );
    }
}

/// A byte of code that stops the emulator.
fn halt(abi: Abi) -> u8 {
    if abi == Abi::Amd64 { HLT } else { 0 }
}

/// The bits of the flags register that instructions set.
fn status(abi: Abi) -> u64 {
    match abi {
        Abi::Amd64 => STATUS,
        Abi::Aarch64 | Abi::Aarch64Be => 0xf << 28,
        Abi::S390x => 3 << 44,
    }
}

/// The kind of an instruction: its operation, or its opcode.
fn kind(simple: &Executable, code: &[u8]) -> String {
    match simple {
        Executable::Amd64(simple) => format!("{:?} {:?}", simple.does, simple.size).replace(char::is_numeric, ""),
        Executable::Aarch64(simple) => {
            let text = format!("{simple:?}").replace(char::is_numeric, "");
            let ends = [", to:", "(,", "(-"].into_iter().filter_map(|end| text.find(end));
            text[..ends.min().unwrap_or(text.len())].to_owned()
        }
        Executable::S390x(_) => match *code {
            [0xe3 | 0xeb | 0xec | 0xed, .., last] => format!("{:02x}.{last:02x}", code[0]),
            [first @ (0xa5 | 0xa7 | 0xc0 | 0xc2 | 0xc4 | 0xc6), second, ..] => format!("{first:02x}.{:x}", second & 15),
            [first @ (0xb2 | 0xb3 | 0xb9 | 0xe5), second, ..] => format!("{first:02x}{second:02x}"),
            _ => format!("{:02x}", code[0]),
        },
    }
}

fn is_far(simple: &Executable, integers: &Integers) -> bool {
    let Executable::Amd64(simple) = simple else { return false };
    let far = [simple.to, simple.from].into_iter().any(|place| match place {
        Operand::Memory(address) => integers.address(address) >> 47 != 0,
        _ => false,
    });
    far && !matches!(simple.does, Does::Addresses)
}

/// A register at another index in the batch would be another register.
#[test]
fn registers_of_a_batch_are_in_order() {
    for abi in Abi::ALL {
        let mut processor = Processor::new(target(abi)).unwrap();
        let general = target(abi).simple.general as u16;
        let values: Vec<u64> = (0..general).map(|number| 0x100 + 16 * u64::from(number)).collect();
        for (number, value) in values.iter().enumerate() {
            processor.set(Reg(number as u16), *value).unwrap();
        }
        let registers = processor.integers().unwrap().registers;
        assert_eq!(registers[..usize::from(general)], values);
    }
}
