//! Collects breaches: the severity is the catalogue's unless the check lowers it, and the number of
//! breaches for each rule is limited.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use spec::{Breach, RuleId, Severity};

use super::BREACHES_PER_RULE;

#[derive(Debug, Default)]
pub(crate) struct Report {
    breaches: Vec<Breach>,
    counts: BTreeMap<RuleId, usize>,
}

/// Position of a breach.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BreachAt {
    /// Byte offset in the section.
    pub(crate) offset: Option<u64>,
    /// First address of the code and first address after it.
    pub(crate) code: Option<(u64, u64)>,
}

impl BreachAt {
    /// A byte of the section, without code.
    pub(crate) fn byte(offset: u64) -> BreachAt {
        BreachAt { offset: Some(offset), code: None }
    }

    /// The same byte, with a range of code.
    pub(crate) fn about(self, code: Option<(u64, u64)>) -> BreachAt {
        BreachAt { code, ..self }
    }
}

impl Report {
    /// Adds a breach with the rule's own severity.
    pub(crate) fn add(&mut self, id: RuleId, place: BreachAt, message: impl FnOnce() -> String) {
        self.add_with(id, None, place, message);
    }

    /// Adds a breach with another severity that the rule allows.
    pub(crate) fn add_as(&mut self, id: RuleId, severity: Severity, place: BreachAt, message: impl FnOnce() -> String) {
        self.add_with(id, Some(severity), place, message);
    }

    fn add_with(&mut self, id: RuleId, severity: Option<Severity>, place: BreachAt, message: impl FnOnce() -> String) {
        let count = self.counts.entry(id).or_default();
        *count = count.saturating_add(1);
        if *count <= BREACHES_PER_RULE {
            let rule = id.facts();
            let BreachAt { offset, code } = place;
            let severity = severity.unwrap_or(rule.severity);
            self.breaches.push(Breach { rule, severity, offset, code, message: message() });
        }
    }

    /// The breaches, with one more for each rule that had more than are listed.
    pub(crate) fn finish(mut self) -> Vec<Breach> {
        for (id, count) in &self.counts {
            let more = count.saturating_sub(BREACHES_PER_RULE);
            if more > 0 {
                let rule = id.facts();
                let severity = self.breaches.iter().filter(|f| f.rule.id == *id).map(|f| f.severity).max();
                let message = format!("{more} more findings of this rule are not listed");
                let severity = severity.unwrap_or(rule.severity);
                self.breaches.push(Breach { rule, severity, offset: None, code: None, message });
            }
        }
        self.breaches
    }
}
