//! The tables of one image, ready for look-ups: `.sframe` and `.eh_frame` (or `.debug_frame`), with
//! the errors in their bytes.

use spec::Breach;
use types::{
    Abi, AbiFacts, Answer, CfaRule, Claim, CodePoint, Fault, Image, ImageKind, ImageSection, Pc, RegFile,
    SframeVersion, Stack, Step, UnwindRow, ValueRule,
};
use unwind::{CfiSections, CfiUnwinder, FunctionRange, SframeUnwinder, Unwinder};

use crate::blame::{Origin, Table};
use crate::per_table::PerTable;
use crate::slot::{Slot, slot};

/// A table's answer for a frame; `None` if the file lacks the table.
pub(crate) type TableAnswer = Option<Result<Answer, Fault>>;

/// Both tables of an image. A table that the file lacks, or that cannot be read at all, is `None`.
pub struct Tables {
    /// The first `.sframe` section that is not empty.
    pub sframe: Option<SframeUnwinder>,
    /// `.eh_frame`, or `.debug_frame` if there is no `.eh_frame`.
    pub cfi: Option<CfiUnwinder>,
    /// Version of the `.sframe` section.
    pub version: Option<SframeVersion>,
    /// Breaches of structural rules by `.sframe` sections.
    pub breaches: Vec<Breach>,
    /// Counts from the header of the `.sframe` section.
    pub counts: Option<HeaderCounts>,
    /// True if the file has a `.sframe` section, readable or not.
    pub has_sframe: bool,
    /// True if the file has such sections, and all are empty.
    pub sframe_is_empty: bool,
    /// Number of such sections that are not checked, because there are more than [`MOST_SECTIONS`].
    pub unchecked: usize,
}

/// Maximum number of `.sframe` sections that are checked. Linkers produce one, assemblers one, or
/// one for each group.
pub const MOST_SECTIONS: usize = 1024;

impl Tables {
    /// Reads both tables, and checks every `.sframe` section against the structural rules.
    pub fn new(image: &Image) -> Tables {
        let section = image.sframe_sections().find(|section| !section.bytes.is_empty());
        let mut breaches = Vec::new();
        let mut table = None;
        for each in image.sframe_sections().take(MOST_SECTIONS) {
            let checked = sframe::check(image, each);
            breaches.extend(checked.breaches);
            table = table.or(checked.table.filter(|_| section.is_some_and(|section| section.index == each.index)));
        }
        let parsed = section.and_then(|section| Some((section, sframe::Section::parse(&section.bytes).ok()?)));
        // The rules are checked with the base of starts that fits the code; readers use the one in
        // the header.
        let place = section.map(|section| sframe::Placement::in_file(image.kind, section.address));
        let table = table.filter(|table| Some(table.place()) == place).or_else(|| {
            let (_, parsed) = parsed.as_ref()?;
            sframe::Table::new(parsed, place?).ok()
        });
        let cfi = read_cfi(image);
        Tables {
            version: section.and_then(|section| Some(sframe::Header::parse(&section.bytes).ok()?.version())),
            counts: parsed.as_ref().map(|(section, parsed)| HeaderCounts {
                fdes: u64::from(parsed.header.num_fdes),
                fres: u64::from(parsed.header.num_fres),
                bytes: section.size,
            }),
            sframe: table.map(SframeUnwinder::new),
            breaches,
            cfi,
            has_sframe: image.sframe_sections().next().is_some(),
            unchecked: image.sframe_sections().skip(MOST_SECTIONS).count(),
            sframe_is_empty: section.is_none(),
        }
    }

    /// Looks up a code point in a table.
    pub fn slot(&self, table: Table, at: CodePoint) -> Slot {
        match table {
            Table::Sframe => slot(self.sframe.as_ref(), at),
            Table::EhFrame => slot(self.cfi.as_ref(), at),
        }
    }

    /// Looks up a code point in both tables.
    pub fn slots(&self, at: CodePoint) -> PerTable<Slot> {
        PerTable::from_fn(|table| self.slot(table, at))
    }

    /// The answer of a table's entry for the frame with these registers; `None` if the file lacks
    /// the table.
    #[inline]
    pub(crate) fn answer<R: RegFile + ?Sized>(
        &self,
        table: Table,
        slot: Slot,
        at: CodePoint,
        regs: &R,
        stack: &Stack<'_>,
    ) -> TableAnswer {
        match (slot, table) {
            (Slot::Row(row), Table::Sframe) => Some(self.sframe.as_ref()?.evaluate(row, at, regs, stack)),
            (Slot::Row(row), Table::EhFrame) => Some(self.cfi.as_ref()?.evaluate(row, at, regs, stack)),
            (Slot::NoRow, _) => Some(Err(Fault::NoRow)),
            (Slot::NoFunction, _) => Some(Err(Fault::NoFunction)),
            (Slot::Absent, _) => None,
        }
    }

