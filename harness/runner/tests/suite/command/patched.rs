//! Sections with a wrong field: a structural finding gives the byte, quickly and with little
//! memory.

use std::ops::Range;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::support::{CLEAN_EXE, Elf, Folder, finish, frozen, measured, program};

// SFrame V2 errata 1 and V3, "SFrame Header": offsets of the fields.
const MAGIC: usize = 0;
const VERSION: usize = 2;
const AUX_LEN: usize = 7;
const NUM_FDES: usize = 8;
const NUM_FRES: usize = 12;
const FRE_LEN: usize = 16;
const FDE_OFF: usize = 20;
const FRE_OFF: usize = 24;

/// Far above the needs of a small file (about 30 MB with the emulator), far below the sizes in the
/// fields (up to 2^35 bytes).
const MOST_MEMORY: u64 = 400 << 20;
/// Expected is about a second; ten allow for a loaded machine and an unoptimised program.
const MOST_TIME: Duration = Duration::from_secs(10);

/// A copy of an executable with one field of its `.sframe` header changed.
fn patched(field: usize, size: usize, value: u64) -> Elf {
    let mut elf = Elf::frozen(CLEAN_EXE);
    let section = elf.section(".sframe").offset;
    elf.store(section + field, size, value);
    elf
}

/// Checks the file and returns its structural errors.
#[track_caller]
fn structural_errors(elf: &Elf) -> Vec<Value> {
    let folder = Folder::new();
    let mut command = program();
    command.args(["check", "--format", "json", &folder.write("patched", &elf.bytes)]);
    let started = Instant::now();
    let (ran, peak) = measured(command);
    assert!(started.elapsed() < MOST_TIME, "{:?}", started.elapsed());
    assert!(peak < MOST_MEMORY, "{peak} bytes of memory");
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let json = ran.json();
    let errors = json["discrepancies"].as_array().expect("a list").iter();
    let errors: Vec<Value> =
        errors.filter(|found| found["field"] == "structure" && found["severity"] == "error").cloned().collect();
    assert!(!errors.is_empty(), "no structural error: {json}");
    errors
}

/// Checks that one of the findings has an offset in the range.
#[track_caller]
fn assert_named(errors: &[Value], bytes: Range<usize>) {
    let offset = |found: &Value| usize::try_from(found["offset"].as_u64()?).ok();
    let named = errors.iter().any(|found| offset(found).is_some_and(|at| bytes.contains(&at)));
    assert!(named, "no finding names a byte of {bytes:x?}: {errors:#?}");
    assert!(errors.iter().all(|found| found["section"] == ".sframe"), "{errors:#?}");
}

/// A value that a field must not have is reported with the field's offset.
#[track_caller]
fn names_the_byte(field: usize, size: usize, value: u64) {
    assert_named(&structural_errors(&patched(field, size, value)), field..field + size);
}

#[test]
fn a_wrong_magic() {
    let errors = structural_errors(&patched(MAGIC, 2, 0xbeef));
    assert_named(&errors, MAGIC..MAGIC + 2);
    assert!(errors.iter().any(|found| found["rule"] == "header/magic"), "{errors:#?}");
}

#[test]
fn an_unknown_version() {
    names_the_byte(VERSION, 1, 77);
}

/// The section has room for 255 bytes: the tables after the auxiliary header no longer fit.
#[test]
fn an_auxiliary_header_that_moves_everything() {
    assert_named(&structural_errors(&patched(AUX_LEN, 1, 0xff)), FRE_LEN..FRE_LEN + 4);
}

#[test]
fn more_functions_than_fit() {
    names_the_byte(NUM_FDES, 4, 0xffff_ffff);
}

#[test]
fn more_rows_than_there_are() {
    names_the_byte(NUM_FRES, 4, 0xffff_ffff);
}

#[test]
fn a_row_area_longer_than_the_section() {
    names_the_byte(FRE_LEN, 4, 0x7fff_ffff);
    names_the_byte(FRE_LEN, 4, 0xffff_ffff);
}

#[test]
fn areas_that_lie_outside() {
    names_the_byte(FDE_OFF, 4, 0x7fff_ffff);
    names_the_byte(FRE_OFF, 4, 0xffff_ffff);
}

/// The section ends at any offset inside its tables.
#[test]
fn a_section_that_is_cut_short() {
    const SH_SIZE: usize = 32;
    let whole = Elf::frozen(CLEAN_EXE);
    let section = whole.section(".sframe");
    for size in [1, 4, 27, 28, 44, section.size / 2, section.size - 1] {
        let mut elf = Elf::frozen(CLEAN_EXE);
        elf.store(section.header + SH_SIZE, 8, size as u64);
        structural_errors(&elf);
    }
}

/// The other table is still judged, and the code still runs.
#[test]
fn a_broken_section_does_not_hide_eh_frame() {
    let folder = Folder::new();
    let path = folder.write("patched", &patched(MAGIC, 2, 0xbeef).bytes);
    let json = |path: &str| {
        let mut command = program();
        command.args(["check", "--format", "json", path]);
        finish(command).json()
    };
    assert_eq!(json(&path)["summary"]["steps_judged"], json(&frozen(CLEAN_EXE))["summary"]["steps_judged"]);
}
