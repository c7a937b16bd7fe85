//! A function of a table, as its repair sees it.

use std::collections::{BTreeMap, BTreeSet};

use isa::flow::{self, Flow, Marks, Registers};
use repair::{Boundary, Entered, Function, Given, Part, Remembers, Row, Spelling, Value};
use types::{Abi, Aspect, CfaRule, CodePoint, Image, Pc, Reg, UnwindRow};
use unwind::{CfiInstructions, CfiSections, CfiSets, FunctionRange, Unwinder as _};

use super::Wrong;
use super::facts::{Known, Observed, Save};
use crate::blame::Table;
use crate::instructions;
use crate::tables::Tables;

/// Maximum number of instructions of a function.
const MOST: usize = 50_000;

/// The functions of an image.
pub(super) struct Functions<'a> {
    image: &'a Image,
    tables: &'a Tables,
    cfi: Option<CfiInstructions<'a>>,
}

impl<'a> Functions<'a> {
    pub(super) fn new(image: &'a Image, tables: &'a Tables) -> Functions<'a> {
        let section = |name: &str| {
            let section = image.section(name).filter(|section| !section.bytes.is_empty())?;
            Some((section.address, &section.bytes[..]))
        };
        let (eh_frame, debug_frame) = (section(".eh_frame"), section(".debug_frame"));
        let sections = CfiSections { eh_frame, debug_frame, ..CfiSections::default() };
        Functions { image, tables, cfi: CfiInstructions::new(image.abi, &sections) }
    }

    /// The function with its rows, directives and facts, or why there are none.
    pub(super) fn function(
        &self,
        table: Table,
        of: &Wrong,
        observed: &mut Observed<'_>,
    ) -> Result<Function, &'static str> {
        let (abi, start) = (self.image.abi, of.function.start);
        if self.tables.cfi.as_ref().is_some_and(|cfi| cfi.has_own_convention(start)) {
            return Err("the function has a calling convention of its own");
        }
        let sets = self.sets(table, &of.function);
        let mut boundaries: Vec<Boundary> = Vec::new();
        let mut saves: Vec<Save> = Vec::new();
        let in_function = observed.registers.range(start..of.function.end);
        let all_registers: BTreeSet<Reg> = in_function.flat_map(|(_, registers)| registers).copied().collect();
        // Where jumps to later addresses come from first, and what the last barrier skips.
        let (mut sources, mut skipped) = (BTreeMap::<u64, Pc>::new(), start..start);
        // A state is remembered at padding.
        let mut remembers = None;
        let (mut pc, mut entered, mut held) = (start, Entered::FromBefore, None);
        while pc < of.function.end {
            let row = self.tables.rules(table, pc).ok_or("an instruction has no row")?;
            if row.signal {
                return Err("the function is a signal frame");
            }
            let row = self.row(table, pc, &row);
            let wrong = of.fields.iter().filter(|(range, _)| range.contains(&pc.0)).map(|(_, field)| *field);
            let wrong: Vec<Aspect> = wrong.collect();
            held = match observed.held(pc, !wrong.is_empty()) {
                // Exploration compares one of the instructions between which nothing changes.
                None if entered == Entered::FromBefore && observed.is_reached(pc) => held,
                own => own,
            };
            // SP has passed the frame, as in longjmp: it is no more.
            held = held.filter(|held| held.cfa_minus_sp >= abi.facts().cfa_minus_sp_at_entry);
            let registers = observed.registers.get(&pc).map(Vec::as_slice).unwrap_or_default();
            let code = self.image.bytes_at(pc.0).ok_or("an instruction is not in the file")?;
            let insn = flow::decode(abi, code, pc.0).ok_or("an instruction cannot be decoded")?;
            let next = Pc(pc.0.saturating_add(u64::from(insn.length)));
            let before = boundaries.last().map_or_else(|| Row::at_entry(abi), |last| last.row.clone());
            let mut given = sets.as_ref().map(|sets| given(sets, pc, before.get(Part::Cfa)));
            // Only jumps lead to what is after padding.
            let is_padding = entered == Entered::ByJump && insn.marks.any(Marks::NOP) && next > pc;
            let is_bare = |given: &Given| given.sets.is_empty() && !given.restores_state;
            if is_padding && held.is_none() && given.as_ref().is_none_or(is_bare) {
                remembers = remembers.or(given.and_then(|given| given.remembers));
                pc = next;
                continue;
            }
            if let (Some(given), Some(_)) = (&mut given, remembers.take()) {
                given.remembers.get_or_insert(Remembers::Before);
            }
            let restores = given.as_ref().is_some_and(|given| given.restores_state);
            if let Some(source) = sources.get(&pc.0).filter(|_| entered == Entered::ByJump || restores) {
                skipped = Pc(source.0.saturating_add(1))..Pc(pc.0.saturating_add(1));
            }
            let (registers, wrong_registers, skips) = (&all_registers, registers, skipped.clone());
            let known = |held| Known {
                abi,
                pc,
                row: &row,
                held,
                wrong: &wrong,
                registers,
                wrong_registers,
                saves: &saves,
                skipped: skips.clone(),
            };
            let facts = held.as_ref().map(|held| known(held).facts());
            if let Some(held) = &held {
                let saved = instructions::all_saves(self.image, pc).into_iter();
                for save in saved.filter_map(|save| Save::new(abi, save, held, next)) {
                    save.add_to(&mut saves, &row);
                }
            }
            let is_call = matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall);
            let restores = !is_call && flow::written(abi, code, pc.0).is_some_and(|written| is_preserved(abi, written));
            boundaries.push(Boundary { pc, entered, row, given, restores, facts });
            if boundaries.len() > MOST || next <= pc {
                return Err("the function is too large");
            }
            entered = match insn.flow {
                Flow::Jump(_) | Flow::IndirectJump | Flow::Return | Flow::Ends => Entered::ByJump,
                Flow::Next | Flow::Branch(_) | Flow::Call(_) | Flow::IndirectCall | Flow::ReturnOrNext => {
                    Entered::FromBefore
                }
            };
            if let Flow::Jump(target) | Flow::Branch(target) = insn.flow
                && target > pc.0
            {
                sources.entry(target).or_insert(pc);
            }
            pc = next;
        }
        let first = boundaries.first().ok_or("the function is empty")?;
        // GNU as puts the first directives of a function into its CIE.
        let sets_first = first.given.as_ref().is_some_and(|given| !given.sets.is_empty());
        let is_wrong = first.facts.as_ref().is_some_and(|facts| !facts.allow(&first.row));
        let initial = if sets_first || is_wrong { Row::at_entry(abi) } else { first.row.clone() };
        Ok(Function { abi, initial, boundaries, end: of.function.end })
    }

    /// What the table's instructions set, if it has instructions.
    fn sets(&self, table: Table, function: &FunctionRange) -> Option<Vec<(Pc, CfiSets)>> {
        match table {
            Table::Sframe => None,
            Table::EhFrame => self.cfi.as_ref()?.of(function),
        }
    }

    /// The row, with the rules of all registers that a call preserves.
    fn row(&self, table: Table, pc: Pc, row: &UnwindRow) -> Row {
        let abi = self.image.abi;
        let cfi = self.tables.cfi.as_ref().filter(|_| table == Table::EhFrame);
        let id = cfi.and_then(|cfi| cfi.row(CodePoint::Exact(pc)).ok().map(|id| (cfi, id)));
        let registers = abi.facts().callee_saved.iter().map(|number| Reg(*number));
        let further = registers.filter_map(|reg| id.and_then(|(cfi, id)| Some((reg, cfi.rule(id, reg)?))));
        Row::new(abi, row, further)
    }
}

