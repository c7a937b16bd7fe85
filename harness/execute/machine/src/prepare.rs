//! Prepares a guest from a plan: maps memory, lays out the stack, sets registers.

use linux::{ExtendedState, Kernel};
use types::{Abi, Image, ImageKind, Pc};

use crate::arch::target;
use crate::core::Core;
use crate::engine::{Context, Engine};
use crate::layout::{Access, PAGE, Pages, Span, loads, spans};
use crate::memory::{Memory, Window};
use crate::native::offer;
use crate::program::{self, Room};
use crate::{MachineError, Plan, Start};

/// Scratch memory for the argument registers of an explored function and for its thread block. It
/// begins at a multiple of 2^32, so that an address in it, taken as an `int`, is small and
/// positive.
const SCRATCH: u64 = 64 << 10;
const SCRATCH_STRIDE: u64 = 1 << 32;
const SCRATCH_TOP: u64 = 0x3f0_0000_0000;
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
    pub room: Room,
    /// The processor before the start, for a program that becomes another one.
    pub blank: Option<Context>,
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
    let room = Room { stack: plan.stack_size, all: plan.memory_limit };
    let mut taken = program::taken(image, plan.interpreter, room)?;
    let image_end = spans(&image.segments, room.all)?.last().map_or(0, Span::end);
    let stack_size = program::stack_size(room);
    let stack_pages = vec![Pages { size: stack_size, access: program::stack_access(image) }];
    let stack_span = program::place_below(stack_size, stack_pages, &mut taken)?;
    let sentinel_pages = vec![Pages { size: PAGE, access: Access(Access::READ.0 | Access::EXECUTE.0) }];
    let sentinel_span = program::place_below(PAGE, sentinel_pages, &mut taken)?;
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
    // A program that becomes another one needs the processor as it is now.
    let blank = plan.world.programs.as_ref().map(|_| engine.saved()).transpose()?;
    program::map_images(image, plan.interpreter, room, &engine, &mut memory)?;
    memory.map(&engine, stack_span)?;

    let top = stack_base + stack_size;
    let sp = match plan.start {
        Start::ElfEntry => {
            let texts = std::iter::once(&image.name).chain(&plan.arguments);
            let arguments: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).collect();
            let name = image.name.as_bytes();
            program::write_stack(image, plan.interpreter, [&arguments, &[]], name, top, stack_size, &mut memory)?
        }
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
    kernel.scheduler.seed(plan.schedule);
    if offer::wide() {
        kernel.keep(ExtendedState::Avx);
    }
    Ok(Guest { core: Core::new(engine, memory, kernel, start), start, sentinel, stack, sp, room, blank })
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
