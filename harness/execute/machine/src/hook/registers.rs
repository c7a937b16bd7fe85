//! The location of SP, FP and link register while the guest executes: in the processor's state, in
//! the emulator's memory. Reading them there makes a step three times as fast as a call of the
//! emulator (`hook.rs`).
//!
//! The offsets come from the emulator's own interface: a word that is written to a register occurs
//! once in a saved context. A host register holds the address of the state when the hook is called
//! (`enter.rs`). Both are accepted only after the values equalled those of the interface, and
//! checked again later.
#![allow(unsafe_code, reason = "reads the processor's state through a pointer that the emulator's code has")]

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::OnceLock;

use types::Abi;
use unicorn_engine::{uc_engine, uc_reg_read_batch};

use crate::arch::target;
use crate::end::{End, Reason};
use crate::engine::{Engine, LiveRegs};

/// Offsets of SP, FP and link register in the state of a target's processor.
type Offsets = [usize; 3];

/// An address that no state has: it is odd.
const NOWHERE: usize = 1;

/// The registers of the processor, as the hook reads them.
pub(super) struct Registers {
    /// All of them, for observers.
    pub(super) live: LiveRegs,
    pub(super) state: State,
    /// The emulator's numbers of SP, FP and link register.
    pub(super) ids: [i32; 3],
}

impl Registers {
    /// The registers of a processor that has not started; `start` is where it will.
    pub(super) fn new(engine: &Engine, abi: Abi, start: u64) -> Registers {
        // SAFETY: the engine lives in the session, beside the registers.
        let live = unsafe { LiveRegs::new(engine, start) };
        Registers { live, state: State::new(abi), ids: engine.target().tracked }
    }

    /// The values of SP, FP and link register.
    #[inline]
    pub(super) fn tracked(&mut self, uc: *mut uc_engine, env: usize) -> [u64; 3] {
        if self.state.is(env) {
            // SAFETY: it is the state, and the guest does not run inside the hook.
            return unsafe { self.state.read() };
        }
        let given = self.given(uc);
        if !self.state.is_known() {
            self.state.believe(env, given);
        }
        given
    }

    /// The values of SP, FP and link register by the emulator's interface.
    pub(super) fn given(&self, uc: *mut uc_engine) -> [u64; 3] {
        let (mut sp, mut fp, mut link) = (0u64, 0u64, 0u64);
        let mut places = [&raw mut sp, &raw mut fp, &raw mut link];
        let count = 3;
        // SAFETY: three registers of 64 bits into three words; `uc` is the live handle that called
        // the hook. The numbers come from a `Target`, for which the call does not fail. The reads
        // are volatile so that they stay three words: one wide load of words just written one by
        // one stalls the processor.
        unsafe {
            uc_reg_read_batch(uc, self.ids.as_ptr(), places.as_mut_ptr().cast(), count);
            [(&raw const sp).read_volatile(), (&raw const fp).read_volatile(), (&raw const link).read_volatile()]
        }
    }

    /// Compares the registers read directly from the emulator's state with those that its interface
    /// gives.
    #[cold]
    pub(super) fn check(&self, uc: *mut uc_engine, env: usize, pc: u64) -> Result<(), End> {
        // SAFETY: it is the state, and the guest does not run inside the hook.
        if self.state.is(env) && unsafe { self.state.read() } != self.given(uc) {
            return Err(End::undecided(Reason::Stopped, pc, "the emulator's registers are not where they were"));
        }
        Ok(())
    }
}

/// The location of the processor's state, once it is confirmed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// Address of the state; [`NOWHERE`] if not confirmed.
    env: usize,
    /// Offsets of the registers; 0 if they cannot be found.
    offsets: Offsets,
    is_refused: bool,
}

impl State {
    /// Creates the value for a processor that has not started.
    pub(crate) fn new(abi: Abi) -> State {
        let offsets = offsets(abi);
        State { env: NOWHERE, offsets: offsets.unwrap_or_default(), is_refused: offsets.is_none() }
    }

