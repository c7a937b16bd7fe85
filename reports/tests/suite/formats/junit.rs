//! JUnit XML, parsed by an independent reader and checked for the layout that CI services share
//! (`reports/src/format/junit.rs`): these elements in this order, these attributes, correct counts.

use reports::testrun::Format;
use roxmltree::{Document, Node};

use super::sample::{self, FAIL, UNRESOLVED, UNSUPPORTED, VACUOUS, XFAIL, XPASS, assert_tame, hostile, run, tests};

fn written(run: &results::RunResults) -> String {
    sample::text(|out| tests(run).write(Format::Junit, out))
}

fn elements<'a, 'input>(node: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}

fn number(node: Node<'_, '_>, attribute: &str) -> usize {
    let text = node.attribute(attribute).unwrap_or_else(|| panic!("{} has no {attribute}", node.tag_name().name()));
    text.parse().unwrap_or_else(|error| panic!("{attribute}={text}: {error}"))
}

/// Checks that an element has all required attributes and no unknown ones.
fn attributes(node: Node<'_, '_>, must: &[&str], may: &[&str]) {
    let name = node.tag_name().name();
    for attribute in must {
        assert!(node.has_attribute(*attribute), "{name} has no {attribute}");
    }
    for attribute in node.attributes() {
        assert!(must.contains(&attribute.name()) || may.contains(&attribute.name()), "{name} has {}", attribute.name());
    }
}

/// Checks the layout. In Jenkins' schema `testsuites` has no attribute `skipped` and `testcase` no
/// properties; GitLab needs `name` and `classname`; all services count the contents of a suite.
#[track_caller]
pub(crate) fn check_layout(document: &Document<'_>) {
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    attributes(root, &["name", "tests", "failures", "errors"], &["time"]);
    let time = root.attribute("time").unwrap_or("0");
    assert!(time.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())), "{time}");
    let mut sums = [0; 3];
    for suite in elements(root) {
        assert_eq!(suite.tag_name().name(), "testsuite");
        attributes(suite, &["name", "tests", "failures", "errors", "skipped"], &["time"]);
        let mut counts = [0; 4];
        for (index, child) in elements(suite).enumerate() {
            match (child.tag_name().name(), index) {
                ("properties", 0) => elements(child).for_each(|property| attributes(property, &["name", "value"], &[])),
                ("testcase", _) => {
                    attributes(child, &["name", "classname"], &["file", "time"]);
                    counts[0] += 1;
                    test_case(child, &mut counts);
                }
                (other, _) => panic!("{other} in a testsuite"),
            }
        }
        for (attribute, count) in ["tests", "failures", "errors", "skipped"].into_iter().zip(counts) {
            assert_eq!(number(suite, attribute), count, "{attribute} of {:?}", suite.attribute("name"));
        }
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    assert_eq!(["tests", "failures", "errors"].map(|attribute| number(root, attribute)), sums);
}

fn test_case(case: Node<'_, '_>, counts: &mut [usize; 4]) {
    for (index, child) in elements(case).enumerate() {
        let name = child.tag_name().name();
        match (name, index) {
            ("failure" | "error" | "skipped", 0) => attributes(child, &["type", "message"], &[]),
            ("system-out", 1) => attributes(child, &[], &[]),
            _ => panic!("{name} is child {index} of a testcase"),
        }
        counts[1] += usize::from(name == "failure");
        counts[2] += usize::from(name == "error");
        counts[3] += usize::from(name == "skipped");
    }
}

fn outcome(document: &Document<'_>, key: &str) -> (String, String, String) {
    let case = document.descendants().find(|node| node.attribute("name") == Some(key)).expect(key);
    let child = elements(case).next().expect("an outcome");
    let text = |attribute| child.attribute(attribute).unwrap_or_default().to_owned();
    (child.tag_name().name().to_owned(), text("type"), text("message"))
}

#[test]
fn the_layout_is_what_services_read() {
    let text = written(&run());
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), "{text}");
    check_layout(&Document::parse(&text).expect("XML"));
    assert_eq!(text, written(&run()));
}

#[test]
fn every_status_has_its_element() {
    let text = written(&run());
    let document = Document::parse(&text).expect("XML");
    for (key, element, kind, message) in [
        (XFAIL, "skipped", "XFAIL", "known: outermost-amd64.yaml"),
        (XPASS, "failure", "XPASS", "s390x.yaml: the known discrepancy did not recur"),
        (
            FAIL,
            "failure",
            "FAIL",
            "new: row/cfa-matches-truth: CFA is rsp+8, expected 1 frame up, at parse+0x4 (linker)",
        ),
        (VACUOUS, "failure", "FAIL", "vacuous: 0 steps judged, at least 4 are needed"),
        (UNRESOLVED, "error", "UNRESOLVED", "system call 9 is not served"),
        (UNSUPPORTED, "skipped", "UNSUPPORTED", "mold is not on PATH"),
    ] {
        assert_eq!(outcome(&document, key), (element.to_owned(), kind.to_owned(), message.to_owned()), "{key}");
    }
    let pass = document.descendants().find(|node| node.attribute("name") == Some(sample::PASS)).expect("a test case");
    assert_eq!((elements(pass).count(), pass.attribute("classname")), (0, Some("frames")));
    // Services that show sources find the case; times are given for trials with a known time.
    assert_eq!((pass.attribute("file"), pass.attribute("time")), (Some("cases/frames/leaf.yaml"), Some("0.250")));
    let fail = document.descendants().find(|node| node.attribute("name") == Some(FAIL)).expect("a test case");
    assert_eq!((fail.attribute("file"), fail.attribute("time")), (Some("cases/link/two.yaml"), None));
    let root = document.root_element();
    assert_eq!((number(root, "tests"), number(root, "failures"), number(root, "errors")), (8, 3, 1));
    assert_eq!(root.attribute("time"), Some("12.346"));
}

#[test]
fn a_failure_names_the_finding_and_how_to_make_it() {
    let text = written(&run());
    let document = Document::parse(&text).expect("XML");
    let case = document.descendants().find(|node| node.attribute("name") == Some(FAIL)).expect("a test case");
    let all: String = case.descendants().filter_map(|node| node.text()).collect();
    for part in ["parse is wrong", "blame: linker", "stage: object", "cfa=0x7008", "ld -o case case.o"] {
        assert!(all.contains(part), "{part} in {all}");
    }
    assert!(!all.contains("_start is wrong"), "what the ledger knows is no failure");
}

/// Missing trials are an error of their own: all existing ones may have passed.
#[test]
fn a_run_that_was_not_finished_is_not_green() {
    let mut part = run();
    part.facts.unfinished = true;
    let text = written(&part);
    let document = Document::parse(&text).expect("XML");
    check_layout(&document);
    assert_eq!(outcome(&document, "finished").0, "error");
    assert_eq!((number(document.root_element(), "tests"), number(document.root_element(), "errors")), (9, 2));
}

#[test]
fn hostile_text_does_not_break_it() {
    let text = written(&hostile());
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    check_layout(&document);
    assert_tame(&text.replace('\t', ""));
    assert_eq!(number(document.root_element(), "tests"), 8);
}

#[test]
fn no_trials_are_a_document_too() {
    let empty = results::RunResults::default();
    check_layout(&Document::parse(&written(&empty)).expect("XML"));
    for seconds in [f64::NAN, f64::INFINITY, -1.0] {
        let mut strange = run();
        strange.facts.seconds = seconds;
        check_layout(&Document::parse(&written(&strange)).expect("XML"));
    }
}
