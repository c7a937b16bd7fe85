//! AMD64 (System V AMD64 psABI 1.0).

mod asm;
mod code;
mod program;
mod text;

use proptest::prelude::*;
use types::{Reg, SframeVersion};

use super::{Arch, SignalFrame, Target};
use crate::cfi_text::truth::Instructions;
use crate::code::Transfer;
use crate::elf::{R_X86_64_PC32, R_X86_64_PC64, SHT_X86_64_UNWIND};
use crate::program::Shape;
use crate::reader::{self, Form};

pub(super) struct Amd64;

const TARGET: Target = Target {
    sframe_id: 3,
    since: SframeVersion::V1,
    fixed_ra: -8,
    ra_word: None,
    cfa_scale: 1,
    cfa_bias: 0,
    zero_is_unsaved: false,
    odd_words: false,
    flex_registers: Some((Reg(10), Reg(15))),
    signs: false,
    realigns: true,
    parks_in_registers: true,
    plt_slot: Some(16),
    code_alignment: 1,
    // "Special Sections".
    eh_frame_type: SHT_X86_64_UNWIND,
    hash_word: 4,
    pc_relative: [(R_X86_64_PC32, "R_X86_64_PC32"), (R_X86_64_PC64, "R_X86_64_PC64")],
    signal: SignalFrame {
        // Linux `arch/x86/include/asm/sigframe.h`, `struct rt_sigframe`, and
        // `uapi/asm/sigcontext.h`: `uc` is at SP, r8 40 bytes into it. DWARF numbers: figure 3.36.
        runs: &[(40, &[8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16])],
        return_column: Reg(16),
    },
    // A row cannot name vector registers (rule `flex/register`).
    last_holder: 16,
    // pop %rbp; ret
    epilogue: 2,
    vector_frame: (None, -16, 16),
    seed: 0,
};

const READER: reader::ReaderFacts = reader::ReaderFacts {
    id: 3,
    since: 1,
    fixed_ra: -8,
    most_words: 2,
    scaled: false,
    signs: false,
    registers: &[0..=16],
    // Table 4.9.
    relocations: &[
        (1, Form::Absolute(8)),
        (10, Form::Absolute(4)),
        (11, Form::Absolute(4)),
        (2, Form::Relative(4)),
        (24, Form::Relative(8)),
    ],
};

impl Arch for Amd64 {
    fn target(&self) -> &'static Target {
        &TARGET
    }

    fn reader(&self) -> &'static reader::ReaderFacts {
        &READER
    }

    fn text(&self) -> &'static Instructions {
        &text::INSTRUCTIONS
    }

    fn ret(&self) -> Vec<u8> {
        asm::ret()
    }

    fn nop(&self) -> Vec<u8> {
        asm::nop()
    }

    fn transfer(&self, transfer: Transfer, distance: i32) -> Vec<u8> {
        match transfer {
            Transfer::Call => asm::call(distance),
            Transfer::Jump => asm::jmp(distance),
        }
    }

    fn shapes(&self, framed: BoxedStrategy<Shape>, realigned: BoxedStrategy<Shape>) -> BoxedStrategy<Shape> {
        prop_oneof![
            2 => Just(Shape::Bare),
            1 => Just(Shape::RedZone),
            1 => Just(Shape::Registers),
            9 => framed,
            2 => realigned,
        ]
        .boxed()
    }
}
