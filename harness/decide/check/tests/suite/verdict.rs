//! Errors that a verdict must not hide: tables that differ although a run succeeded, omitted
//! functions, and files in which nothing was judged.

use check::{Limits, Options, Sframe};
use generators::code::Function;
use generators::elf::FileKind;
use generators::sample::Sample;
use generators::sframe::Word;
use results::{Blame, Deny, Outcome, Report};
use spec::{RuleId, Severity};
use types::{Abi, Bytes, SframeVersion, UndecidedReason};

use crate::check;
use crate::sample::sample;
use testing::elf::{Elf, Section};

fn judged(sample: &Sample, options: &Options) -> Report {
    check("sample", &sample.bytes().expect("a file").into(), options).report
}

fn run() -> Options {
    Options { limits: Limits::steps(1_000_000), ..Options::default() }
}

fn at_rest() -> Options {
    Options::static_only()
}

const GAPS: Deny = Deny { warnings: false, gaps: true, undecided: false, reach: None };

/// FP is 0 in `_start` and in every slot that was never written: the run contradicts neither table.
#[test]
fn a_run_makes_no_difference_smaller() {
    for abi in Abi::ALL {
        let mut sample = sample(abi, FileKind::Executable);
        // The last word of a row with a frame is the offset of FP.
        for row in &mut sample.section.functions[0].rows {
            if let [_, .., Word::Offset(fp)] = row.words.as_mut_slice() {
                *fp -= 8;
            }
        }
        let (executed, compared) = (judged(&sample, &run()), judged(&sample, &at_rest()));
        assert!(executed.summary.steps_judged > 0, "{abi}");
        assert_eq!(executed.outcome(Deny::default()), Outcome::Discrepancy, "{abi}");
        // Without a red zone below SP, the run shows that the slot is free.
        let shown = if abi == Abi::Amd64 { vec![&executed, &compared] } else { vec![&compared] };
        for report in shown {
            assert_eq!(report.outcome(Deny::default()), Outcome::Discrepancy, "{abi}");
            let about_fp = report.discrepancies.iter().find(|found| found.rule() == RuleId::CfiFpDiffers);
            let found = about_fp.unwrap_or_else(|| panic!("{abi}: {:?}", report.discrepancies));
            assert_eq!((found.severity, found.blame()), (Severity::Error, Blame::Undetermined), "{abi}");
        }
    }
}

/// One row of each table: after `push %rax` both give a wrong CFA, and before it they differ about
/// FP, which is always 0.
#[test]
fn what_both_are_wrong_about_hides_no_difference() {
    let abi = Abi::Amd64;
    let leaf = Function { code: vec![0x50, 0x58, 0xc3], ..Function::leaf(abi, "leaf") };
    let functions = vec![leaf, Function::start(abi, "_start", "leaf")];
    let mut sample = Sample::new(abi, SframeVersion::V2, FileKind::Executable, functions).expect("a sample");
    let errors = |sample: &Sample| {
        let found = judged(sample, &run()).discrepancies.into_iter().filter(|found| found.is_error());
        found.filter(|found| found.function() == "leaf").map(|found| found.rule()).collect::<Vec<_>>()
    };
    assert_eq!(errors(&sample), [RuleId::RowCfaMatchesTruth], "both alike");
    sample.section.functions[0].rows[0].words.push(Word::Offset(-16));
    assert!(errors(&sample).contains(&RuleId::CfiFpDiffers), "{:?}", errors(&sample));
}

#[test]
fn functions_left_out_are_gaps() {
    for abi in Abi::ALL {
        let report = |edit: &dyn Fn(&mut Sample)| {
            let mut sample = sample(abi, FileKind::Executable);
            edit(&mut sample);
            judged(&sample, &run())
        };
        let names = |report: &Report| report.gaps.iter().map(|gap| gap.function.clone()).collect::<Vec<_>>();
        let whole = report(&|_| ());
        assert!(names(&whole).is_empty() && whole.outcome(GAPS) == Outcome::Clean, "{abi}");
        let dropped = report(&|sample| drop(sample.section.functions.remove(1)));
        assert_eq!((names(&dropped), dropped.gaps[0].executed), (vec!["leaf".to_owned()], true), "{abi}");
        assert_eq!((dropped.outcome(Deny::default()), dropped.outcome(GAPS)), (Outcome::Clean, Outcome::Discrepancy));
        let sized_zero = report(&|sample| sample.section.functions[1].size = 0);
        assert!(names(&sized_zero).contains(&"leaf".to_owned()), "{abi}: {:?}", names(&sized_zero));
        let empty = report(&|sample| sample.section.functions.clear());
        assert_eq!(names(&empty), ["framed", "leaf", "_start"], "{abi}");
        assert_eq!(empty.outcome(GAPS), Outcome::Discrepancy, "{abi}");
    }
}

/// Without `.eh_frame` the run shows the omitted functions.
#[test]
fn code_that_runs_without_any_table_is_a_gap() {
    for abi in Abi::ALL {
        let mut sample = sample(abi, FileKind::Executable);
        sample.section.functions.remove(1);
        let mut elf = Elf::new(sample.bytes().expect("a file"));
        elf.hide(".eh_frame");
        let report = check("sample", &Bytes::copy_from_slice(&elf.bytes), &run()).report;
        let gaps: Vec<(&str, bool)> = report.gaps.iter().map(|gap| (gap.function.as_str(), gap.executed)).collect();
        assert_eq!(gaps, [("leaf", true)], "{abi}");
    }
}

