//! Occurrences to findings: the same rule, blame and function is one discrepancy, whatever the number of steps.

use std::collections::{BTreeMap, BTreeSet};

use crate::blame::Blame;
use crate::discrepancy::Discrepancy;

/// What makes two occurrences the same finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// Rule id.
    pub rule: &'static str,
    /// Who is blamed.
    pub blame: Blame,
    /// Start of the function it shows in.
    pub function: u64,
}

/// Collects occurrences. A new finding costs a [`Discrepancy`], each further occurrence a look-up.
#[derive(Debug, Default)]
pub struct Fold {
    findings: BTreeMap<Identity, Folded>,
}

#[derive(Debug)]
struct Folded {
    first: Discrepancy,
    pcs: BTreeSet<u64>,
    steps: u64,
}

impl Fold {
    /// Adds an occurrence. `describe` is called for the first one only.
    pub fn add(&mut self, identity: Identity, pc: u64, describe: impl FnOnce() -> Discrepancy) {
        let folded = self.findings.entry(identity).or_insert_with(|| Folded {
            first: describe(),
            pcs: BTreeSet::new(),
            steps: 0,
        });
        folded.pcs.insert(pc);
        folded.steps += 1;
    }

    /// The findings in a fixed order. `instruction_end` gives the address after the instruction at a PC.
    pub fn finish(self, instruction_end: impl Fn(u64) -> u64) -> Vec<Discrepancy> {
        self.findings
            .into_values()
            .map(|folded| {
                let ranges = folded.pcs.iter().map(|pc| (*pc, instruction_end(*pc))).collect();
                Discrepancy { ranges: crate::discrepancy::merge_ranges(ranges), steps: folded.steps, ..folded.first }
            })
            .collect()
    }
}
