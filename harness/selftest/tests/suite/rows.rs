//! `score --rows`: a row changed in every function of a frozen object is detected.

use std::fs;

use generators::blind::{ChangedRows, RowChange, Target, change_rows};
use selftest::score::rows::RowsFile;
use testing::frozen;
use types::Bytes;

/// Readers that share no code with the judge select the changed rows and determine their positions.
#[test]
fn a_row_changed_in_every_function_is_found() {
    for target in ["x86_64/gas-2.44--v2", "aarch64/gas-2.40--v1", "s390x/gas-2.47.50--v3"] {
        let bytes = Bytes::from(fs::read(frozen(&format!("{target}--gcc12-O2--so"))).expect("a frozen object"));
        let file = RowsFile::new(target, bytes.clone()).expect("it is judged");
        let of_eh_frame = RowChange::ALL.into_iter().skip(1).map(|change| (Target::EhFrame, change));
        for (table, change) in of_eh_frame.chain([(Target::Sframe, RowChange::Byte)]) {
            // What s390x saves is still in its register, as far as that is known; its frames have offsets
            // of two bytes.
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
