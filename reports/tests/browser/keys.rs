//! Keyboard control of the page, and its filters.

use results::{Blame, Finding, Status, TrialLine};

use crate::chromium::Tab;
use crate::pages::{SHOWN, usual};

pub(crate) fn keyboard(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    tab.open(&page.file(), "");
    // From anywhere `/` leads to the filter of the trials.
    tab.press("/");
    tab.wait("document.activeElement.id === 'trials-q'");
    tab.type_text("strip amd64");
    let wanted = trials.iter().filter(|trial| trial.key.contains("strip") && trial.key.contains("amd64")).count();
    assert!(wanted > 3);
    // The last letter counts too: the list is redrawn after each.
    tab.wait("decodeURIComponent(location.hash.replaceAll('+', ' ')).includes('strip amd64')");
    tab.wait(&format!("{SHOWN}.includes('{wanted} trials')"));
    tab.press("ArrowDown");
    tab.wait("document.activeElement.getAttribute('role') === 'listbox'");
    tab.press("ArrowDown");
    tab.wait("document.querySelector('[aria-selected=true]')?.getAttribute('aria-posinset') === '2'");
    let chosen = tab.text("document.querySelector('[aria-selected=true]').getAttribute('href')");
    assert!(chosen.contains("strip"), "{chosen}");
    tab.press("Enter");
    tab.wait(&format!("location.hash === {}", serde_json::json!(chosen)));
    // The view changes in an event after the address.
    tab.wait(&format!("{SHOWN}.includes('Commands')"));
    tab.wait("document.activeElement.tagName === 'H2'");
    tab.eval("history.back()");
    tab.wait("location.hash.startsWith('#trials')");
    tab.wait(&format!("{SHOWN}.includes('{wanted} trials')"));
    tab.wait("document.getElementById('trials-q').value === 'strip amd64'");
    tab.eval("history.back()");
    tab.wait("!document.getElementById('overview').hidden");

    // Toggles a status by Tab and space; its word is in the link.
    tab.go("#trials");
    tab.eval("document.getElementById('trials-q').focus()");
    tab.press("Tab");
    tab.wait("document.activeElement.dataset.status === 'FAIL'");
    tab.press(" ");
    let failed = trials.iter().filter(|trial| trial.status == Status::Fail).count();
    tab.wait(&format!("{SHOWN}.includes('{failed} trial')"));
    tab.wait("location.hash === '#trials&status=FAIL'");
    tab.wait("document.activeElement.getAttribute('aria-pressed') === 'true'");
    tab.press(" ");
    tab.wait(&format!("{SHOWN}.includes('{} trials')", trials.len()));

    // To the last item of a long list and back to the first.
    tab.eval("document.querySelector('[role=listbox]').focus()");
    tab.press("End");
    tab.wait(&format!(
        "document.querySelector('[aria-selected=true]')?.getAttribute('aria-posinset') === '{}'",
        trials.len()
    ));
    assert!(tab.number("document.querySelectorAll('[role=option]').length") < 200.0, "only rows near the window exist");
    let low = tab.number("document.querySelector('[aria-selected=true]').getBoundingClientRect().bottom - innerHeight");
    assert!(low <= 0.0, "the chosen row is in sight");
    tab.press("Home");
    tab.wait("document.querySelector('[aria-selected=true]')?.getAttribute('aria-posinset') === '1'");
}

/// The Tab key's position is visible in every scheme; the first stop skips the common part of all
/// views.
pub(crate) fn focus(tab: &mut Tab<'_>) {
    let (_, page) = usual();
    for scheme in ["light", "dark"] {
        tab.scheme(scheme);
        tab.open(&page.file(), "");
        let mut stops = std::collections::BTreeSet::new();
        for stop in 0..20 {
            tab.press("Tab");
            let focused = tab.text(
                "(() => { const at = document.activeElement, style = getComputedStyle(at); \
                 return [at.tagName, at.id, (at.innerText || '').slice(0, 20), style.outlineStyle, parseFloat(style.outlineWidth) >= 2, style.outlineColor].join('|'); })()",
            );
            let seen = focused.contains("|solid|true|") && !focused.starts_with("BODY");
            assert!(seen, "{scheme}, stop {stop}: {focused}");
            stops.insert(focused);
            if stop == 0 {
                assert!(tab.text("document.activeElement.textContent").contains("Skip"));
                assert!(tab.number("document.activeElement.getBoundingClientRect().left") >= 0.0, "in sight");
            }
        }
        assert!(stops.len() > 15, "{stops:?}");
    }
}

