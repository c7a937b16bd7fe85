//! Rules about flex rows, and about the width of words, which depends on which words are unsigned.

use alloc::format;
use alloc::vec::Vec;
use spec::RuleId;
use types::{Abi, CfaRule, Reg, ValueRule};

use super::arch::arch;
use super::report::Report;
use super::row::RowView;
use crate::ErrorKind;
use crate::meaning::{self, FlexRow, Item};

/// Checks a row of a flex function.
pub(crate) fn check(row: &RowView<'_, '_>, report: &mut Report) {
    let info = row.row.info;
    let count = info.word_count();
    if count == 0 {
        return;
    }
    let at_info = row.place(row.row.info_at);
    if info.base_is_sp() {
        report.add(RuleId::FlexBaseBit, at_info, || format!("{}: info {:#04x}", row.name(), info.0));
    }
    let items = match FlexRow::split(&row.row) {
        Ok(items) => items,
        Err(kind) => {
            let id = if matches!(kind, ErrorKind::FlexWords) { RuleId::FlexPairs } else { RuleId::FlexWordCount };
            report.add(id, at_info, || format!("{}: {count} words; {kind}", row.name()));
            return;
        }
    };
    if items.filler.is_some() && items.fp.is_none() {
        report.add(RuleId::FlexTrailingFiller, row.place(row.row.word_at(2)), || {
            format!("{}: an RA filler without FP", row.name())
        });
    }
    let cfa = items.cfa;
    if !cfa.has_base_register() {
        report.add(RuleId::FlexCfaRegister, row.place(row.row.word_at(cfa.index)), || {
            format!("{}: CFA control word {:#x}", row.name(), cfa.control)
        });
    }
    for item in [Some(cfa), items.ra, items.fp].into_iter().flatten() {
        control(row, item, report);
    }
    for (name, item) in [("RA", items.ra), ("FP", items.fp)] {
        let Some(item) = item.filter(|item| !item.has_base_register()) else { continue };
        let place = row.place(row.row.word_at(item.index));
        if item.register() != 0 {
            report.add(RuleId::FlexRegisterWithoutBase, place, || {
                format!("{}: {name} control word {:#x} is based on the CFA", row.name(), item.control)
            });
        }
        if !item.loads() {
            report.add(RuleId::FlexValueWithoutLoad, place, || {
                format!("{}: {name} control word {:#x} makes the value CFA{:+}", row.name(), item.control, item.offset)
            });
        }
    }
    if let Some(abi) = row.view.abi {
        topmost_only(row, abi, report);
        (arch(abi).flex_row)(row, report);
    }
}

fn control(row: &RowView<'_, '_>, item: Item, report: &mut Report) {
    let place = row.place(row.row.word_at(item.index));
    if item.control & 4 != 0 {
        report.add(RuleId::FlexControlBit2, place, || format!("{}: control word {:#x}", row.name(), item.control));
    }
    let exists = row.view.abi.is_none_or(|abi| (meaning::arch(abi).has_register)(item.register()));
    if item.has_base_register() && !exists {
        report.add(RuleId::FlexRegister, place, || format!("{}: register {}", row.name(), item.register()));
    }
}

/// Reports values that only the topmost frame can provide: of callers only SP and FP are known, so
/// other registers, and values left in registers, are not available.
fn topmost_only(row: &RowView<'_, '_>, abi: Abi, report: &mut Report) {
    let Some(rules) = row.meaning() else { return };
    let facts = abi.facts();
    let known = |reg: Reg| reg == facts.sp || reg == facts.fp;
    let cfa = match rules.cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => known(reg),
        CfaRule::Expression(_) | CfaRule::Unspecified => true,
    };
    let value = |rule: ValueRule| match rule {
        ValueRule::Register { .. } => false,
        ValueRule::Memory { reg, .. } => known(reg),
        _ => true,
    };
    let (ra, fp) = (value(rules.ra), value(rules.fp));
    if !(cfa && ra && fp) {
        report.add(RuleId::FlexTopmostOnly, row.place(row.row.offset), || {
            let all = [
                (cfa, "CFA", rules.cfa.describe(abi)),
                (ra, "RA", rules.ra.describe(abi)),
                (fp, "FP", rules.fp.describe(abi)),
            ];
            let wrong = all.iter().filter(|(known, ..)| !known).map(|(_, what, rule)| format!("{what} is {rule}"));
            let wrong: Vec<_> = wrong.collect();
            format!("{}: {}, which is known in the innermost frame only", row.name(), wrong.join(", "))
        });
    }
}

/// Returns true if the row could not be encoded as a default row of its ABI.
pub(crate) fn needs_flex(row: &RowView<'_, '_>) -> bool {
    let (Some(abi), Some(rules)) = (row.view.abi, row.meaning()) else { return true };
    let facts = abi.facts();
    let fixed = i64::from(row.view.section.header.fixed_ra);
    let filler = facts.ra_filler;
    let cfa = match rules.cfa {
        CfaRule::Register { reg, .. } => reg == facts.sp || reg == facts.fp,
        CfaRule::Unspecified => true,
        CfaRule::Memory { .. } | CfaRule::Expression(_) => false,
    };
    let ra = match rules.ra {
        ValueRule::AtCfa(n) if fixed != 0 => n == fixed,
        // The filler is the word 0, if the ABI has a filler.
        ValueRule::AtCfa(n) => n != 0 || !filler,
        ValueRule::SameValue => fixed == 0,
        ValueRule::Undefined => true,
        _ => false,
    };
    let fp = match rules.fp {
        ValueRule::SameValue => true,
        // Without a filler FP needs RA before it, if RA has a word at all.
        ValueRule::AtCfa(_) => filler || rules.ra != ValueRule::SameValue,
        _ => false,
    };
    !(cfa && ra && fp)
}

/// Returns true if all words would fit a smaller size: offsets are signed, control words unsigned.
pub(crate) fn is_wide(row: &RowView<'_, '_>) -> bool {
    let size = row.row.word_size();
    let count = row.row.info.word_count();
    if size == 1 || count == 0 {
        return false;
    }
    let signed = |value: i64| if size == 2 { i8::try_from(value).is_ok() } else { i16::try_from(value).is_ok() };
    let unsigned = |value: u32| if size == 2 { u8::try_from(value).is_ok() } else { u16::try_from(value).is_ok() };
    if !row.desc.attributes.info2.flex() {
        return row.row.offset_words().all(signed);
    }
    let Ok(items) = FlexRow::split(&row.row) else { return false };
    [Some(items.cfa), items.ra, items.fp]
        .into_iter()
        .flatten()
        .all(|item| signed(item.offset) && unsigned(item.control))
}
