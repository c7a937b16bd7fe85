//! Evaluation of rows: CFA, return address, FP and SP on each ABI, and every kind of failure.

use types::{Abi, Answer, Caller, CodePoint, Fault, FrameRegs, PacKey, Pc, Reg, RegFile};
use unwind::{CfiUnwinder, Unwinder};

use crate::support::frame::{BASE, SIZE, word};
use crate::support::{Asm, Cie, Fde, Memory, Section, regs};

const SP: u64 = BASE + 0x400;
const FP: u64 = BASE + 0x600;
const START: CodePoint = CodePoint::Exact(Pc(0x1000));

fn unwinder(abi: Abi, write: impl FnOnce(&mut Asm)) -> CfiUnwinder {
    Section::simple(abi, write).sound()
}

fn answer(abi: Abi, write: impl FnOnce(&mut Asm)) -> Result<Answer, Fault> {
    unwinder(abi, write).caller(START, &regs(abi), &Memory::new(abi).stack())
}

fn caller(abi: Abi, write: impl FnOnce(&mut Asm)) -> Caller {
    match answer(abi, write) {
        Ok(Answer::Caller(caller)) => caller,
        other => panic!("{other:?}"),
    }
}

#[test]
fn amd64_at_entry() {
    let expected = Caller {
        cfa: SP + 8,
        ra: word(SP),
        raw_ra: word(SP),
        signed_by: None,
        signed_with_pc: false,
        fp: Ok(Some(FP)),
        sp: SP + 8,
        signal: false,
    };
    assert_eq!(caller(Abi::Amd64, |_| {}), expected);
}

/// If a table's rule for SP is relative to a CFA without the ABI's distance, the answer's CFA is
/// that of the ABI.
#[test]
fn a_cfa_elsewhere_is_the_abis_where_the_rule_for_sp_is_counted_from_it() {
    let caller = caller(Abi::S390x, |asm| {
        asm.def_cfa(15, 0).val_offset(15, 0);
    });
    assert_eq!((caller.sp, caller.cfa), (SP, SP + 160));
}

#[test]
fn link_registers_hold_the_return_address_at_entry() {
    for abi in Abi::ALL {
        let (lr, to_cfa, to_sp) = match abi {
            Abi::Amd64 => continue,
            Abi::Aarch64 | Abi::Aarch64Be => (30, 0, 0),
            Abi::S390x => (14, 160, 0),
        };
        let found = caller(abi, |_| {});
        assert_eq!((found.cfa, found.ra, found.sp), (SP + to_cfa, 0x1000 + lr, SP + to_sp), "{abi}");
    }
}

#[test]
fn frames_with_saved_registers() {
    for abi in Abi::ALL {
        let facts = abi.facts();
        let found = caller(abi, |asm| {
            asm.def_cfa(u64::from(facts.fp.0), 0x40)
                .offset_extended(u64::from(facts.ra.0), 3)
                .offset(facts.fp.0 as u8, 4)
                .end()
        });
        assert_eq!(found.cfa, FP + 0x40, "{abi}");
        assert_eq!((found.ra, found.fp), (word(FP + 0x28), Ok(Some(word(FP + 0x20)))), "{abi}");
        let sp = found.cfa.wrapping_add_signed(abi.facts().caller_sp_minus_cfa);
        assert_eq!(found.sp, sp, "{abi}");
    }
}

#[test]
fn s390x_saves_and_restores_its_stack_pointer() {
    // `stmg %r6,%r15,48(%r15)` puts r15 at 120(%r15), which is CFA - 40.
    let mut memory = Memory::new(Abi::S390x);
    memory.put(SP + 120, 0x7000_0500);
    let unwinder = unwinder(Abi::S390x, |asm| asm.offset(15, 5).end());
    let answer = unwinder.caller(START, &regs(Abi::S390x), &memory.stack());
    assert!(matches!(answer, Ok(Answer::Caller(caller)) if caller.sp == 0x7000_0500), "{answer:?}");
}

