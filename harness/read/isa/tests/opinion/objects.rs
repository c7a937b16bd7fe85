//! The frozen objects, and their executable sections.

use std::path::{Path, PathBuf};

use types::Abi;
use types::elf::{SHF_EXECINSTR, SHT_PROGBITS};

/// Addresses and bytes of the sections with code, as in the file.
pub(crate) fn code(file: Vec<u8>) -> Vec<(u64, Vec<u8>)> {
    let image = elf::load("object", &file.into()).expect("an object");
    let code = image.sections.into_iter();
    let code = code.filter(|one| one.kind == SHT_PROGBITS && one.flags & SHF_EXECINSTR != 0);
    code.map(|section| (section.address, section.original.unwrap_or(section.bytes).to_vec())).collect()
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
