//! Pages on disk for the tests, and their views.

use std::path::PathBuf;
use std::sync::OnceLock;

use reports::history::{CompareOptions, compare};
use reports::page::site::{Corpus, Night, index};
use reports::page::{self, PageExtras, render};
use reports::places::Places;
use results::RunResults;
use results::{Finding, RunFacts, Status, TrialLine};

use crate::page_sample::{facts, readers, trials};
use crate::plain_sample::{reader_findings, sweep};

/// The text of the visible view.
pub(crate) const SHOWN: &str = "document.querySelector('main > section:not([hidden])').innerText";

/// A page on disk, deleted after the test.
pub(crate) struct Page {
    folder: tempfile::TempDir,
}

impl Page {
    pub(crate) fn new(trials: &[TrialLine], facts: &RunFacts, previous: Option<&[TrialLine]>) -> Page {
        Page::of_text(&text(trials, facts, previous))
    }

    /// Stores a rendered page.
    pub(crate) fn of_text(text: &str) -> Page {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("index.html"), text).expect("written");
        Page { folder }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("index.html")
    }
}

fn text(trials: &[TrialLine], facts: &RunFacts, previous: Option<&[TrialLine]>) -> String {
    let run = |trials: &[TrialLine]| RunResults { facts: facts.clone(), trials: trials.to_vec() };
    let changes = previous.map(|previous| compare(&run(previous), &run(trials), CompareOptions::default()));
    let failed = trials.iter().filter(|trial| trial.status == Status::Fail);
    let kept = failed.map(|trial| trial.key.clone()).collect();
    let (program, results) = ("sframe-conformance".to_owned(), "target/my results".to_owned());
    let places = Places { program, root: String::new(), results, kept };
    let beside = PageExtras { changes: changes.as_ref(), places: Some(&places), ..PageExtras::default() };
    render(trials, facts, beside)
}

/// The first finding with a picture.
pub(crate) fn pictured(trials: &[TrialLine]) -> (&TrialLine, &Finding) {
    let all = trials.iter().flat_map(|trial| trial.findings.iter().map(move |found| (trial, found)));
    all.into_iter()
        .find(|(_, found)| found.evidence.executed && !found.shown.window.is_empty())
        .expect("an executed finding")
}

/// A page of some hundred trials, with changes and with readers.
pub(crate) fn usual() -> (&'static [TrialLine], Page) {
    // Most tests open this page: it is rendered once, and stored once for each.
    static USUAL: OnceLock<(Vec<TrialLine>, String)> = OnceLock::new();
    let (trials, text) = USUAL.get_or_init(|| {
        let trials = trials(600, 2);
        let facts = RunFacts { readers: Some(Box::new(readers())), ..facts(&trials) };
        let text = text(&trials, &facts, Some(&crate::page_sample::trials(600, 7)));
        (trials, text)
    });
    (trials, Page::of_text(text))
}

/// Addresses of every kind of view, those of single things from the eighth on: a finding first.
pub(crate) fn every_kind(trials: &[TrialLine]) -> Vec<String> {
    let (trial, found) = pictured(trials);
    let lists = ["", "#bugs", "#findings", "#trials", "#clauses", "#sizes", "#producers", "#changes"];
    let mut views = lists.map(str::to_owned).to_vec();
    views.push(format!("#finding={}", found.fingerprint()));
    views.push(format!("#trial={}", trial.key.replace('+', "%2B")));
    views.push(format!("#bug={}", known(trials).0));
    views.extend(["#rule=row/cfa-matches-truth", "#clause=v2e1/header/fdeoff", "#readers"].map(str::to_owned));
    views.push(format!("#trials&producer={}&abi={}", trial.producer, trial.abi));
    views
}

/// A known bug, and the trials that show it.
pub(crate) fn known(trials: &[TrialLine]) -> (String, Vec<&TrialLine>) {
    let file = trials.iter().flat_map(|trial| &trial.findings).find_map(|found| found.standing.known.clone());
    let file = file.expect("a known finding");
    let shows = |trial: &&TrialLine| trial.findings.iter().any(|found| found.standing.known.as_ref() == Some(&file));
    (file.trim_end_matches(".yaml").to_owned(), trials.iter().filter(shows).collect())
}

/// Pages without scripts: of a sweep, of readers, and the first of a site.
pub(crate) fn plain_pages() -> &'static [String] {
    static PLAIN: OnceLock<Vec<String>> = OnceLock::new();
    PLAIN.get_or_init(|| {
        let trials = trials(600, 2);
        let night = |day: &str, trials: &[TrialLine]| {
            let run = RunResults { facts: RunFacts { day: day.to_owned(), ..facts(trials) }, trials: trials.to_vec() };
            Night::new(day, &run)
        };
        let nights = [night("2026-11-20", &trials[..300]), night("2026-11-21", &trials)];
        let corpus = Corpus { file: "sframe-corpus.tar.gz".to_owned(), bytes: 512_000 };
        let run = readers();
        vec![
            page::sweep::render(&sweep()),
            page::readers::render(&reader_findings(), &run),
            index(&nights, Some(&corpus)),
        ]
    })
}
