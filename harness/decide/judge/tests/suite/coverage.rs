//! Call frame information that SFrame cannot express, by version, row by row, with the reason.
//!
//! Sources: the formats' row and function descriptor encodings (V1; V2 errata 1; V3 with flexible
//! descriptors on AMD64 and s390x only), and the refusals of GNU as 2.40 to 2.47, each of which
//! follows from a missing encoding.

use Abi::{Aarch64, Aarch64Be, Amd64, S390x};
use SframeVersion::{V1, V2, V2Errata1, V3};
use judge::coverage::inexpressible;
use types::{Abi, CfaRule, ExprId, PacKey, Pc, Reg, SframeVersion, UnwindRow, ValueRule};

/// Every pair that exists: s390x came with V2 errata 1.
const ALL: [(Abi, SframeVersion); 14] = [
    (Amd64, V1),
    (Amd64, V2),
    (Amd64, V2Errata1),
    (Amd64, V3),
    (Aarch64, V1),
    (Aarch64, V2),
    (Aarch64, V2Errata1),
    (Aarch64, V3),
    (Aarch64Be, V1),
    (Aarch64Be, V2),
    (Aarch64Be, V2Errata1),
    (Aarch64Be, V3),
    (S390x, V2Errata1),
    (S390x, V3),
];

/// Flexible function descriptors.
fn flex(abi: Abi, version: SframeVersion) -> bool {
    match (version, abi) {
        (V3, Amd64 | S390x) => true,
        (V3, Aarch64 | Aarch64Be) | (V1 | V2 | V2Errata1, Amd64 | Aarch64 | Aarch64Be | S390x) => false,
    }
}

fn says_outermost(version: SframeVersion) -> bool {
    match version {
        V1 | V2 | V2Errata1 => false,
        V3 => true,
    }
}

/// The return address has a fixed offset from the CFA, so no row can have another.
fn fixes_ra(abi: Abi) -> bool {
    match abi {
        Amd64 => true,
        Aarch64 | Aarch64Be | S390x => false,
    }
}

/// Rows can name registers that hold RA or FP, by odd words before V3 and by flexible descriptors
/// since.
fn names_registers(abi: Abi) -> bool {
    match abi {
        S390x => true,
        Amd64 | Aarch64 | Aarch64Be => false,
    }
}

/// A register that is neither SP, FP nor RA on any target: r10, x10, r10.
const OTHER: Reg = Reg(10);
const BEYOND: i64 = 1 << 31;

/// The row at a function's entry.
fn entry(abi: Abi) -> UnwindRow {
    let facts = abi.facts();
    UnwindRow {
        start: Pc(0x1000),
        end: Pc(0x1004),
        cfa: CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry },
        ra: if facts.link_register { ValueRule::SameValue } else { ValueRule::AtCfa(-8) },
        fp: ValueRule::SameValue,
        signed: false,
        key: PacKey::A,
        signed_with_pc: false,
        sp: None,
        signal: false,
    }
}

/// Asserts for every target and version whether a changed entry row can be expressed, and that the
/// reason contains `word`.
fn expect(what: &str, word: &str, change: impl Fn(&mut UnwindRow), can: impl Fn(Abi, SframeVersion) -> bool) {
    for (abi, version) in ALL {
        let mut row = UnwindRow { start: Pc(0x1004), end: Pc(0x1008), ..entry(abi) };
        change(&mut row);
        let reason = inexpressible(abi, version, &[entry(abi), row]);
        match (&reason, can(abi, version)) {
            (None, true) => {}
            (Some(reason), false) => {
                assert!(reason.contains(word), "{what}, {abi} {version}: '{reason}' does not mention {word}");
                assert!(reason.ends_with("at 0x1004"), "{what}, {abi} {version}: '{reason}' names another place");
            }
            _ => panic!("{what}, {abi} {version}: {reason:?}"),
        }
    }
}

fn never(_: Abi, _: SframeVersion) -> bool {
    false
}

fn always(_: Abi, _: SframeVersion) -> bool {
    true
}

