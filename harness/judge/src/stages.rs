//! One build, judged at each of its stages: which stage first shows a finding, and so which tool is at fault.
//!
//! A finding is told once, at the first stage that shows it. Tools do not all name it alike at each stage (an object is compared
//! with its own CFI, an executable with the machine), so two findings are one when they are about the rows of the same function,
//! or break the same structural rule.

use std::collections::BTreeSet;

use model::{Blame, Discrepancy, Report, Severity, Stage, fingerprint};

/// Where the directives come from that both tables are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directives {
    /// Written by hand and true to the instructions: what is wrong alike in both tables is the assembler's.
    True,
    /// Written by a compiler.
    Compiled,
}

/// The reports of one build. A stage that was not built has none.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// One for each object.
    pub objects: &'a [Report],
    /// After `ld -r`.
    pub relocatable: &'a [Report],
    /// After the final link.
    pub linked: &'a [Report],
    /// Without symbols; none also where its tables are the linked file's byte for byte.
    pub stripped: &'a [Report],
    /// Where the directives come from.
    pub directives: Directives,
}

/// Every finding of severity error, each once, with its stage and the blame that follows; in order of stages.
pub fn findings(build: &Build<'_>) -> Vec<(Stage, Discrepancy)> {
    let mut told = BTreeSet::new();
    let mut all = Vec::new();
    let in_objects: BTreeSet<(bool, &str)> = build.objects.iter().flat_map(errors).map(culprit).collect();
    // The linked file first: it is executed, and its findings say more than those of the stages before it.
    for found in build.linked.iter().flat_map(errors) {
        let wrong_before = in_objects.contains(&culprit(found));
        let blame = match (found.blame, build.directives) {
            (Blame::Compiler, Directives::True) => Blame::Assembler,
            (Blame::AssemblerOrLinker, _) if wrong_before => Blame::Assembler,
            (Blame::AssemblerOrLinker, _) => Blame::Linker,
            (blame, _) => blame,
        };
        let stage = match blame {
            Blame::Linker => Stage::Linked,
            Blame::Assembler | Blame::Compiler => Stage::Object,
            _ if wrong_before => Stage::Object,
            _ => Stage::Linked,
        };
        told.insert(identity(found));
        let found = blamed(found, blame);
        // Several files of one build may show it: once is enough.
        if !all.iter().any(|(_, other): &(Stage, Discrepancy)| other.fingerprint == found.fingerprint) {
            all.push((stage, found));
        }
    }
    for found in build.objects.iter().flat_map(errors).filter(|found| !told.contains(&identity(found))) {
        let blame = match (found.blame, build.directives) {
            (Blame::Compiler, Directives::True) => Blame::Assembler,
            (blame, _) => blame,
        };
        all.push((Stage::Object, blamed(found, blame)));
    }
    told.extend(build.objects.iter().flat_map(errors).map(identity));
    let mut again = BTreeSet::new();
    for found in build.relocatable.iter().flat_map(errors).filter(|found| !told.contains(&identity(found))) {
        let mut found = found.clone();
        if found.field == "structure" {
            // A broken part of the file, whatever function it is about.
            found.function.clone_from(&found.section);
        }
        let found = blamed(&found, Blame::Linker);
        if again.insert(found.fingerprint.clone()) {
            all.push((Stage::Relocatable, found));
        }
    }
    // Without symbols functions have no names: what is new is told by rule.
    let rules: BTreeSet<&str> = build.linked.iter().flat_map(errors).map(|found| found.rule.id).collect();
    for found in build.stripped.iter().flat_map(errors).filter(|found| !rules.contains(found.rule.id)) {
        all.push((Stage::Stripped, blamed(found, Blame::PostProcessor)));
    }
    all.sort_by_key(|(stage, _)| *stage);
    all
}

fn errors(report: &Report) -> impl Iterator<Item = &Discrepancy> {
    report.discrepancies.iter().filter(|found| found.severity == Severity::Error)
}

/// What an object has to be wrong about for the linked file's finding to come from there: the same function, or the same rule.
fn culprit(found: &Discrepancy) -> (bool, &str) {
    let structural = found.field == "structure";
    (structural, if structural { found.rule.id } else { &found.function })
}

fn identity(found: &Discrepancy) -> (String, String) {
    match found.field {
        "structure" => (found.rule.id.to_owned(), String::new()),
        _ => (String::new(), found.function.clone()),
    }
}

fn blamed(found: &Discrepancy, blame: Blame) -> Discrepancy {
    let fingerprint = fingerprint(found.rule.id, blame, &found.function, &found.shape);
    Discrepancy { blame, fingerprint, ..found.clone() }
}
