//! The machine's data of a target: the emulator's mode and registers, interrupts, and instructions
//! that this crate executes in place of the emulator. The values are in `amd64.rs`, `aarch64.rs`
//! and `s390x.rs`.

use linux::{Cause, Processor, Register};
use types::Reg;
use unicorn_engine::{Arch, Mode, Unicorn, uc_error};
use witness::VectorBits;

use crate::end::Reason;
use crate::engine::Engine;

/// The emulator's numbers of registers that simple instructions use.
pub(crate) struct SimpleRegisters {
    /// The number of general registers, which are the first by DWARF number.
    pub general: usize,
    pub flags: i32,
    /// The base addresses of the segments FS and GS, or the halves of the thread pointer.
    pub bases: [i32; 2],
    /// The vector registers, or the floating-point registers, by number.
    pub vectors: &'static [i32],
}

pub(crate) const fn consecutive<const COUNT: usize>(first: i32) -> [i32; COUNT] {
    let mut ids = [first; COUNT];
    let mut number = 0;
    while number < COUNT {
        ids[number] += number as i32;
        number += 1;
    }
    ids
}

pub(crate) struct EngineTarget {
    pub arch: Arch,
    pub mode: Mode,
    /// The emulator's register numbers by DWARF number.
    pub dwarf: &'static [i32],
    /// Further ones, from the DWARF number of the first.
    pub dwarf_vectors: Option<(Reg, &'static [i32])>,
    /// The DWARF number of the program counter, if it has one.
    pub pc_column: Option<Reg>,
    /// The DWARF number for the length of scalable vectors, in granules of 64 bits.
    pub vector_column: Option<Reg>,
    /// Sets the length of scalable vectors.
    pub set_vector_bits: fn(&mut Unicorn<'static, ()>, VectorBits) -> Result<(), uc_error>,
    /// The emulator's number of the program counter.
    pub pc: i32,
    /// The emulator's number of the flags that decide branches, if they can be set.
    pub flags: Option<i32>,
    /// The registers of instructions that are executed without the emulator.
    pub simple: SimpleRegisters,
    /// Stack pointer, frame pointer and link register (on AMD64 any register: it is not used).
    pub tracked: [i32; 3],
    /// Integer argument registers in order.
    pub arguments: &'static [i32],
    /// The register that holds the thread pointer.
    pub thread_pointer: &'static [i32],
    /// Prepares the processor for user code.
    pub prepare: fn(&mut Unicorn<'static, ()>) -> Result<(), uc_error>,
    /// A no-op, for the page of the sentinel. (On s390x the emulator refuses an illegal instruction
    /// at the start of a page before the hook sees it.)
    pub nop: &'static [u8],
    /// The one-byte instruction at which the emulator stops, if it has one and calls do not put the
    /// return address into a register.
    pub halt: Option<u8>,
    /// Length in bytes of an instruction, if a signal may be reported after it.
    pub length: fn(&[u8]) -> u64,
    /// The emulator's number of the system call instruction, if it raises no interrupt.
    pub syscall: Option<i32>,
    /// How programs read the processor's clock.
    pub clock: ClockReader,
    /// Returns true if a call whose first byte is this one (`None` if unreadable) may have this
    /// length in bytes.
    pub call_length: fn(Option<u8>, u64) -> bool,
    /// The check of each instruction in the hook.
    pub watch: Watch,
    /// The executor of instructions that the emulator lacks.
    pub substitute: Substitute,
    /// The meaning of an interrupt number in the processor's current state.
    pub interrupt: fn(u32, &Engine) -> Interrupt,
    /// The signal of an undefined instruction.
    pub illegal: Synchronous,
    /// The page that an access means.
    pub page: fn(&PageAccess) -> Page,
    /// The signal of an access that memory does not allow.
    pub denied: fn(&Denied<'_>) -> Denial,
    /// What the processor offers.
    pub processor: Processor,
    /// The emulator's number of a register that is neither general nor the program counter.
    pub special: fn(Register) -> Option<i32>,
}

/// An access that memory does not allow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Denied<'a> {
    /// Address of the first byte that is not accessible.
    pub address: u64,
    /// Number of bytes from there on.
    pub size: u64,
    pub kind: AccessKind,
    /// The page is mapped, but without this permission.
    pub is_mapped: bool,
    /// The instruction that accesses memory, or that jumps there.
    pub code: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessKind {
    Read,
    Write,
    Fetch,
}

/// The consequence of an access that memory does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Denial {
    /// The signal, and its cause.
    pub signal: u64,
    pub cause: Cause,
    /// The number to add to SP if the jump itself is at fault, and not executed.
    pub undoes: Option<i64>,
}

/// SIGSEGV with SEGV_MAPERR or SEGV_ACCERR, on targets that report no more than the address.
pub(crate) fn segmentation(address: u64, is_mapped: bool) -> Denial {
    let cause = Cause::Fault { code: 1 + i32::from(is_mapped), vector: 0, error: 0, address };
    Denial { signal: SEGMENTATION, cause, undoes: None }
}

/// SIGSEGV.
pub(crate) const SEGMENTATION: u64 = 11;

impl EngineTarget {
    /// The emulator's number of a register.
    pub(crate) fn id(&self, register: Register) -> Option<i32> {
        match register {
            Register::General(number) => self.dwarf.get(usize::from(number)).copied(),
            Register::Pc => Some(self.pc),
            special => (self.special)(special),
        }
    }

    /// The emulator's number of a register by its DWARF number.
    pub(crate) fn by_dwarf(&self, reg: Reg) -> Option<i32> {
        let vector = || {
            let (first, ids) = self.dwarf_vectors?;
            ids.get(usize::from(reg.0.checked_sub(first.0)?)).copied()
        };
        self.dwarf.get(usize::from(reg.0)).copied().or_else(vector)
    }
}

/// How a program reads the processor's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockReader {
    /// By dedicated instructions (`rdtsc`).
    TimeStamp,
    SystemRegister,
    /// From the emulator's clock, which repeats from run to run.
    Emulator,
}

/// The executor of instructions that the emulator lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Substitute {
    /// The host, if it has them.
    Host,
    /// This crate, by the definition of the instructions: s390x since z14.
    Definition,
    /// This crate, by the definition of the instructions: AArch64 since Armv9.
    Scalable,
}

/// The check of each instruction in the hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// For AMD64 vector encodings, which the emulator silently executes wrongly.
    Vectors,
    /// For s390x instructions that are newer than the emulator, and those that crash it.
    ZArch,
    /// For pointer authentication of the link register.
    PointerAuthentication,
}

/// An access to a page that the emulator has not accessed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageAccess {
    pub address: u64,
    pub fetches: bool,
    pub found: PageState,
}

/// What memory has at the address of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageState {
    /// No page.
    Absent,
    /// A page that does not allow the access.
    Protected,
    /// A page that allows the access, or a fetch.
    Usable,
}

/// The page that a program's address means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// A page at an address of memory, mapped or not.
    At(u64),
    /// A page that no memory can have.
    Outside,
    /// No page: the processor raises an interrupt of this number.
    Raises(u32),
}

/// The meaning of an interrupt that the emulator reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// A system call; `rest` is the number of bytes from the PC to the next instruction.
    Syscall { rest: u64 },
    /// The instruction is undefined, or lacking in the emulator, perhaps in this form only.
    Illegal(Synchronous),
    /// The run ends.
    Ends(Reason, &'static str),
    /// The run ends unless the program handles this signal.
    Signal(Synchronous, Reason, &'static str),
}

/// A signal that an instruction causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Synchronous {
    /// Signal number, and `si_code`.
    pub signal: u64,
    pub code: i32,
    /// The processor's exception number.
    pub vector: u64,
    /// The program counter is after the instruction, not at it.
    pub behind: bool,
}
