//! Ends of runs: exits, halts, sentinel, and every reason for which a run is undecided, with its
//! address.

use std::time::{Duration, Instant};

use crate::common::trace::{Trace, call, follow, trace, words};
use crate::common::{CODE, DATA, RW, RX, hex, image, load, program};
use machine::single_step::SingleStep;
use machine::{Backend, End, Plan, Reason, Run, Start, Unicorn, run};
use types::elf::{PF_X, PT_GNU_STACK};
use types::memo::NoMemo;
use types::{Abi, Image, Pc, Segment, Step};

const ALL: [Abi; Abi::ALL.len()] = Abi::ALL;

fn code(abi: Abi, text: &str) -> Vec<u8> {
    match abi {
        Abi::Aarch64 | Abi::Aarch64Be => words(text),
        Abi::Amd64 | Abi::S390x => hex(text),
    }
}

/// Asserts an undecided end at an offset of the code; returns its message.
fn undecided(trace: &Trace, reason: Reason, offset: u64) -> &str {
    let End::Undecided { reason: found, pc, message } = &trace.run.end else { panic!("{:?}", trace.run.end) };
    assert_eq!((*found, *pc), (reason, Pc(CODE + offset)), "{message}");
    message
}

#[test]
fn exit_statuses_are_a_byte() {
    let programs = [
        (Abi::Amd64, "bf2a010000 b83c000000 0f05"), // mov $0x12a,%edi; mov $60,%eax; syscall
        (Abi::Amd64, "bf2a000000 b8e7000000 0f05"), // mov $42,%edi; mov $231,%eax; syscall
        (Abi::Aarch64, "d2800540 d2800ba8 d4000001"), // mov x0, #42; mov x8, #93; svc #0
        (Abi::Aarch64Be, "d2800540 d2800bc8 d4000001"), // mov x0, #42; mov x8, #94; svc #0
        (Abi::S390x, "a729002a 0a01"),              // lghi %r2,42; svc 1
        (Abi::S390x, "a729002a a71900f8 0a00"),     // lghi %r2,42; lghi %r1,248; svc 0
    ];
    for (abi, text) in programs {
        assert_eq!(trace(abi, &code(abi, text)).run.end, End::Exit(42), "{abi}: {text}");
    }
}

#[test]
fn illegal_instructions() {
    let ud2 = trace(Abi::Amd64, &hex("90 0f0b"));
    undecided(&ud2, Reason::IllegalInstruction, 1);
    // A byte that 64-bit mode does not define.
    undecided(&trace(Abi::Amd64, &hex("90 06")), Reason::IllegalInstruction, 1);
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        undecided(&trace(abi, &words("d503201f 00000000")), Reason::IllegalInstruction, 4); // nop; udf #0
    }
    undecided(&trace(Abi::S390x, &hex("0700 0000")), Reason::IllegalInstruction, 2); // nopr; .short 0
}

#[test]
fn bit_manipulation_is_faithful() {
    let andn = hex("c4e270f2d0 f4"); // andn %eax,%ecx,%edx; hlt
    assert_eq!(trace(Abi::Amd64, &andn).run.end, End::Halt(Pc(CODE + 5)));
}

#[test]
fn what_the_emulator_would_not_survive_is_refused() {
    let message = trace(Abi::S390x, &hex("0700 b2b11000")); // nopr; stfl 0(%r1)
    assert!(undecided(&message, Reason::IllegalInstruction, 2).contains("it would crash the emulator"));
}

/// The undefined instructions on which the emulator crashes when it translates them, from its
/// lists.
#[test]
fn undefined_instructions_that_crash_the_emulator_are_illegal() {
    let mut tried = 0;
    let lists = [
        (Abi::Amd64, "90", include_str!("../../data/amd64.txt")),
        (Abi::Aarch64, "1f2003d5", include_str!("../../data/aarch64-le.txt")),
    ];
    for (abi, nop, list) in lists {
        for line in list.lines().filter(|line| line.starts_with("dies")) {
            let code = line.split_whitespace().nth(2).expect("a word");
            let ended = trace(abi, &hex(&format!("{nop} {code}")));
            let message = undecided(&ended, Reason::IllegalInstruction, nop.len() as u64 / 2);
            assert!(message.contains("illegal instruction") && ended.run.steps == 2, "{abi} {code}: {message}");
            tried += 1;
        }
    }
    assert!(tried > 50, "{tried}");
    // fcvtns h5, h0, which differs in one bit of the operation, is defined.
    assert_eq!(trace(Abi::Aarch64, &words("5e79a805 d2800ba8 d4000001")).run.end, End::Exit(0));
    // fadd d30, d30, d24 differs in bit 30.
    assert_eq!(trace(Abi::Aarch64, &words("1e782bde d2800ba8 d4000001")).run.end, End::Exit(0));
}

