//! Rules that are DWARF expressions (DWARF 5, 2.5 and 6.4.2): each operation as a part of a sum
//! that is the CFA.

use types::{Abi, CfaRule, Reg, ValueRule};

use super::draft::{Bench, Draft};
use crate::bytes::Bytes;
use crate::code::{FrameAt, FrameState, loaded, sum};
use crate::eh_frame::Cfi;

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = operations(bench);
    all.extend(rules(bench));
    if bench.abi == Abi::Amd64 {
        all.push(plt(bench));
    }
    all.into_iter().map(Draft::with_expressions).collect()
}

/// Operations that add 32 to the top of the stack, by name.
fn additions(bench: Bench) -> Vec<(&'static str, Vec<u8>)> {
    let constant = |opcode: u8, value: i64, width: usize, rest: &[u8]| {
        let mut out = Bytes::new(bench.abi.facts().order);
        out.u8(opcode);
        out.low_bytes(value as u64, width);
        out.raw(rest);
        out.finish()
    };
    let branch = |before: &[u8], opcode: u8, by: i64, rest: &[u8]| [before, &constant(opcode, by, 2, rest)].concat();
    let plain: [(&str, &[u8]); 29] = [
        ("plus-uconst", &[0x23, 32]),
        ("constu", &[0x10, 32, 0x22]),
        ("consts", &[0x11, 0x60, 0x1c]),
        ("literals", &[0x4f, 0x22, 0x31, 0x22]),
        ("dup-drop", &[0x12, 0x13, 0x23, 32]),
        ("swap-minus-neg", &[0x11, 0x60, 0x16, 0x1c, 0x1f]),
        ("over", &[0x08, 32, 0x14, 0x22, 0x16, 0x13]),
        ("pick", &[0x08, 32, 0x15, 1, 0x22, 0x16, 0x13]),
        ("rot", &[0x35, 0x08, 32, 0x17, 0x13, 0x22]),
        ("abs", &[0x09, 0xe0, 0x19, 0x22]),
        ("and", &[0x08, 0x3f, 0x08, 0x20, 0x1a, 0x22]),
        ("div-signed", &[0x11, 0x40, 0x11, 0x7e, 0x1b, 0x22]),
        ("mod", &[0x08, 101, 0x08, 69, 0x1d, 0x22]),
        ("mul", &[0x08, 16, 0x32, 0x1e, 0x22]),
        ("neg", &[0x11, 0x60, 0x1f, 0x22]),
        ("not", &[0x09, 0xdf, 0x20, 0x22]),
        ("or", &[0x08, 32, 0x30, 0x21, 0x22]),
        ("shl", &[0x31, 0x35, 0x24, 0x22]),
        ("shr-logical", &[0x09, 0xff, 0x08, 58, 0x25, 0x4f, 0x1c, 0x22]),
        ("shra", &[0x11, 0x80, 0x7e, 0x33, 0x26, 0x1f, 0x22]),
        ("xor", &[0x08, 0x3f, 0x4f, 0x27, 0x22]),
        ("eq", &[0x31, 0x31, 0x29, 0x35, 0x24, 0x22]),
        ("ge-signed", &[0x31, 0x11, 0x7f, 0x2a, 0x35, 0x24, 0x22]),
        ("gt-signed", &[0x31, 0x11, 0x7f, 0x2b, 0x35, 0x24, 0x22]),
        ("le-signed", &[0x11, 0x7f, 0x31, 0x2c, 0x35, 0x24, 0x22]),
        ("lt-signed", &[0x11, 0x7f, 0x31, 0x2d, 0x35, 0x24, 0x22]),
        ("ne", &[0x31, 0x30, 0x2e, 0x35, 0x24, 0x22]),
        ("nop", &[0x96, 0x23, 32, 0x96]),
        ("negative-plus-uconst", &[0x23, 0xa0, 0x80, 0x80, 0x80, 0x10, 0x11, 0x80, 0x80, 0x80, 0x80, 0x70, 0x22]),
    ];
    let mut all: Vec<(&str, Vec<u8>)> = plain.iter().map(|(name, bytes)| (*name, bytes.to_vec())).collect();
    for (name, opcode, width) in
        [("const-byte", 0x08, 1), ("const-half", 0x0a, 2), ("const-word", 0x0c, 4), ("const-double", 0x0e, 8)]
    {
        all.push((name, constant(opcode, 32, width, &[0x22])));
    }
    for (name, opcode, width) in [
        ("const-byte-signed", 0x09, 1),
        ("const-half-signed", 0x0b, 2),
        ("const-word-signed", 0x0d, 4),
        ("const-double-signed", 0x0f, 8),
    ] {
        all.push((name, constant(opcode, -32, width, &[0x1c])));
    }
    all.push(("addr", constant(0x03, 32, 8, &[0x22])));
    all.push(("bra-taken", branch(&[0x31], 0x28, 2, &[0x23, 1, 0x23, 32])));
    all.push(("bra-not-taken", branch(&[0x30], 0x28, 2, &[0x23, 16, 0x23, 16])));
    all.push(("skip", branch(&[], 0x2f, 2, &[0x23, 1, 0x23, 32])));
    // Four rounds that add 8, down to 0.
    all.push(("bra-back", branch(&[0x34, 0x16, 0x23, 8, 0x16, 0x31, 0x1c, 0x12], 0x28, -10, &[0x13])));
    all.push(("bra-to-end", branch(&[0x23, 32, 0x31], 0x28, 0, &[])));
    // 40 literals, and their sum with 0 is dropped.
    all.push(("deep", [[0x30].repeat(40), [0x22].repeat(40), vec![0x23, 32]].concat()));
    all.push(("long", [[0x96].repeat(200), vec![0x23, 32]].concat()));
    all
}

