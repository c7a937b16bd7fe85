//! Tested readers as tests: one test for each reader, with a part for each finding.

use std::collections::{BTreeMap, BTreeSet};

use results::{ReaderFinding, ReaderVerdict, ReadersRun};
use serde_json::json;
use spec::Severity;
use types::counted;

use super::{Issue, IssuePlace, Issues, Kind, ShownIn, Test, TestRun, TestStatus};
use crate::format::markdown::cut_cell;
use crate::readers::{cause, names, of_reader, reads, spread};

/// The fingerprint's key.
const FINGERPRINT: &str = "sframeConformanceReader/v1";

/// The test run of readers. Of private findings only the number is printed.
pub fn of_readers(findings: &[ReaderFinding], run: &ReadersRun) -> TestRun {
    let mut issues = Issues::default();
    for finding in findings {
        // The same finding of two versions of a reader is one issue.
        issues.add(&finding.fingerprint, issue(finding));
    }
    let mut tests: Vec<Test> = run
        .readers
        .iter()
        .map(|reader| {
            let suite = format!("{}@{}", reader.name, reader.version);
            let parts: Vec<Test> =
                of_reader(findings, &reader.name).into_iter().map(|finding| part(&suite, finding)).collect();
            let broken = reader.verdicts.get(&ReaderVerdict::Broken).map_or(0, |counts| counts.sections);
            let status = match parts.iter().any(|part| part.status == TestStatus::Fail) {
                _ if broken > 0 => TestStatus::Unresolved,
                true => TestStatus::Fail,
                false => TestStatus::Pass,
            };
            let mut test = Test::new(&suite, "reader", suite.clone(), status);
            match status {
                TestStatus::Unresolved => test.reasons.push(format!("{broken} sections without an answer")),
                TestStatus::Fail => test.reasons.push(counted(parts.len(), "finding")),
                _ => {}
            }
            test = Test { shown_in: ShownIn::Issues, parts, ..test };
            test.finish();
            test
        })
        .collect();
    for (name, how) in &run.missing {
        let test = Test::new(name, "reader", name.clone(), TestStatus::Unsupported);
        tests.push(test.because(format!("{name}: {how}")));
    }
    for problem in &run.problems {
        let test = Test::new("ledger", "ledger", problem.clone(), TestStatus::Fail);
        tests.push(Test { details: problem.clone(), ..test.because(problem.clone()) });
    }
    let new = findings.iter().filter(|finding| finding.known.is_none()).count();
    TestRun {
        kind: Kind::Readers,
        tool_version: run.tool_version.clone(),
        day: run.day.clone(),
        seconds: Some(run.seconds),
        sentence: format!("{}, {} known", counted(new, "new finding"), findings.len() - new),
        table: table(run),
        remark: String::new(),
        tests,
        issues: issues.ranked(),
        bugs: None,
    }
}

fn part(suite: &str, finding: &ReaderFinding) -> Test {
    let what = cause(finding);
    let name = format!("{suite} {what} ({})", finding.fingerprint);
    let class = finding.verdict.name();
    match &finding.known {
        Some(entry) => Test::new(suite, class, name, TestStatus::Xfail).because(format!("known: {entry}")),
        None => {
            let mut details = spread(finding);
            if let Some(example) = &finding.example {
                let pc = example.pc.map_or_else(String::new, |pc| format!(" at {pc:#x}"));
                details += &format!("\n{}{pc}: {}, expected {}", example.id, example.got, example.want);
                details += &format!("\nsection at {:#x}: {}", example.address, example.section);
            }
            let test = Test::new(suite, class, name, TestStatus::Fail).because(what);
            Test { details, shown_in: ShownIn::Issues, ..test }
        }
    }
}

fn issue(finding: &ReaderFinding) -> Issue {
    let reader = format!("{}@{}", finding.reader, finding.version);
    let place = IssuePlace {
        test: reader.clone(),
        at: String::new(),
        file: ("ci/consumers.yaml".to_owned(), 1),
        function: None,
        properties: json!({ "tables": finding.tables, "known": finding.known }),
    };
    Issue {
        rule: format!("reader/{}", finding.verdict),
        severity: Severity::Error,
        title: format!("{reader}: {}", cause(finding)),
        headline: String::new(),
        message: cause(finding),
        blame: finding.project.clone(),
        facts: vec![("shown by", spread(finding)), ("fingerprint", finding.fingerprint.clone())],
        fingerprints: BTreeMap::from([(FINGERPRINT, finding.fingerprint.clone())]),
        known: finding.known.iter().cloned().collect::<BTreeSet<_>>(),
        is_new: finding.known.is_none(),
        counted: false,
        best: place.clone(),
        places: vec![place],
        tests: 1,
        occurrences: finding.answers.max(1),
        pin: None,
        properties: json!({ "project": finding.project, "shownBy": finding.shown_by }),
    }
}

fn table(run: &ReadersRun) -> String {
    let names = names(run);
    let heads: String = names.iter().map(|name| format!(" {} |", cut_cell(name))).collect();
    let mut table = format!("| Table |{heads}\n|---|{}\n", "---|".repeat(names.len()));
    for (kind, by_reader) in reads(run) {
        let cells: String =
            names.iter().map(|name| format!(" {} |", by_reader.get(name).copied().unwrap_or(""))).collect();
        table += &format!("| {} |{cells}\n", cut_cell(kind));
    }
    table
}
