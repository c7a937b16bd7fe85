//! Text of rows and other claims. Shapes of findings contain it, so a change would change
//! fingerprints.

use results::Shape;
use types::{Abi, CfaRule, Claim, Equations, ExprId, Fault, Location, PacKey, Pc, Reg, RowFault, UnwindRow, ValueRule};

/// `cfa=rsp+16 ra=[cfa-8] fp=same`.
fn equations() -> Equations {
    Equations {
        abi: Abi::Amd64,
        cfa: CfaRule::Register { reg: Reg(7), offset: 16 },
        ra: Location::Rule(ValueRule::AtCfa(-8)),
        fp: Location::Rule(ValueRule::SameValue),
        sp: None,
        signed_by: None,
        signed_with_pc: false,
        signal: false,
    }
}

#[test]
fn every_cfa_rule_has_its_text() {
    let cases = [
        (CfaRule::Register { reg: Reg(7), offset: 16 }, "cfa=rsp+16"),
        (CfaRule::Register { reg: Reg(7), offset: 0 }, "cfa=rsp"),
        (CfaRule::Register { reg: Reg(6), offset: -8 }, "cfa=rbp-8"),
        (CfaRule::Register { reg: Reg(99), offset: 8 }, "cfa=reg99+8"),
        (CfaRule::Memory { reg: Reg(10), offset: -8 }, "cfa=[r10-8]"),
        (CfaRule::Memory { reg: Reg(10), offset: 0 }, "cfa=[r10]"),
        (CfaRule::Expression(ExprId(3)), "cfa=expression"),
        (CfaRule::Unspecified, "cfa=none"),
    ];
    for (cfa, text) in cases {
        assert_eq!(Equations { cfa, ..equations() }.to_string(), format!("{text} ra=[cfa-8] fp=same"));
    }
}

#[test]
fn every_place_has_its_text() {
    let cases = [
        (Location::Rule(ValueRule::SameValue), "same"),
        (Location::Rule(ValueRule::Undefined), "undefined"),
        (Location::Rule(ValueRule::AtCfa(-8)), "[cfa-8]"),
        (Location::Rule(ValueRule::AtCfa(0)), "[cfa+0]"),
        (Location::Rule(ValueRule::AtCfa(i64::MAX)), "[cfa+9223372036854775807]"),
        (Location::Rule(ValueRule::CfaPlus(-16)), "cfa-16"),
        (Location::Rule(ValueRule::CfaPlus(0)), "cfa+0"),
        (Location::Rule(ValueRule::Register { reg: Reg(0), offset: 0 }), "rax"),
        (Location::Rule(ValueRule::Register { reg: Reg(0), offset: 8 }), "rax+8"),
        (Location::Rule(ValueRule::Memory { reg: Reg(6), offset: 0 }), "[rbp]"),
        (Location::Rule(ValueRule::Memory { reg: Reg(6), offset: i64::MIN }), "[rbp-9223372036854775808]"),
        (Location::Rule(ValueRule::Expression(ExprId(0))), "expression"),
        (Location::Elsewhere, "elsewhere"),
    ];
    for (place, text) in cases {
        let as_ra = Equations { ra: place, ..equations() };
        let as_fp = Equations { fp: place, ..equations() };
        assert_eq!(as_ra.to_string(), format!("cfa=rsp+16 ra={text} fp=same"));
        assert_eq!(as_fp.to_string(), format!("cfa=rsp+16 ra=[cfa-8] fp={text}"));
    }
}

#[test]
fn registers_have_the_names_of_their_abi() {
    for (abi, names) in [
        (Abi::Amd64, "cfa=rsp ra=rbp fp=rip"),
        (Abi::Aarch64, "cfa=sp ra=x29 fp=x30"),
        (Abi::Aarch64Be, "cfa=sp ra=x29 fp=x30"),
        (Abi::S390x, "cfa=r15 ra=r11 fp=r14"),
    ] {
        let facts = abi.facts();
        let in_register = |reg| Location::Rule(ValueRule::Register { reg, offset: 0 });
        let cfa = CfaRule::Register { reg: facts.sp, offset: 0 };
        let row = Equations { abi, cfa, ra: in_register(facts.fp), fp: in_register(facts.ra), ..equations() };
        assert_eq!(row.to_string(), names, "{abi}");
    }
}

