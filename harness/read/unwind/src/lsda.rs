//! Language-specific data areas (LSDA, `.gcc_except_table`), as GCC and LLVM write them for C++,
//! Rust, Ada, D and C cleanups: call sites with their landing pads and actions, and the types that
//! handlers catch. C++ ABI for Itanium, Exception Handling Tables, 7; encodings of pointers: LSB
//! 5.0 core, 10.5.1. An area contains addresses but no rules: nothing about a frame.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use types::{ByteOrder, PointerEncoding, sleb128, uleb128};

use crate::FunctionRange;

/// A pointer of a table, as encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodedPointer {
    pub encoding: PointerEncoding,
    /// Address of the pointer itself.
    pub field: u64,
    /// The value, with its base added; of an indirect pointer the address of the word that holds
    /// the value.
    pub value: u64,
}

impl EncodedPointer {
    /// Returns true if the field is zero: a null pointer, to which readers add no base.
    pub fn is_null(&self) -> bool {
        self.value == if self.encoding.is_relative_to_field() { self.field } else { 0 }
    }
}

/// The routine that interprets the areas of a CIE's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Personality {
    /// Offset of the CIE in its section.
    pub cie: u64,
    pub pointer: EncodedPointer,
}

/// A function with a language-specific data area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lsda {
    pub function: FunctionRange,
    /// Offset of the function's CIE in its section.
    pub cie: u64,
    /// The pointer to the area; not null.
    pub pointer: EncodedPointer,
}

/// A landing pad of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LandingPad {
    /// Addresses of the calls that use the pad.
    pub site: Range<u64>,
    /// Address of the pad, where control continues after a throw.
    pub pad: u64,
}

/// An entry of the call-site table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Offset of the entry in the area.
    pub offset: usize,
    /// Addresses of the instructions.
    pub code: Range<u64>,
    /// Address of the landing pad; `None` if there is none.
    pub pad: Option<u64>,
}

/// A decoded area.
///
/// The parts of a function that LLVM splits (`-fbasic-block-sections`) share one action table after
/// the areas of all of them, so that the call-site table of each but the last contains the areas
/// that follow: its own call sites end where the next area begins. All of them have LPStart, or, in
/// a function without landing pads, none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// LPStart, to which landing pads are relative; `None` if that is the start of the function.
    pub landing_base: Option<EncodedPointer>,
    /// The call sites, in the order of the table.
    pub sites: Vec<CallSite>,
    /// Offset of the action table.
    pub actions: usize,
    /// Pointers to the types that handlers catch, of those that actions use.
    pub types: Vec<EncodedPointer>,
    /// Number of bytes up to the last part that is used.
    pub size: usize,
    /// What cannot be read. Call sites before it are kept.
    pub errors: Vec<AreaError>,
}

/// An error in the bytes of an area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AreaError {
    pub offset: usize,
    /// The part that is wrong.
    pub part: AreaPart,
    /// Description.
    pub message: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AreaPart {
    /// Encodings and extent.
    Header,
    /// The call-site table.
    CallSites,
    /// Action records, type table and exception specifications.
    Actions,
}

impl Area {
    /// Decodes an area. `bytes` begin with it, and end with its section. Each call site and action
    /// record subtracts one from `budget`, since many functions may refer to one area.
    pub fn parse(lsda: &Lsda, bytes: &[u8], order: ByteOrder, budget: &mut usize) -> Area {
        let mut area = Area::default();
        let mut input = Input { bytes, at: 0, order, address: lsda.pointer.value };
        match area.read_sites(lsda, &mut input, budget) {
            Ok(tables) => {
                if let Err(error) = tables.read_actions(&mut area, &input, budget) {
                    area.errors.push(error);
                }
            }
            Err(error) => area.errors.push(error),
        }
        area
    }

    /// The landing pads of a function, by call site.
    pub fn landing_pads(self, function: &FunctionRange) -> impl Iterator<Item = LandingPad> {
        let end = function.end.0;
        let inside = self.sites.into_iter().filter(move |site| site.code.end <= end);
        inside.filter_map(|site| Some(LandingPad { site: site.code, pad: site.pad? }))
    }

