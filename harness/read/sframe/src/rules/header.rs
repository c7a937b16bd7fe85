//! Rules about the header and the layout of the section. Checking stops at the first breach after
//! which offsets are meaningless.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::ToString as _;
use spec::{RuleId, Severity};
use types::{Image, ImageKind, ImageSection};

use super::report::{BreachAt, Report};
use super::version::VersionRules;
use crate::header::at;
use crate::{ErrorKind, Flags, Header, ParseError, Section};

/// Checks the header; returns the section if the tables after the header can be read.
pub(crate) fn check<'a>(image: &Image, home: &'a ImageSection, report: &mut Report) -> Option<Section<'a>> {
    let bytes: &[u8] = &home.bytes;
    if bytes.is_empty() {
        report.add(RuleId::HeaderEmptySection, BreachAt::default(), || "the section has no bytes".to_owned());
        return None;
    }
    let section = match Header::parse(bytes) {
        Err(error) => {
            stop(error, report);
            return None;
        }
        Ok(header) if header.order != image.abi.facts().order => {
            report.add(RuleId::HeaderByteOrder, BreachAt::byte(at::MAGIC), || {
                format!("the magic is {:?}-endian, the file {:?}-endian", header.order, image.abi.facts().order)
            });
            return None;
        }
        Ok(header) => {
            version(&header, report);
            flags(image, &header, report);
            abi(image, &header, report);
            fixed_offsets(&header, report);
            Section::parse(bytes)
        }
    };
    match section {
        Ok(section) => {
            layout(&section.header, report);
            after_rows(image, bytes, &section.header, report);
            Some(section)
        }
        Err(error) => {
            stop(error, report);
            None
        }
    }
}

fn stop(error: ParseError, report: &mut Report) {
    let id = match error.kind {
        ErrorKind::Truncated { .. } => RuleId::HeaderSize,
        ErrorKind::Magic(_) => RuleId::HeaderMagic,
        ErrorKind::Version(_) => RuleId::HeaderVersion,
        ErrorKind::AuxHeader(_) => RuleId::HeaderAuxiliaryFits,
        ErrorKind::FdeTable { .. } => RuleId::HeaderFdeTableFits,
        // The only other reason for which a header cannot be read.
        _ => RuleId::HeaderFreAreaFits,
    };
    report.add(id, BreachAt::byte(error.offset), || error.kind.to_string());
}

fn version(header: &Header, report: &mut Report) {
    if header.version().is_obsolete() {
        report.add(RuleId::HeaderObsoleteVersion, BreachAt::byte(at::VERSION), || "SFrame version 1".to_owned());
    }
}

fn flags(image: &Image, header: &Header, report: &mut Report) {
    let Flags(bits) = header.flags;
    let place = BreachAt::byte(at::FLAGS);
    let version = VersionRules::for_format(header.format);
    let defined = version.defined_flags;
    if bits & !defined != 0 {
        report.add(RuleId::HeaderReservedFlags, place, || {
            format!("flags {bits:#04x}, {} defines {defined:#04x}", header.format)
        });
    }
    if header.flags.frame_pointer() {
        report.add(version.frame_pointer_flag, place, || "SFRAME_F_FRAME_POINTER set".to_owned());
    }
    if let Some(id) = version.pcrel_clear.filter(|_| !header.flags.pcrel()) {
        report.add(id, place, || "SFRAME_F_FDE_FUNC_START_PCREL unset".to_owned());
    }
    let linked = image.kind != ImageKind::Relocatable;
    if linked && !header.flags.sorted() && header.num_fdes > 0 {
        report.add(RuleId::HeaderSortedInLinked, place, || "FDEs not sorted (SFRAME_F_FDE_SORTED unset)".to_owned());
    }
    if !linked && header.flags.sorted() {
        report.add(RuleId::HeaderSortedInObject, place, || "SFRAME_F_FDE_SORTED set in an object file".to_owned());
    }
}

fn abi(image: &Image, header: &Header, report: &mut Report) {
    let byte = header.abi_arch;
    let place = BreachAt::byte(at::ABI);
    let Some(abi) = header.abi().filter(|abi| abi.facts().first_sframe <= header.version()) else {
        report.add(RuleId::HeaderAbi, place, || format!("ABI identifier {byte} in {}", header.format));
        return;
    };
    if abi.facts().order != header.order {
        report.add(RuleId::HeaderAbiByteOrder, place, || {
            format!("ABI identifier {byte} ({abi}) in a {:?}-endian section", header.order)
        });
    }
    if abi.facts().elf_machine != image.abi.facts().elf_machine {
        report.add(RuleId::HeaderAbiMachine, place, || {
            format!("ABI identifier {byte} ({abi}) in a file for {}", image.abi)
        });
    }
}

