//! Files that are not ELF64 files of a known machine with an unwind table: exit code 3, a kind, an
//! offset, and no panic.

use serde_json::Value;

use crate::command::support::{CLEAN_EXE, CLEAN_OBJECT, Elf, Folder, bytes_of, check, run};

/// Error for a file that must not be judged.
fn refused(path: &str) -> Value {
    let (code, json) = check(path, &[]);
    assert_eq!((code, &json["verdict"]), (3, &"error".into()), "{path}");
    assert_eq!(json["file"], path);
    let error = json["error"].clone();
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
    error
}

/// Checks the kind and the offset of the error for a file.
#[track_caller]
fn refuses(name: &str, bytes: &[u8], kind: &str, offset: u64) {
    let folder = Folder::new();
    let error = refused(&folder.write(name, bytes));
    assert_eq!((&error["kind"], &error["offset"]), (&kind.into(), &offset.into()), "{name}: {error}");
    let printed = error["message"].as_str().unwrap_or_default();
    assert!(printed.contains(&format!("offset {offset:#x}")), "{name}: {printed}");
}

#[test]
fn an_empty_file() {
    refuses("empty", b"", "not-elf", 0);
}

#[test]
fn a_text_file() {
    refuses("text", b"int main(void) { return 0; }\n", "not-elf", 0);
}

#[test]
fn an_elf32_file() {
    let mut elf = Elf::frozen(CLEAN_OBJECT);
    elf.bytes[4] = 1;
    refuses("elf32", &elf.bytes, "elf32", 4);
}

#[test]
fn an_unknown_machine() {
    const E_MACHINE: usize = 18;
    const EM_RISCV: u64 = 243;
    let mut elf = Elf::frozen(CLEAN_OBJECT);
    elf.store(E_MACHINE, 2, EM_RISCV);
    refuses("riscv", &elf.bytes, "machine", 18);
}

/// AMD64 and s390x have one byte order each (psABIs).
#[test]
fn a_machine_in_the_wrong_byte_order() {
    let mut elf = Elf::new(bytes_of("s390x/gas-2.47.50--v3--hand--o"));
    elf.store(18, 2, 62);
    refuses("big-endian-amd64", &elf.bytes, "machine", 18);
}

#[test]
fn a_core_file() {
    const E_TYPE: usize = 16;
    const ET_CORE: u64 = 4;
    let mut elf = Elf::frozen(CLEAN_OBJECT);
    elf.store(E_TYPE, 2, ET_CORE);
    refuses("core", &elf.bytes, "elf-type", 16);
}

#[test]
fn no_unwind_table_at_all() {
    let folder = Folder::new();
    let mut elf = Elf::frozen(CLEAN_EXE);
    elf.hide(".sframe");
    elf.hide(".eh_frame");
    let error = refused(&folder.write("bare", &elf.bytes));
    assert_eq!(error["kind"], "no-table");
    let printed = error["message"].as_str().unwrap_or_default();
    assert!(printed.contains(".sframe") && printed.contains(".eh_frame"), "{printed}");
}

#[test]
fn a_folder_or_nothing_at_all() {
    let folder = Folder::new();
    for path in [folder.path("."), folder.path("missing")] {
        assert_eq!(refused(&path)["kind"], "io");
    }
}

/// A structure of a truncated file is out of bounds, wherever it was cut: the header tables are
/// last.
#[track_caller]
fn truncations(name: &str) {
    let whole = bytes_of(name);
    let lengths: Vec<usize> = (1..128).chain((128..whole.len()).step_by(997)).chain([whole.len() - 1]).collect();
    let folder = Folder::new();
    let mut arguments = vec!["check".to_owned(), "--format".to_owned(), "json".to_owned()];
    arguments.extend(lengths.iter().map(|length| folder.write(&format!("cut-{length}"), &whole[..*length])));
    let ran = run(&arguments);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let lines = ran.json_lines();
    assert_eq!(lines.len(), lengths.len());
    for (line, length) in lines.iter().zip(lengths) {
        let error = &line["error"];
        assert_eq!(line["verdict"], "error", "{length} bytes of {name}");
        let offset =
            error["offset"].as_u64().unwrap_or_else(|| panic!("{length} bytes of {name}: no offset in {error}"));
        let printed = error["message"].as_str().unwrap_or_default();
        assert!(printed.contains(&format!("offset {offset:#x}")), "{length} bytes of {name}: {printed}");
        let expected = if length < 4 { "not-elf" } else { "truncated" };
        assert_eq!(error["kind"], expected, "{length} bytes of {name}: {error}");
    }
}

#[test]
fn a_truncated_executable() {
    truncations(CLEAN_EXE);
}

#[test]
fn a_truncated_object() {
    truncations(CLEAN_OBJECT);
}

/// A segment of only .bss has no bytes in the file, and its offset may be beyond the end: nothing
/// is missing.
#[test]
fn a_segment_without_bytes_in_the_file_is_nowhere_in_it() {
    const HEADER: usize = 56;
    let mut bytes = bytes_of(CLEAN_EXE);
    let number = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let (table, count) = (number(&bytes, 0x20) as usize, usize::from(bytes[0x38]));
    // PT_GNU_STACK, which is not needed, becomes a PT_LOAD.
    let stack = (0..count).map(|nth| table + nth * HEADER).find(|at| bytes[*at..*at + 4] == [0x51, 0xe5, 0x74, 0x64]);
    let stack = stack.expect("PT_GNU_STACK");
    bytes[stack..stack + 4].copy_from_slice(&[1, 0, 0, 0]);
    for (at, value) in [(8, 0x1000_0000_u64), (16, 0x1000_0000), (24, 0x1000_0000), (32, 0), (40, 0x1000), (48, 0x1000)]
    {
        bytes[stack + at..stack + at + 8].copy_from_slice(&value.to_le_bytes());
    }
    let folder = Folder::new();
    let (code, json) = check(&folder.write("bss", &bytes), &[]);
    assert_eq!((code, &json["verdict"]), (0, &"clean".into()), "{json}");
    // With file bytes the file is truncated.
    bytes[stack + 32] = 1;
    assert_eq!(refused(&folder.write("cut", &bytes))["kind"], "truncated");
}

#[test]
fn an_error_is_told_to_people_too() {
    let folder = Folder::new();
    let path = folder.write("text", b"no ELF file");
    let ran = run(&["check", &path]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.stdout.starts_with(&format!("{path}: error: ")), "{}", ran.stdout);
    assert!(ran.stdout.contains("offset 0x0"), "{}", ran.stdout);
}
