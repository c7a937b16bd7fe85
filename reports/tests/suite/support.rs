//! Values that several tests use: a finding with all parts.

use results::{Blame, Finding, Values, WindowLine};
use spec::{RuleId, Severity};
use types::{Abi, Aspect, Claim, Reg, ValueRule};

use crate::typed::{BELOW_CFA, row};

/// RSP of AMD64.
pub(crate) const RSP: Reg = Reg(7);
/// RBP of AMD64.
pub(crate) const RBP: Reg = Reg(6);

/// The values of a table or of the machine, with a row.
pub(crate) fn values(cfa: u64, ra: u64, fp: u64, row: Claim) -> Values {
    Values { cfa: Some(cfa), ra: Some(ra), fp: Some(fp), row }
}

/// A finding of this rule and severity in `function`, at 0x401000, blamed on the assembler.
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

/// A finding with truth and both tables, two ranges and a window.
pub(crate) fn full_finding() -> Finding {
    let line = |pc: u64, wrong| WindowLine {
        pc,
        place: format!("parse+{:#x}", pc - 0x40_1000),
        text: "push rbp".to_owned(),
        sframe: "cfa=rsp+8 by-sframe".to_owned(),
        eh_frame: "cfa=rsp+16 by-eh-frame".to_owned(),
        truth: "cfa=rsp+16 by-truth".to_owned(),
        wrong,
    };
    let (saved, same) = (ValueRule::AtCfa(-16), ValueRule::SameValue);
    let mut found = finding(RuleId::RowCfaMatchesTruth, Severity::Error, "parse");
    found.evidence.ranges = vec![(0x40_1000, 0x40_1004), (0x40_1010, 0x40_1011)];
    found.evidence.truth = Some(values(0x7010, 0x40_2000, 0x7100, row(Abi::Amd64, (RSP, 16), BELOW_CFA, saved)));
    found.evidence.sframe = Some(values(0x7008, 0x40_2001, 0x7101, row(Abi::Amd64, (RSP, 8), BELOW_CFA, same)));
    found.evidence.eh_frame = Some(values(0x7018, 0x40_2002, 0x7102, row(Abi::Amd64, (RBP, 24), BELOW_CFA, saved)));
    found.shown.window = vec![line(0x40_1000, true), line(0x40_1001, false)];
    found
}
