//! Dispatch to the file of each architecture.

use types::Abi;

use crate::branch::Branch;
use crate::{aarch64, amd64, s390x};

/// The classifier of branches of an ABI, which takes the first bytes of the instruction.
#[must_use]
pub fn branches(abi: Abi) -> fn(&[u8]) -> Branch {
    match abi {
        Abi::Amd64 => amd64::branch,
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::branch,
        Abi::S390x => s390x::branch,
    }
}
