//! Rules that default and flex rows share: starts, info byte, width, repetition, and meaning.

use alloc::format;
use alloc::string::String;
use spec::{RuleId, Severity};
use types::{CfaRule, ValueRule};

use super::flex_row;
use super::report::{BreachAt, Report};
use super::version::VersionRules;
use super::view::{FunctionView, View};
use crate::{FrameRow, FuncDesc, ParseError, Rules};

/// A row with its position.
pub(crate) struct RowView<'v, 'a> {
    pub(crate) view: &'v View<'a>,
    pub(crate) function: &'v FunctionView,
    pub(crate) desc: &'v FuncDesc,
    pub(crate) row: FrameRow<'a>,
    /// Position among the function's rows.
    pub(crate) index: u32,
    /// Meaning of the row; `None` without a known ABI.
    pub(crate) rules: Option<Result<Rules, ParseError>>,
    /// Addresses that the row is valid for.
    pub(crate) code: Option<(u64, u64)>,
}

impl RowView<'_, '_> {
    /// Position of a byte of the row, with the code that the row is valid for; of a row that covers
    /// nothing with that of its function.
    pub(crate) fn place(&self, offset: u64) -> BreachAt {
        BreachAt::byte(offset).about(if self.covers_nothing() { self.function.range } else { self.code })
    }

    /// Name in messages: `FRE 2 of FDE 7`.
    pub(crate) fn name(&self) -> String {
        format!("FRE {} of FDE {}", self.index, self.desc.entry.index)
    }

    pub(crate) fn meaning(&self) -> Option<&Rules> {
        self.rules.as_ref()?.as_ref().ok()
    }

    /// Returns true if the row begins at the end of its function, or after it: no look-up finds it,
    /// and what it means does not matter.
    fn covers_nothing(&self) -> bool {
        self.desc.attributes.block().is_none() && self.row.start >= self.desc.entry.size
    }

    fn is_signal(&self) -> bool {
        self.view.section.header.is_signal(self.desc.attributes.info)
    }

    pub(crate) fn error(&self) -> Option<&ParseError> {
        self.rules.as_ref()?.as_ref().err()
    }
}

/// Checks a row of any type against its function and the row before it.
pub(crate) fn check(row: &RowView<'_, '_>, previous: Option<&FrameRow<'_>>, report: &mut Report) {
    start(row, previous, report);
    info(row, report);
    if flex_row::is_wide(row) {
        report.add(RuleId::RowWordSizeMinimal, row.place(row.row.info_at), || {
            format!("{}: words of {} bytes, fewer are enough", row.name(), row.row.word_size())
        });
    }
    if previous.is_some_and(|previous| same_content(previous, &row.row)) {
        report
            .add(RuleId::RowRepeats, row.place(row.row.offset), || format!("{} repeats the row before it", row.name()));
    }
    if let (Some(rules), Some(abi), false) = (row.meaning(), row.view.abi, row.covers_nothing()) {
        meaning(row, rules, abi, report);
    }
}

fn start(row: &RowView<'_, '_>, previous: Option<&FrameRow<'_>>, report: &mut Report) {
    let place = row.place(row.row.offset);
    let (start, size) = (row.row.start, row.desc.entry.size);
    match previous {
        None if start != 0 => {
            report.add(RuleId::RowFirstStart, place, || format!("{} starts at {start:#x}", row.name()));
        }
        Some(before) if start <= before.start => {
            if was_cut(row, before.start) {
                report.add(RuleId::FdeRowStartWraps, place, || {
                    format!("{} starts at {start:#x} after {:#x}: truncated", row.name(), before.start)
                });
            }
            report.add(RuleId::RowStartsAscend, place, || {
                format!("{} starts at {start:#x}, the row before it at {:#x}", row.name(), before.start)
            });
        }
        _ => (),
    }
    match row.desc.attributes.block() {
        Some(block) => {
            // A block of 0 bytes has been reported; V1 has no field for the block.
            let stated = row.desc.attributes.rep_size.is_some() && block != 0;
            if stated && start >= u32::from(block) {
                report.add(RuleId::FdeRowInBlock, place, || {
                    format!("{} starts at {start:#x} in a block of {block:#x} bytes", row.name())
                });
            }
        }
        None if start > size => report.add(RuleId::RowStartInFunction, place, || {
            format!("{} starts at {start:#x}, the function has {size:#x} bytes", row.name())
        }),
        None if start == size && size != 0 => report
            .add(RuleId::RowUnreachable, place, || format!("{} starts at the function's end, {size:#x}", row.name())),
        None => (),
    }
}

