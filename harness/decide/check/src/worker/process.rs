//! A program with a dynamic linker: the files that the kernel loads, and each object that is mapped
//! later, with its own tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge::execution::Judge;
use judge::tables::Tables;
use linux::{Given, Mapped, Root, World, WorldError};
use types::elf::{PF_X, PT_INTERP, PT_LOAD};
use types::memo::{Memo, Note};
use types::{Abi, Bytes, Image, ImageKind, Observer, Step, Symbol, ThreadId};

use super::invoked::Invoked;
use super::programs::RunPrograms;
use crate::libraries::Libraries;
use crate::options::Inputs;
use crate::supplies::{Outside, Supplies};

/// Load address of a position-independent program; its loader follows.
const PROGRAM_AT: u64 = 0x2aa_0000_0000;
const LOADER_AT: u64 = 0x2bb_0000_0000;
/// Maximum number of objects that are judged; further ones are executed without tables.
const MOST_OBJECTS: usize = 512;

/// The files that the kernel loads, without relocations: the loader relocates itself and the
/// program.
pub(crate) struct Process {
    pub(crate) program: Image,
    /// The dynamic linker; `None` for a static program.
    loader: Option<Loader>,
    /// The program's file, at its path.
    file: Given,
    /// What the program is given to execute, if it is a dynamic linker itself.
    invoked: Option<Invoked>,
}

struct Loader {
    image: Image,
    bytes: Bytes,
    /// Path of the loader in the program's file tree.
    path: String,
    /// Interpreter path from PT_INTERP.
    name: String,
}

/// Why a program cannot be started with a loader.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProcessError {
    /// PT_INTERP is not a path.
    #[error("{0}: PT_INTERP is not a path")]
    Unnamed(String),
    /// The loader cannot be read.
    #[error("its ELF interpreter {path} cannot be read ({reason}); --root DIR supplies one")]
    NoLoader {
        /// Path from PT_INTERP.
        path: String,
        /// Error of reading it.
        reason: WorldError,
    },
    /// The loader is not an ELF file.
    #[error("{0}: {1}")]
    Unread(String, elf::LoadError),
    /// The loader is for another machine.
    #[error("{0}: an ELF interpreter for {1}")]
    OtherMachine(String, Abi),
}

/// An object at its address in memory, to be judged.
pub(crate) struct Object {
    pub(crate) image: Image,
    pub(crate) tables: Tables,
    /// Programs that it is a part of, by their numbers.
    programs: Vec<u32>,
}

/// Load address of a program.
pub(crate) fn place(image: &Image, bytes: &[u8]) -> u64 {
    // ET_DYN (gABI, "ELF Header": e_type is the half at 16).
    let dynamic = bytes.get(16..18).is_some_and(|kind| kind.contains(&3));
    if dynamic && matches!(image.kind, ImageKind::Dynamic | ImageKind::Shared) { PROGRAM_AT } else { 0 }
}

impl Process {
    /// Sets up a program, from its image at the load address and its file.
    pub(crate) fn new(image: &Image, bytes: &Bytes, supplies: &Supplies) -> Result<Process, ProcessError> {
        let named = image.segments.iter().find(|segment| segment.kind == PT_INTERP);
        let path = named.and_then(|segment| {
            let start = usize::try_from(segment.file_offset).ok()?;
            let name = bytes.get(start..start.checked_add(usize::try_from(segment.file_size).ok()?)?)?;
            Some(String::from_utf8_lossy(name.split(|byte| *byte == 0).next()?).into_owned())
        });
        let name = path.ok_or_else(|| ProcessError::Unnamed(image.name.clone()))?;
        let file = Given { path: path_of(&image.name, &supplies.outside), bytes: bytes.as_ref().into() };
        let world = world(image.abi, Some(&name), &file, supplies);
        let no_loader = |reason| ProcessError::NoLoader { path: name.clone(), reason };
        let (path, loader) = world.read(&name).map_err(no_loader)?;
        let bytes_of_loader = Bytes::from(loader);
        let loader = elf::load(&path, &bytes_of_loader).map_err(|error| ProcessError::Unread(path.clone(), error))?;
        if loader.abi != image.abi {
            return Err(ProcessError::OtherMachine(path, loader.abi));
        }
        let loader = as_in_file(loader.moved(LOADER_AT), &bytes_of_loader);
        let loader = Loader { image: loader, bytes: bytes_of_loader, path, name };
        Ok(Process { program: as_in_file(image.clone(), bytes), loader: Some(loader), file, invoked: None })
    }

