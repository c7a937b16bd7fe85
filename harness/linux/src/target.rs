//! What Linux fixes for a target, as data: how a system call is made, structures, frames of
//! signals.

use crate::call::Call;
use crate::registers::Register;
use crate::signal::layout::SignalAbi;
use crate::stat::StatLayout;

/// A target's side of the kernel.
#[derive(Debug)]
pub(crate) struct Target {
    /// The register of a call's number.
    pub number: Register,
    /// The registers of its arguments.
    pub arguments: [Register; 6],
    /// Bytes of the instruction.
    pub length: u64,
    /// The number in the instruction itself, where the target has that.
    pub immediate: fn([u8; 2]) -> Option<u64>,
    /// The register of its result.
    pub result: Register,
    /// The register of the thread pointer, or those of its halves, the high one first.
    pub thread_pointer: &'static [Register],
    /// Which call a number is.
    pub call: fn(u64) -> Option<Call>,
    pub stat: StatLayout,
    pub open_flags: OpenFlags,
    /// Where the program's word is in `struct epoll_event`.
    pub epoll_word: u64,
    /// `struct statfs` has `unsigned int` for words.
    pub narrow_statfs: bool,
    pub signals: &'static SignalAbi,
}

/// Bits of `open` that differ from target to target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenFlags {
    /// `O_DIRECTORY`.
    pub folder: u64,
    /// `O_NOFOLLOW`.
    pub no_follow: u64,
    /// `O_LARGEFILE`, which the kernel sets for every 64-bit program.
    pub large: u64,
}
