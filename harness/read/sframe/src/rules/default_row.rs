//! Rules about default rows: number of words that the ABI defines, and the requirements of each
//! ABI.

use super::arch::arch;
use super::report::Report;
use super::row::RowView;
use alloc::format;
use spec::RuleId;

/// Checks a row of a default function.
pub(crate) fn check(row: &RowView<'_, '_>, report: &mut Report) {
    let Some(abi) = row.view.abi else { return };
    let count = row.row.info.word_count();
    let place = row.place(row.row.info_at);
    let header = &row.view.section.header;
    // A return address that the header fixes has no word. Only AMD64 may fix it; on other ABIs that
    // is a breach of another rule, and rows are checked by what the ABI tracks.
    let most = if abi.facts().link_register || header.fixed_ra == 0 { 3 } else { 2 };
    if count > most {
        report.add(RuleId::RowWordCount, place, || {
            format!("{}: {count} words, {abi} gives {most} a meaning", row.name())
        });
        return;
    }
    (arch(abi).default_row)(row, report);
}