    /// Sets up a static program that may become other programs.
    pub(crate) fn of_static(image: &Image, bytes: &Bytes, supplies: &Supplies) -> Process {
        let file = Given { path: path_of(&image.name, &supplies.outside), bytes: bytes.as_ref().into() };
        Process { program: image.clone(), loader: None, file, invoked: None }
    }

    /// Sets up a dynamic linker that is executed as a program, from its image at the load address
    /// and its file.
    pub(crate) fn of_linker(image: &Image, bytes: &Bytes, inputs: &Inputs) -> Process {
        let file = Given { path: path_of(&image.name, &inputs.supplies.outside), bytes: bytes.as_ref().into() };
        let invoked = match inputs.supplies.outside {
            Outside::Libraries => Some(Invoked::new(&inputs.arguments)),
            Outside::Nothing | Outside::Folder(_) => None,
        };
        Process { program: as_in_file(image.clone(), bytes), loader: None, file, invoked }
    }

    /// The environment that the program starts in, before anything was executed.
    pub(crate) fn world(&self, supplies: &Supplies) -> World {
        let name = self.loader.as_ref().map(|loader| loader.name.as_str());
        let Some(invoked) = &self.invoked else { return world(self.program.abi, name, &self.file, supplies) };
        let supplied = supplies.world();
        let linker = self.file.path.as_bytes();
        let program: &[u8] = invoked.program.as_ref().map_or(&[], |program| &program.bytes);
        let origin = invoked.program.as_ref().and_then(|program| Path::new(&program.path).parent());
        let libraries = Libraries::new(self.program.abi, linker, program, origin);
        let root =
            libraries.map(|libraries| Arc::new(libraries.with(&invoked.folders, &invoked.objects)) as Arc<dyn Root>);
        let is_new = |program: &Given| supplied.files.iter().all(|file| file.path != program.path);
        let files = invoked.program.clone().filter(is_new).into_iter().chain(supplied.files.clone()).collect();
        World { files, root, program: Some(self.file.clone()), ..supplied }
    }

    /// The program that is executed first.
    pub(crate) fn interpreter(&self) -> Option<&Image> {
        self.loader.as_ref().map(|loader| &loader.image)
    }

    /// The programs that the process becomes.
    pub(crate) fn programs(&self) -> RunPrograms {
        let bytes = Bytes::from(self.file.bytes.to_vec());
        let program = (self.file.path.clone(), bytes, self.program.clone());
        let loader = self.loader.iter().map(|of| (of.path.clone(), of.bytes.clone(), of.image.clone()));
        RunPrograms::new(self.program.abi, std::iter::once(program).chain(loader))
    }

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
                None if objects.all.len() == MOST_OBJECTS => return,
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

/// The objects of a run besides the program.
pub(crate) struct Objects {
    pub(crate) all: Vec<Object>,
    /// Programs, by their numbers, that are the program itself.
    of_program: Vec<u32>,
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
type Owner = usize;

fn world(abi: Abi, interpreter: Option<&str>, file: &Given, supplies: &Supplies) -> World {
    let world = supplies.world();
    let root = match supplies.outside {
        Outside::Nothing | Outside::Folder(_) => world.root,
        Outside::Libraries => interpreter.and_then(|interpreter| {
            let origin = Path::new(&file.path).parent();
            let libraries = Libraries::new(abi, interpreter.as_bytes(), &file.bytes, origin);
            libraries.map(|libraries| Arc::new(libraries) as Arc<dyn Root>)
        }),
    };
    World { root, program: Some(file.clone()), ..world }
}

/// Path of a program in its file tree: the host's path if it is a file there, relative to the root
/// if it is inside the root.
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

/// The image without relocations applied.
pub(super) fn as_in_file(mut image: Image, bytes: &Bytes) -> Image {
    // A page for functions of other libraries, which relocations refer to.
    image.segments.retain(|segment| segment.file_size > 0 || segment.bytes.is_empty());
    for segment in image.segments.iter_mut().filter(|segment| segment.kind == PT_LOAD) {
        let range = usize::try_from(segment.file_offset).ok().zip(usize::try_from(segment.file_size).ok());
        let inside = range.and_then(|(start, size)| Some(start..start.checked_add(size)?));
        if let Some(range) = inside.filter(|range| range.end <= bytes.len()) {
            segment.bytes = bytes.slice(range);
        }
    }
    image
}

/// Passes each step to the judge of the object that contains its PC, and after control left an
/// object also to that object's judge, so that it sees its calls and returns.
pub(crate) struct Watching<'j, 'p, 'o> {
    /// Code of the objects of each program: first address, first address after it, and judge.
    programs: Vec<Vec<(u64, u64, Owner)>>,
    /// The program that executes, as an index.
    now: usize,
    program: &'j mut Judge<'p>,
    objects: &'j mut [Judge<'o>],
    /// Code that contains the last step: its index in the program, and judge.
    at: Option<(usize, usize)>,
    /// Thread of the last step.
    thread: ThreadId,
}

