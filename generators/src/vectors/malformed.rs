//! Sections that cannot be read: truncated at every byte, and with fields that are out of bounds or
//! meaningless.

use spec::RuleId;

use super::bench::{Bench, Draft, TEXT};
use crate::sframe::{FunctionSpec, Layout, PcType, SectionSpec};

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = truncated(bench);
    all.extend(preamble(bench));
    all.extend(header(bench));
    all.extend(functions(bench));
    all
}

/// Truncations to every length.
fn truncated(bench: Bench) -> Vec<Draft> {
    let whole = || bench.two("whole", "");
    let length = whole().bytes().len();
    let spec = whole().section;
    let rows_at = length - spec.row_bytes();
    (0..length)
        .map(|cut| {
            let name = format!("cut-{cut:03}");
            let about = format!("Only the first {cut} bytes of {length}.");
            let rule = match cut {
                0 => RuleId::HeaderEmptySection,
                1..28 => RuleId::HeaderSize,
                _ if cut < rows_at => RuleId::HeaderFdeTableFits,
                _ => RuleId::HeaderFreAreaFits,
            };
            let mut draft = bench.two(&name, &about).spoilt(rule, |_| ()).cut(cut);
            let mut at = rows_at;
            for (index, function) in spec.functions.iter().enumerate() {
                // A truncated function whose FDE may still be complete.
                let descriptor = rows_at - spec.layout.fde_size() * (spec.functions.len() - index - 1);
                let whole = if cut < descriptor { 0 } else { rows_within(function, spec.layout, at, cut) };
                draft = draft.nothing_for(index, whole);
                at += function.row_bytes(spec.layout);
            }
            draft
        })
        .collect()
}

/// Number of rows of a function that end within a length, if its rows or attributes begin at `at`.
fn rows_within(function: &FunctionSpec, layout: Layout, at: usize, length: usize) -> usize {
    let upto = |count: usize| {
        at + FunctionSpec { rows: function.rows[..count].to_vec(), ..function.clone() }.row_bytes(layout)
    };
    (0..=function.rows.len()).rev().find(|count| *count == 0 || upto(*count) <= length).unwrap_or(0)
}

fn preamble(bench: Bench) -> Vec<Draft> {
    let draft = |name: &str, about: &str, rule, edit: &dyn Fn(&mut SectionSpec)| {
        bench.two(name, about).spoilt(rule, edit).nothing()
    };
    let mut all = vec![
        draft("magic", "Another magic.", RuleId::HeaderMagic, &|section| section.header.magic = Some(0xdead)),
        draft("magic-low-byte", "The low byte of the magic is wrong.", RuleId::HeaderMagic, &|section| {
            section.header.magic = Some(0xdee3)
        }),
        draft("magic-zero", "The magic is 0.", RuleId::HeaderMagic, &|section| section.header.magic = Some(0)),
    ];
    for version in [0, 4, 255] {
        let name = format!("version-{version}");
        all.push(draft(&name, "An undefined version.", RuleId::HeaderVersion, &|section| {
            section.header.version = Some(version)
        }));
        let name = format!("version-{version}-preamble-alone");
        all.push(
            draft(&name, "An undefined version, and nothing after it.", RuleId::HeaderVersion, &|section| {
                section.header.version = Some(version)
            })
            .cut(4),
        );
    }
    all
}

