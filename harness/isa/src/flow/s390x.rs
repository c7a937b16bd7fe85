//! s390x (z/Architecture Principles of Operation SA22-7832, chapters 5, 7 and appendix B).

use model::Reg;

use super::{Bound, Flow, Insn, Marks, Operand};

const FP: u8 = 11;
const LINK: u8 = 14;
const SP: u8 = 15;

/// The first two bits give the length (chapter 5, "Instruction Formats").
pub(super) fn decode(code: &[u8], pc: u64) -> Option<Insn> {
    let length = [2_u8, 4, 4, 6][usize::from(code.first()? >> 6)];
    let bytes = code.get(..usize::from(length))?;
    let mut padded = [0_u8; 6];
    padded.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    let marks = marks(padded);
    let moves = Marks::MOVES_SP.when(marks.any(Marks::WRITES_SP) && moves_sp(padded));
    Some(Insn { length, flow: flow(padded, pc), marks: marks.and(moves) })
}

/// Relative operands count halfwords.
fn relative16(pc: u64, high: u8, low: u8) -> u64 {
    pc.wrapping_add_signed(i64::from(i16::from_be_bytes([high, low])) * 2)
}

fn relative32(pc: u64, code: [u8; 6]) -> u64 {
    let [_, _, a, b, c, d] = code;
    pc.wrapping_add_signed(i64::from(i32::from_be_bytes([a, b, c, d])) * 2)
}

fn flow(code: [u8; 6], pc: u64) -> Flow {
    let [first, second, third, fourth, _, last] = code;
    let (mask, low) = (second >> 4, second & 15);
    let by_mask = |target: u64| match mask {
        0 => Flow::Next,
        15 => Flow::Jump(target),
        _ => Flow::Branch(target),
    };
    match (first, low) {
        (0x00, _) => Flow::Ends,
        // BCR: a mask of 0, or register 0, goes nowhere.
        (0x07, 0) => Flow::Next,
        (0x07, 14) if mask == 15 => Flow::Return,
        (0x07, 14) if mask != 0 => Flow::ReturnOrNext,
        (0x07, _) if mask == 15 => Flow::IndirectJump,
        (0x07, _) => Flow::Next,
        // BASR, BASSM.
        (0x0d | 0x0c, 0) => Flow::Next,
        (0x0d | 0x0c, _) => Flow::IndirectCall,
        // BSM, BC.
        (0x0b, 1..) => Flow::IndirectJump,
        (0x47, _) if mask == 15 => Flow::IndirectJump,
        // BAS, BAL.
        (0x4d | 0x45, _) => Flow::IndirectCall,
        // BRC, BRAS, BRCT, BRCTG.
        (0xa7, 4) => by_mask(relative16(pc, third, fourth)),
        (0xa7, 5) if mask == LINK => Flow::Call(relative16(pc, third, fourth)),
        (0xa7, 5) => Flow::Jump(relative16(pc, third, fourth)),
        (0xa7, 6 | 7) => Flow::Branch(relative16(pc, third, fourth)),
        // BRCL, BRASL, BRCTH.
        (0xc0, 4) => by_mask(relative32(pc, code)),
        (0xc0, 5) => Flow::Call(relative32(pc, code)),
        (0xcc, 6) => Flow::Branch(relative32(pc, code)),
        // BRXH, BRXLE, and the family of compare and branch relative.
        (0x84 | 0x85, _) => Flow::Branch(relative16(pc, third, fourth)),
        (0xec, _) if matches!(last, 0x44 | 0x45 | 0x64 | 0x65 | 0x76 | 0x77 | 0x7c..=0x7f) => {
            Flow::Branch(relative16(pc, third, fourth))
        }
        // BIC.
        (0xe3, _) if last == 0x47 && mask == 15 => Flow::IndirectJump,
        // LPSWE, LPSW.
        (0xb2, _) if second == 0xb2 => Flow::Ends,
        (0x82, _) => Flow::Ends,
        _ => Flow::Next,
    }
}

