//! Merges occurrences into findings: the same rule, blame and function is one finding, whatever the
//! number of steps. Every wrong row is kept.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use results::{Blame, Finding, WrongRow, merge_ranges};
use spec::{RuleId, Severity};

/// Identity of a finding: equal for occurrences that are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// The rule that is broken.
    pub rule: RuleId,
    /// The tool at fault.
    pub blame: Blame,
    /// Start of the function that contains it.
    pub function: u64,
}

/// Collects occurrences. A new finding costs a [`Finding`], a new PC a [`WrongRow`], each further
/// occurrence a look-up.
#[derive(Debug, Default)]
pub struct Fold {
    findings: BTreeMap<Identity, Occurrences>,
}

#[derive(Debug)]
struct Occurrences {
    first: Finding,
    rows: Vec<WrongRow>,
    cut: bool,
    /// PCs of steps, each with the index of its row in `rows`.
    pcs: BTreeMap<u64, Option<usize>>,
    /// Ranges of addresses, each with the index of its row.
    spans: Vec<((u64, u64), Option<usize>)>,
    steps: u64,
}

/// Evidence for a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A step at this PC.
    Step(u64),
    /// The tables' rows for these addresses, executed or not.
    Rows(u64, u64),
}

impl Fold {
    /// Adds an occurrence. `describe` is called for the first one only, `row` once for each PC or
    /// range; `row` returns `None` if the finding is not about rows.
    pub fn add(
        &mut self,
        identity: Identity,
        evidence: Evidence,
        row: impl FnOnce() -> Option<WrongRow>,
        describe: impl FnOnce() -> Finding,
    ) {
        let folded = self.findings.entry(identity).or_insert_with(|| Occurrences {
            first: describe(),
            rows: Vec::new(),
            cut: false,
            pcs: BTreeMap::new(),
            spans: Vec::new(),
            steps: 0,
        });
        match evidence {
            Evidence::Step(pc) => {
                folded.steps += 1;
                if !folded.pcs.contains_key(&pc) {
                    let row = folded.keep(row());
                    folded.pcs.insert(pc, row);
                }
            }
            Evidence::Rows(start, end) => {
                let row = folded.keep(row());
                folded.spans.push(((start, end), row));
            }
        }
    }

    /// Raises the severity of a finding.
    pub fn raise(&mut self, identity: Identity, severity: Severity) {
        if let Some(folded) = self.findings.get_mut(&identity) {
            folded.first.severity = folded.first.severity.max(severity);
        }
    }

    /// Adds another fold's occurrences, as later ones.
    pub fn absorb(&mut self, other: Fold) {
        for (identity, found) in other.findings {
            match self.findings.entry(identity) {
                Entry::Vacant(place) => drop(place.insert(found)),
                Entry::Occupied(mut place) => place.get_mut().absorb(found),
            }
        }
    }

    /// Identities of the findings so far.
    pub fn identities(&self) -> Vec<Identity> {
        self.findings.keys().copied().collect()
    }

    /// Merges findings about reads below SP into findings about a wrong CFA of the same rows, which
    /// cause them.
    pub fn join_dead_stack(&mut self, wrong: &BTreeSet<Identity>) {
        for identity in wrong {
            let rule = match identity.rule {
                RuleId::EhFrameCfaMatchesTruth => RuleId::EhFrameReadsDeadStack,
                RuleId::RowCfaMatchesTruth => RuleId::RowReadsDeadStack,
                _ => continue,
            };
            if let Some(reads) = self.findings.remove(&Identity { rule, ..*identity })
                && let Some(known) = self.findings.get_mut(identity)
            {
                known.absorb(reads);
            }
        }
    }

    /// Returns the findings in a fixed order. `instruction_end` gives the address after the
    /// instruction at a PC.
    pub fn finish(self, instruction_end: impl Fn(u64) -> u64) -> Vec<Finding> {
        self.findings.into_values().map(|folded| folded.finish(&instruction_end)).collect()
    }
}

impl Occurrences {
    /// Adds a row, and returns its index.
    fn keep(&mut self, row: Option<WrongRow>) -> Option<usize> {
        let row = row?;
        let kept = row.add_to(&mut self.rows);
        self.cut |= kept.is_none();
        kept
    }

    fn absorb(&mut self, other: Occurrences) {
        let moved: Vec<Option<usize>> = other.rows.into_iter().map(|row| self.keep(Some(row))).collect();
        let now = |row: Option<usize>| row.and_then(|row| moved.get(row).copied().flatten());
        for (pc, row) in other.pcs {
            self.pcs.entry(pc).or_insert_with(|| now(row));
        }
        self.spans.extend(other.spans.into_iter().map(|(span, row)| (span, now(row))));
        self.steps += other.steps;
        self.cut |= other.cut;
    }

    fn finish(self, instruction_end: &impl Fn(u64) -> u64) -> Finding {
        let mut found = self.first;
        let stepped = self.pcs.iter().map(|(pc, row)| ((*pc, instruction_end(*pc)), *row));
        let shown: Vec<((u64, u64), Option<usize>)> = self.spans.iter().copied().chain(stepped).collect();
        found.evidence.ranges = merge_ranges(shown.iter().map(|(range, _)| *range).collect());
        found.evidence.steps = self.steps;
        found.evidence.rows = self.rows;
        found.evidence.rows_cut = self.cut;
        for (index, row) in found.evidence.rows.iter_mut().enumerate() {
            row.extend(shown.iter().filter(|(_, row)| *row == Some(index)).map(|(range, _)| *range));
        }
        found
    }
}
