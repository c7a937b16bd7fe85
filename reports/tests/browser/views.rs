//! The list of all tests of the page in a browser, and tests of single views.

use results::{Blame, Finding, Resembles, RunFacts, Shape, TrialLine, Values, WindowLine};
use spec::RuleId;
use types::{Abi, Aspect, Claim, Reg, SourceLine, ValueRule};

use crate::audit::audit;
use crate::bugs::{addresses, bug_view, commands_are_copied};
use crate::chromium::Tab;
use crate::contrast::{colours, contrast};
use crate::keys::{filters, focus, keyboard, matrix_keys};
use crate::looks::{nothing, on_paper, schemes, screenshots, widths, without_script};
use crate::page_sample::{facts, trials};
use crate::pages::{Page, SHOWN, pictured, usual};
use crate::typed::{BELOW_CFA, reread, row};

/// RSP of AMD64.
const RSP: Reg = Reg(7);

/// A test, in a page of its own.
pub(crate) type Test = fn(&mut Tab<'_>);

/// Every test by name.
pub(crate) const TESTS: [(&str, Test); 25] = [
    // The slowest tests are first, so that others run at the same time.
    ("of_many_trials_those_near_the_window_are_drawn", many),
    ("the_overview_stands_without_a_script", without_script),
    ("no_view_is_wider_than_the_window", widths),
    ("text_can_be_read_in_both_schemes", contrast),
    ("text_in_pictures_can_be_read", colours),
    ("whoever_hears_the_page_or_has_no_pointer_can_use_it", audit),
    ("a_bug_has_a_page", bug_view),
    ("every_address_outlasts_a_reload_and_the_way_back", addresses),
    ("a_command_is_copied_as_it_stands", commands_are_copied),
    ("a_run_without_trials_is_a_page_too", nothing),
    ("on_paper_it_is_plain", on_paper),
    ("the_focus_can_be_seen", focus),
    ("the_scheme_follows_the_system_until_it_is_chosen", schemes),
    ("filters_work_by_keyboard_and_the_way_back_keeps_them", keyboard),
    ("the_matrix_is_walked_by_arrows", matrix_keys),
    ("every_filter_selects_what_it_says", filters),
    ("a_link_leads_to_its_finding_or_trial", deep_links),
    ("links_into_nothing_say_so", dead_links),
    ("every_finding_and_trial_has_a_view", every_view),
    ("a_finding_shows_all_it_knows", finding_view),
    ("a_claim_is_wrong_where_there_is_nothing_to_claim", claims),
    ("the_stack_and_the_timeline_are_drawn_right", pictures),
    ("clauses_lead_to_the_trials_that_cover_them", clauses),
    ("hostile_strings_stay_text", hostile),
    ("screenshots", screenshots),
];

fn deep_links(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    let (trial, found) = pictured(trials);
    tab.open(&page.file(), &format!("#finding={}", found.fingerprint()));
    let shown = tab.text(SHOWN);
    assert!(shown.contains(found.function()) && shown.contains(found.fingerprint()), "{shown}");
    // A plus sign in a link means itself, escaped or not.
    let odd = trials.iter().find(|trial| trial.case.contains('+')).unwrap_or(trial);
    for key in [odd.key.clone(), odd.key.replace('+', "%2B").replace('@', "%40")] {
        tab.open(&page.file(), &format!("#trial={key}"));
        assert!(tab.text(SHOWN).contains(&odd.key), "{key}");
    }
    // At any window height the heading is visible below the head of the page.
    for view in ["#clauses", "#findings", "#trials", "#producers", "#changes"] {
        tab.size(390, 500);
        tab.open(&page.file(), view);
        tab.eval("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))");
        let under = tab.number("document.querySelector('main > section:not([hidden]) h2').getBoundingClientRect().top - document.querySelector('header').getBoundingClientRect().bottom");
        assert!((0.0..60.0).contains(&under), "{view}: the heading is {under} below the head");
    }
    tab.size(1280, 900);
    // From a trial to its finding and back.
    tab.open(&page.file(), &format!("#trial={}", trial.key));
    tab.eval("document.querySelector('#detail .ranked a').click()");
    tab.wait("location.hash.startsWith('#finding=')");
    assert!(tab.text(SHOWN).contains("Shown by"));
    tab.eval("history.back()");
    tab.wait(&format!("{SHOWN}.includes('What was judged')"));
    assert_eq!(tab.text("document.querySelector('nav [aria-current=page]').hash"), "#trials");
}

fn dead_links(tab: &mut Tab<'_>) {
    let (_, page) = usual();
    tab.open(&page.file(), "#finding=0000");
    assert!(tab.text(SHOWN).contains("No such finding"));
    for (link, wanted) in [
        ("#trial=a%ZZ", "No such trial"),
        ("#trial", "No such trial"),
        ("#finding=__proto__", "No such finding"),
        ("#trials&finding=0000", "No trial matches"),
        ("#trials&status=__proto__&=&&x", "No trial matches"),
        ("#nothing", "No such page"),
        ("#bug=__proto__", "No such known bug"),
        ("#rule=row/nothing", "No such rule"),
        ("#clause=", "No such clause"),
        ("#trials&bug=nothing", "No trial matches"),
    ] {
        tab.go(link);
        assert!(tab.text(SHOWN).contains(wanted), "{link}: {}", tab.text(SHOWN));
    }
}

fn every_view(tab: &mut Tab<'_>) {
    // Browsers refuse more than some two hundred navigations within a page in ten seconds.
    let trials = trials(110, 11);
    let page = Page::new(&trials, &facts(&trials), None);
    tab.open(&page.file(), "");
    let links: Vec<(String, String)> = trials
        .iter()
        .flat_map(|trial| {
            trial
                .findings
                .iter()
                .map(|found| (format!("#finding={}", found.fingerprint()), found.function().to_owned()))
        })
        .chain(trials.iter().map(|trial| (format!("#trial={}", trial.key.replace('+', "%2B")), trial.key.clone())))
        .collect();
    assert!(links.len() > 120 && links.len() < 190, "{} links", links.len());
    let missed = tab.text(&format!(
        "(async () => {{ const missed = [], links = {};
           for (const [link, words] of links) {{
             await new Promise((done) => {{ addEventListener('hashchange', () => setTimeout(done, 0), {{ once: true }}); if (location.hash === link) done(); location.hash = link; }});
             const shown = document.querySelector('main > section:not([hidden])');
             if (shown.id !== 'detail' || !shown.textContent.includes(words) || !shown.textContent.includes('Commands')) missed.push(link);
           }}
           return missed.join('\\n'); }})()",
        serde_json::to_string(&links).expect("text")
    ));
    assert_eq!(missed, "");
}

