//! The page in a real browser: content, filters by keyboard, links, schemes, widths, speed. Needs
//! Chromium on PATH; without one the tests are ignored, and fail under
//! `SFRAME_CONFORMANCE_STRICT=1`.
//!
//! `SFRAME_CONFORMANCE_SHOTS=DIR` makes the test `screenshots` write images of every view there;
//! `SFRAME_CONFORMANCE_RESULTS=DIR` makes it show `results.jsonl` and `run.json` of that directory,
//! and `SFRAME_CONFORMANCE_PREVIOUS=DIR` the changes since the results of another.

mod audit;
mod bugs;
mod chromium;
mod contrast;
mod keys;
mod looks;
mod pages;
mod plain_sample;
mod views;

#[path = "../suite/page_sample.rs"]
mod page_sample;
#[path = "../suite/typed.rs"]
mod typed;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::chromium::{Browser, Tab};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert_with(browsers);
    let program = chromium::program();
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    // Idle browsers.
    let idle: Arc<Mutex<Vec<Browser>>> = Arc::default();
    // Screenshots are for people: without a directory for them the test has nothing to do.
    let shots = std::env::var_os("SFRAME_CONFORMANCE_SHOTS").is_some();
    let trials = views::TESTS.iter().filter(|(name, _)| shots || *name != "screenshots").map(|(name, test)| {
        let (program, idle) = (program.clone(), Arc::clone(&idle));
        let (name, ignored) = match (&program, strict) {
            (None, false) => (format!("{name} (no Chromium on PATH: ci/setup browser)"), true),
            _ => ((*name).to_owned(), false),
        };
        let run = move || {
            let program = program.ok_or_else(|| Failed::from("no Chromium on PATH"))?;
            let taken = || idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut outcome = Ok(());
            for tried in 1..=TRIES {
                let mut browser = taken().unwrap_or_else(|| Browser::start(&program));
                outcome = catch_unwind(AssertUnwindSafe(|| in_tab(&mut browser, *test)));
                if outcome.is_ok() {
                    idle.lock().unwrap_or_else(PoisonError::into_inner).push(browser);
                    break;
                }
                // A failed test must not affect the next one: its browser ends here.
                eprintln!("browser: try {tried} of {TRIES} failed");
            }
            outcome.map_err(|panic| {
                let text = panic.downcast_ref::<String>().cloned();
                Failed::from(
                    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default(),
                )
            })
        };
        Trial::test(name, run).with_ignored_flag(ignored)
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    conclusion.exit_code()
}

/// Number of parallel browsers: one for each core, as each starts the most expensive part anew; two
/// on a single core, which waits from time to time.
fn browsers() -> usize {
    thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 6))
}

/// Maximum number of tries of a test: drawing depends on the load of the machine, and each try
/// starts with a new browser. A bug of the page fails every time.
const TRIES: u32 = 3;

/// Runs a test in a page of its own, which must report no errors.
fn in_tab(browser: &mut Browser, test: fn(&mut Tab<'_>)) {
    let mut tab = browser.tab();
    tab.size(1280, 900);
    test(&mut tab);
    let complaints = tab.complaints();
    assert!(complaints.is_empty(), "the page complained: {complaints:#?}");
}
