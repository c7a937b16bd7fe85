//! Control flow analysis of the function of every frame.

use std::cell::RefCell;
use std::rc::Rc;

use results::UnwindMethod;
use rustc_hash::FxHashMap;
use types::{Abi, CodePoint, FrameRegs, Pc, RegFile as _, Stack};

use crate::analysis::{Analysis, Held};
use crate::{Caller, Lost, Mark, Method, Parts, Position};

/// Analyses the code of the function, whose range its symbol gives, from its entry to the PC: all
/// paths, by the effect of its instructions on SP, FP and the return address. A function without a
/// symbol is not analysed. Each is analysed once.
pub struct CodeAnalysis<'p> {
    abi: Abi,
    parts: &'p Parts<'p>,
    known: RefCell<FxHashMap<u64, Rc<Analysis>>>,
}

impl<'p> CodeAnalysis<'p> {
    /// The method for these objects.
    pub fn new(abi: Abi, parts: &'p Parts<'p>) -> CodeAnalysis<'p> {
        CodeAnalysis { abi, parts, known: RefCell::default() }
    }
}

impl Method for CodeAnalysis<'_> {
    fn name(&self) -> UnwindMethod {
        UnwindMethod::CodeAnalysis
    }

    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
        let facts = self.abi.facts();
        let pc = frame.at.lookup();
        let function = self.parts.function(pc).ok_or(Lost::NoTable)?;
        let analysis = Rc::clone(
            self.known.borrow_mut().entry(function.start).or_insert_with(|| Rc::new(Analysis::new(self.abi, function))),
        );
        let row = analysis.row(pc.0 - function.start).ok_or(Lost::NoTable)?;
        let (base, offset) = row.cfa.ok_or(Lost::Unreadable)?;
        let cfa = frame.regs.read(base).ok_or(Lost::Unreadable)?.wrapping_add_signed(offset);
        let value = |held: Held| match held {
            Held::In(reg) => frame.regs.read(reg),
            Held::At(offset) => stack.read(cfa.wrapping_add_signed(offset)).ok(),
        };
        let held = match frame.at {
            CodePoint::Exact(_) => row.ra,
            CodePoint::AfterCall(_) => row.ra_after_call,
        };
        let ra = held.and_then(value).ok_or(Lost::Unreadable)? & facts.address_mask;
        if ra == 0 {
            return Ok(None);
        }
        if !self.parts.is_code(ra) {
            return Err(Lost::Unreadable);
        }
        let sp = cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
        let mut regs = FrameRegs::none();
        regs.set(facts.sp, Some(sp));
        regs.set(facts.fp, row.fp.and_then(value));
        let frame = Position { at: CodePoint::AfterCall(Pc(ra)), regs, innermost: false };
        Ok(Some(Caller { mark: Mark::CallerSp(sp), frame }))
    }
}