/// A count, length or offset of the header that is out of bounds, also if 32-bit arithmetic would
/// wrap around to the right value.
fn header(bench: Bench) -> Vec<Draft> {
    let two =
        |name: &str, about: &str, rule, edit: &dyn Fn(&mut SectionSpec)| bench.two(name, about).spoilt(rule, edit);
    let size = bench.layout().fde_size() as u64;
    let table = 2 * size as u32;
    // A count whose FDEs take at least 4 GiB more: the 32-bit product wraps to few bytes.
    let wrapping = 2 + ((1_u64 << 32).div_ceil(size)) as u32;
    let mut all = Vec::new();
    for (name, count) in [("1000", 1000), ("2-to-31", 1 << 31), ("max", u32::MAX), ("wrapping", wrapping)] {
        all.push(two(
            &format!("functions-{name}"),
            "sfh_num_fdes counts more functions than fit the section.",
            RuleId::HeaderFdeTableFits,
            &|section| {
                section.header.num_fdes = Some(count);
            },
        ));
    }
    let one_more = bench.two("whole", "").section.row_bytes() as u32 + 1;
    for (name, length) in
        [("one-more", one_more), ("7fffffff", 0x7fff_ffff), ("max", u32::MAX), ("wrapping", u32::MAX - 27)]
    {
        all.push(two(
            &format!("row-bytes-{name}"),
            "An FRE sub-section that extends past the end of the section.",
            RuleId::HeaderFreAreaFits,
            &|section| {
                section.header.fre_len = Some(length);
            },
        ));
    }
    for (name, offset) in [("end", 0x1000), ("7fffffff", 0x7fff_ffff), ("max", u32::MAX), ("wrapping", u32::MAX - 27)] {
        all.push(two(
            &format!("functions-at-{name}"),
            "Function descriptors outside the section.",
            RuleId::HeaderFdeTableFits,
            &|section| {
                section.header.fdeoff = Some(offset);
            },
        ));
    }
    for (name, offset) in
        [("one-more", table + 1), ("7fffffff", 0x7fff_ffff), ("max", u32::MAX), ("wrapping", u32::MAX - 27)]
    {
        all.push(two(
            &format!("rows-at-{name}"),
            "An FRE sub-section that ends outside the section.",
            RuleId::HeaderFreAreaFits,
            &|section| {
                section.header.freoff = Some(offset);
            },
        ));
    }
    all.push(two(
        "auxiliary-255",
        "The header gives the length of an auxiliary header that does not exist.",
        RuleId::HeaderAuxiliaryFits,
        &|section| {
            section.header.aux_len = Some(255);
        },
    ));
    all
}

/// Sections with one unreadable and one readable function.
fn functions(bench: Bench) -> Vec<Draft> {
    let two =
        |name: &str, about: &str, rule, edit: &dyn Fn(&mut SectionSpec)| bench.two(name, about).spoilt(rule, edit);
    let rows = bench.two("whole", "").section.row_bytes() as u32;
    let mut all = Vec::new();
    for (name, offset) in [("end", rows), ("7fffffff", 0x7fff_ffff), ("max", u32::MAX), ("wrapping", u32::MAX - 27)] {
        all.push(
            two(
                &format!("function-rows-at-{name}"),
                "A function whose rows begin outside the FRE sub-section.",
                RuleId::FdeRowOffset,
                &|section| {
                    section.functions[0].overrides.fre_offset = Some(offset);
                },
            )
            .nothing_for(0, 0),
        );
    }
    let (most, high) = match bench.layout() {
        Layout::V1 | Layout::V2 => (u32::MAX, 1 << 31),
        Layout::V3 => (u32::from(u16::MAX), 1 << 15),
    };
    for (name, count) in [("one-more", 2), ("high", high), ("max", most)] {
        all.push(two(
            &format!("function-counts-{name}"),
            "The last function has more rows than fit the FRE sub-section.",
            RuleId::FdeRowsFit,
            &|section| {
                section.functions[1].overrides.num_fres = Some(count);
            },
        ));
    }
    for info in [0x03, 0x0f] {
        all.push(
            two(
                &format!("row-type-{info}"),
                "A reserved row type, so that the size of rows is unknown.",
                RuleId::FdeRowType,
                &|section| {
                    section.functions[0].overrides.info = Some(info);
                },
            )
            .nothing_for(0, 0),
        );
    }
    all.push(
        two("word-size-3", "The reserved word size in the second row.", RuleId::RowWordSize, &|section| {
            section.functions[0].rows[1].info = Some(0x65);
        })
        .nothing_for(0, 1),
    );
    all.push(
        two(
            "last-row-longer",
            "The last row has more words than the section has bytes for.",
            RuleId::FdeRowsFit,
            &|section| {
                section.functions[1].rows[0].info = Some(0x5f);
            },
        )
        .nothing_for(1, 0),
    );
    if bench.layout() != Layout::V1 {
        let frames = bench.frames();
        all.push(
            bench
                .two("block-0", "Repeating blocks of 0 bytes.")
                .with(TEXT + 0x200, 0x40, &frames[..1])
                .spoilt(RuleId::FdeBlockSize, |section| section.functions[2].pc_type = PcType::Mask(0))
                .nothing_for(2, 0),
        );
    }
    if bench.layout() == Layout::V3 {
        for less in 1..5 {
            all.push(
                two(
                    &format!("attributes-cut-{less}"),
                    "Attributes that extend past the end of the FRE sub-section.",
                    RuleId::FdeAttributesFit,
                    &|section| {
                        section.functions[0].overrides.fre_offset = Some(rows - less);
                    },
                )
                .nothing_for(0, 0),
            );
        }
    }
    all
}
