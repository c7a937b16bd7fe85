//! AMD64 instructions (Intel SDM volume 2: each function's opcode is that of its page in chapters 3
//! to 5; ModR/M and SIB bytes are tables 2-2 and 2-3, REX prefixes section 2.2.1).

/// A general register by its encoding, which is not its DWARF number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gpr(pub(crate) u8);

pub(crate) const RAX: Gpr = Gpr(0);
pub(crate) const RCX: Gpr = Gpr(1);
pub(crate) const RBX: Gpr = Gpr(3);
pub(crate) const RSP: Gpr = Gpr(4);
pub(crate) const RBP: Gpr = Gpr(5);
pub(crate) const RDX: Gpr = Gpr(2);
pub(crate) const RSI: Gpr = Gpr(6);
pub(crate) const RDI: Gpr = Gpr(7);
pub(crate) const R8: Gpr = Gpr(8);
pub(crate) const R9: Gpr = Gpr(9);
pub(crate) const R10: Gpr = Gpr(10);
pub(crate) const R11: Gpr = Gpr(11);
pub(crate) const R12: Gpr = Gpr(12);
pub(crate) const R13: Gpr = Gpr(13);
pub(crate) const R14: Gpr = Gpr(14);
pub(crate) const R15: Gpr = Gpr(15);

/// DWARF numbers of the registers (System V AMD64 psABI 1.0, figure 3.36).
pub(crate) mod dwarf {
    use types::Reg;

    pub(crate) const RBP: Reg = Reg(6);
    pub(crate) const RSP: Reg = Reg(7);
    pub(crate) const R8: Reg = Reg(8);
    pub(crate) const R10: Reg = Reg(10);
    pub(crate) const R11: Reg = Reg(11);
}

/// Linux's system call number of exit.
pub(crate) const EXIT: u32 = 60;

/// Width of operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    Bits32,
    Bits64,
}

/// A memory operand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Memory {
    /// Base register and an 8-bit displacement, which is encoded even if it is 0.
    Near(Gpr, i8),
    /// Base register and a 32-bit displacement, for any value.
    Far(Gpr, i32),
    /// Relative to the next instruction's address.
    Rip(i32),
}

pub(crate) fn push(register: Gpr) -> Vec<u8> {
    on_opcode(0x50, register)
}

pub(crate) fn pop(register: Gpr) -> Vec<u8> {
    on_opcode(0x58, register)
}

/// PUSH of a 32-bit immediate, sign-extended to 64 bits.
pub(crate) fn push_i32(value: i32) -> Vec<u8> {
    [&[0x68][..], &value.to_le_bytes()].concat()
}

pub(crate) fn push_memory(memory: Memory) -> Vec<u8> {
    // PUSH has 64-bit operands without REX.W.
    with_memory(Operands::Bits32, 0xff, 6, memory)
}

/// MOV of 64 bits between registers.
pub(crate) fn mov(to: Gpr, from: Gpr) -> Vec<u8> {
    with_register(Operands::Bits64, 0x89, from.0, to)
}

/// MOV of a 32-bit immediate; the upper half of the register becomes 0.
pub(crate) fn mov_u32(to: Gpr, value: u32) -> Vec<u8> {
    [on_opcode(0xb8, to), value.to_le_bytes().to_vec()].concat()
}

/// MOV of 64 bits from memory.
pub(crate) fn load(to: Gpr, from: Memory) -> Vec<u8> {
    with_memory(Operands::Bits64, 0x8b, to.0, from)
}

/// MOV of 64 bits to memory.
pub(crate) fn store(to: Memory, from: Gpr) -> Vec<u8> {
    with_memory(Operands::Bits64, 0x89, from.0, to)
}

pub(crate) fn lea(to: Gpr, from: Memory) -> Vec<u8> {
    with_memory(Operands::Bits64, 0x8d, to.0, from)
}

/// LEA of the lower 32 bits; the upper half of the register becomes 0.
pub(crate) fn lea_u32(to: Gpr, from: Memory) -> Vec<u8> {
    with_memory(Operands::Bits32, 0x8d, to.0, from)
}

/// ADD of an immediate to 64 bits; the short form if the value has fewer than 8 bits.
pub(crate) fn add(to: Gpr, value: u32) -> Vec<u8> {
    immediate(Operands::Bits64, 0, to, value)
}

/// SUB of an immediate from 64 bits; the short form if the value has fewer than 8 bits.
pub(crate) fn sub(from: Gpr, value: u32) -> Vec<u8> {
    immediate(Operands::Bits64, 5, from, value)
}

/// SUB of 64-bit registers.
pub(crate) fn sub_register(from: Gpr, value: Gpr) -> Vec<u8> {
    with_register(Operands::Bits64, 0x29, value.0, from)
}

/// AND of 64 bits that rounds down to a multiple of `bytes`, a power of two of at most 128.
pub(crate) fn align_down(register: Gpr, bytes: u8) -> Vec<u8> {
    [with_register(Operands::Bits64, 0x83, 4, register), vec![bytes.wrapping_neg()]].concat()
}

/// AND of 32 bits with an immediate.
pub(crate) fn and_u32(register: Gpr, value: u32) -> Vec<u8> {
    immediate(Operands::Bits32, 4, register, value)
}

/// XOR of 32-bit registers.
pub(crate) fn xor_u32(to: Gpr, with: Gpr) -> Vec<u8> {
    with_register(Operands::Bits32, 0x31, with.0, to)
}

