//! Files of `sweep` as tests: one test for each file, with a part for each cause and each reason
//! for undecided.

use std::collections::BTreeMap;

use results::{CauseCount, FileLine, Judged, SweepTotals, SweepVerdict, entry_name};
use serde_json::json;
use spec::Severity;
use types::counted;

use super::{Issue, IssuePlace, Issues, Kind, ShownIn, Test, TestRun, TestStatus};
use crate::sweep::{text, verdicts};

/// The key of a cause's fingerprint.
const CAUSE: &str = "sframeConformanceCause/v1";

/// Accumulates swept files into a [`TestRun`].
#[derive(Debug, Default)]
pub struct SweptFiles {
    tests: Vec<Test>,
    issues: Issues,
}

impl SweptFiles {
    /// Adds a file. A skipped file is not a test, and a duplicate is reported under the first file.
    pub fn add(&mut self, line: &FileLine) {
        let status = match line.verdict {
            SweepVerdict::Clean => TestStatus::Pass,
            SweepVerdict::Discrepancy => TestStatus::Fail,
            SweepVerdict::Undecided => TestStatus::Unresolved,
            SweepVerdict::Error if line.exit_code() == 3 => TestStatus::Error,
            SweepVerdict::Error => TestStatus::Unresolved,
            SweepVerdict::Skipped => return,
        };
        let file = &line.file;
        let mut test = Test { file: Some(file.clone()), ..Test::new(file, "file", file.clone(), status) };
        if let Some(same) = &line.same_as {
            test.reasons.push(format!("the same bytes as {same}"));
            test.shown_in = ShownIn::Issues;
        }
        if let Some(judged) = &line.judged {
            self.judged(&mut test, judged);
        }
        test.finish();
        self.tests.push(test);
    }

    fn judged(&mut self, test: &mut Test, judged: &Judged) {
        if let Some(error) = &judged.error {
            test.reasons.push(error.message.clone());
        }
        for count in &judged.causes {
            self.issues.add(&count.fingerprint, issue(&test.suite, count));
            if count.cause.severity == Severity::Error {
                let (rule, blame, fingerprint) = (count.cause.rule, count.cause.blame, &count.fingerprint);
                let name = format!("{} {rule} ({blame}, {fingerprint})", test.suite);
                let known = count.known.as_ref().map(|entry| format!("known: {}: ", entry_name(&entry.file)));
                let title = format!("{}{}", known.unwrap_or_default(), count.cause.title());
                let what = format!("{title} in {}", counted(count.functions, "function"));
                let part = Test::new(&test.suite, "cause", name, TestStatus::Fail).because(what.clone());
                let at = if count.place.is_empty() { String::new() } else { format!(" at {}", count.place) };
                let details = format!("{what}\nin {}{at}: {}", count.function, count.message);
                test.parts.push(Test { details, shown_in: ShownIn::Issues, ..part });
                if test.reasons.is_empty() {
                    test.reasons.push(what);
                }
            }
        }
        if !judged.causes.is_empty() {
            test.shown_in = ShownIn::Issues;
        }
        if judged.causes_cut > 0 {
            test.reasons.push(format!("findings of further causes: {}", judged.causes_cut));
        }
        if test.status == TestStatus::Pass && test.reasons.is_empty() {
            test.reasons.push(judged.summary.looked_at());
        }
        for one in &judged.undecided {
            let what = format!("undecided ({}): {}", one.reason, one.example);
            let name = format!("{} undecided ({})", test.suite, one.reason);
            test.parts.push(Test::new(&test.suite, "undecided", name, TestStatus::Unresolved).because(what.clone()));
            if test.status == TestStatus::Unresolved {
                test.reasons.push(what);
            }
        }
    }

    pub fn finish(mut self, totals: &SweepTotals) -> TestRun {
        if totals.unfinished {
            let test = Test::new("sweep", "run", "finished".to_owned(), TestStatus::Unresolved);
            self.tests.insert(0, test.because(text::UNFINISHED));
        }
        TestRun {
            kind: Kind::Sweep,
            tool_version: totals.asked.tool_version.clone(),
            day: totals.day.clone(),
            seconds: Some(totals.seconds),
            sentence: verdicts(totals),
            table: String::new(),
            remark: String::new(),
            tests: self.tests,
            issues: self.issues.ranked(),
            bugs: None,
        }
    }
}

fn issue(file: &str, count: &CauseCount) -> Issue {
    let cause = &count.cause;
    let function = (!count.function.is_empty()).then(|| (count.function.clone(), "function"));
    let place = IssuePlace {
        test: file.to_owned(),
        at: count.place.clone(),
        file: (file.to_owned(), 1),
        function,
        properties: json!({ "functions": count.functions }),
    };
    Issue {
        rule: cause.rule.name().to_owned(),
        severity: cause.severity,
        title: cause.title(),
        headline: String::new(),
        message: count.message.clone(),
        blame: cause.blame.name().to_owned(),
        facts: vec![("clause", cause.rule.facts().clause.to_owned()), ("fingerprint", count.fingerprint.clone())],
        fingerprints: BTreeMap::from([(CAUSE, count.fingerprint.clone())]),
        known: count.known.iter().map(|entry| entry.file.clone()).collect(),
        is_new: count.known.is_none(),
        counted: false,
        best: place.clone(),
        places: vec![place],
        tests: 1,
        occurrences: count.functions,
        pin: None,
        properties: json!({ "blame": cause.blame, "shape": cause.shape }),
    }
}
