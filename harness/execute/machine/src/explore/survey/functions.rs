//! The functions and their code.

use std::collections::BTreeMap;
use std::ops::Range;

use isa::Code;
use isa::flow::{self, Flow, Insn, Marks};
use isa::preserved::{self, Uses};
use isa::simple::Executable;
use types::{Abi, Bytes, Image, ImageKind};

use super::outside::plts;
use crate::arch::{kills, refuses};
use crate::explore::bits::Bits;
use crate::explore::territory::{Executor, Territory};
use crate::layout::Access;

/// The functions of an image, and their code.
pub(in crate::explore) struct Functions {
    pub(in crate::explore) abi: Abi,
    /// The functions, by address and without overlap.
    pub(in crate::explore) extents: Vec<Range<u64>>,
    /// Facts of each function, in the order of `extents`.
    facts: Vec<FunctionFacts>,
    /// The code of each range, as in the file.
    code: Vec<(u64, Bytes)>,
    /// Addresses of fields whose value only the linker knows, sorted.
    unresolved: Vec<u64>,
    /// Linker-made code that leads to functions of other files.
    pub(super) plts: Vec<Range<u64>>,
    executor: Executor,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FunctionFacts {
    /// As far as the caller knows, the frame may be as a call leaves it at the start.
    pub(super) callable: bool,
    /// Calls lead into the middle of the function.
    pub(super) shared: bool,
    /// The function has a jump to a computed address.
    pub(super) by_table: bool,
    pub(super) returning: bool,
    /// Bytes of stack arguments that each return drops.
    pub(super) drops: u64,
}

/// An instruction and its address.
#[derive(Clone, Copy, Debug)]
pub(in crate::explore) struct Located {
    pub(in crate::explore) pc: u64,
    pub(in crate::explore) insn: Insn,
    /// The operation if it is simple; a no-op for a skipped instruction.
    pub(in crate::explore) simple: Option<Executable>,
    /// What it does with the registers that a call preserves.
    pub(in crate::explore) uses: Uses,
}

impl Located {
    pub(in crate::explore) fn end(&self) -> u64 {
        self.pc.wrapping_add(u64::from(self.insn.length))
    }
}

impl Functions {
    pub(super) fn new(image: &Image, territory: &Territory<'_>) -> Functions {
        let code = stretches(image);
        let mut functions = Functions {
            abi: image.abi,
            extents: disjoint(territory.functions, &ranges(&code)),
            facts: Vec::new(),
            code,
            unresolved: image.unresolved.clone(),
            plts: plts(image),
            executor: territory.executor,
        };
        functions.facts = vec![FunctionFacts::default(); functions.extents.len()];
        for start in territory.callable {
            functions.know(*start, |facts| facts.callable = true);
        }
        functions
    }

    /// The instructions of one function, in order; undecodable bytes are skipped.
    pub(in crate::explore) fn instructions(&self, extent: &Range<u64>) -> Vec<Located> {
        // Estimate: an instruction has about four bytes.
        let mut all = Vec::with_capacity(usize::try_from((extent.end - extent.start) / 4).unwrap_or(0));
        self.decode(extent, |code, offset, pc| {
            let (insn, does) = code.simple(offset)?;
            let bytes = code.from(offset);
            let uses = preserved::uses(self.abi, bytes, &insn, does.as_ref());
            let nothing = Executable::nothing(self.abi);
            let simple = if insn.marks.any(Marks::SKIP) {
                Some(nothing)
            } else {
                let does = does.filter(|simple| self.executor == Executor::Crate || simple.is_nothing());
                does.or_else(|| (refuses(self.abi, bytes) || kills(self.abi, bytes)).then_some(nothing))
            };
            all.push(Located { pc, insn, simple, uses });
            Some(insn.length)
        });
        all
    }

