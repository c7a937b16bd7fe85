//! Handlers of interrupts: they save every register that they use, and return with SP and flags.

use std::ops::ControlFlow;

use types::Abi;

use super::Target;
use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow, Statement};
use super::writer::Writer;

/// The address of a handler, which is never called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// The processor pushes an error code below the return address.
    pub code: bool,
}

impl Construct for Interrupt {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Interrupt { code: self.code });
        let name = if self.code { "fault" } else { "interrupt" };
        to.line(&format!("sink = (unsigned long){name};"));
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x)
    }

    fn kind(&self) -> String {
        "interrupt".to_owned()
    }

    fn smaller(&self) -> Vec<Statement> {
        if self.code { vec![Statement::Interrupt(Interrupt { code: false })] } else { Vec::new() }
    }

    fn is_for(&self, target: Target) -> bool {
        target.abi == Abi::Amd64
    }
}
