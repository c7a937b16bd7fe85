//! Frame operations on AMD64 (System V psABI) as assembly text: instructions and directives.

use crate::cfi_text::register::{Register, Role, reg};
use crate::cfi_text::truth::{Act, ActKind, Frame, Instructions};

pub(crate) const INSTRUCTIONS: Instructions = Instructions {
    start: "\txorl %edi, %edi\n\tcall f0\n\tmovl $1, %edi\n\tcall f0\n\txorl %edi, %edi\n\tmovl $60, %eax\n\tsyscall",
    ret: "\tret",
    nop: "\tnop",
    branch: |label| format!("\ttestl %edi, %edi\n\tjne {label}"),
    act,
    registers: REGISTERS,
};

/// DWARF numbers: System V AMD64 psABI 1.0, figure 3.36.
const REGISTERS: &[Register] = &[
    reg("rsp", 7, Role::Sp),
    reg("rbp", 6, Role::Fp),
    reg("rip", 16, Role::Ra),
    reg("rbx", 3, Role::Other),
    reg("rax", 0, Role::Other),
    reg("r10", 10, Role::Other),
    reg("r12", 12, Role::Other),
    reg("r15", 15, Role::Other),
    reg("xmm1", 18, Role::Other),
];

fn act(frame: &mut Frame, act: Act) -> Option<(String, String)> {
    let words = act.other_words;
    match act.kind {
        ActKind::Alloc(bytes) => {
            let done = frame.moved(bytes, words);
            let undone = frame.moved_back(bytes, words);
            Some((format!("\tsubq ${bytes}, %rsp{done}"), format!("\taddq ${bytes}, %rsp{undone}")))
        }
        ActKind::SaveFp | ActKind::SaveBoth if !frame.fp_kept && !frame.realigned => {
            frame.fp_kept = true;
            Some(push("rbp", frame, words))
        }
        ActKind::SaveOther if frame.others < 3 && !frame.realigned => {
            let register = ["rbx", "r12", "r15"][frame.others];
            frame.others += 1;
            Some(push(register, frame, words))
        }
        ActKind::SetFp if frame.fp_kept && !frame.on_fp && !frame.realigned => {
            frame.on_fp = true;
            let directive = frame.based_on("rbp", words);
            // SP equals FP again when this operation is undone.
            let back = frame.based_on("rsp", words);
            Some((format!("\tmovq %rsp, %rbp\n\t{directive}"), format!("\t{back}")))
        }
        ActKind::ClobberFp if frame.fp_kept && !frame.on_fp && !frame.realigned => {
            Some(("\tmovl $7, %ebp".to_owned(), String::new()))
        }
        ActKind::ParkRa if frame.done == 0 => {
            frame.parked = true;
            frame.depth = 0;
            let back = if words { ".cfi_offset rip, -8" } else { ".cfi_restore rip" };
            Some((
                "\tpopq %rax\n\t.cfi_def_cfa_offset 0\n\t.cfi_register rip, rax".to_owned(),
                format!("\tpushq %rax\n\t.cfi_def_cfa_offset 8\n\t{back}"),
            ))
        }
        ActKind::ParkFp if !frame.fp_kept && !frame.realigned => {
            frame.fp_kept = true;
            frame.parked = true;
            let back = if words { ".cfi_same_value rbp" } else { ".cfi_restore rbp" };
            Some(("\tmovq %rbp, %r11\n\t.cfi_register rbp, r11".to_owned(), format!("\tmovq %r11, %rbp\n\t{back}")))
        }
        // As gcc emits it: the CFA in r10, then loaded from [rbp-8]; the caller's FP at [rbp+0].
        ActKind::Realign if frame.done == 0 => {
            frame.realigned = true;
            frame.fp_kept = true;
            Some((
                "\tleaq 8(%rsp), %r10\n\t.cfi_def_cfa r10, 0\n\tandq $-32, %rsp\n\tpushq -8(%r10)\n\tpushq %rbp\n\tmovq %rsp, %rbp\n\
                 \t.cfi_escape 0x10, 0x6, 0x2, 0x76, 0x0\n\tpushq %r10\n\t.cfi_escape 0xf, 0x3, 0x76, 0x78, 0x6"
                    .to_owned(),
                "\tpopq %r10\n\t.cfi_def_cfa r10, 0\n\tpopq %rbp\n\t.cfi_restore rbp\n\tleaq -8(%r10), %rsp\n\t.cfi_def_cfa rsp, 8"
                    .to_owned(),
            ))
        }
        ActKind::Call if !frame.parked => {
            let callee = frame.callee?;
            Some((format!("\tcall f{callee}"), String::new()))
        }
        _ => None,
    }
}

fn push(register: &str, frame: &mut Frame, words: bool) -> (String, String) {
    let moved = frame.moved(8, words);
    let directive = frame.saved(register, 0, words);
    let undone = frame.moved_back(8, words);
    (
        format!("\tpushq %{register}{moved}\n\t{directive}"),
        format!("\tpopq %{register}{undone}\n\t.cfi_restore {register}"),
    )
}