/// Returns true if all registers are ones that a call preserves, and there are some.
fn is_preserved(abi: Abi, written: Registers) -> bool {
    let facts = abi.facts();
    let is_one = |reg: Reg| facts.callee_saved.contains(&reg.0) || [facts.fp, facts.ra].contains(&reg);
    let mut others = written.iter().filter(|reg| *reg != facts.sp).peekable();
    others.peek().is_some() && others.all(is_one)
}

/// What instructions set at an address, where `before` is the CFA before them.
fn given(sets: &[(Pc, CfiSets)], pc: Pc, before: Value) -> Given {
    let mut given = Given::default();
    let mut cfa = before;
    let first = sets.partition_point(|(at, _)| *at < pc);
    for (_, sets) in sets.iter().skip(first).take_while(|(at, _)| *at == pc) {
        let (part, spelling) = match sets {
            CfiSets::Cfa(..) | CfiSets::CfaExpression => (Part::Cfa, Spelling::Whole),
            CfiSets::CfaRegister(_) => (Part::Cfa, Spelling::CfaRegister),
            CfiSets::CfaOffset(_) => (Part::Cfa, Spelling::CfaOffset),
            CfiSets::Register(reg) => (Part::Register(*reg), Spelling::Whole),
            CfiSets::Signing => (Part::Signing, Spelling::Whole),
            CfiSets::Remember => {
                let is_first = given.sets.is_empty() && !given.restores_state;
                given.remembers = Some(if is_first { Remembers::Before } else { Remembers::Here });
                continue;
            }
            CfiSets::State => {
                given.restores_state = true;
                continue;
            }
        };
        if part == Part::Cfa && given.sets.contains_key(&part) {
            given.passed.push(cfa);
        }
        let sum = |reg, offset| Value::Cfa(CfaRule::Register { reg, offset });
        cfa = match (*sets, cfa) {
            (CfiSets::Cfa(reg, offset), _) => sum(reg, offset),
            (CfiSets::CfaRegister(reg), Value::Cfa(CfaRule::Register { offset, .. })) => sum(reg, offset),
            (CfiSets::CfaOffset(offset), Value::Cfa(CfaRule::Register { reg, .. })) => sum(reg, offset),
            _ => cfa,
        };
        // Of several the whole is set.
        let all = given.sets.entry(part).or_insert(spelling);
        if *all != spelling {
            *all = Spelling::Whole;
        }
    }
    given
}
