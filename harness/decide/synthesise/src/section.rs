//! Makes a section from CFI: selects its functions and rows.

use generators::sframe::{EncodeError, FunctionSpec, PcType, RowSpec, SectionAddress, SectionSpec, encode};
use types::{Abi, CodePoint, Pc, SframeVersion, UnwindRow};
use unwind::{CfiSections, CfiUnwinder, FunctionRange, Unwinder as _};

use crate::reason::Reason;
use crate::row::{Form, row};

/// Input of a synthesis.
#[derive(Clone, Copy, Debug)]
pub struct Input<'i> {
    /// The ABI of the code.
    pub abi: Abi,
    /// The version to write: V2 errata 1 or V3. Earlier ones are written as V2 errata 1.
    pub version: SframeVersion,
    /// Address and bytes of `.eh_frame`.
    pub eh_frame: (u64, &'i [u8]),
}

/// A synthesised section, and what it omits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synthesised {
    /// Bytes of the section.
    pub bytes: Vec<u8>,
    /// Number of functions that it describes.
    pub functions: u64,
    /// Number of rows.
    pub rows: u64,
    /// Of an object the fields to relocate, each with the address that it leads to.
    pub starts: Vec<(u64, u64)>,
    /// The functions that the format cannot express, by address.
    pub omitted: Vec<Omitted>,
}

/// A function that the format cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// Address of its first byte of code.
    pub start: u64,
    /// Bytes of code.
    pub size: u64,
    /// Why the format cannot express it.
    pub reason: Reason,
}

/// Makes the section for an address.
///
/// ```
/// use synthesise::{Input, section};
/// use types::{Abi, SframeVersion};
///
/// // `.eh_frame` at 0x2000 of a function at 0x1000: CFA rsp+8, return address at CFA-8.
/// let eh_frame = [
///     // A CIE, and an FDE of 16 bytes.
///     0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0,
///     0, 0x10, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0xef, 0xff, 0xff, 0x10, 0, 0, 0, 0, 0, 0, 0,
///     0, 0, 0, 0,
/// ];
/// let table = (0x2000, &eh_frame[..]);
/// let input = Input { abi: Abi::Amd64, version: SframeVersion::V3, eh_frame: table };
/// let made = section(input, 0x3000).expect("a section");
/// assert_eq!((made.functions, made.rows, made.omitted.len()), (1, 1, 0));
/// assert_eq!(made.bytes[..4], [0xe2, 0xde, 3, 5]);
/// ```
pub fn section(input: Input<'_>, address: u64) -> Result<Synthesised, EncodeError> {
    made(input, SectionAddress::Linked { section: address })
}

/// Makes the section of an object, of which each start field is relocated.
///
/// # Errors
/// As those of [`section`].
pub fn relocatable(input: Input<'_>) -> Result<Synthesised, EncodeError> {
    made(input, SectionAddress::Relocatable)
}

fn made(input: Input<'_>, place: SectionAddress) -> Result<Synthesised, EncodeError> {
    let version = input.version.max(SframeVersion::V2Errata1);
    let input = Input { version, ..input };
    let table = CfiUnwinder::new(input.abi, &CfiSections { eh_frame: Some(input.eh_frame), ..CfiSections::default() });
    let described = described(input, &table);
    let count: usize = described.iter().filter_map(|(_, specs)| specs.as_ref().ok()).map(Vec::len).sum();
    let mut spec = SectionSpec::new(input.abi, version);
    let mut made = Synthesised::default();
    for (range, specs) in described {
        let near = |specs: &Vec<FunctionSpec>| match place {
            SectionAddress::Linked { section } => specs.iter().all(|one| is_near(version, section, count, one.start)),
            SectionAddress::Relocatable => true,
        };
        match specs.and_then(|specs| if near(&specs) { Ok(specs) } else { Err(Reason::TooFar) }) {
            Ok(specs) => {
                made.functions = made.functions.saturating_add(1);
                spec.functions.extend(specs);
            }
            Err(reason) => {
                let size = range.end.0.saturating_sub(range.start.0);
                made.omitted.push(Omitted { start: range.start.0, size, reason });
            }
        }
    }
    made.rows = spec.functions.iter().map(|function| function.rows.len() as u64).sum();
    let encoded = encode(&spec, place)?;
    made.bytes = encoded.bytes;
    let start = |function: usize| spec.functions.get(function).map(|function| function.start);
    let starts = encoded.relocations.iter().filter_map(|one| Some((one.offset, start(one.function)?)));
    made.starts = starts.collect();
    Ok(made)
}

/// The functions of a table, by address, with the descriptors of each or why it has none.
pub(crate) fn described(
    input: Input<'_>,
    table: &CfiUnwinder,
) -> Vec<(FunctionRange, Result<Vec<FunctionSpec>, Reason>)> {
    let mut ranges: Vec<FunctionRange> = table.functions().filter(|range| range.start < range.end).collect();
    ranges.dedup_by_key(|range| range.start);
    ranges.into_iter().map(|range| (range, of_function(input, table, range))).collect()
}

