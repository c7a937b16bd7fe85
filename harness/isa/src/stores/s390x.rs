//! s390x (z/Architecture Principles of Operation SA22-7832, chapters 5, 7 and appendix B): the
//! stores that compilers emit; of any other instruction that is not known to store nothing, nothing
//! is certain.

use types::Reg;

use super::{Address, Effects, Store};
use crate::flow::s390x::stores_nothing;

fn reg(number: u8) -> Reg {
    Reg(number.into())
}

pub(super) fn effects(code: &[u8]) -> Effects {
    let Some([first, second]) = code.first_chunk::<2>().copied() else { return Effects::UNKNOWN };
    let byte = |at: usize| code.get(at).copied().unwrap_or_default();
    let (high, low, last) = (second >> 4, second & 15, byte(5));
    if stores_nothing(code) {
        // RRE and RRF name the result in the last byte.
        return Effects::writing([reg(if first == 0xb9 { byte(3) >> 4 } else { high })]);
    }
    match (first, last) {
        // BCR, BC; BASR, BRAS, BRASL, BRCT and the like; LD, LE and what computes in floating
        // point, LGDR.
        (0x07 | 0x47, _) => Effects::writing([]),
        (0x05 | 0x06 | 0x0d | 0xa7 | 0xc0, _) => Effects::writing([reg(high)]),
        (0x20..=0x3f | 0x68 | 0x78, _) => Effects::writing([]),
        (0xb3, _) => Effects::writing([reg(byte(3) >> 4)]),
        // LM, LMY, LMG.
        (0x98, _) | (0xeb, 0x04 | 0x98) => Effects::writing(range(high, low).map(reg)),
        // STH, STC, ST, STD, STE.
        (0x40, _) => short(code, 2, None),
        (0x42, _) => short(code, 1, None),
        (0x50, _) => short(code, 4, None),
        (0x60, _) => short(code, 8, None),
        (0x70, _) => short(code, 4, None),
        // STG, STRVG; STY, STRV; STHY, STRVH; STCY; STDY, STEY.
        (0xe3, 0x24) => long(code, 8, Some(reg(high))),
        (0xe3, 0x2f) => long(code, 8, None),
        (0xe3, 0x50 | 0x3e) => long(code, 4, None),
        (0xe3, 0x70 | 0x3f) => long(code, 2, None),
        (0xe3, 0x72) => long(code, 1, None),
        (0xed, 0x67) => long(code, 8, None),
        (0xed, 0x66) => long(code, 4, None),
        // STM, STMY; STMG.
        (0x90, _) => Effects::storing(many(Address { index: None, ..near(code, false) }, high, low, 4)),
        (0xeb, 0x90) => Effects::storing(many(far(code, false), high, low, 4)),
        (0xeb, 0x24) => Effects::storing(many(far(code, false), high, low, 8)),
        // MVI, MVIY; MVHHI, MVGHI, MVHI.
        (0x92, _) => one(near(code, false), 1, None),
        (0xeb, 0x52) => one(far(code, false), 1, None),
        (0xe5, _) if second == 0x44 => one(near(code, false), 2, None),
        (0xe5, _) if second == 0x48 => one(near(code, false), 8, None),
        (0xe5, _) if second == 0x4c => one(near(code, false), 4, None),
        // NC, OC, XC, MVC: the length field plus one bytes.
        (0xd2 | 0xd4 | 0xd6 | 0xd7, _) => one(near(code, false), u64::from(second) + 1, None),
        _ => Effects::UNKNOWN,
    }
}

/// Registers from one to another, around the end.
fn range(from: u8, to: u8) -> impl Iterator<Item = u8> {
    (0..=(to.wrapping_sub(from) & 15)).map(move |number| from.wrapping_add(number) & 15)
}

fn one(address: Address, size: u64, value: Option<Reg>) -> Effects {
    Effects::storing(vec![Store { address, size, value }])
}

/// RX: a displacement of 12 bits.
fn short(code: &[u8], size: u64, value: Option<Reg>) -> Effects {
    one(near(code, true), size, value)
}

/// RXY: a displacement of 20 bits.
fn long(code: &[u8], size: u64, value: Option<Reg>) -> Effects {
    one(far(code, true), size, value)
}

/// A register that is part of an address; number 0 means no register.
fn part(number: u8) -> Option<Reg> {
    (number != 0).then(|| reg(number))
}

/// The address with a displacement of 12 bits. `indexed`: the second byte has an index register.
fn near(code: &[u8], indexed: bool) -> Address {
    let byte = |at: usize| code.get(at).copied().unwrap_or_default();
    let index = if indexed { part(byte(1) & 15).map(|index| (index, 1)) } else { None };
    Address { base: part(byte(2) >> 4), index, offset: i64::from(byte(2) & 15) << 8 | i64::from(byte(3)) }
}

/// The same with a displacement of 20 bits, which is signed.
fn far(code: &[u8], indexed: bool) -> Address {
    let high = code.get(4).copied().unwrap_or_default();
    let address = near(code, indexed);
    Address { offset: i64::from(high as i8) << 12 | address.offset, ..address }
}

/// Registers from one to another, each of that many bytes.
fn many(address: Address, from: u8, to: u8, size: u64) -> Vec<Store> {
    let store = |(number, register)| Store {
        address: Address { offset: address.offset + number as i64 * size as i64, ..address },
        size,
        value: (size == 8).then(|| reg(register)),
    };
    range(from, to).enumerate().map(store).collect()
}
