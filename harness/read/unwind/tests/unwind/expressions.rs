//! DWARF expressions: those with a simpler form are simplified at each PC; the others are evaluated
//! (DWARF 5, 2.5).

use types::{Abi, Answer, CfaRule, CodePoint, Fault, Pc, Reg, ValueRule};
use unwind::{CfiUnwinder, Unwinder};

use crate::support::entry::initial;
use crate::support::expr::Expr;
use crate::support::frame::{BASE, SIZE, word};
use crate::support::{Asm, Cie, Fde, Memory, Section, at, listing, regs};

/// A PLT of GNU ld: entry 0 with its own pushes, then entries of 16 bytes.
fn plt(entries: u64) -> Section {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1020, length: 16 * (entries + 1) }, |asm| {
        asm.def_cfa_offset(16).advance(6).def_cfa_offset(24).advance(10).def_cfa_expression(|e| e.plt().end()).end()
    });
    section
}

#[test]
fn the_plt_expression_at_every_pc() {
    let unwinder = plt(3).sound();
    let memory = Memory::new(Abi::Amd64);
    for pc in 0x1030..0x1060 {
        // The push takes the last five bytes of an entry: at 11 it has been executed.
        let (offset, from, to) = if pc & 15 >= 11 { (16, 11, 16) } else { (8, 0, 11) };
        let row = at(&unwinder, pc);
        assert_eq!(row.cfa, CfaRule::Register { reg: Reg(7), offset }, "{pc:#x}");
        assert_eq!((row.start, row.end), (Pc(pc & !15 | from), Pc((pc & !15) + to)), "{pc:#x}");

        let regs = regs(Abi::Amd64);
        let answer = unwinder.caller(CodePoint::Exact(Pc(pc)), &regs, &memory.stack());
        let Ok(Answer::Caller(caller)) = answer else { panic!("{pc:#x}: {answer:?}") };
        assert_eq!(caller.cfa, BASE + 0x400 + offset.cast_unsigned(), "{pc:#x}");
        assert_eq!(caller.ra, word(caller.cfa - 8));
    }
}

#[test]
fn boundaries_split_the_plt_where_its_cfa_changes() {
    let unwinder = plt(3).sound();
    let all: Vec<u64> = unwinder.boundaries(Pc(0), Pc(u64::MAX)).map(|pc| pc.0).collect();
    assert_eq!(all, [0x1020, 0x1026, 0x1030, 0x103b, 0x1040, 0x104b, 0x1050, 0x105b]);
    // A range that begins inside a row has no boundary at its start.
    let some: Vec<u64> = unwinder.boundaries(Pc(0x1035), Pc(0x104b)).map(|pc| pc.0).collect();
    assert_eq!(some, [0x103b, 0x1040]);
    let rows = listing(Abi::Amd64, &unwinder, 0x1030, 0x1040);
    assert_eq!(rows[0], "0x1030..0x103b cfa=rsp+8 ra=[cfa-8] fp=same");
    assert_eq!(rows[1], "0x103b..0x1040 cfa=rsp+16 ra=[cfa-8] fp=same");
}

#[test]
fn a_form_that_never_changes_is_followed_64_bytes_each_way() {
    // Always rsp+8, although the PC is read.
    let unwinder = Section::simple(Abi::Amd64, |asm| {
        asm.def_cfa_expression(|e| e.breg(7, 8).breg(16, 0).lit(0).and().plus().end()).end()
    })
    .sound();
    let row = at(&unwinder, 0x1080);
    assert_eq!(row.cfa, CfaRule::Register { reg: Reg(7), offset: 8 });
    assert_eq!((row.start, row.end), (Pc(0x1040), Pc(0x10c0)));
    assert_eq!(unwinder.boundaries(Pc(0), Pc(u64::MAX)).collect::<Vec<Pc>>(), [Pc(0x1000)]);
}

/// The single row that these instructions give.
fn row(abi: Abi, write: impl FnOnce(&mut Asm)) -> types::UnwindRow {
    at(&Section::simple(abi, write).sound(), 0x1000)
}

