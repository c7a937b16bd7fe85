//! Results on a terminal, and the exit code that goes with them.

use std::io::Write as _;

use reports::console::{self, ConsoleOptions, Ending, Since};
use reports::history::{CompareOptions, compare};
use reports::page::{self, PageExtras};
use reports::places::Places;
use reports::screen::Screen;
use reports::terminal::Terminal;
use reports::testrun::{Format, Pinned, of_matrix};
use results::RunResults;
use results::tally::{Tally, exit_code};
use results::{Blame, EntryClass, Finding, Resembles, RunAsked, RunFacts, Sizes, Source, Status, TrialLine, WrongRow};
use spec::RuleId;
use types::{Abi, Reg, SourceLine, ValueRule};

use super::sample::{self, hostile, run, trial};
use crate::typed::{self, BELOW_CFA};

/// Options for a log, with nothing optional.
fn options(places: &Places) -> ConsoleOptions<'_> {
    ConsoleOptions { screen: Screen::default(), places, clauses: false }
}

fn written(run: &RunResults) -> String {
    sample::text(|out| console::write(&run.trials, &run.facts, options(&Places::default()), out))
}

#[track_caller]
fn printed(name: &str, run: &RunResults, options: ConsoleOptions<'_>) {
    let text = sample::text(|out| console::write(&run.trials, &run.facts, options, out));
    testing::printed!(name, &text);
}

fn places() -> Places {
    let kept = [sample::FAIL, sample::VACUOUS].map(str::to_owned).into();
    let (program, results) = ("sframe-conformance".to_owned(), "my results".to_owned());
    Places { program, root: String::new(), results, kept }
}

#[test]
fn the_end_of_a_run_says_what_is_wrong_and_what_to_call() {
    let places = places();
    printed("run.txt", &run(), options(&places));
}

/// A run has the same new bugs with the same titles in every format.
#[test]
fn every_form_has_the_same_bugs_and_titles() {
    let mut run = run();
    let row = |function: &str, right: ValueRule| {
        let mut found = sample::finding(sample::CFA, Blame::Assembler, function, None);
        found.evidence.rows[0].right = Some(Source::EhFrame);
        found.evidence.rows[0].eh_frame = typed::row(Abi::Amd64, (Reg(7), 16), BELOW_CFA, right);
        found
    };
    let of = |name: &str, findings| TrialLine {
        findings,
        ..trial(&format!("gas@2.40::amd64::v1::frames::{name}"), Status::Fail)
    };
    run.trials.push(of("one", vec![row("f", ValueRule::SameValue), row("g", ValueRule::AtCfa(-16))]));
    run.trials.push(of("two", vec![row("h", ValueRule::SameValue)]));
    let causes = reports::causes::new_causes(&run.trials);
    assert_eq!(causes.len(), 3);
    let terminal = written(&run);
    let tests = of_matrix(&run.trials, &run.facts, &Pinned::default());
    let markdown = sample::text(|out| tests.write(Format::Markdown, out));
    let github = sample::text(|out| tests.write(Format::Github, out));
    let page = page::render(&run.trials, &run.facts, PageExtras::default());
    let first_view = page.split("Who is blamed").next().expect("a part");
    for cause in &causes {
        let title = cause.best.headline();
        assert!(terminal.contains(&format!("FAIL {title}, in ")), "{title}: {terminal}");
        assert!(markdown.contains(&format!(". `{title}`\n")), "{title}: {markdown}");
        assert!(github.contains(&format!("title={title}::").replace(", ", "%2C ")), "{title}: {github}");
        assert!(first_view.contains(&format!(">{}</a>", title.replace('<', "&lt;"))), "{title}: {first_view}");
    }
    assert!(terminal.ends_with("\n3 new bugs: 4 FAIL, 1 XPASS, 1 UNRESOLVED, 2 XFAIL, 1 PASS, 1 UNSUPPORTED\n"));
    assert!(markdown.contains("\n3 new and 1 known bug in 10 trials; "), "{markdown}");
    assert_eq!(first_view.matches("✗ new</span> <a href=\"#finding=").count(), 3);
    assert!(first_view.contains("Bugs<span class=\"n\">4</span>"), "{first_view}");
}

/// An unimplemented feature is listed separately, and never counted as a bug.
#[test]
fn what_is_not_implemented_is_no_bug() {
    let mut run = run();
    for entry in &mut run.facts.ledger {
        entry.class = EntryClass::NotImplemented;
    }
    let text = written(&run);
    assert!(
        text.starts_with("not counted as bugs: not implemented, or contested: 1\n      3 × no way to say"),
        "{text}"
    );
    assert!(text.contains("\nknown      1 feature not implemented\n"), "{text}");
    let tests = of_matrix(&run.trials, &run.facts, &Pinned::default());
    let markdown = sample::text(|out| tests.write(Format::Markdown, out));
    assert!(markdown.contains("\n1 new and 0 known bugs in "), "{markdown}");
    let page = page::render(&run.trials, &run.facts, PageExtras::default());
    assert!(
        page.contains("<h3>Not counted as bugs: not implemented, or contested</h3>")
            && page.contains("Bugs<span class=\"n\">1</span>")
    );
}

