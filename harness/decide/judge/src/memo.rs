//! Facts about each PC, found at its first visit: both tables' rows, and the true frame that was
//! first observed.
//!
//! A two-level array over the image's code, so that a look-up takes one shift and two loads.

use std::collections::BTreeSet;

use types::{AbiFacts, CfaRule, CodePoint, Image, Pc, UnwindRow, ValueRule, elf};

use crate::blame::Table;
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::Tables;
use crate::witness::Witness;

/// Facts about one PC.
#[derive(Clone, Copy, Debug)]
pub struct PcFacts {
    /// Each table's entry.
    pub slots: PerTable<Slot>,
    /// True if both rows have the same rules for CFA, return address and FP: one evaluation answers
    /// for both.
    pub same: bool,
    /// True if a function begins here and a table describes its frame as a call leaves it.
    pub entry: bool,
    /// The true frame at the first visit; `None` if the PC was only looked up.
    pub witness: Option<Witness>,
    /// The tables that were right at the first visit, for values that are not there by chance.
    pub right: PerTable<bool>,
}

impl PcFacts {
    /// Facts of a PC that has not been visited yet.
    pub fn new(image: &Image, tables: &Tables, pc: Pc) -> PcFacts {
        let slots = tables.slots(CodePoint::Exact(pc));
        let rules = |table| tables.rules_in(table, *slots.get(table), pc);
        let same = match (rules(Table::Sframe), rules(Table::EhFrame)) {
            (Some(a), Some(b)) => have_same_rules(image.abi.facts(), &a, &b),
            _ => false,
        };
        let entry = tables.function_start(image, pc.0) == pc.0 && tables.looks_callable(image.abi, pc);
        PcFacts { slots, same, entry, witness: None, right: PerTable::default() }
    }

    /// Returns true if a table has a row.
    #[inline]
    pub fn has_row(&self) -> bool {
        self.slots.any(|slot| matches!(slot, Slot::Row(_)))
    }
}

/// Returns true if two rows have equal rules without expressions, and so equal answers. `b` may
/// have a rule for the caller's SP, which `.sframe` never has.
fn have_same_rules(facts: &AbiFacts, a: &UnwindRow, b: &UnwindRow) -> bool {
    let opaque = matches!(a.cfa, CfaRule::Expression(_))
        || [a.ra, a.fp].iter().any(|rule| matches!(rule, ValueRule::Expression(_)));
    let signing = |row: &UnwindRow| row.signed.then_some((row.key, row.signed_with_pc));
    let usual = [None, Some(ValueRule::CfaPlus(facts.caller_sp_minus_cfa))].contains(&b.sp);
    usual && !opaque && (a.cfa, a.ra, a.fp, signing(a), a.signal) == (b.cfa, b.ra, b.fp, signing(b), b.signal)
}

/// Facts of each visited PC, found with two loads.
pub struct Memo {
    spans: Vec<Span>,
    last: usize,
    facts: Vec<PcFacts>,
    executed: BTreeSet<Pc>,
    explored: Box<dyn Fn(Pc, Pc) -> bool>,
}

/// A range of addresses that may hold code.
struct Span {
    start: u64,
    size: u64,
    /// Index + 1 into `facts` for each byte of the page; 0 if nothing is known.
    pages: Vec<Option<Box<[u32; PAGE]>>>,
}

const PAGE: usize = 4096;

/// Index of the facts of code outside the image.
const OUTSIDE: usize = 0;

/// Index of a PC's facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactsId(usize);

impl FactsId {
    /// The index: from 0, without gaps.
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

impl Memo {
    /// An empty memo over the executable parts of an image.
    pub fn new(image: &Image) -> Memo {
        let code =
            image.segments.iter().filter(|segment| segment.kind == elf::PT_LOAD && segment.flags & elf::PF_X != 0);
        let slots = PerTable { sframe: Slot::NoFunction, eh_frame: Slot::NoFunction };
        let right = PerTable::default();
        let nothing = PcFacts { slots, same: false, entry: false, witness: None, right };
        let span = |start: u64, size: u64| Span { start, size, pages: Vec::new() };
        Memo {
            spans: code.map(|s| span(s.address, s.memory_size)).collect(),
            last: 0,
            facts: vec![nothing],
            executed: BTreeSet::new(),
            explored: Box::new(|_, _| false),
        }
    }

