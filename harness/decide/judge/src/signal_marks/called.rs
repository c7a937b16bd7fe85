//! Marked functions that are called.

use std::collections::{BTreeMap, BTreeSet};

use isa::{Code, flow::Flow};
use results::Finding;
use spec::Severity;
use types::{CfaRule, CodePoint, Pc};
use unwind::{Area, CfiUnwinder, FunctionRange, Lsda};

use super::{Check, MOST, Marked, SignalMarks, bytes};
use crate::blame::Table;
use crate::slot::Slot;

/// A call of a marked function.
#[derive(Clone, Copy)]
struct Call {
    ra: Pc,
    executed: bool,
    /// True if another row applies at the return address than one byte before.
    differs: bool,
}

/// A marked function, and the call of it that shows most.
struct Called {
    function: FunctionRange,
    call: Option<Call>,
}

impl Check<'_> {
    /// The findings about marked functions that are called: of each CIE one, an error if one of
    /// its functions has a call around which the rows differ.
    pub(super) fn needless(&self, marks: SignalMarks) -> Vec<Finding> {
        if marks.marked.is_empty() {
            return Vec::new();
        }
        let mut calls = self.direct_calls(&marks.marked);
        for (start, executed) in marks.calls {
            calls.entry(start).or_default().extend(executed.into_iter().map(|ra| (ra, true)));
        }
        // By CIE or function, and whether rows differ.
        let mut groups: BTreeMap<(u64, bool), Vec<Called>> = BTreeMap::new();
        for Marked { function, cie } in marks.marked {
            let of = calls.get(&function.start).into_iter().flatten();
            let of = of.map(|(ra, executed)| Call { ra: *ra, executed: *executed, differs: self.rows_differ(*ra) });
            let call = of.max_by_key(|call| (call.differs, call.executed));
            let key = (cie.unwrap_or(function.offset), call.is_some_and(|call| call.differs));
            groups.entry(key).or_default().push(Called { function, call });
        }
        let is_error: BTreeSet<u64> = groups.keys().filter(|(_, differs)| *differs).map(|(of, _)| *of).collect();
        let groups = groups.into_iter().filter(|((of, differs), _)| *differs || !is_error.contains(of));
        groups.filter_map(|((offset, _), functions)| self.needless_mark(offset, &functions)).collect()
    }

    /// The finding about a mark of functions that are called.
    fn needless_mark(&self, offset: u64, functions: &[Called]) -> Option<Finding> {
        let Called { function: first, call } = functions.first()?;
        let place = self.image.place(first.start.0);
        let mut message = format!("{} marks {place} as a signal frame, and no signal enters it", self.table.section());
        match call {
            Some(Call { ra, differs: true, .. }) => {
                let (ra, before) = (self.image.place(ra.0), self.image.place(ra.0.wrapping_sub(1)));
                message.push_str(&format!(
                    ": its call returns to {ra}, where an unwinder looks up the row, and the row of the call, at \
                     {before}, is another"
                ));
            }
            Some(Call { ra, .. }) => {
                message.push_str(&format!(": its call returns to {}, in the row of the call", self.image.place(ra.0)));
            }
            None => message.push_str("; no call of it was found"),
        }
        if functions.len() > 1 {
            message.push_str(&format!(" (and {} others of this CIE)", functions.len() - 1));
        }
        let ranges: Vec<FunctionRange> = functions.iter().take(MOST).map(|called| called.function).collect();
        let mut found = self.finding(place, &ranges, offset, call.is_some_and(|call| call.executed), message);
        if !call.is_some_and(|call| call.differs) {
            found.severity = Severity::Info;
        }
        Some(found)
    }

    /// Return addresses of the direct calls of functions in code that the table describes.
    fn direct_calls(&self, marked: &[Marked]) -> BTreeMap<Pc, BTreeSet<(Pc, bool)>> {
        let starts: BTreeSet<Pc> = marked.iter().map(|marked| marked.function.start).collect();
        let mut calls: BTreeMap<Pc, BTreeSet<(Pc, bool)>> = BTreeMap::new();
        for function in self.tables.functions(self.table) {
            let bytes = bytes(self.image, &function);
            let mut code = Code::new(self.image.abi, bytes, function.start.0);
            let mut at = 0;
            while at < bytes.len()
                && let Some(insn) = code.flow(at)
            {
                at += usize::from(insn.length).max(1);
                let Flow::Call(target) = insn.flow else { continue };
                if starts.contains(&Pc(target)) {
                    let calls = calls.entry(Pc(target)).or_default();
                    if calls.len() < MOST {
                        calls.insert((Pc(function.start.0.wrapping_add(at as u64)), false));
                    }
                }
            }
        }
        calls
    }

    /// Returns true if another row, or another call site of the function's language-specific data
    /// area, applies at a return address than at the call before it. Rows whose CFA is based on
    /// different registers may be both right: FP before, SP after.
    fn rows_differ(&self, ra: Pc) -> bool {
        let cfa = |pc: Pc| match self.tables.rules(self.table, pc)?.cfa {
            CfaRule::Register { reg, .. } => Some(reg),
            _ => None,
        };
        if let (Some(one), Some(other)) = (cfa(ra), cfa(Pc(ra.0.wrapping_sub(1))))
            && one != other
        {
            return false;
        }
        let rows = [CodePoint::Exact(ra), CodePoint::AfterCall(ra)].map(|at| self.tables.slot(self.table, at));
        match (rows, &self.tables.cfi) {
            ([Slot::Row(one), Slot::Row(other)], Some(cfi)) if self.table == Table::EhFrame => {
                !cfi.have_equal_rules(one, other) || self.pads_differ(cfi, ra)
            }
            ([Slot::Row(_), Slot::Row(_)], _) => {
                let rules = [ra, Pc(ra.0.wrapping_sub(1))].map(|pc| {
                    let row = self.tables.rules(self.table, pc);
                    row.map(|row| (row.cfa, row.ra, row.fp, row.signed))
                });
                rules[0] != rules[1]
            }
            ([one, other], _) => one != other,
        }
    }

    /// Returns true if a throw lands elsewhere from a return address than from the call before it.
    fn pads_differ(&self, cfi: &CfiUnwinder, ra: Pc) -> bool {
        let call = CodePoint::AfterCall(ra).lookup();
        let of = |lsda: &&Lsda| lsda.function.start <= call && call < lsda.function.end;
        let Some(lsda) = cfi.lsdas().iter().find(of) else { return false };
        let bytes = self.image.bytes_at(lsda.pointer.value).unwrap_or_default();
        let mut budget = bytes.len();
        let area = Area::parse(lsda, bytes, self.image.abi.facts().order, &mut budget);
        let pad = |pc: Pc| {
            let site = area.sites.iter().find(|site| site.code.contains(&pc.0));
            site.map(|site| site.pad)
        };
        area.errors.is_empty() && pad(ra) != pad(call)
    }
}
