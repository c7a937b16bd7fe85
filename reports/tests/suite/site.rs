//! The site of several nights: the content of its first page, its badge, and reproducibility of its
//! bytes.

use reports::page::site::{Corpus, Night, badge, feed, index, seen};
use results::RunResults;
use results::{Blame, EntryClass, LedgerFacts, RunFacts, Sizes, Status, TrialLine};

use crate::page_text::{between, finding, plain, sections, trial};
use testing::printed;

fn sized(name: &str, producer: &str, status: Status, known: Option<&str>) -> TrialLine {
    let failed = matches!(status, Status::Fail | Status::Xfail);
    let found = if failed { vec![finding("f", Blame::Assembler, known)] } else { Vec::new() };
    TrialLine {
        producer: producer.to_owned(),
        key: format!("{producer}::amd64::v2::t::{name}"),
        sizes: Some(Sizes { sframe: 90, eh_frame: 80, eh_frame_hdr: 20, functions: 4, rows: 10, text: 100 }),
        tools: [("compiler".to_owned(), "gcc@12.2.0".to_owned())].into(),
        gaps: Vec::new(),
        ..trial(name, status, found)
    }
}

fn night(day: &str, trials: Vec<TrialLine>) -> Night {
    let entry = LedgerFacts { file: "x.yaml".to_owned(), title: "loses a state".to_owned(), ..LedgerFacts::default() };
    let facts = RunFacts { day: day.to_owned(), ledger: vec![entry], ..RunFacts::default() };
    Night::new(day, &RunResults { facts, trials })
}

fn three() -> Vec<Night> {
    let snapshot = |day: &str| format!("gas@2.47.50.{day}");
    vec![
        night("2026-11-19", vec![sized("a", &snapshot("20261021"), Status::Xfail, Some("x.yaml"))]),
        night("2026-11-20", vec![sized("a", "gas@2.44", Status::Pass, None)]),
        night(
            "2026-11-21",
            vec![
                sized("a", &snapshot("20261102"), Status::Xfail, Some("x.yaml")),
                sized("b", &snapshot("20261102"), Status::Fail, None),
                sized("c", "gold@2.44", Status::Unsupported, None),
            ],
        ),
    ]
}

#[test]
fn the_first_page_has_the_newest_verdict_every_night_and_every_bug() {
    let nights = three();
    let corpus = Corpus { file: "sframe corpus.tar.gz".to_owned(), bytes: 2_048 };
    let page = index(&nights, Some(&corpus));
    assert_eq!(page, index(&three(), Some(&corpus)), "the same bytes");
    printed!("site.txt", &sections(&page, &["newest", "nights", "bugs", "trend"]));
    for link in ["href=\"corpus/sframe%20corpus.tar.gz\"", "href=\"badge.svg\""] {
        assert!(page.contains(link), "no {link}");
    }
    assert!(!page.contains(" src=") && page.contains("default-src 'none'"));
    assert_eq!(page.matches("<script").count(), 3, "scheme, nights, the script");
    assert!(page.contains("/index.html#trials&amp;producer="), "the matrix leads to the night");
    assert!(!page.contains("href=\"#trials"), "to its page, not to this one");
}

/// Snapshots of a version share a line, which has a gap at a night without one of the producer.
#[test]
fn trends_are_by_producer_and_newest_first() {
    let page = index(&three(), None);
    let trend = between(&page, "<section id=\"trend\">", "</section>");
    assert!(!trend.contains("<polyline"), "single nights make no line");
    let four =
        [three(), vec![night("2026-11-22", vec![sized("a", "gas@2.47.50.20261103", Status::Pass, None)])]].concat();
    let trend = index(&four, None);
    assert!(trend.contains("<polyline points=\"87.0,3.0 129.0,27.0\""), "from the most to nothing: {trend}");
}

/// Nights with different options are not compared: their numbers are listed, and no line connects
/// them.
#[test]
fn a_line_has_the_nights_that_were_asked_for_the_same() {
    let of = |day: &str, filter: &str| {
        let asked = results::RunAsked { filters: vec![filter.to_owned()], ..results::RunAsked::default() };
        let facts = RunFacts { day: day.to_owned(), asked, ..RunFacts::default() };
        Night::new(day, &RunResults { facts, trials: vec![sized("a", "gas@2.44", Status::Xfail, Some("x.yaml"))] })
    };
    let line = |filters: [&str; 3]| {
        let nights: Vec<Night> =
            filters.iter().enumerate().map(|(nth, filter)| of(&format!("2026-11-2{nth}"), filter)).collect();
        let page = index(&nights, None);
        let trend = between(&page, "id=\"findings\"", "</table>").to_owned();
        assert!(plain(&trend).contains("gas@2.44 1 1 1"), "{trend}");
        // Below the chart.
        let (_, trend) = trend.split_once("</ul>").expect("a legend");
        (trend.matches("<polyline").count(), trend.matches("<circle").count())
    };
    assert_eq!(line(["all", "all", "all"]), (1, 1));
    assert_eq!(line(["part", "all", "all"]), (1, 1));
    assert_eq!(line(["all", "part", "all"]), (0, 2), "a night alone is a dot");
}

