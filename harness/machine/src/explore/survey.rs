//! A first look at all code that is to be explored, without executing any: where instructions are,
//! where jumps and calls go, whose address is taken. All that follows rests on it: where a function
//! can be entered, and whether a callee comes back.

mod outside;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use isa::Code;
use isa::flow::{self, Flow, Insn, Marks, Taken};
use isa::simple::{self, Does, Simple};
use types::{Abi, Bytes, Image, ImageKind};

use rustc_hash::FxHashMap;
use witness::{Branch, branches};

use super::bits::Bits;
use super::graph::Trust;
use super::territory::{Executor, Territory};
use crate::arch::{kills, refuses};
use crate::layout::Access;

/// What the first look found.
pub(super) struct Survey {
    pub(super) abi: Abi,
    /// The functions, by address and without overlap.
    pub(super) extents: Vec<Range<u64>>,
    /// The code of each stretch, as in the file.
    code: Vec<(u64, Bytes)>,
    /// Where jumps and branches go, landing pads included.
    pub(super) targets: Bits,
    /// Where calls go.
    called: Bits,
    /// Retpolines within functions that calls lead to.
    retpolines: Bits,
    /// Functions whose address is taken, or that have a name for others.
    taken: Bits,
    /// Functions with a name for others.
    named: Bits,
    /// Words of data in the file hold these addresses.
    pointed_at: Bits,
    /// What is known of each of the functions.
    known: Vec<FunctionFacts>,
    /// What follows the calls of each callee.
    callees: FxHashMap<u64, Calls>,
    /// Where the answer may change, by the caller's word, and where blocks begin.
    pub(super) stops: Bits,
    /// Where instructions of the extents begin, and those that are no padding.
    begins: Bits,
    pub(super) work: Bits,
    /// Where the system enters the program.
    program: u64,
    /// Callees are known by their address: linked code.
    linked: bool,
    /// Instructions inside the extents that are not padding.
    pub(super) covered: u64,
    /// Not to be executed: address and length.
    pub(super) left_out: Vec<(u64, u8)>,
    executor: Executor,
}

/// What is known of a function.
#[derive(Clone, Copy, Debug, Default)]
struct FunctionFacts {
    /// Its frame may be as a call leaves it where it begins, for all that the caller knows.
    callable: bool,
    /// Calls go into the middle of it.
    shared: bool,
    /// It has a jump to an address that is computed.
    by_table: bool,
    /// It has a return.
    returning: bool,
}

/// What follows the calls of one callee, by number of calls.
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
    /// No code of the function.
    Nothing,
}