fn finding_view(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    let (trial, found) = pictured(trials);
    tab.open(&page.file(), &format!("#finding={}&trial={}", found.fingerprint(), trial.key));
    let shown = tab.text(SHOWN);
    let rule = found.rule().facts();
    let showing =
        trials.iter().filter(|trial| trial.findings.iter().any(|other| other.fingerprint() == found.fingerprint()));
    let showing: Vec<&TrialLine> = showing.collect();
    let truth = found.evidence.truth.as_ref().expect("executed");
    for part in [
        &*found.shown.message,
        found.blame().name(),
        &*found.shown.place,
        found.fingerprint(),
        rule.statement,
        rule.clause,
        &*truth.row.to_string(),
        &*trial.key,
        &*trial.commands[0],
        "first wrong in",
        &format!("{:#x}", truth.cfa.expect("known")),
        &format!("{} trial", showing.len()),
    ] {
        assert!(shown.contains(part), "no '{part}' in:\n{shown}");
    }
    for trial in &showing {
        assert!(shown.contains(&trial.producer), "{}", trial.producer);
    }
    // Every number that differs from the truth is marked, in words too: a sign is next to it.
    let marked =
        tab.text("[...document.querySelectorAll('table.voices td.wrong')].map((cell) => cell.innerText).join(' ')");
    let differ = |values: &Option<Values>| {
        let pairs = values
            .iter()
            .flat_map(|values| [values.cfa, values.ra, values.fp].into_iter().zip([truth.cfa, truth.ra, truth.fp]));
        pairs
            .filter_map(|(given, truth)| given.filter(|given| truth.is_some_and(|truth| truth != *given)))
            .collect::<Vec<u64>>()
    };
    let wanted: Vec<String> = [differ(&found.evidence.sframe), differ(&found.evidence.eh_frame)]
        .concat()
        .iter()
        .map(|value| format!("{value:#x} ≠"))
        .collect();
    assert!(!wanted.is_empty());
    assert_eq!(marked, wanted.join(" "));
    let lines = tab.number("document.querySelectorAll('table.window tbody tr').length");
    assert_eq!(lines as usize, found.shown.window.len());
    let wrong = tab.text("[...document.querySelectorAll('table.window tr.wrong')].map((row) => row.innerText).join()");
    let line = found.shown.window.iter().find(|line| line.wrong).expect("one");
    for part in ["▶", &*line.place, &*line.text, &*line.truth, &*line.sframe, &*line.eh_frame] {
        assert!(wrong.contains(part), "no '{part}' in '{wrong}'");
    }
}

