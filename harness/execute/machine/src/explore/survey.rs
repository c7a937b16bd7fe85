//! A static survey of all code that is to be explored: instruction addresses, targets of jumps and
//! calls, and functions whose address is taken. Exploration relies on it: where a function can be
//! entered, and whether a callee returns.

mod evidence;
mod functions;
mod kernel_tables;
mod outside;
mod overwritten;
mod thunks;

use std::ops::Range;

use isa::flow::{self, Flow, Marks, Taken};
use rustc_hash::FxHashMap;
use types::ranges::joined;
use types::{Image, ImageKind};

use super::bits::Bits;
use super::graph::Trust;
use super::territory::Territory;

use evidence::Entries;
pub(super) use functions::{Functions, Located};
use kernel_tables::KernelTables;
pub(super) use overwritten::Overwritten;

pub(super) struct Survey {
    pub(super) functions: Functions,
    pub(super) entries: Entries,
    pub(super) jumps: Jumps,
    calls: Callees,
    pub(super) places: Places,
    kernel_tables: KernelTables,
}

/// Where direct jumps and branches lead.
pub(super) struct Jumps {
    /// Targets of jumps and branches, including landing pads.
    pub(super) targets: Bits,
    /// Retpolines within functions that are called.
    retpolines: Bits,
    /// Instructions that others execute out of line, which control need not reach.
    out_of_line: Bits,
}

/// What is known of callees.
struct Callees {
    /// Counts of the code after calls, by callee.
    counts: FxHashMap<u64, Calls>,
    /// The code is linked: callees are known by their address.
    linked: bool,
}

/// Instructions.
pub(super) struct Places {
    /// Addresses at which a table's answer may change, as the caller gives them, and block starts.
    pub(super) stops: Bits,
    /// Addresses at each of which a table's answer may change.
    pub(super) watched: Bits,
    /// Addresses at which instructions of the functions begin, and those other than padding and
    /// traps of speculative execution.
    pub(super) begins: Bits,
    pub(super) work: Bits,
    pub(super) covered: u64,
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

impl Survey {
    pub(super) fn new(image: &Image, territory: &Territory<'_>) -> Survey {
        let functions = Functions::new(image, territory);
        let empty = || functions.nothing();
        let kernel_tables = KernelTables::new(image, &functions);
        let mut survey = Survey {
            entries: Entries::new(&functions, image.entry.0),
            jumps: Jumps { targets: empty(), retpolines: empty(), out_of_line: empty() },
            calls: Callees { counts: FxHashMap::default(), linked: image.kind != ImageKind::Relocatable },
            places: Places { stops: empty(), watched: empty(), begins: empty(), work: empty(), covered: 0 },
            kernel_tables,
            functions,
        };
        territory.stops.iter().for_each(|stop| survey.places.stops.set(*stop));
        for (start, end) in joined(territory.watched.iter().map(|range| (range.start, range.end))) {
            for code in survey.functions.ranges() {
                (start.max(code.start)..end.min(code.end)).for_each(|pc| survey.places.watched.set(pc));
            }
        }
        for pad in territory.pads {
            survey.jumps.targets.set(pad.pad);
        }
        for (place, targets) in survey.kernel_tables.iter() {
            survey.places.stops.set(place);
            for target in targets {
                survey.jumps.targets.set(*target);
                survey.places.stops.set(*target);
            }
        }
        let (mut calls, mut thunks) = (Vec::new(), Vec::new());
        for extent in survey.functions.extents.clone() {
            survey.look(&extent, &mut calls, &mut thunks);
        }
        // A thunk that returns to an address which the function computed is a jump, or a call if
        // the thunk itself is called.
        for thunk in thunks.into_iter().filter(|pc| !survey.jumps.retpolines.has(*pc)).collect::<Vec<_>>() {
            if let Some(home) = survey.functions.extent_of(thunk) {
                survey.functions.know(home.start, |facts| facts.by_table = true);
            }
        }
        // What others execute out of line is not reached by itself.
        survey.places.work.remove(&survey.jumps.out_of_line);
        survey.places.covered = survey.places.work.iter().count() as u64;
        survey.entries.take_names(image);
        survey.entries.take_words(image, &survey.functions);
        for pc in survey.entries.hinted.iter() {
            survey.places.stops.set(pc);
        }
        for target in survey.called_from_outside(image) {
            survey.enter(target);
        }
        for (at, callee) in calls {
            if let Some(home) = survey.functions.extent_of(callee).filter(|home| home.start != callee) {
                survey.functions.know(home.start, |facts| facts.shared = true);
            }
            let behind = survey.behind(at);
            // A jump table may lead to code that seems to be reached by the return only.
            if behind == Behind::Alone && survey.jumps_by_table(at) {
                continue;
            }
            let calls = survey.calls.counts.entry(callee).or_default();
            *match behind {
                Behind::Alone => &mut calls.alone,
                Behind::Joined => &mut calls.joined,
                Behind::Nothing => &mut calls.nothing,
            } += 1;
        }
        survey
    }

