//! Handlers of interrupts: they save every register that they use, and return with SP and flags.

use std::ops::ControlFlow;

use types::Abi;

use super::Target;
use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow};
use super::writer::Writer;

/// The addresses of a handler and of one with an error code, which are never called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt;

impl Construct for Interrupt {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Interrupt);
        to.line("sink = (unsigned long)interrupt ^ (unsigned long)fault;");
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x)
    }

    fn kind(&self) -> String {
        "interrupt".to_owned()
    }

    fn is_for(&self, target: Target) -> bool {
        target.abi == Abi::Amd64
    }
}
