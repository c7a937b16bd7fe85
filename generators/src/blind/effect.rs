//! The effect of damage: original and mutant are decoded and compared at every PC at which either
//! can change.

mod describe;
mod unseen;

use std::collections::{BTreeMap, BTreeSet};

use types::{Abi, CfaRule, ValueRule};

use super::cfi::{CfiFlaw, Rule, RulesAt};
use super::flaw::BrokenClause;
use super::view::View;
use crate::reader::{DecodedSection, Meaning, RowAt};

use describe::{describe, describe_cfi};
pub use unseen::Unseen;

/// Maximum number of blocks of a function that are compared; all blocks are alike.
const MOST_BLOCKS: usize = 4096;

/// The effect of a mutant, determined only from its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A clause is broken: the clauses, with offsets in the section.
    Invalid(Vec<Breach>),
    /// Parts of `.eh_frame` cannot be read.
    InvalidCfi(Vec<(u64, CfiFlaw)>),
    /// The table changed at these PCs.
    Rows(Vec<Span>),
    /// The table lost its rows of these PCs, and others are unchanged.
    Lost(Vec<Span>),
    /// Only the headers of the file changed, not the meaning of the tables.
    Headers(Vec<Breach>),
    /// Other bytes with the same meaning, or with a meaning that neither the judge's rows nor
    /// `.sframe` can express.
    Redundant,
    /// Only bytes that no reader uses changed.
    Nothing,
}

impl Effect {
    /// Returns true if a clause of the format is broken; the tables' meaning may change as well.
    pub const fn breaks_format(&self) -> bool {
        match self {
            Effect::Invalid(_) | Effect::InvalidCfi(_) | Effect::Headers(_) => true,
            Effect::Rows(_) | Effect::Lost(_) | Effect::Redundant | Effect::Nothing => false,
        }
    }
}

/// A broken clause, with the offset where it is broken.
pub type Breach = (BrokenClause, u64);

/// A range of PCs with one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Start of the range.
    pub start: u64,
    /// End of the range.
    pub end: u64,
    /// The answer before the damage.
    pub was: String,
    /// The answer after the change.
    pub is: String,
    /// The range contains executed PCs.
    pub executed: bool,
    /// The other table has rows for the range.
    pub covered: bool,
    /// The table has no answer any more.
    pub lost: bool,
    /// The reason why the change cannot be noticed although the range is executed or covered.
    pub unseen: Option<Unseen>,
}

types::named! {
    /// The damaged part of a file.
    pub enum DamagedPart {
        Sframe = "sframe",
        /// The section header of `.sframe`, or program headers over it.
        Container = "container",
        EhFrame = "eh-frame",
        /// `.eh_frame_hdr`, by which unwinders search `.eh_frame`.
        EhFrameHdr = "eh-frame-hdr",
        /// `.sframe` and `.eh_frame` alike: the directives that both are made from.
        Both = "both",
        /// What the linker adds: `.eh_frame_hdr` and the segments by which unwinders find tables.
        Linker = "linker",
    }
}

/// The instructions that a run executed, by address, with the registers when it first reached them.
pub type Executed = BTreeMap<u64, Registers>;

/// The registers that rules of a table are based on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    pub sp: u64,
    pub fp: u64,
    /// The link register; undefined without one.
    pub ra: u64,
    /// FP of the caller; 0 if it is not known.
    pub caller_fp: u64,
}

/// Compares a mutant with its original. `None` for a bug in both tables that leaves their values,
/// or makes them differ from each other.
pub(super) fn effect(target: DamagedPart, was: &View, is: &View, executed: &Executed) -> Option<Effect> {
    Some(match target {
        DamagedPart::Sframe => section_effect(was, is, executed),
        DamagedPart::Container => container_effect(was, is, executed),
        DamagedPart::EhFrame => cfi_effect(was, is, executed),
        DamagedPart::EhFrameHdr => hdr_effect(was, is),
        DamagedPart::Both => return both_effect(was, is, executed),
        DamagedPart::Linker => Effect::Headers(vec![(BrokenClause::Linked, 0)]),
    })
}

