//! Broken structural rules as findings: one for each rule and function, however many rows break it.

use std::collections::BTreeMap;

use model::{Blame, CodePoint, Discrepancy, Finding, Image, Pc, RuleId, fingerprint, rule};
use unwind::Unwinder as _;

use crate::blame::Origin;
use crate::compare::differences;
use crate::slot::Slot;
use crate::tables::{Tables, origin};

/// The findings of an image's `.sframe` sections.
pub fn findings(image: &Image, tables: &Tables) -> Vec<Discrepancy> {
    let mut folded: BTreeMap<(&str, u64), (Discrepancy, u64)> = BTreeMap::new();
    for finding in &tables.findings {
        let start = finding.code.map(|(start, _)| tables.function_start(image, start));
        let identity = (finding.rule.id, start.unwrap_or(0));
        folded.entry(identity).and_modify(|(_, times)| *times += 1).or_insert_with(|| {
            let function = start.map_or_else(|| tables.sframe_name(image), |start| image.place(start));
            (discrepancy(image, tables, finding, function), 1)
        });
    }
    let told = |(mut found, times): (Discrepancy, u64)| {
        if times > 1 {
            found.message.push_str(&format!(" (and {} more of the kind)", times - 1));
        }
        found
    };
    folded.into_values().map(told).collect()
}

/// Descriptors of `.eh_frame` that cannot be read: as far as they go there is nothing to hold `.sframe` against.
pub fn refused(tables: &Tables) -> Option<Discrepancy> {
    let id = RuleId::CfiRefused;
    let mut broken = tables.cfi.iter().flat_map(|cfi| cfi.broken());
    let first = broken.next()?;
    let more = broken.count();
    let rest = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    Some(Discrepancy {
        fingerprint: fingerprint(id, Blame::EhFrame, first.section, ""),
        rule: rule(id),
        severity: rule(id).severity,
        blame: Blame::EhFrame,
        function: first.section.to_owned(),
        shape: String::new(),
        at: None,
        ranges: Vec::new(),
        place: String::new(),
        steps: 0,
        field: "structure",
        truth: None,
        sframe: None,
        eh_frame: None,
        message: format!("{} entry at {:#x} cannot be read: {}{rest}", first.section, first.offset, first.error),
        section: first.section.to_owned(),
        offset: Some(first.offset),
        executed: false,
        depth: 0,
        window: Vec::new(),
    })
}

fn discrepancy(image: &Image, tables: &Tables, finding: &Finding, function: String) -> Discrepancy {
    let address = finding.code.map(|(start, _)| start);
    let blame = match address {
        Some(pc) if IMPLAUSIBLE.contains(&finding.rule.id) && as_directed(tables, Pc(pc), finding.offset) => {
            Blame::Compiler
        }
        _ => blame(image, finding.rule.id, address),
    };
    Discrepancy {
        fingerprint: fingerprint(finding.rule.id, blame, &function, ""),
        rule: finding.rule,
        severity: finding.severity,
        blame,
        function,
        shape: String::new(),
        at: None,
        ranges: finding.code.into_iter().collect(),
        place: String::new(),
        steps: 0,
        field: "structure",
        truth: None,
        sframe: None,
        eh_frame: None,
        message: finding.message.clone(),
        section: tables.sframe_name(image),
        offset: finding.offset,
        executed: false,
        depth: 0,
        window: Vec::new(),
    }
}

/// Rules about what a row says, not how: they are broken by directives that say so.
const IMPLAUSIBLE: [&str; 3] = [RuleId::RowSameSlot, RuleId::RowFpOnRaSlot, RuleId::RowCfaPlausible];

/// True where the row at this offset is what `.sframe` says, and `.eh_frame` says the same: both were made from the same
/// directives.
fn as_directed(tables: &Tables, pc: Pc, row: Option<u64>) -> bool {
    if row.is_none() || tables.sframe_row_offset(pc) != row {
        return false;
    }
    match (&tables.sframe, &tables.cfi, tables.slots(CodePoint::Exact(pc))) {
        (Some(sframe), Some(cfi), (Slot::Row(a), Slot::Row(b))) => {
            differences(&sframe.rules(a, pc), &cfi.rules(b, pc)).is_empty()
        }
        _ => false,
    }
}

/// In an object its maker; in a linked file whoever writes that part.
fn blame(image: &Image, id: &str, address: Option<u64>) -> Blame {
    match origin(image, address.unwrap_or(u64::MAX)) {
        Origin::Linked if id.starts_with("elf/") || id.contains("sorted") => Blame::Linker,
        other => other.blame(),
    }
}
