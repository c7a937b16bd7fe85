//! Executable sections of ELF files, found by their headers (gABI 4.1, "ELF Header" and "Section
//! Header").

use std::path::{Path, PathBuf};

use types::Abi;

const SHT_PROGBITS: u64 = 1;
const SHF_EXECINSTR: u64 = 4;

/// Addresses and bytes of the sections with code.
pub(crate) fn code(file: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let big = file[5] == 2;
    let number = |at: usize, size: usize| {
        let bytes = file[at..at + size].iter();
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if big { bytes.fold(0, fold) } else { bytes.rev().fold(0, fold) }
    };
    let (table, entry, count) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    let headers = (0..count).map(|index| (table + index * entry) as usize);
    headers
        .filter(|at| number(at + 4, 4) == SHT_PROGBITS && number(at + 8, 8) & SHF_EXECINSTR != 0)
        .map(|at| {
            let (address, offset, size) =
                (number(at + 16, 8), number(at + 24, 8) as usize, number(at + 32, 8) as usize);
            (address, file[offset..offset + size].to_vec())
        })
        .collect()
}

/// The frozen objects of a target.
pub(crate) fn frozen(abi: Abi) -> Vec<PathBuf> {
    let machine = match abi {
        Abi::Amd64 => "x86_64",
        Abi::Aarch64 => "aarch64",
        Abi::Aarch64Be => "aarch64_be",
        Abi::S390x => "s390x",
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../cases/objects").join(machine);
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}
