//! Hooks for instructions that this crate handles in place of the emulator: system calls, those
//! that raise exceptions, and those that read the processor's clock. The emulator would read the
//! host's clock, so that no run would repeat; here they read the kernel's clock, which advances at
//! each reading. (s390x `stck` reads 0 in the emulator.)
#![allow(unsafe_code, reason = "C callbacks that are handed the guest as a pointer")]

use std::ffi::c_void;

use unicorn_engine::{Arm64Insn, HookType, RegisterARM64CP, RegisterX86, X86Insn, uc_engine};

use crate::core::Core;
use crate::end::{End, Reason};
use crate::error::MachineError;
use crate::native::offer;
use crate::target::ClockReader;

/// A callback returns this if the emulator must not execute the instruction itself.
const DONE: i32 = 1;
const NOT_DONE: u32 = 0;

impl Core {
    /// Installs the hooks for system calls, exceptions and clock readings.
    ///
    /// # Safety
    /// `core` points to a guest that stays in place and is not borrowed while it executes.
    pub(crate) unsafe fn install_hooks(core: *mut Core) -> Result<(), MachineError> {
        // SAFETY: by this function's contract; each callback has the type that its kind of hook
        // calls, and takes a `*mut Core`.
        unsafe {
            let engine = &(*core).engine;
            let data = core.cast::<c_void>();
            if let Some(instruction) = engine.target().syscall {
                engine.hook_instruction(instruction, on_syscall as *mut c_void, data)?;
            }
            match engine.target().clock {
                ClockReader::TimeStamp => {
                    engine.hook_instruction(X86Insn::RDTSC as i32, on_rdtsc as *mut c_void, data)?;
                    engine.hook_instruction(X86Insn::RDTSCP as i32, on_rdtscp as *mut c_void, data)?;
                    engine.hook_instruction(X86Insn::CPUID as i32, on_cpuid as *mut c_void, data)?;
                }
                ClockReader::SystemRegister => {
                    engine.hook_instruction(Arm64Insn::UC_ARM64_INS_MRS as i32, on_mrs as *mut c_void, data)?;
                }
                ClockReader::Emulator => {}
            }
            engine.hook(HookType::INTR, on_interrupt as *mut c_void, data)
        }
    }

    fn set(&mut self, id: i32, value: u64) {
        if let Err(error) = self.engine.write(id, value) {
            self.finish(End::undecided(Reason::Stopped, self.pc, error.to_string()));
        }
    }

    /// Handles `RDTSC` and `RDTSCP`, which return the count in EDX and EAX (Intel SDM volume 2).
    fn read_time_stamp(&mut self) {
        let count = self.kernel.clock.tick();
        self.set(RegisterX86::RAX as i32, count & 0xffff_ffff);
        self.set(RegisterX86::RDX as i32, count >> 32);
    }
}

unsafe extern "C" fn on_syscall(_: *mut uc_engine, core: *mut c_void) {
    // SAFETY: `install_hooks` was given this pointer, and the guest executes, so nothing else
    // borrows it.
    let core = unsafe { &mut *core.cast::<Core>() };
    core.syscall();
}

unsafe extern "C" fn on_interrupt(_: *mut uc_engine, number: u32, core: *mut c_void) {
    // SAFETY: as in `on_syscall`.
    let core = unsafe { &mut *core.cast::<Core>() };
    core.interrupted(number);
}

unsafe extern "C" fn on_rdtsc(_: *mut uc_engine, core: *mut c_void) -> i32 {
    // SAFETY: `install_hooks` was given this pointer, and the guest executes, so nothing else
    // borrows it.
    let core = unsafe { &mut *core.cast::<Core>() };
    core.read_time_stamp();
    DONE
}

unsafe extern "C" fn on_rdtscp(_: *mut uc_engine, core: *mut c_void) -> i32 {
    // SAFETY: as in `on_rdtsc`.
    let core = unsafe { &mut *core.cast::<Core>() };
    core.read_time_stamp();
    // IA32_TSC_AUX: the number of the first processor.
    core.set(RegisterX86::RCX as i32, 0);
    DONE
}

/// Answers CPUID where the processor offers more than the emulator's.
unsafe extern "C" fn on_cpuid(_: *mut uc_engine, core: *mut c_void) -> i32 {
    // SAFETY: as in `on_rdtsc`.
    let core = unsafe { &mut *core.cast::<Core>() };
    let [leaf, part] = [RegisterX86::RAX, RegisterX86::RCX].map(|id| core.engine.read(id as i32) as u32);
    let Some(values) = offer::answer(leaf, part) else { return NOT_DONE as i32 };
    let registers = [RegisterX86::RAX, RegisterX86::RBX, RegisterX86::RCX, RegisterX86::RDX];
    for (id, value) in registers.into_iter().zip(values) {
        core.set(id as i32, value.into());
    }
    DONE
}

/// Handles `MRS` of CNTVCT_EL0 or CNTPCT_EL0 (Arm ARM DDI 0487, D19: op0 3, op1 3, CRn 14, CRm 0,
/// op2 2 or 1). The emulator reads all other registers itself.
unsafe extern "C" fn on_mrs(_: *mut uc_engine, id: u32, source: *const RegisterARM64CP, core: *mut c_void) -> u32 {
    // SAFETY: as in `on_rdtsc`; the emulator passes a register description that is live during the
    // call.
    let (core, source) = unsafe { (&mut *core.cast::<Core>(), &*source) };
    if (source.op0, source.op1, source.crn, source.crm) != (3, 3, 14, 0) || !(1..=2).contains(&source.op2) {
        return NOT_DONE;
    }
    let count = core.kernel.clock.tick();
    core.set(id as i32, count);
    DONE as u32
}
