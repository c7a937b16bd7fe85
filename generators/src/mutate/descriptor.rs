//! Bugs in an FDE (V3: in its attributes), except for the address.

use super::base::Base;
use super::site::functions;
use super::{Edit, Expectation, Operator, WrongTable};
use crate::arch::target;
use crate::sframe::{PcType, Width, info};

const fn operator(name: &'static str, what: &'static str, make: fn(&Base) -> Vec<Edit>) -> Operator {
    Operator { name, what, fault: WrongTable::Sframe, make }
}

pub(super) const OPERATORS: &[Operator] = &[
    operator("fde-row-offset", "sfh_freoff is one byte too low or too high", row_offset),
    operator("fde-row-count", "a row more or fewer", row_count),
    operator("fde-row-type", "the row type has another width", row_type),
    operator("fde-row-type-wide", "row starts are wider than needed", row_type_wide),
    operator("fde-pc-type", "the PC type (PCINC, PCMASK) is inverted", pc_type),
    operator("fde-rep-size", "the block size is wrong", rep_size),
    operator("fde-rep-size-unused", "a function without blocks has a size of blocks", rep_size_unused),
    operator("fde-key-bit", "the wrong signing key", key_bit),
    operator("fde-signal-bit", "a function is marked as a signal frame", signal_bit),
    operator("fde-reserved-bits", "a reserved bit is set", reserved_bits),
    operator("fde-type-unknown", "the row type is undefined", type_unknown),
    operator("fde-padding", "padding is not zero", padding),
    operator("fde-rows-cleared", "a function has no rows", rows_cleared),
];

fn row_offset(base: &Base) -> Vec<Edit> {
    let mut at = 0;
    let mut offsets = Vec::new();
    for function in &base.sample.section.functions {
        offsets.push((function.start, at));
        at += function.row_bytes(base.sample.section.layout) as u32;
    }
    let own = |start| offsets.iter().find(|(other, _)| *other == start).map(|(_, offset)| *offset);
    let mut edits = functions(base, None, |function, _| {
        function.overrides.fre_offset = Some(own(function.start)? + 1);
        Some("later".to_owned())
    });
    edits.extend(functions(base, None, |function, _| {
        function.overrides.fre_offset = Some(own(function.start)?.checked_sub(1)?);
        Some("earlier".to_owned())
    }));
    edits
}

fn row_count(base: &Base) -> Vec<Edit> {
    // The header still counts the existing rows.
    let breaks = Some(("the header's count of rows is that of all functions", Expectation::Error));
    let mut edits = functions(base, breaks, |function, _| {
        function.overrides.num_fres = Some(function.rows.len() as u32 + 1);
        Some("one more".to_owned())
    });
    edits.extend(functions(base, breaks, |function, _| {
        function.overrides.num_fres = Some(function.rows.len().checked_sub(1)? as u32);
        Some("one fewer".to_owned())
    }));
    edits
}

fn with_info(base: &Base, breaks: super::site::BrokenClause, note: &str, change: impl Fn(u8) -> u8) -> Vec<Edit> {
    let layout = base.sample.section.layout;
    functions(base, breaks, |function, _| {
        function.overrides.info = Some(change(info(layout, function)));
        Some(note.to_owned())
    })
}

fn row_type(base: &Base) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (kind, note) in [(0, "1 byte"), (1, "2 bytes"), (2, "4 bytes"), (3, "reserved")] {
        let layout = base.sample.section.layout;
        edits.extend(functions(base, None, |function, _| {
            let own = info(layout, function);
            function.overrides.info = Some(own & 0xf0 | kind);
            (own & 0xf != kind).then(|| note.to_owned())
        }));
    }
    edits
}

fn row_type_wide(base: &Base) -> Vec<Edit> {
    functions(base, None, |function, _| {
        let narrow = function.starts;
        function.starts = Width::Four;
        (narrow != Width::Four).then(|| "4 bytes".to_owned())
    })
}

fn pc_type(base: &Base) -> Vec<Edit> {
    let layout = base.sample.section.layout;
    // A version without a block size field has none to set to 0 either.
    let block = layout.has_rep_size().then_some(0);
    functions(base, None, |function, _| {
        let own = info(layout, function);
        function.overrides.info = Some(own ^ 0x10);
        match function.pc_type {
            PcType::Inc => function.overrides.rep_size = block,
            PcType::Mask(size) => function.overrides.rep_size = Some(size),
        }
        Some("flipped".to_owned())
    })
}

fn rep_size(base: &Base) -> Vec<Edit> {
    if !base.sample.section.layout.has_rep_size() {
        return Vec::new();
    }
    let mut edits = Vec::new();
    for size in [0_u8, 8, 12, 24, 32] {
        edits.extend(functions(base, None, |function, _| {
            function.overrides.rep_size = Some(size);
            (function.pc_type != PcType::Inc).then(|| size.to_string())
        }));
    }
    edits
}

fn rep_size_unused(base: &Base) -> Vec<Edit> {
    if !base.sample.section.layout.has_rep_size() {
        return Vec::new();
    }
    functions(base, None, |function, _| {
        function.overrides.rep_size = Some(16);
        (function.pc_type == PcType::Inc).then(|| "16".to_owned())
    })
}

fn key_bit(base: &Base) -> Vec<Edit> {
    // Without signed rows the key has no meaning; on other targets the bit is reserved.
    let breaks = (!target(base.sample.abi).signs).then_some(("the key bit is AArch64's", Expectation::Error));
    with_info(base, breaks, "flipped", |info| info ^ 0x20)
}

fn signal_bit(base: &Base) -> Vec<Edit> {
    let reserved = Some(("bit 7 is reserved before version 3", Expectation::Error));
    let breaks = if base.sample.section.layout.has_signal() { None } else { reserved };
    with_info(base, breaks, "set", |info| info | 0x80)
}

fn reserved_bits(base: &Base) -> Vec<Edit> {
    let breaks = Some(("reserved bits are zero", Expectation::Error));
    let mut edits = with_info(base, breaks, "bit 6", |info| info | 0x40);
    if base.sample.section.layout.has_attributes() {
        edits.extend(functions(base, breaks, |function, _| {
            function.overrides.info2 = Some(u8::from(function.flex) | 0x20);
            Some("bit 5 of the second byte".to_owned())
        }));
    }
    edits
}

fn type_unknown(base: &Base) -> Vec<Edit> {
    if !base.sample.section.layout.has_flex() {
        return Vec::new();
    }
    functions(base, None, |function, _| {
        function.overrides.info2 = Some(2);
        Some("2".to_owned())
    })
}

fn padding(base: &Base) -> Vec<Edit> {
    if !base.sample.section.layout.has_padding() {
        return Vec::new();
    }
    functions(base, Some(("padding is zero", Expectation::Error)), |function, _| {
        function.overrides.padding = Some(1);
        Some("1".to_owned())
    })
}

fn rows_cleared(base: &Base) -> Vec<Edit> {
    functions(base, None, |function, _| {
        function.rows.clear();
        Some("none left".to_owned())
    })
}
