//! This project's reader as a reader under test: rows, and all callers of a stack, in the format of
//! the protocol.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use generators::code::FrameState;
use generators::vectors::Row;
use sframe::{Placement, Section, StartBase, Table};
use types::{Abi, Answer, CfaRule, CodePoint, Fault, FrameRegs, Pc, Reg, Stack, TableFormat, UnwindRow, ValueRule};
use unwind::{CfiSections, CfiUnwinder, SframeUnwinder, Unwinder};

use super::linker::{self, SectionInput};
use crate::corpus::AnswerLine;

/// Version of the crate that reads `.eh_frame`.
pub const GIMLI: &str = "0.34.0";

/// A readable section.
#[derive(Debug)]
pub struct OwnReader {
    abi: Abi,
    register: Option<Reg>,
    table: OwnTable,
}

#[derive(Debug)]
enum OwnTable {
    Sframe(Box<SframeUnwinder>),
    EhFrame(Box<CfiUnwinder>),
}

impl OwnReader {
    /// Reads a section; `None` if it is refused.
    pub fn new(section: &SectionInput) -> Option<OwnReader> {
        let table = match section.format {
            TableFormat::Sframe(_) => {
                let place = Placement { section_address: section.address, starts: StartBase::Header };
                let table = Section::parse(&section.bytes).and_then(|section| Table::new(&section, place));
                OwnTable::Sframe(Box::new(SframeUnwinder::new(table.ok()?)))
            }
            TableFormat::EhFrame => {
                let eh_frame = Some((section.address, section.bytes.as_slice()));
                let sections = CfiSections { eh_frame, ..CfiSections::default() };
                OwnTable::EhFrame(Box::new(CfiUnwinder::new(section.abi, &sections)))
            }
        };
        // A `.sframe` is of the ABI that its header names.
        let abi = match &table {
            OwnTable::Sframe(table) => table.table().abi(),
            OwnTable::EhFrame(_) => section.abi,
        };
        Some(OwnReader { abi, register: section.register, table })
    }

    /// Returns true if every part of the section can be read.
    pub fn is_whole(&self) -> bool {
        match &self.table {
            OwnTable::Sframe(table) => table.table().broken().is_empty(),
            OwnTable::EhFrame(table) => table.broken().is_empty(),
        }
    }

    /// Answer for an address: a row; the caller where a rule has no form in the protocol, from the
    /// registers and memory that follow the address.
    pub fn answer(&self, question: &str) -> Option<AnswerLine> {
        let mut words = question.split_ascii_whitespace();
        let pc = hex(words.next()?)?;
        let caller = match (&self.table, self.row(pc)) {
            (OwnTable::EhFrame(table), AnswerLine::Err) => self.caller(table, pc, &State::parse(words)?),
            (_, line) => Some(line),
        };
        Some(caller.unwrap_or(AnswerLine::Err))
    }

    /// The row for an address.
    pub fn row(&self, pc: u64) -> AnswerLine {
        match &self.table {
            OwnTable::Sframe(table) => linker::answer(table.table(), pc),
            OwnTable::EhFrame(table) => self.cfi_row(table, pc),
        }
    }

    fn caller(&self, table: &CfiUnwinder, pc: u64, state: &State) -> Option<AnswerLine> {
        let at = CodePoint::Exact(Pc(pc));
        let (base, bytes) = state.stack(self.abi)?;
        let stack = Stack::new(base, &bytes, base, self.abi.facts().order, &());
        let row = table.row(at).ok()?;
        let Answer::Caller(caller) = table.evaluate(row, at, &state.registers, &stack).ok()? else { return None };
        let fp = match self.register {
            None => caller.fp.ok()??,
            Some(reg) => {
                let rule = table.rule(row, reg).unwrap_or(ValueRule::SameValue);
                table.value((reg, rule), caller.cfa, at, &state.registers, &stack).ok()?
            }
        };
        Some(AnswerLine::Caller { pc: caller.raw_ra, sp: caller.sp, fp })
    }

    /// The row for an address; `Err` also if its rules are expressions that are no sums.
    fn cfi_row(&self, table: &CfiUnwinder, pc: u64) -> AnswerLine {
        let row = match table.row(CodePoint::Exact(Pc(pc))) {
            Ok(row) => {
                let register = self.register.map(|reg| table.rule(row, reg).unwrap_or(ValueRule::SameValue));
                let rules = table.rules(row, Pc(pc));
                UnwindRow { fp: register.unwrap_or(rules.fp), ..rules }
            }
            Err(Fault::NoFunction) => return AnswerLine::None,
            Err(_) => return AnswerLine::Err,
        };
        if row.ra == ValueRule::Undefined {
            return AnswerLine::Outer { signal: row.signal };
        }
        let is_other = |rule| matches!(rule, ValueRule::Expression(_));
        if matches!(row.cfa, CfaRule::Expression(_) | CfaRule::Unspecified) || is_other(row.ra) || is_other(row.fp) {
            return AnswerLine::Err;
        }
        let frame = FrameState { cfa: row.cfa, ra: row.ra, fp: row.fp, signed: row.signed };
        AnswerLine::new(self.abi, &Row { frame, key: row.signed.then_some(row.key), signal: row.signal })
    }

