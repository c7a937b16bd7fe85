//! Dispatch to the file of each architecture.

use types::Abi;

use crate::kernel_abi::KernelAbi;
use crate::{aarch64, amd64, s390x};

/// The Linux ABI of a target.
pub(crate) fn kernel_abi(abi: Abi) -> &'static KernelAbi {
    match abi {
        Abi::Amd64 => &amd64::KERNEL_ABI,
        Abi::Aarch64 | Abi::Aarch64Be => &aarch64::KERNEL_ABI,
        Abi::S390x => &s390x::KERNEL_ABI,
    }
}
