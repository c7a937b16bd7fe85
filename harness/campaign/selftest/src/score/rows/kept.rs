//! Changed rows that are right all the same, as the code shows: FP is still, or again, in its
//! register.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use generators::blind::ChangedRow;
use isa::flow::{Flow, Insn, Marks, Taken, decode};
use judge::tables::read_cfi;
use types::{CfaRule, CodePoint, Image, Pc, UnwindRow, ValueRule};
use unwind::{CfiUnwinder, Unwinder as _};

/// An image, its unchanged table, and how control gets from one function into others.
#[derive(Debug)]
pub(super) struct Unchanged {
    image: Image,
    table: CfiUnwinder,
    /// Targets of direct jumps with their sources, and of calls into the middle of functions.
    /// Sorted.
    jumps: Vec<(u64, u64)>,
    /// Addresses that are called or taken, or have a global name.
    called: BTreeSet<u64>,
}

/// Maximum number of functions that jump into one another whose code is followed.
const DEEPEST: usize = 2;

/// Whether FP has the caller's value before an instruction, on every way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fp {
    Callers,
    Changed,
}

impl Unchanged {
    /// `None` without CFI.
    pub(super) fn new(image: Image) -> Option<Unchanged> {
        let table = read_cfi(&image)?;
        let starts: BTreeSet<u64> = table.functions().map(|function| function.start.0).collect();
        let mut called: BTreeSet<u64> =
            image.symbols.iter().filter(|symbol| !symbol.local).map(|symbol| symbol.address).collect();
        let mut jumps = Vec::new();
        for function in table.functions() {
            let mut taken = Taken::new(image.abi);
            for (pc, insn) in instructions(&image, function.start.0..function.end.0) {
                called.extend(taken.by(image.bytes_at(pc).unwrap_or_default(), pc));
                match insn.flow {
                    Flow::Call(to) if starts.contains(&to) => _ = called.insert(to),
                    Flow::Call(to) | Flow::Jump(to) | Flow::Branch(to) => jumps.push((to, pc)),
                    Flow::Next | Flow::IndirectCall | Flow::IndirectJump => {}
                    Flow::Return | Flow::ReturnOrNext | Flow::Ends => {}
                }
            }
        }
        jumps.sort_unstable();
        Some(Unchanged { image, table, jumps, called })
    }

    /// Returns true if a changed table differs in these rows only in that FP is in its register,
    /// and the code of the function proves that it is.
    pub(super) fn proves(&self, row: &ChangedRow, now: &CfiUnwinder) -> bool {
        let is_kept = |(pc, _): &(u64, u64)| match (self.row_at(*pc), row_at(now, *pc)) {
            (Some(was), Some(is)) => {
                let (start, end, fp) = (is.start, is.end, is.fp);
                fp == ValueRule::SameValue && was.fp != fp && is == UnwindRow { start, end, fp, ..was }
            }
            _ => false,
        };
        row.pcs.iter().all(is_kept)
            && self.fp(row.function, DEEPEST).is_some_and(|fp| {
                row.pcs.iter().all(|(start, end)| fp.range(start..end).all(|(_, fp)| *fp == Fp::Callers))
            })
    }

    /// FP before each instruction of a function that control reaches. An indirect jump may lead to
    /// all of them. `None` if one cannot be decoded.
    fn fp(&self, (start, end): (u64, u64), depth: usize) -> Option<BTreeMap<u64, Fp>> {
        let mut all = BTreeMap::new();
        let mut open: Vec<(u64, Fp)> =
            self.called.contains(&start).then_some((start, Fp::Callers)).into_iter().collect();
        let from = self.jumps.partition_point(|(to, _)| *to < start);
        let inside = self.jumps.iter().skip(from).take_while(|(to, _)| *to < end);
        let others = inside.filter(|(_, pc)| !(start..end).contains(pc));
        open.extend(others.map(|(to, pc)| (*to, self.fp_at(*pc, depth))));
        // Nothing shows how control gets there.
        if !open.iter().any(|(to, _)| *to == start) {
            open.push((start, Fp::Changed));
        }
        while let Some((pc, fp)) = open.pop() {
            if !(start..end).contains(&pc) || all.get(&pc).is_some_and(|known| *known == fp || *known == Fp::Changed) {
                continue;
            }
            all.insert(pc, fp);
            let insn = decode(self.image.abi, self.image.bytes_at(pc)?, pc)?;
            let next = pc.checked_add(u64::from(insn.length))?;
            let fp = match insn.marks.any(Marks::WRITES_FP) {
                true if self.restores(pc, next) => Fp::Callers,
                true => Fp::Changed,
                false => fp,
            };
            match insn.flow {
                Flow::Next | Flow::Call(_) | Flow::IndirectCall | Flow::ReturnOrNext => open.push((next, fp)),
                Flow::Jump(to) => open.push((to, fp)),
                Flow::Branch(to) => open.extend([(next, fp), (to, fp)]),
                Flow::Return | Flow::Ends => {}
                Flow::IndirectJump => open.extend(instructions(&self.image, start..end).map(|(to, _)| (to, fp))),
            }
        }
        Some(all)
    }

    /// FP before a jump of another function.
    fn fp_at(&self, pc: u64, depth: usize) -> Fp {
        let function = self.table.function_at(Pc(pc)).filter(|_| depth > 0);
        let all = function.and_then(|function| self.fp((function.start.0, function.end.0), depth - 1));
        all.and_then(|all| all.get(&pc).copied()).unwrap_or(Fp::Changed)
    }

    /// Returns true if an instruction that writes FP restores it, by the unchanged table: the row
    /// after it has FP unchanged, or the instruction pops the slot that the row before it names.
    fn restores(&self, pc: u64, next: u64) -> bool {
        const POP_RBP: u8 = 0x5d;
        let is_pop = self.image.bytes_at(pc).and_then(<[u8]>::first) == Some(&POP_RBP) && next == pc + 1;
        let pops_slot = |row: UnwindRow| match (row.cfa, row.fp) {
            (CfaRule::Register { reg, offset }, ValueRule::AtCfa(slot)) => {
                is_pop && reg == self.image.abi.facts().sp && offset.checked_add(slot) == Some(0)
            }
            _ => false,
        };
        self.row_at(pc).is_some_and(pops_slot) || self.row_at(next).is_some_and(|row| row.fp == ValueRule::SameValue)
    }

    fn row_at(&self, pc: u64) -> Option<UnwindRow> {
        row_at(&self.table, pc)
    }
}

/// The row of a table at a PC.
fn row_at(table: &CfiUnwinder, pc: u64) -> Option<UnwindRow> {
    Some(table.rules(table.row(CodePoint::Exact(Pc(pc))).ok()?, Pc(pc)))
}

/// The instructions of a function, up to one that cannot be decoded.
fn instructions(image: &Image, Range { start, end }: Range<u64>) -> impl Iterator<Item = (u64, Insn)> {
    let mut pc = start;
    std::iter::from_fn(move || {
        let at = pc;
        let insn = decode(image.abi, image.bytes_at(at).filter(|_| at < end)?, at)?;
        pc = at.checked_add(u64::from(insn.length.max(1)))?;
        Some((at, insn))
    })
}
