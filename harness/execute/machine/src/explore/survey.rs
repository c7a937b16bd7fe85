//! A static survey of all code that is to be explored: instruction addresses, targets of jumps and
//! calls, and functions whose address is taken. Exploration relies on it: where a function can be
//! entered, and whether a callee returns.

mod evidence;
mod outside;
mod thunks;

use std::collections::BTreeMap;
use std::ops::Range;

use isa::Code;
use isa::flow::{self, Flow, Insn, Marks, Taken};
use isa::simple::{self, Does, Simple};
use types::ranges::joined;
use types::{Abi, Bytes, Image, ImageKind};

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::graph::Trust;
use super::territory::{Executor, Territory};
use crate::arch::{kills, refuses};
use crate::layout::Access;

/// The result of the survey.
pub(super) struct Survey {
    pub(super) abi: Abi,
    /// The functions, by address and without overlap.
    pub(super) extents: Vec<Range<u64>>,
    /// The code of each range, as in the file.
    code: Vec<(u64, Bytes)>,
    /// Targets of jumps and branches, including landing pads.
    pub(super) targets: Bits,
    /// Targets of calls.
    called: Bits,
    /// Retpolines within functions that are called.
    retpolines: Bits,
    /// Functions whose address is taken, or that have a global name.
    taken: Bits,
    /// Addresses with a global name.
    global: Bits,
    /// Functions with a global name.
    named: Bits,
    /// Addresses that words of data in the file hold.
    pointed_at: Bits,
    /// Facts of each function, in the order of `extents`.
    known: Vec<FunctionFacts>,
    /// Counts of the code after calls, by callee.
    callees: FxHashMap<u64, Calls>,
    /// Addresses at which a table's answer may change, as the caller gives them, and block starts.
    pub(super) stops: Bits,
    /// Addresses at each of which a table's answer may change.
    pub(super) watched: Bits,
    /// Addresses at which instructions of the extents begin, and those other than padding.
    begins: Bits,
    pub(super) work: Bits,
    /// Instructions that others execute out of line, which control need not reach.
    out_of_line: Bits,
    /// The program's entry point.
    program: u64,
    /// Linker-made code that leads to functions of other files.
    plts: Vec<Range<u64>>,
    /// The code is linked: callees are known by their address.
    linked: bool,
    /// Addresses of fields whose value only the linker knows, sorted.
    unresolved: Vec<u64>,
    /// Instructions inside the extents that are not padding.
    pub(super) covered: u64,
    /// Instructions that must not be executed: address and length in bytes.
    pub(super) left_out: Vec<(u64, u8)>,
    executor: Executor,
}

/// Facts of a function.
#[derive(Clone, Copy, Debug, Default)]
struct FunctionFacts {
    /// As far as the caller knows, the frame may be as a call leaves it at the start.
    callable: bool,
    /// Calls lead into the middle of the function.
    shared: bool,
    /// The function has a jump to a computed address.
    by_table: bool,
    /// The function has a return.
    returning: bool,
    /// Bytes of stack arguments that each return drops.
    drops: u64,
}

/// Number of calls of one callee, by the kind of code after the call.
#[derive(Clone, Copy, Debug, Default)]
struct Calls {
    alone: u32,
    joined: u32,
    nothing: u32,
}

/// The code after a call, without padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// Code that nothing but the call's return reaches.
    Alone,
    /// Code that a jump or branch reaches too.
    Joined,
    /// No code of the function, an instruction that others execute out of line, or one that ends
    /// the control flow.
    Nothing,
}

/// An instruction and its address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    pub(super) pc: u64,
    pub(super) insn: Insn,
    /// The operation if it is simple; a no-op for a skipped instruction.
    pub(super) simple: Option<Simple>,
}

impl Located {
    pub(super) fn end(&self) -> u64 {
        self.pc.wrapping_add(u64::from(self.insn.length))
    }
}

