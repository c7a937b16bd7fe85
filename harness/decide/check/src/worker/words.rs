//! Executes single instructions, each in a program of its own, to test whether the emulator
//! survives them. After a worker's death the next worker finds the instruction in this way; the
//! example `scan` tries all opcodes.

use machine::{End, Plan, run};
use types::elf::{PF_R, PF_W, PF_X, PT_LOAD, SHF_ALLOC, SHF_EXECINSTR};
use types::{Abi, Bytes, Image, ImageKind, ImageSection, Pc, Segment, Step, StopReason};

use crate::protocol::WordEnd;

/// Address of the program, and of the memory whose middle its registers point to.
const CODE: u64 = 0x40_0000;
const DATA: u64 = 0x60_0000;
const DATA_SIZE: u64 = 2 << 20;
const POINTER: u32 = 0x70_0000;
/// Number of bytes of no-ops after a word.
const PADDING: usize = 32;

/// Code for a target that sets every register to [`POINTER`] and then branches to the next
/// instruction, so that the word after it is translated separately.
struct Prologue {
    code: Vec<u8>,
    instructions: u64,
}

/// Number of instructions before the word: a death after more steps happened while the word was
/// executed, otherwise while it was translated.
pub fn steps_before(abi: Abi) -> u64 {
    prologue(abi).instructions
}

/// Executes a word in this process.
pub(crate) fn execute(abi: Abi, word: &[u8]) -> WordEnd {
    let padded = padded(abi, word);
    if machine::refuses(abi, &padded) {
        return WordEnd::Refused;
    }
    let Prologue { mut code, instructions } = prologue(abi);
    code.extend(padded);
    let image = program(abi, code.into());
    // The word is the instruction after these; the limit allows one more.
    let plan = Plan { step_limit: instructions + 2, stack_size: 64 << 10, ..Plan::new(&image) };
    match run(&plan, &mut |_: &Step<'_>| {}).map(|run| run.end) {
        Ok(End::Undecided { reason: StopReason::StepLimit, .. }) => WordEnd::Continues,
        Ok(End::Undecided { reason, .. }) => WordEnd::Ends(reason),
        Ok(End::Exit(_) | End::Halt(_) | End::Sentinel) => WordEnd::Continues,
        Err(_) => WordEnd::Ends(StopReason::Stopped),
    }
}

fn padded(abi: Abi, word: &[u8]) -> Vec<u8> {
    // nop; nop; bcr 0,%r0
    let padding: &[u8] = match abi {
        Abi::Amd64 => &[0x90],
        Abi::Aarch64 | Abi::Aarch64Be => &[0x1f, 0x20, 0x03, 0xd5],
        Abi::S390x => &[0x07, 0x00],
    };
    word.iter().chain(padding.iter().cycle().take(PADDING)).copied().collect()
}

fn prologue(abi: Abi) -> Prologue {
    match abi {
        Abi::Amd64 => amd64(),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64(),
        Abi::S390x => s390x(),
    }
}

fn amd64() -> Prologue {
    // mov $POINTER,%r32 for all but the stack pointer; jmp .+2
    let mut code: Vec<u8> = Vec::new();
    for register in (0..16u8).filter(|register| *register != 4) {
        if register >= 8 {
            code.push(0x41);
        }
        code.push(0xb8 | register & 7);
        code.extend(POINTER.to_le_bytes());
    }
    code.extend([0xeb, 0x00]);
    Prologue { instructions: 16, code }
}

fn aarch64() -> Prologue {
    // movz xN, #POINTER >> 16, lsl #16; b .+4
    let mut words: Vec<u32> = (0..31).map(|register| 0xd2a0_0000 | (POINTER >> 16) << 5 | register).collect();
    words.push(0x1400_0001);
    Prologue { instructions: words.len() as u64, code: words.into_iter().flat_map(u32::to_le_bytes).collect() }
}

fn s390x() -> Prologue {
    // lgfi %rN,POINTER for all but the stack pointer; j .+4
    let mut code: Vec<u8> = Vec::new();
    for register in 0..15u8 {
        code.extend([0xc0, register << 4 | 1]);
        code.extend(POINTER.to_be_bytes());
    }
    code.extend([0xa7, 0xf4, 0x00, 0x02]);
    Prologue { instructions: 16, code }
}

/// A program with this code, and memory around `POINTER`.
pub fn program(abi: Abi, code: Bytes) -> Image {
    let section = ImageSection::new(1, ".text", SHF_ALLOC | SHF_EXECINSTR, CODE, code.clone());
    // Executable too, because branches through a register go there.
    let data = Segment::new(PT_LOAD, PF_R | PF_W | PF_X, DATA, Bytes::new());
    Image {
        sections: vec![section],
        segments: vec![Segment::new(PT_LOAD, PF_R | PF_X, CODE, code), Segment { memory_size: DATA_SIZE, ..data }],
        ..Image::new("word", abi, ImageKind::Executable, Pc(CODE))
    }
}
