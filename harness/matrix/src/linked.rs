//! Trials of linking: a recipe of `cases/link`, by one linker, of one assembler's objects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge::stages::{self, Build, Directives};
use model::{Abi, Blame, Finding, Gap, Report, Severity, SframeVersion, Sizes, Stage, Summary, TableLine};
use toolchain::entry::{Flavour, Kind, Step};
use toolchain::process::ProcessError;
use toolchain::tool::{Order, Tool};

use super::trial::TrialOutcome;
use crate::link::{
    self, Assembly, CommandOutcome, LinkCase, Linker, Maker, StepKind, ToolError, Toolbox, Work, execute,
};

/// The tools of a trial of linking.
#[derive(Clone, Debug)]
pub struct LinkTools {
    /// The linker under test.
    pub linker: Tool,
    /// The family of its words.
    pub flavour: Flavour,
    /// Makes the objects.
    pub assembler: Tool,
    /// The SFrame version that it writes.
    pub version: SframeVersion,
    /// Another that writes another version.
    pub other: Option<Tool>,
    /// A linker of another family, where the recipe has one.
    pub second: Option<SecondLinker>,
    /// Takes symbols away.
    pub strip: Option<Tool>,
    /// Copies.
    pub objcopy: Option<Tool>,
}

/// A linker whose output the one under test takes.
#[derive(Clone, Debug)]
pub struct SecondLinker {
    /// The linker.
    pub tool: Tool,
    /// The family of its words.
    pub flavour: Flavour,
}

impl LinkTools {
    /// The tool that carries a step of linking out, and the family of its words.
    pub fn linker(&self, linker: Linker) -> Option<(&Tool, Flavour)> {
        match linker {
            Linker::Own => Some((&self.linker, self.flavour)),
            Linker::Other => self.second.as_ref().map(|second| (&second.tool, second.flavour)),
        }
    }

    /// `name@version` of each tool, by its kind.
    pub fn names(&self) -> BTreeMap<String, String> {
        let tools = [Some(&self.linker), Some(&self.assembler), self.strip.as_ref()];
        let own = tools.into_iter().flatten().map(|tool| (tool.entry.kind.name().to_owned(), tool.name()));
        own.chain(self.second.iter().map(|second| ("other-linker".to_owned(), second.tool.name()))).collect()
    }
}

/// Carries a recipe out and judges it.
pub(super) fn check(case: &LinkCase, tools: &LinkTools, folder: &Path) -> Result<TrialOutcome, String> {
    let outcome = execute(case, tools, folder);
    let of = |wanted: Stage| outcome.files.iter().filter(move |file| file.stage == wanted);
    let reports = |wanted| of(wanted).map(|file| file.report.clone()).collect::<Vec<Report>>();
    let build = Build {
        objects: &reports(Stage::Object),
        relocatable: &reports(Stage::Relocatable),
        linked: &reports(Stage::Linked),
        stripped: &reports(Stage::Stripped),
        directives: Directives::True,
    };
    let mut findings = stages::findings(&build);
    findings.extend(outcome.findings.iter().filter(|found| found.is_error()).cloned());

    let mut report = sum(&outcome.files);
    report.notes.extend(outcome.notes.iter().cloned());
    report.notes.extend(outcome.unsupported.iter().map(|item| format!("{}: {}", item.file, item.reason)));
    report.discrepancies.extend(outcome.findings.iter().filter(|found| found.severity < Severity::Error).cloned());
    // What the objects brought along is the assembler's, and reported in the assembler's own trials.
    let brought = |found: &Finding| matches!(found.blame(), Blame::Assembler | Blame::Compiler);
    for found in findings.iter().filter(|found| brought(found)) {
        let mut found = found.clone();
        found.severity = Severity::Info;
        report.discrepancies.push(found);
    }
    findings.retain(|found| !brought(found));
    let sizes = outcome.sizes.first().map(|sizes| Sizes {
        sframe: sizes.sframe,
        eh_frame: sizes.eh_frame,
        eh_frame_hdr: sizes.eh_frame_hdr,
        functions: sizes.functions,
        ..Sizes::default()
    });
    let mut tables: Vec<TableLine> = outcome.files.iter().filter_map(|file| file.table.clone()).collect();
    tables.sort();
    tables.dedup();
    Ok(TrialOutcome {
        findings,
        report,
        sizes,
        problems: outcome.problems,
        commands: outcome.commands,
        tables,
        no_exit: false,
    })
}

