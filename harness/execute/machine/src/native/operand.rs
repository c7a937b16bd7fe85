//! A memory operand of the program, and its copy for the host.

use isa::native::{Address, Elements, Operand, Segment};
use unicorn_engine::RegisterX86 as R;

use crate::engine::Engine;
use crate::layout::Access;
use crate::memory::Memory;
use crate::substitute::{Executed, Fault};

/// Size in bytes of the largest operand.
const LARGEST: usize = 64;

/// A memory operand at its address.
pub(super) struct Place {
    address: u64,
    size: usize,
    /// The accessed bytes; `None` if all are.
    accessed: Option<[bool; LARGEST]>,
    is_written: bool,
    bytes: Aligned,
}

#[repr(align(64))]
struct Aligned([u8; LARGEST]);

impl Place {
    /// Copies the operand of an instruction at `pc`.
    pub(super) fn new(operand: &Operand, engine: &Engine, memory: &Memory, pc: u64) -> Result<Place, Executed> {
        let address = address(&operand.address, engine, pc);
        if operand.alignment > 1 && !address.is_multiple_of(operand.alignment) {
            return Err(Executed::Misaligned);
        }
        let size = operand.size.min(LARGEST);
        let accessed = (!matches!(operand.elements, Elements::All | Elements::Some))
            .then(|| std::array::from_fn(|at| at < size && is_active(&operand.elements, engine, at)));
        let mut place = Place { address, size, accessed, is_written: operand.is_written, bytes: Aligned([0; LARGEST]) };
        let kinds = [(operand.is_read, Access::READ), (operand.is_written, Access::WRITE)];
        let lacks = |at: u64, size: usize| {
            let lacking = |(is, kind): &&(bool, Access)| *is && memory.accessible(at, size, *kind).is_none();
            kinds.iter().find(lacking).map(|(_, kind)| *kind)
        };
        if let (None, Some(bytes)) = (lacks(address, size), memory.read(address, size)) {
            place.bytes.0.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            return Ok(place);
        }
        // A part of the operand is unmapped, or the operand crosses two regions.
        for at in 0..size {
            let now = address.wrapping_add(at as u64);
            if let Some(kind) = lacks(now, 1).filter(|_| place.accesses(at)) {
                if operand.elements == Elements::Some {
                    return Err(Executed::Not);
                }
                let (writes, is_mapped) = (kind == Access::WRITE, memory.holds(now, 1));
                return Err(Executed::Fault(Fault { address: now, size, writes, is_mapped }));
            }
            let byte = memory.read(now, 1).and_then(|one| one.first().copied());
            place.bytes.0.iter_mut().skip(at).take(1).for_each(|to| *to = byte.unwrap_or(0));
        }
        Ok(place)
    }

    fn accesses(&self, at: usize) -> bool {
        at < self.size && self.accessed.is_none_or(|accessed| accessed.get(at) == Some(&true))
    }

    /// The copied bytes.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8; LARGEST] {
        &mut self.bytes.0
    }

    /// Copies written bytes back to the program's memory.
    pub(super) fn write_back(&self, engine: &mut Engine, memory: &mut Memory) {
        let mut rest = if self.is_written { 0 } else { LARGEST };
        while let Some(from) = (rest..LARGEST).find(|at| self.accesses(*at)) {
            let to = (from..LARGEST).find(|at| !self.accesses(*at)).unwrap_or(LARGEST);
            let start = self.address.wrapping_add(from as u64);
            memory.write(start, self.bytes.0.get(from..to).unwrap_or_default());
            rest = to;
        }
        let last = self.address.wrapping_add(self.size as u64 - 1);
        if self.is_written && [self.address, last].iter().any(|at| memory.accessible(*at, 1, Access::EXECUTE).is_some())
        {
            // The emulator does not notice the store.
            let _ = engine.forget_stretch(self.address, last);
        }
    }
}

pub(super) fn address(address: &Address, engine: &Engine, pc: u64) -> u64 {
    let segment = match address.segment {
        Some(Segment::Fs) => engine.read(R::FS_BASE as i32),
        Some(Segment::Gs) => engine.read(R::GS_BASE as i32),
        None => 0,
    };
    let register = |number: u8| engine.read(general(number));
    // The displacement includes the instruction's length: it was decoded at address 0.
    let from = if address.from_pc { pc } else { 0 };
    let base = address.base.map_or(0, register);
    let index = address.index.map_or(0, |(number, factor)| register(number).wrapping_mul(factor));
    let offset = from.wrapping_add(base).wrapping_add(index).wrapping_add(address.displacement);
    segment.wrapping_add(if address.is_short { offset & 0xffff_ffff } else { offset })
}

/// Returns true if a byte of the operand is accessed.
fn is_active(elements: &Elements, engine: &Engine, at: usize) -> bool {
    let masks = engine.masks();
    let mask = |number: u8| masks.get(usize::from(number)).copied().unwrap_or(0);
    match *elements {
        Elements::All | Elements::Some => true,
        Elements::Masked { mask: number, size } => mask(number) >> (at / usize::from(size.max(1))) & 1 != 0,
        Elements::Packed { mask: number, size } => at / usize::from(size.max(1)) < mask(number).count_ones() as usize,
        Elements::Signs { register, size } => {
            let size = usize::from(size.max(1));
            let value = engine.read_vector(register.into());
            // The uppermost byte of the counterpart has the sign.
            value.get(at / size * size + size - 1).is_some_and(|byte| byte & 0x80 != 0)
        }
    }
}

/// The emulator's number of a general register, by its number in encodings.
pub(super) fn general(number: u8) -> i32 {
    const ALL: [R; 16] = [
        R::RAX,
        R::RCX,
        R::RDX,
        R::RBX,
        R::RSP,
        R::RBP,
        R::RSI,
        R::RDI,
        R::R8,
        R::R9,
        R::R10,
        R::R11,
        R::R12,
        R::R13,
        R::R14,
        R::R15,
    ];
    ALL.get(usize::from(number)).map_or(R::RAX as i32, |register| *register as i32)
}
