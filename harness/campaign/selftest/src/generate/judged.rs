//! Judges generated programs. Their tables are correct by construction: there must be no findings
//! except warnings about their style, nothing undecided, and they must run to their end with their
//! full depth.

use std::collections::BTreeSet;

use check::signals::{Due, SignalAt};
use check::{Checked, Inputs, Judging, Limits, Options, check_image};
use generators::elf::FileKind;
use generators::program::{Coverage, Program, ProgramFile, possible};
use isa::Disassembler;
use rayon::prelude::*;
use results::Undecided;
use spec::{RuleId, Severity};
use types::{Abi, SframeVersion, UndecidedCause, UndecidedReason};

use super::Numbered;

/// Maximum number of external signals sent to a program.
const MOST_SIGNALS: u32 = 8;

#[derive(Clone, Debug, Default)]
pub struct ProgramOutcome {
    /// Unexpected findings and other problems.
    pub problems: Vec<String>,
    /// Kinds of code that the program is an example of.
    pub reached: Coverage,
    /// Number of steps at which a table was judged.
    pub steps: u64,
    /// Number of frames judged in walks.
    pub frames: u64,
    /// Number of these frames whose function a signal interrupted, found from the frame of the
    /// handler or of the restorer.
    pub interrupted: u64,
    /// Number of PCs at which both tables were compared.
    pub compared: u64,
    /// Number of instructions that the disassembler decoded as the emitter wrote them.
    pub instructions: u64,
}

pub fn outcome_of(name: &str, program: &Program) -> ProgramOutcome {
    let broken =
        |problem: String| ProgramOutcome { problems: vec![format!("{name}: {problem}")], ..ProgramOutcome::default() };
    let built = match program.build() {
        Ok(built) => built,
        Err(error) => return broken(format!("the generator failed: {error}")),
    };
    let bytes = match built.sample.bytes() {
        Ok(bytes) => bytes,
        Err(error) => return broken(format!("the generator failed: {error}")),
    };
    let image = match elf::load(name, &bytes.into()) {
        Ok(image) => image,
        Err(error) => return broken(format!("the file cannot be loaded: {error}")),
    };
    let signals = Vec::from_iter(built.handles.then(|| at_random(built.instructions.len() as u64)));
    let inputs = Inputs { signals, ..Inputs::default() };
    let (judging, limits) = (Judging::whole_chains(), Limits::steps(1_000_000));
    let options = Options { inputs, judging, limits, ..Options::exploring() };
    let checked = check_image(&image, &options);
    let mut problems = problems(&built, &checked);
    let instructions = match misread(&built, &Disassembler::new(&image), text_address(&image)) {
        None => built.instructions.len() as u64,
        Some(problem) => {
            problems.push(problem);
            0
        }
    };
    let summary = &checked.report.summary;
    ProgramOutcome {
        problems: problems.into_iter().map(|problem| format!("{name}: {problem}")).collect(),
        steps: summary.steps_judged,
        frames: summary.frames_walked,
        interrupted: checked.interrupted,
        compared: summary.pcs_compared_static,
        reached: built.coverage,
        instructions,
    }
}

/// Signals after random numbers of steps, in addition to those that the program sends to itself.
fn at_random(seed: u64) -> SignalAt {
    SignalAt { due: Due::Random { count: MOST_SIGNALS, seed }, signal: None }
}

