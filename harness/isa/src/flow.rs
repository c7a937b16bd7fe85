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
    /// What is compared.
    pub operand: Operand,
    /// With what.
    pub limit: u64,
}

/// What an instruction compares.
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

/// Returns true if SP becomes SP plus a constant of the instruction, false if that is not certain.
pub fn shifts_sp(abi: Abi, code: &[u8], pc: u64) -> bool {
    match abi {
        Abi::Amd64 => amd64::shifts_sp(code, pc),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::shifts_sp(code),
        Abi::S390x => s390x::shifts_sp(code),
    }
}

/// What the instruction compares with a constant, if it does.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As GNU as encodes them.
    #[test]
    fn sp_is_shifted_by_a_constant_or_set() {
        let shifts: [(Abi, &[u8]); 13] = [
            (Abi::Amd64, &[0x50]),                               // push %rax
            (Abi::Amd64, &[0x5d]),                               // pop %rbp
            (Abi::Amd64, &[0x48, 0x83, 0xec, 0x18]),             // sub $0x18,%rsp
            (Abi::Amd64, &[0x48, 0x8d, 0x64, 0x24, 0x08]),       // lea 8(%rsp),%rsp
            (Abi::Aarch64, &[0xff, 0x43, 0x00, 0x91]),           // add sp, sp, #0x10
            (Abi::Aarch64, &[0xff, 0x07, 0x40, 0xd1]),           // sub sp, sp, #0x1, lsl #12
            (Abi::Aarch64, &[0xfd, 0x7b, 0xbe, 0xa9]),           // stp x29, x30, [sp, #-32]!
            (Abi::Aarch64, &[0xfd, 0x7b, 0xc2, 0xa8]),           // ldp x29, x30, [sp], #32
            (Abi::Aarch64, &[0xfe, 0x0f, 0x1f, 0xf8]),           // str x30, [sp, #-16]!
            (Abi::Aarch64, &[0xfe, 0x07, 0x41, 0xf8]),           // ldr x30, [sp], #16
            (Abi::S390x, &[0xa7, 0xfb, 0xff, 0x60]),             // aghi %r15,-160
            (Abi::S390x, &[0x41, 0xf0, 0xf0, 0xa0]),             // la %r15,160(%r15)
            (Abi::S390x, &[0xe3, 0xf0, 0xff, 0x60, 0xff, 0x71]), // lay %r15,-160(%r15)
        ];
        let sets: [(Abi, &[u8]); 12] = [
            (Abi::Amd64, &[0x5c]),                               // pop %rsp
            (Abi::Amd64, &[0xc9]),                               // leave
            (Abi::Amd64, &[0x48, 0x83, 0xe4, 0xf0]),             // and $-16,%rsp
            (Abi::Amd64, &[0x48, 0x29, 0xd4]),                   // sub %rdx,%rsp
            (Abi::Amd64, &[0x48, 0x89, 0xec]),                   // mov %rbp,%rsp
            (Abi::Amd64, &[0x48, 0x8d, 0x24, 0x04]),             // lea (%rsp,%rax),%rsp
            (Abi::Amd64, &[0x48, 0x8d, 0x65, 0xf0]),             // lea -16(%rbp),%rsp
            (Abi::Aarch64, &[0xbf, 0x03, 0x00, 0x91]),           // mov sp, x29
            (Abi::Aarch64, &[0xff, 0x63, 0x21, 0xcb]),           // sub sp, sp, x1
            (Abi::S390x, &[0xb9, 0x04, 0x00, 0xfb]),             // lgr %r15,%r11
            (Abi::S390x, &[0x41, 0xf1, 0xf0, 0xa0]),             // la %r15,160(%r1,%r15)
            (Abi::S390x, &[0xeb, 0x6f, 0xf0, 0xd0, 0x00, 0x04]), // lmg %r6,%r15,208(%r15)
        ];
        for (abi, code) in shifts {
            assert!(shifts_sp(abi, code, 0), "{abi} {code:02x?}");
        }
        for (abi, code) in sets {
            assert!(!shifts_sp(abi, code, 0), "{abi} {code:02x?}");
        }
    }
}