/// An instruction and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    pub(super) pc: u64,
    pub(super) insn: Insn,
    /// What it does, if that is simple; what is left out does nothing.
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
            named: empty(),
            pointed_at: empty(),
            callees: FxHashMap::default(),
            stops: empty(),
            begins: empty(),
            work: empty(),
            program: image.entry.0,
            linked: image.kind != ImageKind::Relocatable,
            covered: 0,
            left_out: Vec::new(),
            executor: territory.executor,
        };
        territory.stops.iter().for_each(|stop| survey.stops.set(*stop));
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
        // A thunk that returns to an address which the function computed is a jump, or, where it is
        // called in its turn, a call.
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
            // Tables may join what seems to stand alone.
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

    /// The instructions of one function, in order; what cannot be decoded is passed over.
    pub(super) fn instructions(&self, extent: &Range<u64>) -> Vec<Located> {
        // Instructions have four bytes or so.
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

    /// Goes through a function: `one` decodes an instruction, at an offset and its address, and
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

    /// The function that an address is in.
    pub(super) fn extent_of(&self, pc: u64) -> Option<Range<u64>> {
        self.extents.get(self.number_of(pc)?).cloned()
    }

    fn number_of(&self, pc: u64) -> Option<usize> {
        let number = self.extents.partition_point(|extent| extent.start <= pc).checked_sub(1)?;
        self.extents.get(number).filter(|extent| extent.contains(&pc)).map(|_| number)
    }

    /// What is known of the function that begins at an address; of other addresses nothing is.
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

    /// Bytes from an address to the end of its stretch.
    pub(super) fn bytes(&self, pc: u64) -> Option<&[u8]> {
        self.code.iter().find_map(|(start, bytes)| bytes.get(usize::try_from(pc.checked_sub(*start)?).ok()?..))
    }

    /// Returns true if callees are known by their address.
    pub(super) fn linked(&self) -> bool {
        self.linked
    }

    /// An empty set over the code.
    pub(super) fn nothing(&self) -> Bits {
        let range = |(start, bytes): &(u64, Bytes)| *start..start.saturating_add(bytes.len() as u64);
        Bits::over(&self.code.iter().map(range).collect::<Vec<_>>())
    }

    /// Returns true if an instruction of a function begins at an address.
    pub(super) fn is_instruction(&self, pc: u64) -> bool {
        self.begins.has(pc)
    }

    /// Returns true if something shows that a function can be entered: a call or the system goes
    /// there, or its address is taken, or it has a name for others, and it may be a function with
    /// the ABI's convention.
    pub(super) fn is_entered(&self, start: u64) -> bool {
        self.called.has(start) || start == self.program || (self.taken.has(start) && self.is_callable(start))
    }

    /// Returns true if a call that leads there makes no frame: code that drops the return address,
    /// or returns through another.
    pub(super) fn discards(&self, target: u64) -> bool {
        self.extent_of(target).is_some() && self.returns_elsewhere(target)
    }

    /// Returns true if a return address is written over, and returned through, by the code there,
    /// in which nothing moves SP.
    pub(super) fn returns_elsewhere(&self, pc: u64) -> bool {
        self.branch(pc) == Some(Branch::Discards)
    }

    /// Returns true if a call that leads there is an indirect call: a retpoline within a function.
    pub(super) fn is_retpoline(&self, target: u64) -> bool {
        self.extent_of(target).is_some_and(|extent| extent.start != target)
            && self.branch(target) == Some(Branch::Retpoline)
    }

    fn branch(&self, pc: u64) -> Option<Branch> {
        let code = self.bytes(pc).filter(|_| !self.abi.facts().link_register)?;
        Some(branches(self.abi)(code))
    }

    /// Returns true if a function, or one of several that share an extent, begins there and can be
    /// entered by itself.
    pub(super) fn is_entry(&self, pc: u64) -> bool {
        self.called.has(pc) || self.extent_of(pc).is_some_and(|home| home.start == pc && self.is_entered(pc))
    }

    /// Returns true if control reaches an address from the jump before it, when the word that this
    /// takes its target from was not bound yet: it holds the address. So it is in code that the
    /// linker makes, one extent with many entries.
    pub(super) fn is_bound_late(&self, jump: u64, next: u64) -> bool {
        let home = self.extent_of(jump).filter(|home| home.contains(&next));
        home.is_some_and(|home| self.known(home.start).shared) && self.pointed_at.has(next)
    }

    /// Returns true if the frame may be as a call leaves it where a function begins.
    pub(super) fn is_callable(&self, start: u64) -> bool {
        self.known(start).callable
    }

    /// Returns true if a symbol of a function that others can refer to is there: they call it.
    pub(super) fn is_named(&self, start: u64) -> bool {
        self.named.has(start)
    }

    /// Returns true if words of data hold addresses of a function or a part of one.
    pub(super) fn is_pointed_into(&self, start: u64) -> bool {
        self.extent_of(start).is_some_and(|extent| self.pointed_at.any(extent))
    }

    /// Returns true if code calls the function: that it is entered as by a call is certain.
    pub(super) fn is_called(&self, start: u64) -> bool {
        self.called.has(start)
    }

    /// Whether a call comes back, by what compilers write after calls: where they believe that it
    /// does not, no code that only it could reach.
    pub(super) fn comes_back(&self, callee: Option<u64>, after: u64) -> Trust {
        let behind = self.behind(after);
        if let Some(callee) = callee.filter(|_| self.linked) {
            let Calls { alone, joined, nothing } = self.callees.get(&callee).copied().unwrap_or_default();
            let others = joined + nothing;
            if alone > others || (alone > 0 && alone == others && behind == Behind::Alone) {
                return Trust::Certain;
            }
            // It can return, and nobody who calls it believes that it does not.
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

    /// Returns true if the function that a call is in jumps by a table: where to is not known yet.
    fn jumps_by_table(&self, after: u64) -> bool {
        self.extent_of(after.wrapping_sub(1)).is_none_or(|extent| self.known(extent.start).by_table)
    }

    /// What the code after a call is, judging by jumps and branches.
    fn behind(&self, after: u64) -> Behind {
        let Some(extent) = self.extent_of(after.wrapping_sub(1)) else { return Behind::Nothing };
        let mut pc = after;
        while extent.contains(&pc) {
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

    /// Where a function is entered for all that is known: at its start, and where calls go inside
    /// of it, since code that the linker makes has many entries.
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
            self.begins.set(pc);
            // An answer that changes inside of an instruction is another at the next.
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
                Flow::Return => self.know(extent.start, |known| known.returning = true),
                Flow::Call(target) if self.discards(target) => {
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
                // In an object a call to another file's function has no target yet: it shows the
                // next instruction, or itself.
                Flow::Call(target) if target != end && target != pc => {
                    self.called.set(target);
                    calls.push((end, target));
                }
                _ => {}
            }
        }
    }

    /// Names for others are entries.
    fn take_names(&mut self, image: &Image) {
        for symbol in image.symbols.iter().filter(|symbol| !symbol.local) {
            self.taken.set(symbol.address);
            if symbol.function {
                self.named.set(symbol.address);
            }
        }
        self.taken.set(image.entry.0);
    }

    /// Words of data that hold the address of a function: tables of pointers, relocated.
    fn take_words(&mut self, image: &Image) {
        let starts: BTreeSet<u64> = self.extents.iter().map(|extent| extent.start).collect();
        let order = image.abi.facts().order;
        let words = |bytes: &[u8], take: &mut dyn FnMut(u64)| {
            bytes.as_chunks::<8>().0.iter().map(|word| order.u64(*word)).filter(|word| *word != 0).for_each(take);
        };
        // As in the file, and, where it is loaded, relocated.
        for section in image.sections.iter().filter(|section| section.is_alloc() && !section.is_code()) {
            words(&section.bytes, &mut |word| self.pointed_at.set(word));
        }
        let segments = image.segments.iter().filter(|segment| segment.flags & Access::EXECUTE.0 == 0);
        for segment in segments {
            words(&segment.bytes, &mut |word| {
                if starts.contains(&word) {
                    self.taken.set(word);
                }
            });
        }
        for start in starts {
            if self.pointed_at.has(start) {
                self.taken.set(start);
            }
        }
    }
}

/// The executable parts of an image.
fn stretches(image: &Image) -> Vec<(u64, Bytes)> {
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