/// Returns true if the start looks truncated: it is below the previous one, and with one more bit
/// it would neither be so nor exceed the function.
fn was_cut(row: &RowView<'_, '_>, before: u32) -> bool {
    let whole = match row.desc.attributes.info.start_width() {
        Some(1) => u64::from(row.row.start).saturating_add(1 << 8),
        Some(2) => u64::from(row.row.start).saturating_add(1 << 16),
        _ => return false,
    };
    row.row.start < before && whole > u64::from(before) && whole <= u64::from(row.desc.entry.size)
}

fn info(row: &RowView<'_, '_>, report: &mut Report) {
    let info = row.row.info;
    let header = &row.view.section.header;
    let place = row.place(row.row.info_at);
    if info.word_count() == 0 {
        if !header.version().can_say_outermost() {
            report.add(RuleId::RowOutermostBeforeErrata2, place, || {
                format!("{} has no words, which is valid from V2 errata 2 on", row.name())
            });
        }
        if info.0 != 0 && VersionRules::for_format(header.format).rows_without_words {
            report
                .add(RuleId::RowOutermostInfo, place, || format!("{}: info {:#04x} without words", row.name(), info.0));
        }
    }
    if row.view.section.header.is_signed(info) && row.view.abi.is_some_and(|abi| !abi.facts().pointer_authentication) {
        report.add(RuleId::RowSignedBit, place, || format!("{}: info {:#04x}", row.name(), info.0));
    }
}

fn same_content(a: &FrameRow<'_>, b: &FrameRow<'_>) -> bool {
    a.info == b.info && (0..a.info.word_count()).all(|index| a.offset_word(index) == b.offset_word(index))
}

/// Stack slots and CFAs are multiples of the register size on all ABIs.
const SLOT: i64 = 8;

fn meaning(row: &RowView<'_, '_>, rules: &Rules, abi: types::Abi, report: &mut Report) {
    let facts = abi.facts();
    let place = row.place(row.row.offset);
    let least = facts.cfa_minus_sp_at_entry;
    let at_entry = CfaRule::Register { reg: facts.sp, offset: least };
    let ordinary = !(row.is_signal() || row.desc.attributes.info.pcmask());
    if row.index == 0
        && row.row.start == 0
        && ordinary
        && rules.cfa != CfaRule::Unspecified
        && rules.cfa != at_entry
        && !row.view.is_plt(row.function.range)
        && !row.view.is_cold(row.function.range)
    {
        report.add(RuleId::RowEntryCfa, place, || {
            format!(
                "FDE {} begins with cfa={}, expected {}",
                row.desc.entry.index,
                rules.cfa.describe(abi),
                at_entry.describe(abi)
            )
        });
    }
    if let CfaRule::Register { reg, offset } = rules.cfa {
        if reg == facts.sp && offset < least {
            let severity = if offset < 0 { Severity::Error } else { Severity::Warning };
            report.add_as(RuleId::RowCfaPlausible, severity, place, || {
                format!(
                    "{}: cfa={}, at function entry it is {}",
                    row.name(),
                    rules.cfa.describe(abi),
                    at_entry.describe(abi)
                )
            });
        }
        if offset.checked_rem(SLOT) != Some(0) {
            report.add(RuleId::RowSlotAlignment, place, || format!("{}: cfa={}", row.name(), rules.cfa.describe(abi)));
        }
    }
    slots(row, rules, abi, report);
}

fn slots(row: &RowView<'_, '_>, rules: &Rules, abi: types::Abi, report: &mut Report) {
    let place = row.place(row.row.offset);
    // If the header fixes the return address, its rule comes from the header and not from the row.
    let fixed = i64::from(row.view.section.header.fixed_ra);
    let own_ra = rules.ra != ValueRule::AtCfa(fixed) || fixed == 0;
    for (name, rule, own) in [("ra", rules.ra, own_ra), ("fp", rules.fp, true)] {
        let ValueRule::AtCfa(offset) = rule else { continue };
        if !own {
            continue;
        }
        if offset.checked_rem(SLOT) != Some(0) {
            report.add(RuleId::RowSlotAlignment, place, || format!("{}: {name}={}", row.name(), rule.describe(abi)));
        }
        // A signal frame restores registers from the context that the kernel pushed.
        if offset >= 0 && !row.is_signal() {
            report.add(RuleId::RowSlotAboveCfa, place, || format!("{}: {name}={}", row.name(), rule.describe(abi)));
        }
    }
    let slot = match (rules.ra, rules.fp) {
        (ValueRule::AtCfa(ra), ValueRule::AtCfa(fp)) if ra == fp => Some(fp),
        _ => None,
    };
    if let Some(slot) = slot {
        report.add(RuleId::RowSameSlot, place, || format!("{}: ra and fp are both [cfa{slot:+}]", row.name()));
        if !abi.facts().link_register && slot == fixed {
            report.add(RuleId::RowFpOnRaSlot, place, || format!("{}: fp=[cfa{slot:+}]", row.name()));
        }
    }
}