/// The rows of executed code that changed in both tables alike, if at one of them the values
/// differ.
fn both_effect(was: &View, is: &View, executed: &Executed) -> Option<Effect> {
    let rows = |view: &View, pc: u64| -> Vec<RowAt> {
        view.sframe.iter().filter_map(|sframe| sframe.table.as_ref()).flat_map(|table| table.rows_at(pc)).collect()
    };
    let mut spans = changed_rows(was, is, executed);
    let Effect::Rows(others) = cfi_effect(was, is, executed) else { return None };
    let has = |other: &Span| spans.iter().any(|span| span.start <= other.start && other.end <= span.end);
    if !others.iter().all(has) {
        return None;
    }
    spans.retain(|span| span.executed);
    let mut differ = false;
    for span in &mut spans {
        // No table contradicts the other.
        (span.covered, span.unseen) = (false, None);
        let (before, now) = (rows(was, span.start), rows(is, span.start));
        let ([before], [now]) = (before.as_slice(), now.as_slice()) else { return None };
        let alike = |view: &View, row| view.cfi.as_ref()?.at(span.start).map(|cfi| agrees(view, row, &cfi));
        if alike(was, before) != Some(true) || alike(is, now) != Some(true) {
            return None;
        }
        let (before, now) = (before.row?, now.row?);
        let mut at = executed.range(span.start..span.end);
        differ |= at.any(|(pc, registers)| values_differ(was.abi(), &before, &now, *pc, registers));
    }
    differ.then_some(Effect::Rows(spans))
}

/// Returns true if the rules certainly give other values: where the first ones are right.
fn values_differ(abi: Abi, was: &Meaning, is: &Meaning, pc: u64, registers: &Registers) -> bool {
    let facts = abi.facts();
    let cfa = |rules: &Meaning| match rules.cfa {
        CfaRule::Register { reg, offset } if reg == facts.sp => Some(registers.sp.wrapping_add_signed(offset)),
        CfaRule::Register { reg, offset } if reg == facts.fp => Some(registers.fp.wrapping_add_signed(offset)),
        _ => None,
    };
    let slots = |was, is| matches!((was, is), (ValueRule::AtCfa(was), ValueRule::AtCfa(is)) if was != is);
    // FP is the base of the frame, and not the caller's.
    let loses_fp = is.fp == ValueRule::SameValue
        && was.fp != is.fp
        && matches!(was.cfa, CfaRule::Register { reg, .. } if reg == facts.fp);
    // After a call the link register has the address of this instruction.
    let loses_ra = facts.link_register && is.ra == ValueRule::SameValue && was.ra != is.ra && registers.ra == pc;
    cfa(was).zip(cfa(is)).is_some_and(|(was, is)| was != is)
        || was.signed != is.signed
        || was.ra != ValueRule::Undefined && is.ra == ValueRule::Undefined
        || slots(was.ra, is.ra)
        // Many slots are 0.
        || registers.caller_fp != 0 && slots(was.fp, is.fp)
        || loses_fp
        || loses_ra
}

/// Clauses of the search table that the mutant breaks and the original does not.
fn hdr_effect(was: &View, is: &View) -> Effect {
    let flaws = |view: &View| view.hdr.as_ref().map(|hdr| hdr.flaws.clone()).unwrap_or_default();
    let before = flaws(was);
    let mut found = flaws(is);
    found.retain(|(flaw, _)| !before.iter().any(|(old, _)| old == flaw));
    Effect::Headers(found)
}

fn section_effect(was: &View, is: &View, executed: &Executed) -> Effect {
    let flaws = new_flaws(was, is);
    if !flaws.is_empty() {
        return Effect::Invalid(flaws);
    }
    let spans = changed_rows(was, is, executed);
    if !spans.is_empty() {
        return rows_or_lost(spans);
    }
    let spans = changed_ranges(was, is);
    if !spans.is_empty() {
        return Effect::Rows(spans);
    }
    if reads_other_bytes(was, is) { Effect::Redundant } else { Effect::Nothing }
}

