//! Rows as equations, and findings as files of others may hold them.

use results::Finding;
use serde_json::Value;
use types::{Abi, CfaRule, Claim, Equations, Location, Reg, ValueRule};

/// The word 8 below the CFA: where a call of AMD64 leaves the return address.
pub(crate) const BELOW_CFA: ValueRule = ValueRule::AtCfa(-8);

/// A row: the CFA is a register plus bytes.
pub(crate) fn row(abi: Abi, (reg, offset): (Reg, i64), ra: ValueRule, fp: ValueRule) -> Claim {
    let cfa = CfaRule::Register { reg, offset };
    let (ra, fp) = (Location::Rule(ra), Location::Rule(fp));
    Claim::Row(Equations { abi, cfa, ra, fp, sp: None, signed_by: None, signed_with_pc: false, signal: false }, None)
}

/// The finding as it is read from results in which its JSON was changed: what the program makes of
/// any file.
pub(crate) fn reread(found: &Finding, change: impl FnOnce(&mut Value)) -> Finding {
    let mut json = serde_json::to_value(found).expect("JSON");
    change(&mut json);
    serde_json::from_value(json).expect("a finding")
}
