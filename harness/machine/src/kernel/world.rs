//! What a program finds when it begins: files and input that the user gives.

use std::sync::Arc;

use model::Abi;

use super::descriptors::{Descriptors, What, flag};
use super::pipes::Pipes;
use super::signals::Signals;
use super::space::Space;
use super::time::Clock;
use super::transfer::Output;
use super::tree::{Body, Device, Last, TOP, Tree};
use super::{Errno, Kernel};

/// A file of the program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its path; one that does not begin with `/` begins there all the same. Folders on the way are made.
    pub path: String,
    /// What is in it. The program gets a copy.
    pub bytes: Arc<[u8]>,
}

/// What a program finds when it begins, beside devices and an empty `/tmp`. It begins in `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// Files.
    pub files: Vec<Given>,
    /// Standard input, as a file; without one it is `/dev/null`.
    pub input: Option<Arc<[u8]>>,
}

/// A file that has no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program cannot be given {path}: {reason}")]
pub struct WorldError {
    /// Where it was to be.
    pub path: String,
    /// Why it cannot be there.
    pub reason: &'static str,
}

impl World {
    /// Whether each file has a place.
    ///
    /// # Errors
    /// One has none.
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
    /// For a program of this name whose image ends at `image_end`.
    ///
    /// # Errors
    /// A file has no place.
    pub(crate) fn new(abi: Abi, program: &str, world: &World, image_end: u64) -> Result<Self, WorldError> {
        let mut kernel = Kernel {
            abi,
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
            signals: Signals::default(),
        };
        for file in &world.files {
            let failed = |errno| WorldError { path: file.path.clone(), reason: reason(errno) };
            kernel.put_file(&file.path, &file.bytes).map_err(failed)?;
        }
        let failed = |errno| WorldError { path: "its own surroundings".to_owned(), reason: reason(errno) };
        kernel.put_link("proc/self/exe", program).map_err(failed)?;
        kernel.open_standard(world.input.as_deref()).map_err(failed)?;
        Ok(kernel)
    }

    /// Descriptors 0, 1 and 2.
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

    fn put_file(&mut self, path: &str, bytes: &[u8]) -> Result<(), Errno> {
        // A program that is given may be looked for by who executes it.
        let mode = if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"#!") { 0o755 } else { 0o644 };
        self.tree.put_at(path, Body::File(bytes.to_vec()), mode)
    }

    fn put_link(&mut self, path: &str, program: &str) -> Result<(), Errno> {
        let target = if program.starts_with('/') { program.to_owned() } else { format!("/{program}") };
        self.tree.put_at(path, Body::Link(target.into_bytes()), 0o777)
    }
}

fn reason(errno: Errno) -> &'static str {
    match errno {
        Errno::Exists => "something is there already",
        Errno::NotFolder => "what it would be in is no folder",
        Errno::IsFolder => "that is no name of a file",
        Errno::Invalid => "its path has `..` in it",
        Errno::NoSpace => "its files are more than are taken",
        _ => "its path is too long or leads nowhere",
    }
}
