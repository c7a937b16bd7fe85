//! AArch64 instructions that compilers emit for Armv9 and that an emulator of Armv8 with SVE may
//! lack: SVE2 instructions on bits and addresses, and CSSC. (Arm ARM DDI 0487, C6.2 and C8.2.)

/// One of these instructions, with its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalable {
    pub operation: Operation,
    /// The register in bits 0 to 4: the destination, and first source of [`Operation::Bits`].
    pub first: u8,
    /// The register in bits 5 to 9.
    pub second: u8,
    /// The register in bits 16 to 20.
    pub third: u8,
    /// Width in bits of the general register or of the element.
    pub size: u32,
}

/// The operation of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A bitwise operation on three vectors.
    Bits(Bits),
    /// WHILEWR and WHILERW: a predicate from the distance of two addresses.
    Apart(Apart),
    /// An operation on one general register.
    One(One),
    /// An operation on two general registers.
    Two(Two),
    /// An operation on a general register and an 8-bit constant, sign-extended for signed
    /// operations.
    Constant(Two, i64),
}

/// Bitwise operations: BSL and similar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "names of the manual")]
pub enum Bits {
    Eor3,
    Bcax,
    Bsl,
    Bsl1n,
    Bsl2n,
    Nbsl,
}

/// The kind of conflict between two memory accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// A read after a write.
    WriteRead,
    /// A write after a read, or a read after a write.
    ReadWrite,
}

/// Operations with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "names of the manual")]
pub enum One {
    Ctz,
    Cnt,
    Abs,
}

/// Operations with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "names of the manual")]
pub enum Two {
    Smax,
    Umax,
    Smin,
    Umin,
}

/// The instruction at the start of `code`, if it is one of these.
#[must_use]
#[inline]
pub fn scalable(code: &[u8]) -> Option<Scalable> {
    let word = u32::from_le_bytes(*code.first_chunk()?);
    let is = |mask: u32, bits: u32| word & mask == bits;
    let size = if is(1 << 31, 0) { 32 } else { 64 };
    let (operation, size) = if is(0xff20_f800, 0x0420_3800) {
        (Operation::Bits(bits(word)?), 64)
    } else if is(0xff20_fc00, 0x2520_3000) {
        (Operation::Apart(if is(1 << 4, 0) { Apart::WriteRead } else { Apart::ReadWrite }), 8 << (word >> 22 & 3))
    } else if is(0x7fff_f000, 0x5ac0_1000) || is(0x7fff_fc00, 0x5ac0_2000) {
        let one = match word >> 10 & 0xf {
            0x6 => One::Ctz,
            0x7 => One::Cnt,
            0x8 => One::Abs,
            _ => return None,
        };
        (Operation::One(one), size)
    } else if is(0x7fe0_f000, 0x1ac0_6000) {
        (Operation::Two(two(word >> 10)), size)
    } else if is(0x7ff0_0000, 0x11c0_0000) {
        let (two, byte) = (two(word >> 18), (word >> 10) as u8);
        let constant = if matches!(two, Two::Smax | Two::Smin) { i64::from(byte as i8) } else { byte.into() };
        (Operation::Constant(two, constant), size)
    } else {
        return None;
    };
    let field = |from: u32| (word >> from & 31) as u8;
    Some(Scalable { operation, first: field(0), second: field(5), third: field(16), size })
}

/// Returns true for SVE encodings (Arm ARM DDI 0487, C4.1: op0 0010).
#[must_use]
#[inline]
pub fn is_scalable(code: &[u8]) -> bool {
    word(code).is_some_and(|word| word >> 25 & 0xf == 0b0010)
}

/// The vector register of which a computing instruction of Advanced SIMD or floating point writes
/// the first 128 bits and clears the others (Arm ARM DDI 0487, C4.1.95 and A1.4.3). `None` for
/// instructions that write a general register or the flags.
#[must_use]
#[inline]
pub fn written_vector(code: &[u8]) -> Option<u8> {
    let word = word(code)?;
    let is_vector = word >> 25 & 7 == 7 && !writes_general(word) && !compares(word);
    is_vector.then_some((word & 31) as u8)
}

/// Returns true for FCMP and FCCMP, which write the flags.
fn compares(word: u32) -> bool {
    let is = |mask: u32, bits: u32| word & mask == bits;
    is(0xff20_3c00, 0x1e20_2000) || is(0xff20_0c00, 0x1e20_0400)
}

/// Returns true for an instruction of Advanced SIMD or floating point that writes a general
/// register: FMOV, conversions to integers, UMOV and SMOV.
pub(crate) fn writes_general(word: u32) -> bool {
    let is = |mask: u32, bits: u32| word & mask == bits;
    if is(0x7f20_fc00, 0x1e20_0000) {
        // Floating point to or from integer: opcodes 010, 011 and 111 write a vector.
        !matches!(word >> 16 & 7, 2 | 3 | 7)
    } else if is(0x7f20_0000, 0x1e00_0000) {
        // Fixed point.
        !matches!(word >> 16 & 7, 2 | 3)
    } else {
        is(0xbfe0_ec00, 0x0e00_2c00)
    }
}

fn word(code: &[u8]) -> Option<u32> {
    code.first_chunk().map(|word| u32::from_le_bytes(*word))
}

fn bits(word: u32) -> Option<Bits> {
    Some(match (word >> 22 & 3, word >> 10 & 1) {
        (0, 0) => Bits::Eor3,
        (1, 0) => Bits::Bcax,
        (0, 1) => Bits::Bsl,
        (1, 1) => Bits::Bsl1n,
        (2, 1) => Bits::Bsl2n,
        (3, 1) => Bits::Nbsl,
        _ => return None,
    })
}

fn two(code: u32) -> Two {
    match code & 3 {
        0 => Two::Smax,
        1 => Two::Umax,
        2 => Two::Smin,
        _ => Two::Umin,
    }
}
