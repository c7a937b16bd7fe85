//! Vector instructions of AMD64 that the emulator lacks, executed by a host that has them: one at a
//! time, on the program's registers, with the memory operand replaced by a copy. An access that
//! memory does not allow is a fault of the program, never of the host.
//!
//! The emulator keeps all bytes of the 32 vector registers and executes none of these instructions;
//! SSE instructions leave the upper bytes unchanged, as on a processor. The emulator gives no
//! access to opmask registers: they are kept in [`Engine`].

mod by_definition;
mod extended;
#[cfg(target_arch = "x86_64")]
mod host;
pub(crate) mod offer;
mod operand;

use std::rc::Rc;

use isa::native::Native;
use unicorn_engine::RegisterX86;

use crate::engine::Engine;
use crate::memory::Memory;
use crate::substitute::Executed;
use operand::Place;

/// The host as executor for one program. A host of another architecture executes nothing.
#[derive(Default)]
pub(crate) struct Host {
    #[cfg(target_arch = "x86_64")]
    page: Option<host::Page>,
    known: rustc_hash::FxHashMap<[u8; isa::native::LONGEST], Option<Prepared>>,
}

/// An instruction that this host has, and the slot of its code.
#[derive(Clone)]
struct Prepared {
    native: Rc<Native>,
    slot: usize,
}

/// General protection and SIMD floating-point exception (Intel SDM volume 3, table 6-1).
const PROTECTION: u32 = 13;
#[cfg(target_arch = "x86_64")]
const FLOATING_POINT: u32 = 19;
/// Maximum number of prepared instructions.
const MOST: usize = 1 << 12;

/// Returns true if the instruction at the start of `bytes` is executed, by this host or by its
/// definition.
pub(crate) fn has(bytes: &[u8]) -> bool {
    let is_one =
        || isa::native::native(bytes).is_some_and(|native| is_here(&native)) || isa::native::defined(bytes).is_some();
    may_be_native(bytes) && is_one()
}

/// Executes VLDMXCSR or VSTMXCSR. Reserved bits are not loaded (Intel SDM volume 2, LDMXCSR).
fn move_control(native: &Native, mut place: Place, engine: &mut Engine, memory: &mut Memory, pc: u64) -> Executed {
    let register = RegisterX86::MXCSR as i32;
    let Some(bytes) = place.bytes_mut().first_chunk_mut::<4>() else { return Executed::Not };
    if native.operand.is_some_and(|operand| operand.is_written) {
        *bytes = (engine.read(register) as u32).to_le_bytes();
        place.write_back(engine, memory);
    } else {
        let value = u32::from_le_bytes(*bytes);
        if value > 0xffff {
            return Executed::Raises(PROTECTION);
        }
        if engine.write(register, value.into()).is_err() {
            return Executed::Not;
        }
    }
    Executed::Done { next: pc.wrapping_add(native.length.into()) }
}

/// Returns true if one of these instructions may begin with these bytes.
fn may_be_native(bytes: &[u8]) -> bool {
    match bytes {
        [0xc4 | 0xc5 | 0x62, ..] => true,
        [0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65..=0x67 | 0xf2 | 0xf3 | 0x40..=0x4f, rest @ ..] => may_be_native(rest),
        [0x0f, 0x38 | 0x3a, ..] => true,
        [0x0f, 0x01 | 0xae | 0xc7, ..] => offer::wide(),
        _ => false,
    }
}

/// Returns true if this host executes all that a processor of level x86-64-v3 has.
fn executes_v3() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use isa::native::Feature::{Avx, Avx2, Bmi1, Bmi2, F16c, Fma};
        [Avx, Avx2, Bmi1, Bmi2, F16c, Fma].into_iter().all(host::has)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

#[cfg(target_arch = "x86_64")]
fn is_here(native: &Native) -> bool {
    native.features.iter().all(|feature| host::has(*feature))
}

#[cfg(not(target_arch = "x86_64"))]
fn is_here(_: &Native) -> bool {
    false
}

impl Host {
    /// Executes the instruction at the start of `bytes`.
    pub(crate) fn execute(&mut self, engine: &mut Engine, memory: &mut Memory, pc: u64, bytes: &[u8]) -> Executed {
        let Some(prepared) = self.prepared(bytes) else { return by_definition::execute(engine, memory, pc, bytes) };
        let place = match &prepared.native.operand {
            None => None,
            Some(operand) => match Place::new(operand, engine, memory, pc) {
                Ok(place) => Some(place),
                Err(executed) => return executed,
            },
        };
        match place {
            Some(place) if prepared.native.moves_control => move_control(&prepared.native, place, engine, memory, pc),
            place => self.enter(&prepared, place, engine, memory, pc),
        }
    }

    fn prepared(&mut self, bytes: &[u8]) -> Option<Prepared> {
        if !may_be_native(bytes) {
            return None;
        }
        let mut key = [0; isa::native::LONGEST];
        key.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let slot = self.known.len();
        let native = isa::native::native(bytes).filter(is_here);
        let prepared = native.and_then(|native| self.prepare(native, slot));
        self.known.insert(key, prepared.clone());
        prepared
    }
}

#[cfg(target_arch = "x86_64")]
impl Host {
    fn prepare(&mut self, native: Native, slot: usize) -> Option<Prepared> {
        if self.page.is_none() {
            self.page = host::Page::new(MOST);
        }
        self.page.as_mut()?.put(slot, &native.code)?;
        Some(Prepared { native: native.into(), slot })
    }

    fn enter(
        &mut self,
        prepared: &Prepared,
        mut place: Option<Place>,
        engine: &mut Engine,
        memory: &mut Memory,
        pc: u64,
    ) -> Executed {
        let (Some(page), native) = (&self.page, &prepared.native) else { return Executed::Not };
        let mut state = host::State::new(native, engine);
        if let (Some(operand), Some(place)) = (&native.operand, &mut place) {
            state.point(operand.pointer, place.bytes_mut());
        }
        let unmasked = state.unmasked();
        page.execute(prepared.slot, &mut state);
        if state.raised() & unmasked != 0 {
            return Executed::Raises(FLOATING_POINT);
        }
        if state.give(native, engine).is_err() {
            return Executed::Not;
        }
        if let Some(place) = place {
            place.write_back(engine, memory);
        }
        Executed::Done { next: pc.wrapping_add(native.length.into()) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Host {
    fn prepare(&mut self, _: Native, _: usize) -> Option<Prepared> {
        None
    }

    fn enter(&mut self, _: &Prepared, _: Option<Place>, _: &mut Engine, _: &mut Memory, _: u64) -> Executed {
        Executed::Not
    }
}
