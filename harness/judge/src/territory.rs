//! Addresses that tables describe as code, for engines: addresses only, no rules.

use std::collections::BTreeMap;
use std::ops::Range;

use types::{Image, Pc};
use unwind::{LandingPad, Unwinder};

use crate::tables::Tables;

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
}

/// Maximum number of rows examined: hostile tables have more rows than bytes (a PCMASK function of
/// 4 GiB with blocks of one byte).
const MOST_STOPS: usize = 1 << 22;

impl Territory {
    /// The territory of an image.
    pub fn new(image: &Image, tables: &Tables) -> Territory {
        let mut territory = Territory::default();
        if let Some(table) = &tables.sframe {
            territory.add(table);
        }
        if let Some(table) = &tables.cfi {
            territory.add(table);
            territory.pushed = table.pushed().to_vec();
            territory.pushed.sort_by_key(|(range, _)| (range.start, range.end));
            let order = image.abi.facts().order;
            let mut budget: usize = image.sections.iter().map(|section| section.bytes.len()).sum();
            for lsda in table.lsdas() {
                let bytes = image.bytes_at(lsda.address).unwrap_or_default();
                territory.pads.extend(lsda.landing_pads(bytes, order, &mut budget));
            }
        }
        territory.functions.sort_by_key(|range| (range.start, range.end));
        territory.functions.dedup();
        let starts = territory.functions.iter().map(|range| range.start);
        territory.callable = starts.filter(|start| tables.looks_callable(image.abi, Pc(*start))).collect();
        territory.pads.sort_by_key(|pad| (pad.site.start, pad.site.end, pad.pad));
        territory.pads.dedup();
        territory
    }

    fn add(&mut self, table: &impl Unwinder) {
        let mut ranges: BTreeMap<u64, u64> = BTreeMap::new();
        for range in table.functions().filter(|range| range.start < range.end) {
            ranges.insert(range.start.0, range.end.0);
            let room = MOST_STOPS.saturating_sub(self.stops.len());
            self.stops.extend(table.boundaries(range.start, range.end).take(room).map(|pc| pc.0));
        }
        self.functions.extend(ranges.into_iter().map(|(start, end)| start..end));
    }
}
