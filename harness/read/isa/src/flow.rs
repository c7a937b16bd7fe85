//! Control flow of an instruction, and the registers that it writes of those that unwinding needs:
//! enough to walk through code block by block without interpreting the rest.

mod aarch64;
pub(crate) mod amd64;
pub(crate) mod apx;
pub(crate) mod s390x;

use types::{Abi, Reg};

pub use apx::may_be_apx;

/// One decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insn {
    /// Length in bytes.
    pub length: u8,
    /// Where control continues.
    pub flow: Flow,
    /// Other properties.
    pub marks: Marks,
}

/// Where control continues after an instruction. Targets are addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To the target.
    Jump(u64),
    /// To the target or to the next instruction.
    Branch(u64),
    /// To the target; returns to the next instruction. The return address is where the ABI puts it.
    Call(u64),
    /// A call of an address in a register or in memory; returns to the next instruction.
    IndirectCall,
    /// To an address in a register or in memory: a tail call, or a jump by a table.
    IndirectJump,
    /// To the caller.
    Return,
    /// To the caller or to the next instruction.
    ReturnOrNext,
    /// Control does not continue: the instruction traps, or user code cannot execute it.
    Ends,
}

/// Properties of an instruction, as a bit set. If a register is not certainly unchanged, it counts
/// as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u64);

impl Marks {
    /// SP may change.
    pub const WRITES_SP: Marks = Marks(1);
    /// FP may change.
    pub const WRITES_FP: Marks = Marks(2);
    /// The link register may change.
    pub const WRITES_LINK: Marks = Marks(4);
    /// Stores FP or the link register to memory.
    pub const SAVES: Marks = Marks(8);
    /// A no-op to disassemblers: padding.
    pub const NOP: Marks = Marks(16);
    /// Must not be executed without its environment (system calls, divisions, repeated string
    /// instructions, privileged instructions); known to leave SP, FP and link register alone.
    pub const SKIP: Marks = Marks(32);
    /// Compares SP with something, so that a following branch depends on SP.
    pub const COMPARES_SP: Marks = Marks(64);
    /// Pushes its own return address: a call whose target is the instruction after it.
    pub const PUSHES: Marks = Marks(128);

    /// Changes SP by a constant, or loads SP from FP or the stack: a push, a pop, `add $8,%rsp`,
    /// `leave`.
    pub const MOVES_SP: Marks = Marks(256);

    pub const CALLS_SYSTEM: Marks = Marks(512);

    /// Sets FP to SP plus a constant.
    pub const SETS_FP: Marks = Marks(1024);

    /// Returns to what an interrupt stopped, whose address is at SP (`iretq`).
    pub const RETURNS_FROM_INTERRUPT: Marks = Marks(2048);

    /// The empty set.
    pub const NONE: Marks = Marks(0);

    /// The first bit of the general registers that an instruction writes.
    const REGISTERS: u32 = 32;

    /// The mark of a write of a general register, apart from the marks that it has by its role.
    pub(crate) const fn writes(register: u32) -> Marks {
        Marks(1 << (Marks::REGISTERS + register))
    }

    /// The general registers that the instruction may write.
    pub(crate) const fn registers(self) -> Registers {
        Registers((self.0 >> Marks::REGISTERS) as u32)
    }

    /// Returns true if any mark of `other` is set.
    pub const fn any(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    /// The union of both sets.
    #[must_use]
    pub const fn and(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// This set if the condition holds, else the empty set.
    #[must_use]
    pub(crate) const fn when(self, holds: bool) -> Marks {
        if holds { self } else { Marks::NONE }
    }
}

/// A set of general registers, by DWARF number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Registers(u32);

impl Registers {
    /// The empty set.
    pub const NONE: Registers = Registers(0);

    /// Creates a set of one register.
    #[must_use]
    pub const fn one(register: Reg) -> Registers {
        Registers(if register.0 < 32 { 1 << register.0 } else { 0 })
    }

    /// Returns true if the register is in the set.
    #[must_use]
    pub const fn has(self, register: Reg) -> bool {
        self.0 & Registers::one(register).0 != 0
    }

    /// The union of both sets.
    #[must_use]
    pub const fn and(self, other: Registers) -> Registers {
        Registers(self.0 | other.0)
    }

    /// The registers that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Registers) -> Registers {
        Registers(self.0 & !other.0)
    }

    /// Returns true if no register is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Reg> {
        (0..32).map(Reg).filter(move |register| self.has(*register))
    }
}

/// The general registers that an instruction may write, SP included; `None` if it cannot be
/// decoded. A call writes the register that gets the return address.
pub fn written(abi: Abi, code: &[u8], pc: u64) -> Option<Registers> {
    match abi {
        Abi::Amd64 => amd64::written(code, pc),
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => decode(abi, code, pc).map(|insn| insn.marks.registers()),
    }
}

/// A comparison with a constant, as for the bounds check of a jump table's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The register or memory that is compared.
    pub operand: Operand,
    /// The constant.
    pub limit: u64,
}

/// The register or memory that an instruction compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Register(Reg),
    /// Bytes in memory, at base + index * scale + offset.
    Memory {
        /// The base register; `None` if the offset is an address.
        base: Option<Reg>,
        /// The index register and its scale.
        index: Option<(Reg, u8)>,
        /// The offset in bytes.
        offset: i64,
        /// Number of bytes compared.
        size: u8,
    },
}

