//! Constructs without parameters: their text is a section of `texts.txt`.

use std::ops::ControlFlow;

use types::Abi;

use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow};
use super::texts::text;
use super::writer::Writer;
use super::{Compiler, CompilerTarget};

/// A construct that is always the same.
#[derive(Debug)]
pub struct Fragment {
    kind: &'static str,
    /// Name of its text, in which NAME stands for a number that no other name has.
    text: &'static str,
    uses: &'static [Helper],
    /// The value of `x` after it.
    value: fn(u32) -> u32,
    /// The function needs a frame pointer, or a stack that calls cannot give up.
    fixes_frame: bool,
    is_for: fn(CompilerTarget) -> bool,
}

const fn fragment(kind: &'static str, uses: &'static [Helper], value: fn(u32) -> u32) -> Fragment {
    Fragment { kind, text: kind, uses, value, fixes_frame: false, is_for: |_| true }
}

/// A computed goto to one of three labels.
pub(super) const COMPUTED_GOTO: Fragment = fragment("computed goto", &[Helper::Leaf], |x| match x % 3 {
    0 => x.wrapping_add(1) ^ 3,
    1 => x.wrapping_add(5) ^ 3,
    _ => x ^ 3,
});
/// An `asm goto` that never jumps.
pub(super) const ASM_GOTO: Fragment = fragment("asm goto", &[Helper::Leaf], |x| x.wrapping_add(1) ^ 6);
/// A label that a callee jumps back to.
pub(super) const LANDING: Fragment = Fragment {
    fixes_frame: true,
    is_for: CompilerTarget::can_jump_back,
    ..fragment("landing", &[Helper::Leap], |x| x.wrapping_add(6))
};
/// The frame address, whose use makes the function keep its frame.
pub(super) const FRAME_ADDRESS: Fragment =
    Fragment { fixes_frame: true, ..fragment("frame address", &[Helper::Sink], |x| x) };
pub(super) const RETURN_ADDRESS: Fragment = fragment("return address", &[Helper::Sink], |x| x);
/// The addresses of an interrupt handler and of one with an error code, which are never called:
/// they save every register that they use, and return with SP and flags.
pub(super) const INTERRUPT: Fragment = Fragment {
    text: "interrupt statement",
    is_for: |target| target.abi == Abi::Amd64,
    ..fragment("interrupt", &[Helper::Interrupt], |x| x)
};
/// A variable with a cleanup function, called at the end of its scope.
pub(super) const CLEANUP: Fragment = fragment("cleanup", &[Helper::Tidy, Helper::Leaf], |x| x.wrapping_add(3));
/// A nested function that is called by address: it needs a static chain and a trampoline on the
/// stack.
pub(super) const NESTED: Fragment = Fragment {
    fixes_frame: true,
    is_for: |target| target.compiler == Compiler::Gcc,
    ..fragment("nested function", &[Helper::Through, Helper::Leaf], |x| x.wrapping_add(4))
};
/// A call of a function that is assembly only.
pub(super) const NAKED: Fragment = Fragment {
    text: "naked call",
    is_for: |target| match (target.compiler, target.abi) {
        (_, Abi::Amd64) | (Compiler::Clang, Abi::Aarch64 | Abi::Aarch64Be) => true,
        (Compiler::Gcc, Abi::Aarch64 | Abi::Aarch64Be) | (_, Abi::S390x) => false,
    },
    ..fragment("naked", &[Helper::Naked], |x| x.wrapping_add(x).wrapping_add(3))
};
/// A call that takes and returns a scalable vector (SVE), and keeps it across another call; without
/// one if options do not allow SVE.
pub(super) const SCALABLE: Fragment = Fragment {
    is_for: |target| matches!(target.abi, Abi::Aarch64 | Abi::Aarch64Be),
    ..fragment("scalable", &[Helper::Scale], |x| x.wrapping_add(x).wrapping_add(1))
};
/// A call of a function that does not return, under a condition that is never true, but unknown to
/// compilers.
pub(super) const NO_RETURN: Fragment = fragment("no return", &[Helper::Zero, Helper::Die], |x| x);
/// A call of a function marked as cold, under such a condition.
pub(super) const COLD: Fragment = fragment("cold", &[Helper::Zero, Helper::Chill], |x| x);
/// A call of a function that does not return, in an unlikely block after memory was allocated.
pub(super) const NO_RETURN_IN_BLOCK: Fragment =
    fragment("no return in a block", &[Helper::Zero, Helper::Die, Helper::Touch], |x| x);

/// Kinds are unique.
impl PartialEq for Fragment {
    fn eq(&self, other: &Fragment) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Fragment {}

impl Construct for &'static Fragment {
    fn write(&self, to: &mut Writer) {
        self.uses.iter().for_each(|helper| to.uses(*helper));
        let text = text(self.text);
        let text = if text.contains("NAME") { text.replace("NAME", &to.fresh().to_string()) } else { text.to_owned() };
        for line in text.lines() {
            match line {
                "}" => to.close(),
                line if line.ends_with('{') => to.open(line),
                line => to.line(line),
            }
        }
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue((self.value)(x))
    }

    fn kind(&self) -> String {
        self.kind.to_owned()
    }

    fn fixes_frame(&self) -> bool {
        self.fixes_frame
    }

    fn is_for(&self, target: CompilerTarget) -> bool {
        (self.is_for)(target)
    }
}