#[test]
fn traps() {
    undecided(&trace(Abi::Amd64, &hex("90 cc")), Reason::Trap, 1); // int3
    undecided(&trace(Abi::Amd64, &hex("90 cd80")), Reason::Trap, 1); // int $0x80
    undecided(&trace(Abi::Aarch64, &words("d503201f d4200020")), Reason::Trap, 4); // brk #1
}

#[test]
fn accesses_to_unmapped_memory() {
    // movabs 0x123456789,%eax
    let read = trace(Abi::Amd64, &hex("90 a18967452301000000"));
    assert!(undecided(&read, Reason::Fault, 1).contains("read 4 bytes at 0x123456789 (not mapped)"));
    // mov $0x7000000,%eax; jmp *%rax
    let fetch = trace(Abi::Amd64, &hex("b800000007 ffe0"));
    assert!(undecided(&fetch, Reason::Fault, 5).contains("at 0x7000000 (not mapped)"));
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let read = trace(abi, &words("d2c02460 f9400001")); // mov x0, #0x12300000000; ldr x1, [x0]
        let message = undecided(&read, Reason::Fault, 4);
        assert!(message.contains("read 8 bytes at 0x12300000000 (not mapped)"), "{message}");
        let write = trace(abi, &words("d2c02460 f9000001")); // str x1, [x0]
        assert!(undecided(&write, Reason::Fault, 4).contains("write 8 bytes at 0x12300000000 (not mapped)"));
    }
    // llihf %r1,0x1234; lg %r2,0(%r1)   The emulator gives no address here.
    undecided(&trace(Abi::S390x, &hex("c01e00001234 e32010000004")), Reason::Fault, 6);
    // llihf %r1,0x1234; br %r1
    let jump = trace(Abi::S390x, &hex("c01e00001234 07f1"));
    assert!(undecided(&jump, Reason::Fault, 6).contains("0x123400000000"));
}

#[test]
fn writes_to_code_are_refused() {
    // mov %eax,0x400000
    let store = trace(Abi::Amd64, &hex("90 89042500004000"));
    assert!(undecided(&store, Reason::Fault, 1).contains("write 4 bytes at 0x400000 (not permitted)"));
    // mov x0, #0x400000; str x1, [x0]
    let store = trace(Abi::Aarch64, &words("d2a00800 f9000001"));
    assert!(undecided(&store, Reason::Fault, 4).contains("not permitted"));
    // lgfi %r1,4194304; stg %r2,0(%r1)
    undecided(&trace(Abi::S390x, &hex("c01100400000 e32010000024")), Reason::Fault, 6);
}

/// These are stored by functions of the emulator that check no permission but that of the page.
#[test]
fn writes_to_code_by_rarer_instructions_are_refused() {
    let s390x = [
        "c01000000000 d20f1000f000", // larl %r1,.; mvc 0(16,%r1),0(%r15)
        "c01000000000 d70f10001000", // xc 0(16,%r1),0(%r1)
        "c01000000000 ba231000",     // cs %r2,%r3,0(%r1)
        "c01000000000 eb23100000f8", // laa %r2,%r3,0(%r1)
    ];
    for text in s390x {
        undecided(&trace(Abi::S390x, &hex(text)), Reason::Fault, 6);
    }
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        // adr x0, 0; then dc zva, x0; ldadd x0, x1, [x0]; casp x0, x1, x2, x3, [x0]
        for text in ["10000000 d50b7420", "10000000 f8200001", "10000000 48207c02"] {
            let message = trace(abi, &words(text));
            assert!(undecided(&message, Reason::Fault, 4).contains("not permitted"), "{text}");
        }
    }
    // lea 0(%rip),%rax; lock xadd %rcx,(%rax); and lock cmpxchg16b
    for text in ["488d05f9ffffff f0480fc108", "488d05f9ffffff f0480fc708"] {
        undecided(&trace(Abi::Amd64, &hex(text)), Reason::Fault, 7);
    }
}