/// Without a caller in the truth there is nothing to compare with: the table's claim itself is
/// wrong. A claim about code that was not executed is not compared.
fn claims(tab: &mut Tab<'_>) {
    let mut trial = trials(1, 1).remove(0);
    let values = |cfa, ra, row| Some(Values { cfa, ra, fp: None, row });
    let found = |rule, field, name: &str| {
        let mut found = reread(&Finding::new(rule, Blame::Assembler, "", Shape::Rule), |json| {
            json["fingerprint"] = name.into();
        });
        found.evidence.field = field;
        found.shown.message = format!("{name} is wrong");
        found
    };
    let mut outermost = found(RuleId::RowOutermost, Aspect::Ra, "f0");
    (outermost.evidence.executed, outermost.evidence.steps) = (true, 3);
    outermost.evidence.truth = values(None, None, Claim::NoCaller);
    outermost.evidence.sframe =
        values(Some(0x7008), Some(1), row(Abi::Amd64, (RSP, 8), BELOW_CFA, ValueRule::SameValue));
    outermost.evidence.eh_frame = values(None, None, Claim::NoCaller);
    outermost.shown.source = Some(SourceLine { file: "src/start.c".to_owned(), line: 41 });
    outermost.standing.resembles =
        Some(Resembles { file: "gas-x.yaml".to_owned(), of: "gas 2.44".to_owned(), same_case: false });
    let mut lost = found(RuleId::LinkConserved, Aspect::Structure, "f1");
    lost.shown.place = "forth".to_owned();
    trial.findings = vec![outermost, lost];
    let page = Page::new(&[trial], &RunFacts::default(), None);
    tab.open(&page.file(), "#finding=f0");
    assert_eq!(
        tab.text("[...document.querySelectorAll('table.voices td.wrong')].map((cell) => cell.innerText).join()"),
        "0x1 ≠"
    );
    let shown = tab.text(SHOWN);
    for part in ["At the first step that shows it", "src/start.c:41", "looks like\ngas-x in gas 2.44"] {
        assert!(shown.contains(part), "no '{part}' in {shown}");
    }
    tab.go("#finding=f1");
    let shown = tab.text(SHOWN);
    assert!(shown.contains("no: read from the file") && !shown.contains("compared"), "{shown}");
    assert!(shown.contains("where\nforth") && !shown.contains("steps"), "{shown}");
}

