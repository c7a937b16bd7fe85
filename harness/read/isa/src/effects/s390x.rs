//! Effects of s390x instructions (z/Architecture Principles of Operation SA22-7832, chapter 7 and
//! appendix B).

use types::Reg;

use super::Effect;

/// DWARF numbers of the floating-point registers (ELF ABI s390x Supplement, "DWARF Register Number
/// Mapping").
const FLOATING: [u16; 16] = [16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31];

fn general(number: u8) -> Reg {
    Reg(u16::from(number & 15))
}

/// The DWARF number of a floating-point register.
pub(crate) fn floating(number: u8) -> Reg {
    Reg(FLOATING.get(usize::from(number & 15)).copied().unwrap_or_default())
}

/// The effects of an instruction that matters to frames; `None` if they are unknown.
pub(super) fn effects(code: &[u8]) -> Option<Vec<Effect>> {
    let mut bytes = [0_u8; 6];
    bytes.iter_mut().zip(code).for_each(|(place, byte)| *place = *byte);
    let [first, second, third, fourth, fifth, last] = bytes;
    let (high, low) = (second >> 4, second & 15);
    let immediate16 = i64::from(i16::from_be_bytes([third, fourth]));
    let immediate32 = i64::from(i32::from_be_bytes([third, fourth, fifth, last]));
    // A base register, and an unsigned 12-bit or a signed 20-bit displacement.
    let base = general(third >> 4);
    let short = i64::from(third & 15) << 8 | i64::from(fourth);
    let long = i64::from(fifth.cast_signed()) << 12 | short;
    let unindexed = low == 0 && base != Reg(0);
    let to = general(high);
    let sets = |to, base, offset| Some(vec![Effect::Sets { to, base, offset }]);
    match (first, last) {
        // STMG and LMG; the register range wraps around.
        (0xeb, 0x24) => Some(each(high, low, |reg, at| Effect::Stores { from: reg, base, offset: long + at })),
        (0xeb, 0x04) => Some(loaded(each(high, low, |to, at| Effect::Loads { to, base, offset: long + at }), base)),
        // STD, STDY; LD, LDY.
        (0x60, _) if unindexed => Some(vec![Effect::Stores { from: floating(high), base, offset: short }]),
        (0xed, 0x67) if unindexed => Some(vec![Effect::Stores { from: floating(high), base, offset: long }]),
        (0x68, _) if unindexed => Some(vec![Effect::Loads { to: floating(high), base, offset: short }]),
        (0xed, 0x65) if unindexed => Some(vec![Effect::Loads { to: floating(high), base, offset: long }]),
        // STG, LG, LAY.
        (0xe3, 0x24) => Some(match unindexed {
            true => vec![Effect::Stores { from: to, base, offset: long }],
            false => Vec::new(),
        }),
        (0xe3, 0x04) if unindexed => Some(vec![Effect::Loads { to, base, offset: long }]),
        (0xe3, 0x71) if unindexed => sets(to, base, long),
        // LA.
        (0x41, _) if unindexed => sets(to, base, short),
        // LGR.
        (0xb9, _) if second == 0x04 => sets(general(fourth >> 4), general(fourth), 0),
        // AGR and SGR.
        (0xb9, _) if second == 0x08 || second == 0x09 => {
            let (to, sign) = (general(fourth >> 4), if second == 0x08 { 1 } else { -1 });
            Some(vec![Effect::Adds { to, base: to, by: general(fourth), sign }])
        }
        // AGHI, LGHI; AGFI, LGFI; SLGFI, ALGFI.
        (0xa7, _) if low == 0xb => sets(to, to, immediate16),
        (0xa7, _) if low == 0x9 => Some(vec![Effect::Constant { to, value: immediate16 }]),
        (0xc2, _) if low == 0x8 => sets(to, to, immediate32),
        (0xc2, _) if low == 0x4 => sets(to, to, -(immediate32 & 0xffff_ffff)),
        (0xc2, _) if low == 0xa => sets(to, to, immediate32 & 0xffff_ffff),
        (0xc0, _) if low == 0x1 => Some(vec![Effect::Constant { to, value: immediate32 }]),
        // AGHIK.
        (0xec, 0xd9) => sets(to, general(low), immediate16),
        // LDGR and LGDR.
        (0xb3, _) if second == 0xc1 => sets(floating(fourth >> 4), general(fourth), 0),
        (0xb3, _) if second == 0xcd => sets(general(fourth >> 4), floating(fourth), 0),
        _ => None,
    }
}

/// One effect for each register of a range, with its offset in bytes from the first slot.
fn each(from: u8, to: u8, effect: impl Fn(Reg, i64) -> Effect) -> Vec<Effect> {
    (0..=(to.wrapping_sub(from) & 15)).map(|at| effect(general(from.wrapping_add(at)), 8 * i64::from(at))).collect()
}

/// Sorts loads so that the base register is loaded last: all addresses are relative to its old
/// value.
fn loaded(mut effects: Vec<Effect>, base: Reg) -> Vec<Effect> {
    effects.sort_by_key(|effect| matches!(effect, Effect::Loads { to, .. } if *to == base));
    effects
}
