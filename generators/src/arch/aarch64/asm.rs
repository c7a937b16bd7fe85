//! A64 instructions (Arm Architecture Reference Manual, C6.2: each function's bits are the diagram
//! of its instruction there). Words are little-endian in both byte orders of data (B2.6.2).

use types::PacKey;

/// The bytes of one instruction.
pub(crate) type Word = [u8; 4];

/// A general register by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gpr(pub(crate) u32);

pub(crate) const X0: Gpr = Gpr(0);
pub(crate) const X1: Gpr = Gpr(1);
pub(crate) const X8: Gpr = Gpr(8);
pub(crate) const X9: Gpr = Gpr(9);
pub(crate) const X10: Gpr = Gpr(10);
pub(crate) const X11: Gpr = Gpr(11);
pub(crate) const X12: Gpr = Gpr(12);
pub(crate) const X13: Gpr = Gpr(13);
pub(crate) const X14: Gpr = Gpr(14);
pub(crate) const X15: Gpr = Gpr(15);
pub(crate) const X16: Gpr = Gpr(16);
pub(crate) const X19: Gpr = Gpr(19);
pub(crate) const X29: Gpr = Gpr(29);
pub(crate) const X30: Gpr = Gpr(30);
/// Number 31 in operands that can be the stack pointer: of additions, and base registers.
pub(crate) const SP: Gpr = Gpr(31);
/// Number 31 in operands that can be the zero register: of loads and stores.
pub(crate) const XZR: Gpr = Gpr(31);

/// DWARF numbers of the registers (DWARF for the Arm 64-bit Architecture, 4.1).
pub(crate) mod dwarf {
    use types::Reg;

    pub(crate) const X29: Reg = Reg(29);
    pub(crate) const SP: Reg = Reg(31);
}

/// Linux's system call number of exit.
pub(crate) const EXIT: u16 = 93;

/// x29 and x30: the frame record (AAPCS64 6.2.3).
pub(crate) const RECORD: [Gpr; 2] = [X29, X30];

/// A stack address of a load or store. Offsets are bytes; those of pairs are multiples of 8.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stack {
    /// sp + offset; sp is unchanged.
    Offset(i32),
    /// sp + offset, with write-back before the access.
    Before(i32),
    /// sp, with the offset added after the access.
    After(i32),
}

pub(crate) fn stp(registers: [Gpr; 2], address: Stack) -> Word {
    pair(0, registers, address)
}

pub(crate) fn ldp(registers: [Gpr; 2], address: Stack) -> Word {
    pair(1, registers, address)
}

/// `str register, [sp, #offset]!`
pub(crate) fn str_before(register: Gpr, offset: i32) -> Word {
    word(0xf800_0c00 | field(offset, 9) << 12 | SP.0 << 5 | register.0)
}

/// `ldr register, [sp], #offset`
pub(crate) fn ldr_after(register: Gpr, offset: i32) -> Word {
    word(0xf840_0400 | field(offset, 9) << 12 | SP.0 << 5 | register.0)
}

/// `add to, left, #value`, with a 12-bit value.
pub(crate) fn add(to: Gpr, left: Gpr, value: u32) -> Word {
    word(0x9100_0000 | value << 10 | left.0 << 5 | to.0)
}

/// `sub to, left, #value`, with a 12-bit value.
pub(crate) fn sub(to: Gpr, left: Gpr, value: u32) -> Word {
    word(0xd100_0000 | value << 10 | left.0 << 5 | to.0)
}

/// `add to, left, #value, lsl #12`: a 12-bit value in units of 4096 bytes.
pub(crate) fn add_pages(to: Gpr, left: Gpr, value: u32) -> Word {
    word(0x9140_0000 | value << 10 | left.0 << 5 | to.0)
}

/// `sub to, left, #value, lsl #12`: a 12-bit value in units of 4096 bytes.
pub(crate) fn sub_pages(to: Gpr, left: Gpr, value: u32) -> Word {
    word(0xd140_0000 | value << 10 | left.0 << 5 | to.0)
}

/// SUB (extended register), UXTX: the form in which register 31 is sp.
pub(crate) fn sub_register(to: Gpr, left: Gpr, right: Gpr) -> Word {
    word(0xcb20_6000 | right.0 << 16 | left.0 << 5 | to.0)
}

/// `mov to, from` with sp as one operand: an addition of 0.
pub(crate) fn mov_sp(to: Gpr, from: Gpr) -> Word {
    add(to, from, 0)
}

