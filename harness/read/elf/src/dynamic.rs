//! The dynamic section of a program or shared object.

use object::elf;
use object::read::elf::{Dyn as _, FileHeader as _, ProgramHeader as _};
use types::Abi;
use types::elf::ET_DYN;

use super::{Header, abi_of, check_header, check_tables, endianness};
use object::Endianness;

/// Maximum length of a path, and maximum number of names in one file; more is not read.
const LONGEST: usize = 4096;
const MOST: usize = 1024;

/// The entries of a dynamic section that determine which files the dynamic linker searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dynamic {
    /// ABI of the file.
    pub abi: Abi,
    /// True if the file may be loaded into a running program: ET_DYN, and not a PIE.
    pub is_shared_object: bool,
    /// DT_NEEDED: names, or paths where they have a `/`.
    pub needed: Vec<Vec<u8>>,
    /// Folders of DT_RPATH and DT_RUNPATH, with `$ORIGIN` and similar tokens unexpanded.
    pub folders: Vec<Vec<u8>>,
}

/// Reads the dynamic section of a file. `None` if it is not an ELF64 file of a known machine with a
/// dynamic section.
#[must_use]
pub fn dynamic(data: &[u8]) -> Option<Dynamic> {
    let (header, order) = check_header(data).ok()?;
    let endian = endianness(order);
    let abi = abi_of(header.e_machine(endian).0, order).ok()?;
    check_tables(data, header, endian).ok()?;
    let entries: Vec<(i64, u64)> = header
        .program_headers(endian, data)
        .ok()?
        .iter()
        .find_map(|segment| segment.dynamic(endian, data).ok().flatten())?
        .iter()
        .map(|entry| (entry.d_tag(endian).0, entry.d_val(endian)))
        .take_while(|(tag, _)| *tag != elf::DT_NULL.0)
        .collect();
    let first = |wanted: elf::DynamicTag| entries.iter().find(|(tag, _)| *tag == wanted.0).map(|(_, value)| *value);
    let strings = first(elf::DT_STRTAB).and_then(|address| strings(data, header, endian, address)).unwrap_or_default();
    let text = |offset: &u64| {
        let rest = strings.get(usize::try_from(*offset).ok()?..)?;
        rest.iter().take(LONGEST).position(|byte| *byte == 0).and_then(|end| rest.get(..end)).map(<[u8]>::to_vec)
    };
    let all = |wanted: elf::DynamicTag| {
        entries.iter().filter(move |(tag, _)| *tag == wanted.0).take(MOST).filter_map(|(_, offset)| text(offset))
    };
    let is_pie = first(elf::DT_FLAGS_1).is_some_and(|flags| flags & elf::DF_1_PIE.0 != 0);
    let paths: Vec<Vec<u8>> = all(elf::DT_RPATH).chain(all(elf::DT_RUNPATH)).collect();
    Some(Dynamic {
        abi,
        is_shared_object: header.e_type(endian).0 == ET_DYN && !is_pie,
        needed: all(elf::DT_NEEDED).collect(),
        folders: paths
            .iter()
            .flat_map(|path| path.split(|byte| *byte == b':'))
            .take(MOST)
            .map(<[u8]>::to_vec)
            .collect(),
    })
}

/// The string table that is loaded at an address, and the bytes after it in its segment.
fn strings<'d>(data: &'d [u8], header: &Header, endian: Endianness, address: u64) -> Option<&'d [u8]> {
    header.program_headers(endian, data).ok()?.iter().filter(|segment| segment.p_type(endian) == elf::PT_LOAD).find_map(
        |segment| {
            let offset = usize::try_from(address.checked_sub(segment.p_vaddr(endian))?).ok()?;
            segment.data(endian, data).ok()?.get(offset..)
        },
    )
}
