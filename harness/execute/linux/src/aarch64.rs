//! System call convention and structures of AArch64 (Linux `include/uapi/asm-generic/unistd.h`).

use crate::kernel_abi::{KernelAbi, OpenFlags};
use crate::numbers::Calls;
use crate::record::Record;
use crate::registers::Register;
use crate::signal;
use crate::stat::About;

/// The flags: Linux `arch/arm64/include/uapi/asm/fcntl.h`.
pub(crate) static KERNEL_ABI: KernelAbi = KernelAbi {
    calls: Calls::Aarch64,
    first_newer: 272,
    number: Register::General(8),
    arguments: [
        Register::General(0),
        Register::General(1),
        Register::General(2),
        Register::General(3),
        Register::General(4),
        Register::General(5),
    ],
    length: 4,
    immediate: |_| None,
    result: Register::General(0),
    thread_pointer: &[Register::ThreadPointer],
    stat,
    open_flags: OpenFlags { folder: 0o40_000, no_follow: 0o100_000, large: 0o400_000 },
    epoll_word: 8,
    narrow_statfs: false,
    signals: &signal::aarch64::SIGNALS,
};

/// `struct stat` (Linux `include/uapi/asm-generic/stat.h`), 128 bytes.
fn stat(about: &About, record: Record) -> Record {
    let record = record.u64(About::HOME).u64(about.inode).u32(about.mode).u32(about.names).u32(0).u32(0);
    let record =
        record.words(&[about.device_number(), 0, about.size]).u32(About::BLOCK as u32).u32(0).u64(about.blocks());
    record.words(&about.times()).up_to(128)
}
