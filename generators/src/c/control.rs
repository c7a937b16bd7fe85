//! Control flow: early returns, conditions, loops, jumps by tables.

use std::ops::ControlFlow;

use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow, Statement};
use super::writer::Writer;

/// An early return, if a bit of `x` is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlyReturn {
    pub bit: u8,
}

impl Construct for EarlyReturn {
    fn write(&self, to: &mut Writer) {
        to.line(&format!("if (x & {}u) return x + 2u;", 1u32 << self.bit));
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        if x >> self.bit & 1 == 1 { ControlFlow::Break(x.wrapping_add(2)) } else { ControlFlow::Continue(x) }
    }

    fn kind(&self) -> String {
        "early return".to_owned()
    }
}

/// Statements that are executed if a bit of `x` is set. If only they need a frame, compilers move
/// the prologue into them (shrink-wrapping).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct If {
    pub bit: u8,
    pub body: Vec<Statement>,
}

impl Construct for If {
    fn write(&self, to: &mut Writer) {
        to.open(&format!("if (x & {}u) {{", 1u32 << self.bit));
        self.body.iter().for_each(|statement| statement.write(to));
        to.close();
    }

    fn value(&self, x: u32, run: &mut Run<'_>) -> Flow {
        if x >> self.bit & 1 == 1 { run.list(&self.body, x) } else { ControlFlow::Continue(x) }
    }

    fn kind(&self) -> String {
        "if".to_owned()
    }

    fn body(&self) -> &[Statement] {
        &self.body
    }

    fn with_body(&self, body: Vec<Statement>) -> Option<Statement> {
        Some(Statement::If(If { body, ..*self }))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Number of iterations.
    pub times: u8,
    pub body: Vec<Statement>,
}

impl Construct for Loop {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Zero);
        let name = to.fresh();
        to.open(&format!("for (unsigned i{name} = zero; i{name} < {}u; i{name}++) {{", self.times));
        self.body.iter().for_each(|statement| statement.write(to));
        to.line("x = x + 1u;");
        to.close();
    }

    fn value(&self, x: u32, run: &mut Run<'_>) -> Flow {
        (0..self.times).try_fold(x, |x, _| run.list(&self.body, x).map_continue(|x| x.wrapping_add(1)))
    }

    fn kind(&self) -> String {
        "loop".to_owned()
    }

    fn body(&self) -> &[Statement] {
        &self.body
    }

    fn with_body(&self, body: Vec<Statement>) -> Option<Statement> {
        Some(Statement::Loop(Loop { body, ..*self }))
    }
}

/// A jump by a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Number of cases, at most 8.
    pub cases: u8,
}

impl Construct for Switch {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Leaf);
        to.open("switch (x & 7u) {");
        for case in 0..self.cases {
            to.line(&format!("case {case}: x = leaf(x + {}u); break;", added(case)));
        }
        to.line("default: x ^= 9u;");
        to.close();
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        let case = (x & 7) as u8;
        ControlFlow::Continue(if case < self.cases { x.wrapping_add(added(case)).wrapping_add(1) } else { x ^ 9 })
    }

    fn kind(&self) -> String {
        "switch".to_owned()
    }

    fn smaller(&self) -> Vec<Statement> {
        (1..self.cases).map(|cases| Statement::Switch(Switch { cases })).collect()
    }
}

fn added(case: u8) -> u32 {
    u32::from(case) * u32::from(case) * 5
}
