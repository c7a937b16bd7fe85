//! What the instructions of a block store, and which of the addresses count from the same value.

use isa::flow::Marks;
use isa::stores::{Address, Effects};
use types::memo::{Base, Store, Stored};
use types::{Abi, Reg};

/// What was seen so far of a block's instructions.
#[derive(Debug, Default)]
pub(super) struct Stores {
    all: Vec<Store>,
    /// Instructions shown.
    count: usize,
    fp: Fp,
    /// How often each register was written, and how often all may have been.
    written: Vec<(Reg, u32)>,
    all_written: u32,
    /// What addresses count from, by the numbers that the observer knows them by.
    sums: Vec<Sum>,
}

/// What FP is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Fp {
    #[default]
    Old,
    /// SP and a constant.
    FromSp,
    Other,
}

/// Registers that are added, each with its value's version.
type Sum = (Option<(Reg, Version)>, Option<(Reg, Version, u8)>);

/// Between writes of a register it does not change.
type Version = (u32, u32);

impl Stores {
    pub(super) fn all(&self) -> &[Store] {
        &self.all
    }

    /// The next instruction is about to execute, with this SP and FP, as distances from SP at the
    /// first.
    pub(super) fn show(&mut self, abi: Abi, effects: &Effects, marks: Marks, [sp, fp]: [i64; 2]) {
        let (facts, number) = (abi.facts(), self.count);
        self.count += 1;
        match &effects.stores {
            None => self.all.push(Store { number, base: Base::Unknown, offset: 0, size: 0, value: None }),
            Some(stores) => {
                for store in stores {
                    let Address { offset, .. } = store.address;
                    let (base, offset) = match self.base(abi, &store.address) {
                        // From SP and FP at the first instruction.
                        Base::Sp if store.address.base == Some(facts.fp) => (Base::Sp, fp.wrapping_add(offset)),
                        Base::Sp => (Base::Sp, sp.wrapping_add(offset)),
                        base => (base, offset),
                    };
                    let value = match store.value {
                        Some(reg) if reg == facts.fp => Some(Stored::Fp),
                        Some(reg) if reg == facts.sp => Some(Stored::Sp(sp)),
                        Some(reg) if reg == facts.ra && facts.link_register => Some(Stored::Link),
                        _ => None,
                    };
                    self.all.push(Store { number, base, offset, size: store.size, value });
                }
            }
        }
        match &effects.writes {
            None => self.all_written += 1,
            Some(registers) => registers.iter().for_each(|register| self.write(*register)),
        }
        if marks.any(Marks::WRITES_SP) {
            self.write(facts.sp);
        }
        if marks.any(Marks::WRITES_FP) {
            self.write(facts.fp);
            self.fp = if marks.any(Marks::SETS_FP) { Fp::FromSp } else { Fp::Other };
        }
    }

    fn base(&mut self, abi: Abi, address: &Address) -> Base {
        let facts = abi.facts();
        if address.index.is_none() && address.base == Some(facts.sp) {
            return Base::Sp;
        }
        if address.index.is_none() && address.base == Some(facts.fp) {
            match self.fp {
                Fp::Old => return Base::Fp,
                Fp::FromSp => return Base::Sp,
                Fp::Other => {}
            }
        }
        let sum = (
            address.base.map(|base| (base, self.version(base))),
            address.index.map(|(index, scale)| (index, self.version(index), scale)),
        );
        let known = self.sums.iter().position(|known| *known == sum);
        let number = known.unwrap_or_else(|| {
            self.sums.push(sum);
            self.sums.len() - 1
        });
        u32::try_from(number).map_or(Base::Unknown, Base::Other)
    }

    fn version(&self, register: Reg) -> Version {
        let written = self.written.iter().find(|(other, _)| *other == register);
        (written.map_or(0, |(_, times)| *times), self.all_written)
    }

    fn write(&mut self, register: Reg) {
        match self.written.iter_mut().find(|(other, _)| *other == register) {
            Some((_, times)) => *times += 1,
            None => self.written.push((register, 1)),
        }
    }
}
