//! AArch64 (Arm Architecture Reference Manual DDI 0487, C4.1). Instructions are little-endian in both byte orders of data.

use model::Reg;

use super::{Bound, Flow, Insn, Marks, Operand};

const SP: u32 = 31;
const FP: u32 = 29;
const LINK: u32 = 30;

fn word(code: &[u8]) -> Option<u32> {
    code.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes))
}

/// A signed field of instruction units, as an address.
fn target(pc: u64, word: u32, from: u32, bits: u32) -> u64 {
    let field = i64::from(word >> from) << (64 - bits) >> (64 - bits);
    pc.wrapping_add_signed(field << 2)
}

pub(super) fn decode(code: &[u8], pc: u64) -> Option<Insn> {
    let word = word(code)?;
    let flow = flow(word, pc);
    Some(Insn { length: 4, flow, marks: marks(word) })
}

fn flow(word: u32, pc: u64) -> Flow {
    let is = |mask: u32, bits: u32| word & mask == bits;
    if is(0xfc00_0000, 0x1400_0000) {
        Flow::Jump(target(pc, word, 0, 26)) // B
    } else if is(0xfc00_0000, 0x9400_0000) {
        Flow::Call(target(pc, word, 0, 26)) // BL
    } else if is(0xff00_0000, 0x5400_0000) || is(0x7e00_0000, 0x3400_0000) {
        Flow::Branch(target(pc, word, 5, 19)) // B.cond, BC.cond, CBZ, CBNZ
    } else if is(0x7e00_0000, 0x3600_0000) {
        Flow::Branch(target(pc, word, 5, 14)) // TBZ, TBNZ
    } else if is(0xffff_fc1f, 0xd65f_0000) || is(0xffff_fbff, 0xd65f_0bff) {
        Flow::Return // RET, RETAA, RETAB
    } else if is(0xfeff_f000, 0xd61f_0000) {
        Flow::IndirectJump // BR, BRAA, BRAB, BRAAZ, BRABZ
    } else if is(0xfeff_f000, 0xd63f_0000) {
        Flow::IndirectCall // BLR and its authenticating forms
    } else if is(0xffe0_0000, 0xd420_0000)
        || is(0xffe0_0000, 0xd440_0000)
        || is(0xffff_0000, 0)
        || is(0xff9f_0000, 0xd69f_0000 & 0xff9f_0000)
    {
        Flow::Ends // BRK, HLT, UDF, ERET and DRPS
    } else {
        Flow::Next
    }
}

