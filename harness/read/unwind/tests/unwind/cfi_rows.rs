//! Each CFI instruction gives the row that DWARF 5, 6.4.2 defines, on every ABI and in both byte
//! orders.

use crate::support::entry::{ABSPTR, PCREL_SDATA4, PCREL_SDATA8, initial};
use crate::support::{Asm, Cie, Fde, Section, at, listing};
use types::{Abi, CfaRule, CodePoint, Fault, Pc, Reg, ValueRule};
use unwind::Unwinder;

/// Rows of one function of 0x100 bytes at 0x1000.
fn rows(abi: Abi, write: impl FnOnce(&mut Asm)) -> Vec<String> {
    listing(abi, &Section::simple(abi, write).sound(), 0, u64::MAX)
}

#[test]
fn a_compiled_amd64_function() {
    let found = rows(Abi::Amd64, |asm| {
        asm.advance(1).def_cfa_offset(16).offset(6, 2);
        asm.advance(3).def_cfa_register(6);
        asm.advance1(0x80).def_cfa(7, 8).restore(6);
    });
    let expected = [
        "0x1000..0x1001 cfa=rsp+8 ra=[cfa-8] fp=same",
        "0x1001..0x1004 cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]",
        "0x1004..0x1084 cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]",
        "0x1084..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_compiled_aarch64_function_in_both_byte_orders() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let found = rows(abi, |asm| {
            // Advances count instructions of four bytes.
            asm.advance(1).def_cfa_offset(32).offset(29, 4).offset(30, 3);
            asm.advance(9).restore(30).restore(29).def_cfa_offset(0);
        });
        let expected = [
            "0x1000..0x1004 cfa=sp ra=same fp=same",
            "0x1004..0x1028 cfa=sp+32 ra=[cfa-24] fp=[cfa-32]",
            "0x1028..0x1100 cfa=sp ra=same fp=same",
        ];
        assert_eq!(found, expected, "{abi}");
    }
}

#[test]
fn a_compiled_s390x_function() {
    let found = rows(Abi::S390x, |asm| {
        asm.advance(6).offset(11, 9).offset(14, 6).offset(15, 5);
        asm.advance(8).def_cfa_offset(320);
        asm.advance(4).def_cfa_register(11);
    });
    let expected = [
        "0x1000..0x1006 cfa=r15+160 ra=same fp=same",
        "0x1006..0x100e cfa=r15+160 ra=[cfa-48] fp=[cfa-72]",
        "0x100e..0x1012 cfa=r15+320 ra=[cfa-48] fp=[cfa-72]",
        "0x1012..0x1100 cfa=r11+320 ra=[cfa-48] fp=[cfa-72]",
    ];
    assert_eq!(found, expected);
}

#[test]
fn every_form_of_advance() {
    let found = rows(Abi::S390x, |asm| {
        asm.advance(0x3f).def_cfa_offset(168);
        asm.advance1(2).def_cfa_offset(176);
        asm.advance2(2).def_cfa_offset(184);
        asm.advance4(2).def_cfa_offset(192);
    });
    let starts: Vec<&str> = found.iter().map(|row| &row[..6]).collect();
    assert_eq!(starts, ["0x1000", "0x103f", "0x1041", "0x1043", "0x1045"]);
}

#[test]
fn set_loc_goes_to_an_address() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie { encoding: ABSPTR, ..Cie::new(abi) }, |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1000, length: 0x10 }, |asm| asm.set_loc(0x1007).def_cfa_offset(24).end());
    let back = section.fde(&cie, Fde { start: 0x2000, length: 0x10 }, |asm| asm.advance(4).set_loc(0x2003).end());

    let unwinder = section.unwinder();
    assert_eq!(at(&unwinder, 0x1007).start, Pc(0x1007));
    assert_eq!(at(&unwinder, 0x1006).end, Pc(0x1007));
    assert_eq!(unwinder.broken().len(), 1);
    assert_eq!(unwinder.broken()[0].offset, back as u64);
    assert_eq!(unwinder.row(CodePoint::Exact(Pc(0x2000))), Err(Fault::NoRow));
}

/// The rule for the frame pointer, or for the return address, after these instructions.
fn rule(abi: Abi, column: Reg, write: impl FnOnce(&mut Asm)) -> ValueRule {
    let row = at(&Section::simple(abi, write).sound(), 0x1000);
    if column == abi.facts().ra { row.ra } else { row.fp }
}

