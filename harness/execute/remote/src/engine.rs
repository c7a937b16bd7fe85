//! The engine: executes a plan under a stub, one step at a time.

use std::path::{Path, PathBuf};

use types::memo::Memo;
use types::{Abi, Bytes};
use witness::{Backend, Plan, Run, Start};

use crate::arch::Names;
use crate::error::RemoteError;
use crate::process::find;
use crate::session::Session;
use crate::turns::Turns;

/// Bytes of stack above SP that an observer probably reads.
const AT_HAND: u64 = 256;

/// The stub that executes the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StubSource {
    /// A qemu-user process that is started with the program.
    Qemu {
        /// The directory of fetched producers.
        fetched: PathBuf,
    },
    /// The stub at this address, with its program stopped at the first instruction: HOST:PORT, or
    /// the path of a socket.
    Address(String),
}

/// An engine that executes plans under a stub of the GDB remote protocol.
#[derive(Clone, Debug)]
pub struct Remote {
    /// The stub.
    pub target: StubSource,
    /// The ELF file of the plan's image.
    pub file: Bytes,
}

/// Path of the qemu-user of an ABI: in PATH, or in the directory of fetched producers.
pub fn qemu(abi: Abi, fetched: &Path) -> Result<PathBuf, RemoteError> {
    find(Names::of_abi(abi).qemu, fetched)
}

impl Backend for Remote {
    type Error = RemoteError;

    fn run<M: Memo>(&self, plan: &Plan<'_>, observer: &mut M) -> Result<Run, RemoteError> {
        if plan.start != Start::ElfEntry {
            return Err(RemoteError::Unsupported("a run that begins at a function"));
        }
        if !plan.signals.is_empty() {
            return Err(RemoteError::Unsupported("signals that are sent to a program"));
        }
        if !plan.world.files.is_empty() || plan.world.input.is_some() {
            return Err(RemoteError::Unsupported("files or input that are given to a program"));
        }
        let mut session = Session::new(self, plan)?;
        let mut turns = Turns::new(plan);
        let end = loop {
            if let Err(end) = session.witness(AT_HAND)? {
                break end;
            }
            observer.step(&session.step());
            if let Some(end) = session.over_limits(plan).or_else(|| session.would_go_wrong()) {
                break end;
            }
            if let Some(end) = turns.advance(&mut session)? {
                break end;
            }
        };
        Ok(session.finish(end, turns.made()))
    }
}
