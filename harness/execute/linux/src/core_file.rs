//! Writes a stopped program as an ELF core file, which debuggers read.
//!
//! A core file has the notes of a Linux kernel (`fs/binfmt_elf.c`, `include/uapi/linux/elf.h`) and
//! the program's memory. Numbers have the byte order of the program's ABI.

mod notes;

use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;

use types::Abi;
use types::elf::PT_LOAD;

use crate::elf_header::{HEADER, PROGRAM_HEADER, header, program_header};
use crate::memory::PAGE;

/// A program between two instructions.
#[derive(Clone, Debug)]
pub struct Stopped<'a> {
    /// The ABI of the program.
    pub abi: Abi,
    pub registers: &'a Registers,
    /// Its memory, sorted by address, without overlaps.
    pub memory: &'a [Region],
    /// The auxiliary vector as on the initial stack, with its end (AT_NULL).
    pub auxiliary: &'a [u8],
    pub files: &'a [MappedFile],
    /// Name of the program, and its arguments.
    pub command: &'a [String],
}

/// Registers of a stopped program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// Address of the next instruction.
    pub pc: u64,
    /// The general registers and the stack pointer, by DWARF number.
    pub general: Vec<u64>,
    /// Condition flags (EFLAGS, PSTATE), or the mask of the program status word.
    pub flags: u64,
    /// FS base of AMD64; 0 elsewhere.
    pub thread_pointer: u64,
    /// The access registers of s390x; empty elsewhere.
    pub access: Vec<u32>,
    /// The floating-point registers of s390x, in which functions keep general registers; empty
    /// elsewhere.
    pub floats: Vec<u64>,
}

/// A mapping of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Address of the first page.
    pub address: u64,
    /// Permissions, as `p_flags`.
    pub flags: u32,
    /// The bytes of whole pages.
    pub bytes: Vec<u8>,
}

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedFile {
    pub path: String,
    /// Addresses of the mapped pages.
    pub addresses: Range<u64>,
    /// Offset in bytes of the first page in the file.
    pub offset: u64,
}

/// `p_type` of notes (gABI, "Program Header").
const PT_NOTE: u32 = 4;
const PAGE_BYTES: usize = PAGE as usize;
const ZEROS: [u8; PAGE_BYTES] = [0; PAGE_BYTES];
/// The ABI of a core file is Linux: some debuggers do not take one of another architecture for one
/// of Linux otherwise.
const ELFOSABI_LINUX: u8 = 3;
const ET_CORE: u8 = 4;
/// `e_phnum` of a file with more program headers than a half can count (gABI, "ELF Header"), which
/// needs a section header.
const MOST_SEGMENTS: usize = 0xffff;

impl Stopped<'_> {
    /// Writes the core file from the current position, which becomes its beginning. Pages of zeros
    /// before the first other page of a mapping are left out; others become holes.
    ///
    /// # Errors
    /// Writing fails, or the program has more mappings than a core file can have.
    pub fn write(&self, out: &mut (impl Write + Seek)) -> io::Result<()> {
        let notes = notes::notes(self);
        let parts: Vec<(u64, u32, &[u8])> = self.memory.iter().filter_map(Region::used).collect();
        let segments = parts.len() + 1;
        if segments >= MOST_SEGMENTS {
            return Err(io::Error::other(format!("{} mappings are too many for a core file", parts.len())));
        }
        let notes_at = HEADER + PROGRAM_HEADER * segments as u64;
        let mut offset = (notes_at + notes.len() as u64).next_multiple_of(PAGE);
        let mut head = header(self.abi, [ELFOSABI_LINUX, ET_CORE], 0, segments as u16);
        head = program_header(head, [PT_NOTE, 0], [notes_at, 0, notes.len() as u64, 4]);
        for (address, flags, bytes) in &parts {
            head = program_header(head, [PT_LOAD, *flags], [offset, *address, bytes.len() as u64, PAGE]);
            offset += bytes.len() as u64;
        }
        out.write_all(head.bytes())?;
        out.write_all(&notes)?;
        let written = notes_at as usize + notes.len();
        out.write_all(&ZEROS[..written.next_multiple_of(PAGE_BYTES) - written])?;
        for (_, _, bytes) in parts {
            for page in bytes.chunks(PAGE_BYTES) {
                match page == ZEROS {
                    true => out.seek(SeekFrom::Current(page.len() as i64)).map(drop)?,
                    false => out.write_all(page)?,
                }
            }
        }
        Ok(())
    }
}

impl Region {
    /// The mapping without its first pages of zeros: address, permissions and bytes; `None` if it
    /// has no others.
    fn used(&self) -> Option<(u64, u32, &[u8])> {
        let zeros = self.bytes.chunks(PAGE_BYTES).take_while(|page| *page == &ZEROS[..page.len()]).count();
        let bytes = self.bytes.get(zeros * PAGE_BYTES..).filter(|bytes| !bytes.is_empty())?;
        Some((self.address + (zeros * PAGE_BYTES) as u64, self.flags, bytes))
    }
}
