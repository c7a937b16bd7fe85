//! SVE and the additions of Armv9, as the Arm ARM defines them (DDI 0487, C6.2 and C8.2).

use crate::common::program;
use crate::common::trace::words;
use machine::{End, Plan, Reason, VectorBits, run};
use types::{Abi, Reg, RegFile, Step};

/// General registers at the last step, and VG.
#[derive(Default)]
struct Last {
    registers: [u64; 31],
    granules: Option<u64>,
}

impl types::Observer for Last {
    fn step(&mut self, step: &Step<'_>) {
        for (number, value) in (0..).zip(&mut self.registers) {
            *value = step.regs.read(Reg(number)).unwrap_or_default();
        }
        self.granules = step.regs.read(Reg(46));
    }
}

/// Executes code followed by an exit.
fn after(abi: Abi, bits: u16, text: &str) -> Last {
    let image = program(abi, &words(&format!("{text} d2800ba8 d4000001"))); // mov x8, #93; svc #0
    let vector_bits = VectorBits::new(bits).expect("a length that processors have");
    let mut last = Last::default();
    let run = run(&Plan { vector_bits, ..Plan::new(&image) }, &mut last).expect("a run");
    assert!(matches!(run.end, End::Exit(_)), "{:?}", run.end);
    last
}

#[test]
fn vectors_are_as_long_as_asked_for() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        for bits in [128, 256, 512, 1024, 2048] {
            // rdvl x0, #1; cntd x1; mov x2, sp; addvl sp, sp, #-1; mov x3, sp; addvl sp, sp, #1
            let last = after(abi, bits, "04bf5020 04e0e3e1 910003e2 043f57ff 910003e3 043f503f");
            let [bytes, doubles, before, inside, ..] = last.registers;
            assert_eq!((bytes, doubles), (u64::from(bits) / 8, u64::from(bits) / 64), "{abi}");
            assert_eq!((before - inside, last.granules), (bytes, Some(doubles)), "{abi}");
        }
    }
    assert_eq!([0, 64, 384, 4096].map(VectorBits::new), [None; 4]);
}

/// Tests the last element of a vector, which the emulator's interface does not give.
#[test]
fn bits_are_chosen_in_the_whole_vector() {
    let (a, k, m) = (0b1100_u64, 0b1010, 0b0110);
    let table = [
        ("04223823", a ^ m ^ k),         // eor3 z3.d, z3.d, z2.d, z1.d
        ("04623823", a ^ (m & !k)),      // bcax
        ("04223c23", a & k | m & !k),    // bsl
        ("04623c23", !a & k | m & !k),   // bsl1n
        ("04a23c23", a & k | !m & !k),   // bsl2n
        ("04e23c23", !(a & k | m & !k)), // nbsl
    ];
    for (instruction, expected) in table {
        // mov z3.d, #12; mov z1.d, #10; mov z2.d, #6; ptrue p0.b; ...; lastb x0, p0, z3.d
        let text = format!("25f8c183 25f8c141 25f8c0c2 2518e3e0 {instruction} 05e1a060");
        assert_eq!(after(Abi::Aarch64, 512, &text).registers[0], expected, "{instruction}");
    }
}

#[test]
fn a_predicate_says_how_far_addresses_are_apart() {
    let table = [
        // whilewr p1.s, x2, x3: 24 bytes are six elements; the last of eight is not active.
        ("d2800302", "d2800603", "25a33041", 6, 0b1010),
        // whilewr p1.s, x2, x3 with the addresses exchanged: all elements.
        ("d2800602", "d2800303", "25a33041", 8, 0b1000),
        // whilerw p1.s, x2, x3: the distance is absolute.
        ("d2800602", "d2800303", "25a33051", 6, 0b1010),
    ];
    for (first, second, instruction, count, flags) in table {
        // mov x2; mov x3; ...; mrs x1, nzcv; ptrue p0.b; cntp x0, p0, p1.s
        let text = format!("{first} {second} {instruction} d53b4201 2518e3e0 25a08020");
        let last = after(Abi::Aarch64, 256, &text);
        assert_eq!((last.registers[0], last.registers[1] >> 28), (count, flags), "{instruction}");
    }
}

