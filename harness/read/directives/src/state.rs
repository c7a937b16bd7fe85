//! The rules in force while directives change them.

use std::collections::BTreeMap;

use types::{Abi, Reg};

use crate::directive::Directive;
use crate::escape::{Effect, effects};

/// Why directives have no clear meaning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unclear {
    /// An operand is no register or number.
    #[error("operands of `{0}`")]
    Operand(String),
    /// A directive is unknown.
    #[error("directive {0}")]
    Directive(String),
    /// Bytes of an escape are unknown.
    #[error("bytes of .cfi_escape")]
    Escape,
    /// A directive changes one part of a CFA that is no register and offset, or that an escape set.
    #[error("a change of one part of a CFA that directives did not define")]
    PartOfCfa,
    /// A state is restored that none remembered.
    #[error(".cfi_restore_state without .cfi_remember_state")]
    NothingRemembered,
    /// A register is restored whose rule the first directives of the function set: GNU as moves
    /// them to the CIE, so that they are what is restored, against its manual.
    #[error(".cfi_restore of a register with a rule from the entry")]
    RestoredToEntry,
    /// A directive has a lower address than the one before it.
    #[error("addresses are not in order")]
    Order,
}

/// Rule for the CFA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cfa {
    Sum(Reg, i64),
    /// DW_OP bytes.
    Expression(Vec<u8>),
    Unspecified,
}

/// Rule for a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    SameValue,
    Undefined,
    /// [CFA + n].
    AtCfa(i64),
    /// CFA + n.
    CfaPlus(i64),
    Register(Reg),
    /// DW_OP bytes of the place.
    Expression(Vec<u8>),
    /// DW_OP bytes of the value.
    ValueExpression(Vec<u8>),
}

/// The rules at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) cfa: Cfa,
    pub(crate) registers: BTreeMap<Reg, Rule>,
    /// AArch64: the return address is signed.
    pub(crate) signed: bool,
    /// AArch64: with the address of the signing instruction.
    pub(crate) with_pc: bool,
}

impl Rules {
    /// The rules that `.cfi_startproc` gives: those of a called function.
    pub(crate) fn at_entry(abi: Abi) -> Rules {
        let facts = abi.facts();
        let ra = (!facts.link_register).then_some((facts.ra, Rule::AtCfa(-8)));
        Rules {
            cfa: Cfa::Sum(facts.sp, facts.cfa_minus_sp_at_entry),
            registers: ra.into_iter().collect(),
            signed: false,
            with_pc: false,
        }
    }

    /// No rules.
    pub(crate) const fn none() -> Rules {
        Rules { cfa: Cfa::Unspecified, registers: BTreeMap::new(), signed: false, with_pc: false }
    }
}

/// The rules while the directives of a function change them.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) rules: Rules,
    abi: Abi,
    initial: Rules,
    /// Registers with a rule from directives at the function's first address.
    at_entry: Vec<Reg>,
    remembered: Vec<(Rules, bool)>,
    /// An escape set the CFA, which the assembler does not follow.
    is_cfa_escaped: bool,
    /// Bytes of an escape that is not whole yet.
    pending: Vec<u8>,
}

impl State {
    pub(crate) fn new(initial: Rules, abi: Abi) -> State {
        let rules = initial.clone();
        let (at_entry, remembered, pending) = (Vec::new(), Vec::new(), Vec::new());
        State { rules, abi, initial, at_entry, remembered, is_cfa_escaped: false, pending }
    }