fn container_effect(was: &View, is: &View, executed: &Executed) -> Effect {
    let container = |view: &View| view.sframe.as_ref().map(|sframe| sframe.container.clone()).unwrap_or_default();
    let before = container(was);
    let known = |flaw: BrokenClause| before.iter().any(|(old, _)| *old == flaw);
    let mut flaws = container(is);
    flaws.retain(|(flaw, _)| !known(*flaw));
    if !flaws.is_empty() {
        return Effect::Headers(flaws);
    }
    match section_effect(was, is, executed) {
        Effect::Redundant | Effect::Nothing => Effect::Headers(Vec::new()),
        // Without a section of that name or type, only the segment shows that there was a table.
        Effect::Lost(_) if is.sframe.is_none() => Effect::Headers(match was.file.relocatable {
            true => Vec::new(),
            false => vec![(BrokenClause::SectionHeader, 0)],
        }),
        other => other,
    }
}

/// A change of code that is neither executed nor in the other table cannot be noticed.
fn rows_or_lost(spans: Vec<Span>) -> Effect {
    let seen = || spans.iter().filter(|span| span.executed || span.covered);
    let lost = if seen().next().is_some() { seen().all(|span| span.lost) } else { spans.iter().all(|span| span.lost) };
    if lost { Effect::Lost(spans) } else { Effect::Rows(spans) }
}

/// Functions whose range changed, although the other table has the same range.
fn changed_ranges(was: &View, is: &View) -> Vec<Span> {
    let ranges = |view: &View| -> BTreeSet<(u64, u64)> {
        let table = view.sframe.as_ref().and_then(|sframe| sframe.table.as_ref());
        table.map(|table| table.extents().collect()).unwrap_or_default()
    };
    let (before, now) = (ranges(was), ranges(is));
    let gone = before.difference(&now).filter_map(|(start, size)| {
        let covered = was
            .cfi
            .iter()
            .any(|cfi| cfi.starting_at(*start).is_some_and(|function| function.end.wrapping_sub(*start) == *size));
        let same_start: Vec<String> =
            now.iter().filter(|(other, _)| other == start).map(|(_, size)| format!("{size:#x} bytes")).collect();
        (!same_start.is_empty()).then(|| Span {
            start: *start,
            end: start.saturating_add(*size),
            was: format!("{size:#x} bytes"),
            is: same_start.join(" or "),
            executed: false,
            covered,
            lost: false,
            unseen: None,
        })
    });
    gone.collect()
}

/// Clauses that the mutant breaks and the original does not.
fn new_flaws(was: &View, is: &View) -> Vec<Breach> {
    let flaws = |view: &View| view.sframe.as_ref().map(|sframe| sframe.flaws.clone()).unwrap_or_default();
    let before = flaws(was);
    let mut found = flaws(is);
    found.retain(|(flaw, _)| !before.iter().any(|(old, _)| old == flaw));
    if found.is_empty() && is.sframe.as_ref().is_some_and(|sframe| sframe.table.is_none()) {
        found.push((BrokenClause::Header, 0));
    }
    found
}

/// Returns true if bytes of the header, the FDEs or the FREs differ.
fn reads_other_bytes(was: &View, is: &View) -> bool {
    let (Some(was), Some(is)) = (&was.sframe, &is.sframe) else { return true };
    let Some(anatomy) = &was.anatomy else { return true };
    let header = &anatomy.header;
    let parts = [
        (0, crate::reader::anatomy::HEADER),
        (header.table_at, header.functions.saturating_mul(header.version.entry)),
        (header.rows_at, header.row_bytes),
    ];
    let read = |at: u64| parts.iter().any(|(start, size)| at.wrapping_sub(*start) < *size);
    let mut pairs = (0_u64..).zip(was.bytes.iter().zip(&is.bytes));
    was.bytes.len() != is.bytes.len() || pairs.any(|(at, (was, is))| was != is && read(at))
}

