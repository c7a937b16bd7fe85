//! Judges a recipe: runs its commands, checks every file, and checks the expected relations between
//! files.

use std::collections::{BTreeMap, BTreeSet};

use judge::link::{self, Breach, Expected, LinkFile, StepEnd, Tables};
use judge::stages::{inherited, is_from};
use results::{Blame, Finding, Report, Stage, TableLine};
use spec::{RuleGroup, RuleId, Severity};
use toolchain::process::ProcessError;
use types::{Bytes, FileErrorKind, SframeVersion};

use super::build::{File, RecipeFiles, build};
use super::facts::facts;
use super::plan::file_of;
use super::recipe::{LinkCase, Linker, Run, Step, StepKind};
use super::tools::LinkTools;
use check::{Checked, Execution, Include, Limits, Options};

/// Result of a recipe.
#[derive(Debug, Default)]
pub struct LinkOutcome {
    /// Every file that was made, with its report by `check`, in the order of making.
    pub files: Vec<FileOutcome>,
    /// Breaches of linking rules, one for each cause.
    pub findings: Vec<Finding>,
    /// Expectations of the recipe that were not met, and vacuous runs: the trial fails.
    pub problems: Vec<String>,
    /// Steps that the available tools cannot do. If no file was linked, the trial has shown
    /// nothing.
    pub unsupported: Vec<Unsupported>,
    /// Remarks without effect: files that were not judged because their inputs are already wrong.
    pub notes: Vec<String>,
    /// Requested sizes.
    pub sizes: Vec<Sizes>,
    /// The commands, in order.
    pub commands: Vec<String>,
    /// Sources and outputs, by name.
    pub made: BTreeMap<String, Bytes>,
}

/// A file and its report.
#[derive(Debug)]
pub struct FileOutcome {
    /// Name in the recipe.
    pub name: String,
    /// Stage of the build.
    pub stage: Stage,
    /// Report of `check`.
    pub report: Report,
    /// Version and features of its table.
    pub table: Option<TableLine>,
}

/// A file that could not be made, or an expectation that could not be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub file: String,
    /// The reason of the failure.
    pub reason: String,
}

/// Sizes of a file's unwind tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub file: String,
    /// Number of functions in `.sframe`.
    pub functions: u64,
    /// Size of `.sframe` in bytes.
    pub sframe: u64,
    /// Size of `.eh_frame` in bytes.
    pub eh_frame: u64,
    /// Size of `.eh_frame_hdr` in bytes.
    pub eh_frame_hdr: u64,
}

/// Runs the commands of a recipe and judges the files.
pub fn execute(case: &LinkCase, tools: &LinkTools) -> Result<LinkOutcome, ProcessError> {
    let RecipeFiles { files, commands, problems, made } = build(case, tools)?;
    let outcome = LinkOutcome { commands, problems, made, ..LinkOutcome::default() };
    let mut judge = Judge {
        case,
        version: tools.version,
        files,
        known: BTreeMap::new(),
        outcome,
        reported: BTreeSet::new(),
        wrong: BTreeSet::new(),
        skewed: BTreeSet::new(),
    };
    judge.files();
    judge.expectations();
    let mut outcome = judge.outcome;
    let of_files = outcome.files.iter_mut().flat_map(|file| &mut file.report.discrepancies);
    for found in of_files.chain(&mut outcome.findings) {
        found.shown.file = file_of(case, &found.shown.file);
    }
    Ok(outcome)
}

struct Judge<'a> {
    case: &'a LinkCase,
    version: SframeVersion,
    files: BTreeMap<String, File>,
    known: BTreeMap<String, LinkFile>,
    outcome: LinkOutcome,
    /// Fingerprints of reported findings: one cause is reported once.
    reported: BTreeSet<String>,
    /// Files without new findings: they, or their inputs, are already wrong.
    wrong: BTreeSet<String>,
    /// Files whose starts have the wrong base.
    skewed: BTreeSet<String>,
}