#[test]
fn general_registers_have_the_common_short_sequences() {
    let table = [
        ("dac02040", 5_u64),                 // abs x0, x2 (-5)
        ("5ac02040", 5),                     // abs w0, w2
        ("dac01c40", 63),                    // cnt x0, x2
        ("dac01860", 3),                     // ctz x0, x3 (8)
        ("9ac36040", 8),                     // smax x0, x2, x3
        ("9ac36440", 0_u64.wrapping_sub(5)), // umax x0, x2, x3
        ("1ac36840", 0xffff_fffb),           // smin w0, w2, w3
        ("9ac36c40", 8),                     // umin x0, x2, x3
        ("91c3f440", 0_u64.wrapping_sub(3)), // smax x0, x2, #-3
        ("91cc1060", 4),                     // umin x0, x3, #4
    ];
    for (instruction, expected) in table {
        let text = format!("92800082 d2800103 {instruction}"); // mov x2, #-5; mov x3, #8
        assert_eq!(after(Abi::Aarch64, 256, &text).registers[0], expected, "{instruction}");
    }
}

#[test]
fn what_is_lacking_is_named() {
    // nop; bfdot z0.s, z0.h, z0.h; or irg x0, x0; or addg x0, x0, #16, #0; or ldsminb w1, w2, [x0];
    // or ldsmax w1, w2, [x0].
    for (word, name) in [
        ("64608000", "bfdot"),
        ("9adf1000", "irg"),
        ("91810000", "addg"),
        ("38215002", "ldsminb"),
        ("b8214002", "ldsmax"),
    ] {
        let image = program(Abi::Aarch64, &words(&format!("d503201f {word}")));
        let run = run(&Plan::new(&image), &mut Last::default()).expect("a run");
        let End::Undecided { reason, message, .. } = &run.end else { panic!("{:?}", run.end) };
        assert_eq!(*reason, Reason::IllegalInstruction);
        assert!(message.contains(name), "{message}");
    }
}

/// Advanced SIMD clears the bits above the 128 that it writes (Arm ARM DDI 0487, A1.4.3), also the
/// second time; an instruction that writes another register leaves them.
#[test]
fn old_vector_instructions_clear_the_rest() {
    let table = [
        ("0e220023", 0),        // saddl v3.8h, v1.8b, v2.8b
        ("5ef1b823", 0),        // addp d3, v1.2d
        ("0f08a423", 0),        // sshll v3.8h, v1.8b, #0
        ("0e200823", 0),        // rev64 v3.8b, v1.8b
        ("ce020c23", 0),        // eor3 v3.16b, v1.16b, v2.16b, v3.16b
        ("1e602823", 0),        // fadd d3, d1, d0
        ("9e670023", 0),        // fmov d3, x1
        ("9e660023", u64::MAX), // fmov x3, d1
        ("0e043c23", u64::MAX), // umov w3, v1.s[0]
        ("d503201f", u64::MAX), // nop
    ];
    for (instruction, expected) in table {
        // mov x0, #0; mov x1, #3; ptrue p0.b; 1: mov z3.d, #-1; ...; lastb x2, p0, z3.d;
        // orr x0, x0, x2; sub x1, x1, #1; cbnz x1, 1b
        let text = format!("d2800000 d2800061 2518e3e0 25f8dfe3 {instruction} 05e1a062 aa020000 d1000421 b5ffff61");
        for abi in [Abi::Aarch64, Abi::Aarch64Be] {
            assert_eq!(after(abi, 256, &text).registers[0], expected, "{instruction}");
        }
    }
}

/// A program may handle the signal of an instruction that only the emulator lacks: its behaviour
/// then differs from that on a processor that has the instruction.
#[test]
fn what_is_lacking_is_undecided_where_it_is_handled() {
    for (instruction, lacking) in [("9adf1000", Some("irg")), ("00000000", None)] {
        // movz x1, #0x60, lsl #16; movz x2, #0x2c; movk x2, #0x40, lsl #16; str x2, [x1];
        // mov x0, #SIGILL; mov x2, #0; mov x3, #8; mov x8, #134; svc #0; ...; nop; the handler:
        // mov x0, #3; mov x8, #93; svc #0
        let head = "d2a00c01 d2800582 f2a00802 f9000022 d2800080 d2800002 d2800103 d28010c8 d4000001";
        let image = program(Abi::Aarch64, &words(&format!("{head} {instruction} d503201f d2800060 d2800ba8 d4000001")));
        let run = run(&Plan::new(&image), &mut Last::default()).expect("a run");
        match (&run.end, lacking) {
            (End::Exit(3), None) => {}
            (End::Undecided { reason: Reason::IllegalInstruction, message, .. }, Some(name)) => {
                assert!(message.contains(name), "{message}");
            }
            (end, _) => panic!("{instruction}: {end:?}"),
        }
    }
}
