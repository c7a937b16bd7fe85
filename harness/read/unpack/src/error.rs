//! Errors of reading archives and compressed files.

use std::io;

use types::{FileError, FileErrorKind};

/// An error of reading an archive or a compressed file. Offsets are bytes from the start of the
/// file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("truncated: {what} at offset {offset:#x} is incomplete")]
    Truncated { what: &'static str, offset: u64 },
    /// A structure contradicts itself.
    #[error("malformed: {what} (offset {offset:#x})")]
    Malformed { what: &'static str, offset: u64 },
    #[error("decompression bomb: {packed} bytes expand to more than {most}, the maximum")]
    Bomb { packed: u64, most: u64 },
    #[error("nested more than {most} deep, the maximum")]
    Depth { most: usize },
    #[error("the name of a member has more than {most} bytes")]
    Name { most: u64 },
    #[error("a member of a thin archive in an archive: its file is not there")]
    Thin,
    /// The file cannot be read, or decoded.
    #[error("{0}")]
    Io(io::Error),
}

impl Error {
    /// Recovers the error of this crate from an I/O error, or wraps the I/O error.
    pub fn from_io(error: io::Error) -> Error {
        match error.downcast::<Error>() {
            Ok(own) => own,
            Err(error) => Error::Io(error),
        }
    }

    /// Wraps the error, to pass it through [`std::io::Read`].
    pub(crate) fn into_io(self) -> io::Error {
        match self {
            Error::Io(error) => error,
            own => io::Error::other(own),
        }
    }
}

impl From<Error> for FileError {
    fn from(error: Error) -> FileError {
        let (kind, offset) = match &error {
            Error::Truncated { offset, .. } => (FileErrorKind::Truncated, Some(*offset)),
            Error::Malformed { offset, .. } => (FileErrorKind::Malformed, Some(*offset)),
            Error::Bomb { .. } | Error::Depth { .. } | Error::Name { .. } | Error::Thin => {
                (FileErrorKind::Malformed, None)
            }
            Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => (FileErrorKind::Truncated, None),
            Error::Io(error) if error.raw_os_error().is_some() => (FileErrorKind::Io, None),
            Error::Io(_) => (FileErrorKind::Malformed, None),
        };
        FileError { offset, ..FileError::new(kind, error.to_string()) }
    }
}