/// mmap of 32 pages' worth of MiB; mov $1,%eax; ret into the first page; mprotect of that page to
/// writable and executable; call; a byte into each MiB, so that the emulator discards its address
/// cache of the first; a byte after the code, then movb $2 into its constant; call; exit with the
/// returned value.
#[test]
fn code_that_is_written_over_is_executed_as_it_is_then() {
    let code = hex("31ff be00000002 ba03000000 41ba22000000 41b8ffffffff 4531c9 b809000000 0f05 4889c3 \
         48b8b801000000c30000 488903 4889df be00100000 ba07000000 b80a000000 0f05 ffd3 \
         4889d9 ba1f000000 4881c100001000 c60101 ffca 75f2 c6830001000000 c6430102 ffd3 89c7 b83c000000 0f05");
    assert_eq!(trace(Abi::Amd64, &code).run.end, End::Exit(2));
}

/// A program that writes `mov $7,%edi; ret` to its stack and calls it, as a trampoline is called.
#[test]
fn the_stack_is_executed_only_if_the_program_asks_for_that() {
    // mov $0xc300000007bf,%rax; push %rax; call *%rsp; mov $60,%eax; syscall
    let mut image = program(Abi::Amd64, &hex("48b8bf07000000c30000 50 ffd4 b83c000000 0f05"));
    let end = |image: &Image| follow(&Plan { step_limit: 100, ..Plan::new(image) }).run.end;
    assert!(matches!(end(&image), End::Undecided { reason: Reason::Fault, .. }), "{:?}", end(&image));
    image.segments.push(Segment { kind: PT_GNU_STACK, ..load(0, RW | PF_X, &[], 0) });
    assert_eq!(end(&image), End::Exit(7));
}

#[test]
fn data_is_not_executed() {
    // mov $0x600000,%eax; jmp *%rax
    let jump = trace(Abi::Amd64, &hex("b800006000 ffe0"));
    assert!(undecided(&jump, Reason::Fault, 5).contains("execute"));
}

#[test]
fn a_division_by_zero_is_a_fault() {
    // xor %ecx,%ecx; div %ecx
    undecided(&trace(Abi::Amd64, &hex("31c9 f7f1")), Reason::Fault, 2);
}

#[test]
fn system_calls_that_are_not_served_are_named() {
    let programs = [
        (Abi::Amd64, "b839300000 0f05", 5),       // mov $12345,%eax; syscall
        (Abi::Aarch64, "d2860728 d4000001", 4),   // mov x8, #12345; svc #0
        (Abi::Aarch64Be, "d2860728 d4000001", 4), // the same
        (Abi::S390x, "a7193039 0a00", 4),         // lghi %r1,12345; svc 0
    ];
    for (abi, text, offset) in programs {
        let trace = trace(abi, &code(abi, text));
        assert!(undecided(&trace, Reason::Syscall(12345), offset).contains("12345"), "{abi}");
    }
    // The number is in the instruction: svc 31, which is undefined.
    undecided(&trace(Abi::S390x, &hex("0a1f")), Reason::Syscall(31), 0);
}

/// A branch to itself.
fn endless(abi: Abi) -> Image {
    let text = match abi {
        Abi::Amd64 => "ebfe",
        Abi::Aarch64 | Abi::Aarch64Be => "14000000",
        Abi::S390x => "a7f40000",
    };
    program(abi, &code(abi, text))
}

