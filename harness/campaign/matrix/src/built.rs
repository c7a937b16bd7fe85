//! Builds a case and checks it: every stage of the build is judged, and functions that the
//! assembler omitted are reported.

use std::collections::{BTreeMap, BTreeSet};

use judge::stages::{self, Build, Directives};
use results::{Blame, Finding, Gap, Key, Problem, Report, Shape, Stage, TableLine, Undecided};
use spec::{RuleId, Severity};
use toolchain::complaint::{Complaint, SframeLines};
use toolchain::entry::Kind;
use types::{Aspect, Bytes, SframeVersion, UndecidedCause, UndecidedReason};

use super::attributed;
use super::case::Case;
use super::judged::{TrialError, TrialOutcome, expect};
use super::pipeline::{BuildStages, Failure, LINKED, Pipeline};
use check::{Checked, Execution, Include, Limits, Options};

/// Builds and judges a case; the build's files are stored in `kept`.
pub(super) fn check(
    case: &Case,
    pipeline: &Pipeline,
    key: &Key,
    kept: &mut BTreeMap<String, Bytes>,
) -> Result<TrialOutcome, TrialError> {
    let built = pipeline.build_kept(case, key.abi, kept)?;
    let limits = case.least(key.abi).most_steps.map_or_else(Limits::default, Limits::steps);
    let executed = Options { include: [Include::Features].into(), limits, ..Options::default() };
    let statically = Options { execution: Execution::Static, ..executed.clone() };
    // A program whose runtime is not here does not run: its functions are explored.
    let explored = case.is_compiled(key.abi) && !case.least(key.abi).run;
    let of_objects = Options { execution: Execution::exploring(), ..executed.clone() };
    let of_objects = if explored { &of_objects } else { &statically };
    let mut objects: Vec<Checked> =
        built.objects.iter().map(|(name, bytes)| check::check(name, bytes, of_objects)).collect();
    let relocatable =
        built.relocatable.as_ref().map(|bytes| check::check(&format!("{LINKED}.r.o"), bytes, &statically));
    let mut linked = built.linked.as_ref().map(|bytes| check::check(LINKED, bytes, &executed));
    let stripped = stripped(&built);

    let mut problems = Vec::new();
    let expected = Some(key.sframe.as_str()).filter(|version| *version != "none");
    let failed: Vec<Finding> = built.failures.iter().map(failure).collect();
    // The first object is the case's own; the start-up code of a C program is last.
    let Some(own) = objects.first() else {
        return Ok(TrialOutcome { findings: failed, commands: built.commands, ..TrialOutcome::default() });
    };
    let has_sframe = own.report.sframe_version.is_some();
    if has_sframe {
        expect(&mut problems, "SFrame version", own.report.sframe_version.map(|version| version.name()), expected);
    } else if expected.is_some() && case.facts.left_out.is_empty() {
        let text = match built.warnings.trim() {
            "" => "the assembler wrote no .sframe and warned of nothing".to_owned(),
            warned => format!("the assembler wrote no .sframe: {warned}"),
        };
        problems.push(Problem::new(Blame::Assembler, text));
    }
    if let Some(linked) = &mut linked {
        let idle = on_purpose(case.facts.undecided.on(key.abi), &mut linked.report.undecided);
        problems.extend(idle.into_iter().map(Problem::from));
    }
    let mut no_exit = false;
    // An undecided run has its own problem; the missing exit status is not a second one.
    if let Some(linked) = linked.as_ref().filter(|linked| linked.report.undecided.is_empty()) {
        no_exit = linked.exit.is_none();
        expect(&mut problems, "exit status", linked.exit.map(|(_, code)| code), Some(case.facts.expect_exit));
        problems.extend(case.least(key.abi).vacuity(linked).into_iter().map(Problem::from));
    }
    if let Some(own) = objects.first_mut().filter(|_| explored) {
        problems.extend(
            on_purpose(case.facts.undecided.on(key.abi), &mut own.report.undecided).into_iter().map(Problem::from),
        );
        problems.extend(case.least(key.abi).unexplored(&own.report.summary).map(Problem::from));
    }
    let are_proven = pipeline.compiler.is_none() && !case.facts.unproven;
    let directives = if are_proven { Directives::True } else { Directives::Compiled };
    let mut uncovered = Vec::new();
    if expected.is_some() {
        let gaps: Vec<&Gap> = objects.iter().flat_map(|object| &object.report.gaps).collect();
        uncovered = coverage(case, key, &gaps, &built.warnings);
        // Assemblers of older versions are no longer developed: there the warning suffices.
        let is_needed = case.least(key.abi).described && key.sframe == SframeVersion::V3.name();
        let needed = uncovered.iter().filter(|found| is_needed && found.rule() == RuleId::CoverageNeedless);
        problems.extend(needed.map(|found| Problem::new(Blame::Assembler, found.shown.message.clone())));
        let left_out = case.left_out(key.abi, &key.sframe).filter(|item| item.always);
        let described = left_out.filter(|item| gaps.iter().all(|gap| gap.function != item.function));
        problems.extend(described.map(|item| {
            let text =
                format!("{} has a function descriptor, which no assembler can write: {}", item.function, item.why);
            Problem::new(Blame::Assembler, text)
        }));
        let misnamed = SframeLines::parse(&built.warnings).misnamed_register(key.abi);
        problems.extend(misnamed.map(|line| {
            Problem::new(Blame::Assembler, format!("the assembler's warning names another register: {line}"))
        }));
    }
    let stages = objects.iter().chain(&relocatable).chain(&linked);
    let tables: BTreeSet<TableLine> = stages.filter_map(|checked| checked.table.clone()).collect();
    let last = linked.as_ref().or(objects.first());
    let mut report = last.map(|checked| checked.report.clone()).unwrap_or_default();
    let sizes = last.and_then(|checked| checked.sizes);
    let objects: Vec<Report> = objects.into_iter().map(|checked| checked.report).collect();
    let reports = |checked: Option<Checked>| checked.map(|checked| checked.report).into_iter().collect::<Vec<_>>();
    let (relocatable, linked) = (reports(relocatable), reports(linked));
    let stripped: Vec<Report> = stripped.into_iter().collect();
    let build =
        Build { objects: &objects, relocatable: &relocatable, linked: &linked, stripped: &stripped, directives };
    let mut findings = stages::findings(&build);
    attributed::by_directives(&mut findings, case, pipeline, key.abi, &built, kept)?;
    let (errors, milder): (Vec<_>, Vec<_>) = uncovered.into_iter().partition(|found| found.severity == Severity::Error);
    findings.extend(errors);
    findings.extend(failed);
    report.discrepancies.extend(milder);
    for id in &case.facts.breaks {
        let before = findings.len();
        findings.retain(|found| found.rule() != id.as_str());
        if findings.len() == before {
            problems.push(format!("the case breaks {id} on purpose, but no finding has that rule").into());
        }
    }
    let stages = [(Stage::Object, &objects), (Stage::Relocatable, &relocatable), (Stage::Linked, &linked)];
    let gaps =
        TrialOutcome::gaps(stages.iter().flat_map(|(stage, reports)| reports.iter().map(|report| (*stage, report))));
    let tables = tables.into_iter().collect();
    let commands = built.commands;
    Ok(TrialOutcome { findings, report, sizes, problems, gaps, not_made: Vec::new(), commands, tables, no_exit })
}

