//! The registers of an executed step, by DWARF number.

use crate::{Abi, Reg};

/// A register file, indexed by DWARF register number.
pub trait RegFile {
    /// The register's value, or `None` if it is not known in this frame.
    fn read(&self, reg: Reg) -> Option<u64>;
}

/// A set of registers, by DWARF number. Others than those that a calling convention preserves, on
/// any ABI, may not be in it: it has the numbers 0 to 39 and 72 to 95.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RegisterSet(u64);

impl RegisterSet {
    /// The empty set.
    pub const NONE: RegisterSet = RegisterSet(0);
    /// The numbers from here on follow those below [`Self::LOW`].
    const HIGH: u16 = 72;
    const LOW: u16 = 40;

    /// Creates a set of one register.
    #[must_use]
    #[inline]
    pub const fn one(reg: Reg) -> RegisterSet {
        match reg.0 {
            0..RegisterSet::LOW => RegisterSet(1 << reg.0),
            RegisterSet::HIGH..96 => RegisterSet(1 << (reg.0 - RegisterSet::HIGH + RegisterSet::LOW)),
            _ => RegisterSet::NONE,
        }
    }

    /// Adds a register.
    #[inline]
    pub const fn insert(&mut self, reg: Reg) {
        self.0 |= RegisterSet::one(reg).0;
    }

    /// Returns true if the register is in the set.
    #[must_use]
    #[inline]
    pub const fn has(self, reg: Reg) -> bool {
        self.0 & RegisterSet::one(reg).0 != 0
    }

    /// The union of both sets.
    #[must_use]
    #[inline]
    pub const fn and(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 | other.0)
    }

    /// The registers that are in both sets.
    #[must_use]
    #[inline]
    pub const fn common(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 & other.0)
    }

    /// The registers that are not in `other`.
    #[must_use]
    #[inline]
    pub const fn without(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 & !other.0)
    }

    /// Returns true if no register is in the set.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The registers, by number.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Reg> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let number = rest.trailing_zeros();
            rest &= rest.checked_sub(1)?;
            let number = number as u16;
            Some(Reg(if number < RegisterSet::LOW { number } else { number - RegisterSet::LOW + RegisterSet::HIGH }))
        })
    }
}

impl FromIterator<Reg> for RegisterSet {
    fn from_iter<I: IntoIterator<Item = Reg>>(all: I) -> RegisterSet {
        let mut set = RegisterSet::NONE;
        all.into_iter().for_each(|reg| set.insert(reg));
        set
    }
}

/// Registers of a running machine: the three that every row needs as values, the others read on
/// demand.
#[derive(Clone, Copy)]
pub struct Regs<'a> {
    /// ABI that defines the register numbers.
    pub abi: Abi,
    /// Stack pointer.
    pub sp: u64,
    /// Frame pointer.
    pub fp: u64,
    /// Link register. On AMD64 the program counter: the value of column 16 inside an expression.
    pub ra: u64,
    /// All registers, including `sp`, `fp` and `ra`.
    pub others: &'a dyn RegFile,
}

impl RegFile for Regs<'_> {
    #[inline]
    fn read(&self, reg: Reg) -> Option<u64> {
        let facts = self.abi.facts();
        if reg == facts.sp {
            Some(self.sp)
        } else if reg == facts.fp {
            Some(self.fp)
        } else if reg == facts.ra {
            Some(self.ra)
        } else {
            self.others.read(reg)
        }
    }
}

/// The known registers of a caller's frame, DWARF numbers 0 to 46.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRegs {
    values: [u64; Self::COUNT],
    known: u64,
}

impl FrameRegs {
    const COUNT: usize = 47;

    /// A frame in which every register is unknown.
    pub const fn none() -> Self {
        FrameRegs { values: [0; Self::COUNT], known: 0 }
    }

    /// Sets a register; `None` makes it unknown. Numbers above 46 are ignored.
    pub fn set(&mut self, reg: Reg, value: Option<u64>) {
        let index = usize::from(reg.0);
        if let Some(slot) = self.values.get_mut(index) {
            *slot = value.unwrap_or(0);
            if value.is_some() {
                self.known |= 1 << index;
            } else {
                self.known &= !(1 << index);
            }
        }
    }

    /// A copy of all registers that another register file knows.
    pub fn snapshot(regs: &(impl RegFile + ?Sized)) -> Self {
        let mut all = FrameRegs::none();
        for number in 0..Self::COUNT as u16 {
            all.set(Reg(number), regs.read(Reg(number)));
        }
        all
    }
}

impl RegFile for FrameRegs {
    fn read(&self, reg: Reg) -> Option<u64> {
        let index = usize::from(reg.0);
        let value = self.values.get(index)?;
        (self.known >> index & 1 == 1).then_some(*value)
    }
}
