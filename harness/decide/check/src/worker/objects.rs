//! The objects that a process maps, each with its own tables.

use judge::tables::Tables;
use linux::{Mapped, World};
use types::elf::{PF_X, PT_LOAD};
use types::{Bytes, Image, Symbol};

use super::process::{LOADER_AT, Process};
use super::programs::RunPrograms;

/// Maximum number of objects that are judged; further ones are executed without tables.
const MOST: usize = 512;

/// An object at its address in memory, to be judged.
pub(crate) struct Object {
    pub(crate) image: Image,
    pub(crate) tables: Tables,
    pub(super) programs: Vec<u32>,
}

/// The objects of a run besides the program.
#[derive(Default)]
pub(crate) struct Objects {
    pub(crate) all: Vec<Object>,
    /// Programs, by their numbers, that are the program itself.
    pub(super) of_program: Vec<u32>,
}

impl Objects {
    /// Function symbols of objects at addresses that no other object has.
    pub(crate) fn functions(&self) -> Vec<Symbol> {
        let ranges: Vec<(u64, u64)> = self.all.iter().map(|object| range(&object.image)).collect();
        let is_alone = |at: usize, (start, end): (u64, u64)| {
            ranges.iter().enumerate().all(|(other, (from, to))| other == at || end <= *from || *to <= start)
        };
        let alone = self.all.iter().zip(&ranges).enumerate().filter(|(at, (_, range))| is_alone(*at, **range));
        let symbols = alone.flat_map(|(_, (object, _))| &object.image.symbols);
        symbols.filter(|symbol| symbol.function && symbol.size > 0).cloned().collect()
    }
}

/// The addresses of an image, from its first segment to the end of its last.
fn range(image: &Image) -> (u64, u64) {
    let loaded = image.segments.iter().filter(|segment| segment.kind == PT_LOAD);
    loaded.fold((u64::MAX, 0), |(start, end), segment| {
        (start.min(segment.address), end.max(segment.address.saturating_add(segment.memory_size)))
    })
}

/// An object: its file and where it is.
#[derive(PartialEq, Eq)]
struct ObjectKey {
    path: String,
    /// The number of a program's file ([`RunPrograms`]).
    file: Option<usize>,
    bias: u64,
}

/// 0 for the program, one more than the index for another object.
pub(super) type Owner = usize;

impl Process {
    /// The loader and the mapped objects, each once for each address, with its tables.
    pub(crate) fn objects(&self, mapped: &[Mapped], world: &World, programs: &RunPrograms) -> Objects {
        let mut found: Vec<(ObjectKey, Owner)> = Vec::new();
        found.push((ObjectKey { path: self.file.path.clone(), file: Some(0), bias: self.program.bias }, 0));
        let mut objects = Objects { all: Vec::new(), of_program: vec![0] };
        let mut add = |path: &str, program: u32, bias: &dyn Fn(&Image) -> Option<u64>| {
            let own = programs.find(program, path);
            let file = own.as_ref().map(|own| own.index);
            let read = || world.read(path).ok().map(|(path, bytes)| (path, Bytes::from(bytes)));
            let Some((path, bytes)) = own.map(|own| (path.to_owned(), own.bytes)).or_else(read) else { return };
            let Some(image) = elf::load(&path, &bytes).ok().filter(|image| image.abi == self.program.abi) else {
                return;
            };
            let Some(bias) = bias(&image) else { return };
            let key = ObjectKey { path, file, bias };
            let programs = match found.iter().find(|(known, _)| *known == key) {
                Some((_, 0)) => &mut objects.of_program,
                Some((_, owner)) => match objects.all.get_mut(owner - 1) {
                    Some(object) => &mut object.programs,
                    None => return,
                },
                None if objects.all.len() == MOST => return,
                None => {
                    let image = image.moved(bias);
                    let tables = Tables::new(&image);
                    objects.all.push(Object { image, tables, programs: vec![program] });
                    found.push((key, objects.all.len()));
                    return;
                }
            };
            if !programs.contains(&program) {
                programs.push(program);
            }
        };
        if let Some(loader) = &self.loader {
            add(&loader.path, 0, &|_| Some(LOADER_AT));
        }
        for mapped in mapped {
            add(&mapped.path, mapped.program, &|image| bias(image, mapped));
        }
        objects
    }
}

/// Load bias of an object: its addresses in memory minus those in its file.
fn bias(image: &Image, mapped: &Mapped) -> Option<u64> {
    let mut code = image.segments.iter().filter(|segment| segment.kind == PT_LOAD && segment.flags & PF_X != 0);
    let segment = code.find(|segment| {
        let end = segment.file_offset.saturating_add(segment.file_size);
        segment.file_offset & !0xfff <= mapped.offset && mapped.offset < end
    })?;
    // File offset `offset` is mapped at `base`; this is its address in the file.
    let address = segment.address.wrapping_sub(segment.file_offset).wrapping_add(mapped.offset);
    Some(mapped.base.wrapping_sub(address))
}
