//! The emulator's handle, and its calls outside the hot path.
#![allow(unsafe_code, reason = "the emulator's C interface: hooks with our own data, host-backed memory")]

use std::cell::Cell;
use std::ffi::c_void;

use types::{FrameRegs, Reg, RegFile};
use unicorn_engine::{
    ControlType, HookType, RegisterX86, TlbType, Unicorn, uc_ctl, uc_emu_start, uc_emu_stop, uc_engine, uc_error,
    uc_hook, uc_hook_add,
};
use unicorn_engine::{
    uc_context, uc_context_alloc, uc_context_free, uc_context_restore, uc_context_save, uc_context_size, uc_reg_read,
    uc_reg_write,
};
use witness::VectorBits;

use crate::error::MachineError;
use crate::target::EngineTarget;

pub(crate) struct Engine {
    unicorn: Unicorn<'static, ()>,
    target: &'static EngineTarget,
    /// The opmask registers of AMD64, which the emulator lacks.
    masks: Cell<[u64; 8]>,
    vector_bits: VectorBits,
}

/// A saved copy of all registers.
pub(crate) struct Context {
    registers: unicorn_engine::Context,
    masks: [u64; 8],
}

impl Engine {
    /// A processor of the target, ready for user code, without memory.
    pub(crate) fn new(target: &'static EngineTarget) -> Result<Self, MachineError> {
        let unicorn = Unicorn::new(target.arch, target.mode).map_err(failed("create a processor"))?;
        Engine::prepared(unicorn, target)
    }

    /// Creates a processor as [`Engine::new`] does, with a translation buffer of `bytes` bytes
    /// instead of a gigabyte. The buffer is discarded when full.
    pub(crate) fn with_code_bytes(target: &'static EngineTarget, bytes: u32) -> Result<Self, MachineError> {
        let unicorn = Unicorn::new(target.arch, target.mode).map_err(failed("create a processor"))?;
        let control = ControlType(ControlType::TCG_BUFFER_SIZE.0 | ControlType::IO_WRITE.0);
        // SAFETY: the handle is live, and this control takes one number of 32 bits.
        check(unsafe { uc_ctl(unicorn.get_handle(), control, bytes) }, "limit translated code")?;
        Engine::prepared(unicorn, target)
    }

    fn prepared(mut unicorn: Unicorn<'static, ()>, target: &'static EngineTarget) -> Result<Self, MachineError> {
        (target.prepare)(&mut unicorn).map_err(failed("prepare the processor"))?;
        let mut engine = Engine { unicorn, target, masks: Cell::default(), vector_bits: VectorBits::DEFAULT };
        engine.set_vector_bits(VectorBits::DEFAULT)?;
        Ok(engine)
    }

    /// Sets the length of scalable vectors, if the target has them.
    pub(crate) fn set_vector_bits(&mut self, bits: VectorBits) -> Result<(), MachineError> {
        (self.target.set_vector_bits)(&mut self.unicorn, bits).map_err(failed("set the vector length"))?;
        self.vector_bits = bits;
        Ok(())
    }

    /// The length of scalable vectors.
    pub(crate) fn vector_bits(&self) -> VectorBits {
        self.vector_bits
    }

    /// The value of a DWARF register that the emulator lacks: the vector length in granules of 64
    /// bits.
    pub(crate) fn constant(&self, reg: Reg) -> Option<u64> {
        (self.target.vector_column == Some(reg)).then_some(self.vector_bits.granules())
    }

    /// The emulator's handle. It lives as long as `self`.
    pub(crate) fn handle(&self) -> *mut uc_engine {
        self.unicorn.get_handle()
    }

