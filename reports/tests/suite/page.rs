//! The page as text: external text stays text, and the data contains every trial and every finding.
//! The script's rendering is tested in a browser (`tests/browser`).

use results::{
    Blame, ClauseFacts, Finding, GapLine, ProducerFacts, Repair, RepairAction, RepairEdit, RunFacts, Sizes, Status,
    TableLine, TrialLine, Values, WindowLine,
};
use serde_json::Value;
use spec::RuleId;
use types::{Abi, Claim, ValueRule};

use crate::page_sample::{facts, trials};
use crate::page_text::{data, finding, render, trial};
use crate::typed::{reread, row};

#[test]
fn the_same_results_give_the_same_bytes() {
    let (now, before) = (trials(400, 3), trials(400, 4));
    let page = render(&now, &facts(&now), Some(&before));
    assert_eq!(page, render(&now, &facts(&now), Some(&before)));
    assert_ne!(page, render(&now, &facts(&now), None));
}

#[test]
fn the_data_holds_every_trial_finding_and_command() {
    let trials = trials(1500, 5);
    let data = data(&render(&trials, &facts(&trials), None));
    let number = |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("small");
    let text = |value: &Value| data["s"][number(value)].as_str().expect("text").to_owned();
    let list = |value: &Value| data["l"][number(value)].as_array().expect("a list").clone();
    let columns = &data["t"]["col"];
    assert_eq!(data["t"]["st"].as_str().map(str::len), Some(trials.len()));
    for (index, trial) in trials.iter().enumerate() {
        let parts: Vec<String> = ["p", "a", "v", "t", "c"].iter().map(|name| text(&columns[name][index])).collect();
        assert_eq!(parts.join("::"), trial.key);
        let shown: Vec<String> = list(&columns["f"][index])
            .iter()
            .map(|shown| data["g"][number(&list(shown)[0])][0].as_str().expect("a fingerprint").to_owned())
            .collect();
        let wanted: Vec<&str> = trial.findings.iter().map(Finding::fingerprint).collect();
        assert_eq!(shown, wanted, "{}", trial.key);
        let stem = trial.case.split('+').next().expect("a part");
        let commands: Vec<String> = list(&columns["k"][index])
            .iter()
            .map(|line| text(line).replace('\u{1}', &trial.case).replace('\u{2}', stem))
            .collect();
        assert_eq!(commands, trial.commands);
    }
}

#[test]
fn a_key_that_is_not_made_of_its_parts_is_kept() {
    let odd = TrialLine { key: "somewhere::else".to_owned(), ..trial("a", Status::Pass, Vec::new()) };
    let data = data(&render(&[odd], &RunFacts::default(), None));
    let at = usize::try_from(data["t"]["key"]["0"].as_u64().expect("kept")).expect("small");
    assert_eq!(data["s"][at], "somewhere::else");
}

#[test]
fn a_finding_is_written_once_with_examples_of_its_targets() {
    let known = |abi: &str| TrialLine {
        abi: abi.to_owned(),
        key: format!("gas@1::{abi}::v2::t::a"),
        ..trial("a", Status::Xfail, vec![finding("_start", Blame::Assembler, Some("x.yaml"))])
    };
    let all: Vec<TrialLine> = (0..30).map(|nth| known(["amd64", "s390x"][nth % 2])).collect();
    let data = data(&render(&all, &RunFacts::default(), None));
    let groups = data["g"].as_array().expect("groups");
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0][2].as_array().map(Vec::len), Some(2), "one example a target");
}

/// Text that must stay text, in any position.
const HOSTILE: &str = "</script><script>pwned()</script><img src=x onerror=pwned()>\"'><!-- \u{0}\u{1}\u{1b}[31m\u{202e}&amp;${1}`\u{2028}";

#[test]
fn a_finding_has_its_repair() {
    let mut found = finding("f", Blame::Compiler, None);
    let edit = RepairEdit {
        action: RepairAction::Insert,
        directive: ".cfi_restore %rbp".to_owned(),
        edit: "insert .cfi_restore %rbp after pop %rbp".to_owned(),
        pc: 0x12,
        after: Some(0x11),
        from: None,
        place: "f+0x12".to_owned(),
        normal_form: "insert .cfi_restore FP after pop FP".to_owned(),
        frame: "CFA by SP, FP and RA saved".to_owned(),
    };
    let sentence = edit.sentence();
    found.evidence.repair = Some(Repair::Edits { edits: vec![edit], rows: Vec::new() });
    let trials = [trial("gas@2.47::amd64::v3::a::b", Status::Fail, vec![found])];
    let page = render(&trials, &RunFacts::default(), None);
    let data = data(&page);
    let number = data["g"][0][2][0]["fix"][0].as_u64().expect("a text");
    assert_eq!(data["s"][usize::try_from(number).expect("an index")], sentence);
}

