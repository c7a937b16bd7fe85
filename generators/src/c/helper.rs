//! Functions and variables that statements use, emitted only if needed.

use types::Abi;

use super::{Compiler, Target};

/// A helper, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// A variable that is 0, which no compiler knows.
    Zero,
    /// Number of further recursive calls that are allowed.
    Fuel,
    /// A destination for values and addresses.
    Sink,
    /// `memcpy` and `memset`, which compilers call for structures.
    Copy,
    /// A leaf function that returns its argument plus 1.
    Leaf,
    /// A function that writes to memory of the caller's frame.
    Touch,
    /// A function that takes and returns a structure of this many words.
    Pass(u16),
    /// A function that adds a variable number of arguments.
    Sum,
    /// A cleanup function.
    Tidy,
    /// A function that calls another by its address.
    Through,
    /// A function that jumps back, over two frames.
    Leap,
    /// A function that does not return.
    Die,
    /// A function marked as cold.
    Chill,
    /// A naked function.
    Naked,
    /// Interrupt handlers.
    Interrupt,
    /// A function that takes and returns a scalable vector.
    Scale,
}

impl Helper {
    /// Further helpers that a helper uses.
    pub(super) fn needs(self) -> &'static [Helper] {
        match self {
            Helper::Pass(_) => &[Helper::Copy],
            Helper::Leap => &[Helper::Sink, Helper::Zero],
            Helper::Tidy | Helper::Chill | Helper::Die => &[Helper::Sink],
            Helper::Interrupt => &[Helper::Sink, Helper::Zero, Helper::Leaf],
            Helper::Scale => &[Helper::Leaf],
            Helper::Zero
            | Helper::Fuel
            | Helper::Sink
            | Helper::Copy
            | Helper::Leaf
            | Helper::Touch
            | Helper::Sum
            | Helper::Naked
            | Helper::Through => &[],
        }
    }

    /// The C text of a helper.
    pub(super) fn text(self, target: Target, fuel: u32) -> String {
        match self {
            Helper::Zero => "volatile unsigned zero;\n".to_owned(),
            Helper::Fuel => format!("volatile unsigned fuel = {fuel}u;\n"),
            Helper::Sink => "volatile unsigned long sink;\n".to_owned(),
            Helper::Copy => COPY.to_owned(),
            Helper::Leaf => "KEEP unsigned leaf(unsigned a) { return a + 1u; }\n".to_owned(),
            Helper::Touch => TOUCH.to_owned(),
            Helper::Pass(words) => PASS.replace("WORDS", &words.to_string()),
            Helper::Sum => SUM.to_owned(),
            Helper::Tidy => "KEEP void tidy(unsigned *held) { sink = *held; }\n".to_owned(),
            Helper::Through => THROUGH.to_owned(),
            Helper::Leap => LEAP.to_owned(),
            Helper::Die => {
                "KEEP __attribute__((noreturn)) void die(unsigned a) { sink = a; __builtin_trap(); }\n".to_owned()
            }
            Helper::Chill => {
                "KEEP __attribute__((cold)) unsigned chill(unsigned a) { sink = a; return a + 9u; }\n".to_owned()
            }
            Helper::Naked => NAKED.replace("BODY", &naked(target).join("\\n")),
            Helper::Interrupt => INTERRUPT.to_owned(),
            Helper::Scale => SCALE.to_owned(),
        }
    }
}

impl Target {
    /// Returns true if the compiler has `__builtin_setjmp` for the ABI.
    pub(super) fn can_jump_back(self) -> bool {
        match (self.compiler, self.abi) {
            (Compiler::Clang, Abi::Aarch64 | Abi::Aarch64Be) => false,
            (Compiler::Clang, Abi::Amd64 | Abi::S390x) => true,
            (Compiler::Gcc, Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x) => true,
        }
    }
}

