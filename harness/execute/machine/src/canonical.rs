//! Failed accesses of AMD64: page faults, and the exceptions of addresses that are not canonical.

use linux::Cause;

use crate::target::{AccessKind, Denial, Denied, SEGMENTATION};

/// SIGBUS, the signal of a stack-segment fault.
const BUS: u64 = 7;
/// `SI_KERNEL`: the cause has no address.
const KERNEL: i32 = 0x80;

/// Exception vectors (Intel SDM volume 3, table 6-1).
const STACK_SEGMENT: u64 = 12;
const GENERAL_PROTECTION: u64 = 13;
const PAGE_FAULT: u64 = 14;

/// The end of user memory, from which on Linux reports every page as mapped, but to no `si_code`
/// (`arch/x86/mm/fault.c`, `set_signal_archinfo`).
const USER_END: u64 = (1 << 47) - 0x1000;

/// The signal of a failed access, as Linux delivers it.
///
/// With a byte outside of canonical addresses it is a stack-segment fault or a general-protection
/// fault, else a page fault (SDM volume 1, 3.3.7.1; volume 3, 4.7: P, W/R, U/S and I/D). A jump to
/// such an address fails itself (SDM volume 2, CALL, JMP, RET).
pub(crate) fn denied(denied: &Denied<'_>) -> Denial {
    let last = denied.address.wrapping_add(denied.size.max(1) - 1);
    let fetches = denied.kind == AccessKind::Fetch;
    if is_canonical(denied.address) && is_canonical(last) {
        const USER: u64 = 4;
        let present = u64::from(denied.is_mapped || denied.address >= USER_END);
        let writes = u64::from(denied.kind == AccessKind::Write) << 1;
        let error = USER | present | writes | u64::from(fetches) << 4;
        let code = 1 + i32::from(denied.is_mapped);
        let cause = Cause::Fault { code, vector: PAGE_FAULT, error, address: denied.address };
        return Denial { signal: SEGMENTATION, cause, undoes: None };
    }
    let on_stack = !fetches && isa::uses_stack_segment(denied.code, denied.kind == AccessKind::Write);
    let (signal, vector) = if on_stack { (BUS, STACK_SEGMENT) } else { (SEGMENTATION, GENERAL_PROTECTION) };
    let cause = Cause::Fault { code: KERNEL, vector, error: 0, address: 0 };
    Denial { signal, cause, undoes: fetches.then(|| -isa::stack_increment(denied.code)) }
}

/// Returns true if bits 63 to 47 of an address are equal.
fn is_canonical(address: u64) -> bool {
    let address = address as i64;
    address << 16 >> 16 == address
}
