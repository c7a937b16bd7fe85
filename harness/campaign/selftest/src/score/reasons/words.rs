//! Instructions, registers and offsets of each target, for the shapes.

use types::Abi;

/// Instructions of a target as macros. `hold` stores SP, `enter` also the return address, for
/// `leave`, which restores SP from anywhere; `drop` raises SP to the stored value, `land` jumps to
/// the address that `address` stores.
pub(super) const fn macros(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => {
            ".macro nothing\nnop\n.endm\n.macro back\nret\n.endm\n.macro go\njmp *%rax\n.endm
             .macro keep\nmov %rsp, %rax\n.endm\n.macro take\nmov %rax, %rsp\n.endm\n.macro other\nlea stack(%rip), %rsp\n.endm
             .macro hold\nmov %rsp, %rbx\n.endm\n.macro enter\nhold\n.endm\n.macro leave\nmov %rbx, %rsp\nret\n.endm\n.macro down\nsub $32, %rsp\n.endm
             .macro drop\nmov %rbx, %rsp\n.endm\n.macro land\njmp *%r12\n.endm\n.macro address to\nlea \\to(%rip), %r12\n.endm
             .macro lower\nmov (%rsp), %rcx\nsub $32, %rsp\nmov %rcx, (%rsp)\n.endm\n.macro calls to\ncall \\to\n.endm\n.macro jump to\njmp \\to\n.endm"
        }
        Abi::Aarch64 | Abi::Aarch64Be => {
            ".macro nothing\nnop\n.endm\n.macro back\nret\n.endm\n.macro go\nbr x9\n.endm
             .macro keep\nmov x9, sp\n.endm\n.macro take\nmov sp, x9\n.endm\n.macro other\nadr x10, stack\nmov sp, x10\n.endm
             .macro hold\nmov x19, sp\n.endm\n.macro enter\nmov x21, x30\n.cfi_register x30, x21\nhold\n.endm\n.macro leave\nmov sp, x19\nret x21\n.endm
             .macro down\nsub sp, sp, #32\n.endm\n.macro drop\nmov sp, x19\n.endm\n.macro land\nbr x20\n.endm
             .macro address to\nadr x20, \\to\n.endm\n.macro lower\nsub sp, sp, #32\n.endm\n.macro calls to\nbl \\to\n.endm\n.macro jump to\nb \\to\n.endm"
        }
        Abi::S390x => {
            ".macro nothing\nnopr\n.endm\n.macro back\nbr %r14\n.endm\n.macro go\nbr %r1\n.endm
             .macro keep\nlgr %r1, %r15\n.endm\n.macro take\nlgr %r15, %r1\n.endm\n.macro other\nlarl %r15, stack\n.endm
             .macro hold\nlgr %r12, %r15\n.endm\n.macro enter\nlgr %r10, %r14\n.cfi_register 14, 10\nhold\n.endm\n.macro leave\nlgr %r15, %r12\nbr %r10\n.endm
             .macro down\naghi %r15, -32\n.endm\n.macro drop\nlgr %r15, %r12\n.endm\n.macro land\nbr %r13\n.endm
             .macro address to\nlarl %r13, \\to\n.endm\n.macro lower\naghi %r15, -32\n.endm\n.macro calls to\nbrasl %r14, \\to\n.endm\n.macro jump to\nj \\to\n.endm"
        }
    }
}

