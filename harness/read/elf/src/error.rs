//! Errors of loading an ELF file, with offsets from the start of the file.

use types::{ByteOrder, FileError, FileErrorKind};

/// Why bytes could not be loaded as an ELF image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    #[error("not an ELF file (offset 0x0)")]
    NotElf,
    #[error("ELF32 is not judged: SFrame is defined for 64-bit ABIs only (EI_CLASS at offset 0x4)")]
    Elf32,
    #[error("machine {machine} ({order:?} endian) is not judged (e_machine at offset 0x12)")]
    Machine {
        /// `e_machine`.
        machine: u16,
        /// EI_DATA.
        order: ByteOrder,
    },
    #[error("ELF type {0} is not an object, executable or shared library (e_type at offset 0x10)")]
    Type(u16),
    #[error("truncated: {what} at offset {offset:#x} needs {size:#x} bytes, the file has {file_size:#x}")]
    Truncated {
        /// The structure that is missing or truncated.
        what: String,
        /// Offset at which the structure should start.
        offset: u64,
        size: u64,
        file_size: u64,
    },
    #[error("malformed ELF: {what} (offset {offset:#x})")]
    Malformed { what: String, offset: u64 },
}

impl LoadError {
    /// Kind of the error, for machine-readable output.
    pub fn kind(&self) -> FileErrorKind {
        match self {
            LoadError::NotElf => FileErrorKind::NotElf,
            LoadError::Elf32 => FileErrorKind::Elf32,
            LoadError::Machine { .. } => FileErrorKind::Machine,
            LoadError::Type(_) => FileErrorKind::ElfType,
            LoadError::Truncated { .. } => FileErrorKind::Truncated,
            LoadError::Malformed { .. } => FileErrorKind::Malformed,
        }
    }

    /// File offset of the error.
    pub fn offset(&self) -> u64 {
        match self {
            LoadError::NotElf => 0,
            LoadError::Elf32 => 4,
            LoadError::Machine { .. } => 0x12,
            LoadError::Type(_) => 0x10,
            LoadError::Truncated { offset, .. } | LoadError::Malformed { offset, .. } => *offset,
        }
    }
}

/// Limit on the bytes copied out of a file. No byte of a valid file is in two sections (gABI 4.1,
/// "Sections") or, except for the page where two of them meet and the dynamic section, in two
/// segments. The limit is twice the file's size, so a file that exceeds it refers to the same bytes
/// repeatedly.
pub(crate) struct Budget {
    what: &'static str,
    left: u64,
}

impl Budget {
    /// The limit for reading entries of a table in a file of this size.
    pub(crate) fn new(what: &'static str, data: &[u8]) -> Budget {
        const SLACK: u64 = 64 << 10;
        Budget { what, left: (data.len() as u64).saturating_mul(2).saturating_add(SLACK) }
    }

    /// Subtracts a size that a field of the file gives for the bytes at an offset.
    pub(crate) fn take(&mut self, size: u64, offset: u64) -> Result<(), LoadError> {
        let left = self.left.checked_sub(size);
        self.left = left.ok_or_else(|| LoadError::Malformed {
            what: format!("{} overlap: together they have more than twice the bytes of the file", self.what),
            offset,
        })?;
        Ok(())
    }
}

/// Bytes of the file in a range; an error if the range exceeds the file.
pub(crate) fn in_file<'data>(data: &'data [u8], what: &str, offset: u64, size: u64) -> Result<&'data [u8], LoadError> {
    // Contents of size 0 may be beyond the end of the file, as .bss in a segment of its own is.
    if size == 0 {
        return Ok(&[]);
    }
    let range = usize::try_from(offset).ok().zip(usize::try_from(size).ok());
    range.and_then(|(offset, size)| data.get(offset..offset.checked_add(size)?)).ok_or_else(|| LoadError::Truncated {
        what: what.to_owned(),
        offset,
        size,
        file_size: data.len() as u64,
    })
}

/// Converts an error of `object`, which has no offset.
pub(crate) fn malformed(offset: u64) -> impl Fn(object::read::Error) -> LoadError {
    move |error| LoadError::Malformed { what: error.to_string(), offset }
}

impl From<LoadError> for FileError {
    fn from(error: LoadError) -> FileError {
        FileError::new(error.kind(), error.to_string()).at(error.offset())
    }
}
