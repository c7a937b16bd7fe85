//! Sample rows, findings and entries.

use ledger::known::{LedgerEntry, RecordedFinding, Versions};
use results::{Blame, EntryClass, Finding, Shape, Source, ToolVersion, WrongRow};
use spec::RuleId;
use types::{Abi, CfaRule, Claim, Equations, Location, Reg, ValueRule};

pub(crate) const CFA: RuleId = RuleId::RowCfaMatchesTruth;

/// A row of AMD64: the CFA is rsp plus bytes.
pub(crate) fn row(bytes: i64) -> Equations {
    let cfa = CfaRule::Register { reg: Reg(7), offset: bytes };
    let (ra, fp) = (Location::Rule(ValueRule::AtCfa(-8)), Location::Rule(ValueRule::SameValue));
    Equations { abi: Abi::Amd64, cfa, ra, fp, sp: None, signed_by: None, signed_with_pc: false, signal: false }
}

/// A row of `.sframe` that is wrong while that of `.eh_frame` is right.
pub(crate) fn wrong(wrong: Equations, right: Equations) -> WrongRow {
    WrongRow {
        ranges: vec![(0, 1)],
        wrong: Source::Sframe,
        right: Some(Source::EhFrame),
        sframe: Claim::Row(wrong, None),
        eh_frame: Claim::Row(right, None),
        truth: None,
        before: None,
        after: None,
    }
}

/// A finding about an assembler in `f` with these wrong CFA offsets, each 8 too small.
pub(crate) fn finding(offsets: &[i64]) -> Finding {
    let mut found = Finding::new(CFA, Blame::Assembler, "f", Shape::Rule);
    found.evidence.rows = offsets.iter().map(|bytes| wrong(row(*bytes), row(bytes + 8))).collect();
    found
}

/// A record of rows of `f` in every trial.
pub(crate) fn recorded(rows: &[WrongRow]) -> RecordedFinding {
    RecordedFinding {
        rules: vec![CFA],
        blame: None,
        versions: None,
        trials: vec!["*".to_owned()],
        except: Vec::new(),
        functions: vec!["f".to_owned()],
        words: Vec::new(),
        rows: rows.iter().map(ToString::to_string).collect(),
    }
}

/// An entry of gas 2.40 to 2.44.
pub(crate) fn entry(findings: Vec<RecordedFinding>) -> LedgerEntry {
    LedgerEntry {
        title: "test".to_owned(),
        project: "gas".to_owned(),
        versions: versions("2.40", "2.44", None),
        blame: Blame::Assembler,
        reason: "test".to_owned(),
        class: EntryClass::Bug,
        because: None,
        same_as: None,
        link: "unfiled".to_owned(),
        added: "2026-01-01".to_owned(),
        looked: None,
        causes: Vec::new(),
        expires: "2027-01-01".to_owned(),
        findings,
    }
}

pub(crate) fn versions(first: &str, last: &str, fixed: Option<&str>) -> Versions {
    Versions { first: ToolVersion::new(first), last: ToolVersion::new(last), fixed: fixed.map(ToolVersion::new) }
}