/// A function whose first row begins after its start has no row there, and here no other table
/// describes it.
#[test]
fn a_hole_between_rows_shows_without_eh_frame() {
    for abi in Abi::ALL {
        let mut sample = sample(abi, FileKind::Executable);
        let rows = &mut sample.section.functions[0].rows;
        rows.remove(0);
        let mut elf = Elf::new(sample.bytes().expect("a file"));
        elf.hide(".eh_frame");
        let report = check("sample", &Bytes::copy_from_slice(&elf.bytes), &run()).report;
        let missing = report.discrepancies.iter().filter(|found| found.rule() == RuleId::RowMissing);
        let found: Vec<_> = missing.map(|found| (found.function(), found.blame(), found.is_error())).collect();
        assert_eq!(found, [("framed", Blame::Undetermined, true)], "{abi}: {:?}", report.discrepancies);
    }
}

#[test]
fn nothing_judged_is_not_clean() {
    for abi in Abi::ALL {
        let file = |hidden: &str| {
            let mut elf = Elf::new(sample(abi, FileKind::Executable).bytes().expect("a file"));
            elf.hide(hidden);
            elf.bytes
        };
        for hidden in [".sframe", ".eh_frame"] {
            let bytes = file(hidden);
            let compared = check("sample", &Bytes::copy_from_slice(&bytes), &at_rest()).report;
            assert_eq!(compared.outcome(Deny::default()), Outcome::Undecided, "{abi} without {hidden}");
            assert_eq!(compared.undecided[0].reason, UndecidedReason::NothingJudged, "{abi} without {hidden}");
            let executed = check("sample", &Bytes::copy_from_slice(&bytes), &run()).report;
            assert_eq!(executed.outcome(Deny::default()), Outcome::Clean, "{abi} without {hidden}");
        }
        let compared = judged(&sample(abi, FileKind::Executable), &at_rest());
        assert_eq!(compared.outcome(Deny::default()), Outcome::Clean, "{abi}: rows were compared");
    }
}

#[test]
fn a_file_without_sframe_is_an_error_where_one_is_required() {
    for abi in Abi::ALL {
        let bytes = sample(abi, FileKind::Executable).bytes().expect("a file");
        let mut without = Elf::new(bytes.clone());
        without.hide(".sframe");
        let required = || Options { sframe: Sframe::Required, ..run() };
        let outcome = |bytes: &[u8], options: Options| {
            check("sample", &Bytes::copy_from_slice(bytes), &options).report.outcome(Deny::default())
        };
        assert_eq!(outcome(&without.bytes, required()), Outcome::Discrepancy, "{abi}");
        assert_eq!(outcome(&without.bytes, run()), Outcome::Clean, "{abi}");
        assert_eq!(outcome(&bytes, required()), Outcome::Clean, "{abi}");
    }
}

#[test]
fn the_exit_status_is_said_and_changes_nothing() {
    for abi in Abi::ALL {
        let report = judged(&sample(abi, FileKind::Executable), &run());
        let status = report.exit_status.unwrap_or_else(|| panic!("{abi}: {:?}", report.notes));
        let note = format!("exited with status {status}");
        assert!(report.notes.iter().any(|line| line.ends_with(&note)), "{abi}: {:?}", report.notes);
        assert_eq!(judged(&sample(abi, FileKind::Executable), &at_rest()).exit_status, None, "{abi}");
    }
}

/// A second FDE that cannot be read is a separate finding, independent of the first.
#[test]
fn each_unreadable_descriptor_is_found() {
    for abi in Abi::ALL {
        let refused = |broken: &[usize]| {
            let mut elf = Elf::new(sample(abi, FileKind::Executable).bytes().expect("a file"));
            let section = elf.sections()[".eh_frame"];
            for fde in broken {
                let (offset, length) = fde_at(&elf, section, *fde);
                // DW_CFA_restore_state without a remembered state; padding after it.
                elf.bytes[offset + 17..offset + 4 + length].fill(0);
                elf.bytes[offset + 17] = 0x0b;
            }
            let found = check("sample", &Bytes::copy_from_slice(&elf.bytes), &run()).report.discrepancies.into_iter();
            let found = found.filter(|found| found.rule() == RuleId::CfiRefused);
            found.map(|found| (found.function().to_owned(), found.fingerprint().to_owned())).collect::<Vec<_>>()
        };
        let (first, second, both) = (refused(&[0]), refused(&[1]), refused(&[0, 1]));
        assert_eq!((first[0].0.as_str(), second[0].0.as_str()), ("framed", "leaf"), "{abi}");
        assert_eq!(both, [first, second].concat(), "{abi}");
    }
}

/// Offset and length field of an FDE of `.eh_frame`, by its number (LSB 5.0 core, 10.6.1).
fn fde_at(elf: &Elf, section: Section, number: usize) -> (usize, usize) {
    let (mut offset, mut fdes) = (section.offset, 0);
    loop {
        let length = elf.number(offset, 4) as usize;
        let is_fde = elf.number(offset + 4, 4) != 0;
        if is_fde && fdes == number {
            return (offset, length);
        }
        fdes += usize::from(is_fde);
        offset += 4 + length;
    }
}
