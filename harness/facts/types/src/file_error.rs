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

/// Why a file could not be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum FileErrorKind {
    /// It cannot be read.
    Io,
    /// The file has neither `.sframe` nor `.eh_frame` nor `.debug_frame`.
    NoTable,
    /// The file does not have what an option asks for.
    Usage,
    /// No ELF magic.
    NotElf,
    /// ELFCLASS32.
    Elf32,
    /// SFrame defines no ABI for the machine.
    Machine,
    /// A file type that holds no code.
    ElfType,
    /// A structure is out of bounds of the file.
    Truncated,
    /// A structure of the file contradicts itself.
    Malformed,
    /// The harness itself failed.
    Harness,
}

impl FileErrorKind {
    /// Name of the kind in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            FileErrorKind::Io => "io",
            FileErrorKind::NoTable => "no-table",
            FileErrorKind::Usage => "usage",
            FileErrorKind::NotElf => "not-elf",
            FileErrorKind::Elf32 => "elf32",
            FileErrorKind::Machine => "machine",
            FileErrorKind::ElfType => "elf-type",
            FileErrorKind::Truncated => "truncated",
            FileErrorKind::Malformed => "malformed",
            FileErrorKind::Harness => "harness",
        }
    }
}
