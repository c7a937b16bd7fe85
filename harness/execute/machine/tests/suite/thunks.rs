//! Frames of AMD64 code that calls and returns through thunks: retpolines, return thunks, calls of
//! the next instruction.

use std::ops::Range;

use machine::Plan;
use types::{Abi, Event, Symbol};

use crate::amd64::amd64;
use crate::common::trace::{Trace, follow, trace, words};
use crate::common::{CODE, hex, program};

/// Runs code that has a symbol for one function.
fn trace_in(abi: Abi, code: &[u8], function: Range<u64>) -> Trace {
    let mut image = program(abi, code);
    image.symbols.push(Symbol {
        name: "f".into(),
        address: CODE + function.start,
        size: function.end - function.start,
        function: true,
        local: false,
        section: None,
    });
    follow(&Plan { step_limit: 10_000, stack_size: 64 << 10, ..Plan::new(&image) })
}

#[test]
fn a_call_of_a_thunk_is_no_call() {
    let trace = amd64(
        "e801000000           ;  0: call 6
         f4                   ;  5: hlt
         e804000000           ;  6: call f
         f390                 ;  b: pause
         ebfc                 ;  d: jmp b
         488d642408           ;  f: lea 0x8(%rsp),%rsp
         488d050d000000       ; 14: lea 0xd(%rip),%rax # 28
         e802000000           ; 1b: call 22
         ebfe                 ; 20: jmp 20
         90                   ; 22: nop
         48890424             ; 23: mov %rax,(%rsp)
         c3                   ; 27: ret
         c3                   ; 28: ret",
    );
    trace.assert_path(
        "0 0 entry
         6 1 call
         f 1 jump
         14 1
         1b 1
         22 1 jump
         23 1
         27 1
         28 1
         5 0 return",
    );
}

/// A function that ends in a jump to a thunk, which calls code that drops the return address of
/// that call: Linux's `srso_return_thunk` and `srso_safe_ret`.
#[test]
fn a_return_through_a_thunk_that_calls_is_one_return() {
    let trace = amd64(
        "e801000000           ;  0: call 6
         f4                   ;  5: hlt
         eb02                 ;  6: jmp a
         ebfe                 ;  8: jmp 8
         e802000000           ;  a: call 11
         0f0b                 ;  f: ud2
         488d642408           ; 11: lea 0x8(%rsp),%rsp
         c3                   ; 16: ret",
    );
    trace.assert_path(
        "0 0 entry
         6 1 call
         a 1 jump
         11 1 jump
         16 1
         5 0 return",
    );
}

/// The code that gcc emits for an indirect call with `-mindirect-branch=thunk-inline`.
#[test]
fn a_call_of_a_retpoline_begins_the_frame_where_the_retpoline_goes() {
    let code = hex("488d0518000000       ;  0: lea 0x18(%rip),%rax # 1f
         eb0e                 ;  7: jmp 17
         e804000000           ;  9: call 12
         f390                 ;  e: pause
         ebfc                 ; 10: jmp e
         48890424             ; 12: mov %rax,(%rsp)
         c3                   ; 16: ret
         e8edffffff           ; 17: call 9
         90                   ; 1c: nop
         90                   ; 1d: nop
         f4                   ; 1e: hlt
         c3                   ; 1f: ret");
    trace_in(Abi::Amd64, &code, 0..0x1f).assert_path(
        "0 0 entry
         7 0
         17 0 jump
         9 0 jump
         12 0 jump
         16 0
         1f 1 call
         1c 0 return
         1d 0
         1e 0",
    );
    // Without a symbol, or with one for the retpoline, the retpoline is a function.
    for trace in [trace(Abi::Amd64, &code), trace_in(Abi::Amd64, &code, 9..0x17)] {
        assert_eq!(trace.visit(9, 0).event, Event::Call);
    }
}

/// The code that gcc emits for `blr x1` with `-mharden-sls=blr`.
#[test]
fn a_call_of_a_stub_begins_the_frame_where_the_stub_goes() {
    let code = words(
        "10000121             ;  0: adr x1, 24
         94000004             ;  4: bl 14
         d503201f             ;  8: nop
         d2800ba8             ;  c: movz x8, #0x5d
         d4000001             ; 10: svc #0x0
         aa0103f0             ; 14: mov x16, x1
         d61f0200             ; 18: br x16
         d5033f9f             ; 1c: dsb sy
         d5033fdf             ; 20: isb
         d65f03c0             ; 24: ret",
    );
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        trace_in(abi, &code, 0..0x24).assert_path(
            "0 0 entry
             4 0
             14 0 jump
             18 0
             24 1 call
             8 0 return
             c 0
             10 0",
        );
        assert_eq!(trace(abi, &code).visit(0x14, 0).event, Event::Call);
    }
}

#[test]
fn a_call_of_the_next_instruction_is_no_call() {
    let trace = amd64(
        "e800000000           ;  0: call 0x5
         58                   ;  5: pop %rax
         f4                   ;  6: hlt",
    );
    trace.assert_path(
        "0 0 entry
         5 0
         6 0",
    );
}