fn pictures(tab: &mut Tab<'_>) {
    let from_rsp = |offset, fp| row(Abi::Amd64, (RSP, offset), BELOW_CFA, fp);
    let (late, right) = (from_rsp(8, ValueRule::SameValue), from_rsp(16, ValueRule::AtCfa(-16)));
    let mut trial = trials(1, 1).remove(0);
    let values =
        |cfa, ra, row: &Claim| Some(Values { cfa: Some(cfa), ra: Some(ra), fp: Some(0x7100), row: row.clone() });
    let line = |pc: u64, truth: &Claim, sframe: &Claim, eh_frame: &Claim, wrong| WindowLine {
        pc,
        place: format!("f+{:#x}", pc - 0x1000),
        text: "nop".to_owned(),
        sframe: sframe.to_string(),
        eh_frame: eh_frame.to_string(),
        truth: truth.to_string(),
        wrong,
    };
    let found = Finding::new(RuleId::RowCfaMatchesTruth, Blame::Assembler, "", Shape::Rule);
    let mut found = reread(&found, |json| json["fingerprint"] = "f0".into());
    found.evidence.field = Aspect::Cfa;
    found.shown.message = "late".to_owned();
    found.evidence.executed = true;
    found.evidence.ranges = vec![(0x1001, 0x1002)];
    found.evidence.truth = values(0x7010, 0x40_1000, &right);
    found.evidence.sframe = values(0x7008, 0x7100, &late);
    found.evidence.eh_frame = values(0x7010, 0x40_1000, &right);
    // The push ends at 0x1001; .sframe changes its row an instruction late, at 0x1002.
    found.shown.window = vec![
        line(0x1000, &late, &late, &late, false),
        line(0x1001, &right, &late, &right, true),
        line(0x1002, &right, &right, &right, false),
    ];
    trial.findings = vec![found];
    let page = Page::new(&[trial], &RunFacts::default(), None);
    tab.open(&page.file(), "#finding=f0");

    let stripes = "[...document.querySelectorAll('.timeline .stripe')].map((box) => [box.getAttribute('y'), Math.round(box.getBoundingClientRect().left)].join(':'))";
    let stripes = tab.text(&format!("{stripes}.join(' ')"));
    let edges: Vec<(i64, i64)> = stripes
        .split(' ')
        .map(|pair| pair.split_once(':').expect("two"))
        .map(|(y, x)| (y.parse().expect("a number"), x.parse().expect("a number")))
        .collect();
    assert_eq!(edges.len(), 6, "two rows a source: {stripes}");
    let second = |lane: usize| edges[lane * 2 + 1].1;
    assert_eq!(second(0), second(2), "truth and .eh_frame change together");
    assert!(second(1) > second(0) + 50, ".sframe changes late: {stripes}");
    let charge = tab.number("document.querySelector('.timeline .charge').getBoundingClientRect().left");
    assert!((charge - second(0) as f64).abs() < 2.0, "what is wrong begins where the truth changes");
    assert_eq!(tab.number("document.querySelectorAll('.timeline .charge').length"), 1.0);

    let wrong = "[...document.querySelectorAll('table.window mark')].map((mark) => mark.textContent).join()";
    assert_eq!(tab.text(wrong), "cfa=rsp+8", "the frame pointer that its row gives is that of the truth");

    let marks = "[...document.querySelectorAll('.stack .mark text')].map((mark) => mark.textContent).join(' ')";
    let mut marked: Vec<String> = tab.text(marks).split(' ').map(str::to_owned).collect();
    marked.sort();
    assert_eq!(marked, ["CFA", "CFA", "CFA≠", "FP", "FP", "RA", "RA", "RA≠", "SP"]);
    let middle = |tab: &mut Tab<'_>, source: usize, name: &str| {
        tab.number(&format!(
            "(() => {{ const box = [...document.querySelectorAll('.stack .mark.v{source}')].find((mark) => mark.textContent === '{name}').querySelector('rect').getBoundingClientRect(); return box.top + box.height / 2; }})()"
        ))
    };
    let (truth, sframe) = (middle(tab, 0, "CFA"), middle(tab, 1, "CFA≠"));
    assert!((sframe - truth - 40.0).abs() < 1.0, "8 bytes lower is one word lower: {truth} {sframe}");
    assert!((middle(tab, 0, "RA") - truth - 20.0).abs() < 1.0, "the return address is in the word below the CFA");
    tab.eval("document.querySelector('figcaption button').click()");
    let turned = middle(tab, 1, "CFA≠") - middle(tab, 0, "CFA");
    assert!((turned + 40.0).abs() < 1.0, "turned over: {turned}");
}

fn clauses(tab: &mut Tab<'_>) {
    let (trials, page) = usual();
    let exercised: Vec<_> = trials.iter().filter_map(results::exercised).collect();
    let covering = |clause: &spec::Clause| exercised.iter().filter(|exercised| exercised.covers(clause)).count();
    tab.open(&page.file(), "#clauses");
    let all = tab.number("document.querySelectorAll('#clause-list tbody tr:not([hidden])').length");
    assert_eq!(all as usize, spec::clauses().count());
    tab.eval("document.querySelector('[data-clauses=open]').click()");
    let open =
        spec::clauses().filter(|clause| clause.shown_by != spec::ShownBy::Nobody && covering(clause) == 0).count();
    let shown = "[...document.querySelectorAll('#clause-list tbody tr')].filter((row) => row.checkVisibility()).length";
    assert_eq!(tab.number(shown) as usize, open);
    for clause in spec::clauses().filter(|clause| covering(clause) > 0).step_by(17) {
        tab.go(&format!("#trials&covers={}", clause.id));
        let count = tab.text("document.querySelector('#trials .count').textContent");
        assert_eq!(count, format!("{} trials", covering(clause)), "{}", clause.id);
    }
}