    /// Adds an address at which code is entered as by a call.
    fn enter(&mut self, target: u64) {
        self.entries.called.set(target);
        if let Some(home) = self.functions.extent_of(target).filter(|home| home.start != target) {
            self.functions.know(home.start, |facts| facts.shared = true);
        }
    }

    /// Returns true if there is evidence that a function can be entered: a call leads there, or it
    /// is the program's entry, or its address is taken or its name is global and it may have the
    /// ABI's convention.
    pub(super) fn is_entered(&self, start: u64) -> bool {
        self.entries.called.has(start)
            || start == self.entries.program
            || (self.entries.taken.has(start) && self.functions.is_callable(start))
    }

    /// Returns true if a function, or one of several that share an extent, begins at `pc` and can
    /// be entered by itself.
    pub(super) fn is_entry(&self, pc: u64) -> bool {
        self.entries.called.has(pc)
            || self.functions.extent_of(pc).is_some_and(|home| home.start == pc && self.is_entered(pc))
    }

    /// Returns true if control reaches `next` from the jump before it when the word that holds the
    /// jump's target is not bound yet: the word holds `next`. Such code is linker-made, one extent
    /// with many entries (a lazy PLT). The word of its head holds the dynamic linker: a word of
    /// data that equals the address after that jump is a number.
    pub(super) fn is_bound_late(&self, jump: u64, next: u64) -> bool {
        let home = self.functions.extent_of(jump).filter(|home| home.contains(&next));
        home.is_some_and(|home| self.functions.facts(home.start).shared)
            && self.entries.pointed_at.has(next)
            && !self.functions.is_in_plt_head(jump)
    }

    /// Returns true if words of data hold an address inside the function.
    pub(super) fn is_pointed_into(&self, start: u64) -> bool {
        self.functions.extent_of(start).is_some_and(|extent| self.entries.pointed_at.any(extent))
    }

    /// The instructions inside the function of a jump to which words of data point, if there are
    /// several: an array of labels for computed gotos. Those of a PLT are for its own slots.
    pub(super) fn labels(&self, jump: u64) -> Vec<u64> {
        let extent = self.functions.extent_of(jump).filter(|_| !self.functions.is_linkage(jump));
        let Some(extent) = extent else { return Vec::new() };
        let inside = self.entries.pointed_at.within(extent.start + 1..extent.end);
        let labels: Vec<u64> = inside.filter(|pc| self.places.work.has(*pc)).collect();
        if labels.len() > 1 { labels } else { Vec::new() }
    }

    /// The instructions of a function but the first that data refer to. Those of a PLT are for its
    /// own slots.
    pub(super) fn hinted(&self, home: Range<u64>) -> impl Iterator<Item = u64> {
        let is_linkage = self.functions.is_linkage(home.start);
        let inside = self.entries.hinted.within(home.start.saturating_add(1)..home.end);
        inside.filter(move |pc| !is_linkage && self.places.work.has(*pc))
    }

    /// Where control goes from an instruction by a kernel's table, in place of executing it.
    pub(super) fn ways_by_table(&self, pc: u64) -> &[u64] {
        self.kernel_tables.targets(pc)
    }

