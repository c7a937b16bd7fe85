//! One test for both tables: the same function written as `.sframe` and as `.eh_frame` gives the
//! same answers, through the same code.
//!
//! The SFrame bytes are encoded by hand from the specification (V2 errata 1 and V3), with the
//! section at address 0 and the function at 0x1000.

use types::{Abi, Answer, Caller, CodePoint, Fault, PacKey, Pc, Reg, RegFile};
use unwind::{SframeUnwinder, Unwinder};

use crate::support::frame::{BASE, word};
use crate::support::{Asm, Cie, Fde, Memory, Section, listing, regs};

const SP: u64 = BASE + 0x400;
const FP: u64 = BASE + 0x600;

/// Expected answers for a function at 0x1000.
struct Expected {
    abi: Abi,
    size: u64,
    rows: &'static [&'static str],
    /// Offset in the function, and the caller of a frame there with the registers of
    /// `support::frame`.
    callers: Vec<(u64, Caller)>,
}

/// The requirements on any implementor.
fn smoke<U: Unwinder>(table: &U, expected: &Expected) {
    let abi = expected.abi;
    let end = 0x1000 + expected.size;
    let ranges: Vec<(u64, u64)> = table.functions().map(|range| (range.start.0, range.end.0)).collect();
    assert_eq!(ranges, [(0x1000, end)]);
    assert_eq!(listing(abi, table, 0, u64::MAX), expected.rows, "{abi}");

    // Half-open; a return address after the last instruction belongs to the function.
    let row = |at| table.row(at);
    assert_eq!(row(CodePoint::Exact(Pc(0xfff))), Err(Fault::NoFunction));
    assert_eq!(row(CodePoint::Exact(Pc(end))), Err(Fault::NoFunction));
    assert_eq!(row(CodePoint::AfterCall(Pc(0x1000))), Err(Fault::NoFunction));
    assert_eq!(row(CodePoint::AfterCall(Pc(0))), Err(Fault::NoFunction));
    assert_eq!(row(CodePoint::AfterCall(Pc(end))), row(CodePoint::Exact(Pc(end - 1))));

    let (regs, memory) = (regs(abi), Memory::new(abi));
    for (offset, caller) in &expected.callers {
        let at = CodePoint::Exact(Pc(0x1000 + offset));
        let row = table.row(at).expect("a row");
        assert!(table.rules(row, at.pc()).covers(at.pc()));
        let answer = table.evaluate(row, at, &regs, &memory.stack());
        assert_eq!(answer, Ok(Answer::Caller(*caller)), "{abi} +{offset}");
        assert_eq!(table.caller(at, &regs, &memory.stack()), answer);

        let restored = table.caller_regs(row, at, caller, &regs, &memory.stack());
        assert_eq!(restored.read(abi.facts().sp), Some(caller.sp));
        assert_eq!(restored.read(abi.facts().fp), caller.fp.ok().flatten());
        assert_eq!(restored.read(abi.facts().ra), None);
    }

    // A range that begins or ends inside a row has no boundary there.
    let starts: Vec<Pc> = table.boundaries(Pc(0x1001), Pc(end)).collect();
    assert!(starts.iter().all(|start| start.0 > 0x1000) && starts.is_sorted());
    assert_eq!(starts.len(), expected.rows.len() - 1);
    assert_eq!(table.boundaries(Pc(end), Pc(u64::MAX)).count(), 0);
}

fn sframe(hex: &str) -> SframeUnwinder {
    sframe_at(hex, 0)
}

fn sframe_at(hex: &str, section_address: u64) -> SframeUnwinder {
    let digits: Vec<u8> = hex.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("hex");
    let bytes: Vec<u8> = digits.chunks(2).map(byte).collect();
    let section = sframe::Section::parse(&bytes).expect("a header");
    let place = sframe::Placement::in_file(types::ImageKind::Executable, section_address);
    let table = sframe::Table::new(&section, place).expect("a table");
    assert_eq!(table.broken(), []);
    SframeUnwinder::new(table)
}

fn eh_frame(expected: &Expected, augmentation: &'static str, write: impl FnOnce(&mut Asm)) -> unwind::CfiUnwinder {
    let abi = expected.abi;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::augmented(abi, augmentation), |asm| crate::support::entry::initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1000, length: expected.size }, write);
    section.sound()
}

fn caller(cfa: u64, ra: u64, fp: u64, sp: u64) -> Caller {
    Caller { cfa, ra, raw_ra: ra, signed_by: None, signed_with_pc: false, fp: Ok(Some(fp)), sp, signal: false }
}

