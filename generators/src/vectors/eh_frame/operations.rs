//! Each call frame instruction in each of its forms (DWARF 5, 6.4.2 and 7.24; LSB 10.5.2).

use types::{Reg, ValueRule};

use super::draft::{Bench, Draft, FIRST, TEXT};
use crate::arch::target;
use crate::bytes::Bytes;
use crate::code::{FrameAt, FrameState, changes};
use crate::eh_frame::{ABSPTR, Cfi, Factors, Letter};

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = advances(bench);
    all.extend(cfas(bench));
    all.extend(saved(bench));
    all.extend(without_effect(bench));
    all
}

/// An instruction with operands of one byte.
fn raw(bytes: &[u8]) -> Cfi {
    Cfi::Raw(bytes.to_vec())
}

/// Advances in each width.
fn advances(bench: Bench) -> Vec<Draft> {
    let code = target(bench.abi).code_alignment;
    let size = 64 * code as u32;
    let far = |name: &str, about: &str, offset: u32| {
        let mut frames = bench.frames();
        frames[2].offset = offset;
        let mut draft = bench.empty(name, about).with(TEXT + FIRST.0, offset + 0x10, &frames);
        draft.text.1 = TEXT + FIRST.0 + u64::from(offset) + 0x1000;
        draft.address = (draft.text.1 + 0xfff) & !0xfff;
        draft
    };
    let mut all = vec![
        far("advance-most-in-place", "DW_CFA_advance_loc by 63 units.", 4 + size - code as u32),
        far("advance-byte", "DW_CFA_advance_loc1, 64 units.", 4 + size),
        far("advance-byte-most", "DW_CFA_advance_loc1, 255 units: the operand is unsigned.", 4 + 255 * code as u32),
        far("advance-half", "DW_CFA_advance_loc2, 256 units.", 4 + 256 * code as u32),
        far("advance-half-most", "DW_CFA_advance_loc2, 65535 units: the operand is unsigned.", 4 + 65535 * code as u32),
        far("advance-word", "DW_CFA_advance_loc4, 65536 units.", 4 + 65536 * code as u32),
    ];
    // The same advance by 4 bytes in forms that are wider than necessary.
    let order = bench.abi.facts().order;
    for (name, opcode, width) in [("byte", 0x02, 1), ("half", 0x03, 2), ("word", 0x04, 4)] {
        let mut advance = Bytes::new(order);
        advance.u8(opcode);
        advance.low_bytes(4 / code, width);
        let sp = bench.abi.facts().sp;
        let frame = bench.entry().cfa(sp, bench.abi.facts().cfa_minus_sp_at_entry + 16);
        let program = vec![(0, Cfi::Raw(advance.finish())), (0, change(bench, frame))];
        let about = format!("DW_CFA_advance_loc{width} by 4 bytes.");
        all.push(bench.runs(&format!("advance-{name}-small"), &about, &bench.then(&[frame]), program));
    }
    let frame = bench.entry().cfa(bench.abi.facts().sp, bench.abi.facts().cfa_minus_sp_at_entry + 16);
    let nothing = vec![(4, change(bench, frame)), (4, raw(&[0x40])), (4, raw(&[0x02, 0])), (4, Cfi::GnuArgsSize(0))];
    all.push(bench.runs("advance-by-nothing", "Advances by 0 units.", &bench.then(&[frame]), nothing));
    // DW_CFA_set_loc takes an address; without an R letter it is absolute, of 8 bytes.
    let mut set = Bytes::new(order);
    set.u8(0x01);
    set.low_bytes(TEXT + FIRST.0 + 4, 8);
    let program = vec![(0, Cfi::Raw(set.finish())), (0, change(bench, frame))];
    let draft = bench.runs("set-loc", "DW_CFA_set_loc with an absolute address.", &bench.then(&[frame]), program);
    all.push(draft.written(|form| form.letters = Some(vec![Letter::Pointers(ABSPTR)])));
    all
}

/// The instruction that leads from the entry to a frame with another offset.
fn change(bench: Bench, frame: FrameState) -> Cfi {
    let made = changes(bench.abi, &[FrameAt { offset: 0, frame }]).unwrap_or_default();
    made.into_iter().next().map_or(Cfi::Raw(Vec::new()), |(_, cfi)| cfi)
}