impl Judge<'_> {
    /// Judges every file in the order of making: each is checked by itself, and every link against
    /// its inputs.
    fn files(&mut self) {
        let case = self.case;
        for name in case.recipe.objects.keys() {
            self.file(name, Stage::Object, &[]);
        }
        for step in &case.recipe.steps {
            let name = &step.make;
            if let Some(wrong) = step.from.iter().find(|input| self.wrong.contains(*input)) {
                self.outcome.notes.push(format!("{name} is not judged: its input {wrong} is already wrong"));
                self.wrong.insert(name.clone());
                self.files.remove(name);
                continue;
            }
            if step.linker == Linker::Other {
                self.given(step);
                continue;
            }
            let stage = stage(step.by);
            let vacuous = self.file(name, stage, &step.from);
            if let Some(File::Made { end: Some(end), .. }) = self.files.get(name)
                && case.recipe.expect.mixes.contains(name)
            {
                self.count_left_out(step, &end.clone());
            }
            let breaches = match self.files.get(name) {
                _ if stage == Stage::Stripped => Vec::new(),
                Some(File::Made { end, .. }) => self.link(step, end.as_ref()),
                Some(File::Refused { end, signal }) => self.refused(step, end, *signal),
                _ => Vec::new(),
            };
            let is_error = |breach: &Breach| breach.severity == Severity::Error;
            if stage == Stage::Relocatable && (breaches.iter().any(is_error) || self.is_broken(name)) {
                self.wrong.insert(name.clone());
            }
            // If a table is lost, a run has less to judge: the finding about the loss covers that.
            let excused = breaches.iter().any(is_error);
            let list = if excused { &mut self.outcome.notes } else { &mut self.outcome.problems };
            list.extend(vacuous);
            self.add(breaches);
        }
    }

    /// Judges a file that another linker made. Its bugs belong to that linker, and are judged in
    /// its own trials: here only a correct file is useful.
    fn given(&mut self, step: &Step) {
        let name = &step.make;
        let before = self.outcome.files.len();
        self.file(name, stage(step.by), &step.from);
        let reports = self.outcome.files.iter().skip(before).map(|file| &file.report);
        let own = |found: &Finding| found.is_error() && !matches!(found.blame(), Blame::Assembler | Blame::Compiler);
        let is_wrong = match self.files.get(name) {
            Some(File::Made { end, .. }) => {
                reports.flat_map(|report| &report.discrepancies).any(own)
                    || self.link(step, end.as_ref()).iter().any(|breach| breach.severity == Severity::Error)
            }
            Some(File::Refused { .. }) => true,
            Some(File::Unsupported(_) | File::Lacking) | None => return,
        };
        if is_wrong {
            self.outcome.notes.push(format!(
                "{name} is already wrong, and was made by another linker: the linker under test is not judged"
            ));
            self.outcome.files.truncate(before);
            self.known.remove(name);
            self.files.remove(name);
            self.wrong.insert(name.clone());
        }
    }

    /// Reads and checks a file; returns the reasons why its runs are vacuous.
    fn file(&mut self, name: &str, stage: Stage, from: &[String]) -> Vec<String> {
        let mut vacuous = Vec::new();
        match self.files.get(name) {
            Some(File::Made { bytes, .. }) => {
                match facts(name, bytes) {
                    Ok(file) => drop(self.known.insert(name.to_owned(), file)),
                    Err(error) if stage == Stage::Stripped => {
                        self.add([link::not_loadable(name, &error.to_string())]);
                        return vacuous;
                    }
                    Err(error) => self.outcome.problems.push(format!("{name}: {error}")),
                }
                let runs: Vec<&Run> = self.case.recipe.expect.runs.iter().filter(|run| run.file == name).collect();
                let Checked { mut report, table, .. } =
                    check_file(name, bytes, &runs, &mut self.outcome.problems, &mut vacuous);
                self.settle_blame(name, &mut report, stage, from);
                let skewed = self.known.get(name).is_some_and(LinkFile::has_skewed_starts)
                    || (stage == Stage::Stripped && from.iter().any(|input| self.skewed.contains(input)));
                if skewed {
                    self.skewed.insert(name.to_owned());
                }
                if stage != Stage::Object {
                    leave_consequences_out(&mut report, skewed);
                }
                // A file without any table is not an error here: the program's start-up code has
                // none, and a table may be discarded.
                if report.error.as_ref().is_none_or(|error| error.kind != FileErrorKind::NoTable) {
                    self.outcome.files.push(FileOutcome { name: name.to_owned(), stage, report, table });
                }
            }
            Some(File::Unsupported(reason)) => {
                self.outcome.unsupported.push(Unsupported { file: name.to_owned(), reason: reason.to_string() });
            }
            Some(File::Refused { .. } | File::Lacking) | None => {}
        }
        vacuous
    }

    /// Attributes findings to the first wrong stage: a finding that the inputs also have keeps
    /// their blame, others are blamed on the tool that made the file.
    fn settle_blame(&self, name: &str, report: &mut Report, stage: Stage, from: &[String]) {
        let file = self.known.get(name);
        let inputs: Vec<&Report> =
            self.outcome.files.iter().filter(|file| from.contains(&file.name)).map(|file| &file.report).collect();
        if stage == Stage::Stripped {
            // A finding that an input has is not new.
            let news = |found: &Finding| {
                inputs.iter().flat_map(|input| &input.discrepancies).all(|old| old.rule() != found.rule())
            };
            report.discrepancies.retain(news);
            report.sort_and_count();
        }
        for found in report.discrepancies.iter_mut().filter(|_| stage != Stage::Object) {
            let before = inputs.iter().flat_map(|input| &input.discrepancies).find(|before| is_from(before, found));
            // Code that the linker made has no directives: the linker wrote both tables.
            let made =
                found.evidence.ranges.first().is_some_and(|(start, _)| file.is_some_and(|file| file.is_made(*start)));
            *found = found.clone().blamed(inherited(found.blame(), before.map(Finding::blame), stage, made));
        }
    }

    /// Returns true if the table of a relocatable output is so wrong that files made from it show
    /// nothing new.
    fn is_broken(&self, name: &str) -> bool {
        let structural = |found: &Finding| {
            let of_bytes = [RuleGroup::Header, RuleGroup::Fde, RuleGroup::Row, RuleGroup::Flex, RuleGroup::Elf];
            found.is_error() && of_bytes.contains(&found.rule().group())
        };
        let file = self.outcome.files.iter().find(|file| file.name == name);
        file.is_some_and(|file| file.report.discrepancies.iter().any(structural))
    }

    fn add(&mut self, breaches: impl IntoIterator<Item = Breach>) {
        for breach in breaches {
            let stage = self.outcome.files.iter().find(|judged| judged.name == breach.file).map(|judged| judged.stage);
            let file = breach.file.clone();
            let unjudged = match breach.rule {
                RuleId::LinkSectionKept => Stage::Stripped,
                RuleId::CoverageSectionPresent => Stage::Object,
                _ => Stage::Linked,
            };
            let mut finding = breach.finding(stage.unwrap_or(unjudged));
            finding.shown.file = file;
            if self.reported.insert(finding.fingerprint().to_owned()) {
                self.outcome.findings.push(finding);
            }
        }
    }

    fn link(&self, step: &Step, end: Option<&StepEnd>) -> Vec<Breach> {
        let expect = &self.case.recipe.expect;
        let Some(output) = self.known.get(&step.make) else { return Vec::new() };
        // Shared libraries are not merged into the output.
        let inputs = step.from.iter().filter_map(|name| self.known.get(name)).filter(|input| input.relocatable);
        let inputs: Vec<&LinkFile> = inputs.collect();
        if expect.discarded.contains(&step.make) {
            return link::discarded(output).into_iter().collect();
        }
        let blank = link::blank(&inputs, output);
        if let (Some(breach), None) = (&blank, &output.table) {
            return vec![breach.clone()];
        }
        let end = end.cloned().unwrap_or_default();
        let described = expect.describes.get(&step.make).map_or(&[][..], Vec::as_slice);
        let mut breaches = Vec::new();
        if expect.silent.contains(&step.make) && end.mentions_sframe {
            breaches.push(link::not_silent(&step.make, &end));
        }
        let mixes = expect.mixes.contains(&step.make);
        if mixes {
            breaches.extend(link::mixed(&end, Some(output), described));
        } else if self.overflows(&step.make) {
            breaches.extend(link::overflow(&end, Some(output), described));
        } else {
            let objects: Vec<&LinkFile> =
                inputs.iter().copied().filter(|input| self.case.recipe.objects.contains_key(&input.name)).collect();
            breaches.extend(link::named_are_described(&objects, output, described, Expected::Conserved));
        }
        if breaches.iter().all(|breach| breach.rule == RuleId::LinkAccepted) && blank.is_none() {
            breaches.extend(link::conserved(&inputs, output, Expected::Conserved));
        } else if mixes {
            breaches.extend(link::kept_of_mixture(&inputs, output));
        }
        breaches.extend(blank);
        breaches.extend(link::from_nothing(&inputs, output));
        breaches
    }

    /// Functions that a link of several versions omitted are among the file's gaps.
    fn count_left_out(&mut self, step: &Step, end: &StepEnd) {
        let Some(output) = self.known.get(&step.make) else { return };
        let inputs: Vec<&LinkFile> = step.from.iter().filter_map(|name| self.known.get(name)).collect();
        let gaps = link::left_out(&inputs, output, end);
        let Some(file) = self.outcome.files.iter_mut().find(|file| file.name == step.make) else { return };
        file.report.gaps.retain(|known| gaps.iter().all(|gap| gap.code.0 != known.code.0));
        file.report.gaps.extend(gaps);
        file.report.sort_and_count();
    }

    /// Returns true if the file's version has 32-bit start fields.
    fn overflows(&self, file: &str) -> bool {
        self.version.start_width() == 4 && self.case.recipe.expect.overflows.iter().any(|name| name == file)
    }

    fn refused(&self, step: &Step, end: &StepEnd, signal: Option<i32>) -> Vec<Breach> {
        let mixes = self.case.recipe.expect.mixes.contains(&step.make);
        // A refusal has to give the reason.
        if signal.is_none() && (mixes && end.mentions_sframe || self.overflows(&step.make)) {
            return Vec::new();
        }
        vec![link::not_accepted(&step.make, end, signal)]
    }

    /// Checks the expectations of the case.
    fn expectations(&mut self) {
        let expect = &self.case.recipe.expect;
        self.known.retain(|name, _| self.files.contains_key(name));
        for file in &expect.overflows {
            let functions = expect.describes.get(file).map_or(&[][..], Vec::as_slice);
            if self.known.get(file).is_some_and(|output| !link::is_beyond_reach(output, functions)) {
                let reason =
                    "the linker placed code and table so near each other that no start field overflows".to_owned();
                self.outcome.unsupported.push(Unsupported { file: file.clone(), reason });
            }
        }
        for (file, functions) in &expect.gone {
            let control =
                expect.controls.iter().find(|(one, _)| one == file).and_then(|(_, bare)| self.known.get(bare));
            let alive = control.and_then(|bare| link::kept_alive(self.known.get(file)?, bare, functions));
            if alive.is_some() {
                self.add(alive);
                continue;
            }
            let kept = self.known.get(file).map_or(Vec::new(), |output| link::still_there(output, functions));
            if !kept.is_empty() {
                let reason = format!("{file} still has {}: the link left nothing out", kept.join(", "));
                self.outcome.unsupported.push(Unsupported { file: file.clone(), reason });
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
                self.add(link::same_bytes((one, a), (other, b)));
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
            self.add(breaches);
        }
    }
}