/// Removes undecided items that the case expects, and returns a sentence for each expected cause
/// that did not occur.
fn on_purpose(reasons: &[UndecidedCause], undecided: &mut Vec<Undecided>) -> Vec<String> {
    let mut idle = Vec::new();
    for why in reasons {
        let before = undecided.len();
        undecided.retain(|item| item.reason != UndecidedReason::Answers(*why));
        if undecided.len() == before {
            idle.push(format!("the case expects undecided answers ({why}), but none has that reason"));
        }
    }
    idle
}

/// Findings for functions without an FDE: those omitted without a warning, and those that the
/// version could describe. An assembler may omit a function with a warning, but not silently.
fn coverage(case: &Case, key: &Key, gaps: &[&Gap], warnings: &str) -> Vec<Finding> {
    let warned = SframeLines::parse(warnings).count();
    let mut found = Vec::new();
    for gap in gaps {
        if gaps.len() > warned {
            let why = gap.reason.as_deref().unwrap_or("this version could describe it");
            let message = format!(
                "{} has no function descriptor ({why}), and the assembler printed {warned} warnings for {} such functions",
                gap.function,
                gaps.len()
            );
            // Omitting functions silently is one bug of the assembler, whatever the function.
            found.push(left_out(RuleId::CoverageSilent, gap, "", message));
        } else if gap.reason.is_none() && !case.may_leave_out(&gap.function, key.abi, &key.sframe) {
            let message =
                format!("{} has no function descriptor though {} could describe it", gap.function, key.sframe);
            found.push(left_out(RuleId::CoverageNeedless, gap, &gap.function, message));
        }
    }
    found
}

