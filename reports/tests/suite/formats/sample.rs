//! A run of eight trials: every status, a finding in several trials, and one that is known in one
//! trial and new in another.

use reports::testrun::{Pinned, TestRun, of_matrix};
use results::RunResults;
use results::{
    Blame, ClauseFacts, Finding, GapLine, LedgerFacts, ProducerFacts, RunFacts, SCHEMA, Shape, Sizes, Source, Status,
    Summary, TableLine, TrialLine, Values, WindowLine, WrongRow,
};
use serde_json::Value;
use spec::RuleId;
use types::{Abi, Aspect, Claim, Fault, Reg, ValueRule};

use crate::typed::{BELOW_CFA, reread, row};

/// Text with an effect in every format: markup, a code fence, a table cell, a workflow command,
/// control characters, changed writing direction, non-characters.
pub(crate) const HOSTILE: &str =
    "</a>&amp;\"'<b>]]>\n::error::x%0A```|@all #1\r\t\u{1b}[31m\u{0}\u{85}\u{202e}\u{2028}\u{ffff}`é\u{1f980}";

/// A trial with this name, `producer@version::abi::vN::topic::case`.
pub(crate) fn trial(key: &str, status: Status) -> TrialLine {
    let parts: Vec<&str> = key.split("::").collect();
    let [producer, abi, sframe, topic, case] = parts[..] else { panic!("{key}") };
    TrialLine {
        schema: SCHEMA,
        key: key.to_owned(),
        status,
        producer: producer.to_owned(),
        abi: abi.to_owned(),
        sframe: sframe.to_owned(),
        topic: topic.to_owned(),
        case: case.to_owned(),
        tools: [("assembler".to_owned(), producer.to_owned())].into(),
        commands: vec!["as -o case.o case.s".to_owned(), "ld -o case case.o".to_owned()],
        summary: Some(Summary { functions: 3, steps_judged: 40, max_depth: 2, ..Summary::default() }),
        sizes: Some(Sizes { sframe: 100, eh_frame: 200, eh_frame_hdr: 20, functions: 3, rows: 9, text: 64 }),
        findings: Vec::new(),
        warnings: [("row/redundant".to_owned(), 2)].into(),
        gaps: Vec::new(),
        problems: Vec::new(),
        covers: vec!["v2/fre-offsets".to_owned()],
        tables: vec![TableLine { version: "v2".to_owned(), features: vec!["fp-saved".to_owned()] }],
        blamed: None,
        not_made: Vec::new(),
        stopped_early: false,
        host_failure: false,
    }
}

/// A finding in this function; `known` is the file of its ledger entry.
pub(crate) fn finding(rule: RuleId, blame: Blame, function: &str, known: Option<&str>) -> Finding {
    let row = row(Abi::Amd64, (Reg(7), 8), BELOW_CFA, ValueRule::SameValue);
    let values = |cfa| Some(Values { cfa: Some(cfa), ra: Some(0x40_2000), fp: None, row: row.clone() });
    let mut found = Finding::new(rule, blame, function, Shape::Rule);
    found.evidence.rows = vec![WrongRow {
        ranges: vec![(0x40_1004, 0x40_1008)],
        wrong: Source::Sframe,
        right: Some(Source::Truth),
        sframe: row.clone(),
        eh_frame: Claim::NoRow,
        truth: Some(Claim::FramesUp(1)),
        before: Some(Claim::Fault(Box::new(Claim::Nothing), Fault::NoRow)),
        after: Some(Claim::NoCaller),
    }];
    found.standing.known = known.map(str::to_owned);
    found.evidence.field = Aspect::Cfa;
    found.shown.message = format!("{function} is wrong");
    found.shown.place = format!("{function}+0x4..0x8");
    found.shown.shown_at = format!("{function}+0x4");
    found.shown.file = "case".to_owned();
    found.evidence.ranges = vec![(0x40_1004, 0x40_1008), (u64::MAX - 1, u64::MAX)];
    found.evidence.steps = 3;
    found.evidence.executed = true;
    found.shown.offset = Some(0x2a);
    (found.evidence.truth, found.evidence.sframe, found.evidence.eh_frame) =
        (values(0x7010), values(0x7008), values(0x7010));
    found.shown.window =
        vec![WindowLine { pc: 0x40_1004, text: "ret".to_owned(), wrong: true, ..WindowLine::default() }];
    found
}

pub(crate) const CFA: RuleId = RuleId::RowCfaMatchesTruth;
pub(crate) const OUTERMOST: RuleId = RuleId::RowOutermost;

pub(crate) const PASS: &str = "gas@2.44::amd64::v2::frames::leaf";
pub(crate) const XFAIL: &str = "gas@2.40::amd64::v1::frames::leaf";
pub(crate) const XFAIL_TOO: &str = "gas@2.40::amd64::v1::frames::tail";
pub(crate) const XPASS: &str = "gas@2.40::s390x::v1::frames::leaf";
pub(crate) const FAIL: &str = "ld@2.44::amd64::v2::link::two+gas@2.44";
pub(crate) const VACUOUS: &str = "gas@2.44::amd64::v2::frames::tail";
pub(crate) const UNRESOLVED: &str = "gas@2.44::aarch64-le::v2::objects::hand-exe";
pub(crate) const UNSUPPORTED: &str = "mold@none::amd64::none::link::two+gas@2.44";