/// AHI, AGHI, AGFI, LMG; LAY and LA without an index, LGR and AGHIK, from SP or FP.
fn moves_sp(code: [u8; 6]) -> bool {
    let [first, second, third, fourth, _, last] = code;
    let frame = |reg: u8| reg == SP || reg == FP;
    match first {
        0xa7 => matches!(second & 15, 0xa | 0xb),
        0xc2 => matches!(second & 15, 0x4 | 0x5 | 0x8 | 0x9 | 0xa | 0xb),
        0xeb => last == 0x04,
        0x41 => second & 15 == 0 && frame(third >> 4),
        0xe3 => last == 0x71 && second & 15 == 0 && frame(third >> 4),
        0xb9 => third == 0 && frame(fourth & 15),
        0xec => matches!(last, 0xd8 | 0xd9) && frame(second & 15),
        _ => false,
    }
}

fn marks(code: [u8; 6]) -> Marks {
    let [first, second, _, fourth, _, last] = code;
    let (high, low) = (second >> 4, second & 15);
    let written = |reg: u8| match reg {
        SP => Marks::WRITES_SP,
        FP => Marks::WRITES_FP,
        LINK => Marks::WRITES_LINK,
        _ => Marks::NONE,
    };
    // LM and STM wrap around.
    let within = |reg: u8| (reg.wrapping_sub(high) & 15) <= (low.wrapping_sub(high) & 15);
    let range = || {
        [SP, FP, LINK].into_iter().filter(|reg| within(*reg)).fold(Marks::NONE, |marks, reg| marks.and(written(reg)))
    };
    let saves = |reg: u8| Marks::SAVES.when(reg == FP || reg == LINK);
    let compares = |a: u8, b: u8| Marks::COMPARES_SP.when(a == SP || b == SP);
    match first {
        // BCR with register 0 or mask 0, BC with mask 0, BRCL with mask 0.
        0x07 if low == 0 || high == 0 => Marks::NOP,
        0x47 if high == 0 => Marks::NOP,
        0xc0 if low == 4 && high == 0 => Marks::NOP,
        // BASR with register 0 leaves the next address in the first.
        0x0d | 0x0c if low == 0 => written(high),
        // SVC, EX and EXRL, DR, D, TRAP2.
        0x0a => Marks::SKIP.and(Marks::CALLS_SYSTEM),
        0x44 | 0x1d | 0x5d | 0x01 => Marks::SKIP,
        0xc6 if low == 0 => Marks::SKIP,
        // CR, CLR, LTR and arithmetic on registers; those from 20 to 3f are of floating point.
        0x19 | 0x15 => compares(high, low),
        0x10..=0x1f => written(high),
        // Stores of 32 bits, compares, C, CL, CH.
        0x40 | 0x42 | 0x50 | 0x49 | 0x55 | 0x59 => Marks::NONE,
        0x41
        | 0x43
        | 0x48
        | 0x4a..=0x4c
        | 0x4e..=0x4f
        | 0x51
        | 0x54
        | 0x56..=0x58
        | 0x5a..=0x5c
        | 0x5e..=0x5f
        | 0x71 => written(high),
        // SRL to SLDA write the first, and its neighbour.
        0x88..=0x8f => written(high).and(written(high | 1)),
        0x98 => range(),
        0x90 => Marks::SAVES.when(within(FP) || within(LINK)),
        // IIHH and others; TMLH and others test only. AHI and the like; CHI, CGHI compare.
        0xa5 => written(high),
        0xa7 => match low {
            0..=4 | 6 => Marks::NONE,
            5 => Marks::NONE,
            7 => written(high),
            0xe | 0xf => compares(high, 0),
            _ => written(high),
        },
        // LARL, IIHF and the like.
        0xc0 if low != 4 && low != 5 => written(high),
        // MSGFI, SLGFI, AGFI; CGFI to CLFI compare.
        0xc2 if low < 0xc => written(high),
        0xc2 => compares(high, 0),
        // LHRL to LRL load; STHRL, STGRL, STRL store.
        0xc4 => match low {
            0x7 | 0xb | 0xf => saves(high),
            _ => written(high),
        },
        0xb9 => match second {
            // CGR, CLGR, CR's long forms, CGFR, CLGFR.
            0x20 | 0x21 | 0x30 | 0x31 => compares(fourth >> 4, fourth & 15),
            // Divisions: DSGR, DSGFR, DLGR, DLR.
            0x0d | 0x1d | 0x87 | 0x97 => Marks::SKIP,
            _ => written(fourth >> 4),
        },
        // IPM, EAR and other instructions with a register in the last byte; STFL and what needs privilege.
        0xb2 => match second {
            0x22 | 0x4f | 0x52 | 0x4d => written(fourth >> 4),
            _ => Marks::SKIP,
        },
        // LGDR, and conversions to fixed.
        0xb3 if matches!(second, 0xcd | 0x98..=0x9e | 0xa8..=0xae | 0xc8..=0xca | 0xe1 | 0xe9) => written(fourth >> 4),
        0xe3 => match last {
            // STG, STRVG, STY, STHY, STCY, STRV, STRVH, STPQ.
            0x24 | 0x2f | 0x50 | 0x70 | 0x72 | 0x3e | 0x3f | 0x8e => saves(high),
            // CG, CLG, CY, CLY, CGF, CLGF, CHY, CHF and the like; PFD; BIC.
            0x20 | 0x21 | 0x55 | 0x59 | 0x30 | 0x31 | 0x79 | 0xcd | 0xcf | 0x34 => compares(high, high & 0),
            0x36 | 0x47 => Marks::NONE,
            // Divisions: DSG, DSGF, DLG, DL.
            0x0d | 0x1d | 0x87 | 0x97 => Marks::SKIP,
            _ => written(high),
        },
        0xeb => match last {
            0x04 => range(),
            0x24 => Marks::SAVES.when(within(FP) || within(LINK)),
            // STMH, STMY, TMY, MVIY, CLIY, STCMH, STCMY, ICMY and immediates on memory.
            0x26 | 0x90 | 0x51 | 0x52 | 0x55 | 0x2c | 0x2d | 0x54 | 0x56 | 0x57 | 0x6a | 0x7a | 0x6e | 0x7e => {
                Marks::NONE
            }
            0x96 | 0x98 => range(),
            _ => written(high),
        },
        0xec => match last {
            // Compare and branch, on registers and with a constant.
            0x64 | 0x65 | 0x76 | 0x77 => compares(high, low),
            0x7c..=0x7f => compares(high, 0),
            0x44 | 0x45 => written(high),
            _ => written(high),
        },
        0xcc if low != 6 => written(high),
        // VLGV; other vector instructions leave general registers alone.
        0xe7 if last == 0x21 => written(high),
        // CDS and the like write pairs, MVCL and CLCL too.
        0xba | 0xbb => written(high).and(written(high | 1)),
        0x0e | 0x0f => Marks::SKIP,
        0xa8 | 0xa9 => Marks::SKIP,
        0x86 | 0x87 => written(high),
        0xc8 => Marks::SKIP,
        _ => Marks::NONE,
    }
}