#[test]
fn stack_pointer_rules_win_over_the_abi() {
    let found = caller(Abi::Amd64, |asm| asm.val_offset_sf(7, -3).end());
    assert_eq!((found.cfa, found.sp), (SP + 8, SP + 32));
    let found = caller(Abi::Aarch64, |asm| asm.def_cfa_offset(64).val_offset(31, 2).end());
    assert_eq!((found.cfa, found.sp), (SP + 64, SP + 48));
    assert_eq!(answer(Abi::Amd64, |asm| asm.undefined(7).end()), Err(Fault::UnknownRegister { reg: Reg(7) }));
}

#[test]
fn return_addresses_in_registers() {
    // f0 is DWARF 16 on s390x.
    assert_eq!(caller(Abi::S390x, |asm| asm.register(14, 16).end()).ra, 0x1010);
    assert_eq!(caller(Abi::Amd64, |asm| asm.register(16, 0).end()).ra, 0x1000);
    assert_eq!(caller(Abi::Aarch64, |asm| asm.register(30, 9).end()).ra, 0x1009);
}

#[test]
fn signed_return_addresses_are_stripped() {
    let signed = 0x00ab_0000_0040_1234_u64 | 0xa000_0000_0000_0000;
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        for (augmentation, key) in [("zR", PacKey::A), ("zRB", PacKey::B)] {
            for toggled in [false, true] {
                let mut section = Section::new(abi);
                let cie = section.cie(Cie::augmented(abi, augmentation), |asm| asm.def_cfa(31, 0).end());
                section.fde(&cie, Fde { start: 0x1000, length: 0x40 }, |asm| {
                    if toggled {
                        asm.negate_ra_state();
                    }
                });
                let mut regs = regs(abi);
                regs.set(Reg(30), Some(signed));
                let answer = section.sound().caller(START, &regs, &Memory::new(abi).stack());
                let Ok(Answer::Caller(caller)) = answer else { panic!("{answer:?}") };
                assert_eq!(caller.raw_ra, signed);
                let expected = if toggled { (0x40_1234, Some(key)) } else { (signed, None) };
                assert_eq!((caller.ra, caller.signed_by), expected, "{abi} {augmentation}");
            }
        }
    }
}

#[test]
fn an_undefined_return_address_ends_the_chain() {
    for abi in Abi::ALL {
        let ra = u64::from(abi.facts().ra.0);
        assert_eq!(answer(abi, |asm| asm.undefined(ra).end()), Ok(Answer::Outermost), "{abi}");
    }
    // Also if no other register can be recovered.
    let mut section = Section::new(Abi::Amd64);
    let cie = section.cie(Cie::new(Abi::Amd64), |_| {});
    section.fde(&cie, Fde { start: 0x1000, length: 0x40 }, |asm| asm.undefined(16).end());
    let answer = section.sound().caller(START, &FrameRegs::none(), &Memory::new(Abi::Amd64).stack());
    assert_eq!(answer, Ok(Answer::Outermost));
}

#[test]
fn amd64_has_no_register_that_holds_the_return_address() {
    let mut section = Section::new(Abi::Amd64);
    let cie = section.cie(Cie::new(Abi::Amd64), |asm| asm.def_cfa(7, 8).end());
    section.fde(&cie, Fde { start: 0x1000, length: 0x40 }, |_| {});
    let table = section.unwinder();
    let errors: Vec<String> = table.broken().iter().map(|entry| entry.error.to_string()).collect();
    assert_eq!(errors, ["a return address without a rule, which no register holds"]);
    let answer = table.caller(START, &regs(Abi::Amd64), &Memory::new(Abi::Amd64).stack());
    assert_eq!(answer, Err(Fault::UnknownRegister { reg: Reg(16) }));
}