/// A problem of the machine occurs in many trials, and is printed once; the end has the comparison
/// and the trials that did not run, in at most ten lines.
#[test]
fn what_many_trials_have_is_told_once_and_the_end_is_short() {
    let mut run = run();
    let problem = "SFrame version is v2, recorded is v3".to_owned();
    run.trials.extend((0..83).map(|number| {
        let key = format!("gas@2.44::amd64::v3::frames::case{number:02}");
        TrialLine { problems: vec![problem.clone()], ..trial(&key, Status::Unresolved) }
    }));
    let places = places();
    let asked = RunAsked { filters: vec!["frames::".to_owned()], ..RunAsked::default() };
    let ending = Ending { since: Since::Other(&asked), wider: 40, remarks: &[] };
    let text = sample::text(|out| console::end(&run.trials, &run.facts, options(&places), &ending, out));
    assert_eq!(text.matches(&problem).count(), 1, "{text}");
    assert!(text.contains("\nUNRESOLVED gas@2.44::amd64::v3::frames::case00, and 82 more trials\n"), "{text}");
    let last: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("page ")).collect();
    testing::printed!("ending.txt", &last.join("\n"));
    assert!(last.len() <= 10, "{last:#?}");
    // `--against` compares, whatever the folder of the results had.
    run.facts.asked.against = Some("before".to_owned());
    for since in [Since::First, ending.since] {
        let ending = Ending { since, ..ending };
        let text = sample::text(|out| console::end(&run.trials, &run.facts, options(&places), &ending, out));
        let compared: Vec<&str> = text.lines().filter(|line| line.starts_with("compared ")).collect();
        assert_eq!(compared, ["compared   with before: what was wrong there is known"]);
    }
}

/// New means not in the ledger, not merely absent from the previous run: a run with exit code 0 has
/// nothing new.
#[test]
fn what_is_known_is_not_called_new() {
    let run = run();
    let passing: Vec<_> = run.trials.iter().filter(|trial| trial.status == Status::Xfail).cloned().collect();
    let before = passing.iter().map(|trial| TrialLine { findings: Vec::new(), status: Status::Pass, ..trial.clone() });
    let before: Vec<_> = before.collect();
    let of = |trials| RunResults { facts: run.facts.clone(), trials };
    let changes = compare(&of(before), &of(passing.clone()), CompareOptions::default());
    assert!(!changes.new.is_empty() && exit_code(&passing, &run.facts) == 0);
    let ending = Ending { since: Since::Changes(&changes), ..Ending::default() };
    let text = sample::text(|out| console::end(&passing, &run.facts, options(&Places::default()), &ending, out));
    assert!(text.contains("known that the previous run did not show"), "{text}");
    assert!(!text.replace("no new bug", "").contains(" new"), "{text}");
}

/// The suggested commands repeat options that replaced a tool.
#[test]
fn builds_of_ones_own_are_named_in_what_to_call() {
    let mut run = run();
    run.facts.asked.programs = ["--as", "../gas/as-new"].map(str::to_owned).to_vec();
    let places = places();
    let text = sample::text(|out| console::write(&run.trials, &run.facts, options(&places), out));
    for command in ["reduce", "bundle"] {
        let line = text.lines().find(|line| line.contains(&format!("sframe-conformance {command} ")));
        assert!(line.is_some_and(|line| line.ends_with(" --as ../gas/as-new")), "{command}: {text}");
    }
}

/// One wrong row shows in the row, in the chains through it, and in many functions and trials.
#[test]
fn a_bug_is_told_once() {
    let mut run = run();
    run.trials = (0..12)
        .map(|number| {
            let mut row = sample::finding(sample::CFA, Blame::Assembler, &format!("f{number}"), None);
            row.evidence.rows[0].right = Some(Source::EhFrame);
            row.evidence.rows[0].eh_frame =
                typed::row(Abi::Amd64, (Reg(7), 16 + number), BELOW_CFA, ValueRule::SameValue);
            let mut chain = sample::finding(RuleId::ChainMatchesTruth, Blame::Assembler, "caller", None);
            chain.evidence.rows = vec![WrongRow { right: None, ..row.evidence.rows[0].clone() }];
            chain.evidence.depth = 1;
            row.standing.resembles =
                Some(Resembles { file: "gas-x.yaml".to_owned(), of: "gas 2.44".to_owned(), same_case: number == 0 });
            row.shown.source = Some(SourceLine { file: "src/parse.c".to_owned(), line: 41 });
            let key = format!("gas@2.40::amd64::v1::frames::case{number:02}");
            TrialLine { findings: vec![chain, row], ..trial(&key, Status::Fail) }
        })
        .collect();
    run.facts.clauses.clear();
    let places = places();
    printed("bug.txt", &run, options(&places));
    assert_eq!(reports::causes::new_causes(&run.trials).len(), 1);
}

