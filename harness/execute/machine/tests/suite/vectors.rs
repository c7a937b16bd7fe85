//! Vector instructions of AMD64 in programs: upper halves, faults, sums, the control register,
//! signal frames and saved states.

use crate::common::trace::trace;
use crate::common::{self, CODE, hex};
use crate::native::{has, try_all, undecided};
use machine::{End, Plan, Reason, refuses, single_step};
use testing::binutils::Target;
use types::{Abi, Pc, Reg, RegFile as _, Step};

#[test]
fn old_instructions_leave_upper_halves_alone() {
    if !has(&["avx2"]) {
        return;
    }
    let code = hex("bf00006000   ; mov $0x600000,%edi
         c5f576c9     ; vpcmpeqd %ymm1,%ymm1,%ymm1
         660fefc9     ; pxor %xmm1,%xmm1
         c5fe7f0f     ; vmovdqu %ymm1,(%rdi)
         488b4718     ; mov 0x18(%rdi),%rax
         c5ed76d2     ; vpcmpeqd %ymm2,%ymm2,%ymm2
         c5e9efd2     ; vpxor %xmm2,%xmm2,%xmm2
         c5fe7f5720   ; vmovdqu %ymm2,0x20(%rdi)
         488b5738     ; mov 0x38(%rdi),%rdx
         c4e1f96ed8   ; vmovq %rax,%xmm3
         c5f877       ; vzeroupper
         c5fe7f0f     ; vmovdqu %ymm1,(%rdi)
         488b4f18     ; mov 0x18(%rdi),%rcx
         f4");
    let run = trace(Abi::Amd64, &code);
    assert_eq!(run.run.end, End::Halt(Pc(CODE + 0x36)));
    let last = &run.steps.last().expect("a step").registers;
    // rax, rdx, rcx by DWARF number: kept by SSE, cleared by VEX, cleared by vzeroupper.
    assert_eq!([0, 1, 2].map(|number| last.read(Reg(number))), [Some(u64::MAX), Some(0), Some(0)]);
    // The same by single steps.
    let image = common::program(Abi::Amd64, &code);
    let mut registers = Vec::new();
    let mut keep = |step: &Step<'_>| registers.push([0, 1, 2].map(|number| step.regs.others.read(Reg(number))));
    let stepped = single_step::run(&Plan::new(&image), &mut keep).expect("runs");
    assert_eq!((stepped.end, stepped.steps), (run.run.end, run.run.steps));
    assert_eq!(registers.last(), Some(&[Some(u64::MAX), Some(0), Some(0)]));
}

#[test]
fn faults_are_the_programs() {
    if !has(&["avx2"]) {
        return;
    }
    // mov $0x400000,%edi; vmovdqu %ymm1,(%rdi): code is not written to.
    let message = undecided("bf00004000 c5fe7f0f", Reason::Fault, 5);
    assert!(message.contains("cannot write 32 bytes at 0x400000 (not permitted)"), "{message}");
    // mov $0x600ff0,%edi; vmovdqu (%rdi),%ymm1: only half of the operand is mapped.
    let message = undecided("bff00f6000 c5fe6f0f", Reason::Fault, 5);
    assert!(message.contains("cannot read 32 bytes at 0x601000 (not mapped)"), "{message}");
    // mov $0x600ff8,%edi; vmovaps (%rdi),%xmm1
    let message = undecided("bff80f6000 c5f8280f", Reason::Fault, 5);
    assert!(message.contains("general protection"), "{message}");
    // xor %eax,%eax; vmovups %fs:(%rax),%xmm1: at no address, a prefix before VEX.
    let message = undecided("31c0 64c5f81008", Reason::Fault, 2);
    assert!(message.contains("cannot read 16 bytes at 0x0"), "{message}");
    // mov $0x600ff8,%edi; mov $-1,%rax; vmovq %rax,%xmm2; vmaskmovps %xmm2,%xmm2,(%rdi); mov
    // (%rdi),%rdx; hlt: the rest is masked.
    let masked = trace(Abi::Amd64, &hex("bff80f6000 48c7c0ffffffff c4e1f96ed0 c4e2692e17 488b17 f4"));
    assert_eq!(masked.run.end, End::Halt(Pc(CODE + 0x19)));
    assert_eq!(masked.steps.last().and_then(|step| step.registers.read(Reg(1))), Some(u64::MAX));
    if has(&["avx512bw", "avx512vl"]) {
        // mov $0x600ff0,%edi; mov $0xffff,%eax; kmovd %eax,%k1; vmovdqu8 (%rdi),%ymm1{%k1}{z}; mov
        // $0x1ffff,%eax; the same again
        let code = "bff00f6000 b8ffff0000 c5fb92c8 62f17fa96f0f b8ffff0100 c5fb92d0 62f17faa6f0f";
        let message = undecided(code, Reason::Fault, 0x1d);
        assert!(message.contains("at 0x601000 (not mapped)"), "{message}");
        // The same first mask, and vpshufb (%rdi),%ymm1,%ymm1{%k1}; vpdpbusd: it is not known here
        // whether the masked bytes are accessed.
        for code in ["62f27529000f", "62f27529500f"] {
            let text = format!("bff00f6000 b8ffff0000 c5fb92c8 {code}");
            assert!(undecided(&text, Reason::IllegalInstruction, 14).contains("illegal instruction vp"), "{code}");
        }
    }
}

#[test]
fn what_the_host_does_not_execute_is_named() {
    // vscatterdps %zmm3,(%rax,%zmm2,4){%k1}
    let message = undecided("62f27d49a21c90", Reason::IllegalInstruction, 0);
    assert!(message.contains("vscatterdps"), "{message}");
    // vgatherdps %xmm3,(%rax,%xmm2,4),%xmm3: the result is the mask.
    assert!(undecided("c4e261921c90", Reason::IllegalInstruction, 0).contains("illegal instruction"));
}

#[test]
fn sums_with_two_carries_are_the_hosts() {
    if has(&["avx", "adx"]) {
        // xor %eax,%eax; dec %rax; mov $1,%ebx; adox %rbx,%rax; hlt
        let sum = trace(Abi::Amd64, &hex("31c0 48ffc8 bb01000000 f3480f38f6c3 f4"));
        assert_eq!(sum.run.end, End::Halt(Pc(CODE + 16)));
        assert_eq!(sum.steps.last().and_then(|step| step.registers.read(Reg(0))), Some(0));
    }
}

#[test]
fn sums_of_neighbours_in_one_register_are_the_hosts() {
    if !has(&["avx2"]) {
        return;
    }
    // %xmm1 and %xmm9 with themselves, and %xmm1 with %xmm9.
    let forms = |opcode| [vec![0x66, 0x0f, 0x38, opcode, 0xc9], vec![0x66, 0x45, 0x0f, 0x38, opcode, 0xc9]];
    let other = |opcode| vec![0x66, 0x41, 0x0f, 0x38, opcode, 0xc9];
    let opcodes = [1, 2, 3, 5, 6, 7];
    try_all(
        &opcodes.into_iter().flat_map(|opcode| [&forms(opcode)[..], &[other(opcode)]].concat()).collect::<Vec<_>>(),
    );
    // phaddd %mm1,%mm1; phaddd %mm1,%mm2, which the emulator executes.
    undecided("0f3802c9", Reason::IllegalInstruction, 0);
    assert_eq!(trace(Abi::Amd64, &hex("0f3802d1 f4")).run.end, End::Halt(Pc(CODE + 4)));
    // As many prefixes as there are bytes.
    let prefixes = [0x2e; 0x4000];
    assert!(!refuses(Abi::Amd64, &prefixes) && !refuses(Abi::Amd64, &[0x66; 0x4000]));
}

#[test]
fn the_control_register_of_vectors_is_the_programs() {
    if !has(&["avx"]) {
        return;
    }
    // mov $0x600000,%edi; movl $0x7f80,(%rdi); vldmxcsr (%rdi); vstmxcsr 4(%rdi); mov 4(%rdi),%eax;
    // stmxcsr (%rdi); mov (%rdi),%edx; hlt
    let run = trace(Abi::Amd64, &hex("bf00006000 c707807f0000 c5f8ae17 c5f8ae5f04 8b4704 0fae1f 8b17 f4"));
    assert_eq!(run.run.end, End::Halt(Pc(CODE + 28)));
    let last = &run.steps.last().expect("a step").registers;
    assert_eq!([0, 1].map(|number| last.read(Reg(number))), [Some(0x7f80); 2]);
    // movl $0x10000,(%rdi): a reserved bit.
    let message = undecided("bf00006000 c70700000100 c5f8ae17", Reason::Fault, 11);
    assert!(message.contains("general protection"), "{message}");
}

/// How a program of this source ends.
fn end(source: &str) -> End {
    let image = common::assembled(Target::Amd64, source);
    common::trace::follow(&Plan { step_limit: 10_000, stack_size: 64 << 10, ..Plan::new(&image) }).run.end
}

#[test]
fn upper_halves_survive_signal_handlers_and_are_saved_with_the_state() {
    if !has(&["avx2", "fma", "f16c", "bmi1", "bmi2"]) {
        return;
    }
    assert_eq!(end(include_str!("programs/upper-halves.amd64.s")), End::Exit(0));
}

#[test]
fn a_handler_reads_and_changes_upper_halves_in_its_frame() {
    if !has(&["avx2", "fma", "f16c", "bmi1", "bmi2"]) {
        return;
    }
    assert_eq!(end(include_str!("programs/handler-changes.amd64.s")), End::Exit(0x55 + 0x66));
}
