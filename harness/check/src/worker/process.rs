//! A program that a loader puts together: what the kernel loads, and each object that is mapped
//! then, with its own tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge::execution::Judge;
use judge::tables::Tables;
use linux::{Given, Mapped, Root, World, WorldError};
use types::elf::{PF_X, PT_INTERP, PT_LOAD};
use types::memo::{Memo, Note};
use types::{Abi, Bytes, Image, ImageKind, Observer, Step, Symbol, ThreadId};

use crate::libraries::Libraries;
use crate::supplies::{Outside, Supplies};

/// Where the kernel puts a program that may lie anywhere, and its loader.
const PROGRAM_AT: u64 = 0x2aa_0000_0000;
const LOADER_AT: u64 = 0x2bb_0000_0000;
/// The most objects that are judged; what is mapped beyond is executed and has no table.
const MOST_OBJECTS: usize = 128;

/// What the kernel loads, as it is in the files: the loader relocates itself and the program.
pub(crate) struct Process {
    pub(crate) program: Image,
    pub(crate) loader: Image,
    /// Path of the loader in the program's file tree.
    path: String,
    /// The file of the program, at its path.
    file: Given,
    /// As PT_INTERP has it.
    interpreter: String,
}

/// Why a program cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProcessError {
    /// PT_INTERP is no path.
    #[error("{0} does not say which loader it needs")]
    Unnamed(String),
    /// The loader is not to be had.
    #[error("its loader {path} is not there ({reason}); --root gives it one")]
    NoLoader {
        /// As PT_INTERP has it.
        path: String,
        /// The result of reading it.
        reason: WorldError,
    },
    /// The loader is no ELF file.
    #[error("{0}: {1}")]
    Unread(String, elf::LoadError),
    /// The loader is another machine's.
    #[error("{0}: a loader for {1}")]
    OtherMachine(String, Abi),
}

/// An object at its place in memory, to be judged.
pub(crate) struct Object {
    pub(crate) image: Image,
    pub(crate) tables: Tables,
}

/// Where a program begins in memory.
pub(crate) fn place(image: &Image, bytes: &[u8]) -> u64 {
    // ET_DYN (gABI, "ELF Header": e_type is the half at 16).
    let dynamic = bytes.get(16..18).is_some_and(|kind| kind.contains(&3));
    if dynamic && image.kind == ImageKind::Dynamic { PROGRAM_AT } else { 0 }
}

impl Process {
    /// Of a program whose image was moved to its place, and of its file.
    pub(crate) fn new(image: &Image, bytes: &Bytes, supplies: &Supplies) -> Result<Process, ProcessError> {
        let named = image.segments.iter().find(|segment| segment.kind == PT_INTERP);
        let path = named.and_then(|segment| {
            let start = usize::try_from(segment.file_offset).ok()?;
            let name = bytes.get(start..start.checked_add(usize::try_from(segment.file_size).ok()?)?)?;
            Some(String::from_utf8_lossy(name.split(|byte| *byte == 0).next()?).into_owned())
        });
        let interpreter = path.ok_or_else(|| ProcessError::Unnamed(image.name.clone()))?;
        let file = Given { path: path_of(&image.name, &supplies.outside), bytes: bytes.as_ref().into() };
        let world = world(image.abi, &interpreter, &file, supplies);
        let no_loader = |reason| ProcessError::NoLoader { path: interpreter.clone(), reason };
        let (path, loader) = world.read(&interpreter).map_err(no_loader)?;
        let loader = Bytes::from(loader);
        let loader_image = elf::load(&path, &loader).map_err(|error| ProcessError::Unread(path.clone(), error))?;
        if loader_image.abi != image.abi {
            return Err(ProcessError::OtherMachine(path, loader_image.abi));
        }
        let loader_image = as_in_file(loader_image.moved(LOADER_AT), &loader);
        Ok(Process { program: as_in_file(image.clone(), bytes), loader: loader_image, path, file, interpreter })
    }

