//! Language-specific data areas of functions.

use std::collections::BTreeMap;

use results::Blame;
use spec::RuleId;
use types::{Image, ImageSection, Pc};
use unwind::{Area, AreaPart, CallSite, CfiUnwinder, EncodedPointer, FunctionRange, Lsda, Unwinder as _};

use super::boundaries::Boundaries;
use super::personalities::{Routine, Types};
use super::target::WORD;
use super::{Found, Subject, Target};

/// Checks the areas of all functions.
pub(super) fn check(
    cfi: &CfiUnwinder,
    live: &[FunctionRange],
    routines: &BTreeMap<u64, Routine>,
    found: &mut Found<'_>,
) {
    let image = found.image;
    let has_section = image.sections.iter().any(is_of_areas);
    let mut budget: usize = image.sections.iter().map(|section| section.bytes.len()).sum();
    // Areas by address, with the function that they belong to.
    let mut areas: BTreeMap<u64, Extent<'_>> = BTreeMap::new();
    for lsda in cfi.lsdas() {
        let key = |range: &FunctionRange| (range.start, range.offset);
        if live.binary_search_by_key(&key(&lsda.function), key).is_err() {
            continue;
        }
        let routine = routines.get(&lsda.cie).copied().unwrap_or_default();
        let Some(address) = address(image, lsda, routine, has_section, found) else { continue };
        if let Some(other) = areas.get(&address) {
            let range = |lsda: &Lsda| (lsda.function.start, lsda.function.end);
            if range(other.lsda) != range(lsda) {
                let other = image.place(other.lsda.function.start.0);
                pointer(lsda, found, &format!("{address:#x}, the area of {other}"));
            }
            continue;
        }
        let lsda_at = Lsda { pointer: EncodedPointer { value: address, ..lsda.pointer }, ..*lsda };
        let bytes = image.bytes_at(address).unwrap_or_default();
        let area = Area::parse(&lsda_at, bytes, image.abi.facts().order, &mut budget);
        let is_readable = area.errors.is_empty();
        One { cfi, lsda, address, routine, found }.check(&area);
        let after = |size: usize| address.saturating_add(size as u64);
        areas.insert(address, Extent { lsda, actions: after(area.actions), end: after(area.size), is_readable });
    }
    overlaps(&areas, found);
}

/// The bytes of a function's area.
struct Extent<'a> {
    lsda: &'a Lsda,
    /// Address of the action table.
    actions: u64,
    end: u64,
    is_readable: bool,
}

/// Reports areas that begin inside another, unless they are those of parts of one function, which
/// share an action table.
fn overlaps(areas: &BTreeMap<u64, Extent<'_>>, found: &mut Found<'_>) {
    for ((_, first), (start, second)) in areas.iter().zip(areas.iter().skip(1)) {
        let is_shared = first.actions == second.actions;
        if first.is_readable && first.end > *start && !(is_shared && second.is_readable) {
            let other = found.image.place(first.lsda.function.start.0);
            pointer(second.lsda, found, &format!("{start:#x}, inside the area of {other}"));
        }
    }
}

/// Returns true if a `std::type_info` may be at an address: it begins with the address of a table
/// of virtual functions (C++ ABI for Itanium, 2.9.5).
fn is_type_info(image: &Image, address: u64) -> bool {
    let is_filled_later = || image.section_at(address).is_some_and(|home| home.bytes.is_empty());
    match Target::in_word(image, address) {
        Target::Import(table) => !table.symbol.starts_with("_ZTI"),
        // Of a copy that the loader makes there is nothing in the file.
        Target::Unknown | Target::Null => true,
        Target::NoWord(at) => at.is_multiple_of(WORD) && is_filled_later(),
        Target::Address(table) => image.section_at(table).is_some_and(|home| !home.is_code()),
    }
}

/// Returns true if a section holds areas. BOLT and compilers add prefixes and suffixes.
fn is_of_areas(section: &ImageSection) -> bool {
    section.is_alloc() && section.name.contains(".gcc_except_table")
}

/// The address of a function's area, if it is to be read.
fn address(image: &Image, lsda: &Lsda, routine: Routine, has_section: bool, found: &mut Found<'_>) -> Option<u64> {
    let target = Target::new(image, lsda.pointer);
    let home = match target {
        Target::Null | Target::Unknown | Target::Import(_) => return None,
        Target::NoWord(_) => None,
        Target::Address(address) => image.section_at(address),
    };
    let is_area = home.is_some_and(is_of_areas);
    match routine {
        Routine::Other if !is_area => return None,
        // A linker script may put areas into another section.
        Routine::Unnamed | Routine::Named { .. } | Routine::Other => {
            let is_data = home.is_some_and(|home| !home.is_code() && !home.bytes.is_empty());
            if !is_area && (has_section || !is_data) {
                pointer(lsda, found, &format!("{target}, which is not in .gcc_except_table"));
                return None;
            }
        }
    }
    match (target, routine) {
        (_, Routine::Unnamed) if !is_area => None,
        (Target::Address(address), _) => Some(address),
        _ => None,
    }
}

/// Reports the pointer to a function's area.
fn pointer(lsda: &Lsda, found: &mut Found<'_>, leads_to: &str) {
    let function = &lsda.function;
    let place = found.image.place(function.start.0);
    let message = format!("the LSDA pointer of {place} leads to {leads_to}");
    let subject = Subject::entry(place, function.offset, Some((function.start.0, function.end.0)));
    found.add(RuleId::EhFrameLsdaPointer, subject, message);
}

