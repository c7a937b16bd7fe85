//! A section in its file: its functions with their addresses, and the code sections that may
//! contain them.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use spec::RuleId;
use types::elf::PF_X;
use types::{Abi, Image, ImageKind, ImageSection};

use super::report::{BreachAt, Report};
use super::version::VersionRules;
use crate::header::at;
use crate::{FuncEntry, Header, Placement, Section, StartBase};

/// Input of all checks.
pub(crate) struct View<'a> {
    pub(crate) image: &'a Image,
    pub(crate) home: &'a ImageSection,
    pub(crate) section: Section<'a>,
    /// ABI of the header.
    pub(crate) abi: Option<Abi>,
    /// Placement with which addresses were computed.
    pub(crate) place: Placement,
    pub(crate) code: CodeMap,
    /// Addresses of split-off cold parts of functions, found by their symbols' names.
    cold: BTreeSet<u64>,
}

/// A function with its addresses.
#[derive(Clone, Copy)]
pub(crate) struct FunctionView {
    pub(crate) entry: FuncEntry,
    /// First address and first address after it; `None` if they exceed the 64-bit address space.
    pub(crate) range: Option<(u64, u64)>,
}

impl<'a> View<'a> {
    /// Reads the function descriptors. If the flag for the base of starts is wrong, this is
    /// reported, and addresses are computed with the base that fits, so that not every rule about
    /// addresses is broken.
    pub(crate) fn new(image: &'a Image, home: &'a ImageSection, section: Section<'a>, report: &mut Report) -> Self {
        let code = CodeMap::new(image);
        let header = section.header;
        let mut place = Placement::in_file(image.kind, home.address);
        if image.kind != ImageKind::Relocatable && VersionRules::for_format(header.format).has_pcrel_flag() {
            let other = Placement { starts: StartBase::FieldRelative, ..place };
            let other =
                if header.flags.pcrel() { Placement { starts: StartBase::SectionRelative, ..place } } else { other };
            if fits_only(image, &section, &code, place, other) {
                let wrong = if header.flags.pcrel() { ("set", "section") } else { ("clear", "field") };
                report.add(RuleId::FdeAddressBase, BreachAt::byte(at::FLAGS), || {
                    format!(
                        "SFRAME_F_FDE_FUNC_START_PCREL is {}, but starts are in code only if relative to the {}",
                        wrong.0, wrong.1
                    )
                });
                place = other;
            }
        }
        let cold = image.symbols.iter().filter(|symbol| symbol.name.contains(".cold")).map(|symbol| symbol.address);
        View { image, home, section, abi: header.abi(), place, code, cold: cold.collect() }
    }

    /// The functions in the order of the table. Reading a function again costs less than keeping a
    /// million of them.
    pub(crate) fn functions(&self) -> impl Iterator<Item = FunctionView> {
        self.section.entries().map(|entry| self.at(entry))
    }

    /// The function at this position in the table.
    pub(crate) fn function(&self, index: u32) -> Option<FunctionView> {
        self.section.entry(index).map(|entry| self.at(entry))
    }

    fn at(&self, entry: FuncEntry) -> FunctionView {
        FunctionView { entry, range: range(&self.section.header, self.place, &entry) }
    }

    /// Returns true for linked files.
    pub(crate) fn linked(&self) -> bool {
        self.image.kind != ImageKind::Relocatable
    }

    /// Returns true if the function is a PLT: the linker makes its rows, by other conventions.
    pub(crate) fn is_plt(&self, range: Option<(u64, u64)>) -> bool {
        range.and_then(|range| self.code.section_of(self.image, range)).is_some_and(|section| is_plt(&section.name))
    }

    /// Returns true if the function is a cold part that a compiler split off: its frame at entry is
    /// that of the function it was split from.
    pub(crate) fn is_cold(&self, range: Option<(u64, u64)>) -> bool {
        range.is_some_and(|(start, _)| self.cold.contains(&start))
    }
}

/// Returns true for the names `.plt`, `.plt.sec`, `.plt.got`, `.iplt`.
pub(crate) fn is_plt(section: &str) -> bool {
    section == ".plt" || section.starts_with(".plt.") || section == ".iplt"
}

fn range(header: &Header, place: Placement, entry: &FuncEntry) -> Option<(u64, u64)> {
    let start = place.start_of(header, entry)?;
    Some((start, start.checked_add(u64::from(entry.size))?))
}

