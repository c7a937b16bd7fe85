//! Frames of hand-made AMD64 code. Each listing is frozen machine code, in memory order, with its
//! disassembly.

use crate::common;

use crate::common::trace::trace;
use crate::common::{CODE, hex, program};
use machine::{End, Plan, run};
use types::{Abi, Event, Pc, Reg, RegFile, Step};

pub(crate) fn amd64(code: &str) -> common::trace::Trace {
    trace(Abi::Amd64, &hex(code))
}

pub(crate) fn halt(offset: u64) -> End {
    End::Halt(Pc(CODE + offset))
}

#[test]
fn calls_and_returns() {
    let trace = amd64(
        "e801000000           ;  0: call 6
         f4                   ;  5: hlt
         55                   ;  6: push %rbp
         4889e5               ;  7: mov %rsp,%rbp
         488d0504000000       ;  a: lea 0x4(%rip),%rax # 15
         ffd0                 ; 11: call *%rax
         5d                   ; 13: pop %rbp
         c3                   ; 14: ret
         c3                   ; 15: ret",
    );
    trace.assert_path(
        "0 0 entry
         6 1 call
         7 1
         a 1
         11 1
         15 2 call
         13 1 return
         14 1
         5 0 return",
    );
    assert_eq!((&trace.run.end, trace.run.steps, trace.run.max_depth), (&halt(5), 9, 2));
    let entry_sp = trace.steps[0].sp;
    assert_eq!(entry_sp % 16, 0, "the ABI aligns SP at entry");
    let [outer, inner] = trace.visit(0x15, 0).frames[..] else { panic!("two frames") };
    assert_eq!((outer.ra, outer.raw_ra, outer.cfa, outer.fp), (Pc(CODE + 5), CODE + 5, entry_sp, 0));
    // `push %rbp` and the return address lie below the outer CFA.
    assert_eq!((inner.ra, inner.cfa, inner.fp), (Pc(CODE + 0x13), entry_sp - 16, entry_sp - 16));
    assert_eq!((outer.signed_by, inner.signed_by), (None, None));
}

#[test]
fn a_tail_call_keeps_the_frame() {
    let trace = amd64(
        "e801000000           ;  0: call 6
         f4                   ;  5: hlt
         4883ec08             ;  6: sub $0x8,%rsp
         4883c408             ;  a: add $0x8,%rsp
         eb01                 ;  e: jmp 11
         f4                   ; 10: hlt
         c3                   ; 11: ret",
    );
    trace.assert_path(
        "0 0 entry
         6 1 call
         a 1
         e 1
         11 1 jump
         5 0 return",
    );
    assert_eq!(trace.visit(0x11, 0).frames, trace.visit(6, 0).frames);
}

#[test]
fn recursion_tells_its_activations_by_sp() {
    let trace = amd64(
        "bf03000000           ;  0: mov $0x3,%edi
         e801000000           ;  5: call b
         f4                   ;  a: hlt
         ffcf                 ;  b: dec %edi
         7405                 ;  d: je 14
         e8f7ffffff           ;  f: call b
         c3                   ; 14: ret",
    );
    trace.assert_path(
        "0 0 entry
         5 0
         b 1 call
         d 1
         f 1
         b 2 call
         d 2
         f 2
         b 3 call
         d 3
         14 3 jump
         14 2 return
         14 1 return
         a 0 return",
    );
}

#[test]
fn an_inner_activation_that_jumps_after_its_call_does_not_return() {
    let trace = amd64(
        "e801000000           ;  0: call 6
         f4                   ;  5: hlt
         ffc2                 ;  6: inc %edx
         83fa01               ;  8: cmp $0x1,%edx
         7506                 ;  b: jne 13
         e8f4ffffff           ;  d: call 6
         c3                   ; 12: ret
         ebfd                 ; 13: jmp 12",
    );
    trace.assert_path(
        "0 0 entry
         6 1 call
         8 1
         b 1
         d 1
         6 2 call
         8 2
         b 2
         13 2 jump
         12 2 jump
         12 1 return
         5 0 return",
    );
}