    /// Applies a directive inside a function.
    pub(crate) fn apply(&mut self, directive: Directive, at_entry: bool) -> Result<(), Unclear> {
        use Directive as D;
        if !self.pending.is_empty() && !matches!(directive, D::Escape(_)) {
            return Err(Unclear::Escape);
        }
        match directive {
            D::DefCfa(reg, offset) => self.define(Cfa::Sum(reg, offset)),
            D::DefCfaOffset(offset) => {
                let (reg, _) = self.sum()?;
                self.define(Cfa::Sum(reg, offset));
            }
            D::AdjustCfaOffset(bytes) => {
                let (reg, offset) = self.sum()?;
                self.define(Cfa::Sum(reg, offset.wrapping_add(bytes)));
            }
            D::DefCfaRegister(reg) => {
                let (_, offset) = self.sum()?;
                self.define(Cfa::Sum(reg, offset));
            }
            D::Offset(reg, offset) => self.set(reg, Rule::AtCfa(offset), at_entry),
            D::RelOffset(reg, offset) => {
                let (_, of_cfa) = self.sum()?;
                self.set(reg, Rule::AtCfa(offset.wrapping_sub(of_cfa)), at_entry);
            }
            D::ValOffset(reg, offset) => self.set(reg, Rule::CfaPlus(offset), at_entry),
            D::Register(reg, place) => self.set(reg, Rule::Register(place), at_entry),
            D::Undefined(regs) => regs.into_iter().for_each(|reg| self.set(reg, Rule::Undefined, at_entry)),
            D::SameValue(regs) => regs.into_iter().for_each(|reg| self.set(reg, Rule::SameValue, at_entry)),
            D::Restore(regs) => {
                for reg in regs {
                    if self.at_entry.contains(&reg) {
                        return Err(Unclear::RestoredToEntry);
                    }
                    match self.initial.registers.get(&reg) {
                        Some(rule) => self.rules.registers.insert(reg, rule.clone()),
                        None => self.rules.registers.remove(&reg),
                    };
                }
            }
            D::RememberState => self.remembered.push((self.rules.clone(), self.is_cfa_escaped)),
            D::RestoreState => {
                (self.rules, self.is_cfa_escaped) = self.remembered.pop().ok_or(Unclear::NothingRemembered)?;
            }
            D::NegateRaState => self.rules.signed ^= true,
            D::NegateRaStateWithPc => {
                self.rules.signed ^= true;
                self.rules.with_pc ^= true;
            }
            D::Escape(bytes) => self.escape(&bytes, at_entry)?,
            // Of the whole function.
            D::Start { .. } | D::End | D::ReturnColumn(_) | D::SignalFrame | D::BKeyFrame | D::None => {}
        }
        Ok(())
    }

    fn escape(&mut self, bytes: &[u8], at_entry: bool) -> Result<(), Unclear> {
        self.pending.extend_from_slice(bytes);
        // One instruction may be written by several directives.
        let Some(effects) = effects(&self.pending, self.abi) else { return Ok(()) };
        self.pending.clear();
        for effect in effects {
            match effect {
                Effect::As(directive) => {
                    let of_cfa = matches!(
                        directive,
                        Directive::DefCfa(..) | Directive::DefCfaOffset(_) | Directive::DefCfaRegister(_)
                    );
                    self.apply(directive, at_entry)?;
                    self.is_cfa_escaped |= of_cfa;
                }
                Effect::Cfa(cfa) => {
                    self.define(cfa);
                    self.is_cfa_escaped = true;
                }
                // An escape is never moved to the CIE.
                Effect::Rule(reg, rule) => self.set(reg, rule, false),
            }
        }
        Ok(())
    }

    /// Why the rules are not complete.
    pub(crate) const fn unfinished(&self) -> Option<Unclear> {
        if self.pending.is_empty() { None } else { Some(Unclear::Escape) }
    }

    fn define(&mut self, cfa: Cfa) {
        self.rules.cfa = cfa;
        self.is_cfa_escaped = false;
    }

    fn sum(&self) -> Result<(Reg, i64), Unclear> {
        match self.rules.cfa {
            Cfa::Sum(reg, offset) if !self.is_cfa_escaped => Ok((reg, offset)),
            _ => Err(Unclear::PartOfCfa),
        }
    }

    fn set(&mut self, reg: Reg, rule: Rule, at_entry: bool) {
        if at_entry {
            self.at_entry.push(reg);
        }
        self.rules.registers.insert(reg, rule);
    }
}
