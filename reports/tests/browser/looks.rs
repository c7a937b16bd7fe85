//! How the page looks: widths, contrast, schemes, without a script; and pictures of it for people.

use std::path::{Path, PathBuf};

use model::{RunFacts, Status, TrialLine};

use crate::chromium::{Shot, Tab};
use crate::page_sample::{facts, trials};
use crate::views::{Page, every_kind, pictured, usual};

pub(crate) fn without_script(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    tab.call("Emulation.setScriptExecutionDisabled", serde_json::json!({ "value": true }));
    tab.open(&page.file(), "");
    // The protocol evaluates even where the page may not.
    let text = tab.text("document.body.innerText");
    let failed = trials.iter().filter(|trial| trial.status == Status::Fail).count();
    assert!(text.contains(&format!("{failed} of")), "{text}");
    for part in
        ["FAIL", "Who is blamed", "aarch64-be", "≈ known", "Clauses of the specification", "Sizes", "needs JavaScript"]
    {
        assert!(text.contains(part), "no '{part}'");
    }
    assert_eq!(tab.eval("document.getElementById('scheme').checkVisibility()"), false, "a switch that cannot work");
    assert_eq!(tab.eval("!!document.documentElement.dataset.ready"), false);
    tab.call("Emulation.setScriptExecutionDisabled", serde_json::json!({ "value": false }));
}

pub(crate) fn widths(tab: &mut Tab<'_>) {
    // Names as long as a compiler makes them, without a place to break.
    let (mut trials, _) = usual();
    let long = format!("_ZN{}E", "17StandardAllocator".repeat(20));
    let at =
        trials.iter().position(|trial| trial.findings.iter().any(|found| found.executed && !found.window.is_empty()));
    let trial = &mut trials[at.expect("an executed finding")];
    trial.case = format!("{}+{long}", trial.case);
    trial.key = [&*trial.producer, &*trial.abi, &*trial.sframe, &*trial.topic, &*trial.case].join("::");
    trial.problems = vec![format!("new: {long}")];
    for found in &mut trial.findings {
        *found = found.clone().shown_in(&*long);
        found.message = format!("{long} is wrong");
        found.place = format!("{long}+0x4..0x8");
    }
    let page = Page::of(&trials, &facts(&trials), Some(&crate::page_sample::trials(600, 7)));
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

/// Contrast of every text in sight against what is behind it (WCAG 2.1, 1.4.3: 4.5 to 1), worst first.
const CONTRAST: &str = r#"(() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => { paint.clearRect(0, 0, 1, 1); paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1); return [...paint.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => { const f = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const behind = (node) => { for (let at = node; at; at = at.parentElement) { const colour = rgba(getComputedStyle(at).backgroundColor); if (colour[3] === 255) return colour; } return [255, 255, 255, 255]; };
  const poor = [];
  for (const node of document.querySelectorAll("main > section:not([hidden]) *, header *")) {
    if (node.closest("svg") || ![...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()) || !node.checkVisibility()) continue;
    const [a, b] = [light(rgba(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${node.tagName}.${node.className} ${node.textContent.slice(0, 30)}`);
  }
  return poor.sort().slice(0, 5).join("\n");
})()"#;

pub(crate) fn contrast(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    for scheme in ["light", "dark"] {
        tab.scheme(scheme);
        tab.open(&page.file(), "");
        for view in every_kind(&trials) {
            tab.go(&view);
            let poor = tab.text(CONTRAST);
            assert!(poor.is_empty(), "{scheme} {view}:\n{poor}");
        }
    }
}

/// Text in pictures stands on shapes, which the test above does not see: each pair of colours that they use (4.5 to 1, as above).
pub(crate) fn colours(tab: &mut Tab<'_>) {
    const POOR: &str = r#"(() => {
      const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const probe = document.body.appendChild(document.createElement("i"));
      const light = (name) => {
        probe.style.color = `var(--${name})`;
        paint.fillStyle = getComputedStyle(probe).color; paint.fillRect(0, 0, 1, 1);
        const f = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
        const [r, g, b] = paint.getImageData(0, 0, 1, 1).data;
        return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
      };
      const stripes = ["t0", "t1", "t2", "t3", "t4", "t5"].map((name) => ["ink", name]);
      const pairs = [...stripes, ["soft", "t0"], ["soft", "t4"], ["ink", "t4"], ["soft", "paper"], ["new", "paper"], ["paper", "new"],
        ...["truth", "sframe", "eh"].flatMap((name) => [[name, "paper"], [name, "raised"]])];
      const ratio = ([a, b]) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
      const poor = pairs.filter((pair) => ratio(pair) < 4.5).map((pair) => `${pair.join(" on ")} ${ratio(pair).toFixed(2)}`);
      probe.remove();
      return poor.join(", ");
    })()"#;
    let (_, page) = usual();
    for scheme in ["light", "dark"] {
        tab.scheme(scheme);
        tab.open(&page.file(), "");
        assert_eq!(tab.text(POOR), "", "{scheme}");
    }
}

/// Every view says that it is empty, and none is broken.
pub(crate) fn nothing(tab: &mut Tab<'_>) {
    let page = Page::of(&[], &RunFacts::default(), Some(&[]));
    tab.size(390, 844);
    tab.open(&page.file(), "");
    for (view, wanted) in [
        ("#overview", "Nothing was run."),
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

/// Printed from a dark screen it is dark on light, without what only works on a screen.
pub(crate) fn on_paper(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    let (_, found) = pictured(&trials);
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
    // What a page stores reaches the browser a little later.
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
    let page = Page::of(&trials, &facts, Some(&before));
    std::fs::copy(page.file(), folder.join("index.html")).expect("copied");
    let (trial, found) = pictured(&trials);
    let failed = trials.iter().find(|trial| trial.status == Status::Fail).unwrap_or(trial);
    let views = [
        ("overview", String::new()),
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
        for width in [390, 1440] {
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

/// Results of a run, and what it knew where it was finished.
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
