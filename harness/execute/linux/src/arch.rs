//! Dispatch to the file of each architecture.

use types::Abi;

use crate::target::Target;
use crate::{aarch64, amd64, s390x};

/// The Linux ABI of a target.
pub(crate) fn target(abi: Abi) -> &'static Target {
    match abi {
        Abi::Amd64 => &amd64::TARGET,
        Abi::Aarch64 | Abi::Aarch64Be => &aarch64::TARGET,
        Abi::S390x => &s390x::TARGET,
    }
}
