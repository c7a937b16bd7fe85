//! System call numbers of AArch64 (Linux `include/uapi/asm-generic/unistd.h`).

use super::Call;

pub(crate) fn call(number: u64) -> Option<Call> {
    Some(match number {
        93 | 94 => Call::Exit,
        _ => return None,
    })
}
