//! A finding that several tests start from.

use results::{Blame, Finding};
use spec::{RuleId, Severity};
use types::Aspect;

/// A finding of that rule and severity in `function`, at 0x401000, blamed on the assembler.
pub(crate) fn finding(rule: RuleId, severity: Severity, function: &str) -> Finding {
    let mut found = Finding::new(rule, Blame::Assembler, function, "shape");
    found.severity = severity;
    found.evidence.at = Some(0x40_1000);
    found.evidence.ranges = vec![(0x40_1000, 0x40_1004)];
    found.shown.place = "0x401000..0x401004".to_owned();
    found.evidence.steps = 3;
    found.evidence.field = Aspect::Cfa;
    found.shown.message = format!("{function} is wrong");
    found.shown.offset = Some(0x2a);
    found.evidence.executed = true;
    found
}
