//! The rows of an `.eh_frame` in many layouts: bytes by part.
//!
//! Versions of SFrame are written by `generators` and read by `sframe`. Variants that were proposed
//! are a model with its own writer and reader, and are not SFrame. What any of them
//! encodes is read again and compared with the `.eh_frame`. Of other systems' forms only bytes are
//! counted.

mod foreign;
mod model;
mod parts;
#[cfg(test)]
mod tests;

use generators::sframe::{EncodeError, FunctionSpec, PcType, RowSpec, SectionAddress, SectionSpec, encode};
use sframe::{Placement, Section, StartBase, Table};
use types::{Abi, CodePoint, Pc, SframeVersion, UnwindRow, ValueRule};
use unwind::{CfiSections, CfiUnwinder, FunctionRange, SframeUnwinder, Unwinder};

use crate::section::{Input, described};
pub use parts::{Part, Parts};

/// The rows of a file in each layout.
#[derive(Clone, Debug)]
pub struct Layouts {
    /// Number of functions that every version of SFrame for the ABI can express; the same in each
    /// layout.
    pub functions: u64,
    /// Number of other functions.
    pub omitted: u64,
    /// Addresses of the functions.
    pub starts: Vec<u64>,
    /// Number of functions whose rows are those of an earlier function.
    pub repeated: u64,
    /// Number of their rows.
    pub rows: u64,
    /// Size of their code in bytes.
    pub code: u64,
    /// Sizes by layout.
    pub sizes: Vec<Size>,
}

/// Size of a table in a layout.
#[derive(Clone, Debug)]
pub struct Size {
    /// Name of the layout.
    pub layout: &'static str,
    /// Number of functions that it can express.
    pub functions: u64,
    /// Size of the code for which it has no row, in functions that it can express: prologues and
    /// epilogues.
    pub without: u64,
    /// Its bytes.
    pub parts: Parts,
}

/// Why a file has no sizes.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LayoutError {
    /// The rows cannot be written.
    #[error("{layout}: {error}")]
    Encode {
        /// Name of the layout.
        layout: &'static str,
        /// The reason.
        error: EncodeError,
    },
    /// The reader of a layout rejects what its writer wrote.
    #[error("{0}: the table cannot be read")]
    Unreadable(&'static str),
    /// A layout has another row than `.eh_frame`.
    #[error("{layout}: another row than .eh_frame's at {at:#x}")]
    Differs {
        /// Name of the layout.
        layout: &'static str,
        /// The address.
        at: u64,
    },
}

/// A function in the versions that are compared.
pub(crate) struct Expressed {
    pub(crate) range: FunctionRange,
    /// Its descriptors in V2 errata 1, which V1 and V2 have too.
    v2: Vec<FunctionSpec>,
    v3: Vec<FunctionSpec>,
}

/// Encodes the rows in every layout, as a linked file would have them. `hdr` is the size of
/// `.eh_frame_hdr`.
///
/// # Errors
/// [`LayoutError`]; none is expected of an `.eh_frame` that can be read.
pub fn layouts(input: Input<'_>, hdr: u64) -> Result<Layouts, LayoutError> {
    let abi = input.abi;
    let cfi = CfiUnwinder::new(abi, &CfiSections { eh_frame: Some(input.eh_frame), ..CfiSections::default() });
    let of = |version| described(Input { version, ..input }, &cfi);
    let both = of(SframeVersion::V2Errata1).into_iter().zip(of(SframeVersion::V3));
    let all: Vec<Option<Expressed>> =
        both.map(|((range, v2), (_, v3))| Some(Expressed { range, v2: v2.ok()?, v3: v3.ok()? })).collect();
    let omitted = all.iter().filter(|one| one.is_none()).count() as u64;
    let functions: Vec<Expressed> = all.into_iter().flatten().collect();
    let v2: Vec<FunctionSpec> = functions.iter().flat_map(|one| one.v2.iter().cloned()).collect();
    let v3: Vec<FunctionSpec> = functions.iter().flat_map(|one| one.v3.iter().cloned()).collect();
    let source = Source { abi, address: input.eh_frame.0, cfi: &cfi, functions: &functions };
    let mut sizes = vec![source.size("eh_frame", parts::eh_frame(input, hdr))];
    for version in SframeVersion::ALL {
        if version < abi.facts().first_sframe {
            continue;
        }
        let specs = match version {
            SframeVersion::V1 => &v2.iter().map(unrolled).collect(),
            SframeVersion::V2 | SframeVersion::V2Errata1 => &v2,
            SframeVersion::V3 => &v3,
        };
        let bytes = source.sframe(version.name(), version, specs)?;
        sizes.push(source.size(version.name(), parts::sframe(abi, version, specs, bytes)));
    }
    for model in &model::MODELS {
        let encode = |error| LayoutError::Encode { layout: model.name, error };
        let written = model::write(abi, model, &v2, source.address).map_err(encode)?;
        let read = model::read(&written.bytes, source.address).ok_or(LayoutError::Unreadable(model.name))?;
        source.sframe(model.name, SframeVersion::V2Errata1, &read)?;
        sizes.push(source.size(model.name, written.parts));
    }
    sizes.extend(foreign::sizes(&source));
    Ok(Layouts {
        functions: functions.len() as u64,
        omitted,
        starts: functions.iter().map(|one| one.range.start.0).collect(),
        repeated: model::repeated(&v2),
        rows: v2.iter().map(|one| one.rows.len() as u64).sum(),
        code: functions.iter().map(|one| size(&one.range)).sum(),
        sizes,
    })
}