    /// What it finds when it begins: as nothing of it was executed before.
    pub(crate) fn world(&self, supplies: &Supplies) -> World {
        world(self.program.abi, &self.interpreter, &self.file, supplies)
    }

    /// The loader and what was mapped, each once at each place, with its tables.
    pub(crate) fn objects(&self, mapped: &[Mapped], world: &World) -> Vec<Object> {
        let mut found: Vec<(String, u64)> = Vec::new();
        let mut objects = Vec::new();
        let mut add = |path: &str, bias: &dyn Fn(&Image) -> Option<u64>| {
            let Some((path, bytes)) = world.read(path).ok() else { return };
            let Some(image) = elf::load(&path, &Bytes::from(bytes)).ok().filter(|image| image.abi == self.program.abi)
            else {
                return;
            };
            let Some(bias) = bias(&image) else { return };
            if objects.len() < MOST_OBJECTS && !found.contains(&(path.clone(), bias)) {
                found.push((path, bias));
                let image = image.moved(bias);
                let tables = Tables::new(&image);
                objects.push(Object { image, tables });
            }
        };
        add(&self.path, &|_| Some(LOADER_AT));
        for mapped in mapped {
            add(&mapped.path, &|image| bias(image, mapped));
        }
        objects
    }
}

fn world(abi: Abi, interpreter: &str, file: &Given, supplies: &Supplies) -> World {
    let world = supplies.world();
    let root = match supplies.outside {
        Outside::Nothing | Outside::Folder(_) => world.root,
        Outside::Libraries => {
            let origin = Path::new(&file.path).parent();
            let libraries = Libraries::new(abi, interpreter.as_bytes(), &file.bytes, origin);
            libraries.map(|libraries| Arc::new(libraries) as Arc<dyn Root>)
        }
    };
    World { root, program: Some(file.clone()), ..world }
}

/// The path of a program in its file tree: that of the host where it is a file there, from the root
/// if it is in that.
fn path_of(name: &str, outside: &Outside) -> String {
    let beneath = |path: PathBuf| match outside {
        Outside::Nothing | Outside::Libraries => path,
        Outside::Folder(folder) => {
            let folder = std::fs::canonicalize(folder);
            folder.ok().and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_owned)).unwrap_or(path)
        }
    };
    let path = std::fs::canonicalize(name).ok().map(beneath).and_then(|path| path.into_os_string().into_string().ok());
    let path = path.unwrap_or_else(|| name.replace("..", "_"));
    if path.starts_with('/') { path } else { format!("/{path}") }
}

/// How far an object lies above the addresses in its file.
fn bias(image: &Image, mapped: &Mapped) -> Option<u64> {
    let mut code = image.segments.iter().filter(|segment| segment.kind == PT_LOAD && segment.flags & PF_X != 0);
    let segment = code.find(|segment| {
        let end = segment.file_offset.saturating_add(segment.file_size);
        segment.file_offset & !0xfff <= mapped.offset && mapped.offset < end
    })?;
    // `offset` of the file is at `base`, and at this address in the file's own terms.
    let address = segment.address.wrapping_sub(segment.file_offset).wrapping_add(mapped.offset);
    Some(mapped.base.wrapping_sub(address))
}

/// The same image without any relocation applied.
fn as_in_file(mut image: Image, bytes: &Bytes) -> Image {
    for segment in image.segments.iter_mut().filter(|segment| segment.kind == PT_LOAD) {
        let range = usize::try_from(segment.file_offset).ok().zip(usize::try_from(segment.file_size).ok());
        let inside = range.and_then(|(start, size)| Some(start..start.checked_add(size)?));
        if let Some(range) = inside.filter(|range| range.end <= bytes.len()) {
            segment.bytes = bytes.slice(range);
        }
    }
    image
}

/// The functions of objects, by their symbols.
pub(crate) fn functions(objects: &[Object]) -> Vec<Symbol> {
    let symbols = objects.iter().flat_map(|object| &object.image.symbols);
    symbols.filter(|symbol| symbol.function && symbol.size > 0).cloned().collect()
}