#[test]
fn signing_and_signal_frames_stand_at_the_end() {
    let row = "cfa=rsp+16 ra=[cfa-8] fp=same";
    for (signed_by, signal, text) in [
        (None, false, row.to_owned()),
        (Some(PacKey::A), false, format!("{row} signed:A")),
        (Some(PacKey::B), false, format!("{row} signed:B")),
        (None, true, format!("{row} signal")),
        (Some(PacKey::B), true, format!("{row} signed:B signal")),
    ] {
        assert_eq!(Equations { signed_by, signal, ..equations() }.to_string(), text);
    }
    let with_pc = Equations { signed_by: Some(PacKey::B), signed_with_pc: true, ..equations() };
    assert_eq!(with_pc.to_string(), format!("{row} signed:B+pc"));
    let moved = Equations { sp: Some(ValueRule::CfaPlus(8)), ..equations() };
    assert_eq!(moved.to_string(), format!("{row} sp=cfa+8"));
}

#[test]
fn a_row_of_a_table_reads_like_its_equations() {
    let row = UnwindRow {
        start: Pc(0),
        end: Pc(1),
        cfa: CfaRule::Register { reg: Reg(31), offset: 32 },
        ra: ValueRule::AtCfa(-8),
        fp: ValueRule::AtCfa(-16),
        signed: true,
        key: PacKey::B,
        signed_with_pc: false,
        sp: None,
        signal: true,
    };
    assert_eq!(row.describe(Abi::Aarch64), "cfa=sp+32 ra=[cfa-8] fp=[cfa-16] signed:B signal");
    assert_eq!(row.equations(Abi::Aarch64).to_string(), row.describe(Abi::Aarch64));
    // The key of a function has no effect on a row that is not signed.
    let plain = UnwindRow { signed: false, signal: false, ..row };
    assert_eq!(plain.describe(Abi::Aarch64), "cfa=sp+32 ra=[cfa-8] fp=[cfa-16]");
}

#[test]
fn every_claim_has_its_text() {
    let row = "cfa=rsp+16 ra=[cfa-8] fp=same";
    let unknown = Fault::UnknownRegister { reg: Reg(14) };
    let cases = [
        (Claim::Row(equations(), None), row.to_owned()),
        (
            Claim::Row(equations(), Some(RowFault::Fp(unknown))),
            format!("{row}; FP: the value of reg14 is not known in this frame"),
        ),
        (Claim::Row(equations(), Some(RowFault::Row(Fault::NoCfa))), format!("{row}; the row gives no CFA")),
        (Claim::Row(equations(), Some(RowFault::Outermost)), format!("{row}; no caller")),
        (Claim::NoRow, "no row".to_owned()),
        (Claim::Nothing, "-".to_owned()),
        (Claim::Fault(Box::new(Claim::NoRow), Fault::NoRow), "no row; no row covers the address".to_owned()),
        (Claim::Fault(Box::new(Claim::Nothing), Fault::NoFunction), "-; no FDE covers the address".to_owned()),
        (Claim::NoCaller, "no caller".to_owned()),
        (Claim::BeganHere, "no caller: execution began here".to_owned()),
        (Claim::FramesUp(1), "1 frame up".to_owned()),
        (Claim::FramesUp(2), "2 frames up".to_owned()),
        (Claim::Printed("as it was".to_owned()), "as it was".to_owned()),
    ];
    for (claim, text) in cases {
        assert_eq!(claim.to_string(), text);
        assert_eq!(claim.equations().is_some(), matches!(claim, Claim::Row(..)), "{text}");
    }
}

#[test]
fn every_fault_has_its_text() {
    let row = "cfa=rsp+16 ra=[cfa-8] fp=same";
    for (fault, text) in [
        (Fault::NoFunction, "no FDE covers the address"),
        (Fault::NoRow, "no row covers the address"),
        (Fault::NoCfa, "the row gives no CFA"),
        (Fault::UnknownRegister { reg: Reg(6) }, "the value of reg6 is not known in this frame"),
        (Fault::DeadMemory { address: 0x7000 }, "reads dead stack at 0x7000"),
        (Fault::UnreadableMemory { address: 8 }, "reads outside the stack at 0x8"),
        (Fault::Expression, "a DWARF expression that cannot be evaluated"),
        (Fault::Overflow, "address arithmetic overflows"),
    ] {
        assert_eq!(Claim::Row(equations(), Some(RowFault::Row(fault))).to_string(), format!("{row}; {text}"));
    }
}

#[test]
fn every_shape_has_its_text() {
    let names = || vec!["f".to_owned(), "g".to_owned()];
    let cases = [
        (Shape::Rule, ""),
        (Shape::Functions { what: Some("missing".to_owned()), names: names() }, "missing: f,g"),
        (Shape::Functions { what: None, names: names() }, "f,g"),
        (Shape::Words("bytes differ".to_owned()), "bytes differ"),
    ];
    for (shape, text) in cases {
        assert_eq!(shape.to_string(), text);
    }
    assert_eq!(Shape::from(""), Shape::Rule);
}