    fn read_sites(&mut self, lsda: &Lsda, input: &mut Input<'_>, budget: &mut usize) -> Result<Tables, AreaError> {
        use AreaPart::CallSites;
        let header = Header::parse(input)?;
        let Header { landing_base, types, encoding, end } = header;
        let start = lsda.function.start.0;
        let base = landing_base.map_or(start, |base| base.value);
        let is_next_area = |input: &Input<'_>| {
            let is_next =
                |mut input: Input<'_>| Header::parse(&mut input).is_ok_and(|next| next.is_of_next_part(&header));
            is_next(*input) || is_next(input.aligned())
        };
        let mut actions = BTreeMap::new();
        while input.at < end && !is_next_area(input) {
            *budget = budget.checked_sub(1).ok_or(AreaError::new(input.at, CallSites, "too many call sites"))?;
            let offset = input.at;
            let mut field = || input.offset(encoding);
            let (from, length, pad) = (field()?, field()?, field()?);
            let action = input.uleb()?;
            if input.at > end {
                return Err(AreaError::new(offset, CallSites, "the last call site passes the end of its table"));
            }
            let from = start.checked_add(from);
            let code = from.and_then(|from| Some(from..from.checked_add(length)?));
            let code =
                code.ok_or(AreaError::new(offset, CallSites, "a call site passes the end of the address space"))?;
            self.sites.push(CallSite { offset, code, pad: (pad != 0).then(|| base.wrapping_add(pad)) });
            if let Some(action) = action.checked_sub(1) {
                actions.entry(action).or_insert(offset);
            }
        }
        self.landing_base = landing_base;
        self.actions = end;
        self.size = end.max(types.map_or(0, |(_, base)| base));
        Ok(Tables { actions, start: end, types })
    }
}

/// The header of an area.
#[derive(Clone, Copy)]
struct Header {
    landing_base: Option<EncodedPointer>,
    /// Encoding of the types, and offset of the end of their table.
    types: Option<(PointerEncoding, usize)>,
    /// Encoding of the call sites, and offset of the end of their table.
    encoding: PointerEncoding,
    end: usize,
}

impl Header {
    /// Returns true for the header of another part of the function that an earlier header is of:
    /// both have the same encodings, types and actions.
    fn is_of_next_part(&self, earlier: &Header) -> bool {
        let encoding = |header: &Header| header.landing_base.map(|base| base.encoding);
        let tables = |header: &Header| (header.types, header.encoding, header.end);
        encoding(self) == encoding(earlier) && tables(self) == tables(earlier)
    }

    fn parse(input: &mut Input<'_>) -> Result<Header, AreaError> {
        let wrong = |at: usize, message: &'static str| AreaError::new(at, AreaPart::Header, message);
        let landing_base = match PointerEncoding(input.byte()?) {
            PointerEncoding::OMIT => None,
            encoding => Some(input.pointer(encoding)?),
        };
        let at = input.at;
        let types = match PointerEncoding(input.byte()?) {
            PointerEncoding::OMIT => None,
            encoding if encoding.size().is_none() => return Err(wrong(at, "types have no encoding of a fixed size")),
            encoding => {
                let end = input.extent()?;
                Some((encoding, end.ok_or(wrong(at, "the type table passes the end of the section"))?))
            }
        };
        let at = input.at;
        let encoding = PointerEncoding(input.byte()?);
        if encoding.0 != ULEB128 && (encoding.size().is_none() || encoding.0 & 0xf0 != 0) {
            return Err(wrong(at, "call sites have no encoding of offsets"));
        }
        let end = input.extent()?.ok_or(wrong(at, "the call-site table passes the end of the section"))?;
        Ok(Header { landing_base, types, encoding, end })
    }
}

/// What follows the call sites.
struct Tables {
    /// Offset of the action table.
    start: usize,
    /// First action records, relative to the table, with the offset of a call site that has it.
    actions: BTreeMap<u64, usize>,
    /// Encoding of the types, and offset of the end of their table.
    types: Option<(PointerEncoding, usize)>,
}

