//! Maps a program and its interpreter, with the initial stack of a process.

use linux::{Beginning, NewProgram};
use types::elf::{PF_X, PT_GNU_STACK, PT_PHDR};
use types::{Image, Segment};

use crate::MachineError;
use crate::arch::target;
use crate::engine::Engine;
use crate::layout::{Access, PAGE, Pages, Span, USER_END, loads, room_below, spans};
use crate::memory::{Memory, Window};

/// End of the stack if the image leaves that free. It is in the user half of every target.
const STACK_TOP: u64 = 0x3ff_f000_0000;
/// Size in bytes of `Elf64_Ehdr` (ELF gABI), and the offset of `e_phoff`.
const EHDR: u64 = 64;
const E_PHOFF: usize = 32;

/// The limits of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Size of the stack in bytes.
    pub stack: u64,
    /// Maximum size of image and stack together.
    pub all: u64,
}

/// A program in memory.
pub(crate) struct Placed {
    /// Address of the first instruction.
    pub start: u64,
    /// First address after the image.
    pub image_end: u64,
    pub stack: Window,
    pub sp: u64,
}

/// Maps a program that replaces another one. Nothing else is mapped.
pub(crate) fn place(
    program: &NewProgram,
    room: Room,
    engine: &Engine,
    memory: &mut Memory,
) -> Result<Placed, MachineError> {
    let (image, interpreter) = (program.image.as_ref(), program.interpreter.as_deref());
    let mut taken = taken(image, interpreter, room)?;
    let image_end = spans(&image.segments, room.all)?.last().map_or(0, Span::end);
    let size = stack_size(room);
    let stack = place_below(size, vec![Pages { size, access: stack_access(image) }], &mut taken)?;
    let (base, top) = (stack.base, stack.end());
    map_images(image, interpreter, room, engine, memory)?;
    memory.map(engine, stack)?;
    let texts = [program.arguments.as_slice(), &program.environment];
    let sp = write_stack(image, interpreter, texts, &program.name, top, size, memory)?;
    let stack = memory.window(base).ok_or(MachineError::NoRoom(size))?;
    let start = interpreter.unwrap_or(image).entry.0;
    Ok(Placed { start, image_end, stack, sp })
}

/// The spans that a program and its interpreter need.
pub(crate) fn taken(image: &Image, interpreter: Option<&Image>, room: Room) -> Result<Vec<Span>, MachineError> {
    let mut taken = spans(&image.segments, room.all)?;
    if let Some(interpreter) = interpreter {
        taken.extend(spans(&interpreter.segments, room.all)?);
    }
    // Checked before the search for free addresses, so that an absurd stack size is reported as
    // such.
    let needed = taken.iter().map(Span::size).sum::<u64>().saturating_add(stack_size(room));
    if needed > room.all {
        return Err(MachineError::TooLarge { needed, limit: room.all });
    }
    Ok(taken)
}

/// Size of the stack in bytes.
pub(crate) fn stack_size(room: Room) -> u64 {
    room.stack.clamp(16 * PAGE, USER_END).next_multiple_of(PAGE)
}

/// Finds room for a span, and adds it to those taken.
pub(crate) fn place_below(size: u64, runs: Vec<Pages>, taken: &mut Vec<Span>) -> Result<Span, MachineError> {
    let base = room_below(STACK_TOP, size, taken)
        .or_else(|| room_below(USER_END - PAGE, size, taken))
        .ok_or(MachineError::NoRoom(size))?;
    let span = Span { base, runs };
    taken.push(span.clone());
    Ok(span)
}

/// Maps a program and its interpreter.
pub(crate) fn map_images(
    image: &Image,
    interpreter: Option<&Image>,
    room: Room,
    engine: &Engine,
    memory: &mut Memory,
) -> Result<(), MachineError> {
    for image in std::iter::once(image).chain(interpreter) {
        for span in spans(&image.segments, room.all)? {
            memory.map(engine, span)?;
        }
        for segment in loads(&image.segments) {
            memory.write(segment.address, &segment.bytes);
        }
    }
    Ok(())
}