    /// Returns true if the state at `env` is confirmed, so that registers may be read there.
    #[inline(always)]
    pub(crate) fn is(&self, env: usize) -> bool {
        env == self.env
    }

    /// Returns true if the state is confirmed or refused, so that no further check is needed.
    pub(crate) fn is_known(&self) -> bool {
        self.env != NOWHERE || self.is_refused
    }

    /// The values of SP, FP and link register.
    ///
    /// # Safety
    /// [`State::is`] this one, and the guest does not run.
    #[inline(always)]
    pub(crate) unsafe fn read(&self) -> [u64; 3] {
        // SAFETY: `believe` has read all three there; the engine lives. They are written by
        // generated code, which is why they are read anew.
        self.offsets
            .map(|offset| unsafe { std::ptr::with_exposed_provenance::<u64>(self.env + offset).read_volatile() })
    }

    /// The value of a general register of s390x; `None` if it is not known where it is.
    ///
    /// # Safety
    /// As for [`State::read`], and the processor is an s390x.
    #[inline(always)]
    pub(crate) unsafe fn general(&self, number: u8) -> Option<u64> {
        let [sp, fp, link] = self.offsets;
        // The sixteen registers are one array: SP is r15, the link register r14, FP r11.
        let is_array = sp.checked_sub(8) == Some(link) && sp.checked_sub(32) == Some(fp);
        let offset = sp.checked_sub(8 * usize::from(15 - number.min(15)))?;
        // SAFETY: it is in the array, of which `believe` has read three.
        is_array.then(|| unsafe { std::ptr::with_exposed_provenance::<u64>(self.env + offset).read_volatile() })
    }

    /// Clears a range of the state.
    ///
    /// # Safety
    /// [`State::is`] this one, the guest does not run, and the part holds values of registers.
    pub(crate) unsafe fn clear(&self, part: Range<usize>) {
        // SAFETY: the state is at least as long as what a saved one has, where the part was found.
        unsafe { std::ptr::with_exposed_provenance_mut::<u8>(self.env + part.start).write_bytes(0, part.len()) };
    }

    /// Confirms the address of the state if it holds the values of the emulator's interface. `env`
    /// may be no valid address: so the kernel reads it, which reports an error.
    #[cold]
    pub(crate) fn believe(&mut self, env: usize, given: [u64; 3]) {
        let holds = || {
            let memory = File::open("/proc/self/mem").ok()?;
            let word = |offset: usize| {
                let mut bytes = [0; 8];
                memory.read_exact_at(&mut bytes, env.checked_add(offset)? as u64).ok()?;
                Some(u64::from_ne_bytes(bytes))
            };
            Some(self.offsets.iter().zip(given).all(|(offset, given)| word(*offset) == Some(given)))
        };
        match env.is_multiple_of(8) && holds() == Some(true) {
            true => self.env = env,
            false => self.is_refused = true,
        }
    }
}

/// The offsets, computed once for each target.
fn offsets(abi: Abi) -> Option<Offsets> {
    static FOUND: [OnceLock<Option<Offsets>>; Abi::ALL.len()] = [const { OnceLock::new() }; Abi::ALL.len()];
    if !cfg!(target_arch = "x86_64") {
        return None;
    }
    let place = Abi::ALL.iter().position(|other| *other == abi)?;
    *FOUND.get(place)?.get_or_init(|| find(abi))
}

#[cold]
fn find(abi: Abi) -> Option<Offsets> {
    let engine = Engine::new(target(abi)).ok()?;
    let mut offsets = [0; 3];
    for (number, (id, offset)) in engine.target().tracked.into_iter().zip(&mut offsets).enumerate() {
        // A value that no register has by itself.
        let word = 0x5afe_c0de_0bad_f100 + ((number as u64) << 4);
        engine.write(id, word).ok()?;
        let saved = engine.state()?;
        let words = saved.windows(8).enumerate().step_by(8);
        let mut places = words.filter(|(_, bytes)| *bytes == word.to_ne_bytes()).map(|(place, _)| place);
        *offset = places.next().filter(|_| places.next().is_none())?;
    }
    Some(offsets)
}
