//! Single instructions with random registers and memory: a program that executes them in sequence,
//! and prints the state after each or its signal, is executed by the first engine and, as a whole,
//! by qemu-user. Both must print the same, except for the differences in [`Arch::expected`]. One in
//! forty opcodes; all of them four times with `SAMPLES=all`.

pub(crate) mod aarch64;
pub(crate) mod s390x;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use libtest_mimic::Failed;
use machine::Unicorn;
use testing::samples;
use types::memo::NoMemo;
use types::{Abi, ByteOrder, Rng, RunEnd, Step};
use witness::{Backend as _, Plan};

use crate::producers;

/// Addresses of code and data, and of the memory that instructions access.
pub(crate) const CODE: u64 = 0x40_0000;
pub(crate) const DATA: u64 = 0x200_0000;
pub(crate) const SCRATCH: u64 = 0x400_0000;
/// The part of the scratch memory that registers point into, whose bytes are printed.
pub(crate) const BUFFER: u64 = SCRATCH + 0x1000;
pub(crate) const BUFFER_SIZE: u64 = 512;

/// Random operands, and values of registers.
pub(crate) struct Numbers(Rng);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(Rng::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.bits()
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    /// A random element of a list.
    pub(crate) fn of<T: Copy>(&mut self, values: &[T]) -> T {
        self.0.pick(values)
    }

    /// A random value of a general register: any, small, at the ends of ranges.
    pub(crate) fn integer(&mut self) -> u64 {
        const ENDS: [u64; 8] =
            [0, u64::MAX, 1 << 63, u64::MAX >> 1, 0x8000_0000, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000_8000_0000];
        match self.below(4) {
            0 | 1 => self.of(&ENDS),
            2 => self.below(70),
            _ => self.next(),
        }
    }

    /// Eight random bytes of a vector: any, small numbers, floating point of both widths.
    pub(crate) fn element(&mut self) -> u64 {
        const DOUBLES: [u64; 9] = [
            0,
            1 << 63,
            0x7ff0_0000_0000_0000,
            0x7ff8_0000_0000_0001,
            0x7ff0_0000_0000_0001,
            1,
            0x43e0_0000_0000_0000,
            0x7fef_ffff_ffff_ffff,
            0xc1e0_0000_0010_0000,
        ];
        const SINGLES: [u32; 8] = [0, 1 << 31, 0x7f80_0000, 0x7fc0_0001, 0x7f80_0001, 1, 0x4f00_0000, 0x7f7f_ffff];
        let near = |value: u64| (value % 2000) as f64 / 64.0 - 15.0;
        match self.below(8) {
            0 => self.of(&DOUBLES),
            1 => near(self.next()).to_bits(),
            2 => u64::from(self.of(&SINGLES)) << 32 | u64::from(self.of(&SINGLES)),
            3 => {
                u64::from((near(self.next()) as f32).to_bits()) << 32 | u64::from((near(self.next()) as f32).to_bits())
            }
            4 => self.next() & 0xff_00ff_00ff,
            5 => self.integer(),
            _ => self.next(),
        }
    }
}

/// Code and data of a program.
pub(crate) struct Program {
    pub(crate) code: Vec<u8>,
    pub(crate) data: Vec<u8>,
    /// Number of bytes printed for each instruction.
    pub(crate) record: usize,
}

/// The reason for an expected difference, from the instruction and both outputs.
type Expected = fn(&[u8], &[u8], &[u8]) -> Option<&'static str>;

