//! Totals of the lines of a sweep, as text and as page.

use std::collections::BTreeMap;

use reports::sweep::{exit_code, text};
use results::{
    Blame, Cause, CauseCount, Counted, FileLine, Finding, Judged, Sizes, Summary, SweepAsked, SweepFold, SweepTotals,
    SweepVerdict,
};
use serde_json::{Value, json};
use spec::RuleId;
use types::{Abi, FileError, FileErrorKind, Reach, SframeVersion, Skip};

use super::schema::{fits, refuses};

/// A file in which `functions` functions are wrong by one cause.
pub(crate) fn line(file: &str, functions: u64) -> FileLine {
    let cause = Cause::from_finding(&Finding::new(RuleId::CfiRefused, Blame::EhFrame, "f", "an opcode 7"));
    let cause = cause.into_iter().next().expect("a cause");
    let judged = Judged {
        abi: Some(Abi::Amd64),
        sframe_version: Some(SframeVersion::V3),
        summary: Summary {
            functions: 10,
            max_depth: functions,
            reach: Some(Reach { covered: 10, executed: 9, not_entered: 1, states: 9, ..Reach::default() }),
            ..Summary::default()
        },
        sizes: Some(Sizes { sframe: 50, eh_frame: 80, eh_frame_hdr: 20, functions: 10, rows: 30, text: 1000 }),
        causes: vec![CauseCount {
            fingerprint: cause.fingerprint(),
            cause,
            known: None,
            functions,
            function: "f".to_owned(),
            place: format!("f of {file}"),
            message: "an opcode".to_owned(),
        }],
        gaps: vec![Counted { reason: "no form".to_owned(), count: 2, example: "g".to_owned() }],
        undecided: vec![Counted { reason: "fault".to_owned(), count: 1, example: "at 7".to_owned() }],
        outside: vec![Counted { reason: ".init".to_owned(), count: 27, example: "g at g of this file".to_owned() }],
        ..Judged::default()
    };
    FileLine {
        schema: results::SWEEP_SCHEMA,
        file: file.to_owned(),
        sha256: "0".repeat(64),
        bytes: 100,
        verdict: SweepVerdict::Discrepancy,
        judged: Some(judged),
        ..FileLine::default()
    }
}

pub(crate) fn failed(kind: FileErrorKind, verdict: SweepVerdict, named: bool) -> FileLine {
    let error = FileError { kind, offset: None, message: "why".to_owned() };
    let judged = Judged { error: Some(error), ..Judged::default() };
    FileLine { schema: results::SWEEP_SCHEMA, verdict, named, judged: Some(judged), ..FileLine::default() }
}

pub(crate) fn totals(lines: &[FileLine]) -> SweepTotals {
    let mut fold = SweepFold::new(SweepAsked { schema: results::SWEEP_SCHEMA, ..SweepAsked::default() });
    lines.iter().for_each(|line| fold.add(line));
    for (number, line) in (0..).zip(lines) {
        fold.took(&line.file, f64::from(number % 50));
    }
    Skip::ALL.into_iter().for_each(|skip| fold.skip(skip, 1));
    fold.finish()
}

#[test]
fn one_bug_in_three_hundred_files_is_one_line() {
    let mut lines: Vec<FileLine> = (0..300).map(|number| line(&format!("lib{number:03}.so"), 2)).collect();
    lines.push(FileLine { same_as: Some("lib000.so".to_owned()), judged: None, ..line("copy.so", 2) });
    let all = totals(&lines);
    let [cause] = all.causes.as_slice() else { panic!("{:?}", all.causes) };
    assert_eq!((cause.files, cause.functions, cause.example.file.as_str()), (300, 600, "lib000.so"));
    assert_eq!((all.verdicts.discrepancy, all.duplicates, all.bytes), (300, 1, 30_000));
    assert_eq!((all.summary.functions, all.summary.max_depth), (3000, 2));
    assert_eq!((all.sizes[0].files, all.sizes[0].sizes.sframe), (300, 15_000));
    assert_eq!((all.gaps[0].files, all.gaps[0].count), (300, 600));
    assert_eq!((all.outside[0].reason.as_str(), all.outside[0].count), (".init", 8100));
    let seconds: Vec<f64> = all.slowest.iter().map(|slow| slow.seconds).collect();
    assert!(seconds.len() == 20 && seconds.is_sorted_by(|a, b| a >= b) && seconds[0] > 48.0, "{seconds:?}");

    let mut printed = Vec::new();
    text::write(&all, &mut printed).and_then(|()| text::sentence(&all, &mut printed)).expect("printed");
    let printed = String::from_utf8(printed).expect("text");
    testing::printed!("sweep-many.txt", &printed);
    assert!(printed.lines().count() < 40, "{printed}");
}

