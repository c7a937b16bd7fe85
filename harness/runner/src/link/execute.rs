//! One recipe from sources to findings: carry it out, check every file, judge what must hold between them.

use std::collections::{BTreeMap, BTreeSet};

use model::SframeVersion;
use reports::discrepancy::Discrepancy;
use reports::link::{self, Breach, Expected, LinkFile, StepEnd, Tables};
use reports::report::Report;
use reports::results::TableLine;

use super::build::{Built, File, build};
use super::facts::facts;
use super::recipe::{LinkCase, Reach, Run, Step, StepKind};
use super::toolbox::Toolbox;
use crate::check::{self, Checked, Options};
use crate::elf;

/// What carrying out a recipe showed.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Every file that was made, as `check` judges it, in the order they were made.
    pub files: Vec<Judged>,
    /// Broken rules of linking, one for each cause.
    pub findings: Vec<Discrepancy>,
    /// What the recipe asks for and did not get, and vacuous runs: the trial fails.
    pub problems: Vec<String>,
    /// What the tools at hand cannot do. Where no file was linked, the trial has shown nothing.
    pub unsupported: Vec<Unsupported>,
    /// Sizes asked for.
    pub sizes: Vec<Sizes>,
    /// The commands, in order.
    pub commands: Vec<String>,
}

/// A file and its report.
#[derive(Debug)]
pub struct Judged {
    /// Its name in the recipe.
    pub name: String,
    /// The tool that made it.
    pub stage: Stage,
    /// What `check` tells of it.
    pub report: Report,
    /// What its table has.
    pub table: Option<TableLine>,
}

/// What made a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The assembler.
    Object,
    /// `ld -r`.
    Relocatable,
    /// A final link.
    Linked,
    /// strip or objcopy.
    Processed,
}

/// A file that could not be made, or an expectation that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// Name of the file.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// Bytes of a file's unwind tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Name of the file.
    pub file: String,
    /// Functions in `.sframe`.
    pub functions: u64,
    /// `.sframe`.
    pub sframe: u64,
    /// `.eh_frame`.
    pub eh_frame: u64,
    /// `.eh_frame_hdr`.
    pub eh_frame_hdr: u64,
}

/// Carries a recipe out and judges what came of it.
///
/// # Errors
/// When there is no temporary folder to do it in. All else is told in the outcome.
pub fn execute(case: &LinkCase, tools: &dyn Toolbox) -> Result<Outcome, std::io::Error> {
    let folder = tempfile::tempdir()?;
    let Built { files, commands, problems } = build(case, tools, folder.path());
    let outcome = Outcome { commands, problems, ..Outcome::default() };
    let mut judge =
        Judge { case, version: tools.version(), files, known: BTreeMap::new(), outcome, told: BTreeSet::new() };
    judge.read();
    judge.steps();
    judge.expectations();
    Ok(judge.outcome)
}

struct Judge<'a> {
    case: &'a LinkCase,
    version: SframeVersion,
    files: BTreeMap<String, File>,
    known: BTreeMap<String, LinkFile>,
    outcome: Outcome,
    /// Fingerprints of the findings: one cause is told once.
    told: BTreeSet<String>,
}