fn operations(bench: Bench) -> Vec<Draft> {
    let facts = bench.abi.facts();
    let base = sum(facts.sp, facts.cfa_minus_sp_at_entry);
    let frames = bench.then(&[bench.entry().cfa(facts.sp, facts.cfa_minus_sp_at_entry + 32)]);
    let of = |(name, rest): (&str, Vec<u8>)| {
        let expression = [base.clone(), rest].concat();
        let about = format!("A CFA expression that adds 32 to a sum: {name}.");
        bench.runs(&format!("op-{name}"), &about, &frames, vec![(4, Cfi::DefCfaExpression(expression))])
    };
    additions(bench).into_iter().map(of).collect()
}

fn rules(bench: Bench) -> Vec<Draft> {
    let facts = bench.abi.facts();
    let (sp, fp, ra, entry) = (facts.sp, facts.fp, facts.ra, bench.entry());
    let with = |fp| FrameState { fp, ..entry };
    let at = |cfa| FrameState { cfa, ..entry };
    let one = |name: &str, about: &str, frame: FrameState, cfi: Cfi| {
        bench.runs(name, about, &bench.then(&[frame]), vec![(4, cfi)])
    };
    // DW_OP_bregx.
    let bregx = vec![0x92, sp.0 as u8, 0x80, 0x04];
    // DW_OP_const1s -32, DW_OP_plus: of the CFA, which is on the stack at first.
    let below = vec![0x09, 0xe0, 0x22];
    let size = facts.cfa_minus_sp_at_entry + 8;
    vec![
        one(
            "cfa-loaded",
            "DW_CFA_def_cfa_expression: a CFA from memory.",
            at(CfaRule::Memory { reg: fp, offset: -8 }),
            Cfi::DefCfaExpression(loaded(fp, -8)),
        ),
        one(
            "cfa-loaded-size",
            "DW_OP_deref_size of 8 bytes.",
            at(CfaRule::Memory { reg: fp, offset: -8 }),
            Cfi::DefCfaExpression([sum(fp, -8), vec![0x94, 8]].concat()),
        ),
        one("cfa-bregx", "DW_OP_bregx.", entry.cfa(sp, 512), Cfi::DefCfaExpression(bregx)),
        one(
            "cfa-negative",
            "DW_OP_breg with a negative offset.",
            entry.cfa(fp, -24),
            Cfi::DefCfaExpression(sum(fp, -24)),
        ),
        one(
            "expression",
            "DW_CFA_expression: FP is saved at an address from SP.",
            with(ValueRule::Memory { reg: sp, offset: size }),
            Cfi::Expression(fp, sum(sp, size)),
        ),
        one(
            "expression-of-cfa",
            "DW_CFA_expression begins with the CFA on the stack.",
            with(ValueRule::AtCfa(-32)),
            Cfi::Expression(fp, below.clone()),
        ),
        one(
            "expression-empty",
            "DW_CFA_expression without operations: saved at the CFA.",
            with(ValueRule::AtCfa(0)),
            Cfi::Expression(fp, Vec::new()),
        ),
        one(
            "val-expression",
            "DW_CFA_val_expression: FP is a sum.",
            with(ValueRule::Register { reg: sp, offset: size }),
            Cfi::ValExpression(fp, sum(sp, size)),
        ),
        one(
            "val-expression-of-cfa",
            "DW_CFA_val_expression begins with the CFA on the stack.",
            with(ValueRule::CfaPlus(-32)),
            Cfi::ValExpression(fp, below.clone()),
        ),
        one(
            "val-expression-loaded",
            "DW_CFA_val_expression that loads FP.",
            with(ValueRule::Memory { reg: sp, offset: size }),
            Cfi::ValExpression(fp, loaded(sp, size)),
        ),
        one(
            "expression-of-ra",
            "DW_CFA_expression of the return address.",
            FrameState { ra: ValueRule::Memory { reg: fp, offset: 8 }, ..entry },
            Cfi::Expression(ra, sum(fp, 8)),
        ),
        one(
            "val-expression-of-ra",
            "DW_CFA_val_expression of the return address.",
            FrameState { ra: ValueRule::Register { reg: fp, offset: 16 }, ..entry },
            Cfi::ValExpression(ra, sum(fp, 16)),
        ),
        bench.runs(
            "expression-restored",
            "DW_CFA_restore after DW_CFA_expression.",
            &bench.then(&[with(ValueRule::AtCfa(-32)), entry]),
            vec![(4, Cfi::Expression(fp, below)), (8, Cfi::Restore(fp))],
        ),
        bench.runs(
            "cfa-expression-remembered",
            "A CFA expression is remembered and restored.",
            &bench.then(&[entry.cfa(sp, 512), entry.cfa(fp, 24), entry.cfa(sp, 512)]),
            vec![
                (4, Cfi::DefCfaExpression(sum(sp, 512))),
                (4, Cfi::RememberState),
                (8, Cfi::DefCfa(fp, 24)),
                (12, Cfi::RestoreState),
            ],
        ),
    ]
}

/// The expression of PLT entries (psABI AMD64, as GNU ld writes it): 8 more from byte 11 of 16 on.
fn plt(bench: Bench) -> Draft {
    let rip = bench.abi.facts().ra;
    let test = vec![0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22];
    let expression = [sum(Reg(7), 8), sum(rip, 0), test].concat();
    let entry = bench.entry();
    let frames: Vec<FrameAt> = (0..3_u32)
        .flat_map(|slot| [(16 * slot, entry), (16 * slot + 11, entry.cfa(Reg(7), 16))])
        .map(|(offset, frame)| FrameAt { offset, frame })
        .collect();
    bench.runs("plt", "The CFA of PLT entries, by the PC.", &frames, vec![(0, Cfi::DefCfaExpression(expression))])
}