    /// Certainty that a call returns, judging by the code that compilers emit after calls: after a
    /// call that they believe not to return there is no code that only its return could reach.
    pub(super) fn comes_back(&self, callee: Option<u64>, after: u64) -> Trust {
        let behind = self.behind(after);
        if let Some(callee) = callee.filter(|_| self.calls.linked) {
            let Calls { alone, joined, nothing } = self.calls.counts.get(&callee).copied().unwrap_or_default();
            let others = joined + nothing;
            if alone > others || (alone > 0 && alone == others && behind == Behind::Alone) {
                return Trust::Certain;
            }
            // The callee can return, and all callers expect it to.
            if nothing == 0 && self.functions.facts(callee).returning {
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
        self.functions.extent_of(after.wrapping_sub(1)).is_none_or(|extent| self.functions.facts(extent.start).by_table)
    }

    /// The kind of code after a call, judging by jumps and branches.
    fn behind(&self, after: u64) -> Behind {
        let Some(extent) = self.functions.extent_of(after.wrapping_sub(1)) else { return Behind::Nothing };
        let mut pc = after;
        while extent.contains(&pc) {
            if self.jumps.out_of_line.has(pc) {
                return Behind::Nothing;
            }
            if self.jumps.targets.has(pc) {
                return Behind::Joined;
            }
            match self.functions.bytes(pc).and_then(|bytes| flow::decode(self.functions.abi, bytes, pc)) {
                Some(insn) if insn.marks.any(Marks::NOP) => pc = pc.wrapping_add(u64::from(insn.length)),
                Some(insn) if insn.flow != Flow::Ends => return Behind::Alone,
                _ => return Behind::Nothing,
            }
        }
        Behind::Nothing
    }

    /// The entries of a function: its start, and call targets inside of it, since linker-made code
    /// has many entries.
    pub(super) fn entries_of(&self, extent: &Range<u64>) -> Vec<u64> {
        let inner = self.entries.called.within(extent.start + 1..extent.end).filter(|pc| self.places.begins.has(*pc));
        let start = Some(extent.start).filter(|start| self.is_entered(*start) && !self.functions.discards(*start));
        start.into_iter().chain(inner).collect()
    }

    fn look(&mut self, extent: &Range<u64>, calls: &mut Vec<(u64, u64)>, thunks: &mut Vec<u64>) {
        let mut all = Vec::new();
        self.functions.decode(extent, |code, offset, pc| {
            let insn = code.flow(offset)?;
            all.push((pc, insn));
            Some(insn.length)
        });
        let mut taken = Taken::new(self.functions.abi);
        let traps = self.functions.traps(extent, &all);
        for (pc, insn) in all {
            let end = pc.wrapping_add(u64::from(insn.length));
            let bytes = self.functions.bytes(pc).unwrap_or_default();
            let address = taken.by(bytes, pc);
            if let Some(target) = flow::executed(self.functions.abi, bytes, pc) {
                self.jumps.out_of_line.set(target);
            }
            self.places.begins.set(pc);
            // An answer that changes inside an instruction changes at the next one.
            if (pc + 1..end).any(|inside| self.places.stops.has(inside)) {
                self.places.stops.set(end);
            }
            if let Some(address) = address {
                self.entries.taken.set(address);
            }
            // Zeros between code are space that an author reserved.
            let is_space = bytes.iter().take(usize::from(insn.length)).all(|byte| *byte == 0);
            if !insn.marks.any(Marks::NOP) && !is_space && !traps.contains(&pc) {
                self.places.covered += 1;
                self.places.work.set(pc);
            }
            match insn.flow {
                Flow::Jump(target) | Flow::Branch(target) => {
                    self.jumps.targets.set(target);
                    self.places.stops.set(target);
                    // A tail call enters the slot of a PLT as a call does.
                    if self.functions.is_linkage(target) && !self.functions.is_linkage(pc) {
                        self.enter(target);
                    }
                }
                Flow::IndirectJump => self.functions.know(extent.start, |facts| facts.by_table = true),
                Flow::Return => self.functions.take_return(extent.start, pc),
                Flow::Call(target) if self.functions.discards(target) || self.functions.pops(pc, target) => {
                    self.jumps.targets.set(target);
                    self.places.stops.set(target);
                    let drops =
                        flow::decode(self.functions.abi, self.functions.bytes(target).unwrap_or_default(), target);
                    if drops.is_none_or(|insn| !insn.marks.any(Marks::WRITES_SP)) {
                        thunks.push(pc);
                    }
                }
                Flow::Call(target) if self.functions.is_retpoline(target) => {
                    self.jumps.targets.set(target);
                    self.places.stops.set(target);
                    self.jumps.retpolines.set(target);
                }
                // In an object file a call of another file's function has no target yet: its target
                // is the next instruction, or itself.
                Flow::Call(target) if target != end && target != pc => {
                    self.entries.called.set(target);
                    calls.push((end, target));
                }
                _ => {}
            }
        }
    }
}
