//! Frames of hand-made s390x code. Each listing is frozen machine code, in memory order, with its
//! disassembly.

use crate::common::trace::{Trace, call, trace};
use crate::common::{CODE, hex, program};
use machine::End;
use types::{Abi, Pc, Reg, RegFile};

fn s390x(code: &str) -> Trace {
    trace(Abi::S390x, &hex(code))
}

#[test]
fn calls_tail_calls_and_returns_by_any_register() {
    let trace = s390x(
        "a7fbff60             ;  0: aghi %r15,-160
         c0e50000000b         ;  4: brasl %r14,1a
         c01000000019         ;  a: larl %r1,3c
         0de1                 ; 10: basr %r14,%r1
         0dd0                 ; 12: basr %r13,%r0
         a7190001             ; 14: lghi %r1,1
         0a01                 ; 18: svc 1
                              ; f:
         ebbff0580024         ; 1a: stmg %r11,%r15,88(%r15)
         a7fbff60             ; 20: aghi %r15,-160
         b90400bf             ; 24: lgr %r11,%r15
         a7e50006             ; 28: bras %r14,34
         ebbff0f80004         ; 2c: lmg %r11,%r15,248(%r15)
         07fe                 ; 32: br %r14
                              ; g:
         c0f400000004         ; 34: jg 3c
         0707                 ; 3a: nopr %r7
                              ; leaf:
         b904001e             ; 3c: lgr %r1,%r14
         a7e90000             ; 40: lghi %r14,0
         07f1                 ; 44: br %r1",
    );
    trace.assert_path(
        "0 0 entry
         4 0
         1a 1 call
         20 1
         24 1
         28 1
         34 2 call
         3c 2 jump
         40 2
         44 2
         2c 1 return
         32 1
         a 0 return
         10 0
         3c 1 call
         40 1
         44 1
         12 0 return
         14 0
         18 0",
    );
    assert_eq!((&trace.run.end, trace.run.max_depth), (&End::Exit(0), 2));
    // The CFA is 160 bytes above SP at a function's first instruction.
    let sp = trace.steps[0].sp - 160;
    let [outer, inner] = trace.visit(0x3c, 0).frames[..] else { panic!("two frames") };
    assert_eq!((outer.ra, outer.cfa, outer.fp), (Pc(CODE + 0xa), sp + 160, 0));
    assert_eq!((inner.ra, inner.cfa, inner.fp), (Pc(CODE + 0x2c), sp, sp - 160));
}

#[test]
fn recursion_tells_its_activations_by_sp() {
    let trace = s390x(
        "a7290002             ;  0: lghi %r2,2
         a7fbff60             ;  4: aghi %r15,-160
         c0e500000004         ;  8: brasl %r14,10
         0a01                 ;  e: svc 1
         a72bffff             ; 10: aghi %r2,-1
         a784000f             ; 14: je 32
         ebeff0700024         ; 18: stmg %r14,%r15,112(%r15)
         a7fbff60             ; 1e: aghi %r15,-160
         c0e5fffffff7         ; 22: brasl %r14,10
         a7fb00a0             ; 28: aghi %r15,160
         ebeff0700004         ; 2c: lmg %r14,%r15,112(%r15)
         07fe                 ; 32: br %r14",
    );
    trace.assert_path(
        "0 0 entry
         4 0
         8 0
         10 1 call
         14 1
         18 1
         1e 1
         22 1
         10 2 call
         14 2
         32 2 jump
         28 1 return
         2c 1
         32 1
         e 0 return",
    );
}

#[test]
fn a_longjmp_lands_where_sp_equals_that_of_the_frame_it_abandons() {
    let trace = s390x(
        "a5ae0060             ;  0: llilh %r10,96
         a7fbff60             ;  4: aghi %r15,-160
         c0e500000004         ;  8: brasl %r14,10
         0a01                 ;  e: svc 1
                              ; F:
         ebeff0700024         ; 10: stmg %r14,%r15,112(%r15)
         a7fbff60             ; 16: aghi %r15,-160
         c0e500000011         ; 1a: brasl %r14,3c
         b9020022             ; 20: ltgr %r2,%r2
         a7740006             ; 24: jne 30
         c0e500000013         ; 28: brasl %r14,4e
         0700                 ; 2e: nopr
         a7fb00a0             ; 30: aghi %r15,160
         ebeff0700004         ; 34: lmg %r14,%r15,112(%r15)
         07fe                 ; 3a: br %r14
                              ; setjmp:
         e3e0a0000024         ; 3c: stg %r14,0(%r10)
         e3f0a0080024         ; 42: stg %r15,8(%r10)
         a7290000             ; 48: lghi %r2,0
         07fe                 ; 4c: br %r14
                              ; g, which uses no stack:
         b904009e             ; 4e: lgr %r9,%r14
         c0e500000004         ; 52: brasl %r14,5a
         0700                 ; 58: nopr
                              ; longjmp:
         e3e0a0000004         ; 5a: lg %r14,0(%r10)
         e3f0a0080004         ; 60: lg %r15,8(%r10)
         a7290001             ; 66: lghi %r2,1
         07fe                 ; 6a: br %r14",
    );
    trace.assert_path(
        "0 0 entry
         4 0
         8 0
         10 1 call
         16 1
         1a 1
         3c 2 call
         42 2
         48 2
         4c 2
         20 1 return
         24 1
         28 1
         4e 2 call
         52 2
         5a 3 call
         60 3
         66 3
         6a 3
         20 1 unwound
         24 1
         30 1 jump
         34 1
         3a 1
         e 0 return",
    );
    let landed = trace.visit(0x20, 1).sp;
    let abandoned = &trace.visit(0x6a, 0).frames;
    assert_eq!((abandoned[1].cfa - 160, abandoned[2].cfa - 160), (landed, landed), "the case this test is about");
    assert_eq!(trace.run.end, End::Exit(1));
}