/// TEST of 32-bit registers.
pub(crate) fn test_u32(left: Gpr, right: Gpr) -> Vec<u8> {
    with_register(Operands::Bits32, 0x85, right.0, left)
}

/// DEC of a 32-bit register.
pub(crate) fn dec_u32(register: Gpr) -> Vec<u8> {
    with_register(Operands::Bits32, 0xff, 1, register)
}

/// ENTER: pushes rbp, makes it the frame pointer and allocates `bytes` of stack.
pub(crate) fn enter(bytes: u16) -> Vec<u8> {
    let [low, high] = bytes.to_le_bytes();
    vec![0xc8, low, high, 0]
}

pub(crate) fn leave() -> Vec<u8> {
    vec![0xc9]
}

pub(crate) fn ret() -> Vec<u8> {
    vec![0xc3]
}

pub(crate) fn syscall() -> Vec<u8> {
    vec![0x0f, 0x05]
}

pub(crate) fn hlt() -> Vec<u8> {
    vec![0xf4]
}

pub(crate) fn nop() -> Vec<u8> {
    vec![0x90]
}

/// `nopl 0(%rax)`: 4 bytes (SDM, NOP, table 4-12).
pub(crate) fn nopl() -> Vec<u8> {
    vec![0x0f, 0x1f, 0x40, 0x00]
}

/// `nopw %cs:0(%rax,%rax)`: the 9 bytes of table 4-12 after a segment prefix, as assemblers pad.
pub(crate) fn nopw() -> Vec<u8> {
    vec![0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0]
}

pub(crate) fn call(distance: i32) -> Vec<u8> {
    relative(&[0xe8], distance)
}

pub(crate) fn jmp(distance: i32) -> Vec<u8> {
    relative(&[0xe9], distance)
}

/// JZ: jumps if the last result was zero.
pub(crate) fn jz(distance: i32) -> Vec<u8> {
    relative(&[0x0f, 0x84], distance)
}

/// JNZ: jumps if the last result was not zero.
pub(crate) fn jnz(distance: i32) -> Vec<u8> {
    relative(&[0x0f, 0x85], distance)
}

/// JMP to the address in memory.
pub(crate) fn jmp_memory(memory: Memory) -> Vec<u8> {
    with_memory(Operands::Bits32, 0xff, 4, memory)
}

/// JMP to the address in a register.
pub(crate) fn jmp_register(register: Gpr) -> Vec<u8> {
    with_register(Operands::Bits32, 0xff, 4, register)
}

/// CALL of the address in a register.
pub(crate) fn call_register(register: Gpr) -> Vec<u8> {
    with_register(Operands::Bits32, 0xff, 2, register)
}

/// An opcode and a 32-bit displacement, which is relative to the next instruction.
fn relative(opcode: &[u8], distance: i32) -> Vec<u8> {
    let length = opcode.len() as i32 + 4;
    [opcode, &distance.wrapping_sub(length).to_le_bytes()].concat()
}

/// An opcode with the register in its low three bits.
fn on_opcode(opcode: u8, register: Gpr) -> Vec<u8> {
    let mut bytes = rex(Operands::Bits32, 0, register.0);
    bytes.push(opcode | register.0 & 7);
    bytes
}

/// The group of arithmetic instructions with an immediate operand; `operation` is the opcode's
/// extension.
fn immediate(operands: Operands, operation: u8, register: Gpr, value: u32) -> Vec<u8> {
    match u8::try_from(value) {
        Ok(byte) if byte < 0x80 => [with_register(operands, 0x83, operation, register), vec![byte]].concat(),
        _ => [with_register(operands, 0x81, operation, register), value.to_le_bytes().to_vec()].concat(),
    }
}

/// REX prefix, opcode and ModR/M of two registers; `field` is a register or the opcode's extension.
fn with_register(operands: Operands, opcode: u8, field: u8, register: Gpr) -> Vec<u8> {
    let mut bytes = rex(operands, field, register.0);
    bytes.extend([opcode, modrm(0b11, field, register.0)]);
    bytes
}

/// REX prefix, opcode, ModR/M, SIB and displacement; `field` is a register or the opcode's
/// extension.
fn with_memory(operands: Operands, opcode: u8, field: u8, memory: Memory) -> Vec<u8> {
    let (mode, base, displacement) = match memory {
        Memory::Near(base, displacement) => (0b01, base.0, vec![displacement as u8]),
        Memory::Far(base, displacement) => (0b10, base.0, displacement.to_le_bytes().to_vec()),
        // Mode 00 with the number of rbp.
        Memory::Rip(displacement) => (0b00, RBP.0, displacement.to_le_bytes().to_vec()),
    };
    let mut bytes = rex(operands, field, base);
    bytes.extend([opcode, modrm(mode, field, base)]);
    if base & 7 == RSP.0 {
        // The number of rsp means that a SIB byte follows: that base, no index.
        bytes.push(0x24);
    }
    bytes.extend(displacement);
    bytes
}

/// The REX prefix, if needed: W for 64-bit operands, R and B for the registers r8 to r15.
fn rex(operands: Operands, field: u8, register: u8) -> Vec<u8> {
    let wide = u8::from(operands == Operands::Bits64);
    let bits = wide << 3 | (field >> 3) << 2 | register >> 3;
    if bits == 0 { Vec::new() } else { vec![0x40 | bits] }
}

fn modrm(mode: u8, field: u8, register: u8) -> u8 {
    mode << 6 | (field & 7) << 3 | register & 7
}