/// Removes findings that follow from another finding of the same file. Relocations outside of start
/// fields overwrite other data when they are applied, and those of a second element are where the
/// first has no start field: one finding per rule covers all functions that show it. If all starts
/// have the wrong base, every row is at the wrong function. Findings about `.eh_frame` follow from
/// neither.
fn leave_consequences_out(report: &mut Report, skewed: bool) {
    const RELOCATIONS: [RuleId; 4] = [
        RuleId::ElfStrayRelocation,
        RuleId::ElfRelocationPerFunction,
        RuleId::ElfRelocationTarget,
        RuleId::ElfEmittedRelocations,
    ];
    let has = |report: &Report, ids: &[RuleId]| report.discrepancies.iter().any(|found| ids.contains(&found.rule()));
    if skewed {
        let container = |id: RuleId| id.group() == RuleGroup::Elf && id != RuleId::ElfFunctionInCode;
        let stays = |group| matches!(group, RuleGroup::Header | RuleGroup::EhFrame);
        report.discrepancies.retain(|found| stays(found.rule().group()) || container(found.rule()));
    }
    if has(report, &[RuleId::HeaderSecondElement]) {
        report.discrepancies.retain(|found| !RELOCATIONS.contains(&found.rule()));
    } else if has(report, &RELOCATIONS[..3]) {
        report.discrepancies.retain(|found| matches!(found.rule().group(), RuleGroup::Elf | RuleGroup::EhFrame));
    }
    let mut reported: BTreeSet<RuleId> = BTreeSet::new();
    report.discrepancies.retain_mut(|found| {
        if !RELOCATIONS.contains(&found.rule()) {
            return true;
        }
        *found = found.clone().about(".sframe");
        reported.insert(found.rule())
    });
    report.sort_and_count();
}

