//! Why a file is not judged as asked.

use elf::LoadError;
use machine::MachineError;
use remote::{Difference, RemoteError};
use types::{FileError, FileErrorKind, Unknown};

use super::process::ProcessError;

/// Why a file is not judged as asked. In a report it is a [`FileError`].
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    /// It is not loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// There is nothing to judge.
    #[error("no unwind table at all: neither .sframe nor .eh_frame nor .debug_frame")]
    NoTable,
    /// It has no entry point, or nothing to load it with.
    #[error("no program that can be executed from its entry")]
    NoProgram,
    /// A function to run is not in it.
    #[error("--entry: {0}")]
    Entry(Unknown),
    /// The place of a signal is not in it.
    #[error("--signal-at: {0}")]
    SignalPlace(Unknown),
    /// It is no program that can be put together.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The machine does not begin.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The second engine does not begin, or ends.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// One of two engines executes an instruction wrongly: a fault of the harness.
    #[error("the engines differ: {0}")]
    EnginesDiffer(Box<Difference>),
    /// Two ways to execute an instruction differ: a bug of the harness.
    #[error(
        "{places} where exploring executed instructions otherwise than the emulator does, the first {start:#x} to {end:#x}"
    )]
    Disagreement { places: String, start: u64, end: u64 },
}

impl From<CheckError> for FileError {
    fn from(error: CheckError) -> FileError {
        let kind = match &error {
            CheckError::Load(error) => return error.clone().into(),
            CheckError::NoTable => FileErrorKind::NoTable,
            CheckError::Entry(_)
            | CheckError::SignalPlace(_)
            | CheckError::NoProgram
            | CheckError::Process(_)
            | CheckError::Remote(_)
            | CheckError::Machine(_) => FileErrorKind::Usage,
            CheckError::EnginesDiffer(_) | CheckError::Disagreement { .. } => FileErrorKind::Harness,
        };
        FileError::new(kind, error.to_string())
    }
}
