//! ABI data that unwinding needs in addition to [`types::AbiFacts`], by architecture.

use types::{Abi, Reg};

use crate::{aarch64, amd64, s390x};

/// DWARF register number that an expression reads as the frame's own program counter.
pub(crate) const fn pc_register(abi: Abi) -> Reg {
    match abi {
        Abi::Amd64 => amd64::PC,
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::PC,
        Abi::S390x => s390x::PC,
    }
}

/// Returns true if the ABI assigns the DWARF number to a register.
pub(crate) const fn exists(abi: Abi, reg: Reg) -> bool {
    match abi {
        Abi::Amd64 => amd64::exists(reg),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::exists(reg),
        Abi::S390x => s390x::exists(reg),
    }
}
