//! The Linux ABI of a target, as data: system call convention, structures, signal frames.

use crate::numbers::Calls;
use crate::registers::Register;
use crate::signal::layout::SignalAbi;
use crate::stat::StatLayout;

/// The Linux ABI of a target.
#[derive(Debug)]
pub(crate) struct KernelAbi {
    /// The register of the system call number.
    pub number: Register,
    pub arguments: [Register; 6],
    /// Length in bytes of the system call instruction.
    pub length: u64,
    /// The system call number in the instruction itself, if the target has one there.
    pub immediate: fn([u8; 2]) -> Option<u64>,
    pub result: Register,
    /// The register of the thread pointer, or those of its two halves, the high one first.
    pub thread_pointer: &'static [Register],
    pub calls: Calls,
    /// The lowest number that Linux 3.2 has not, the oldest that glibc supports: what uses such a
    /// call goes on without it.
    pub first_newer: u64,
    pub stat: StatLayout,
    pub open_flags: OpenFlags,
    /// Offset of the data in `struct epoll_event`.
    pub epoll_word: u64,
    /// `struct statfs` has `unsigned int` in place of words.
    pub narrow_statfs: bool,
    pub signals: &'static SignalAbi,
}

/// Flags of `open` that differ between targets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenFlags {
    /// `O_DIRECTORY`.
    pub folder: u64,
    /// `O_NOFOLLOW`.
    pub no_follow: u64,
    /// `O_LARGEFILE`, which the kernel sets for every 64-bit program.
    pub large: u64,
}