impl Judge<'_> {
    /// Reads and checks every file.
    fn read(&mut self) {
        let case = self.case;
        let objects = case.recipe.objects.keys().map(|name| (name, Stage::Object));
        let made = case.recipe.steps.iter().map(|step| (&step.make, stage(step.by)));
        for (name, stage) in objects.chain(made) {
            match self.files.get(name) {
                Some(File::Made { bytes, .. }) => {
                    match facts(name, bytes) {
                        Ok(file) => drop(self.known.insert(name.clone(), file)),
                        Err(error) => self.outcome.problems.push(format!("{name}: {error}")),
                    }
                    let runs: Vec<&Run> = case.recipe.expect.runs.iter().filter(|run| run.file == *name).collect();
                    let Checked { report, table, .. } = check_file(name, bytes, &runs, &mut self.outcome.problems);
                    self.outcome.files.push(Judged { name: name.clone(), stage, report, table });
                }
                Some(File::Unsupported(reason)) => {
                    self.outcome.unsupported.push(Unsupported { file: name.clone(), reason: reason.clone() });
                }
                Some(File::Refused { .. } | File::Lacking) | None => {}
            }
        }
    }

    fn tell(&mut self, breaches: impl IntoIterator<Item = Breach>) {
        for finding in breaches.into_iter().map(Breach::discrepancy) {
            if self.told.insert(finding.fingerprint.clone()) {
                self.outcome.findings.push(finding);
            }
        }
    }

    /// What holds for every link.
    fn steps(&mut self) {
        for step in self.case.recipe.steps.iter().filter(|step| stage(step.by) != Stage::Processed) {
            let breaches = match self.files.get(&step.make) {
                Some(File::Made { end, .. }) => self.link(step, end.as_ref()),
                Some(File::Refused { end, signal }) => self.refused(step, end, *signal),
                _ => Vec::new(),
            };
            self.tell(breaches);
        }
    }

    fn link(&self, step: &Step, end: Option<&StepEnd>) -> Vec<Breach> {
        let expect = &self.case.recipe.expect;
        let Some(output) = self.known.get(&step.make) else { return Vec::new() };
        // What is in a shared library is not linked in.
        let inputs = step.from.iter().filter_map(|name| self.known.get(name)).filter(|input| input.relocatable);
        let inputs: Vec<&LinkFile> = inputs.collect();
        if expect.discarded.contains(&step.make) {
            return link::discarded(output).into_iter().collect();
        }
        let end = end.cloned().unwrap_or_default();
        let described = expect.describes.get(&step.make).map_or(&[][..], Vec::as_slice);
        let mut breaches = Vec::new();
        if expect.mixes.contains(&step.make) {
            breaches.extend(link::mixed(&end, Some(output), described));
        } else if self.overflows(&step.make) {
            breaches.extend(link::overflow(&end, Some(output), described));
        } else {
            breaches.extend(link::named_are_described(output, described, Expected::Conserved));
        }
        if breaches.is_empty() {
            breaches.extend(link::conserved(&inputs, output, Expected::Conserved));
        }
        breaches.extend(link::from_nothing(&inputs, output));
        breaches
    }

    /// Start fields of 32 bits are a matter of the versions that have them.
    fn overflows(&self, file: &str) -> bool {
        self.version < SframeVersion::V3 && self.case.recipe.expect.overflows.iter().any(|name| name == file)
    }

    fn refused(&self, step: &Step, end: &StepEnd, signal: Option<i32>) -> Vec<Breach> {
        let mixes = self.case.recipe.expect.mixes.contains(&step.make);
        if signal.is_none() && (mixes || self.overflows(&step.make)) {
            return Vec::new();
        }
        vec![link::not_accepted(&step.make, end, signal)]
    }

    /// What the case expects besides.
    fn expectations(&mut self) {
        let expect = &self.case.recipe.expect;
        for (file, functions) in &expect.gone {
            if let Some(Err(why)) = self.known.get(file).map(|output| link::named_are_gone(output, functions)) {
                self.outcome.unsupported.push(Unsupported { file: file.clone(), reason: why });
            }
        }
        self.pairs(&expect.relinked, |a, b| link::same_tables(a, b, Tables::Relinked));
        self.pairs(&expect.any_order, |a, b| link::same_tables(a, b, Tables::AnyOrder));
        self.pairs(&expect.collected, |a, b| link::gc_keeps_live(a, b).into_iter().collect());
        self.pairs(&expect.keeps_bytes, link::section_kept);
        for (one, other) in &expect.same_bytes {
            if let (Some(File::Made { bytes: a, .. }), Some(File::Made { bytes: b, .. })) =
                (self.files.get(one), self.files.get(other))
            {
                self.tell(link::same_bytes((one, a), (other, b)));
            }
        }
        for file in &expect.sizes {
            if let Some(File::Made { bytes, .. }) = self.files.get(file) {
                self.outcome.sizes.extend(sizes(file, bytes));
            }
        }
    }

    fn pairs(&mut self, pairs: &[(String, String)], relation: impl Fn(&LinkFile, &LinkFile) -> Vec<Breach>) {
        for (one, other) in pairs {
            let breaches = match (self.known.get(one), self.known.get(other)) {
                (Some(one), Some(other)) => relation(one, other),
                _ => continue,
            };
            self.tell(breaches);
        }
    }
}

fn stage(kind: StepKind) -> Stage {
    match kind {
        StepKind::Link | StepKind::Shared => Stage::Linked,
        StepKind::Relocatable => Stage::Relocatable,
        StepKind::Strip | StepKind::Objcopy => Stage::Processed,
    }
}

/// Checks a file: run where the recipe says so, and judged without running where it does not.
fn check_file(name: &str, bytes: &[u8], runs: &[&Run], problems: &mut Vec<String>) -> Checked {
    let mut checked = None;
    for run in runs {
        let options = Options { entries: run.entries.clone(), features: true, ..Options::default() };
        let ran = check::check(name, bytes, &options);
        problems.extend(short_of(run, &ran));
        checked = Some(ran);
    }
    checked.unwrap_or_else(|| {
        let options = Options { static_only: true, features: true, ..Options::default() };
        check::check(name, bytes, &options)
    })
}

/// Where a run falls short of what its recipe demands.
fn short_of(run: &Run, ran: &Checked) -> Vec<String> {
    let Reach { steps, depth, functions } = &run.least;
    let (summary, file) = (&ran.report.summary, &run.file);
    let mut problems = Vec::new();
    let status = ran.exit.map(|(_, status)| status);
    if run.exit.is_some() && status != run.exit {
        let text = |status: Option<i32>| status.map_or("none".to_owned(), |status| status.to_string());
        problems.push(format!("{file}: exit status {}, expected {}", text(status), text(run.exit)));
    }
    for (what, got, want) in
        [("steps judged", summary.steps_judged, *steps), ("callers at the deepest step", summary.max_depth, *depth)]
    {
        if got < want {
            problems.push(format!("{file}: vacuous: {got} {what}, at least {want} are needed"));
        }
    }
    let missing: Vec<&String> = functions.iter().filter(|name| !ran.entered.contains(*name)).collect();
    if !missing.is_empty() {
        problems.push(format!("{file}: vacuous: never entered {missing:?}"));
    }
    problems
}

fn sizes(file: &str, bytes: &[u8]) -> Option<Sizes> {
    let image = elf::load(file, bytes).ok()?;
    let size = |name: &str| image.section(name).map_or(0, |section| section.size);
    let known = facts(file, bytes).ok()?;
    Some(Sizes {
        file: file.to_owned(),
        functions: known.table.map_or(0, |table| table.functions.len() as u64),
        sframe: size(".sframe"),
        eh_frame: size(".eh_frame"),
        eh_frame_hdr: size(".eh_frame_hdr"),
    })
}