fn stage(kind: StepKind) -> Stage {
    match kind {
        StepKind::Link | StepKind::Shared => Stage::Linked,
        StepKind::Relocatable => Stage::Relocatable,
        StepKind::Strip | StepKind::Objcopy => Stage::Stripped,
    }
}

/// Maximum number of steps of one run: these programs are small, and a wrongly linked one may never
/// end.
const MOST_STEPS: u64 = 100_000;

/// Checks a file, and executes it only if the recipe requests that.
fn check_file(
    name: &str,
    bytes: &Bytes,
    runs: &[&Run],
    problems: &mut Vec<String>,
    vacuous: &mut Vec<String>,
) -> Checked {
    let mut checked = None;
    for run in runs {
        let options = Options {
            execution: Execution::functions(run.entries.clone()),
            limits: Limits::steps(MOST_STEPS),
            include: [Include::Features].into(),
            ..Options::default()
        };
        let ran = check::check(name, bytes, &options);
        problems.extend(wrong_exit(run, &ran));
        vacuous.extend(run.least.vacuity(&ran).into_iter().map(|what| format!("{name}: {what}")));
        checked = Some(ran);
    }
    checked.unwrap_or_else(|| {
        let options = Options { include: [Include::Features].into(), ..Options::static_only() };
        check::check(name, bytes, &options)
    })
}

fn wrong_exit(run: &Run, ran: &Checked) -> Option<String> {
    let got = ran.exit.map(|(_, status)| status);
    let text = |status: Option<i32>| status.map_or("none".to_owned(), |status| status.to_string());
    (run.exit.is_some() && got != run.exit)
        .then(|| format!("{}: exit status {}, expected {}", run.file, text(got), text(run.exit)))
}

fn sizes(file: &str, bytes: &Bytes) -> Option<Sizes> {
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
