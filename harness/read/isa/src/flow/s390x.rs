//! Control flow of s390x instructions (z/Architecture Principles of Operation SA22-7832, chapters
//! 5, 7 and appendix B).

use types::Reg;

use super::{Bound, Flow, Insn, Marks, Operand};

const FP: u8 = 11;
const LINK: u8 = 14;
const SP: u8 = 15;

/// Decodes one instruction. Its first two bits give the length (chapter 5, "Instruction Formats").
pub(super) fn decode(code: &[u8], pc: u64) -> Option<Insn> {
    let length = [2_u8, 4, 4, 6][usize::from(code.first()? >> 6)];
    let bytes = code.get(..usize::from(length))?;
    let mut padded = [0_u8; 6];
    padded.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    let executed = executed_branch(code, padded);
    let marks = if executed.is_some() { Marks::NONE } else { marks(padded) };
    let moves = Marks::MOVES_SP.when(marks.any(Marks::WRITES_SP) && moves_sp(padded));
    let sets = Marks::SETS_FP.when(marks.any(Marks::WRITES_FP) && sets_fp(padded));
    Some(Insn { length, flow: flow(executed.unwrap_or(padded), pc), marks: marks.and(moves).and(sets) })
}

/// The target address of a 16-bit relative operand, which counts halfwords.
fn relative16(pc: u64, high: u8, low: u8) -> u64 {
    pc.wrapping_add_signed(i64::from(i16::from_be_bytes([high, low])) * 2)
}

fn relative32(pc: u64, code: [u8; 6]) -> u64 {
    let [_, _, a, b, c, d] = code;
    pc.wrapping_add_signed(i64::from(i32::from_be_bytes([a, b, c, d])) * 2)
}

/// The address of the instruction that an EXRL executes (Principles of Operation, EXECUTE RELATIVE
/// LONG: opcode C6, 0 in the second digit pair's low half).
pub(super) fn executed(code: &[u8], pc: u64) -> Option<u64> {
    let exrl = *code.first_chunk::<6>()?;
    let [0xc6, second, ..] = exrl else { return None };
    (second & 0x0f == 0).then(|| relative32(pc, exrl))
}

