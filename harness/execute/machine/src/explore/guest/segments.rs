//! The memory that an image loads.

use types::{Bytes, Image, ImageKind, Segment};

use crate::engine::Engine;
use crate::error::MachineError;
use crate::layout::{Access, PAGE, Span};
use crate::memory::Memory;

/// Maps a span: the parts in `lent` are mapped from the file, the others are the guest's own.
pub(super) fn map(
    memory: &mut Memory,
    engine: &Engine,
    span: &Span,
    lent: Vec<(u64, Bytes)>,
) -> Result<(), MachineError> {
    let Some(access) = span.runs.first().map(|run| run.access) else { return Ok(()) };
    let mut at = span.base;
    for (base, bytes) in lent {
        if at < base {
            memory.map(engine, Span::uniform(at, base - at, access))?;
        }
        at = base + bytes.len() as u64;
        memory.lend(engine, base, bytes, access)?;
    }
    if at < span.end() {
        memory.map(engine, Span::uniform(at, span.end() - at, access))?;
    }
    Ok(())
}

/// The loaded parts of an image. Sections of an object file have addresses that this crate
/// assigned.
pub(super) fn segments(image: &Image, limit: u64) -> Vec<Segment> {
    if image.kind != ImageKind::Relocatable {
        return within(limit, image.segments.clone());
    }
    let loaded = image.sections.iter().filter(|section| section.is_alloc() && section.size > 0);
    let mut all: Vec<Segment> = loaded
        .map(|section| Segment {
            memory_size: section.size,
            file_offset: section.file_offset,
            ..Segment::new(types::elf::PT_LOAD, flags(section.flags), section.address, section.bytes.clone())
        })
        .collect();
    all.sort_by_key(|segment| segment.address);
    // One mapping for neighbours: the emulator's time grows with the cube of their number.
    for at in 1..all.len() {
        let (address, flags) = (all[at].address, all[at].flags);
        let before = &mut all[at - 1];
        if before.flags == flags && address - before.address <= before.memory_size + 2 * PAGE {
            before.memory_size = address - before.address;
        }
    }
    within(limit, all)
}

/// Segments that need at most `limit` bytes, if their bytes of the file do: of the zeroes that
/// follow these, the last are left out. An access there fails, as one of a made-up address does.
fn within(limit: u64, mut segments: Vec<Segment>) -> Vec<Segment> {
    let mut loaded: Vec<&mut Segment> =
        segments.iter_mut().filter(|segment| segment.kind == types::elf::PT_LOAD).collect();
    // A page at both ends, because memory is mapped in pages.
    let of_file = |segment: &&mut Segment| segment.bytes.len() as u64 + 2 * PAGE;
    let mut left = limit.saturating_sub(loaded.iter().map(of_file).sum());
    loaded.sort_by_key(|segment| segment.memory_size);
    for segment in loaded {
        let zeroes = segment.memory_size.saturating_sub(segment.bytes.len() as u64);
        segment.memory_size -= zeroes.saturating_sub(left);
        left = left.saturating_sub(zeroes);
    }
    segments
}

/// Segment flags for section flags (gABI, SHF_WRITE 1, SHF_EXECINSTR 4).
fn flags(section: u64) -> u32 {
    let write = if section & 1 != 0 { Access::WRITE.0 } else { 0 };
    let execute = if section & 4 != 0 { Access::EXECUTE.0 } else { 0 };
    Access::READ.0 | write | execute
}
