//! What stands on the page without any script: its views, one by one.

use model::{
    Blame, ClauseFacts, LedgerFacts, ProducerFacts, READERS_SCHEMA, ReaderFinding, ReaderVerdict, RunFacts, Sizes,
    Status, TrialLine,
};
use reports::page::{self, Beside};

use crate::page_sample::{readers, trials};
use crate::page_text::{between, finding, plain, render, trial};

#[test]
fn the_verdict_says_what_matters_most() {
    let known = || vec![finding("_start", Blame::Assembler, Some("x.yaml"))];
    let new = || vec![finding("f", Blame::Linker, None), finding("g", Blame::Assembler, None)];
    let cases = [
        (vec![], "? UNDECIDED no trials"),
        (vec![trial("a", Status::Unsupported, vec![])], "? UNDECIDED 1 UNSUPPORTED"),
        (vec![trial("a", Status::Pass, vec![])], "✓ PASS 1 PASS"),
        (vec![trial("a", Status::Pass, vec![]), trial("b", Status::Xfail, known())], "≈ PASS 1 XFAIL, 1 PASS"),
        (
            vec![trial("a", Status::Unresolved, vec![]), trial("b", Status::Xfail, known())],
            "? UNDECIDED 1 UNRESOLVED, 1 XFAIL",
        ),
        (
            vec![
                trial("a", Status::Fail, new()),
                trial("b", Status::Unresolved, vec![]),
                trial("c", Status::Unsupported, vec![]),
            ],
            "✗ FAIL 1 new mistake: 1 FAIL, 1 UNRESOLVED, 1 UNSUPPORTED",
        ),
        (vec![trial("a", Status::Fail, vec![])], "✗ FAIL 1 FAIL"),
        (vec![trial("a", Status::Xpass, vec![]), trial("b", Status::Pass, vec![])], "✗ FAIL 1 XPASS, 1 PASS"),
    ];
    for (trials, wanted) in cases {
        let page = render(&trials, &RunFacts::default(), None);
        let stated = plain(between(&page, "<p class=\"verdict\">", "</p>"));
        assert_eq!(stated, wanted);
        // A terminal ends with the same words.
        assert!(stated.ends_with(&reports::sentence::sentence(&trials, &RunFacts::default())));
    }
}

#[test]
fn counts_and_blame_stand_in_the_summary() {
    let trials = [
        trial("a", Status::Fail, vec![finding("f", Blame::Linker, None)]),
        trial("b", Status::Fail, vec![finding("f", Blame::Linker, None)]),
        trial("c", Status::Xfail, vec![finding("g", Blame::Linker, Some("x.yaml"))]),
        trial("d", Status::Pass, vec![]),
    ];
    let page = render(&trials, &RunFacts::default(), None);
    let tally = plain(between(&page, "<div class=\"tally\">", "</div>"));
    for part in ["2 ✗ FAIL", "0 ↑ XPASS", "0 ? UNRESOLVED", "1 ≈ XFAIL", "1 ✓ PASS", "0 – UNSUPPORTED"] {
        assert!(tally.contains(part), "no '{part}' in '{tally}'");
    }
    assert!(plain(&page).contains("blame new known linker ✗ 1 1"), "a finding counts once however many trials show it");
}

#[test]
fn findings_are_ranked_new_first_then_by_trials() {
    let known = |name: &str| finding(name, Blame::Assembler, Some("x.yaml"));
    let trials = [
        trial("a", Status::Xfail, vec![known("often"), known("seldom")]),
        trial("b", Status::Xfail, vec![known("often")]),
        trial("c", Status::Fail, vec![finding("fresh", Blame::Linker, None)]),
    ];
    let page = render(&trials, &RunFacts::default(), None);
    let list = plain(between(
        between(&page, "<div id=\"finding-list\">", "</div></section>"),
        "<ol class=\"ranked\">",
        "</ol>",
    ));
    let at = |name: &str| list.find(&format!("{name} claims")).expect("listed");
    assert!(at("fresh") < at("often") && at("often") < at("seldom"), "{list}");
    assert!(list.contains("2 trials"), "{list}");
}

