//! A first look at all code that is to be explored, without executing any: where instructions are, where jumps and calls go, whose address
//! is taken. All that follows rests on it: where a function can be entered, and whether a callee comes back.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use isa::flow::{self, Flow, Insn, Marks, Taken};
use model::{Abi, Image, ImageKind};

use super::Territory;
use super::bits::Bits;
use crate::arch::refuses;
use crate::layout::Access;

/// What the first look found.
pub(super) struct Survey {
    pub(super) abi: Abi,
    /// The functions, by address and without overlap.
    pub(super) extents: Vec<Range<u64>>,
    /// The code of each stretch, as in the file.
    code: Vec<(u64, Vec<u8>)>,
    /// Where jumps and branches go, landing pads included.
    pub(super) targets: Bits,
    /// Where calls go.
    called: Bits,
    /// Functions whose address is taken, or that have a name for others.
    taken: Bits,
    /// Where a jump from another function goes.
    pub(super) jumped_into: Bits,
    /// Callees that came back, since compilers wrote code after a call to them that nothing else reaches.
    returning: Bits,
    /// Where the answer may change, by the caller's word, and where blocks begin.
    pub(super) stops: Bits,
    /// Where instructions of the extents begin.
    begins: Bits,
    /// Callees are known by their address: linked code.
    linked: bool,
    /// Instructions inside the extents that are not padding.
    pub(super) covered: u64,
    /// Not to be executed: address and length.
    pub(super) left_out: Vec<(u64, u8)>,
}

/// An instruction and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    pub(super) pc: u64,
    pub(super) insn: Insn,
}

impl Located {
    pub(super) fn end(&self) -> u64 {
        self.pc.wrapping_add(u64::from(self.insn.length))
    }
}

impl Survey {
    pub(super) fn of(image: &Image, territory: &Territory<'_>) -> Survey {
        let code: Vec<(u64, Vec<u8>)> = stretches(image);
        let ranges: Vec<Range<u64>> =
            code.iter().map(|(start, bytes)| *start..start.saturating_add(bytes.len() as u64)).collect();
        let empty = || Bits::over(&ranges);
        let mut survey = Survey {
            abi: image.abi,
            extents: disjoint(territory.functions, &ranges),
            code,
            targets: empty(),
            called: empty(),
            taken: empty(),
            jumped_into: empty(),
            returning: empty(),
            stops: empty(),
            begins: empty(),
            linked: image.kind != ImageKind::Relocatable,
            covered: 0,
            left_out: Vec::new(),
        };
        territory.stops.iter().for_each(|stop| survey.stops.set(*stop));
        for pad in territory.pads {
            survey.targets.set(pad.pad);
        }
        let mut calls = Vec::new();
        for extent in survey.extents.clone() {
            survey.look(&extent, &mut calls);
        }
        survey.take_names(image);
        survey.take_words(image);
        for (at, callee) in calls {
            if survey.goes_on_alone(at) {
                survey.returning.set(callee);
            }
        }
        survey
    }

    /// The instructions of one function, in order; what cannot be decoded is passed over.
    pub(super) fn instructions(&self, extent: &Range<u64>, into: &mut Vec<Located>) {
        let mut pc = extent.start;
        let unit = self.abi.facts().instruction_alignment.max(1);
        while pc < extent.end {
            match self.bytes(pc).and_then(|bytes| flow::decode(self.abi, bytes, pc)) {
                Some(insn) => {
                    into.push(Located { pc, insn });
                    pc = pc.wrapping_add(u64::from(insn.length.max(1)));
                }
                None => pc = pc.wrapping_add(unit),
            }
        }
    }

    /// The function that an address is in.
    pub(super) fn extent_of(&self, pc: u64) -> Option<Range<u64>> {
        let upto = self.extents.partition_point(|extent| extent.start <= pc);
        self.extents.get(upto.checked_sub(1)?).filter(|extent| extent.contains(&pc)).cloned()
    }

    /// Bytes from an address to the end of its stretch.
    pub(super) fn bytes(&self, pc: u64) -> Option<&[u8]> {
        self.code.iter().find_map(|(start, bytes)| bytes.get(usize::try_from(pc.checked_sub(*start)?).ok()?..))
    }

    /// Whether callees are known by their address.
    pub(super) fn linked(&self) -> bool {
        self.linked
    }

    /// An empty set over the code.
    pub(super) fn nothing(&self) -> Bits {
        let range = |(start, bytes): &(u64, Vec<u8>)| *start..start.saturating_add(bytes.len() as u64);
        Bits::over(&self.code.iter().map(range).collect::<Vec<_>>())
    }

    /// Whether an instruction of a function begins at an address.
    pub(super) fn is_instruction(&self, pc: u64) -> bool {
        self.begins.has(pc)
    }

    /// Whether something can call a function: a call goes there, its address is taken, or nothing jumps there.
    pub(super) fn is_entered(&self, start: u64) -> bool {
        self.called.has(start) || self.taken.has(start) || !self.jumped_into.has(start)
    }

    /// Whether code calls the function: that it is entered as by a call is certain.
    pub(super) fn is_called(&self, start: u64) -> bool {
        self.called.has(start)
    }

