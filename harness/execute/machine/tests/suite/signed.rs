//! Signed return addresses of AArch64 code: the key, the value and when they hold.

use crate::aarch64::aarch64;
use crate::common::CODE;
use crate::common::trace::{trace, words};
use machine::{End, Reason};
use types::{Abi, PacKey, Pc, Reg, RegFile};

const SIGNED: &str = "
        94000008             ;  0: bl 20
        9400000e             ;  4: bl 3c
        94000013             ;  8: bl 54
        94000015             ;  c: bl 60
        9400001a             ; 10: bl 78
        9400001c             ; 14: bl 84
        d2800ba8             ; 18: movz x8, #0x5d
        d4000001             ; 1c: svc #0x0
                             ; f:
        d503233f             ; 20: paciasp
        a9bf7bfd             ; 24: stp x29, x30, [sp, #-16]!
        94000004             ; 28: bl 38
        a8c17bfd             ; 2c: ldp x29, x30, [sp], #16
        d50323bf             ; 30: autiasp
        d65f03c0             ; 34: ret
        d65f03c0             ; 38: ret
                             ; g:
        d503237f             ; 3c: pacibsp
        a9bf7bfd             ; 40: stp x29, x30, [sp, #-16]!
        f94007fe             ; 44: ldr x30, [sp, #8]
        d50320ff             ; 48: xpaclri
        a8c17bfd             ; 4c: ldp x29, x30, [sp], #16
        d65f0fff             ; 50: retab
                             ; h:
        dac103fe             ; 54: pacia x30, sp
        d50320ff             ; 58: xpaclri
        d65f03c0             ; 5c: ret
                             ; k:
        d503235f             ; 60: pacibz
        aa1e03e1             ; 64: mov x1, x30
        d50320ff             ; 68: xpaclri
        aa0103fe             ; 6c: mov x30, x1
        d50323df             ; 70: autibz
        d65f03c0             ; 74: ret
                             ; m:
        d503233f             ; 78: paciasp
        d503201f             ; 7c: nop
        d65f0bff             ; 80: retaa
                             ; p:
        aa1e03f1             ; 84: mov x17, x30
        910003f0             ; 88: mov x16, sp
        d503211f             ; 8c: pacia1716
        d503219f             ; 90: autia1716
        aa1e03e1             ; 94: mov x1, x30
        d280001e             ; 98: movz x30, #0x0
        d503233f             ; 9c: paciasp
        aa0103fe             ; a0: mov x30, x1
        d65f03c0             ; a4: ret";

/// Offset of an instruction, and the key that the return address of the executing function is
/// signed with before it.
const STATES: [(u64, Option<PacKey>); 27] = {
    use PacKey::{A, B};
    [
        (0x20, None),
        (0x24, Some(A)),
        (0x28, Some(A)),
        // The callee of `f` has a return address of its own.
        (0x38, None),
        (0x2c, Some(A)),
        (0x30, Some(A)),
        (0x34, None),
        (0x3c, None),
        (0x40, Some(B)),
        (0x44, Some(B)),
        // A copy is stripped; `g` returns with the one on the stack.
        (0x4c, Some(B)),
        (0x50, Some(B)),
        (0x58, Some(A)),
        // The only copy is stripped.
        (0x5c, None),
        (0x64, Some(B)),
        // Another register keeps the signed value.
        (0x6c, Some(B)),
        (0x70, Some(B)),
        (0x74, None),
        (0x7c, Some(A)),
        (0x80, Some(A)),
        // X17 is not the link register; the value signed at 9c is not the return address.
        (0x84, None),
        (0x90, None),
        (0x94, None),
        (0x9c, None),
        (0xa0, None),
        (0xa4, None),
        (0x54, None),
    ]
};

#[test]
fn signing_is_witnessed_with_key_and_value() {
    aarch64(SIGNED, |trace| {
        assert_eq!(trace.run.end, End::Exit(0), "every authentication succeeds");
        for (offset, key) in STATES {
            let frame = trace.visit(offset, 0).frames.last().expect("a frame");
            assert_eq!(frame.signed_by, key, "{offset:#x}");
            assert_eq!(frame.raw_ra != frame.ra.0, key.is_some(), "{offset:#x}: raw {:#x}", frame.raw_ra);
            assert_eq!(frame.raw_ra & Abi::Aarch64.facts().address_mask, frame.ra.0, "{offset:#x}");
        }
        // The value equals the one that LR held after signing, and the stored one.
        for signed in [0x24, 0x40, 0x58, 0x64, 0x7c] {
            let step = trace.visit(signed, 0);
            assert_eq!(step.registers.read(Reg(30)), step.frames.last().map(|frame| frame.raw_ra), "{signed:#x}");
        }
    });
}

/// `PACM` is a no-op here, and the signature after it uses the PC. An authentication of the copy in
/// the link register leaves the one on the stack signed.
#[test]
fn pacm_and_authenticated_copies_are_witnessed() {
    let code = "
        94000003             ;  0: bl c
        d2800ba8             ;  4: movz x8, #0x5d
        d4000001             ;  8: svc #0x0
        d50324ff             ;  c: pacm
        d503237f             ; 10: pacibsp
        910003f0             ; 14: mov x16, sp
        a9bf7bfd             ; 18: stp x29, x30, [sp, #-16]!
        dac1161e             ; 1c: autib x30, x16
        d503201f             ; 20: nop
        a8c17bfd             ; 24: ldp x29, x30, [sp], #16
        d50324ff             ; 28: pacm
        d50323ff             ; 2c: autibsp
        d65f03c0             ; 30: ret";
    aarch64(code, |trace| {
        assert_eq!(trace.run.end, End::Exit(0));
        let states = [0x10, 0x14, 0x18, 0x1c, 0x20, 0x24, 0x28, 0x2c, 0x30].map(|offset| {
            let frame = trace.visit(offset, 0).frames.last().expect("a frame");
            (frame.signed_by, frame.signed_with_pc)
        });
        let signed = (Some(PacKey::B), true);
        assert_eq!(states, [(None, false), signed, signed, signed, signed, signed, signed, signed, (None, false)]);
    });
}

#[test]
fn the_keys_differ() {
    // The same return address and SP, signed with either key: `paciasp` and `pacibsp` at the same
    // address.
    let sign = |hint: &str| {
        let code = format!("94000003 d2800ba8 d4000001 {hint} d65f0bff");
        trace(Abi::Aarch64, &words(&code)).visit(0x10, 0).frames[0].raw_ra
    };
    let (a, b) = (sign("d503233f"), sign("d503237f"));
    assert_ne!(a, b);
    assert_eq!(a, sign("d503233f"), "signing repeats");
}

#[test]
fn a_failed_authentication_ends_the_run_and_leaves_the_frame_signed() {
    let code = "
        94000003             ;  0: bl c
        d2800ba8             ;  4: movz x8, #0x5d
        d4000001             ;  8: svc #0x0
        d503233f             ;  c: paciasp
        d50323ff             ; 10: autibsp
        d65f03c0             ; 14: ret";
    aarch64(code, |trace| {
        assert_eq!(trace.visit(0x14, 0).frames[0].signed_by, Some(PacKey::A));
        let End::Undecided { reason, pc, .. } = &trace.run.end else { panic!("{:?}", trace.run.end) };
        assert_eq!((*reason, *pc), (Reason::Fault, Pc(CODE + 0x14)));
    });
}
