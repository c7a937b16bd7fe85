//! Vectors that the table cannot express: long programs, functions that overlap, frames from the
//! first byte on, and truncations.

use types::{Abi, Reg, ValueRule};

use super::draft::{Bench, Damage, Draft, FIRST, TEXT};
use crate::arch::target;
use crate::code::{FrameAt, FrameState, changes, sum};
use crate::eh_frame::{Cfi, Cie, Fde};
use crate::vectors::Class;
use crate::vectors::question::question;

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = advances(bench);
    all.extend(entries(bench));
    all.extend(overlapping(bench));
    all.push(remember_deep(bench));
    if bench.abi.facts().pointer_authentication {
        all.push(negate_in_cie(bench));
    }
    if bench.abi == Abi::Amd64 {
        all.push(plt(bench));
    }
    all.extend(truncated(bench));
    all
}

/// Advances in each width (DWARF 5, 7.24).
fn advances(bench: Bench) -> Vec<Draft> {
    let code = target(bench.abi).code_alignment as u32;
    let far = |(name, about, units): (&str, &str, u32)| {
        let offset = 4 + units * code;
        let mut frames = bench.frames();
        frames[2].offset = offset;
        let mut draft = bench.empty(name, about).with(TEXT + FIRST.0, offset + 0x10, &frames);
        draft.text.1 = TEXT + FIRST.0 + u64::from(offset) + 0x1000;
        draft.address = (draft.text.1 + 0xfff) & !0xfff;
        draft
    };
    let all = [
        ("advance-most-in-place", "DW_CFA_advance_loc by 63 units.", 63),
        ("advance-byte", "DW_CFA_advance_loc1, 64 units.", 64),
        ("advance-byte-most", "DW_CFA_advance_loc1, 255 units: the operand is unsigned.", 255),
        ("advance-half", "DW_CFA_advance_loc2, 256 units.", 256),
        ("advance-half-most", "DW_CFA_advance_loc2, 65535 units: the operand is unsigned.", 65535),
        ("advance-word", "DW_CFA_advance_loc4, 65536 units.", 65536),
    ];
    all.into_iter().map(far).collect()
}

/// Order and contents of CIEs and FDEs (LSB 10.6.1).
fn entries(bench: Bench) -> [Draft; 3] {
    let facts = bench.abi.facts();
    let frames = bench.frames();
    // The return address is in the column that the CIE names.
    let column = Reg(match bench.abi {
        Abi::Amd64 => 11,
        Abi::Aarch64 | Abi::Aarch64Be => 17,
        Abi::S390x => 7,
    });
    let frame = FrameState { ra: ValueRule::AtCfa(-24), ..bench.entry() };
    let initial = vec![Cfi::DefCfa(facts.sp, facts.cfa_minus_sp_at_entry), Cfi::Offset(column, -24)];
    let cie = Cie { return_column: column, initial, ..Cie::plain(bench.abi) };
    let mut return_column = bench.empty("return-column", "A CIE with another column of the return address.");
    return_column.spec.cies = vec![cie];
    let first = TEXT + FIRST.0;
    let return_column = return_column.function(first, FIRST.1, &[FrameAt { offset: 0, frame }], Vec::new());

    let shared = bench.empty("shared-cie", "A function of the first CIE after the second.");
    let shared = shared.with(first, 0x30, &frames).cie(Cie::plain(bench.abi));
    let mut shared = shared.with(TEXT + 0x140, 0x10, &frames[..1]).knows(TEXT + 0x180, 0x20, &frames);
    let program = changes(bench.abi, &frames).unwrap_or_default();
    shared.spec.trailing.push((0, Fde { start: TEXT + 0x180, target: 0, size: 0x20, program }));

    let mut many = bench.empty("many", "100 functions.");
    for number in 0..100 {
        let part = if number % 3 == 0 { &frames[..] } else { &frames[..1] };
        many = many.with(TEXT + 0x10 * number, 0x10, part);
    }
    [return_column, shared, many]
}