/// Returns true if only the second placement fits: with it every function that has code lies in a
/// code section. With the first not all do, and either none does or fewer begin at symbols. (A
/// single misplaced function does not show a wrong base.)
fn fits_only(image: &Image, section: &Section<'_>, code: &CodeMap, first: Placement, second: Placement) -> bool {
    let symbols: BTreeSet<u64> = image.symbols.iter().map(|symbol| symbol.address).collect();
    let reading = |place: Placement| {
        let mut all = Fit::default();
        for entry in section.entries().filter(|entry| entry.size > 0) {
            let range = range(&section.header, place, &entry);
            let named = range.is_some_and(|(start, _)| symbols.contains(&start));
            all.functions = all.functions.saturating_add(1);
            all.in_code = all.in_code.saturating_add(u32::from(range.is_some_and(|range| code.holds(range))));
            all.named = all.named.saturating_add(u32::from(named));
        }
        all
    };
    let first = reading(first);
    if first.in_code == first.functions {
        return false;
    }
    let second = reading(second);
    second.in_code == second.functions && (first.in_code == 0 || first.named < second.named)
}

/// Counts that show how well starts fit the image.
#[derive(Default)]
struct Fit {
    functions: u32,
    in_code: u32,
    named: u32,
}

/// Executable ranges of an image, for binary search.
pub(crate) struct CodeMap {
    /// Start, end and index of sections; sorted.
    sections: Vec<(u64, u64, usize)>,
    /// PF_X segments, for code outside of all sections; sorted.
    segments: Vec<(u64, u64)>,
    /// Sections in memory without code, since one segment may hold both; sorted.
    data: Vec<(u64, u64)>,
}

impl CodeMap {
    pub(crate) fn new(image: &Image) -> CodeMap {
        let code = image.sections.iter().enumerate().filter(|(_, section)| section.is_alloc() && section.is_code());
        let mut sections: Vec<_> = code
            .map(|(index, section)| (section.address, section.address.saturating_add(section.size), index))
            .collect();
        sections.sort_unstable();
        let code = image.segments.iter().filter(|segment| segment.flags & PF_X != 0);
        let mut segments: Vec<_> =
            code.map(|segment| (segment.address, segment.address.saturating_add(segment.memory_size))).collect();
        segments.sort_unstable();
        let data = image.sections.iter().filter(|section| section.is_alloc() && !section.is_code());
        let mut data: Vec<_> =
            data.map(|section| (section.address, section.address.saturating_add(section.size))).collect();
        data.sort_unstable();
        CodeMap { sections, segments, data }
    }

    /// Returns true if the range lies in one executable section, or in an executable segment
    /// outside of all sections.
    pub(crate) fn holds(&self, range: (u64, u64)) -> bool {
        self.find(range).is_some() || self.segment_holds(range)
    }

    /// The section that contains the range.
    pub(crate) fn section_of<'i>(&self, image: &'i Image, range: (u64, u64)) -> Option<&'i ImageSection> {
        image.sections.get(self.find(range)?)
    }

    /// The code sections by address.
    pub(crate) fn sections<'i>(&self, image: &'i Image) -> impl Iterator<Item = &'i ImageSection> {
        self.sections.iter().filter_map(|(_, _, index)| image.sections.get(*index))
    }

    fn find(&self, (start, end): (u64, u64)) -> Option<usize> {
        let after = self.sections.partition_point(|(first, _, _)| *first <= start);
        let (_, last, index) = self.sections.get(after.checked_sub(1)?)?;
        // An empty function may be at the end of a section.
        (start <= *last && end <= *last && (start < *last || start == end)).then_some(*index)
    }

    fn segment_holds(&self, (start, end): (u64, u64)) -> bool {
        let after = self.segments.partition_point(|(first, _)| *first <= start);
        let segment = after.checked_sub(1).and_then(|index| self.segments.get(index));
        // A range that partly overlaps a section crosses a border of code.
        let before_end = self.sections.partition_point(|(first, _, _)| *first < end);
        let nearest = before_end.checked_sub(1).and_then(|index| self.sections.get(index));
        let in_sections = nearest.is_some_and(|(_, last, _)| start < *last);
        let before = self.data.partition_point(|(first, _)| *first <= start);
        let in_data =
            before.checked_sub(1).and_then(|index| self.data.get(index)).is_some_and(|(_, last)| start < *last);
        !in_sections && !in_data && segment.is_some_and(|(_, last)| start < *last && end <= *last)
    }
}