#[test]
fn every_register_rule_on_every_abi() {
    for abi in Abi::ALL {
        for column in [abi.facts().fp, abi.facts().ra] {
            let n = u64::from(column.0);
            let of = |write: &dyn Fn(&mut Asm)| rule(abi, column, write);
            assert_eq!(of(&|asm| asm.offset(column.0 as u8, 5).end()), ValueRule::AtCfa(-40));
            assert_eq!(of(&|asm| asm.offset_extended(n, 300).end()), ValueRule::AtCfa(-2400));
            assert_eq!(of(&|asm| asm.offset_extended_sf(n, -2).end()), ValueRule::AtCfa(16));
            assert_eq!(of(&|asm| asm.val_offset(n, 3).end()), ValueRule::CfaPlus(-24));
            assert_eq!(of(&|asm| asm.val_offset_sf(n, -3).end()), ValueRule::CfaPlus(24));
            assert_eq!(of(&|asm| asm.register(n, 1).end()), ValueRule::Register { reg: Reg(1), offset: 0 });
            assert_eq!(of(&|asm| asm.undefined(n).end()), ValueRule::Undefined);
            // The return address of AMD64 is in no register.
            if column != abi.facts().ra || abi.facts().link_register {
                assert_eq!(of(&|asm| asm.offset(column.0 as u8, 5).same_value(n).end()), ValueRule::SameValue);
            }
        }
    }
}

#[test]
fn every_cfa_rule_on_every_abi() {
    for abi in Abi::ALL {
        let of = |write: &dyn Fn(&mut Asm)| at(&Section::simple(abi, write).sound(), 0x1000).cfa;
        let sp = abi.facts().sp;
        let is = |reg, offset| CfaRule::Register { reg, offset };
        assert_eq!(of(&|asm| asm.def_cfa(3, 0x1234).end()), is(Reg(3), 0x1234));
        assert_eq!(of(&|asm| asm.def_cfa_sf(3, 2).end()), is(Reg(3), -16));
        assert_eq!(of(&|asm| asm.def_cfa_offset(0x77).end()), is(sp, 0x77));
        assert_eq!(of(&|asm| asm.def_cfa_offset_sf(-4).end()), is(sp, 32));
        assert_eq!(of(&|asm| asm.def_cfa_register(12).end()), is(Reg(12), abi.facts().cfa_minus_sp_at_entry));
    }
}

#[test]
fn a_cfa_in_a_register_that_holds_no_addresses_is_refused() {
    // The first number after the general registers: RIP, the PC column of AArch64 (its 31 is SP),
    // f0; and an undefined one.
    for (abi, first) in [(Abi::Amd64, 16), (Abi::Aarch64, 32), (Abi::Aarch64Be, 32), (Abi::S390x, 16)] {
        for register in [first, 200] {
            let writes: [&dyn Fn(&mut Asm); 3] =
                [&|asm| asm.def_cfa(register, 8).end(), &|asm| asm.def_cfa_sf(register, 1).end(), &|asm| {
                    asm.def_cfa_register(register).end()
                }];
            for write in writes {
                let read = Section::simple(abi, write).unwinder();
                let errors: Vec<String> = read.broken().iter().map(|entry| entry.error.to_string()).collect();
                assert_eq!(errors, ["a CFA in a register that holds no addresses"], "{abi:?} {register}");
            }
        }
    }
}

#[test]
fn restore_goes_back_to_the_cie() {
    // Restores the rule of the CIE, or none if the CIE has none.
    let found = rows(Abi::Amd64, |asm| {
        asm.advance(1).offset_extended(16, 3).offset(6, 2);
        asm.advance(1).restore(16).restore_extended(6);
    });
    assert_eq!(found[1], "0x1001..0x1002 cfa=rsp+8 ra=[cfa-24] fp=[cfa-16]");
    assert_eq!(found[2], "0x1002..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same");
}

