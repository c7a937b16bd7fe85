//! The report of a judge: all judging that follows the steps, in its order, and the code around
//! each finding.

use isa::Disassembler;
use results::{Finding, OutsideShare, Report};
use spec::{RuleId, Severity};
use types::{Aspect, Image, Pc};
use unwind::{FunctionRange, SourceLines, Unwinder as _};

use crate::execution::Exploration;
use crate::execution::Judge;
use crate::gaps::gaps;
use crate::memo::Memo;
use crate::options::Sframe;
use crate::outside::outside;
use crate::reach::unreached;
use crate::remarks::{self, Judged};
use crate::repairs::Seen;
use crate::tables::Tables;
use crate::{cause, eh_frame_hdr, exceptions, ranges, repairs, section, statics, structure, synchronous, window};

/// Maximum number of findings that are shown with the code around them, errors first. Each costs up
/// to 64 KiB of disassembly; hostile tables have thousands of findings, which no person reads.
const MOST_WINDOWS: usize = 100;

impl Judge<'_> {
    /// Judges what does not depend on steps, and returns the report.
    pub fn finish(mut self) -> Report {
        self.end();
        let (image, tables, options) = (self.image, self.tables, self.options);
        let (counts, undecided) = (self.record.counts, self.undecided_answers());
        let mut report = std::mem::take(&mut self.report);
        let executed = counts.steps + report.summary.reach.map_or(0, |reach| reach.states);
        let is_dead = is_dead(tables, &self.memo, executed);
        report.static_only = executed == 0;
        report.assumed = self.exploration.assumed_entries(image, tables);
        report.contradicted = self.exploration.contradicted(image);

        let disassembler = Disassembler::new(image);
        let statics = statics::compare(image, tables, &self.memo, &self.record.charged);
        self.record.fold.absorb(statics.fold);
        let mut findings = Vec::new();
        if options.sframe == Sframe::Required && (is_dead || describes_nothing(tables)) {
            findings.push(structure::absent(image, tables));
        }
        findings.extend(std::mem::take(&mut self.record.fold).finish(|pc| disassembler.end_of(pc)));
        let name_causes = |findings: &mut Vec<Finding>| {
            if options.causes {
                cause::add(image, findings);
            }
        };
        let seen = Seen { exploration: &self.exploration, registers: &self.record.registers };
        repairs::add(image, tables, &mut self.memo, seen, &mut findings);
        // Those of findings that synchronous tables explain become the causes of the one finding.
        name_causes(&mut findings);
        synchronous::fold(image, tables, &self.memo, options.synchronous, &mut findings);
        let of_rules = structure::findings(image, tables).into_iter();
        let is_shown_right = |found: &Finding| {
            undecided == 0 && found.rule() == RuleId::RowEntryCfa && is_confirmed(found, &findings, &self.memo)
        };
        let of_rules: Vec<Finding> = of_rules.filter(|found| !is_shown_right(found)).collect();
        findings.extend(of_rules);
        findings.extend(structure::refused(image, tables));
        findings.extend(section::findings(image, tables));
        findings.extend(eh_frame_hdr::findings(image, tables));
        findings.extend(exceptions::findings(image, tables));
        findings.extend(ranges::findings(image, tables, &mut self.memo));
        findings.extend(self.marks.findings(image, tables));
        name_causes(&mut findings);
        report.discrepancies = findings;
        report.gaps = gaps(image, tables, &mut self.memo);
        let sections = outside(image, tables);
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
        let doubts = &self.record.doubts;
        report.undecided_in = doubts.open.functions(image, tables);
        report.undecided_in.extend(doubts.refused.functions(image, tables));
        let judged = Judged {
            counts,
            doubts,
            first_refusal: doubts.first_refusal.or(self.exploration.refusal),
            uncovered: self.memo.uncovered(),
            is_dead,
            gave_up: statics.gave_up,
        };
        remarks::add(&mut report, image, &judged);
        report.undecided.extend(unreached(&report));
        report.sort_and_count();
        debug_assert_eq!(report.contradictions(), Vec::<&str>::new(), "{}", image.name);
        place(image, tables, &mut self.memo, &self.exploration, &disassembler, &mut report.discrepancies);
        report
    }
}

/// Adds to each finding where it is, with the code around it and its source line.
fn place(
    image: &Image,
    tables: &Tables,
    memo: &mut Memo,
    exploration: &Exploration,
    disassembler: &Disassembler<'_>,
    findings: &mut [Finding],
) {
    for found in &mut *findings {
        let first = found.evidence.ranges.first();
        found.shown.place = first.map(|(start, end)| image.span(*start, *end)).unwrap_or_default();
        found.shown.file.clone_from(&image.name);
        found.shown.shown_at = first_pc(found).map(|pc| image.place(pc)).unwrap_or_default();
    }
    let about_code = findings.iter_mut().filter(|found| found.evidence.field != Aspect::Structure);
    for found in about_code.take(MOST_WINDOWS) {
        found.shown.window = window::around(image, tables, &mut *memo, exploration, disassembler, found);
    }
    let mut errors = findings.iter_mut().filter(|found| found.severity > Severity::Info).peekable();
    let plain = errors.peek().map(|_| elf::plain_lines(image));
    if let Some(lines) = plain.as_deref().and_then(SourceLines::new) {
        for found in errors.take(MOST_WINDOWS) {
            found.shown.source = first_pc(found).and_then(|pc| lines.at(Pc(pc)));
        }
    }
    // Only the window needed it, and the report has to be the same from a worker and from this
    // process.
    findings.iter_mut().for_each(|found| found.evidence.at = None);
}

/// Returns true if the code of a finding was executed, and no row there is wrong: a first row that
/// is not as after a call is right where nothing calls, as in handlers of interrupts.
fn is_confirmed(found: &Finding, findings: &[Finding], memo: &Memo) -> bool {
    let Some((start, _)) = found.evidence.ranges.first() else { return false };
    let mut wrong = findings.iter().flat_map(|other| &other.evidence.ranges);
    memo.executed(Pc(*start), Pc(start + 1)) && !wrong.any(|(from, to)| (*from..*to).contains(start))
}

/// Returns true if there is no `.sframe`, or a readable one without functions.
fn describes_nothing(tables: &Tables) -> bool {
    match &tables.sframe {
        Some(table) => table.functions().len() == 0,
        None => !tables.has_sframe || tables.sframe_is_empty,
    }
}

/// Returns true if `.sframe` describes neither executed code nor code that `.eh_frame` describes,
/// in a file that was executed: as far as this run shows, a tool moved the code and did not update
/// the section.
fn is_dead(tables: &Tables, memo: &Memo, executed: u64) -> bool {
    let Some(sframe) = &tables.sframe else { return false };
    let in_cfi = |start| tables.cfi.as_ref().is_some_and(|cfi| cfi.function_at(start).is_some());
    let is_live = |function: FunctionRange| memo.executed(function.start, function.end) || in_cfi(function.start);
    executed > 0 && sframe.functions().len() > 0 && !sframe.functions().any(is_live)
}

/// PC of a finding about code.
fn first_pc(found: &Finding) -> Option<u64> {
    window::first_pc(found).filter(|_| found.evidence.field != Aspect::Structure)
}