fn changed_rows(was: &View, is: &View, executed: &Executed) -> Vec<Span> {
    fn table(view: &View) -> Option<&DecodedSection> {
        view.sframe.as_ref().and_then(|sframe| sframe.table.as_ref())
    }
    let tables = [table(was), table(is)];
    let mut pcs: BTreeSet<u64> = tables.iter().flatten().flat_map(|table| table.boundaries(MOST_BLOCKS)).collect();
    pcs.extend(was.cfi.iter().flat_map(|cfi| cfi.boundaries()));
    let mut spans = Vec::new();
    for (start, end) in pcs.iter().zip(pcs.iter().skip(1)) {
        let answers = |table: Option<&DecodedSection>| -> Vec<RowAt> {
            table.map(|table| table.rows_at(*start).collect()).unwrap_or_default()
        };
        let (before, now) = (answers(tables[0]), answers(tables[1]));
        if same(&before, &now) {
            continue;
        }
        let cfi = was.cfi.as_ref().and_then(|cfi| cfi.at(*start));
        let ran = executed.range(*start..*end).next().is_some();
        let unseen = cfi.and_then(|cfi| {
            let agrees = |answer: &[RowAt]| matches!(answer, [answer] if agrees(was, answer, &cfi));
            match (before.as_slice(), now.as_slice()) {
                // An answer is missing now: the other table shows the omission.
                (_, []) => None,
                _ if agrees(&now) => Some(Unseen::AgreesNow),
                ([_, ..], _) if !agrees(&before) => Some(Unseen::DifferedBefore),
                ([before], [now]) => unseen(was, before, now, &cfi, ran),
                _ => None,
            }
        });
        spans.push(Span {
            start: *start,
            end: *end,
            was: describe(was, &before),
            is: describe(was, &now),
            executed: ran,
            covered: cfi.is_some(),
            lost: now.is_empty(),
            unseen,
        });
    }
    spans
}

fn same(was: &[RowAt], is: &[RowAt]) -> bool {
    let alike = |a: &RowAt, b: &RowAt| {
        let rows = match (a.row, b.row) {
            (Some(a), Some(b)) => a.same(b),
            (a, b) => a == b,
        };
        // A key matters only for signed rows.
        rows && a.signal == b.signal
    };
    let within = |some: &[RowAt], all: &[RowAt]| some.iter().all(|one| all.iter().any(|other| alike(one, other)));
    within(was, is) && within(is, was)
}

/// Returns true if some row agrees with `.eh_frame`, or there is no `.eh_frame` to compare with.
pub(super) fn is_right_somewhere(view: &View) -> bool {
    let table = view.sframe.as_ref().and_then(|sframe| sframe.table.as_ref());
    let Some((table, cfi)) = table.zip(view.cfi.as_ref()) else { return true };
    let agree = |pc: u64| match (table.rows_at(pc).collect::<Vec<_>>().as_slice(), cfi.at(pc)) {
        ([answer], Some(cfi)) => agrees(view, answer, &cfi),
        _ => false,
    };
    table.boundaries(MOST_BLOCKS).any(agree)
}

/// Returns true if a row agrees with `.eh_frame`, as far as `.eh_frame` has rules.
fn agrees(view: &View, answer: &RowAt, cfi: &RulesAt<'_>) -> bool {
    let Some(directed) = cfi.meaning(view.abi()) else { return false };
    let Some(row) = answer.row else {
        return directed.cfa == CfaRule::Unspecified || answer.signal;
    };
    let directed = bent(&row, &directed, cfi, view);
    let signal = view.version().is_none_or(|version| !version.attributes) || answer.signal == directed.signal;
    Meaning { signal: true, ..row }.same(Meaning { signal: true, ..directed })
        && signal
        && answer.key == cfi.function.whole.key
}

/// The rules of `.eh_frame`, completed by those of the row.
fn bent(row: &Meaning, directed: &Meaning, cfi: &RulesAt<'_>, view: &View) -> Meaning {
    let unsaid = !view.abi().facts().link_register && cfi.ra().is_none();
    let ra = if unsaid { row.ra } else { directed.ra };
    let fp = if directed.fp == ValueRule::Undefined { row.fp } else { directed.fp };
    Meaning { ra, fp, ..*directed }
}

/// The reason why a row that agreed with `.eh_frame` can change unnoticed.
fn unseen(view: &View, was: &RowAt, is: &RowAt, cfi: &RulesAt<'_>, executed: bool) -> Option<Unseen> {
    let Some(directed) = cfi.meaning(view.abi()) else { return (!executed).then_some(Unseen::Expression) };
    let (before, now) = (was.row?, is.row?);
    if was.signal != is.signal {
        return None;
    }
    if directed.fp == ValueRule::Undefined && before.same(Meaning { fp: before.fp, ..now }) {
        return Some(Unseen::FpUndefined);
    }
    let unsaid = !view.abi().facts().link_register && cfi.ra().is_none();
    (unsaid && before.same(Meaning { ra: before.ra, ..now })).then_some(Unseen::RaUnsaid)
}

