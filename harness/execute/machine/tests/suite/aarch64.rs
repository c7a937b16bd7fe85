//! Frames of hand-made AArch64 code, in both byte orders: instructions are the same, data is not.
//! Each listing is frozen machine code, as instruction words, with its disassembly.

use crate::common;

use crate::common::trace::{Trace, trace, words};
use crate::common::{CODE, program};
use machine::{End, Reason};
use types::{Abi, PacKey, Pc, Reg, RegFile};

/// Runs the code in both byte orders and checks each.
pub(crate) fn aarch64(code: &str, check: impl Fn(&Trace)) {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        check(&trace(abi, &words(code)));
    }
}

#[test]
fn calls_tail_calls_and_returns_by_any_register() {
    let code = "
        94000006             ;  0: bl 18
        10000190             ;  4: adr x16, 34
        d63f0200             ;  8: blr x16
        94000001             ;  c: bl 10
        d2800ba8             ; 10: movz x8, #0x5d
        d4000001             ; 14: svc #0x0
                             ; f:
        a9bf7bfd             ; 18: stp x29, x30, [sp, #-16]!
        910003fd             ; 1c: add x29, sp, #0x0
        94000003             ; 20: bl 2c
        a8c17bfd             ; 24: ldp x29, x30, [sp], #16
        d65f03c0             ; 28: ret
                             ; g:
        14000002             ; 2c: b 34
        00000000             ; 30: udf #0
                             ; h:
        aa1e03e1             ; 34: mov x1, x30
        d280001e             ; 38: movz x30, #0x0
        d61f0020             ; 3c: br x1";
    aarch64(code, |trace| {
        trace.assert_path(
            "0 0 entry
             18 1 call
             1c 1
             20 1
             2c 2 call
             34 2 jump
             38 2
             3c 2
             24 1 return
             28 1
             4 0 return
             8 0
             34 1 call
             38 1
             3c 1
             c 0 return
             10 0
             14 0",
        );
        assert_eq!((&trace.run.end, trace.run.max_depth), (&End::Exit(0), 2));
        let sp = trace.steps[0].sp;
        let [outer, inner] = trace.visit(0x34, 0).frames[..] else { panic!("two frames") };
        assert_eq!((outer.ra, outer.cfa, outer.fp), (Pc(CODE + 4), sp, 0));
        assert_eq!((inner.ra, inner.cfa, inner.fp), (Pc(CODE + 0x24), sp - 16, sp - 16));
    });
}

#[test]
fn recursion_tells_its_activations_by_sp() {
    let code = "
        52800040             ;  0: movz w0, #0x2
        94000003             ;  4: bl 10
        d2800ba8             ;  8: movz x8, #0x5d
        d4000001             ;  c: svc #0x0
        71000400             ; 10: subs w0, w0, #0x1
        54000080             ; 14: b.eq 24
        f81f0ffe             ; 18: str x30, [sp, #-16]!
        97fffffd             ; 1c: bl 10
        f84107fe             ; 20: ldr x30, [sp], #16
        d65f03c0             ; 24: ret";
    aarch64(code, |trace| {
        trace.assert_path(
            "0 0 entry
             4 0
             10 1 call
             14 1
             18 1
             1c 1
             10 2 call
             14 2
             24 2 jump
             20 1 return
             24 1
             8 0 return
             c 0",
        );
    });
}

#[test]
fn a_longjmp_lands_where_sp_equals_the_cfa_of_the_frame_it_abandons() {
    let code = "
        94000003             ;  0: bl c
        d2800ba8             ;  4: movz x8, #0x5d
        d4000001             ;  8: svc #0x0
                             ; F:
        a9bf7bfd             ;  c: stp x29, x30, [sp, #-16]!
        d2a00c14             ; 10: movz x20, #0x60, lsl #16
        94000006             ; 14: bl 2c
        b5000060             ; 18: cbnz x0, 24
        94000008             ; 1c: bl 3c
        00000000             ; 20: udf #0
        a8c17bfd             ; 24: ldp x29, x30, [sp], #16
        d65f03c0             ; 28: ret
                             ; setjmp:
        910003e2             ; 2c: mov x2, sp
        a9000a9e             ; 30: stp x30, x2, [x20]
        d2800000             ; 34: movz x0, #0x0
        d65f03c0             ; 38: ret
                             ; g, which uses no stack:
        aa1e03f3             ; 3c: mov x19, x30
        94000002             ; 40: bl 48
        00000000             ; 44: udf #0
                             ; longjmp:
        a9400a9e             ; 48: ldp x30, x2, [x20]
        9100005f             ; 4c: mov sp, x2
        d2800020             ; 50: movz x0, #0x1
        d61f03c0             ; 54: br x30";
    aarch64(code, |trace| {
        trace.assert_path(
            "0 0 entry
             c 1 call
             10 1
             14 1
             2c 2 call
             30 2
             34 2
             38 2
             18 1 return
             1c 1
             3c 2 call
             40 2
             48 3 call
             4c 3
             50 3
             54 3
             18 1 unwound
             24 1 jump
             28 1
             4 0 return
             8 0",
        );
        let landed = trace.visit(0x18, 1).sp;
        let abandoned = &trace.visit(0x54, 0).frames;
        assert_eq!((abandoned[1].cfa, abandoned[2].cfa), (landed, landed), "the case this test is about");
    });
}

#[test]
fn a_throw_ends_the_call_it_came_from() {
    let code = "
        94000003             ;  0: bl c
        d2800ba8             ;  4: movz x8, #0x5d
        d4000001             ;  8: svc #0x0
                             ; F:
        a9bf7bfd             ;  c: stp x29, x30, [sp, #-16]!
        94000004             ; 10: bl 20
        00000000             ; 14: udf #0
        a8c17bfd             ; 18: ldp x29, x30, [sp], #16 (landing pad)
        d65f03c0             ; 1c: ret
                             ; g:
        a9bf7bfd             ; 20: stp x29, x30, [sp, #-16]!
        94000002             ; 24: bl 2c
        00000000             ; 28: udf #0
                             ; h, as eh_return does:
        d10083ff             ; 2c: sub sp, sp, #0x20
        10ffff45             ; 30: adr x5, 18
        9100c3ff             ; 34: add sp, sp, #0x30
        d61f00a0             ; 38: br x5";
    aarch64(code, |trace| {
        trace.assert_path(
            "0 0 entry
             c 1 call
             10 1
             20 2 call
             24 2
             2c 3 call
             30 3
             34 3
             38 3
             18 1 unwound
             1c 1
             4 0 return
             8 0",
        );
    });
}

/// As clang outlines an allocation on the stack at -Oz.
#[test]
fn a_callee_may_return_with_stack_kept_for_its_caller() {
    let code = "
        94000003             ;  0: bl c
        d2800ba8             ;  4: movz x8, #0x5d
        d4000001             ;  8: svc #0x0
                             ; f:
        a9bf7bfd             ;  c: stp x29, x30, [sp, #-16]!
        910003fd             ; 10: add x29, sp, #0x0
        94000005             ; 14: bl 28
        d503201f             ; 18: nop
        910003bf             ; 1c: add sp, x29, #0x0
        a8c17bfd             ; 20: ldp x29, x30, [sp], #16
        d65f03c0             ; 24: ret
                             ; outlined:
        d10083ff             ; 28: sub sp, sp, #0x20
        d65f03c0             ; 2c: ret";
    aarch64(code, |trace| {
        trace.assert_path(
            "0 0 entry
             c 1 call
             10 1
             14 1
             28 2 call
             2c 2
             18 1 return
             1c 1
             20 1
             24 1
             4 0 return
             8 0",
        );
        assert_eq!(trace.visit(0x18, 0).sp + 32, trace.visit(0x14, 0).sp, "the case this test is about");
        assert_eq!(trace.run.end, End::Exit(0));
    });
}

/// As GCC 16 expands __builtin_longjmp where the guarded control stack may be in use.
#[test]
fn a_longjmp_may_branch_before_it_lands() {
    let code = "
        94000003             ;  0: bl c
        d2800ba8             ;  4: movz x8, #0x5d
        d4000001             ;  8: svc #0x0
                             ; F:
        a9bf7bfd             ;  c: stp x29, x30, [sp, #-16]!
        94000004             ; 10: bl 20
        00000000             ; 14: udf #0
        a8c17bfd             ; 18: ldp x29, x30, [sp], #16 (where it lands)
        d65f03c0             ; 1c: ret
                             ; g:
        a9bf7bfd             ; 20: stp x29, x30, [sp, #-16]!
        94000002             ; 24: bl 2c
        00000000             ; 28: udf #0
                             ; h:
        d10083ff             ; 2c: sub sp, sp, #0x20
        10ffff45             ; 30: adr x5, 18
        9100c3ff             ; 34: add sp, sp, #0x30
        b400005f             ; 38: cbz xzr, 40
        00000000             ; 3c: udf #0
        d61f00a0             ; 40: br x5";
    aarch64(code, |trace| {
        trace.assert_path(
            "0 0 entry
             c 1 call
             10 1
             20 2 call
             24 2
             2c 3 call
             30 3
             34 3
             38 3
             40 3 jump
             18 1 unwound
             1c 1
             4 0 return
             8 0",
        );
    });
}

#[test]
fn jumps_of_a_leaf_that_uses_no_stack_end_nothing() {
    let code = "
        52800041             ;  0: movz w1, #0x2
        94000004             ;  4: bl 14
        94000004             ;  8: bl 18
        d2800ba8             ;  c: movz x8, #0x5d
        d4000001             ; 10: svc #0x0
        d65f03c0             ; 14: ret
        71000421             ; 18: subs w1, w1, #0x1
        54ffffe1             ; 1c: b.ne 18
        d65f03c0             ; 20: ret";
    aarch64(code, |trace| {
        trace.assert_path(
            "0 0 entry
             4 0
             14 1 call
             8 0 return
             18 1 call
             1c 1
             18 1 jump
             1c 1
             20 1
             c 0 return
             10 0",
        );
    });
}

#[test]
fn a_function_called_alone_returns_to_the_sentinel() {
    // paciasp; stp x29, x30, [sp, #-16]!; ldp x29, x30, [sp], #16; retaa
    let image = program(Abi::Aarch64, &words("d503233f a9bf7bfd a8c17bfd d65f0bff"));
    let trace = common::trace::call(&image, 0);
    trace.assert_path(
        "0 1 entry
         4 1
         8 1
         c 1",
    );
    assert_eq!(trace.run.end, End::Sentinel);
    let (first, signed) = (&trace.steps[0], &trace.steps[1]);
    assert_eq!(first.registers.read(Reg(30)), Some(first.frames[0].ra.0));
    assert_eq!((first.frames[0].cfa, signed.frames[0].signed_by), (first.sp, Some(PacKey::A)));
}

/// The top byte of a data address is ignored, as under Linux; an address of more than 48 bits is a
/// fault, whose message has the address.
#[test]
fn tagged_pointers_reach_memory() {
    // movz x1, #0x60, lsl #16; movk x1, #TAG, lsl #48; movz x2, #42; str x2, [x1, #8];
    // and x1, x1, #0xffffffff; ldr x0, [x1, #8]; movz x8, #93; svc #0
    let code = |tag: &str| format!("d2a00c01 {tag} d2800542 f9000422 92407c21 f9400420 d2800ba8 d4000001");
    for tag in ["f2eb4001", "f2ffe001"] {
        aarch64(&code(tag), |trace| assert_eq!(trace.run.end, End::Exit(42)));
    }
    aarch64(&code("f2eb4021"), |trace| {
        let End::Undecided { reason, pc, message } = &trace.run.end else { panic!("{:?}", trace.run.end) };
        assert_eq!((*reason, *pc), (Reason::Fault, Pc(CODE + 12)));
        assert!(message.contains("0x5a01000000600008 (not mapped)"), "{message}");
    });
}
