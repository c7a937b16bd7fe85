//! z/Architecture instructions (Principles of Operation, SA22-7832: opcodes in chapter 7 and
//! appendix B, formats in chapter 5, "Instruction Formats"). Fields follow the opcode, the most
//! significant bits first.

/// A general register by its number, which is also its DWARF number. As a base, register 0 means no
/// base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Gpr(pub(crate) u8);

pub(crate) const R0: Gpr = Gpr(0);
pub(crate) const R1: Gpr = Gpr(1);
pub(crate) const R2: Gpr = Gpr(2);
pub(crate) const R3: Gpr = Gpr(3);
pub(crate) const R4: Gpr = Gpr(4);
pub(crate) const R5: Gpr = Gpr(5);
pub(crate) const R7: Gpr = Gpr(7);
pub(crate) const R11: Gpr = Gpr(11);
pub(crate) const R14: Gpr = Gpr(14);
pub(crate) const R15: Gpr = Gpr(15);

/// A floating-point register by its number, which is not its DWARF number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fpr(u8);

pub(crate) const F0: Fpr = Fpr(0);
pub(crate) const F2: Fpr = Fpr(2);

/// DWARF numbers of the registers (s390x ELF ABI 1.6, table 1.17).
pub(crate) mod dwarf {
    use types::Reg;

    pub(crate) const R11: Reg = Reg(11);
    pub(crate) const R15: Reg = Reg(15);
    pub(crate) const F0: Reg = Reg(16);
    pub(crate) const F2: Reg = Reg(17);
}

/// Linux's system call number of exit.
pub(crate) const EXIT: u8 = 1;

/// Condition codes at which a branch is taken: the mask has one bit for each code, code 0 in the
/// highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Never = 0b0000,
    NotZero = 0b0111,
    Zero = 0b1000,
    Always = 0b1111,
}

/// A memory operand: displacement(base).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Displacement in bytes: 12 bits unsigned in the short formats, 20 bits signed in those of 6
    /// bytes.
    pub(crate) displacement: i32,
    pub(crate) base: Gpr,
}

pub(crate) const fn at(displacement: i32, base: Gpr) -> Memory {
    Memory { displacement, base }
}

/// LGR: copies 64 bits.
pub(crate) fn lgr(to: Gpr, from: Gpr) -> [u8; 4] {
    rre(0xb904, to.0, from.0)
}

/// LTGR: copies 64 bits and sets the condition code from the value.
pub(crate) fn ltgr(to: Gpr, from: Gpr) -> [u8; 4] {
    rre(0xb902, to.0, from.0)
}

/// LLGFR: zero-extends 32 bits to 64.
pub(crate) fn llgfr(to: Gpr, from: Gpr) -> [u8; 4] {
    rre(0xb916, to.0, from.0)
}

/// SGR: subtracts 64 bits.
pub(crate) fn sgr(from: Gpr, value: Gpr) -> [u8; 4] {
    rre(0xb909, from.0, value.0)
}

/// LDGR: copies 64 bits into a floating-point register.
pub(crate) fn ldgr(to: Fpr, from: Gpr) -> [u8; 4] {
    rre(0xb3c1, to.0, from.0)
}

/// LGDR: copies 64 bits from a floating-point register.
pub(crate) fn lgdr(to: Gpr, from: Fpr) -> [u8; 4] {
    rre(0xb3cd, to.0, from.0)
}

/// LGHI: loads a number, sign-extended to 64 bits.
pub(crate) fn lghi(to: Gpr, value: i16) -> [u8; 4] {
    ri(0xa7, 0x9, to, value)
}

/// AGHI: adds a number to 64 bits.
pub(crate) fn aghi(to: Gpr, value: i16) -> [u8; 4] {
    ri(0xa7, 0xb, to, value)
}

/// Adds a number to 64 bits: AGHI for 16-bit numbers, else AGFI.
pub(crate) fn add(to: Gpr, value: i32) -> Vec<u8> {
    match i16::try_from(value) {
        Ok(short) => aghi(to, short).to_vec(),
        Err(_) => ril(0xc2, 0x8, to.0, value).to_vec(),
    }
}

/// NILF: AND with the lower half; the upper half is unchanged.
pub(crate) fn nilf(to: Gpr, value: u32) -> [u8; 6] {
    ril(0xc0, 0xb, to.0, value as i32)
}

/// LA: loads an address without index.
pub(crate) fn la(to: Gpr, from: Memory) -> [u8; 4] {
    let [high, low] = short(from);
    [0x41, to.0 << 4, high, low]
}

