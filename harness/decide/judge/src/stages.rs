//! Judges one build at each of its stages: finds the first stage that shows a finding, and so the
//! tool to blame.
//!
//! A finding is reported once, at the first stage that shows it. It may have different names at
//! different stages (an object is compared with its own CFI, an executable with the machine), so
//! two findings are the same if they are about rows of the same function, or break the same
//! structural rule.

use std::collections::BTreeSet;

use results::{Blame, Finding, Report, Stage};
use spec::{RuleGroup, RuleId};
use types::Aspect;

/// Origin of the directives that both tables are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directives {
    /// Written by hand and correct: an error that both tables share is the assembler's.
    True,
    /// Written by a compiler.
    Compiled,
}

/// The reports of one build; empty for a stage that was not built.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    pub objects: &'a [Report],
    /// Reports of the outputs of `ld -r`.
    pub relocatable: &'a [Report],
    /// Reports of the outputs of final links.
    pub linked: &'a [Report],
    /// Reports of stripped files; empty also if their tables are identical to the linked file's.
    pub stripped: &'a [Report],
    /// Origin of the directives.
    pub directives: Directives,
}

/// All findings of severity error, each once, with its stage and blame, in order of stages.
pub fn findings(build: &Build<'_>) -> Vec<Finding> {
    let mut reported = BTreeSet::new();
    let mut all: Vec<Finding> = Vec::new();
    let in_objects: BTreeSet<Culprit> = build.objects.iter().flat_map(errors).map(culprit).collect();
    // The linked file is first: it is executed, and its findings have more detail than those of
    // earlier stages.
    for found in build.linked.iter().flat_map(errors) {
        let wrong_before = in_objects.contains(&culprit(found));
        let blame = match (found.blame(), build.directives) {
            (Blame::Compiler, Directives::True) => Blame::Assembler,
            (Blame::AssemblerOrLinker, _) if wrong_before => Blame::Assembler,
            (Blame::AssemblerOrLinker, _) => Blame::Linker,
            // The tables differ, and execution shows neither to be wrong: blame the stage in which
            // they first differ.
            (Blame::Undetermined, _) if tables_differ(found) && wrong_before => Blame::Assembler,
            (Blame::Undetermined, _) if tables_differ(found) && !build.objects.is_empty() => Blame::Linker,
            (blame, _) => blame,
        };
        let stage = match blame {
            Blame::Linker => Stage::Linked,
            Blame::Assembler | Blame::Compiler => Stage::Object,
            _ if wrong_before => Stage::Object,
            _ => Stage::Linked,
        };
        reported.insert(culprit(found));
        let found = at(stage, found.clone().blamed(blame));
        // Several files of one build may show it: it is reported once, with the rows of all.
        match all.iter_mut().find(|other| other.fingerprint() == found.fingerprint()) {
            Some(other) => other.add_rows_of(&found),
            None => all.push(found),
        }
    }
    for found in build.objects.iter().flat_map(errors).filter(|found| !reported.contains(&culprit(found))) {
        let blame = match (found.blame(), build.directives) {
            (Blame::Compiler, Directives::True) => Blame::Assembler,
            (blame, _) => blame,
        };
        all.push(at(Stage::Object, found.clone().blamed(blame)));
    }
    reported.extend(build.objects.iter().flat_map(errors).map(culprit));
    let before = all.len();
    for found in build.relocatable.iter().flat_map(errors).filter(|found| !reported.contains(&culprit(found))) {
        let found = match found.evidence.field {
            // A broken part of the file, whatever function it is about.
            Aspect::Structure => found.clone().about(found.shown.section.clone()),
            Aspect::Cfa | Aspect::Ra | Aspect::Fp | Aspect::Registers | Aspect::Coverage => found.clone(),
        };
        let found = found.blamed(Blame::Linker);
        match all.iter_mut().skip(before).find(|other| other.fingerprint() == found.fingerprint()) {
            Some(other) => other.add_rows_of(&found),
            None => all.push(at(Stage::Relocatable, found)),
        }
    }
    // Without symbols functions have no names: new findings are identified by rule.
    let rules: BTreeSet<RuleId> = build.linked.iter().flat_map(errors).map(Finding::rule).collect();
    for found in build.stripped.iter().flat_map(errors).filter(|found| !rules.contains(&found.rule())) {
        all.push(at(Stage::Stripped, found.clone().blamed(Blame::PostProcessor)));
    }
    all.sort_by_key(|found| found.stage);
    all
}

/// Blame for a finding in a file with known inputs: the blame of the same finding in the inputs,
/// else the tool that made the file.
pub fn inherited(blame: Blame, before: Option<Blame>, stage: Stage, made_by_linker: bool) -> Blame {
    match (before, blame) {
        (Some(before), _) => before,
        // Code that the linker made has no directives: the linker wrote both tables.
        (None, Blame::Compiler) if made_by_linker => Blame::Linker,
        (None, Blame::Assembler | Blame::AssemblerOrLinker) if stage == Stage::Stripped => Blame::PostProcessor,
        (None, Blame::Assembler | Blame::AssemblerOrLinker) => Blame::Linker,
        (None, other) => other,
    }
}

fn tables_differ(found: &Finding) -> bool {
    !found.evidence.executed && found.rule().group() == RuleGroup::Cfi
}

/// Returns true if a file's finding may come from an earlier file that it was made of: both are
/// about rows of the same function, or break the same structural rule for the same function or for
/// a section, and the severity of the earlier one is not lower.
pub fn is_from(before: &Finding, after: &Finding) -> bool {
    let about_section = |found: &Finding| found.function().starts_with('.');
    let same_function = before.function() == after.function();
    let same = match (culprit(before), culprit(after)) {
        (Culprit::Rule(one), Culprit::Rule(other)) => {
            one == other && (same_function || about_section(before) || about_section(after))
        }
        (Culprit::Function(_), Culprit::Function(_)) => same_function,
        (Culprit::Rule(_), Culprit::Function(_)) | (Culprit::Function(_), Culprit::Rule(_)) => false,
    };
    same && before.severity >= after.severity
}

fn errors(report: &Report) -> impl Iterator<Item = &Finding> {
    report.discrepancies.iter().filter(|found| found.is_error())
}

fn at(stage: Stage, mut found: Finding) -> Finding {
    found.stage = stage;
    found
}

/// Common property of findings of different stages that are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Culprit<'a> {
    /// They break this structural rule.
    Rule(RuleId),
    /// They are about rows of this function.
    Function(&'a str),
}

fn culprit(found: &Finding) -> Culprit<'_> {
    match found.evidence.field {
        // A function that passes the end of its section, in a linked file and in its object.
        Aspect::Structure if found.rule() == RuleId::ElfRelocationTarget => Culprit::Rule(RuleId::ElfFunctionInCode),
        Aspect::Structure => Culprit::Rule(found.rule()),
        Aspect::Cfa | Aspect::Ra | Aspect::Fp | Aspect::Registers | Aspect::Coverage => {
            Culprit::Function(found.function())
        }
    }
}
