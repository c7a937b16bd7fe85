//! The objects of a process, each at its address in memory.

use isa::Code;
use judge::tables::Tables;
use types::elf::{PF_X, PT_LOAD};
use types::{Image, Pc, Symbol};
use unwind::SframeUnwinder;

/// An object with its tables.
#[derive(Clone, Copy)]
pub struct Part<'p> {
    /// Image of the object at its address in memory.
    pub image: &'p Image,
    /// Its tables.
    pub tables: &'p Tables,
    /// The `.sframe` synthesised from its `.eh_frame`.
    pub synthesised: Option<&'p SynthesisedTable>,
}

/// A synthesised `.sframe`.
pub struct SynthesisedTable {
    /// Its rows.
    pub table: SframeUnwinder,
    /// Size of the section.
    pub bytes: u64,
}

/// The objects of a process, the program first.
pub struct Parts<'p> {
    parts: Vec<Part<'p>>,
    /// Executable memory: first address, first address after it, index of the object. Ascending.
    code: Vec<(u64, u64, usize)>,
}

/// A function, from its symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function<'p> {
    pub(crate) start: u64,
    pub(crate) code: &'p [u8],
}

impl<'p> Parts<'p> {
    /// Creates the list from objects, the program first.
    pub fn new(parts: Vec<Part<'p>>) -> Parts<'p> {
        let mut code = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let segments = part.image.segments.iter().filter(|one| one.kind == PT_LOAD && one.flags & PF_X != 0);
            // The page after an object that replaces its imports is in no file, and in a process
            // another object may be mapped there.
            let segments = segments.filter(|one| one.file_size > 0);
            code.extend(segments.map(|one| (one.address, one.address.saturating_add(one.memory_size), index)));
        }
        code.sort_unstable();
        Parts { parts, code }
    }

    /// The objects, the program first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Part<'p>> {
        self.parts.iter()
    }

    /// The object whose code contains an address, and its index; the program's is 0.
    pub(crate) fn at(&self, pc: Pc) -> Option<(usize, Part<'p>)> {
        let upto = self.code.partition_point(|(start, _, _)| *start <= pc.0);
        let (_, end, index) = *self.code.get(upto.checked_sub(1)?)?;
        (pc.0 < end).then_some(index).and_then(|index| Some((index, *self.parts.get(index)?)))
    }

    /// Returns true if the address is in code.
    pub(crate) fn is_code(&self, pc: u64) -> bool {
        self.at(Pc(pc)).is_some()
    }

    /// Code bytes of an object from an address on.
    pub(crate) fn bytes(&self, pc: Pc) -> Option<&'p [u8]> {
        self.at(pc)?.1.image.bytes_at(pc.0)
    }

    /// The function that contains an address, from the symbols of its object.
    pub(crate) fn function(&self, pc: Pc) -> Option<Function<'p>> {
        let image = self.at(pc)?.1.image;
        let symbol = image.function_at(pc)?;
        let bytes = image.bytes_at(symbol.address)?;
        let size = usize::try_from(size(image, symbol)?).ok()?;
        Some(Function { start: symbol.address, code: bytes.get(..size).unwrap_or(bytes) })
    }
}

/// Size of a function in bytes; a function without a size extends to the next symbol.
fn size(image: &Image, symbol: &Symbol) -> Option<u64> {
    if symbol.size > 0 {
        return Some(symbol.size);
    }
    let next = image.symbols.partition_point(|other| other.address <= symbol.address);
    let end = image.symbols.get(next).map(|next| next.address);
    let section = image.section_at(symbol.address)?;
    let limit = section.address.saturating_add(section.size);
    Some(end.unwrap_or(limit).min(limit).saturating_sub(symbol.address))
}

impl Function<'_> {
    /// Instructions of the function, with offsets. Ends at the first undecodable bytes.
    pub(crate) fn instructions(&self, abi: types::Abi) -> Vec<(usize, isa::flow::Insn)> {
        let mut code = Code::new(abi, self.code, self.start);
        let mut offset = 0;
        std::iter::from_fn(|| {
            let at = offset;
            let insn = code.flow(at).filter(|_| at < self.code.len())?;
            offset += usize::from(insn.length.max(1));
            Some((at, insn))
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use types::{Abi, Bytes, ImageKind, Segment};

    use super::*;

    fn code(address: u64, memory_size: u64, file_size: u64) -> Segment {
        Segment { memory_size, file_size, ..Segment::new(PT_LOAD, PF_X, address, Bytes::new()) }
    }

    fn image(segments: Vec<Segment>) -> Image {
        Image { segments, ..Image::new("", Abi::Amd64, ImageKind::Dynamic, Pc(0)) }
    }

    /// The import page of one object overlaps the code of the next.
    #[test]
    fn code_is_of_the_object_whose_file_has_it() {
        let images = [
            image(vec![code(0x1000, 0x1000, 0x1000), code(0x5000, 0x1000, 0)]),
            image(vec![code(0x4000, 0x4000, 0x3f00)]),
        ];
        let tables = images.each_ref().map(Tables::new);
        let parts = images.iter().zip(&tables).map(|(image, tables)| Part { image, tables, synthesised: None });
        let parts = Parts::new(parts.collect());
        let of = |pc: u64| parts.at(Pc(pc)).map(|(index, _)| index);
        assert_eq!([0x1800, 0x4800, 0x5800, 0x6800, 0x8000].map(of), [Some(0), Some(1), Some(1), Some(1), None]);
    }
}
