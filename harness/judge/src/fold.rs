//! Occurrences to findings: the same rule, blame and function is one finding, whatever the number of steps.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use model::{Blame, Finding, RuleId, merge_ranges};

/// What makes two occurrences the same finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// The rule that is broken.
    pub rule: RuleId,
    /// The tool at fault.
    pub blame: Blame,
    /// Start of the function it shows in.
    pub function: u64,
}

/// Collects occurrences. A new finding costs a [`Finding`], each further occurrence a look-up.
#[derive(Debug, Default)]
pub struct Fold {
    findings: BTreeMap<Identity, Occurrences>,
}

#[derive(Debug)]
struct Occurrences {
    first: Finding,
    pcs: BTreeSet<u64>,
    spans: Vec<(u64, u64)>,
    steps: u64,
}

/// What shows a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A step at this PC.
    Step(u64),
    /// The tables' rows for these addresses, executed or not.
    Rows(u64, u64),
}

impl Fold {
    /// Adds an occurrence. `describe` is called for the first one only.
    pub fn add(&mut self, identity: Identity, evidence: Evidence, describe: impl FnOnce() -> Finding) {
        let folded = self.findings.entry(identity).or_insert_with(|| Occurrences {
            first: describe(),
            pcs: BTreeSet::new(),
            spans: Vec::new(),
            steps: 0,
        });
        match evidence {
            Evidence::Step(pc) => {
                folded.pcs.insert(pc);
                folded.steps += 1;
            }
            Evidence::Rows(start, end) => folded.spans.push((start, end)),
        }
    }

    /// Takes in what another has collected, as later occurrences.
    pub fn absorb(&mut self, other: Fold) {
        for (identity, found) in other.findings {
            match self.findings.entry(identity) {
                Entry::Vacant(place) => drop(place.insert(found)),
                Entry::Occupied(mut place) => {
                    let folded = place.get_mut();
                    folded.pcs.extend(found.pcs);
                    folded.spans.extend(found.spans);
                    folded.steps += found.steps;
                }
            }
        }
    }

    /// The findings in a fixed order. `instruction_end` gives the address after the instruction at a PC.
    pub fn finish(self, instruction_end: impl Fn(u64) -> u64) -> Vec<Finding> {
        let finish = |folded: Occurrences| {
            let stepped = folded.pcs.iter().map(|pc| (*pc, instruction_end(*pc)));
            let ranges = merge_ranges(folded.spans.iter().copied().chain(stepped).collect());
            let mut found = folded.first;
            found.ranges = ranges;
            found.steps = folded.steps;
            found
        };
        self.findings.into_values().map(finish).collect()
    }
}