/// LG: loads 64 bits.
pub(crate) fn lg(to: Gpr, from: Memory) -> [u8; 6] {
    long(0xe3, 0x04, to, R0, from)
}

/// LGF: loads 32 bits, sign-extended to 64.
pub(crate) fn lgf(to: Gpr, from: Memory) -> [u8; 6] {
    long(0xe3, 0x14, to, R0, from)
}

/// STG: stores 64 bits.
pub(crate) fn stg(from: Gpr, to: Memory) -> [u8; 6] {
    long(0xe3, 0x24, from, R0, to)
}

/// LMG: loads 64 bits of each register from the first to the last.
pub(crate) fn lmg(first: Gpr, last: Gpr, from: Memory) -> [u8; 6] {
    long(0xeb, 0x04, first, last, from)
}

/// STMG: stores 64 bits of each register from the first to the last.
pub(crate) fn stmg(first: Gpr, last: Gpr, to: Memory) -> [u8; 6] {
    long(0xeb, 0x24, first, last, to)
}

/// MVC: copies 1 to 256 bytes.
pub(crate) fn mvc(to: Memory, bytes: u16, from: Memory) -> [u8; 6] {
    let ([to_high, to_low], [from_high, from_low]) = (short(to), short(from));
    [0xd2, (bytes - 1) as u8, to_high, to_low, from_high, from_low]
}

/// LARL: loads the address at a distance.
pub(crate) fn larl(to: Gpr, distance: i32) -> [u8; 6] {
    ril(0xc0, 0x0, to.0, distance >> 1)
}

/// LGRL: loads 64 bits at a distance, a multiple of 8.
pub(crate) fn lgrl(to: Gpr, distance: i32) -> [u8; 6] {
    ril(0xc4, 0x8, to.0, distance >> 1)
}

/// BRASL, a call: the return address is saved in `link`.
pub(crate) fn brasl(link: Gpr, distance: i32) -> [u8; 6] {
    ril(0xc0, 0x5, link.0, distance >> 1)
}

pub(crate) fn brcl(condition: Condition, distance: i32) -> [u8; 6] {
    ril(0xc0, 0x4, condition as u8, distance >> 1)
}

/// BRCL on any condition: an unconditional jump.
pub(crate) fn jg(distance: i32) -> [u8; 6] {
    brcl(Condition::Always, distance)
}

/// BCR on any condition: branches to the address in a register.
pub(crate) fn br(register: Gpr) -> [u8; 2] {
    bcr(Condition::Always, register)
}

/// BCR on no condition: a no-op.
pub(crate) fn nopr(register: Gpr) -> [u8; 2] {
    bcr(Condition::Never, register)
}

/// BASR. With `target` register 0 it does not branch: `link` becomes the address of the next
/// instruction.
pub(crate) fn basr(link: Gpr, target: Gpr) -> [u8; 2] {
    [0x0d, link.0 << 4 | target.0]
}

pub(crate) fn svc(number: u8) -> [u8; 2] {
    [0x0a, number]
}

fn bcr(condition: Condition, register: Gpr) -> [u8; 2] {
    [0x07, (condition as u8) << 4 | register.0]
}

fn rre(opcode: u16, first: u8, second: u8) -> [u8; 4] {
    let [high, low] = opcode.to_be_bytes();
    [high, low, 0, first << 4 | second]
}

fn ri(opcode: u8, extension: u8, register: Gpr, value: i16) -> [u8; 4] {
    let [high, low] = value.to_be_bytes();
    [opcode, register.0 << 4 | extension, high, low]
}

fn ril(opcode: u8, extension: u8, field: u8, value: i32) -> [u8; 6] {
    let [a, b, c, d] = value.to_be_bytes();
    [opcode, field << 4 | extension, a, b, c, d]
}

/// Encodes RXY and RSY: the displacement's low 12 bits are before its high 8. The second field is
/// an index or a last register.
fn long(opcode: u8, extension: u8, first: Gpr, second: Gpr, memory: Memory) -> [u8; 6] {
    let [.., high, middle, low] = memory.displacement.to_be_bytes();
    let fields = first.0 << 4 | second.0;
    [opcode, fields, memory.base.0 << 4 | middle & 0x0f, low, high << 4 | middle >> 4, extension]
}

/// The base and the 12-bit displacement.
fn short(memory: Memory) -> [u8; 2] {
    let [.., high, low] = memory.displacement.to_be_bytes();
    [memory.base.0 << 4 | high & 0x0f, low]
}