impl Tables {
    /// Follows the actions of all call sites.
    fn read_actions(&self, area: &mut Area, input: &Input<'_>, budget: &mut usize) -> Result<(), AreaError> {
        use AreaPart::Actions;
        let limit = self.types.map_or(input.bytes.len(), |(_, base)| base);
        let (mut seen, mut last, mut filters) = (BTreeSet::new(), self.start, BTreeMap::new());
        for (action, site) in &self.actions {
            let first = usize::try_from(*action).ok().and_then(|action| self.start.checked_add(action));
            let mut next = first;
            while let Some(at) = next {
                if !seen.insert(at) {
                    break;
                }
                *budget = budget.checked_sub(1).ok_or(AreaError::new(at, Actions, "too many actions"))?;
                if at < self.start || at >= limit {
                    return Err(AreaError::new(*site, Actions, "an action outside the action table"));
                }
                let mut record = Input { at, ..*input };
                let filter = record.sleb()?;
                let link = record.at;
                let displacement = record.sleb()?;
                last = last.max(record.at);
                filters.entry(filter).or_insert(at);
                next = isize::try_from(displacement).ok().and_then(|distance| link.checked_add_signed(distance));
                next = next.filter(|_| displacement != 0);
                if displacement != 0 && next.is_none() {
                    return Err(AreaError::new(at, Actions, "an action outside the action table"));
                }
            }
        }
        area.size = area.size.max(last);
        filters.remove(&0);
        for (filter, at) in filters {
            let Some((encoding, end)) = self.types else {
                return Err(AreaError::new(at, Actions, "a type where there is no type table"));
            };
            let types = TypeTable { encoding, start: last, end };
            let found = match filter > 0 {
                true => types.get(filter.unsigned_abs(), input).map(|found| area.types.push(found)),
                false => types.read_list(filter.unsigned_abs(), area, input, budget),
            };
            found.ok_or(AreaError::new(at, Actions, "a type outside the type table"))?;
        }
        Ok(())
    }
}

/// The type table: types by index, downwards from its end, at which exception specifications begin.
struct TypeTable {
    encoding: PointerEncoding,
    /// Offset of the first byte that may belong to it, and of its end.
    start: usize,
    end: usize,
}

impl TypeTable {
    fn get(&self, index: u64, input: &Input<'_>) -> Option<EncodedPointer> {
        let distance = usize::try_from(index).ok()?.checked_mul(self.encoding.size()?)?;
        let field = self.end.checked_sub(distance).filter(|field| *field >= self.start)?;
        Input { at: field, ..*input }.pointer(self.encoding).ok()
    }

    /// Reads an exception specification: indices of types, up to a zero. `None` if it has others.
    fn read_list(&self, number: u64, area: &mut Area, input: &Input<'_>, budget: &mut usize) -> Option<()> {
        let at = usize::try_from(number).ok().and_then(|distance| self.end.checked_add(distance)?.checked_sub(1))?;
        let mut list = Input { at, ..*input };
        loop {
            *budget = budget.checked_sub(1)?;
            match list.uleb().ok()? {
                0 => break,
                index => area.types.push(self.get(index, input)?),
            }
        }
        area.size = area.size.max(list.at);
        Some(())
    }
}

impl AreaError {
    fn new(offset: usize, part: AreaPart, message: &'static str) -> AreaError {
        AreaError { offset, part, message }
    }

    fn truncated(offset: usize) -> AreaError {
        AreaError::new(
            offset,
            AreaPart::Header,
            "the area passes the end of the section, or has a number of more than 64 bits",
        )
    }
}

/// Alignment of areas by LLVM, in bytes.
const ALIGNMENT: u64 = 4;

/// `DW_EH_PE_uleb128`.
const ULEB128: u8 = 0x01;

/// Bytes of an area, read sequentially.
#[derive(Clone, Copy)]
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    order: ByteOrder,
    address: u64,
}

