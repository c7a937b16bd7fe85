//! Makes a report from the results of judging a file: findings merged and positioned, gaps, counts,
//! and undecided items.

use std::collections::BTreeSet;

use isa::Disassembler;
use judge::blame::Table;
use judge::execution::{Judge, Tally};
use judge::gaps::gaps;
use judge::memo::Memo;
use judge::outside::outside;
use judge::tables::{HeaderCounts, Tables};
use judge::{eh_frame_hdr, ranges, statics, structure};
use results::{Finding, OutsideShare, Report, Sizes, Summary, Undecided};
use spec::{RuleId, Severity};
use types::counted;
use types::{Aspect, Fault, Image, ImageSection, Pc, UndecidedCause, UndecidedReason};
use unwind::{FunctionRange, SourceLines, Unwinder};

use super::{synchronous, window};
use crate::options::{Include, Options};
use crate::{cause, compilers};

/// Maximum number of findings that are shown with the code around them, errors first.
const MOST_WINDOWS: usize = 100;

/// Returns true if the code of a finding was executed, and no row there is wrong: a first row that
/// is not as after a call is right where nothing calls, as in handlers of interrupts.
fn is_confirmed(found: &Finding, report: &Report, memo: &Memo) -> bool {
    let Some((start, _)) = found.evidence.ranges.first() else { return false };
    let mut wrong = report.discrepancies.iter().flat_map(|other| &other.evidence.ranges);
    memo.executed(Pc(*start), Pc(start + 1)) && !wrong.any(|(from, to)| (*from..*to).contains(start))
}

pub(super) fn settle(
    image: &Image,
    tables: &Tables,
    mut judge: Judge<'_>,
    mut report: Report,
    options: &Options,
) -> Report {
    judge.end();
    let executed = steps(&judge, &report);
    let is_dead = is_dead(tables, &judge, executed);
    let undecided = judge.undecided_answers();
    report.assumed = judge.assumed_entries();
    let Judge { mut memo, mut fold, counts, charged, doubts, first_refusal, explored_refusal, .. } = judge;
    let statics = statics::compare(image, tables, &memo, &charged);
    let disassembler = Disassembler::new(image);
    let end_of = |pc| disassembler.end_of(pc);
    fold.absorb(statics.fold);
    report.discrepancies.extend(fold.finish(end_of));
    let with_causes = options.include.contains(&Include::Causes);
    if with_causes {
        report.compilers = compilers::named(image);
        cause::add(image, &mut report.discrepancies);
    }
    synchronous::fold(image, tables, &memo, options.synchronous, &mut report.discrepancies);
    let mut of_rules = structure::findings(image, tables);
    if undecided == 0 {
        of_rules.retain(|found| found.rule() != RuleId::RowEntryCfa || !is_confirmed(found, &report, &memo));
    }
    report.discrepancies.extend(of_rules);
    report.discrepancies.extend(structure::refused(image, tables));
    report.discrepancies.extend(eh_frame_hdr::findings(image, tables));
    report.discrepancies.extend(ranges::findings(image, tables, &mut memo));
    if with_causes {
        cause::add(image, &mut report.discrepancies);
    }
    report.gaps = gaps(image, tables, &mut memo);
    let sections = outside(image, tables, &|bytes, range| isa::padding::code(image.abi, bytes, range));
    report.summary.outside = OutsideShare::new(&sections);
    report.outside = sections.into_iter().filter(|section| section.bytes > 0).collect();
    let summary = &mut report.summary;
    summary.functions = tables.sframe.as_ref().map_or(0, |table| table.functions().len() as u64);
    summary.steps_executed = executed;
    summary.steps_judged = counts.judged;
    summary.pcs_judged = counts.pcs;
    summary.pcs_compared_static = statics.compared;
    summary.frames_walked = counts.frames;
    summary.max_depth = counts.max_depth;
    summary.undecided = undecided;
    summary.refused = counts.refused;
    report.undecided.extend(refused(image, summary, first_refusal.or(explored_refusal)));
    report.notes.extend(uncovered(image, &mut memo));
    report.undecided.extend(undecided_answers(image, &doubts.open));
    report.undecided_in = doubts.open.functions(image, tables);
    report.undecided_in.extend(doubts.refused.functions(image, tables));
    if doubts.settled.answers() > 0 {
        let by_reason = doubts.settled.by_reason().into_iter();
        let reasons: Vec<String> = by_reason.map(|(why, (answers, _))| format!("{answers} {}", why.name())).collect();
        report.notes.push(format!("answers that later control flow showed to be right: {}", reasons.join(", ")));
    }
    if counts.interrupted > 0 {
        report.notes.push(format!(
            "{} interrupted by a signal, identified by a table alone",
            counted(counts.interrupted, "function")
        ));
    }
    if counts.gone_over > 0 {
        report.notes.push(format!(
            "{} chain walks passed a signal frame by the registers that the kernel saved: a table has no row for the code that the handler returns to",
            counts.gone_over
        ));
    }
    if counts.unwalked > 0 {
        report.notes.push(format!(
            "{} chain walks were skipped: the stack is very deep (--whole-chain walks all)",
            counts.unwalked
        ));
    }
    if counts.stopped > 0 {
        report
            .notes
            .push(format!("{} chain walks stopped at a register that the table does not track", counts.stopped));
    }
    if statics.gave_up {
        report.notes.push("the tables have too many rows: not all were compared".to_owned());
    }
    if summary.steps_judged + summary.pcs_compared_static == 0 && !is_dead {
        let what = match summary.steps_executed {
            0 => "nothing was executed",
            _ => "no table describes the code that was executed",
        };
        let message = format!(
            "no row was judged: {what}, and there is no second table to compare (--explore executes functions)"
        );
        report.undecided.push(Undecided { reason: UndecidedReason::NothingJudged, pc: None, message });
    }
    if is_dead {
        let message =
            "no row of .sframe was judged: the code that it describes was not executed and has no FDE in .eh_frame";
        let message = message.to_owned();
        report.undecided.push(Undecided { reason: UndecidedReason::NothingJudged, pc: None, message });
    }
    report.settle();
    debug_assert_eq!(report.contradictions(), Vec::<&str>::new(), "{}", image.name);
    for found in &mut report.discrepancies {
        found.shown.place =
            found.evidence.ranges.first().map(|(start, end)| image.span(*start, *end)).unwrap_or_default();
        found.shown.file.clone_from(&image.name);
        found.shown.shown_at = first_pc(found).map(|pc| image.place(pc)).unwrap_or_default();
    }
    // Each costs up to 64 KiB of disassembly; hostile tables have thousands of findings, which no
    // person reads.
    let about_code = report.discrepancies.iter_mut().filter(|found| found.evidence.field != Aspect::Structure);
    for found in about_code.take(MOST_WINDOWS) {
        found.shown.window = window::around(image, tables, &mut memo, &disassembler, found);
    }
    let errors = || report.discrepancies.iter().filter(|found| found.severity > Severity::Info);
    let plain = errors().next().map(|_| elf::plain_lines(image));
    if let Some(lines) = plain.as_deref().and_then(SourceLines::new) {
        for found in report.discrepancies.iter_mut().filter(|found| found.severity > Severity::Info).take(MOST_WINDOWS)
        {
            found.shown.source = first_pc(found).and_then(|pc| lines.at(Pc(pc)));
        }
    }
    // Only the window needed it, and the report has to be the same from a worker and from this
    // process.
    report.discrepancies.iter_mut().for_each(|found| found.evidence.at = None);
    report
}

