//! System call convention and structures of s390x (Linux `arch/s390/kernel/syscalls/syscall.tbl`).

use crate::kernel_abi::{KernelAbi, OpenFlags};
use crate::numbers::Calls;
use crate::record::Record;
use crate::registers::Register;
use crate::signal;
use crate::stat::About;

/// Calls: s390x ELF ABI 1.6, 1.2.2.1, and Linux `arch/s390`; the flags: Linux
/// `include/uapi/asm-generic/fcntl.h`.
pub(crate) static KERNEL_ABI: KernelAbi = KernelAbi {
    calls: Calls::S390x,
    first_newer: 342,
    number: Register::General(1),
    arguments: [
        Register::General(2),
        Register::General(3),
        Register::General(4),
        Register::General(5),
        Register::General(6),
        Register::General(7),
    ],
    length: 2,
    immediate: |code| (code[0] == SVC && code[1] != 0).then_some(u64::from(code[1])),
    result: Register::General(2),
    thread_pointer: &[Register::Access(0), Register::Access(1)],
    stat,
    open_flags: OpenFlags { folder: 0o200_000, no_follow: 0o400_000, large: 0o100_000 },
    epoll_word: 8,
    narrow_statfs: true,
    signals: &signal::s390x::SIGNALS,
};

/// SUPERVISOR CALL (SA22-7832, chapter 7); its immediate is the call's number, or 0 when r1 holds
/// it (Linux).
const SVC: u8 = 0x0a;

/// `struct stat` (Linux `arch/s390/include/uapi/asm/stat.h`), 144 bytes.
fn stat(about: &About, record: Record) -> Record {
    let record = record.u64(About::HOME).u64(about.inode).u64(about.names.into()).u32(about.mode).u32(0).u32(0).u32(0);
    let record = record.words(&[about.device_number(), about.size]).words(&about.times());
    record.words(&[About::BLOCK, about.blocks()]).up_to(144)
}
