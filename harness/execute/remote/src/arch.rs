//! Dispatch to the file of each architecture.

use types::{Abi, FrameRegs, Reg};

use crate::calls::Calls;
use crate::{aarch64, amd64, s390x};

/// Names and other data of a stub for an ABI.
pub(crate) struct Names {
    /// Names of registers by DWARF number, from GDB's standard features (G.5 Standard Target
    /// Features).
    pub(crate) registers: &'static [&'static str],
    /// Names of the registers whose low 64 bits a call preserves, from GDB's standard features too,
    /// with the DWARF numbers of these halves.
    pub(crate) halves: &'static [(Reg, [&'static str; 2])],
    /// Name of the program counter.
    pub(crate) pc: &'static str,
    /// Name of the 32-bit register that qemu 10.0 treats as a 64-bit register when it is set.
    pub(crate) taken_wider: Option<&'static str>,
    /// Name of the qemu-user program.
    pub(crate) qemu: &'static str,
    /// Maximum length in bytes of an instruction.
    pub(crate) longest: usize,
    /// Length in bytes of a breakpoint.
    pub(crate) breakpoint: usize,
    /// Instructions that set the thread pointer from the first argument's register, each with the
    /// number of bits by which its value is shifted right before.
    pub(crate) set_thread_pointer: &'static [(u32, &'static [u8])],
    /// Code that reads the thread pointer into the first argument's register; `None` if stubs set
    /// the thread pointer like other registers.
    pub(crate) thread_pointer: Option<&'static [u8]>,
    /// The system call convention.
    pub(crate) convention: Convention,
}

/// The system call convention of an ABI. Registers have their DWARF numbers.
pub(crate) struct Convention {
    /// A step over a system call also executes the next instruction, as in qemu 10.0 on AMD64 and
    /// AArch64.
    pub(crate) step_goes_on: bool,
    /// Offset from SP at `rt_sigreturn` of the program counter that it restores; 0 if steps execute
    /// one instruction.
    pub(crate) resumes_at: u64,
    /// Code that makes one system call in one step, with the number in `number`.
    pub(crate) code: &'static [u8],
    pub(crate) number: Reg,
    pub(crate) arguments: [Reg; 6],
    pub(crate) result: Reg,
    /// `mmap` has the address of its arguments as argument.
    pub(crate) mmap_in_memory: bool,
    pub(crate) clone: CloneArguments,
}

/// The indexes of the arguments of `clone`.
pub(crate) struct CloneArguments {
    pub(crate) flags: usize,
    pub(crate) stack: usize,
    /// The address to which the new thread's number is written for the creating thread.
    pub(crate) parent_at: usize,
    /// The address to which the new thread's number is written for the new thread.
    pub(crate) child_at: usize,
    /// The new thread's thread pointer.
    pub(crate) pointer: usize,
}

/// A dependency of an instruction on something outside of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// No dependency.
    Nothing,
    /// A system call with this number.
    Kernel(u64),
    /// A property or the clock of the processor. The instruction writes these registers.
    Processor(Vec<Reg>),
    /// A property or the clock of the processor, written to memory at this address if it is known.
    Unknown(Option<u64>),
    /// No dependency, but the instruction may save only parts of the processor state that the first
    /// engine has: the register has a mask of parts, limited to this value.
    Parts(Reg, u64),
    /// No dependency, but qemu-user computes a wrong value in this register.
    Wrong(Reg),
    /// The size of the block of memory that holds the address in this register; the instruction
    /// writes zeros to it.
    Zeros(Reg),
}

/// The outside dependency of the instruction at the start of `bytes`.
pub(crate) fn asks(abi: Abi, registers: &FrameRegs, bytes: &[u8]) -> Asks {
    match abi {
        Abi::Amd64 => amd64::asks(registers, bytes),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::asks(registers, bytes),
        Abi::S390x => s390x::asks(registers, bytes),
    }
}

/// Returns true if the instruction returns from a signal handler.
pub(crate) fn is_signal_return(abi: Abi, registers: &FrameRegs, bytes: &[u8]) -> bool {
    matches!(asks(abi, registers, bytes), Asks::Kernel(number)
        if Calls::of_abi(abi).signal_returns.contains(&number))
}

/// Decodes an exclusive access. `None` on other architectures, which load and store in one
/// instruction.
pub(crate) fn exclusive(abi: Abi, bytes: &[u8]) -> Option<aarch64::Exclusive> {
    match abi {
        Abi::Amd64 | Abi::S390x => None,
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::exclusive(bytes),
    }
}

impl Names {
    pub(crate) fn of_abi(abi: Abi) -> &'static Names {
        match abi {
            Abi::Amd64 => &amd64::NAMES,
            Abi::Aarch64 => &aarch64::LITTLE,
            Abi::Aarch64Be => &aarch64::BIG,
            Abi::S390x => &s390x::NAMES,
        }
    }
}

/// Length in bytes of the instruction at the start of `bytes`; `None` if it cannot be decoded.
pub(crate) fn length(abi: Abi, bytes: &[u8]) -> Option<u64> {
    match abi {
        Abi::Amd64 => amd64::length(bytes),
        Abi::Aarch64 | Abi::Aarch64Be => Some(aarch64::LENGTH),
        Abi::S390x => s390x::length(bytes),
    }
}
