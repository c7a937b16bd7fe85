//! The content of the page without scripts: each view as text, and the verdicts.

use reports::page::{self, PageExtras};
use results::{
    Blame, ClauseFacts, LedgerFacts, ProducerFacts, READERS_SCHEMA, ReaderFinding, ReaderVerdict, RunAsked, RunFacts,
    Sizes, Status, TrialLine,
};

use crate::page_sample::readers;
use crate::page_text::{between, finding, lines, plain, render, sections, trial};
use testing::printed;

/// Eight trials of one assembler: a new bug of the linker in two of them, three known ones, sizes
/// of two programs, and a trial that did not run. The run knows only the name of the entry `z`.
fn eight() -> Vec<TrialLine> {
    let known = |name: &str, file: &str| finding(name, Blame::Assembler, Some(file));
    let (one, fresh) = (finding("one", Blame::Linker, Some("x.yaml")), finding("fresh", Blame::Linker, None));
    let (two, three, four) = (known("two", "x.yaml"), known("three", "z.yaml"), known("four", "y.yaml"));
    let sized = |name: &str, status, findings, sizes: Option<(u64, u64)>| {
        let mut line = trial(name, status, findings);
        line.sizes = sizes.map(|(sframe, eh_frame)| Sizes {
            sframe,
            eh_frame,
            eh_frame_hdr: 20,
            functions: 4,
            rows: 10,
            text: 100,
        });
        line.summary = Some(results::Summary { steps_judged: 1000, steps_executed: 1500, ..Default::default() });
        line.tools = [("compiler".to_owned(), "gcc@12.2.0".to_owned())].into();
        line
    };
    // Excluded from the sizes: one not made by a compiler, and one without the other table.
    let by_hand = TrialLine { tools: [].into(), ..sized("d", Status::Fail, vec![fresh.clone()], Some((9000, 9000))) };
    vec![
        sized("a", Status::Xfail, vec![one, two.clone()], None),
        sized("b", Status::Xfail, vec![two, three.clone()], None),
        sized("c", Status::Fail, vec![fresh, three.clone()], None),
        by_hand,
        sized("e", Status::Xfail, vec![three, four], Some((500, 0))),
        sized("f", Status::Pass, vec![], Some((100, 180))),
        sized("g", Status::Pass, vec![], Some((140, 260))),
        TrialLine { summary: None, ..sized("u", Status::Unsupported, vec![], None) },
    ]
}

fn facts() -> RunFacts {
    let clause = |id: &str, section: &str, shown_by: &str, trials: u64| ClauseFacts {
        id: id.to_owned(),
        section: section.to_owned(),
        demand: format!("Demand of {id}."),
        shown_by: shown_by.to_owned(),
        trials,
    };
    let entry = |name: &str, link: &str, fixed: Option<&str>| LedgerFacts {
        file: format!("{name}.yaml"),
        title: format!("title of {name}"),
        link: link.to_owned(),
        project: "gas".to_owned(),
        first: "2.40".to_owned(),
        last: "2.44".to_owned(),
        fixed: fixed.map(str::to_owned),
        added: "2026-11-01".to_owned(),
        ..LedgerFacts::default()
    };
    let producer = |name: &str, kind: &str, abi: &str, version: Option<&str>, sframe: &str, told: &str| ProducerFacts {
        name: name.to_owned(),
        kind: kind.to_owned(),
        abi: abi.to_owned(),
        version: version.map(str::to_owned),
        told: told.to_owned(),
        from: None,
        sframe: sframe.to_owned(),
    };
    RunFacts {
        seconds: 4.0,
        asked: RunAsked { filters: vec!["gas@".to_owned()], ..RunAsked::default() },
        ledger: vec![entry("x", "https://example.org/1", Some("2.46")), entry("y", "javascript:alert(1)", None)],
        clauses: vec![
            clause("a", "One", "producer", 3),
            clause("b", "One", "linker", 0),
            clause("c", "One", "nobody", 0),
            clause("d", "Two", "consumer", 0),
        ],
        producers: vec![
            producer("gas", "assembler", "amd64", Some("1"), "v2", "gas one"),
            producer("gas", "assembler", "s390x", Some("1"), "none", "gas one"),
            producer("strip", "post-processor", "amd64", Some("1"), "none", "strip one"),
            producer("wild", "linker", "amd64", None, "", "no such program"),
        ],
        ..RunFacts::default()
    }
}

