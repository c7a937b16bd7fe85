//! JUnit XML, parsed by an independent reader and checked for the layout that CI services share
//! (`reports/src/format/junit.rs`): these elements in this order, these attributes, correct counts.

use reports::testrun::Format;
use roxmltree::{Document, Node};

use super::sample::{self, assert_tame, hostile, run, tests};
use testing::printed;

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
            ("system-out", 0 | 1) => attributes(child, &[], &[]),
            _ => panic!("{name} is child {index} of a testcase"),
        }
        counts[1] += usize::from(name == "failure");
        counts[2] += usize::from(name == "error");
        counts[3] += usize::from(name == "skipped");
    }
}

/// Every status has its element; a failure names the finding and how to make it, and a known one
/// its entry. Missing trials are an error of their own: all existing ones may have passed.
#[test]
fn the_layout_is_what_services_read() {
    let mut run = run();
    for name in ["run.xml", "unfinished.xml"] {
        let text = written(&run);
        check_layout(&Document::parse(&text).expect("XML"));
        printed!(name, &text);
        run.facts.unfinished = true;
    }
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
