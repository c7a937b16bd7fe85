//! The statements of a function. Each takes and returns one value, the variable `x`.

use std::ops::ControlFlow;

use super::CompilerTarget;
use super::arguments::{Aggregate, Variadic};
use super::assembly::Push;
use super::calls::{Call, Recurse};
use super::control::{EarlyReturn, If, Loop, Switch};
use super::fragment::Fragment;
use super::frames::Memory;
use super::registers::{Clobber, Floating, Pressure};
use super::result::Run;
use super::writer::Writer;

/// The value of `x` after a statement; `Break` if the function returned it.
pub(super) type Flow = ControlFlow<u32, u32>;

/// A construct of C.
pub(super) trait Construct {
    /// Writes the C text.
    fn write(&self, to: &mut Writer);

    /// The value of `x` after the construct.
    fn value(&self, x: u32, run: &mut Run<'_>) -> Flow;

    fn kind(&self) -> String;

    /// Simpler replacements of the statement, the simplest first.
    fn smaller(&self) -> Vec<Statement> {
        Vec::new()
    }

    /// The nested statements.
    fn body(&self) -> &[Statement] {
        &[]
    }

    /// The construct with other nested statements.
    fn with_body(&self, _: Vec<Statement>) -> Option<Statement> {
        None
    }

    /// The called function; `None` if the statement is not a call.
    fn callee(&self) -> Option<u8> {
        None
    }

    /// Returns true if the function needs a frame pointer, or a stack that calls cannot give up.
    fn fixes_frame(&self) -> bool {
        false
    }

    /// Returns true if the target's compiler accepts the construct.
    fn is_for(&self, _: CompilerTarget) -> bool {
        true
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Memory in the frame.
    Memory(Memory),
    /// A call of a later function.
    Call(Call),
    /// A recursive call.
    Recurse(Recurse),
    /// A construct without parameters.
    Fragment(&'static Fragment),
    /// A structure by value.
    Aggregate(Aggregate),
    /// A call with a variable number of arguments.
    Variadic(Variadic),
    EarlyReturn(EarlyReturn),
    /// A conditional block.
    If(If),
    Loop(Loop),
    /// A jump by a table.
    Switch(Switch),
    /// Clobbered registers.
    Clobber(Clobber),
    /// Many values live across a call.
    Pressure(Pressure),
    /// Floating-point values live across a call.
    Floating(Floating),
    /// A push in assembly.
    Push(Push),
}

impl Statement {
    fn construct(&self) -> &dyn Construct {
        match self {
            Statement::Memory(this) => this,
            Statement::Call(this) => this,
            Statement::Recurse(this) => this,
            Statement::Fragment(this) => this,
            Statement::Aggregate(this) => this,
            Statement::Variadic(this) => this,
            Statement::EarlyReturn(this) => this,
            Statement::If(this) => this,
            Statement::Loop(this) => this,
            Statement::Switch(this) => this,
            Statement::Clobber(this) => this,
            Statement::Pressure(this) => this,
            Statement::Floating(this) => this,
            Statement::Push(this) => this,
        }
    }

    pub(super) fn write(&self, to: &mut Writer) {
        self.construct().write(to);
    }

    pub(super) fn value(&self, x: u32, run: &mut Run<'_>) -> Flow {
        self.construct().value(x, run)
    }

    pub(super) fn is_for(&self, target: CompilerTarget) -> bool {
        self.construct().is_for(target)
    }

    /// Returns true if the statement, or a nested one, needs a frame pointer.
    pub(super) fn fixes_frame(&self) -> bool {
        self.construct().fixes_frame() || self.construct().body().iter().any(Statement::fixes_frame)
    }

    /// The name of the statement, and those of nested statements.
    pub(super) fn kinds(&self) -> Vec<String> {
        let inner = self.construct().body().iter().flat_map(Statement::kinds);
        std::iter::once(self.construct().kind()).chain(inner).collect()
    }

    /// The statement without calls of a function.
    pub(super) fn without_calls_of(&self, number: u8) -> Option<Statement> {
        let construct = self.construct();
        if construct.callee() == Some(number) {
            return None;
        }
        let body = construct.body().iter().filter_map(|inner| inner.without_calls_of(number)).collect();
        Some(construct.with_body(body).unwrap_or_else(|| self.clone()))
    }

    /// Simpler lists to replace the statement by: its nested statements, then simpler statements.
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

/// Simpler lists to replace a list by: halves, then without each statement, then with a simpler
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
