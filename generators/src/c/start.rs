//! The start of the program, in assembly, without caller and frame pointer; and functions that
//! compiler options need.

use types::Abi;

use super::Program;
use super::writer::Writer;

/// Writes `test`, which returns 0 if the result is the computed one, `_start`, and the functions
/// that the options of `ci/options.yaml` need.
pub(super) fn write(program: &Program, to: &mut Writer) {
    let first = program.functions.first().map_or(0, |first| first.number);
    to.line(&format!("volatile unsigned input = {}u;", program.input));
    to.line("KEEP int test(void)");
    to.open("{");
    to.line("unsigned x = input;");
    to.line(&format!("return f{first}({}) != {}u;", to.arguments(first), program.result()));
    to.close();
    let (start, counted) = match program.target.abi {
        Abi::Amd64 => (AMD64, AMD64_COUNTED),
        Abi::Aarch64 | Abi::Aarch64Be => (AARCH64, AARCH64_COUNTED),
        Abi::S390x => (S390X, S390X_COUNTED),
    };
    to.text(start);
    to.text(counted);
    to.text(GUARDED);
}

const AMD64: &str = r#"#ifdef SPLIT
unsigned long split_limit[32];
#define SPLIT_LIMIT "leaq split_limit(%rip), %rsi\nmovl $0x1002, %edi\nmovl $158, %eax\nsyscall\n"
#else
#define SPLIT_LIMIT
#endif
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\n" SPLIT_LIMIT "call test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
"#;

/// clang does not name the extension to another assembler.
const AARCH64: &str = r#"#if defined __clang__ && defined __ARM_FEATURE_SVE
asm (".arch armv8.2-a+sve");
#endif
#ifdef SHADOWED
unsigned long shadow[512];
#define SHADOW "adrp x18, shadow\nadd x18, x18, :lo12:shadow\n"
#else
#define SHADOW
#endif
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\n" SHADOW "bl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
"#;

const S390X: &str = r#"#ifdef SPLIT
unsigned long split_limit[32];
#define SPLIT_LIMIT "larl %r1, split_limit\nsar %a1, %r1\nsrlg %r1, %r1, 32\nsar %a0, %r1\n"
#else
#define SPLIT_LIMIT
#endif
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\n" SPLIT_LIMIT "brasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
"#;

const AMD64_COUNTED: &str = r#"#ifdef COUNTED
asm (".text\n.globl mcount, __fentry__, __return__\n.type mcount, @function\n"
     "mcount:\n__fentry__:\n__return__:\n"
     ".cfi_startproc\nret\n.cfi_endproc\n.size mcount, .-mcount\n");
#endif
#ifdef THUNKS
#define THUNK(register) ".globl __x86_indirect_thunk_" register "\n.type __x86_indirect_thunk_" register ", @function\n" \
     "__x86_indirect_thunk_" register ":\n.cfi_startproc\njmp *%" register "\n.cfi_endproc\n"
asm (".text\n" THUNK("rax") THUNK("rbx") THUNK("rcx") THUNK("rdx") THUNK("rsi") THUNK("rdi") THUNK("rbp") THUNK("r8")
     THUNK("r9") THUNK("r10") THUNK("r11") THUNK("r12") THUNK("r13") THUNK("r14") THUNK("r15")
     ".globl __x86_return_thunk\n.type __x86_return_thunk, @function\n"
     "__x86_return_thunk:\n.cfi_startproc\nret\n.cfi_endproc\n");
#endif
"#;

const AARCH64_COUNTED: &str = r#"#ifdef COUNTED
asm (".text\n.globl _mcount\n.type _mcount, %function\n_mcount:\n"
     ".cfi_startproc\nret\n.cfi_endproc\n.size _mcount, .-_mcount\n");
#endif
"#;

const S390X_COUNTED: &str = r#"#ifdef COUNTED
asm (".text\n.globl _mcount\n.type _mcount, @function\n_mcount:\n"
     ".cfi_startproc\nbr %r14\n.cfi_endproc\n.size _mcount, .-_mcount\n");
#endif
"#;

const GUARDED: &str = r#"#ifdef SPLIT
void __morestack(void) { __builtin_trap(); }
void __morestack_non_split(void) { __builtin_trap(); }
void *__morestack_allocate_stack_space(unsigned long size) { __builtin_trap(); }
#endif
#ifdef INSTRUMENTED
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *c) { }
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *c) { }
#endif
#ifdef GUARDED
unsigned long __stack_chk_guard = 0x1234abcd00;
__attribute__((noreturn)) void __stack_chk_fail(void) { __builtin_trap(); }
#endif
"#;
