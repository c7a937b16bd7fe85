//! Bytes from no producer: no panic, no hang, and memory in proportion to the input.

use std::time::{Duration, Instant};

use types::{Abi, CodePoint, Pc};
use unwind::{CfiError, CfiUnwinder, Unwinder};

use crate::support::entry::{ABSPTR, initial, read};
use crate::support::{Asm, Cie, Fde, Flavour, Memory, Section, regs};

/// A section with most features of CFI.
fn everything(abi: Abi, flavour: Flavour) -> Section {
    let mut section = match flavour {
        Flavour::EhFrame => Section::new(abi),
        Flavour::DebugFrame => Section::debug_frame(abi),
    };
    let augmentation = match flavour {
        Flavour::EhFrame if abi.facts().pointer_authentication => "zPLRSB",
        Flavour::EhFrame => "zPLRS",
        Flavour::DebugFrame => "S",
    };
    let version = if flavour == Flavour::DebugFrame { 4 } else { 1 };
    let fp = u64::from(abi.facts().fp.0);
    let ra = u64::from(abi.facts().ra.0);
    let sp = u64::from(abi.facts().sp.0);
    let cie = section.cie(Cie { version, ..Cie::augmented(abi, augmentation) }, |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1000, length: 0x100 }, |asm| {
        asm.advance(1).def_cfa_offset(320).offset(fp as u8, 2).remember_state();
        asm.advance1(1).def_cfa_sf(fp, -2).offset_extended_sf(ra, -1).val_offset(sp, 3);
        asm.advance2(1).def_cfa_expression(|e| e.plt().end()).expression(fp, |e| e.breg(3, 8).deref().end());
        asm.advance4(1).val_expression(ra, |e| e.lit(0).dup().bra(-4).skip(0).end());
        asm.advance(1).restore_state().register(fp, 3).undefined(4).same_value(5).args_size(16);
        if abi.facts().pointer_authentication {
            asm.negate_ra_state().advance(1).negate_ra_state_with_pc().advance(1).set_ra_state(2, -300);
        }
        asm.advance(1).restore(fp as u8).restore_extended(ra);
    });
    section.fde(&cie, Fde { start: 0x1080, length: 0x100 }, |asm| asm.advance(7).undefined(ra).end());
    section
}

/// Looks up callers at a few addresses, known and unknown.
fn look_up(abi: Abi, unwinder: &CfiUnwinder, memory: &Memory) -> usize {
    let regs = regs(abi);
    let mut rows = 0;
    for function in unwinder.functions().take(4) {
        for pc in unwinder.boundaries(function.start, function.end).take(64) {
            for at in [CodePoint::Exact(pc), CodePoint::AfterCall(Pc(pc.0.wrapping_add(1)))] {
                let Ok(row) = unwinder.row(at) else { continue };
                rows += 1;
                assert!(unwinder.rules(row, at.lookup()).covers(at.lookup()));
                if let Ok(types::Answer::Caller(caller)) = unwinder.evaluate(row, at, &regs, &memory.stack()) {
                    let _ = unwinder.caller_regs(row, at, &caller, &regs, &memory.stack());
                }
            }
        }
    }
    for pc in [0, 0x1000, 0x10ff, u64::MAX] {
        let _ = unwinder.caller(CodePoint::Exact(Pc(pc)), &regs, &memory.stack());
        let _ = unwinder.caller(CodePoint::AfterCall(Pc(pc)), &regs, &memory.stack());
    }
    rows
}

#[test]
fn the_section_itself_is_sound() {
    for abi in Abi::ALL {
        for flavour in [Flavour::EhFrame, Flavour::DebugFrame] {
            let unwinder = everything(abi, flavour).sound();
            assert_eq!(unwinder.functions().len(), 2);
            assert!(look_up(abi, &unwinder, &Memory::new(abi)) > 12, "{abi} {flavour:?}");
        }
    }
}

