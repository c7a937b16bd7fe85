//! The environment of a program: files and input that the user gives.

use std::collections::BTreeMap;
use std::sync::Arc;

use types::Abi;

use crate::absent::Absent;
use crate::arch::target;
use crate::clock::Clock;
use crate::descriptors::{Descriptors, What, flag};
use crate::errno::Errno;
use crate::kernel::Kernel;
use crate::output::Output;
use crate::pipes::Pipes;
use crate::processes::Processes;
use crate::programs::Programs;
use crate::root::Root;
use crate::signals::Signals;
use crate::space::Space;
use crate::threads::Threads;
use crate::timers::Timers;
use crate::tree::{Body, Device, Last, TOP, Tree};

/// A file for the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Path; a relative path is taken from `/`. Parent directories are created.
    pub path: String,
    /// Contents. The program gets a copy.
    pub bytes: Arc<[u8]>,
}

/// The environment of a program, besides devices and an empty `/tmp`. Its working directory is `/`.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Files.
    pub files: Vec<Given>,
    /// Standard input, as a file; `/dev/null` if not given.
    pub input: Option<Arc<[u8]>>,
    /// A read-only tree that is visible where no other file is.
    pub root: Option<Arc<dyn Root>>,
    /// The program's own file, for `/proc/self/exe`.
    pub program: Option<Given>,
    /// Images of the programs that it becomes; without it `execve` ends the run.
    pub programs: Option<Arc<dyn Programs>>,
}

/// A file that cannot be placed in the tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program cannot be given {path}: {reason}")]
pub struct WorldError {
    /// The requested path.
    pub path: String,
    /// The reason.
    pub reason: &'static str,
}

impl World {
    /// Reads a file: returns its path without symbolic links, and its contents.
    ///
    /// # Errors
    /// The file does not exist, or cannot be read.
    pub fn read(&self, path: &str) -> Result<(String, Vec<u8>), WorldError> {
        let failed = |errno| WorldError { path: path.to_owned(), reason: reason(errno) };
        let mut tree = Tree::new(Clock::began());
        self.fill(&mut tree)?;
        let mut find = || {
            let place = tree.find(TOP, path.as_bytes(), Last::Follow)?;
            let node = place.node.ok_or(Errno::NoEntry)?;
            tree.open_file(node)?;
            let folder = tree.path(place.folder)?;
            let slash = if folder.ends_with(b"/") { "" } else { "/" };
            let path = format!("{}{slash}{}", String::from_utf8_lossy(&folder), String::from_utf8_lossy(&place.name));
            match &tree.node(node)?.body {
                Body::File(bytes) => Ok((path, bytes.clone())),
                _ => Err(Errno::IsFolder),
            }
        };
        find().map_err(failed)
    }

    fn fill(&self, tree: &mut Tree) -> Result<(), WorldError> {
        if let Some(root) = &self.root {
            let failed = |errno| WorldError { path: "its root".to_owned(), reason: reason(errno) };
            tree.show(Arc::clone(root)).map_err(failed)?;
        }
        for file in self.files.iter().chain(&self.program) {
            let failed = |errno| WorldError { path: file.path.clone(), reason: reason(errno) };
            // A given file that is a program may be searched for by its execute permission.
            let is_program = file.bytes.starts_with(b"\x7fELF") || file.bytes.starts_with(b"#!");
            let mode = if is_program { 0o755 } else { 0o644 };
            tree.give(file, mode).map_err(failed)?;
        }
        Ok(())
    }

    /// Checks that each file can be placed in the tree.
    ///
    /// # Errors
    /// A file cannot be placed.
    pub fn check(&self) -> Result<(), WorldError> {
        let mut tree = Tree::new(Clock::began());
        let mut all = self.input.as_ref().map_or(0, |bytes| bytes.len());
        for file in &self.files {
            let failed = |errno| WorldError { path: file.path.clone(), reason: reason(errno) };
            all = all.saturating_add(file.bytes.len());
            if all > Tree::MOST_BYTES {
                return Err(failed(Errno::NoSpace));
            }
            tree.put_at(&file.path, Body::File(Vec::new()), 0).map_err(failed)?;
        }
        Ok(())
    }
}

impl Kernel {
    /// Creates the kernel for a program of this name whose image ends at `image_end`.
    ///
    /// # Errors
    /// A file cannot be placed.
    pub fn new(abi: Abi, program: &str, world: &World, image_end: u64) -> Result<Self, WorldError> {
        let mut kernel = Kernel {
            abi,
            target: target(abi),
            frames: target(abi).signals,
            order: abi.facts().order,
            space: Space::new(image_end),
            tree: Tree::new(Clock::began()),
            descriptors: Descriptors::default(),
            pipes: Pipes::default(),
            output: Output::default(),
            folder: TOP,
            mask: 0o022,
            random: 0x9e37_79b9_7f4a_7c15,
            clock: Clock::default(),
            timers: Timers::default(),
            signals: Signals::default(),
            threads: Threads::default(),
            processes: Processes::default(),
            programs: world.programs.clone(),
            placed: BTreeMap::new(),
            mapped: Vec::new(),
            absent: Absent::default(),
        };
        world.fill(&mut kernel.tree)?;
        let failed = |errno| WorldError { path: "its own surroundings".to_owned(), reason: reason(errno) };
        let program = world.program.as_ref().map_or(program, |file| file.path.as_str());
        kernel.put_link("proc/self/exe", program).map_err(failed)?;
        kernel.open_standard(world.input.as_deref()).map_err(failed)?;
        Ok(kernel)
    }

    /// Opens descriptors 0, 1 and 2.
    fn open_standard(&mut self, input: Option<&[u8]>) -> Result<(), Errno> {
        let input = match input {
            Some(bytes) => self.tree.unnamed(bytes.to_vec(), Clock::began())?,
            None => {
                let null = self.tree.find(TOP, b"dev/null", Last::Follow)?.node;
                match null {
                    Some(node) if matches!(self.tree.node(node)?.body, Body::Device(Device::Null)) => node,
                    _ => return Err(Errno::NoDevice),
                }
            }
        };
        self.descriptors.open(What::Node(input), 0)?;
        self.descriptors.open(What::Output, flag::WRITE_ONLY)?;
        self.descriptors.open(What::Output, flag::WRITE_ONLY)?;
        Ok(())
    }

    fn put_link(&mut self, path: &str, program: &str) -> Result<(), Errno> {
        let target = if program.starts_with('/') { program.to_owned() } else { format!("/{program}") };
        self.tree.put_at(path, Body::Link(target.into_bytes()), 0o777).map(|_| ())
    }
}

fn reason(errno: Errno) -> &'static str {
    match errno {
        Errno::Exists => "the path exists already",
        Errno::NotFolder => "its parent is not a folder",
        Errno::IsFolder => "it is not a file name",
        Errno::Invalid => "its path has `..` in it",
        Errno::NoSpace => "it has too many files",
        _ => "its path is too long or does not exist",
    }
}
