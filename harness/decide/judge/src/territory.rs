//! Addresses that tables describe as code, for engines: addresses only, no rules.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use isa::flow::{self, Marks};
use types::{Abi, CfaRule, CodePoint, Image, Pc, ValueRule};
use unwind::{Area, FunctionRange, LandingPad, Unwinder};

use crate::tables::{Tables, is_original};

/// Addresses of an image's code.
#[derive(Clone, Debug, Default)]
pub struct Territory {
    /// Ranges that descriptors of either table cover, by address; may overlap.
    pub functions: Vec<Range<u64>>,
    /// Starts, by address, of those ranges whose frame is as a call leaves it according to a table.
    pub callable: Vec<u64>,
    /// Landing pads of throws, by call site.
    pub pads: Vec<LandingPad>,
    /// Ranges, by address, with arguments on the stack that a throw removes, and their size in
    /// bytes.
    pub pushed: Vec<(Range<u64>, u64)>,
    /// Starts of the rows of either table, unordered.
    pub stops: Vec<u64>,
    /// Ranges of rows, unordered, whose answer may change at each instruction: they read registers
    /// other than SP, FP and the link register, or words that have no place relative to the CFA.
    pub watched: Vec<Range<u64>>,
    /// Number of functions that are left out: copies that BOLT superseded.
    pub superseded: u64,
}

/// Maximum number of rows examined: hostile tables have more rows than bytes (a PCMASK function of
/// 4 GiB with blocks of one byte).
const MOST_STOPS: usize = 1 << 22;

impl Territory {
    pub fn new(image: &Image, tables: &Tables) -> Territory {
        let mut territory = Territory::default();
        if let Some(table) = &tables.sframe {
            territory.add(image.abi, table);
        }
        if let Some(table) = &tables.cfi {
            territory.add(image.abi, table);
            territory.pushed = table.pushed().to_vec();
            territory.pushed.sort_by_key(|(range, _)| (range.start, range.end));
            let order = image.abi.facts().order;
            let mut budget: usize = image.sections.iter().map(|section| section.bytes.len()).sum();
            for lsda in table.lsdas() {
                let bytes = image.bytes_at(lsda.pointer.value).unwrap_or_default();
                territory.pads.extend(Area::parse(lsda, bytes, order, &mut budget).landing_pads(&lsda.function));
            }
        }
        territory.functions.sort_by_key(|range| (range.start, range.end));
        territory.functions.dedup();
        territory.leave_out_superseded(image);
        let pads: BTreeSet<u64> = territory.pads.iter().map(|pad| pad.pad).collect();
        let is_callable =
            |start: &u64| tables.looks_callable(image.abi, Pc(*start)) && !begins_with_pad(image, *start, &pads);
        territory.callable = territory.functions.iter().map(|range| range.start).filter(is_callable).collect();
        territory.pads.sort_by_key(|pad| (pad.site.start, pad.site.end, pad.pad));
        territory.pads.dedup();
        territory
    }

    /// Leaves out the copies of functions that BOLT moved. It gives their symbols the new
    /// addresses; functions that it left where they were keep theirs.
    fn leave_out_superseded(&mut self, image: &Image) {
        if !image.is_rewritten() || image.section(".symtab").is_none() {
            return;
        }
        let named: BTreeSet<u64> =
            image.symbols.iter().filter(|symbol| symbol.function).map(|symbol| symbol.address).collect();
        let all = self.functions.len();
        self.functions.retain(|range| !is_original(image, range.start) || named.contains(&range.start));
        self.superseded = all.saturating_sub(self.functions.len()) as u64;
    }

    fn add(&mut self, abi: Abi, table: &impl Unwinder) {
        let mut ranges: BTreeMap<u64, u64> = BTreeMap::new();
        for range in table.functions().filter(|range| range.start < range.end) {
            ranges.insert(range.start.0, range.end.0);
            self.add_stops(abi, table, &range);
        }
        self.functions.extend(ranges.into_iter().map(|(start, end)| start..end));
    }

    fn add_stops(&mut self, abi: Abi, table: &impl Unwinder, function: &FunctionRange) {
        let room = MOST_STOPS.saturating_sub(self.stops.len());
        let mut starts = table.boundaries(function.start, function.end).take(room).peekable();
        while let Some(start) = starts.next() {
            self.stops.push(start.0);
            if reads_what_changes(abi, table, start) {
                self.watched.push(start.0..starts.peek().unwrap_or(&function.end).0);
            }
        }
    }
}

/// Returns true if the code at an address begins with a landing pad: it is a part of a function.
/// gcc puts a no-op with the row of the CIE before such a pad, whose offset must not be zero
/// (Exception Handling Tables, 7.3).
fn begins_with_pad(image: &Image, start: u64, pads: &BTreeSet<u64>) -> bool {
    let first = image.bytes_at(start).and_then(|bytes| flow::decode(image.abi, bytes, start));
    let after = first.filter(|first| first.marks.any(Marks::NOP)).map(|first| start.wrapping_add(first.length.into()));
    pads.contains(&start) || after.is_some_and(|after| pads.contains(&after))
}

/// Returns true if the row at a PC reads a register other than SP, FP and the link register, whose
/// changes exploration follows by itself, or a word that has no place relative to the CFA.
fn reads_what_changes(abi: Abi, table: &impl Unwinder, pc: Pc) -> bool {
    let Ok(row) = table.row(CodePoint::Exact(pc)) else { return false };
    let (row, facts) = (table.rules(row, pc), abi.facts());
    let is_other = |reg| reg != facts.sp && reg != facts.fp && !(facts.link_register && reg == facts.ra);
    let cfa = match row.cfa {
        CfaRule::Register { reg, .. } => is_other(reg),
        CfaRule::Memory { .. } | CfaRule::Expression(_) => true,
        CfaRule::Unspecified => false,
    };
    let value = |rule| match rule {
        ValueRule::Register { reg, .. } => is_other(reg),
        ValueRule::Memory { .. } | ValueRule::Expression(_) => true,
        ValueRule::SameValue | ValueRule::Undefined | ValueRule::AtCfa(_) | ValueRule::CfaPlus(_) => false,
    };
    cfa || value(row.ra) || value(row.fp)
}