#[test]
fn amd64() {
    let frame = caller(SP + 16, word(SP + 8), word(SP), SP + 16);
    let expected = Expected {
        abi: Abi::Amd64,
        size: 0x30,
        rows: &[
            "0x1000..0x1001 cfa=rsp+8 ra=[cfa-8] fp=same",
            "0x1001..0x1004 cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]",
            "0x1004..0x1030 cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]",
        ],
        callers: vec![
            (0, caller(SP + 8, word(SP), FP, SP + 8)),
            (1, frame),
            (3, frame),
            (0x2f, caller(FP + 16, word(FP + 8), word(FP), FP + 16)),
        ],
    };
    let v2 = "e2de0205 0300f800 01000000 03000000 0b000000 00000000 14000000
              e40f0000 30000000 00000000 03000000 00 00 0000 000308 010510f0 040410f0";
    let v3 = "e2de0305 0300f800 01000000 03000000 10000000 00000000 10000000
              e40f000000000000 30000000 00000000 0300 00 00 00 000308 010510f0 040410f0";
    smoke(&sframe(v2), &expected);
    smoke(&sframe(v3), &expected);
    let cfi = eh_frame(&expected, "zR", |asm| {
        asm.advance(1).def_cfa_offset(16).offset(6, 2).advance(3).def_cfa_register(6).end();
    });
    smoke(&cfi, &expected);
}

#[test]
fn aarch64_with_signed_return_addresses() {
    let lr = 0x101e;
    let signed = |caller| Caller { signed_by: Some(PacKey::B), ..caller };
    // The saved word has bits above the address, which are removed.
    let saved = word(SP + 8);
    let stripped = saved & 0xffff_ffff_ffff;
    let expected = Expected {
        abi: Abi::Aarch64,
        size: 0x20,
        rows: &[
            "0x1000..0x1004 cfa=sp ra=same fp=same",
            "0x1004..0x1008 cfa=sp ra=same fp=same signed:B",
            "0x1008..0x1020 cfa=sp+32 ra=[cfa-24] fp=[cfa-32] signed:B",
        ],
        callers: vec![
            (0, caller(SP, lr, FP, SP)),
            (4, signed(caller(SP, lr, FP, SP))),
            (8, Caller { raw_ra: saved, ..signed(caller(SP + 32, stripped, word(SP), SP + 32)) }),
        ],
    };
    let v2 = "e2de0205 02000000 01000000 03000000 0b000000 00000000 14000000
              e40f0000 20000000 00000000 03000000 20 00 0000 000300 048300 088720e8e0";
    smoke(&sframe(v2), &expected);
    let cfi = eh_frame(&expected, "zRB", |asm| {
        asm.advance(1).negate_ra_state().advance(1).def_cfa_offset(32).offset(30, 3).offset(29, 4).end();
    });
    smoke(&cfi, &expected);
}

#[test]
fn aarch64_big_endian() {
    let expected = Expected {
        abi: Abi::Aarch64Be,
        size: 0x10,
        rows: &["0x1000..0x1004 cfa=sp ra=same fp=same", "0x1004..0x1010 cfa=sp+16 ra=[cfa-16] fp=[cfa-8]"],
        callers: vec![(0, caller(SP, 0x101e, FP, SP)), (12, caller(SP + 16, word(SP), word(SP + 8), SP + 16))],
    };
    let v2 = "dee20205 01000000 00000001 00000002 00000008 00000000 00000014
              00000fe4 00000010 00000000 00000002 00 00 0000 000300 040710f0f8";
    smoke(&sframe(v2), &expected);
    let cfi = eh_frame(&expected, "zR", |asm| {
        asm.advance(1).def_cfa_offset(16).offset(30, 2).offset(29, 1).end();
    });
    smoke(&cfi, &expected);
}

