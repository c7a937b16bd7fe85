//! A compressed `.debug_frame` gives the same result as an uncompressed one.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::process::Command;

use types::{Bytes, Image};

/// gABI, "Section Attribute Flags".
const SHF_COMPRESSED: u64 = 0x800;

/// Functions whose call frame information goes to `.debug_frame` alone, assembled with an option.
fn assembled(option: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (text, object) = (folder.path().join("f.s"), folder.path().join("f.o"));
    let function =
        ".cfi_startproc\n push %rbx\n .cfi_def_cfa_offset 16\n pop %rbx\n .cfi_def_cfa_offset 8\n ret\n .cfi_endproc\n";
    std::fs::write(&text, format!(".cfi_sections .debug_frame\n{}", function.repeat(200))).unwrap();
    let done = Command::new("as").args(["--64", option]).arg(&text).arg("-o").arg(&object).status().unwrap();
    assert!(done.success());
    std::fs::read(object).unwrap()
}

fn load(bytes: Vec<u8>) -> Result<Image, elf::LoadError> {
    elf::load("f.o", &Bytes::from(bytes))
}

fn frames(image: &Image) -> &[u8] {
    &image.sections.iter().find(|section| section.name == ".debug_frame").unwrap().bytes
}

#[test]
fn it_reads_as_if_it_were_not() {
    let plain = load(assembled("--nocompress-debug-sections")).unwrap();
    let packed = assembled("--compress-debug-sections=zlib");
    let image = load(packed).unwrap();
    assert_eq!(frames(&image), frames(&plain));
    assert!(image.sections.iter().any(|one| one.name == ".debug_frame" && one.flags & SHF_COMPRESSED != 0));
}

/// A file with many similar tables is many times smaller than the tables, and valid.
#[test]
fn a_table_may_be_many_times_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let function =
        ".cfi_startproc\n push %rbx\n .cfi_def_cfa_offset 16\n pop %rbx\n .cfi_def_cfa_offset 8\n ret\n .cfi_endproc\n";
    std::fs::write(folder.path().join("f.s"), format!(".cfi_sections .debug_frame\n{}", function.repeat(20_000)))
        .unwrap();
    for words in [
        &["as", "--64", "f.s", "-o", "f.o"][..],
        &["ld", "-m", "elf_x86_64", "-e", "0", "--compress-debug-sections=zlib", "f.o", "-o", "f"],
    ] {
        assert!(Command::new(words[0]).args(&words[1..]).current_dir(folder.path()).status().unwrap().success());
    }
    let file = std::fs::read(folder.path().join("f")).unwrap();
    let size = file.len();
    assert!(frames(&load(file).unwrap()).len() > 4 * size);
}

/// Line tables need relocations: in an object they are decompressed when it is loaded, in a linked
/// file on request.
#[test]
fn tables_of_lines_read_as_if_they_were_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text = format!(".globl _start\n_start:\n{}", " nop\n".repeat(4000));
    std::fs::write(path("f.s"), text).unwrap();
    let run = |program: &str, words: &[&str]| {
        assert!(Command::new(program).args(words).current_dir(folder.path()).status().unwrap().success(), "{words:?}");
    };
    let line = |image: &Image| image.sections.iter().find(|one| one.name == ".debug_line").unwrap().bytes.clone();
    for kind in ["none", "zlib", "zstd"] {
        let made = [format!("{kind}.o"), kind.to_owned()];
        let option = format!("--compress-debug-sections={kind}");
        run("as", &["--64", "-g", &option, "f.s", "-o", &made[0]]);
        run("ld", &["-m", "elf_x86_64", &option, &made[0], "-o", &made[1]]);
        for (nth, name) in made.iter().enumerate() {
            let image = load(std::fs::read(path(name)).unwrap()).unwrap();
            let packed = image.sections.iter().any(|one| one.flags & SHF_COMPRESSED != 0);
            assert_eq!(packed, kind != "none" && nth == 1, "{name}");
            let right = load(std::fs::read(path(["none.o", "none"][nth])).unwrap()).unwrap();
            assert_eq!(line(&elf::plain_lines(&image)), line(&right), "{name}");
        }
        // A section whose contents do not match its header stays compressed.
        let mut damaged = load(std::fs::read(path(kind)).unwrap()).unwrap();
        for section in damaged.sections.iter_mut().filter(|one| one.flags & SHF_COMPRESSED != 0) {
            let half = section.bytes.len() / 2;
            section.bytes = section.bytes.slice(..half);
        }
        assert_eq!(line(&elf::plain_lines(&damaged)), line(&damaged), "{kind}");
    }
}

/// `ch_size` is the second word of the compression header, the first 24 bytes of the section: 24
/// bytes with type, size and alignment.
#[test]
fn another_size_than_it_says_is_an_error_and_a_huge_one_takes_no_memory() {
    let packed = assembled("--compress-debug-sections=zlib");
    let at = load(packed.clone()).unwrap().sections.iter().find(|one| one.name == ".debug_frame").unwrap().file_offset;
    let size = usize::try_from(at).unwrap() + 8..usize::try_from(at).unwrap() + 16;
    for wrong in [1, u64::MAX] {
        let mut damaged = packed.clone();
        damaged.get_mut(size.clone()).unwrap().copy_from_slice(&u64::to_le_bytes(wrong));
        assert_eq!(load(damaged).err().map(|error| error.offset()), Some(at), "{wrong}");
    }
}
