//! Remembered states, and signed return addresses.

use types::{Abi, PacKey, ValueRule};

use super::draft::{Bench, Draft, TEXT};
use crate::code::{FrameAt, FrameState};
use crate::eh_frame::{Cfi, Cie};

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = remembered(bench);
    if bench.abi.facts().pointer_authentication {
        all.extend(signed(bench));
    }
    all
}

fn remembered(bench: Bench) -> Vec<Draft> {
    let facts = bench.abi.facts();
    let (sp, fp, entry) = (facts.sp, facts.fp, bench.entry());
    let saved = FrameState { fp: ValueRule::AtCfa(-32), ..entry.cfa(sp, 192) };
    let based = saved.cfa(fp, 208);
    let (offset, cfa) = (Cfi::Offset(fp, -32), Cfi::DefCfaOffset(192));
    let mut all = vec![
        bench.runs(
            "remember",
            "DW_CFA_restore_state restores registers and the CFA.",
            &bench.then(&[saved, entry, saved]),
            vec![
                (4, cfa.clone()),
                (4, offset.clone()),
                (8, Cfi::RememberState),
                (8, Cfi::Restore(fp)),
                (8, Cfi::DefCfa(sp, facts.cfa_minus_sp_at_entry)),
                (12, Cfi::RestoreState),
            ],
        ),
        bench.runs(
            "remember-nested",
            "Two states, restored in reverse order.",
            &bench.then(&[saved, based, entry, based, saved]),
            vec![
                (4, cfa.clone()),
                (4, offset.clone()),
                (8, Cfi::RememberState),
                (8, Cfi::DefCfa(fp, 208)),
                (12, Cfi::RememberState),
                (12, Cfi::Restore(fp)),
                (12, Cfi::DefCfa(sp, facts.cfa_minus_sp_at_entry)),
                (16, Cfi::RestoreState),
                (20, Cfi::RestoreState),
            ],
        ),
        bench.runs(
            "remember-twice",
            "A state that is remembered again after it was restored.",
            &bench.then(&[saved, entry, saved, based, saved]),
            vec![
                (4, cfa.clone()),
                (4, offset.clone()),
                (4, Cfi::RememberState),
                (8, Cfi::Restore(fp)),
                (8, Cfi::DefCfa(sp, facts.cfa_minus_sp_at_entry)),
                (12, Cfi::RestoreState),
                (12, Cfi::RememberState),
                (16, Cfi::DefCfa(fp, 208)),
                (20, Cfi::RestoreState),
            ],
        ),
    ];
    // 40 states, each with another CFA.
    let deep = 40;
    let mut program = Vec::new();
    for level in 0..deep {
        program.push((4, Cfi::RememberState));
        program.push((4, Cfi::DefCfa(sp, 8 * (level + 40))));
    }
    program.push((8, Cfi::Raw([0x0b].repeat(deep as usize - 1))));
    program.push((12, Cfi::RestoreState));
    let most = entry.cfa(sp, 8 * (deep - 1 + 40));
    all.push(bench.runs(
        "remember-deep",
        "40 remembered states.",
        &bench.then(&[most, entry.cfa(sp, 8 * 40), entry]),
        program,
    ));
    // What one function leaves remembered is not another's.
    let left = vec![(4, cfa), (4, offset), (4, Cfi::RememberState)];
    let draft = bench.runs("remember-left", "A state that is never restored.", &bench.then(&[saved]), left);
    all.push(draft.with(TEXT + 0x140, 0x10, &[FrameAt { offset: 0, frame: entry }]));
    all
}

/// DW_CFA_AARCH64_negate_ra_state (DWARF for the Arm 64-bit Architecture, 4.4).
fn signed(bench: Bench) -> Vec<Draft> {
    let entry = bench.entry();
    let signed = FrameState { signed: true, ..entry };
    let facts = bench.abi.facts();
    let saved = FrameState { signed: true, ..bench.saved() }.cfa(facts.sp, 32);
    let saves = |at: u64| match (saved.ra, saved.fp) {
        (ValueRule::AtCfa(ra), ValueRule::AtCfa(fp)) => {
            vec![(at, Cfi::DefCfaOffset(32)), (at, Cfi::Offset(facts.ra, ra)), (at, Cfi::Offset(facts.fp, fp))]
        }
        _ => Vec::new(),
    };
    let key_b = |draft: Draft| {
        draft.edited(|draft| {
            draft.spec.cies.iter_mut().for_each(|cie| cie.key = PacKey::B);
            draft.known.iter_mut().for_each(|known| known.key = PacKey::B);
        })
    };
    let simple = |name: &str, about: &str| {
        let program = vec![(4, Cfi::NegateRaState), (8, Cfi::NegateRaState)];
        bench.runs(name, about, &bench.then(&[signed, entry]), program)
    };
    let mut all = vec![
        simple("negate", "DW_CFA_AARCH64_negate_ra_state, on and off."),
        key_b(simple("negate-key-b", "The same with key B.")),
        bench.runs(
            "negate-saved",
            "A signed return address that is saved.",
            &bench.then(&[signed, saved]),
            [vec![(4, Cfi::NegateRaState)], saves(8)].concat(),
        ),
        bench.runs(
            "negate-remembered",
            "The state of the signature is remembered and restored.",
            &bench.then(&[signed, entry, signed]),
            vec![(4, Cfi::NegateRaState), (4, Cfi::RememberState), (8, Cfi::NegateRaState), (12, Cfi::RestoreState)],
        ),
        bench.runs(
            "negate-twice",
            "Two DW_CFA_AARCH64_negate_ra_state at one address cancel each other.",
            &bench.then(&[signed, signed]),
            vec![(4, Cfi::NegateRaState), (8, Cfi::NegateRaState), (8, Cfi::NegateRaState)],
        ),
    ];
    let mut initial = Cie::plain(bench.abi);
    initial.initial.push(Cfi::NegateRaState);
    let draft = bench.empty("negate-in-cie", "The CIE's instructions mark the return address as signed.");
    let draft = draft.edited(|draft| draft.spec.cies = vec![initial]);
    let frames = [FrameAt { offset: 0, frame: signed }, FrameAt { offset: 4, frame: entry }];
    all.push(draft.function(TEXT + 0x100, 0x30, &frames, vec![(4, Cfi::NegateRaState)]));
    if bench.abi == Abi::Aarch64 {
        all.push(key_b(bench.two("key-b-unsigned", "Key B, and the return address is not signed.")));
    }
    all
}
