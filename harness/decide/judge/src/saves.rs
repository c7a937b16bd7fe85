//! Where functions saved the values of their caller: recorded when the instruction that saves one
//! is executed. A slot is never found by its value: two slots may hold equal ones.

use std::collections::BTreeMap;

use types::{Abi, CodePoint, Frame, Image, Pc, Reg, RegFile as _, SavedAt, Step, UnwindRow, ValueRule};

use crate::instructions;
use crate::tables::Tables;

/// The saves that were executed, by the first address of the function.
#[derive(Debug, Default)]
pub struct Saves(BTreeMap<Pc, Vec<Save>>);

/// Maximum number of saves remembered of a function: those executed last.
const MOST: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Save {
    /// The activation of the function, by its CFA.
    cfa: u64,
    reg: Reg,
    rule: ValueRule,
}

impl Saves {
    /// Records a save of FP or of the link register if the instruction about to execute is one.
    pub fn record(&mut self, step: &Step<'_>, tables: &Tables, image: &Image) {
        let Some(frame) = step.frames.innermost() else { return };
        let saves = |(reg, value): (Reg, u64)| {
            let holds = step.regs.read(reg) == Some(value);
            let place = instructions::saves(image, step.pc, reg).filter(|_| holds)?;
            let rule = match place {
                SavedAt::Register(to) => ValueRule::Register { reg: to, offset: 0 },
                SavedAt::Slot { base, offset } => {
                    let address = step.regs.read(base)?.wrapping_add_signed(offset);
                    ValueRule::AtCfa(address.wrapping_sub(frame.cfa).cast_signed())
                }
            };
            Some(Save { cfa: frame.cfa, reg, rule })
        };
        for save in values(step.regs.abi, frame).filter_map(saves) {
            let all = self.0.entry(Pc(tables.function_start(image, step.pc.0))).or_default();
            if !all.contains(&save) {
                all.push(save);
                all.drain(..all.len().saturating_sub(MOST));
            }
        }
    }

    /// The places that may hold a register's value in this activation, the most certain first:
    /// where it was saved in this activation, then where the function always saved it before.
    fn rules(&self, function: Pc, cfa: u64, reg: Reg) -> Vec<ValueRule> {
        let all = self.0.get(&function).map_or(&[][..], Vec::as_slice).iter().filter(|save| save.reg == reg);
        let mut rules: Vec<ValueRule> = all.clone().filter(|save| save.cfa == cfa).map(|save| save.rule).collect();
        let mut slots = all.map(|save| save.rule).filter(is_slot);
        if let Some(first) = slots.next().filter(|first| slots.all(|other| other == *first)) {
            rules.push(first);
        }
        // A copy in a register is passed to somebody more often than it is a save.
        rules.sort_by_key(|rule| !is_slot(rule));
        rules
    }
}

fn is_slot(rule: &ValueRule) -> bool {
    matches!(rule, ValueRule::AtCfa(_))
}

/// The registers that are followed, with the caller's values.
fn values(abi: Abi, frame: &Frame) -> impl Iterator<Item = (Reg, u64)> {
    let facts = abi.facts();
    let link = facts.link_register.then_some((facts.ra, frame.raw_ra));
    [(facts.fp, frame.fp)].into_iter().chain(link)
}

/// The places that may hold the caller's values at a step, the most certain first.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    pub(crate) ra: Vec<ValueRule>,
    pub(crate) fp: Vec<ValueRule>,
}

impl Candidates {
    /// The places of recorded saves, then those that the tables' rows give.
    pub fn new(step: &Step<'_>, saves: &Saves, tables: &Tables, image: &Image) -> Candidates {
        let function = Pc(tables.function_start(image, step.pc.0));
        let facts = step.regs.abi.facts();
        let Some(frame) = step.frames.innermost() else { return Candidates::default() };
        let saved = |reg| saves.rules(function, frame.cfa, reg);
        let ra = match facts.link_register {
            true => saved(facts.ra),
            // The call stored it.
            false => vec![ValueRule::AtCfa(-facts.cfa_minus_sp_at_entry)],
        };
        let rows = tables.rows(CodePoint::Exact(step.pc));
        let with = |first: Vec<ValueRule>, rule: fn(&UnwindRow) -> ValueRule| {
            first.into_iter().chain(rows.iter().map(rule)).collect()
        };
        Candidates { ra: with(ra, |row| row.ra), fp: with(saved(facts.fp), |row| row.fp) }
    }
}