#[test]
fn an_ordinary_function_can_be_said_in_every_version() {
    expect("entry", "", |_| {}, always);
    for (abi, version) in ALL {
        let facts = abi.facts();
        let body = UnwindRow {
            cfa: CfaRule::Register { reg: facts.fp, offset: facts.cfa_minus_sp_at_entry + 16 },
            ra: ValueRule::AtCfa(-8),
            fp: ValueRule::AtCfa(-16),
            ..entry(abi)
        };
        assert_eq!(inexpressible(abi, version, &[entry(abi), body, entry(abi)]), None, "{abi} {version}");
        assert_eq!(inexpressible(abi, version, &[]), None, "{abi} {version}");
    }
}

#[test]
fn a_signed_return_address_can_be_said() {
    for version in SframeVersion::ALL {
        let row = UnwindRow { signed: true, key: PacKey::B, ..entry(Aarch64) };
        assert_eq!(inexpressible(Aarch64, version, &[row]), None);
    }
}

#[test]
fn a_cfa_from_another_register_needs_flex() {
    let change = |row: &mut UnwindRow| row.cfa = CfaRule::Register { reg: OTHER, offset: 160 };
    expect("CFA r10+160", "CFA", change, flex);
}

#[test]
fn a_cfa_from_memory_needs_flex() {
    let change = |row: &mut UnwindRow| row.cfa = CfaRule::Memory { reg: OTHER, offset: -8 };
    expect("CFA [r10-8]", "CFA", change, flex);
}

#[test]
fn a_cfa_by_expression_has_no_form() {
    expect("CFA expression", "CFA", |row| row.cfa = CfaRule::Expression(ExprId(0)), never);
}

#[test]
fn a_row_without_a_cfa_has_no_form() {
    expect("no CFA", "CFA", |row| row.cfa = CfaRule::Unspecified, never);
}

#[test]
fn a_cfa_offset_of_more_than_32_bits_has_no_form() {
    for offset in [BEYOND, i64::MAX - 7, i64::MIN] {
        let change = |row: &mut UnwindRow| {
            let CfaRule::Register { reg, .. } = row.cfa else { unreachable!("an entry row's CFA is SP plus a number") };
            row.cfa = CfaRule::Register { reg, offset };
        };
        expect("a distant CFA", "CFA", change, never);
    }
}

/// SFrame V2 errata 1, s390x: the CFA offset is stored less 160 and divided by 8.
#[test]
fn an_s390x_cfa_offset_must_be_a_multiple_of_eight() {
    for (offset, can) in [(160, true), (168, true), (152, true), (164, false), (156, false)] {
        let cfa = CfaRule::Register { reg: S390x.facts().sp, offset };
        for version in [V2Errata1, V3] {
            let row = UnwindRow { cfa, ..entry(S390x) };
            assert_eq!(inexpressible(S390x, version, &[row]).is_none(), can, "{offset} {version}");
        }
    }
}

/// V2 errata 2 defined an encoding, but no released assembler writes it as V2, so a gap in V2 is
/// not a producer's bug.
#[test]
fn an_undefined_return_address_came_with_v3() {
    let change = |row: &mut UnwindRow| (row.ra, row.cfa) = (ValueRule::Undefined, CfaRule::Unspecified);
    expect("RA undefined", "return address", change, |_, version| says_outermost(version));
}

#[test]
fn a_return_address_at_another_slot_is_fixed_on_amd64_before_flex() {
    let change = |row: &mut UnwindRow| row.ra = ValueRule::AtCfa(-24);
    expect("RA [cfa-24]", "return address", change, |abi, version| !fixes_ra(abi) || flex(abi, version));
}

#[test]
fn a_return_address_in_a_register_needs_s390x_or_flex() {
    let change = |row: &mut UnwindRow| row.ra = ValueRule::Register { reg: OTHER, offset: 0 };
    expect("RA r10", "return address", change, |abi, version| names_registers(abi) || flex(abi, version));
}