/// Volatile, as compilers would replace the loops by calls of the functions themselves.
const COPY: &str = "\
KEEP void *memcpy(void *to, const void *from, unsigned long size)
{
    for (unsigned long at = 0; at < size; at++)
        ((volatile char *)to)[at] = ((const volatile char *)from)[at];
    return to;
}
KEEP void *memset(void *to, int byte, unsigned long size)
{
    for (unsigned long at = 0; at < size; at++)
        ((volatile char *)to)[at] = (char)byte;
    return to;
}
";

/// Without what options add to other functions: their code would change the argument.
const NAKED: &str = "\
KEEP __attribute__((naked, no_instrument_function, no_stack_protector, no_split_stack)) unsigned naked(unsigned a)
{
    asm (\"BODY\");
}
";

fn naked(target: Target) -> &'static [&'static str] {
    match target.abi {
        Abi::Amd64 => &[
            "pushq %rbx",
            ".cfi_adjust_cfa_offset 8",
            ".cfi_offset %rbx, -16",
            "leal 3(%rdi), %ebx",
            "movl %ebx, %eax",
            "popq %rbx",
            ".cfi_adjust_cfa_offset -8",
            ".cfi_restore %rbx",
            "ret",
        ],
        Abi::Aarch64 | Abi::Aarch64Be => &[
            "str x19, [sp, #-16]!",
            ".cfi_adjust_cfa_offset 16",
            ".cfi_offset x19, -16",
            "add w19, w0, #3",
            "mov w0, w19",
            "ldr x19, [sp], #16",
            ".cfi_adjust_cfa_offset -16",
            ".cfi_restore x19",
            "ret",
        ],
        Abi::S390x => &["ahi %r2, 3", "llgfr %r2, %r2", "br %r14"],
    }
}

const INTERRUPT: &str = "\
KEEP __attribute__((interrupt, target(\"general-regs-only\"))) void interrupt(void *frame) { sink = leaf(zero); }
KEEP __attribute__((interrupt, target(\"general-regs-only\"))) void fault(void *frame, unsigned long code) { sink = leaf(code); }
";

const SCALE: &str = "\
#ifdef __ARM_FEATURE_SVE
KEEP __SVInt32_t scale(__SVInt32_t vector, unsigned *x)
{
    asm volatile (\"\" : \"+w\" (vector));
    *x = leaf(*x);
    return vector;
}
#endif
";

/// A misaligned address changes the result.
const TOUCH: &str = "\
KEEP unsigned touch(volatile unsigned *p, unsigned long mask, unsigned x)
{
    *p = x;
    return *p + (unsigned)((unsigned long)p & mask);
}
";

const PASS: &str = "\
struct sWORDS { unsigned v[WORDS]; };
KEEP struct sWORDS passWORDS(struct sWORDS s, unsigned a)
{
    s.v[0] += a;
    s.v[WORDS - 1] ^= 5u;
    return s;
}
";

const SUM: &str = "\
KEEP unsigned sum(unsigned count, ...)
{
    unsigned total = 0;
    __builtin_va_list list;
    __builtin_va_start(list, count);
    while (count--)
        total = total * 3u + __builtin_va_arg(list, unsigned);
    __builtin_va_end(list);
    return total;
}
";

/// GCC calls the first function where it creates a trampoline.
const THROUGH: &str = "\
void __clear_cache(void *begin, void *end) { }
KEEP unsigned through(unsigned (*f)(unsigned), unsigned a) { return f(a); }
";

/// Not marked as noreturn: GCC would remove the jump's target from the caller's control flow. Over
/// two frames, so that SP passes that of `leap`: then there is no true caller. A jump would leave
/// x18, the shadow call stack pointer, unchanged.
const LEAP: &str = "\
KEEP void leap(void **place, unsigned x)
{
    volatile unsigned words[20];
    words[x & 15u] = x;
    sink = words[x & 15u];
#ifndef SHADOWED
    if (zero == 0u)
        __builtin_longjmp(place, 1);
#endif
}
KEEP void hop(void **place, unsigned x)
{
    volatile unsigned words[4];
    words[x & 3u] = x;
    leap(place, x);
    sink = words[x & 3u];
}
";