#[test]
fn floating_point_registers_are_read_where_values_are_saved() {
    let trace = s390x(
        "a7b90055             ;  0: lghi %r11,85
         c0e500000004         ;  4: brasl %r14,c
         0a01                 ;  a: svc 1
         b3c1000b             ;  c: ldgr %f0,%r11
         b3c1002e             ; 10: ldgr %f2,%r14
         b3c1009f             ; 14: ldgr %f9,%r15
         a7b90007             ; 18: lghi %r11,7
         a7e90009             ; 1c: lghi %r14,9
         b3cd00e2             ; 20: lgdr %r14,%f2
         b3cd00b0             ; 24: lgdr %r11,%f0
         07fe                 ; 28: br %r14",
    );
    let inside = trace.visit(0x20, 0);
    let read = |number| inside.registers.read(Reg(number));
    // f0, f2 and f9 are DWARF numbers 16, 17 and 28 (s390x ELF ABI 1.6, table 1.17).
    assert_eq!((read(16), read(17), read(28)), (Some(0x55), Some(CODE + 0xa), Some(inside.sp)));
    assert_eq!((read(11), read(14), inside.fp), (Some(7), Some(9), 7));
    let [frame] = inside.frames[..] else { panic!("one frame") };
    assert_eq!((frame.ra, frame.raw_ra, frame.fp), (Pc(CODE + 0xa), CODE + 0xa, 0x55));
    assert_eq!(trace.visit(0xa, 0).frames.len(), 0);
}

#[test]
fn executed_and_interruptible_instructions_keep_the_sequence() {
    let trace = s390x(
        "a52e0060             ;  0: llilh %r2,96
         a7390010             ;  4: lghi %r3,16
         a54e0060             ;  8: llilh %r4,96
         a74b0040             ;  c: aghi %r4,64
         a7590010             ; 10: lghi %r5,16
         0e24                 ; 14: mvcl %r2,%r4
         c01000000010         ; 16: larl %r1,36
         a7090000             ; 1c: lghi %r0,0
         44001000             ; 20: ex %r0,0(%r1)
         c0100000000d         ; 24: larl %r1,3e
         c06000000009         ; 2a: larl %r6,3c
         44006000             ; 30: ex %r0,0(%r6)
         0a01                 ; 34: svc 1
         d200f000f000         ; 36: mvc 0(1,%r15),0(%r15)
         0de1                 ; 3c: basr %r14,%r1
         07fe                 ; 3e: br %r14",
    );
    let mut visited: Vec<_> = trace.steps.iter().map(|step| (step.at, step.frames.len())).collect();
    visited.dedup();
    // The `ex` at 30 executes the `basr` at 3c: a call whose return address is after the `ex`.
    let expected = [0, 4, 8, 0xc, 0x10, 0x14, 0x16, 0x1c, 0x20, 0x24, 0x2a, 0x30].map(|at| (at, 0));
    assert_eq!(visited, [&expected[..], &[(0x3e, 1), (0x34, 0)]].concat());
    assert_eq!(trace.visit(0x3e, 0).frames[0].ra, Pc(CODE + 0x34));
    assert!(trace.steps.iter().all(|step| step.event != types::Event::Jump), "{trace:?}");
}

#[test]
fn a_function_called_alone_returns_to_the_sentinel() {
    // stmg %r11,%r15,88(%r15); aghi %r15,-160; lmg %r11,%r15,248(%r15); br %r14
    let image = program(Abi::S390x, &hex("ebbff0580024 a7fbff60 ebbff0f80004 07fe"));
    let trace = call(&image, 0);
    trace.assert_path(
        "0 1 entry
         6 1
         a 1
         10 1",
    );
    assert_eq!(trace.run.end, End::Sentinel);
    let first = &trace.steps[0];
    assert_eq!(
        (first.frames[0].cfa, first.frames[0].ra.0),
        (first.sp + 160, first.registers.read(Reg(14)).unwrap_or(0))
    );
}

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
