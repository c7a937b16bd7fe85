//! A finding that several tests start from.

use model::{Blame, Discrepancy, Severity, fingerprint, rule};

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