/// The BCR that an EXRL a few bytes before it executes without modification: the jump of
/// `-mindirect-branch=thunk`.
fn executed_branch(code: &[u8], exrl: [u8; 6]) -> Option<[u8; 6]> {
    let [0xc6, 0x00, a, b, c, d] = exrl else { return None };
    let offset = usize::try_from(i64::from(i32::from_be_bytes([a, b, c, d])) * 2).ok()?;
    match code.get(offset..)? {
        [first @ 0x07, second, ..] => Some([*first, *second, 0, 0, 0, 0]),
        _ => None,
    }
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
        // BCR with mask 0 or register 0 does not branch.
        (0x07, 0) => Flow::Next,
        (0x07, 14) if mask == 15 => Flow::Return,
        (0x07, 14) if mask != 0 => Flow::ReturnOrNext,
        (0x07, _) if mask == 15 => Flow::IndirectJump,
        (0x07, _) => Flow::Next,
        // BASR, BASSM, BALR.
        (0x05 | 0x0c | 0x0d, 0) => Flow::Next,
        (0x05 | 0x0c | 0x0d, _) => Flow::IndirectCall,
        // BSM, BC. Conditional and counting forms count as falling through: no compiler emits them.
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

/// Returns true for instructions that set SP from SP or FP: AHI, AGHI, AGFI, LMG; LAY and LA
/// without an index, LGR and AGHIK.
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

/// Returns true for instructions that set FP from SP: LGR, LA and LAY without an index.
fn sets_fp(code: [u8; 6]) -> bool {
    let [first, second, third, fourth, _, last] = code;
    let from_sp = second & 15 == 0 && third >> 4 == SP;
    match first {
        0x41 => from_sp,
        0xe3 => last == 0x71 && from_sp,
        0xb9 => second == 0x04 && third == 0 && fourth & 15 == SP,
        _ => false,
    }
}

fn marks(code: [u8; 6]) -> Marks {
    let [first, second, _, fourth, _, last] = code;
    let (high, low) = (second >> 4, second & 15);
    let only = |reg: u8| Marks::writes(u32::from(reg));
    let written = |reg: u8| match reg {
        SP => Marks::WRITES_SP.and(only(reg)),
        FP => Marks::WRITES_FP.and(only(reg)),
        LINK => Marks::WRITES_LINK.and(only(reg)),
        _ => only(reg),
    };
    // LM and STM wrap around.
    let within = |reg: u8| (reg.wrapping_sub(high) & 15) <= (low.wrapping_sub(high) & 15);
    let range = || (0..16).filter(|reg| within(*reg)).fold(Marks::NONE, |marks, reg| marks.and(written(reg)));
    let saves = |reg: u8| Marks::SAVES.when(reg == FP || reg == LINK);
    let compares = |reg: u8| Marks::COMPARES_SP.when(reg == SP);
    // An even register and the next one.
    let pair = |reg: u8| written(reg).and(written(reg | 1));
    match first {
        // BCR with register 0 or mask 0, BC with mask 0, BRCL with mask 0.
        0x07 if low == 0 || high == 0 => Marks::NOP,
        0x47 if high == 0 => Marks::NOP,
        0xc0 if low == 4 && high == 0 => Marks::NOP,
        // BASR, BASSM and BALR with register 0 write the next address to the first register; so do
        // calls that use another register than the link register.
        0x05 | 0x0c | 0x0d if low == 0 || high != LINK => written(high),
        0x45 | 0x4d if high != LINK => written(high),
        0x05 | 0x0c | 0x0d | 0x45 | 0x4d => only(high),
        // BSM; BCTR, BCT, BRXH, BRXLE, BXH, BXLE count.
        0x0b | 0x06 | 0x46 | 0x84..=0x87 => written(high),
        // SVC, EX and EXRL, TRAP2.
        0x0a => Marks::SKIP.and(Marks::CALLS_SYSTEM),
        0x44 | 0x01 => Marks::SKIP,
        0xc6 if low == 0 => Marks::SKIP,
        // DR, D; MR, M.
        0x1d | 0x5d => Marks::SKIP.and(pair(high)),
        0x1c | 0x5c => pair(high),
        // CR, CLR, LTR and arithmetic on registers; opcodes 20 to 3f are floating point.
        0x19 | 0x15 => compares(high).and(compares(low)),
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
        | 0x5a..=0x5b
        | 0x5e..=0x5f
        | 0x71 => written(high),
        // SRL, SLL, SRA, SLA; SRDL to SLDA shift a pair.
        0x88..=0x8b => written(high),
        0x8c..=0x8f => pair(high),
        // LM, LMD; ICM; LRA.
        0x98 | 0xef => range(),
        0xbf => written(high),
        0xb1 => Marks::SKIP.and(written(high)),
        0x90 => Marks::SAVES.when(within(FP) || within(LINK)),
        // IIHH and others; TMLH and others test only. AHI and the like; CHI, CGHI compare.
        0xa5 => written(high),
        0xa7 => match low {
            0..=4 => Marks::NONE,
            // BRAS to the link register is a call.
            5 if high == LINK => only(high),
            0xe | 0xf => compares(high),
            _ => written(high),
        },
        // LARL, IIHF and the like.
        0xc0 if low == 5 && high == LINK => only(high),
        0xc0 if low != 4 => written(high),
        // MSGFI, SLGFI, AGFI; CGFI to CLFI compare.
        0xc2 if low < 0xc => written(high),
        0xc2 => compares(high),
        // LHRL to LRL load; STHRL, STGRL, STRL store.
        0xc4 => match low {
            0x7 | 0xb | 0xf => saves(high),
            _ => written(high),
        },
        0xb9 => match second {
            // CGR, CLGR, CGFR, CLGFR.
            0x20 | 0x21 | 0x30 | 0x31 => compares(fourth >> 4).and(compares(fourth & 15)),
            // Divisions: DSGR, DSGFR, DLGR, DLR.
            0x0d | 0x1d | 0x87 | 0x97 => Marks::SKIP.and(pair(fourth >> 4)),
            // FLOGR; MLGR, MLR, MGRK.
            0x83 | 0x86 | 0x96 | 0xec => pair(fourth >> 4),
            // SRSTU, EPSW: two registers.
            0xbe | 0x8d => written(fourth >> 4).and(written(fourth & 15)),
            // Ciphers (KM and the like) and strings (TRTT to TROO, CU14 to CU42, TRTRE, TRTE).
            0x1e | 0x28..=0x2f | 0x3a..=0x3f | 0x90..=0x93 | 0xb0..=0xb3 | 0xbd | 0xbf => {
                pair(fourth >> 4).and(pair(fourth & 15))
            }
            _ => written(fourth >> 4),
        },
        // IPM, EAR and the opcodes near CPYA: a register in the last byte. MVPG, MVST, CLST, SRST:
        // two registers. CKSM, CUSE, CMPSC, TRE, CU21, CU12: two pairs. ESTA, LURA and others are
        // privileged; the rest store, or set registers other than general ones.
        0xb2 => match second {
            0x49..=0x4b | 0x58 | 0x5a | 0xe4 | 0xe5 | 0xed => Marks::SKIP.and(written(fourth >> 4)),
            0x22 | 0x4f | 0x52 | 0x4d => written(fourth >> 4),
            0x54 | 0x55 | 0x5d | 0x5e => Marks::SKIP.and(written(fourth >> 4)).and(written(fourth & 15)),
            0x41 | 0x57 | 0x63 | 0xa5..=0xa7 => Marks::SKIP.and(pair(fourth >> 4)).and(pair(fourth & 15)),
            _ => Marks::SKIP,
        },
        // CUXTR, CSXTR; LGDR, EFPC, conversions to fixed, exponents.
        0xb3 if matches!(second, 0xea | 0xeb) => pair(fourth >> 4),
        0xb3 if matches!(second, 0x8c | 0xcd | 0x98..=0x9e | 0xa8..=0xae | 0xb8..=0xba | 0xc8..=0xca | 0xe1..=0xef) => {
            written(fourth >> 4)
        }
        0xe3 => match last {
            // STG, STRVG, STY, STHY, STCY, STRV, STRVH, STPQ.
            0x24 | 0x2f | 0x50 | 0x70 | 0x72 | 0x3e | 0x3f | 0x8e => saves(high),
            // CG, CLG, CY, CLY, CGF, CLGF, CHY, CHF and the like; PFD; BIC.
            0x20 | 0x21 | 0x55 | 0x59 | 0x30 | 0x31 | 0x79 | 0xcd | 0xcf | 0x34 => compares(high),
            0x36 | 0x47 => Marks::NONE,
            // Divisions: DSG, DSGF, DLG, DL.
            0x0d | 0x1d | 0x87 | 0x97 => Marks::SKIP.and(pair(high)),
            // LPQ; MFY, MG, MLG, ML.
            0x8f | 0x5c | 0x84 | 0x86 | 0x96 => pair(high),
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
            // CDSY, CDSG; MVCLU, CLCLU.
            0x31 | 0x3e => pair(high),
            0x8e | 0x8f => Marks::SKIP.and(pair(high)).and(pair(low)),
            _ => written(high),
        },
        0xec => match last {
            // Compare and branch, on registers and with a constant.
            0x64 | 0x65 | 0x76 | 0x77 => compares(high).and(compares(low)),
            0x7c..=0x7f => compares(high),
            _ => written(high),
        },
        0xcc => written(high),
        // VLGV, LCBB; other vector instructions leave general registers alone.
        0xe7 if matches!(last, 0x21 | 0x27) => written(high),
        // CS; CDS.
        0xba => written(high),
        0xbb => pair(high),
        // MVCL, CLCL, MVCLE, CLCLE; MVCOS, LPD and others.
        0x0e | 0x0f | 0xa8 | 0xa9 => Marks::SKIP.and(pair(high)).and(pair(low)),
        0xc8 => Marks::SKIP.and(pair(high)),
        _ => Marks::NONE,
    }
}

/// Returns true for common instructions on registers and constants, loads, comparisons and relative
/// branches.
pub(crate) fn stores_nothing(code: &[u8]) -> bool {
    let Some([first, second, ..]) = code.first_chunk::<2>() else { return false };
    let (low, last) = (second & 15, code.get(5).copied().unwrap_or_default());
    match first {
        // LPR to SLR without MR and DR; LA, LH, IC, CL, L, N, O, X, C, A, S; shifts.
        0x10..=0x1b | 0x1e | 0x1f => true,
        0x41 | 0x43 | 0x48 | 0x54..=0x5b | 0x88..=0x8b => true,
        // IIHH and similar; TMLH to CGHI without BRAS and BRCT.
        0xa5 => true,
        0xa7 => !matches!(low, 5..=7),
        // LARL, LGFI, BRCL, XIHF to LLILF; MSGFI to CLFI.
        0xc0 => low != 5,
        0xc2 => true,
        // LTGR, LGR, AGR, SGR and others of 64 bits, extensions, logic, comparisons.
        0xb9 => matches!(
            second,
            0x00..=0x04 | 0x06..=0x0c | 0x10..=0x14 | 0x16..=0x1c | 0x20 | 0x21 | 0x26 | 0x27 | 0x30 | 0x31 | 0x80..=0x82 | 0x84 | 0x85 | 0x94 | 0x95
                | 0xe2 | 0xe4 | 0xe6..=0xeb | 0xf2 | 0xf4 | 0xf6..=0xfb
        ),
        // LTG, LG, AG, SG, CG and the like; LY, LLGC, LAY.
        0xe3 => matches!(
            last,
            0x02 | 0x04 | 0x08..=0x0c | 0x12 | 0x14..=0x1c | 0x20 | 0x21 | 0x30 | 0x31 | 0x51 | 0x54 | 0x55 | 0x57..=0x5b | 0x71
                | 0x76..=0x79 | 0x80..=0x82 | 0x90 | 0x91 | 0x94 | 0x95
        ),
        // Shifts; LOCG.
        0xeb => matches!(last, 0x0a..=0x0d | 0x1c | 0x1d | 0xdc..=0xdf | 0xe2 | 0xf2),
        // RISBG and similar; AHIK, AGHIK; compare and branch.
        0xec => matches!(last, 0x54..=0x57 | 0x59 | 0x64 | 0x65 | 0x76 | 0x77 | 0x7c..=0x7f | 0xd8 | 0xd9),
        _ => false,
    }
}

/// The registers that CGR, CLGR, CGRJ or CLGRJ compares.
pub(super) fn compared(code: &[u8]) -> Option<[Reg; 2]> {
    let [first, second, _, fourth] = *code.first_chunk::<4>()?;
    let registers = match (first, second, code.get(5)) {
        (0xb9, 0x20 | 0x21, _) => fourth,
        (0xec, _, Some(0x64 | 0x65)) => second,
        _ => return None,
    };
    Some([registers >> 4, registers & 15].map(|register| Reg(register.into())))
}

pub(super) fn bound(code: &[u8]) -> Option<Bound> {
    let [first, second, third, fourth, ..] = *code else { return None };
    let (register, low) = (second >> 4, second & 15);
    let word = || code.get(2..6)?.first_chunk::<4>().map(|bytes| u32::from_be_bytes(*bytes));
    if let Some((limit, size)) = in_memory(code) {
        let base = Some(third >> 4).filter(|base| *base > 0).map(|base| Reg(base.into()));
        let offset = i64::from(third & 15) << 8 | i64::from(fourth);
        return Some(Bound { operand: Operand::Memory { base, index: None, offset, size }, limit });
    }
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

/// The constant that an instruction compares with memory, and the number of bytes there. Addresses
/// have no index, and displacements 12 bits.
fn in_memory(code: &[u8]) -> Option<(u64, u8)> {
    let last = || Some(u64::from(u16::from_be_bytes(*code.get(4..)?.first_chunk()?)));
    match *code.first_chunk()? {
        // CLI.
        [0x95, limit] => Some((limit.into(), 1)),
        // CGHSI, CLGHSI; CHSI, CLFHSI; CLHHSI, CHHSI.
        [0xe5, 0x58 | 0x59] => Some((last()?, 8)),
        [0xe5, 0x5c | 0x5d] => Some((last()?, 4)),
        [0xe5, 0x54 | 0x55] => Some((last()?, 2)),
        _ => None,
    }
}

/// The register from which SLLG, or RISBG that clears the other bits, computes an offset with 4 or
/// 8 bytes an entry. Loads have no scale.
pub(super) fn index(code: &[u8]) -> Option<Reg> {
    let [first, second, third, fourth, fifth, last] = *code.first_chunk::<6>()?;
    let by = match (first, last) {
        // A shift by a constant.
        (0xeb, 0x0d) if third >> 4 == 0 => fourth & 0x3f,
        // The selected bits end where the shifted bits end.
        (0xec, 0x55 | 0x59) if fourth & 0x80 != 0 && fourth & 0x3f == 63_u8.saturating_sub(fifth & 0x3f) => {
            fifth & 0x3f
        }
        _ => return None,
    };
    matches!(by, 2 | 3).then_some(Reg(u16::from(second & 15)))
}

/// The address that LARL computes.
pub(super) fn taken(code: &[u8], pc: u64) -> Option<u64> {
    let code = *code.first_chunk::<6>()?;
    (code[0] == 0xc0 && code[1] & 15 == 0).then(|| relative32(pc, code))
}