/// A page stays short, however many files and causes there are.
#[test]
fn the_page_of_ten_thousand_files_is_short() {
    let lines: Vec<FileLine> = (0..10_000)
        .map(|number| {
            let mut line = line(&format!("<lib>{number}\u{1b}.so"), 1);
            let judged = line.judged.as_mut().expect("judged");
            judged.causes[0].cause.shape = format!("shape {number}");
            line
        })
        .collect();
    let all = totals(&lines);
    let page = reports::page::sweep::render(&all);
    assert!(page.len() < 500_000, "{} bytes", page.len());
    for part in ["and 9,500 more, in sweep.json", "&lt;lib&gt;0\u{241b}.so", "50 %", "10,000"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<lib>") && !page.contains('\u{1b}') && page.matches("<script").count() == 2);
    assert_eq!(page, reports::page::sweep::render(&all));
}

#[test]
fn the_gravest_file_decides_the_exit_code() {
    let clean = FileLine { verdict: SweepVerdict::Clean, judged: Some(Judged::default()), ..FileLine::default() };
    let skipped = failed(FileErrorKind::NoTable, SweepVerdict::Skipped, false);
    let unread = failed(FileErrorKind::Truncated, SweepVerdict::Error, false);
    let named = failed(FileErrorKind::NotElf, SweepVerdict::Error, true);
    let ours = failed(FileErrorKind::Harness, SweepVerdict::Error, false);
    let wrong = line("x", 1);
    for (lines, code) in [
        // Of what was skipped one file has no table.
        (&[][..], 2),
        (&[clean.clone(), skipped][..], 0),
        (&[clean.clone(), unread.clone()], 2),
        (&[unread.clone(), wrong.clone(), clean.clone()], 1),
        (&[named.clone(), wrong.clone(), unread.clone()], 3),
        (&[wrong, ours], 3),
    ] {
        assert_eq!(exit_code(&totals(lines)), code, "{lines:?}");
    }
    let nothing = SweepTotals { skipped: BTreeMap::default(), ..totals(&[]) };
    assert_eq!(exit_code(&nothing), 3);
    assert_eq!(exit_code(&SweepTotals { unfinished: true, ..totals(&[clean]) }), 2);
}

#[test]
fn every_word_of_lines_and_totals_is_in_the_schemas() {
    let value = |line: &FileLine| serde_json::to_value(line).expect("JSON");
    let whole = value(&line("x", 1));
    fits("sweep-results.schema.json", &whole);
    for verdict in SweepVerdict::ALL {
        fits("sweep-results.schema.json", &value(&FileLine { verdict, ..line("x", 1) }));
    }
    let kinds = [
        FileErrorKind::Io,
        FileErrorKind::NoTable,
        FileErrorKind::Usage,
        FileErrorKind::NotElf,
        FileErrorKind::Elf32,
        FileErrorKind::Machine,
        FileErrorKind::ElfType,
        FileErrorKind::Truncated,
        FileErrorKind::Malformed,
        FileErrorKind::Harness,
    ];
    for kind in kinds {
        let line = value(&failed(kind, SweepVerdict::Error, true));
        assert_eq!(line["judged"]["error"]["kind"], kind.name());
        fits("sweep-results.schema.json", &line);
    }
    for (pointer, value) in [
        ("/verdict", json!("fine")),
        ("/sha256", json!("0")),
        ("/judged/causes/0/rule", json!("no rule")),
        ("/judged/causes/0/functions", json!(0)),
        ("/judged/gaps/0/count", json!("two")),
        ("/judged/summary", json!({})),
    ] {
        refuses("sweep-results.schema.json", &whole, pointer, value);
    }
    let mut all = totals(&[line("x", 1), failed(FileErrorKind::Io, SweepVerdict::Error, false)]);
    for shard in [None, Some((2, 3))] {
        all.asked.shard = shard;
        let all: Value = serde_json::to_value(&all).expect("JSON");
        fits("sweep.schema.json", &all);
        let again: SweepTotals = serde_json::from_value(all).expect("totals");
        assert_eq!(again.asked.shard, shard);
    }
    let all: Value = serde_json::to_value(&all).expect("JSON");
    for (pointer, value) in [
        ("/exit_code", json!(4)),
        ("/skipped", json!({ "nothing": 1 })),
        ("/asked/shard", json!([1])),
        ("/causes/0/abis/0", json!("x86_64")),
        ("/errors/0/example", json!("x")),
    ] {
        refuses("sweep.schema.json", &all, pointer, value);
    }
}
