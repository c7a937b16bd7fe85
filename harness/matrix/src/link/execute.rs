//! One recipe from sources to findings: run its commands, check every file, judge what must be true
//! between them.

use std::collections::{BTreeMap, BTreeSet};

use judge::link::{self, Breach, Expected, LinkFile, StepEnd, Tables};
use judge::stages::{inherited, is_from};
use results::{Blame, Finding, Report, Stage, TableLine};
use spec::{RuleGroup, RuleId, Severity};
use types::{Bytes, FileErrorKind, SframeVersion};

use super::build::{File, RecipeFiles, build};
use super::facts::facts;
use super::plan::file_of;
use super::recipe::{LinkCase, Linker, Run, Step, StepKind};
use super::tools::LinkTools;
use check::{Checked, Execution, Include, Limits, Options};

/// The outcome of a recipe.
#[derive(Debug, Default)]
pub struct LinkOutcome {
    /// Every file that was made, as `check` judges it, in the order they were made.
    pub files: Vec<FileOutcome>,
    /// Broken rules of linking, one for each cause.
    pub findings: Vec<Finding>,
    /// Requests of the recipe that were not met, and vacuous runs: the trial fails.
    pub problems: Vec<String>,
    /// Steps that the tools at hand lack. If no file was linked, the trial has shown nothing.
    pub unsupported: Vec<Unsupported>,
    /// Remarks that change nothing: files that were not judged since what they are made of is wrong
    /// already.
    pub notes: Vec<String>,
    /// Sizes asked for.
    pub sizes: Vec<Sizes>,
    /// The commands, in order.
    pub commands: Vec<String>,
    /// Sources and what was made of them, by name.
    pub made: BTreeMap<String, Bytes>,
}

/// A file and its report.
#[derive(Debug)]
pub struct FileOutcome {
    /// Its name in the recipe.
    pub name: String,
    /// The stage that made it.
    pub stage: Stage,
    /// What `check` finds in it.
    pub report: Report,
    /// What its table has.
    pub table: Option<TableLine>,
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

/// Runs the commands of a recipe and judges the files.
pub fn execute(case: &LinkCase, tools: &LinkTools) -> LinkOutcome {
    let RecipeFiles { files, commands, problems, made } = build(case, tools);
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
    outcome
}

struct Judge<'a> {
    case: &'a LinkCase,
    version: SframeVersion,
    files: BTreeMap<String, File>,
    known: BTreeMap<String, LinkFile>,
    outcome: LinkOutcome,
    /// Fingerprints of the findings: one cause is reported once.
    reported: BTreeSet<String>,
    /// Files with no new findings: they, or their inputs, are wrong already.
    wrong: BTreeSet<String>,
    /// Files whose starts have the wrong base.
    skewed: BTreeSet<String>,
}

