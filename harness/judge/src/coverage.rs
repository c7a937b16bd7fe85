//! Functions that `.eh_frame` describes and `.sframe` does not: whether the format could have said it, and if not, why.

use model::{Abi, CfaRule, SframeVersion, UnwindRow, ValueRule};

/// Why a function with these CFI rows has no form in this version; none when it has.
pub fn inexpressible(abi: Abi, version: SframeVersion, rows: &[UnwindRow]) -> Option<String> {
    rows.iter().find_map(|row| {
        let why = cfa_reason(abi, version, row)
            .or_else(|| ra_reason(abi, version, row))
            .or_else(|| fp_reason(abi, version, row))?;
        Some(format!("{why} at {}", row.start))
    })
}

/// V3 flex FDEs are defined for AMD64 and s390x (SFrame V3, flexible FDEs; format page 1.7, A-20).
fn has_flex(abi: Abi, version: SframeVersion) -> bool {
    version == SframeVersion::V3 && !abi.is_aarch64()
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
            } else if abi == Abi::S390x && (offset - 160) % 8 != 0 {
                Some(format!("CFA offset {offset} is no multiple of 8"))
            } else if reg != facts.sp && reg != facts.fp && !has_flex(abi, version) {
                Some(format!("the CFA is {}, based on neither SP nor FP", row.cfa.describe(abi)))
            } else {
                None
            }
        }
        CfaRule::Memory { .. } if has_flex(abi, version) => None,
        CfaRule::Memory { .. } => Some(format!("the CFA is loaded from {}", row.cfa.describe(abi))),
        CfaRule::Expression(_) => Some("the CFA is a DWARF expression".to_owned()),
        CfaRule::Unspecified => Some("CFI gives no CFA".to_owned()),
    }
}

fn ra_reason(abi: Abi, version: SframeVersion, row: &UnwindRow) -> Option<String> {
    let told = || Some(format!("the return address is {}", row.ra.describe(abi)));
    match (abi, row.ra) {
        // "RA undefined" came with V2 errata 2, which no released assembler writes as V2 (format page 1.6).
        (_, ValueRule::Undefined) if version == SframeVersion::V3 => None,
        (_, ValueRule::Undefined) => Some("the return address is undefined, which this version cannot say".to_owned()),
        (Abi::Amd64, ValueRule::AtCfa(-8)) => None,
        // A control word 0 is the filler, so "CFA plus n, not loaded" is left without a form (SFrame V3, flexible FDEs).
        (_, ValueRule::CfaPlus(_) | ValueRule::Expression(_)) => told(),
        (_, rule) if is_distant(rule) => told(),
        (Abi::Amd64, _) if has_flex(abi, version) => None,
        (Abi::Amd64, _) => told(),
        (_, ValueRule::SameValue | ValueRule::AtCfa(_)) => None,
        (Abi::S390x, ValueRule::Register { offset: 0, .. }) => None,
        (Abi::S390x, ValueRule::Register { .. } | ValueRule::Memory { .. }) if has_flex(abi, version) => None,
        _ => told(),
    }
}

fn fp_reason(abi: Abi, version: SframeVersion, row: &UnwindRow) -> Option<String> {
    match row.fp {
        // AArch64 has no filler for an untracked return address (SFrame V2 errata 1, AAPCS64).
        ValueRule::AtCfa(_) if abi.is_aarch64() && row.ra == ValueRule::SameValue => {
            Some("FP is saved while the return address is not".to_owned())
        }
        rule if is_distant(rule) => Some(format!("FP is {}", row.fp.describe(abi))),
        ValueRule::SameValue | ValueRule::AtCfa(_) => None,
        ValueRule::Register { offset: 0, .. } if abi == Abi::S390x => None,
        ValueRule::Register { .. } | ValueRule::Memory { .. } if has_flex(abi, version) => None,
        _ => Some(format!("FP is {}", row.fp.describe(abi))),
    }
}

/// True when the offset does not fit the widest word of a row, 32 bits (SFrame V2 errata 1, The SFrame FRE Info Word).
fn is_distant(rule: ValueRule) -> bool {
    match rule {
        ValueRule::AtCfa(offset)
        | ValueRule::CfaPlus(offset)
        | ValueRule::Register { offset, .. }
        | ValueRule::Memory { offset, .. } => i32::try_from(offset).is_err(),
        ValueRule::SameValue | ValueRule::Undefined | ValueRule::Expression(_) => false,
    }
}