#[test]
fn the_views_of_a_run_are_read() {
    let page = render(&eight(), &facts(), None);
    for (name, views) in [
        ("page-overview.txt", &["overview"][..]),
        ("page-lists.txt", &["bugs", "findings"]),
        ("page-panels.txt", &["clauses", "sizes", "producers"]),
    ] {
        printed!(name, &sections(&page, views));
    }
    assert!(!page.contains("href=\"javascript"), "what a tracker cannot be is no link");
}

#[test]
fn what_is_not_there_is_not_told() {
    let trials = eight();
    let page = render(&trials[3..5], &RunFacts::default(), None);
    assert!(between(&page, "<section id=\"sizes\">", "</section>").contains("No compiled program"));
    assert!(!plain(between(&page, "<section id=\"overview\">", "</section>")).contains("not run"));
    assert!(!page.contains("id=\"changes\""), "there is no run before");
    let same = render(&trials, &RunFacts::default(), Some(&trials));
    assert!(sections(&same, &["changes"]).contains("Nothing changed"));
}

#[test]
fn changes_are_new_vanished_moved_and_not_run() {
    let of = |names: &[(&str, Blame)]| {
        names.iter().map(|(name, blame)| finding(name, *blame, Some("x.yaml"))).collect::<Vec<_>>()
    };
    let before = [
        trial("a", Status::Xfail, of(&[("stays", Blame::Linker), ("goes", Blame::Linker), ("moves", Blame::Linker)])),
        trial("b", Status::Xfail, of(&[("unseen", Blame::Linker)])),
        trial("c", Status::Pass, vec![]),
    ];
    let now = [
        trial(
            "a",
            Status::Fail,
            of(&[("stays", Blame::Linker), ("comes", Blame::Linker), ("moves", Blame::Assembler)]),
        ),
        trial("b", Status::Unsupported, vec![]),
        trial("d", Status::Pass, vec![]),
    ];
    printed!("page-changes.txt", &sections(&render(&now, &RunFacts::default(), Some(&before)), &["changes"]));
}

/// Readers are below the producers, in the columns of the same tables; each of their bugs has a
/// part, except for a private one.
#[test]
fn readers_are_read() {
    let finding = |cause: &str, known: &str| ReaderFinding {
        schema: READERS_SCHEMA,
        fingerprint: "00000000000000a1".to_owned(),
        blame: Blame::Consumer,
        project: "binutils".to_owned(),
        reader: "readelf".to_owned(),
        version: "2.44".to_owned(),
        verdict: ReaderVerdict::ALL[0],
        cause: cause.to_owned(),
        tables: [("v2-amd64".to_owned(), 2)].into(),
        answers: 4,
        shown_by: if cause.is_empty() {
            Vec::new()
        } else {
            ["one", "two"].map(|name| format!("valid/v2-amd64/{name}")).to_vec()
        },
        example: None,
        known: Some(known.to_owned()),
    };
    let findings = [finding("missed: valid/gap-N: none", "readelf-gap.yaml"), finding("", "readelf-memory.yaml")];
    let facts = RunFacts { readers: Some(Box::new(readers())), ..RunFacts::default() };
    let beside = PageExtras { readers: Some(page::READERS), ..PageExtras::default() };
    let matrix = page::render(&[trial("a", Status::Pass, vec![])], &facts, beside);
    let grid = lines(between(&matrix, "<table class=\"matrix\" id=\"grid\">", "</table>"));
    printed!("page-readers-beside.txt", &(grid + "\n" + &sections(&matrix, &["readers"])));
    let page = page::readers::render(&findings, &readers());
    printed!("page-readers.txt", &sections(&page, &["known", "bug=readelf-gap", "bug=readelf-memory"]));
    assert!(!sections(&page, &["bug=readelf-memory"]).contains("valid/"), "sections would show what is private");
    let counts_findings = |page: &str| sections(page, &["verdicts"]).contains("findings");
    assert!(counts_findings(&page) && !counts_findings(&page::readers::render(&[], &readers())));
}