#[test]
fn a_longjmp_drops_the_frames_inside_the_setjmp() {
    let trace = amd64(
        "e801000000           ;  0: call 6
         f4                   ;  5: hlt
                              ;  F:
         53                   ;  6: push %rbx
         e80c000000           ;  7: call 18
         85c0                 ;  c: test %eax,%eax
         7506                 ;  e: jne 16
         e81f000000           ; 10: call 34
         f4                   ; 15: hlt
         5b                   ; 16: pop %rbx
         c3                   ; 17: ret
                              ;  setjmp:
         488b0424             ; 18: mov (%rsp),%rax
         4889042500006000     ; 1c: mov %rax,0x600000
         488d442408           ; 24: lea 0x8(%rsp),%rax
         4889042508006000     ; 29: mov %rax,0x600008
         31c0                 ; 31: xor %eax,%eax
         c3                   ; 33: ret
                              ;  g:
         55                   ; 34: push %rbp
         e801000000           ; 35: call 3b
         f4                   ; 3a: hlt
                              ;  longjmp:
         b801000000           ; 3b: mov $0x1,%eax
         488b242508006000     ; 40: mov 0x600008,%rsp
         ff242500006000       ; 48: jmp *0x600000",
    );
    trace.assert_path(
        "0 0 entry
         6 1 call
         7 1
         18 2 call
         1c 2
         24 2
         29 2
         31 2
         33 2
         c 1 return
         e 1
         10 1
         34 2 call
         35 2
         3b 3 call
         40 3
         48 3
         c 1 unwound
         e 1
         16 1 jump
         17 1
         5 0 return",
    );
    // Between the change of SP and the jump no frame is the caller's, which SP above the CFA of the
    // innermost frame shows.
    let limbo = trace.visit(0x48, 0);
    assert!(limbo.frames.last().is_some_and(|frame| frame.cfa < limbo.sp));
}

#[test]
fn a_longjmp_to_the_caller_lands_at_an_earlier_call() {
    let trace = amd64(
        "31db                 ;  0: xor %ebx,%ebx
         e80a000000           ;  2: call 11
         85db                 ;  7: test %ebx,%ebx
         7505                 ;  9: jne 10
         e802000000           ;  b: call 12
         f4                   ; 10: hlt
         c3                   ; 11: ret
         ffc3                 ; 12: inc %ebx
         59                   ; 14: pop %rcx
         ebf0                 ; 15: jmp 7",
    );
    trace.assert_path(
        "0 0 entry
         2 0
         11 1 call
         7 0 return
         9 0
         b 0
         12 1 call
         14 1
         15 1
         7 0 unwound
         9 0
         10 0 jump",
    );
}

#[test]
fn a_throw_ends_the_call_it_came_from() {
    let trace = amd64(
        "e801000000           ;  0: call 6
         f4                   ;  5: hlt
                              ;  F:
         53                   ;  6: push %rbx
         e803000000           ;  7: call f
         f4                   ;  c: hlt
         5b                   ;  d: pop %rbx (landing pad)
         c3                   ;  e: ret
                              ;  g:
         55                   ;  f: push %rbp
         e801000000           ; 10: call 16
         f4                   ; 15: hlt
                              ;  h, as eh_return does:
         488d4c2410           ; 16: lea 0x10(%rsp),%rcx
         488d05ebffffff       ; 1b: lea -0x15(%rip),%rax # d
         488901               ; 22: mov %rax,(%rcx)
         4889cc               ; 25: mov %rcx,%rsp
         c3                   ; 28: ret",
    );
    trace.assert_path(
        "0 0 entry
         6 1 call
         7 1
         f 2 call
         10 2
         16 3 call
         1b 3
         22 3
         25 3
         28 3
         d 1 unwound
         e 1
         5 0 return",
    );
}

#[test]
fn a_plt_stub_keeps_the_frame_bound_or_lazy() {
    let trace = amd64(
        "48c704250000600024004000 ;  0: movq $0x400024,0x600000
         e801000000           ;  c: call 12
         f4                   ; 11: hlt
                              ;  stub:
         6a07                 ; 12: push $0x7
         eb00                 ; 14: jmp 16
                              ;  plt0:
         ff342508006000       ; 16: push 0x600008
         ff242500006000       ; 1d: jmp *0x600000
                              ;  resolver:
         4883c410             ; 24: add $0x10,%rsp
         eb01                 ; 28: jmp 2b
         f4                   ; 2a: hlt
         c3                   ; 2b: ret",
    );
    // The `jmp` of the stub goes to the instruction after it.
    trace.assert_path(
        "0 0 entry
         c 0
         12 1 call
         14 1
         16 1
         1d 1
         24 1
         28 1
         2b 1 jump
         11 0 return",
    );
}