fn marks(word: u32) -> Marks {
    let (rd, rn, rt2) = (word & 31, word >> 5 & 31, word >> 10 & 31);
    let is = |mask: u32, bits: u32| word & mask == bits;
    // Hints, and the group that they are in: NOP, PAC*, AUT*, XPACLRI; WFE and WFI would wait for ever.
    if is(0xffff_f01f, 0xd503_201f) {
        return match word >> 5 & 0x7f {
            0 => Marks::NOP,
            2 | 3 => Marks::SKIP,
            7 | 24..=31 => Marks::WRITES_LINK,
            _ => Marks::NONE,
        };
    }
    // SVC, HVC, SMC; MSR to registers that hold the processor's state, and IC, DC, AT.
    if is(0xffe0_001c, 0xd400_0000) || is(0xfff0_0000, 0xd510_0000) || is(0xfff8_0000, 0xd508_0000) {
        return Marks::SKIP;
    }
    let written = |reg: u32| match reg {
        FP => Marks::WRITES_FP,
        LINK => Marks::WRITES_LINK,
        _ => Marks::NONE,
    };
    let saved = |reg: u32| Marks::SAVES.when(reg == FP || reg == LINK);
    match word >> 25 & 0xf {
        // Data processing, immediate.
        0b1000 | 0b1001 => {
            let add = is(0x1f80_0000, 0x1100_0000);
            let logical = is(0x1f80_0000, 0x1200_0000);
            let sets_flags = (add && is(0x2000_0000, 0x2000_0000)) || (logical && is(0x6000_0000, 0x6000_0000));
            let sp = (add || logical) && !sets_flags && rd == SP;
            let compares = add && sets_flags && rd == 31 && rn == SP;
            Marks::WRITES_SP
                .when(sp)
                .and(Marks::MOVES_SP.when(sp && (rn == SP || rn == FP)))
                .and(Marks::COMPARES_SP.when(compares))
                .and(written(rd))
        }
        // Data processing, registers.
        0b0101 | 0b1101 => {
            let extended = is(0x1fe0_0000, 0x0b20_0000);
            let sets_flags = is(0x2000_0000, 0x2000_0000);
            let sp = extended && !sets_flags && rd == SP;
            let compares = extended && sets_flags && rd == 31 && rn == SP;
            // CCMP and CCMN have flags where others have a destination.
            let no_destination = is(0x1fe0_0000, 0x1a40_0000);
            Marks::WRITES_SP.when(sp).and(Marks::COMPARES_SP.when(compares)).and(if no_destination {
                Marks::NONE
            } else {
                written(rd)
            })
        }
        // Loads and stores.
        group if group & 0b0101 == 0b0100 => {
            let vector = is(1 << 26, 1 << 26);
            let pair = is(0x3800_0000, 0x2800_0000);
            let literal = is(0x3b00_0000, 0x1800_0000);
            let single = is(0x3800_0000, 0x3800_0000);
            let load = match (pair, single, literal) {
                (true, _, _) => is(1 << 22, 1 << 22),
                (_, true, _) => word >> 22 & 3 != 0,
                (_, _, true) => true,
                _ => is(1 << 22, 1 << 22),
            };
            let writeback = (pair && is(0x0080_0000, 0x0080_0000))
                || (single && is(0x0120_0000, 0) && is(0x0000_0400, 0x0000_0400))
                || (is(0x3e00_0000, 0x0c00_0000) && is(1 << 23, 1 << 23));
            let base = match rn {
                SP => Marks::WRITES_SP.and(Marks::MOVES_SP),
                other => written(other),
            };
            let data = match (vector, load) {
                (true, _) => Marks::NONE,
                (false, true) => written(rd).and(if pair { written(rt2) } else { Marks::NONE }),
                (false, false) => saved(rd).and(if pair { saved(rt2) } else { Marks::NONE }),
            };
            let base = if writeback { base } else { Marks::NONE };
            base.and(data)
        }
        // FMOV and others move into general registers.
        0b0111 | 0b1111 => written(rd),
        _ => Marks::NONE,
    }
}

pub(super) fn bound(code: &[u8]) -> Option<Bound> {
    let word = word(code)?;
    // SUBS (immediate) to the zero register: CMP.
    if word & 0x7fc0_001f != 0x7100_001f {
        return None;
    }
    let register = u16::try_from(word >> 5 & 31).ok()?;
    (register != 31)
        .then_some(Bound { operand: Operand::Register(Reg(register)), limit: u64::from(word >> 10 & 0xfff) })
}

/// Loads with a register for an offset.
pub(super) fn index(code: &[u8]) -> Option<Reg> {
    let word = word(code)?;
    let load = word & 0x3b20_0c00 == 0x3820_0800 && word >> 22 & 3 != 0;
    u16::try_from(word >> 16 & 31).ok().filter(|reg| load && *reg != 31).map(Reg)
}

/// ADR, and ADRP with the ADD (immediate) that completes it.
pub(super) fn taken(pages: &mut [Option<u64>; 32], code: &[u8], pc: u64) -> Option<u64> {
    let word = word(code)?;
    let (rd, rn) = ((word & 31) as usize, (word >> 5 & 31) as usize);
    if word & 0x1f00_0000 == 0x1000_0000 {
        let field = i64::from((word >> 5 & 0x7_ffff) << 2 | word >> 29 & 3) << 43 >> 43;
        if word & 0x8000_0000 == 0 {
            return Some(pc.wrapping_add_signed(field));
        }
        *pages.get_mut(rd)? = Some((pc & !0xfff).wrapping_add_signed(field << 12));
        return None;
    }
    if word & 0xffc0_0000 == 0x9100_0000 {
        let page = (*pages.get(rn)?)?;
        return Some(page.wrapping_add(u64::from(word >> 10 & 0xfff)));
    }
    None
}