    /// Both tables' answers for the innermost frame of a step.
    pub(crate) fn answers(&self, slots: PerTable<Slot>, step: &Step<'_>) -> PerTable<TableAnswer> {
        slots.map(|table, slot| self.answer(table, slot, CodePoint::Exact(step.pc), &step.regs, &step.stack))
    }

    /// Returns true if a row gives as return address one that it computes from the PC alone: the
    /// code is a part of another function, out of line and with an FDE of its own, and the row
    /// leads to where that function continues (locks of the GNU C library up to 2.16).
    pub(crate) fn leads_into_code(&self, table: Table, slot: Slot) -> bool {
        let (Some(row), Table::EhFrame) = (slot.row(), table) else { return false };
        self.cfi.as_ref().is_some_and(|table| table.computes_ra(row))
    }

    pub fn rules_in(&self, table: Table, slot: Slot, pc: Pc) -> Option<UnwindRow> {
        let row = slot.row()?;
        match table {
            Table::Sframe => self.sframe.as_ref().map(|table| table.rules(row, pc)),
            Table::EhFrame => self.cfi.as_ref().map(|table| table.rules(row, pc)),
        }
    }

    /// The function of a table that contains a PC.
    pub fn function_in(&self, table: Table, pc: Pc) -> Option<FunctionRange> {
        match table {
            Table::Sframe => self.sframe.as_ref()?.function_at(pc),
            Table::EhFrame => self.cfi.as_ref()?.function_at(pc),
        }
    }

    /// The function of either table that contains a PC.
    pub fn function_at(&self, pc: Pc) -> Option<FunctionRange> {
        Table::ALL.into_iter().find_map(|table| self.function_in(table, pc))
    }

    /// The first address after a PC at which a table's function begins that is not empty.
    pub(crate) fn next_start(&self, pc: Pc) -> Option<Pc> {
        let of_cfi = self.cfi.as_ref().and_then(|table| next_start(table, pc));
        let of_sframe = self.sframe.as_ref().and_then(|table| next_start(table, pc));
        of_cfi.into_iter().chain(of_sframe).min()
    }

    /// The functions of a table, by ascending start.
    pub(crate) fn functions(&self, table: Table) -> Vec<FunctionRange> {
        match table {
            Table::Sframe => self.sframe.iter().flat_map(|table| table.functions()).collect(),
            Table::EhFrame => self.cfi.iter().flat_map(|table| table.functions()).collect(),
        }
    }

    /// The PCs of a function of a table at which its rules change, ascending. Of rules that repeat
    /// in blocks, of which there can be billions, only the first repetition is included.
    pub(crate) fn boundaries(&self, table: Table, function: &FunctionRange) -> Box<dyn Iterator<Item = Pc> + '_> {
        let FunctionRange { start, end, .. } = *function;
        match table {
            Table::Sframe => Box::new(self.sframe.iter().flat_map(move |table| table.boundaries_once(start, end))),
            Table::EhFrame => Box::new(self.cfi.iter().flat_map(move |table| table.boundaries(start, end))),
        }
    }

    /// A table's entry in a slot, at a PC, as its claim.
    pub fn claim(&self, table: Table, slot: Slot, pc: Pc, image: &Image) -> Claim {
        match (self.rules_in(table, slot, pc), slot) {
            (Some(row), _) => Claim::Row(row.equations(image.abi), None),
            (None, Slot::NoRow) => Claim::NoRow,
            (None, Slot::Row(_) | Slot::Absent | Slot::NoFunction) => Claim::Nothing,
        }
    }

    pub fn rows(&self, at: CodePoint) -> Vec<UnwindRow> {
        Table::ALL.into_iter().filter_map(|table| self.rules_in(table, self.slot(table, at), at.lookup())).collect()
    }

    /// Start of the function that contains a PC, from `.sframe`, else `.eh_frame`, else the
    /// symbols.
    pub fn function_start(&self, image: &Image, pc: u64) -> u64 {
        let by_symbol = || image.function_at(Pc(pc)).map(|symbol| symbol.address);
        self.function_at(Pc(pc)).map(|range| range.start.0).or_else(by_symbol).unwrap_or(pc)
    }

    pub fn rules(&self, table: Table, pc: Pc) -> Option<UnwindRow> {
        self.rules_in(table, self.slot(table, CodePoint::Exact(pc)), pc)
    }

    /// The first row that denies a caller in the function that contains a PC.
    pub fn first_denial(&self, table: Table, pc: Pc) -> Option<Pc> {
        let function = self.function_in(table, pc)?;
        let denies = |row: UnwindRow| row.ra == ValueRule::Undefined && !row.signal;
        self.boundaries(table, &function).find(|pc| self.rules(table, *pc).is_some_and(denies))
    }

    /// Returns true for a signal frame that has a descriptor and, on purpose, no row: SFrame cannot
    /// express its CFI (SFrame V3, signal frames).
    pub fn is_rowless_signal_frame(&self, pc: Pc) -> bool {
        let function = self.sframe.as_ref().and_then(|table| table.table().find(pc.0));
        function.is_some_and(|function| function.signal && function.rows().len() == 0)
    }

    /// Returns true if code may be called from outside. False if every table describes its frame
    /// differently from how a call leaves it (a cold part that is jumped to, whose return address
    /// may be signed or in another register; a signal frame), or describes a frame without a
    /// caller.
    pub fn looks_callable(&self, abi: Abi, pc: Pc) -> bool {
        let facts = abi.facts();
        let entry = CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry };
        let ra = ra_of_call(facts);
        // A convention of its own may leave the return address in another register.
        let own = self.cfi.as_ref().is_some_and(|table| table.has_own_convention(pc));
        let is_held = |rule: ValueRule| rule == ra || own && matches!(rule, ValueRule::Register { offset: 0, .. });
        let callable = |row: UnwindRow| row.cfa == entry && is_held(row.ra) && !row.signed && !row.signal;
        self.rows(CodePoint::Exact(pc)).into_iter().any(callable)
    }

    pub fn section_name(&self, table: Table, image: &Image) -> String {
        match table {
            Table::Sframe => self.sframe_name(image),
            Table::EhFrame => self.cfi.as_ref().map_or(table.section(), CfiUnwinder::section).to_owned(),
        }
    }

    /// Name of the `.sframe` section.
    pub fn sframe_name(&self, image: &Image) -> String {
        image.sframe_sections().next().map_or_else(|| ".sframe".to_owned(), |section| section.name.clone())
    }

    /// Byte offset of the FRE that covers a PC.
    pub fn sframe_row_offset(&self, pc: Pc) -> Option<u64> {
        self.sframe.as_ref()?.table().find(pc.0)?.row_at(pc.0).map(|row| row.offset)
    }
}