    /// Walks through a function: `one` decodes the instruction at an offset and address, and
    /// returns its length.
    pub(super) fn decode(&self, extent: &Range<u64>, mut one: impl FnMut(&mut Code<'_>, usize, u64) -> Option<u8>) {
        let mut code = Code::new(self.abi, self.bytes(extent.start).unwrap_or_default(), extent.start);
        let mut pc = extent.start;
        let unit = self.abi.facts().instruction_alignment.max(1);
        while pc < extent.end {
            let length = usize::try_from(pc - extent.start).ok().and_then(|offset| one(&mut code, offset, pc));
            pc = pc.wrapping_add(length.map_or(unit, |length| u64::from(length.max(1))));
        }
    }

    /// The function that contains an address.
    pub(in crate::explore) fn extent_of(&self, pc: u64) -> Option<Range<u64>> {
        self.extents.get(self.number_of(pc)?).cloned()
    }

    fn number_of(&self, pc: u64) -> Option<usize> {
        let number = self.extents.partition_point(|extent| extent.start <= pc).checked_sub(1)?;
        self.extents.get(number).filter(|extent| extent.contains(&pc)).map(|_| number)
    }

    /// The facts of the function that begins at an address; empty for other addresses.
    pub(super) fn facts(&self, start: u64) -> FunctionFacts {
        let number = self.extents.binary_search_by_key(&start, |extent| extent.start);
        number.ok().and_then(|number| self.facts.get(number)).copied().unwrap_or_default()
    }

    pub(super) fn know(&mut self, start: u64, what: impl FnOnce(&mut FunctionFacts)) {
        let number = self.extents.binary_search_by_key(&start, |extent| extent.start);
        if let Some(known) = number.ok().and_then(|number| self.facts.get_mut(number)) {
            what(known);
        }
    }

    /// The bytes from an address to the end of its range.
    pub(in crate::explore) fn bytes(&self, pc: u64) -> Option<&[u8]> {
        self.code.iter().find_map(|(start, bytes)| bytes.get(usize::try_from(pc.checked_sub(*start)?).ok()?..))
    }

    /// Returns true if a field in a range has a value that only the linker knows.
    pub(in crate::explore) fn is_unresolved(&self, range: Range<u64>) -> bool {
        let next = self.unresolved.partition_point(|field| *field < range.start);
        self.unresolved.get(next).is_some_and(|field| range.contains(field))
    }

    /// The ranges of the code.
    pub(super) fn ranges(&self) -> Vec<Range<u64>> {
        ranges(&self.code)
    }

    /// Creates an empty set over the code.
    pub(in crate::explore) fn nothing(&self) -> Bits {
        Bits::over(&self.ranges())
    }

    /// Creates a set of those of the addresses that are code.
    pub(in crate::explore) fn set(&self, addresses: &[u64]) -> Bits {
        let mut set = self.nothing();
        addresses.iter().for_each(|address| set.set(*address));
        set
    }

    /// Returns true if the frame may be as a call leaves it at the start of a function.
    pub(in crate::explore) fn is_callable(&self, start: u64) -> bool {
        self.facts(start).callable
    }

    /// Returns true if an address is in linker-made code that leads to functions of other files.
    pub(in crate::explore) fn is_linkage(&self, pc: u64) -> bool {
        self.plts.iter().any(|plt| plt.contains(&pc))
    }

    /// Returns true for the head of a lazy PLT, which pushes a second word for the dynamic linker.
    pub(in crate::explore) fn is_plt_head(&self, start: u64) -> bool {
        self.pushed_by_head(start).is_some()
    }

    /// Returns true for the jump to the dynamic linker in the head of a lazy PLT.
    pub(super) fn is_in_plt_head(&self, jump: u64) -> bool {
        let Some(plt) = self.plts.iter().find(|plt| plt.contains(&jump)) else { return false };
        self.pushed_by_head(plt.start).is_some_and(|push| plt.start.saturating_add(u64::from(push.length)) == jump)
    }

    /// The instruction with which the head of a lazy PLT that starts here pushes its word.
    fn pushed_by_head(&self, start: u64) -> Option<Insn> {
        let is_start = !self.abi.facts().link_register && self.plts.iter().any(|plt| plt.start == start);
        let first = self.bytes(start).filter(|_| is_start).and_then(|bytes| flow::decode(self.abi, bytes, start));
        first.filter(|insn| insn.flow == Flow::Next && insn.marks.any(Marks::MOVES_SP))
    }

    /// The parts of a range outside all functions.
    pub(super) fn gaps(&self, range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let first = self.extents.partition_point(|extent| extent.end <= range.start);
        let inside = self.extents.iter().skip(first).take_while(move |extent| extent.start < range.end);
        let mut at = range.start;
        inside.cloned().chain(std::iter::once(range.end..range.end)).filter_map(move |extent| {
            let gap = at..extent.start;
            at = at.max(extent.end);
            (!gap.is_empty()).then_some(gap)
        })
    }

    /// Passes the targets of calls and jumps in a range to `take`.
    pub(super) fn calls_within(&self, range: Range<u64>, mut take: impl FnMut(u64)) {
        let unit = self.abi.facts().instruction_alignment.max(1);
        let mut pc = range.start;
        while pc < range.end {
            let insn = self.bytes(pc).and_then(|bytes| flow::decode(self.abi, bytes, pc));
            if let Some(Flow::Call(target) | Flow::Jump(target)) = insn.map(|insn| insn.flow) {
                take(target);
            }
            pc = pc.saturating_add(insn.map_or(unit, |insn| u64::from(insn.length.max(1))));
        }
    }
}

/// The executable ranges of an image.
fn stretches(image: &Image) -> Vec<(u64, Bytes)> {
    if image.kind == ImageKind::Relocatable {
        let code = image.sections.iter().filter(|section| section.is_alloc() && section.is_code());
        return code.map(|section| (section.address, section.bytes.clone())).collect();
    }
    let code = image.segments.iter().filter(|segment| segment.flags & Access::EXECUTE.0 != 0);
    code.map(|segment| (segment.address, segment.bytes.clone())).collect()
}

/// The functions in `code`, each truncated at the start of the next one.
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

fn ranges(code: &[(u64, Bytes)]) -> Vec<Range<u64>> {
    code.iter().map(|(start, bytes)| *start..start.saturating_add(bytes.len() as u64)).collect()
}
