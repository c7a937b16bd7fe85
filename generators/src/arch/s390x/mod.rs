//! s390x (s390x ELF ABI 1.6).

mod asm;
mod code;
mod program;
mod text;

use proptest::prelude::*;
use types::{Reg, SframeVersion};

use super::{Arch, SignalFrame, Target};
use crate::cfi_text::truth::Instructions;
use crate::code::Transfer;
use crate::elf::{R_390_PC32, R_390_PC64, SHT_PROGBITS};
use crate::program::Shape;
use crate::reader::{self, Form};

pub(super) struct S390x;

const TARGET: Target = Target {
    sframe_id: 4,
    since: SframeVersion::V2Errata1,
    fixed_ra: 0,
    ra_word: Some(1),
    // SFrame V2 errata 1, "s390x": (offset - 160) / 8 is stored.
    cfa_scale: 8,
    cfa_bias: 160,
    zero_is_unsaved: true,
    odd_words: true,
    flex_registers: Some((Reg(1), Reg(31))),
    signs: false,
    realigns: false,
    parks_in_registers: true,
    // "Procedure Linkage Table".
    plt_slot: Some(32),
    // Instructions are 2-byte aligned, but compilers use a factor of 1.
    code_alignment: 1,
    eh_frame_type: SHT_PROGBITS,
    // "Hash Table".
    hash_word: 8,
    pc_relative: [(R_390_PC32, "R_390_PC32"), (R_390_PC64, "R_390_PC64")],
    signal: SignalFrame {
        // Linux `arch/s390/kernel/signal.c`, `struct rt_sigframe`, and `uapi/asm/sigcontext.h`: the
        // PSW's address, r0 to r15, f0 to f7. DWARF numbers: 1.5; 65 is the PSW's address.
        runs: &[
            (344, &[65]),
            (352, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
            (552, &[16, 20, 17, 21, 18, 22, 19, 23]),
        ],
        return_column: Reg(65),
    },
    last_holder: u8::MAX,
    // lmg; br
    epilogue: 8,
    vector_frame: (Some(-48), -72, 320),
    seed: 3,
};

const READER: reader::ReaderFacts = reader::ReaderFacts {
    id: 4,
    since: 2,
    fixed_ra: 0,
    most_words: 3,
    scaled: true,
    signs: false,
    registers: &[0..=31, 64..=65],
    // 2.4.
    relocations: &[(22, Form::Absolute(8)), (4, Form::Absolute(4)), (23, Form::Relative(8)), (5, Form::Relative(4))],
};

impl Arch for S390x {
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
        asm::br(asm::R14).to_vec()
    }

    fn nop(&self) -> Vec<u8> {
        asm::nopr(asm::R7).to_vec()
    }

    fn transfer(&self, transfer: Transfer, distance: i32) -> Vec<u8> {
        match transfer {
            Transfer::Call => asm::brasl(asm::R14, distance).to_vec(),
            Transfer::Jump => asm::jg(distance).to_vec(),
        }
    }

    fn shapes(&self, framed: BoxedStrategy<Shape>, _realigned: BoxedStrategy<Shape>) -> BoxedStrategy<Shape> {
        prop_oneof![2 => Just(Shape::Bare), 2 => Just(Shape::Registers), 9 => framed].boxed()
    }
}
