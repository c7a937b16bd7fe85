//! Instructions that read the processor's clock. The emulator answers them from the host's clock, so that no run would
//! repeat; here they read the kernel's, which moves each time it is looked at. (s390x `stck` reads 0 in the emulator.)
#![allow(unsafe_code, reason = "C callbacks that are handed the guest as a pointer")]

use std::ffi::c_void;

use unicorn_engine::{Arch, Arm64Insn, RegisterARM64CP, RegisterX86, X86Insn, uc_engine};

use crate::MachineError;
use crate::core::Core;
use crate::end::{End, Reason};

/// The emulator does not execute the instruction itself.
const DONE: i32 = 1;
const NOT_DONE: u32 = 0;

/// Installs the hooks.
///
/// # Safety
/// As for [`Core::install_hooks`].
pub(crate) unsafe fn install_hooks(core: *mut Core) -> Result<(), MachineError> {
    // SAFETY: by this function's contract; each callback has the type that its instruction needs.
    unsafe {
        let engine = &(*core).engine;
        let data = core.cast::<c_void>();
        match engine.target().arch {
            Arch::X86 => {
                engine.hook_instruction(X86Insn::RDTSC as i32, on_rdtsc as *mut c_void, data)?;
                engine.hook_instruction(X86Insn::RDTSCP as i32, on_rdtscp as *mut c_void, data)
            }
            Arch::ARM64 => engine.hook_instruction(Arm64Insn::UC_ARM64_INS_MRS as i32, on_mrs as *mut c_void, data),
            _ => Ok(()),
        }
    }
}

impl Core {
    fn set(&mut self, id: i32, value: u64) {
        if let Err(error) = self.engine.write(id, value) {
            self.finish(End::undecided(Reason::Stopped, self.pc, error.to_string()));
        }
    }

    /// `RDTSC` and `RDTSCP` leave the count in EDX and EAX (Intel SDM volume 2).
    fn read_time_stamp(&mut self) {
        let count = self.kernel.tick();
        self.set(RegisterX86::RAX as i32, count & 0xffff_ffff);
        self.set(RegisterX86::RDX as i32, count >> 32);
    }
}

unsafe extern "C" fn on_rdtsc(_: *mut uc_engine, core: *mut c_void) -> i32 {
    // SAFETY: `install_hooks` was given this pointer, and the guest executes, so nothing else borrows it.
    let core = unsafe { &mut *core.cast::<Core>() };
    core.read_time_stamp();
    DONE
}

unsafe extern "C" fn on_rdtscp(_: *mut uc_engine, core: *mut c_void) -> i32 {
    // SAFETY: as in `on_rdtsc`.
    let core = unsafe { &mut *core.cast::<Core>() };
    core.read_time_stamp();
    // IA32_TSC_AUX: the first processor.
    core.set(RegisterX86::RCX as i32, 0);
    DONE
}

/// `MRS` of CNTVCT_EL0 or CNTPCT_EL0 (Arm ARM DDI 0487, D19: op0 3, op1 3, CRn 14, CRm 0, op2 2 or 1). The others the
/// emulator reads itself.
unsafe extern "C" fn on_mrs(_: *mut uc_engine, id: u32, source: *const RegisterARM64CP, core: *mut c_void) -> u32 {
    // SAFETY: as in `on_rdtsc`; the emulator passes a register description that is live during the call.
    let (core, source) = unsafe { (&mut *core.cast::<Core>(), &*source) };
    if (source.op0, source.op1, source.crn, source.crm) != (3, 3, 14, 0) || !(1..=2).contains(&source.op2) {
        return NOT_DONE;
    }
    let count = core.kernel.tick();
    core.set(id as i32, count);
    DONE as u32
}