#[test]
fn s390x_with_saves_in_memory_and_in_registers() {
    let (cfa, ra, fp) = (SP + 160, 0x100e, FP);
    let expected = Expected {
        abi: Abi::S390x,
        size: 0x40,
        rows: &[
            "0x1000..0x1006 cfa=r15+160 ra=same fp=same",
            "0x1006..0x100c cfa=r15+160 ra=[cfa-48] fp=[cfa-72]",
            "0x100c..0x1012 cfa=r15+320 ra=[cfa-48] fp=[cfa-72]",
            "0x1012..0x1040 cfa=r15+160 ra=f0 fp=f2",
        ],
        // The caller's SP is 160 below the CFA.
        callers: vec![
            (0, caller(cfa, ra, fp, SP)),
            (6, caller(cfa, word(cfa - 48), word(cfa - 72), SP)),
            (12, caller(SP + 320, word(SP + 320 - 48), word(SP + 320 - 72), SP + 160)),
            (18, caller(cfa, 0x1010, 0x1011, SP)),
        ],
    };
    let v2 = "dee20205 04000000 00000001 00000004 00000012 00000000 00000014
              00000fe4 00000040 00000000 00000004 00 00 0000 000300 060700d0b8 0c0714d0b8 1207002123";
    smoke(&sframe(v2), &expected);
    let cfi = eh_frame(&expected, "zR", |asm| {
        asm.advance(6).offset(14, 6).offset(11, 9).advance(6).def_cfa_offset(320);
        asm.advance(6).def_cfa_offset(160).register(14, 16).register(11, 17);
    });
    smoke(&cfi, &expected);
}

#[test]
fn flex_rows_are_answered_like_their_expressions() {
    let entry = caller(SP + 8, word(SP), FP, SP + 8);
    let r10 = 0x100a;
    // With r10 = 0x100a the return address of the second row would lie outside the stack: only the
    // other rows are evaluated.
    let expected = Expected {
        abi: Abi::Amd64,
        size: 0x40,
        rows: &[
            "0x1000..0x1005 cfa=rsp+8 ra=[cfa-8] fp=same",
            "0x1005..0x1011 cfa=r10 ra=[cfa-8] fp=same",
            "0x1011..0x1040 cfa=[rbp-8] ra=[cfa-8] fp=[rbp]",
        ],
        callers: vec![(0, entry)],
    };
    let v3 = "e2de0305 0300f800 01000000 03000000 14000000 00000000 10000000
              e40f000000000000 40000000 00000000 0300 00 01 00 00043908 05045100 110a33f8003300";
    let cfi = eh_frame(&expected, "zR", |asm| {
        asm.advance(5).def_cfa(10, 0);
        asm.advance(12).def_cfa_expression(|e| e.breg(6, -8).deref().end()).expression(6, |e| e.breg(6, 0).end());
    });
    let sframe = sframe(v3);
    smoke(&sframe, &expected);
    smoke(&cfi, &expected);

    let mut memory = Memory::new(Abi::Amd64);
    memory.put(FP - 8, FP + 0x100);
    let frame = caller(FP + 0x100, word(FP + 0xf8), word(FP), FP + 0x100);
    for answer in [
        sframe.caller(CodePoint::Exact(Pc(0x1011)), &regs(Abi::Amd64), &memory.stack()),
        cfi.caller(CodePoint::Exact(Pc(0x1011)), &regs(Abi::Amd64), &memory.stack()),
    ] {
        assert_eq!(answer, Ok(Answer::Caller(frame)));
    }
    let fault = Err(Fault::UnreadableMemory { address: r10 - 8 });
    assert_eq!(sframe.caller(CodePoint::Exact(Pc(0x1005)), &regs(Abi::Amd64), &memory.stack()), fault);
    assert_eq!(cfi.caller(CodePoint::Exact(Pc(0x1005)), &regs(Abi::Amd64), &memory.stack()), fault);
}

#[test]
fn repeating_blocks_repeat_their_rows() {
    // Three stubs of 16 bytes.
    let mask = "e2de0205 0300f800 01000000 02000000 06000000 00000000 14000000
                e40f0000 30000000 00000000 02000000 10 10 0000 000308 0b0310";
    let table = sframe(mask);
    let all: Vec<u64> = table.boundaries(Pc(0), Pc(u64::MAX)).map(|pc| pc.0).collect();
    assert_eq!(all, [0x1000, 0x100b, 0x1010, 0x101b, 0x1020, 0x102b]);
    let some: Vec<u64> = table.boundaries(Pc(0x100c), Pc(0x1021)).map(|pc| pc.0).collect();
    assert_eq!(some, [0x1010, 0x101b, 0x1020]);
    let rows = listing(Abi::Amd64, &table, 0x1010, 0x1020);
    let expected = ["0x1010..0x101b cfa=rsp+8 ra=[cfa-8] fp=same", "0x101b..0x1020 cfa=rsp+16 ra=[cfa-8] fp=same"];
    assert_eq!(rows, expected);
    // One row applies in every block.
    let row = |pc| table.row(CodePoint::Exact(Pc(pc)));
    assert_eq!(row(0x100b), row(0x102f));
    assert_ne!(row(0x100a), row(0x100b));
}

