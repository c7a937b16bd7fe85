//! Files, sweeps and readers in every format of a test run, each parsed by the rules of its
//! specification; with names that would have an effect in a format.

use std::collections::{BTreeMap, BTreeSet};

use reports::format::dejagnu::{self, File};
use reports::format::tap::Protocol;
use reports::format::{junit, sarif};
use reports::testrun::{CheckedFiles, Format, SweptFiles, Test, TestRun, TestStatus, of_readers};
use results::{
    Blame, Counts, Deny, Gap, Outcome, ReaderExample, ReaderFinding, ReaderLine, ReaderVerdict, ReadersRun, Report,
    SweepVerdict, Undecided,
};
use roxmltree::Document;
use spec::{RuleId, Severity};
use types::{Abi, FileError, FileErrorKind, SframeVersion, SourceLine, StopReason, UndecidedReason};

use super::annotations::parse;
use super::junit::check_layout;
use super::markdown::outside_code;
use super::sample::{HOSTILE, assert_tame, hostile, run, text};
use super::{sarif as public, sweep};
use crate::support::{finding, full_finding};
use testing::printed;

/// Names of two builds are the same after the edit that ci/elsewhere.md has: `compare_tests` and
/// `dg-cmp-results.sh` compare by name.
#[test]
fn names_without_versions_are_those_of_another_build() {
    let guide = include_str!("../../../../ci/elsewhere.md");
    let edit = guide.split('`').find(|code| code.starts_with("sed -i ")).expect("the edit");
    let folder = tempfile::tempdir().expect("a folder");
    let plain = checked("").tests.swap_remove(0);
    let names = |tool: &str, sframe: &str, compiler: &str| {
        let trial = |case: &str, status| Test {
            suite: format!("gas@{tool}"),
            name: format!("gas@{tool}::amd64::{sframe}::{case}+gcc@{compiler}+O2"),
            status,
            parts: Vec::new(),
            ..plain.clone()
        };
        let tests = vec![trial("c::leaf", TestStatus::Pass), trial("link::v2-with-v1", TestStatus::Fail)];
        let run = TestRun { tests, ..checked("") };
        let mut sum = Vec::new();
        dejagnu::write(&run, File::Sum, "x86_64-linux-gnu", &mut sum).expect("text");
        sum
    };
    for (file, sum) in [("old.sum", names("2.44", "v2", "12.2.0")), ("new.sum", names("2.47.50", "v3", "16.2.0"))] {
        std::fs::write(folder.path().join(file), sum).expect("a file");
    }
    let ran = std::process::Command::new("sh").args(["-c", edit]).current_dir(&folder).status().expect("a shell");
    assert!(ran.success());
    let [old, new] =
        ["old.sum", "new.sum"].map(|file| std::fs::read_to_string(folder.path().join(file)).expect("text"));
    assert_eq!(old, new);
    assert!(new.contains("\nPASS: gas/amd64/c/leaf+gcc+O2\nFAIL: gas/amd64/link/v2-with-v1+gcc+O2\n"), "{new}");
}

/// Four files: clean, wrong in a known and in a new way, undecided, and not an ELF file.
fn checked(more: &str) -> TestRun {
    let deny = Deny::default();
    let mut files = CheckedFiles::new(deny, Some("/src".to_owned()));
    let report = |file: &str| Report {
        file: format!("{file}{more}"),
        abi: Some(Abi::Amd64),
        sframe_version: Some(SframeVersion::V3),
        ..Report::default()
    };
    let mut new = full_finding().about(format!("parse{more}"));
    new.shown.source = Some(SourceLine { file: format!("/src/lib/parse{more}.c"), line: 12 });
    let mut known = finding(RuleId::RowOutermost, Severity::Error, &format!("_start{more}"));
    known.standing.known = Some(format!("outermost{more}.yaml"));
    let milder = finding(RuleId::RowRepeats, Severity::Info, "f");
    let undecided = Undecided {
        reason: UndecidedReason::Stopped(StopReason::StepLimit),
        pc: Some(0x40_1000),
        message: format!("the run ended after 100 steps{more}"),
    };
    let only_known = Report { discrepancies: vec![known.clone(), milder], ..report("known.so") };
    let wrong = Report {
        discrepancies: vec![new, known],
        undecided: vec![undecided.clone(), undecided.clone()],
        ..report("wrong.so")
    };
    let error = FileError { kind: FileErrorKind::NotElf, offset: Some(0), message: format!("not an ELF file{more}") };
    for report in [
        report("clean.o"),
        only_known,
        wrong,
        Report { undecided: vec![undecided], ..report("long.exe") },
        Report { error: Some(error), ..report("text") },
    ] {
        files.add(&report, report.outcome(deny));
    }
    files.finish("1.0", "1 error, 1 discrepancy".to_owned())
}