#[test]
fn remembered_states_nest() {
    // One level more than gimli's own stack can hold (four, less one for a CIE with several rules).
    let depth = 5;
    let found = rows(Abi::S390x, |asm| {
        for level in 1..=depth {
            asm.remember_state().advance(2).def_cfa_offset(160 + 8 * level).offset(11, level);
        }
        for _ in 0..depth {
            asm.advance(2).restore_state();
        }
    });
    let text = |level: u64| match level {
        0 => "cfa=r15+160 ra=same fp=same".to_owned(),
        _ => format!("cfa=r15+{} ra=same fp=[cfa-{}]", 160 + 8 * level, 8 * level),
    };
    let levels: Vec<u64> = (0..=depth).chain((0..depth).rev()).collect();
    assert_eq!(found.len(), levels.len());
    for (row, level) in found.iter().zip(levels) {
        assert!(row.ends_with(&text(level)), "{row}: {level}");
    }
}

#[test]
fn of_several_states_at_one_pc_the_last_counts() {
    let found = rows(Abi::Amd64, |asm| {
        asm.advance(4).def_cfa_offset(16).remember_state().def_cfa_offset(24).restore_state();
        asm.advance(0).def_cfa_offset(32);
    });
    assert_eq!(found[1], "0x1004..0x1100 cfa=rsp+32 ra=[cfa-8] fp=same");
    assert_eq!(found.len(), 2);
}

#[test]
fn what_follows_the_last_instruction_is_no_row() {
    let found = rows(Abi::Amd64, |asm| {
        asm.advance4(0x100).def_cfa_offset(16);
        asm.advance4(0x100).def_cfa_offset(24);
    });
    assert_eq!(found, ["0x1000..0x1100 cfa=rsp+8 ra=[cfa-8] fp=same"]);
}

#[test]
fn args_size_changes_no_rule() {
    let found = rows(Abi::Amd64, |asm| asm.advance(1).args_size(0x20).end());
    assert!(found[1].ends_with("cfa=rsp+8 ra=[cfa-8] fp=same"), "{found:?}");
}

#[test]
fn a_function_without_cfa_rule_has_rows() {
    let mut section = Section::new(Abi::S390x);
    let cie = section.cie(Cie::new(Abi::S390x), |_| {});
    section.fde(&cie, Fde { start: 0x1000, length: 16 }, |_| {});
    // Register 0 plus 0 is a rule like any other, different from no rule.
    section.fde(&cie, Fde { start: 0x2000, length: 16 }, |asm| asm.def_cfa(0, 0).end());
    let unwinder = section.sound();
    assert_eq!(at(&unwinder, 0x1000).cfa, CfaRule::Unspecified);
    assert_eq!(at(&unwinder, 0x2000).cfa, CfaRule::Register { reg: Reg(0), offset: 0 });
}

#[test]
fn the_return_address_is_the_column_that_the_cie_names() {
    for version in [1, 3] {
        let abi = Abi::S390x;
        let mut section = Section::new(abi);
        let cie = section.cie(Cie { ra_column: 6, version, ..Cie::new(abi) }, |asm| initial(abi, asm));
        section.fde(&cie, Fde { start: 0x1000, length: 16 }, |asm| asm.offset(14, 6).offset(6, 2).end());
        assert_eq!(at(&section.sound(), 0x1000).ra, ValueRule::AtCfa(-16));
    }
}

#[test]
fn signed_state_toggles_and_is_remembered() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let unwinder = Section::simple(abi, |asm| {
            asm.advance(1).negate_ra_state().remember_state();
            asm.advance(1).negate_ra_state();
            asm.advance(1).restore_state();
            asm.advance(1).negate_ra_state_with_pc();
            asm.advance(1).negate_ra_state_with_pc();
            asm.advance(1).restore(34);
        })
        .sound();
        let signed: Vec<bool> = (0..7).map(|row| at(&unwinder, 0x1000 + 4 * row).signed).collect();
        assert_eq!(signed, [false, true, false, true, false, true, false], "{abi}");
        assert!((0..7).all(|row| !at(&unwinder, 0x1000 + 4 * row).signed_with_pc), "{abi}");
    }
}

