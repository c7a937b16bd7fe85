//! Instructions of AMD64 that are executed by their definition, on any host.

use isa::native::{Action, Gather, defined};

use super::extended;
use super::operand::{address, general};
use crate::engine::Engine;
use crate::memory::Memory;
use crate::substitute::{Executed, Fault};

/// Bytes of a vector register.
const VECTOR: usize = 64;

/// Executes the instruction at the start of `bytes`, if it is one of these.
pub(super) fn execute(engine: &mut Engine, memory: &mut Memory, pc: u64, bytes: &[u8]) -> Executed {
    let Some(defined) = defined(bytes) else { return Executed::Not };
    let done = match &defined.action {
        Action::Gather(gather) => load_elements(gather, engine, memory, pc),
        // The first processor, as in RDTSCP.
        Action::ReadProcessor(register) => engine.write(general(*register), 0).map_err(|_| Executed::Not),
        Action::WriteBack(at) => read(address(at, engine, pc), 1, memory).map(|_| ()),
        Action::ReadEnabled => extended::read_enabled(engine),
        Action::SaveState(at, form) => extended::save(address(at, engine, pc), *form, engine, memory),
        Action::RestoreState(at) => extended::restore(address(at, engine, pc), engine, memory),
    };
    match done {
        Ok(()) => Executed::Done { next: pc.wrapping_add(defined.length.into()) },
        Err(executed) => executed,
    }
}

fn load_elements(gather: &Gather, engine: &mut Engine, memory: &Memory, pc: u64) -> Result<(), Executed> {
    let Gather { element, index, .. } = *gather;
    let [indices, masks, before] =
        [gather.indices.0, gather.mask, gather.result].map(|number| engine.read_vector(number.into()));
    let base = address(&gather.address, engine, pc);
    let mut result = [0; VECTOR];
    for at in 0..gather.count {
        let place = at * element..(at + 1) * element;
        let is_wanted = masks.get(place.end - 1).is_some_and(|byte| byte & 0x80 != 0);
        let value = if is_wanted {
            let bytes = indices.get(at * index..(at + 1) * index).unwrap_or_default();
            let number = match (bytes.first_chunk::<8>(), bytes.first_chunk::<4>()) {
                (Some(wide), _) => i64::from_le_bytes(*wide),
                (None, Some(narrow)) => i32::from_le_bytes(*narrow).into(),
                (None, None) => return Err(Executed::Not),
            };
            let offset = (number as u64).wrapping_mul(gather.indices.1);
            read(base.wrapping_add(offset), element, memory)?
        } else {
            before.get(place.clone()).unwrap_or_default().to_vec()
        };
        result.get_mut(place).into_iter().for_each(|to| to.copy_from_slice(&value));
    }
    let written = engine.write_vector(gather.result.into(), &result);
    let cleared = engine.write_vector(gather.mask.into(), &[0; VECTOR]);
    written.and(cleared).map_err(|_| Executed::Not)
}

/// Bytes in memory, also across regions.
pub(super) fn read(at: u64, size: usize, memory: &Memory) -> Result<Vec<u8>, Executed> {
    if let Some(bytes) = memory.read(at, size) {
        return Ok(bytes.to_vec());
    }
    let byte = |offset: usize| {
        let address = at.wrapping_add(offset as u64);
        let one = memory.read(address, 1).and_then(|one| one.first().copied());
        one.ok_or(Executed::Fault(Fault { address, size, writes: false, is_mapped: false }))
    };
    (0..size).map(byte).collect()
}
