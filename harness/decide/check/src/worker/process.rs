//! A program as a process, usually with a dynamic linker: the files that the kernel loads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use linux::{Given, Root, World, WorldError};
use types::elf::{PT_INTERP, PT_LOAD};
use types::{Abi, Bytes, Image, ImageKind};
use witness::Plan;

use super::invoked::Invoked;
use super::programs::RunPrograms;
use crate::libraries::Libraries;
use crate::options::Inputs;
use crate::supplies::{Outside, Supplies};

/// Load address of a position-independent program; its loader follows.
const PROGRAM_AT: u64 = 0x2aa_0000_0000;
pub(super) const LOADER_AT: u64 = 0x2bb_0000_0000;

/// The files that the kernel loads, without relocations: the loader relocates itself and the
/// program.
pub(crate) struct Process {
    pub(crate) program: Image,
    /// The dynamic linker; `None` for a static program.
    pub(super) loader: Option<Loader>,
    /// The program's file, at its path.
    pub(super) file: Given,
    /// What the program is given to execute, if it is a dynamic linker itself.
    invoked: Option<Invoked>,
}

pub(super) struct Loader {
    image: Image,
    bytes: Bytes,
    /// Path of the loader in the program's file tree.
    pub(super) path: String,
    /// Interpreter path from PT_INTERP.
    name: String,
}

/// Why a program cannot be started with a loader.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProcessError {
    #[error("{0}: PT_INTERP is not a path")]
    Unnamed(String),
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
    #[error("{0}: an ELF interpreter for {1}")]
    OtherMachine(String, Abi),
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
        let file = file(image, bytes, supplies);
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
    pub(crate) fn from_static(image: &Image, bytes: &Bytes, supplies: &Supplies) -> Process {
        let file = file(image, bytes, supplies);
        Process { program: image.clone(), loader: None, file, invoked: None }
    }

    /// Sets up a dynamic linker that is executed as a program, from its image at the load address
    /// and its file.
    pub(crate) fn from_linker(image: &Image, bytes: &Bytes, inputs: &Inputs) -> Process {
        let file = file(image, bytes, &inputs.supplies);
        let invoked = match inputs.supplies.outside {
            Outside::Libraries => Some(Invoked::new(&inputs.arguments)),
            Outside::Nothing | Outside::Folder(_) => None,
        };
        Process { program: as_in_file(image.clone(), bytes), loader: None, file, invoked }
    }

    /// The environment that the program starts in, before anything was executed.
    fn world(&self, supplies: &Supplies) -> World {
        let name = self.loader.as_ref().map(|loader| loader.name.as_str());
        let Some(invoked) = &self.invoked else { return world(self.program.abi, name, &self.file, supplies) };
        let supplied = supplies.world();
        let linker = self.file.path.as_bytes();
        let program: &[u8] = invoked.program.as_ref().map_or(&[], |program| &program.bytes);
        let origin = invoked.program.as_ref().and_then(|program| Path::new(&program.path).parent());
        let libraries = Libraries::new(self.program.abi, linker, program, origin, &working_directory());
        let root =
            libraries.map(|libraries| Arc::new(libraries.with(&invoked.folders, &invoked.objects)) as Arc<dyn Root>);
        let is_new = |program: &Given| supplied.files.iter().all(|file| file.path != program.path);
        let files = invoked.program.clone().filter(is_new).into_iter().chain(supplied.files.clone()).collect();
        World { files, root, program: Some(self.file.clone()), ..supplied }
    }

    /// A plan for the program alone as one for the process.
    pub(crate) fn plan<'a>(&'a self, plan: Plan<'a>, supplies: &Supplies) -> Plan<'a> {
        let interpreter = self.loader.as_ref().map(|loader| &loader.image);
        Plan { image: &self.program, interpreter, world: self.world(supplies), ..plan }
    }

    /// The programs that the process becomes.
    pub(crate) fn programs(&self) -> RunPrograms {
        let bytes = Bytes::from(self.file.bytes.to_vec());
        let program = (self.file.path.clone(), bytes, self.program.clone());
        let loader = self.loader.iter().map(|of| (of.path.clone(), of.bytes.clone(), of.image.clone()));
        RunPrograms::new(self.program.abi, std::iter::once(program).chain(loader))
    }
}

fn world(abi: Abi, interpreter: Option<&str>, file: &Given, supplies: &Supplies) -> World {
    let world = supplies.world();
    let root = match supplies.outside {
        Outside::Nothing | Outside::Folder(_) => world.root,
        Outside::Libraries => interpreter.and_then(|interpreter| {
            let origin = Path::new(&file.path).parent();
            let here = working_directory();
            let libraries = Libraries::new(abi, interpreter.as_bytes(), &file.bytes, origin, &here);
            libraries.map(|libraries| Arc::new(libraries) as Arc<dyn Root>)
        }),
    };
    World { root, program: Some(file.clone()), ..world }
}

/// The working directory of this process; empty if it was removed.
fn working_directory() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

/// A program's file, at its path.
fn file(image: &Image, bytes: &Bytes, supplies: &Supplies) -> Given {
    Given { path: path_of(&image.name, &supplies.outside), bytes: bytes.as_ref().into() }
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