/// Bit 0 of RA_SIGN_STATE: signed; bit 1: with the PC (DWARF for the Arm 64-bit Architecture
/// 2025Q4, 4.1 and 4.4).
#[test]
fn signed_state_with_the_pc_is_another_state() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let unwinder = Section::simple(abi, |asm| {
            asm.advance(1).negate_ra_state_with_pc();
            // A restore of the column that the reader uses for it has no effect.
            asm.advance(1).u8(0xc0 | 45);
            asm.advance(1).negate_ra_state_with_pc();
            asm.advance(1).negate_ra_state();
            asm.advance(1).set_ra_state(2, -4);
            asm.advance(1).set_ra_state(1, -8);
        })
        .sound();
        let state = |row: u64| (at(&unwinder, 0x1000 + 4 * row).signed, at(&unwinder, 0x1000 + 4 * row).signed_with_pc);
        let (plain, signed, with_pc) = ((false, false), (true, false), (true, true));
        let states: Vec<_> = (0..7).map(state).collect();
        assert_eq!(states, [plain, with_pc, with_pc, plain, signed, with_pc, signed], "{abi}");
    }
}

#[test]
fn signed_state_set_outright() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let unwinder = Section::simple(abi, |asm| {
            asm.advance(1).set_ra_state(1, 0).def_cfa_offset(16);
            asm.advance(1).set_ra_state(0, -4).def_cfa_offset(32);
            // Distances of several bytes, and a state with a longer encoding than needed.
            asm.advance(1).set_ra_state(2, -5000).def_cfa_offset(48);
            asm.advance(1).u8(0x2b).raw(&[0x80, 0x80, 0x00]).sleb(300).def_cfa_offset(64);
            asm.advance(1).u8(0x2b).raw(&[0x82, 0x00]).sleb(0).def_cfa_offset(80);
        })
        .sound();
        for (row, signed) in (0..).zip([false, true, false, true, false, true]) {
            let found = at(&unwinder, 0x1000 + 4 * row);
            let cfa = CfaRule::Register { reg: Reg(31), offset: 16 * row.cast_signed() };
            assert_eq!((found.signed, found.cfa, found.ra), (signed, cfa, ValueRule::SameValue), "{abi} {row}");
        }
        let unknown = Section::simple(abi, |asm| asm.set_ra_state(3, 0).end()).unwinder();
        assert_eq!(unknown.broken().len(), 1);
    }
}

#[test]
fn signed_state_as_a_constant() {
    let unwinder = Section::simple(Abi::Aarch64, |asm| {
        asm.advance(1).val_expression(34, |e| e.lit(1).end());
        asm.advance(1).val_expression(34, |e| e.lit(0).end());
    })
    .sound();
    let signed: Vec<bool> = (0..3).map(|row| at(&unwinder, 0x1000 + 4 * row).signed).collect();
    assert_eq!(signed, [false, true, false]);
}

#[test]
fn an_operand_that_looks_like_an_opcode_is_left_alone() {
    // 0x2b and 0x2c as operands of every form, before the opcode itself.
    let abi = Abi::Aarch64;
    for (augmentation, encoding) in [("zR", PCREL_SDATA4), ("zPLR", PCREL_SDATA8), ("", ABSPTR)] {
        let mut section = Section::new(abi);
        let cie = section.cie(Cie { encoding, ..Cie::augmented(abi, augmentation) }, |asm| initial(abi, asm));
        section.fde(&cie, Fde { start: 0x2c2c, length: 0x2c2c }, |asm| {
            asm.offset(19, 0x2c).offset_extended(0x2c, 0x2c).offset_extended_sf(0x2c, 0x2c).val_offset(20, 0x2c);
            asm.val_offset_sf(20, 0x2c).register(0x2c, 0x2c).same_value(0x2c).undefined(0x2c).args_size(0x2c);
            asm.remember_state().restore_state().restore(0x2c).restore_extended(0x2c).nop();
            asm.expression(22, |e| e.lit(0).op(0x2c).end());
            asm.val_expression(23, |e| e.lit(0).op(0x2c).lit(0).op(0x2c).end());
            asm.def_cfa_expression(|e| e.breg(31, 0x2c).end());
            asm.def_cfa(31, 0x2c)
                .def_cfa_sf(31, 0x2c)
                .def_cfa_offset(0x10)
                .def_cfa_offset_sf(0x2c)
                .def_cfa_register(29);
            asm.offset(24, 0x2b).same_value(0x2b).args_size(0x2b);
            asm.advance1(0x2c).advance2(0x2c).advance4(0x2c).negate_ra_state_with_pc().def_cfa_offset(0x2c);
        });
        let unwinder = section.sound();
        let first = at(&unwinder, 0x2c2c);
        assert_eq!((first.cfa, first.signed), (CfaRule::Register { reg: Reg(29), offset: -8 * 0x2c }, false));
        let last = at(&unwinder, 0x2c2c + 3 * 4 * 0x2c);
        assert_eq!((last.start, last.end), (Pc(0x2c2c + 3 * 4 * 0x2c), Pc(2 * 0x2c2c)));
        assert_eq!((last.cfa, last.signed), (CfaRule::Register { reg: Reg(29), offset: 0x2c }, true));
    }
}

