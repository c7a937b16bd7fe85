//! The premises of mutants: in each base, the machine's state agrees with the frames and with the
//! section as the mutants' own decoder reads it, and each operator plants bugs in some base.

use std::collections::BTreeSet;

use generators::elf::FileKind;
use generators::mutate::{Effect, WrongTable, bases, operators};
use generators::reader::{Meaning, Starts, decode};
use types::Abi;

/// The frames of each base and the meaning of its bytes agree with the machine's state at each
/// instruction.
#[test]
fn bases_are_true() {
    let (mut frames, mut rows) = (0, 0);
    for base in bases().expect("bases can be made") {
        let sample = &base.sample;
        assert!(sample.left_out.iter().all(|refusal| refusal.function == "_start"), "{:?}", sample.left_out);
        let file = sample.elf().expect("a base is a file");
        let section = file.sections.iter().find(|section| section.name == ".sframe").expect(".sframe is there");
        let addends: Vec<u64> = section.relocations.iter().map(|relocation| relocation.addend as u64).collect();
        let relocatable = sample.kind == FileKind::Relocatable;
        let decoded = decode(
            sample.abi,
            &section.bytes,
            section.address,
            if relocatable { Starts::Addends(&addends) } else { Starts::Flag },
        )
        .expect("a base can be read");
        let text = if relocatable { 0 } else { sample.text_address() };
        for (placed, subject) in sample.functions.iter().zip(&base.subjects) {
            let function = &placed.function;
            for (offset, truth) in &subject.truths {
                let name = format!("{} {} {}+{offset:#x}", sample.abi, sample.version, function.name);
                let at = function.frames.iter().rev().find(|at| at.offset <= *offset).expect("frames begin at 0");
                let signed = at.frame.signed.then_some(function.key);
                let meaning =
                    Meaning { cfa: at.frame.cfa, ra: at.frame.ra, fp: at.frame.fp, signed, signal: function.signal };
                assert!(truth.confirms(&meaning), "{name}: {meaning:?} is not what {truth:?} has");
                frames += 1;
                if sample.left_out.iter().any(|refusal| refusal.function == function.name) {
                    continue;
                }
                let read = decoded.at(text + placed.offset + u64::from(*offset));
                assert!(matches!(read.as_slice(), [Some(read)] if truth.confirms(read)), "{name}: {read:?}");
                rows += 1;
            }
        }
    }
    assert!(frames > 1_900 && rows > 1_900, "{frames} frames, {rows} rows");
}

#[test]
fn operators_have_a_name_of_their_own() {
    let operators = operators();
    let names: BTreeSet<&str> = operators.iter().map(|operator| operator.name).collect();
    assert_eq!(names.len(), operators.len());
    assert!(names.len() >= 40, "{} operators", names.len());
    let kebab = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit());
    assert!(names.iter().all(|name| kebab(name)), "{names:?}");
}

/// Each operator has a mutant, in an executed file, that changes the meaning or breaks the format.
#[test]
fn operators_make_bugs() {
    let bases = bases().expect("bases can be made");
    for operator in operators() {
        let mut targets: BTreeSet<Abi> = BTreeSet::new();
        for base in &bases {
            let mutants = operator.mutants(base).unwrap_or_else(|error| panic!("{}: {error}", operator.name));
            // `score` encodes all mutants.
            for mutant in mutants.iter().step_by(16) {
                mutant.bytes().unwrap_or_else(|error| panic!("{}: {error}", mutant.name()));
            }
            let runs = base.sample.kind == FileKind::Executable;
            assert!(runs || operator.fault == WrongTable::Sframe || mutants.is_empty());
            // Fields wider than necessary have the same meaning: two operators check that they are
            // not reported.
            let silent = ["fde-row-type-wide", "fde-rep-size-unused"].contains(&operator.name);
            let counts = |effect: &Effect| silent || !matches!(effect, Effect::Equivalent(_));
            if runs && mutants.iter().any(|mutant| counts(&mutant.effect)) {
                targets.insert(base.sample.abi);
            }
        }
        assert!(!targets.is_empty(), "{} makes no bug", operator.name);
    }
}