/// Number of executed instructions, in runs and in exploration.
pub(super) fn steps(judge: &Judge<'_>, report: &Report) -> u64 {
    judge.counts.steps + report.summary.reach.map_or(0, |reach| reach.states)
}

/// Returns true if `.sframe` describes neither executed code nor code that `.eh_frame` describes,
/// in a file that was executed: as far as this run shows, a tool moved the code and did not update
/// the section.
pub(super) fn is_dead(tables: &Tables, judge: &Judge<'_>, executed: u64) -> bool {
    let Some(sframe) = &tables.sframe else { return false };
    let in_cfi = |start| tables.cfi.as_ref().is_some_and(|cfi| cfi.function_at(start).is_some());
    let is_live = |function: FunctionRange| judge.memo.executed(function.start, function.end) || in_cfi(function.start);
    executed > 0 && sframe.functions().len() > 0 && !sframe.functions().any(is_live)
}

/// The undecided item for rows of executed code that could not be evaluated.
fn refused(image: &Image, summary: &Summary, first: Option<(Pc, Table, Fault)>) -> Option<Undecided> {
    let (pc, table, fault) = first?;
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
        let home = |pc: &Pc| image.function_at(*pc).map_or_else(|| image.place(pc.0), |symbol| symbol.name.to_string());
        let message = format!("{} in {}: {}", counted(answers, "answer"), named(pcs.iter().map(home)), why.meaning());
        let pc = pcs.first().map(|pc| pc.0);
        Undecided { reason: UndecidedReason::Answers(why), pc, message }
    };
    open.by_reason().into_iter().map(of_reason).collect()
}

/// The first names, each once, and the number of others.
fn named(names: impl Iterator<Item = String>) -> String {
    const NAMED: usize = 5;
    let names: BTreeSet<String> = names.collect();
    let first: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    let more = names.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", first.join(", "))
}

/// PC at which the finding's values were taken, which need not be the lowest of its addresses.
fn first_pc(found: &Finding) -> Option<u64> {
    found
        .evidence
        .at
        .or(found.evidence.ranges.first().map(|(start, _)| *start))
        .filter(|_| found.evidence.field != Aspect::Structure)
}

pub(super) fn sizes(image: &Image, counts: HeaderCounts) -> Sizes {
    let of = |wanted: &dyn Fn(&ImageSection) -> bool| {
        image.sections.iter().filter(|section| wanted(section)).map(|section| section.size).sum()
    };
    Sizes {
        sframe: counts.bytes,
        eh_frame: of(&|section| section.name == ".eh_frame"),
        eh_frame_hdr: of(&|section| section.name == ".eh_frame_hdr"),
        functions: counts.fdes,
        rows: counts.fres,
        text: of(&|section| section.flags & types::elf::SHF_EXECINSTR != 0),
    }
}

/// A note about executed code without any table to judge: mentioned, but not a finding.
fn uncovered(image: &Image, memo: &mut Memo) -> Option<String> {
    let pcs = memo.uncovered();
    let section =
        |pc: &Pc| image.section_at(pc.0).map_or_else(|| "outside all sections".to_owned(), |home| home.name.clone());
    let home = |pc: &Pc| image.function_at(*pc).map_or_else(|| section(pc), |symbol| symbol.name.to_string());
    let list = named(pcs.iter().map(home));
    (!pcs.is_empty()).then(|| format!("no table describes {} executed: {list}", counted(pcs.len(), "PC")))
}
