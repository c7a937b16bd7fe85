//! Registers as directives name them, with their DWARF numbers and what SFrame sees in them.

use types::Abi;

/// What a register is to SFrame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The stack pointer.
    Sp,
    /// The frame pointer that rows track.
    Fp,
    /// The return-address column.
    Ra,
    /// Any other.
    Other,
}

/// A register of generated text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name in directives.
    pub name: &'static str,
    /// Its DWARF number.
    pub number: u8,
    /// What it is to SFrame.
    pub role: Role,
}

impl Role {
    /// Its word in kinds.
    pub const fn word(self) -> &'static str {
        match self {
            Role::Sp => "sp",
            Role::Fp => "fp",
            Role::Ra => "ra",
            Role::Other => "other",
        }
    }
}

const fn reg(name: &'static str, number: u8, role: Role) -> Register {
    Register { name, number, role }
}

// System V AMD64 psABI 1.0, figure 3.36.
const AMD64: [Register; 9] = [
    reg("rsp", 7, Role::Sp),
    reg("rbp", 6, Role::Fp),
    reg("rip", 16, Role::Ra),
    reg("rbx", 3, Role::Other),
    reg("rax", 0, Role::Other),
    reg("r10", 10, Role::Other),
    reg("r12", 12, Role::Other),
    reg("r15", 15, Role::Other),
    reg("xmm1", 18, Role::Other),
];

// DWARF for the Arm 64-bit Architecture, 4.1.
const AARCH64: [Register; 8] = [
    reg("sp", 31, Role::Sp),
    reg("x29", 29, Role::Fp),
    reg("x30", 30, Role::Ra),
    reg("x19", 19, Role::Other),
    reg("x0", 0, Role::Other),
    reg("x9", 9, Role::Other),
    reg("x28", 28, Role::Other),
    reg("d8", 72, Role::Other),
];

// s390x ELF ABI 1.6, table 1.17: f0 is 16, f2 is 17, f1 is 20, f8 is 24.
const S390X: [Register; 9] = [
    reg("%r15", 15, Role::Sp),
    reg("%r11", 11, Role::Fp),
    reg("%r14", 14, Role::Ra),
    reg("%r6", 6, Role::Other),
    reg("%r1", 1, Role::Other),
    reg("%r13", 13, Role::Other),
    reg("%f0", 16, Role::Other),
    reg("%f2", 17, Role::Other),
    reg("%f8", 24, Role::Other),
];

/// The registers that generated text uses: SP, FP, RA, then others.
pub fn registers(abi: Abi) -> &'static [Register] {
    match abi {
        Abi::Amd64 => &AMD64,
        Abi::Aarch64 | Abi::Aarch64Be => &AARCH64,
        Abi::S390x => &S390X,
    }
}

/// The register of a role; of the others, the first.
pub(super) fn of_role(abi: Abi, role: Role) -> Register {
    let all = registers(abi);
    all.iter().copied().find(|register| register.role == role).unwrap_or(all[0])
}