#[test]
fn a_return_address_loaded_through_a_register_needs_flex() {
    let change = |row: &mut UnwindRow| row.ra = ValueRule::Memory { reg: OTHER, offset: 8 };
    expect("RA [r10+8]", "return address", change, flex);
}

/// SFrame V3: a control word 0 in place of RA is the filler, so that "CFA plus n, not loaded"
/// cannot be encoded.
#[test]
fn a_return_address_that_is_cfa_plus_n_has_no_form() {
    expect("RA cfa-8", "return address", |row| row.ra = ValueRule::CfaPlus(-8), never);
}

#[test]
fn a_return_address_by_expression_has_no_form() {
    expect("RA expression", "return address", |row| row.ra = ValueRule::Expression(ExprId(0)), never);
}

#[test]
fn an_fp_in_a_register_needs_s390x_or_flex() {
    let change = |row: &mut UnwindRow| row.fp = ValueRule::Register { reg: OTHER, offset: 0 };
    expect("FP r10", "FP", change, |abi, version| names_registers(abi) || flex(abi, version));
}

#[test]
fn an_fp_in_memory_through_another_register_needs_flex() {
    expect("FP [r10+8]", "FP", |row| row.fp = ValueRule::Memory { reg: OTHER, offset: 8 }, flex);
}

#[test]
fn an_fp_that_is_a_sum_undefined_or_an_expression_has_no_form() {
    for fp in [ValueRule::CfaPlus(-16), ValueRule::Undefined, ValueRule::Expression(ExprId(0))] {
        expect("FP", "FP", |row| row.fp = fp, never);
    }
}

/// No row has a rule for SP. On s390x its slot is where it was saved with the other registers.
#[test]
fn a_caller_with_another_sp_has_no_form() {
    for sp in [ValueRule::CfaPlus(8), ValueRule::Undefined, ValueRule::Register { reg: OTHER, offset: 8 }] {
        expect("SP", "SP", |row| row.sp = Some(sp), never);
    }
    expect("SP by expression", "SP", |row| row.sp = Some(ValueRule::Expression(ExprId(0))), never);
    expect("SP in its slot", "SP", |row| row.sp = Some(ValueRule::AtCfa(-40)), always);
    let parked = |row: &mut UnwindRow| row.sp = Some(ValueRule::Register { reg: OTHER, offset: 0 });
    expect("SP in a register", "SP", parked, |abi, _| abi == S390x);
}

#[test]
fn a_return_address_signed_with_the_pc_has_no_form() {
    expect("PAuth_LR", "PC", |row| (row.signed, row.signed_with_pc) = (true, true), never);
    expect("unsigned", "PC", |row| row.signed_with_pc = true, always);
}

/// AArch64 has no filler for the return address before FP; AMD64 needs none and s390x has one.
#[test]
fn an_fp_saved_without_the_return_address_has_no_form_on_aarch64() {
    let change = |row: &mut UnwindRow| row.fp = ValueRule::AtCfa(-16);
    expect("FP without RA", "FP", change, |abi, _| match abi {
        Amd64 | S390x => true,
        Aarch64 | Aarch64Be => false,
    });
}

/// Words are at most 32 bits wide.
#[test]
fn a_slot_more_than_32_bits_away_has_no_form() {
    let fp = |row: &mut UnwindRow| (row.ra, row.fp) = (ValueRule::AtCfa(-8), ValueRule::AtCfa(-BEYOND - 8));
    expect("a distant FP", "FP", fp, never);
    expect("a distant RA", "return address", |row| row.ra = ValueRule::AtCfa(-BEYOND - 8), never);
}

#[test]
fn the_first_row_without_a_form_is_named() {
    let wrong = |start| UnwindRow { start: Pc(start), cfa: CfaRule::Expression(ExprId(0)), ..entry(Amd64) };
    let reason = inexpressible(Amd64, V3, &[entry(Amd64), wrong(0x1010), wrong(0x1020)]);
    assert!(reason.as_deref().is_some_and(|reason| reason.ends_with("at 0x1010")), "{reason:?}");
}
