//! The notes of a report, and its undecided items.

use std::collections::BTreeSet;

use results::{Report, Summary, Undecided};
use sframe::ErrorKind;
use types::{Image, Pc, UndecidedCause, UndecidedReason, counted};
use unwind::CfiUnwinder;

use crate::blame::Table;
use crate::execution::{Counts, Doubts, Refusal, Tally};
use crate::link::listed;
use crate::tables::{MOST_SECTIONS, Tables};

/// What the notes and undecided items are about.
pub(crate) struct Judged<'a> {
    pub(crate) counts: Counts,
    pub(crate) doubts: &'a Doubts,
    /// The first row that could not be evaluated.
    pub(crate) first_refusal: Option<Refusal>,
    /// Executed PCs for which no table has a row.
    pub(crate) uncovered: Vec<Pc>,
    /// True if `.sframe` describes only code that is not there.
    pub(crate) is_dead: bool,
    /// True if not all rows were compared.
    pub(crate) gave_up: bool,
}

/// Adds what the tables leave out, before anything is judged.
pub(crate) fn add_of_tables(report: &mut Report, image: &Image, tables: &Tables) {
    let broken = tables.sframe.iter().flat_map(|table| table.table().broken());
    let unread = broken.filter(|(_, error)| error.kind == ErrorKind::Overlap).count();
    if unread > 0 {
        let message = format!("{unread} functions were skipped: they share too many rows with others");
        report.undecided.push(Undecided { reason: UndecidedReason::SharedRows, pc: None, message });
    }
    if tables.unchecked > 0 {
        let message =
            format!("{} .sframe sections beyond the first {MOST_SECTIONS} were not checked", tables.unchecked);
        report.undecided.push(Undecided { reason: UndecidedReason::ManySections, pc: None, message });
    }
    let section = tables.cfi.as_ref().map(CfiUnwinder::section);
    match (tables.has_sframe, section) {
        (false, section) => {
            let section = section.unwrap_or(Table::EhFrame.section());
            report.notes.push(format!("no .sframe section: {section} is judged alone"));
        }
        (true, None) => report.notes.push("no .eh_frame: .sframe is judged alone".to_owned()),
        (true, Some(section)) if section != Table::EhFrame.section() => {
            report.notes.push(format!("no .eh_frame: {section} is judged in its place, and named eh_frame"));
        }
        (true, Some(_)) => {}
    }
    if image.section(".debug_frame").is_some() && section == Some(Table::EhFrame.section()) {
        let note = ".debug_frame is not judged beside .eh_frame: what only it describes counts as outside";
        report.notes.push(note.to_owned());
    }
}

/// Adds what was judged and what was not; the report has its summary.
pub(crate) fn add(report: &mut Report, image: &Image, judged: &Judged<'_>) {
    let Judged { counts, doubts, .. } = judged;
    let summary = report.summary;
    report.undecided.extend(refused(image, &summary, judged.first_refusal));
    report.notes.extend(uncovered(image, &judged.uncovered));
    report.undecided.extend(undecided_answers(image, &doubts.open));
    if doubts.confirmed.answers() > 0 {
        let by_reason = doubts.confirmed.by_reason().into_iter();
        let reasons: Vec<String> = by_reason.map(|(why, (answers, _))| format!("{answers} {}", why.name())).collect();
        report.notes.push(format!("answers that later control flow showed to be right: {}", reasons.join(", ")));
    }
    if doubts.gone.answers() > 0 {
        let pcs = doubts.gone.by_reason().into_values().flat_map(|(_, pcs)| pcs);
        report.notes.push(format!(
            "{} in {} not judged: a longjmp had left the frame, and no row describes where control landed",
            counted(doubts.gone.answers(), "answer"),
            named(pcs.map(|pc| home(image, pc)))
        ));
    }
    if counts.interrupted > 0 {
        report.notes.push(format!(
            "{} interrupted by a signal, identified by a table alone",
            counted(counts.interrupted, "function")
        ));
    }
    for (count, what) in [
        (
            counts.over_signals,
            "passed a signal frame by the registers that the kernel saved: a table has no row for the code that the handler returns to",
        ),
        (counts.unwalked, "were skipped: the stack is very deep (--whole-chain walks all)"),
        (counts.stopped, "stopped at a register that the table does not track"),
    ] {
        if count > 0 {
            report.notes.push(format!("{count} chain walks {what}"));
        }
    }
    if let Some(first) = report.contradicted.first() {
        report.notes.push(format!(
            "a run and exploration judge {} differently, the first {}: a bug of this program",
            counted(report.contradicted.len(), "place"),
            first.place
        ));
    }
    if judged.gave_up {
        report.notes.push("the tables have too many rows: not all were compared".to_owned());
    }
    let nothing = if judged.is_dead {
        "no row of .sframe was judged: the code that it describes was not executed and has no FDE in .eh_frame"
            .to_owned()
    } else if summary.steps_judged + summary.pcs_compared_static == 0 {
        let what = match summary.steps_executed {
            0 => "nothing was executed",
            _ => "no table describes the code that was executed",
        };
        format!("no row was judged: {what}, and there is no second table to compare")
    } else {
        return;
    };
    report.undecided.push(Undecided { reason: UndecidedReason::NothingJudged, pc: None, message: nothing });
}

/// The undecided item for rows of executed code that could not be evaluated.
fn refused(image: &Image, summary: &Summary, first: Option<Refusal>) -> Option<Undecided> {
    let Refusal { pc, table, fault } = first?;
    let what = summary.refusal().unwrap_or_else(|| match summary.undecided {
        0 => "rows could not be evaluated in states that may be unreachable".to_owned(),
        _ => "rows of callers could not be evaluated".to_owned(),
    });
    let message = format!("{what}, the first a row of {} at {}: {fault}", table.section(), image.place(pc.0));
    Some(Undecided { reason: UndecidedReason::Answers(UndecidedCause::Refused), pc: Some(pc.0), message })
}

/// Undecided items for single answers, one for each cause.
fn undecided_answers(image: &Image, open: &Tally) -> Vec<Undecided> {
    let of_reason = |(why, (answers, pcs)): (UndecidedCause, (u64, Vec<Pc>))| {
        let places = named(pcs.iter().map(|pc| home(image, *pc)));
        let message = format!("{} in {places}: {}", counted(answers, "answer"), why.meaning());
        let pc = pcs.first().map(|pc| pc.0);
        Undecided { reason: UndecidedReason::Answers(why), pc, message }
    };
    open.by_reason().into_iter().map(of_reason).collect()
}

/// The function at a PC, or else its address.
fn home(image: &Image, pc: Pc) -> String {
    image.function_at(pc).map_or_else(|| image.place(pc.0), |symbol| symbol.name.to_string())
}

/// The first names, each once, and the number of others.
fn named(names: impl Iterator<Item = String>) -> String {
    let names: BTreeSet<String> = names.collect();
    listed(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A note about executed code without any table to judge: mentioned, but not a finding.
fn uncovered(image: &Image, pcs: &[Pc]) -> Option<String> {
    let section =
        |pc: &Pc| image.section_at(pc.0).map_or_else(|| "outside all sections".to_owned(), |home| home.name.clone());
    let home = |pc: &Pc| image.function_at(*pc).map_or_else(|| section(pc), |symbol| symbol.name.to_string());
    let list = named(pcs.iter().map(home));
    (!pcs.is_empty()).then(|| format!("no table describes {} executed: {list}", counted(pcs.len(), "PC")))
}
