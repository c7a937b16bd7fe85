//! Rows of functions, from the log of their directives.

use types::{Abi, CfaRule, Image, PacKey, Pc, Reg, UnwindRow, ValueRule};

use crate::directive::Directive;
use crate::escape::{Loads, sum};
use crate::log::{LogError, code, records};
use crate::state::{Cfa, Rule, Rules, State, Unclear};

/// What the directives of a source mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    functions: Vec<FunctionMeaning>,
}

/// What the directives of a function mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionMeaning {
    /// First address, in the image without the log.
    pub start: Pc,
    /// First address after it.
    pub end: Pc,
    /// Rows in order of addresses, without gaps; where the meaning ends, why.
    pub rows: Result<Vec<RowMeaning>, Unclear>,
}

/// What the directives before an address mean there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowMeaning {
    /// First address.
    pub start: Pc,
    /// First address after it.
    pub end: Pc,
    rules: Rules,
    frame: Frame,
}

/// Properties of a whole function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    abi: Abi,
    column: Reg,
    signal: bool,
    key: PacKey,
}

impl Meaning {
    /// Reads the log of an object, if its code is that of the object without log.
    ///
    /// # Errors
    /// The objects differ in more than the log, or it is not whole.
    pub fn read(plain: &Image, logged: &Image) -> Result<Meaning, LogError> {
        let abi = plain.abi;
        let bases: Vec<u64> = code(plain).iter().map(|section| section.address).collect();
        let mut open: Vec<Option<Open>> = bases.iter().map(|_| None).collect();
        let mut functions = Vec::new();
        for record in records(plain, logged)? {
            let (Some(base), Some(open)) = (bases.get(record.section), open.get_mut(record.section)) else { continue };
            let pc = base.wrapping_add(record.offset);
            match (Directive::parse(&record, abi), open.as_mut()) {
                (Ok(Directive::Start { simple }), _) => *open = Some(Open::new(pc, simple, abi)),
                (Ok(Directive::End), Some(_)) => functions.extend(open.take().map(|open| open.ended(pc))),
                (directive, Some(open)) => open.add(pc, directive),
                (_, None) => {}
            }
        }
        functions.sort_by_key(|function| function.start);
        Ok(Meaning { functions })
    }

    /// The functions, in order of addresses.
    pub fn functions(&self) -> &[FunctionMeaning] {
        &self.functions
    }

    /// The row at an address; `None` if directives give none, or none that is clear.
    pub fn row(&self, pc: Pc) -> Option<&RowMeaning> {
        let after = self.functions.partition_point(|function| function.start <= pc);
        let function = self.functions.get(after.checked_sub(1)?).filter(|function| pc < function.end)?;
        let rows = function.rows.as_ref().ok()?;
        rows.get(rows.partition_point(|row| row.start <= pc).checked_sub(1)?)
    }
}

/// A function whose directives are being read.
struct Open {
    start: u64,
    /// The address up to which rows are complete.
    upto: u64,
    state: Result<State, Unclear>,
    rows: Vec<(u64, u64, Rules)>,
    frame: Frame,
}

impl Open {
    fn new(pc: u64, simple: bool, abi: Abi) -> Open {
        let initial = if simple { Rules::none() } else { Rules::at_entry(abi) };
        let frame = Frame { abi, column: abi.facts().ra, signal: false, key: PacKey::A };
        Open { start: pc, upto: pc, state: Ok(State::new(initial, abi)), rows: Vec::new(), frame }
    }

    /// Ends the row before an address.
    fn advance(&mut self, pc: u64) {
        let Ok(state) = &self.state else { return };
        match (pc.cmp(&self.upto), state.unfinished()) {
            (std::cmp::Ordering::Less, _) => self.state = Err(Unclear::Order),
            (std::cmp::Ordering::Greater, Some(why)) => self.state = Err(why),
            (std::cmp::Ordering::Greater, None) => {
                self.rows.push((self.upto, pc, state.rules.clone()));
                self.upto = pc;
            }
            (std::cmp::Ordering::Equal, _) => {}
        }
    }

