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

#[cfg(test)]
mod tests {
    use super::*;

    const PC: u64 = 0x1000;
    const NONE: Marks = Marks::NONE;
    const SP_MOVES: Marks = Marks::WRITES_SP.and(Marks::MOVES_SP);
    const SETS: Marks = Marks::WRITES_FP.and(Marks::SETS_FP);

    /// Encodings are those of GNU as.
    #[test]
    fn flows() {
        use Flow::{Branch, Call, Ends, IndirectCall, IndirectJump, Jump, Next, Return};
        let table = [
            (0x1400_0002, Jump(0x1008)),   // b
            (0x97ff_ffff, Call(0xffc)),    // bl
            (0x5400_0041, Branch(0x1008)), // b.ne
            (0xb4ff_ffc0, Branch(0xff8)),  // cbz x0,
            (0x3500_0083, Branch(0x1010)), // cbnz w3,
            (0x3618_0040, Branch(0x1008)), // tbz w0, #3,
            (0x3717_ffe1, Branch(0xffc)),  // tbnz w1, #2,
            (0xd61f_0220, IndirectJump),   // br x17
            (0xd71f_0a30, IndirectJump),   // braa x17, x16
            (0xd63f_0100, IndirectCall),   // blr x8
            (0xd65f_03c0, Return),         // ret
            (0xd65f_00a0, Return),         // ret x5
            (0xd65f_0bff, Return),         // retaa
            (0xd65f_0fff, Return),         // retab
            (0xd69f_03e0, Ends),           // eret
            (0xdac1_a3fe, Ends),           // paciasppc
            (0xdac1_bffe, Ends),           // autib171615
            (0xf380_009f, Ends),           // autiasppc
            (0xf3a0_00bf, Ends),           // autibsppc
            (0x5500_019f, Ends),           // retaasppc
            (0x5520_01bf, Ends),           // retabsppc
            (0xd65f_0be5, Ends),           // retaasppcr x5
            (0xd65f_0fe5, Ends),           // retabsppcr x5
            (0xdac1_03fe, Next),           // pacia x30, sp
            (0xd6bf_03e0, Ends),           // drps
            (0xd420_0020, Ends),           // brk #0x1
            (0xd440_0020, Ends),           // hlt #0x1
            (0x0000_0000, Ends),           // udf #0
            (0xd400_0001, Next),           // svc #0x0
            (0xd503_201f, Next),           // nop
            (0xa9be_7bfd, Next),           // stp x29, x30, [sp, #-32]!
        ];
        for (word, expected) in table {
            assert_eq!(flow(word, PC), expected, "{word:08x}");
        }
        assert_eq!(decode(&[0xc0, 0x03, 0x5f], PC), None, "cut off");
    }

