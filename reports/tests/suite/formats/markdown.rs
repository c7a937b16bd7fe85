//! The Markdown summary: its first lines, no external markup, and a size that fits a comment.

use reports::testrun::Format;
use results::RunResults;

use super::sample::{self, hostile, replace_rows, run, tests};
use crate::typed::reread;

/// Maximum number of characters of a comment on GitHub.
const COMMENT: usize = 65_536;

fn written(run: &RunResults) -> String {
    sample::text(|out| tests(run).write(Format::Markdown, out))
}

/// The text without code spans (CommonMark: a run of backticks up to the next run of the same
/// length).
pub(crate) fn outside_code(text: &str) -> String {
    let mut outside = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        outside.push_str(&rest[..at]);
        let fence = rest[at..].len() - rest[at..].trim_start_matches('`').len();
        let (inside, close) = (&rest[at + fence..], "`".repeat(fence));
        let mut ends = inside
            .match_indices(&close)
            .map(|(end, _)| end)
            .filter(|end| !inside[..*end].ends_with('`') && !inside[end + fence..].starts_with('`'));
        let end = ends.next().unwrap_or_else(|| panic!("a code span is not closed: {rest}"));
        rest = &inside[end + fence..];
    }
    outside + rest
}

#[test]
fn it_leads_with_the_outcome_and_what_is_new() {
    let text = written(&run());
    testing::printed!("comment.txt", &text);
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
}

#[test]
fn nothing_from_outside_is_markup() {
    let text = written(&hostile());
    sample::assert_tame(&text);
    let (wild, tame) = (outside_code(&text), outside_code(&written(&run())));
    assert_eq!(wild, tame, "outside of code spans nothing differs");
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let bars = line.matches('|').count();
        assert!(bars == 4 || bars == 8, "{bars} bars in {line}");
    }
}

/// The maximum size: every list and every text longer than the limit, with the worst characters.
#[test]
fn it_fits_a_comment_whatever_the_results() {
    for filler in ["`", "|", "\u{1b}", "é", "<"] {
        let long = filler.repeat(2000);
        let mut run = run();
        let originals = run.trials.clone();
        run.trials = (0..200)
            .map(|index| {
                let mut trial = originals[index % originals.len()].clone();
                trial.key = format!("{long}{index}");
                trial.producer = format!("{long}{index}");
                trial.problems = vec![format!("{long}{index}")];
                for found in &mut trial.findings {
                    let fingerprint = format!("{}{index}", found.fingerprint());
                    *found = reread(found, |json| {
                        json["fingerprint"] = fingerprint.into();
                        for key in ["message", "place", "function"] {
                            json[key] = long.as_str().into();
                        }
                        replace_rows(json, |_| long.clone());
                        json["rows"] = serde_json::json!([]);
                        json["shape"] = format!("form{index}").into();
                    });
                    found.standing.known = found.standing.known.as_ref().map(|_| format!("{long}{index}.yaml"));
                }
                trial
            })
            .collect();
        let text = written(&run);
        assert!(text.chars().count() < COMMENT, "{} characters of {filler:?}", text.chars().count());
        for part in ["more producers", "more new bugs", "more known bugs", "more trials", "more reasons"] {
            assert!(text.contains(part), "what is left out is said: {part}");
        }
    }
}

#[test]
fn clean_results_are_short() {
    let mut run = run();
    run.trials.retain(|trial| trial.key == sample::PASS);
    let text = written(&run);
    assert!(text.starts_with("### SFrame conformance: Clean: 1 PASS\n"), "{text}");
    assert!(!text.contains("New bugs") && !text.contains("<details>"), "{text}");
}
