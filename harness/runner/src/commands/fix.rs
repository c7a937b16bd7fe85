//! `fix`: the directives that make wrong rows right, by function, or as a patch of the source.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use matrix::attribute;
use reports::escape::line;
use results::{Blame, Outcome, Repair, RepairEdit, Report};
use types::counted;

use crate::assembled::Assembler;
use crate::judged::{defaults, judged};
use crate::patch::Patch;

use super::assembling::AssemblerOptions;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance fix a.out
  sframe-conformance fix --as x86_64-linux-gnu-as memcpy.s | patch -p0
  sframe-conformance fix --as gcc --as-options=-Iinclude chacha.S | patch -p0

A function is left alone, with the reason, where the truth does not show which
directive is missing, late or wrong. A patched source is assembled and judged
again: a change that leaves or makes a wrong row is not printed.

Exit codes: 0 no row is wrong, or each wrong function has a repair; 1 some have
none; 2 undecided; 3 it cannot be read, assembled or judged.";

/// print the CFI directives that make wrong rows right
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Fix {
    /// an ELF64 file; with --as an assembly source: .S is preprocessed, and of other preprocessed
    /// text the source is patched that its line markers name
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    assembler: AssemblerOptions,
}

impl Fix {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        match self.assembler.assembler() {
            Some(assembler) => of_source(&self.file, assembler, out),
            None => of_binary(&self.file, out),
        }
    }
}

/// Prints the patch of a source.
fn of_source(file: &Path, assembler: Assembler<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
    let text = assembler.text(file)?;
    let assembled = assembler.assemble(&text)?;
    let mut report = own_report(&assembled.object)?;
    // Without a log of the directives the patch is proved by assembling it alone.
    if let Ok(meant) = assembler.meant(&text, &assembled.image) {
        attribute(&mut report.discrepancies, std::slice::from_ref(&meant), None);
    }
    let mut repairs = Repairs::new(&report);
    repairs.keep_own();
    let mut patch = Patch::new(file, &text);
    for (function, edits) in std::mem::take(&mut repairs.edits) {
        let mut with = patch.clone();
        let outcome = edits.iter().try_for_each(|edit| with.add(edit, |pc| assembled.line(pc)));
        let outcome = outcome.and_then(|()| {
            let again = own_report(&assembler.assemble(&with.text())?.object)?;
            let errors = again.discrepancies.iter().filter(|found| found.is_error());
            let wrong: Vec<&str> = errors.map(|found| found.function()).collect();
            ensure!(!wrong.contains(&function), "with it other rows are wrong");
            let was_wrong = |name: &str| report.discrepancies.iter().any(|found| found.function() == name);
            let new = wrong.into_iter().find(|name| !was_wrong(name));
            ensure!(new.is_none(), "with it rows of {} are wrong", new.unwrap_or_default());
            with.diff().map(|_| ())
        });
        match outcome {
            Ok(()) => patch = with,
            Err(error) => {
                repairs.none.insert(function, format!("{error:#}"));
            }
        }
    }
    repairs.print_refused(out)?;
    write!(out, "{}", patch.diff()?)?;
    Ok(exit_code(&report, &repairs))
}

/// Prints the edits of each function of a binary.
fn of_binary(file: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
    let report = own_report(file)?;
    let repairs = Repairs::new(&report);
    for (function, edits) in &repairs.edits {
        for edit in *edits {
            writeln!(out, "{}: {}, at {}", line(function), line(&edit.edit), line(&edit.place))?;
        }
    }
    repairs.print_refused(out)?;
    writeln!(
        out,
        "{}: {} repaired, {} without repair",
        line(&file.display().to_string()),
        counted(repairs.edits.len() as u64, "function"),
        repairs.none.len()
    )?;
    Ok(exit_code(&report, &repairs))
}

/// A file's own report.
fn own_report(file: &Path) -> anyhow::Result<Report> {
    let report = judged(file, &defaults()).into_iter().next().context("no report")?;
    match &report.error {
        Some(error) => bail!("{}: {}", file.display(), error.message),
        None => Ok(report),
    }
}

fn exit_code(report: &Report, repairs: &Repairs<'_>) -> u8 {
    match report.outcome(results::Deny::default()) {
        _ if !repairs.none.is_empty() => Outcome::Discrepancy.exit_code(),
        Outcome::Undecided => Outcome::Undecided.exit_code(),
        _ => Outcome::Clean.exit_code(),
    }
}

/// The repairs of a report, by function.
struct Repairs<'a> {
    edits: BTreeMap<&'a str, &'a [RepairEdit]>,
    /// Functions without repair, each with the reason.
    none: BTreeMap<&'a str, String>,
    /// Functions of which the directives are right, with the tool at fault.
    of_tools: BTreeMap<&'a str, Blame>,
}

impl<'a> Repairs<'a> {
    fn new(report: &'a Report) -> Repairs<'a> {
        let mut all = Repairs { edits: BTreeMap::new(), none: BTreeMap::new(), of_tools: BTreeMap::new() };
        for found in report.discrepancies.iter().filter(|found| found.is_error()) {
            let function = found.function();
            match &found.evidence.repair {
                Some(Repair::Edits { edits, .. }) => {
                    all.edits.insert(function, edits);
                }
                Some(Repair::None(why)) => {
                    all.none.insert(function, why.clone());
                }
                None => {
                    all.none.entry(function).or_insert("the finding is about no row of its own".to_owned());
                }
            }
            if !matches!(found.blame(), Blame::Compiler) {
                all.of_tools.insert(function, found.blame());
            }
        }
        all.none.retain(|function, _| !all.edits.contains_key(function));
        all
    }

    /// Keeps the repairs of wrong directives.
    fn keep_own(&mut self) {
        for (function, blame) in &self.of_tools {
            if self.edits.remove(function).is_some() {
                self.none.insert(function, format!("a bug of the {blame}, not of the source"));
            }
        }
    }

    /// Prints the functions without repair.
    fn print_refused(&self, out: &mut dyn Write) -> std::io::Result<()> {
        for (function, why) in &self.none {
            writeln!(out, "# {}: no repair: {}", line(function), line(why))?;
        }
        Ok(())
    }
}