fn swept(more: &str) -> TestRun {
    let lines = [
        sweep::line(&format!("/lib/a.so{more}"), 3),
        sweep::line(&format!("/lib/b.so{more}"), 1),
        results::FileLine { file: format!("x{more}"), ..sweep::failed(FileErrorKind::Io, SweepVerdict::Error, false) },
        sweep::failed(FileErrorKind::NoTable, SweepVerdict::Skipped, false),
    ];
    let mut files = SweptFiles::default();
    lines.iter().for_each(|line| files.add(line));
    files.finish(&sweep::totals(&lines))
}

fn readers(more: &str) -> TestRun {
    let finding = |cause: &str, known: Option<&str>| ReaderFinding {
        fingerprint: format!("{:016x}", cause.len()),
        blame: Blame::Consumer,
        reader: format!("readelf{more}"),
        version: "2.44".to_owned(),
        project: "binutils".to_owned(),
        verdict: ReaderVerdict::WrongRow,
        cause: format!("{cause}{more}"),
        tables: BTreeMap::from([(format!("v2-amd64{more}"), 3)]),
        answers: 40,
        known: known.map(str::to_owned),
        schema: 1,
        shown_by: Vec::new(),
        example: Some(ReaderExample {
            id: format!("valid/cfa{more}"),
            about: String::new(),
            address: 0x1000,
            section: "e2de0300".to_owned(),
            pc: Some(0x40),
            got: format!("cfa=rsp+8{more}"),
            want: "cfa=rsp+16".to_owned(),
        }),
    };
    let line = |name: &str, verdict| ReaderLine {
        name: format!("{name}{more}"),
        version: "2.44".to_owned(),
        verdicts: BTreeMap::from([(verdict, Counts { sections: 12, answers: 400 })]),
        ..ReaderLine::default()
    };
    let run = ReadersRun {
        readers: vec![line("readelf", ReaderVerdict::WrongRow), line("mute", ReaderVerdict::Broken)],
        missing: BTreeMap::from([(format!("absent{more}"), format!("build it{more}"))]),
        problems: vec![format!("old.yaml did not recur{more}")],
        day: "2026-11-21".to_owned(),
        ..ReadersRun::default()
    };
    of_readers(&[finding("wrong-row: cfa", None), finding("missed: gap", Some("gap.yaml"))], &run)
}

fn all(more: &str) -> [TestRun; 4] {
    let matrix = if more.is_empty() { run() } else { hostile() };
    [super::sample::tests(&matrix), checked(more), swept(more), readers(more)]
}

fn written(run: &TestRun, format: Format) -> String {
    text(|out| match format {
        // A fixed host name.
        Format::Dejagnu => dejagnu::write(run, File::Sum, "x86_64-linux-gnu", out),
        Format::DejagnuLog => dejagnu::write(run, File::Log, "x86_64-linux-gnu", out),
        _ => run.write(format, out),
    })
}

fn statuses(run: &TestRun) -> Vec<TestStatus> {
    run.tests.iter().flat_map(|test| std::iter::once(test).chain(&test.parts)).map(|test| test.status).collect()
}

#[test]
fn files_are_printed_as_each_format_has_them() {
    let run = checked("");
    for (name, format) in [
        ("check.sum", Format::Dejagnu),
        ("check.log", Format::DejagnuLog),
        ("check.tap", Format::Tap),
        ("check.ktap", Format::Ktap),
        ("check.md", Format::Markdown),
    ] {
        printed!(name, &written(&run, format));
    }
}

