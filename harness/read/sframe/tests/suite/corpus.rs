//! Tests the rules with files from a writer that shares no code with the reader: each broken file
//! breaks one rule and those it implies, valid files break none, and every structural rule of the
//! catalogue is broken by some file.

use std::collections::{BTreeMap, BTreeSet};

use generators::corpus::{broken, clean};
use spec::{Breach, CATALOGUE, RuleId, RuleKind, Severity};
use types::{Bytes, SframeVersion};

/// Findings of all `.sframe` sections, by rule.
fn validate(name: &str, bytes: &[u8]) -> Result<BTreeMap<RuleId, Vec<Breach>>, String> {
    let image = elf::load(name, &Bytes::copy_from_slice(bytes)).map_err(|error| format!("not loaded: {error}"))?;
    if image.sframe_sections().next().is_none() {
        return Err("no .sframe section".to_owned());
    }
    let mut found: BTreeMap<RuleId, Vec<Breach>> = BTreeMap::new();
    for finding in image.sframe_sections().flat_map(|section| sframe::validate(&image, section)) {
        found.entry(finding.rule.id).or_default().push(finding);
    }
    Ok(found)
}

/// Rules that every section of a version breaks.
fn by_nature(version: SframeVersion) -> &'static [RuleId] {
    match version {
        SframeVersion::V1 => &[RuleId::HeaderObsoleteVersion],
        SframeVersion::V2 => &[RuleId::HeaderPcrelClearV2],
        SframeVersion::V2Errata1 | SframeVersion::V3 => &[],
    }
}

fn describe(found: &BTreeMap<RuleId, Vec<Breach>>, rule: RuleId) -> String {
    let one = |breach: &Breach| format!("{} {rule}: {}", breach.severity, breach.message);
    found.get(&rule).into_iter().flatten().map(one).collect::<Vec<_>>().join("; ")
}

fn fail_if_any(complaints: &[String], total: usize) {
    assert!(complaints.is_empty(), "{} of {total} files:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn a_broken_file_breaks_its_rule_at_the_offset_and_what_that_implies() {
    let files = broken();
    let mut complaints = Vec::new();
    for file in &files {
        let name = file.name();
        let rule = file.rule.facts();
        let found = match validate(&name, &file.bytes) {
            Ok(found) => found,
            Err(error) => {
                complaints.push(format!("{name}: {error}"));
                continue;
            }
        };
        match found.get(&rule.id).and_then(|breaches| breaches.first()) {
            None => complaints.push(format!("{name}: not found")),
            Some(breach) if breach.offset != file.offset => {
                complaints.push(format!("{name}: at {:x?}, expected {:x?}", breach.offset, file.offset));
            }
            Some(_) => {}
        }
        if !rule.versions.contains(file.version) {
            complaints.push(format!("{name}: no rule of its version"));
        }
        for other in found.keys().filter(|id| **id != rule.id) {
            if !rule.implies.contains(other) && !by_nature(file.version).contains(other) {
                complaints.push(format!("{name}: also {}", describe(&found, *other)));
            }
        }
    }
    fail_if_any(&complaints, files.len());
}

/// Rules whose breaches are warnings for these files: unscaled CFA offsets are an error only if
/// there is CFI to compare with.
const MILDER: [RuleId; 1] = [RuleId::FlexCfaScaled];

#[test]
fn the_worst_finding_of_a_rule_is_as_severe_as_the_catalogue_says() {
    let mut worst: BTreeMap<RuleId, Severity> = BTreeMap::new();
    for file in broken() {
        let found = validate(&file.name(), &file.bytes).unwrap_or_default();
        for (id, findings) in found {
            let severity = findings.iter().map(|finding| finding.severity).max().expect("a rule that was found");
            let entry = worst.entry(id).or_insert(severity);
            *entry = (*entry).max(severity);
        }
    }
    let wrong: Vec<String> = worst
        .iter()
        .filter(|(id, severity)| match id.facts().severity {
            usual if MILDER.contains(id) => usual <= **severity,
            usual => usual != **severity,
        })
        .map(|(id, severity)| format!("{id}: {severity} at worst"))
        .collect();
    assert!(wrong.is_empty(), "differ from the catalogue: {wrong:?}");
}

#[test]
fn a_clean_file_breaks_nothing() {
    let files = clean();
    let mut complaints = Vec::new();
    for file in &files {
        match validate(&file.name, &file.bytes) {
            Ok(found) => {
                let expected: BTreeSet<RuleId> = file.expected.iter().copied().collect();
                let ids: BTreeSet<RuleId> = found.keys().copied().collect();
                complaints.extend(expected.difference(&ids).map(|id| format!("{}: {id} not found", file.name)));
                let unexpected = ids.difference(&expected);
                complaints.extend(unexpected.map(|id| format!("{}: {}", file.name, describe(&found, *id))));
            }
            Err(error) => complaints.push(format!("{}: {error}", file.name)),
        }
    }
    fail_if_any(&complaints, files.len());
}

#[test]
fn every_structural_rule_has_a_broken_file() {
    let files: BTreeSet<RuleId> = broken().iter().map(|file| file.rule).collect();
    let structural: BTreeSet<RuleId> =
        CATALOGUE.iter().filter(|rule| rule.kind == RuleKind::Structural).map(|rule| rule.id).collect();
    assert_eq!(files, structural);
}