#[test]
fn the_verdict_says_what_matters_most() {
    let known = || vec![finding("_start", Blame::Assembler, Some("x.yaml"))];
    let new = || vec![finding("f", Blame::Linker, None), finding("g", Blame::Assembler, None)];
    let cases = [
        (vec![], "? UNDECIDED Nothing was tried: no trials"),
        (vec![trial("a", Status::Unsupported, vec![])], "? UNDECIDED Nothing was tried: 1 UNSUPPORTED"),
        (vec![trial("a", Status::Pass, vec![])], "✓ PASS Clean: 1 PASS"),
        (
            vec![trial("a", Status::Pass, vec![]), trial("b", Status::Xfail, known())],
            "≈ PASS As expected, no new bug: 1 XFAIL, 1 PASS",
        ),
        (
            vec![trial("a", Status::Unresolved, vec![]), trial("b", Status::Xfail, known())],
            "? UNDECIDED Not everything was decided: 1 UNRESOLVED, 1 XFAIL",
        ),
        (
            vec![
                trial("a", Status::Fail, new()),
                trial("b", Status::Unresolved, vec![]),
                trial("c", Status::Unsupported, vec![]),
            ],
            "✗ FAIL 1 new bug: 1 FAIL, 1 UNRESOLVED, 1 UNSUPPORTED",
        ),
        (vec![trial("a", Status::Fail, vec![])], "✗ FAIL Failed without a new bug: 1 FAIL"),
        (
            vec![trial("a", Status::Xpass, vec![]), trial("b", Status::Pass, vec![])],
            "✗ FAIL A known bug did not recur: 1 XPASS, 1 PASS",
        ),
    ];
    for (trials, wanted) in cases {
        let page = render(&trials, &RunFacts::default(), None);
        let stated = plain(between(&page, "<p class=\"verdict\">", "</p>"));
        assert_eq!(stated, wanted);
        // A terminal ends with the same sentence.
        assert!(stated.ends_with(&reports::sentence::sentence(&trials, &RunFacts::default())));
    }
}

#[test]
fn a_cell_shows_its_gravest_status_in_sign_and_word() {
    let known = || vec![finding("g", Blame::Linker, Some("x.yaml"))];
    for (status, findings, wanted) in [
        (Status::Pass, vec![], "v2 ✓ 100 %"),
        (Status::Xfail, known(), "v2 ≈ 0 % 1 open"),
        (Status::Fail, vec![finding("f", Blame::Linker, None)], "v2 ✗ 0 % 1 new"),
        (Status::Fail, known(), "v2 ✗ 0 % 1 open"),
        (Status::Xpass, vec![], "v2 ↑ 0 %"),
        (Status::Unresolved, vec![], "v2 ? 0 %"),
    ] {
        let page = render(
            &[trial("a", status, findings), trial("b", Status::Unsupported, vec![])],
            &RunFacts::default(),
            None,
        );
        let cell = plain(between(&page, "<td class=\"edge\">", "</td>"));
        assert_eq!(cell, wanted, "{status:?}");
    }
}

#[test]
fn a_part_of_a_run_does_not_pass() {
    let page =
        |unfinished| render(&[trial("a", Status::Pass, vec![])], &RunFacts { unfinished, ..RunFacts::default() }, None);
    let overview = |page: &str| plain(between(page, "<section id=\"overview\">", "</section>"));
    assert!(overview(&page(false)).starts_with("✓ PASS "), "{}", overview(&page(false)));
    let part = overview(&page(true));
    let stated =
        "? UNDECIDED Not everything was decided: 1 PASS; the run was not finished; `run --resume` continues it";
    assert!(part.starts_with(stated), "{part}");
}
