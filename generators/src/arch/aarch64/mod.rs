//! AArch64 in both byte orders (AAPCS64).

mod asm;
mod code;
mod program;
mod text;

use proptest::prelude::*;
use types::{Abi, Reg, SframeVersion};

use super::{Arch, SignalFrame, Target};
use crate::cfi_text::truth::Instructions;
use crate::code::Transfer;
use crate::elf::{R_AARCH64_PREL32, R_AARCH64_PREL64, SHT_PROGBITS};
use crate::program::Shape;
use crate::reader::{self, Form};

pub(super) static LITTLE: Aarch64 = Aarch64 { abi: Abi::Aarch64, target: &TARGET, reader: &READER };
pub(super) static BIG: Aarch64 = Aarch64 { abi: Abi::Aarch64Be, target: &TARGET_BE, reader: &READER_BE };

pub(super) struct Aarch64 {
    abi: Abi,
    target: &'static Target,
    reader: &'static reader::ReaderFacts,
}

const TARGET: Target = Target {
    sframe_id: 2,
    since: SframeVersion::V1,
    fixed_ra: 0,
    ra_word: Some(1),
    cfa_scale: 1,
    cfa_bias: 0,
    zero_is_unsaved: false,
    odd_words: false,
    flex_registers: None,
    signs: true,
    realigns: false,
    parks_in_registers: false,
    plt_slot: None,
    code_alignment: 4,
    eh_frame_type: SHT_PROGBITS,
    hash_word: 4,
    pc_relative: [(R_AARCH64_PREL32, "R_AARCH64_PREL32"), (R_AARCH64_PREL64, "R_AARCH64_PREL64")],
    signal: SignalFrame {
        // Linux `arch/arm64/kernel/signal.c`, `struct rt_sigframe`, and `uapi/asm/sigcontext.h`: x0
        // is at offset 312, then x1 to x30; SP and PC follow. AADWARF64: the PC has no number, so
        // the return address gets a number that no register has.
        runs: &[(
            312,
            &[
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                28, 29, 30, 31, 32,
            ],
        )],
        return_column: Reg(32),
    },
    last_holder: u8::MAX,
    // ldp; ret
    epilogue: 8,
    vector_frame: (Some(-24), -32, 32),
    seed: 1,
};

const TARGET_BE: Target = Target { sframe_id: 1, seed: 2, ..TARGET };

const READER: reader::ReaderFacts = reader::ReaderFacts {
    id: 2,
    since: 1,
    fixed_ra: 0,
    most_words: 3,
    scaled: false,
    signs: true,
    registers: &[0..=31, 64..=95],
    // ELF for the Arm 64-bit Architecture 2023Q3, 5.7.5.
    relocations: &[
        (257, Form::Absolute(8)),
        (258, Form::Absolute(4)),
        (260, Form::Relative(8)),
        (261, Form::Relative(4)),
    ],
};

const READER_BE: reader::ReaderFacts = reader::ReaderFacts { id: 1, ..READER };

impl Arch for Aarch64 {
    fn target(&self) -> &'static Target {
        self.target
    }

    fn reader(&self) -> &'static reader::ReaderFacts {
        self.reader
    }

    fn text(&self) -> &'static Instructions {
        &text::INSTRUCTIONS
    }

    fn ret(&self) -> Vec<u8> {
        asm::ret().to_vec()
    }

    fn nop(&self) -> Vec<u8> {
        asm::nop().to_vec()
    }

    fn transfer(&self, transfer: Transfer, distance: i32) -> Vec<u8> {
        match transfer {
            Transfer::Call => asm::bl(distance).to_vec(),
            Transfer::Jump => asm::b(distance).to_vec(),
        }
    }

    fn shapes(&self, framed: BoxedStrategy<Shape>, _realigned: BoxedStrategy<Shape>) -> BoxedStrategy<Shape> {
        prop_oneof![2 => Just(Shape::Bare), 9 => framed].boxed()
    }
}
