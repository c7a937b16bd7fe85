//! What a step costs. Prints numbers and judges nothing but that the work was done, so it is run by hand:
//! `cargo test --release -p machine --test speed -- --ignored --nocapture`

mod common;
#[path = "common/samples.rs"]
mod samples;

use std::time::{Duration, Instant};

use common::trace::words;
use common::{hex, program, read_elf};
use machine::{End, Plan, run};
use model::{Abi, Image, Step};

/// The cheapest observer that the optimiser cannot remove: from the first step to the last, and a sum over what it sees.
fn timed(image: &Image) -> (u64, Duration, Duration) {
    let began = Instant::now();
    let (mut first, mut last) = (None, began);
    let (mut sum, mut steps) = (0u64, 0u64);
    let mut observer = |step: &Step<'_>| {
        steps += 1;
        sum = sum
            .wrapping_add(step.pc.0 ^ step.regs.sp)
            .wrapping_add(step.frames.innermost().map_or(0, |frame| frame.cfa));
        if first.is_none() {
            first = Some(Instant::now());
        }
        if steps.is_multiple_of(1 << 16) {
            last = Instant::now();
        }
    };
    let run = run(&Plan::new(image), &mut observer).expect("runs");
    assert!(matches!(run.end, End::Exit(_) | End::Halt(_)), "{:?}", run.end);
    assert_ne!(std::hint::black_box(sum), 0);
    let counted = run.steps & !0xffff;
    (counted, last.saturating_duration_since(first.unwrap_or(began)), began.elapsed())
}

#[test]
#[ignore = "a measurement, not a check"]
fn nanoseconds_a_step() {
    for (abi, code) in [
        (Abi::Amd64, hex(FIBONACCI_AMD64)),
        (Abi::Aarch64, words(FIBONACCI_AARCH64)),
        (Abi::Aarch64Be, words(FIBONACCI_AARCH64)),
        (Abi::S390x, hex(FIBONACCI_S390X)),
    ] {
        let image = program(abi, &code);
        let best = (0..3).map(|_| timed(&image)).min_by_key(|(_, stepping, _)| *stepping).expect("three runs");
        let (steps, stepping, _) = best;
        println!("{abi}: {steps} steps, {:.1} ns a step", stepping.as_nanos() as f64 / steps as f64);
    }
    let image = read_elf(&samples::path("x86_64", "gas-2.47.50--v3--gcc12-O0--exe"));
    let began = Instant::now();
    let runs = 200;
    let steps: u64 = (0..runs).map(|_| run(&Plan::new(&image), &mut |_: &Step<'_>| {}).expect("runs").steps).sum();
    let each = began.elapsed() / runs;
    println!("sample: {} steps a run, {each:?} a run with loading and translation", steps / u64::from(runs));
}

/// fib(27) as gcc -O0 writes it: a call every dozen instructions.
const FIBONACCI_AMD64: &str = "
    bf1b000000           ;  0: mov $0x1b,%edi
    e801000000           ;  5: call b
    f4                   ;  a: hlt
    55                   ;  b: push %rbp
    4889e5               ;  c: mov %rsp,%rbp
    53                   ;  f: push %rbx
    4883ec18             ; 10: sub $0x18,%rsp
    897dec               ; 14: mov %edi,-0x14(%rbp)
    837dec01             ; 17: cmpl $0x1,-0x14(%rbp)
    7f05                 ; 1b: jg 22
    8b45ec               ; 1d: mov -0x14(%rbp),%eax
    eb1e                 ; 20: jmp 40
    8b45ec               ; 22: mov -0x14(%rbp),%eax
    83e801               ; 25: sub $0x1,%eax
    89c7                 ; 28: mov %eax,%edi
    e8dcffffff           ; 2a: call b
    89c3                 ; 2f: mov %eax,%ebx
    8b45ec               ; 31: mov -0x14(%rbp),%eax
    83e802               ; 34: sub $0x2,%eax
    89c7                 ; 37: mov %eax,%edi
    e8cdffffff           ; 39: call b
    01d8                 ; 3e: add %ebx,%eax
    488b5df8             ; 40: mov -0x8(%rbp),%rbx
    c9                   ; 44: leave
    c3                   ; 45: ret";

const FIBONACCI_AARCH64: &str = "
    52800360             ;  0: movz w0, #0x1b
    94000003             ;  4: bl 10
    d2800ba8             ;  8: movz x8, #0x5d
    d4000001             ;  c: svc #0x0
    a9bd7bfd             ; 10: stp x29, x30, [sp, #-48]!
    910003fd             ; 14: add x29, sp, #0x0
    f9000bf3             ; 18: str x19, [sp, #16]
    b9002fe0             ; 1c: str w0, [sp, #44]
    b9402fe0             ; 20: ldr w0, [sp, #44]
    7100041f             ; 24: subs wzr, w0, #0x1
    5400006c             ; 28: b.gt 34
    b9402fe0             ; 2c: ldr w0, [sp, #44]
    14000009             ; 30: b 54
    b9402fe0             ; 34: ldr w0, [sp, #44]
    51000400             ; 38: sub w0, w0, #0x1
    97fffff5             ; 3c: bl 10
    2a0003f3             ; 40: orr w19, wzr, w0
    b9402fe0             ; 44: ldr w0, [sp, #44]
    51000800             ; 48: sub w0, w0, #0x2
    97fffff1             ; 4c: bl 10
    0b000260             ; 50: add w0, w19, w0
    f9400bf3             ; 54: ldr x19, [sp, #16]
    a8c37bfd             ; 58: ldp x29, x30, [sp], #48
    d65f03c0             ; 5c: ret";

const FIBONACCI_S390X: &str = "
    a729001b             ;  0: lghi %r2,27
    a7fbff60             ;  4: aghi %r15,-160
    c0e500000004         ;  8: brasl %r14,10
    0a01                 ;  e: svc 1
    ebaff0500024         ; 10: stmg %r10,%r15,80(%r15)
    a7fbff58             ; 16: aghi %r15,-168
    b90400bf             ; 1a: lgr %r11,%r15
    5020b0a4             ; 1e: st %r2,164(%r11)
    5810b0a4             ; 22: l %r1,164(%r11)
    a71e0001             ; 26: chi %r1,1
    a7240006             ; 2a: jh 36
    5810b0a4             ; 2e: l %r1,164(%r11)
    a7f40019             ; 32: j 64
    5810b0a4             ; 36: l %r1,164(%r11)
    a71affff             ; 3a: ahi %r1,-1
    b9140021             ; 3e: lgfr %r2,%r1
    c0e5ffffffe7         ; 42: brasl %r14,10
    b90400a2             ; 48: lgr %r10,%r2
    5810b0a4             ; 4c: l %r1,164(%r11)
    a71afffe             ; 50: ahi %r1,-2
    b9140021             ; 54: lgfr %r2,%r1
    c0e5ffffffdc         ; 58: brasl %r14,10
    1a2a                 ; 5e: ar %r2,%r10
    b9040012             ; 60: lgr %r1,%r2
    b9140021             ; 64: lgfr %r2,%r1
    ebafb0f80004         ; 68: lmg %r10,%r15,248(%r11)
    07fe                 ; 6e: br %r14";