/// Data and functions for a target's instructions.
pub(crate) struct Arch {
    pub(crate) abi: Abi,
    /// `e_machine`.
    pub(crate) machine: u16,
    /// The qemu-user program, with its processor options.
    pub(crate) qemu: (&'static str, &'static [&'static str]),
    pub(crate) program: fn(&[Vec<u8>], &mut Numbers, ByteOrder) -> Program,
    /// All opcodes, each with random operands.
    pub(crate) instructions: fn(&mut Numbers) -> Vec<Vec<u8>>,
    /// Clears the parts of a record in which qemu-user differs from Linux.
    pub(crate) normalise: fn(&mut [u8]),
    /// The reason why both differ, if it is known and not a bug of this project.
    pub(crate) expected: Expected,
}

/// The targets whose instructions are tested; those of AMD64 are tested on the host (`machine`).
pub(crate) fn arch(abi: Abi) -> Option<&'static Arch> {
    match abi {
        Abi::Amd64 => None,
        Abi::Aarch64 => Some(&aarch64::ARCH),
        Abi::Aarch64Be => Some(&aarch64::BIG),
        Abi::S390x => Some(&s390x::ARCH),
    }
}

/// The program as an ELF executable (ELF gABI, "ELF Header", "Program Header").
fn elf(arch: &Arch, program: &Program) -> Vec<u8> {
    let order = arch.abi.facts().order;
    let half = |value: u16| if order == ByteOrder::Little { value.to_le_bytes() } else { value.to_be_bytes() };
    let word = |value: u32| if order == ByteOrder::Little { value.to_le_bytes() } else { value.to_be_bytes() };
    let long = |value: u64| order.bytes_of(value);
    let segments: [(u32, u64, &[u8], u64); 3] = [
        (5, CODE, &program.code, program.code.len() as u64),
        (6, DATA, &program.data, program.data.len() as u64),
        (6, SCRATCH, &[], 0x3000),
    ];
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, if order == ByteOrder::Little { 1 } else { 2 }, 1];
    file.resize(16, 0);
    file.extend([half(2), half(arch.machine)].concat());
    file.extend(word(1));
    file.extend([long(CODE), long(64), long(0)].concat());
    file.extend(word(0));
    file.extend([half(64), half(56), half(segments.len() as u16), half(0), half(0), half(0)].concat());
    let mut offset = 0x1000_u64;
    for (flags, address, bytes, size) in segments {
        file.extend([word(1), word(flags)].concat());
        file.extend([offset, address, address, bytes.len() as u64, size, 0x1000].into_iter().flat_map(long));
        offset += (bytes.len() as u64).next_multiple_of(0x1000);
    }
    for (_, _, bytes, _) in segments {
        file.resize(file.len().next_multiple_of(0x1000), 0);
        file.extend(bytes);
    }
    file
}

/// The output of a program in both engines, and the end of the first engine's run.
struct Printed {
    first: Vec<u8>,
    end: RunEnd,
    second: Vec<u8>,
}

fn executed(arch: &Arch, program: &Program) -> Result<Printed, Failed> {
    let file = elf(arch, program);
    let image = elf::load("opcodes", &file.clone().into())?;
    let plan = Plan::new(&image);
    let run = Unicorn::default().run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("program");
    std::fs::write(&path, &file)?;
    std::fs::set_permissions(&path, Permissions::from_mode(0o755))?;
    let qemu = producers().join("qemu/bin").join(arch.qemu.0);
    let mut command = Command::new(qemu);
    command.args(arch.qemu.1).arg(&path).stdin(Stdio::null());
    let output = command.output()?;
    Ok(Printed { first: run.output, end: run.end, second: output.stdout })
}

/// Tests every `stride`-th instruction.
pub(crate) fn compare(arch: &Arch, stride: usize) -> Result<(), Failed> {
    let mut numbers = Numbers::new(1);
    let rounds = if samples::all() { 4 } else { 1 };
    let mut wrong: Vec<String> = Vec::new();
    let mut count = 0;
    for _ in 0..rounds {
        let all = (arch.instructions)(&mut numbers);
        let all: Vec<Vec<u8>> = all.into_iter().step_by(stride).collect();
        // At most as much output as a run keeps.
        for some in all.chunks(400) {
            let mut rest = some;
            while !rest.is_empty() {
                let seed = numbers.next();
                let program = (arch.program)(rest, &mut Numbers::new(seed), arch.abi.facts().order);
                let Printed { mut first, end, mut second } = executed(arch, &program)?;
                for records in [&mut first, &mut second] {
                    records.chunks_mut(program.record).for_each(arch.normalise);
                }
                let done = first.len() / program.record;
                let (one, other) = (first.chunks(program.record), second.chunks(program.record));
                for ((one, other), code) in one.zip(other).zip(rest).filter(|((one, other), _)| one != other) {
                    if (arch.expected)(code, one, other).is_none() {
                        wrong.push(format!("{}: {}", hex(code), differences(one, other)));
                    }
                }
                count += done;
                if done >= rest.len() {
                    break;
                }
                // The run ended at this instruction.
                let code = &rest[done];
                let other = second.chunks(program.record).nth(done).unwrap_or_default();
                if (arch.expected)(code, &[], other).is_none() {
                    wrong.push(format!("{}: END {end:?}", hex(code)));
                }
                rest = &rest[done + 1..];
            }
        }
    }
    eprintln!("{}: {count} instructions compared, {} differ", arch.abi, wrong.len());
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong[..wrong.len().min(40)].join("\n").into()),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The words that differ, with their offsets.
fn differences(one: &[u8], other: &[u8]) -> String {
    let words = one.chunks(8).zip(other.chunks(8)).enumerate().filter(|(_, (one, other))| one != other);
    let words: Vec<String> =
        words.map(|(at, (one, other))| format!("{:x}: {} {}", at * 8, hex(one), hex(other))).collect();
    format!("{} words: {}", words.len(), words[..words.len().min(4)].join("; "))
}