/// A different wrong value is another bug, also in the same finding; so is a broken rule of the
/// format.
#[test]
fn nothing_is_hidden_after_another_bug() {
    let wrong = |right: ValueRule| {
        let mut found = sample::finding(sample::CFA, Blame::Assembler, "f", None);
        found.evidence.rows[0].right = Some(Source::EhFrame);
        found.evidence.rows[0].eh_frame = typed::row(Abi::Amd64, (Reg(7), 16), BELOW_CFA, right);
        found
    };
    let mut both = wrong(ValueRule::SameValue);
    both.evidence.rows.extend(wrong(ValueRule::AtCfa(-16)).evidence.rows);
    let broken = Finding::new(RuleId::HeaderMagic, Blame::Linker, ".sframe", results::Shape::Rule);
    let one = |findings| TrialLine { findings, ..trial(sample::FAIL, Status::Fail) };
    let count = |findings| reports::causes::new_causes(&[one(findings)]).len();
    assert_eq!(count(vec![wrong(ValueRule::SameValue)]), 1);
    assert_eq!(count(vec![wrong(ValueRule::SameValue), wrong(ValueRule::AtCfa(-16))]), 2);
    assert_eq!(count(vec![both]), 2);
    assert_eq!(count(vec![wrong(ValueRule::SameValue), broken]), 2);
}

/// A wrong CFA that later rows keep is one bug, whatever register they use and wherever they place
/// values relative to it; where it goes wrong a second time it may be another.
#[test]
fn a_bug_is_counted_where_a_table_goes_wrong() {
    let row = |range, cfa, right: (ValueRule, ValueRule)| WrongRow {
        ranges: vec![range],
        right: Some(Source::EhFrame),
        sframe: typed::row(Abi::Amd64, cfa, BELOW_CFA, right.0),
        eh_frame: typed::row(Abi::Amd64, (Reg(7), 16), BELOW_CFA, right.1),
        ..sample::finding(sample::CFA, Blame::Assembler, "f", None).evidence.rows.remove(0)
    };
    let saved = ValueRule::AtCfa(-16);
    let count = |second| {
        let mut found = sample::finding(sample::CFA, Blame::Assembler, "f", None);
        found.evidence.rows =
            vec![row((1, 4), (Reg(7), 24), (saved, ValueRule::SameValue)), row(second, (Reg(6), 24), (saved, saved))];
        found.evidence.rows.push(row((second.1 + 1, second.1 + 3), (Reg(6), 24), (saved, saved)));
        found.evidence.rows.push(WrongRow { right: None, ranges: vec![(3, 4)], ..found.evidence.rows[0].clone() });
        let mut walk = sample::finding(sample::CFA, Blame::EhFrame, "f", None);
        walk.evidence.rows = vec![WrongRow { right: None, ranges: vec![(2, 3)], ..found.evidence.rows[0].clone() }];
        let trial = TrialLine { findings: vec![found, walk], ..trial(sample::FAIL, Status::Fail) };
        let mut plain = sample::finding(sample::CFA, Blame::Assembler, "g", None);
        plain.evidence.rows = vec![row((0, 8), (Reg(7), 32), (saved, saved))];
        let other = TrialLine { findings: vec![plain], ..trial.clone() };
        reports::causes::new_causes(&[trial, other]).len()
    };
    assert_eq!(count((4, 9)), 1);
    assert_eq!(count((5, 9)), 2);
}