#[test]
fn a_function_answers_again_after_one_that_lies_inside_it() {
    // 0x1000..0x1030 with sp+8, and 0x1010..0x1020 with sp+16.
    let nested = "e2de0205 0300f800 02000000 02000000 06000000 00000000 28000000
                  e40f0000 30000000 00000000 01000000 00 00 0000
                  e00f0000 10000000 03000000 01000000 00 00 0000 000308 000310";
    let table = sframe(nested);
    let all: Vec<u64> = table.boundaries(Pc(0), Pc(u64::MAX)).map(|pc| pc.0).collect();
    assert_eq!(all, [0x1000, 0x1010, 0x1020]);
    let cfa = |pc| crate::support::at(&table, pc).cfa.describe(Abi::Amd64);
    assert_eq!([cfa(0x100f), cfa(0x1010), cfa(0x101f), cfa(0x1020)], ["rsp+8", "rsp+16", "rsp+16", "rsp+8"]);
}

/// Blocks of one byte, four billion of them, with a row after the first byte: blocks are not
/// searched.
#[test]
fn blocks_without_a_row_are_not_looked_through() {
    let mask = "e2de0205 0300f800 01000000 01000000 03000000 00000000 14000000
                e40f0000 ffffffff 00000000 01000000 10 01 0000 010308";
    let began = std::time::Instant::now();
    assert_eq!(sframe(mask).boundaries(Pc(0), Pc(u64::MAX)).count(), 0);
    assert!(began.elapsed().as_secs() < 1, "{:?}", began.elapsed());
}

#[test]
fn blocks_up_to_the_end_of_the_address_space() {
    // Blocks of 16 bytes, rows at 0 and 14: the last block, at u64::MAX - 13, ends before its
    // second row.
    let mask = "e2de0205 0300f800 01000000 02000000 06000000 00000000 14000000
                e40f0000 2a000000 00000000 02000000 10 10 0000 000308 0e0310";
    let start = u64::MAX - 0x2d;
    let table = sframe_at(mask, start - 0x1000);
    let all: Vec<u64> = table.boundaries(Pc(0), Pc(u64::MAX)).map(|pc| pc.0 - start).collect();
    assert_eq!(all, [0, 14, 16, 30, 32]);
}

#[test]
fn outermost_frames_and_functions_without_rows() {
    // A row without words: the return address is undefined (V2 errata 2).
    let outermost = "e2de0205 0300f800 01000000 01000000 02000000 00000000 14000000
                     e40f0000 30000000 00000000 01000000 00 00 0000 0000";
    let at = CodePoint::Exact(Pc(0x1000));
    let memory = Memory::new(Abi::Amd64);
    let answer = sframe(outermost).caller(at, &regs(Abi::Amd64), &memory.stack());
    assert_eq!(answer, Ok(Answer::Outermost));
    // A signal frame without rows (V3).
    let empty = "e2de0305 0300f800 01000000 00000000 05000000 00000000 10000000
                 e40f000000000000 09000000 00000000 0000 80 00 00";
    assert_eq!(sframe(empty).row(at), Err(Fault::NoRow));
    assert_eq!(sframe(empty).row(CodePoint::Exact(Pc(0x1009))), Err(Fault::NoFunction));
}

#[test]
fn sframe_restores_sp_and_fp_alone() {
    let leaf = "e2de0205 02000000 01000000 01000000 03000000 00000000 14000000
                e40f0000 20000000 00000000 01000000 00 00 0000 000300";
    let (table, memory) = (sframe(leaf), Memory::new(Abi::Aarch64));
    let at = CodePoint::Exact(Pc(0x1000));
    let row = table.row(at).expect("a row");
    let Ok(Answer::Caller(caller)) = table.evaluate(row, at, &regs(Abi::Aarch64), &memory.stack()) else {
        panic!("a caller");
    };
    let restored = table.caller_regs(row, at, &caller, &regs(Abi::Aarch64), &memory.stack());
    let known: Vec<u16> = (0..40).filter(|number| restored.read(Reg(*number)).is_some()).collect();
    assert_eq!(known, [29, 31]);
    // So a row that leaves the return address in x30 ends a chain there.
    let outer = table.caller(CodePoint::AfterCall(Pc(0x1008)), &restored, &memory.stack());
    assert_eq!(outer, Err(Fault::UnknownRegister { reg: Reg(30) }));
}