#[test]
fn the_overview_lists_what_is_new_by_finding_and_what_is_known_by_mistake() {
    let known = |name: &str, file: &str| finding(name, Blame::Assembler, Some(file));
    let trials = [
        trial("a", Status::Xfail, vec![known("one", "x.yaml"), known("two", "x.yaml"), known("three", "y.yaml")]),
        trial("b", Status::Xfail, vec![known("two", "x.yaml")]),
        trial("c", Status::Fail, vec![finding("fresh", Blame::Linker, None), known("three", "y.yaml")]),
        trial("d", Status::Xfail, vec![known("three", "y.yaml")]),
    ];
    let entry = LedgerFacts {
        file: "x.yaml".to_owned(),
        title: "loses a state".to_owned(),
        link: "unfiled".to_owned(),
        ..LedgerFacts::default()
    };
    let page = render(&trials, &RunFacts { ledger: vec![entry], ..RunFacts::default() }, None);
    let overview = between(&page, "<section id=\"overview\">", "</section>");
    let list = plain(overview);
    let at = |words: &str| list.find(words).unwrap_or_else(|| panic!("no '{words}' in '{list}'"));
    // Of the entry that the run knows nothing of, the first of its findings stands there.
    assert!(at("✗ new fresh claims") < at("≈ known three claims") && at("three claims") < at("≈ known loses a state"));
    at("y · assembler · 3 trials · 1 finding ");
    at("x · assembler · 2 trials · 2 findings ");
    assert!(overview.contains("href=\"#mistake=x\""), "{overview}");
}