    fn add(&mut self, pc: u64, directive: Result<Directive, Unclear>) {
        self.advance(pc);
        match &directive {
            Ok(Directive::ReturnColumn(reg)) => self.frame.column = *reg,
            Ok(Directive::SignalFrame) => self.frame.signal = true,
            Ok(Directive::BKeyFrame) => self.frame.key = PacKey::B,
            _ => {}
        }
        let at_entry = pc == self.start;
        if let Ok(state) = &mut self.state
            && let Err(why) = directive.and_then(|directive| state.apply(directive, at_entry))
        {
            self.state = Err(why);
        }
    }

    fn ended(mut self, pc: u64) -> FunctionMeaning {
        self.advance(pc);
        let frame = self.frame;
        let row = |(start, end, rules)| RowMeaning { start: Pc(start), end: Pc(end), rules, frame };
        let rows = self.state.map(|_| self.rows.into_iter().map(row).collect());
        FunctionMeaning { start: Pc(self.start), end: Pc(pc), rows }
    }
}

impl RowMeaning {
    /// The row as a table would give it; `None` if a rule is an expression other than a register, a
    /// sum, or the word there.
    pub fn unwind_row(&self) -> Option<UnwindRow> {
        let facts = self.frame.abi.facts();
        let cfa = match &self.rules.cfa {
            Cfa::Sum(reg, offset) => CfaRule::Register { reg: *reg, offset: *offset },
            Cfa::Unspecified => CfaRule::Unspecified,
            Cfa::Expression(bytes) => match sum(bytes)? {
                (reg, offset, Loads::Nothing) => CfaRule::Register { reg, offset },
                (reg, offset, Loads::Word) => CfaRule::Memory { reg, offset },
            },
        };
        let unchanged = match self.frame.column {
            column if column == facts.ra => ValueRule::SameValue,
            column => ValueRule::Register { reg: column, offset: 0 },
        };
        let ra = match self.rules.registers.get(&self.frame.column) {
            None | Some(Rule::SameValue) => unchanged,
            Some(rule) => rule.value()?,
        };
        let sp = self.rules.registers.get(&facts.sp).map(Rule::value);
        Some(UnwindRow {
            start: self.start,
            end: self.end,
            cfa,
            ra,
            fp: self.register(facts.fp).map_or(Some(ValueRule::SameValue), |rule| rule)?,
            signed: self.rules.signed,
            key: self.frame.key,
            signed_with_pc: self.rules.signed && self.rules.with_pc,
            sp: if let Some(rule) = sp { Some(rule?) } else { None },
            signal: self.frame.signal,
        })
    }

    /// The rule of a register, if it has one: `Some(None)` is an expression without simpler form.
    pub fn register(&self, reg: Reg) -> Option<Option<ValueRule>> {
        self.rules.registers.get(&reg).map(Rule::value)
    }
}

impl Rule {
    /// The rule as a table would give it; `None` for an expression without simpler form.
    fn value(&self) -> Option<ValueRule> {
        Some(match self {
            Rule::SameValue => ValueRule::SameValue,
            Rule::Undefined => ValueRule::Undefined,
            Rule::AtCfa(offset) => ValueRule::AtCfa(*offset),
            Rule::CfaPlus(offset) => ValueRule::CfaPlus(*offset),
            Rule::Register(reg) => ValueRule::Register { reg: *reg, offset: 0 },
            Rule::Expression(bytes) => match sum(bytes)? {
                (reg, offset, Loads::Nothing) => ValueRule::Memory { reg, offset },
                (.., Loads::Word) => return None,
            },
            Rule::ValueExpression(bytes) => match sum(bytes)? {
                (reg, offset, Loads::Nothing) => ValueRule::Register { reg, offset },
                (reg, offset, Loads::Word) => ValueRule::Memory { reg, offset },
            },
        })
    }
}
