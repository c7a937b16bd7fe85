//! What an instruction does to control and to the registers that unwinding needs: enough to walk
//! through code block by block without understanding the rest of it.

mod aarch64;
pub(crate) mod amd64;
pub(crate) mod s390x;

use types::{Abi, Reg};

/// One decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insn {
    /// Bytes.
    pub length: u8,
    /// Where control goes.
    pub flow: Flow,
    /// What it does besides.
    pub marks: Marks,
}

/// Where control goes after an instruction. Targets are addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To the target.
    Jump(u64),
    /// To the target or to the next instruction.
    Branch(u64),
    /// To the target, and back to the next instruction with the return address wherever the ABI has
    /// it.
    Call(u64),
    /// To an address in a register or in memory, and back.
    IndirectCall,
    /// To an address in a register or in memory: a tail call, or a jump by a table.
    IndirectJump,
    /// To the caller.
    Return,
    /// To the caller or to the next instruction.
    ReturnOrNext,
    /// Nowhere: it traps, or it is no instruction of user code.
    Ends,
}

/// What an instruction does besides, as a bit set. Where it is not certain that a register stays
/// the same, it counts as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u16);

impl Marks {
    /// SP may change.
    pub const WRITES_SP: Marks = Marks(1);
    /// FP may change.
    pub const WRITES_FP: Marks = Marks(2);
    /// The link register may change.
    pub const WRITES_LINK: Marks = Marks(4);
    /// FP or the link register is stored to memory.
    pub const SAVES: Marks = Marks(8);
    /// It does nothing, as disassemblers see it: padding.
    pub const NOP: Marks = Marks(16);
    /// Not to be executed without its surroundings (system calls, divisions, repeated string
    /// instructions, what needs privilege), and known to leave SP, FP and link register alone.
    pub const SKIP: Marks = Marks(32);
    /// It compares SP with something, so that a branch that follows depends on SP.
    pub const COMPARES_SP: Marks = Marks(64);
    /// It pushes its own return address: a call whose target is the instruction after it.
    pub const PUSHES: Marks = Marks(128);

    /// SP changes by a constant, or is taken from FP or the stack: a push, a pop, `add $8,%rsp`,
    /// `leave`.
    pub const MOVES_SP: Marks = Marks(256);

    /// A system call.
    pub const CALLS_SYSTEM: Marks = Marks(512);

    /// FP becomes SP plus a constant.
    pub const SETS_FP: Marks = Marks(1024);

    /// None of them.
    pub const NONE: Marks = Marks(0);

    /// Returns true if any of these is set.
    pub const fn any(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    #[must_use]
    pub const fn and(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// These where the condition holds.
    #[must_use]
    pub(crate) const fn when(self, holds: bool) -> Marks {
        if holds { self } else { Marks::NONE }
    }
}

/// A comparison with a constant: what bounds the index of a jump table.
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
    /// A register.
    Register(Reg),
    /// That many bytes in memory, at a register plus another times a scale plus an offset.
    Memory {
        /// The register.
        base: Reg,
        /// The other register, and what it is multiplied with.
        index: Option<(Reg, u8)>,
        /// Added to it.
        offset: i64,
        /// Bytes compared.
        size: u8,
    },
}

/// The instruction that these bytes begin with; `None` if they are too short or are no
/// instruction.
#[inline]
pub fn decode(abi: Abi, code: &[u8], pc: u64) -> Option<Insn> {
    match abi {
        Abi::Amd64 => amd64::decode(code, pc),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::decode(code, pc),
        Abi::S390x => s390x::decode(code, pc),
    }
}

/// Returns true if an instruction changes nothing that unwinding looks at, and the next one may
/// follow it: it writes registers other than SP, FP and link register, no memory. False if that
/// is not certain.
pub fn is_aside(abi: Abi, code: &[u8], pc: u64) -> bool {
    let touches = Marks::WRITES_SP.and(Marks::WRITES_FP).and(Marks::WRITES_LINK).and(Marks::SKIP);
    let goes_on = |insn: Insn| matches!(insn.flow, Flow::Next | Flow::Branch(_)) && !insn.marks.any(touches);
    let stores_nothing = match abi {
        Abi::Amd64 => amd64::stores_nothing,
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::stores_nothing,
        Abi::S390x => s390x::stores_nothing,
    };
    decode(abi, code, pc).is_some_and(goes_on) && stores_nothing(code)
}

/// The comparison with a constant that an instruction makes; `None` if it makes none.
pub fn bound(abi: Abi, code: &[u8]) -> Option<Bound> {
    match abi {
        Abi::Amd64 => amd64::bound(code),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::bound(code),
        Abi::S390x => s390x::bound(code),
    }
}

/// The register that an instruction indexes a table with, in memory or in code, or makes the offset
/// into one from.
pub fn index(abi: Abi, code: &[u8]) -> Option<Reg> {
    match abi {
        Abi::Amd64 => amd64::index(code),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::index(code),
        Abi::S390x => s390x::index(code),
    }
}

/// Finds addresses that code computes, to pass on or to store: a function whose address is taken
/// can be called.
#[derive(Clone, Debug)]
pub struct Taken {
    abi: Abi,
    pages: [Option<u64>; 32],
}

impl Taken {
    /// For code of an ABI.
    pub fn new(abi: Abi) -> Taken {
        Taken { abi, pages: [None; 32] }
    }

    /// The address that an instruction computes without looking at memory. Instructions are to be
    /// shown in order.
    #[inline]
    pub fn by(&mut self, code: &[u8], pc: u64) -> Option<u64> {
        match self.abi {
            Abi::Amd64 => amd64::taken(code, pc),
            Abi::Aarch64 | Abi::Aarch64Be => aarch64::taken(&mut self.pages, code, pc),
            Abi::S390x => s390x::taken(code, pc),
        }
    }
}
