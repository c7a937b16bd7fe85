//! One wrong value in one field, by a seed, and what it changes: answers of a table at
//! instructions, and clauses of a format.

use std::collections::{BTreeMap, BTreeSet};

use types::ranges::joined;
use types::{Reg, RegFile, Rng};

use super::answer::{Difference, Memory, Table, answers, caller, difference};
use super::cfi::Cfi;
use super::damage::{Edit, another, apply};
use super::elf::store;
use super::flaw::{self, BrokenClause};
use super::place::{Place, Places, places};
use super::view::{self, View};
use crate::reader::DecodedSection;
use crate::reader::cursor::Cursor;

/// A file whose fields get wrong values.
#[derive(Clone, Debug)]
pub struct Fields {
    bytes: Vec<u8>,
    view: View,
    places: Places,
    /// Addresses of instructions, in code that a table describes.
    instructions: BTreeSet<u64>,
}

/// A wrong value that matters.
#[derive(Clone, Debug)]
pub struct WrongValue {
    /// Name of the field.
    pub place: String,
    /// Offset in the file, and size in bytes.
    pub at: u64,
    pub size: u64,
    pub was: u64,
    pub is: u64,
    /// The bytes of the file with it.
    pub bytes: Vec<u8>,
    /// The clauses that it breaks, and entries that cannot be read.
    pub clauses: Vec<String>,
    /// The instructions at which a table's answer is another.
    pub changed: Vec<ChangedAnswer>,
    view: Option<View>,
}

/// An instruction at which a table's answer is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangedAnswer {
    pub table: Table,
    pub pc: u64,
}

/// Number of draws until a value matters.
const MOST_DRAWS: usize = 200;

impl Fields {
    /// Reads a file; `decode` returns the instructions of a range of code. `None` if it is not
    /// ELF64 of a known machine, or has no table.
    pub fn new(bytes: Vec<u8>, decode: impl Fn(&Fields, u64, u64) -> Vec<u64>) -> Option<Fields> {
        let view = view::view(&bytes)?;
        let places = places(&view, &bytes);
        let mut fields = Fields { bytes, view, places, instructions: BTreeSet::new() };
        let ranges = fields.functions();
        let all = ranges.into_iter().flat_map(|(start, end)| decode(&fields, start, end));
        fields.instructions = all.collect();
        (!fields.instructions.is_empty()).then_some(fields)
    }

