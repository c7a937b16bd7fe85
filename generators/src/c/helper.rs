//! Functions and variables that statements use, emitted only if needed.

use types::Abi;

use super::texts::text;
use super::{Compiler, CompilerTarget};

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
    pub(super) fn text(self, target: CompilerTarget, fuel: u32) -> String {
        match self {
            Helper::Zero => "volatile unsigned zero;\n".to_owned(),
            Helper::Fuel => format!("volatile unsigned fuel = {fuel}u;\n"),
            Helper::Sink => "volatile unsigned long sink;\n".to_owned(),
            Helper::Copy => text("copy").to_owned(),
            Helper::Leaf => "KEEP unsigned leaf(unsigned a) { return a + 1u; }\n".to_owned(),
            Helper::Touch => text("touch").to_owned(),
            Helper::Pass(words) => text("pass").replace("WORDS", &words.to_string()),
            Helper::Sum => text("sum").to_owned(),
            Helper::Tidy => "KEEP void tidy(unsigned *held) { sink = *held; }\n".to_owned(),
            Helper::Through => text("through").to_owned(),
            Helper::Leap => text("leap").to_owned(),
            Helper::Die => {
                "KEEP __attribute__((noreturn)) void die(unsigned a) { sink = a; __builtin_trap(); }\n".to_owned()
            }
            Helper::Chill => {
                "KEEP __attribute__((cold)) unsigned chill(unsigned a) { sink = a; return a + 9u; }\n".to_owned()
            }
            Helper::Naked => text("naked").replace("BODY", text(&format!("naked {}", target.family())).trim_end()),
            Helper::Interrupt => text("interrupt").to_owned(),
            Helper::Scale => text("scale").to_owned(),
        }
    }
}

impl CompilerTarget {
    /// Name of the architecture in names of texts.
    pub(super) fn family(self) -> &'static str {
        match self.abi {
            Abi::Amd64 => "amd64",
            Abi::Aarch64 | Abi::Aarch64Be => "aarch64",
            Abi::S390x => "s390x",
        }
    }

    /// Returns true if the compiler has `__builtin_setjmp` for the ABI.
    pub(super) fn can_jump_back(self) -> bool {
        match (self.compiler, self.abi) {
            (Compiler::Clang, Abi::Aarch64 | Abi::Aarch64Be) => false,
            (Compiler::Clang, Abi::Amd64 | Abi::S390x) => true,
            (Compiler::Gcc, Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x) => true,
        }
    }
}
