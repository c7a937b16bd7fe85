//! A finding that several tests start from.

use results::{Blame, Finding};
use spec::{RuleId, Severity};
use types::Aspect;

/// A finding of that rule and severity in `function`, at 0x401000, blamed on the assembler.
pub(crate) fn finding(rule: RuleId, severity: Severity, function: &str) -> Finding {
    let mut found = Finding::new(rule, Blame::Assembler, function, "shape");
    found.severity = severity;
    found.at = Some(0x40_1000);
    found.ranges = vec![(0x40_1000, 0x40_1004)];
    found.place = "0x401000..0x401004".to_owned();
    found.steps = 3;
    found.field = Aspect::Cfa;
    found.message = format!("{function} is wrong");
    found.offset = Some(0x2a);
    found.executed = true;
    found
}
