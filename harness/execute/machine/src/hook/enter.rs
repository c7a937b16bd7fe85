//! The callback of the hook on each instruction.

use std::ffi::c_void;

use types::memo::Memo;
use unicorn_engine::uc_engine;

use super::Session;

/// The callback for the hook of a session.
pub(super) fn callback<M: Memo>() -> *mut c_void {
    enter::<M> as unsafe extern "C" fn(_, _, _, _) as *mut c_void
}

/// The processor's state is at the address in a register that the emulator's generated code
/// reserves for it (rbp, TCG_AREG0 of its x86-64 backend), as long as there is one hook of the
/// kind: it becomes the fifth argument. See `registers.rs`.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn enter<M: Memo>(_: *mut uc_engine, _: u64, _: u32, _: *mut c_void) {
    std::arch::naked_asm!("mov r8, rbp", "jmp {on}", on = sym on::<M>)
}

#[cfg(not(target_arch = "x86_64"))]
unsafe extern "C" fn enter<M: Memo>(uc: *mut uc_engine, pc: u64, size: u32, session: *mut c_void) {
    // SAFETY: by this function's own contract, which is the same.
    unsafe { on::<M>(uc, pc, size, session, 0) }
}

/// # Safety
/// `session` is the session that installed the hook, and nothing else uses it while the guest
/// executes. `env` may be anything.
unsafe extern "C" fn on<M: Memo>(uc: *mut uc_engine, pc: u64, size: u32, session: *mut c_void, env: usize) {
    // SAFETY: by this function's contract.
    let session = unsafe { &mut *session.cast::<Session<'_, M>>() };
    session.on_instruction(uc, env, pc, size);
}