/// No line of the tables is wider than the screen, and the marks are terminal escape sequences.
#[test]
fn it_fits_the_screen_and_marks_what_is_wrong() {
    let places = places();
    let screen = Screen { colour: true, width: Some(60) };
    let run = run();
    let mut bytes = Vec::new();
    console::write(&run.trials, &run.facts, ConsoleOptions { screen, ..options(&places) }, &mut bytes).expect("memory");
    let plain =
        |bytes: &[u8]| String::from_utf8(bytes.iter().copied().filter(|byte| *byte < 0xf8).collect()).expect("text");
    let text = plain(&bytes);
    let table: Vec<&str> =
        text.lines().skip_while(|line| !line.starts_with("producer")).take_while(|line| !line.is_empty()).collect();
    assert!(table.len() > 3 && table.iter().all(|line| line.chars().count() <= 60), "{table:#?}");
    let mut out = Vec::new();
    Terminal::marked(&mut out).write_all(&bytes).expect("memory");
    let marked = String::from_utf8(out).expect("text");
    assert!(marked.contains("\u{1b}[1;31mFAIL\u{1b}[0m \u{1b}[1mCFA is rsp+8,"), "{marked}");
    // Without colours the marks are not escape sequences either.
    let mut out = Vec::new();
    Terminal::new(&mut out).write_all(&bytes).expect("memory");
    assert!(!String::from_utf8(out).expect("text").contains('\u{1b}'));
    assert!(
        sample::text(|out| console::write(&run.trials, &run.facts, options(&places), out))
            .contains("\nFAIL CFA is rsp+8,")
    );
}

#[test]
fn what_no_trial_covers_is_listed_on_request() {
    let places = places();
    let text = |clauses| {
        sample::text(|out| {
            console::write(&run().trials, &run().facts, ConsoleOptions { clauses, ..options(&places) }, out)
        })
    };
    assert!(!text(false).contains("not covered") && text(true).contains("not covered"));
}

/// Sums of compiled programs with both tables; handwritten cases are not counted.
#[test]
fn sizes_are_those_of_compiled_programs() {
    let sizes =
        |sframe, eh_frame| Some(Sizes { sframe, eh_frame, eh_frame_hdr: 10, functions: 4, rows: 10, text: 100 });
    // For a link of compiler-assembled objects, code and rows are unknown.
    let linked = sizes(900, 900).map(|sizes| Sizes { rows: 0, text: 0, ..sizes });
    let mut trials: Vec<_> = ["one", "two", "three", "four", "five"]
        .map(|name| trial(&format!("gas@2.44::amd64::v2::c::{name}"), Status::Pass))
        .into();
    for (trial, size) in trials.iter_mut().zip([sizes(60, 70), sizes(90, 70), sizes(500, 0), sizes(900, 900), linked]) {
        trial.sizes = size;
        trial.tools.insert("compiler".to_owned(), "gcc@12.2.0".to_owned());
    }
    trials[3].tools.remove("compiler");
    let text = sample::text(|out| console::write(&trials, &RunFacts::default(), options(&Places::default()), out));
    let row = text.lines().skip_while(|line| !line.starts_with("sizes")).nth(1).expect("a row");
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells, ["gas@2.44", "amd64", "v2", "2", "200", "150", "140", "20", "0.94", "18.8", "2.50"]);
}

#[test]
fn a_run_that_was_not_finished_says_so_last() {
    let mut run = run();
    run.facts.unfinished = true;
    assert!(written(&run).ends_with("1 UNSUPPORTED; the run was not finished; `run --resume` continues it\n"));
}

#[test]
fn nothing_from_outside_moves_the_terminal() {
    sample::assert_tame(&written(&hostile()).replace('\t', ""));
}

/// The contract of the command: 1 over 2 over 0; known findings and tests that cannot run change
/// nothing, an XPASS does. 3 if nothing was tried.
#[test]
fn the_worst_status_gives_the_exit_code() {
    for (statuses, code) in [
        (&[][..], 3),
        (&[Status::Unsupported, Status::Unsupported], 3),
        (&[Status::Pass, Status::Xfail, Status::Unsupported], 0),
        (&[Status::Pass, Status::Unresolved], 2),
        (&[Status::Unresolved, Status::Fail], 1),
        (&[Status::Xpass, Status::Pass], 1),
    ] {
        let trials: Vec<_> = statuses.iter().map(|status| trial(sample::PASS, *status)).collect();
        assert_eq!(Tally::new(&trials).exit_code(), code % 3, "{statuses:?}");
        let facts = |unfinished| RunFacts { unfinished, ..RunFacts::default() };
        assert_eq!(exit_code(&trials, &facts(false)), code);
        assert_eq!(exit_code(&trials, &facts(true)), if code == 1 { 1 } else { 2 }, "{statuses:?}, unfinished");
    }
}

/// A table's row that assembly source wrote is not a bug of a compiler.
#[test]
fn what_assembly_source_describes_is_not_blamed_on_a_compiler() {
    let mut found = sample::finding(sample::CFA, Blame::Compiler, "memcpy", None);
    for (file, blamed) in [("sysdeps/memcpy.S", "assembly source"), ("memcpy.c", "compiler")] {
        found.shown.source = Some(SourceLine { file: file.to_owned(), line: 7 });
        let text = sample::text(|out| reports::text::print_finding(&found, None, Screen::default(), out));
        assert!(text.contains(&format!("blame: {blamed}   function: memcpy")), "{text}");
    }
}
