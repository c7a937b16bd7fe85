//! Calling conventions and attributes of functions, each for the compilers and targets that support
//! it.

use types::Abi;

use super::{Compiler, CompilerTarget};

/// An attribute that changes a function's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention(&'static Facts);

#[derive(Debug, PartialEq, Eq)]
struct Facts {
    words: &'static str,
    compiler: Option<Compiler>,
    abis: &'static [Abi],
    weight: u32,
}

const AMD64: &[Abi] = &[Abi::Amd64];
const AARCH64: &[Abi] = &[Abi::Aarch64, Abi::Aarch64Be];
const S390X: &[Abi] = &[Abi::S390x];
const NOT_S390X: &[Abi] = &[Abi::Amd64, Abi::Aarch64, Abi::Aarch64Be];
const ALL: &[Abi] = &Abi::ALL;

/// Attributes with their weights.
static CONVENTIONS: [Facts; 25] = [
    facts("ms_abi", None, AMD64, 4),
    facts("force_align_arg_pointer", None, AMD64, 3),
    facts("no_caller_saved_registers, target(\"general-regs-only\")", None, AMD64, 2),
    facts("preserve_most", Some(Compiler::Clang), NOT_S390X, 3),
    facts("preserve_all", Some(Compiler::Clang), NOT_S390X, 2),
    facts("preserve_none", Some(Compiler::Clang), &[Abi::Amd64, Abi::Aarch64], 2),
    facts("regcall", Some(Compiler::Clang), AMD64, 2),
    facts("vectorcall", Some(Compiler::Clang), AMD64, 2),
    facts("swiftcall", Some(Compiler::Clang), NOT_S390X, 1),
    facts("swiftasynccall", Some(Compiler::Clang), NOT_S390X, 2),
    facts("aarch64_vector_pcs", None, AARCH64, 4),
    facts("target(\"branch-protection=pac-ret+leaf\")", None, AARCH64, 3),
    facts("target(\"branch-protection=standard\")", None, AARCH64, 2),
    facts("target(\"branch-protection=none\")", None, AARCH64, 1),
    facts("indirect_branch(\"thunk-inline\"), function_return(\"thunk-inline\")", Some(Compiler::Gcc), AMD64, 2),
    facts("ms_hook_prologue", Some(Compiler::Gcc), AMD64, 1),
    facts("hotpatch(1, 2)", Some(Compiler::Gcc), S390X, 2),
    facts("zero_call_used_regs(\"used\")", None, NOT_S390X, 2),
    facts("patchable_function_entry(4, 2)", None, NOT_S390X, 2),
    facts("cold", None, ALL, 2),
    facts("optimize(\"Os\")", Some(Compiler::Gcc), ALL, 2),
    facts("optimize(\"O0\")", Some(Compiler::Gcc), ALL, 2),
    facts("optimize(\"no-omit-frame-pointer\")", Some(Compiler::Gcc), ALL, 2),
    facts("optnone", Some(Compiler::Clang), ALL, 2),
    facts("minsize", Some(Compiler::Clang), ALL, 3),
];

const fn facts(words: &'static str, compiler: Option<Compiler>, abis: &'static [Abi], weight: u32) -> Facts {
    Facts { words, compiler, abis, weight }
}

impl Convention {
    /// Attributes that a target's compiler supports, with their weights.
    pub(super) fn supported(target: CompilerTarget) -> Vec<(Convention, u32)> {
        let has = |one: &&Facts| {
            one.abis.contains(&target.abi) && one.compiler.is_none_or(|compiler| compiler == target.compiler)
        };
        CONVENTIONS.iter().filter(has).map(|one| (Convention(one), one.weight)).collect()
    }

    /// The attribute as C text.
    pub(super) fn words(self) -> String {
        format!("__attribute__(({}))", self.0.words)
    }
}
