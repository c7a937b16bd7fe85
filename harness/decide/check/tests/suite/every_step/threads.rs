//! A function that only the second thread calls: its rows are judged by that thread's frames,
//! whatever the first thread executes meanwhile.

use check::{Checked, Inputs};

use super::*;

/// `_start` creates a thread and waits for it (the code is explained in
/// `machine/tests/suite/threads.rs`); the thread calls `victim`.
const MAIN: [u8; 152] = [
    0x4c, 0x8d, 0xa4, 0x24, 0, 0xff, 0xff, 0xff, 0xb8, 0x38, 0, 0, 0, 0xbf, 0, 0x0f, 0x31, 0, 0x48, 0x8d, 0xb4, 0x24,
    0, 0xc0, 0xff, 0xff, 0x49, 0x8d, 0x54, 0x24, 8, 0x4d, 0x8d, 0x54, 0x24, 0x10, 0x41, 0xc7, 0x44, 0x24, 0x10, 1, 0,
    0, 0, 0x0f, 5, 0x85, 0xc0, 0x74, 0x43, 0xb8, 0xca, 0, 0, 0, 0x4c, 0x89, 0xe7, 0x31, 0xf6, 0x31, 0xd2, 0x45, 0x31,
    0xd2, 0x0f, 5, 0x41, 0x8b, 0x1c, 0x24, 0x85, 0xdb, 0x74, 0xe7, 0x41, 0x8b, 0x54, 0x24, 0x10, 0x85, 0xd2, 0x74,
    0x13, 0xb8, 0xca, 0, 0, 0, 0x49, 0x8d, 0x7c, 0x24, 0x10, 0x31, 0xf6, 0x45, 0x31, 0xd2, 0x0f, 5, 0xeb, 0xe4, 0xb8,
    0xe7, 0, 0, 0, 0x89, 0xdf, 0x41, 3, 0x7c, 0x24, 8, 0x0f, 5, 0xe8, 0x1d, 0, 0, 0, 0xb8, 0xca, 0, 0, 0, 0x4c, 0x89,
    0xe7, 0xbe, 1, 0, 0, 0, 0xba, 1, 0, 0, 0, 0x0f, 5, 0xb8, 0x3c, 0, 0, 0, 0x31, 0xff, 0x0f, 5,
];
const CALL_AT: usize = 0x76;
/// push %rbp; movl $40,(%r12); pop %rbp; ret
const VICTIM: [u8; 11] = [0x55, 0x41, 0xc7, 4, 0x24, 40, 0, 0, 0, 0x5d, 0xc3];

fn outcome(rows: &[Row], schedule: Option<u64>) -> Checked {
    let abi = Abi::Amd64;
    let start = Function::start(abi, "_start", "victim");
    let call = generators::code::Call { at: CALL_AT, ..start.calls.first().cloned().expect("a call") };
    let start = Function { code: MAIN.to_vec(), calls: vec![call], ..start };
    let victim = Function {
        code: VICTIM.to_vec(),
        frames: rows.iter().map(|row| row.frame()).collect(),
        ..Function::leaf(abi, "victim")
    };
    let options = Options { inputs: Inputs { schedule, ..Inputs::default() }, ..Options::default() };
    both("threads", &built(abi, vec![start, victim]), &options).expect("a file that loads")
}

#[test]
fn a_wrong_row_is_found_in_the_thread_that_executes_it() {
    for schedule in [None, Some(1), Some(2), Some(3)] {
        let right = outcome(&[Row::Own(0, 8), Row::Saved(1, 16), Row::Own(10, 8)], schedule);
        assert_eq!(right.exit.map(|(_, status)| status), Some(42));
        let report = &right.report;
        assert!(report.notes.iter().any(|note| note.contains(" in 2 threads: exited")), "{:?}", report.notes);
        assert!(report.discrepancies.is_empty() && report.undecided.is_empty(), "{report:#?}");
        let wrong = outcome(&[Row::Own(0, 8)], schedule);
        let errors: Vec<_> = wrong.report.discrepancies.iter().filter(|one| one.severity == Severity::Error).collect();
        let [error] = errors.as_slice() else { panic!("{errors:#?}") };
        assert_eq!((error.rule().name(), error.evidence.steps), ("row/cfa-matches-truth", 2));
        assert!(error.shown.message.contains(" in thread 2,"), "{}", error.shown.message);
    }
}