/// The access to the stack: executable if the program requires it, as one with trampolines does.
pub(crate) fn stack_access(image: &Image) -> Access {
    let executable = |segment: &Segment| segment.kind == PT_GNU_STACK && segment.flags & PF_X != 0;
    let more = if image.segments.iter().any(executable) { Access::EXECUTE.0 } else { 0 };
    Access(Access::READ_WRITE.0 | more)
}

/// Writes the initial stack of a process, and returns SP.
pub(crate) fn write_stack(
    image: &Image,
    interpreter: Option<&Image>,
    [arguments, environment]: [&[Vec<u8>]; 2],
    name: &[u8],
    top: u64,
    size: u64,
    memory: &mut Memory,
) -> Result<u64, MachineError> {
    let too_long = |needed| MachineError::ArgumentsTooLong { needed, stack: size };
    let interpreter = interpreter.and_then(|image| loads(&image.segments).first().copied()).map_or(0, base_of);
    let headers = program_headers(image).map(|address| (address, image.segments.len() as u64));
    let (entry, processor) = (image.entry.0, &target(image.abi).processor);
    let beginning = Beginning { arguments, environment, name, entry, interpreter, processor, headers };
    // A word less than the top stays free, as on Linux.
    let stack = beginning.stack(top - 16, image.abi.facts().order).ok_or_else(|| too_long(top))?;
    if memory.write(stack.sp, &stack.bytes) { Ok(stack.sp) } else { Err(too_long(stack.bytes.len() as u64)) }
}

/// The address of the file's beginning in memory, mapped or not.
fn base_of(first: &Segment) -> u64 {
    first.address.wrapping_sub(first.file_offset)
}

/// Address of the program headers in memory: PT_PHDR, or that of their place in the file in the
/// segment that maps it (Linux, fs/binfmt_elf.c, `load_elf_binary`).
fn program_headers(image: &Image) -> Option<u64> {
    if let Some(header) = image.segments.iter().find(|segment| segment.kind == PT_PHDR) {
        return Some(header.address);
    }
    let loads = loads(&image.segments);
    let first = loads.iter().find(|s| s.file_offset == 0 && s.bytes.len() as u64 >= EHDR)?;
    let offset = image.abi.facts().order.u64(*first.bytes.get(E_PHOFF..)?.first_chunk::<8>()?);
    let of = |segment: &&&Segment| offset.checked_sub(segment.file_offset).is_some_and(|at| at < segment.file_size);
    let segment = loads.iter().find(of)?;
    Some(segment.address.wrapping_add(offset - segment.file_offset))
}

#[cfg(test)]
mod tests {
    use types::elf::PT_LOAD;
    use types::{Abi, ImageKind, Pc};

    use super::*;

    /// What adds a segment to a linked file moves its program headers into that segment.
    #[test]
    fn program_headers_are_where_a_segment_maps_them() {
        for (offset, expected) in [(64u64, Some(0x40_0040)), (0x2040, Some(0x50_0040)), (0x9000, None)] {
            let segment = |address, file_offset, bytes: Vec<u8>| {
                let size = bytes.len() as u64;
                let (kind, flags, bytes) = (PT_LOAD, PF_X, bytes.into());
                Segment { kind, flags, address, memory_size: size, file_offset, file_size: size, bytes }
            };
            let mut header = vec![0; 0x1000];
            header[E_PHOFF..][..8].copy_from_slice(&offset.to_le_bytes());
            let segments = vec![segment(0x40_0000, 0, header), segment(0x50_0000, 0x2000, vec![0; 0x1000])];
            let image = Image { segments, ..Image::new("test", Abi::Amd64, ImageKind::Executable, Pc(0)) };
            assert_eq!(program_headers(&image), expected, "{offset:#x}");
        }
    }
}