#[test]
fn a_bug_is_seen_from_its_first_night_to_its_last() {
    let seen = seen(&three());
    assert_eq!(seen["x.yaml"], ("2026-11-19".to_owned(), "2026-11-21".to_owned()));
}

/// Unimplemented features and contested behaviour are counted and listed separately.
#[test]
fn what_is_not_implemented_or_contested_is_no_bug() {
    let of = |file: &str, class| LedgerFacts {
        file: file.to_owned(),
        title: format!("title of {file}"),
        class,
        ..LedgerFacts::default()
    };
    let ledger = vec![
        of("a.yaml", EntryClass::Bug),
        of("b.yaml", EntryClass::NotImplemented),
        of("c.yaml", EntryClass::Contested),
    ];
    let facts = RunFacts { day: "2026-11-21".to_owned(), ledger, ..RunFacts::default() };
    let trials = ["a", "b", "c"].map(|name| sized(name, "gas@2.44", Status::Xfail, Some(&format!("{name}.yaml"))));
    let page = index(&[Night::new("2026-11-21", &RunResults { facts, trials: trials.into() })], None);
    assert!(
        between(&page, "<section id=\"nights\">", "</section>").contains(r#"<td class="n">1</td><td class="n">2</td>"#)
    );
    let titles =
        |id: &str| between(&page, &format!("<section id=\"{id}\">"), "</section>").matches("title of ").count();
    assert_eq!((titles("bugs"), titles("others")), (1, 2));
}

#[test]
fn the_badge_says_what_the_newest_night_came_to() {
    let of = |trials| badge(&night("2026-11-21", trials));
    for (trials, words) in [
        (vec![sized("a", "gas@1", Status::Fail, None)], "SFrame tables: 1 new bug"),
        (vec![sized("a", "gas@1", Status::Xpass, None)], "SFrame tables: failing"),
        (vec![sized("a", "gas@1", Status::Unresolved, None)], "SFrame tables: undecided"),
        (vec![], "SFrame tables: undecided"),
        (vec![sized("a", "gas@1", Status::Xfail, Some("x.yaml"))], "SFrame tables: nothing new"),
    ] {
        let picture = of(trials);
        let read = roxmltree::Document::parse(&picture).expect("XML");
        assert_eq!(read.root_element().attribute("aria-label"), Some(words));
    }
}

/// A bug is news on the first night that shows it, and of one that is not recorded the night.
#[test]
fn the_feed_has_each_bug_once_the_newest_first() {
    let text = feed(&three());
    printed!("site-feed.txt", &text);
    assert_eq!(text, feed(&three()), "the same bytes");
    let days: Vec<&str> = text
        .split("<entry>")
        .skip(1)
        .filter_map(|entry| entry.split_once("<updated>"))
        .map(|(_, rest)| &rest[..10])
        .collect();
    assert!(days.is_sorted_by(|a, b| a >= b) && !days.is_empty(), "{days:?}");
}

/// Text of results stays text, in a page without scripts as in one with them.
#[test]
fn hostile_text_stays_text() {
    let evil = "<img src=x onerror=a()>\"'&\u{202e}\u{1b}";
    let entry = LedgerFacts { file: format!("{evil}.yaml"), title: evil.to_owned(), ..LedgerFacts::default() };
    let facts = RunFacts {
        day: evil.to_owned(),
        tool_version: evil.to_owned(),
        ledger: vec![entry],
        asked: results::RunAsked { filters: vec![evil.to_owned()], ..results::RunAsked::default() },
        ..RunFacts::default()
    };
    let trials = vec![sized("a", &format!("gas@{evil}"), Status::Xfail, Some(&format!("{evil}.yaml")))];
    let night = Night::new("2026-11-21", &RunResults { facts, trials });
    let corpus = Corpus { file: evil.to_owned(), bytes: 1 };
    for made in [index(std::slice::from_ref(&night), Some(&corpus)), badge(&night), feed(std::slice::from_ref(&night))]
    {
        for part in ["<img", "\u{202e}", "\u{1b}", "\"'&\"", "onerror=a()>\""] {
            assert!(!made.contains(part), "{part:?} reached it");
        }
    }
}
