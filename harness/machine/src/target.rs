//! What the machine needs to know of a target: the emulator's mode, registers, interrupts and what
//! it executes otherwise. The facts are in `amd64.rs`, `aarch64.rs` and `s390x.rs`.

use backend::VectorBits;
use linux::Register;
use types::Reg;
use unicorn_engine::{Arch, Mode, Unicorn, uc_error};

use crate::end::Reason;
use crate::engine::Engine;

/// Registers that simple instructions use besides those that tables know.
pub(crate) struct SimpleRegisters {
    pub flags: i32,
    /// Where the segments FS and GS begin.
    pub segments: [i32; 2],
    /// The vector registers, by number.
    pub vectors: [i32; 16],
}

/// A target, as data.
pub(crate) struct Target {
    pub arch: Arch,
    pub mode: Mode,
    /// The emulator's register numbers by DWARF number.
    pub dwarf: &'static [i32],
    /// The DWARF number of the program counter, if it has one.
    pub pc_column: Option<Reg>,
    /// The DWARF number that stands for the length of scalable vectors, in granules of 64 bits.
    pub vector_column: Option<Reg>,
    /// Sets that length.
    pub set_vector_bits: fn(&mut Unicorn<'static, ()>, VectorBits) -> Result<(), uc_error>,
    /// The emulator's number of the program counter.
    pub pc: i32,
    /// More registers of a target whose simple instructions are executed without the emulator.
    pub simple: Option<SimpleRegisters>,
    /// Stack pointer, frame pointer and link register (on AMD64 any register: it is not looked at).
    pub tracked: [i32; 3],
    /// Integer argument registers in order.
    pub arguments: &'static [i32],
    /// The register that holds the thread pointer.
    pub thread_pointer: &'static [i32],
    /// Makes the processor run user code.
    pub prepare: fn(&mut Unicorn<'static, ()>) -> Result<(), uc_error>,
    /// An instruction that does nothing, for the page of the sentinel. (On s390x an illegal
    /// instruction at the start of a page is refused by the emulator before the hook sees it.)
    pub nop: &'static [u8],
    /// The one-byte instruction at which the emulator stops, where it has one and no call leaves
    /// its return address in a register.
    pub halt: Option<u8>,
    /// Bytes of the instruction that these begin with, where a signal may be after it.
    pub length: fn(&[u8]) -> u64,
    /// The emulator's number of the instruction that makes a system call, where that raises no
    /// interrupt.
    pub syscall: Option<i32>,
    /// What reads the processor's clock.
    pub clock: ClockReader,
    /// True when a call whose first byte is this one, where the byte can be read, may have that
    /// many bytes.
    pub call_length: fn(Option<u8>, u64) -> bool,
    /// What the hook looks for in each instruction.
    pub watch: Watch,
    /// What executes instructions that the emulator lacks.
    pub substitute: Substitute,
    /// What an interrupt of this number is, with the processor as it is then.
    pub interrupt: fn(u32, &Engine) -> Interrupt,
    /// The signal of an instruction that there is not.
    pub illegal: Synchronous,
    /// Where a page is.
    pub page: fn(&PageAccess) -> Page,
    /// What a signal reports of an address that cannot be accessed.
    pub fault_address: fn(u64) -> u64,
    /// The emulator's number of a register that is neither general nor the program counter.
    pub special: fn(Register) -> Option<i32>,
}

impl Target {
    /// The emulator's number of a register.
    pub(crate) fn id(&self, register: Register) -> Option<i32> {
        match register {
            Register::General(number) => self.dwarf.get(usize::from(number)).copied(),
            Register::Pc => Some(self.pc),
            special => (self.special)(special),
        }
    }
}

/// How a program reads the processor's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockReader {
    /// By instructions for that alone (`rdtsc`).
    TimeStamp,
    /// From a system register.
    SystemRegister,
    /// As the emulator has it, which repeats from run to run.
    Emulator,
}

/// What executes instructions that the emulator lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Substitute {
    /// The host, where it has them.
    Host,
    /// This crate, each from its definition: s390x since z14.
    Later,
    /// This crate likewise: AArch64 since Armv9.
    Scalable,
}

/// What the hook looks for in each instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// AMD64 vector encodings, which the emulator executes wrongly without saying so.
    Vectors,
    /// s390x instructions that are later than the emulator, and those that end it.
    Later,
    /// Pointer authentication of the link register.
    PointerAuthentication,
}

/// An access to a page that the emulator has not reached before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageAccess {
    /// Where the page begins.
    pub address: u64,
    /// To execute it.
    pub fetches: bool,
    pub is_mapped: bool,
}

/// Where a page is that a program names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// At an address of memory, where something may be or not.
    At(u64),
    /// In no memory that there can be.
    Outside,
    /// The processor raises an interrupt, by its number.
    Raises(u32),
}

/// What an interrupt that the emulator reports means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// A system call; with how many bytes the processor still has to continue after it.
    Syscall { rest: u64 },
    /// What executes is no instruction of the emulator's, or none in this form.
    Illegal(Synchronous),
    /// Something that ends the run.
    Ends(Reason, &'static str),
    /// Something that ends the run unless the program handles the signal that it is.
    Signal(Synchronous, Reason, &'static str),
}

/// A signal that an instruction causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Synchronous {
    /// Its number, and `si_code`.
    pub signal: u64,
    pub code: i32,
    /// The exception's number, as the processor has it.
    pub vector: u64,
    /// The program counter is after the instruction, not at it.
    pub behind: bool,
}
