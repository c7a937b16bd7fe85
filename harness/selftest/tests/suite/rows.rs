//! `score --rows`: a row changed in every function of a frozen object is found.

use std::fs;

use generators::blind::{ChangedRows, RowChange, Target, change_rows};
use selftest::score::rows::RowsFile;
use testing::frozen;
use types::Bytes;

/// The rows that are changed are chosen, and where they are is decided, by readers that share
/// nothing with the judge.
#[test]
fn a_row_changed_in_every_function_is_found() {
    for target in ["x86_64/gas-2.44--v2", "aarch64/gas-2.40--v1", "s390x/gas-2.47.50--v3"] {
        let bytes = Bytes::from(fs::read(frozen(&format!("{target}--gcc12-O2--so"))).expect("a frozen object"));
        let file = RowsFile::new(target, bytes.clone()).expect("it is judged");
        for (table, change) in [Target::Sframe, Target::EhFrame].into_iter().zip(RowChange::ALL) {
            let changed = change_rows(&bytes, table, change, 3).expect("a table");
            let undone = ChangedRows { bytes: bytes.to_vec(), ..changed.clone() };
            let score = file.score(table, change, changed).expect("it is judged");
            assert!(score.reached > 10, "{target}: {score:?}");
            assert_eq!(score.missed, [], "{target}: {table:?}");
            assert!(score.undecided.is_empty(), "{target}: {score:?}");
            // What is not there is not found.
            let score = file.score(table, change, undone).expect("it is judged");
            assert!(score.found == 0 && !score.passes(), "{target}: {score:?}");
        }
    }
}