/// Input of the comparison scripts of GCC and binutils. Counts match the lines, names are unique,
/// and end where a script ends them.
#[test]
fn dejagnu_counts_its_lines_and_names_each_once() {
    for run in all("").into_iter().chain(all(HOSTILE)) {
        for format in [Format::Dejagnu, Format::DejagnuLog] {
            let text = written(&run, format);
            assert_tame(&text.replace('\t', " "));
            let (head, rest) = text.split_once("\nRunning target unix\n").expect("a target");
            assert!(head.contains("\t\t=== sframe tests ===\n\nSchedule of variations:\n    unix\n"), "{head}");
            let (body, counts) = rest.split_once("\n\t\t=== sframe Summary ===\n\n").expect("a summary");
            let (mut names, mut lines, mut in_suite) = (BTreeSet::new(), BTreeMap::<&str, usize>::new(), false);
            for line in body.lines().filter(|line| !line.starts_with("    ")) {
                match line.split_once(": ") {
                    Some((status, name)) if TestStatus::ALL.map(TestStatus::name).contains(&status) => {
                        assert!(in_suite, "dg-extract-results.py: saw test result before harness name");
                        assert!(!name.contains(':'), "dg-cmp-results.sh takes it for two: {name}");
                        assert!(names.insert(name), "{name} twice");
                        *lines.entry(status).or_default() += 1;
                    }
                    _ => {
                        assert!(line.starts_with("Running ") && line.ends_with(" ..."), "{line}");
                        in_suite = true;
                    }
                }
            }
            let counted: BTreeMap<&str, usize> = counts
                .lines()
                .filter_map(|line| {
                    let (what, count) = line.strip_prefix("# of ")?.split_once('\t')?;
                    let status = match what {
                        "expected passes" => "PASS",
                        "unexpected failures" => "FAIL",
                        "unexpected successes" => "XPASS",
                        "expected failures" => "XFAIL",
                        "unresolved testcases" => "UNRESOLVED",
                        "unsupported tests" => "UNSUPPORTED",
                        other => panic!("unknown test result: {other}"),
                    };
                    Some((status, count.trim().parse().expect("a count")))
                })
                .collect();
            assert_eq!(counted, lines);
            assert_eq!(lines.values().sum::<usize>(), statuses(&run).len());
            let passed = statuses(&run).iter().filter(|status| **status == TestStatus::Pass).count();
            assert_eq!(lines.get("PASS").copied().unwrap_or_default(), passed, "nothing else is passed");
        }
    }
}

/// A test point of TAP or KTAP.
#[derive(Debug, PartialEq)]
struct Point {
    ok: bool,
    name: String,
    directive: String,
    parts: Vec<Point>,
}

/// Parses the points of one level: the version if expected, the plan, and that number of points,
/// numbered from 1.
fn points(lines: &mut std::iter::Peekable<std::str::Lines<'_>>, protocol: Protocol, indent: usize) -> Vec<Point> {
    let pad = " ".repeat(indent);
    let deeper = if protocol == Protocol::Tap { 4 } else { 2 };
    if protocol == Protocol::Ktap {
        assert_eq!(lines.next(), Some(format!("{pad}KTAP version 1").as_str()));
    }
    let plan = lines.next().and_then(|line| line.strip_prefix(&format!("{pad}1.."))).expect("a plan");
    let planned: usize = plan.split(' ').next().and_then(|count| count.parse().ok()).expect("a count");
    let mut all: Vec<Point> = Vec::new();
    let (mut parts, mut subtest) = (Vec::new(), None);
    while let Some(line) = lines.peek().and_then(|line| line.strip_prefix(&pad)) {
        if let Some(name) = line.strip_prefix("# Subtest: ") {
            assert_eq!(protocol, Protocol::Tap);
            subtest = Some(name.to_owned());
            lines.next();
            parts = points(lines, protocol, indent + deeper);
        } else if line.starts_with("  KTAP version") {
            parts = points(lines, protocol, indent + deeper);
        } else if line.starts_with('#') {
            lines.next();
        } else if line == "  ---" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != format!("{pad}  ...")).collect();
            assert!(block.iter().all(|line| line.starts_with(&format!("{pad}  "))), "{block:?}");
            let yaml: Vec<&str> = block.iter().map(|line| line.get(indent + 2..).unwrap_or_default()).collect();
            let message = yaml[1].strip_prefix("message: ").expect("a message");
            serde_json::from_str::<String>(message).expect("a quoted string");
            assert!(yaml[2].starts_with("severity: "));
            for line in &yaml[3..] {
                assert!(["details: |", "commands: |"].contains(line) || line.starts_with("  "), "{line}");
            }
        } else {
            let (ok, rest) = match line.strip_prefix("not ok ") {
                Some(rest) => (false, rest),
                None => (true, line.strip_prefix("ok ").unwrap_or_else(|| panic!("no line of {protocol:?}: {line}"))),
            };
            let (number, rest) = rest.split_once(' ').expect("a number");
            assert_eq!(number, (all.len() + 1).to_string());
            let rest = rest.strip_prefix("- ").unwrap_or(rest);
            // The first number sign without a backslash ends a name.
            let name = rest.split(" # ").next().expect("a name");
            let plain =
                if protocol == Protocol::Tap { name.replace("\\\\", "").replace("\\#", "") } else { name.to_owned() };
            assert!(!plain.contains('#'), "{name}");
            assert!(subtest.as_ref().is_none_or(|of| of == name), "the name of a subtest is that of its point");
            subtest = None;
            let directive = rest[name.len()..].split_whitespace().nth(1).unwrap_or_default().to_owned();
            all.push(Point { ok, name: name.to_owned(), directive, parts: std::mem::take(&mut parts) });
            lines.next();
        }
    }
    assert_eq!(all.len(), planned, "as many as planned");
    all
}