impl<'j, 'p, 'o> Watching<'j, 'p, 'o> {
    /// Creates the dispatcher for the program and the objects, whose judges are in the same order.
    pub(crate) fn new(image: &Image, all: &Objects, program: &'j mut Judge<'p>, objects: &'j mut [Judge<'o>]) -> Self {
        let mut programs: Vec<Vec<(u64, u64, Owner)>> = Vec::new();
        let of_objects = all.all.iter().map(|object| (&object.image, &object.programs));
        for (owner, (image, of)) in std::iter::once((image, &all.of_program)).chain(of_objects).enumerate() {
            let segments = image.segments.iter().filter(|one| one.kind == PT_LOAD && one.flags & PF_X != 0);
            // The page that replaces imported functions is in no file, and in a process another
            // object may be mapped there.
            let segments = segments.filter(|one| one.file_size > 0);
            let code = segments.map(|one| (one.address, one.address.saturating_add(one.memory_size), owner));
            let code: Vec<(u64, u64, Owner)> = code.collect();
            for program in of.iter().map(|program| *program as usize) {
                programs.resize_with(programs.len().max(program + 1), Vec::new);
                programs.iter_mut().skip(program).take(1).for_each(|all| all.extend_from_slice(&code));
            }
        }
        Watching { programs, now: 0, program, objects, at: None, thread: ThreadId::FIRST }
    }

    /// Code of the program that executes.
    #[inline]
    fn code(&self) -> &[(u64, u64, Owner)] {
        self.programs.get(self.now).map(Vec::as_slice).unwrap_or_default()
    }

    #[cold]
    fn find(&self, pc: u64) -> Option<(usize, Owner)> {
        let inside = |(start, end, _): &(u64, u64, Owner)| (*start..*end).contains(&pc);
        let index = self.code().iter().position(inside)?;
        Some((index, self.code().get(index)?.2))
    }

    fn show(&mut self, owner: usize, step: &Step<'_>) {
        match owner.checked_sub(1).map(|index| self.objects.get_mut(index)) {
            None => self.program.step(step),
            Some(Some(judge)) => judge.step(step),
            Some(None) => {}
        }
    }
}

impl Observer for Watching<'_, '_, '_> {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        let pc = step.pc.0;
        if step.thread != self.thread {
            // Control did not reach this PC from the other object.
            (self.at, self.thread, self.now) = (None, step.thread, step.thread.program() as usize);
        }
        if let Some((index, owner)) = self.at
            && self.code().get(index).is_some_and(|(start, end, _)| pc.wrapping_sub(*start) < end - start)
        {
            return self.show(owner, step);
        }
        let left = self.at.map(|(_, owner)| owner);
        self.at = self.find(pc);
        let entered = self.at.map(|(_, owner)| owner);
        if let Some(owner) = left.filter(|_| left != entered) {
            self.show(owner, step);
            // It is not counted as a separate step.
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

/// Steps that stay in an object are recognised by its judge. Notes are that judge's own, so only it
/// can compare them.
impl Memo for Watching<'_, '_, '_> {
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
        let stays = self.code().get(index).is_some_and(|(start, end, _)| step.pc.0.wrapping_sub(*start) < end - start);
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
