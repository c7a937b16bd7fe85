//! Functions that `.eh_frame` describes and `.sframe` does not: whether SFrame can express their
//! rows, and if not, why.

use types::{Abi, CfaRule, SframeVersion, UnwindRow, ValueRule};

use crate::compare::moves_sp;

/// Why SFrame in this version cannot express these CFI rows of a function; `None` if it can.
pub fn inexpressible(abi: Abi, version: SframeVersion, rows: &[UnwindRow]) -> Option<String> {
    rows.iter().find_map(|row| {
        let why = cfa_reason(abi, version, row)
            .or_else(|| ra_reason(abi, version, row))
            .or_else(|| fp_reason(abi, version, row))
            .or_else(|| sp_reason(abi, row))
            .or_else(|| signing_reason(row))?;
        Some(format!("{why} at {}", row.start))
    })
}

fn cfa_reason(abi: Abi, version: SframeVersion, row: &UnwindRow) -> Option<String> {
    let facts = abi.facts();
    if row.ra == ValueRule::Undefined {
        return None;
    }
    match row.cfa {
        CfaRule::Register { reg, offset } => {
            if i32::try_from(offset).is_err() {
                Some(format!("CFA offset {offset} does not fit 32 bits"))
            } else if !facts.cfa_word.has(offset) {
                Some(format!("CFA offset {offset} is not a multiple of {}", facts.cfa_word.scale))
            } else if reg != facts.sp && reg != facts.fp && !abi.has_flex(version) {
                Some(format!("the CFA is {}, based on neither SP nor FP", row.cfa.describe(abi)))
            } else {
                None
            }
        }
        CfaRule::Memory { .. } if abi.has_flex(version) => None,
        CfaRule::Memory { .. } => Some(format!("the CFA is loaded from {}", row.cfa.describe(abi))),
        CfaRule::Expression(_) => Some("the CFA is a DWARF expression".to_owned()),
        CfaRule::Unspecified => Some("CFI gives no CFA".to_owned()),
    }
}

fn ra_reason(abi: Abi, version: SframeVersion, row: &UnwindRow) -> Option<String> {
    let facts = abi.facts();
    let fixed = facts.fixed_ra.map(i64::from);
    let reason = || Some(format!("the return address is {}", row.ra.describe(abi)));
    match row.ra {
        ValueRule::Undefined if version.can_say_outermost() => None,
        ValueRule::Undefined => Some("the return address is undefined, which this version cannot encode".to_owned()),
        ValueRule::AtCfa(offset) if fixed == Some(offset) => None,
        // A control word 0 is the filler, so "CFA plus n, not loaded" cannot be encoded (SFrame V3,
        // flexible FDEs).
        ValueRule::CfaPlus(_) | ValueRule::Expression(_) => reason(),
        rule if is_distant(rule) => reason(),
        ValueRule::SameValue | ValueRule::AtCfa(_) if fixed.is_none() => None,
        ValueRule::SameValue | ValueRule::AtCfa(_) | ValueRule::Memory { .. } | ValueRule::Register { .. }
            if abi.has_flex(version) =>
        {
            None
        }
        ValueRule::Register { offset: 0, .. } if has_register_words(abi, version) => None,
        ValueRule::SameValue | ValueRule::AtCfa(_) | ValueRule::Memory { .. } | ValueRule::Register { .. } => reason(),
    }
}

fn fp_reason(abi: Abi, version: SframeVersion, row: &UnwindRow) -> Option<String> {
    let facts = abi.facts();
    let reason = || Some(format!("FP is {}", row.fp.describe(abi)));
    match row.fp {
        // There is no filler for a return address that is not saved (SFrame V2 errata 1,
        // "AArch64").
        ValueRule::AtCfa(_) if facts.fixed_ra.is_none() && !facts.ra_filler && row.ra == ValueRule::SameValue => {
            Some("FP is saved, but the return address is not".to_owned())
        }
        rule if is_distant(rule) => reason(),
        ValueRule::SameValue | ValueRule::AtCfa(_) => None,
        ValueRule::Register { offset: 0, .. } if has_register_words(abi, version) => None,
        ValueRule::Register { .. } | ValueRule::Memory { .. } if abi.has_flex(version) => None,
        ValueRule::Register { .. }
        | ValueRule::Memory { .. }
        | ValueRule::CfaPlus(_)
        | ValueRule::Undefined
        | ValueRule::Expression(_) => reason(),
    }
}

/// No SFrame row has a rule for the caller's SP: it follows from the CFA.
fn sp_reason(abi: Abi, row: &UnwindRow) -> Option<String> {
    let rule = row.sp.filter(|rule| matches!(rule, ValueRule::Expression(_)) || moves_sp(abi.facts(), row))?;
    Some(format!("the caller's SP is {}", rule.describe(abi)))
}

/// Only rows mark a signed return address, and only functions have a key (SFrame V2 errata 1, The
/// SFrame FRE Info Word).
fn signing_reason(row: &UnwindRow) -> Option<String> {
    (row.signed && row.signed_with_pc)
        .then(|| "the return address is signed with the PC as a second modifier".to_owned())
}

/// Returns true if a default row can name a register that holds a value.
fn has_register_words(abi: Abi, version: SframeVersion) -> bool {
    abi.facts().register_words && version.has_register_words()
}

/// Returns true if the offset does not fit the widest word of a row, 32 bits (SFrame V2 errata 1,
/// The SFrame FRE Info Word).
fn is_distant(rule: ValueRule) -> bool {
    match rule {
        ValueRule::AtCfa(offset)
        | ValueRule::CfaPlus(offset)
        | ValueRule::Register { offset, .. }
        | ValueRule::Memory { offset, .. } => i32::try_from(offset).is_err(),
        ValueRule::SameValue | ValueRule::Undefined | ValueRule::Expression(_) => false,
    }
}
