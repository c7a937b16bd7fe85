//! Bugs in the section header.

use types::ByteOrder;

use super::base::Base;
use super::site::section;
use super::{Edit, Expectation, Operator, WrongTable};
use crate::arch::target;
use crate::elf::FileKind;
use crate::facts;
use crate::sframe::{FLAG_FRAME_POINTER, FLAG_PCREL, FLAG_SORTED, HeaderOverrides, SectionSpec, anchor};

const fn operator(name: &'static str, what: &'static str, make: fn(&Base) -> Vec<Edit>) -> Operator {
    Operator { name, what, fault: WrongTable::Sframe, make }
}

pub(super) const OPERATORS: &[Operator] = &[
    operator("header-magic", "the magic number is wrong", magic),
    operator("header-version", "the version is undefined, or another one", version),
    operator("header-byte-order", "the section has the other byte order", byte_order),
    operator("header-flag-sorted", "SFRAME_F_FDE_SORTED is inverted", flag_sorted),
    operator("header-flag-pcrel", "SFRAME_F_FDE_FUNC_START_PCREL is inverted", flag_pcrel),
    operator("header-flag-frame-pointer", "SFRAME_F_FRAME_POINTER is set", flag_frame_pointer),
    operator("header-flag-reserved", "a reserved flag is set", flag_reserved),
    operator("header-abi", "the ABI is another one", abi),
    operator("header-fixed-fp", "the header has a fixed FP offset", fixed_fp),
    operator("header-fixed-ra", "the fixed RA offset is wrong", fixed_ra),
    operator(
        "header-auxiliary-length",
        "the header gives the length of an auxiliary header that does not exist",
        auxiliary,
    ),
    operator("header-function-count", "one function more or fewer", function_count),
    operator("header-row-count", "one row more or fewer", row_count),
    operator("header-row-bytes", "one byte of rows more or fewer", row_bytes),
    operator("header-function-offset", "sfh_fdeoff is wrong", function_offset),
    operator("header-row-offset", "sfh_freoff is wrong", row_offset),
];

fn edits<T: Copy>(base: &Base, values: &[(&str, T)], edit: impl Fn(&mut SectionSpec, T)) -> Vec<Edit> {
    values.iter().map(|(note, value)| section(base, note, None, |spec| edit(spec, *value))).collect()
}

/// Edits of header fields only.
fn header(base: &Base, values: &[(&str, HeaderOverrides)]) -> Vec<Edit> {
    values.iter().map(|(note, over)| section(base, note, None, |spec| spec.header = over.clone())).collect()
}

fn magic(base: &Base) -> Vec<Edit> {
    edits(base, &[("low byte", 0xdee3), ("high byte", 0x5ee2)], |spec, magic| spec.header.magic = Some(magic))
}

fn version(base: &Base) -> Vec<Edit> {
    let own = base.sample.section.layout.version_byte();
    let others = [("0", 0), ("1", 1), ("2", 2), ("3", 3), ("4", 4)];
    let others: Vec<_> = others.into_iter().filter(|(_, version)| *version != own).collect();
    edits(base, &others, |spec, version| spec.header.version = Some(version))
}

fn byte_order(base: &Base) -> Vec<Edit> {
    vec![section(base, "the other", None, |spec| {
        spec.order = match spec.order {
            ByteOrder::Little => ByteOrder::Big,
            ByteOrder::Big => ByteOrder::Little,
        };
    })]
}

fn flag_sorted(base: &Base) -> Vec<Edit> {
    // Assemblers do not know the order of addresses; linkers must sort.
    let breaks = match base.sample.kind {
        FileKind::Relocatable => ("SFRAME_F_FDE_SORTED is set in an object", Expectation::Warning),
        FileKind::Executable | FileKind::Shared => {
            ("SFRAME_F_FDE_SORTED is unset in a linked file", Expectation::Error)
        }
    };
    vec![section(base, "flipped", Some(breaks), |spec| spec.flags ^= FLAG_SORTED)]
}