impl Survey {
    pub(super) fn new(image: &Image, territory: &Territory<'_>) -> Survey {
        let code: Vec<(u64, Bytes)> = stretches(image);
        let ranges: Vec<Range<u64>> =
            code.iter().map(|(start, bytes)| *start..start.saturating_add(bytes.len() as u64)).collect();
        let empty = || Bits::over(&ranges);
        let extents = disjoint(territory.functions, &ranges);
        let mut survey = Survey {
            abi: image.abi,
            known: vec![FunctionFacts::default(); extents.len()],
            extents,
            code,
            targets: empty(),
            called: empty(),
            retpolines: empty(),
            taken: empty(),
            global: empty(),
            named: empty(),
            pointed_at: empty(),
            callees: FxHashMap::default(),
            stops: empty(),
            watched: empty(),
            begins: empty(),
            work: empty(),
            out_of_line: empty(),
            program: image.entry.0,
            plts: outside::plts(image),
            linked: image.kind != ImageKind::Relocatable,
            unresolved: image.unresolved.clone(),
            covered: 0,
            left_out: Vec::new(),
            executor: territory.executor,
        };
        territory.stops.iter().for_each(|stop| survey.stops.set(*stop));
        for (start, end) in joined(territory.watched.iter().map(|range| (range.start, range.end))) {
            for code in &ranges {
                (start.max(code.start)..end.min(code.end)).for_each(|pc| survey.watched.set(pc));
            }
        }
        for start in territory.callable {
            survey.know(*start, |known| known.callable = true);
        }
        for pad in territory.pads {
            survey.targets.set(pad.pad);
        }
        let (mut calls, mut thunks) = (Vec::new(), Vec::new());
        for extent in survey.extents.clone() {
            survey.look(&extent, &mut calls, &mut thunks);
        }
        // A thunk that returns to an address which the function computed is a jump, or a call if
        // the thunk itself is called.
        for thunk in thunks.into_iter().filter(|pc| !survey.retpolines.has(*pc)).collect::<Vec<_>>() {
            if let Some(home) = survey.extent_of(thunk) {
                survey.know(home.start, |known| known.by_table = true);
            }
        }
        survey.take_names(image);
        survey.take_words(image);
        for target in survey.called_from_outside(image) {
            survey.called.set(target);
            if let Some(home) = survey.extent_of(target).filter(|home| home.start != target) {
                survey.know(home.start, |known| known.shared = true);
            }
        }
        for (at, callee) in calls {
            if let Some(home) = survey.extent_of(callee).filter(|home| home.start != callee) {
                survey.know(home.start, |known| known.shared = true);
            }
            let behind = survey.behind(at);
            // A jump table may lead to code that seems to be reached by the return only.
            if behind == Behind::Alone && survey.jumps_by_table(at) {
                continue;
            }
            let calls = survey.callees.entry(callee).or_default();
            *match behind {
                Behind::Alone => &mut calls.alone,
                Behind::Joined => &mut calls.joined,
                Behind::Nothing => &mut calls.nothing,
            } += 1;
        }
        survey
    }

    /// The instructions of one function, in order; undecodable bytes are skipped.
    pub(super) fn instructions(&self, extent: &Range<u64>) -> Vec<Located> {
        // Estimate: an instruction has about four bytes.
        let mut all = Vec::with_capacity(usize::try_from((extent.end - extent.start) / 4).unwrap_or(0));
        self.decode(extent, |code, offset, pc| {
            let (insn, does) = code.simple(offset)?;
            let bytes = code.from(offset);
            let left_out = || insn.marks.any(Marks::SKIP) || refuses(self.abi, bytes) || kills(self.abi, bytes);
            let does = does.filter(|simple| self.executor == Executor::Crate || simple.does == Does::Nothing);
            let simple = does.or_else(|| simple::nothing(self.abi).filter(|_| left_out()));
            all.push(Located { pc, insn, simple });
            Some(insn.length)
        });
        all
    }