pub(crate) fn run() -> RunResults {
    let known = || finding(OUTERMOST, Blame::Assembler, "_start", Some("outermost-amd64.yaml"));
    let with = |key, status, findings: Vec<Finding>, problems: &[&str]| TrialLine {
        findings,
        problems: problems.iter().map(|problem| (*problem).to_owned()).collect(),
        ..trial(key, status)
    };
    let new = finding(CFA, Blame::Linker, "parse", None);
    let mut trials = vec![
        trial(PASS, Status::Pass),
        with(XFAIL, Status::Xfail, vec![known()], &[]),
        with(XFAIL_TOO, Status::Xfail, vec![known()], &[]),
        with(XPASS, Status::Xpass, vec![], &["s390x.yaml: the known discrepancy did not recur"]),
        // The finding that is known elsewhere, together with a new one.
        with(FAIL, Status::Fail, vec![new, known()], &[]),
        with(VACUOUS, Status::Fail, vec![], &["vacuous: 0 steps judged, at least 4 are needed"]),
        with(UNRESOLVED, Status::Unresolved, vec![], &["system call 9 is not served"]),
        TrialLine {
            summary: None,
            sizes: None,
            commands: Vec::new(),
            ..with(UNSUPPORTED, Status::Unsupported, vec![], &["mold is not on PATH"])
        },
    ];
    trials[0].gaps = vec![GapLine { function: "g".to_owned(), reason: Some("CFA in rbx".to_owned()) }];
    trials.sort_by(|a, b| a.key.cmp(&b.key));
    RunResults { facts: facts(), trials }
}

/// Replaces every row by text: without equations it is shown unchanged.
pub(crate) fn replace_rows(found: &mut Value, text: impl Fn(&str) -> String) {
    for source in ["truth", "sframe", "eh_frame"] {
        if let Some(values) = found[source].as_object_mut() {
            values.remove("equations");
            values.remove("flaw");
            let row = text(values["row"].as_str().unwrap_or_default());
            values.insert("row".to_owned(), row.into());
        }
    }
}

/// The sample run with [`HOSTILE`] in every free string.
pub(crate) fn hostile() -> RunResults {
    let mut run = run();
    let spoil = |text: &mut String| text.push_str(HOSTILE);
    for trial in &mut run.trials {
        for text in [&mut trial.producer, &mut trial.abi, &mut trial.sframe, &mut trial.topic, &mut trial.case] {
            text.insert_str(0, HOSTILE);
        }
        spoil(&mut trial.key);
        trial.commands.iter_mut().chain(&mut trial.problems).for_each(spoil);
        for found in &mut trial.findings {
            // Rule and blame are not free text: unknown words in them are refused when results are
            // parsed.
            *found = reread(found, |json| {
                for key in ["function", "message", "place", "shape"] {
                    json[key] = format!("{}{HOSTILE}", json[key].as_str().unwrap_or_default()).into();
                }
                replace_rows(json, |row| format!("{row}{HOSTILE}"));
                json["rows"][0]["sframe"] = serde_json::json!({ "row": HOSTILE });
            });
            found.standing.known.iter_mut().for_each(spoil);
        }
    }
    let RunFacts { tool_version, day, clauses, .. } = &mut run.facts;
    [tool_version, day].into_iter().for_each(spoil);
    for clause in clauses {
        spoil(&mut clause.demand);
        spoil(&mut clause.id);
    }
    run
}

fn facts() -> RunFacts {
    let producer = |name: &str, kind: &str, version: Option<&str>| ProducerFacts {
        name: name.to_owned(),
        kind: kind.to_owned(),
        abi: "amd64".to_owned(),
        version: version.map(str::to_owned),
        told: version.map_or_else(|| format!("{name} is not on PATH"), |version| format!("GNU {name} {version}")),
        from: version.is_none().then(|| format!("ci/producers {name}")),
        sframe: if version.is_some() { "v2" } else { "none" }.to_owned(),
    };
    let clause = |id: &str, shown_by: &str, trials| ClauseFacts {
        id: id.to_owned(),
        section: "SFrame FREs".to_owned(),
        demand: format!("{id} is demanded."),
        shown_by: shown_by.to_owned(),
        trials,
    };
    RunFacts {
        schema: SCHEMA,
        tool_version: "sframe-conformance 0.2.0".to_owned(),
        day: "2026-11-21".to_owned(),
        seconds: 12.3456,
        unfinished: false,
        asked: results::RunAsked::default(),
        times: [(PASS.to_owned(), 0.25)].into(),
        producers: vec![producer("gas", "assembler", Some("2.44")), producer("mold", "linker", None)],
        clauses: vec![
            clause("v2/fre-offsets", "producer", 8),
            clause("v2/fde-order", "producer", 0),
            clause("v2/terms", "nobody", 0),
        ],
        ledger: vec![LedgerFacts {
            file: "outermost-amd64.yaml".to_owned(),
            title: "no way to say that there is no caller".to_owned(),
            link: "unfiled".to_owned(),
            project: "gas".to_owned(),
            first: "2.40".to_owned(),
            last: "2.44".to_owned(),
            fixed: Some("2.46".to_owned()),
            blame: Some(Blame::Assembler),
            reason: "The directive is dropped.".to_owned(),
            added: "2026-11-01".to_owned(),
            expires: "2027-11-01".to_owned(),
            bundle: true,
            ..LedgerFacts::default()
        }],
        readers: None,
    }
}

/// The run as tests, as `run` writes them.
pub(crate) fn tests(run: &RunResults) -> TestRun {
    of_matrix(&run.trials, &run.facts, &Pinned::default())
}

/// The text that a writer wrote.
pub(crate) fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("a vector takes all");
    String::from_utf8(bytes).expect("UTF-8")
}

/// Asserts that no character acts on a terminal, and none is forbidden in XML.
#[track_caller]
pub(crate) fn assert_tame(text: &str) {
    for c in text.chars() {
        let acts = c.is_control() && c != '\n';
        assert!(!acts && !matches!(c, '\u{202e}' | '\u{2028}' | '\u{ffff}'), "{c:?} in {text}");
    }
}
