//! Link trials: a recipe of `cases/link`, with one linker and the objects of one assembler.

use std::collections::BTreeMap;

use judge::stages::{self, Build, Directives};
use results::{Blame, Finding, Gap, Problem, Report, Sizes, Stage, Summary, TableLine};
use spec::Severity;
use types::Bytes;

use super::judged::{TrialError, TrialOutcome};
use crate::link::{self, LinkCase, LinkTools, execute};

/// Executes a recipe and judges it; its files are stored in `kept`.
pub(super) fn check(
    case: &LinkCase,
    tools: &LinkTools,
    kept: &mut BTreeMap<String, Bytes>,
) -> Result<TrialOutcome, TrialError> {
    let outcome = execute(case, tools)?;
    kept.clone_from(&outcome.made);
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
    let mut report = sum(&outcome.files);
    report.notes.extend(outcome.notes.iter().cloned());
    let not_made: Vec<String> =
        outcome.unsupported.iter().map(|item| format!("{}: {}", item.file, item.reason)).collect();
    report.notes.extend(not_made.iter().cloned());
    report.discrepancies.extend(outcome.findings.iter().filter(|found| found.severity < Severity::Error).cloned());
    // Findings that objects already had belong to the assembler, and are reported in its own
    // trials.
    let brought = |found: &Finding| matches!(found.blame(), Blame::Assembler | Blame::Compiler);
    for found in findings.iter().filter(|found| brought(found)) {
        let mut found = found.clone();
        found.severity = Severity::Info;
        report.discrepancies.push(found);
    }
    findings.retain(|found| !brought(found));
    findings.extend(outcome.findings.iter().filter(|found| found.is_error()).cloned());
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
        problems: outcome.problems.into_iter().map(Problem::from).collect(),
        gaps: TrialOutcome::gaps(outcome.files.iter().map(|file| (file.stage, &file.report))),
        not_made,
        commands: outcome.commands,
        tables,
        no_exit: false,
    })
}

/// Merges the reports of all files: sums, undecided items, and each gap once, however many files
/// have it.
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