/// Returns true if a start fits the start fields of a section with this many descriptors, of at
/// most 32 bytes each. Before V3 these have 32 bits.
fn is_near(version: SframeVersion, address: u64, descriptors: usize, start: u64) -> bool {
    let size = (descriptors as u64).saturating_add(1).saturating_mul(32);
    let fits = |field: u64| i32::try_from(start.wrapping_sub(field).cast_signed()).is_ok();
    version == SframeVersion::V3 || (fits(address) && fits(address.wrapping_add(size)))
}

fn of_function(input: Input<'_>, table: &CfiUnwinder, range: FunctionRange) -> Result<Vec<FunctionSpec>, Reason> {
    let Input { abi, version, .. } = input;
    let offset = |pc: Pc| u32::try_from(pc.0.saturating_sub(range.start.0)).map_err(|_| Reason::TooLong);
    let size = offset(range.end)?;
    if table.has_own_column(range.start) {
        return Err(Reason::ReturnColumn);
    }
    let rules = |pc: Pc| {
        let found = table.row(CodePoint::Exact(pc)).map_err(|_| Reason::Unreadable)?;
        Ok((offset(pc)?, table.rules(found, pc)))
    };
    let rules: Vec<(u32, UnwindRow)> = table.boundaries(range.start, range.end).map(rules).collect::<Result<_, _>>()?;
    let first = rules.first().filter(|(start, _)| *start == 0).ok_or(Reason::Unreadable)?;
    let (signal, key) = (first.1.signal, first.1.key);
    if signal && version != SframeVersion::V3 {
        return Err(Reason::SignalFrame);
    }
    let in_form = |form: Form| {
        let mut rows = Vec::new();
        for (start, rules) in &rules {
            rows.push(row(abi, version, form, *start, rules)?);
        }
        // Rules may differ in parts that rows do not express.
        rows.dedup_by(|row, before| RowSpec { start: before.start, ..row.clone() } == *before);
        Ok(rows)
    };
    let (rows, flex) = match in_form(Form::Default) {
        Ok(rows) => (rows, false),
        Err(_) if abi.has_flex(version) => (in_form(Form::Flexible)?, true),
        Err(reason) => return Err(reason),
    };
    let spec = |start: u32, end: u32, pc_type: PcType, mut rows: Vec<RowSpec>| {
        rows.iter_mut().for_each(|row| row.start = row.start.saturating_sub(start));
        let starts = FunctionSpec::narrowest_starts(rows.last().map_or(0, |row| row.start));
        let at = range.start.0.wrapping_add(u64::from(start));
        let plain = FunctionSpec::new(at, end.saturating_sub(start), rows);
        FunctionSpec { starts, pc_type, key, signal, flex, ..plain }
    };
    let specs = match repeating(&rows, size) {
        None => vec![spec(0, size, PcType::Inc, rows)],
        Some(Repeating { row, rows: count, block }) => {
            let mut before = rows;
            let mut blocks = before.split_off(row);
            blocks.truncate(count);
            let start = blocks.first().map_or(size, |first| first.start);
            let before = (start > 0).then(|| spec(0, start, PcType::Inc, before));
            before.into_iter().chain([spec(start, size, PcType::Mask(block), blocks)]).collect()
        }
    };
    match specs.iter().all(|spec| spec.rows.len() <= usize::from(u16::MAX)) {
        true => Ok(specs),
        false => Err(Reason::TooManyRows),
    }
}

/// Rows that repeat up to the end of a function, as in a procedure linkage table.
struct Repeating {
    /// Index of the first of these rows.
    row: usize,
    /// Number of rows in a block.
    rows: usize,
    /// Size of a block in bytes.
    block: u8,
}

/// Sizes of the entries of procedure linkage tables in bytes.
const BLOCKS: [u8; 3] = [16, 8, 32];
/// Maximum number of rows in a block.
const MOST_BLOCK_ROWS: usize = 8;

fn repeating(rows: &[RowSpec], size: u32) -> Option<Repeating> {
    let starts_at = |row: usize, block: u8| {
        let rest = rows.get(row..)?;
        let start = rest.first()?.start;
        let bytes = size.checked_sub(start)?;
        let count = rest.iter().take_while(|other| other.start.saturating_sub(start) < u32::from(block)).count();
        let blocks = bytes.checked_div(u32::from(block))?;
        let whole = bytes.checked_rem(u32::from(block)) == Some(0) && blocks >= 2;
        let as_many = usize::try_from(blocks).ok()?.checked_mul(count)? == rest.len();
        let repeats = || {
            let later = rest.iter().skip(count).zip(rest);
            later.into_iter().all(|(one, before)| {
                let next = before.start.checked_add(u32::from(block));
                next.is_some_and(|start| *one == RowSpec { start, ..before.clone() })
            })
        };
        let repeating = whole && (2..=MOST_BLOCK_ROWS).contains(&count) && as_many && repeats();
        repeating.then_some(Repeating { row, rows: count, block })
    };
    // The rows before are the first entry, which has few.
    (0..rows.len().min(MOST_BLOCK_ROWS)).find_map(|row| BLOCKS.into_iter().find_map(|block| starts_at(row, block)))
}
