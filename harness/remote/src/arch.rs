//! Which file of an architecture answers.

use types::{Abi, FrameRegs, Reg};

use crate::{aarch64, amd64, s390x};

/// What a stub calls things on an ABI.
pub(crate) struct Names {
    /// The names of registers by DWARF number, in GDB's standard features (G.5 Standard Target
    /// Features).
    pub(crate) registers: &'static [&'static str],
    /// The program counter's.
    pub(crate) pc: &'static str,
    /// A register of 32 bits that qemu 10.0 takes as one of 64 when it is set.
    pub(crate) taken_wider: Option<&'static str>,
    /// The qemu-user of the ABI.
    pub(crate) qemu: &'static str,
    /// The most bytes of an instruction.
    pub(crate) longest: usize,
    /// Bytes of a breakpoint.
    pub(crate) breakpoint: usize,
    /// Code that sets the thread pointer to what is in the first argument's register, each after
    /// that many bits of it were shifted out.
    pub(crate) set_thread_pointer: &'static [(u32, &'static [u8])],
    /// Code that reads the thread pointer into the first argument's register; none where stubs set
    /// it as they set other registers.
    pub(crate) thread_pointer: Option<&'static [u8]>,
    /// How it makes system calls.
    pub(crate) calls: Calls,
}

/// How an ABI makes system calls. Registers are DWARF numbers.
pub(crate) struct Calls {
    /// A step over a system call executes the next instruction too, as qemu 10.0 does
    /// on AMD64 and AArch64.
    pub(crate) step_goes_on: bool,
    /// From SP at `rt_sigreturn` to the program counter that it returns to; 0 where no step goes on.
    pub(crate) resumes_at: u64,
    /// Code that makes the call that `number` names in one step.
    pub(crate) code: &'static [u8],
    pub(crate) number: Reg,
    pub(crate) arguments: [Reg; 6],
    pub(crate) result: Reg,
    pub(crate) mmap: u64,
    /// `mmap` takes the address of its arguments.
    pub(crate) mmap_in_memory: bool,
    pub(crate) munmap: u64,
    pub(crate) mremap: u64,
    pub(crate) brk: u64,
    pub(crate) mprotect: u64,
    /// `rt_sigaction`.
    pub(crate) sigaction: u64,
    /// Calls that return from a signal's handler.
    pub(crate) signal_returns: &'static [u64],
    /// Calls that change the process alone, in the same way under every kernel.
    pub(crate) executed: &'static [u64],
    /// Calls that change nothing of the program but their result; signals that they send to itself
    /// come later.
    pub(crate) silent: &'static [u64],
    /// Calls that write to memory, and which argument says where, from 0.
    pub(crate) writes: &'static [(u64, usize)],
    /// Calls that open a file, and which argument is its path.
    pub(crate) opens: &'static [(u64, usize)],
    pub(crate) close: u64,
    /// `clone`, and `clone3`, whose arguments are in memory.
    pub(crate) clone: CloneCall,
    pub(crate) clone3: u64,
    /// `exit`, which ends a thread.
    pub(crate) exit: u64,
    pub(crate) set_tid_address: u64,
    pub(crate) set_robust_list: u64,
    pub(crate) futex: u64,
    /// `rt_sigprocmask`.
    pub(crate) sigprocmask: u64,
    pub(crate) gettid: u64,
    pub(crate) sched_yield: u64,
    /// `nanosleep` and `clock_nanosleep`.
    pub(crate) sleeps: [u64; 2],
    /// Calls that send a thread a signal, and which argument is the thread.
    pub(crate) kills: [(u64, usize); 2],
}

/// Which arguments of `clone` are which, from 0.
pub(crate) struct CloneCall {
    pub(crate) number: u64,
    pub(crate) flags: usize,
    pub(crate) stack: usize,
    /// Where the number of the new thread is written for its maker.
    pub(crate) parent_at: usize,
    /// The same for the new thread.
    pub(crate) child_at: usize,
    /// The new thread's thread pointer.
    pub(crate) pointer: usize,
}

/// What an instruction asks of what is outside the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// Nothing.
    Nothing,
    /// The kernel, by a system call of this number.
    Kernel(u64),
    /// The processor: what it is, or its clock. It writes these registers.
    Processor(Vec<Reg>),
    /// The processor, and memory is written.
    Unknown,
    /// Nothing, but only parts of the processor's state that the first engine has may be saved: the
    /// register has a mask of parts, these are in it.
    Parts(Reg, u64),
    /// Nothing, but qemu-user leaves a wrong value in this register.
    Wrong(Reg),
}

/// What the instruction that the bytes are asks.
pub(crate) fn asks(abi: Abi, registers: &FrameRegs, bytes: &[u8]) -> Asks {
    match abi {
        Abi::Amd64 => amd64::asks(registers, bytes),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::asks(registers, bytes),
        Abi::S390x => s390x::asks(registers, bytes),
    }
}

/// Returns true if the instruction returns from a signal's handler.
pub(crate) fn is_signal_return(abi: Abi, registers: &FrameRegs, bytes: &[u8]) -> bool {
    matches!(asks(abi, registers, bytes), Asks::Kernel(number)
        if Names::of_abi(abi).calls.signal_returns.contains(&number))
}

/// The exclusive access that the bytes are; other architectures have instructions that load and store.
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

/// The length of the instruction that the bytes begin with; none if they are none.
pub(crate) fn length(abi: Abi, bytes: &[u8]) -> Option<u64> {
    match abi {
        Abi::Amd64 => amd64::length(bytes),
        Abi::Aarch64 | Abi::Aarch64Be => Some(aarch64::LENGTH),
        Abi::S390x => s390x::length(bytes),
    }
}
