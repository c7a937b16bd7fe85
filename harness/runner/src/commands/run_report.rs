//! Progress and results of a run of the matrix, as the command prints and writes them.

use std::io::{self, Write};
use std::path::Path;

use ledger::Home;
use ledger::run_files::write_file;
use matrix::run::{EndedRun, JUNIT, PAGE, Previous, RunObserver, SARIF};
use reports::console::{self, ConsoleOptions, Ending, Since};
use reports::escape::line;
use reports::history::{CompareOptions, compare};
use reports::page::{self, PageExtras};
use reports::progress::{Amount, Progress};
use reports::screen::Screen;
use reports::terminal;
use reports::testrun::{Format, Pinned, of_matrix};
use results::{RunResults, Status, TrialLine, tally};
use types::counted;

use crate::places::places;

use super::program_name;

/// The progress of a run, on standard error.
#[derive(Default)]
pub(super) struct RunProgress(Option<Progress>);

impl RunObserver for RunProgress {
    fn begin(&mut self, trials: usize, threads: usize) {
        let all = Amount { count: trials as u64, work: trials as u64 };
        self.0 = Some(Progress::new("trial", all, threads));
    }

    fn ended(&mut self, trial: &TrialLine) {
        let Some(progress) = &mut self.0 else { return };
        if matches!(trial.status, Status::Fail | Status::Xpass | Status::Unresolved) {
            progress.bad();
            progress.say(&format!("{} {}", tally::word(trial.status), line(&trial.key)));
        }
        progress.add(&trial.key, 1);
    }

    fn end(&mut self) {
        if let Some(progress) = self.0.take() {
            progress.end();
        }
    }
}

/// Where and how results are printed.
pub(super) struct RunPrinter<'a> {
    /// The checkout.
    pub(super) home: &'a Home,
    /// The results folder.
    pub(super) folder: &'a Path,
    /// True if clauses that no trial covers are listed.
    pub(super) clauses: bool,
}

impl RunPrinter<'_> {
    /// Writes the page and the files for other tools, and prints the results.
    pub(super) fn print(&self, ended: EndedRun, out: &mut dyn Write) -> io::Result<()> {
        let remarks = remarks(&ended);
        let EndedRun { results: run, previous, wider, .. } = ended;
        let (changes, other) = match &previous {
            // Results that this run did not request have not vanished.
            Previous::Results(old) if old.facts.asked == run.facts.asked => {
                (Some(compare(old, &run, CompareOptions::default())), None)
            }
            Previous::Results(old) => (None, Some(&old.facts.asked)),
            Previous::Unreadable(error) => {
                let why = line(&error.to_string());
                writeln!(terminal::stderr(), "sframe-conformance: not compared with the previous run: {why}")?;
                (None, None)
            }
            Previous::Absent | Previous::NotCompared => (None, None),
        };
        let since = match (&changes, other, &previous) {
            (Some(changes), ..) => Since::Changes(changes),
            (None, Some(other), _) => Since::Other(other),
            (None, None, Previous::Absent) => Since::First,
            (None, None, _) => Since::Unasked,
        };
        let places = places(&program_name(), self.home, self.folder, &run.trials);
        let beside =
            PageExtras { changes: changes.as_ref(), places: Some(&places), seen: None, readers: Some(page::READERS) };
        self.write(&run, beside)?;
        let RunResults { facts, trials } = &run;
        let options = ConsoleOptions { screen: Screen::of_stdout(), places: &places, clauses: self.clauses };
        if self.clauses {
            console::covered(facts, options, out)?;
        }
        console::end(trials, facts, options, &Ending { since, wider, remarks: &remarks }, out)
    }

    fn write(&self, RunResults { facts, trials }: &RunResults, beside: PageExtras<'_>) -> io::Result<()> {
        let tests = of_matrix(trials, facts, &Pinned::default());
        let page = page::render(trials, facts, beside);
        write_file(&self.folder.join(PAGE), |out| out.write_all(page.as_bytes()))?;
        write_file(&self.folder.join(JUNIT), |out| tests.write(Format::Junit, out))?;
        write_file(&self.folder.join(SARIF), |out| tests.write(Format::Sarif, out))
    }
}

/// Sentences at the end of the results.
fn remarks(ended: &EndedRun) -> Vec<String> {
    let mut remarks = Vec::new();
    if ended.results.facts.unfinished {
        let selected = counted(ended.selected, "trial");
        remarks.push(format!("interrupted: {} of {selected} did not run", ended.left_out));
    }
    let of_host = ended.results.trials.iter().filter(|trial| trial.host_failure).count();
    if of_host > 0 {
        remarks.push(format!(
            "{} ran out of time or disk space of this machine; `run --resume` tries them again",
            counted(of_host, "trial")
        ));
    }
    if let Some(rechecked) = ended.rechecked {
        remarks.push(format!("{} executed again, with the same result", counted(rechecked, "command")));
    }
    remarks.extend(ended.idle.iter().map(|pattern| {
        format!(
            "IDLE {pattern}: the ledger expects a trial of this name, and there is none; correct the name or remove it"
        )
    }));
    remarks
}