fn fixed_offsets(header: &Header, report: &mut Report) {
    let Some(abi) = header.abi() else { return };
    let (ra, fixed) = (header.fixed_ra, abi.facts().fixed_ra);
    let want = fixed.unwrap_or(0);
    if ra != want {
        let id = if fixed.is_some() { RuleId::HeaderFixedRaAmd64 } else { RuleId::HeaderFixedRa };
        report.add(id, BreachAt::byte(at::FIXED_RA), || format!("fixed RA offset {ra} on {abi}, expected {want}"));
    }
    if header.fixed_fp != 0 {
        report.add(RuleId::HeaderFixedFp, BreachAt::byte(at::FIXED_FP), || {
            format!("fixed FP offset {}", header.fixed_fp)
        });
    }
}

fn layout(header: &Header, report: &mut Report) {
    if header.aux_len != 0 {
        report.add(RuleId::HeaderAuxiliary, BreachAt::byte(at::AUX_LEN), || {
            format!("{} bytes of auxiliary header", header.aux_len)
        });
    }
    let table = header.fdes_end().saturating_sub(header.fdes_at());
    if header.fdeoff != 0 || u64::from(header.freoff) != table {
        let at = if header.fdeoff != 0 { at::FDEOFF } else { at::FREOFF };
        report.add(RuleId::HeaderCanonicalLayout, BreachAt::byte(at), || {
            format!("fdeoff {:#x} and freoff {:#x}, canonical are 0 and {table:#x}", header.fdeoff, header.freoff)
        });
    }
    if header.num_fdes > 0 && (header.fdeoff > header.freoff || header.fdes_end() > header.fres_at()) {
        report.add(RuleId::HeaderTablesOverlap, BreachAt::byte(at::FREOFF), || {
            format!(
                "the FRE sub-section begins at {:#x}, the function descriptors end at {:#x}",
                header.fres_at(),
                header.fdes_end()
            )
        });
    }
    if header.num_fdes == 0 {
        report.add(RuleId::HeaderNoFunctions, BreachAt::byte(at::NUM_FDES), || "a header without functions".to_owned());
        if header.num_fres != 0 || header.fre_len != 0 {
            let (rows, length) = (header.num_fres, header.fre_len);
            report.add(RuleId::HeaderRowsWithoutFunctions, BreachAt::byte(at::NUM_FRES), || {
                format!("no functions, but {rows} rows in {length:#x} bytes")
            });
        }
    }
}

/// Reports bytes after the FRE sub-section: padding, or another element that no reader reads.
fn after_rows(image: &Image, bytes: &[u8], header: &Header, report: &mut Report) {
    /// Alignment of a following element in bytes: fewer bytes than this may be padding.
    const ALIGNMENT: usize = 8;
    let end = header.fres_end().max(header.fdes_end());
    let rest = usize::try_from(end).ok().and_then(|end| bytes.get(end..)).unwrap_or_default();
    let aligned = end.checked_next_multiple_of(ALIGNMENT as u64).unwrap_or(end);
    let second = [end, aligned].into_iter().find(|at| {
        let element = usize::try_from(*at).ok().and_then(|at| bytes.get(at..));
        element.is_some_and(|element| Section::parse(element).is_ok_and(|it| it.header.order == header.order))
    });
    if let Some(at) = second {
        let severity = match image.kind {
            ImageKind::Relocatable => Severity::Warning,
            _ => Severity::Error,
        };
        report.add_as(RuleId::HeaderSecondElement, severity, BreachAt::byte(at), || {
            format!("another SFrame element begins at {at:#x}, which no reader reads")
        });
    } else if let Some(index) = rest.iter().position(|byte| *byte != 0) {
        let at = end.saturating_add(index as u64);
        report.add(RuleId::HeaderTrailingBytes, BreachAt::byte(at), || {
            format!("{} bytes follow the FRE sub-section, and they are not all zero", rest.len())
        });
    } else if rest.len() >= ALIGNMENT {
        report.add(RuleId::HeaderExcessPadding, BreachAt::byte(end), || {
            format!("{} zero bytes follow the FRE sub-section", rest.len())
        });
    }
}
