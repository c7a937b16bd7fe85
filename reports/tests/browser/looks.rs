//! Appearance of the page: widths, schemes, on paper, without scripts; and screenshots for people.

use std::path::{Path, PathBuf};

use results::{RunFacts, Status, TrialLine};

use crate::chromium::{Shot, Tab};
use crate::page_sample::{facts, trials};
use crate::pages::{Page, every_kind, pictured, usual};

pub(crate) fn without_script(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    tab.call("Emulation.setScriptExecutionDisabled", serde_json::json!({ "value": true }));
    tab.open(&page.file(), "");
    // The protocol evaluates expressions even if the page may not run scripts.
    let text = tab.text("document.body.innerText");
    let failed = trials.iter().filter(|trial| trial.status == Status::Fail).count();
    assert!(text.contains(&format!("{failed} FAIL")), "{text}");
    for part in
        ["FAIL", "Who is blamed", "aarch64-be", "≈ known", "Clauses of the specification", "Sizes", "needs JavaScript"]
    {
        assert!(text.contains(part), "no '{part}'");
    }
    assert_eq!(tab.eval("document.getElementById('scheme').checkVisibility()"), false, "a switch that cannot work");
    assert_eq!(tab.eval("!!document.documentElement.dataset.ready"), false);
    tab.call("Emulation.setScriptExecutionDisabled", serde_json::json!({ "value": false }));
    // A script that fails hides nothing either.
    let text = std::fs::read_to_string(page.file()).expect("a page");
    let broken = text.replace("\"use strict\";", "\"use strict\"; throw Error('broken');");
    tab.open(&Page::of_text(&broken).file(), "");
    let text = tab.text("document.body.innerText");
    assert!(text.contains("needs JavaScript") && text.contains("Sizes"), "{text}");
    assert!(matches!(tab.complaints().as_slice(), [one] if one.contains("broken")));
    // An error later, an extension's, takes nothing away.
    tab.open(&page.file(), "");
    assert_eq!(tab.eval("dispatchEvent(new ErrorEvent('error')); document.documentElement.className"), "scripted");
}

pub(crate) fn widths(tab: &mut Tab<'_>) {
    // Names as long as compilers generate them, without a position to break.
    let mut trials = trials(600, 2);
    let long = format!("_ZN{}E", "17StandardAllocator".repeat(20));
    let at = trials
        .iter()
        .position(|trial| trial.findings.iter().any(|found| found.evidence.executed && !found.shown.window.is_empty()));
    let trial = &mut trials[at.expect("an executed finding")];
    trial.case = format!("{}+{long}", trial.case);
    trial.key = [&*trial.producer, &*trial.abi, &*trial.sframe, &*trial.topic, &*trial.case].join("::");
    trial.problems = vec![format!("new: {long}")];
    for found in &mut trial.findings {
        *found = found.clone().shown_in(&*long);
        found.shown.message = format!("{long} is wrong");
        found.shown.place = format!("{long}+0x4..0x8");
    }
    let page = Page::new(&trials, &facts(&trials), Some(&crate::page_sample::trials(600, 7)));
    for width in [360, 768, 1280, 2200] {
        tab.size(width, 800);
        tab.open(&page.file(), "");
        for view in every_kind(&trials) {
            tab.go(&view);
            tab.eval("document.querySelectorAll('details').forEach((details) => { details.open = true })");
            let wide = tab.number("document.documentElement.scrollWidth");
            assert!(wide <= f64::from(width), "{view} is {wide} wide in {width}");
            let drawn =
                tab.number("document.querySelector('main > section:not([hidden])').getBoundingClientRect().height");
            assert!(drawn > 60.0, "{view} shows nothing at {width}");
        }
    }
}

/// Every empty view has a text, and none is broken.
pub(crate) fn nothing(tab: &mut Tab<'_>) {
    let page = Page::new(&[], &RunFacts::default(), Some(&[]));
    tab.size(390, 844);
    tab.open(&page.file(), "");
    for (view, wanted) in [
        ("#overview", "no trials"),
        ("#overview", "No findings."),
        ("#overview", "No trials."),
        ("#findings", "No finding matches."),
        ("#trials", "No trial matches."),
        ("#clauses", "This run knows no clauses."),
        ("#sizes", "No compiled program"),
        ("#producers", "0 found"),
        ("#changes", "Nothing changed"),
    ] {
        tab.go(view);
        let shown = tab.text("document.querySelector('main > section:not([hidden])').innerText");
        assert!(shown.contains(wanted), "{view}: no '{wanted}' in '{shown}'");
        let wide = tab.number("document.documentElement.scrollWidth");
        assert!(wide <= 390.0, "{view} is {wide} wide");
    }
}

