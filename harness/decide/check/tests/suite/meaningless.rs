//! Call frame information that cannot be evaluated, for executed code: an error if its bytes are
//! meaningless on the ABI, else undecided, never clean. All four targets.

use check::{Options, check_image};
use generators::code::{Function, OwnCfi, cfi_program};
use generators::eh_frame::Cfi;
use generators::elf::FileKind;
use generators::sample::Sample;
use results::{Deny, Outcome};
use types::{Abi, ByteOrder, Bytes, Reg, SframeVersion};

/// `_start` calls `victim`, executed or explored.
fn file(abi: Abi, victim: Function) -> Vec<u8> {
    let functions = vec![Function::start(abi, "_start", "victim"), victim];
    Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample").bytes().expect("a file")
}

/// A `victim` with this FDE, and a correct row of `.sframe`.
fn described(abi: Abi, return_column: Reg, program: Vec<(u64, Cfi)>) -> Vec<u8> {
    let cfi = Some(OwnCfi { return_column, program });
    file(abi, Function { cfi, ..Function::leaf(abi, "victim") })
}

/// The outcomes of a run and of exploration.
fn outcomes(bytes: &[u8]) -> [Outcome; 2] {
    let image = elf::load("f", &Bytes::copy_from_slice(bytes)).expect("an image");
    [Options::default(), Options::exploring()]
        .map(|options| check_image(&image, &options).report.outcome(Deny::default()))
}

/// Columns that do not exist, that hold no address, and general registers that calls preserve.
#[test]
fn a_wrong_return_address_column_is_an_error() {
    for abi in Abi::ALL {
        let facts = abi.facts();
        assert_eq!(outcomes(&described(abi, facts.ra, Vec::new())), [Outcome::Clean; 2], "{abi}");
        let holder = Reg(facts.general_registers - 4);
        for column in [holder, Reg(facts.general_registers + 1), Reg(facts.ra.0 + 2), Reg(117), Reg(255)] {
            let found = outcomes(&described(abi, column, Vec::new()));
            assert_eq!(found, [Outcome::Discrepancy; 2], "{abi}: {column:?}");
        }
    }
}

/// A return address with the rule that it is unchanged: only a link register can hold it.
#[test]
fn a_return_address_that_no_register_holds_is_an_error() {
    for abi in Abi::ALL {
        let facts = abi.facts();
        let expected = if facts.link_register { Outcome::Clean } else { Outcome::Discrepancy };
        let found = outcomes(&described(abi, facts.ra, vec![(0, Cfi::SameValue(facts.ra))]));
        assert_eq!(found, [expected; 2], "{abi}");
    }
}

/// Fields of the first CIE and its FDE: each value contradicts the bytes after it, or is
/// meaningless.
#[test]
fn a_header_that_lies_is_an_error() {
    let fields: [(&str, usize, &[u8]); 4] = [
        ("version", 8, &[4, 5, 255]),
        ("augmentation length of the CIE", 15, &[0, 2, 0x7f]),
        // ULEB128, DW_EH_PE_aligned, indirect.
        ("pointer encoding", 16, &[0x01, 0x50, 0x9b, 0x80]),
        ("augmentation length of the FDE", 16, &[0x7f, 0xff]),
    ];
    for abi in Abi::ALL {
        let right = described(abi, abi.facts().ra, Vec::new());
        let image = elf::load("f", &Bytes::copy_from_slice(&right)).expect("an image");
        let eh_frame = image.section(".eh_frame").expect("a section").file_offset as usize;
        let length: [u8; 4] = right[eh_frame..eh_frame + 4].try_into().expect("a word");
        let fde = eh_frame + 4 + abi.facts().order.u32(length) as usize;
        assert_eq!(right[eh_frame + 9..eh_frame + 12], *b"zR\0", "{abi}");
        for (what, offset, values) in fields {
            let at = offset + if what.ends_with("the FDE") { fde } else { eh_frame };
            for value in values {
                let mut bytes = right.clone();
                bytes[at] = *value;
                assert_eq!(outcomes(&bytes), [Outcome::Discrepancy; 2], "{abi}: {what} {value:#x}");
            }
        }
    }
}

