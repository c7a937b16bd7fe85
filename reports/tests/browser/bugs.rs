//! The pages of bugs, rules and clauses; stability of addresses; commands that can be copied.

use serde_json::json;

use crate::chromium::Tab;
use crate::pages::{SHOWN, every_kind, known, pictured, usual};

/// The page of a bug has the contents of the ledger and the run, and every trial that shows it; a
/// click on a known title leads there.
pub(crate) fn bug_view(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    let (name, showing) = known(trials);
    tab.open(&page.file(), "#bugs");
    tab.eval(&format!("document.querySelector('#bugs a[href=\"#bug={name}\"]').click()"));
    tab.wait(&format!("location.hash === '#bug={name}' && {SHOWN}.includes('Shown by')"));
    let shown = tab.text(SHOWN);
    for part in [
        &format!("what {name} tells of"),
        "The bytes at 0x5e say rax",
        "2.40 to 2.44, not seen fixed",
        "https://example.org/bugs/1",
        "2026-11-01",
        "2027-11-01",
        &format!("sframe-conformance run --filter {}", showing[0].key),
        &format!("reports/known/{name}.yaml"),
    ] {
        assert!(shown.contains(part), "no '{part}' in:\n{shown}");
    }
    let bundled = name.contains("row");
    assert_eq!(shown.contains(&format!("sframe-conformance bundle {name} --out")), bundled, "{shown}");
    // Every trial is listed, the first ones drawn; the list has an address of its own.
    assert_eq!(
        tab.number("Number(document.querySelector('#detail [role=option]').getAttribute('aria-setsize'))"),
        showing.len() as f64
    );
    let producers: std::collections::BTreeSet<&str> = showing.iter().map(|trial| &*trial.producer).collect();
    assert_eq!(tab.number("document.querySelectorAll('#detail table.fit tbody tr').length"), producers.len() as f64);
    tab.go(&format!("#trials&bug={name}"));
    let count = tab.text("document.querySelector('#trials .count').textContent");
    assert!(count.starts_with(&format!("{} trial", showing.len())), "{count}");
    // Older addresses lead to the same view.
    tab.go(&format!("#mistake={name}"));
    tab.wait(&format!("{SHOWN}.includes('Shown by')"));
    tab.go(&format!("#trials&mistake={name}"));
    assert_eq!(tab.text("document.querySelector('#trials .count').textContent"), count);
}

/// Each view is at its address again after a reload, and after going back and forward.
pub(crate) fn addresses(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    tab.open(&page.file(), "");
    let heading = "document.querySelector('main > section:not([hidden]) h2').textContent";
    let views = every_kind(trials);
    let mut seen = Vec::new();
    for view in &views {
        tab.go(view);
        seen.push((tab.text("location.hash"), tab.text(heading)));
    }
    for (hash, was) in seen.iter().rev().skip(1) {
        tab.eval("history.back()");
        tab.wait(&format!("location.hash === {} && {heading} === {}", json!(hash), json!(was)));
    }
    tab.eval("history.forward()");
    tab.wait(&format!("location.hash === {} && {heading} === {}", json!(seen[1].0), json!(seen[1].1)));
    for (view, (_, was)) in views.iter().zip(&seen).skip(8).step_by(2) {
        tab.open(&page.file(), view);
        assert_eq!(&tab.text(heading), was, "{view}");
    }
}

/// The stack and the code are first; then the commands, each with a button.
pub(crate) fn commands_are_copied(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    let (trial, found) = pictured(trials);
    tab.open(&page.file(), &format!("#finding={}&trial={}", found.fingerprint(), trial.key));
    let order = "[...document.querySelectorAll('#detail :is(svg, table.window, table.voices, ul.steps, blockquote)')].map((node) => node.classList[0] === 'plain' ? node.classList[1] : node.classList[0]).join(' ')";
    assert_eq!(tab.text(order), "stack window voices steps timeline rule");
    let calls = "[...document.querySelectorAll('.steps li')].map((line) => line.querySelector('.what').textContent + ' ' + line.querySelector('code').textContent).join('\\n')";
    let calls = tab.text(calls);
    let wanted = format!("explain sframe-conformance explain {} --results 'target/my results'", found.fingerprint());
    assert!(calls.contains(&wanted), "{calls}");
    assert_eq!(calls.contains("\naccept "), found.standing.known.is_none(), "{calls}");
    tab.eval("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (words) => { window.taken = words; } } })");
    tab.eval("document.querySelector('.steps .copy').click()");
    tab.wait("window.taken === document.querySelector('.steps code').textContent");
    tab.wait("document.querySelector('.steps .copy').textContent === 'copied'");
    assert!(tab.text("document.querySelector('body > [role=status]').textContent").starts_with("Copied: "));
    // If the browser does not allow it, the text is selected as a person would, or a message
    // appears.
    tab.eval("navigator.clipboard.writeText = async () => { throw new Error('no'); }; document.execCommand = () => { window.taken = document.activeElement.value; return false; }");
    tab.eval("document.querySelectorAll('.steps .copy')[1].click()");
    tab.wait("document.querySelectorAll('.steps .copy')[1].textContent === 'select it'");
    assert_eq!(tab.text("window.taken"), tab.text("document.querySelectorAll('.steps code')[1].textContent"));
    // A wrong cell has a sign besides its colour.
    let marked = tab.text(
        "[...document.querySelectorAll('table.window tr.wrong mark')].map((mark) => mark.closest('td').textContent).join('|')",
    );
    assert!(marked.split('|').all(|cell| cell.ends_with(" ≠")) && !marked.is_empty(), "{marked}");
}