/// An area that is checked.
struct One<'a, 'f> {
    cfi: &'a CfiUnwinder,
    lsda: &'a Lsda,
    address: u64,
    routine: Routine,
    found: &'a mut Found<'f>,
}

impl One<'_, '_> {
    fn check(&mut self, area: &Area) {
        for error in &area.errors {
            let rule = match error.part {
                AreaPart::Header => RuleId::EhFrameLsdaEncoding,
                AreaPart::CallSites => RuleId::EhFrameLsdaCallSites,
                AreaPart::Actions => RuleId::EhFrameLsdaActions,
            };
            self.add(rule, error.offset as u64, error.message.to_owned());
        }
        if let Some(base) = area.landing_base {
            self.check_landing_base(base);
        }
        let boundaries = Boundaries::new(self.found.image, &self.lsda.function);
        self.check_sites(&area.sites, &boundaries);
        self.check_pads(area, &boundaries);
        for of_type in &area.types {
            self.check_type(*of_type);
        }
    }

    fn check_landing_base(&mut self, base: EncodedPointer) {
        let target = Target::new(self.found.image, base);
        let is_code = |address| self.found.image.section_at(address).is_some_and(ImageSection::is_code);
        if !matches!(target, Target::Unknown | Target::Import(_))
            && !matches!(target, Target::Address(address) if is_code(address) && !base.encoding.is_indirect())
        {
            self.add(RuleId::EhFrameLsdaEncoding, 0, format!("LPStart is {target}, which is not code"));
        }
    }

    /// Checks order, range and instructions of call sites.
    fn check_sites(&mut self, sites: &[CallSite], boundaries: &Boundaries) {
        let function = self.lsda.function;
        let mut last = function.start.0;
        for site in sites {
            let why = if site.code.start < last {
                "begins before the end of the one before it"
            } else if site.code.end > function.end.0 {
                "passes the end of the function"
            } else if !boundaries.may_begin(site.code.start)
                || site.code.end != function.end.0 && !boundaries.may_begin(site.code.end)
            {
                "begins or ends inside an instruction"
            } else {
                last = site.code.end;
                continue;
            };
            last = last.max(site.code.end);
            let span = self.found.image.span(site.code.start, site.code.end);
            self.add(RuleId::EhFrameLsdaCallSites, site.offset as u64, format!("call site {span} {why}"));
        }
    }

    fn check_pads(&mut self, area: &Area, boundaries: &Boundaries) {
        let function = self.lsda.function;
        let mut other: Option<(FunctionRange, Boundaries)> = None;
        for (site, pad) in area.sites.iter().filter_map(|site| Some((site, site.pad?))) {
            let is_inside = |range: &FunctionRange| range.start.0 <= pad && pad < range.end.0;
            let is_right = if is_inside(&function) {
                boundaries.may_begin(pad)
            } else if area.landing_base.is_none() {
                false
            } else {
                if !other.as_ref().is_some_and(|(range, _)| is_inside(range)) {
                    let range = self.cfi.function_at(Pc(pad));
                    other = range.map(|range| (range, Boundaries::new(self.found.image, &range)));
                }
                other.as_ref().is_some_and(|(range, boundaries)| is_inside(range) && boundaries.may_begin(pad))
            };
            if !is_right {
                let place = self.found.image.place(pad);
                let span = self.found.image.span(site.code.start, site.code.end);
                let message = format!(
                    "the landing pad of call site {span} is {place}, where no instruction of the function begins"
                );
                self.add(RuleId::EhFrameLsdaLandingPads, site.offset as u64, message);
            }
        }
    }

    fn check_type(&mut self, pointer: EncodedPointer) {
        let image = self.found.image;
        let target = Target::new(image, pointer);
        let is_cxx = self.routine == Routine::Named { types: Types::Cxx };
        let is_right = match target {
            Target::Null | Target::Unknown => true,
            Target::Import(import) => import.addend == 0,
            Target::NoWord(_) => false,
            Target::Address(address) => {
                let is_data = image.section_at(address).is_some_and(|home| !home.is_code());
                is_data && (!is_cxx || is_type_info(image, address))
            }
        };
        if !is_right {
            let offset = pointer.field.wrapping_sub(self.address);
            self.add(RuleId::EhFrameLsdaActions, offset, format!("a type leads to {target}, where there is none"));
        }
    }

    /// Adds a finding about an offset in the area.
    fn add(&mut self, rule: RuleId, offset: u64, message: String) {
        let (image, function) = (self.found.image, self.lsda.function);
        let place = image.place(function.start.0);
        let at = self.address.saturating_add(offset);
        // What passes the end of the section is still counted from its start.
        let home = image.section_at(self.address);
        let subject = Subject {
            function: place.clone(),
            blame: Blame::Compiler,
            section: home.map_or_else(|| ".gcc_except_table".to_owned(), |home| home.name.clone()),
            offset: at.wrapping_sub(home.map_or(0, |home| home.address)),
            code: Some((function.start.0, function.end.0)),
        };
        self.found.add(rule, subject, format!("the LSDA of {place}: {message}"));
    }
}