pub(crate) fn movz(to: Gpr, value: u16) -> Word {
    word(0xd280_0000 | u32::from(value) << 5 | to.0)
}

/// Keeps the low `bits` bits: AND with a mask of ones.
pub(crate) fn and_low_bits(to: Gpr, from: Gpr, bits: u32) -> Word {
    word(0x9240_0000 | (bits - 1) << 10 | from.0 << 5 | to.0)
}

pub(crate) fn and(to: Gpr, left: Gpr, right: Gpr) -> Word {
    word(0x8a00_0000 | right.0 << 16 | left.0 << 5 | to.0)
}

pub(crate) fn eor(to: Gpr, left: Gpr, right: Gpr) -> Word {
    word(0xca00_0000 | right.0 << 16 | left.0 << 5 | to.0)
}

pub(crate) fn b(distance: i32) -> Word {
    word(0x1400_0000 | field(distance >> 2, 26))
}

pub(crate) fn bl(distance: i32) -> Word {
    word(0x9400_0000 | field(distance >> 2, 26))
}

/// CBZ: branches if the register is zero.
pub(crate) fn cbz(register: Gpr, distance: i32) -> Word {
    word(0xb400_0000 | field(distance >> 2, 19) << 5 | register.0)
}

/// CBNZ: branches if the register is not zero.
pub(crate) fn cbnz(register: Gpr, distance: i32) -> Word {
    word(0xb500_0000 | field(distance >> 2, 19) << 5 | register.0)
}

/// RETAA or RETAB: authenticates x30 with sp as the modifier, and returns.
pub(crate) fn ret_authenticated(key: PacKey) -> Word {
    match key {
        PacKey::A => word(0xd65f_0bff),
        PacKey::B => word(0xd65f_0fff),
    }
}

/// BR: branches to the address in a register.
pub(crate) fn br(register: Gpr) -> Word {
    word(0xd61f_0000 | register.0 << 5)
}

/// BLR: calls the address in a register.
pub(crate) fn blr(register: Gpr) -> Word {
    word(0xd63f_0000 | register.0 << 5)
}

/// ADR: the address at a distance of 21 signed bits.
pub(crate) fn adr(to: Gpr, distance: i32) -> Word {
    word(0x1000_0000 | field(distance, 2) << 29 | field(distance >> 2, 19) << 5 | to.0)
}

/// LDR (literal): loads 64 bits at a distance of 21 signed bits, a multiple of 4.
pub(crate) fn ldr_near(to: Gpr, distance: i32) -> Word {
    word(0x5800_0000 | field(distance >> 2, 19) << 5 | to.0)
}

/// `str from, [sp, #offset]`: stores 64 bits; the offset is a multiple of 8.
pub(crate) fn str_sp(from: Gpr, offset: u32) -> Word {
    word(0xf900_0000 | (offset / 8) << 10 | SP.0 << 5 | from.0)
}

/// RET: returns to the address in x30.
pub(crate) fn ret() -> Word {
    word(0xd65f_0000 | X30.0 << 5)
}

pub(crate) fn svc(number: u16) -> Word {
    word(0xd400_0001 | u32::from(number) << 5)
}

pub(crate) fn nop() -> Word {
    hint(0)
}

/// PACIASP or PACIBSP: signs x30 with sp as the modifier.
pub(crate) fn sign_x30(key: PacKey) -> Word {
    match key {
        PacKey::A => hint(25),
        PacKey::B => hint(27),
    }
}

/// AUTIASP or AUTIBSP: authenticates x30 with sp as the modifier.
pub(crate) fn authenticate_x30(key: PacKey) -> Word {
    match key {
        PacKey::A => hint(29),
        PacKey::B => hint(31),
    }
}

/// HINT: a no-op on processors that do not know the hint.
fn hint(number: u32) -> Word {
    word(0xd503_201f | number << 5)
}

/// STP or LDP of 64-bit registers: the offset has 7 bits and counts words of 8 bytes.
fn pair(load: u32, [first, second]: [Gpr; 2], address: Stack) -> Word {
    let (mode, offset) = match address {
        Stack::After(offset) => (0b001, offset),
        Stack::Offset(offset) => (0b010, offset),
        Stack::Before(offset) => (0b011, offset),
    };
    let opcode = 0xa800_0000 | mode << 23 | load << 22;
    word(opcode | field(offset / 8, 7) << 15 | second.0 << 10 | SP.0 << 5 | first.0)
}

/// The low bits of a number in two's complement.
fn field(value: i32, bits: u32) -> u32 {
    value as u32 & ((1 << bits) - 1)
}

