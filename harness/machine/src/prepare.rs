//! Prepares a guest from a plan: maps memory, lays out the stack, sets registers.

use linux::{Beginning, Kernel};
use types::elf::{PF_X, PT_GNU_STACK, PT_PHDR};
use types::{Abi, Image, ImageKind, Pc, Segment};

use crate::arch::target;
use crate::core::Core;
use crate::engine::Engine;
use crate::layout::{Access, PAGE, Pages, Span, USER_END, loads, room_below, spans};
use crate::memory::{Memory, Window};
use crate::{MachineError, Plan, Start};

/// End of the stack if the image leaves that free. It is in the user half of every target.
const STACK_TOP: u64 = 0x3ff_f000_0000;
/// Scratch memory for the argument registers of an explored function and for its thread block. It
/// begins at a multiple of 2^32, so that an address in it, taken as an `int`, is small and
/// positive.
const SCRATCH: u64 = 64 << 10;
const SCRATCH_STRIDE: u64 = 1 << 32;
const SCRATCH_TOP: u64 = 0x3f0_0000_0000;
/// Size in bytes of `Elf64_Ehdr` (ELF gABI), and the offset of `e_phoff`.
const EHDR: u64 = 64;
const E_PHOFF: usize = 32;

/// An address that is never reached: no page is mapped there. The emulator requires an address to
/// stop at. (On s390x it must not be reached: it would raise a program interruption.)
pub(crate) const NOWHERE: u64 = 1;

/// A guest at its first instruction.
pub(crate) struct Guest {
    pub core: Core,
    /// Address of the first instruction.
    pub start: u64,
    /// Return address of a function started by [`Start::Function`]; [`NOWHERE`] at an ELF entry.
    pub sentinel: u64,
    pub stack: Window,
    /// SP at the start.
    pub sp: u64,
}

/// Loads the image and sets up the start.
///
/// # Errors
/// The image has nothing to run, is out of range or needs too much memory; or the start is not in
/// code.
pub(crate) fn prepare(plan: &Plan<'_>) -> Result<Guest, MachineError> {
    let image = plan.image;
    if image.kind == ImageKind::Relocatable || loads(&image.segments).is_empty() {
        return Err(MachineError::NothingToRun(image.name.clone()));
    }
    let first = plan.interpreter.filter(|_| plan.start == Start::ElfEntry).unwrap_or(image);
    let start = start_address(first, plan.start)?;
    let mut taken = spans(&image.segments, plan.memory_limit)?;
    let image_end = taken.last().map_or(0, Span::end);
    if let Some(interpreter) = plan.interpreter {
        taken.extend(spans(&interpreter.segments, plan.memory_limit)?);
    }
    let stack_size = plan.stack_size.clamp(16 * PAGE, USER_END).next_multiple_of(PAGE);
    // Checked before the search for free addresses, so that an absurd stack size is reported as
    // such.
    let needed = taken.iter().map(Span::size).sum::<u64>().saturating_add(stack_size);
    if needed > plan.memory_limit {
        return Err(MachineError::TooLarge { needed, limit: plan.memory_limit });
    }
    let mut place = |span_size: u64, runs: Vec<Pages>| -> Result<Span, MachineError> {
        let base = room_below(STACK_TOP, span_size, &taken)
            .or_else(|| room_below(USER_END - PAGE, span_size, &taken))
            .ok_or(MachineError::NoRoom(span_size))?;
        let span = Span { base, runs };
        taken.push(span.clone());
        Ok(span)
    };
    let stack_span = place(stack_size, vec![Pages { size: stack_size, access: stack_access(image) }])?;
    let sentinel_span = place(PAGE, vec![Pages { size: PAGE, access: Access(Access::READ.0 | Access::EXECUTE.0) }])?;
    let scratch = (1..SCRATCH_TOP / SCRATCH_STRIDE)
        .map(|back| SCRATCH_TOP - back * SCRATCH_STRIDE)
        .find(|base| taken.iter().all(|span| span.end() <= *base || base + SCRATCH <= span.base))
        .ok_or(MachineError::NoRoom(SCRATCH))?;
    let scratch_span = Span::uniform(scratch, SCRATCH, Access::READ_WRITE);
    let stack_base = stack_span.base;
    let sentinel = if plan.start == Start::ElfEntry { NOWHERE } else { sentinel_span.base };

    let mut engine = Engine::new(target(image.abi))?;
    engine.set_vector_bits(plan.vector_bits)?;
    let mut memory = Memory::new(plan.memory_limit.saturating_add(2 * SCRATCH));
    for image in std::iter::once(image).chain(plan.interpreter) {
        for span in spans(&image.segments, plan.memory_limit)? {
            memory.map(&engine, span)?;
        }
        for segment in loads(&image.segments) {
            memory.write(segment.address, &segment.bytes);
        }
    }
    memory.map(&engine, stack_span)?;

    let top = stack_base + stack_size;
    let sp = match plan.start {
        Start::ElfEntry => process_stack(plan, &mut memory, top)?,
        Start::Function(_) => {
            memory.map(&engine, sentinel_span)?;
            memory.write(sentinel, engine.target().nop);
            memory.map(&engine, scratch_span)?;
            function_frame(image.abi, &engine, &mut memory, top, sentinel, scratch)?
        }
    };
    engine.write(engine.target().tracked[0], sp)?;
    let stack = memory.window(stack_base).ok_or(MachineError::NoRoom(stack_size))?;
    let mut kernel = Kernel::new(image.abi, &image.name, &plan.world, image_end)?;
    kernel.schedule(plan.schedule);
    Ok(Guest { core: Core::new(engine, memory, kernel, start), start, sentinel, stack, sp })
}