    /// The emulated target.
    pub(crate) fn target(&self) -> &'static EngineTarget {
        self.target
    }

    /// The value of a register, by the emulator's number.
    pub(crate) fn read(&self, id: i32) -> u64 {
        read(self.handle(), id)
    }

    /// Sets a register by the emulator's number.
    pub(crate) fn write(&self, id: i32, value: u64) -> Result<(), MachineError> {
        // SAFETY: the handle is live, and every register written is of at most 64 bits.
        let outcome = unsafe { uc_reg_write(self.handle(), id, (&raw const value).cast()) };
        check(outcome, "write a register")
    }

    /// The value of a register of up to 16 bytes, lowest byte first; missing bytes are 0.
    pub(crate) fn read_wide(&self, id: i32) -> [u8; 16] {
        let mut value = [0; 16];
        // SAFETY: the handle is live, and no register that a frame holds is wider.
        unsafe { uc_reg_read(self.handle(), id, value.as_mut_ptr().cast()) };
        value
    }

    /// Sets a register of up to 16 bytes.
    pub(crate) fn write_wide(&self, id: i32, value: [u8; 16]) -> Result<(), MachineError> {
        // SAFETY: as in `read_wide`.
        check(unsafe { uc_reg_write(self.handle(), id, value.as_ptr().cast()) }, "write a register")
    }

    /// The value of a vector register of AMD64, lowest byte first.
    pub(crate) fn read_vector(&self, number: usize) -> [u8; 64] {
        let mut value = [0; 64];
        let id = RegisterX86::ZMM0 as i32 + (number as i32 & 31);
        // SAFETY: the handle is live, and the register has 64 bytes.
        unsafe { uc_reg_read(self.handle(), id, value.as_mut_ptr().cast()) };
        value
    }

    /// Sets a vector register of AMD64.
    pub(crate) fn write_vector(&self, number: usize, value: &[u8; 64]) -> Result<(), MachineError> {
        let id = RegisterX86::ZMM0 as i32 + (number as i32 & 31);
        // SAFETY: as in `read_vector`.
        check(unsafe { uc_reg_write(self.handle(), id, value.as_ptr().cast()) }, "write a register")
    }

    /// The opmask registers of AMD64.
    pub(crate) fn masks(&self) -> [u64; 8] {
        self.masks.get()
    }

    /// Sets the opmask registers of AMD64.
    pub(crate) fn set_masks(&self, masks: [u64; 8]) {
        self.masks.set(masks);
    }

    /// The registers that tables use, at the instruction at `pc`.
    pub(crate) fn snapshot(&self, pc: u64) -> FrameRegs {
        FrameRegs::snapshot(&LiveRegs {
            handle: self.handle(),
            target: self.target,
            granules: self.vector_bits.granules(),
            pc,
        })
    }

    /// Saves all registers into a new context.
    pub(crate) fn save_new(&self) -> Result<Context, MachineError> {
        let registers = self.unicorn.context_init().map_err(failed("save the registers"))?;
        Ok(Context { registers, masks: self.masks.get() })
    }

    /// All registers, in a new context.
    pub(crate) fn saved(&self) -> Result<Context, MachineError> {
        let mut context = self.save_new()?;
        self.save(&mut context)?;
        Ok(context)
    }

    /// Saves all registers into an existing context.
    pub(crate) fn save(&self, context: &mut Context) -> Result<(), MachineError> {
        context.masks = self.masks.get();
        self.unicorn.context_save(&mut context.registers).map_err(failed("save the registers"))
    }

    /// Restores the registers from a context.
    pub(crate) fn restore(&self, context: &Context) -> Result<(), MachineError> {
        self.masks.set(context.masks);
        self.unicorn.context_restore(&context.registers).map_err(failed("restore the registers"))
    }

    /// The processor's state as the emulator holds it in memory, without the header, which begins
    /// with the length of the rest.
    #[cold]
    pub(crate) fn state(&self) -> Option<Vec<u8>> {
        // SAFETY: the context is only read.
        unsafe { self.with_state(|_, state| Some(state.to_vec())) }
    }

    /// Changes the processor's state; `None` if that fails.
    #[cold]
    pub(crate) fn change_state(&mut self, change: impl FnOnce(&mut [u8]) -> Option<()>) -> Option<()> {
        let handle = self.handle();
        // SAFETY: the context is of this engine; only values of registers are changed.
        unsafe {
            self.with_state(|context, state| {
                change(state)?;
                (uc_context_restore(handle, context) == uc_error::OK).then_some(())
            })
        }
    }

    /// Calls a function with a saved context, and the state in it.
    ///
    /// # Safety
    /// The function restores only a context that is valid for the emulator.
    unsafe fn with_state<T>(&self, use_it: impl FnOnce(*mut uc_context, &mut [u8]) -> Option<T>) -> Option<T> {
        let mut context: *mut uc_context = std::ptr::null_mut();
        // SAFETY: the handle is live; the context is allocated, saved and freed by the emulator,
        // and has the size that it gives.
        unsafe {
            if uc_context_alloc(self.handle(), &raw mut context) != uc_error::OK {
                return None;
            }
            let size = uc_context_size(self.handle());
            let used = (uc_context_save(self.handle(), context) == uc_error::OK).then(|| {
                let bytes = std::slice::from_raw_parts_mut(context.cast::<u8>(), size);
                let length = bytes.first_chunk().map(|word| usize::from_ne_bytes(*word))?;
                use_it(context, bytes.get_mut(size.checked_sub(length)?..)?)
            });
            uc_context_free(context);
            used.flatten()
        }
    }

    /// Calls [`start`] where no hook uses the value that this engine is part of.
    pub(crate) fn start(&mut self, begin: u64, until: u64, count: usize) -> Result<(), uc_error> {
        // SAFETY: the handle is live, and the engine is borrowed by this function alone.
        unsafe { start(self.handle(), begin, until, count) }
    }

    /// Discards the translated code of a range, and code that was translated to stop at its end.
    pub(crate) fn forget_stretch(&mut self, from: u64, to: u64) -> Result<(), MachineError> {
        let end = to.saturating_add(1);
        self.unicorn.ctl_remove_cache(from, end).map_err(failed("flush translated code"))
    }

    /// Discards all translated code.
    pub(crate) fn forget_code(&mut self) -> Result<(), MachineError> {
        self.unicorn.ctl_flush_tb().map_err(failed("flush translated code"))
    }

    /// Has a hook define the pages, in place of the processor's page tables, which no guest has
    /// here.
    pub(crate) fn ask_for_pages(&mut self) -> Result<(), MachineError> {
        self.unicorn.ctl_set_tlb_type(TlbType::VIRTUAL).map_err(failed("replace its page tables"))
    }

    /// Has the emulator stop before these addresses, instead of translating what is there.
    pub(crate) fn stop_before(&self, addresses: impl Iterator<Item = u64>) -> Result<(), MachineError> {
        let all: Vec<u64> = addresses.collect();
        let write = |control: ControlType| ControlType(control.0 | ControlType::IO_WRITE.0);
        let action = "stop before an instruction";
        // SAFETY: the handle is live, and this control takes an `int`.
        check(unsafe { uc_ctl(self.handle(), write(ControlType::UC_USE_EXITS), 1) }, action)?;
        // SAFETY: this one takes an array, which it copies, and its length.
        check(unsafe { uc_ctl(self.handle(), write(ControlType::UC_EXITS), all.as_ptr(), all.len()) }, action)
    }

    /// Has the emulator ask for each page anew.
    pub(crate) fn forget_pages(&self) -> Result<(), MachineError> {
        let control = ControlType(ControlType::TLB_FLUSH.0 | ControlType::IO_WRITE.0);
        // SAFETY: the handle is live, and this control takes no argument.
        check(unsafe { uc_ctl(self.handle(), control) }, "flush its TLB")
    }

    /// Adds a hook for all addresses.
    ///
    /// # Safety
    /// `callback` is a C function of the type that `kind` needs, `data` is what it expects and
    /// outlives every `start`.
    pub(crate) unsafe fn hook(
        &self,
        kind: HookType,
        callback: *mut c_void,
        data: *mut c_void,
    ) -> Result<(), MachineError> {
        // SAFETY: by this function's contract. The instruction is read for instruction hooks only.
        unsafe { self.add_hook(kind, callback, data, 0) }
    }

    /// Adds a hook that is called in place of an instruction, given by the emulator's number for
    /// it.
    ///
    /// # Safety
    /// As for [`Self::hook`], with the type that the instruction needs.
    pub(crate) unsafe fn hook_instruction(
        &self,
        instruction: i32,
        callback: *mut c_void,
        data: *mut c_void,
    ) -> Result<(), MachineError> {
        // SAFETY: by this function's contract.
        unsafe { self.add_hook(HookType::INSN, callback, data, instruction) }
    }

    /// # Safety
    /// As for [`Self::hook`] and [`Self::hook_instruction`].
    unsafe fn add_hook(
        &self,
        kind: HookType,
        callback: *mut c_void,
        data: *mut c_void,
        instruction: i32,
    ) -> Result<(), MachineError> {
        let mut id: uc_hook = 0;
        // An empty range (begin above end) means everywhere.
        let (begin, end) = (1u64, 0u64);
        // SAFETY: by this function's contract; the handle is live, and the trailing argument is the
        // `int` that is read for instruction hooks.
        let outcome =
            unsafe { uc_hook_add(self.handle(), &raw mut id, kind.0 as i32, callback, data, begin, end, instruction) };
        check(outcome, "install a hook")
    }
}