impl Judge<'_> {
    /// Every file in the order it was made: checked by itself, and every link against its
    /// inputs.
    fn files(&mut self) {
        let case = self.case;
        for name in case.recipe.objects.keys() {
            self.file(name, Stage::Object, &[]);
        }
        for step in &case.recipe.steps {
            let name = &step.make;
            if let Some(wrong) = step.from.iter().find(|input| self.wrong.contains(*input)) {
                self.outcome
                    .notes
                    .push(format!("{name} is not judged: {wrong}, which it is made of, is wrong already"));
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
            // Where a table is lost, a run has less to judge: the finding about the loss covers
            // that.
            let excused = breaches.iter().any(is_error);
            let list = if excused { &mut self.outcome.notes } else { &mut self.outcome.problems };
            list.extend(vacuous);
            self.add(breaches);
        }
    }

    /// A file that another linker made. It is that linker's, and judged in its own trials: here
    /// only what is right shows anything.
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
            self.outcome
                .notes
                .push(format!("{name} is wrong already, by another linker: it shows nothing of this one"));
            self.outcome.files.truncate(before);
            self.known.remove(name);
            self.files.remove(name);
            self.wrong.insert(name.clone());
        }
    }

    /// Reads and checks a file; gives what makes its runs vacuous.
    fn file(&mut self, name: &str, stage: Stage, from: &[String]) -> Vec<String> {
        let mut vacuous = Vec::new();
        match self.files.get(name) {
            Some(File::Made { bytes, .. }) => {
                match facts(name, bytes) {
                    Ok(file) => drop(self.known.insert(name.to_owned(), file)),
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
                // A file without any table is no error here: the program's start has none, and a
                // table may be discarded.
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

    /// With every file at hand the first wrong stage is known: what a file has from its inputs is
    /// blamed as there, the rest on the tool that made the file.
    fn settle_blame(&self, name: &str, report: &mut Report, stage: Stage, from: &[String]) {
        let file = self.known.get(name);
        let inputs: Vec<&Report> =
            self.outcome.files.iter().filter(|file| from.contains(&file.name)).map(|file| &file.report).collect();
        if stage == Stage::Stripped {
            // What is wrong before is no news after.
            let news = |found: &Finding| {
                inputs.iter().flat_map(|input| &input.discrepancies).all(|old| old.rule() != found.rule())
            };
            report.discrepancies.retain(news);
            report.settle();
        }
        for found in report.discrepancies.iter_mut().filter(|_| stage != Stage::Object) {
            let before = inputs.iter().flat_map(|input| &input.discrepancies).find(|before| is_from(before, found));
            // Code that the linker made has no directives: both tables are its own.
            let made =
                found.evidence.ranges.first().is_some_and(|(start, _)| file.is_some_and(|file| file.is_made(*start)));
            *found = found.clone().blamed(inherited(found.blame(), before.map(Finding::blame), stage, made));
        }
    }

    /// The table of a relocatable output is so wrong that what is made of it shows nothing new.
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
            let mut finding = breach.finding(stage.unwrap_or(Stage::Linked));
            finding.shown.file = file;
            if self.reported.insert(finding.fingerprint().to_owned()) {
                self.outcome.findings.push(finding);
            }
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
        let blank = link::blank(&inputs, output);
        if let (Some(breach), None) = (&blank, &output.table) {
            return vec![breach.clone()];
        }
        let end = end.cloned().unwrap_or_default();
        let described = expect.describes.get(&step.make).map_or(&[][..], Vec::as_slice);
        let mut breaches = Vec::new();
        let mixes = expect.mixes.contains(&step.make);
        if mixes {
            breaches.extend(link::mixed(&end, Some(output), described));
        } else if self.overflows(&step.make) {
            breaches.extend(link::overflow(&end, Some(output), described));
        } else {
            breaches.extend(link::named_are_described(output, described, Expected::Conserved));
        }
        if breaches.is_empty() && blank.is_none() {
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
        file.report.settle();
    }

    /// Start fields of 32 bits are a matter of the versions that have them.
    fn overflows(&self, file: &str) -> bool {
        self.version.start_width() == 4 && self.case.recipe.expect.overflows.iter().any(|name| name == file)
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
        self.known.retain(|name, _| self.files.contains_key(name));
        for file in &expect.overflows {
            let functions = expect.describes.get(file).map_or(&[][..], Vec::as_slice);
            if self.known.get(file).is_some_and(|output| !link::is_beyond_reach(output, functions)) {
                let reason = "the linker put code and table near each other: nothing is beyond reach".to_owned();
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

/// Leaves out what follows from another finding of the same file: relocations that lie elsewhere
/// than on start fields overwrite what they lie on when they are applied, and those of a second
/// element lie where the first has no start field. One finding per rule covers all the functions
/// that show it. Where all starts count from the wrong place, every row is at the wrong function.
/// What `.eh_frame` is found to be follows from neither.
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
    report.settle();
}

fn stage(kind: StepKind) -> Stage {
    match kind {
        StepKind::Link | StepKind::Shared => Stage::Linked,
        StepKind::Relocatable => Stage::Relocatable,
        StepKind::Strip | StepKind::Objcopy => Stage::Stripped,
    }
}

/// Steps of one run: these programs are small, and one that was linked wrongly may never end.
const MOST_STEPS: u64 = 100_000;

/// Checks a file, executing it only if the recipe asks for it.
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