/// Registers, offsets and code of a target.
pub(super) const fn words(abi: Abi) -> &'static [(&'static str, &'static str)] {
    match abi {
        Abi::Amd64 => &[
            (
                "SIGNAL",
                "mov $1, %r14d\nmov $13, %eax\nmov $10, %edi\nmov %r12, %rsi\nxor %edx, %edx\nmov $8, %r10d\nsyscall\nmov $39, %eax
                 syscall\nmov %eax, %edi\nmov $10, %esi\nmov $62, %eax\nsyscall",
            ),
            (
                "INTERRUPTED",
                ".cfi_def_cfa rsp, 176\n.cfi_offset rbp, -56\n.cfi_offset rsp, -16\n.cfi_offset rip, -8",
            ),
            ("RESUME", "mov $15, %eax\nsyscall"),
            ("SMASHED", "nop\nmovq $0, (%rsp)\n@nop"),
            (
                "HANDED",
                "push %rbx\n.cfi_def_cfa_offset 16\n.cfi_offset rbx, -16\nmov 8(%rsp), %rax\nmov %rax, 8(%rdi)\nmov %rdi, %rbx
                 .cfi_def_cfa rbx, 16\n@mov %rsi, %rax\n.cfi_def_cfa rsp, 16\npop %rbx\n.cfi_def_cfa_offset 8",
            ),
            (
                "TWO_FPS",
                "test %edi, %edi\nje 3f\nmov %rbp, %rcx\n.cfi_register rbp, rcx\nmov $1, %ebp\ncmp $5, %edx\nja 3f
                 2: add %ebp, %eax\nmov %rcx, %rbp\n.cfi_restore rbp\nret\n3: cmp $5, %edx\njbe 2b\n@xor %eax, %eax\nret",
            ),
            ("SHIFTED", "mov %rdi, %rax\nand $512, %eax\nadd %rax, %rbp\n@nop\nsub %rax, %rbp"),
            ("LOSE_FP", "inc %rbp"),
            ("TYPE", "@function"),
            ("TARGET", "r12"),
            ("HOLDER", "rax"),
            ("ENTRY", "8"),
            ("HELD", "rbx"),
            ("KEPT", "rax"),
            ("LANDED", "0"),
            ("LOW", "40"),
            ("RA", "rip"),
            ("FP", "rbp"),
            ("SP", "rsp"),
        ],
        Abi::Aarch64 | Abi::Aarch64Be => &[
            (
                "SMASHED",
                "str x30, [sp, #-16]!\n.cfi_def_cfa_offset 16\n.cfi_offset x30, -16\nnop\nmov x30, #0\nstr x30, [sp]\n@nop",
            ),
            (
                "HANDED",
                "str x19, [sp, #-16]!\n.cfi_def_cfa_offset 16\n.cfi_offset x19, -16\nstr x30, [x0, #8]\nmov x19, x0
                 .cfi_def_cfa x19, 16\n@mov x1, x2\n.cfi_def_cfa sp, 16\nldr x19, [sp], #16\n.cfi_def_cfa_offset 0",
            ),
            (
                "TWO_FPS",
                "cbz w0, 3f\nmov x9, x29\n.cfi_register x29, x9\nmov x29, #1\ncmp w1, #5\nb.hi 3f\n2: add w2, w2, w29
                 mov x29, x9\n.cfi_restore x29\nret\n3: cmp w1, #5\nb.ls 2b\n@mov w2, #0\nret",
            ),
            ("SHIFTED", "and x9, x0, #32\nadd x29, x29, x9\n@nop\nsub x29, x29, x9"),
            ("LOSE_FP", "add x29, x29, #1"),
            ("TYPE", "%function"),
            ("TARGET", "x20"),
            ("HOLDER", "x9"),
            ("ENTRY", "0"),
            ("HELD", "x19"),
            ("KEPT", "x9"),
            ("LANDED", "0"),
            ("LOW", "32"),
            ("RA", "x30"),
            ("FP", "x29"),
            ("SP", "sp"),
        ],
        Abi::S390x => &[
            (
                "SMASHED",
                "stg %r14, 112(%r15)\n.cfi_offset 14, -48\nnopr\nlghi %r14, 0\nstg %r14, 112(%r15)\n@nopr",
            ),
            (
                "HANDED",
                "stg %r12, 96(%r15)\n.cfi_offset 12, -64\nstg %r14, 8(%r2)\nlgr %r12, %r2\n.cfi_def_cfa 12, 160
                 @lgr %r4, %r3\n.cfi_def_cfa 15, 160\nlg %r12, 96(%r15)\n.cfi_restore 12",
            ),
            (
                "TWO_FPS",
                "ltr %r2, %r2\nje 3f\nlgr %r5, %r11\n.cfi_register 11, 5\nlghi %r11, 1\nchi %r3, 5\njh 3f\n2: ar %r4, %r11
                 lgr %r11, %r5\n.cfi_restore 11\nbr %r14\n3: chi %r3, 5\njle 2b\n@lghi %r4, 0\nbr %r14",
            ),
            ("SHIFTED", "lghi %r1, 256\nngr %r1, %r2\nagr %r11, %r1\n@nopr\nsgr %r11, %r1"),
            ("LOSE_FP", "aghi %r11, 1"),
            ("TYPE", "@function"),
            ("TARGET", "13"),
            ("HOLDER", "1"),
            ("ENTRY", "160"),
            ("HELD", "12"),
            ("KEPT", "1"),
            ("LANDED", "160"),
            ("LOW", "192"),
            ("RA", "14"),
            ("FP", "11"),
            ("SP", "15"),
        ],
    }
}
