//! Frames of AMD64 code that calls and returns through thunks: retpolines, return thunks, calls of
//! the next instruction.

use crate::amd64::amd64;

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
    let trace = amd64(
        "488d0518000000       ;  0: lea 0x18(%rip),%rax # 1f
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
         c3                   ; 1f: ret",
    );
    trace.assert_path(
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

#[test]
fn a_retpoline_leaves_only_the_outer_call() {
    let trace = amd64(
        "488d0515000000       ;  0: lea 0x15(%rip),%rax # 1c
         e801000000           ;  7: call d
         f4                   ;  c: hlt
         e804000000           ;  d: call 16
         f390                 ; 12: pause
         ebfc                 ; 14: jmp 12
         48890424             ; 16: mov %rax,(%rsp)
         c3                   ; 1a: ret
         f4                   ; 1b: hlt
         c3                   ; 1c: ret",
    );
    trace.assert_path(
        "0 0 entry
         7 0
         d 0 jump
         16 0 jump
         1a 0
         1c 1 call
         c 0 return",
    );
}
