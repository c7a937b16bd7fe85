//! Rows as equations, and findings with changed JSON as external files may have it.

use results::Finding;
use serde_json::Value;
use types::{Abi, CfaRule, Claim, Equations, Location, Reg, ValueRule};

/// The word 8 bytes below the CFA: the location of the return address after a call on AMD64.
pub(crate) const BELOW_CFA: ValueRule = ValueRule::AtCfa(-8);

/// A row whose CFA is a register plus an offset.
pub(crate) fn row(abi: Abi, (reg, offset): (Reg, i64), ra: ValueRule, fp: ValueRule) -> Claim {
    let cfa = CfaRule::Register { reg, offset };
    let (ra, fp) = (Location::Rule(ra), Location::Rule(fp));
    Claim::Row(Equations { abi, cfa, ra, fp, sp: None, signed_by: None, signed_with_pc: false, signal: false }, None)
}

/// The finding as parsed from JSON that was changed by `change`.
pub(crate) fn reread(found: &Finding, change: impl FnOnce(&mut Value)) -> Finding {
    let mut json = serde_json::to_value(found).expect("JSON");
    change(&mut json);
    serde_json::from_value(json).expect("a finding")
}