#[test]
fn a_return_may_pop_arguments() {
    let trace = amd64(
        "50                   ;  0: push %rax
         50                   ;  1: push %rax
         e801000000           ;  2: call 8
         f4                   ;  7: hlt
         c21000               ;  8: ret $0x10",
    );
    trace.assert_path(
        "0 0 entry
         1 0
         2 0
         8 1 call
         7 0 return",
    );
    assert_eq!(trace.visit(8, 0).frames[0].cfa, trace.steps[0].sp - 16);
}

#[test]
fn a_function_may_hold_its_return_address_in_a_register() {
    let trace = amd64(
        "e801000000           ;  0: call 6
         f4                   ;  5: hlt
         5f                   ;  6: pop %rdi
         31c0                 ;  7: xor %eax,%eax
         7401                 ;  9: je c
         f4                   ;  b: hlt
         57                   ;  c: push %rdi
         c3                   ;  d: ret",
    );
    trace.assert_path(
        "0 0 entry
         6 1 call
         7 1
         9 1
         c 1 jump
         d 1
         5 0 return",
    );
    let trace = amd64(
        "e801000000           ;  0: call 6
         f4                   ;  5: hlt
         5f                   ;  6: pop %rdi
         ffe7                 ;  7: jmp *%rdi",
    );
    trace.assert_path(
        "0 0 entry
         6 1 call
         7 1
         5 0 return",
    );
}

#[test]
fn repeated_string_instructions_are_no_jumps() {
    let trace = amd64(
        "b903000000           ;  0: mov $0x3,%ecx
         be00006000           ;  5: mov $0x600000,%esi
         bf10006000           ;  a: mov $0x600010,%edi
         f3a4                 ;  f: rep movsb %ds:(%rsi),%es:(%rdi)
         f4                   ; 11: hlt",
    );
    let iterations: Vec<_> = trace.steps.iter().filter(|step| step.at == 0xf).collect();
    // rcx counts down; the emulator may show the step at 0 once more before it continues.
    let counts: Vec<_> = iterations.iter().filter_map(|step| step.registers.read(Reg(2))).collect();
    assert_eq!(counts[..3], [3, 2, 1]);
    assert!(iterations.iter().all(|step| step.event == Event::Sequential));
    let after = trace.visit(0x11, 0);
    assert_eq!((after.event, &trace.run.end), (Event::Sequential, &halt(0x11)));
}

#[test]
fn a_loop_may_begin_where_a_call_returned() {
    let trace = amd64(
        "b902000000           ;  0: mov $0x2,%ecx
         e805000000           ;  5: call f
         ffc9                 ;  a: dec %ecx
         75fc                 ;  c: jne a
         f4                   ;  e: hlt
         c3                   ;  f: ret",
    );
    trace.assert_path(
        "0 0 entry
         5 0
         f 1 call
         a 0 return
         c 0
         a 0 jump
         c 0
         e 0",
    );
}

#[test]
fn a_call_of_itself_is_a_call() {
    let image = program(Abi::Amd64, &hex("e8fbffffff           ;  0: call 0x0"));
    let plan = Plan { step_limit: 10_000, stack_size: 64 << 10, ..Plan::new(&image) };
    // No step is kept: all frames of all steps are half a gigabyte.
    let run = run(&plan, &mut |_: &Step<'_>| {}).expect("the image loads");
    // 64 KiB of stack, less what the process vectors take, eight bytes a frame.
    assert!((0x1e00..=0x2000).contains(&run.max_depth), "{}", run.max_depth);
    assert_eq!(run.max_depth as u64 + 1, run.steps);
    assert!(matches!(&run.end, End::Undecided { reason: machine::Reason::Fault, .. }), "{:?}", run.end);
}

/// The psABI's control word rounds to 64 bits of mantissa; 24 would leave the low bytes of a double
/// zero.
#[test]
fn the_x87_computes_in_extended_precision() {
    let trace = amd64(
        "d9eb                 ;  0: fldpi
         d9eb                 ;  2: fldpi
         dec9                 ;  4: fmulp
         4883ec08             ;  6: sub $8,%rsp
         dd1c24               ;  a: fstpl (%rsp)
         488b3c24             ;  d: mov (%rsp),%rdi
         b83c000000           ; 11: mov $60,%eax
         0f05                 ; 16: syscall",
    );
    // The square of pi is 0x4023bd3cc9be45de.
    assert_eq!(trace.run.end, End::Exit(0xde));
}
