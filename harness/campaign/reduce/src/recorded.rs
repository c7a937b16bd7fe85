//! What is recorded of an entry of the ledger beside trials: programs in C that prove its causes,
//! and texts that fuzzing found.

use std::path::Path;

use elf::load;
use judge::cause;
use ledger::Ledger;
use ledger::class::{ClassError, Classes};
use ledger::known::{Compiled, LedgerEntry};
use matrix::Matrix;
use results::Blame;
use results::{Finding, ProgramCause, ToolName};
use selftest::compiled::observe::ObserveError;
use selftest::compiled::subject::{CompilerSubject, all};
use selftest::fuzz::found::{Reproducer, TOPIC};
use toolchain::graph::NodeResult;
use toolchain::yaml::YamlError;
use types::{Abi, Aspect, Unknown};

use super::bench::{Bench, BenchError, Form, OBJECT, REPRO};
use super::chosen::{Chosen, choose};
use super::describe::{REFUSED, References, WrongProgram, is_whole};

/// The folder of the programs that prove causes.
const COMPILED: &str = "cases/compiled";

/// Why what is recorded cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    #[error(transparent)]
    Bench(#[from] BenchError),
    #[error(transparent)]
    Yaml(#[from] YamlError),
    #[error(transparent)]
    Class(#[from] ClassError),
    #[error(transparent)]
    Compiler(#[from] Unknown),
    #[error(transparent)]
    Observe(#[from] ObserveError),
}

/// What a program shows that proves a cause.
#[derive(Debug)]
pub enum Proven {
    Finding(Box<Chosen>),
    /// A wrong result, or compiler output that the assembler refuses.
    Program(Box<WrongProgram>),
}

/// What the first program here shows that proves a cause of an entry, with the newest compiler that
/// shows it; none if no compiler of the entry is here.
pub fn proven(references: &References, root: &Path, entry: &LedgerEntry) -> Result<Option<Proven>, RecordedError> {
    let subjects = all(&references.producers, &[])?;
    for cause in &entry.causes {
        for proof in &cause.proofs {
            let is_due = |one: &&CompilerSubject| one.proves(entry, proof);
            for subject in subjects.iter().rev().filter(is_due) {
                let path = root.join(COMPILED).join(&proof.file);
                let by_compiler = is_whole(cause) && entry.blame == Blame::Compiler;
                let proven = match by_compiler {
                    true => WrongProgram::find(references, subject, &subjects, &path, cause, proof)?
                        .map(|program| Proven::Program(Box::new(program))),
                    false => {
                        let program = Tested { subject, path: &path, options: &proof.options };
                        let is_it = |shown: &ProgramCause, text: Compiled<'_>| cause.covers(shown, text);
                        program.shown(is_whole(cause), &is_it)?.map(|chosen| Proven::Finding(Box::new(chosen)))
                    }
                };
                if proven.is_some() {
                    return Ok(proven);
                }
            }
        }
    }
    Ok(None)
}

/// A program in C, as a compiler is tested with it.
#[derive(Clone, Copy, Debug)]
pub struct Tested<'a> {
    pub subject: &'a CompilerSubject,
    /// The program.
    pub path: &'a Path,
    /// Options of the compiler.
    pub options: &'a str,
}

/// Returns true for a cause that is looked for, in the program with this text.
type IsIt<'a> = &'a dyn Fn(&ProgramCause, Compiled<'_>) -> bool;

impl Tested<'_> {
    /// The finding of a cause that `fuzz c` found; none if it does not recur.
    pub fn found(&self, cause: &ProgramCause) -> Result<Option<Chosen>, RecordedError> {
        self.shown(cause.rule == REFUSED, &|shown, _| shown == cause)
    }

    /// The finding that is looked for, as the program runs; else of its object, explored, because
    /// the program does not execute every function; or the assembler's refusal.
    fn shown(&self, is_refusal: bool, is_it: IsIt<'_>) -> Result<Option<Chosen>, RecordedError> {
        let program = |form| -> Result<_, BenchError> {
            let (bench, text) = Bench::from_program(self.subject, self.path, self.options)?;
            Ok((bench.in_form(form), text))
        };
        if is_refusal {
            let (bench, text) = program(Form::Object)?;
            let is_refused = bench.observe(&text)?.failure().is_some();
            return Ok(if is_refused { Some(choose(bench, text, None)?) } else { None });
        }
        for (form, made) in [(Form::Linked, REPRO), (Form::Explored, OBJECT)] {
            let (bench, text) = program(form)?;
            let seen = bench.observe(&text)?;
            let mut outcomes = bench.graph(bench.kept(), &text)?.build();
            let Some(NodeResult::Made(bytes, _)) = outcomes.remove(made) else { return Ok(None) };
            let Ok(image) = load(made, &bytes) else { return Ok(None) };
            let compiled = Compiled { text: &text, options: self.options };
            let shows_it = |found: &&Finding| {
                cause::from_finding(found, &seen.findings, &image).iter().any(|shown| is_it(shown, compiled))
            };
            // A wrong CFA makes the other fields wrong.
            let found = seen.findings.iter().filter(shows_it).min_by_key(|found| found.evidence.field != Aspect::Cfa);
            if let Some(fingerprint) = found.map(|found| found.fingerprint().to_owned()) {
                return Ok(Some(choose(bench, text, Some(&fingerprint))?));
            }
        }
        Ok(None)
    }
}

/// The finding of the first text of `cases/found` whose class names an entry, with the newest
/// assembler of the entry that shows it; none if either is missing.
pub fn found(matrix: &Matrix, ledger: &Ledger, index: usize) -> Result<Option<Chosen>, RecordedError> {
    let Some(entry) = ledger.entries.get(index) else { return Ok(None) };
    let folder = matrix.home.root.join("cases").join(TOPIC);
    let classes = Classes::read(&folder)?;
    let names_it =
        |class: &str| classes.all().any(|known| known.class == class && known.entries.contains(&ledger.stem(index)));
    for text in Reproducer::read_all(&folder)?.into_iter().filter(|text| names_it(&text.class)) {
        let tools = matrix.producers.tools(&entry.project, text.abi).unwrap_or_default();
        let shows = |name: &str| text.shown_by.iter().any(|by| ToolName::is_text_a(name, by));
        let is_due = |name: &str| name.parse().is_ok_and(|tool| entry.is_due(&tool));
        for tool in tools.iter().rev().map(toolchain::tool::Tool::name) {
            if shows(&tool) && is_due(&tool) {
                let shown = of_text(matrix, &tool, text.abi, &folder.join(&text.file), &text.what)?;
                if shown.is_some() {
                    return Ok(shown);
                }
            }
        }
    }
    Ok(None)
}

/// The symptom of a text that fuzzing found, by a rule's id or a failure, with an assembler; none
/// if it does not show it.
pub fn of_text(
    matrix: &Matrix,
    assembler: &str,
    abi: Abi,
    path: &Path,
    what: &str,
) -> Result<Option<Chosen>, RecordedError> {
    let (bench, source) = Bench::from_file(matrix, assembler, abi, path, "")?;
    let seen = bench.observe(&source)?;
    let found = seen.findings.iter().find(|found| found.rule().name() == what);
    match found.is_some() || seen.failure().is_some() {
        true => Ok(Some(choose(bench, source, found.map(Finding::fingerprint))?)),
        false => Ok(None),
    }
}