impl Input<'_> {
    fn byte(&mut self) -> Result<u8, AreaError> {
        let byte = *self.bytes.get(self.at).ok_or(AreaError::truncated(self.at))?;
        self.at = self.at.saturating_add(1);
        Ok(byte)
    }

    fn uleb(&mut self) -> Result<u64, AreaError> {
        self.number(uleb128)
    }

    fn sleb(&mut self) -> Result<i64, AreaError> {
        self.number(sleb128)
    }

    fn number<T>(&mut self, decode: fn(&[u8]) -> Option<(T, usize)>) -> Result<T, AreaError> {
        let (value, size) = self.bytes.get(self.at..).and_then(decode).ok_or(AreaError::truncated(self.at))?;
        self.at = self.at.saturating_add(size);
        Ok(value)
    }

    /// The next offset at which LLVM begins an area with types.
    fn aligned(&self) -> Self {
        let padding = self.address.wrapping_add(self.at as u64).wrapping_neg() % ALIGNMENT;
        Input { at: self.at.saturating_add(padding as usize), ..*self }
    }

    /// A number of bytes that follow it: the offset after them, if the section has them.
    fn extent(&mut self) -> Result<Option<usize>, AreaError> {
        let size = usize::try_from(self.uleb()?).ok();
        Ok(size.and_then(|size| self.at.checked_add(size)).filter(|end| *end <= self.bytes.len()))
    }

    /// An offset from a base that the caller knows.
    fn offset(&mut self, encoding: PointerEncoding) -> Result<u64, AreaError> {
        match encoding.0 {
            ULEB128 => self.uleb(),
            _ => Ok(self.pointer(encoding)?.value),
        }
    }

    /// A pointer: absolute, or relative to the field (DW_EH_PE_pcrel).
    fn pointer(&mut self, encoding: PointerEncoding) -> Result<EncodedPointer, AreaError> {
        let undefined =
            AreaError::new(self.at, AreaPart::Header, "a pointer that has no encoding of a fixed size and base");
        let place = PointerEncoding(encoding.0 & 0x7f).value((self.address, self.bytes), self.at, self.order);
        let value = place.filter(|_| encoding.exists() && encoding.0 & 0x70 <= 0x10).ok_or(undefined)?;
        let value = value.ok_or(AreaError::truncated(self.at))?;
        let field = self.address.wrapping_add(self.at as u64);
        self.at = self.at.saturating_add(encoding.size().unwrap_or_default());
        Ok(EncodedPointer { encoding, field, value })
    }
}

#[cfg(test)]
mod tests {
    use types::Pc;

    use super::*;

    const FUNCTION: FunctionRange = FunctionRange { start: Pc(0x1000), end: Pc(0x1200), offset: 0 };

    fn parse(bytes: &[u8], order: ByteOrder, mut budget: usize) -> Area {
        let pointer = EncodedPointer { encoding: PointerEncoding(0x1b), field: 0x100, value: 0x3000 };
        Area::parse(&Lsda { function: FUNCTION, cie: 0, pointer }, bytes, order, &mut budget)
    }

    fn pads(area: Area) -> Vec<LandingPad> {
        area.landing_pads(&FUNCTION).collect()
    }

    /// As g++ writes it: no base of landing pads, types of sdata4, relative to the field and
    /// indirect, sites in ULEB128; two actions, one type, and a specification of one type.
    const AREA: [u8; 32] = [
        0xff, 0x9b, 0x1d, 0x01, 0x0d, // The header: types end at 3 + 0x1d = 0x20 less the list.
        0x10, 0x05, 0x00, 0x00, // 0x1010: no landing pad.
        0x20, 0x05, 0x80, 0x01, 0x01, // 0x1020: 0x1080, first action.
        0x30, 0x05, 0x40, 0x00, // 0x1030: 0x1040, a cleanup.
        0x01, 0x00, // The action: type 1.
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // Padding.
        0x40, 0x00, 0x00, 0x00, // Type 1, a word at 0x301c + 0x40.
    ];

    #[test]
    fn call_sites_actions_and_types_are_read() {
        let area = parse(&AREA, ByteOrder::Little, 100);
        assert_eq!((area.errors.as_slice(), area.size), ([].as_slice(), 32));
        assert_eq!(area.sites.len(), 3);
        assert_eq!(area.types.iter().map(|one| one.value).collect::<Vec<u64>>(), [0x305c]);
        let expected = [(0x1020, 0x1080), (0x1030, 0x1040)];
        assert_eq!(pads(area), expected.map(|(start, pad)| LandingPad { site: start..start + 5, pad }));
        assert_eq!(parse(&[], ByteOrder::Little, 100).errors.len(), 1);
        assert_eq!(parse(&AREA, ByteOrder::Little, 1).sites.len(), 1);
    }

