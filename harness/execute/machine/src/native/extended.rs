//! XGETBV, and the instructions that save and restore the extended state (Intel SDM volume 1, 13.4,
//! 13.7 to 13.10), for a processor with x87, SSE and AVX that tracks no initial state.

use isa::native::StateForm;
use unicorn_engine::RegisterX86 as R;

use super::PROTECTION;
use super::by_definition::read;
use super::offer::{AREA, AVX, ENABLED};
use crate::engine::Engine;
use crate::layout::Access;
use crate::memory::Memory;
use crate::substitute::{Executed, Fault};

/// The components, by their bits.
const X87: u64 = 1;
const SSE: u64 = 2;
const WIDE: u64 = 4;
/// XCOMP_BV: the area is compacted.
const COMPACTED: u64 = 1 << 63;
/// Offsets in the area (Intel SDM volume 1, table 10-2): MXCSR, ST0, XMM0; the header.
const CONTROL: usize = 24;
const ST: usize = 32;
const XMM: usize = 160;
const HEADER: usize = 512;
/// Bits of MXCSR that exist.
const CONTROL_BITS: u32 = 0xffff;
/// Initial values of the control words.
const X87_START: u64 = 0x37f;
const SSE_START: u64 = 0x1f80;

/// Executes XGETBV.
pub(super) fn read_enabled(engine: &mut Engine) -> Result<(), Executed> {
    if engine.read(R::RCX as i32) as u32 > 1 {
        return Err(Executed::Raises(PROTECTION));
    }
    set(engine, R::RAX, ENABLED)?;
    set(engine, R::RDX, 0)
}

/// Stores the components that EDX:EAX selects.
pub(super) fn save(at: u64, form: StateForm, engine: &mut Engine, memory: &mut Memory) -> Result<(), Executed> {
    if !at.is_multiple_of(64) {
        return Err(Executed::Misaligned);
    }
    let wanted = selected(engine);
    let mut pieces: Vec<(usize, Vec<u8>)> = Vec::new();
    if wanted & X87 != 0 {
        let word = |register: R| (engine.read(register as i32) as u16).to_le_bytes();
        let tags = engine.read(R::FPTAG as i32);
        let used = (0..8).fold(0u8, |used, at| used | u8::from(tags >> (2 * at) & 3 != 3) << at);
        let start = [&word(R::FPCW)[..], &word(R::FPSW), &[used, 0], &[0; 18]].concat();
        pieces.push((0, start));
        for number in 0..8 {
            let value = engine.read_wide(R::ST0 as i32 + number as i32);
            pieces.push((ST + 16 * number, [&value[..10], &[0; 6]].concat()));
        }
    }
    let has_control = match form {
        StateForm::Standard => wanted & (SSE | WIDE) != 0,
        StateForm::Compacted => wanted & SSE != 0,
    };
    if has_control {
        let control = engine.read(R::MXCSR as i32) as u32;
        pieces.push((CONTROL, [control.to_le_bytes(), CONTROL_BITS.to_le_bytes()].concat()));
    }
    for number in 0..16 {
        let value = engine.read_vector(number);
        if wanted & SSE != 0 {
            pieces.push((XMM + 16 * number, value[..16].to_vec()));
        }
        if wanted & WIDE != 0 {
            pieces.push((AVX.0 + 16 * number, value[16..32].to_vec()));
        }
    }
    let header = match form {
        StateForm::Standard => {
            let before = word(&read(at + HEADER as u64, 8, memory)?, 0);
            (before | wanted).to_le_bytes().to_vec()
        }
        StateForm::Compacted => [wanted.to_le_bytes(), (wanted | COMPACTED).to_le_bytes()].concat(),
    };
    pieces.push((HEADER, header));
    for (offset, bytes) in &pieces {
        is_accessible(at + *offset as u64, bytes.len(), Access::WRITE, memory)?;
    }
    for (offset, bytes) in &pieces {
        memory.write(at + *offset as u64, bytes);
    }
    let last = at + AREA as u64 - 1;
    if [at, last].iter().any(|at| memory.accessible(*at, 1, Access::EXECUTE).is_some()) {
        // The emulator does not notice the stores.
        engine.forget_stretch(at, last).map_err(|_| Executed::Not)?;
    }
    Ok(())
}

