//! The directives that the text generator reaches, and that its text is legal, the same for a seed,
//! and shrinks.

use std::collections::BTreeSet;

use generators::cfi_text::{Escape, Function, Line, Register, Role, Text, random, registers, truth};
use types::Abi;

const SEEDS: u64 = 1500;

fn first_word(kind: &str) -> &str {
    kind.split(['.', '!', ':']).next().unwrap_or(kind)
}

/// Every required directive is reached; the AArch64 directives only there.
#[test]
fn every_directive_is_reached_on_every_target() {
    let everywhere = [
        "offset",
        "rel_offset",
        "adjust_cfa_offset",
        "def_cfa",
        "def_cfa_offset",
        "def_cfa_register",
        "restore",
        "remember_state",
        "restore_state",
        "register",
        "undefined",
        "same_value",
        "val_offset",
        "escape",
        "signal_frame",
        "simple",
        "return_column",
        "personality",
    ];
    let aarch64 = ["negate_ra_state", "window_save", "b_key_frame"];
    for abi in Abi::ALL {
        let kinds: BTreeSet<String> = (0..SEEDS).flat_map(|seed| random::program(abi, seed).kinds()).collect();
        let words: BTreeSet<&str> = kinds.iter().map(|kind| first_word(kind)).collect();
        for word in everywhere {
            assert!(words.contains(word), "{abi}: {word} is never reached");
        }
        for word in aarch64 {
            assert_eq!(words.contains(word), signs(abi), "{abi}: {word}");
        }
        for class in ["!s32", "!s16", "!align", "!0"] {
            assert!(kinds.iter().any(|kind| kind.ends_with(class)), "{abi}: no number of class {class}");
        }
    }
}

const fn signs(abi: Abi) -> bool {
    match abi {
        Abi::Aarch64 | Abi::Aarch64Be => true,
        Abi::Amd64 | Abi::S390x => false,
    }
}

#[test]
fn every_act_is_reached() {
    let acts =
        ["Alloc", "SaveFp", "SaveRa", "SaveBoth", "SaveOther", "SetFp", "ClobberFp", "ParkRa", "ParkFp", "Realign"];
    let kinds: BTreeSet<String> = (0..SEEDS).flat_map(|seed| truth::program(Abi::Amd64, seed).kinds()).collect();
    for act in acts.into_iter().chain(["SignA", "SignB", "EarlyReturn", "Call"]) {
        assert!(kinds.iter().any(|kind| kind.starts_with(act)), "{act} is never reached");
    }
}

#[test]
fn a_seed_gives_the_same_text_and_another_seed_another() {
    for abi in Abi::ALL {
        assert_eq!(random::program(abi, 7).text(), random::program(abi, 7).text());
        assert_eq!(truth::program(abi, 7).text(), truth::program(abi, 7).text());
        let texts: BTreeSet<String> = (0..100).map(|seed| random::program(abi, seed).text()).collect();
        assert!(texts.len() > 90, "{} texts of 100 seeds", texts.len());
    }
}

/// Legal by the text alone: in each function, a state is restored only after it was remembered.
#[test]
fn random_text_is_legal_and_so_is_all_that_it_shrinks_to() {
    for abi in Abi::ALL {
        for seed in 0..40 {
            let program = random::program(abi, seed);
            assert_balanced(&program.text());
            for smaller in program.smaller() {
                assert!(smaller.functions.iter().all(Function::is_legal));
                assert_balanced(&smaller.text());
            }
        }
    }
}

fn assert_balanced(text: &str) {
    let mut depth = 0_i32;
    for line in text.lines().map(str::trim) {
        match line.split_whitespace().next() {
            Some(".cfi_startproc") => depth = 0,
            Some(".cfi_remember_state") => depth += 1,
            Some(".cfi_restore_state") => depth -= 1,
            _ => {}
        }
        assert!(depth >= 0, "{text}");
    }
}

/// Taking the first smaller file each time ends, at a file without lines.
#[test]
fn shrinking_ends() {
    for seed in 0..50 {
        let mut program = random::program(Abi::S390x, seed);
        let mut steps = 0;
        while let Some(smaller) = program.smaller().into_iter().next() {
            program = smaller;
            steps += 1;
            assert!(steps < 1000, "seed {seed} goes on for ever");
        }
        assert!(program.functions.iter().all(|function| !function.lines.contains(&Line::Nop)));
    }
}

/// DWARF 5, 7.24 and 7.7.1: `DW_CFA_expression` 0x10, `DW_CFA_def_cfa_expression` 0x0f,
/// `DW_OP_breg6` 0x76, `DW_OP_bregx` 0x92, `DW_OP_deref` 0x06; -8 is 0x78 in LEB128, 200 is 0xc8
/// 0x01.
#[test]
fn escapes_are_the_bytes_of_the_standard() {
    let rbp = registers(Abi::Amd64).iter().copied().find(|register| register.role == Role::Fp).expect("rbp");
    let d8 = Register { name: "d8", number: 72, role: Role::Other };
    assert_eq!(Escape::CfaLoad(rbp, -8).bytes(), [0x0f, 0x03, 0x76, 0x78, 0x06]);
    assert_eq!(Escape::Expression(rbp, rbp, 0).bytes(), [0x10, 0x06, 0x02, 0x76, 0x00]);
    assert_eq!(Escape::ValExpression(rbp, d8, 200).bytes(), [0x16, 0x06, 0x04, 0x92, 72, 0xc8, 0x01]);
    assert_eq!(Escape::ArgsSize(200).bytes(), [0x2e, 0xc8, 0x01]);
}
