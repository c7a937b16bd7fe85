//! `fix`: the directives that make wrong rows right, by function, or as a patch of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use matrix::{Meant, attribute};
use reports::escape::line;
use results::{Blame, Outcome, Repair, RepairEdit, Report};
use toolchain::input;
use types::{Bytes, Pc, counted};

use crate::assembled::Assembler;
use crate::corrected::corrected;
use crate::judged::{defaults, judged};
use crate::patch::Patch;

use super::assembling::AssemblerOptions;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance fix a.out
  sframe-conformance fix --out fixed.o f.o
  sframe-conformance fix --as x86_64-linux-gnu-as memcpy.s | patch -p0
  sframe-conformance fix --as gcc --as-options=-Iinclude chacha.S | patch -p0
  sframe-conformance fix --as as --linked a.out main.s  # what a run shows too

A function is left alone, with the reason, where the truth does not show which
directive is missing, late or wrong. A patched source is assembled and judged
again: a change that leaves or makes a wrong row is not printed. With --linked
the truth is also that of the program, which is run.

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
    /// also repair what this program shows, which was linked from the source
    #[arg(long, value_name = "PROGRAM", requires = "assembler")]
    linked: Option<PathBuf>,
    /// write a copy of FILE with the repaired rows; of a linked file those that have room in
    /// .eh_frame
    #[arg(long, value_name = "COPY", conflicts_with = "assembler", help_heading = "Output")]
    out: Option<PathBuf>,
}

impl Fix {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        match self.assembler.assembler() {
            Some(assembler) => of_source(&self.file, assembler, self.linked.as_deref(), out),
            None => match &self.out {
                Some(copy) => corrected_copy(&self.file, copy, out),
                None => of_binary(&self.file, out),
            },
        }
    }
}

/// Maximum number of times that the edits of a function are followed by others: a rule that is read
/// by way of a wrong CFA shows only after that was repaired.
const MOST_ROUNDS: usize = 4;