    #[test]
    fn marked() {
        let table = [
            (0xd400_0001, Marks::SKIP.and(Marks::CALLS_SYSTEM)), // svc #0x0
            (0xd400_0002, Marks::SKIP),                          // hvc #0x0
            (0xd503_205f, Marks::SKIP),                          // wfe
            (0xd503_201f, Marks::NOP),                           // nop
            (0xd503_233f, Marks::WRITES_LINK),                   // paciasp
            (0xd503_23bf, Marks::WRITES_LINK),                   // autiasp
            (0xd503_20ff, Marks::WRITES_LINK),                   // xpaclri
            (0xd503_245f, NONE),                                 // bti c
            (0xd53b_d05d, Marks::WRITES_FP),                     // mrs x29, tpidr_el0
            (0xd51b_d05d, Marks::SKIP),                          // msr tpidr_el0, x29
            (0xd50b_7420, Marks::SKIP),                          // dc zva, x0
            (0xa9be_7bfd, SP_MOVES.and(Marks::SAVES)),           // stp x29, x30, [sp, #-32]!
            (0xa8c2_7bfd, SP_MOVES.and(Marks::WRITES_FP).and(Marks::WRITES_LINK)), // ldp x29, x30, [sp], #32
            (0xf81f_0ffe, SP_MOVES.and(Marks::SAVES)),           // str x30, [sp, #-16]!
            (0xf841_07fe, SP_MOVES.and(Marks::WRITES_LINK)),     // ldr x30, [sp], #16
            (0xf900_07a0, NONE),                                 // str x0, [x29, #8]
            (0xf800_8fa0, Marks::WRITES_FP),                     // str x0, [x29, #8]!
            (0x5800_041d, Marks::WRITES_FP),                     // ldr x29, 110
            (0xc81d_7c20, Marks::WRITES_FP),                     // stxr w29, x0, [x1]
            (0xc87f_7420, Marks::WRITES_FP),                     // ldxp x0, x29, [x1]
            (0x9100_03fd, SETS),                                 // mov x29, sp
            (0x9100_43fd, SETS),                                 // add x29, sp, #0x10
            (0x9100_43bd, Marks::WRITES_FP),                     // add x29, x29, #0x10
            (0x1100_43fd, Marks::WRITES_FP),                     // add w29, wsp, #0x10
            (0x9100_03bf, SP_MOVES),                             // mov sp, x29
            (0x9100_43ff, SP_MOVES),                             // add sp, sp, #0x10
            (0xd140_07ff, SP_MOVES),                             // sub sp, sp, #0x1, lsl #12
            (0xd100_43bf, SP_MOVES),                             // sub sp, x29, #0x10
            (0xcb21_63ff, Marks::WRITES_SP),                     // sub sp, sp, x1
            (0x9180_003f, Marks::WRITES_SP),                     // addg sp, x1, #0x0, #0x0
            (0x927c_ed3f, Marks::WRITES_SP),                     // and sp, x9, #0xfffffffffffffff0
            (0x9100_013f, Marks::WRITES_SP),                     // mov sp, x9
            (0xeb29_63ff, Marks::COMPARES_SP),                   // cmp sp, x9
            (0xf100_43ff, Marks::COMPARES_SP),                   // cmp sp, #0x10
            (0xeb00_03bf, NONE),                                 // cmp x29, x0
            (0xfa42_102d, NONE),                                 // ccmp x1, x2, #0xd, ne
            (0x9a81_001d, Marks::WRITES_FP),                     // csel x29, x0, x1, eq
            (0x9e66_001d, Marks::WRITES_FP),                     // fmov x29, d0
            (0xfc41_07fd, SP_MOVES),                             // ldr d29, [sp], #16
            (0x9ac2_0c20, NONE),                                 // sdiv x0, x1, x2
            (0x4e81_9c1e, NONE),                                 // usdot v30.4s, v0.16b, v1.16b
            (0x4e2a_853d, NONE),                                 // add v29.16b, v9.16b, v10.16b
            (0x7ee0_b81e, NONE),                                 // neg d30, d0
            (0x1e60_401e, NONE),                                 // fmov d30, d0
            (0x1e62_001d, NONE),                                 // scvtf d29, w0
            (0x9e78_001d, Marks::WRITES_FP),                     // fcvtzs x29, d0
            (0x4e08_3c1e, Marks::WRITES_LINK),                   // mov x30, v0.d[0]
            (0x0e01_2c1d, Marks::WRITES_FP),                     // smov w29, v0.b[0]
            (0x0461_701d, NONE),                                 // sqdmulh z29.h, z0.h, z1.h
            (0x0420_e3fe, Marks::WRITES_LINK),                   // cntb x30
            (0x0470_c3fe, NONE),                                 // inch z30.h
            (0x0528_a01e, NONE),                                 // mov z30.b, p0/m, w0
            (0x0520_a01e, Marks::WRITES_LINK),                   // lasta w30, p0, z0.b
            (0x2520_801d, Marks::WRITES_FP),                     // cntp x29, p0, p0.b
            (0x252c_881e, Marks::WRITES_LINK),                   // incp x30, p0.b
            (0x256c_801e, NONE),                                 // incp z30.h, p0.h
            (0x2528_8c1d, Marks::WRITES_FP),                     // sqincp x29, p0.b
            (0x0420_501f, Marks::WRITES_SP),                     // addvl sp, x0, #0
            (0x043f_57df, SP_MOVES),                             // addvl sp, sp, #-2
            (0x043f_583f, SP_MOVES),                             // addsvl sp, sp, #1
            (0x04bf_501d, Marks::WRITES_FP),                     // rdvl x29, #0
            (0x1900_043d, Marks::WRITES_FP),                     // cpyfp [x29]!, [x0]!, x1!
            (0x0530_a03e, Marks::WRITES_LINK),                   // clasta w30, p0, w30, z1.b
            (0x4c40_781d, NONE),                                 // ld1 {v29.4s}, [x0]
            (0x8580_401e, NONE),                                 // ldr z30, [x0]
            (0x2521_1c0e, NONE),                                 // whilelo p14.b, x0, x1
            (0x04be_4c1e, NONE),                                 // index z30.s, w0, w30
            (0x0e61_b41d, NONE),                                 // sqdmulh v29.4h, v0.4h, v1.4h
        ];
        for (word, expected) in table {
            assert_eq!(marks(word).by_role(), expected, "{word:08x}");
        }
    }

    #[test]
    fn bounds_and_indices() {
        let bound = |word: u32| bound(&word.to_le_bytes()).map(|bound| (bound.operand, bound.limit));
        let register = |number| Operand::Register(Reg(number));
        assert_eq!(bound(0x7100_1c1f), Some((register(0), 7)), "cmp w0,#7");
        assert_eq!(bound(0xf100_483f), Some((register(1), 18)), "cmp x1,#18");
        assert_eq!(bound(0xf140_043f), None, "cmp x1,#1,lsl #12: no table is so long");
        assert_eq!(bound(0xb100_043f), None, "cmn x1,#1");
        assert_eq!(bound(0xf100_43ff), None, "cmp sp,#16");
        let index = |word: u32| index(&word.to_le_bytes());
        assert_eq!(index(0x3861_4801), Some(Reg(1)), "ldrb w1,[x0,w1,uxtw]");
        assert_eq!(index(0x7862_5801), Some(Reg(2)), "ldrh w1,[x0,w2,uxtw #1]");
        assert_eq!(index(0xf864_7803), Some(Reg(4)), "ldr x3,[x0,x4,lsl #3]");
        assert_eq!(index(0xf824_7803), None, "str x3,[x0,x4,lsl #3]");
    }

    #[test]
    fn addresses() {
        let mut pages = [None; 32];
        let mut taken = |word: u32| taken(&mut pages, &word.to_le_bytes(), 0x1234);
        assert_eq!(taken(0x1000_0080), Some(0x1244), "adr x0,.+16");
        assert_eq!(taken(0x9104_8c00), None, "add x0,x0,#0x123 before any page is known");
        assert_eq!(taken(0xb000_0000), None, "adrp x0,.+0x1000");
        assert_eq!(taken(0x9104_8c00), Some(0x2123), "add x0,x0,#0x123");
        assert_eq!(taken(0xf0ff_ffe0), None, "adrp x0,.-0x1000");
        assert_eq!(taken(0x9104_8c00), Some(0x123), "add x0,x0,#0x123");
    }
}
