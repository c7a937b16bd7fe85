//! Callers of the examples, computed by this project's unwinder.

use generators::vectors::{Caller, Expected};
use sframe::{Placement, Section, StartBase, Table};
use types::{Answer, CodePoint, FrameRegs, Pc, RegFile as _, Regs, Stack};
use unwind::{SframeUnwinder, Unwinder as _};

use super::VECTORS;

/// Maximum distance between words of one stack.
const STACK: u64 = 1 << 20;

#[test]
fn callers_are_those_that_the_unwinder_finds() {
    let mut compared = 0;
    for vector in VECTORS.iter().filter(|vector| vector.id.starts_with("valid/")) {
        let section = Section::parse(&vector.bytes).expect("a valid section");
        let place = Placement { section_address: vector.address, starts: StartBase::Header };
        let unwinder = SframeUnwinder::new(Table::new(&section, place).expect("a valid section"));
        for answer in &vector.answers {
            let Expected::Row(row) = &answer.expected else { continue };
            let Some(caller) = vector.caller(row) else { continue };
            let Some((base, bytes)) = stack(&caller, vector.abi.facts().order) else { continue };
            let stack = Stack::new(base, &bytes, 0, vector.abi.facts().order, &());
            let mut registers = FrameRegs::none();
            caller.registers.iter().for_each(|(reg, value)| registers.set(*reg, Some(*value)));
            // Frames have no values of APX's registers.
            if caller.registers.iter().any(|(reg, _)| registers.read(*reg).is_none()) {
                continue;
            }
            let facts = vector.abi.facts();
            let value = |reg| registers.read(reg).unwrap_or(0);
            let (sp, fp, ra) = (value(facts.sp), value(facts.fp), value(facts.ra));
            let regs = Regs { abi: vector.abi, sp, fp, ra, others: &registers };
            match unwinder.caller(CodePoint::Exact(Pc(answer.pc)), &regs, &stack) {
                Ok(Answer::Caller(found)) => {
                    let got = (found.raw_ra, found.sp, found.fp);
                    assert_eq!(got, (caller.pc, caller.sp, Ok(Some(caller.fp))), "{} at {:#x}", vector.id, answer.pc);
                }
                other => panic!("{} at {:#x}: {other:?}", vector.id, answer.pc),
            }
            compared += 1;
        }
    }
    assert!(compared > 5_000, "{compared}");
}

/// The words as one contiguous stack; `None` if they are too far apart.
fn stack(caller: &Caller, order: types::ByteOrder) -> Option<(u64, Vec<u8>)> {
    let base = caller.memory.iter().map(|word| word.address).min().unwrap_or(0);
    let end = caller.memory.iter().map(|word| word.address + 8).max().unwrap_or(0);
    let mut bytes = vec![0; usize::try_from(Some(end - base).filter(|size| *size <= STACK)?).ok()?];
    for word in &caller.memory {
        let at = usize::try_from(word.address - base).ok()?;
        order.store(&mut bytes[at..at + 8], word.value);
    }
    Some((base, bytes))
}