fn word(bits: u32) -> Word {
    bits.to_le_bytes()
}

#[cfg(test)]
#[allow(clippy::unusual_byte_groupings, reason = "digits are grouped as the fields of the manual's diagrams")]
mod tests {
    use super::*;

    /// Arm ARM C6.2, the diagrams of RET, NOP, PACIASP, PACIBSP, AUTIASP and AUTIBSP (HINT: CRm and
    /// op2).
    #[test]
    fn instructions_without_operands() {
        assert_eq!(ret(), 0b1101011_0_0_10_11111_0000_0_0_11110_00000_u32.to_le_bytes());
        assert_eq!(nop(), 0b1101010100_0_00_011_0010_0000_000_11111_u32.to_le_bytes());
        assert_eq!(sign_x30(PacKey::A), 0b1101010100_0_00_011_0010_0011_001_11111_u32.to_le_bytes());
        assert_eq!(sign_x30(PacKey::B), 0b1101010100_0_00_011_0010_0011_011_11111_u32.to_le_bytes());
        assert_eq!(authenticate_x30(PacKey::A), 0b1101010100_0_00_011_0010_0011_101_11111_u32.to_le_bytes());
        assert_eq!(authenticate_x30(PacKey::B), 0b1101010100_0_00_011_0010_0011_111_11111_u32.to_le_bytes());
    }

    /// Arm ARM C6.2, the diagrams of RETAA, RETAB, BR, BLR, ADR (immlo, immhi), LDR (literal) and
    /// STR (immediate, unsigned offset).
    #[test]
    fn branches_and_near_addresses() {
        assert_eq!(ret_authenticated(PacKey::A), 0b1101011_0_0_10_11111_0000_1_0_11111_11111_u32.to_le_bytes());
        assert_eq!(ret_authenticated(PacKey::B), 0b1101011_0_0_10_11111_0000_1_1_11111_11111_u32.to_le_bytes());
        assert_eq!(br(X16), 0b1101011_0_0_00_11111_0000_0_0_10000_00000_u32.to_le_bytes());
        assert_eq!(blr(X30), 0b1101011_0_0_01_11111_0000_0_0_11110_00000_u32.to_le_bytes());
        assert_eq!(adr(X13, -3), 0b0_01_10000_1111111111111111111_01101_u32.to_le_bytes());
        assert_eq!(ldr_near(X16, 8), 0b01_011_0_00_0000000000000000010_10000_u32.to_le_bytes());
        assert_eq!(str_sp(X13, 8), 0b11_111_0_01_00_000000000001_11111_01101_u32.to_le_bytes());
    }

    /// Arm ARM C6.2, STP and LDP: opc 101 0 mode L imm7 Rt2 Rn Rt; STR (immediate), pre-index: size
    /// 111 0 00 opc 0 imm9 11 Rn Rt.
    #[test]
    fn stores_and_loads() {
        assert_eq!(stp(RECORD, Stack::Before(-16)), 0b10_101_0_011_0_1111110_11110_11111_11101_u32.to_le_bytes());
        assert_eq!(ldp(RECORD, Stack::After(16)), 0b10_101_0_001_1_0000010_11110_11111_11101_u32.to_le_bytes());
        assert_eq!(ldp(RECORD, Stack::Offset(32)), 0b10_101_0_010_1_0000100_11110_11111_11101_u32.to_le_bytes());
        assert_eq!(str_before(X30, -16), 0b11_111_0_00_00_0_111110000_11_11111_11110_u32.to_le_bytes());
    }

    /// Arm ARM C6.2, ADD (immediate): sf op S 100010 sh imm12 Rn Rd; MOVZ: sf opc 100101 hw imm16
    /// Rd; CBNZ: sf 011010 op imm19 Rt; BL: op 00101 imm26.
    #[test]
    fn immediates_and_distances() {
        assert_eq!(mov_sp(X29, SP), 0b1_0_0_100010_0_000000000000_11111_11101_u32.to_le_bytes());
        assert_eq!(sub_pages(SP, SP, 1), 0b1_1_0_100010_1_000000000001_11111_11111_u32.to_le_bytes());
        assert_eq!(movz(X8, 93), 0b1_10_100101_00_0000000001011101_01000_u32.to_le_bytes());
        assert_eq!(cbnz(X1, -8), 0b1_011010_1_1111111111111111110_00001_u32.to_le_bytes());
        assert_eq!(bl(-4), 0b1_00101_11111111111111111111111111_u32.to_le_bytes());
    }
}