/// CFA definitions.
fn cfas(bench: Bench) -> Vec<Draft> {
    let facts = bench.abi.facts();
    let (sp, fp, at_entry) = (facts.sp, facts.fp, facts.cfa_minus_sp_at_entry);
    let entry = bench.entry();
    let high = Reg(match bench.abi {
        types::Abi::Amd64 => 10,
        types::Abi::Aarch64 | types::Abi::Aarch64Be => 9,
        types::Abi::S390x => 1,
    });
    let factored = |offset: i64| (offset / -8) as i8 as u8 & 0x7f;
    let small = if at_entry > 100 { at_entry } else { 24 };
    let mut all = vec![
        bench.runs(
            "def-cfa",
            "DW_CFA_def_cfa with another register and offset.",
            &bench.then(&[entry.cfa(fp, 16)]),
            vec![(4, Cfi::DefCfa(fp, 16))],
        ),
        bench.runs(
            "def-cfa-scratch",
            "A CFA based on a register that calls do not preserve.",
            &bench.then(&[entry.cfa(high, 48)]),
            vec![(4, Cfi::DefCfa(high, 48))],
        ),
        bench.runs(
            "def-cfa-negative",
            "DW_CFA_def_cfa_sf: a CFA below its register.",
            &bench.then(&[entry.cfa(fp, -16)]),
            vec![(4, Cfi::DefCfa(fp, -16))],
        ),
        bench.runs(
            "def-cfa-offset-negative",
            "DW_CFA_def_cfa_offset_sf: a CFA below its register.",
            &bench.then(&[entry.cfa(fp, 8), entry.cfa(fp, -32)]),
            vec![(4, Cfi::DefCfa(fp, 8)), (8, Cfi::DefCfaOffset(-32))],
        ),
        bench.runs(
            "def-cfa-register",
            "DW_CFA_def_cfa_register keeps the offset.",
            &bench.then(&[entry.cfa(fp, at_entry), entry.cfa(sp, at_entry)]),
            vec![(4, Cfi::DefCfaRegister(fp)), (8, Cfi::DefCfaRegister(sp))],
        ),
        bench.runs(
            "def-cfa-wide",
            "A CFA offset of 4 LEB128 bytes.",
            &bench.then(&[entry.cfa(sp, 0x20_0000)]),
            vec![(4, Cfi::DefCfaOffset(0x20_0000))],
        ),
        bench.runs(
            "def-cfa-padded-leb",
            "Operands with redundant LEB128 bytes.",
            &bench.then(&[entry.cfa(fp, 24)]),
            vec![(4, raw(&[0x0c, fp.0 as u8 | 0x80, 0x80, 0, 0x98, 0x80, 0x80, 0]))],
        ),
    ];
    if facts.link_register {
        // The return address that a call pushed would be below SP.
        all.push(bench.runs(
            "def-cfa-zero",
            "A CFA of SP+0.",
            &bench.then(&[entry.cfa(sp, 0)]),
            vec![(4, Cfi::DefCfaOffset(0))],
        ));
    }
    if small <= 0x1ff {
        all.push(bench.runs(
            "def-cfa-sf-positive",
            "DW_CFA_def_cfa_sf: a negative operand times the negative factor.",
            &bench.then(&[entry.cfa(fp, 24)]),
            vec![(4, raw(&[0x12, fp.0 as u8, factored(24)]))],
        ));
        all.push(bench.runs(
            "def-cfa-offset-sf-positive",
            "DW_CFA_def_cfa_offset_sf: a negative operand times the negative factor.",
            &bench.then(&[entry.cfa(sp, 176)]),
            vec![(4, raw(&[0x13, factored(176)]))],
        ));
    }
    for (name, factor) in [("four", -4), ("one", 1), ("minus-one", -1), ("sixteen", -16)] {
        let frames = bench.then(&[entry.cfa(fp, -32), FrameState { fp: ValueRule::AtCfa(-64), ..entry.cfa(fp, -32) }]);
        let draft = bench
            .runs(
                &format!("data-factor-{name}"),
                &format!("A data alignment factor of {factor}."),
                &frames,
                vec![(4, Cfi::DefCfa(fp, -32)), (8, Cfi::Offset(fp, -64))],
            )
            .written(|form| form.factors.data = factor);
        all.push(match facts.link_register {
            true => draft,
            // The CIE's rule of the return address is at CFA-8.
            false if factor == -16 => continue,
            false => draft,
        });
    }
    for factor in [1, 2, 4] {
        let frames = bench.frames();
        let draft = bench.two(&format!("code-factor-{factor}"), &format!("A code alignment factor of {factor}."));
        assert_eq!(draft.known[0].frames, frames);
        all.push(draft.written(|form| form.factors = Factors { code: factor, ..form.factors }));
    }
    all
}