#[test]
fn hostile_strings_do_not_break_out() {
    let evil = || HOSTILE.to_owned();
    let values = || Some(Values { cfa: Some(u64::MAX), ra: Some(0), fp: Some(1), row: Claim::Printed(evil()) });
    let mut found = Finding::new(RuleId::RowOutermost, Blame::Linker, evil(), evil());
    found.standing.known = Some(evil());
    found.shown.message = evil();
    found.shown.place = evil();
    found.evidence.ranges = vec![(0, u64::MAX)];
    found.shown.section = evil();
    (found.evidence.truth, found.evidence.sframe, found.evidence.eh_frame) = (values(), values(), values());
    found.shown.window = vec![WindowLine {
        pc: u64::MAX,
        place: evil(),
        text: evil(),
        sframe: evil(),
        eh_frame: evil(),
        truth: evil(),
        wrong: true,
    }];
    // Rule, blame, stage and field are not free text: unknown words in them are refused when
    // results are parsed.
    let named = |fingerprint: &str, known: Option<String>| {
        let mut named = reread(&found, |json| json["fingerprint"] = fingerprint.into());
        named.standing.known = known;
        named
    };
    let evil_trial = TrialLine {
        key: evil(),
        producer: evil(),
        abi: evil(),
        sframe: evil(),
        topic: evil(),
        case: evil(),
        tools: [(evil(), evil())].into(),
        commands: vec![evil()],
        findings: vec![named(HOSTILE, Some(evil())), named(&format!("{HOSTILE}2"), None)],
        warnings: [(evil(), 1)].into(),
        gaps: vec![GapLine { function: evil(), reason: Some(evil()) }],
        problems: vec![evil()],
        covers: vec![evil()],
        tables: vec![TableLine { version: evil(), features: vec![evil()] }],
        ..trial("a", Status::Fail, Vec::new())
    };
    let facts = RunFacts {
        tool_version: evil(),
        day: evil(),
        seconds: f64::NAN,
        producers: vec![
            ProducerFacts {
                name: evil(),
                kind: evil(),
                abi: evil(),
                version: Some(evil()),
                told: evil(),
                from: None,
                sframe: evil(),
            },
            ProducerFacts { name: evil(), version: None, told: evil(), abi: evil(), ..ProducerFacts::default() },
        ],
        clauses: vec![ClauseFacts { id: evil(), section: evil(), demand: evil(), shown_by: evil(), trials: 1 }],
        ..RunFacts::default()
    };
    let other = TrialLine { key: format!("{HOSTILE}3"), ..evil_trial.clone() };
    let page = render(&[evil_trial.clone(), other], &facts, Some(&[evil_trial]));
    assert_eq!(page.matches("<script").count(), 3, "the early script, the data, the script");
    assert_eq!(page.matches("</script").count(), 3);
    for part in ["<img", "<!--", "\u{0}", "\u{1b}", "\u{202e}", "\u{2028}"] {
        assert!(!page.contains(part), "{part:?} reached the page");
    }
    // All of it is inside a quoted attribute: every quote of the text is escaped.
    assert!(page.contains("&lt;img src=x onerror=pwned()&gt;&quot;'&gt;"));
    let (html, script) = page.split_once("<script id=\"data\"").expect("data");
    assert!(!html.contains("\"'>"));
    assert!(script.contains("\\u003cimg src=x"));
    assert_eq!(data(&page)["t"]["st"], "FF");
}

#[test]
fn very_long_names_and_extreme_numbers_are_rendered() {
    let long = "x".repeat(200_000);
    let mut found = finding(&long, Blame::Linker, None);
    let (sp, fp) = (Abi::Aarch64.facts().sp, Abi::Aarch64.facts().fp);
    found.evidence.truth = Some(Values {
        cfa: Some(u64::MAX),
        ra: Some(u64::MAX),
        fp: None,
        row: row(Abi::Aarch64, (sp, i64::MIN), ValueRule::AtCfa(i64::MAX), ValueRule::SameValue),
    });
    found.evidence.sframe = Some(Values {
        cfa: Some(0),
        ra: None,
        fp: None,
        row: row(Abi::Aarch64, (sp, 0), ValueRule::AtCfa(-8), ValueRule::Memory { reg: fp, offset: i64::MIN }),
    });
    let sizes =
        Sizes { sframe: u64::MAX, eh_frame: u64::MAX, eh_frame_hdr: u64::MAX, functions: 1, rows: u64::MAX, text: 0 };
    let trial = TrialLine { sizes: Some(sizes), ..trial("a", Status::Fail, vec![found]) };
    let page = render(&[trial.clone(), trial], &RunFacts { seconds: f64::INFINITY, ..RunFacts::default() }, None);
    assert!(page.contains(&long));
}

#[test]
fn nothing_is_fetched() {
    let trials = trials(200, 6);
    let page = render(&trials, &facts(&trials), None);
    assert!(page.contains("default-src 'none'"));
    for part in [" src=", "@import", "url(h", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!page.contains(part), "{part}");
    }
    // The address of a bug report is a link, not something that the page loads.
    assert_eq!(page.matches("href=\"http").count(), page.matches("<a href=\"http").count());
}
