//! Dispatch to the file of each architecture.

use types::Abi;

use crate::target::{EngineTarget, Watch};
use crate::zarch::is_executed_here;
use crate::{aarch64, amd64, native, s390x};

/// Returns true if the machine refuses to execute the instruction at the start of `code`: the
/// emulator would silently execute it wrongly or crash on it.
#[must_use]
pub fn refuses(abi: Abi, code: &[u8]) -> bool {
    match target(abi).watch {
        Watch::Vectors => amd64::is_unfaithful(code) || amd64::is_vector(code) && !native::has(code),
        Watch::ZArch => s390x::is_deadly(code),
        Watch::PointerAuthentication => false,
    }
}

/// Returns true if the emulator lacks the instruction at the start of `code`, or would execute it
/// as another one.
pub(crate) fn lacks<'a>(target: &EngineTarget, code: impl FnOnce() -> &'a [u8]) -> bool {
    match target.watch {
        Watch::Vectors => amd64::is_vector(code()),
        Watch::ZArch => is_executed_here(code()),
        Watch::PointerAuthentication => aarch64::lacks(code()),
    }
}

/// Returns true if the emulator crashes when it translates the instruction
/// (`harness/execute/machine/data`).
pub(crate) fn kills(abi: Abi, code: &[u8]) -> bool {
    match abi {
        Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => is_deadly(abi, code),
        Abi::S390x => code.starts_with(&[0xb3, 0x16]) || code.starts_with(&[0xb2, 0x04]),
    }
}

/// Returns true for an instruction on which the emulator crashes when it translates it, and before
/// which it is made to stop: it is undefined, or executed by its definition.
pub(crate) fn is_deadly(abi: Abi, code: &[u8]) -> bool {
    match abi {
        Abi::Amd64 => amd64::is_locked_bit_test(code),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::is_undefined_half_precision(code),
        Abi::S390x => s390x::is_extended_root(code),
    }
}

pub(crate) fn target(abi: Abi) -> &'static EngineTarget {
    match abi {
        Abi::Amd64 => &amd64::TARGET,
        Abi::Aarch64 => &aarch64::LITTLE,
        Abi::Aarch64Be => &aarch64::BIG,
        Abi::S390x => &s390x::TARGET,
    }
}