pub(super) fn bound(code: &[u8]) -> Option<Bound> {
    let [first, second, third, fourth, ..] = *code else { return None };
    let (register, low) = (second >> 4, second & 15);
    let word = || code.get(2..6)?.first_chunk::<4>().map(|bytes| u32::from_be_bytes(*bytes));
    let limit = match (first, low) {
        // CLGFI, CLFI, CGFI, CFI.
        (0xc2, 0xc..=0xf) => u64::from(word()?),
        // CGHI, CHI.
        (0xa7, 0xe | 0xf) => u64::from(u16::from_be_bytes([third, fourth])),
        // CGIJ, CLGIJ, CIJ, CLIJ.
        (0xec, _) if matches!(code.get(5), Some(0x7c..=0x7f)) => u64::from(*code.get(4)?),
        _ => return None,
    };
    Some(Bound { operand: Operand::Register(Reg(u16::from(register))), limit })
}

/// SLLG, RISBG and RISBGN by 2 or 3 bits: the index of a table of words, in bytes.
pub(super) fn index(code: &[u8]) -> Option<Reg> {
    let [first, second, third, fourth, fifth, last] = *code.first_chunk::<6>()?;
    let shifts = match (first, last) {
        (0xeb, 0x0d) => third >> 4 == 0 && third & 15 == 0 && matches!(fourth, 2 | 3) && fifth == 0,
        (0xec, 0x55 | 0x59) => matches!(fifth, 2 | 3),
        _ => false,
    };
    shifts.then_some(Reg(u16::from(second & 15)))
}

/// LARL.
pub(super) fn taken(code: &[u8], pc: u64) -> Option<u64> {
    let code = *code.first_chunk::<6>()?;
    (code[0] == 0xc0 && code[1] & 15 == 0).then(|| relative32(pc, code))
}
