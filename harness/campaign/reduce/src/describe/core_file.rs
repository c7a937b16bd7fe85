//! The core file of a question with registers and memory, and the ELF file that it belongs to: what
//! a debugger needs to give the same answer.

use std::collections::BTreeMap;
use std::io::Cursor;

use generators::elf::{PF_R, PF_W, PF_X, PT_LOAD, Section, Segment, SegmentOverrides};
use linux::core_file::{Region, Registers, Stopped};
use results::bundle::ReaderBundle;
use types::{Abi, ByteOrder};

use super::section::ReaderBundleError;

const PAGE: u64 = 0x1000;
/// Sizes of the ELF header and of a program header.
const HEADER: u64 = 64;
const PROGRAM_HEADER: u64 = 56;
/// Bytes between the program headers in memory and the sections.
const BELOW: u64 = 0x1_0000;
/// Maximum size of code that is written.
const MOST_CODE: u64 = 1 << 20;

/// Adds the code of a question, as zeros, and the segments of all sections. A debugger
/// finds the program in the core file by its headers, which are in memory below the sections.
pub(super) fn load(bundle: &ReaderBundle, sections: &mut Vec<Section>) -> Vec<Segment> {
    if let Some((start, end)) = bundle.code.filter(|(start, end)| end.wrapping_sub(*start) <= MOST_CODE) {
        let flags = generators::elf::SHF_ALLOC | generators::elf::SHF_EXECINSTR;
        let bytes = vec![0; (end - start) as usize];
        let text = Section::new(".text", generators::elf::SHT_PROGBITS, flags, bytes);
        sections.push(Section { address: start, ..text });
    }
    sections.sort_by_key(|section| section.address);
    let count = sections.len() as u64 + 1;
    let size = HEADER + PROGRAM_HEADER * count;
    let at = headers_at(sections.first().map_or(0, |first| first.address));
    let of_headers =
        SegmentOverrides { offset: Some(0), address: Some(at), file_size: Some(size), memory_size: Some(size) };
    let segment = |flags, sections, overrides| Segment { kind: PT_LOAD, flags, align: PAGE, sections, overrides };
    let all = sections.iter().enumerate().map(|(index, section)| {
        let flags = if section.flags & generators::elf::SHF_EXECINSTR == 0 { PF_R } else { PF_R | PF_X };
        segment(flags, index..index + 1, SegmentOverrides::default())
    });
    std::iter::once(segment(PF_R, 0..0, of_headers)).chain(all).collect()
}

/// The core file; `program` is the ELF file with [`load`]'s segments.
pub(super) fn core(bundle: &ReaderBundle, program: &[u8]) -> Result<Vec<u8>, ReaderBundleError> {
    let facts = bundle.abi.facts();
    let order = facts.order;
    // p_vaddr and p_filesz of the first program header, which loads the headers.
    let (headers, size) = (field(program, order, 16), field(program, order, 32));
    let count = size.saturating_sub(HEADER) / PROGRAM_HEADER;
    let mut memory: BTreeMap<u64, u8> = (headers..headers + size).zip(program.iter().copied()).collect();
    let mut numbered: BTreeMap<usize, u64> = BTreeMap::new();
    for (name, value) in bundle.stack.iter().filter_map(|word| word.split_once('=')) {
        let Some(value) = hex(value) else { continue };
        match name.strip_prefix('@') {
            Some(address) => memory.extend(hex(address).into_iter().flat_map(|at| (at..).zip(order.bytes_of(value)))),
            None => numbered.extend(name.strip_prefix('r').and_then(|number| Some((number.parse().ok()?, value)))),
        }
    }
    let mut pages: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    for (at, byte) in memory {
        pages.entry(at & !(PAGE - 1)).or_insert_with(|| vec![0; PAGE as usize])[(at % PAGE) as usize] = byte;
    }
    let memory: Vec<Region> =
        pages.into_iter().map(|(address, bytes)| Region { address, flags: PF_R | PF_W, bytes }).collect();
    let of = |number: usize| numbered.get(&number).copied().unwrap_or_default();
    let floats: &[usize] = if bundle.abi == Abi::S390x { &S390X_FLOATS } else { &[] };
    let registers = Registers {
        pc: bundle.pc.unwrap_or_default(),
        general: (0..32).map(of).collect(),
        flags: flags(bundle.abi),
        floats: floats.iter().map(|number| of(*number)).collect(),
        ..Registers::default()
    };
    let capabilities = if facts.pointer_authentication { HWCAP_PACA } else { 0 };
    let auxiliary = [
        (AT_PHDR, headers + HEADER),
        (AT_PHENT, PROGRAM_HEADER),
        (AT_PHNUM, count),
        (AT_ENTRY, 0),
        (AT_HWCAP, capabilities),
        (AT_NULL, 0),
    ];
    let auxiliary: Vec<u8> =
        auxiliary.iter().flat_map(|(kind, value)| [*kind, *value]).flat_map(|value| order.bytes_of(value)).collect();
    let stopped = Stopped {
        abi: bundle.abi,
        registers: &registers,
        memory: &memory,
        auxiliary: &auxiliary,
        files: &[],
        command: &["repro.elf".to_owned()],
    };
    let mut out = Cursor::new(Vec::new());
    stopped.write(&mut out)?;
    Ok(out.into_inner())
}

/// Types of the auxiliary vector (Linux `include/uapi/linux/auxvec.h`), and the bit of AArch64's
/// AT_HWCAP for pointer authentication.
const AT_NULL: u64 = 0;
const AT_PHDR: u64 = 3;
const AT_PHENT: u64 = 4;
const AT_PHNUM: u64 = 5;
const AT_ENTRY: u64 = 9;
const AT_HWCAP: u64 = 16;
const HWCAP_PACA: u64 = 1 << 30;
/// DWARF numbers of f0 to f15 (s390x ELF ABI supplement, table of DWARF registers).
const S390X_FLOATS: [usize; 16] = [16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31];

/// Flags of a program in user mode: EFLAGS with interrupts; the PSW mask of 64-bit code.
fn flags(abi: Abi) -> u64 {
    match abi {
        Abi::Amd64 => 0x202,
        Abi::Aarch64 | Abi::Aarch64Be => 0,
        Abi::S390x => 0x0705_0001_8000_0000,
    }
}

/// Address of the program's headers, below all sections.
fn headers_at(first: u64) -> u64 {
    (first & !(PAGE - 1)).checked_sub(BELOW).unwrap_or(PAGE)
}

/// A field of the first program header.
fn field(program: &[u8], order: ByteOrder, at: usize) -> u64 {
    let start = HEADER as usize + at;
    let bytes = program.get(start..start + 8).and_then(|bytes| bytes.try_into().ok());
    order.u64(bytes.unwrap_or_default())
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}
