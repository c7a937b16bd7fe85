//! Values that several tests start from: a finding with everything in it.

use model::{Blame, Discrepancy, Severity, Values, WindowLine, fingerprint, rule};

/// What one voice says, with a row.
pub(crate) fn values(cfa: u64, ra: u64, fp: u64, row: &str) -> Values {
    Values { cfa: Some(cfa), ra: Some(ra), fp: Some(fp), row: row.to_owned() }
}

/// A finding of that rule and severity in `function`, at 0x401000.
pub(crate) fn finding(id: &'static str, severity: Severity, function: &str) -> Discrepancy {
    Discrepancy {
        fingerprint: fingerprint(id, Blame::Assembler, function, "shape"),
        rule: rule(id),
        severity,
        blame: Blame::Assembler,
        function: function.to_owned(),
        shape: "shape".to_owned(),
        at: Some(0x40_1000),
        ranges: vec![(0x40_1000, 0x40_1004)],
        place: "0x401000..0x401004".to_owned(),
        steps: 3,
        field: "cfa",
        truth: None,
        sframe: None,
        eh_frame: None,
        message: format!("{function} is wrong"),
        section: ".sframe".to_owned(),
        offset: Some(0x2a),
        executed: true,
        depth: 0,
        window: Vec::new(),
    }
}

/// A finding with all three voices, two ranges and a window.
pub(crate) fn full_finding() -> Discrepancy {
    let line = |pc: u64, wrong| WindowLine {
        pc,
        place: format!("parse+{:#x}", pc - 0x40_1000),
        text: "push rbp".to_owned(),
        sframe: "cfa=rsp+8 by-sframe".to_owned(),
        eh_frame: "cfa=rsp+16 by-eh-frame".to_owned(),
        truth: "cfa=rsp+16 by-truth".to_owned(),
        wrong,
    };
    Discrepancy {
        ranges: vec![(0x40_1000, 0x40_1004), (0x40_1010, 0x40_1011)],
        truth: Some(values(0x7010, 0x40_2000, 0x7100, "truth row")),
        sframe: Some(values(0x7008, 0x40_2001, 0x7101, "sframe row")),
        eh_frame: Some(values(0x7018, 0x40_2002, 0x7102, "eh_frame row")),
        window: vec![line(0x40_1000, true), line(0x40_1001, false)],
        ..finding("row/cfa-matches-truth", Severity::Error, "parse")
    }
}
