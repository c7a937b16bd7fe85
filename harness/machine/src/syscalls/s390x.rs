//! System call numbers of s390x (Linux `arch/s390/kernel/syscalls/syscall.tbl`).

use super::Call;

pub(crate) fn call(number: u64) -> Option<Call> {
    Some(match number {
        1 | 248 => Call::Exit,
        _ => return None,
    })
}