fn next_start(table: &impl Unwinder, pc: Pc) -> Option<Pc> {
    let mut from = pc;
    loop {
        let next = table.first_from(Pc(from.0.checked_add(1)?))?;
        if table.function_at(next.start).is_some_and(|range| range.start == next.start) {
            return Some(next.start);
        }
        from = next.start;
    }
}

/// Counts of a `.sframe` section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HeaderCounts {
    /// `sfh_num_fdes`: number of function descriptors.
    pub fdes: u64,
    /// `sfh_num_fres`: number of rows of all functions.
    pub fres: u64,
    /// Size of the section in bytes.
    pub bytes: u64,
}

/// Location of the return address after a call: its register, or the top of the stack just below
/// the CFA.
pub(crate) fn ra_of_call(facts: &AbiFacts) -> ValueRule {
    match facts.link_register {
        true => ValueRule::SameValue,
        false => ValueRule::AtCfa(-facts.cfa_minus_sp_at_entry),
    }
}

/// The tool that wrote the table's description of an address.
pub fn origin(image: &Image, address: u64) -> Origin {
    match image.kind {
        // The file does not show whether its inputs had it already, or `ld -r` made it.
        ImageKind::Relocatable if image.is_product_of_link() => Origin::Linked,
        ImageKind::Relocatable => Origin::Object,
        // BOLT keeps the code that it did not move, in sections with this prefix.
        _ if image.is_rewritten() && !is_original(image, address) => Origin::Rewritten,
        _ if image.section_at(address).is_some_and(ImageSection::is_plt) => Origin::LinkerMade,
        _ => Origin::Linked,
    }
}

/// Returns true if an address is in code from before BOLT rewrote the file.
pub(crate) fn is_original(image: &Image, address: u64) -> bool {
    image.section_at(address).is_some_and(|section| section.name.starts_with(".bolt.org"))
}

/// The CFI of an image: `.eh_frame`, or `.debug_frame` if there is no `.eh_frame`.
pub fn read_cfi(image: &Image) -> Option<CfiUnwinder> {
    fn place(section: &ImageSection) -> (u64, &[u8]) {
        (section.address, &section.bytes)
    }
    let named = |name: &str| image.section(name).filter(|section| !section.bytes.is_empty());
    let (eh_frame, debug_frame) = (named(".eh_frame"), named(".debug_frame"));
    eh_frame.or(debug_frame)?;
    let sections =
        CfiSections { eh_frame: eh_frame.map(place), debug_frame: debug_frame.map(place), ..CfiSections::default() };
    Some(CfiUnwinder::new(image.abi, &sections))
}
