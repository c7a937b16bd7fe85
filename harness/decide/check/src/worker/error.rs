//! Errors that keep a file from being judged as requested.

use std::io;
use std::path::PathBuf;

use elf::LoadError;
use machine::MachineError;
use remote::{Difference, RemoteError};
use types::{FileError, FileErrorKind, Image, Unknown};

use super::process::ProcessError;

/// Why a file is not judged as requested. In a report it becomes a [`FileError`].
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("no unwind table: neither .sframe nor .eh_frame nor .debug_frame{}", other.map_or("", |other| other.words()))]
    NoTable { other: Option<Other> },
    #[error("not a program that can be executed from its entry point")]
    NoProgram,
    /// The file has no function of a requested name.
    #[error("--entry: {0}")]
    Entry(Unknown),
    /// The file has no symbol for the place of a requested signal.
    #[error("--signal-at: {0}")]
    SignalPlace(Unknown),
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// No file of the process has a function or section of the name of a place.
    #[error("--at: {0}")]
    Place(Unknown),
    /// No step of the run is at the place of a core file, or too few are.
    #[error("--at: {} executed, {}", types::counted(*steps, "step"), reached(*visits))]
    NotReached { steps: u64, visits: u64 },
    /// The core file cannot be written.
    #[error("{}: {error}", path.display())]
    Core { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Machine(#[from] MachineError),
    #[error(transparent)]
    Remote(#[from] RemoteError),
    #[error("the engines differ: {0}")]
    EnginesDiffer(Box<Difference>),
    #[error("--explore and the emulator execute {places} differently, the first {start:#x} to {end:#x}")]
    Disagreement { places: String, start: u64, end: u64 },
}

fn reached(visits: u64) -> String {
    match visits {
        0 => "none at that place".to_owned(),
        visits => format!("{} at that place: the last is --visit {visits}", types::counted(visits, "visit")),
    }
}

/// A table of a format that is not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    /// `.orc_unwind` of Linux's `objtool`.
    Orc,
}

impl Other {
    /// The table of another format in an image.
    pub(super) fn from_image(image: &Image) -> Option<Other> {
        image.section(".orc_unwind").map(|_| Other::Orc)
    }

    fn words(self) -> &'static str {
        match self {
            Other::Orc => " (.orc_unwind, the table of Linux's own format, is not judged)",
        }
    }
}

impl From<CheckError> for FileError {
    fn from(error: CheckError) -> FileError {
        let kind = match &error {
            CheckError::Load(error) => return error.clone().into(),
            CheckError::NoTable { .. } => FileErrorKind::NoTable,
            CheckError::Entry(_)
            | CheckError::SignalPlace(_)
            | CheckError::NoProgram
            | CheckError::Place(_)
            | CheckError::NotReached { .. }
            | CheckError::Process(_)
            | CheckError::Remote(_)
            | CheckError::Machine(_) => FileErrorKind::Usage,
            CheckError::Core { .. } => FileErrorKind::Io,
            CheckError::EnginesDiffer(_) | CheckError::Disagreement { .. } => FileErrorKind::Harness,
        };
        FileError::new(kind, error.to_string())
    }
}