/// A finding for a failed step: the same for every file with the same message of the tool.
fn failure(failure: &Failure) -> Finding {
    let (stage, blame) = match failure.kind {
        Kind::Compiler => (Stage::Object, Blame::Compiler),
        Kind::Assembler => (Stage::Object, Blame::Assembler),
        Kind::Linker => (Stage::Linked, Blame::Linker),
        Kind::PostProcessor => (Stage::Stripped, Blame::PostProcessor),
    };
    let mut found = Finding::new(RuleId::BuildFails, blame, "", Complaint(&failure.message).shape());
    found.stage = stage;
    found.shown.message = format!("{}: {}", failure.command, failure.message);
    found
}

/// A finding for an omitted function. `identity` is its name if the finding depends on it.
fn left_out(id: RuleId, gap: &Gap, identity: &str, message: String) -> Finding {
    let mut found = Finding::new(id, Blame::Assembler, identity, Shape::Rule).shown_in(&gap.function);
    found.evidence.field = Aspect::Coverage;
    found.evidence.ranges = vec![gap.code];
    found.shown.place.clone_from(&gap.place);
    found.shown.message = message;
    found.evidence.executed = gap.executed;
    found
}

/// Report of the stripped file; `None` if its tables are identical to the linked file's, at the
/// same addresses.
fn stripped(built: &BuildStages) -> Option<Report> {
    let (linked, stripped) = (built.linked.as_ref()?, built.stripped.as_ref()?);
    let tables = |bytes: &Bytes| {
        let image = elf::load(LINKED, bytes).ok()?;
        let sections =
            image.sections.into_iter().filter(|section| [".sframe", ".eh_frame"].contains(&section.name.as_str()));
        Some(sections.map(|section| (section.name, section.address, section.flags, section.bytes)).collect::<Vec<_>>())
    };
    let (before, after) = (tables(linked), tables(stripped));
    let name = format!("{LINKED}.stripped");
    (before.is_none() || before != after).then(|| check::check(&name, stripped, &Options::default()).report)
}

#[cfg(test)]
mod tests {
    use results::{Summary, Undecided};
    use types::{Reach, UndecidedCause, UndecidedReason};

    use super::on_purpose;
    use crate::case::Least;

    #[test]
    fn an_object_of_which_little_is_explored_is_vacuous() {
        let least = Least { run: false, steps: 5, ..Least::default() };
        let explored = |states| Summary { reach: Some(Reach { states, ..Reach::default() }), ..Summary::default() };
        assert_eq!(least.unexplored(&explored(5)), None);
        assert!(least.unexplored(&explored(4)).is_some());
        assert!(least.unexplored(&Summary::default()).is_some());
    }

    #[test]
    fn a_reason_that_did_not_occur_is_a_problem() {
        let item = |why| Undecided { reason: UndecidedReason::Answers(why), pc: None, message: String::new() };
        let (listed, other) = (UndecidedCause::Overwritten, UndecidedCause::Abandoned);
        let mut undecided = vec![item(listed), item(other)];
        assert_eq!(on_purpose(&[listed], &mut undecided), Vec::<String>::new());
        assert_eq!(undecided, [item(other)]);
        assert_eq!(on_purpose(&[listed], &mut undecided).len(), 1);
    }
}
