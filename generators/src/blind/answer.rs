//! What a table answers at a PC, for every register that a caller needs; and the values that it
//! gives in a state of the machine.

use std::collections::BTreeMap;

use types::{Abi, CfaRule, PacKey, Reg, RegFile, ValueRule};

use super::cfi::{Cfa, Rule, RulesAt, SIGNED, Simple, evaluate};
use super::view::View;
use crate::reader::{Meaning, RowAt};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    Sframe,
    EhFrame,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// Register plus offset.
    Sum(u64, i64),
    /// The word at register plus offset.
    Word(u64, i64),
    /// The word at the CFA plus an offset.
    AtCfa(i64),
    /// The CFA plus an offset.
    CfaPlus(i64),
    Undefined,
    /// An expression without a simpler form, compared as bytes.
    Opaque(Vec<u8>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Bytes that are no row.
    Unreadable,
    /// No caller.
    Outermost,
    Caller(Caller),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    cfa: Source,
    ra: Source,
    /// Rules of the registers that a call preserves.
    registers: BTreeMap<u64, Source>,
    signed: Option<PacKey>,
    signed_with_pc: bool,
    signal: bool,
}

/// The memory of a state: the word at an address, if it is known.
pub type Memory<'m> = &'m dyn Fn(u64) -> Option<u64>;

/// The answers of a table at a PC; several if functions overlap, none if nothing covers it.
pub(super) fn answers(view: &View, table: Table, pc: u64) -> Vec<Answer> {
    let abi = view.abi();
    match table {
        Table::Sframe => {
            let section = view.sframe.iter().filter_map(|sframe| sframe.table.as_ref());
            let mut all: Vec<Answer> = Vec::new();
            for answer in section.flat_map(|table| table.rows_at(pc)).map(|row| of_row(abi, &row)) {
                if !all.contains(&answer) {
                    all.push(answer);
                }
            }
            all
        }
        Table::EhFrame => view.cfi.iter().filter_map(|cfi| cfi.at(pc)).map(|rules| of_rules(abi, &rules)).collect(),
    }
}

/// What a wrong answer gets wrong first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    Caller,
    Cfa,
    Ra,
    Fp,
    /// Another register that a call preserves, or SP.
    Register,
    /// How the return address is signed, or that a signal interrupted the caller.
    Mark,
}

/// The first value that differs between two answers in a state. A register that is in `entered`,
/// with its value at the entry of the function, counts only if the first answer gives that value.
pub(super) fn difference(
    abi: Abi,
    was: &Answer,
    is: &Answer,
    registers: &dyn RegFile,
    memory: Memory<'_>,
    entered: &[(Reg, u64)],
) -> Option<Difference> {
    let (Answer::Caller(was), Answer::Caller(is)) = (was, is) else {
        return (was != is).then_some(Difference::Caller);
    };
    let cfa = |caller: &Caller| value(&caller.cfa, None, registers, memory);
    let (was_cfa, is_cfa) = (cfa(was), cfa(is));
    let of = |source: Option<&Source>, cfa: &Value| {
        source.map(|source| value(source, cfa.clone().ok().flatten(), registers, memory))
    };
    let differs = |one: &Source, other: &Source| of(Some(one), &was_cfa) != of(Some(other), &is_cfa);
    let marks = |caller: &Caller| (caller.signed, caller.signed_with_pc, caller.signal);
    let fp = u64::from(abi.facts().fp.0);
    let numbers = was.registers.keys().chain(is.registers.keys());
    let was_right = |number: &u64, value: &Option<Value>| {
        let entered = entered.iter().find(|(reg, _)| u64::from(reg.0) == *number);
        entered.is_none_or(|(_, entered)| *value == Some(Ok(Some(*entered))))
    };
    let mut wrong = numbers.filter(|number| {
        let was = of(was.registers.get(number), &was_cfa);
        was_right(number, &was) && was != of(is.registers.get(number), &is_cfa)
    });
    if was_cfa != is_cfa {
        Some(Difference::Cfa)
    } else if differs(&was.ra, &is.ra) {
        Some(Difference::Ra)
    } else if let Some(number) = wrong.next() {
        Some(if *number == fp || wrong.any(|number| *number == fp) { Difference::Fp } else { Difference::Register })
    } else {
        (marks(was) != marks(is)).then_some(Difference::Mark)
    }
}

/// CFA, return address and FP of the caller that an answer gives in a state; `None` if it gives
/// none.
pub(super) fn caller(abi: Abi, is: &Answer, registers: &dyn RegFile, memory: Memory<'_>) -> Option<[u64; 3]> {
    let Answer::Caller(caller) = is else { return None };
    let known = |source: &Source, cfa| value(source, cfa, registers, memory).ok().flatten();
    let cfa = known(&caller.cfa, None)?;
    let fp = caller.registers.get(&u64::from(abi.facts().fp.0))?;
    Some([cfa, known(&caller.ra, Some(cfa))?, known(fp, Some(cfa))?])
}

/// A value: known, none, or that of an expression.
type Value = Result<Option<u64>, Vec<u8>>;

