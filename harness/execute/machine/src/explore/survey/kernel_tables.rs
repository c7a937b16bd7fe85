//! Tables in which a kernel lists places of its code, and where else control goes from there:
//! exceptions (`__ex_table`), branches that are patched in (`__jump_table`), and replaced
//! instructions (`.altinstructions`). Registers and stack are as before the instruction there.

use std::collections::BTreeMap;
use std::ops::Range;

use isa::flow::{self, Flow, Marks};
use types::{Bytes, Image, ImageKind};

use super::functions::Functions;
use crate::layout::Access;

/// Maximum number of entries of all tables.
const MOST_ENTRIES: usize = 1 << 20;

/// The targets of control that leaves an instruction by a table, by the instruction's address.
#[derive(Default)]
pub(super) struct KernelTables(BTreeMap<u64, Vec<u64>>);

/// How an entry holds two addresses of code.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Two 32-bit words, each relative to its own address, in an entry of this many bytes.
    Relative(usize),
    /// Two 64-bit words, in an entry of this many bytes.
    Absolute(usize),
}

const BRANCH_TABLE: &str = "__jump_table";

/// The forms of pairs of places. (Linux 6.12: `asm/extable.h`, `linux/jump_label.h`; the entries of
/// exceptions that have no type or a handler are those of Linux before 5.16.)
const EXCEPTIONS: [Form; 4] = [Form::Relative(12), Form::Relative(8), Form::Relative(16), Form::Absolute(16)];
const BRANCHES: [Form; 2] = [Form::Relative(16), Form::Absolute(24)];
/// Replaced code: its size, the offsets of the byte with the length of the original, and of that
/// with the length of the replacement, if it may differ. (`asm/alternative.h` of Linux 6.12 for
/// AMD64, AArch64 and s390x; those of 12 and 13 bytes on AMD64 and s390x are of Linux 6.1 and
/// 5.10.)
const ALTERNATIVES: [(usize, usize, Option<usize>); 4] =
    [(14, 12, Some(13)), (12, 10, Some(11)), (13, 12, None), (13, 10, Some(11))];

impl KernelTables {
    pub(super) fn new(image: &Image, functions: &Functions) -> KernelTables {
        let mut tables = KernelTables::default();
        let reader = Reader { image, functions };
        for (name, forms) in [("__ex_table", &EXCEPTIONS[..]), (BRANCH_TABLE, &BRANCHES[..])] {
            for (address, bytes) in places(image, name) {
                let pairs = forms.iter().find_map(|form| reader.pairs(address, &bytes, *form));
                pairs.into_iter().flatten().for_each(|(place, target)| tables.add(place, target));
            }
        }
        if image.kind != ImageKind::Relocatable && places(image, BRANCH_TABLE).is_empty() {
            let data = image.segments.iter().filter(|segment| segment.flags & Access::EXECUTE.0 == 0);
            let branches = data.flat_map(|segment| reader.branches(segment.address, &segment.bytes));
            branches.for_each(|(place, target)| tables.add(place, target));
        }
        for (address, bytes) in places(image, ".altinstructions") {
            let all = ALTERNATIVES.iter().find_map(|form| reader.alternatives(address, &bytes, *form));
            for (original, replacement) in all.unwrap_or_default() {
                reader.ways(&original, &replacement).into_iter().for_each(|target| tables.add(original.start, target));
            }
        }
        tables
    }

    fn add(&mut self, place: u64, target: u64) {
        let targets = self.0.entry(place).or_default();
        if !targets.contains(&target) {
            targets.push(target);
        }
    }

    /// The targets of control that leaves the instruction at an address by a table.
    pub(super) fn targets(&self, place: u64) -> &[u64] {
        self.0.get(&place).map_or(&[], Vec::as_slice)
    }

    /// All places and all targets.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &[u64])> {
        self.0.iter().map(|(place, targets)| (*place, targets.as_slice()))
    }
}

/// The tables of a name, with their addresses: sections, or, as linked into another section, what
/// is between the kernel's symbols for its start and end.
fn places(image: &Image, name: &str) -> Vec<(u64, Bytes)> {
    let sections = image.sections.iter().filter(|section| section.name == name && section.is_alloc());
    let mut all: Vec<(u64, Bytes)> = sections.map(|section| (section.address, section.bytes.clone())).collect();
    let symbol = |prefix: &str| {
        let mut symbols = image.symbols.iter();
        symbols.find(|symbol| symbol.name.strip_prefix(prefix) == Some(name)).map(|symbol| symbol.address)
    };
    if let (true, Some(start), Some(stop)) = (all.is_empty(), symbol("__start_"), symbol("__stop_")) {
        let segments = image.segments.iter().filter(|segment| segment.flags & Access::EXECUTE.0 == 0);
        all.extend(segments.filter_map(|segment| {
            let offset = |at: u64| usize::try_from(at.checked_sub(segment.address)?).ok();
            let range = offset(start)?..offset(stop)?;
            (range.start <= range.end && range.end <= segment.bytes.len()).then(|| (start, segment.bytes.slice(range)))
        }));
    }
    all
}

/// Reads entries of tables.
struct Reader<'a> {
    image: &'a Image,
    functions: &'a Functions,
}

