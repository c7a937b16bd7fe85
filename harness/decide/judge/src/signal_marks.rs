//! Checks the marks of signal frames against the code. The caller of a marked frame was
//! interrupted: unwinders look up its row at its PC, and for any other caller one byte before the
//! return address (LSB 5.0 core, 10.6.1.1.1; libgcc, `_Unwind_GetIPInfo`). So a function that is
//! called must not have the mark, and the code that returns from a signal handler must.
//!
//! Marks that differ in the two tables are a finding of the comparison, [`crate::statics`].

mod called;

use std::collections::{BTreeMap, BTreeSet};

use isa::sigreturn;
use results::{Blame, Finding, Shape};
use spec::RuleId;
use types::{Aspect, CfaRule, Event, Image, LeftBy, Pc, SframeVersion, Step, UnwindRow, ValueRule};
use unwind::{FunctionRange, Unwinder as _};

use crate::blame::{Origin, Table};
use crate::tables::{Tables, origin, ra_of_call};

/// Maximum number of return addresses that are kept of a function, and of functions in a finding.
const MOST: usize = 64;

/// A function that is marked, and does not return from a signal handler by a system call.
struct Marked {
    function: FunctionRange,
    /// Offset of its CIE; `None` in `.sframe`.
    cie: Option<u64>,
}

/// The marks of the table that is checked, and what executions showed about them.
pub(crate) struct SignalMarks {
    /// The table: `.eh_frame`, or `.sframe` alone.
    table: Table,
    /// By ascending start.
    marked: Vec<Marked>,
    /// Return addresses of the calls of marked functions, by start.
    calls: BTreeMap<Pc, BTreeSet<Pc>>,
    /// Starts of marked functions that a signal entered.
    entered: BTreeSet<Pc>,
    /// Instructions without a mark whose caller was interrupted.
    lost: BTreeSet<Pc>,
}

impl SignalMarks {
    pub(crate) fn new(image: &Image, tables: &Tables) -> SignalMarks {
        let (table, all): (Table, Vec<Marked>) = match (&tables.cfi, &tables.sframe) {
            (Some(cfi), _) => {
                let frames = cfi.signal_frames().iter();
                let marked = frames.map(|frame| Marked { function: frame.function, cie: Some(frame.cie) });
                (Table::EhFrame, marked.collect())
            }
            (None, Some(sframe)) if has_marks(tables, Table::Sframe) => {
                let is_marked =
                    |range: &FunctionRange| sframe.table().find(range.start.0).is_some_and(|function| function.signal);
                let marked = sframe.functions().filter(is_marked).map(|function| Marked { function, cie: None });
                (Table::Sframe, marked.collect())
            }
            (None, _) => (Table::Sframe, Vec::new()),
        };
        let marked = all.into_iter().filter(|marked| !returns_from_handler(image, &marked.function)).collect();
        SignalMarks { table, marked, calls: BTreeMap::new(), entered: BTreeSet::new(), lost: BTreeSet::new() }
    }

    /// Observes how a marked function is entered.
    #[inline]
    pub(crate) fn observe(&mut self, step: &Step<'_>) {
        if !self.marked.is_empty() && step.event != Event::Sequential {
            self.enter(step);
        }
    }

    #[cold]
    fn enter(&mut self, step: &Step<'_>) {
        let upto = self.marked.partition_point(|marked| marked.function.start <= step.pc);
        let last = upto.checked_sub(1).and_then(|last| self.marked.get(last));
        let Some(function) = last.map(|marked| marked.function).filter(|function| step.pc < function.end) else {
            return;
        };
        match step.frames.innermost().map(|frame| (frame.left_by, frame.ra)) {
            Some((LeftBy::Signal, _)) => _ = self.entered.insert(function.start),
            _ if step.event == Event::Signal => _ = self.entered.insert(function.start),
            Some((LeftBy::Call, ra)) => {
                let calls = self.calls.entry(function.start).or_default();
                if calls.len() < MOST {
                    calls.insert(ra);
                }
            }
            Some((LeftBy::Nothing, _)) | None => {}
        }
    }

    /// Records an instruction of a frame whose caller was interrupted, and that is not marked.
    /// Returns false if the table cannot mark it.
    pub(crate) fn lose(&mut self, tables: &Tables, table: Table, pc: Pc) -> bool {
        if table == self.table && self.lost.len() < MOST {
            self.lost.insert(pc);
        }
        has_marks(tables, table)
    }

    /// The findings about an image.
    pub(crate) fn findings(mut self, image: &Image, tables: &Tables) -> Vec<Finding> {
        let check = Check { image, tables, table: self.table };
        let mut findings = check.lost(&self.lost);
        let entered = std::mem::take(&mut self.entered);
        self.marked.retain(|marked| !entered.contains(&marked.function.start));
        self.marked.retain(|marked| {
            let start = marked.function.start;
            !check.differs(start) && (self.calls.contains_key(&start) || check.begins_as_called(start))
        });
        findings.extend(check.needless(self));
        findings
    }
}

