//! Results on a terminal, and the exit code that goes with them.

use model::{RunFacts, Sizes, Status};
use reports::console;
use reports::tally::{Tally, exit_code};

use super::sample::{self, hostile, run, trial};

fn written(run: &reports::history::RunResults) -> String {
    sample::text(|out| console::write(&run.trials, &run.facts, out))
}

#[test]
fn it_prints_failures_findings_and_the_table() {
    let text = written(&run());
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in\n{text}"));
    at(&format!("FAIL {}\n     vacuous: 0 steps", sample::VACUOUS));
    at(&format!("XPASS {}\n", sample::XPASS));
    at(&format!("UNRESOLVED {}\n", sample::UNRESOLVED));
    assert!(at("new findings: 1\n") < at("known findings: 1, of 1 entry of the ledger\n"));
    // The entry of the ledger that covers them, with the trials where it does: in the third, too, where something new stands beside it.
    at("      3 × outermost-amd64.yaml   1 finding (assembler: row/outermost)\n");
    let words = |start: &str| -> Vec<&str> {
        text.lines()
            .find(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("no {start:?} in\n{text}"))
            .split_whitespace()
            .collect()
    };
    let heads = words("producer ");
    let row = words("ld@2.44 ");
    for (head, value) in [("FAIL", "1"), ("PASS", "0"), ("abi", "amd64"), ("vers", "v2"), ("steps", "40")] {
        let column = heads.iter().position(|name| *name == head).unwrap_or_else(|| panic!("no {head} in {heads:?}"));
        assert_eq!(row[column], value, "{head} in {row:?}");
    }
    assert!(text.contains("  assembler 1, linker 1\n"), "findings by blame: {text}");
    at("UNSUPPORTED 1 trial: mold is not on PATH\n");
    at("clauses of the specification covered: 1 of 2 that producers show");
    assert!(text.ends_with("\n2 FAIL, 1 XPASS, 1 UNRESOLVED, 2 XFAIL, 1 PASS, 1 UNSUPPORTED\n"));
}

/// Compiled programs with both tables, added up: what hand-written cases take is not counted.
#[test]
fn sizes_are_those_of_compiled_programs() {
    let sizes =
        |sframe, eh_frame| Some(Sizes { sframe, eh_frame, eh_frame_hdr: 10, functions: 4, rows: 10, text: 100 });
    // Of a link whose objects a compiler assembled, code and rows are not known.
    let linked = sizes(900, 900).map(|sizes| Sizes { rows: 0, text: 0, ..sizes });
    let mut trials: Vec<_> = ["one", "two", "three", "four", "five"]
        .map(|name| trial(&format!("gas@2.44::amd64::v2::c::{name}"), Status::Pass))
        .into();
    for (trial, size) in trials.iter_mut().zip([sizes(60, 70), sizes(90, 70), sizes(500, 0), sizes(900, 900), linked]) {
        trial.sizes = size;
        trial.tools.insert("compiler".to_owned(), "gcc@12.2.0".to_owned());
    }
    trials[3].tools.remove("compiler");
    let text = sample::text(|out| console::write(&trials, &RunFacts::default(), out));
    let row = text.lines().skip_while(|line| !line.starts_with("sizes")).nth(1).expect("a row");
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells, ["gas@2.44", "amd64", "v2", "2", "200", "150", "140", "20", "0.94", "18.8", "2.50"]);
}

#[test]
fn a_run_that_was_not_finished_says_so_last() {
    let mut run = run();
    run.facts.unfinished = true;
    assert!(written(&run).ends_with("1 UNSUPPORTED; the run was not finished; run --resume goes on with it\n"));
}

#[test]
fn nothing_from_outside_moves_the_terminal() {
    sample::assert_tame(&written(&hostile()).replace('\t', ""));
}

/// The contract of the command: 1 over 2 over 0; what is known or cannot run changes nothing, what no longer fails does.
#[test]
fn the_worst_status_gives_the_exit_code() {
    for (statuses, code) in [
        (&[][..], 0),
        (&[Status::Pass, Status::Xfail, Status::Unsupported], 0),
        (&[Status::Pass, Status::Unresolved], 2),
        (&[Status::Unresolved, Status::Fail], 1),
        (&[Status::Xpass, Status::Pass], 1),
    ] {
        let trials: Vec<_> = statuses.iter().map(|status| trial(sample::PASS, *status)).collect();
        assert_eq!(Tally::of(&trials).exit_code(), code, "{statuses:?}");
        let facts = |unfinished| RunFacts { unfinished, ..RunFacts::default() };
        assert_eq!(exit_code(&trials, &facts(false)), code);
        assert_eq!(exit_code(&trials, &facts(true)), if code == 0 { 2 } else { code }, "{statuses:?}, unfinished");
    }
}
