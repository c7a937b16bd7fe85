//! The result of a program, computed without a compiler.

use std::ops::ControlFlow;

use super::statement::{Flow, Statement};
use super::{Ending, Function, Program};

/// Maximum number of calls of an evaluation, far more than a drawn program has. Trees with more
/// calls are not evaluated to the end, which limits the generator's time and stack.
const MOST_CALLS: u32 = 20_000;

/// The state of an evaluation.
pub(super) struct Run<'a> {
    program: &'a Program,
    /// Number of further recursive calls that are allowed.
    pub fuel: u32,
    calls: u32,
    /// Number of the current function.
    pub function: u8,
}

/// The return value of the first function.
pub(super) fn evaluate(program: &Program) -> u32 {
    let mut run = Run { program, fuel: program.fuel, calls: 0, function: 0 };
    program.functions.first().map_or(0, |first| run.call(first.number, program.input))
}

impl Run<'_> {
    /// The return value of a function for the arguments `x`, `x + 1`, `x + 2`, …
    pub(super) fn call(&mut self, number: u8, x: u32) -> u32 {
        self.calls += 1;
        let program = self.program;
        let Some(function) = program.function(number).filter(|_| self.calls < MOST_CALLS) else { return 0 };
        let caller = std::mem::replace(&mut self.function, number);
        let returned = self.body(function, x);
        self.function = caller;
        returned
    }

    fn body(&mut self, function: &Function, first: u32) -> u32 {
        let argument = |nth: u8| first.wrapping_add(u32::from(nth)).wrapping_mul(factor(nth));
        let x = (0..function.parameters).map(argument).fold(0, u32::wrapping_add);
        match (self.list(&function.statements, x), function.ending) {
            (ControlFlow::Break(returned), _) => returned,
            (ControlFlow::Continue(x), Ending::Return) => x,
            (ControlFlow::Continue(x), Ending::Tail { callee, .. }) => self.call(callee, x),
        }
    }

    /// The value of `x` after a list of statements.
    pub(super) fn list(&mut self, statements: &[Statement], x: u32) -> Flow {
        statements.iter().try_fold(x, |x, statement| statement.value(x, self))
    }
}

/// The factor of an argument at the start of a function.
pub(super) fn factor(nth: u8) -> u32 {
    u32::from(nth) * 2 + 1
}