fn overlapping(bench: Bench) -> [Draft; 3] {
    let frames = bench.frames();
    let overlap = |name: &str, about: &str, from: u64, size: u32| {
        let frame = FrameState { ra: ValueRule::AtCfa(-24), ..bench.entry() };
        let program = vec![(0, Cfi::Offset(bench.abi.facts().ra, -24))];
        let draft = bench.empty(name, about).with(TEXT + FIRST.0, 0x30, &frames);
        let mut draft = draft.function(TEXT + FIRST.0 + from, size, &[FrameAt { offset: 0, frame }], program);
        draft.class = Class::Open(question("overlapping-functions"));
        draft
    };
    [
        overlap("overlapping", "A function begins inside the one before it, and ends after it.", 0x20, 0x20),
        overlap("nested", "A function inside another.", 0x10, 0x10),
        overlap("same-start", "Two functions of one start, the second is shorter.", 0, 0x10),
    ]
}

/// 40 states, each with another CFA.
fn remember_deep(bench: Bench) -> Draft {
    let (sp, entry, deep) = (bench.abi.facts().sp, bench.entry(), 40);
    let cfa = |level: i64| 8 * (level + 40);
    let remembers = |level| [(4, Cfi::RememberState), (4, Cfi::DefCfa(sp, cfa(level)))];
    let mut program: Vec<(u64, Cfi)> = (0..deep).flat_map(remembers).collect();
    // DW_CFA_restore_state
    program.push((8, Cfi::Raw([0x0b].repeat(deep as usize - 1))));
    program.push((12, Cfi::RestoreState));
    let frames = bench.then(&[entry.cfa(sp, cfa(deep - 1)), entry.cfa(sp, cfa(0)), entry]);
    bench.runs("remember-deep", "40 remembered states.", &frames, program)
}

/// DW_CFA_AARCH64_negate_ra_state (DWARF for the Arm 64-bit Architecture, 4.4).
fn negate_in_cie(bench: Bench) -> Draft {
    let entry = bench.entry();
    let mut draft = bench.empty("negate-in-cie", "The CIE's instructions mark the return address as signed.");
    draft.spec.cies[0].initial.push(Cfi::NegateRaState);
    let signed = FrameState { signed: true, ..entry };
    let frames = [FrameAt { offset: 0, frame: signed }, FrameAt { offset: 4, frame: entry }];
    draft.function(TEXT + FIRST.0, FIRST.1, &frames, vec![(4, Cfi::NegateRaState)])
}

/// The expression of PLT entries (psABI AMD64, as GNU ld writes it): 8 more from byte 11 of 16 on.
fn plt(bench: Bench) -> Draft {
    let facts = bench.abi.facts();
    let test = vec![0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22];
    let expression = [sum(facts.sp, 8), sum(facts.ra, 0), test].concat();
    let entry = bench.entry();
    let frames: Vec<FrameAt> = (0..3_u32)
        .flat_map(|slot| [(16 * slot, entry), (16 * slot + 11, entry.cfa(facts.sp, 16))])
        .map(|(offset, frame)| FrameAt { offset, frame })
        .collect();
    let program = vec![(0, Cfi::DefCfaExpression(expression))];
    let mut draft = bench.runs("plt", "The CFA of PLT entries, by the PC.", &frames, program);
    draft.has.expressions = true;
    draft
}

/// Truncations, of which the section header has the smaller size.
fn truncated(bench: Bench) -> Vec<Draft> {
    // No multiple of it is an entry's alignment.
    const STEP: usize = 5;
    let length = bench.two("whole", "").size();
    let cut = |size: usize| {
        let about = format!("Only the first {size} bytes of {length}.");
        let mut draft = bench.two(&format!("cut-{size:03}"), &about);
        draft.class = Class::Malformed(spec::RuleId::CfiRefused);
        draft.damage = Damage { size: Some(size), ..Damage::default() };
        draft
    };
    // Without its last 4 bytes, the terminator, it is whole.
    (STEP..length - 4).step_by(STEP).map(cut).collect()
}
