//! The constructs of random C programs, that a seed gives one program, and that programs shrink.

use std::collections::BTreeSet;

use generators::c::{Compiler, CompilerTarget, Program};
use generators::cfi_text::Text;
use types::Abi;

const SEEDS: u64 = 120;

fn targets() -> Vec<CompilerTarget> {
    let of = |abi| [Compiler::Gcc, Compiler::Clang].map(|compiler| CompilerTarget { abi, compiler });
    Abi::ALL.into_iter().flat_map(of).collect()
}

fn kinds(target: CompilerTarget) -> BTreeSet<String> {
    (0..SEEDS).flat_map(|seed| Program::draw(target, seed).kinds()).collect()
}

#[test]
fn every_construct_is_drawn_for_every_target_that_has_it() {
    let everywhere = [
        "array",
        "array aligned",
        "vla",
        "vla aligned",
        "alloca",
        "call",
        "indirect call",
        "recursion",
        "cold",
        "no return",
        "structure",
        "variadic",
        "early return",
        "if",
        "loop",
        "switch",
        "computed goto",
        "asm goto",
        "clobber",
        "pressure",
        "floating",
        "cleanup",
        "frame address",
        "return address",
        "parameter",
        "tail",
        "push",
    ];
    for target in targets() {
        let kinds = kinds(target);
        for kind in everywhere {
            assert!(kinds.contains(kind), "{target:?}: {kind}");
        }
        let aarch64 = matches!(target.abi, Abi::Aarch64 | Abi::Aarch64Be);
        let gcc = target.compiler == Compiler::Gcc;
        assert_eq!(kinds.contains("nested function"), gcc, "{target:?}");
        assert_eq!(kinds.contains("landing"), gcc || !aarch64, "{target:?}");
        assert_eq!(kinds.contains("naked"), target.abi == Abi::Amd64 || (aarch64 && !gcc), "{target:?}");
        assert_eq!(kinds.contains("interrupt"), target.abi == Abi::Amd64, "{target:?}");
        assert_eq!(kinds.contains("scalable"), aarch64, "{target:?}");
        let has = |name: &str| kinds.iter().any(|kind| kind.contains(name));
        assert_eq!(has("ms_abi"), target.abi == Abi::Amd64, "{target:?}");
        assert_eq!(has("aarch64_vector_pcs"), aarch64, "{target:?}");
        assert_eq!(has("hotpatch"), gcc && target.abi == Abi::S390x, "{target:?}");
        assert_eq!(has("swiftasynccall"), !gcc && target.abi != Abi::S390x, "{target:?}");
        assert_eq!(has("preserve_most"), !gcc && target.abi != Abi::S390x, "{target:?}");
    }
}

#[test]
fn a_seed_gives_one_program_and_another_seed_another() {
    for target in targets() {
        let text = |seed| Program::draw(target, seed).text();
        assert_eq!(text(7), text(7));
        let texts: BTreeSet<String> = (0..40).map(text).collect();
        assert_eq!(texts.len(), 40, "{target:?}");
    }
}

/// Taking the first simpler program each time ends, at an almost empty program.
#[test]
fn programs_get_smaller_until_nothing_is_left() {
    for target in targets() {
        let mut program = Program::draw(target, 11);
        let mut steps = 0;
        while let Some(smaller) = program.smaller().into_iter().find(|smaller| !smaller.functions.is_empty()) {
            program = smaller;
            steps += 1;
            assert!(steps < 300, "{target:?}: {}", program.text());
        }
        assert_eq!(program.kinds(), ["function"], "{target:?}");
        assert!(program.text().lines().count() < 60, "{}", program.text());
    }
}

/// A shrunk program calls only functions that it has.
#[test]
fn a_smaller_program_calls_functions_that_it_has() {
    for target in targets() {
        for smaller in (0..3).flat_map(|seed| Program::draw(target, seed).smaller()) {
            let text = smaller.text();
            for number in 0..8 {
                let called = text.contains(&format!("+= f{number}(")) || text.contains(&format!("return f{number}("));
                let there = smaller.functions.iter().any(|function| function.number == number);
                assert!(there || !called, "f{number}: {text}");
            }
        }
    }
}