    /// Whether a call comes back, by what compilers write after calls: code that nothing else reaches, after this one or after another of
    /// the same callee.
    pub(super) fn comes_back(&self, callee: Option<u64>, after: u64) -> bool {
        self.goes_on_alone(after) || (self.linked && callee.is_some_and(|callee| self.returning.has(callee)))
    }

    /// Whether the code at an address, padding passed over, is inside a function and reached from the instruction before alone.
    fn goes_on_alone(&self, after: u64) -> bool {
        let Some(extent) = self.extent_of(after).filter(|extent| extent.start != after) else { return false };
        let mut pc = after;
        while extent.contains(&pc) {
            if self.targets.has(pc) {
                return false;
            }
            match self.bytes(pc).and_then(|bytes| flow::decode(self.abi, bytes, pc)) {
                Some(insn) if insn.marks.any(Marks::NOP) => pc = pc.wrapping_add(u64::from(insn.length)),
                Some(insn) => return insn.flow != Flow::Ends,
                None => return false,
            }
        }
        false
    }

    /// Calls inside a function that something makes into its middle: code that the linker makes has many entries.
    pub(super) fn entries(&self, extent: &Range<u64>, instructions: &[Located]) -> Vec<u64> {
        let inner = instructions.iter().map(|one| one.pc).filter(|pc| *pc != extent.start && self.called.has(*pc));
        std::iter::once(extent.start).filter(|start| self.is_entered(*start)).chain(inner).collect()
    }

    fn look(&mut self, extent: &Range<u64>, calls: &mut Vec<(u64, u64)>) {
        let mut all = Vec::new();
        self.instructions(extent, &mut all);
        let mut taken = Taken::new(self.abi);
        for located in &all {
            let Located { pc, insn } = *located;
            let bytes = self.bytes(pc).unwrap_or_default();
            let address = taken.by(bytes, pc);
            let refused = refuses(self.abi, bytes);
            self.begins.set(pc);
            if let Some(address) = address {
                self.taken.set(address);
            }
            if !insn.marks.any(Marks::NOP) {
                self.covered += 1;
            }
            if insn.marks.any(Marks::SKIP) || refused {
                self.left_out.push((pc, insn.length));
            }
            match insn.flow {
                Flow::Jump(target) | Flow::Branch(target) => {
                    self.targets.set(target);
                    self.stops.set(target);
                    if !extent.contains(&target) {
                        self.jumped_into.set(target);
                    }
                }
                // In an object a call to another file's function has no target yet: it shows the next instruction, or itself.
                Flow::Call(target) if target != located.end() && target != pc => {
                    self.called.set(target);
                    calls.push((located.end(), target));
                }
                _ => {}
            }
        }
    }

    /// Names for others are entries.
    fn take_names(&mut self, image: &Image) {
        for symbol in image.symbols.iter().filter(|symbol| symbol.function && !symbol.local) {
            self.taken.set(symbol.address);
        }
        self.taken.set(image.entry.0);
    }

    /// Words of data that hold the address of a function: tables of pointers, relocated.
    fn take_words(&mut self, image: &Image) {
        let starts: BTreeSet<u64> = self.extents.iter().map(|extent| extent.start).collect();
        let order = image.abi.facts().order;
        let mut take = |bytes: &[u8]| {
            for word in bytes.as_chunks::<8>().0 {
                let value = order.u64(*word);
                if value != 0 && starts.contains(&value) {
                    self.taken.set(value);
                }
            }
        };
        if image.kind == ImageKind::Relocatable {
            let data = image.sections.iter().filter(|section| section.is_alloc() && !section.is_code());
            data.for_each(|section| take(&section.bytes));
        } else {
            let data = image.segments.iter().filter(|segment| segment.flags & Access::EXECUTE.0 == 0);
            data.for_each(|segment| take(&segment.bytes));
        }
    }
}

/// The executable parts of an image.
fn stretches(image: &Image) -> Vec<(u64, Vec<u8>)> {
    if image.kind == ImageKind::Relocatable {
        let code = image.sections.iter().filter(|section| section.is_alloc() && section.is_code());
        return code.map(|section| (section.address, section.bytes.clone())).collect();
    }
    let code = image.segments.iter().filter(|segment| segment.flags & Access::EXECUTE.0 != 0);
    code.map(|segment| (segment.address, segment.bytes.clone())).collect()
}

/// The functions that lie in code, without the parts of one that another begins in.
fn disjoint(functions: &[Range<u64>], code: &[Range<u64>]) -> Vec<Range<u64>> {
    let inside = |range: &&Range<u64>| {
        range.start < range.end && code.iter().any(|code| code.start <= range.start && range.end <= code.end)
    };
    let mut by_start: BTreeMap<u64, u64> = BTreeMap::new();
    for range in functions.iter().filter(inside) {
        by_start.entry(range.start).and_modify(|end| *end = (*end).max(range.end)).or_insert(range.end);
    }
    let starts: Vec<u64> = by_start.keys().copied().collect();
    let next = |start: u64| starts.get(starts.partition_point(|other| *other <= start)).copied().unwrap_or(u64::MAX);
    by_start.iter().map(|(start, end)| *start..(*end).min(next(*start))).collect()
}
