//! Effects of AArch64 instructions (Arm Architecture Reference Manual DDI 0487, C4.1).

use types::{ByteOrder, Reg};

use super::Effect;

const SP: u16 = 31;
/// V0, of which the lower 64 bits are followed (DWARF for the Arm 64-bit Architecture, 4.1).
const V0: u16 = 64;

/// An instruction word, for the fields that instructions share: Rd or Rt, Rn, Rt2, Rm.
struct Fields {
    word: u32,
    order: ByteOrder,
}

impl Fields {
    fn is(&self, mask: u32, bits: u32) -> bool {
        self.word & mask == bits
    }

    fn register(&self, from: u32) -> Reg {
        Reg((self.word >> from & 31) as u16)
    }

    fn signed(&self, from: u32, bits: u32) -> i64 {
        i64::from(self.word >> from) << (64 - bits) >> (64 - bits)
    }

    fn unsigned(&self, from: u32, bits: u32) -> i64 {
        i64::from(self.word >> from & ((1 << bits) - 1))
    }

    /// A load or a store of the lower 64 bits of a vector register; `None` for fewer.
    fn vector_transfer(&self, size: i64, load: bool, reg: Reg, base: Reg, at: i64) -> Option<Effect> {
        let offset = match (size, self.order) {
            (8, _) | (16, ByteOrder::Little) => at,
            (16, ByteOrder::Big) => at + 8,
            _ => return None,
        };
        let reg = Reg(V0 + reg.0);
        Some(if load { Effect::Loads { to: reg, base, offset } } else { Effect::Stores { from: reg, base, offset } })
    }
}

/// The effects of an instruction that matters to frames; `None` if they are unknown.
pub(super) fn effects(code: &[u8], order: ByteOrder) -> Option<Vec<Effect>> {
    let fields = Fields { word: u32::from_le_bytes(*code.first_chunk::<4>()?), order };
    let (rd, rn) = (fields.register(0), fields.register(5));
    // Hints: NOP, BTI, and PAC*, AUT*, XPACLRI, which move no value.
    if fields.is(0xffff_f01f, 0xd503_201f) {
        return Some(Vec::new());
    }
    pair(&fields).or_else(|| single(&fields)).or_else(|| {
        // ADD and SUB of 64 bits, immediate.
        if fields.is(0xbf80_0000, 0x9100_0000) || fields.is(0xff80_0000, 0xd100_0000) {
            let shift = if fields.is(1 << 22, 1 << 22) { 12 } else { 0 };
            let amount = fields.unsigned(10, 12) << shift;
            let offset = if fields.is(1 << 30, 0) { amount } else { -amount };
            return (!fields.is(1 << 29, 1 << 29)).then(|| vec![Effect::Sets { to: rd, base: rn, offset }]);
        }
        // ADD and SUB, extended register (UXTX #0): the form that has SP.
        if fields.is(0xbfe0_fc00, 0x8b20_6000) {
            let sign = if fields.is(1 << 30, 0) { 1 } else { -1 };
            return Some(vec![Effect::Adds { to: rd, base: rn, by: fields.register(16), sign }]);
        }
        // MOV (register): ORR with XZR.
        if fields.is(0xffe0_ffe0, 0xaa00_03e0) {
            return not_zero(rd).map(|to| vec![Effect::Sets { to, base: fields.register(16), offset: 0 }]);
        }
        // MOVZ and MOVN of 64 bits.
        if fields.is(0xff80_0000, 0xd280_0000) || fields.is(0xff80_0000, 0x9280_0000) {
            let value = fields.unsigned(5, 16) << (16 * fields.unsigned(21, 2));
            let value = if fields.is(1 << 30, 0) { !value } else { value };
            return not_zero(rd).map(|to| vec![Effect::Constant { to, value }]);
        }
        // MOVK of 64 bits.
        if fields.is(0xff80_0000, 0xf280_0000) {
            let (bits, at) = (fields.unsigned(5, 16) as u16, 16 * fields.unsigned(21, 2) as u32);
            return not_zero(rd).map(|to| vec![Effect::Inserts { to, bits, at }]);
        }
        None
    })
}

/// The register, or `None` for number 31, which is XZR in instructions that cannot use SP.
fn not_zero(reg: Reg) -> Option<Reg> {
    (reg.0 != SP).then_some(reg)
}

/// The effects of LDP and STP of 64-bit general registers and of vector registers.
fn pair(fields: &Fields) -> Option<Vec<Effect>> {
    if !fields.is(0x3a00_0000, 0x2800_0000) {
        return None;
    }
    let vector = fields.is(1 << 26, 1 << 26);
    let size = fields.word >> 30;
    let scale = match (vector, size) {
        (true, 0..=2) => 4 << size,
        (false, 2) => 8,
        _ => return None,
    };
    let (first, base, second) = (fields.register(0), fields.register(5), fields.register(10));
    let offset = fields.signed(15, 7) * scale;
    let moved = |at: i64| {
        let both = [(first, at), (second, at + scale)];
        let load = fields.is(1 << 22, 1 << 22);
        let one = |(reg, at)| match vector {
            true => fields.vector_transfer(scale, load, reg, base, at),
            false => transfer(load, reg, base, at),
        };
        both.into_iter().filter_map(one).collect()
    };
    Some(indexed(fields.word >> 23 & 3, base, offset, moved))
}

/// The effects of LDR and STR of a 64-bit general register or of a vector register.
fn single(fields: &Fields) -> Option<Vec<Effect>> {
    if !fields.is(0x3a00_0000, 0x3800_0000) {
        return None;
    }
    let vector = fields.is(1 << 26, 1 << 26);
    let wide = fields.is(0xc480_0000, 0xc000_0000);
    let load = fields.is(1 << 22, 1 << 22);
    // The size of a vector register has a third bit.
    let scale = if vector { 1 << (fields.word >> 30 | fields.word >> 21 & 4) } else { 8 };
    let (reg, base) = (fields.register(0), fields.register(5));
    let moved = |at: i64| match vector {
        true => fields.vector_transfer(scale, load, reg, base, at).into_iter().collect(),
        false if wide => transfer(load, reg, base, at).into_iter().collect(),
        false => Vec::new(),
    };
    if fields.is(1 << 24, 1 << 24) {
        // Unsigned offset.
        return (wide || vector).then(|| moved(fields.unsigned(10, 12) * scale));
    }
    if fields.is(1 << 21, 1 << 21) || !(wide || vector) {
        return None;
    }
    let offset = fields.signed(12, 9);
    let mode = match fields.word >> 10 & 3 {
        0 => 2,
        1 => 1,
        3 => 3,
        _ => return None,
    };
    Some(indexed(mode, base, offset, moved))
}

/// A load or a store of 8 bytes; `None` for a load into XZR.
fn transfer(load: bool, reg: Reg, base: Reg, offset: i64) -> Option<Effect> {
    match load {
        true => not_zero(reg).map(|to| Effect::Loads { to, base, offset }),
        false => not_zero(reg).map(|from| Effect::Stores { from, base, offset }),
    }
}

/// The effects of a pair by its addressing mode: 1 post-index, 3 pre-index, else an offset.
fn indexed(mode: u32, base: Reg, offset: i64, moved: impl Fn(i64) -> Vec<Effect>) -> Vec<Effect> {
    let write_back = Effect::Sets { to: base, base, offset };
    match mode {
        1 => moved(0).into_iter().chain([write_back]).collect(),
        3 => [write_back].into_iter().chain(moved(0)).collect(),
        _ => moved(offset),
    }
}
