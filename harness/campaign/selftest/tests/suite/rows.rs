//! `score --rows`: a row changed in every function of a frozen object is detected.

use std::fs;
use std::process::Command;

use generators::blind::{ChangedRows, DamagedPart, RowChange, change_rows};
use selftest::score::rows::RowsFile;
use testing::{frozen, scratch};
use types::Bytes;

/// Readers that share no code with the judge select the changed rows and determine their positions.
#[test]
fn a_row_changed_in_every_function_is_found() {
    for target in ["x86_64/gas-2.44--v2", "aarch64/gas-2.40--v1", "s390x/gas-2.47.50--v3"] {
        let bytes = Bytes::from(fs::read(frozen(&format!("{target}--gcc12-O2--so"))).expect("a frozen object"));
        let file = RowsFile::new(target, bytes.clone()).expect("it is judged");
        let of_eh_frame = RowChange::ALL.into_iter().skip(1).map(|change| (DamagedPart::EhFrame, change));
        for (table, change) in of_eh_frame.chain([(DamagedPart::Sframe, RowChange::Byte)]) {
            // What s390x saves is still in its register, as far as that is known; its frames have
            // offsets of two bytes.
            let is_of_others = matches!(change, RowChange::Unsaved | RowChange::Absent | RowChange::Expression);
            if is_of_others && target.starts_with("s390x") {
                continue;
            }
            let changed = change_rows(&bytes, table, change, 3).expect("a table");
            let undone = ChangedRows { bytes: bytes.to_vec(), ..changed.clone() };
            let score = file.score(table, change, changed).expect("it is judged");
            // One entry of the search table is changed.
            let least = if change == RowChange::Search { 1 } else { 11 };
            assert!(score.reached >= least, "{target}: {score:?}");
            assert_eq!(score.missed, [], "{target}: {table:?}");
            assert!(score.undecided.is_empty(), "{target}: {score:?}");
            // A change that was undone is not detected.
            let score = file.score(table, change, undone).expect("it is judged");
            assert!(score.found == 0 && !score.passes(), "{target}: {score:?}");
        }
    }
}

/// FP saved and not written, restored before the row, and written. The first two rows are right
/// without the saved value.
#[test]
fn a_row_that_is_right_without_a_saved_fp_is_equivalent() {
    let function = |name: &str, body: &str, end: &str| {
        format!(
            ".globl {name}\n.type {name}, @function\n{name}: .cfi_startproc\npush %rbp\n.cfi_def_cfa_offset 16\n
             .cfi_offset 6, -16\n{body}\npop %rbp\n.cfi_def_cfa_offset 8\n{end}\nret\n.cfi_endproc\n.size {name}, .-{name}\n"
        )
    };
    let source = [("kept", "nop"), ("written", "xor %ebp, %ebp"), ("joined", "test %edi, %edi\nje part\ninside: nop")];
    let mut text: String = source.iter().map(|(name, body)| function(name, body, "")).collect();
    text += ".globl part\n.type part, @function\npart: .cfi_startproc\n.cfi_def_cfa_offset 16\n.cfi_offset 6, -16\n
             xor %ebp, %ebp\njmp inside\n.cfi_endproc\n.size part, .-part\n";
    let folder = scratch::folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("f.s"), text).expect("scratch");
    for (tool, input, output, options) in [("as", "f.s", "f.o", &[][..]), ("ld", "f.o", "f.so", &["-shared"][..])] {
        let mut command = Command::new(tool);
        let status = command.args(options).arg(path(input)).arg("-o").arg(path(output)).status();
        assert!(status.expect("GNU tools").success(), "{tool}");
    }
    let bytes = Bytes::from(fs::read(path("f.so")).expect("linked"));
    let changed = change_rows(&bytes, DamagedPart::EhFrame, RowChange::Unsaved, 3).expect("a table");
    let file = RowsFile::new("f", bytes).expect("it is judged");
    let score = file.score(DamagedPart::EhFrame, RowChange::Unsaved, changed).expect("it is judged");
    assert_eq!((score.equivalent.len(), score.found, score.missed.len()), (1, 2, 0), "{score:?}");
}