/// Test Anything Protocol 14 and KTAP 1: plans match, a test with a failed part is not ok, and
/// nothing undecided is ok.
#[test]
fn tap_and_ktap_are_as_specified() {
    for run in all("").into_iter().chain(all(HOSTILE)) {
        for (format, protocol) in [(Format::Tap, Protocol::Tap), (Format::Ktap, Protocol::Ktap)] {
            let text = written(&run, format);
            assert_tame(&text.replace('\t', " "));
            let mut lines = text.lines().peekable();
            if protocol == Protocol::Tap {
                assert_eq!(lines.next(), Some("TAP version 14"));
            }
            let points = points(&mut lines, protocol, 0);
            assert_eq!((points.len(), lines.next()), (run.tests.len(), None));
            let flat = |of: &[Point]| -> Vec<(bool, String)> {
                of.iter()
                    .flat_map(|point| {
                        let failing = |part: &Point| !part.ok && part.directive != "TODO";
                        assert!(!point.parts.iter().any(failing) || !point.ok, "{point:?}");
                        std::iter::once(point).chain(&point.parts)
                    })
                    .map(|point| (point.ok, point.directive.clone()))
                    .collect()
            };
            let expected = |status| match (status, protocol) {
                (TestStatus::Pass, _) => (true, ""),
                (TestStatus::Unsupported, _) => (true, "SKIP"),
                (TestStatus::Xfail, Protocol::Tap) => (false, "TODO"),
                (TestStatus::Xfail, Protocol::Ktap) => (true, "XFAIL"),
                (TestStatus::Unresolved | TestStatus::Error, Protocol::Ktap) => (false, "ERROR"),
                (TestStatus::Fail, Protocol::Ktap) => (false, "FAIL"),
                (TestStatus::Xpass, Protocol::Ktap) => (false, "XPASS"),
                (_, Protocol::Tap) => (false, ""),
            };
            let expected: Vec<(bool, String)> = run
                .tests
                .iter()
                .flat_map(|test| std::iter::once(test).chain(&test.parts))
                .map(|test| expected(test.status))
                .map(|(ok, directive)| (ok, directive.to_owned()))
                .collect();
            assert_eq!(flat(&points), expected);
        }
    }
    let nothing = CheckedFiles::new(Deny::default(), None).finish("1.0", String::new());
    assert!(written(&nothing, Format::Tap).starts_with("TAP version 14\n1..0 # SKIP "), "a plan of none says why");
}

/// An independent reader accepts JUnit, the public schema accepts SARIF, and GitHub's runner each
/// annotation, for any names.
#[test]
fn hostile_names_break_no_format() {
    for (run, tame) in all(HOSTILE).iter().zip(all("")) {
        let xml = text(|out| junit::write(run, out));
        check_layout(&Document::parse(&xml).unwrap_or_else(|error| panic!("{error}\n{xml}")));
        assert_tame(&xml.replace('\t', ""));
        assert_eq!(public::complaints(&sarif::document(run)), None);
        assert_eq!(public::complaints(&sarif::document(&tame)), None);
        let (wild, like) = (written(run, Format::Github), written(&tame, Format::Github));
        assert_eq!(wild.lines().count(), like.lines().count(), "{wild}");
        wild.lines().filter(|line| line.starts_with("::")).for_each(|line| drop(parse(line)));
        assert_tame(&wild.replace('\t', ""));
        let (wild, like) = [run, &tame].map(|run| outside_code(&written(run, Format::Markdown))).into();
        assert_eq!(wild.lines().count(), like.lines().count(), "{wild}");
        assert!(!wild.contains("<b>") && !wild.contains("@all"), "{wild}");
        let page = reports::page::tests::render(run);
        assert!(!page.contains("<b>]]>") && page.contains("&lt;b&gt;"), "markup of a name");
    }
}