#[test]
fn fp_that_cannot_be_found_is_no_fault() {
    for abi in Abi::ALL {
        let fp = abi.facts().fp;
        assert_eq!(caller(abi, |asm| asm.undefined(u64::from(fp.0)).end()).fp, Ok(None), "{abi}");
        let mut regs = regs(abi);
        regs.set(fp, None);
        let answer = unwinder(abi, |_| {}).caller(START, &regs, &Memory::new(abi).stack());
        assert!(matches!(answer, Ok(Answer::Caller(caller)) if caller.fp == Ok(None)), "{abi}: {answer:?}");
    }
}

#[test]
fn every_fault() {
    let amd64 = |write: fn(&mut Asm)| answer(Abi::Amd64, write);
    let end = BASE + SIZE as u64;
    let outside = amd64(|asm| asm.def_cfa_offset(0xc04).end());
    assert_eq!(outside, Err(Fault::UnreadableMemory { address: end - 4 }));
    // The red zone is live down to its last word, and dead below it.
    assert!(amd64(|asm| asm.def_cfa_sf(7, 15).end()).is_ok());
    let dead = amd64(|asm| asm.def_cfa_sf(7, 16).end());
    assert_eq!(dead, Err(Fault::DeadMemory { address: SP - 136 }));
    let unknown = amd64(|asm| asm.register(16, 41).end());
    assert_eq!(unknown, Err(Fault::UnknownRegister { reg: Reg(41) }));
    assert_eq!(amd64(|asm| asm.def_cfa_sf(3, 0x1000).end()), Err(Fault::Overflow), "below zero");
    assert_eq!(amd64(|asm| asm.offset_extended_sf(16, 1 << 58).end()), Err(Fault::Overflow));
    assert_eq!(amd64(|asm| asm.val_offset_sf(7, 1 << 58).end()), Err(Fault::Overflow));

    let mut section = Section::new(Abi::S390x);
    let cie = section.cie(Cie::new(Abi::S390x), |_| {});
    section.fde(&cie, Fde { start: 0x1000, length: 0x40 }, |_| {});
    let memory = Memory::new(Abi::S390x);
    assert_eq!(section.sound().caller(START, &regs(Abi::S390x), &memory.stack()), Err(Fault::NoCfa));

    // The caller's SP would be 160 below a CFA that is less than 160.
    let low = unwinder(Abi::S390x, |asm| asm.def_cfa(0, 8).end());
    let mut regs = regs(Abi::S390x);
    regs.set(Reg(0), Some(8));
    assert_eq!(low.caller(START, &regs, &memory.stack()), Err(Fault::Overflow));
}

/// The caller's registers by a row, in a frame in which all of 0 to 39 are known.
fn restored(abi: Abi, write: impl FnOnce(&mut Asm)) -> FrameRegs {
    restored_by(abi, &unwinder(abi, write))
}

fn restored_by(abi: Abi, unwinder: &CfiUnwinder) -> FrameRegs {
    let (regs, memory) = (regs(abi), Memory::new(abi));
    let row = unwinder.row(START).expect("a row");
    let answer = unwinder.evaluate(row, START, &regs, &memory.stack());
    let Ok(Answer::Caller(caller)) = answer else { panic!("{answer:?}") };
    unwinder.caller_regs(row, START, &caller, &regs, &memory.stack())
}

#[test]
fn callee_saved_registers_pass_through_and_others_are_forgotten() {
    // psABI 1.0, figure 3.4; AAPCS64 6.1.1; s390x ELF ABI 1.6, 1.2.1 with DWARF 24-31 for f8-f15.
    for abi in Abi::ALL {
        let kept: &[u16] = match abi {
            Abi::Amd64 => &[3, 6, 7, 12, 13, 14, 15],
            Abi::Aarch64 | Abi::Aarch64Be => &[19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31],
            Abi::S390x => &[6, 7, 8, 9, 10, 11, 12, 13, 15, 24, 25, 26, 27, 28, 29, 30, 31],
        };
        let facts = abi.facts();
        let found = restored(abi, |_| {});
        for number in 0..40 {
            let reg = Reg(number);
            let value = match reg {
                _ if reg == facts.sp => {
                    Some(SP.wrapping_add_signed(facts.cfa_minus_sp_at_entry + facts.caller_sp_minus_cfa))
                }
                _ if reg == facts.fp => Some(FP),
                _ if kept.contains(&number) => Some(0x1000 + u64::from(number)),
                _ => None,
            };
            assert_eq!(found.read(reg), value, "{abi} {reg}");
        }
    }
}