/// What decides a conditional branch, and what it is changed to where the branch is to go one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The register, or the flags.
    pub by: Decider,
    /// The change with which the branch is taken.
    pub taken: Change,
    /// The change with which it is not taken.
    pub passed: Change,
}

/// The value that decides a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// RFLAGS, or NZCV.
    Flags,
    /// A general register.
    Register(Reg),
}

/// Bits of a value that are cleared, and bits that are set then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The bits that are cleared.
    pub clear: u64,
    /// The bits that are set.
    pub set: u64,
}

impl Change {
    /// The value after the change.
    #[must_use]
    pub const fn of(self, value: u64) -> u64 {
        value & !self.clear | self.set
    }
}

/// What decides the conditional branch at the start of `code`; `None` where that is not one
/// register or the flags (s390x, `loop`, `jrcxz`).
pub fn decision(abi: Abi, code: &[u8]) -> Option<Decision> {
    match abi {
        Abi::Amd64 => amd64::decision(code),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::decision(code),
        Abi::S390x => None,
    }
}

/// The instruction at the start of `code`; `None` if the bytes are too few or cannot be decoded.
#[inline]
pub fn decode(abi: Abi, code: &[u8], pc: u64) -> Option<Insn> {
    match abi {
        Abi::Amd64 => amd64::decode(code, pc),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::decode(code, pc),
        Abi::S390x => s390x::decode(code, pc),
    }
}

/// Returns true if unwinding is not affected by the instruction, and the next one may follow it: it
/// writes registers other than SP, FP and link register, no memory. Returns false if that is not
/// certain.
pub fn is_neutral(abi: Abi, code: &[u8], pc: u64) -> bool {
    let touches = Marks::WRITES_SP.and(Marks::WRITES_FP).and(Marks::WRITES_LINK).and(Marks::SKIP);
    let goes_on = |insn: Insn| matches!(insn.flow, Flow::Next | Flow::Branch(_)) && !insn.marks.any(touches);
    let stores_nothing = match abi {
        Abi::Amd64 => amd64::stores_nothing,
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::stores_nothing,
        Abi::S390x => s390x::stores_nothing,
    };
    decode(abi, code, pc).is_some_and(goes_on) && stores_nothing(code)
}

/// Returns true if the instruction only delays what follows it, or stops: what compilers put where
/// speculative execution is to end. `pause`, `lfence`, `int3` (Intel SDM volume 2); `dsb sy`,
/// `isb`,
/// `sb` (Arm ARM, C6.2).
pub fn ends_speculation(abi: Abi, code: &[u8]) -> bool {
    match abi {
        Abi::Amd64 => matches!(code, [0xf3, 0x90, ..] | [0x0f, 0xae, 0xe8, ..] | [0xcc, ..]),
        Abi::Aarch64 | Abi::Aarch64Be => {
            let word = code.first_chunk().map(|word| u32::from_le_bytes(*word));
            matches!(word, Some(0xd503_3f9f | 0xd503_3fdf | 0xd503_30ff))
        }
        Abi::S390x => false,
    }
}

/// The address of the instruction that this one executes out of line (s390x EXRL); `None` if it
/// executes none.
pub fn executed(abi: Abi, code: &[u8], pc: u64) -> Option<u64> {
    match abi {
        Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => None,
        Abi::S390x => s390x::executed(code, pc),
    }
}

/// The register that an instruction compares SP with; `None` if it does not.
pub fn compared_with_sp(abi: Abi, code: &[u8], pc: u64) -> Option<Reg> {
    let [first, second] = match abi {
        Abi::Amd64 => amd64::compared(code, pc),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::compared(code),
        Abi::S390x => s390x::compared(code),
    }?;
    let sp = abi.facts().sp;
    match (first == sp, second == sp) {
        (true, false) => Some(second),
        (false, true) => Some(first),
        _ => None,
    }
}

/// The comparison with a constant that an instruction does; `None` if it does none.
pub fn bound(abi: Abi, code: &[u8], pc: u64) -> Option<Bound> {
    match abi {
        Abi::Amd64 => amd64::bound(code, pc),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::bound(code),
        Abi::S390x => s390x::bound(code),
    }
}

/// The register that an instruction uses as index into a table, in memory or in code, or computes a
/// table offset from.
pub fn index(abi: Abi, code: &[u8]) -> Option<Reg> {
    match abi {
        Abi::Amd64 => amd64::index(code),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::index(code),
        Abi::S390x => s390x::index(code),
    }
}

/// Finds addresses that code computes to pass on or to store. A function whose address is taken can
/// be called.
#[derive(Clone, Debug)]
pub struct Taken {
    abi: Abi,
    pages: [Option<u64>; 32],
}

impl Taken {
    /// Creates an empty state for code of an ABI.
    pub fn new(abi: Abi) -> Taken {
        Taken { abi, pages: [None; 32] }
    }

    /// The address that an instruction computes without reading memory. Instructions must be passed
    /// in order.
    #[inline]
    pub fn by(&mut self, code: &[u8], pc: u64) -> Option<u64> {
        match self.abi {
            Abi::Amd64 => amd64::taken(code, pc),
            Abi::Aarch64 | Abi::Aarch64Be => aarch64::taken(&mut self.pages, code, pc),
            Abi::S390x => s390x::taken(code, pc),
        }
    }
}
