//! 128-bit SSE: integer instructions and moves (Intel SDM volume 2). Excludes VEX encodings and
//! MMX.

use iced_x86::{Code, Instruction, Mnemonic, OpKind, Register};

use super::{address, size};
use crate::flow::amd64::dwarf;
use crate::simple::{Does, Lanes, Operand, Side, Simple, Size, Vector};

/// The operation of an SSE instruction; `None` if it is not a simple one.
pub(super) fn decode(instruction: &Instruction) -> Option<Simple> {
    use Mnemonic as M;
    if (0..instruction.op_count()).any(|operand| is_foreign(instruction, operand)) || instruction.has_lock_prefix() {
        return None;
    }
    let immediate = || (instruction.op_count() > 2).then(|| instruction.immediate8());
    let lanes = |lanes, size| lanes_of(instruction, lanes, size);
    let both = |vector| decode_pair(instruction, vector);
    match instruction.mnemonic() {
        M::Movdqa | M::Movaps | M::Movapd | M::Movntdq | M::Movntps | M::Movntpd => moves(instruction, 16, true),
        M::Movdqu | M::Movups | M::Movupd | M::Lddqu => moves(instruction, 16, false),
        M::Movd | M::Movss => moves(instruction, 4, false),
        // MOVSD is also the mnemonic of a string move.
        M::Movq | M::Movsd if instruction.code() != Code::Movsd_m32_m32 => moves(instruction, 8, false),
        M::Movlps | M::Movlpd => half(instruction, 0, 0),
        M::Movhps | M::Movhpd => half(instruction, 8, 8),
        M::Movhlps => half(instruction, 8, 0),
        M::Movlhps => half(instruction, 0, 8),
        M::Pextrw | M::Pextrd | M::Pextrq | M::Pextrb => extracts(instruction),
        M::Pinsrw | M::Pinsrd | M::Pinsrq | M::Pinsrb => inserts(instruction),
        M::Pand | M::Andps | M::Andpd => lanes(Lanes::And, Size::Eight),
        M::Pandn | M::Andnps | M::Andnpd => lanes(Lanes::AndNot, Size::Eight),
        M::Por | M::Orps | M::Orpd => lanes(Lanes::Or, Size::Eight),
        M::Pxor | M::Xorps | M::Xorpd => lanes(Lanes::Xor, Size::Eight),
        M::Paddb => lanes(Lanes::Add, Size::One),
        M::Paddw => lanes(Lanes::Add, Size::Two),
        M::Paddd => lanes(Lanes::Add, Size::Four),
        M::Paddq => lanes(Lanes::Add, Size::Eight),
        M::Psubb => lanes(Lanes::Subtract, Size::One),
        M::Psubw => lanes(Lanes::Subtract, Size::Two),
        M::Psubd => lanes(Lanes::Subtract, Size::Four),
        M::Psubq => lanes(Lanes::Subtract, Size::Eight),
        M::Pcmpeqb => lanes(Lanes::Equal, Size::One),
        M::Pcmpeqw => lanes(Lanes::Equal, Size::Two),
        M::Pcmpeqd => lanes(Lanes::Equal, Size::Four),
        M::Pcmpgtb => lanes(Lanes::Greater, Size::One),
        M::Pcmpgtw => lanes(Lanes::Greater, Size::Two),
        M::Pcmpgtd => lanes(Lanes::Greater, Size::Four),
        M::Pminub => lanes(Lanes::MinimumUnsigned, Size::One),
        M::Pmaxub => lanes(Lanes::MaximumUnsigned, Size::One),
        M::Pminsw => lanes(Lanes::MinimumSigned, Size::Two),
        M::Pmaxsw => lanes(Lanes::MaximumSigned, Size::Two),
        M::Pmullw => lanes(Lanes::MultiplyLow, Size::Two),
        M::Pmuludq => lanes(Lanes::MultiplyHalves, Size::Eight),
        M::Psllw => lanes(Lanes::ShiftLeft, Size::Two),
        M::Pslld => lanes(Lanes::ShiftLeft, Size::Four),
        M::Psllq => lanes(Lanes::ShiftLeft, Size::Eight),
        M::Psrlw => lanes(Lanes::ShiftRight, Size::Two),
        M::Psrld => lanes(Lanes::ShiftRight, Size::Four),
        M::Psrlq => lanes(Lanes::ShiftRight, Size::Eight),
        M::Psraw => lanes(Lanes::ShiftRightSigned, Size::Two),
        M::Psrad => lanes(Lanes::ShiftRightSigned, Size::Four),
        M::Pslldq => by_value(instruction, Vector::ShiftsBytesUp),
        M::Psrldq => by_value(instruction, Vector::ShiftsBytesDown),
        M::Punpcklbw => both(Vector::Interleaves(Side::Low, Size::One)),
        M::Punpcklwd => both(Vector::Interleaves(Side::Low, Size::Two)),
        M::Punpckldq | M::Unpcklps => both(Vector::Interleaves(Side::Low, Size::Four)),
        M::Punpcklqdq | M::Unpcklpd => both(Vector::Interleaves(Side::Low, Size::Eight)),
        M::Punpckhbw => both(Vector::Interleaves(Side::High, Size::One)),
        M::Punpckhwd => both(Vector::Interleaves(Side::High, Size::Two)),
        M::Punpckhdq | M::Unpckhps => both(Vector::Interleaves(Side::High, Size::Four)),
        M::Punpckhqdq | M::Unpckhpd => both(Vector::Interleaves(Side::High, Size::Eight)),
        M::Pshufd => both(Vector::Shuffles(immediate()?)),
        M::Pshuflw => both(Vector::ShufflesWords(Side::Low, immediate()?)),
        M::Pshufhw => both(Vector::ShufflesWords(Side::High, immediate()?)),
        M::Shufps => both(Vector::ShufflesSingles(immediate()?)),
        M::Shufpd => both(Vector::ShufflesDoubles(immediate()?)),
        M::Pshufb => both(Vector::ShufflesBytes),
        M::Palignr => both(Vector::Aligns(immediate()?)),
        M::Pmovmskb => signs(instruction, Size::One),
        M::Movmskps => signs(instruction, Size::Four),
        M::Movmskpd => signs(instruction, Size::Eight),
        _ => None,
    }
}