    /// As clang's basic-block sections of a function without landing pads share their action table.
    #[test]
    fn the_next_part_of_a_function_ends_the_call_sites() {
        let parts = [0xff, 0xff, 1, 12, 0xff, 0xff, 1, 8, 0xff, 0xff, 1, 4, 0, 6, 0, 0];
        for (at, sites) in [(0, 0), (4, 0), (8, 1)] {
            let area = parse(&parts[at..], ByteOrder::Little, 100);
            assert_eq!((area.errors.as_slice(), area.sites.len()), ([].as_slice(), sites), "{at}");
        }
    }

    /// Each byte changed: what is no longer an area is an error in the part that it belongs to.
    #[test]
    fn what_cannot_be_read_is_an_error_of_its_part() {
        let errors = |at: usize, value: u8| {
            let mut area = AREA;
            area[at] = value;
            parse(&area, ByteOrder::Little, 100).errors.into_iter().map(|one| one.part).collect::<Vec<_>>()
        };
        assert_eq!(errors(0, 0x05), [AreaPart::Header], "no such encoding");
        assert_eq!(errors(1, 0x01), [AreaPart::Header], "types of no fixed size");
        assert_eq!(errors(1, 0xff), [AreaPart::Header], "no type table: 0x1d is no encoding");
        assert_eq!(errors(2, 0x1e), [AreaPart::Header], "types after the section");
        assert_eq!(errors(2, 0x12), [AreaPart::Actions], "types over the actions");
        assert_eq!(errors(3, 0x11), [AreaPart::Header], "relative offsets");
        assert_eq!(errors(4, 0x1c), [AreaPart::Header], "call sites after the section");
        assert_eq!(errors(4, 0x0c), [AreaPart::CallSites], "call sites that are cut off");
        assert_eq!(errors(13, 0x40), [AreaPart::Actions], "an action after the section");
        assert_eq!(errors(18, 0x04), [AreaPart::Actions], "a type that is an action");
        assert_eq!(errors(18, 0x7e), [AreaPart::Actions], "a specification after the section");
        assert_eq!(errors(19, 0x7e), [AreaPart::Actions], "a next action that is a call site");
    }

    #[test]
    fn a_base_of_landing_pads_is_relative_to_its_place() {
        // A cold part: the base is pcrel sdata4 at address 0x3001, value 0x1ff - so 0x3200.
        let area = [0x1b, 0xff, 0x01, 0, 0, 0xff, 0x03, 13, 0, 0, 0, 0, 8, 0, 0, 0, 0x10, 0, 0, 0, 0];
        let expected = [LandingPad { site: 0x1000..0x1008, pad: 0x3210 }];
        assert_eq!(pads(parse(&area, ByteOrder::Little, 100)), expected);
        // The same bytes in the other order are another base, and sites that lie outside.
        assert_ne!(pads(parse(&area, ByteOrder::Big, 100)), expected);
    }
    /// Two parts of a function, as LLVM writes them: the second area lies in the call-site table of
    /// the first, and both end at the same action table.
    #[test]
    fn call_sites_end_where_the_area_of_another_part_begins() {
        let mut area = vec![0x1b, 0xff, 0x01, 0, 0, 0xff, 0x01, 20, 0x10, 0x05, 0x00, 0x01, 0x20, 0x05, 0x30, 0x01];
        area.extend([0x1b, 0xef, 0x01, 0, 0, 0xff, 0x01, 4, 0x00, 0x05, 0x40, 0x01]);
        area.extend([0, 0]);
        let part = parse(&area, ByteOrder::Little, 100);
        assert_eq!((part.errors, part.sites.len(), part.actions), (vec![], 2, 28));
        area[23] = 3;
        assert!(parse(&area, ByteOrder::Little, 100).sites.len() > 2, "ends elsewhere: these are call sites");
    }
}
