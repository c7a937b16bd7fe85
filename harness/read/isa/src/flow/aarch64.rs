//! Control flow of AArch64 instructions (Arm Architecture Reference Manual DDI 0487, C4.1).
//! Instructions are little-endian in both data byte orders.

use types::Reg;

use super::{Bound, Change, Decider, Decision, Flow, Insn, Marks, Operand};
use crate::scalable::writes_general;

const SP: u32 = 31;
const FP: u32 = 29;
const LINK: u32 = 30;

fn word(code: &[u8]) -> Option<u32> {
    code.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes))
}

/// The target address that a signed field encodes relative to `pc`, in units of instructions.
fn target(pc: u64, word: u32, from: u32, bits: u32) -> u64 {
    let field = i64::from(word >> from) << (64 - bits) >> (64 - bits);
    pc.wrapping_add_signed(field << 2)
}

pub(super) fn decode(code: &[u8], pc: u64) -> Option<Insn> {
    let word = word(code)?;
    let flow = flow(word, pc);
    // The return address.
    let link = Marks::writes(LINK).when(matches!(flow, Flow::Call(_) | Flow::IndirectCall));
    Some(Insn { length: 4, flow, marks: marks(word).and(link) })
}

fn flow(word: u32, pc: u64) -> Flow {
    let is = |mask: u32, bits: u32| word & mask == bits;
    if is_pauth_lr(word) {
        Flow::Ends
    } else if is(0xfc00_0000, 0x1400_0000) {
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
        || is(0xffdf_0000, 0xd69f_0000)
    {
        Flow::Ends // BRK, HLT, UDF, ERET and DRPS
    } else {
        Flow::Next
    }
}

/// What decides B.cond, CBZ, CBNZ, TBZ and TBNZ (Arm ARM, C1.2.4 and C6.2). Each condition holds if
/// one flag alone is set or none, and its opposite in the other case.
pub(super) fn decision(code: &[u8]) -> Option<Decision> {
    const N: u64 = 1 << 31;
    const Z: u64 = 1 << 30;
    const C: u64 = 1 << 29;
    const V: u64 = 1 << 28;
    let word = word(code)?;
    let is = |mask: u32, bits: u32| word & mask == bits;
    let is_opposite = |bit: u32| word >> bit & 1 != 0;
    let (by, holds, fails, is_opposite) = if is(0xff00_0000, 0x5400_0000) {
        let (holds, fails) = *[(Z, 0), (C, 0), (N, 0), (V, 0), (C, 0), (0, N), (0, Z)].get(word as usize >> 1 & 7)?;
        let change = |set| Change { clear: N | Z | C | V, set };
        (Decider::Flags, change(holds), change(fails), is_opposite(0))
    } else if is(0x7c00_0000, 0x3400_0000) && word & 31 != 31 {
        // Zero; then any bit.
        let zero = match (is(1 << 25, 0), is_opposite(31)) {
            (true, true) => u64::MAX,
            (true, false) => u64::from(u32::MAX),
            (false, _) => 1 << (word >> 26 & 32 | word >> 19 & 31),
        };
        let other = if is(1 << 25, 0) { 1 << 4 } else { zero };
        let register = Decider::Register(Reg((word & 31) as u16));
        (register, Change { clear: zero, set: 0 }, Change { clear: 0, set: other }, is_opposite(24))
    } else {
        return None;
    };
    let (taken, passed) = if is_opposite { (fails, holds) } else { (holds, fails) };
    Some(Decision { by, taken, passed })
}

/// Returns true for FEAT_PAuth_LR (Arm ARM DDI 0487, C6.2), which sign and authenticate with the
/// PC: the emulator lacks them, and the link register's value after them is unknown. PACIASPPC to
/// AUTIB171615; AUTIASPPC; RETAASPPC; RETAASPPCR.
fn is_pauth_lr(word: u32) -> bool {
    let is = |mask: u32, bits: u32| word & mask == bits;
    is(0xffff_8000, 0xdac1_8000)
        || is(0xffc0_001f, 0xf380_001f)
        || is(0xffc0_001f, 0x5500_001f)
        || is(0xffff_fbe0, 0xd65f_0be0) && word & 31 != 31
}

fn marks(word: u32) -> Marks {
    let (rd, rn, rt2, rs) = (word & 31, word >> 5 & 31, word >> 10 & 31, word >> 16 & 31);
    let is = |mask: u32, bits: u32| word & mask == bits;
    // Number 31 is XZR, unless an instruction can use SP.
    let written = |reg: u32| match reg {
        FP => Marks::WRITES_FP.and(Marks::writes(reg)),
        LINK => Marks::WRITES_LINK.and(Marks::writes(reg)),
        31 => Marks::NONE,
        _ => Marks::writes(reg),
    };
    let sp_written = Marks::WRITES_SP.and(Marks::writes(SP));
    let saved = |reg: u32| Marks::SAVES.when(reg == FP || reg == LINK);
    // Hints and the rest of their group: NOP, PAC*, AUT*, XPACLRI. WFE and WFI would wait for ever.
    if is(0xffff_f01f, 0xd503_201f) {
        return match word >> 5 & 0x7f {
            0 => Marks::NOP,
            2 | 3 => Marks::SKIP,
            7 | 24..=31 => written(LINK),
            _ => Marks::NONE,
        };
    }
    // SVC.
    if is(0xffe0_001f, 0xd400_0001) {
        return Marks::SKIP.and(Marks::CALLS_SYSTEM);
    }
    // MRRS; MRS and SYSL.
    if is(0xfff0_0000, 0xd570_0000) {
        return written(rd).and(written(rd | 1));
    }
    if is(0xffe0_0000, 0xd520_0000) {
        return written(rd);
    }
    // HVC, SMC; MSR to registers that hold the processor's state, and IC, DC, AT.
    if is(0xffe0_001c, 0xd400_0000) || is(0xfff0_0000, 0xd510_0000) || is(0xfff8_0000, 0xd508_0000) {
        return Marks::SKIP;
    }
    match word >> 25 & 0xf {
        // Data processing, immediate.
        0b1000 | 0b1001 => {
            let add = is(0x1f80_0000, 0x1100_0000);
            let logical = is(0x1f80_0000, 0x1200_0000);
            let sets_flags = (add && is(0x2000_0000, 0x2000_0000)) || (logical && is(0x6000_0000, 0x6000_0000));
            // ADDG and SUBG.
            let tagged = is(0x1f80_0000, 0x1180_0000);
            let sp = (add || logical || tagged) && !sets_flags && rd == SP;
            let compares = add && sets_flags && rd == 31 && rn == SP;
            sp_written
                .when(sp)
                .and(Marks::MOVES_SP.when(sp && (rn == SP || rn == FP)))
                .and(Marks::COMPARES_SP.when(compares))
                .and(Marks::SETS_FP.when(is(0xff80_0000, 0x9100_0000) && rn == SP && rd == FP))
                .and(written(rd))
        }
        // Data processing, registers.
        0b0101 | 0b1101 => {
            let extended = is(0x1fe0_0000, 0x0b20_0000);
            let sets_flags = is(0x2000_0000, 0x2000_0000);
            let sp = extended && !sets_flags && rd == SP;
            let compares = extended && sets_flags && rd == 31 && rn == SP;
            // CCMP and CCMN encode flags in the field that is Rd elsewhere.
            let no_destination = is(0x1fe0_0000, 0x1a40_0000);
            sp_written.when(sp).and(Marks::COMPARES_SP.when(compares)).and(if no_destination {
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
            // Exclusives and compare and swap; LDAPUR and STLUR; memory tags; LDADD and the like;
            // LDRAA and LDRAB.
            let exclusive = is(0x3f00_0000, 0x0800_0000);
            let unscaled = is(0x3f20_0c00, 0x1900_0000);
            let tags = is(0xff20_0000, 0xd920_0000);
            let atomic = is(0x3f20_0c00, 0x3820_0000);
            let signed = is(0xff20_0400, 0xf820_0400);
            let load = match (pair, single || unscaled, literal) {
                (true, _, _) => is(1 << 22, 1 << 22),
                (_, true, _) => word >> 22 & 3 != 0 || atomic || signed,
                (_, _, true) => true,
                _ => is(1 << 22, 1 << 22),
            };
            let two = pair || (exclusive && is(1 << 21, 1 << 21));
            let writeback = (pair && is(0x0080_0000, 0x0080_0000))
                || (single && is(0x0120_0000, 0) && is(0x0000_0400, 0x0000_0400))
                || (signed && is(1 << 11, 1 << 11))
                || (tags && is(1 << 10, 1 << 10))
                || (is(0x3e00_0000, 0x0c00_0000) && is(1 << 23, 1 << 23));
            // A store's status, or the old value in memory: one register or two.
            let status = if exclusive { written(rs).and(written(rs | 1)) } else { Marks::NONE };
            let base = match rn {
                SP => sp_written.and(Marks::MOVES_SP),
                other => written(other),
            };
            // CPY* and SET*: memory copies and sets, whose operands are addresses and a size.
            if is(0x3b20_0c00, 0x1900_0400) {
                return written(rd).and(written(rs)).and(written(rn));
            }
            // LDCLRP and the like, LDIAPP: two registers.
            if is(0xff20_8c00, 0x1920_0000) || is(0xbf60_0c00, 0x9940_0800) {
                return written(rd).and(written(rs)).and(if is(0xbf60_1c00, 0x9940_0800) { base } else { Marks::NONE });
            }
            let data = match (vector, load) {
                (true, _) => Marks::NONE,
                (false, true) => written(rd).and(if two { written(rt2) } else { Marks::NONE }),
                (false, false) => saved(rd).and(if two { saved(rt2) } else { Marks::NONE }),
            };
            let base = if writeback { base } else { Marks::NONE };
            base.and(data).and(status)
        }
        // SVE: ADDVL, ADDPL, RDVL and their streaming forms.
        0b0010 if is(0xff20_f000, 0x0420_5000) => match rd {
            SP if is(1 << 23, 0) => sp_written.and(Marks::MOVES_SP.when(rs == SP)),
            other => written(other),
        },
        0b0010 if writes_general_by_sve(word) => written(rd),
        // SME: MOVT from the table ZT0.
        0b0000 if is(0xffff_8fe0, 0xc04c_03e0) => written(rd),
        // FMOV, conversions to integers, UMOV and SMOV; all others write a vector.
        0b0111 | 0b1111 if writes_general(word) => written(rd),
        _ => Marks::NONE,
    }
}

/// Returns true for instructions of SVE that write a general register: CNTB, INCB, SQINCB and the
/// like; LASTA, LASTB, CLASTA, CLASTB; CNTP, FIRSTP, LASTP; INCP, SQINCP and the like. (Arm ARM DDI
/// 0487, C4.1: SVE encodings.)
fn writes_general_by_sve(word: u32) -> bool {
    let is = |mask: u32, bits: u32| word & mask == bits;
    is(0xff20_e000, 0x0420_e000)
        || is(0xff2e_e000, 0x0520_a000)
        || is(0xff38_c000, 0x2520_8000)
        || is(0xff38_f800, 0x2528_8800)
}

/// Returns true for data processing, conditional branches, and loads of general registers at an
/// offset.
pub(super) fn stores_nothing(code: &[u8]) -> bool {
    let Some(word) = word(code) else { return false };
    let is = |mask: u32, bits: u32| word & mask == bits;
    let computes = matches!(word >> 25 & 0xf, 0b1000 | 0b1001 | 0b0101 | 0b1101);
    let branches = is(0xff00_0010, 0x5400_0000) || is(0x7c00_0000, 0x3400_0000);
    // LDR and its narrower forms, unsigned offset; excludes STR and PRFM.
    let loads = is(0x3f00_0000, 0x3900_0000) && word >> 22 & 3 != 0 && word >> 22 & 0x3c3 != 0x3c2;
    computes || branches || loads
}

/// The registers that CMP (extended register), the form that has SP, compares.
pub(super) fn compared(code: &[u8]) -> Option<[Reg; 2]> {
    let word = word(code)?;
    let register = |from: u32| Reg((word >> from & 31) as u16);
    (word & 0xffe0_fc1f == 0xeb20_601f).then(|| [register(5), register(16)])
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

/// The offset register of a load.
pub(super) fn index(code: &[u8]) -> Option<Reg> {
    let word = word(code)?;
    let load = word & 0x3b20_0c00 == 0x3820_0800 && word >> 22 & 3 != 0;
    u16::try_from(word >> 16 & 31).ok().filter(|reg| load && *reg != 31).map(Reg)
}

/// The address that ADR, or ADRP with the ADD (immediate) that completes it, computes.
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