#[test]
fn a_cell_shows_its_gravest_status_in_sign_and_word() {
    let known = || vec![finding("g", Blame::Linker, Some("x.yaml"))];
    for (status, findings, wanted) in [
        (Status::Pass, vec![], "✓ pass 1 /2 1 not run"),
        (Status::Xfail, known(), "≈ known 1 /2 1 not run"),
        (Status::Fail, vec![finding("f", Blame::Linker, None)], "✗ new 1 /2 1 not run"),
        (Status::Fail, known(), "✗ fail 1 /2 1 not run"),
        (Status::Xpass, vec![], "↑ gone 1 /2 1 not run"),
        (Status::Unresolved, vec![], "? undecided 1 /2 1 not run"),
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
fn an_absent_producer_has_a_row_and_a_reason() {
    let facts = RunFacts {
        producers: vec![ProducerFacts {
            name: "wild".to_owned(),
            abi: "amd64".to_owned(),
            told: "no such program".to_owned(),
            ..ProducerFacts::default()
        }],
        ..RunFacts::default()
    };
    let page = render(&[trial("a", Status::Pass, vec![])], &facts, None);
    assert!(plain(between(&page, "<tr class=\"absent\">", "</tr>")).contains("wild – not here"));
    let producers = plain(between(&page, "<section id=\"producers\">", "</section>"));
    assert!(producers.contains("0 found") && producers.contains("no such program"), "{producers}");
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
    let page = render(&now, &RunFacts::default(), Some(&before));
    let changes = plain(between(&page, "<section id=\"changes\">", "</section>"));
    for part in [
        "Findings: 1 new, 1 vanished, 1 moved to another blame, 1 not run to an end again.",
        "Trials: 2 came out otherwise, 1 added, 1 no longer there.",
        "New findings 1 + linker row/outermost comes claims a caller 1 trial · known",
        "Vanished findings 1 − linker row/outermost goes claims a caller 1 trial",
        "↷ linker → assembler row/outermost moves claims a caller",
        "≈ XFAIL → ✗ FAIL gas@1::amd64::v2::t::a",
        "Not run to an end again 1 ? linker row/outermost unseen claims a caller",
        "Trials added 1 ✓ PASS gas@1::amd64::v2::t::d",
        "Trials no longer there 1 ✓ PASS gas@1::amd64::v2::t::c",
    ] {
        assert!(changes.contains(part), "no '{part}' in '{changes}'");
    }
    assert!(!changes.contains("stays claims"), "{changes}");
    let same = render(&now, &RunFacts::default(), Some(&now));
    assert!(plain(between(&same, "<section id=\"changes\">", "</section>")).contains("Nothing changed"));
    assert!(!render(&now, &RunFacts::default(), None).contains("id=\"changes\""));
}

#[test]
fn clauses_are_counted_by_section_and_say_who_can_show_them() {
    let clause = |id: &str, section: &str, shown_by: &str, trials: u64| ClauseFacts {
        id: id.to_owned(),
        section: section.to_owned(),
        demand: format!("Demand of {id}."),
        shown_by: shown_by.to_owned(),
        trials,
    };
    let facts = RunFacts {
        clauses: vec![
            clause("a", "One", "producer", 3),
            clause("b", "One", "linker", 0),
            clause("c", "One", "nobody", 0),
            clause("d", "Two", "consumer", 0),
        ],
        ..RunFacts::default()
    };
    let page = render(&[], &facts, None);
    let text = plain(between(&page, "<section id=\"clauses\">", "</section>"));
    for part in [
        "1 of 3 clauses that something can break are covered by a trial of this run; 2 are not, and 1 define",
        "One 1/2",
        "Two 0/1",
        "☑ a Demand of a. producer 3",
        "☐ b Demand of b. linker 0",
        "· c Demand of c. nobody 0",
    ] {
        assert!(text.contains(part), "no '{part}' in '{text}'");
    }
}

#[test]
fn sizes_are_summed_by_producer_and_version() {
    let sized = |name: &str, sframe: u64, eh_frame: u64| TrialLine {
        sizes: Some(Sizes { sframe, eh_frame, eh_frame_hdr: 20, functions: 4, rows: 10, text: 100 }),
        tools: [("compiler".to_owned(), "gcc@12.2.0".to_owned())].into(),
        ..trial(name, Status::Pass, vec![])
    };
    // Left out: one that no compiler made, and one without the other table.
    let by_hand = TrialLine { tools: [].into(), ..sized("c", 9000, 9000) };
    let all = [sized("a", 100, 180), sized("b", 140, 260), by_hand.clone(), sized("d", 500, 0)];
    let page = render(&all, &RunFacts::default(), None);
    let text = plain(between(&page, "<section id=\"sizes\">", "</section>"));
    // 240 bytes in 8 functions; 440 and 40 bytes of the other two sections; half as many.
    assert!(text.contains("gas@1 v2 2 8 20 2.5 240 30.0 480 60.0 50 %"), "{text}");
    let none = render(&[by_hand], &RunFacts::default(), None);
    assert!(between(&none, "<section id=\"sizes\">", "</section>").contains("No compiled program"));
}

/// A version that is the same on several targets is one row, and only what has trials leads to them.
#[test]
fn producers_are_listed_once_and_lead_to_their_trials() {
    let producer = |name: &str, kind: &str, abi: &str, sframe: &str| ProducerFacts {
        name: name.to_owned(),
        kind: kind.to_owned(),
        abi: abi.to_owned(),
        version: Some("1".to_owned()),
        told: format!("{name} one"),
        sframe: sframe.to_owned(),
    };
    let facts = RunFacts {
        producers: vec![
            producer("gas", "assembler", "amd64", "v2"),
            producer("gas", "assembler", "s390x", "none"),
            producer("strip", "post-processor", "amd64", "none"),
        ],
        ..RunFacts::default()
    };
    let page = render(&[trial("a", Status::Pass, vec![])], &facts, None);
    let section = between(&page, "<section id=\"producers\">", "</section>");
    assert!(plain(section).contains("2 found, 0 not on this machine."), "{section}");
    assert!(plain(section).contains("gas assembler 1 amd64 v2 s390x gas one"), "{}", plain(section));
    assert!(section.contains("href=\"#trials&amp;producer=gas@1\"") && !section.contains("strip@1"), "{section}");
}

#[test]
fn a_part_of_a_run_does_not_pass() {
    let page =
        |unfinished| render(&[trial("a", Status::Pass, vec![])], &RunFacts { unfinished, ..RunFacts::default() }, None);
    let overview = |page: &str| plain(between(page, "<section id=\"overview\">", "</section>"));
    assert!(overview(&page(false)).starts_with("✓ PASS "), "{}", overview(&page(false)));
    let part = overview(&page(true));
    assert!(part.starts_with("? UNDECIDED 1 PASS; the run was not finished; run --resume goes on with it"), "{part}");
}

#[test]
fn speed_is_steps_and_trials_by_the_clock() {
    let mut trials = trials(12, 9);
    for trial in &mut trials {
        trial.summary = Some(model::Summary { steps_judged: 1000, steps_executed: 1500, ..Default::default() });
    }
    let page = render(&trials, &RunFacts { seconds: 4.0, ..RunFacts::default() }, None);
    let text = plain(between(&page, "<h2>Speed</h2>", "</section>"));
    assert!(
        text.contains("wall clock 4.0 s trials 12 3.0/s steps judged 12,000 3,000/s steps executed 18,000"),
        "{text}"
    );
}

/// A row for each mistake, with what its entry says; what a tracker cannot be is no link.
#[test]
fn known_mistakes_are_listed_with_versions_and_report() {
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
    let facts = RunFacts {
        ledger: vec![entry("x", "https://example.org/1", Some("2.46")), entry("y", "javascript:alert(1)", None)],
        ..RunFacts::default()
    };
    let of = |file| vec![finding("f", Blame::Assembler, Some(file))];
    let trials = [
        trial("a", Status::Xfail, of("x.yaml")),
        trial("b", Status::Xfail, of("y.yaml")),
        trial("c", Status::Xfail, of("x.yaml")),
        trial("d", Status::Xfail, of("z.yaml")),
    ];
    let page = render(&trials, &facts, None);
    let section = between(&page, "<section id=\"mistakes\">", "</section>");
    let text = plain(section);
    for part in [
        "title of x x gas 2.40 to 2.44, right in 2.46 2026-11-01 report 1 2",
        "title of y y gas 2.40 to 2.44 2026-11-01 javascript:alert(1) 1 1",
        "z z 1 1",
    ] {
        assert!(text.contains(part), "no '{part}' in '{text}'");
    }
    assert!(section.contains("href=\"#mistake=x\"") && section.contains("href=\"https://example.org/1\""), "{section}");
    assert!(!section.contains("href=\"javascript"), "{section}");
}

#[test]
fn what_was_not_run_is_told_as_a_share() {
    let mut all: Vec<TrialLine> = (0..7).map(|nth| trial(&format!("t{nth}"), Status::Pass, vec![])).collect();
    all.push(trial("u", Status::Unsupported, vec![]));
    let facts = RunFacts {
        asked: model::RunAsked { filters: vec!["gas@".to_owned()], ..model::RunAsked::default() },
        ..RunFacts::default()
    };
    let text = plain(&render(&all, &facts, None));
    assert!(text.contains("13 % not run : 1 trial of 8"), "{text}");
    assert!(text.contains("Asked for a part of the matrix alone: --filter gas@"), "{text}");
    let cell = plain(between(&render(&all, &facts, None), "<td class=\"edge\">", "</td>"));
    assert_eq!(cell, "✓ pass 7 /8 1 not run");
    let ran = render(&all[..7], &RunFacts::default(), None);
    assert!(!plain(between(&ran, "<section id=\"overview\">", "</section>")).contains("not run"));
}

/// Readers stand below the producers, in the columns of the same tables; a table that only readers had has a column too.
#[test]
fn readers_stand_beside_the_producers() {
    let facts = RunFacts { readers: Some(Box::new(readers())), ..RunFacts::default() };
    let page = render(&[trial("a", Status::Pass, vec![])], &facts, None);
    let grid = between(&page, "<table class=\"matrix\" id=\"grid\">", "</table>");
    let rows: Vec<String> = grid.split("<tr").map(|row| plain(&format!("<tr{row}"))).collect();
    let row =
        |name: &str| rows.iter().find(|row| row.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {rows:?}"));
    assert_eq!(row("readelf").matches("✗ silently wrong").count(), 3, "{}", row("readelf"));
    assert_eq!(row("readelf").matches("◐ partly").count(), 8, "{}", row("readelf"));
    assert_eq!(row("libsframe").matches("✓ right").count(), 11, "{}", row("libsframe"));
    assert_eq!(row("gas").matches("✓ pass").count(), 1, "{}", row("gas"));
}

/// Each mistake of a reader has its part, with what the entry says and every section that shows it; of one that is private, nothing.
#[test]
fn a_readers_mistake_has_its_part_of_the_page() {
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
    let page = page::readers::render(&findings, &readers());
    let part = |name: &str| plain(between(&page, &format!("<section id=\"mistake={name}\">"), "</section>"));
    let told = part("readelf-gap");
    for word in [
        "whatever sfh_freoff says",
        "the first row stands at byte 60",
        "versions 2.40 to 2.44, right in 2.47",
        "first seen 2026-11-01",
        "last seen 2026-11-21",
        "reports/known/readers/readelf-gap",
        "valid/v2-amd64/one valid/v2-amd64/two",
    ] {
        assert!(told.contains(word), "{word}: {told}");
    }
    let private = part("readelf-memory");
    assert!(private.contains("is told to its makers first") && private.contains("bundle not told yet"), "{private}");
    assert!(!private.contains("valid/"), "{private}");
    // From the page of a matrix, and from the list of findings.
    assert!(page.contains("<a href=\"#mistake=readelf-gap\">readelf-gap</a>"), "no link from its findings");
    let facts = RunFacts { readers: Some(Box::new(readers())), ..RunFacts::default() };
    let beside = Beside { readers: Some(page::READERS), ..Beside::default() };
    let matrix = page::render(&[trial("a", Status::Pass, vec![])], &facts, beside);
    assert!(matrix.contains("href=\"readers/index.html#mistake=readelf-gap\""), "no link from the matrix");
}