pub(crate) fn matrix_keys(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    tab.open(&page.file(), "");
    assert_eq!(
        tab.number("[...document.querySelectorAll('#grid a')].filter((cell) => cell.tabIndex === 0).length"),
        1.0
    );
    tab.eval("document.querySelector('#grid a').focus()");
    tab.press("ArrowRight");
    tab.press("ArrowDown");
    tab.press("ArrowDown");
    let label = tab.text("document.activeElement.getAttribute('aria-label')");
    let (producer, rest) = label.split_once(", ").expect("a producer");
    let mut words = rest.split(' ');
    let (abi, sframe) = words.next().zip(words.next()).expect("a target");
    // To the right of the first mark in the first row, and two rows down.
    assert_eq!(
        tab.number(
            "[...document.querySelectorAll('#grid tr:has(a)')].findIndex((row) => row.contains(document.activeElement))"
        ),
        2.0
    );
    tab.press("Enter");
    tab.wait("location.hash.startsWith('#trials')");
    let wanted = trials
        .iter()
        .filter(|trial| (&*trial.producer, &*trial.abi, &*trial.sframe) == (producer, abi, sframe))
        .count();
    tab.wait(&format!("{SHOWN}.includes('{wanted} trial')"));
    // A click on a target sorts by smallest share, on the producer restores the order.
    let shares = "[...document.querySelectorAll('#grid .producers tr')].map((row) => Math.min(101, ...[...row.cells[1].querySelectorAll('.word')].map((word) => parseInt(word.textContent.slice(2), 10)).filter((share) => share >= 0)))";
    let sorted = format!("{shares}.every((share, index, all) => !index || !(all[index - 1] > share))");
    let names = "[...document.querySelectorAll('#grid .producers th')].map((head) => head.textContent).join()";
    let before = tab.text(names);
    tab.eval("document.querySelectorAll('#grid .sort')[1].click()");
    assert_eq!(tab.number(&format!("Number({sorted})")), 1.0, "{}", tab.text(&format!("{shares}.join()")));
    tab.eval("document.querySelector('#grid .sort').click()");
    assert_eq!(tab.text(names), before);
}

/// The test's own definition of a filter's selection.
type Selects = fn(&TrialLine) -> bool;

pub(crate) fn filters(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    tab.open(&page.file(), "");
    let cases: [(&str, Selects); 9] = [
        ("status=FAIL,XPASS", |trial| matches!(trial.status, Status::Fail | Status::Xpass)),
        ("producer=gas%402.44", |trial| trial.producer == "gas@2.44"),
        ("abi=s390x", |trial| trial.abi == "s390x"),
        ("sframe=v3&abi=amd64", |trial| trial.sframe == "v3" && trial.abi == "amd64"),
        ("topic=calls", |trial| trial.topic == "calls"),
        ("blame=linker", |trial| trial.findings.iter().any(|found| found.blame() == Blame::Linker)),
        ("q=row/outermost", |trial| trial.findings.iter().any(|found| found.rule() == "row/outermost")),
        ("q=nothing-has-this", |_| false),
        ("abi=no-such-abi", |_| false),
    ];
    for (filter, selects) in cases {
        tab.go(&format!("#trials&{filter}"));
        let wanted = match trials.iter().filter(|trial| selects(trial)).count() {
            0 => "No trial matches.".to_owned(),
            1 => "1 trial".to_owned(),
            many => format!("{many} trials"),
        };
        assert_eq!(tab.text("document.querySelector('#trials .count').textContent"), wanted, "{filter}");
    }
    let count = |selects: &dyn Fn(&&Finding) -> bool| {
        let all: std::collections::BTreeSet<&str> =
            trials.iter().flat_map(|trial| &trial.findings).filter(selects).map(|found| found.fingerprint()).collect();
        all.len()
    };
    for (filter, wanted) in [
        ("status=new", count(&|found| found.standing.known.is_none())),
        ("blame=compiler", count(&|found| found.blame() == Blame::Compiler)),
        ("q=elf/segment", count(&|found| found.rule() == "elf/segment")),
    ] {
        tab.go(&format!("#findings&{filter}"));
        let shown = tab.text("document.querySelector('#findings .count').textContent");
        assert_eq!(shown, format!("{wanted} findings"), "{filter}");
    }
}
