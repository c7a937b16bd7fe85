//! The statements of a function. Each has one value in one variable, `x`, which it may change.

use std::ops::ControlFlow;

use super::Target;
use super::arguments::{Aggregate, Variadic};
use super::calls::Cold;
use super::calls::{Call, Recurse};
use super::control::{AsmGoto, ComputedGoto, EarlyReturn, If, Loop, Switch};
use super::frames::Memory;
use super::jumps::{Address, Landing};
use super::registers::{Clobber, Floating, Pressure};
use super::result::Run;
use super::scope::{Cleanup, Nested};
use super::writer::Writer;

/// The value of `x` after a statement; `Break` if the function returned it.
pub(super) type Flow = ControlFlow<u32, u32>;

/// A construct of C.
pub(super) trait Construct {
    /// Writes it.
    fn write(&self, to: &mut Writer);

    /// What it makes of `x`.
    fn value(&self, x: u32, run: &mut Run<'_>) -> Flow;

    /// Its name.
    fn kind(&self) -> String;

    /// Statements in its place that are simpler, the simplest first.
    fn smaller(&self) -> Vec<Statement> {
        Vec::new()
    }

    /// The statements inside it.
    fn body(&self) -> &[Statement] {
        &[]
    }

    /// The same with other statements inside it.
    fn with_body(&self, _: Vec<Statement>) -> Option<Statement> {
        None
    }

    /// The function of the program that it calls.
    fn callee(&self) -> Option<u8> {
        None
    }

    /// Returns true if the target's compiler accepts it.
    fn is_for(&self, _: Target) -> bool {
        true
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Memory in the frame.
    Memory(Memory),
    /// A call of a later function.
    Call(Call),
    /// A call of the function itself.
    Recurse(Recurse),
    /// A call that does not happen.
    Cold(Cold),
    /// A structure by value.
    Aggregate(Aggregate),
    /// A call with a variable number of arguments.
    Variadic(Variadic),
    /// A return before the end.
    EarlyReturn(EarlyReturn),
    /// Statements under a condition.
    If(If),
    /// Statements repeated.
    Loop(Loop),
    /// A jump by a table.
    Switch(Switch),
    /// A jump to an address.
    ComputedGoto(ComputedGoto),
    /// Assembly that may jump.
    AsmGoto(AsmGoto),
    /// Registers overwritten.
    Clobber(Clobber),
    /// Many values live across a call.
    Pressure(Pressure),
    /// Floating-point values live across a call.
    Floating(Floating),
    /// A variable with a cleanup function.
    Cleanup(Cleanup),
    /// A function inside the function.
    Nested(Nested),
    /// A place that a callee jumps back to.
    Landing(Landing),
    /// The address of the frame, or of the return.
    Address(Address),
}

impl Statement {
    fn construct(&self) -> &dyn Construct {
        match self {
            Statement::Memory(this) => this,
            Statement::Call(this) => this,
            Statement::Recurse(this) => this,
            Statement::Cold(this) => this,
            Statement::Aggregate(this) => this,
            Statement::Variadic(this) => this,
            Statement::EarlyReturn(this) => this,
            Statement::If(this) => this,
            Statement::Loop(this) => this,
            Statement::Switch(this) => this,
            Statement::ComputedGoto(this) => this,
            Statement::AsmGoto(this) => this,
            Statement::Clobber(this) => this,
            Statement::Pressure(this) => this,
            Statement::Floating(this) => this,
            Statement::Cleanup(this) => this,
            Statement::Nested(this) => this,
            Statement::Landing(this) => this,
            Statement::Address(this) => this,
        }
    }

    pub(super) fn write(&self, to: &mut Writer) {
        self.construct().write(to);
    }

    pub(super) fn value(&self, x: u32, run: &mut Run<'_>) -> Flow {
        self.construct().value(x, run)
    }

    pub(super) fn is_for(&self, target: Target) -> bool {
        self.construct().is_for(target)
    }

    /// Its name, and those of the statements inside it.
    pub(super) fn kinds(&self) -> Vec<String> {
        let inner = self.construct().body().iter().flat_map(Statement::kinds);
        std::iter::once(self.construct().kind()).chain(inner).collect()
    }

    /// The same without calls of a function.
    pub(super) fn without_calls_of(&self, number: u8) -> Option<Statement> {
        let construct = self.construct();
        if construct.callee() == Some(number) {
            return None;
        }
        let body = construct.body().iter().filter_map(|inner| inner.without_calls_of(number)).collect();
        Some(construct.with_body(body).unwrap_or_else(|| self.clone()))
    }

    /// Lists in its place that are simpler: what is inside it, then simpler statements.
    fn smaller(&self) -> Vec<Vec<Statement>> {
        let construct = self.construct();
        let mut lists: Vec<Vec<Statement>> = Vec::new();
        if !construct.body().is_empty() {
            lists.push(construct.body().to_vec());
        }
        lists.extend(construct.smaller().into_iter().map(|one| vec![one]));
        let inner = smaller(construct.body()).into_iter().filter_map(|body| construct.with_body(body));
        lists.extend(inner.map(|one| vec![one]));
        lists
    }
}

/// Lists in the place of a list that are simpler: halves, without each statement, with a simpler
/// one.
pub(super) fn smaller(list: &[Statement]) -> Vec<Vec<Statement>> {
    let mut lists = Vec::new();
    if list.len() > 2 {
        let (first, second) = list.split_at(list.len() / 2);
        lists.extend([first.to_vec(), second.to_vec()]);
    }
    let replaced = |at: usize, by: Vec<Statement>| -> Vec<Statement> {
        let (before, after) = (list.iter().take(at).cloned(), list.iter().skip(at + 1).cloned());
        before.chain(by).chain(after).collect()
    };
    lists.extend((0..list.len()).map(|at| replaced(at, Vec::new())));
    for (at, one) in list.iter().enumerate() {
        lists.extend(one.smaller().into_iter().map(|by| replaced(at, by)));
    }
    lists
}
