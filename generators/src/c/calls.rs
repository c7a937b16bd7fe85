//! Calls: of later functions, direct or by address; recursive calls; calls of functions that do not
//! return, and calls that are never executed.

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

/// A call under a condition that is never true, but unknown to compilers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cold {
    /// A call of a function that does not return.
    NoReturn,
    /// A call of a function marked as cold.
    Unlikely,
    /// A call of a function that does not return, in an unlikely block after memory was allocated.
    NoReturnInBlock,
}

impl Construct for Cold {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Zero);
        match self {
            Cold::NoReturn => {
                to.uses(Helper::Die);
                to.line("if (zero) die(x);");
            }
            Cold::Unlikely => {
                to.uses(Helper::Chill);
                to.line("if (__builtin_expect(zero != 0u, 0)) x = chill(x) + chill(x + 1u);");
            }
            Cold::NoReturnInBlock => {
                to.uses(Helper::Die);
                to.uses(Helper::Touch);
                to.open("if (__builtin_expect(zero != 0u, 0)) {");
                to.line("unsigned v[20];");
                to.line("die(touch(v, 3, x));");
                to.close();
            }
        }
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x)
    }

    fn kind(&self) -> String {
        match self {
            Cold::NoReturn => "no return",
            Cold::Unlikely => "cold",
            Cold::NoReturnInBlock => "no return in a block",
        }
        .to_owned()
    }
}
