//! The expressions of one table that have no simpler form, by [`ExprId`].

use types::{Abi, ExprId};

use crate::arch::{exists, pc_register};
use crate::program::{Op, is_sound};
use crate::symbol::Purpose;

/// Expressions without a simpler form, with the operations in one allocation.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    ops: Vec<Op>,
    programs: Vec<Program>,
    unsound: usize,
}

#[derive(Clone, Copy, Debug)]
struct Program {
    start: u32,
    len: u32,
    purpose: Purpose,
    reads_pc: bool,
    reads_nothing_else: bool,
}

impl Programs {
    /// Adds an expression; `None` if 32-bit numbering is exhausted.
    pub(crate) fn add(&mut self, ops: &[Op], purpose: Purpose, abi: Abi) -> Option<ExprId> {
        let id = ExprId(u32::try_from(self.programs.len()).ok()?);
        let start = u32::try_from(self.ops.len()).ok()?;
        let len = u32::try_from(ops.len()).ok()?;
        start.checked_add(len)?;
        // The evaluation of a register's rule begins with the CFA on the stack (DWARF 5, 6.4.2.3).
        let initial = match purpose {
            Purpose::Cfa => 0,
            Purpose::Value | Purpose::Address => 1,
        };
        self.unsound = self.unsound.saturating_add(usize::from(!is_sound(ops, initial, |reg| exists(abi, reg))));
        let reads_pc = ops.iter().any(|op| matches!(op, Op::Register { reg, .. } if *reg == pc_register(abi)));
        let reads_another = |op: &Op| match op {
            Op::Register { reg, .. } => *reg != pc_register(abi),
            Op::Load { .. } => true,
            _ => false,
        };
        let reads_nothing_else = purpose == Purpose::Value && !ops.iter().any(reads_another);
        self.ops.extend_from_slice(ops);
        self.programs.push(Program { start, len, purpose, reads_pc, reads_nothing_else });
        Some(id)
    }

    /// Number of expressions that are meaningless.
    pub(crate) fn unsound(&self) -> usize {
        self.unsound
    }

    /// The operations of an expression, and the use of its result.
    pub(crate) fn get(&self, id: ExprId) -> Option<(&[Op], Purpose)> {
        let program = self.programs.get(id.0 as usize)?;
        let ops = self.ops.get(program.start as usize..)?.get(..program.len as usize)?;
        Some((ops, program.purpose))
    }

    /// Returns true if the result depends on the program counter and on no other register or
    /// memory.
    pub(crate) fn computes_from_pc(&self, id: ExprId) -> bool {
        self.reads_pc(id) && self.programs.get(id.0 as usize).is_some_and(|program| program.reads_nothing_else)
    }

    /// Returns true if the expression reads the program counter, so that its simplest form depends
    /// on the PC.
    pub(crate) fn reads_pc(&self, id: ExprId) -> bool {
        self.programs.get(id.0 as usize).is_some_and(|program| program.reads_pc)
    }
}
