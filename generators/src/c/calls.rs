//! Calls of later functions, direct or by address, and recursive calls.

use std::ops::ControlFlow;

use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow, Statement};
use super::writer::Writer;

/// A call of a later function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Number of the called function.
    pub callee: u8,
    /// The call is by address, from a variable.
    pub indirect: bool,
}

impl Construct for Call {
    fn write(&self, to: &mut Writer) {
        let (callee, arguments) = (self.callee, to.arguments(self.callee));
        if self.indirect {
            let name = to.fresh();
            to.line(&format!("__typeof__(f{callee}) *volatile p{name} = f{callee};"));
            to.line(&format!("x += p{name}({arguments});"));
        } else {
            to.line(&format!("x += f{callee}({arguments});"));
        }
    }

    fn value(&self, x: u32, run: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x.wrapping_add(run.call(self.callee, x)))
    }

    fn kind(&self) -> String {
        if self.indirect { "indirect call".to_owned() } else { "call".to_owned() }
    }

    fn smaller(&self) -> Vec<Statement> {
        if self.indirect { vec![Statement::Call(Call { indirect: false, ..*self })] } else { Vec::new() }
    }

    fn callee(&self) -> Option<u8> {
        Some(self.callee)
    }
}

/// A recursive call, as long as there is fuel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recurse;

impl Construct for Recurse {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Fuel);
        to.open("if (fuel) {");
        to.line("fuel = fuel - 1u;");
        to.line(&format!("x += f{}({});", to.function, to.arguments(to.function)));
        to.close();
    }

    fn value(&self, x: u32, run: &mut Run<'_>) -> Flow {
        if run.fuel == 0 {
            return ControlFlow::Continue(x);
        }
        run.fuel -= 1;
        ControlFlow::Continue(x.wrapping_add(run.call(run.function, x)))
    }

    fn kind(&self) -> String {
        "recursion".to_owned()
    }
}