fn flag_pcrel(base: &Base) -> Vec<Edit> {
    let breaks = if !base.sample.section.layout.has_pcrel_flag() {
        ("a flag that version 1 does not have", Expectation::Error)
    } else if base.sample.kind == FileKind::Relocatable && !facts::version(base.sample.version).starts_from_field {
        // In an object the relocation makes the field relative to itself, with or without the flag.
        return Vec::new();
    } else {
        ("starts are not relative to the field", Expectation::Warning)
    };
    vec![section(base, "flipped", Some(breaks), |spec| {
        // The bytes of the starts are unchanged.
        spec.anchor = Some(anchor(spec));
        spec.flags ^= FLAG_PCREL;
    })]
}

fn flag_frame_pointer(base: &Base) -> Vec<Edit> {
    let breaks = match base.sample.section.layout.has_frame_pointer_flag() {
        false => ("a flag that version 3 has removed", Expectation::Error),
        // No reader uses the flag, and no version of the specification defines a check of it.
        true => ("SFRAME_F_FRAME_POINTER is set for functions without a frame pointer", Expectation::Info),
    };
    vec![section(base, "set", Some(breaks), |spec| spec.flags |= FLAG_FRAME_POINTER)]
}

fn flag_reserved(base: &Base) -> Vec<Edit> {
    let set = |bit: u8| {
        let breaks = Some(("reserved flags are zero", Expectation::Error));
        section(base, &format!("bit {bit}"), breaks, |spec| spec.flags |= 1 << bit)
    };
    vec![set(3), set(7)]
}

fn abi(base: &Base) -> Vec<Edit> {
    let others: Vec<(String, u8)> =
        (0..=5).filter(|abi| *abi != base.sample.section.abi).map(|abi| (abi.to_string(), abi)).collect();
    let others: Vec<(&str, u8)> = others.iter().map(|(note, abi)| (note.as_str(), *abi)).collect();
    edits(base, &others, |spec, abi| spec.abi = abi)
}

fn fixed_fp(base: &Base) -> Vec<Edit> {
    edits(base, &[("-16", -16_i8), ("8", 8)], |spec, offset| spec.fixed_fp = offset)
        .into_iter()
        .map(|edit| Edit { breaks: Some("no ABI fixes the place of FP"), ..edit })
        .collect()
}

fn fixed_ra(base: &Base) -> Vec<Edit> {
    edits(base, target(base.sample.abi).wrong_fixed_ra, |spec, offset| spec.fixed_ra = offset)
}

fn auxiliary(base: &Base) -> Vec<Edit> {
    edits(base, &[("1", 1), ("8", 8), ("255", 255)], |spec, bytes| spec.header.aux_len = Some(bytes))
}

fn function_count(base: &Base) -> Vec<Edit> {
    let count = base.sample.section.functions.len() as u32;
    let with = |count| HeaderOverrides { num_fdes: Some(count), ..HeaderOverrides::default() };
    header(base, &[("one more", with(count + 1)), ("one fewer", with(count - 1)), ("none", with(0))])
}

fn row_count(base: &Base) -> Vec<Edit> {
    let rows: usize = base.sample.section.functions.iter().map(|function| function.rows.len()).sum();
    let with = |note, count| {
        let breaks = Some(("the header counts all rows", Expectation::Error));
        section(base, note, breaks, |spec| spec.header.num_fres = Some(count))
    };
    vec![with("one more", rows as u32 + 1), with("one fewer", rows as u32 - 1), with("none", 0)]
}

fn row_bytes(base: &Base) -> Vec<Edit> {
    let bytes = base.sample.section.row_bytes() as u32;
    let with = |note, count| {
        let breaks = Some(("the header counts all bytes of rows", Expectation::Error));
        section(base, note, breaks, |spec| spec.header.fre_len = Some(count))
    };
    vec![with("one more", bytes + 1), with("one fewer", bytes - 1), with("none", 0)]
}

fn function_offset(base: &Base) -> Vec<Edit> {
    let with = |offset| HeaderOverrides { fdeoff: Some(offset), ..HeaderOverrides::default() };
    header(base, &[("1", with(1)), ("4", with(4)), ("beyond the section", with(0x7fff_ffff))])
}

fn row_offset(base: &Base) -> Vec<Edit> {
    let section = &base.sample.section;
    let offset = (section.functions.len() * section.layout.fde_size()) as u32;
    let with = |offset| HeaderOverrides { freoff: Some(offset), ..HeaderOverrides::default() };
    header(base, &[("one more", with(offset + 1)), ("one fewer", with(offset - 1)), ("none", with(0))])
}