#[test]
fn registers_with_a_rule_are_restored() {
    let found = restored(Abi::Amd64, |asm| {
        asm.def_cfa_offset(0x40)
            .offset(3, 2)
            .offset(6, 3)
            .undefined(12)
            .register(13, 10)
            .same_value(1)
            .offset(16, 1)
            .end()
    });
    let cfa = SP + 0x40;
    assert_eq!(found.read(Reg(3)), Some(word(cfa - 16)));
    assert_eq!(found.read(Reg(6)), Some(word(cfa - 24)));
    assert_eq!(found.read(Reg(7)), Some(cfa));
    assert_eq!(found.read(Reg(12)), None);
    assert_eq!(found.read(Reg(13)), Some(0x100a));
    assert_eq!(found.read(Reg(1)), Some(0x1001), "caller-saved, but the table says that it is unchanged");
    assert_eq!(found.read(Reg(16)), None);
    // A register that cannot be read is unknown; the others are known.
    let found = restored(Abi::Amd64, |asm| asm.offset_extended_sf(3, 0x1000).offset(12, 1).end());
    assert_eq!((found.read(Reg(3)), found.read(Reg(12))), (None, Some(word(SP))));
}

#[test]
fn a_return_address_left_in_a_register_is_not_trusted_further_out() {
    for abi in Abi::ALL.into_iter().filter(|abi| abi.facts().link_register) {
        let lr = abi.facts().ra;
        for saved in [false, true] {
            let unwinder = unwinder(abi, |asm| {
                if saved {
                    asm.offset_extended_sf(u64::from(lr.0), -1);
                }
            });
            let inner = restored_by(abi, &unwinder);
            assert_eq!(inner.read(lr), None, "{abi}");
        }
        let leaf = unwinder(abi, |_| {});
        let inner = restored_by(abi, &leaf);
        let answer = leaf.caller(CodePoint::AfterCall(Pc(0x1008)), &inner, &Memory::new(abi).stack());
        assert_eq!(answer, Err(Fault::UnknownRegister { reg: lr }), "{abi}");
    }
}

#[test]
fn a_signal_frame_restores_the_link_register_beside_the_pc() {
    // Interrupted code has its own link register; the PC has a separate column (here 33).
    let abi = Abi::Aarch64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie { ra_column: 33, ..Cie::augmented(abi, "zRS") }, |asm| {
        asm.def_cfa(31, 0x80).offset_extended(33, 1).offset(30, 2).end()
    });
    section.fde(&cie, Fde { start: 0x1000, length: 0x40 }, |_| {});
    let unwinder = section.sound();
    let found = restored_by(abi, &unwinder);
    assert_eq!((found.read(Reg(30)), found.read(Reg(33))), (Some(word(SP + 0x70)), None));
    let answer = unwinder.caller(START, &regs(abi), &Memory::new(abi).stack());
    assert!(
        matches!(answer, Ok(Answer::Caller(caller)) if caller.signal && caller.ra == word(SP + 0x78)),
        "{answer:?}"
    );
}

#[test]
fn a_fault_of_fp_is_of_fp_alone() {
    let found = caller(Abi::Amd64, |asm| asm.offset_extended_sf(6, 18).end());
    assert_eq!(found.fp, Err(Fault::DeadMemory { address: SP + 8 - 144 }));
    assert_eq!((found.cfa, found.ra, found.sp), (SP + 8, word(SP), SP + 8));
    let unwinder = unwinder(Abi::Amd64, |asm| asm.offset_extended_sf(6, 1 << 58).end());
    assert_eq!(restored_by(Abi::Amd64, &unwinder).read(Reg(6)), None);
}