fn cfa(write: impl FnOnce(&mut Expr<'_>)) -> CfaRule {
    row(Abi::Amd64, |asm| asm.def_cfa_expression(write).end()).cfa
}

fn slot(write: impl FnOnce(&mut Expr<'_>)) -> ValueRule {
    row(Abi::Amd64, |asm| asm.expression(6, write).end()).fp
}

fn value(write: impl FnOnce(&mut Expr<'_>)) -> ValueRule {
    row(Abi::Amd64, |asm| asm.val_expression(6, write).end()).fp
}

#[test]
fn cfa_expressions_with_a_simpler_form() {
    let rbp = Reg(6);
    // A function that realigned its stack: gcc stores the CFA in a slot of the frame.
    let realigned = cfa(|e| e.breg(6, -8).deref().end());
    assert_eq!(realigned, CfaRule::Memory { reg: rbp, offset: -8 });
    let sum = cfa(|e| e.breg(6, 16).lit(8).plus().consts(-4).plus().plus_uconst(4).lit(2).minus().end());
    assert_eq!(sum, CfaRule::Register { reg: rbp, offset: 22 });
    let far = cfa(|e| e.bregx(40, 0).const8u(0x1_0000_0000).plus().end());
    assert_eq!(far, CfaRule::Register { reg: Reg(40), offset: 0x1_0000_0000 });
    let shuffled = cfa(|e| {
        // 8 rbp 8 -> rot -> 8 8 rbp; drop of what is not needed
        e.lit(8).breg(6, 0).dup().drop().over().rot().swap().plus().swap().drop();
    });
    assert_eq!(shuffled, CfaRule::Register { reg: rbp, offset: 8 });
}

#[test]
fn value_expressions_with_a_simpler_form() {
    // The stack starts with the CFA.
    assert_eq!(slot(|_| {}), ValueRule::AtCfa(0));
    let below = slot(|e| e.lit(24).minus().end());
    assert_eq!(below, ValueRule::AtCfa(-24));
    let frame = slot(|e| e.breg(6, 0).end());
    assert_eq!(frame, ValueRule::Memory { reg: Reg(6), offset: 0 });
    let plain = value(|e| e.plus_uconst(16).end());
    assert_eq!(plain, ValueRule::CfaPlus(16));
    let other = value(|e| e.breg(3, -1).end());
    assert_eq!(other, ValueRule::Register { reg: Reg(3), offset: -1 });
    let loaded = value(|e| e.lit(16).minus().deref().end());
    assert_eq!(loaded, ValueRule::AtCfa(-16));
    let chased = value(|e| e.breg(3, 8).deref().end());
    assert_eq!(chased, ValueRule::Memory { reg: Reg(3), offset: 8 });
}

#[test]
fn other_expressions_stay_expressions() {
    assert!(matches!(cfa(|e| e.breg(6, 0).deref().deref().end()), CfaRule::Expression(_)));
    assert!(matches!(cfa(|e| e.breg(6, 0).deref().lit(8).plus().end()), CfaRule::Expression(_)));
    assert!(matches!(cfa(|e| e.breg(6, 0).breg(3, 0).plus().end()), CfaRule::Expression(_)));
    assert!(matches!(cfa(|e| e.breg(6, 0).consts(-16).and().end()), CfaRule::Expression(_)));
    assert!(matches!(cfa(|e| e.lit(8).end()), CfaRule::Expression(_)));
    assert!(matches!(slot(|e| e.deref().end()), ValueRule::Expression(_)));
    // A load of fewer than eight bytes is not a slot.
    assert!(matches!(value(|e| e.deref_size(4).end()), ValueRule::Expression(_)));
}

/// Value of an expression as the caller's FP.
fn evaluate(abi: Abi, write: impl FnOnce(&mut Expr<'_>)) -> Result<u64, Fault> {
    let fp = u64::from(abi.facts().fp.0);
    let ra = u64::from(abi.facts().ra.0);
    let unwinder =
        Section::simple(abi, |asm| asm.offset_extended_sf(ra, -1).val_expression(fp, write).end()).unwinder();
    fp_of(abi, &unwinder)
}

fn fp_of(abi: Abi, unwinder: &CfiUnwinder) -> Result<u64, Fault> {
    let memory = Memory::new(abi);
    match unwinder.caller(CodePoint::Exact(Pc(0x1000)), &regs(abi), &memory.stack())? {
        Answer::Caller(caller) => Ok(caller.fp?.expect("an FP rule")),
        Answer::Outermost => panic!("outermost"),
    }
}

const MINUS_EIGHT: u64 = 8u64.wrapping_neg();

#[test]
fn operations_on_numbers() {
    // Opcode, second from the top, top, result: DWARF 5, 2.5.1.4. Division and comparison are
    // signed, modulo and shr are not.
    let table: [(u8, i64, i64, u64); 31] = [
        (0x1a, 0b1100, 0b1010, 0b1000),
        (0x1b, -24, 3, MINUS_EIGHT),
        (0x1b, i64::MIN, -1, 1 << 63),
        (0x1c, 3, 5, u64::MAX - 1),
        (0x1d, 17, 5, 2),
        (0x1d, -1, 10, u64::MAX % 10),
        (0x1e, -2, 4, MINUS_EIGHT),
        (0x21, 0b1100, 0b1010, 0b1110),
        (0x22, -1, 2, 1),
        (0x24, 3, 4, 48),
        (0x24, 3, 64, 0),
        (0x25, -1, 60, 15),
        (0x25, -1, 64, 0),
        (0x26, -16, 1, MINUS_EIGHT),
        (0x26, -16, 200, u64::MAX),
        (0x26, 16, 200, 0),
        (0x27, 0b1100, 0b1010, 0b0110),
        (0x29, 5, 5, 1),
        (0x29, 5, 6, 0),
        (0x2a, -1, 1, 0),
        (0x2a, 1, 1, 1),
        (0x2b, 1, -1, 1),
        (0x2b, 1, 1, 0),
        (0x2c, -1, 1, 1),
        (0x2c, 1, 1, 1),
        (0x2d, -1, 1, 1),
        (0x2d, 1, 1, 0),
        (0x2e, 1, 1, 0),
        (0x2e, 1, 2, 1),
        (0x16, 1, 2, 1),
        (0x14, 1, 2, 1),
    ];
    for abi in [Abi::Amd64, Abi::S390x] {
        for (opcode, left, right, expected) in table {
            let found = evaluate(abi, |e| e.consts(left).consts(right).op(opcode).end());
            assert_eq!(found, Ok(expected), "{abi}: {left} {right} {opcode:#x}");
        }
    }
    let unary: [(u8, i64, u64); 5] =
        [(0x19, -8, 8), (0x19, 8, 8), (0x1f, 8, MINUS_EIGHT), (0x20, 0, u64::MAX), (0x96, 7, 7)];
    for (opcode, operand, expected) in unary {
        let found = evaluate(Abi::Amd64, |e| e.consts(operand).op(opcode).end());
        assert_eq!(found, Ok(expected), "{operand} {opcode:#x}");
    }
}

#[test]
fn operations_on_the_stack() {
    let rot = evaluate(Abi::Amd64, |e| {
        // 1 2 3 -> 3 1 2: DWARF 5, 2.5.1.3.
        e.lit(1).lit(2).lit(3).rot().lit(10).op(0x1e).plus().lit(10).op(0x1e).plus();
    });
    assert_eq!(rot, Ok(3 + 10 * (1 + 10 * 2)));
    let pick = evaluate(Abi::Amd64, |e| e.lit(4).lit(5).lit(6).pick(2).end());
    assert_eq!(pick, Ok(4));
    // The CFA is below the items that a value expression pushes.
    let cfa = evaluate(Abi::Amd64, |e| e.lit(4).drop().lit(0).op(0x21).end());
    assert_eq!(cfa, Ok(BASE + 0x408));
}

#[test]
fn branches_are_counted_from_the_end_of_the_operation() {
    // A loop: 3 + 2 + 1, then one on top.
    let looped = evaluate(Abi::Amd64, |e| {
        // sum n
        e.lit(0).lit(3);
        // sum n -> sum+n n: swap over plus swap
        e.swap().over().plus().swap();
        // n-1, again unless zero: lit1 minus dup bra(-10)
        e.lit(1).minus().dup().bra(-10);
        e.drop().skip(1).drop().plus_uconst(1);
    });
    assert_eq!(looped, Ok(7));
    // A branch to the very end is allowed, one into the middle of an operation is not.
    assert_eq!(evaluate(Abi::S390x, |e| e.lit(9).skip(1).lit(4).end()), Ok(9));
    assert_eq!(evaluate(Abi::S390x, |e| e.lit(9).skip(1).plus_uconst(4).end()), Err(Fault::Expression));
    assert_eq!(evaluate(Abi::S390x, |e| e.lit(9).skip(2).lit(4).end()), Err(Fault::Expression));
}

#[test]
fn loads_follow_the_byte_order() {
    for abi in Abi::ALL {
        for size in 1..=8 {
            let found = evaluate(abi, |e| e.breg(abi.facts().sp.0 as u8, 0x100).deref_size(size).end());
            let word = word(BASE + 0x500);
            let bits = 8 * u32::from(size);
            let expected = match abi.facts().order {
                types::ByteOrder::Little => word << (64 - bits) >> (64 - bits),
                types::ByteOrder::Big => word >> (64 - bits),
            };
            assert_eq!(found, Ok(expected), "{abi} {size}");
        }
    }
}

#[test]
fn loads_outside_the_live_stack_are_faults() {
    let end = BASE + SIZE as u64;
    // sp + 0xc00 is the end of the stack.
    assert_eq!(
        evaluate(Abi::Amd64, |e| e.breg(7, 0xbfc).deref_size(4).end()),
        Ok(word(end - 8) >> 32),
        "the last four bytes"
    );
    let outside = evaluate(Abi::Amd64, |e| e.breg(7, 0xbfd).deref_size(4).end());
    assert_eq!(outside, Err(Fault::UnreadableMemory { address: end - 3 }));
    let dead = evaluate(Abi::Amd64, |e| e.breg(7, -129).deref_size(1).end());
    assert_eq!(dead, Err(Fault::DeadMemory { address: BASE + 0x400 - 129 }));
}

#[test]
fn the_program_counter_reads_as_such() {
    // Under the ABI's register number; in a caller's frame it is the return address itself.
    for abi in Abi::ALL {
        let number = match abi {
            Abi::Amd64 => 16,
            Abi::Aarch64 | Abi::Aarch64Be => 32,
            Abi::S390x => 65,
        };
        let fp = u64::from(abi.facts().fp.0);
        let ra = u64::from(abi.facts().ra.0);
        let unwinder = Section::simple(abi, |asm| {
            asm.offset_extended_sf(ra, -1).val_expression(fp, |e| e.bregx(number, 3).end()).end()
        })
        .sound();
        let memory = Memory::new(abi);
        for (point, expected) in [(CodePoint::Exact(Pc(0x1010)), 0x1013), (CodePoint::AfterCall(Pc(0x1010)), 0x1013)] {
            let answer = unwinder.caller(point, &regs(abi), &memory.stack());
            assert!(
                matches!(answer, Ok(Answer::Caller(caller)) if caller.fp == Ok(Some(expected))),
                "{abi}: {answer:?}"
            );
        }
    }
}

#[test]
fn expressions_that_cannot_be_evaluated() {
    type Write = fn(&mut Expr<'_>);
    let bad: [(&str, Write); 10] = [
        ("no operand", |e| e.drop().plus().end()),
        ("division by zero", |e| e.lit(1).lit(0).op(0x1b).end()),
        ("modulo zero", |e| e.lit(1).lit(0).op(0x1d).end()),
        ("for ever", |e| e.skip(-3).end()),
        ("stack without end", |e| e.lit(1).skip(-4).end()),
        ("empty in the end", |e| e.drop().end()),
        ("a location, no value", |e| e.op(0x53).end()),
        ("the CFA operation has no meaning in CFI", |e| e.op(0x9c).end()),
        ("an opcode of nobody", |e| e.op(0xdf).end()),
        ("an operand cut off", |e| e.op(0x0e).op(1).end()),
    ];
    for (name, write) in bad {
        assert_eq!(evaluate(Abi::Amd64, write), Err(Fault::Expression), "{name}");
    }
    // The error contains the unknown register.
    assert_eq!(evaluate(Abi::Amd64, |e| e.bregx(77, 0).end()), Err(Fault::UnknownRegister { reg: Reg(77) }));
}

/// An operation that is not allowed in CFI, or that pops an empty stack, is an error anywhere; a
/// vendor's operation for these ABIs is unsupported here.
#[test]
fn expressions_without_a_meaning_are_broken() {
    type Write = fn(&mut Expr<'_>);
    let cases: [(&str, Write, usize); 21] = [
        ("DW_OP_fbreg", |e| e.op(0x91).op(0).end(), 1),
        ("DW_OP_stack_value", |e| e.lit(1).op(0x9f).end(), 1),
        ("division by a constant zero", |e| e.lit(0).op(0x1b).end(), 1),
        ("division by a register", |e| e.breg(3, 0).op(0x1b).end(), 0),
        ("for ever", |e| e.skip(-3).end(), 1),
        ("for ever if a register says so", |e| e.breg(3, 0).bra(-5).end(), 0),
        ("DW_OP_reg3", |e| e.op(0x53).end(), 0),
        ("no operand", |e| e.plus().end(), 1),
        ("empty in the end", |e| e.drop().end(), 1),
        ("an opcode of nobody", |e| e.op(0xdf).end(), 1),
        ("an operand cut off", |e| e.op(0x0e).op(1).end(), 1),
        ("DW_OP_HP_unmod_range", |e| e.op(0xe5).end(), 1),
        ("a vendor's opcode of nobody", |e| e.op(0xff).end(), 1),
        ("DW_OP_call_frame_cfa", |e| e.op(0x9c).end(), 1),
        ("DW_OP_push_object_address", |e| e.op(0x97).end(), 1),
        ("DW_OP_call2", |e| e.op(0x98).op(0).op(0).end(), 1),
        ("a word of 9 bytes", |e| e.deref_size(9).end(), 1),
        ("a branch into an operation", |e| e.lit(1).bra(1).const8u(0).end(), 1),
        ("nobody's opcode after a branch", |e| e.lit(0).bra(0).op(0xdf).end(), 1),
        ("DW_OP_GNU_encoded_addr", |e| e.op(0xf1).op(0x1b).op(0).end(), 0),
        ("one more than the CFA", |e| e.lit(8).plus().end(), 0),
    ];
    for (name, write, broken) in cases {
        let unwinder = Section::simple(Abi::Amd64, |asm| asm.val_expression(3, write).end()).unwinder();
        assert_eq!(unwinder.broken().len(), broken, "{name}");
        assert!(unwinder.row(CodePoint::Exact(Pc(0x1000))).is_ok(), "{name}: the rest of the function stays");
    }
}

#[test]
fn an_address_expression_is_loaded_through() {
    let abi = Abi::Amd64;
    let unwinder = Section::simple(abi, |asm| {
        // The address of the slot is itself in a slot: there is no simpler form.
        asm.expression(6, |e| e.breg(7, 0x10).deref().end());
    })
    .sound();
    let mut memory = Memory::new(abi);
    memory.put(BASE + 0x410, BASE + 0x480);
    let answer = unwinder.caller(CodePoint::Exact(Pc(0x1000)), &regs(abi), &memory.stack());
    assert!(matches!(answer, Ok(Answer::Caller(caller)) if caller.fp == Ok(Some(word(BASE + 0x480)))), "{answer:?}");
}
