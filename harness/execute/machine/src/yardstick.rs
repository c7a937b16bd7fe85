//! The speed of the emulator alone: a plan executed with one hook on every instruction that does
//! nothing. The speed of witnessing and judging is compared with it.
#![allow(unsafe_code, reason = "C callbacks, one of which is handed the guest as a pointer")]

use std::ffi::c_void;

use unicorn_engine::{HookType, uc_engine};

use crate::arch::target;
use crate::core::Core;
use crate::end::End;
use crate::prepare::{NOWHERE, prepare};
use crate::{MachineError, Plan};

/// Executes the plan unobserved: no step is shown, limits of steps and time do not apply, and no
/// signal is handled. System calls are served.
pub fn run(plan: &Plan<'_>) -> Result<End, MachineError> {
    let guest = prepare(plan)?;
    let mut core = guest.core;
    let pointer = &raw mut core;
    // SAFETY: `core` stays in place until the end of this function and is used through `pointer`
    // alone while it executes. Each callback is of the type that its kind of hook calls. `follow`
    // comes before the hooks that look at where the guest is.
    let outcome = unsafe {
        let nothing = on_code as unsafe extern "C" fn(_, _, _, _);
        (*pointer).engine.hook(HookType::CODE, nothing as *mut c_void, std::ptr::null_mut())?;
        let follow = follow as unsafe extern "C" fn(_, _, _);
        (*pointer).engine.hook(HookType::INTR, follow as *mut c_void, pointer.cast())?;
        Core::install_hooks(pointer)?;
        Core::execute(pointer, guest.start, NOWHERE, 0)
    };
    Ok(core.conclude(outcome, target(plan.image.abi).halt))
}

unsafe extern "C" fn on_code(_: *mut uc_engine, _: u64, _: u32, _: *mut c_void) {}

/// The program counter is not tracked.
unsafe extern "C" fn follow(_: *mut uc_engine, _: u32, core: *mut c_void) {
    // SAFETY: `run` installed this hook with its guest, which nothing else borrows while it
    // executes.
    let core = unsafe { &mut *core.cast::<Core>() };
    core.pc = core.engine.read(core.engine.target().pc);
}