    /// Return address of each caller, at most as many as the question asks for:
    /// `chain MOST PC rN=... @ADDRESS=...`. `None` if the question has another format.
    pub fn walk(&self, question: &str) -> Option<Vec<u64>> {
        let mut words = question.split_ascii_whitespace();
        let ("chain", Some(most), Some(pc)) = (words.next()?, words.next(), words.next()) else { return None };
        let (most, pc): (usize, u64) = (most.parse().ok()?, hex(pc)?);
        let state = State::parse(words)?;
        let (base, bytes) = state.stack(self.abi)?;
        let (regs, stack) = (state.registers, Stack::new(base, &bytes, base, self.abi.facts().order, &()));
        Some(match &self.table {
            OwnTable::Sframe(table) => callers(&**table, pc, most, regs, &stack),
            OwnTable::EhFrame(table) => callers(&**table, pc, most, regs, &stack),
        })
    }
}

impl OwnReader {
    /// Time of the fastest of some passes over questions of the form `PC rN=... @ADDRESS=...`, each
    /// a step to the caller. `None` if one has another format.
    pub fn time<'q>(&self, questions: impl Iterator<Item = &'q str>, passes: u32) -> Option<Duration> {
        let parse = |question: &str| {
            let mut words = question.split_ascii_whitespace();
            let at = CodePoint::Exact(Pc(hex(words.next()?)?));
            let state = State::parse(words)?;
            Some((at, state.registers, state.stack(self.abi)?))
        };
        let frames: Vec<_> = questions.map(parse).collect::<Option<_>>()?;
        let pass = |_| {
            let began = Instant::now();
            for (at, registers, (base, bytes)) in &frames {
                let stack = Stack::new(*base, bytes, *base, self.abi.facts().order, &());
                match &self.table {
                    OwnTable::Sframe(table) => drop(black_box(step(&**table, *at, registers, &stack))),
                    OwnTable::EhFrame(table) => drop(black_box(step(&**table, *at, registers, &stack))),
                }
            }
            began.elapsed()
        };
        (0..passes).map(pass).min()
    }
}

fn step<U: Unwinder>(table: &U, at: CodePoint, regs: &FrameRegs, stack: &Stack<'_>) -> Result<Answer, Fault> {
    table.evaluate(table.row(at)?, at, regs, stack)
}

fn hex(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}

/// Registers and words of memory of a question.
struct State {
    registers: FrameRegs,
    memory: BTreeMap<u64, u64>,
}

/// Maximum distance in bytes between words of one question.
const MOST: u64 = 1 << 24;

impl State {
    /// Parses `rN=...` and `@ADDRESS=...`.
    fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Option<State> {
        let mut state = State { registers: FrameRegs::none(), memory: BTreeMap::new() };
        for word in words {
            let (name, value) = word.split_once('=')?;
            match (name.strip_prefix('r'), name.strip_prefix('@')) {
                (Some(number), _) => state.registers.set(Reg(number.parse().ok()?), Some(hex(value)?)),
                (None, address) => drop(state.memory.insert(hex(address?)?, hex(value)?)),
            }
        }
        Some(state)
    }

    /// Memory from the lowest word on; `None` if the words are too far apart.
    fn stack(&self, abi: Abi) -> Option<(u64, Vec<u8>)> {
        let order = abi.facts().order;
        let first = self.memory.first_key_value().map_or(0, |(address, _)| *address);
        let last = self.memory.last_key_value().map_or(0, |(address, _)| *address);
        let size = last.wrapping_sub(first).checked_add(8).filter(|size| *size <= MOST)?;
        let mut bytes = vec![0; usize::try_from(size).ok()?];
        for (address, value) in &self.memory {
            let at = usize::try_from(address.wrapping_sub(first)).ok()?;
            bytes.get_mut(at..)?.get_mut(..8)?.copy_from_slice(&order.u64(value.to_be_bytes()).to_be_bytes());
        }
        Some((first, bytes))
    }
}

fn callers<U: Unwinder>(table: &U, pc: u64, most: usize, mut regs: FrameRegs, stack: &Stack<'_>) -> Vec<u64> {
    let mut callers = Vec::new();
    let mut at = CodePoint::Exact(Pc(pc));
    while callers.len() < most {
        let Ok(row) = table.row(at) else { break };
        let Ok(Answer::Caller(caller)) = table.evaluate(row, at, &regs, stack) else { break };
        callers.push(caller.ra);
        regs = table.caller_regs(row, at, &caller, &regs, stack);
        at = if caller.signal { CodePoint::Exact(Pc(caller.ra)) } else { CodePoint::AfterCall(Pc(caller.ra)) };
    }
    callers
}