/// The reports of all files as one: sums, what could not be decided, and each gap once however many files have it.
fn sum(files: &[link::FileOutcome]) -> Report {
    let mut all = Report::default();
    for file in files {
        let (sum, one) = (&mut all.summary, &file.report.summary);
        *sum = Summary {
            functions: sum.functions + one.functions,
            steps_executed: sum.steps_executed + one.steps_executed,
            steps_judged: sum.steps_judged + one.steps_judged,
            pcs_judged: sum.pcs_judged + one.pcs_judged,
            pcs_compared_static: sum.pcs_compared_static + one.pcs_compared_static,
            frames_walked: sum.frames_walked + one.frames_walked,
            max_depth: sum.max_depth.max(one.max_depth),
            undecided: sum.undecided + one.undecided,
            missing: sum.missing + one.missing,
            ..*sum
        };
        all.undecided.extend(file.report.undecided.iter().cloned());
        let listed =
            |gap: &&Gap| all.gaps.iter().any(|other| (&other.function, &other.reason) == (&gap.function, &gap.reason));
        let news: Vec<Gap> = file.report.gaps.iter().filter(|gap| !listed(gap)).cloned().collect();
        all.gaps.extend(news);
        let milder = file.report.discrepancies.iter().filter(|found| found.severity < Severity::Error);
        all.discrepancies.extend(milder.cloned());
    }
    all
}

impl Toolbox for LinkTools {
    fn abi(&self) -> Abi {
        self.linker.abi
    }

    fn version(&self) -> SframeVersion {
        self.version
    }

    fn flavour(&self, linker: Linker) -> Option<Flavour> {
        self.linker(linker).map(|(_, flavour)| flavour)
    }

    fn assemble(&self, work: &Assembly<'_>) -> Result<CommandOutcome, ToolError> {
        let absent = || ToolError::Absent("no assembler here writes another SFrame version".to_owned());
        let tool = match work.maker {
            Maker::Own => &self.assembler,
            Maker::OtherVersion => self.other.as_ref().ok_or_else(absent)?,
        };
        // Beside what is made of it, so that commands name no folder of this machine.
        let name = work.source.file_name().unwrap_or_default();
        std::fs::copy(work.source, work.folder.join(name))
            .map_err(|error| ProcessError::Start { program: work.source.display().to_string(), error })?;
        let options = assembler_words(tool, work.flags);
        run(tool, Step::Assemble, &[&work.folder.join(name)], work.output, &options, work.sframe, work.folder)
    }

    fn run(&self, work: &Work<'_>) -> Result<CommandOutcome, ToolError> {
        let absent = |what: &str| ToolError::Absent(format!("no {what} beside {}", self.linker.name()));
        let linker =
            || self.linker(work.linker).map(|(tool, _)| tool).ok_or_else(|| absent("linker of another family"));
        let (tool, step) = match work.kind {
            StepKind::Link => (linker()?, Step::Link),
            StepKind::Shared => (linker()?, Step::Shared),
            StepKind::Relocatable => (linker()?, Step::Relocatable),
            StepKind::Strip => (self.strip.as_ref().ok_or_else(|| absent("strip"))?, Step::Strip),
            StepKind::Objcopy => (self.objcopy.as_ref().ok_or_else(|| absent("objcopy"))?, Step::Copy),
        };
        if !tool.can(step) {
            return Err(ToolError::Absent(format!("{} has no step '{}'", tool.name(), step.name())));
        }
        let inputs: Vec<PathBuf> = work.inputs.iter().map(|path| path.to_path_buf()).collect();
        let inputs: Vec<&PathBuf> = inputs.iter().collect();
        run(tool, step, &inputs, work.output, &work.options.join(" "), true, work.folder)
    }
}

/// Words for an assembler, as the tool takes them that brings it along.
pub fn assembler_words(tool: &Tool, words: &[String]) -> String {
    match tool.entry.kind {
        Kind::Compiler => handed_on(words),
        _ => words.join(" "),
    }
}

/// Words for an assembler as a compiler hands them on: each option by itself with its operand, since clang refuses two in one word.
fn handed_on(words: &[String]) -> String {
    let mut handed = String::new();
    for word in words {
        handed.push_str(if word.starts_with('-') { " -Wa," } else { "," });
        handed.push_str(word);
    }
    handed
}

fn run(
    tool: &Tool,
    step: Step,
    inputs: &[&PathBuf],
    output: &Path,
    options: &str,
    sframe: bool,
    folder: &Path,
) -> Result<CommandOutcome, ToolError> {
    let within = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let inputs: Vec<String> = inputs.iter().map(|path| within(path)).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let output = within(output);
    let ran = tool.run(&Order { step, inputs: &inputs, output: &output, options, sframe }, folder)?;
    Ok(CommandOutcome { command: ran.command, finished: ran.finished })
}

#[cfg(test)]
mod tests {
    use super::handed_on;

    #[test]
    fn a_compiler_hands_on_each_option_with_its_operand() {
        let words = ["--defsym", "A=1", "-march=z13", "--defsym", "B=2"].map(str::to_owned);
        assert_eq!(handed_on(&words), " -Wa,--defsym,A=1 -Wa,-march=z13 -Wa,--defsym,B=2");
        assert_eq!(handed_on(&[]), "");
    }
}