/// The access to the stack: executable if the program requires it, as one with trampolines does.
fn stack_access(image: &Image) -> Access {
    let executable = |segment: &Segment| segment.kind == PT_GNU_STACK && segment.flags & PF_X != 0;
    let more = if image.segments.iter().any(executable) { Access::EXECUTE.0 } else { 0 };
    Access(Access::READ_WRITE.0 | more)
}

fn start_address(image: &Image, start: Start) -> Result<u64, MachineError> {
    let Pc(address) = match start {
        Start::ElfEntry => image.entry,
        Start::Function(pc) => pc,
    };
    let code = loads(&image.segments).into_iter().any(|segment| {
        segment.flags & Access::EXECUTE.0 != 0
            && address >= segment.address
            && address - segment.address < segment.memory_size
    });
    if code { Ok(address) } else { Err(MachineError::BadStart(address)) }
}

/// The address of the file's beginning in memory, mapped or not.
fn base_of(first: &Segment) -> u64 {
    first.address.wrapping_sub(first.file_offset)
}

/// Writes the initial stack of a process, and returns SP.
fn process_stack(plan: &Plan<'_>, memory: &mut Memory, top: u64) -> Result<u64, MachineError> {
    let image = plan.image;
    let arguments: Vec<&str> =
        std::iter::once(image.name.as_str()).chain(plan.arguments.iter().map(String::as_str)).collect();
    let too_long = |needed| MachineError::ArgumentsTooLong { needed, stack: plan.stack_size };
    let interpreter = plan.interpreter.and_then(|image| loads(&image.segments).first().copied()).map_or(0, base_of);
    let headers = program_headers(image).map(|address| (address, image.segments.len() as u64));
    let beginning = Beginning { arguments: &arguments, entry: image.entry.0, interpreter, headers };
    // A word less than the top stays free, as on Linux.
    let stack = beginning.stack(top - 16, image.abi.facts().order).ok_or_else(|| too_long(top))?;
    if memory.write(stack.sp, &stack.bytes) { Ok(stack.sp) } else { Err(too_long(stack.bytes.len() as u64)) }
}

/// Address of the program headers in memory: PT_PHDR, or the segment that maps the ELF header.
fn program_headers(image: &Image) -> Option<u64> {
    if let Some(header) = image.segments.iter().find(|segment| segment.kind == PT_PHDR) {
        return Some(header.address);
    }
    let first = loads(&image.segments).into_iter().find(|s| s.file_offset == 0 && s.bytes.len() as u64 >= EHDR)?;
    let word = first.bytes.get(E_PHOFF..)?.first_chunk::<8>()?;
    Some(first.address.wrapping_add(image.abi.facts().order.u64(*word)))
}

/// Sets the state of a function just called from the sentinel.
fn function_frame(
    abi: Abi,
    engine: &Engine,
    memory: &mut Memory,
    top: u64,
    sentinel: u64,
    scratch: u64,
) -> Result<u64, MachineError> {
    let (facts, target) = (abi.facts(), engine.target());
    // Room for stack arguments, which read as zero, above a caller's SP that satisfies the
    // alignment of every ABI.
    let caller_sp = top - 4096;
    for (index, id) in target.arguments.iter().enumerate() {
        // The third argument is often a length.
        let value = if index == 2 { 3 } else { scratch + 16 * (1 + index as u64) };
        engine.write(*id, value)?;
    }
    let thread = scratch + SCRATCH / 2;
    match target.thread_pointer {
        [low] => engine.write(*low, thread)?,
        halves => {
            for (id, shift) in halves.iter().zip([32, 0]) {
                engine.write(*id, thread >> shift & 0xffff_ffff)?;
            }
        }
    }
    // In AMD64 TLS variant II the thread pointer's word holds its own address; harmless on other
    // targets.
    memory.write(thread, &facts.order.bytes_of(thread));
    if facts.link_register {
        engine.write(target.tracked[2], sentinel)?;
        Ok(caller_sp)
    } else {
        memory.write(caller_sp - 8, &facts.order.bytes_of(sentinel));
        Ok(caller_sp - 8)
    }
}
