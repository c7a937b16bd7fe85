//! The pages that are opened, and the addresses of their views.

use reports::history::{CompareOptions, compare};
use reports::page::site::{Corpus, Night, index};
use reports::page::{self, PageExtras, render};
use reports::places::Places;
use results::{Finding, RunFacts, RunResults, Status, TrialLine, Values};
use types::Claim;

use crate::page_sample::{facts, readers, trials};
use crate::plain_sample::{reader_findings, sweep};
use crate::typed::reread;

/// A page, and the addresses of its views.
pub(crate) struct TestPage {
    /// Name of the test and of the golden file.
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) views: Vec<String>,
}

/// Every kind of page; every night with one of ten thousand trials.
pub(crate) fn all() -> Vec<TestPage> {
    let all = trials(600, 2);
    let with_readers = RunFacts { readers: Some(Box::new(readers())), ..facts(&all) };
    let night = |day: &str, trials: &[TrialLine]| {
        let run = RunResults { facts: RunFacts { day: day.to_owned(), ..facts(trials) }, trials: trials.to_vec() };
        Night::new(day, &run)
    };
    let nights = [night("2026-11-20", &all[..300]), night("2026-11-21", &all)];
    let corpus = Corpus { file: "sframe-corpus.tar.gz".to_owned(), bytes: 512_000 };
    let page = |name, text, views: &[&str]| TestPage {
        name,
        text,
        views: views.iter().map(|view| (*view).to_owned()).collect(),
    };
    let lists = ["#overview", "#findings", "#trials", "#clauses", "#sizes", "#producers", "#changes"];
    let evil = hostile();
    let mut pages = vec![
        TestPage { views: views(&all), ..page("run", text(&all, &with_readers, Some(&trials(600, 7))), &[]) },
        page("no-trials", text(&[], &RunFacts::default(), Some(&[])), &lists),
        page("hostile-names", text(&evil, &facts(&evil), Some(&evil[1..])), &[&lists[..], &["#finding=f0"]].concat()),
        page("sweep", page::sweep::render(&sweep()), &[""]),
        page("readers", page::readers::render(&reader_findings(), &readers()), &[""]),
        page("site", index(&nights, Some(&corpus)), &[""]),
    ];
    if testing::samples::all() {
        let many = trials(10_000, 1);
        pages.push(page("many-trials", text(&many, &facts(&many), None), &["#trials", "#trials&q=outermost%20x"]));
    }
    pages
}

fn text(trials: &[TrialLine], facts: &RunFacts, previous: Option<&[TrialLine]>) -> String {
    let run = |trials: &[TrialLine]| RunResults { facts: facts.clone(), trials: trials.to_vec() };
    let changes = previous.map(|previous| compare(&run(previous), &run(trials), CompareOptions::default()));
    let failed = trials.iter().filter(|trial| trial.status == Status::Fail);
    let kept = failed.map(|trial| trial.key.clone()).collect();
    let (program, results) = ("sframe-conformance".to_owned(), "target/my results".to_owned());
    let places = Places { program, root: String::new(), results, kept };
    render(trials, facts, PageExtras { changes: changes.as_ref(), places: Some(&places), ..PageExtras::default() })
}

/// Every kind of view: lists, single things, filters, addresses of nothing, older addresses.
fn views(trials: &[TrialLine]) -> Vec<String> {
    let all = trials.iter().flat_map(|trial| trial.findings.iter().map(move |found| (trial, found)));
    let pictured = |found: &Finding| found.evidence.executed && !found.shown.window.is_empty();
    let (trial, found) = all.clone().find(|(_, found)| pictured(found)).expect("an executed finding");
    let known = all.filter_map(|(_, found)| found.standing.known.as_deref()).next().expect("a known finding");
    let (known, fingerprint) = (known.trim_end_matches(".yaml"), found.fingerprint());
    let odd = trials.iter().find(|trial| trial.case.contains('+')).unwrap_or(trial);
    let fixed = "#overview #bugs #findings #trials #clauses #sizes #producers #changes #rule=row/cfa-matches-truth \
                 #clause=v2e1/header/fdeoff #readers #trials&status=FAIL,XPASS #trials&producer=gas%402.44 #trials&abi=s390x \
                 #trials&sframe=v3&abi=amd64 #trials&topic=calls #trials&blame=linker #trials&q=row/outermost \
                 #trials&q=nothing-has-this #trials&abi=no-such-abi #findings&status=new #findings&blame=compiler \
                 #findings&q=elf/segment #finding=0000 #trial=a%ZZ #trial #finding=__proto__ #trials&finding=0000 \
                 #trials&status=__proto__&=&&x #nothing #bug=__proto__ #rule=row/nothing #clause= #trials&bug=nothing";
    let mut views: Vec<String> = fixed.split_whitespace().map(str::to_owned).collect();
    views.extend([
        format!("#finding={fingerprint}"),
        format!("#finding={fingerprint}&trial={}", trial.key),
        format!("#trial={}", odd.key),
        format!("#trial={}", odd.key.replace('+', "%2B").replace('@', "%40")),
        format!("#bug={known}"),
        format!("#mistake={known}"),
        format!("#trials&bug={known}"),
        format!("#trials&producer={}&abi={}", trial.producer, trial.abi),
    ]);
    views
}

/// Trials in which every text from outside is markup and scripts.
fn hostile() -> Vec<TrialLine> {
    const EVIL: &str = "</script><img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script>\"'&lt;${1}\u{202e}\u{0}";
    let evil = || EVIL.to_owned();
    let mut all = trials(40, 3);
    let model = trials(600, 2).into_iter().flat_map(|trial| trial.findings);
    let model = model.into_iter().find(|found| !found.shown.window.is_empty()).expect("a finding with code");
    for trial in all.iter_mut().take(3) {
        // Rule, blame and stage are not free text: unknown words in them are refused when results
        // are parsed.
        let mut found = reread(&model, |json| {
            for key in ["function", "message", "place", "section", "shape"] {
                json[key] = EVIL.into();
            }
            json["fingerprint"] = "f0".into();
        });
        for line in &mut found.shown.window {
            (line.place, line.text, line.sframe, line.eh_frame, line.truth) = (evil(), evil(), evil(), evil(), evil());
        }
        found.evidence.sframe = Some(Values::from_row(Claim::Printed(evil())));
        found.standing.known = Some(evil());
        trial.findings = vec![found];
        trial.key = format!("{}{EVIL}", trial.key);
        (trial.case, trial.topic, trial.producer) = (evil(), evil(), format!("{}{EVIL}", trial.producer));
        (trial.commands, trial.problems, trial.covers) = (vec![evil()], vec![evil()], vec![evil()]);
        trial.tools = [(evil(), evil())].into();
    }
    all
}
