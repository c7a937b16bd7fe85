//! What is tried in the browser.

use std::path::PathBuf;
use std::time::Instant;

use reports::page::render;
use reports::results::{FindingLine, RunFacts, Status, TrialLine};

use crate::chromium::{Shot, Tab};
use crate::page_sample::{facts, trials};

/// Every test by name.
pub(crate) const TESTS: [(&str, fn(&mut Tab<'_>)); 2] =
    [("screenshots", screenshots), ("fifty_thousand_trials_are_ready_soon", fifty_thousand)];

/// A page on disk for as long as a test runs.
struct Page {
    folder: tempfile::TempDir,
}

impl Page {
    fn of(trials: &[TrialLine], facts: &RunFacts, previous: Option<&[TrialLine]>) -> Page {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("index.html"), render(trials, facts, previous)).expect("written");
        Page { folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("index.html")
    }
}

/// The first finding that has a picture.
fn pictured(trials: &[TrialLine]) -> (&TrialLine, &FindingLine) {
    let all = trials.iter().flat_map(|trial| trial.findings.iter().map(move |found| (trial, found)));
    all.into_iter().find(|(_, found)| found.executed && !found.window.is_empty()).expect("an executed finding")
}

fn fifty_thousand(tab: &mut Tab<'_>) {
    let trials = trials(50_000, 1);
    let begin = Instant::now();
    let page = Page::of(&trials, &facts(&trials), None);
    let rendered = begin.elapsed();
    let bytes = std::fs::metadata(page.file()).expect("written").len();
    tab.open(&page.file(), "");
    let ready = tab.number("Number(document.documentElement.dataset.ready)");
    let begin = Instant::now();
    tab.go("#trials");
    let listed = begin.elapsed();
    let begin = Instant::now();
    tab.go("#trials&q=outermost%20x");
    let filtered = begin.elapsed();
    println!(
        "50,000 trials: {bytes} bytes, rendered in {rendered:?}, ready after {ready} ms, listed in {listed:?}, filtered in {filtered:?}"
    );
    assert!(bytes < 15_000_000, "{bytes} bytes");
    assert!(ready < 5_000.0, "{ready} ms to interactive");
}

fn screenshots(tab: &mut Tab<'_>) {
    let Some(folder) = std::env::var_os("SFRAME_CONFORMANCE_SHOTS").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).expect("a folder");
    let (trials, facts) = match std::env::var_os("SFRAME_CONFORMANCE_RESULTS").map(PathBuf::from) {
        Some(results) => {
            let text = std::fs::read_to_string(results.join("results.jsonl")).expect("results.jsonl");
            let trials: Vec<TrialLine> =
                text.lines().map(|line| serde_json::from_str(line).expect("a trial")).collect();
            let facts = std::fs::read_to_string(results.join("run.json"))
                .map_or_else(|_| facts(&trials), |text| serde_json::from_str(&text).expect("run.json"));
            (trials, facts)
        }
        None => {
            let trials = trials(3000, 2);
            let facts = facts(&trials);
            (trials, facts)
        }
    };
    let before: Vec<TrialLine> = crate::page_sample::trials(3000, 7);
    let page = Page::of(&trials, &facts, Some(&before));
    std::fs::copy(page.file(), folder.join("index.html")).expect("copied");
    let (trial, found) = pictured(&trials);
    let failed = trials.iter().find(|trial| trial.status == Status::Fail).unwrap_or(trial);
    let views = [
        ("overview", String::new()),
        ("findings", "#findings".to_owned()),
        ("trials", "#trials".to_owned()),
        ("cell", format!("#trials&producer={}&abi={}", trial.producer, trial.abi)),
        ("finding", format!("#finding={}", found.fingerprint)),
        ("trial", format!("#trial={}", failed.key)),
        ("clauses", "#clauses".to_owned()),
        ("sizes", "#sizes".to_owned()),
        ("producers", "#producers".to_owned()),
        ("changes", "#changes".to_owned()),
    ];
    for scheme in ["light", "dark"] {
        tab.scheme(scheme);
        for width in [360, 1280] {
            tab.size(width, 900);
            tab.open(&page.file(), "");
            for (name, fragment) in &views {
                tab.go(fragment);
                let high = tab.number("Math.min(document.documentElement.scrollHeight, 2600)");
                tab.size(width, high as u32);
                std::thread::sleep(std::time::Duration::from_millis(60));
                let picture = base64(&tab.screenshot(Shot::Window));
                std::fs::write(folder.join(format!("{name}-{width}-{scheme}.png")), picture).expect("written");
                tab.size(width, 900);
            }
        }
    }
}

fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0u32, 0);
    for digit in text.bytes().filter_map(|byte| LETTERS.iter().position(|letter| *letter == byte)) {
        bits = (bits << 6) | digit as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}