#[test]
fn only_aarch64_signs() {
    for abi in Abi::ALL.into_iter().filter(|abi| !abi.facts().pointer_authentication) {
        let unwinder = Section::simple(abi, |asm| asm.advance(1).negate_ra_state().end()).unwinder();
        assert_eq!(unwinder.broken().len(), 1, "{abi}");
        assert_eq!(unwinder.row(CodePoint::Exact(Pc(0x1000))), Err(Fault::NoRow));
    }
}

/// Bytes that are invalid for every reader of the ABI are errors, and the rest of the section stays
/// readable.
#[test]
fn registers_that_do_not_exist_are_broken() {
    let none = [(Abi::Amd64, 60), (Abi::Aarch64, 128), (Abi::Aarch64Be, 40), (Abi::S390x, 84)];
    for (abi, reg) in none {
        let facts = abi.facts();
        let (ra, fp) = (u64::from(facts.ra.0), u64::from(facts.fp.0));
        let broken = |write: &dyn Fn(&mut Asm)| Section::simple(abi, write).unwinder().broken().len();
        assert_eq!(broken(&|asm| asm.register(ra, reg).end()), 1, "{abi}");
        assert_eq!(broken(&|asm| asm.register(fp, reg).end()), 1, "{abi}");
        assert_eq!(broken(&|asm| asm.def_cfa_expression(|e| e.bregx(reg, 8).deref().end()).end()), 1, "{abi}");
        assert_eq!(broken(&|asm| asm.register(2, reg).end()), 1, "{abi}");
        // Readers ignore the rule of a register that they do not have; a register that is only wide
        // exists.
        assert_eq!(broken(&|asm| asm.register(reg, reg).end()), 0, "{abi}");
        assert_eq!(broken(&|asm| asm.register(fp, 18).end()), 0, "{abi}");
    }
}

/// No call leaves the return address in a vector register: without a rule the column is
/// meaningless. It is one bug of the CIE, however many FDEs use it.
#[test]
fn return_address_columns_that_no_call_uses_are_broken() {
    for abi in Abi::ALL {
        let columns = match abi {
            Abi::Amd64 => [(17, true), (18, true), (255, true), (3, false), (16, false)],
            Abi::Aarch64 | Abi::Aarch64Be => [(32, true), (64, true), (128, true), (29, false), (30, false)],
            Abi::S390x => [(16, true), (65, true), (84, true), (1, false), (14, false)],
        };
        for (column, is_broken) in columns {
            let mut section = Section::new(abi);
            let cie = section.cie(Cie { ra_column: column, ..Cie::new(abi) }, |asm| initial(abi, asm));
            for start in [0x1000, 0x1100] {
                section.fde(&cie, Fde { start, length: 0x100 }, |_| {});
            }
            let unwinder = section.unwinder();
            let offsets: Vec<u64> = unwinder.broken().iter().map(|broken| broken.offset).collect();
            assert_eq!(offsets, if is_broken { vec![0] } else { vec![] }, "{abi} {column}");
            let row = unwinder.row(CodePoint::Exact(Pc(0x1000))).expect("a row");
            let own = column == u64::from(abi.facts().ra.0);
            let named = ValueRule::Register { reg: Reg(column as u16), offset: 0 };
            assert!(own || unwinder.rules(row, Pc(0x1000)).ra == named, "{abi} {column}");
        }
        // A rule gives its location: then the column is valid.
        let mut section = Section::new(abi);
        let cie = section.cie(Cie { ra_column: 64, ..Cie::new(abi) }, |asm| initial(abi, asm));
        section.fde(&cie, Fde { start: 0x1000, length: 0x100 }, |asm| asm.offset_extended(64, 1).end());
        assert_eq!(section.unwinder().broken(), [], "{abi}");
    }
}
