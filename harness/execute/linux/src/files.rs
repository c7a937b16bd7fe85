//! The files of a program: the tree, open files, pipes, output.

use std::sync::Arc;

use types::Rng;

use crate::absent::Absent;
use crate::clock::Clock;
use crate::contents::Contents;
use crate::descriptors::{Descriptors, Slots, What, flag};
use crate::errno::Errno;
use crate::output::Output;
use crate::pipes::Pipes;
use crate::tree::{Body, Device, Last, NodeId, TOP, Tree};
use crate::world::{World, WorldError};

/// The link to the file of the program.
const EXECUTABLE: &str = "/proc/self/exe";

/// The files of all processes, and the descriptors of the one that executes.
#[derive(Debug)]
pub struct Files {
    pub(crate) tree: Tree,
    pub(crate) descriptors: Descriptors,
    pub(crate) pipes: Pipes,
    pub(crate) output: Output,
    /// The working directory.
    pub(crate) folder: NodeId,
    /// Permissions that new files do not get (`umask`).
    pub(crate) mask: u32,
    pub(crate) random: Rng,
    /// Number of changes of pipes and counters.
    pub(crate) activity: u64,
    pub(crate) absent: Absent,
}

/// What a process that does not execute has of files.
#[derive(Debug)]
pub(crate) struct OwnFiles {
    slots: Slots,
    folder: NodeId,
    mask: u32,
}

impl Files {
    /// Creates the files of a program, whose own file is at `executable`.
    pub(crate) fn new(world: &World, executable: &[u8]) -> Result<Files, WorldError> {
        let mut files = Files {
            tree: world.tree()?,
            descriptors: Descriptors::default(),
            pipes: Pipes::default(),
            output: Output::default(),
            folder: TOP,
            mask: 0o022,
            random: Rng::new(1),
            activity: 0,
            absent: Absent::default(),
        };
        files.begin(world.input.clone(), executable).map_err(|errno| WorldError::new("its own surroundings", errno))?;
        Ok(files)
    }

    /// Opens descriptors 0, 1 and 2, and adds the link to the program's file.
    fn begin(&mut self, input: Option<Arc<[u8]>>, executable: &[u8]) -> Result<(), Errno> {
        self.tree.put_at(EXECUTABLE, Body::Link(executable.to_vec()), 0o777)?;
        let input = match input {
            Some(bytes) => self.tree.unnamed(Contents::Given(bytes), Clock::began())?,
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

    /// Number of bytes written to standard output and error.
    pub fn written(&self) -> u64 {
        self.output.written
    }

    /// Takes the first bytes of standard output and error, in the order written.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output.kept)
    }

    /// Takes the files that the program did not find.
    pub fn take_absent(&mut self) -> Absent {
        std::mem::take(&mut self.absent)
    }

    /// Makes `/proc/self/exe` lead to a path.
    pub(crate) fn set_executable(&mut self, path: &[u8]) -> Result<(), Errno> {
        let link = self.tree.find(TOP, EXECUTABLE.as_bytes(), Last::Keep)?.node.ok_or(Errno::NoEntry)?;
        self.tree.node_mut(link)?.body = Body::Link(path.to_vec());
        Ok(())
    }

    /// A child executes: returns what the process that made it has, which the child has too.
    pub(crate) fn share(&mut self) -> OwnFiles {
        OwnFiles { slots: self.descriptors.share(), folder: self.folder, mask: self.mask }
    }

    /// Another process executes: returns what the one before has.
    pub(crate) fn exchange(&mut self, own: OwnFiles) -> OwnFiles {
        OwnFiles {
            slots: self.descriptors.exchange(own.slots),
            folder: std::mem::replace(&mut self.folder, own.folder),
            mask: std::mem::replace(&mut self.mask, own.mask),
        }
    }

    /// Closes the descriptors that a condition holds for.
    pub(crate) fn close_all(&mut self, closes: impl Fn(&Descriptors, u64) -> bool) {
        for number in self.descriptors.between(0, u64::MAX) {
            if closes(&self.descriptors, number) {
                // It is open, so that this does not fail.
                let _closed = self.close(number);
            }
        }
    }
}
