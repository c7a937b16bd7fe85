//! Annotations of a GitHub workflow: lines that the runner attaches to a file of the repository.
//!
//! `::error file=…,title=…::message`. A step shows ten errors, ten warnings and ten notices and
//! silently drops the rest. So an issue is written once for all its tests, most tests first, and
//! known ones are combined; if there are more than ten of a level, the tenth has the number of
//! omitted ones and where they are.

use std::collections::BTreeSet;
use std::io::{self, Write};

use spec::Severity;
use types::counted;

use crate::escape::{annotation, annotation_property, line, short};
use crate::testrun::{Issue, Kind, Pin, Test, TestRun, TestStatus};

/// Maximum number of annotations of one level that a step shows (GitHub, limits of annotations).
const MOST: usize = 10;
/// Maximum number of characters of a list of titles: a message holds 64 KiB, more than anyone
/// reads.
const MOST_TEXT: usize = 4000;

/// One annotation; it is shown at its file and line in a change.
struct Annotation {
    file: Option<Pin>,
    title: String,
    message: String,
}

/// Writes the annotations and, last, one plain line with the counts.
pub fn write(run: &TestRun, out: &mut dyn Write) -> io::Result<()> {
    let unit = run.kind.unit();
    let of_test = |test: &Test| Annotation {
        file: test.pin.clone(),
        title: format!("{} {}", test.status.name(), test.name),
        message: test.reason(),
    };
    let of_issue = |issue: &Issue| Annotation {
        file: issue.pin.clone(),
        title: issue.heading().to_owned(),
        message: message(issue, unit),
    };
    let unfinished = run.tests.iter().filter(|test| test.class == "run").map(|test| Annotation {
        file: None,
        title: "unfinished".to_owned(),
        message: test.message(),
    });
    let (new, known) = run.listed();
    let failures = run.flat().filter(|test| test.is_untold_failure()).map(of_test);
    let errors: Vec<Annotation> = unfinished.chain(new.into_iter().map(of_issue)).chain(failures).collect();
    // Parts report which rows of a file were undecided.
    let undecided = run.flat().filter(|test| test.status == TestStatus::Unresolved && test.class != "run");
    let undecided = undecided.filter(|test| test.parts.is_empty()).map(of_test);
    let warned = run.issues.iter().filter(|issue| !issue.counted && issue.level() == Severity::Warning);
    annotate("error", run.kind, errors, out)?;
    annotate("warning", run.kind, undecided.chain(warned.map(of_issue)).collect(), out)?;
    annotate("notice", run.kind, notices(run, &known), out)?;
    writeln!(out, "sframe-conformance: {}", line(&run.sentence))
}

/// Notices of known bugs, and of tests that could not run.
fn notices(run: &TestRun, known: &[&Issue]) -> Vec<Annotation> {
    let notice = |title: String, message| Annotation { file: None, title, message };
    let mut notices = Vec::new();
    if !known.is_empty() {
        let files: BTreeSet<&str> = known.iter().flat_map(|issue| issue.known.iter().map(String::as_str)).collect();
        let recurred = format!("{} recurred\n", counted(known.len(), &format!("known {}", run.kind.listed())));
        notices.push(notice("known findings".to_owned(), recurred + &Vec::from_iter(files).join("\n")));
    }
    let absent: Vec<String> = run.absent().into_iter().map(|(why, count)| format!("{count}: {why}")).collect();
    if !absent.is_empty() {
        notices.push(notice(format!("{}s that cannot run here", run.kind.unit()), absent.join("\n")));
    }
    notices
}

/// Writes the annotations of one level: all, or as many as are shown, the last of which has the
/// number of the omitted ones.
fn annotate(level: &str, kind: Kind, list: Vec<Annotation>, out: &mut dyn Write) -> io::Result<()> {
    let (all, shown) = (list.len(), if list.len() > MOST { MOST - 1 } else { MOST });
    for Annotation { file, title, message } in list.iter().take(shown) {
        let at = |(file, line): &Pin| format!("file={},line={line},", annotation_property(file));
        let file = file.as_ref().map(at).unwrap_or_default();
        writeln!(out, "::{level} {file}title={}::{}", annotation_property(title), annotation(message))?;
    }
    if all > shown {
        let rest: Vec<String> = list.iter().skip(shown).map(|left| left.title.clone()).collect();
        let title = format!("{} more, of {all}", rest.len());
        let all = match kind {
            Kind::Matrix => "All of them are in index.html and results.sarif.",
            Kind::Check | Kind::Sweep | Kind::Readers => "All of them are in the text and in the other formats.",
        };
        let message = format!("{all}\n{}", short(&rest.join("\n"), MOST_TEXT));
        writeln!(out, "::{level} title={}::{}", annotation_property(&title), annotation(&message))?;
    }
    Ok(())
}

fn message(issue: &Issue, unit: &str) -> String {
    let mut message = String::new();
    message += &format!("{}\n", issue.title);
    if issue.heading() != issue.message {
        message += &format!("{}\n", issue.message);
    }
    let at = if issue.best.at.is_empty() { String::new() } else { format!(" at {}", issue.best.at) };
    message += &format!("in {}{at}", issue.best.test);
    if issue.tests > 1 {
        message += &format!(" and {}", counted(issue.tests - 1, &format!("more {unit}")));
    }
    for (name, text) in &issue.facts {
        message += &format!("\n{name}: {text}");
    }
    message
}