/// Returns true if a table can mark signal frames.
fn has_marks(tables: &Tables, table: Table) -> bool {
    match table {
        Table::EhFrame => true,
        Table::Sframe => tables.version.is_some_and(SframeVersion::has_signal_bit),
    }
}

fn bytes<'i>(image: &'i Image, function: &FunctionRange) -> &'i [u8] {
    let bytes = image.bytes_at(function.start.0).unwrap_or_default();
    let size = usize::try_from(function.end.0.saturating_sub(function.start.0)).unwrap_or(usize::MAX);
    bytes.get(..size).unwrap_or(bytes)
}

/// Returns true if a function contains the system call that returns from a signal handler.
fn returns_from_handler(image: &Image, function: &FunctionRange) -> bool {
    sigreturn::is_issued(image.abi, bytes(image, function), function.start.0)
}

/// Checks marks of a table.
#[derive(Clone, Copy)]
struct Check<'a> {
    image: &'a Image,
    tables: &'a Tables,
    table: Table,
}

impl Check<'_> {
    /// The row at the start of a function has the CFA and the return address that a call leaves.
    fn begins_as_called(&self, start: Pc) -> bool {
        self.tables.rules(self.table, start).is_some_and(|row| self.is_as_called(&row))
    }

    fn is_as_called(&self, row: &UnwindRow) -> bool {
        let facts = self.image.abi.facts();
        let entry = CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry };
        (row.cfa, row.ra) == (entry, ra_of_call(facts))
    }

    /// Returns true if the other table has the opposite mark.
    fn differs(&self, start: Pc) -> bool {
        let mark = |table| self.tables.rules(table, start).map(|row| row.signal);
        let marks = (mark(self.table), mark(self.table.other()));
        has_marks(self.tables, self.table.other()) && matches!(marks, (Some(one), Some(other)) if one != other)
    }

    /// The findings about frames without a mark: the instructions of `seen`, whose caller was
    /// interrupted, and code that returns from a handler with rows that are not those of a call.
    fn lost(&self, seen: &BTreeSet<Pc>) -> Vec<Finding> {
        let mut functions: BTreeMap<FunctionRange, bool> = BTreeMap::new();
        let code = self.image.sections.iter().filter(|section| section.is_alloc() && section.is_code());
        for section in code {
            for offset in sigreturn::candidates(self.image.abi, &section.bytes) {
                let pc = Pc(section.address.wrapping_add(offset as u64));
                let Some(function) = self.tables.function_in(self.table, pc) else { continue };
                let is_marked = |row: &UnwindRow| {
                    row.signal
                        || row.ra == ValueRule::Undefined
                        || row.cfa == CfaRule::Unspecified
                        || self.is_as_called(row)
                };
                let row = self.tables.rules(self.table, function.start).filter(|row| !is_marked(row));
                if row.is_some() && has_marks(self.tables, self.table) && returns_from_handler(self.image, &function) {
                    functions.insert(function, false);
                }
            }
        }
        functions.extend(seen.iter().filter_map(|pc| Some((self.tables.function_in(self.table, *pc)?, true))));
        let functions = functions.into_iter().filter(|(function, _)| !self.differs(function.start));
        let one = |(function, executed): (FunctionRange, bool)| {
            let place = self.image.place(function.start.0);
            let message = format!(
                "{} does not mark {place}, which a signal handler returns to, as a signal frame: an unwinder looks \
                 up the interrupted function one byte before the instruction that the signal interrupted",
                self.table.section()
            );
            self.finding(place, &[function], function.offset, executed, message)
        };
        functions.map(one).collect()
    }

    fn finding(
        &self,
        place: String,
        functions: &[FunctionRange],
        offset: u64,
        executed: bool,
        message: String,
    ) -> Finding {
        let rule = match self.table {
            Table::EhFrame => RuleId::EhFrameSignalMatchesTruth,
            Table::Sframe => RuleId::RowSignalMatchesTruth,
        };
        let origin = functions.first().map_or(Origin::Linked, |function| origin(self.image, function.start.0));
        let blame = match (self.table, origin) {
            (_, Origin::LinkerMade) => Blame::Linker,
            (Table::Sframe, origin) => origin.blame(),
            (Table::EhFrame, _) => Blame::Compiler,
        };
        let mut found = Finding::new(rule, blame, place, Shape::Rule);
        found.shown.message = message;
        found.shown.section = self.tables.section_name(self.table, self.image);
        found.shown.offset = Some(offset);
        found.evidence.field = Aspect::Structure;
        found.evidence.ranges = functions.iter().map(|function| (function.start.0, function.end.0)).collect();
        found.evidence.executed = executed;
        found
    }
}