/// A page printed from a dark scheme is dark on light, without screen-only elements.
pub(crate) fn on_paper(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    let (_, found) = pictured(trials);
    tab.scheme("dark");
    tab.open(&page.file(), &format!("#finding={}", found.fingerprint()));
    let light = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every((part) => Number(part) > 200)";
    assert_eq!(tab.eval(light), false, "on the screen it is dark");
    tab.call(
        "Emulation.setEmulatedMedia",
        serde_json::json!({ "media": "print", "features": [{ "name": "prefers-color-scheme", "value": "dark" }] }),
    );
    assert_eq!(tab.eval(light), true);
    for gone in ["nav[aria-label=Views]", "#scheme", "figcaption button"] {
        assert_eq!(tab.eval(&format!("document.querySelector('{gone}').checkVisibility()")), false, "{gone}");
    }
    for stays in ["svg.stack", "svg.timeline", "table.window"] {
        assert_eq!(tab.eval(&format!("document.querySelector('{stays}').checkVisibility()")), true, "{stays}");
    }
    tab.call("Emulation.setEmulatedMedia", serde_json::json!({ "media": "" }));
}

pub(crate) fn schemes(tab: &mut Tab<'_>) {
    let (_, page) = usual();
    let paper = "getComputedStyle(document.body).backgroundColor";
    tab.scheme("light");
    tab.open(&page.file(), "");
    let light = tab.text(paper);
    tab.scheme("dark");
    let dark = tab.text(paper);
    assert_ne!(light, dark, "the system's wish");
    // auto, light, dark, auto
    tab.eval("document.getElementById('scheme').focus()");
    tab.press("Enter");
    assert_eq!(tab.text(paper), light, "chosen: light");
    assert!(tab.text("document.getElementById('scheme').textContent").contains("light"));
    tab.press(" ");
    assert_eq!(tab.text(paper), dark, "chosen: dark");
    tab.scheme("light");
    assert_eq!(tab.text(paper), dark, "a choice outlasts the system's wish");
    // Stored settings reach the browser a little later.
    let kept = (0..5).any(|_| {
        tab.open(&page.file(), "");
        tab.text(paper) == dark
    });
    assert!(kept, "and is kept");
    tab.eval("document.getElementById('scheme').focus()");
    tab.press("Enter");
    assert_eq!(tab.text(paper), light, "auto again");
}

pub(crate) fn screenshots(tab: &mut Tab<'_>) {
    let Some(folder) = std::env::var_os("SFRAME_CONFORMANCE_SHOTS").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).expect("a folder");
    let read = |variable: &str| std::env::var_os(variable).map(|folder| results(&PathBuf::from(folder)));
    let (trials, facts) = read("SFRAME_CONFORMANCE_RESULTS").unwrap_or_else(|| {
        let trials = trials(3000, 2);
        let facts = facts(&trials);
        (trials, facts)
    });
    let before =
        read("SFRAME_CONFORMANCE_PREVIOUS").map_or_else(|| crate::page_sample::trials(3000, 7), |(trials, _)| trials);
    let page = Page::new(&trials, &facts, Some(&before));
    std::fs::copy(page.file(), folder.join("index.html")).expect("copied");
    let (trial, found) = pictured(&trials);
    let failed = trials.iter().find(|trial| trial.status == Status::Fail).unwrap_or(trial);
    let name = crate::pages::known(&trials).0;
    let views = [
        ("overview", String::new()),
        ("bugs", "#bugs".to_owned()),
        ("bug", format!("#bug={name}")),
        ("rule", format!("#rule={}", found.rule())),
        ("clause", "#clause=v2e1/header/fdeoff".to_owned()),
        ("nowhere", "#nowhere".to_owned()),
        ("findings", "#findings".to_owned()),
        ("trials", "#trials".to_owned()),
        ("cell", format!("#trials&producer={}&abi={}", trial.producer, trial.abi)),
        ("finding", format!("#finding={}", found.fingerprint())),
        ("trial", format!("#trial={}", failed.key)),
        ("clauses", "#clauses".to_owned()),
        ("sizes", "#sizes".to_owned()),
        ("producers", "#producers".to_owned()),
        ("changes", "#changes".to_owned()),
    ];
    for scheme in ["light", "dark"] {
        tab.scheme(scheme);
        for width in [390, 1024, 1440] {
            tab.size(width, 900);
            tab.open(&page.file(), "");
            for (name, fragment) in &views {
                tab.go(fragment);
                shoot(tab, width, &folder.join(format!("{name}-{width}-{scheme}.png")));
            }
            for (plain, name) in crate::pages::plain_pages().iter().zip(["sweep", "readers", "site"]) {
                tab.open(&Page::of_text(plain).file(), "");
                shoot(tab, width, &folder.join(format!("{name}-{width}-{scheme}.png")));
            }
        }
    }
}

/// Takes a screenshot of the top of the page.
fn shoot(tab: &mut Tab<'_>, width: u32, file: &Path) {
    let high = tab.number("Math.min(document.documentElement.scrollHeight, 2600)");
    tab.size(width, high as u32);
    std::thread::sleep(std::time::Duration::from_millis(60));
    std::fs::write(file, base64(&tab.screenshot(Shot::Window))).expect("written");
    tab.size(width, 900);
}

/// Results of a run, and its facts if it was finished.
fn results(folder: &Path) -> (Vec<TrialLine>, RunFacts) {
    let text = std::fs::read_to_string(folder.join("results.jsonl")).expect("results.jsonl");
    let trials: Vec<TrialLine> = text.lines().map(|line| serde_json::from_str(line).expect("a trial")).collect();
    let facts = std::fs::read_to_string(folder.join("run.json"))
        .map_or_else(|_| facts(&trials), |text| serde_json::from_str(&text).expect("run.json"));
    (trials, facts)
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
