//! AArch64 (Arm Architecture Reference Manual DDI 0487, C4.1).

use types::Reg;

use super::{Address, Effects, Store};

const ZERO: u32 = 31;
/// What PACIA1716 and the like write, and the link register.
const X17: u32 = 17;
const LINK: u32 = 30;

fn reg(number: u32) -> Reg {
    Reg(number as u16)
}

pub(super) fn effects(code: &[u8]) -> Effects {
    let Some(word) = code.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes)) else { return Effects::UNKNOWN };
    let is = |mask: u32, bits: u32| word & mask == bits;
    match word >> 25 & 0xf {
        // Data processing, also of vectors: it may write the general register that the field names.
        0b1000 | 0b1001 | 0b0101 | 0b1101 | 0b0111 | 0b1111 => Effects::writing([reg(word & 31)]),
        // Branches; hints; MRS.
        0b1010 | 0b1011 => {
            let branches = is(0x7c00_0000, 0x1400_0000) || is(0xfe00_0000, 0x5400_0000) || is(0x7c00_0000, 0x3400_0000);
            if branches || is(0xfe00_0000, 0xd600_0000) || is(0xffff_f01f, 0xd503_201f) {
                Effects::writing([reg(X17), reg(LINK)])
            } else if is(0xfff0_0000, 0xd530_0000) {
                Effects::writing([reg(word & 31)])
            } else {
                Effects::UNKNOWN
            }
        }
        group if group & 0b0101 == 0b0100 => load_or_store(word),
        _ => Effects::UNKNOWN,
    }
}

fn load_or_store(word: u32) -> Effects {
    let is = |mask: u32, bits: u32| word & mask == bits;
    let (rt, rn, rt2) = (word & 31, word >> 5 & 31, word >> 10 & 31);
    if is(0x3800_0000, 0x2800_0000) {
        pair(word)
    } else if is(0x3800_0000, 0x3800_0000) {
        single(word)
    } else if is(0x3b00_0000, 0x1800_0000) {
        // LDR (literal).
        Effects::writing([reg(rt)])
    } else if is(0xbe40_0000, 0x0c40_0000) {
        // LD1 to LD4.
        Effects::writing([reg(rn)])
    } else if is(0x3f40_0000, 0x0840_0000) {
        // LDXR, LDAR, LDXP and the like, but CASP.
        if is(0x0020_0000, 0) || is(1 << 31, 1 << 31) && is(0x00a0_0000, 0x0020_0000) {
            Effects::writing([reg(rt), reg(rt2)])
        } else {
            Effects::UNKNOWN
        }
    } else {
        Effects::UNKNOWN
    }
}

/// STP, STNP, LDP, LDNP.
fn pair(word: u32) -> Effects {
    let (rt, rn, rt2, kind) = (word & 31, word >> 5 & 31, word >> 10 & 31, word >> 30);
    let (is_vector, loads, mode) = (word >> 26 & 1 == 1, word >> 22 & 1 == 1, word >> 23 & 3);
    let writes = if mode & 1 == 1 { vec![reg(rn)] } else { Vec::new() };
    if loads {
        return Effects::writing(writes.into_iter().chain([reg(rt), reg(rt2)]));
    }
    let size: u64 = match (is_vector, kind) {
        (true, 0..=2) => 4 << kind,
        (false, 0) => 4,
        (false, 2) => 8,
        // STGP.
        _ => return Effects { stores: None, writes: Some(writes) },
    };
    let field = i64::from(word << 10) << 32 >> 57;
    // After the access: at the base itself.
    let offset = if mode == 1 { 0 } else { field * size as i64 };
    let store = |number: i64, rt: u32| Store {
        address: Address { base: Some(reg(rn)), index: None, offset: offset + number * size as i64 },
        size,
        value: (!is_vector && size == 8 && rt != ZERO).then(|| reg(rt)),
    };
    Effects { stores: Some(vec![store(0, rt), store(1, rt2)]), writes: Some(writes) }
}

/// STR, STUR, STTR, LDR and their narrower forms.
fn single(word: u32) -> Effects {
    let (rt, rn, rm) = (word & 31, word >> 5 & 31, word >> 16 & 31);
    let (is_vector, log, opc, mode) = (word >> 26 & 1 == 1, word >> 30, word >> 22 & 3, word >> 10 & 3);
    let (is_scaled, is_other) = (word >> 24 & 1 == 1, word >> 21 & 1 == 1);
    if !is_scaled && is_other && mode != 2 {
        // LDADD and the like, LDRAA and LDRAB.
        return Effects::UNKNOWN;
    }
    let writes = if !is_scaled && !is_other && mode & 1 == 1 { vec![reg(rn)] } else { Vec::new() };
    let (stores, size): (bool, u64) = match is_vector {
        false => (opc == 0, 1 << log),
        true => (opc & 1 == 0, if opc & 2 == 2 { 16 } else { 1 << log }),
    };
    if !stores {
        return Effects::writing(writes.into_iter().chain([reg(rt)]));
    }
    let near = i64::from(word << 11) << 32 >> 55;
    let (index, offset) = match (is_scaled, is_other, mode) {
        (true, ..) => (None, i64::from(word >> 10 & 0xfff) * size as i64),
        (false, true, _) => (Some((reg(rm), (word >> 12 & 15) as u8)), 0),
        // After the access.
        (false, false, 1) => (None, 0),
        (false, false, _) => (None, near),
    };
    let value = (!is_vector && size == 8 && rt != ZERO).then(|| reg(rt));
    let address = Address { base: Some(reg(rn)), index, offset };
    Effects { stores: Some(vec![Store { address, size, value }]), writes: Some(writes) }
}