fn cfi_effect(was: &View, is: &View, executed: &Executed) -> Effect {
    let flaws = |view: &View| view.cfi.as_ref().map(|cfi| cfi.flaws.clone()).unwrap_or_default();
    let before = flaws(was);
    let mut found = flaws(is);
    found.retain(|flaw| !before.contains(flaw));
    if !found.is_empty() {
        return Effect::InvalidCfi(found);
    }
    let table = was.sframe.as_ref().and_then(|sframe| sframe.table.as_ref());
    let both = [was.cfi.as_ref(), is.cfi.as_ref()];
    let mut pcs: BTreeSet<u64> = both.iter().flatten().flat_map(|cfi| cfi.boundaries()).collect();
    pcs.extend(table.iter().flat_map(|table| table.boundaries(MOST_BLOCKS)));
    let (mut spans, mut others) = (Vec::new(), false);
    for (start, end) in pcs.iter().zip(pcs.iter().skip(1)) {
        let [before, now] = both.map(|cfi| cfi.and_then(|cfi| cfi.at(*start)));
        if before.is_none() && now.is_none() || before.zip(now).is_some_and(|(before, now)| before.same(&now)) {
            continue;
        }
        let alike = |before: RulesAt<'_>, now: RulesAt<'_>| {
            let meanings = before.meaning(was.abi()).zip(now.meaning(was.abi()));
            before.function.whole.key == now.function.whole.key
                && meanings.is_some_and(|(before, now)| before.same(now))
        };
        if before.zip(now).is_some_and(|(before, now)| alike(before, now)) {
            others = true;
            continue;
        }
        let rows: Vec<RowAt> = table.iter().flat_map(|table| table.rows_at(*start)).collect();
        let ran = executed.range(*start..*end).next().is_some();
        let agree = |answer: Option<RulesAt<'_>>| match (rows.as_slice(), answer) {
            ([row], Some(answer)) => agrees(was, row, &answer),
            _ => false,
        };
        let opaque = now.is_some_and(|answer| answer.meaning(was.abi()).is_none());
        let outermost = before.is_some_and(|answer| answer.ra() == Some(&Rule::Undefined));
        let unseen = match rows.as_slice() {
            [] if outermost => Some(Unseen::Outermost),
            [] if before.zip(now).is_some_and(|(before, now)| is_rebased(was.abi(), before, now)) => {
                Some(Unseen::Rebased)
            }
            [] => None,
            _ if agree(now) => Some(Unseen::AgreesNow),
            _ if before.is_some() && !agree(before) => Some(Unseen::DifferedBefore),
            _ if !ran && opaque => Some(Unseen::Expression),
            _ => None,
        };
        spans.push(Span {
            start: *start,
            end: *end,
            was: describe_cfi(was, before),
            is: describe_cfi(was, now),
            executed: ran,
            covered: !rows.is_empty(),
            lost: now.is_none(),
            unseen,
        });
    }
    match spans.as_slice() {
        [] if others || !same_cfi_bytes(was, is) => Effect::Redundant,
        [] => Effect::Nothing,
        _ => rows_or_lost(spans),
    }
}

/// Returns true if the base of the CFA changed, to or from a register beside SP and FP.
fn is_rebased(abi: Abi, was: RulesAt<'_>, is: RulesAt<'_>) -> bool {
    let facts = abi.facts();
    let base = |rules: RulesAt<'_>| match rules.meaning(abi)?.cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => Some(reg),
        CfaRule::Expression(_) | CfaRule::Unspecified => None,
    };
    let (was, is) = (base(was), base(is));
    was != is && [was, is].iter().flatten().any(|reg| *reg != facts.sp && *reg != facts.fp)
}

/// Returns true if the entries are at the same offsets: then no instruction changed.
fn same_cfi_bytes(was: &View, is: &View) -> bool {
    let shape = |view: &View| -> Vec<(u64, u64, usize)> {
        let functions = view.cfi.iter().flat_map(|cfi| &cfi.functions);
        functions.map(|function| (function.at, function.size, function.instructions.len())).collect()
    };
    shape(was) == shape(is)
}
