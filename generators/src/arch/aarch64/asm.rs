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