    /// The index of a PC's facts, if it has been visited.
    #[inline]
    pub fn find(&mut self, pc: Pc) -> Option<FactsId> {
        let (page, byte) = self.locate(pc)?;
        let index = self.spans.get(self.last)?.pages.get(page)?.as_ref()?.get(byte).copied()?;
        (index as usize).checked_sub(1).map(FactsId)
    }

    /// Stores facts of a PC. Code outside the image (generated at run time) has no table and shares
    /// one entry.
    pub fn insert(&mut self, pc: Pc, facts: PcFacts) -> FactsId {
        let Some((page, byte)) = self.locate(pc) else { return FactsId(OUTSIDE) };
        let Some(span) = self.spans.get_mut(self.last) else { return FactsId(OUTSIDE) };
        if span.pages.len() <= page {
            span.pages.resize_with(page + 1, || None);
        }
        let slots = span.pages.get_mut(page).map(|page| page.get_or_insert_with(|| Box::new([0; PAGE])));
        let Some(slot) = slots.and_then(|slots| slots.get_mut(byte)) else { return FactsId(OUTSIDE) };
        self.facts.push(facts);
        *slot = u32::try_from(self.facts.len()).unwrap_or(0);
        FactsId(self.facts.len() - 1)
    }

    /// A copy of the current facts.
    #[inline]
    pub fn get(&self, id: FactsId) -> PcFacts {
        self.facts[id.0]
    }

    /// Records the true frame of a first visit.
    pub fn witness(&mut self, id: FactsId, pc: Pc, witness: Witness) {
        self.facts[id.0].witness = Some(witness);
        self.executed.insert(pc);
    }

    /// Records the tables that were right at a first visit ([`PcFacts::right`]).
    pub fn judged(&mut self, id: FactsId, right: PerTable<bool>) {
        self.facts[id.0].right = right;
    }

    /// The true frame at a PC, if it was executed.
    pub fn truth_at(&mut self, pc: Pc) -> Option<Witness> {
        self.find(pc).and_then(|id| self.get(id).witness)
    }

    /// PCs that a run executed, ascending.
    pub fn executed_pcs(&self) -> impl Iterator<Item = Pc> {
        self.executed.iter().copied()
    }

    /// Returns true if the true frame at a PC was recorded.
    pub fn has_witness(&self, pc: Pc) -> bool {
        self.executed.contains(&pc)
    }

    /// Executed PCs for which no table has a row, ascending.
    pub fn uncovered(&mut self) -> Vec<Pc> {
        let executed: Vec<Pc> = self.executed.iter().copied().collect();
        let bare = |pc: &Pc| self.find(*pc).is_some_and(|id| !self.facts[id.0].has_row());
        executed.into_iter().filter(bare).collect()
    }

    /// Returns true if any PC of the range was executed.
    pub fn executed(&self, start: Pc, end: Pc) -> bool {
        start < end && (self.executed.range(start..end).next().is_some() || (self.explored)(start, end))
    }

    /// Sets the query for code that exploration executed in addition: whether it executed any PC of
    /// a range.
    pub fn explored(&mut self, any: impl Fn(Pc, Pc) -> bool + 'static) {
        self.explored = Box::new(any);
    }

    #[inline]
    fn locate(&mut self, pc: Pc) -> Option<(usize, usize)> {
        let inside = |span: &Span| pc.0.wrapping_sub(span.start) < span.size;
        if !self.spans.get(self.last).is_some_and(inside) {
            self.last = self.spans.iter().position(inside)?;
        }
        let offset = usize::try_from(pc.0.wrapping_sub(self.spans.get(self.last)?.start)).ok()?;
        Some((offset / PAGE, offset % PAGE))
    }
}