/// Expressions for the CFA, the return address and FP.
#[test]
fn an_expression_that_cannot_be_evaluated_is_never_clean() {
    let nothing: [&[u8]; 13] = [
        // An operation that does not exist.
        &[0xdf],
        // DW_OP_drop twice; DW_OP_plus: too few items.
        &[0x13, 0x13],
        &[0x22],
        // DW_OP_addr with 2 bytes, DW_OP_constu without an end.
        &[0x03, 0, 0],
        &[0x10, 0x80],
        // DW_OP_call_frame_cfa; DW_OP_bregx of a register that no ABI has.
        &[0x9c],
        &[0x92, 0xff, 3, 0],
        // DW_OP_skip beyond the end; DW_OP_lit0, DW_OP_deref.
        &[0x2f, 9, 9],
        &[0x30, 0x06],
        // DW_OP_fbreg; DW_OP_lit8, DW_OP_stack_value; DW_OP_lit0 twice, DW_OP_xderef.
        &[0x91, 0],
        &[0x38, 0x9f],
        &[0x30, 0x30, 0x18],
        // DW_OP_lit1, DW_OP_lit0, DW_OP_div.
        &[0x31, 0x30, 0x1b],
    ];
    for abi in Abi::ALL {
        // DW_OP_skip to itself.
        let endless: &[u8] = match abi.facts().order {
            ByteOrder::Little => &[0x2f, 0xfd, 0xff],
            ByteOrder::Big => &[0x2f, 0xff, 0xfd],
        };
        // DW_OP_reg1, which libgcc reads as a value; DW_OP_GNU_push_tls_address; DW_OP_lit1,
        // divided by a zero that the bytes do not show: bits of FP.
        let breg_fp = 0x70 + u8::try_from(abi.facts().fp.0).expect("a register");
        let unknown: [&[u8]; 3] = [&[0x51], &[0xe0], &[0x31, breg_fp, 0, 0x30, 0x1a, 0x1b]];
        let facts = abi.facts();
        let cases = nothing.into_iter().chain([endless]).map(|ops| (ops, Outcome::Discrepancy));
        for (ops, expected) in cases.chain(unknown.map(|ops| (ops, Outcome::Undecided))) {
            for cfi in [
                Cfi::DefCfaExpression(ops.to_vec()),
                Cfi::Expression(facts.ra, ops.to_vec()),
                Cfi::ValExpression(facts.fp, ops.to_vec()),
            ] {
                let found = outcomes(&described(abi, facts.ra, vec![(0, cfi.clone())]));
                assert_eq!(found, [expected; 2], "{abi}: {cfi:x?}");
            }
        }
    }
}

/// `_start` calls `victim`, which saves what a framed function saves, with this FDE.
fn framed(abi: Abi, program: impl FnOnce(&mut Vec<(u64, Cfi)>)) -> Vec<u8> {
    let victim = Function::framed(abi, "victim", "leaf");
    let mut its = cfi_program(abi, &victim).expect("CFI");
    program(&mut its);
    let cfi = Some(OwnCfi { return_column: abi.facts().ra, program: its });
    let functions =
        vec![Function::start(abi, "_start", "victim"), Function { cfi, ..victim }, Function::leaf(abi, "leaf")];
    Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample").bytes().expect("a file")
}

/// The CIE's version, augmentation, factors and pointer encoding.
#[test]
fn a_wrong_factor_letter_or_encoding_is_never_clean() {
    for abi in Abi::ALL {
        let right = framed(abi, |_| ());
        assert_eq!(outcomes(&right), [Outcome::Clean; 2], "{abi}");
        let at = right.windows(4).position(|four| four == [1, b'z', b'R', 0]).expect("a CIE");
        for (offset, bytes) in [
            (0, [0, 2].as_slice()),
            (1, b"yR"),
            (2, b"XQ"),
            // 4 times the code alignment factor, and 0; -4, 8 and 0 for data.
            (4, &[right[at + 4] * 4, 0]),
            (5, &[0x7c, 8, 0]),
            // Of 8 bytes, and omitted; relative to the text, to the function.
            (8, &[0, 0xff, 0x2b, 0x4b]),
        ] {
            for byte in bytes {
                let mut wrong = right.clone();
                wrong[at + offset] = *byte;
                let found = outcomes(&wrong);
                assert!(!found.contains(&Outcome::Clean), "{abi}: {offset}, {byte:#x}: {found:?}");
            }
        }
    }
}

/// FP that CFI leaves undefined although it is saved, with its slot in `.sframe`.
#[test]
fn an_undefined_fp_beside_a_slot_is_an_error() {
    for abi in Abi::ALL {
        let undefined = framed(abi, |program| {
            let save = program.iter().rposition(|(_, cfi)| matches!(cfi, Cfi::Offset(..))).expect("a save");
            program.insert(save + 1, (program[save].0, Cfi::Undefined(abi.facts().fp)));
        });
        assert_eq!(outcomes(&undefined), [Outcome::Discrepancy; 2], "{abi}");
        let image = elf::load("f", &Bytes::copy_from_slice(&undefined)).expect("an image");
        let report = check_image(&image, &Options::static_only()).report;
        assert_eq!(report.outcome(Deny::default()), Outcome::Discrepancy, "{abi}");
    }
}