/// Loads the components that EDX:EAX selects.
pub(super) fn restore(at: u64, engine: &mut Engine, memory: &Memory) -> Result<(), Executed> {
    if !at.is_multiple_of(64) {
        return Err(Executed::Misaligned);
    }
    let wanted = selected(engine);
    let header = read(at + HEADER as u64, 64, memory)?;
    let (there, form) = (word(&header, 0), word(&header, 8));
    let is_compacted = form & COMPACTED != 0;
    let rest = header.get(if is_compacted { 16..64 } else { 8..24 }).unwrap_or_default();
    let is_valid = there & !ENABLED == 0
        && rest.iter().all(|byte| *byte == 0)
        && (!is_compacted || form & !(ENABLED | COMPACTED) == 0 && there & !form == 0);
    if !is_valid {
        return Err(Executed::Raises(PROTECTION));
    }
    let has_control = wanted & SSE != 0 || !is_compacted && wanted & WIDE != 0;
    let mut control = None;
    if has_control {
        let is_there = !is_compacted || there & SSE != 0;
        let value = if is_there { word(&read(at + CONTROL as u64, 4, memory)?, 0) } else { SSE_START };
        if value & !u64::from(CONTROL_BITS) != 0 {
            return Err(Executed::Raises(PROTECTION));
        }
        control = Some(value);
    }
    // All is read before anything changes.
    let part = |component: u64, offset: usize, size: usize| match wanted & component != 0 {
        true if there & component != 0 => read(at + offset as u64, size, memory).map(Some),
        true => Ok(Some(vec![0; size])),
        false => Ok(None),
    };
    let (x87, sse, wide) = (part(X87, 0, XMM)?, part(SSE, XMM, 256)?, part(WIDE, AVX.0, AVX.1)?);
    if let Some(value) = control {
        set(engine, R::MXCSR, value)?;
    }
    if let Some(bytes) = x87 {
        let is_there = there & X87 != 0;
        let used = if is_there { bytes.get(4).copied().unwrap_or(0) } else { 0 };
        let tags = (0..8).fold(0, |tags, at| if used >> at & 1 == 0 { tags | 3 << (2 * at) } else { tags });
        set(engine, R::FPCW, if is_there { word(&bytes, 0) & 0xffff } else { X87_START })?;
        set(engine, R::FPSW, word(&bytes, 2) & 0xffff)?;
        for (number, value) in bytes.get(ST..).unwrap_or_default().as_chunks::<16>().0.iter().enumerate() {
            engine.write_wide(R::ST0 as i32 + number as i32, *value).map_err(|_| Executed::Not)?;
        }
        set(engine, R::FPTAG, tags)?;
    }
    for number in 0..16 {
        let mut value = engine.read_vector(number);
        for (bytes, place) in [(&sse, 0..16), (&wide, 16..32)] {
            let from = bytes.as_ref().and_then(|bytes| bytes.get(16 * number..16 * number + 16));
            from.into_iter().for_each(|from| value[place.clone()].copy_from_slice(from));
        }
        engine.write_vector(number, &value).map_err(|_| Executed::Not)?;
    }
    Ok(())
}

/// The components that EDX:EAX selects and that are enabled.
fn selected(engine: &Engine) -> u64 {
    let half = |register: R| engine.read(register as i32) & 0xffff_ffff;
    (half(R::RDX) << 32 | half(R::RAX)) & ENABLED
}

/// Little-endian number at an offset; missing bytes are 0.
fn word(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

fn set(engine: &Engine, register: R, value: u64) -> Result<(), Executed> {
    engine.write(register as i32, value).map_err(|_| Executed::Not)
}

/// Checks that all bytes can be accessed.
fn is_accessible(at: u64, size: usize, access: Access, memory: &Memory) -> Result<(), Executed> {
    if memory.accessible(at, size, access).is_some() {
        return Ok(());
    }
    let mut lacking = (0..size as u64).map(|byte| at.wrapping_add(byte));
    match lacking.find(|at| memory.accessible(*at, 1, access).is_none()) {
        None => Ok(()),
        Some(address) => {
            let is_mapped = memory.holds(address, 1);
            Err(Executed::Fault(Fault { address, size, writes: access == Access::WRITE, is_mapped }))
        }
    }
}
