//! The error for a file that could not be judged.

use alloc::string::String;
use core::fmt;

/// The error for a file that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct FileError {
    /// Kind of the error, for programs.
    pub kind: FileErrorKind,
    /// File offset in bytes, if known.
    pub offset: Option<u64>,
    /// One sentence.
    pub message: String,
}

impl FileError {
    /// An error without a file offset. The message is one sentence.
    pub fn new(kind: FileErrorKind, message: impl Into<String>) -> FileError {
        FileError { kind, offset: None, message: message.into() }
    }

    /// The error with a file offset added.
    #[must_use]
    pub fn at(self, offset: u64) -> FileError {
        FileError { offset: Some(offset), ..self }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for FileError {}

crate::named! {
    /// Why a file could not be judged.
    pub enum FileErrorKind {
        /// It cannot be read.
        Io = "io",
        /// The file has neither `.sframe` nor `.eh_frame` nor `.debug_frame`.
        NoTable = "no-table",
        /// The file does not have what an option asks for.
        Usage = "usage",
        /// No ELF magic.
        NotElf = "not-elf",
        /// ELFCLASS32.
        Elf32 = "elf32",
        /// SFrame defines no ABI for the machine.
        Machine = "machine",
        /// A file type that holds no code.
        ElfType = "elf-type",
        /// A structure is out of bounds of the file.
        Truncated = "truncated",
        /// A structure of the file contradicts itself.
        Malformed = "malformed",
        /// The harness itself failed.
        Harness = "harness",
    }
}
