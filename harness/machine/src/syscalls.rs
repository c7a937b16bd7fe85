//! A kernel for hosted static programs: the few system calls that a C library makes before, around and after `main`.
//! Deterministic; nothing reaches the host.

pub(crate) mod aarch64;
pub(crate) mod amd64;
pub(crate) mod s390x;

use model::Abi;

use crate::engine::Engine;
use crate::memory::Memory;

/// A system call that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// `exit` and `exit_group`.
    Exit,
}

/// What a system call comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It returns this.
    Result(u64),
    /// The program ends with this status.
    Exit(i32),
    /// It is not served.
    Unserved,
}

/// The kernel's state.
#[derive(Debug)]
pub(crate) struct Kernel {
    written: u64,
}

impl Kernel {
    /// For a program whose image ends at `image_end`.
    pub(crate) fn new(_abi: Abi, _image_end: u64) -> Self {
        Kernel { written: 0 }
    }

    /// Bytes written to standard output and error.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Serves a call.
    pub(crate) fn serve(&mut self, call: Call, arguments: [u64; 6], _: &Engine, _: &mut Memory) -> Outcome {
        match call {
            // A parent sees the low eight bits (POSIX `exit`).
            Call::Exit => Outcome::Exit((arguments[0] & 0xff) as i32),
        }
    }
}
