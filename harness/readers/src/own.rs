//! This project's reader as a reader under test: rows, and all callers of a stack, in the format of
//! the protocol.

use sframe::{Placement, Section, StartBase, Table};
use types::{Answer, CodePoint, FrameRegs, Pc, Reg, Stack};
use unwind::{SframeUnwinder, Unwinder as _};

use super::linker::{self, SectionInput};
use crate::corpus::AnswerLine;

/// A readable section.
#[derive(Debug)]
pub struct OwnReader(SframeUnwinder);

impl OwnReader {
    /// Reads a section; `None` if it is refused.
    pub fn new(asked: &SectionInput) -> Option<OwnReader> {
        let place = Placement { section_address: asked.address, starts: StartBase::Header };
        let table = Section::parse(&asked.bytes).and_then(|section| Table::new(&section, place));
        Some(OwnReader(SframeUnwinder::new(table.ok()?)))
    }

    /// Answer for an address.
    pub fn answer(&self, pc: u64) -> AnswerLine {
        linker::answer(self.0.table(), pc)
    }

    /// Return address of each caller, at most as many as the question asks for:
    /// `chain MOST PC rN=... @ADDRESS=...`. `None` if the question has another format.
    pub fn walk(&self, question: &str) -> Option<Vec<u64>> {
        let table = &self.0;
        let hex = |word: &str| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
        let mut words = question.split_ascii_whitespace();
        let ("chain", Some(most), Some(pc)) = (words.next()?, words.next(), words.next()) else { return None };
        let (most, pc): (usize, u64) = (most.parse().ok()?, hex(pc)?);
        let (mut regs, mut memory) = (FrameRegs::none(), Vec::new());
        for word in words {
            let (name, value) = word.split_once('=')?;
            match (name.strip_prefix('r'), name.strip_prefix('@')) {
                (Some(number), _) => regs.set(Reg(number.parse().ok()?), Some(hex(value)?)),
                (None, address) => memory.push((hex(address?)?, hex(value)?)),
            }
        }
        let order = table.table().abi().facts().order;
        let base = memory.first().map_or(0, |(address, _)| *address);
        // The words are contiguous.
        let bytes: Vec<u8> =
            memory.iter().flat_map(|(_, value)| order.u64(value.to_be_bytes()).to_be_bytes()).collect();
        let stack = Stack::new(base, &bytes, base, order, &());
        let mut callers = Vec::new();
        let mut at = CodePoint::Exact(Pc(pc));
        while callers.len() < most {
            let Ok(row) = table.row(at) else { break };
            let Ok(Answer::Caller(caller)) = table.evaluate(row, at, &regs, &stack) else { break };
            callers.push(caller.ra);
            regs = table.caller_regs(row, at, &caller, &regs, &stack);
            at = if caller.signal { CodePoint::Exact(Pc(caller.ra)) } else { CodePoint::AfterCall(Pc(caller.ra)) };
        }
        Some(callers)
    }
}