fn problems(built: &ProgramFile, checked: &Checked) -> Vec<String> {
    let report = &checked.report;
    let mut problems = Vec::new();
    let mut warned: BTreeSet<RuleId> = built.warnings.iter().copied().collect();
    for found in report.discrepancies.iter().filter(|found| found.severity > Severity::Info) {
        if built.warnings.contains(&found.rule()) {
            warned.remove(&found.rule());
        } else {
            problems.push(format!("{}: {} ({})", found.rule(), found.shown.message, found.function()));
        }
    }
    problems.extend(warned.iter().map(|rule| format!("expected a finding of {rule}, got none")));
    problems.extend(report.error.iter().map(|error| format!("error: {}", error.message)));
    // A file that is not a program is not executed: if the version has no row for any of its
    // functions nothing can be judged.
    let bare = built.sample.kind != FileKind::Executable && built.sample.section.functions.is_empty();
    let due = |undecided: &&Undecided| match undecided.reason {
        UndecidedReason::NothingJudged => bare,
        // The program ended before.
        UndecidedReason::SignalNotSent => built.handles,
        // Nothing calls the slots of a linkage table. A share is low for the data that `_start` has
        // between its instructions in a program with a handler.
        UndecidedReason::Unreached => {
            let mut unseen = report.unreached.iter().filter(|one| one.counts.is_unseen()).peekable();
            let has_data = |function: &str| built.handles && ["_start", "restorer"].contains(&function);
            match unseen.peek() {
                Some(_) => unseen.all(|one| one.function.starts_with("stubs")),
                None => report.unreached.iter().all(|one| has_data(&one.function)),
            }
        }
        // A cold part that is jumped to with several states of FP: exploration cannot decide.
        UndecidedReason::Answers(UndecidedCause::UnknownFp) => {
            let mut places = report.undecided_in.iter().filter(|one| one.why == UndecidedCause::UnknownFp);
            places.all(|one| one.function.ends_with(".cold"))
        }
        UndecidedReason::Answers(UndecidedCause::Abandoned | UndecidedCause::Leaving | UndecidedCause::Unconfirmed) => {
            built.throws
        }
        _ => false,
    };
    let undecided = report.undecided.iter().filter(|undecided| !due(undecided));
    problems.extend(undecided.map(|undecided| format!("undecided: {}", undecided.message)));
    if built.sample.kind == FileKind::Executable {
        match checked.exit {
            Some((_, 0)) => {}
            other => problems.push(format!("ended with {other:?}")),
        }
        if report.summary.max_depth < built.depth {
            problems.push(format!("depth {} of {}", report.summary.max_depth, built.depth));
        }
    }
    problems
}

fn text_address(image: &types::Image) -> u64 {
    image.section(".text").map_or(0, |section| section.address)
}

/// The first instruction that the disassembler does not decode, or with another length than was
/// written.
fn misread(built: &ProgramFile, disassembler: &Disassembler<'_>, text: u64) -> Option<String> {
    let ends = built.sample.functions.iter().map(|placed| placed.offset + placed.function.code.len() as u64);
    let mut next: Vec<u64> = built.instructions.iter().chain(&built.addresses).copied().chain(ends).collect();
    next.sort_unstable();
    built.instructions.iter().find_map(|start| {
        let end = *next.get(next.partition_point(|end| end <= start))?;
        let read = disassembler.misread(text + start, end - start)?;
        Some(format!("text+{start:#x}: {} bytes emitted, read as {read:?}", end - start))
    })
}

/// Results of many programs.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub programs: u64,
    /// Merged results; problems in the order of program numbers.
    pub judged: ProgramOutcome,
}

pub fn judge_many(programs: impl IntoParallelIterator<Item = Numbered, Iter: IndexedParallelIterator>) -> Totals {
    let add = |mut totals: Totals, other: Totals| {
        totals.programs += other.programs;
        let (sum, judged) = (&mut totals.judged, other.judged);
        sum.problems.extend(judged.problems);
        sum.reached.add(&judged.reached);
        sum.steps += judged.steps;
        sum.frames += judged.frames;
        sum.interrupted += judged.interrupted;
        sum.compared += judged.compared;
        sum.instructions += judged.instructions;
        totals
    };
    programs
        .into_par_iter()
        .map(|one| Totals { programs: 1, judged: outcome_of(&one.name(), &one.program) })
        .reduce(Totals::default, add)
}

impl Totals {
    /// Kinds that the targets and versions have and that no program was an example of.
    pub fn not_reached(&self, combinations: &[(Abi, SframeVersion)]) -> Vec<String> {
        let kinds = combinations
            .iter()
            .flat_map(|(abi, version)| possible(*abi, *version).into_iter().map(move |kind| (*abi, *version, kind)));
        kinds
            .filter(|(abi, version, kind)| self.judged.reached.count(*abi, *version, kind) == 0)
            .map(|(abi, version, kind)| format!("{abi} {version} {kind}"))
            .collect()
    }

    /// Counts of programs as a table, with a line for each kind and a column for each target and
    /// version.
    pub fn table(&self, combinations: &[(Abi, SframeVersion)]) -> String {
        let mut kinds: Vec<&str> = combinations.iter().flat_map(|(abi, version)| possible(*abi, *version)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let heads: Vec<String> = combinations.iter().map(|(abi, version)| format!("{abi} {version}")).collect();
        let mut text = format!("{:<28}", "");
        heads.iter().for_each(|head| text.push_str(&format!(" {head:>15}")));
        for kind in kinds {
            text.push_str(&format!("\n{kind:<28}"));
            for ((abi, version), head) in combinations.iter().zip(&heads) {
                let has = possible(*abi, *version).contains(&kind);
                let count = self.judged.reached.count(*abi, *version, kind);
                let cell = if has { count.to_string() } else { "-".to_owned() };
                text.push_str(&format!(" {cell:>width$}", width = head.len().max(15)));
            }
        }
        text
    }
}
