//! A `.sframe` section as values for `dump --format json`.

use results::{DUMP_SCHEMA, DumpedFunction, DumpedHeader, DumpedRow, DumpedSection};
use sframe::{Budget, FrameRow, FuncDesc, FuncEntry, Header, ParseError, Placement, Section};
use types::{Abi, Equations, Location};

/// Values of a section at `place`, without the names of file and section, which the caller adds.
/// Unreadable parts are errors at their position; rows that functions share are repeated up to
/// eight times the length of the FRE sub-section in total.
pub fn dumped(bytes: &[u8], place: Placement) -> DumpedSection {
    let mut dumped = DumpedSection { schema: DUMP_SCHEMA, ..DumpedSection::default() };
    let header = match Header::parse(bytes) {
        Ok(header) => header,
        Err(error) => return DumpedSection { error: Some(error.to_string()), ..dumped },
    };
    dumped.header = Some(header_of(&header));
    match Section::parse(bytes) {
        Ok(section) => {
            let mut budget = Budget::new(&section);
            let functions = section.entries().map(|entry| function(&section, entry, place, &mut budget));
            dumped.functions = functions.collect();
        }
        Err(error) => dumped.error = Some(error.to_string()),
    }
    dumped
}

fn header_of(header: &Header) -> DumpedHeader {
    DumpedHeader {
        version: header.version(),
        little_endian: DumpedHeader::is_little(header.order),
        flags: header.flags.0,
        abi_arch: header.abi_arch,
        abi: header.abi(),
        fixed_fp: header.fixed_fp,
        fixed_ra: header.fixed_ra,
        aux_len: header.aux_len,
        num_fdes: header.num_fdes,
        num_fres: header.num_fres,
        fre_len: header.fre_len,
        fdeoff: header.fdeoff,
        freoff: header.freoff,
    }
}

fn function(section: &Section<'_>, entry: FuncEntry, place: Placement, budget: &mut Budget) -> DumpedFunction {
    let start = place.start_of(&section.header, &entry);
    let mut dumped = DumpedFunction {
        index: entry.index,
        offset: entry.offset,
        start,
        start_field: entry.start,
        size: entry.size,
        start_fre_off: entry.fre_off,
        ..DumpedFunction::default()
    };
    let function = match section.function(entry) {
        Ok(function) => function,
        Err(error) => return DumpedFunction { error: Some(error.to_string()), ..dumped },
    };
    let attributes = &function.attributes;
    dumped.num_fres = Some(attributes.num_fres);
    dumped.info = Some(attributes.info.0);
    dumped.info2 = section.header.version().has_attribute_block().then_some(attributes.info2.0);
    dumped.rep_size = attributes.rep_size;
    for read in section.rows(&function) {
        let printed =
            read.and_then(|read| budget.print(&function, read.end.saturating_sub(read.offset)).map(|()| read));
        match printed {
            Ok(read) => dumped.rows.push(row(section, &function, &read, start)),
            Err(error) => {
                dumped.error = Some(error.to_string());
                break;
            }
        }
    }
    dumped
}

fn row(section: &Section<'_>, function: &FuncDesc, row: &FrameRow<'_>, start: Option<u64>) -> DumpedRow {
    let (equations, error) = match section.header.abi().map(|abi| equations(section, abi, function, row)) {
        Some(Ok(equations)) => (Some(equations), None),
        Some(Err(error)) => (None, Some(error.to_string())),
        None => (None, Some("the ABI is unknown".to_owned())),
    };
    DumpedRow {
        offset: row.offset,
        start: row.start,
        pc: start
            .and_then(|start| start.checked_add(u64::from(row.start)))
            .filter(|_| !function.attributes.info.pcmask()),
        text: equations.as_ref().map(Equations::to_string).unwrap_or_default(),
        equations,
        error,
    }
}

fn equations(
    section: &Section<'_>,
    abi: Abi,
    function: &FuncDesc,
    row: &FrameRow<'_>,
) -> Result<Equations, ParseError> {
    let rules = section.meaning(abi, function, row)?;
    Ok(Equations {
        abi,
        cfa: rules.cfa,
        ra: Location::Rule(rules.ra),
        fp: Location::Rule(rules.fp),
        sp: None,
        signed_by: rules.signed.then(|| function.key(abi)),
        signed_with_pc: false,
        signal: section.header.is_signal(function.attributes.info),
    })
}
