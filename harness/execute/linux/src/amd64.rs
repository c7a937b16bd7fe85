//! System call convention and structures of AMD64 (Linux `arch/x86/entry/syscalls/syscall_64.tbl`).

use crate::kernel_abi::{KernelAbi, OpenFlags};
use crate::numbers::Calls;
use crate::record::Record;
use crate::registers::Register;
use crate::signal;
use crate::stat::About;

/// Calls: System V psABI AMD64 1.0, A.2.1; the flags: Linux `include/uapi/asm-generic/fcntl.h`.
pub(crate) static KERNEL_ABI: KernelAbi = KernelAbi {
    calls: Calls::Amd64,
    first_newer: 312,
    number: Register::General(0),
    // rdi, rsi, rdx, r10, r8, r9.
    arguments: [
        Register::General(5),
        Register::General(4),
        Register::General(1),
        Register::General(10),
        Register::General(8),
        Register::General(9),
    ],
    length: 2,
    immediate: |_| None,
    result: Register::General(0),
    thread_pointer: &[Register::ThreadPointer],
    stat,
    open_flags: OpenFlags { folder: 0o200_000, no_follow: 0o400_000, large: 0o100_000 },
    epoll_word: 4,
    narrow_statfs: false,
    signals: &signal::amd64::SIGNALS,
};

/// `struct stat` (Linux `arch/x86/include/uapi/asm/stat.h`), 144 bytes.
fn stat(about: &About, record: Record) -> Record {
    let record = record.u64(About::HOME).u64(about.inode).u64(about.names.into()).u32(about.mode).u32(0).u32(0).u32(0);
    let record = record.words(&[about.device_number(), about.size, About::BLOCK, about.blocks()]);
    record.words(&about.times()).up_to(144)
}
