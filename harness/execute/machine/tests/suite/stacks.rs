//! Stacks that a program uses besides its initial one.

use crate::common::trace::{Trace, follow, trace, words};
use crate::common::{CODE, DATA, RX, hex, load, program};
use machine::{End, Plan, Reason};
use types::{Abi, Event, Outermost, Pc};

#[test]
fn another_stack_is_taken_up_before_the_first_call_and_not_followed_where_no_function_begins() {
    let mut program = program(
        Abi::Amd64,
        &hex("bc00086000           ;  0: mov $0x600800,%esp
         e801000000           ;  5: call b
         f4                   ;  a: hlt
         c3                   ;  b: ret"),
    );
    let taken = follow(&Plan::new(&program));
    assert_eq!(taken.run.end, End::Halt(Pc(CODE + 0xa)));
    assert_eq!(taken.visit(0xb, 0).frames[0].cfa, DATA + 0x800);
    program.segments[0] = load(
        CODE,
        RX,
        &hex("e801000000           ;  0: call 6
         f4                   ;  5: hlt
         bc00086000           ;  6: mov $0x600800,%esp
         48c7042405004000     ;  b: movq $0x400005,(%rsp)
         c3                   ; 13: ret"),
        24,
    );
    // Its frames are not known from there on.
    let lost = follow(&Plan::new(&program));
    assert_eq!(lost.run.end, End::Halt(Pc(CODE + 5)));
    let last = lost.visit(5, 0);
    assert_eq!((last.event, last.frames.len(), last.outermost), (Event::Switched, 0, Outermost::Unfollowed));
    assert_eq!((lost.visit(6, 0).frames.len(), lost.visit(6, 0).outermost), (1, Outermost::Begun));
}

#[test]
fn a_function_may_call_from_another_stack_and_come_back() {
    let amd64 = trace(
        Abi::Amd64,
        &hex("e801000000           ;  0: call 6
         f4                   ;  5: hlt
         4889e3               ;  6: mov %rsp,%rbx
         bc00086000           ;  9: mov $0x600800,%esp
         e804000000           ;  e: call 17
         4889dc               ; 13: mov %rbx,%rsp
         c3                   ; 16: ret
         53                   ; 17: push %rbx
         5b                   ; 18: pop %rbx
         c3                   ; 19: ret"),
    );
    amd64.assert_path("0 0 entry\n6 1 call\n9 1\ne 1\n17 2 call\n18 2\n19 2\n13 1 return\n16 1\n5 0 return");
    assert_eq!(amd64.run.end, End::Halt(Pc(CODE + 5)));
    assert_eq!(amd64.visit(0x18, 0).frames[1].cfa, DATA + 0x800);
    let aarch64 = trace(
        Abi::Aarch64,
        &words(
            "94000003             ;  0: bl c
         d2800ba8             ;  4: movz x8, #0x5d
         d4000001             ;  8: svc #0x0
         a9bf7bf3             ;  c: stp x19, x30, [sp, #-16]!
         910003f3             ; 10: mov x19, sp
         d2810000             ; 14: movz x0, #0x800
         f2a00c00             ; 18: movk x0, #0x60, lsl #16
         9100001f             ; 1c: mov sp, x0
         94000004             ; 20: bl 30
         9100027f             ; 24: mov sp, x19
         a8c17bf3             ; 28: ldp x19, x30, [sp], #16
         d65f03c0             ; 2c: ret
         a9bf7bfd             ; 30: stp x29, x30, [sp, #-16]!
         a8c17bfd             ; 34: ldp x29, x30, [sp], #16
         d65f03c0             ; 38: ret",
        ),
    );
    let before = "0 0 entry\nc 1 call\n10 1\n14 1\n18 1\n1c 1\n20 1\n30 2 call\n34 2\n38 2\n";
    aarch64.assert_path(&format!("{before}24 1 return\n28 1\n2c 1\n4 0 return\n8 0"));
    assert_eq!(aarch64.visit(0x34, 0).frames[1].cfa, DATA + 0x800);
}

#[test]
fn what_was_called_from_another_stack_may_be_left_by_a_longjmp() {
    let trace = trace(
        Abi::Amd64,
        &hex("4989e4               ;  0: mov %rsp,%r12
         4c8d2d05000000       ;  3: lea 0x5(%rip),%r13
         e801000000           ;  a: call 10
         f4                   ;  f: hlt
         bc00086000           ; 10: mov $0x600800,%esp
         e801000000           ; 15: call 1b
         f4                   ; 1a: hlt
         4c89e4               ; 1b: mov %r12,%rsp
         41ffe5               ; 1e: jmp *%r13"),
    );
    trace.assert_path("0 0 entry\n3 0\na 0\n10 1 call\n15 1\n1b 2 call\n1e 2\nf 0 unwound");
    assert_eq!(trace.run.end, End::Halt(Pc(CODE + 0xf)));
}

#[test]
fn a_stack_may_begin_at_the_end_of_its_memory() {
    let code = "
        d2820000             ;  0: movz x0, #0x1000
        f2a00c00             ;  4: movk x0, #0x60, lsl #16
        9100001f             ;  8: mov sp, x0
        94000003             ;  c: bl 18
        d2800ba8             ; 10: movz x8, #0x5d
        d4000001             ; 14: svc #0x0
        a9bf7bfd             ; 18: stp x29, x30, [sp, #-16]!
        a8c17bfd             ; 1c: ldp x29, x30, [sp], #16
        d65f03c0             ; 20: ret";
    let trace = trace(Abi::Aarch64, &words(code));
    assert_eq!(trace.run.end, End::Exit(0));
    assert_eq!(trace.visit(0x1c, 0).frames[0].cfa, DATA + 0x1000);
}

#[test]
fn a_stack_that_is_unmapped_is_not_read() {
    let trace = trace(
        Abi::Amd64,
        &hex("b809000000           ;  0: mov $0x9,%eax (mmap)
         31ff                 ;  5: xor %edi,%edi
         be00100000           ;  7: mov $0x1000,%esi
         ba03000000           ;  c: mov $0x3,%edx
         41ba22000000         ; 11: mov $0x22,%r10d
         49c7c0ffffffff       ; 17: mov $0xffffffffffffffff,%r8
         0f05                 ; 1e: syscall
         488da0f80f0000       ; 20: lea 0xff8(%rax),%rsp
         4889c7               ; 27: mov %rax,%rdi
         b80b000000           ; 2a: mov $0xb,%eax (munmap)
         be00100000           ; 2f: mov $0x1000,%esi
         0f05                 ; 34: syscall
         90                   ; 36: nop
         50                   ; 37: push %rax"),
    );
    let End::Undecided { reason, pc, message } = trace.run.end else { panic!("{:?}", trace.run.end) };
    assert_eq!((reason, pc), (Reason::Fault, Pc(CODE + 0x37)));
    assert!(message.contains("write 8 bytes"), "{message}");
}

/// The kernel's signal frame extends below the range assumed for a stack of which only the end is
/// known.
#[test]
fn a_handler_begins_on_a_stack_that_a_function_went_to() {
    let amd64 = trace(
        Abi::Amd64,
        &hex("b809000000           ;  0: mov $0x9,%eax
         31ff                 ;  5: xor %edi,%edi
         be00000100           ;  7: mov $0x10000,%esi
         ba03000000           ;  c: mov $0x3,%edx
         41ba22000000         ; 11: mov $0x22,%r10d
         49c7c0ffffffff       ; 17: mov $0xffffffffffffffff,%r8
         0f05                 ; 1e: syscall
         4c8da000000100       ; 20: lea 0x10000(%rax),%r12
         4883ec20             ; 27: sub $0x20,%rsp
         488d056e000000       ; 2b: lea 0x6e(%rip),%rax
         48890424             ; 32: mov %rax,(%rsp)
         48c74424080400       ; 36: movq $0x4000004,0x8(%rsp)
         0004                 ; 3d:
         488d055c000000       ; 3f: lea 0x5c(%rip),%rax
         4889442410           ; 46: mov %rax,0x10(%rsp)
         48c74424180000       ; 4b: movq $0x0,0x18(%rsp)
         0000                 ; 52:
         b80d000000           ; 54: mov $0xd,%eax
         bf0a000000           ; 59: mov $0xa,%edi
         4889e6               ; 5e: mov %rsp,%rsi
         31d2                 ; 61: xor %edx,%edx
         41ba08000000         ; 63: mov $0x8,%r10d
         0f05                 ; 69: syscall
         e801000000           ; 6b: call 71
         f4                   ; 70: hlt
         4889e3               ; 71: mov %rsp,%rbx
         4c89e4               ; 74: mov %r12,%rsp
         e804000000           ; 77: call 80
         4889dc               ; 7c: mov %rbx,%rsp
         c3                   ; 7f: ret
         4881ec000e0000       ; 80: sub $0xe00,%rsp
         b83e000000           ; 87: mov $0x3e,%eax
         bf01000000           ; 8c: mov $0x1,%edi
         be0a000000           ; 91: mov $0xa,%esi
         0f05                 ; 96: syscall
         4881c4000e0000       ; 98: add $0xe00,%rsp
         c3                   ; 9f: ret
         c3                   ; a0: ret
         90                   ; a1: nop
         b80f000000           ; a2: mov $0xf,%eax
         0f05                 ; a7: syscall"),
    );
    assert_interrupted(&amd64, [0x80, 0xa0, 0xa2, 0x98, 0x7c, 0x70]);
    assert_eq!(amd64.run.end, End::Halt(Pc(CODE + 0x70)));
    let aarch64 = trace(
        Abi::Aarch64,
        &words(
            "d2801bc8             ;  0: mov x8, #0xde
         d2800000             ;  4: mov x0, #0x0
         d2a00021             ;  8: mov x1, #0x10000
         d2800062             ;  c: mov x2, #0x3
         d2800443             ; 10: mov x3, #0x22
         92800004             ; 14: mov x4, #0xffffffffffffffff
         d2800005             ; 18: mov x5, #0x0
         d4000001             ; 1c: svc #0x0
         91404013             ; 20: add x19, x0, #0x10, lsl #12
         d10083ff             ; 24: sub sp, sp, #0x20
         10000380             ; 28: adr x0, 98
         100003a1             ; 2c: adr x1, a0
         d2800082             ; 30: mov x2, #0x4
         f2a08002             ; 34: movk x2, #0x400, lsl #16
         a9000be0             ; 38: stp x0, x2, [sp]
         a9017fe1             ; 3c: stp x1, xzr, [sp, #16]
         d2800140             ; 40: mov x0, #0xa
         910003e1             ; 44: mov x1, sp
         d2800002             ; 48: mov x2, #0x0
         d2800103             ; 4c: mov x3, #0x8
         d28010c8             ; 50: mov x8, #0x86
         d4000001             ; 54: svc #0x0
         94000004             ; 58: bl 68
         d2800000             ; 5c: mov x0, #0x0
         d2800ba8             ; 60: mov x8, #0x5d
         d4000001             ; 64: svc #0x0
         a9bf7bfd             ; 68: stp x29, x30, [sp, #-16]!
         910003fd             ; 6c: mov x29, sp
         9100027f             ; 70: mov sp, x19
         94000004             ; 74: bl 84
         910003bf             ; 78: mov sp, x29
         a8c17bfd             ; 7c: ldp x29, x30, [sp], #16
         d65f03c0             ; 80: ret
         d2800020             ; 84: mov x0, #0x1
         d2800141             ; 88: mov x1, #0xa
         d2801028             ; 8c: mov x8, #0x81
         d4000001             ; 90: svc #0x0
         d65f03c0             ; 94: ret
         d65f03c0             ; 98: ret
         d503201f             ; 9c: nop
         d2801168             ; a0: mov x8, #0x8b
         d4000001             ; a4: svc #0x0",
        ),
    );
    assert_interrupted(&aarch64, [0x84, 0x98, 0xa0, 0x94, 0x78, 0x5c]);
    assert_eq!(aarch64.run.end, End::Exit(0));
}

/// Asserts the frames at the beginning of a function, of a handler that interrupts it, in the
/// restorer, after the interruption, and after two returns.
#[track_caller]
fn assert_interrupted(trace: &Trace, places: [u64; 6]) {
    let seen = places.map(|at| (trace.visit(at, 0).frames.len(), trace.visit(at, 0).event));
    // The interrupted function's frame, and the handler's as if the restorer had called it.
    let (begins, handler, restorer) = ((2, Event::Call), (4, Event::Signal), (3, Event::Return));
    assert_eq!(seen, [begins, handler, restorer, (2, Event::Resumed), (1, Event::Return), (0, Event::Return)]);
}