/// Rules of registers.
fn saved(bench: Bench) -> Vec<Draft> {
    let facts = bench.abi.facts();
    let (fp, ra, entry) = (facts.fp, facts.ra, bench.entry());
    let number = fp.0 as u8;
    let with = |fp| FrameState { fp, ..entry };
    let other = Reg(match bench.abi {
        types::Abi::Amd64 => 12,
        types::Abi::Aarch64 | types::Abi::Aarch64Be => 20,
        types::Abi::S390x => 8,
    });
    let at = ValueRule::AtCfa;
    vec![
        bench.runs("offset", "DW_CFA_offset.", &bench.then(&[with(at(-32))]), vec![(4, Cfi::Offset(fp, -32))]),
        bench.runs(
            "offset-extended",
            "DW_CFA_offset_extended of a register below 64.",
            &bench.then(&[with(at(-32))]),
            vec![(4, raw(&[0x05, number, 4]))],
        ),
        bench.runs(
            "offset-extended-sf",
            "DW_CFA_offset_extended_sf, positive.",
            &bench.then(&[with(at(-32))]),
            vec![(4, raw(&[0x11, number, 4]))],
        ),
        bench.runs(
            "offset-above",
            "DW_CFA_offset_extended_sf of a slot above the CFA.",
            &bench.then(&[with(at(16))]),
            vec![(4, Cfi::Offset(fp, 16))],
        ),
        bench.runs(
            "offset-at-cfa",
            "A slot at the CFA itself.",
            &bench.then(&[with(at(0))]),
            vec![(4, Cfi::Offset(fp, 0))],
        ),
        bench.runs(
            "offset-far",
            "A slot 1 MiB below the CFA.",
            &bench.then(&[with(at(-0x10_0000))]),
            vec![(4, Cfi::Offset(fp, -0x10_0000))],
        ),
        bench.runs(
            "negative-offset-extended",
            "DW_CFA_GNU_negative_offset_extended: the offset is subtracted.",
            &bench.then(&[with(at(16))]),
            vec![(4, raw(&[0x2f, number, 2]))],
        ),
        bench.runs(
            "val-offset",
            "DW_CFA_val_offset.",
            &bench.then(&[with(ValueRule::CfaPlus(-32))]),
            vec![(4, Cfi::ValOffset(fp, -32))],
        ),
        bench.runs(
            "val-offset-sf",
            "DW_CFA_val_offset_sf.",
            &bench.then(&[with(ValueRule::CfaPlus(32))]),
            vec![(4, Cfi::ValOffset(fp, 32))],
        ),
        bench.runs(
            "register",
            "DW_CFA_register: FP is in another register.",
            &bench.then(&[with(ValueRule::Register { reg: other, offset: 0 })]),
            vec![(4, Cfi::Register(fp, other))],
        ),
        bench.runs(
            "register-of-ra",
            "DW_CFA_register: the return address is in another register.",
            &bench.then(&[FrameState { ra: ValueRule::Register { reg: other, offset: 0 }, ..entry }]),
            vec![(4, Cfi::Register(ra, other))],
        ),
        bench.runs(
            "offset-of-ra",
            "DW_CFA_offset: the return address is saved.",
            &bench.then(&[FrameState { ra: at(-48), ..entry }]),
            vec![(4, Cfi::Offset(ra, -48))],
        ),
        bench.runs(
            "same-value",
            "DW_CFA_same_value after a rule.",
            &bench.then(&[with(at(-32)), entry]),
            vec![(4, Cfi::Offset(fp, -32)), (8, Cfi::SameValue(fp))],
        ),
        bench.runs(
            "undefined-ra",
            "DW_CFA_undefined of the return address: the frame has no caller.",
            &bench.then(&[entry.outermost()]),
            vec![(4, Cfi::Undefined(ra))],
        ),
        bench.runs(
            "undefined-ra-restored",
            "DW_CFA_restore of a return address that was undefined.",
            &bench.then(&[entry.outermost(), entry]),
            vec![(4, Cfi::Undefined(ra)), (8, Cfi::Restore(ra))],
        ),
        bench.runs(
            "restore",
            "DW_CFA_restore.",
            &bench.then(&[with(at(-32)), entry]),
            vec![(4, Cfi::Offset(fp, -32)), (8, Cfi::Restore(fp))],
        ),
        bench.runs(
            "restore-extended",
            "DW_CFA_restore_extended.",
            &bench.then(&[with(at(-32)), entry]),
            vec![(4, Cfi::Offset(fp, -32)), (8, raw(&[0x06, number]))],
        ),
        bench.runs(
            "twice",
            "The last of two rules at one address applies.",
            &bench.then(&[with(at(-32))]),
            vec![(4, Cfi::Offset(fp, -16)), (4, Cfi::SameValue(fp)), (4, Cfi::Offset(fp, -32))],
        ),
        bench.runs(
            "other-registers",
            "Rules of registers above 63, which no answer depends on.",
            &bench.then(&[with(at(-32))]),
            vec![(4, Cfi::Offset(fp, -32)), (4, Cfi::Offset(Reg(66), -48)), (8, Cfi::Restore(Reg(66)))],
        ),
    ]
}

/// Instructions that change no rule.
fn without_effect(bench: Bench) -> Vec<Draft> {
    let fp = bench.abi.facts().fp;
    let frames = bench.then(&[FrameState { fp: ValueRule::AtCfa(-32), ..bench.entry() }]);
    let offset = Cfi::Offset(fp, -32);
    vec![
        bench.runs(
            "nops",
            "DW_CFA_nop between instructions.",
            &frames,
            vec![(0, raw(&[0; 5])), (4, raw(&[0])), (4, offset.clone()), (8, raw(&[0]))],
        ),
        bench.runs(
            "args-size",
            "DW_CFA_GNU_args_size does not change the CFA.",
            &frames,
            vec![(4, Cfi::GnuArgsSize(4096)), (4, offset), (8, Cfi::GnuArgsSize(0))],
        ),
    ]
}
