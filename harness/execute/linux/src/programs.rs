//! The program that a process becomes by `execve`.

use std::fmt::Debug;
use std::sync::Arc;

use types::Image;

/// Makes images of executable files, for `execve`. Each different file gets an address of its own,
/// where it can be placed, so that an address names the same code in all processes.
pub trait Programs: Debug + Send + Sync {
    /// The image of a file at its address in memory, without relocations applied; `None` if it is
    /// not a program of this machine. `program` is the number of the program that the process
    /// becomes, for which the file is the program or its interpreter.
    fn load(&self, program: u32, path: &str, bytes: &[u8]) -> Option<Arc<Image>>;
}

/// A program that replaces another one, before its first instruction.
#[derive(Debug)]
pub struct NewProgram {
    pub image: Arc<Image>,
    /// The program that is executed first (PT_INTERP).
    pub interpreter: Option<Arc<Image>>,
    /// All arguments, the first included.
    pub arguments: Vec<Vec<u8>>,
    pub environment: Vec<Vec<u8>>,
    /// The file's path as it was given (AT_EXECFN).
    pub name: Vec<u8>,
    /// Paths of the program and its interpreter in the file tree, without symbolic links.
    pub(crate) paths: [String; 2],
}