impl Reader<'_> {
    /// The pairs of places of a table; `None` if its entries have another form, by which the words
    /// are not all addresses of code.
    fn pairs(&self, address: u64, bytes: &[u8], form: Form) -> Option<Vec<(u64, u64)>> {
        let (size, width) = match form {
            Form::Relative(size) => (size, 4),
            Form::Absolute(size) => (size, 8),
        };
        let entries = self.entries(address, bytes, size)?;
        entries
            .into_iter()
            .map(|at| {
                Some((self.code_at(bytes, address, at, width)?, self.code_at(bytes, address, at + width, width)?))
            })
            .collect()
    }

    /// The ranges of replaced code and of its replacements; `None` if the entries have another
    /// form.
    fn alternatives(
        &self,
        address: u64,
        bytes: &[u8],
        (size, original, replacement): (usize, usize, Option<usize>),
    ) -> Option<Vec<(Range<u64>, Range<u64>)>> {
        let entries = self.entries(address, bytes, size)?;
        let one = |at: usize| {
            let length = |offset: usize| bytes.get(at + offset).map(|length| u64::from(*length));
            let (old, new) = (self.code_at(bytes, address, at, 4)?, self.word(bytes, address, at + 4)?);
            let of_old = length(original)?;
            let of_new = replacement.map_or(Some(of_old), length)?;
            let is_code = |range: &Range<u64>| {
                self.functions.ranges().iter().any(|code| code.start <= range.start && range.end <= code.end)
            };
            let pair = (old..old.checked_add(of_old)?, new..new.checked_add(of_new)?);
            (of_old > 0 && is_code(&pair.0) && is_code(&pair.1)).then_some(pair)
        };
        entries.into_iter().map(one).collect()
    }

    /// The entries of `__jump_table` in data that a linker script put it into without a name: two
    /// words relative to themselves that hold a patchable instruction and another one of the same
    /// function, and one that holds an address of data.
    fn branches(&self, address: u64, bytes: &[u8]) -> Vec<(u64, u64)> {
        let first = address.next_multiple_of(8) - address;
        let offsets = (usize::try_from(first).unwrap_or(usize::MAX)..bytes.len()).step_by(8);
        let one = |at: usize| {
            let (place, target) = (self.word(bytes, address, at)?, self.word(bytes, address, at + 4)?);
            let home = self.functions.extent_of(place).filter(|home| place != target && home.contains(&target))?;
            let insn = flow::decode(self.functions.abi, self.functions.bytes(place)?, place)?;
            let leads = matches!(insn.flow, Flow::Jump(to) | Flow::Branch(to) if to == target);
            let key = self.image.abi.facts().order.u64(*bytes.get(at + 8..)?.first_chunk::<8>()?);
            // The lowest bits of the distance are flags (`linux/jump_label.h`).
            let key = (address + at as u64 + 8).wrapping_add(key) & !3;
            let is_data = self.image.section_at(key).is_some_and(|section| !section.is_code());
            (is_data && home.start < target && (leads || insn.marks.any(Marks::NOP))).then_some((place, target))
        };
        offsets.filter_map(one).collect()
    }

    /// The offsets of entries of one size, if they fill the table.
    fn entries(&self, address: u64, bytes: &[u8], size: usize) -> Option<Vec<usize>> {
        let count = bytes.len() / size;
        let is_filled = bytes.len().is_multiple_of(size) && count > 0 && count <= MOST_ENTRIES;
        (is_filled && address.checked_add(bytes.len() as u64).is_some())
            .then(|| (0..count).map(|index| index * size).collect())
    }

    /// The address that a relative word holds.
    fn word(&self, bytes: &[u8], address: u64, at: usize) -> Option<u64> {
        let word = bytes.get(at..)?.first_chunk::<4>()?;
        let value = self.image.abi.facts().order.u32(*word) as i32;
        Some(address.wrapping_add(at as u64).wrapping_add_signed(i64::from(value)))
    }

    /// The address of code that a word of `width` bytes holds.
    fn code_at(&self, bytes: &[u8], address: u64, at: usize, width: usize) -> Option<u64> {
        let value = match width {
            4 => self.word(bytes, address, at)?,
            _ => self.image.abi.facts().order.u64(*bytes.get(at..)?.first_chunk::<8>()?),
        };
        self.functions.bytes(value).filter(|code| !code.is_empty()).map(|_| value)
    }

    /// Where control goes from replaced code but by its own instructions: the targets of jumps in
    /// the replacement, and what follows a jump that is replaced by other code. None if either
    /// changes SP, FP or the link register.
    fn ways(&self, original: &Range<u64>, replacement: &Range<u64>) -> Vec<u64> {
        let (Some(old), Some(new)) = (self.flows(original), self.flows(replacement)) else { return Vec::new() };
        let mut ways: Vec<u64> = new
            .iter()
            .filter_map(|flow| match flow {
                Flow::Jump(target) | Flow::Branch(target) => Some(*target),
                _ => None,
            })
            .filter(|target| !replacement.contains(target))
            .collect();
        let ends = |flows: &[Flow]| {
            matches!(flows.last(), Some(Flow::Jump(_) | Flow::IndirectJump | Flow::Return | Flow::Ends))
        };
        if old.iter().any(|flow| matches!(flow, Flow::Jump(_))) && !ends(&new) {
            ways.push(original.end);
        }
        ways.retain(|target| self.functions.extent_of(*target).is_some());
        ways
    }

    /// The control flow of each instruction in a range but no-ops; `None` if one changes SP, FP or
    /// the link register, or is unknown.
    fn flows(&self, range: &Range<u64>) -> Option<Vec<Flow>> {
        let frame = Marks::WRITES_SP.and(Marks::WRITES_FP).and(Marks::WRITES_LINK).and(Marks::SAVES);
        let (mut flows, mut pc) = (Vec::new(), range.start);
        while pc < range.end {
            let insn = flow::decode(self.functions.abi, self.functions.bytes(pc)?, pc)?;
            let is_call = matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall);
            if insn.marks.any(frame) && !is_call {
                return None;
            }
            if !insn.marks.any(Marks::NOP) {
                flows.push(insn.flow);
            }
            pc = pc.checked_add(u64::from(insn.length.max(1)))?;
        }
        Some(flows)
    }
}
