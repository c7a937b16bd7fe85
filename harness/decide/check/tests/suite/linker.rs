//! Tables that linkers write, wrong in each way, on four targets: one rule reports it, and the
//! linker is blamed.

use check::Options;
use generators::code::Function;
use generators::corpus::broken;
use generators::elf::{FileKind, write};
use generators::linker::bugs;
use generators::sample::Sample;
use results::Blame;
use spec::{RuleId, Severity};
use types::{Abi, Bytes, SframeVersion};

use crate::check;

#[test]
fn each_bug_of_a_linker_is_found_and_blamed_on_it() {
    let mut wrong = Vec::new();
    for abi in Abi::ALL {
        let callees = vec![Function::framed(abi, "framed", "leaf"), Function::leaf(abi, "leaf")];
        let functions = [callees, vec![Function::start(abi, "_start", "framed")]].concat();
        let sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
        let right = write(&sample.elf_with_search_table().expect("a file")).expect("a file");
        let report = check("right", &Bytes::from(right), &Options::static_only()).report;
        assert_eq!(report.discrepancies, [], "{abi}");
        for bug in bugs() {
            let file = write(&bug.file(&sample).expect("a file")).expect("a file");
            let report = check(bug.note, &Bytes::from(file), &Options::static_only()).report;
            let least = if bug.rule == RuleId::ElfSegmentSize { Severity::Warning } else { Severity::Error };
            let found: Vec<_> = report.discrepancies.iter().filter(|found| found.severity >= least).collect();
            let is_found = found.iter().any(|found| found.rule() == bug.rule);
            if !is_found || found.iter().any(|found| found.blame() != Blame::Linker) {
                let found: Vec<String> = found.iter().map(|one| format!("{}={}", one.rule(), one.blame())).collect();
                wrong.push(format!("{abi}: {} ({}): {found:?} {:?}", bug.note, bug.rule, report.error));
            }
        }
    }
    assert!(wrong.is_empty() && bugs().len() > 50, "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Linkers write the start, and copy the size from the object.
#[test]
fn a_function_that_passes_the_end_of_code_may_be_the_assemblers() {
    let broken = broken();
    let files = broken.iter().filter(|file| file.rule == RuleId::ElfFunctionInCode);
    let blamed = files.map(|file| {
        let report = check(file.note, &Bytes::copy_from_slice(&file.bytes), &Options::static_only()).report;
        let found = report.discrepancies.iter().find(|found| found.rule() == file.rule).expect("the finding");
        (file.note, found.blame())
    });
    let expected = [
        ("in .rodata", Blame::Linker),
        ("nowhere", Blame::Linker),
        ("passes the end of .text", Blame::AssemblerOrLinker),
    ];
    assert_eq!(blamed.collect::<Vec<_>>(), expected);
}
