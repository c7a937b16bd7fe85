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

/// What a change of the entry row is called, a word of the reason, the change, and where it can be
/// expressed.
type Case = (&'static str, &'static str, fn(&mut UnwindRow), fn(Abi, SframeVersion) -> bool);

fn distant_cfa(row: &mut UnwindRow, offset: i64) {
    let CfaRule::Register { reg, .. } = row.cfa else { unreachable!("an entry row's CFA is SP plus a number") };
    row.cfa = CfaRule::Register { reg, offset };
}

#[test]
fn each_rule_has_a_form_where_the_format_has_one() {
    const HELD: ValueRule = ValueRule::Register { reg: OTHER, offset: 0 };
    const LOADED: ValueRule = ValueRule::Memory { reg: OTHER, offset: 8 };
    const OPAQUE: ValueRule = ValueRule::Expression(ExprId(0));
    let cases: [Case; 30] = [
        ("CFA r10+160", "CFA", |row| row.cfa = CfaRule::Register { reg: OTHER, offset: 160 }, flex),
        ("CFA [r10-8]", "CFA", |row| row.cfa = CfaRule::Memory { reg: OTHER, offset: -8 }, flex),
        ("CFA expression", "CFA", |row| row.cfa = CfaRule::Expression(ExprId(0)), never),
        ("no CFA", "CFA", |row| row.cfa = CfaRule::Unspecified, never),
        // Words are at most 32 bits wide.
        ("a distant CFA", "CFA", |row| distant_cfa(row, BEYOND), never),
        ("a CFA at the end", "CFA", |row| distant_cfa(row, i64::MAX - 7), never),
        ("a CFA at the start", "CFA", |row| distant_cfa(row, i64::MIN), never),
        ("a distant RA", "return address", |row| row.ra = ValueRule::AtCfa(-BEYOND - 8), never),
        ("a distant FP", "FP", |row| (row.ra, row.fp) = (ValueRule::AtCfa(-8), ValueRule::AtCfa(-BEYOND - 8)), never),
        // V2 errata 2 defined an encoding, but no released assembler writes it as V2, so a gap in
        // V2 is not a producer's bug.
        (
            "RA undefined",
            "return address",
            |row| (row.ra, row.cfa) = (ValueRule::Undefined, CfaRule::Unspecified),
            |_, version| says_outermost(version),
        ),
        (
            "RA [cfa-24]",
            "return address",
            |row| row.ra = ValueRule::AtCfa(-24),
            |abi, version| !fixes_ra(abi) || flex(abi, version),
        ),
        ("RA r10", "return address", |row| row.ra = HELD, |abi, version| names_registers(abi) || flex(abi, version)),
        ("RA [r10+8]", "return address", |row| row.ra = LOADED, flex),
        // SFrame V3: a control word 0 in place of RA is the filler, so that "CFA plus n, not
        // loaded" cannot be encoded.
        ("RA cfa-8", "return address", |row| row.ra = ValueRule::CfaPlus(-8), never),
        ("RA expression", "return address", |row| row.ra = OPAQUE, never),
        ("FP r10", "FP", |row| row.fp = HELD, |abi, version| names_registers(abi) || flex(abi, version)),
        ("FP [r10+8]", "FP", |row| row.fp = LOADED, flex),
        ("FP cfa-16", "FP", |row| row.fp = ValueRule::CfaPlus(-16), never),
        ("FP undefined", "FP", |row| row.fp = ValueRule::Undefined, never),
        ("FP expression", "FP", |row| row.fp = OPAQUE, never),
        // AArch64 has no filler for the return address before FP; AMD64 needs none and s390x has
        // one.
        (
            "FP without RA",
            "FP",
            |row| row.fp = ValueRule::AtCfa(-16),
            |abi, _| match abi {
                Amd64 | S390x => true,
                Aarch64 | Aarch64Be => false,
            },
        ),
        // No row has a rule for SP. On s390x its slot is where it was saved with the other
        // registers.
        ("SP cfa+8", "SP", |row| row.sp = Some(ValueRule::CfaPlus(8)), never),
        ("SP undefined", "SP", |row| row.sp = Some(ValueRule::Undefined), never),
        ("SP r10+8", "SP", |row| row.sp = Some(ValueRule::Register { reg: OTHER, offset: 8 }), never),
        ("SP expression", "SP", |row| row.sp = Some(OPAQUE), never),
        ("SP in its slot", "SP", |row| row.sp = Some(ValueRule::AtCfa(-40)), always),
        ("SP r10", "SP", |row| row.sp = Some(HELD), |abi, _| abi == S390x),
        ("PAuth_LR", "PC", |row| (row.signed, row.signed_with_pc) = (true, true), never),
        ("unsigned", "PC", |row| row.signed_with_pc = true, always),
        ("entry", "", |_| {}, always),
    ];
    for (what, word, change, can) in cases {
        expect(what, word, change, can);
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

#[test]
fn the_first_row_without_a_form_is_named() {
    let wrong = |start| UnwindRow { start: Pc(start), cfa: CfaRule::Expression(ExprId(0)), ..entry(Amd64) };
    let reason = inexpressible(Amd64, V3, &[entry(Amd64), wrong(0x1010), wrong(0x1020)]);
    assert!(reason.as_deref().is_some_and(|reason| reason.ends_with("at 0x1010")), "{reason:?}");
}