#[test]
fn a_loop_without_end_stops_when_its_time_is_over() {
    for abi in Abi::ALL {
        let image = endless(abi);
        let within = |time| Plan { step_limit: u64::MAX, deadline: Some(Instant::now() + time), ..Plan::new(&image) };
        // Long enough to load the image on a busy machine. The steps are not kept: their number is
        // unknown.
        let ran = run(&within(Duration::from_millis(150)), &mut |_: &Step<'_>| {}).expect("runs");
        assert!(matches!(ran.end, End::Undecided { reason: Reason::TimeLimit, .. }), "{abi}: {:?}", ran.end);
        assert!(ran.steps > 0, "{abi}");
        let over = within(Duration::ZERO);
        undecided(&follow(&over), Reason::TimeLimit, 0);
        for ran in [ran_by(&Unicorn::default(), &over), ran_by(&SingleStep, &over)] {
            let ran = ran.expect("runs");
            assert!(matches!(ran.end, End::Undecided { reason: Reason::TimeLimit, .. }), "{abi}: {:?}", ran.end);
            assert_eq!(ran.steps, 0, "{abi}");
        }
    }
}

#[test]
fn a_loop_without_end_stops_at_the_step_limit() {
    for abi in Abi::ALL {
        let image = endless(abi);
        let trace = follow(&Plan { step_limit: 1234, ..Plan::new(&image) });
        undecided(&trace, Reason::StepLimit, 0);
        assert_eq!((trace.run.steps, trace.steps.len()), (1234, 1234), "{abi}");
    }
}

#[test]
fn calls_without_end_stop_at_the_depth_limit() {
    // bl .   brasl %r14,.   Neither uses stack.
    for (abi, endless) in [(Abi::Aarch64, "94000000"), (Abi::S390x, "c0e500000000")] {
        let image = program(abi, &code(abi, endless));
        let mut deepest = 0;
        let plan = Plan { step_limit: 10_000_000, ..Plan::new(&image) };
        let run = run(&plan, &mut |step: &Step<'_>| deepest = step.frames.depth()).expect("runs");
        assert!(matches!(run.end, End::Undecided { reason: Reason::DepthLimit, .. }), "{abi}: {:?}", run.end);
        assert_eq!((deepest, run.steps), (1 << 20, (1 << 20) + 1), "{abi}");
    }
}

#[test]
fn mapped_memory_is_used_written_from_and_gone_when_unmapped() {
    let amd64 = "
        b809000000           ;  0: mov $0x9,%eax (mmap)
        31ff                 ;  5: xor %edi,%edi
        be00100000           ;  7: mov $0x1000,%esi
        ba03000000           ;  c: mov $0x3,%edx
        41ba22000000         ; 11: mov $0x22,%r10d
        49c7c0ffffffff       ; 17: mov $0xffffffffffffffff,%r8
        0f05                 ; 1e: syscall
        4889c3               ; 20: mov %rax,%rbx
        c70307000000         ; 23: movl $0x7,(%rbx)
        b801000000           ; 29: mov $0x1,%eax (write)
        bf01000000           ; 2e: mov $0x1,%edi
        4889de               ; 33: mov %rbx,%rsi
        ba0b000000           ; 36: mov $0xb,%edx
        0f05                 ; 3b: syscall
        b80b000000           ; 3d: mov $0xb,%eax (munmap)
        4889df               ; 42: mov %rbx,%rdi
        be00100000           ; 45: mov $0x1000,%esi
        0f05                 ; 4a: syscall
        8b0b                 ; 4c: mov (%rbx),%ecx";
    let aarch64 = "
        d2801bc8             ;  0: movz x8, #0xde (mmap)
        d2800000             ;  4: movz x0, #0x0
        d2820001             ;  8: movz x1, #0x1000
        d2800062             ;  c: movz x2, #0x3
        d2800443             ; 10: movz x3, #0x22
        92800004             ; 14: movn x4, #0x0
        d4000001             ; 18: svc #0x0
        aa0003f3             ; 1c: mov x19, x0
        f9000268             ; 20: str x8, [x19]
        d2800808             ; 24: movz x8, #0x40 (write)
        d2800020             ; 28: movz x0, #0x1
        aa1303e1             ; 2c: mov x1, x19
        d2800162             ; 30: movz x2, #0xb
        d4000001             ; 34: svc #0x0
        d2801ae8             ; 38: movz x8, #0xd7 (munmap)
        aa1303e0             ; 3c: mov x0, x19
        d2820001             ; 40: movz x1, #0x1000
        d4000001             ; 44: svc #0x0
        f9400261             ; 48: ldr x1, [x19]";
    let s390x = "
        a7fbffd0             ;  0: aghi %r15,-48
        a7190000             ;  4: lghi %r1,0
        e310f0000024         ;  8: stg %r1,0(%r15)
        a7191000             ;  e: lghi %r1,4096
        e310f0080024         ; 12: stg %r1,8(%r15)
        a7190003             ; 18: lghi %r1,3
        e310f0100024         ; 1c: stg %r1,16(%r15)
        a7190022             ; 22: lghi %r1,34
        e310f0180024         ; 26: stg %r1,24(%r15)
        a719ffff             ; 2c: lghi %r1,-1
        e310f0200024         ; 30: stg %r1,32(%r15)
        b904002f             ; 36: lgr %r2,%r15
        0a5a                 ; 3a: svc 90 (mmap)
        b9040062             ; 3c: lgr %r6,%r2
        e31060000024         ; 40: stg %r1,0(%r6)
        a7290001             ; 46: lghi %r2,1
        b9040036             ; 4a: lgr %r3,%r6
        a749000b             ; 4e: lghi %r4,11
        0a04                 ; 52: svc 4 (write)
        b9040026             ; 54: lgr %r2,%r6
        a7391000             ; 58: lghi %r3,4096
        0a5b                 ; 5c: svc 91 (munmap)
        e31060000004         ; 5e: lg %r1,0(%r6)";
    let programs = [
        (Abi::Amd64, amd64, 0x4c),
        (Abi::Aarch64, aarch64, 0x48),
        (Abi::Aarch64Be, aarch64, 0x48),
        (Abi::S390x, s390x, 0x5e),
    ];
    for (abi, text, last) in programs {
        let trace = trace(abi, &code(abi, text));
        undecided(&trace, Reason::Fault, last);
        assert_eq!(trace.run.written, 11, "{abi}");
        assert!(trace.steps.iter().skip(1).all(|step| step.event == types::Event::Sequential), "{abi}");
    }
}

#[test]
fn processor_clocks_repeat() {
    // rdtsc; mov %rax,%rbx; rdtscp; sub %rbx,%rax; hlt
    let text = "0f31 4889c3 0f01f9 4829d8 f4";
    let last = |abi, text: &str| {
        let trace = trace(abi, &code(abi, text));
        trace.steps.last().map(|step| step.registers)
    };
    let once = last(Abi::Amd64, text);
    assert_eq!(once, last(Abi::Amd64, text));
    let elapsed = once.and_then(|registers| types::RegFile::read(&registers, types::Reg(0)));
    assert!(elapsed.is_some_and(|elapsed| elapsed > 0), "{elapsed:?}");
    // mrs x0, cntvct_el0; mrs x1, cntvct_el0; mrs x2, tpidr_el0; mov x8, #93; svc #0
    let text = "d53be040 d53be041 d53bd042 d2800ba8 d4000001";
    let once = last(Abi::Aarch64, text).expect("steps");
    assert_eq!(Some(once), last(Abi::Aarch64, text));
    let read = |number| types::RegFile::read(&once, types::Reg(number)).expect("known");
    assert!(read(0) > 0 && read(1) > read(0) && read(2) == 0, "{} {} {}", read(0), read(1), read(2));
}

#[test]
fn a_function_is_called_from_the_sentinel() {
    for abi in Abi::ALL {
        let text = match abi {
            Abi::Amd64 => "c3",
            Abi::Aarch64 | Abi::Aarch64Be => "d65f03c0",
            Abi::S390x => "07fe",
        };
        let facts = abi.facts();
        let trace = call(&program(abi, &code(abi, text)), 0);
        assert_eq!((&trace.run.end, trace.run.steps, trace.run.max_depth), (&End::Sentinel, 1, 1), "{abi}");
        let step = &trace.steps[0];
        let [frame] = step.frames[..] else { panic!("{abi}: one frame") };
        assert_eq!(frame.cfa, step.sp + facts.cfa_minus_sp_at_entry as u64, "{abi}");
        let caller_sp = frame.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
        assert_eq!(caller_sp % 16, 0, "{abi}: SP is aligned at the call");
        assert_ne!(frame.ra, Pc(0), "{abi}");
    }
}

#[test]
fn a_function_called_alone_finds_pointers_integers_and_a_thread_block() {
    // mov (%rdi),%rax; mov %fs:0,%rbx; mov %fs:0x28,%rdx; test %esi,%esi; js . ; cmp $64,%esi; ja .
    // ; ret
    let text = "488b07 64488b1c2500000000 64488b142528000000 85f6 78fe 83fe40 77fe c3";
    let image = program(Abi::Amd64, &hex(text));
    let trace = call(&image, 0);
    assert_eq!(trace.run.end, End::Sentinel);
    let third = types::RegFile::read(&trace.steps[0].registers, types::Reg(1));
    assert_eq!(third, Some(3));
    // ldr x9, [x0]; ldr x9, [x3]; mrs x9, tpidr_el0; ldr x9, [x9]; cmp w1, #64; b.hi . ; ret
    let text = "f9400009 f9400069 d53bd049 f9400129 7101003f 54000008 d65f03c0";
    assert_eq!(call(&program(Abi::Aarch64, &words(text)), 0).run.end, End::Sentinel);
    // lg %r1,0(%r2); lg %r1,0(%r3); ear %r1,%a0; sllg %r1,%r1,32; ear %r1,%a1; lg %r1,0(%r1); br
    // %r14
    let text = "e31020000004 e31030000004 b24f0010 eb110020000d b24f0011 e31010000004 07fe";
    assert_eq!(call(&program(Abi::S390x, &hex(text)), 0).run.end, End::Sentinel);
}

#[test]
fn a_function_that_returns_with_sp_elsewhere_is_undecided() {
    // pop %rax; push %rbx; jmp *%rax
    let trace = call(&program(Abi::Amd64, &hex("58 53 ffe0")), 0);
    assert!(matches!(trace.run.end, End::Undecided { reason: Reason::StackImbalance, .. }), "{:?}", trace.run.end);
}

#[test]
fn a_panic_of_the_observer_is_raised_again() {
    let image = program(Abi::Amd64, &hex("90 90 f4"));
    let mut steps = 0;
    let mut observer = |_: &Step<'_>| {
        steps += 1;
        assert!(steps < 2, "the observer's own words");
    };
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&Plan::new(&image), &mut observer)));
    let payload = caught.expect_err("panics");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the observer's own words"));
    assert_eq!(steps, 2, "nothing is shown after the panic");
}