    /// Walks through a function: `one` decodes the instruction at an offset and address, and
    /// returns its length.
    fn decode(&self, extent: &Range<u64>, mut one: impl FnMut(&mut Code<'_>, usize, u64) -> Option<u8>) {
        let mut code = Code::new(self.abi, self.bytes(extent.start).unwrap_or_default(), extent.start);
        let mut pc = extent.start;
        let unit = self.abi.facts().instruction_alignment.max(1);
        while pc < extent.end {
            let length = usize::try_from(pc - extent.start).ok().and_then(|offset| one(&mut code, offset, pc));
            pc = pc.wrapping_add(length.map_or(unit, |length| u64::from(length.max(1))));
        }
    }

    /// The function that contains an address.
    pub(super) fn extent_of(&self, pc: u64) -> Option<Range<u64>> {
        self.extents.get(self.number_of(pc)?).cloned()
    }

    fn number_of(&self, pc: u64) -> Option<usize> {
        let number = self.extents.partition_point(|extent| extent.start <= pc).checked_sub(1)?;
        self.extents.get(number).filter(|extent| extent.contains(&pc)).map(|_| number)
    }

    /// The facts of the function that begins at an address; empty for other addresses.
    fn known(&self, start: u64) -> FunctionFacts {
        let number = self.extents.binary_search_by_key(&start, |extent| extent.start);
        number.ok().and_then(|number| self.known.get(number)).copied().unwrap_or_default()
    }

    fn know(&mut self, start: u64, what: impl FnOnce(&mut FunctionFacts)) {
        let number = self.extents.binary_search_by_key(&start, |extent| extent.start);
        if let Some(known) = number.ok().and_then(|number| self.known.get_mut(number)) {
            what(known);
        }
    }

    /// The bytes from an address to the end of its range.
    pub(super) fn bytes(&self, pc: u64) -> Option<&[u8]> {
        self.code.iter().find_map(|(start, bytes)| bytes.get(usize::try_from(pc.checked_sub(*start)?).ok()?..))
    }

    /// Returns true if a field in a range has a value that only the linker knows.
    pub(super) fn is_unresolved(&self, range: Range<u64>) -> bool {
        let next = self.unresolved.partition_point(|field| *field < range.start);
        self.unresolved.get(next).is_some_and(|field| range.contains(field))
    }

    /// Creates an empty set over the code.
    pub(super) fn nothing(&self) -> Bits {
        let range = |(start, bytes): &(u64, Bytes)| *start..start.saturating_add(bytes.len() as u64);
        Bits::over(&self.code.iter().map(range).collect::<Vec<_>>())
    }

    /// Returns true if an instruction of a function begins at an address.
    pub(super) fn is_instruction(&self, pc: u64) -> bool {
        self.begins.has(pc)
    }

    /// Returns true if there is evidence that a function can be entered: a call leads there, or it
    /// is the program's entry, or its address is taken or its name is global and it may have the
    /// ABI's convention.
    pub(super) fn is_entered(&self, start: u64) -> bool {
        self.called.has(start) || start == self.program || (self.taken.has(start) && self.is_callable(start))
    }

    /// Returns true if an address is taken, by an instruction, a word of data or a global name.
    pub(super) fn is_taken(&self, start: u64) -> bool {
        self.taken.has(start)
    }

    /// Returns true if a direct jump or branch leads to an address.
    pub(super) fn is_jumped_to(&self, start: u64) -> bool {
        self.targets.has(start)
    }

    /// Returns true if a function, or one of several that share an extent, begins at `pc` and can
    /// be entered by itself.
    pub(super) fn is_entry(&self, pc: u64) -> bool {
        self.called.has(pc) || self.extent_of(pc).is_some_and(|home| home.start == pc && self.is_entered(pc))
    }

    /// Returns true if control reaches `next` from the jump before it when the word that holds the
    /// jump's target is not bound yet: the word holds `next`. Such code is linker-made, one extent
    /// with many entries (a lazy PLT).
    pub(super) fn is_bound_late(&self, jump: u64, next: u64) -> bool {
        let home = self.extent_of(jump).filter(|home| home.contains(&next));
        home.is_some_and(|home| self.known(home.start).shared) && self.pointed_at.has(next)
    }

    /// Returns true if the frame may be as a call leaves it at the start of a function.
    pub(super) fn is_callable(&self, start: u64) -> bool {
        self.known(start).callable
    }

    /// Returns true if a global function symbol is at this address, so that others can call it.
    pub(super) fn is_named(&self, start: u64) -> bool {
        self.named.has(start)
    }

    /// Returns true if a global symbol of any type is at this address.
    pub(super) fn has_global_name(&self, start: u64) -> bool {
        self.global.has(start)
    }

    /// Returns true if words of data hold an address inside the function.
    pub(super) fn is_pointed_into(&self, start: u64) -> bool {
        self.extent_of(start).is_some_and(|extent| self.pointed_at.any(extent))
    }

    /// Returns true if an address is in linker-made code that leads to functions of other files.
    pub(super) fn is_linkage(&self, pc: u64) -> bool {
        self.plts.iter().any(|plt| plt.contains(&pc))
    }

    /// Returns true if code calls the function, so that it is certainly entered as by a call.
    pub(super) fn is_called(&self, start: u64) -> bool {
        self.called.has(start)
    }

    /// Certainty that a call returns, judging by the code that compilers emit after calls: after a
    /// call that they believe not to return there is no code that only its return could reach.
    pub(super) fn comes_back(&self, callee: Option<u64>, after: u64) -> Trust {
        let behind = self.behind(after);
        if let Some(callee) = callee.filter(|_| self.linked) {
            let Calls { alone, joined, nothing } = self.callees.get(&callee).copied().unwrap_or_default();
            let others = joined + nothing;
            if alone > others || (alone > 0 && alone == others && behind == Behind::Alone) {
                return Trust::Certain;
            }
            // The callee can return, and all callers expect it to.
            if nothing == 0 && self.known(callee).returning {
                return Trust::Certain;
            }
            if others > 0 {
                return Trust::Supposed;
            }
        }
        match behind {
            Behind::Alone if self.jumps_by_table(after) => Trust::UnlessByTable,
            Behind::Alone => Trust::Certain,
            Behind::Joined | Behind::Nothing => Trust::Supposed,
        }
    }

    /// Returns true if the function that contains a call jumps by a table, whose targets are not
    /// known yet.
    fn jumps_by_table(&self, after: u64) -> bool {
        self.extent_of(after.wrapping_sub(1)).is_none_or(|extent| self.known(extent.start).by_table)
    }

    /// The kind of code after a call, judging by jumps and branches.
    fn behind(&self, after: u64) -> Behind {
        let Some(extent) = self.extent_of(after.wrapping_sub(1)) else { return Behind::Nothing };
        let mut pc = after;
        while extent.contains(&pc) {
            if self.out_of_line.has(pc) {
                return Behind::Nothing;
            }
            if self.targets.has(pc) {
                return Behind::Joined;
            }
            match self.bytes(pc).and_then(|bytes| flow::decode(self.abi, bytes, pc)) {
                Some(insn) if insn.marks.any(Marks::NOP) => pc = pc.wrapping_add(u64::from(insn.length)),
                Some(insn) if insn.flow != Flow::Ends => return Behind::Alone,
                _ => return Behind::Nothing,
            }
        }
        Behind::Nothing
    }

    /// The entries of a function: its start, and call targets inside of it, since linker-made code
    /// has many entries.
    pub(super) fn entries(&self, extent: &Range<u64>) -> Vec<u64> {
        let inner = self.called.within(extent.start + 1..extent.end).filter(|pc| self.begins.has(*pc));
        let start = Some(extent.start).filter(|start| self.is_entered(*start) && !self.discards(*start));
        start.into_iter().chain(inner).collect()
    }

    fn look(&mut self, extent: &Range<u64>, calls: &mut Vec<(u64, u64)>, thunks: &mut Vec<u64>) {
        let mut all = Vec::new();
        self.decode(extent, |code, offset, pc| {
            let insn = code.flow(offset)?;
            all.push((pc, insn));
            Some(insn.length)
        });
        let mut taken = Taken::new(self.abi);
        for (pc, insn) in all {
            let end = pc.wrapping_add(u64::from(insn.length));
            let bytes = self.bytes(pc).unwrap_or_default();
            let address = taken.by(bytes, pc);
            let refused = refuses(self.abi, bytes) || kills(self.abi, bytes);
            if let Some(target) = flow::executed(self.abi, bytes, pc) {
                self.out_of_line.set(target);
            }
            self.begins.set(pc);
            // An answer that changes inside an instruction changes at the next one.
            if (pc + 1..end).any(|inside| self.stops.has(inside)) {
                self.stops.set(end);
            }
            if let Some(address) = address {
                self.taken.set(address);
            }
            if !insn.marks.any(Marks::NOP) {
                self.covered += 1;
                self.work.set(pc);
            }
            if insn.marks.any(Marks::SKIP) || refused {
                self.left_out.push((pc, insn.length));
            }
            match insn.flow {
                Flow::Jump(target) | Flow::Branch(target) => {
                    self.targets.set(target);
                    self.stops.set(target);
                }
                Flow::IndirectJump => self.know(extent.start, |known| known.by_table = true),
                Flow::Return => self.take_return(extent.start, pc),
                Flow::Call(target) if self.discards(target) || self.pops(pc, target) => {
                    self.targets.set(target);
                    self.stops.set(target);
                    let drops = flow::decode(self.abi, self.bytes(target).unwrap_or_default(), target);
                    if drops.is_none_or(|insn| !insn.marks.any(Marks::WRITES_SP)) {
                        thunks.push(pc);
                    }
                }
                Flow::Call(target) if self.is_retpoline(target) => {
                    self.targets.set(target);
                    self.stops.set(target);
                    self.retpolines.set(target);
                }
                // In an object file a call of another file's function has no target yet: its target
                // is the next instruction, or itself.
                Flow::Call(target) if target != end && target != pc => {
                    self.called.set(target);
                    calls.push((end, target));
                }
                _ => {}
            }
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