/// Prints the patch of a source.
fn of_source(file: &Path, assembler: Assembler<'_>, linked: Option<&Path>, out: &mut dyn Write) -> anyhow::Result<u8> {
    let text = assembler.text(file)?;
    let assembled = assembler.assemble(&text)?;
    let mut report = own_report(&assembled.object)?;
    // Without a log of the directives the patch is proved by assembling it alone.
    let meant: Vec<Meant> = assembler.meant(&text, &assembled.image).into_iter().collect();
    attribute(&mut report.discrepancies, &meant, None);
    let mut repairs = Repairs::new(&report);
    repairs.keep_own();
    let mut of_linked = BTreeSet::new();
    if let Some(linked) = linked {
        let image = super::load(linked)?;
        let mut shown = own_report(linked)?;
        attribute(&mut shown.discrepancies, &meant, Some(&image));
        let mut shown = Repairs::new(&shown);
        shown.keep_own();
        for (function, edits) in shown.edits {
            let counterpart = |pc: u64| assembled.image.counterpart(Pc(pc), &image).map(|pc| pc.0);
            if let Some(edits) = edits.into_iter().map(|edit| moved(edit, counterpart)).collect() {
                repairs.none.remove(&function);
                of_linked.insert(function.clone());
                repairs.edits.insert(function, edits);
            }
        }
    }
    let errors = report.discrepancies.iter().filter(|found| found.is_error());
    let was_wrong: BTreeSet<&str> = errors.map(|found| found.function()).collect();
    let mut patch = Patch::new(file, &text, assembled.image.abi);
    for (function, mut edits) in std::mem::take(&mut repairs.edits) {
        let mut with = patch.clone();
        let mut repaired = || {
            for _ in 0..MOST_ROUNDS {
                edits.iter().try_for_each(|edit| with.add(edit, |pc| assembled.line(pc)))?;
                let again = own_report(&assembler.assemble(&with.text())?.object)?;
                let errors = || again.discrepancies.iter().filter(|found| found.is_error());
                let new =
                    errors().map(|found| found.function()).find(|name| !was_wrong.contains(name) && *name != function);
                ensure!(new.is_none(), "with it rows of {} are wrong", new.unwrap_or_default());
                // Of what only the program shows, the object does not show how it is entered.
                let is_of_linked = of_linked.contains(&function) && !was_wrong.contains(function.as_str());
                if is_of_linked || errors().all(|found| found.function() != function) {
                    return with.diff().map(|_| ());
                }
                edits = Repairs::new(&again).edits.remove(&function).unwrap_or_default();
                ensure!(!edits.is_empty(), "with it other rows are wrong");
            }
            bail!("with it other rows are wrong")
        };
        match repaired() {
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

/// The edit with other addresses.
fn moved(edit: RepairEdit, counterpart: impl Fn(u64) -> Option<u64>) -> Option<RepairEdit> {
    let optional = |pc: Option<u64>| match pc {
        Some(pc) => counterpart(pc).map(Some),
        None => Some(None),
    };
    Some(RepairEdit { pc: counterpart(edit.pc)?, after: optional(edit.after)?, from: optional(edit.from)?, ..edit })
}

/// Prints the edits of each function of a binary.
fn of_binary(file: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
    let report = own_report(file)?;
    let repairs = Repairs::new(&report);
    repairs.print(file, out)?;
    Ok(exit_code(&report, &repairs))
}

/// Writes a copy with the edits of the functions that are right with them.
fn corrected_copy(file: &Path, copy: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
    ensure!(file != copy, "{}: --out is the input file", file.display());
    let bytes: Bytes = input::read(file).with_context(|| file.display().to_string())?.into();
    let report = own_report(file)?;
    let folder = tempfile::tempdir()?;
    let made = folder.path().join("copy");
    let mut repairs = Repairs::new(&report);
    let all = std::mem::take(&mut repairs.edits);
    let left = loop {
        let (mut now, mut shown, mut edited) = (bytes.clone(), None, BTreeMap::<String, Vec<RepairEdit>>::new());
        let mut edits = all.clone();
        for _ in 0..MOST_ROUNDS {
            edits.retain(|function, _| !repairs.none.contains_key(function));
            if edits.is_empty() {
                break;
            }
            for (function, edits) in std::mem::take(&mut edits) {
                match corrected(&now, &edits) {
                    Ok(bytes) => now = bytes.into(),
                    Err(error) => {
                        repairs.none.insert(function.clone(), format!("{error:#}"));
                    }
                }
                edited.entry(function).or_default().extend(edits);
            }
            std::fs::write(&made, &now)?;
            let report = own_report(&made)?;
            edits = Repairs::new(&report).edits;
            edits.retain(|function, _| edited.contains_key(function));
            shown = Some(report);
        }
        let was_wrong =
            |name: &str| report.discrepancies.iter().any(|found| found.is_error() && found.function() == name);
        let errors = shown.iter().flat_map(|report| &report.discrepancies).filter(|found| found.is_error());
        let wrong: BTreeSet<&str> = errors.map(|found| found.function()).collect();
        let is_new = |name: &&str| edited.contains_key(*name) || !was_wrong(name);
        let wrong: Vec<String> = wrong.into_iter().filter(is_new).map(str::to_owned).collect();
        let failed = edited.keys().filter(|function| repairs.none.contains_key(*function)).count();
        if wrong.is_empty() && failed == 0 {
            std::fs::write(copy, &now).with_context(|| copy.display().to_string())?;
            break edited;
        }
        // What is wrong elsewhere may come from any of them.
        let is_elsewhere = wrong.iter().any(|name| !edited.contains_key(name));
        let refused: Vec<String> = if is_elsewhere { edited.into_keys().collect() } else { wrong };
        for function in refused {
            repairs.none.entry(function).or_insert("with it other rows are wrong".to_owned());
        }
    };
    std::fs::set_permissions(copy, std::fs::metadata(file)?.permissions())?;
    repairs.edits = left;
    repairs.print(copy, out)?;
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

fn exit_code(report: &Report, repairs: &Repairs) -> u8 {
    match report.outcome(results::Deny::default()) {
        _ if !repairs.none.is_empty() => Outcome::Discrepancy.exit_code(),
        Outcome::Undecided => Outcome::Undecided.exit_code(),
        _ => Outcome::Clean.exit_code(),
    }
}

/// The repairs of a report, by function.
#[derive(Default)]
struct Repairs {
    edits: BTreeMap<String, Vec<RepairEdit>>,
    /// Functions without repair, each with the reason.
    none: BTreeMap<String, String>,
    /// Functions of which the directives are right, with the tool at fault.
    of_tools: BTreeMap<String, Blame>,
}

impl Repairs {
    fn new(report: &Report) -> Repairs {
        let mut all = Repairs::default();
        let errors = || report.discrepancies.iter().filter(|found| found.is_error());
        let is_own =
            |function: &str| errors().any(|found| found.function() == function && found.blame() == Blame::Compiler);
        for found in errors() {
            let function = found.function().to_owned();
            let is_of_tool = found.blame() != Blame::Compiler;
            match &found.evidence.repair {
                // It may be a consequence: the directives are repaired first.
                _ if is_of_tool && is_own(&function) => {}
                Some(Repair::Edits { edits, .. }) => {
                    all.edits.insert(function.clone(), edits.clone());
                }
                Some(Repair::None(why)) => {
                    all.none.insert(function.clone(), why.clone());
                }
                None => {
                    all.none.entry(function.clone()).or_insert("the finding is about no row of its own".to_owned());
                }
            }
            if is_of_tool && !is_own(&function) {
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
                self.none.insert(function.clone(), format!("a bug of the {blame}, not of the source"));
            }
        }
    }

    /// Prints the edits of a file.
    fn print(&self, file: &Path, out: &mut dyn Write) -> std::io::Result<()> {
        for (function, edits) in &self.edits {
            for edit in edits {
                writeln!(out, "{}: {}, at {}", line(function), line(&edit.edit), line(&edit.place))?;
            }
        }
        self.print_refused(out)?;
        writeln!(
            out,
            "{}: {} repaired, {} without repair",
            line(&file.display().to_string()),
            counted(self.edits.len() as u64, "function"),
            self.none.len()
        )
    }

    /// Prints the functions without repair.
    fn print_refused(&self, out: &mut dyn Write) -> std::io::Result<()> {
        for (function, why) in &self.none {
            writeln!(out, "# {}: no repair: {}", line(function), line(why))?;
        }
        Ok(())
    }
}