#[test]
fn uninitialised_memory_reads_as_zero_and_the_tail_of_a_segment_is_mapped() {
    // mov 0x600fff,%al (beyond p_filesz); test %al,%al; jnz .; mov 0x600000,%al; hlt
    let text = "8a0425ff0f6000 84c0 75fe 8a042500006000 f4";
    let segments = vec![load(CODE, RX, &hex(text), 0x100), load(DATA, RW, &[7], 0x1000)];
    let trace = follow(&Plan { step_limit: 100, ..Plan::new(&image(Abi::Amd64, CODE, segments)) });
    let last = trace.steps.last().expect("steps");
    assert_eq!(trace.run.end, End::Halt(Pc(CODE + 0x12)));
    assert_eq!(types::RegFile::read(&last.registers, types::Reg(0)).map(|rax| rax & 0xff), Some(7));
}

#[test]
fn every_abi_can_be_started_with_arguments() {
    for abi in ALL {
        let exit = match abi {
            Abi::Amd64 => "8b3c24 b83c000000 0f05", // mov (%rsp),%edi; mov $60,%eax; syscall
            Abi::S390x => "e320f0000004 0a01",      // lg %r2,0(%r15); svc 1
            // ldr x0, [sp]; mov x8, #93; svc #0
            Abi::Aarch64 | Abi::Aarch64Be => "f94003e0 d2800ba8 d4000001",
        };
        let image = program(abi, &code(abi, exit));
        let plan = Plan { arguments: vec!["one".into(), "two".into()], start: Start::ElfEntry, ..Plan::new(&image) };
        // argc is the first word of the initial stack.
        assert_eq!(follow(&plan).run.end, End::Exit(3), "{abi}");
    }
}

