//! ROTATE THEN INSERT SELECTED BITS of s390x and similar.

use crate::common::trace::trace;
use machine::End;
use types::{Abi, Reg, RegFile};

/// The result of ROTATE THEN INSERT SELECTED BITS and similar as the architecture defines it
/// (z/Architecture Principles of Operation SA22-7832, chapter 7): the second operand is rotated
/// left; its bits `from` to `to`, which may wrap around, are inserted into the first operand.
/// RISBHG and RISBLG count bits inside the high and the low half, and leave the other half
/// unchanged.
fn inserted(opcode: u8, first: u64, second: u64, [from, to, rotate]: [u8; 3]) -> u64 {
    const ZERO_THE_REST: u8 = 0x80;
    let (whole, base, size) = match opcode {
        0x5d => (0xffff_ffff_0000_0000, 0, 32),
        0x51 => (0x0000_0000_ffff_ffff, 32, 32),
        _ => (u64::MAX, 0, 64),
    };
    let (low, high) = (from % size, to % size);
    let chosen = |bit: u8| if low <= high { (low..=high).contains(&bit) } else { bit >= low || bit <= high };
    let bits = (0..size).filter(|bit| chosen(*bit));
    // Bit 0 is the leftmost.
    let mask = bits.fold(0u64, |mask, bit| mask | 1 << (63 - u32::from(base + bit)));
    let rotated = second.rotate_left(u32::from(rotate & 63));
    match opcode {
        0x54 => first & (rotated | !mask),
        0x56 => first | rotated & mask,
        0x57 => first ^ rotated & mask,
        _ => rotated & mask | first & !mask & if to & ZERO_THE_REST == 0 { u64::MAX } else { !whole },
    }
}

/// Executes one of these instructions with two values, after the instructions that load them.
fn executed(opcode: u8, first: u64, second: u64, [from, to, rotate]: [u8; 3]) -> Option<u64> {
    const ILIHF_IILF: [[u8; 4]; 2] = [[0xc0, 0x28, 0xc0, 0x29], [0xc0, 0x38, 0xc0, 0x39]];
    let mut code = Vec::new();
    for (value, [a, b, c, d]) in [first, second].into_iter().zip(ILIHF_IILF) {
        let (high, low) = ((value >> 32) as u32, value as u32);
        code.extend([a, b].into_iter().chain(high.to_be_bytes()).chain([c, d]).chain(low.to_be_bytes()));
    }
    code.extend([0xec, 0x23, from, to, rotate, opcode]);
    code.extend([0x0a, 0x01]); // svc 1
    let trace = trace(Abi::S390x, &code);
    assert!(matches!(trace.run.end, End::Exit(_)), "{:?}", trace.run.end);
    trace.visit(30, 0).registers.read(Reg(2))
}

/// The emulator executes RISBHG and RISBLG wrongly in some forms. The machine executes those
/// itself.
#[test]
fn selected_bits_are_inserted_as_defined() {
    const OPCODES: [(u8, &str); 7] = [
        (0x51, "risblg"),
        (0x54, "rnsbg"),
        (0x55, "risbg"),
        (0x56, "rosbg"),
        (0x57, "rxsbg"),
        (0x59, "risbgn"),
        (0x5d, "risbhg"),
    ];
    let (first, second) = (0x0123_4567_89ab_cdef, 0xf0e1_d2c3_b4a5_9687);
    for (opcode, name) in OPCODES {
        for from in [0, 1, 5, 16, 30, 31] {
            for last in [0, 1, 4, 5, 17, 30, 31] {
                for (zero, rotate) in [(0, 0), (0, 32), (0, 7), (0x80, 0), (0x80, 32), (0x80, 7)] {
                    let operands = [from, last | zero, rotate];
                    let text = format!("{name} %r2,%r3,{from},{},{rotate}", last | zero);
                    let defined = inserted(opcode, first, second, operands);
                    assert_eq!(executed(opcode, first, second, operands), Some(defined), "{text}");
                }
            }
        }
    }
}