fn hostile(tab: &mut Tab<'_>) {
    const EVIL: &str = "</script><img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script>\"'&lt;${1}\u{202e}\u{0}";
    let evil = || EVIL.to_owned();
    let mut trials = trials(40, 3);
    for trial in trials.iter_mut().take(3) {
        // Rule, blame and stage are not free text: unknown words in them are refused when results
        // are parsed.
        let mut found = reread(pictured(&crate::page_sample::trials(600, 2)).1, |json| {
            for key in ["fingerprint", "function", "message", "place", "section", "shape"] {
                json[key] = EVIL.into();
            }
        });
        for line in &mut found.shown.window {
            (line.place, line.text, line.sframe, line.eh_frame, line.truth) = (evil(), evil(), evil(), evil(), evil());
        }
        found.evidence.sframe = Some(Values::from_row(Claim::Printed(evil())));
        found.standing.known = Some(evil());
        trial.findings = vec![found];
        trial.key = format!("{}{EVIL}", trial.key);
        (trial.case, trial.topic, trial.producer) = (evil(), evil(), format!("{}{EVIL}", trial.producer));
        trial.commands = vec![evil()];
        trial.problems = vec![evil()];
        trial.covers = vec![evil()];
        trial.tools = [(evil(), evil())].into();
    }
    let page = Page::new(&trials, &facts(&trials), Some(&trials[3..]));
    tab.open(&page.file(), "");
    let follow = ["#findings", "#trials", "#sizes", "#producers", "#changes"];
    for view in follow {
        tab.go(view);
    }
    tab.go("#findings");
    tab.eval("[...document.querySelectorAll('.row')].find((row) => row.textContent.includes('pwned')).click()");
    tab.wait("location.hash.startsWith('#finding=')");
    let shown = tab.text(SHOWN);
    assert!(shown.contains("<img src=x onerror=") && shown.contains("${1}") && shown.contains("&lt;"), "{shown}");
    tab.eval("[...document.querySelectorAll('#detail dd a')].find((link) => link.hash.startsWith('#trial=')).click()");
    tab.wait("location.hash.startsWith('#trial=')");
    let shown = tab.text(SHOWN);
    assert!(shown.contains("Commands") && shown.contains("onerror="), "a hostile key finds its trial: {shown}");
    assert_eq!(tab.number("document.querySelectorAll('img').length"), 0.0);
    assert_eq!(tab.number("document.scripts.length"), 3.0);
    // A heading may contain the text; an injected script would set the title.
    assert_ne!(tab.text("document.title"), "pwned");
}

/// The cost of a page grows little with each trial, and only items near the window are drawn.
fn many(tab: &mut Tab<'_>) {
    let trials = trials(MANY, 1);
    let of = |trials: &[TrialLine]| Page::new(trials, &facts(trials), None);
    let bytes = |page: &Page| std::fs::metadata(page.file()).expect("written").len();
    let (page, few) = (of(&trials), of(&trials[..FEW]));
    let each = (bytes(&page) - bytes(&few)) / (MANY - FEW) as u64;
    assert!(each < 300, "{each} bytes for each");
    tab.open(&page.file(), "#trials");
    assert_eq!(tab.text("document.querySelector('#trials .count').textContent"), "10,000 trials", "all of MANY");
    let elements = "document.querySelectorAll('#trial-list *').length";
    let drawn = tab.number(elements);
    assert!(drawn > 0.0 && drawn < 2_000.0, "{drawn} elements");
    tab.go("#trials&q=outermost%20x");
    assert!(tab.number(elements) < 2_000.0);
}

const MANY: usize = 10_000;
const FEW: usize = 1_000;
