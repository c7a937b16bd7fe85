//! The disassembler of each ABI: dispatch to the file of each architecture.

use capstone::{Capstone, CsResult};
use model::Abi;

use crate::{aarch64, amd64, s390x};

/// A disassembler for an ABI's instructions.
pub(crate) fn capstone(abi: Abi) -> CsResult<Capstone> {
    match abi {
        Abi::Amd64 => amd64::capstone(),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::capstone(),
        Abi::S390x => s390x::capstone(),
    }
}
