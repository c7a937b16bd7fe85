//! AArch64, in both byte orders: data of its stub and its system calls.

use types::{FrameRegs, Reg, RegFile as _};

use crate::arch::{Asks, CloneArguments, Convention, Names};

/// Length in bytes of an instruction.
pub(crate) const LENGTH: u64 = 4;

pub(crate) static LITTLE: Names = Names {
    registers: &REGISTERS,
    halves: &HALVES,
    pc: "pc",
    taken_wider: None,
    qemu: "qemu-aarch64",
    longest: 4,
    breakpoint: 4,
    set_thread_pointer: THREAD,
    thread_pointer: Some(READ_THREAD),
    convention: CONVENTION,
};

pub(crate) static BIG: Names = Names {
    registers: &REGISTERS,
    halves: &HALVES,
    pc: "pc",
    taken_wider: Some("cpsr"),
    qemu: "qemu-aarch64_be",
    longest: 4,
    breakpoint: 4,
    set_thread_pointer: THREAD,
    thread_pointer: Some(READ_THREAD),
    convention: CONVENTION,
};

/// `msr tpidr_el0, x0`
const THREAD: &[(u32, &[u8])] = &[(0, &[0x40, 0xd0, 0x1b, 0xd5])];
/// `mrs x0, tpidr_el0`
const READ_THREAD: &[u8] = &[0x40, 0xd0, 0x3b, 0xd5];

// Linux include/uapi/asm-generic/unistd.h; syscall(2).
const CONVENTION: Convention = Convention {
    step_goes_on: true,
    // `siginfo_t`, then the context: `uc_mcontext` is after 176 bytes; it begins with a fault
    // address, 31 registers and SP (Linux arch/arm64/include/uapi/asm/sigcontext.h).
    resumes_at: 128 + 176 + 8 + 32 * 8,
    // svc #0; nop
    code: &[0x01, 0x00, 0x00, 0xd4, 0x1f, 0x20, 0x03, 0xd5],
    number: Reg(8),
    arguments: [Reg(0), Reg(1), Reg(2), Reg(3), Reg(4), Reg(5)],
    result: Reg(0),
    mmap_in_memory: false,
    clone: CloneArguments { flags: 0, stack: 1, parent_at: 2, child_at: 4, pointer: 3 },
};

/// `dc zva, x0`
const DC_ZVA: u32 = 0xd50b_7420;

/// Length in bytes of the block that `dc zva` clears under the first engine. `max` of qemu-user has
/// 512.
pub(crate) const ZEROS: u64 = 64;

/// The outside dependency of an instruction: `svc #0`, `mrs` and `dc zva` (Arm Architecture
/// Reference Manual, C5.3, C6.2).
pub(crate) fn asks(registers: &FrameRegs, bytes: &[u8]) -> Asks {
    let Some(word) = bytes.first_chunk().map(|word| u32::from_le_bytes(*word)) else { return Asks::Nothing };
    match word {
        0xd400_0001 => Asks::Kernel(registers.read(CONVENTION.number).unwrap_or(u64::MAX)),
        // TPIDR_EL0, FPCR, FPSR and NZCV are the program's own registers.
        _ if word & 0xfff0_0000 == 0xd530_0000 && !OWN.contains(&(word & 0xffff_ffe0)) => {
            Asks::Processor(vec![Reg((word & 31) as u16)])
        }
        // Register 31 is zero here, not SP.
        _ if word & 0xffff_ffe0 == DC_ZVA && word & 31 != 31 => Asks::Zeros(Reg((word & 31) as u16)),
        _ => Asks::Nothing,
    }
}

/// An exclusive access to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exclusive {
    pub(crate) kind: ExclusiveKind,
    /// The register with the address.
    pub(crate) base: Reg,
    /// The loaded or stored registers, one or a pair; `None` for the zero register.
    pub(crate) registers: Vec<Option<Reg>>,
    /// Size in bytes of each register's value in memory.
    pub(crate) width: usize,
}

/// The kind of an exclusive access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExclusiveKind {
    Load,
    /// A store. The status register is set to 0 if the store took place, else to 1.
    Store {
        status: Option<Reg>,
    },
    /// `clrex`: the next exclusive store does not take place.
    Clear,
}

impl Exclusive {
    /// Number of accessed bytes of memory.
    pub(crate) fn size(&self) -> usize {
        self.registers.len() * self.width
    }
}

/// Decodes `ldxr`, `ldaxr`, `stxr`, `stlxr`, their pair, byte and halfword forms, and `clrex` (Arm
/// Architecture Reference Manual, C4.1.94 "Load/store exclusive register" and "pair").
pub(crate) fn exclusive(bytes: &[u8]) -> Option<Exclusive> {
    const ZERO: u32 = 31;
    let word = u32::from_le_bytes(*bytes.first_chunk()?);
    let field = |lowest: u32| word >> lowest & 31;
    let register = |number: u32| (number != ZERO).then_some(Reg(number as u16));
    let (size, is_pair) = (word >> 30, word >> 21 & 1 == 1);
    if word & 0xffff_f0ff == 0xd503_305f {
        return Some(Exclusive { kind: ExclusiveKind::Clear, base: Reg(0), registers: Vec::new(), width: 0 });
    }
    // The encodings of byte and halfword pairs are `casp`.
    if word & 0x3f80_0000 != 0x0800_0000 || is_pair && size < 2 {
        return None;
    }
    let kind = match word >> 22 & 1 {
        1 => ExclusiveKind::Load,
        _ => ExclusiveKind::Store { status: register(field(16)) },
    };
    let second = is_pair.then(|| register(field(10)));
    Some(Exclusive {
        kind,
        // Number 31 is SP here, as in DWARF.
        base: Reg(field(5) as u16),
        registers: [register(field(0))].into_iter().chain(second).collect(),
        width: 1 << size,
    })
}

const OWN: [u32; 4] = [0xd53b_d040, 0xd53b_4400, 0xd53b_4420, 0xd53b_4200];

static REGISTERS: [&str; 32] = [
    "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
    "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",
];

/// d8 to d15 (AADWARF64, 4.1); with SVE a stub has z8 to z15 alone.
static HALVES: [(Reg, [&str; 2]); 8] = [
    (Reg(72), ["v8", "z8"]),
    (Reg(73), ["v9", "z9"]),
    (Reg(74), ["v10", "z10"]),
    (Reg(75), ["v11", "z11"]),
    (Reg(76), ["v12", "z12"]),
    (Reg(77), ["v13", "z13"]),
    (Reg(78), ["v14", "z14"]),
    (Reg(79), ["v15", "z15"]),
];