/// Returns true for a register other than a 32-bit or 64-bit general register or XMM0 to XMM15.
fn is_foreign(instruction: &Instruction, operand: u32) -> bool {
    let register = instruction.op_register(operand);
    instruction.op_kind(operand) == OpKind::Register
        && !(register.is_gpr32() || register.is_gpr64() || number(register).is_some())
}

fn number(register: Register) -> Option<u8> {
    let number = u8::try_from(register.number()).ok().filter(|number| *number < 16);
    number.filter(|_| register.is_xmm())
}

fn place(instruction: &Instruction, operand: u32) -> Option<Operand> {
    match instruction.op_kind(operand) {
        OpKind::Register => {
            let register = instruction.op_register(operand);
            number(register).map(Operand::Vector).or_else(|| dwarf(register).map(Operand::Register))
        }
        OpKind::Memory => address(instruction).map(Operand::Memory),
        _ => None,
    }
}

fn simple(instruction: &Instruction, vector: Vector) -> Option<Simple> {
    let (to, from) = (place(instruction, 0)?, place(instruction, 1)?);
    Some(Simple { does: Does::Vector(vector), size: Size::Eight, to, from })
}

/// An operation on two vectors, or on a vector and memory that must be 16-byte aligned.
fn decode_pair(instruction: &Instruction, vector: Vector) -> Option<Simple> {
    simple(instruction, vector).filter(|simple| matches!(simple.to, Operand::Vector(_)))
}

fn lanes_of(instruction: &Instruction, lanes: Lanes, size: Size) -> Option<Simple> {
    match instruction.op_kind(1) {
        OpKind::Immediate8 => {
            let simple = by_value(instruction, |_| Vector::Lanes(lanes, size))?;
            Some(Simple { from: Operand::Value(u64::from(instruction.immediate8())), ..simple })
        }
        _ => decode_pair(instruction, Vector::Lanes(lanes, size)),
    }
}

fn by_value(instruction: &Instruction, vector: impl Fn(u8) -> Vector) -> Option<Simple> {
    let (to, value) = (place(instruction, 0)?, instruction.immediate8());
    Some(Simple { does: Does::Vector(vector(value)), size: Size::Eight, to, from: Operand::Value(u64::from(value)) })
}

/// A move of `bytes` bytes. Loads and moves from integers clear the rest of the vector; scalar
/// moves between vectors do not.
fn moves(instruction: &Instruction, bytes: u8, aligned: bool) -> Option<Simple> {
    let of = |operand| instruction.op_kind(operand) == OpKind::Register && instruction.op_register(operand).is_xmm();
    let scalar = matches!(instruction.mnemonic(), Mnemonic::Movss | Mnemonic::Movsd);
    let clears = !(scalar && of(0) && of(1));
    // A 4-byte move with a 64-bit integer operand is the REX.W form.
    let bytes = match (bytes, size(instruction, 0), size(instruction, 1)) {
        (4, Some(Size::Eight), _) | (4, _, Some(Size::Eight)) => return None,
        _ => bytes,
    };
    simple(instruction, Vector::Moves { bytes, first: 0, at: 0, clears, aligned })
}

fn half(instruction: &Instruction, first: u8, at: u8) -> Option<Simple> {
    simple(instruction, Vector::Moves { bytes: 8, first, at, clears: false, aligned: false })
}

/// Element size in bytes.
fn element(instruction: &Instruction) -> Option<u8> {
    Some(match instruction.mnemonic() {
        Mnemonic::Pextrb | Mnemonic::Pinsrb => 1,
        Mnemonic::Pextrw | Mnemonic::Pinsrw => 2,
        Mnemonic::Pextrd | Mnemonic::Pinsrd => 4,
        Mnemonic::Pextrq | Mnemonic::Pinsrq => 8,
        _ => return None,
    })
}

fn extracts(instruction: &Instruction) -> Option<Simple> {
    let bytes = element(instruction)?;
    let first = instruction.immediate8() % (16 / bytes) * bytes;
    simple(instruction, Vector::Moves { bytes, first, at: 0, clears: true, aligned: false })
}

fn inserts(instruction: &Instruction) -> Option<Simple> {
    let bytes = element(instruction)?;
    let at = instruction.immediate8() % (16 / bytes) * bytes;
    simple(instruction, Vector::Moves { bytes, first: 0, at, clears: false, aligned: false })
}

fn signs(instruction: &Instruction, size: Size) -> Option<Simple> {
    simple(instruction, Vector::Signs(size))
}
