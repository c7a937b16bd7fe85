//! Rules of default rows that depend on the ABI: word counts and s390x words.

use model::{Abi, CfaRule};

use super::id;
use super::report::Report;
use super::row::RowView;
use crate::meaning::default_positions;
use crate::{ErrorKind, Format};

/// Checks a row of a default function.
pub(crate) fn check(row: &RowView<'_, '_>, report: &mut Report) {
    let Some(abi) = row.view.abi else { return };
    let count = row.row.info.word_count();
    let place = row.place(row.row.info_at);
    let header = &row.view.section.header;
    // A return address that the header fixes has no word of its own. Only AMD64 may fix it; elsewhere that is another
    // rule's breach and rows are measured by what the ABI tracks.
    let most = if abi.facts().link_register || header.fixed_ra == 0 { 3 } else { 2 };
    if count > most {
        report.add(id::WORD_COUNT, place, || format!("{}: {count} words, {abi} gives {most} a meaning", row.name()));
        return;
    }
    if count == 2 && abi.is_aarch64() {
        report.add(id::TWO_WORDS, place, || format!("{}: two words, RA is saved and FP is not", row.name()));
    }
    if abi == Abi::S390x {
        s390x(row, report);
    }
}

fn s390x(row: &RowView<'_, '_>, report: &mut Report) {
    let header = &row.view.section.header;
    if let Some(error) = row.error().filter(|error| matches!(error.kind, ErrorKind::Register(_))) {
        report.add(id::REGISTER_WORD, row.place(error.offset), || format!("{}: {}", row.name(), error.kind));
    }
    if let Some(CfaRule::Register { offset, .. }) = row.meaning().map(|rules| rules.cfa)
        && i32::try_from(offset).is_err()
    {
        report.add(id::CFA_OFFSET_RANGE, row.place(row.row.word_at(0)), || {
            format!("{}: the CFA offset decodes to {offset}", row.name())
        });
    }
    let (ra, fp) = default_positions(header);
    for index in ra.into_iter().chain([fp]) {
        let Some(word) = row.row.offset_word(index) else { continue };
        let place = row.place(row.row.word_at(index));
        let odd = word & 1 != 0;
        if odd && header.format == Format::V3 {
            report.add(id::ODD_WORD, place, || format!("{}: odd word {word}", row.name()));
        } else if !odd && word.checked_rem(8) != Some(0) {
            report.add(id::EVEN_WORD_ALIGNMENT, place, || format!("{}: word {word}", row.name()));
        }
    }
    if ra == Some(1) && row.row.info.word_count() == 2 && row.row.offset_word(1) == Some(0) {
        report.add(id::TRAILING_FILLER, row.place(row.row.word_at(1)), || {
            format!("{}: RA word 0 without FP", row.name())
        });
    }
}
