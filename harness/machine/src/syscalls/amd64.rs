//! System call numbers of AMD64 (Linux `arch/x86/entry/syscalls/syscall_64.tbl`).

use super::Call;

pub(crate) fn call(number: u64) -> Option<Call> {
    Some(match number {
        60 | 231 => Call::Exit,
        _ => return None,
    })
}