    /// Ranges of code that a table describes.
    fn functions(&self) -> Vec<(u64, u64)> {
        let sframe = self.view.sframe.iter().filter_map(|sframe| sframe.table.as_ref());
        let sframe = sframe.flat_map(|table| table.extents()).map(|(start, size)| (start, start.saturating_add(size)));
        let cfi = self.view.cfi.iter().flat_map(|cfi| &cfi.functions).map(|function| (function.start, function.end));
        sframe.chain(cfi).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Index of the section header with an address, and the offset in the section. In objects
    /// addresses are assigned here.
    pub fn section_of(&self, address: u64) -> Option<(usize, u64)> {
        let homes = self.view.file.sections.iter().enumerate();
        let mut inside = homes.filter_map(|(index, home)| {
            let offset = address.checked_sub(home.address).filter(|offset| *offset < home.size)?;
            (home.flags & types::elf::SHF_EXECINSTR != 0).then_some((index, offset))
        });
        inside.next()
    }

    /// Returns true if the file is an object, ET_REL.
    pub fn is_object(&self) -> bool {
        self.view.file.relocatable
    }

    /// The wrong value of a seed: the name of a field is drawn evenly, and a field of that name by
    /// the size of its code. `None` if none of those drawn matters.
    pub fn wrong_value(&self, seed: u64) -> Option<WrongValue> {
        let mut rng = Rng::new(seed);
        (0..MOST_DRAWS).find_map(|_| self.draw(&mut rng))
    }

    fn draw(&self, rng: &mut Rng) -> Option<WrongValue> {
        let index = usize::try_from(rng.below(self.places.len() as u64)).ok()?;
        let (name, all) = self.places.iter().nth(index)?;
        let Place { at, size, .. } = pick(rng, all)?;
        let order = self.view.abi().facts().order;
        let read = |at| Cursor::new(order, &self.bytes, at).unsigned(size.min(8));
        let was = read(at)?;
        let others: Vec<u64> = (0..8).filter_map(|_| pick(rng, all)).filter_map(|other| read(other.at)).collect();
        let is = another(rng, was, size.min(8), &others);
        let mut value = vec![0; usize::try_from(size.min(8)).ok()?];
        store(order, &mut value, 0, is, usize::try_from(size.min(8)).ok()?)?;
        let bytes = apply(&self.bytes, &[Edit { at, bytes: value }])?;
        let view = view::view(&bytes);
        let clauses = self.clauses(view.as_ref());
        let changed = view.as_ref().map(|view| self.changed(view)).unwrap_or_default();
        let matters = !clauses.is_empty() || !changed.is_empty();
        matters.then(|| WrongValue { place: name.clone(), at, size, was, is, bytes, clauses, changed, view })
    }

    /// The clauses that a file breaks and this one does not.
    fn clauses(&self, is: Option<&View>) -> Vec<String> {
        let Some(is) = is else { return vec!["the file cannot be read".to_owned()] };
        let all = |view: &View| -> BTreeMap<BrokenClause, u64> {
            let sframe = view.sframe.iter().flat_map(|sframe| sframe.flaws.iter().chain(&sframe.container)).copied();
            let hdr = view.hdr.iter().flat_map(|hdr| &hdr.flaws).copied();
            sframe.chain(hdr).chain(flaw::eh_frame_headers(&view.file)).collect()
        };
        let before = all(&self.view);
        let new = all(is).into_iter().filter(|(clause, _)| !before.contains_key(clause));
        let unread = |view: &View| view.cfi.iter().flat_map(|cfi| cfi.flaws.clone()).collect::<BTreeSet<_>>();
        let entries = &unread(is) - &unread(&self.view);
        let new = new.map(|(clause, at)| format!("{clause:?} at {at:#x}"));
        new.chain(entries.into_iter().map(|(at, flaw)| format!("entry at {at:#x}: {flaw}"))).collect()
    }

    fn changed(&self, is: &View) -> Vec<ChangedAnswer> {
        let (no_section, no_cfi) = (DecodedSection::default(), Cfi::default());
        let [was_rows, is_rows] = [&self.view, is].map(|view| {
            let table = view.sframe.as_ref().and_then(|sframe| sframe.table.as_ref());
            table.unwrap_or(&no_section)
        });
        let [was_rules, is_rules] = [&self.view, is].map(|view| view.cfi.as_ref().unwrap_or(&no_cfi));
        let rows = was_rows.differing(is_rows).chain(is_rows.differing(was_rows));
        let rows = rows.map(|(start, size)| (start, start.saturating_add(size)));
        let rules = was_rules.differing(is_rules).chain(is_rules.differing(was_rules));
        let mut all = Vec::new();
        for (table, ranges) in [(Table::Sframe, joined(rows)), (Table::EhFrame, joined(rules))] {
            let pcs = ranges.into_iter().flat_map(|(start, end)| self.instructions.range(start..end));
            let differ = pcs.filter(|pc| answers(&self.view, table, **pc) != answers(is, table, **pc));
            all.extend(differ.map(|pc| ChangedAnswer { table, pc: *pc }));
        }
        all
    }

    /// The first value that the table gives otherwise at an instruction in this state; `None` if
    /// all are as before.
    pub fn difference(
        &self,
        wrong: &WrongValue,
        at: &ChangedAnswer,
        registers: &dyn RegFile,
        memory: Memory<'_>,
        entered: &[(Reg, u64)],
    ) -> Option<Difference> {
        let Some(is) = &wrong.view else { return Some(Difference::Caller) };
        match (answers(&self.view, at.table, at.pc).as_slice(), answers(is, at.table, at.pc).as_slice()) {
            ([was], [is]) => difference(self.view.abi(), was, is, registers, memory, entered),
            _ => Some(Difference::Caller),
        }
    }

    /// CFA, return address and FP of the caller that the changed answer gives in this state.
    pub fn caller(
        &self,
        wrong: &WrongValue,
        at: &ChangedAnswer,
        registers: &dyn RegFile,
        memory: Memory<'_>,
    ) -> Option<[u64; 3]> {
        match answers(wrong.view.as_ref()?, at.table, at.pc).as_slice() {
            [is] => caller(self.view.abi(), is, registers, memory),
            _ => None,
        }
    }

    /// The answers at a changed instruction, before and after, as text.
    pub fn describe(&self, wrong: &WrongValue, at: &ChangedAnswer) -> (String, String) {
        let of = |view: &View| format!("{:?}", answers(view, at.table, at.pc));
        (of(&self.view), wrong.view.as_ref().map(of).unwrap_or_default())
    }
}

/// Draws a place by the size of its code.
fn pick(rng: &mut Rng, places: &[Place]) -> Option<Place> {
    let all = places.iter().map(|place| place.code.max(1)).sum();
    let mut left = rng.below(all);
    let drawn = places.iter().find(|place| {
        let code = place.code.max(1);
        let is_in = left < code;
        left = left.saturating_sub(code);
        is_in
    });
    drawn.copied()
}
