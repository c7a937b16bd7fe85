//! Headers of ELF files that are written here (gABI, "ELF Header", "Program Header").

use types::elf::{ET_EXEC, PF_R, PF_X, PT_LOAD};
use types::{Abi, ByteOrder};

use crate::memory::PAGE;
use crate::record::Record;

/// Sizes of the ELF header and of a program header.
pub(crate) const HEADER: u64 = 64;
pub(crate) const PROGRAM_HEADER: u64 = 56;

/// An ELF header with an OS ABI and a type; program headers follow it.
pub(crate) fn header(abi: Abi, [os_abi, kind]: [u8; 2], entry: u64, segments: u16) -> Record {
    let facts = abi.facts();
    let data = if facts.order == ByteOrder::Little { 1 } else { 2 };
    let header = Record::new(facts.order).raw(&[0x7f, b'E', b'L', b'F', 2, data, 1, os_abi]).up_to(16);
    let header = header.u16(kind.into()).u16(facts.elf_machine).u32(1).words(&[entry, HEADER, 0]);
    let header = header.u32(0).u16(HEADER as u16).u16(PROGRAM_HEADER as u16).u16(segments);
    header.u16(0).u16(0).u16(0)
}

/// A program header of type and flags; offset, address, size and alignment.
pub(crate) fn program_header(
    head: Record,
    [kind, flags]: [u32; 2],
    [offset, address, size, align]: [u64; 4],
) -> Record {
    let memory_size = if kind == PT_LOAD { size } else { 0 };
    head.u32(kind).u32(flags).words(&[offset, address, 0, size, memory_size, align])
}

/// The file of an executable with one page, readable and executable, at an address.
pub fn empty_executable(abi: Abi, page: u64) -> Vec<u8> {
    let head = header(abi, [0, ET_EXEC as u8], page + HEADER + PROGRAM_HEADER, 1);
    let file = program_header(head, [PT_LOAD, PF_R | PF_X], [0, page, PAGE, PAGE]);
    file.up_to(PAGE as usize).bytes().to_vec()
}