#[test]
fn truncated_at_every_byte() {
    for abi in Abi::ALL {
        let memory = Memory::new(abi);
        for flavour in [Flavour::EhFrame, Flavour::DebugFrame] {
            let section = everything(abi, flavour);
            let bytes = &section.asm.bytes;
            for length in 0..bytes.len() {
                let unwinder = read(abi, flavour, section.address, &bytes[..length]);
                look_up(abi, &unwinder, &memory);
                assert!(unwinder.functions().len() < 2, "{abi} {length}");
            }
        }
    }
}

#[test]
fn every_byte_with_other_values() {
    for abi in Abi::ALL {
        let memory = Memory::new(abi);
        for flavour in [Flavour::EhFrame, Flavour::DebugFrame] {
            let section = everything(abi, flavour);
            let mut bytes = section.asm.bytes.clone();
            for at in 0..bytes.len() {
                let right = bytes[at];
                for value in (0..8).map(|bit| right ^ 1 << bit).chain([0, 0x2c, 0x7f, 0x80, 0xff]) {
                    bytes[at] = value;
                    look_up(abi, &read(abi, flavour, section.address, &bytes), &memory);
                }
                bytes[at] = right;
            }
        }
    }
}

#[test]
fn noise() {
    let mut rng = testing::Rng::new(1);
    for round in 0..400 {
        let abi = Abi::ALL[round % 4];
        let mut section = Section::new(abi);
        let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
        section.fde(&cie, Fde { start: 0x1000, length: 0x1000 }, |asm| {
            for _ in 0..200 {
                asm.u8(rng.byte());
            }
        });
        look_up(abi, &section.unwinder(), &Memory::new(abi));
    }
}

/// One FDE over 0x10000 bytes.
fn big(write: impl FnOnce(&mut Asm)) -> Section {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1000, length: 0x1_0000 }, write);
    section
}

#[test]
fn remembered_states_have_a_limit() {
    let section = big(|asm| {
        for _ in 0..1_000_000 {
            asm.remember_state();
        }
    });
    assert_eq!(section.unwinder().broken()[0].error, CfiError::TooMany("remembered states"));
}

#[test]
fn registers_of_one_row_have_a_limit() {
    let section = big(|asm| {
        for reg in 0..0x4000 {
            asm.offset_extended(reg, 1);
        }
    });
    assert_eq!(section.unwinder().broken()[0].error, CfiError::TooMany("registers with a rule"));
}

#[test]
fn rules_of_all_rows_have_a_limit() {
    // Rows of 150 registers that each change one: memory would grow by a factor of hundreds.
    let section = big(|asm| {
        for reg in 0..150 {
            asm.offset_extended(reg, 1);
        }
        for _ in 0..50_000 {
            asm.advance(1).offset(3, 1);
        }
    });
    assert_eq!(section.unwinder().broken()[0].error, CfiError::TooMany("register rules"));
}

#[test]
fn as_many_rows_as_a_function_has_bytes_are_fine() {
    let section = big(|asm| {
        for _ in 0..0xffff {
            asm.advance(1).offset(3, 1);
        }
    });
    assert_eq!(section.sound().row_count(), 0x1_0000);
}

#[test]
fn many_fdes_of_one_long_cie() {
    // Running the CIE again for each FDE would be five billion instructions.
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::new(abi), |asm| {
        initial(abi, asm);
        for _ in 0..500_000 {
            asm.nop();
        }
    });
    for start in 0..10_000 {
        section.fde(&cie, Fde { start: 0x1000 + 16 * start, length: 16 }, |_| {});
    }
    let begin = Instant::now();
    assert_eq!(section.sound().functions().len(), 10_000);
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_row_that_claims_the_address_space_can_be_walked() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie { encoding: ABSPTR, ..Cie::new(abi) }, |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0, length: u64::MAX }, |asm| {
        // Depends on the PC, never changes, and has no simpler form.
        asm.def_cfa_expression(|e| e.breg(16, 0).deref().end());
    });
    let unwinder = section.sound();
    let begin = Instant::now();
    assert_eq!(unwinder.boundaries(Pc(0), Pc(u64::MAX)).count(), 1);
    let row = unwinder.row(CodePoint::Exact(Pc(0x1000))).expect("a row");
    assert!(unwinder.rules(row, Pc(0x1000)).covers(Pc(0x1000)));
    assert!(begin.elapsed() < Duration::from_secs(20));
}
