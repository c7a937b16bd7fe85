//! Rows as equations, and findings with changed JSON as external files may have it.

use results::Finding;
use serde_json::Value;
use types::{Abi, CfaRule, Claim, Equations, ExprId, Fault, Location, PacKey, Reg, RowFault, ValueRule};

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

/// Every form of a claim: rows with each rule, location and error, and what is no row.
#[allow(dead_code, reason = "the tests of the page in a browser need no such list")]
pub(crate) fn every_claim() -> Vec<Claim> {
    let (reg, offset, address) = (Reg(11), i64::MIN, u64::MAX);
    let cfas = [
        CfaRule::Register { reg, offset },
        CfaRule::Memory { reg, offset },
        CfaRule::Expression(ExprId(u32::MAX)),
        CfaRule::Unspecified,
    ];
    let rules = [
        ValueRule::SameValue,
        ValueRule::Undefined,
        ValueRule::AtCfa(offset),
        ValueRule::CfaPlus(offset),
        ValueRule::Register { reg, offset },
        ValueRule::Memory { reg, offset },
        ValueRule::Expression(ExprId(7)),
    ];
    let places: Vec<Location> = rules.map(Location::Rule).into_iter().chain([Location::Elsewhere]).collect();
    let faults = [
        Fault::NoFunction,
        Fault::NoRow,
        Fault::NoCfa,
        Fault::UnknownRegister { reg },
        Fault::DeadMemory { address },
        Fault::UnreadableMemory { address },
        Fault::Expression,
        Fault::Overflow,
    ];
    let flaws = faults.into_iter().flat_map(|fault| [Some(RowFault::Fp(fault)), Some(RowFault::Row(fault))]);
    let flaws = flaws.chain([None, Some(RowFault::Outermost)]);
    let rows = flaws.enumerate().map(|(nth, flaw)| {
        let row = Equations {
            abi: Abi::ALL[nth % 4],
            cfa: cfas[nth % cfas.len()],
            ra: places[nth % places.len()],
            fp: places[(nth + 3) % places.len()],
            sp: (nth % 5 == 0).then_some(rules[nth % rules.len()]),
            signed_by: [None, Some(PacKey::A), Some(PacKey::B)][nth % 3],
            signed_with_pc: nth % 3 == 1,
            signal: nth % 2 == 0,
        };
        Claim::Row(row, flaw)
    });
    let mut claims: Vec<Claim> = rows.collect();
    claims.extend(faults.map(|fault| Claim::Fault(Box::new(Claim::NoRow), fault)));
    claims.extend([Claim::NoRow, Claim::Nothing, Claim::NoCaller, Claim::BeganHere, Claim::FramesUp(2)]);
    claims.push(Claim::Printed("no row; of that name".to_owned()));
    claims
}