/// The current registers, by DWARF number.
#[derive(Clone, Copy)]
pub(crate) struct LiveRegs {
    handle: *mut uc_engine,
    target: &'static EngineTarget,
    granules: u64,
    /// The program counter. Inside a hook the emulator's own value can be outdated.
    pub(crate) pc: u64,
}

impl LiveRegs {
    /// # Safety
    /// The engine stays live as long as the value is used.
    pub(crate) unsafe fn new(engine: &Engine, pc: u64) -> Self {
        LiveRegs { handle: engine.handle(), target: engine.target(), granules: engine.vector_bits.granules(), pc }
    }
}

impl RegFile for LiveRegs {
    fn read(&self, reg: Reg) -> Option<u64> {
        match self.target.by_dwarf(reg) {
            Some(id) => Some(read(self.handle, id)),
            None if self.target.vector_column == Some(reg) => Some(self.granules),
            None => (self.target.pc_column == Some(reg)).then_some(self.pc),
        }
    }
}

/// The value of a register of at most 64 bits; the emulator fills the register's bytes, the rest is
/// 0.
fn read(handle: *mut uc_engine, id: i32) -> u64 {
    let mut value = 0u64;
    // SAFETY: the handle is live (see `Engine::handle`, `LiveRegs::new`), `value` takes 64 bits,
    // and no register in a `EngineTarget` is wider. An error leaves 0, and happens only for numbers
    // that no `EngineTarget` holds.
    unsafe { uc_reg_read(handle, id, (&raw mut value).cast()) };
    value
}

/// Executes from `begin` until `until` is reached, `count` instructions are executed (0: no limit),
/// or something stops it. It takes the handle, not the engine: hooks change the guest that contains
/// the engine.
///
/// # Safety
/// The handle is live, as are memory and hook data that it was given; nothing borrows what hooks
/// change.
pub(crate) unsafe fn start(handle: *mut uc_engine, begin: u64, until: u64, count: usize) -> Result<(), uc_error> {
    // SAFETY: by this function's contract.
    unsafe { uc_emu_start(handle, begin, until, 0, count) }.into()
}

/// Ends the execution in progress.
///
/// # Safety
/// The handle is live.
pub(crate) unsafe fn stop(handle: *mut uc_engine) {
    // SAFETY: by this function's contract. The result only reports whether an execution was in
    // progress.
    unsafe { uc_emu_stop(handle) };
}

/// Converts an error of the emulator.
pub(crate) fn failed(action: &'static str) -> impl Fn(uc_error) -> MachineError {
    move |error| MachineError::Emulator { action, message: error.to_string() }
}

pub(crate) fn check(outcome: uc_error, action: &'static str) -> Result<(), MachineError> {
    Result::from(outcome).map_err(failed(action))
}