/// Passes each step to the judge of the object that it is in, and where control has just left an
/// object to that one's too: its calls and returns are seen.
pub(crate) struct Objects<'j, 'p, 'o> {
    /// Code of objects: first address, first address after, and whose it is.
    code: Vec<(u64, u64, usize)>,
    program: &'j mut Judge<'p>,
    objects: &'j mut [Judge<'o>],
    /// The code that the last step was in: an index into `code`, and whose it is.
    at: Option<(usize, usize)>,
    /// The thread that it was of.
    thread: ThreadId,
}

impl<'j, 'p, 'o> Objects<'j, 'p, 'o> {
    /// Of images in the order of their judges, that of the program first.
    pub(crate) fn new(images: &[&Image], program: &'j mut Judge<'p>, objects: &'j mut [Judge<'o>]) -> Self {
        let mut code = Vec::new();
        for (owner, image) in images.iter().enumerate() {
            let segments = image.segments.iter().filter(|one| one.kind == PT_LOAD && one.flags & PF_X != 0);
            // The page that takes the place of imported functions is in no file, and in a process
            // another object may be there.
            let segments = segments.filter(|one| one.file_size > 0);
            code.extend(segments.map(|one| (one.address, one.address.saturating_add(one.memory_size), owner)));
        }
        Objects { code, program, objects, at: None, thread: ThreadId::FIRST }
    }

    #[cold]
    fn find(&self, pc: u64) -> Option<(usize, usize)> {
        let inside = |(start, end, _): &(u64, u64, usize)| (*start..*end).contains(&pc);
        let index = self.code.iter().position(inside)?;
        Some((index, self.code.get(index)?.2))
    }

    fn show(&mut self, owner: usize, step: &Step<'_>) {
        match owner.checked_sub(1).map(|index| self.objects.get_mut(index)) {
            None => self.program.step(step),
            Some(Some(judge)) => judge.step(step),
            Some(None) => {}
        }
    }
}

impl Observer for Objects<'_, '_, '_> {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        let pc = step.pc.0;
        if step.thread != self.thread {
            // Nothing led here from where the other one is.
            (self.at, self.thread) = (None, step.thread);
        }
        if let Some((index, owner)) = self.at
            && self.code.get(index).is_some_and(|(start, end, _)| pc.wrapping_sub(*start) < end - start)
        {
            return self.show(owner, step);
        }
        let left = self.at.map(|(_, owner)| owner);
        self.at = self.find(pc);
        let entered = self.at.map(|(_, owner)| owner);
        if let Some(owner) = left.filter(|_| left != entered) {
            self.show(owner, step);
            // It is not a step of its own.
            match owner.checked_sub(1) {
                None => self.program.counts.steps -= 1,
                Some(index) => self.objects.iter_mut().skip(index).take(1).for_each(|judge| judge.counts.steps -= 1),
            }
        }
        if let Some(owner) = entered {
            self.show(owner, step);
        }
    }
}

/// Steps that stay in an object are recognised by its judge. Notes are numbers of that judge's own,
/// so that they are alike only to it.
impl Memo for Objects<'_, '_, '_> {
    fn note(&mut self) -> Option<Note> {
        let (_, owner) = self.at?;
        match owner.checked_sub(1) {
            None => self.program.note(),
            Some(index) => self.objects.get_mut(index)?.note(),
        }
    }

    #[inline]
    fn hit(&mut self, note: Note, step: &Step<'_>) -> bool {
        let Some((index, owner)) = self.at else { return false };
        let stays = self.code.get(index).is_some_and(|(start, end, _)| step.pc.0.wrapping_sub(*start) < end - start);
        match owner.checked_sub(1) {
            _ if !stays => false,
            None => self.program.hit(note, step),
            Some(index) => self.objects.get_mut(index).is_some_and(|judge| judge.hit(note, step)),
        }
    }

    fn are_alike(&self, _: Note, _: Note) -> bool {
        false
    }

    fn hit_alike(&mut self, _: Note) {}
}