fn value(source: &Source, cfa: Option<u64>, registers: &dyn RegFile, memory: Memory<'_>) -> Value {
    let sum = |number: u64, offset: i64| {
        let value = u16::try_from(number).ok().and_then(|number| registers.read(Reg(number)));
        value.map(|value| value.wrapping_add_signed(offset))
    };
    Ok(match source {
        Source::Sum(number, offset) => sum(*number, *offset),
        Source::Word(number, offset) => sum(*number, *offset).and_then(memory),
        Source::AtCfa(offset) => cfa.map(|cfa| cfa.wrapping_add_signed(*offset)).and_then(memory),
        Source::CfaPlus(offset) => cfa.map(|cfa| cfa.wrapping_add_signed(*offset)),
        Source::Undefined => None,
        Source::Opaque(bytes) => return Err(bytes.clone()),
    })
}

/// A row of `.sframe`.
fn of_row(abi: Abi, row: &RowAt) -> Answer {
    match row.row {
        None => Answer::Unreadable,
        Some(Meaning { ra: ValueRule::Undefined, .. }) => Answer::Outermost,
        Some(Meaning { cfa, ra, fp, signed, signal }) => {
            let facts = abi.facts();
            let cfa = match cfa {
                CfaRule::Register { reg, offset } => Source::Sum(reg.0.into(), offset),
                CfaRule::Memory { reg, offset } => Source::Word(reg.0.into(), offset),
                CfaRule::Expression(_) | CfaRule::Unspecified => Source::Undefined,
            };
            let of = |rule, own: u16| match rule {
                ValueRule::SameValue => Source::Sum(own.into(), 0),
                ValueRule::Undefined | ValueRule::Expression(_) => Source::Undefined,
                ValueRule::AtCfa(offset) => Source::AtCfa(offset),
                ValueRule::CfaPlus(offset) => Source::CfaPlus(offset),
                ValueRule::Register { reg, offset } => Source::Sum(reg.0.into(), offset),
                ValueRule::Memory { reg, offset } => Source::Word(reg.0.into(), offset),
            };
            let registers = BTreeMap::from([(facts.fp.0.into(), of(fp, facts.fp.0))]);
            let caller = Caller { cfa, ra: of(ra, facts.ra.0), registers, signed, signed_with_pc: false, signal };
            Answer::Caller(caller.plain())
        }
    }
}

/// Rules of `.eh_frame`.
fn of_rules(abi: Abi, at: &RulesAt<'_>) -> Answer {
    let (rules, whole, facts) = (at.rules, at.function.whole, abi.facts());
    let simple = |bytes: &Vec<u8>| evaluate(abi, bytes, at.pc);
    let cfa = match &rules.cfa {
        Cfa::Unspecified => Source::Undefined,
        Cfa::Register(number, offset) => Source::Sum(*number, *offset),
        Cfa::Expression(bytes) => match simple(bytes) {
            Some(Simple::Sum(reg, offset)) => Source::Sum(reg.0.into(), offset),
            Some(Simple::Loaded(reg, offset)) => Source::Word(reg.0.into(), offset),
            None => Source::Opaque(bytes.clone()),
        },
    };
    let of = |number: u64, rule: &Rule| match rule {
        Rule::Undefined => Source::Undefined,
        Rule::SameValue => Source::Sum(number, 0),
        Rule::Offset(offset) => Source::AtCfa(*offset),
        Rule::ValOffset(offset) => Source::CfaPlus(*offset),
        Rule::Register(other) => Source::Sum(*other, 0),
        Rule::Expression(bytes) => match simple(bytes) {
            Some(Simple::Sum(reg, offset)) => Source::Word(reg.0.into(), offset),
            Some(Simple::Loaded(..)) | None => Source::Opaque(bytes.clone()),
        },
        Rule::ValExpression(bytes) => match simple(bytes) {
            Some(Simple::Sum(reg, offset)) => Source::Sum(reg.0.into(), offset),
            Some(Simple::Loaded(reg, offset)) => Source::Word(reg.0.into(), offset),
            None => Source::Opaque(bytes.clone()),
        },
    };
    let ra = match rules.registers.get(&whole.ra) {
        Some(Rule::Undefined) => return Answer::Outermost,
        rule => of(whole.ra, rule.unwrap_or(&Rule::SameValue)),
    };
    let sp = u64::from(facts.sp.0);
    let preserved = facts.callee_saved.iter().map(|number| u64::from(*number)).filter(|number| *number != sp);
    let with_rule = |number: u64| rules.registers.get(&number).unwrap_or(&Rule::SameValue);
    let mut registers: BTreeMap<u64, Source> =
        preserved.map(|number| (number, of(number, with_rule(number)))).collect();
    let usual = Source::CfaPlus(facts.caller_sp_minus_cfa);
    registers.insert(sp, rules.registers.get(&sp).map_or(usual, |rule| of(sp, rule)));
    let signed = (rules.ra_state & SIGNED != 0).then_some(whole.key);
    let signed_with_pc = rules.ra_state > SIGNED;
    Answer::Caller(Caller { cfa, ra, registers, signed, signed_with_pc, signal: whole.signal }.plain())
}

impl Caller {
    /// Offsets from the CFA become offsets from its base register.
    fn plain(self) -> Caller {
        let Source::Sum(base, offset) = self.cfa else { return self };
        let resolve = |source: Source| match source {
            Source::AtCfa(n) => Source::Word(base, offset.wrapping_add(n)),
            Source::CfaPlus(n) => Source::Sum(base, offset.wrapping_add(n)),
            other => other,
        };
        let registers = self.registers.into_iter().map(|(number, source)| (number, resolve(source))).collect();
        Caller { ra: resolve(self.ra), registers, ..self }
    }
}