/// An undecided test is an error in JUnit, a notification in SARIF and a warning in GitHub; a file
/// that could not be judged is more than that.
#[test]
fn undecided_is_never_clean() {
    let run = checked("");
    let document = sarif::document(&run);
    let invocation = &document["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notifications = invocation["toolExecutionNotifications"].as_array().expect("notifications");
    let shown: Vec<(&str, &str)> = notifications
        .iter()
        .map(|one| (one["level"].as_str().expect("a level"), one["descriptor"]["id"].as_str().expect("a kind")))
        .collect();
    assert_eq!(shown, [("warning", "UNRESOLVED"), ("warning", "UNRESOLVED"), ("error", "ERROR")]);
    let xml = written(&run, Format::Junit);
    assert!(xml.contains("tests=\"10\" failures=\"2\" errors=\"4\""), "{}", xml.lines().nth(1).unwrap_or_default());
    let lines = written(&run, Format::Github);
    let levels = |level: &str| lines.lines().filter(|line| line.starts_with(&format!("::{level} "))).count();
    assert_eq!((levels("error"), levels("warning"), levels("notice")), (2, 2, 1));
    // At the line from the debug information, in the repository.
    assert!(lines.contains("::error file=lib/parse.c,line=12,title="), "{lines}");
    let result = &document["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&"lib/parse.c".into(), &12.into()));
}

/// A `--deny` option makes its kind an error in each format.
#[test]
fn what_is_denied_fails() {
    let deny = Deny { warnings: true, gaps: true, ..Deny::default() };
    let gap = Gap { function: "g".to_owned(), code: (0, 4), place: String::new(), reason: None, executed: false };
    let warning = finding(RuleId::ElfSegmentSize, Severity::Warning, ".sframe");
    let report = Report { file: "a.o".to_owned(), discrepancies: vec![warning], gaps: vec![gap], ..Report::default() };
    for (deny, expected) in [(deny, vec![TestStatus::Fail; 3]), (Deny::default(), vec![TestStatus::Pass])] {
        let mut files = CheckedFiles::new(deny, None);
        files.add(&report, report.outcome(deny));
        let run = files.finish("1.0", String::new());
        assert_eq!(statuses(&run), expected);
        let level = &sarif::document(&run)["runs"][0]["results"][0]["level"];
        assert_eq!(level, if deny.warnings { "error" } else { "warning" });
    }
}

/// The same finding in two files is one result; the number of files is given, and test names
/// contain no address.
#[test]
fn one_finding_in_two_files_is_one_result() {
    let mut files = CheckedFiles::new(Deny::default(), None);
    for (file, pc) in [("a.o", 0x1000), ("b.o", 0x2000)] {
        let mut found = full_finding();
        found.evidence.ranges = vec![(pc, pc + 4)];
        let report = Report { file: file.to_owned(), discrepancies: vec![found], ..Report::default() };
        files.add(&report, Outcome::Discrepancy);
    }
    let run = files.finish("1.0", String::new());
    let results = sarif::document(&run)["runs"][0]["results"].clone();
    assert_eq!(results.as_array().map(Vec::len), Some(1));
    assert_eq!(results[0]["occurrenceCount"], 2);
    let message = results[0]["message"]["text"].as_str().expect("text");
    assert!(message.ends_with("shown by 2 files)"), "{message}");
    let [one, two] = [0, 1].map(|file| run.tests[file].parts[0].name.clone());
    assert_eq!(one.replace("a.o", ""), two.replace("b.o", ""));
    assert!(!one.contains("0x"), "{one}");
}

#[test]
fn readers_have_a_test_each_and_one_for_each_finding() {
    let run = readers("");
    let all: Vec<(&str, TestStatus)> = run
        .tests
        .iter()
        .flat_map(|test| std::iter::once(test).chain(&test.parts))
        .map(|test| (test.name.as_str(), test.status))
        .collect();
    assert_eq!(
        all,
        [
            ("readelf@2.44", TestStatus::Fail),
            ("readelf@2.44 wrong-row: cfa (000000000000000e)", TestStatus::Fail),
            ("readelf@2.44 missed: gap (000000000000000b)", TestStatus::Xfail),
            ("mute@2.44", TestStatus::Unresolved),
            ("absent", TestStatus::Unsupported),
            ("old.yaml did not recur", TestStatus::Fail),
        ]
    );
}
