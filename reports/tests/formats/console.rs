//! Results on a terminal, and the exit code that goes with them.

use reports::console;
use reports::results::Status;
use reports::tally::Tally;

use crate::sample::{self, hostile, run, trial};

fn written(run: &reports::history::RunResults) -> String {
    sample::text(|out| console::write(&run.trials, out))
}

#[test]
fn it_tells_failures_findings_and_the_table() {
    let text = written(&run());
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in\n{text}"));
    at(&format!("FAIL {}\n     vacuous: 0 steps", sample::VACUOUS));
    at(&format!("XPASS {}\n", sample::XPASS));
    at(&format!("UNRESOLVED {}\n", sample::UNRESOLVED));
    assert!(at("new findings: 1\n") < at("known findings: 1\n"));
    at("      3 × assembler: row/outermost in _start   ");
    at("amd64       v1         0      2      0      0          0           0         6          80\n");
    at("UNSUPPORTED 1 trial: mold is not on PATH\n");
    assert!(text.ends_with("2 FAIL, 1 XPASS, 1 UNRESOLVED, 2 XFAIL, 1 PASS, 1 UNSUPPORTED\n"));
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
    }
}