/// A run of any engine without an observer.
fn ran_by<B: Backend>(engine: &B, plan: &Plan<'_>) -> Result<Run, B::Error> {
    engine.run(plan, &mut NoMemo(&mut |_: &Step<'_>| {}))
}

/// The emulator does these stores in a C helper, and reports a failure at the next instruction.
#[test]
fn a_store_that_fails_ends_the_run_at_itself() {
    // fld1; fstpt 8; nop
    let amd64 = [0xd9, 0xe8, 0xdb, 0x3c, 0x25, 8, 0, 0, 0, 0x90].to_vec();
    // ptrue p0.b; st1b {z0.b}, p0, [x1]; nop
    let aarch64 = words("2518e3e0 e400e020 d503201f");
    let all = [(Abi::Amd64, amd64, 2), (Abi::Aarch64, aarch64.clone(), 4), (Abi::Aarch64Be, aarch64, 4)];
    for (abi, code, at) in all {
        let image = program(abi, &code);
        let mut steps = 0;
        let run = run(&Plan::new(&image), &mut |_: &Step<'_>| steps += 1).expect("a run");
        let End::Undecided { reason: Reason::Fault, pc, message } = run.end else { panic!("{abi}: {:?}", run.end) };
        assert_eq!((pc.0 - image.entry.0, steps, run.steps), (at, 2, 2), "{abi}: {message}");
        assert!(message.starts_with("cannot write"), "{abi}: {message}");
    }
}