/// The functions whose rows are encoded.
pub(crate) struct Source<'s> {
    pub(crate) abi: Abi,
    /// Address of the tables.
    address: u64,
    pub(crate) cfi: &'s CfiUnwinder,
    pub(crate) functions: &'s [Expressed],
}

impl Source<'_> {
    fn size(&self, layout: &'static str, parts: Parts) -> Size {
        Size { layout, functions: self.functions.len() as u64, without: 0, parts }
    }

    /// Encodes a section and reads it again, which must give the rows of `.eh_frame`. Returns its
    /// size.
    fn sframe(
        &self,
        layout: &'static str,
        version: SframeVersion,
        functions: &[FunctionSpec],
    ) -> Result<u64, LayoutError> {
        let spec = SectionSpec { functions: functions.to_vec(), ..SectionSpec::new(self.abi, version) };
        let encoded = encode(&spec, SectionAddress::Linked { section: self.address });
        let bytes = encoded.map_err(|error| LayoutError::Encode { layout, error })?.bytes;
        let place = Placement { section_address: self.address, starts: StartBase::Header };
        let read = Section::parse(&bytes).and_then(|section| Table::new(&section, place));
        let table = SframeUnwinder::new(read.map_err(|_| LayoutError::Unreadable(layout))?);
        match self.functions.iter().find_map(|one| difference(self.cfi, &table, &one.range)) {
            Some(Pc(at)) => Err(LayoutError::Differs { layout, at }),
            None => Ok(bytes.len() as u64),
        }
    }
}

/// Size of a function's code in bytes.
pub(crate) fn size(range: &FunctionRange) -> u64 {
    range.end.0.saturating_sub(range.start.0)
}

/// The first address of a function at which two tables have different rows.
fn difference(cfi: &CfiUnwinder, table: &SframeUnwinder, range: &FunctionRange) -> Option<Pc> {
    let boundaries = cfi.boundaries(range.start, range.end).chain(table.boundaries(range.start, range.end));
    boundaries.into_iter().find(|pc| match (rules(cfi, *pc), rules(table, *pc)) {
        (Some(one), Some(other)) => !is_same(&one, &other),
        _ => true,
    })
}

fn rules<U: Unwinder>(table: &U, pc: Pc) -> Option<UnwindRow> {
    table.row(CodePoint::Exact(pc)).ok().map(|row| table.rules(row, pc))
}

/// Returns true if two rows find the same caller.
fn is_same(one: &UnwindRow, other: &UnwindRow) -> bool {
    let places = |row: &UnwindRow| (row.cfa, row.ra, row.fp, row.signed, row.signed.then_some(row.key), row.signal);
    (one.ra == ValueRule::Undefined && other.ra == ValueRule::Undefined) || places(one) == places(other)
}

/// Size of repeated blocks where no field has it.
const BLOCK: u8 = 16;

/// The function for a layout without a field for the size of repeated blocks: with the rows of each
/// of its blocks if their size is another than the implied one.
fn unrolled(function: &FunctionSpec) -> FunctionSpec {
    let block = match function.pc_type {
        PcType::Inc | PcType::Mask(BLOCK) => return function.clone(),
        PcType::Mask(block) => block,
    };
    let bases = (0..function.size).step_by(usize::from(block.max(1)));
    let mut rows = Vec::new();
    for base in bases {
        for row in &function.rows {
            rows.push(RowSpec { start: base.saturating_add(row.start), ..row.clone() });
        }
    }
    let starts = FunctionSpec::narrowest_starts(rows.last().map_or(0, |row| row.start));
    FunctionSpec { pc_type: PcType::Inc, starts, rows, ..function.clone() }
}
