//! Jumps out of callees, and addresses of frames.

use std::ops::ControlFlow;

use super::Target;
use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow};
use super::writer::Writer;

/// A label that a callee jumps back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing;

impl Construct for Landing {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Leap);
        to.open("{");
        to.line("void *place[5];");
        to.line("volatile unsigned held = x;");
        to.line("if (__builtin_setjmp(place) == 0) hop(place, x);");
        to.line("x = held + 6u;");
        to.close();
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x.wrapping_add(6))
    }

    fn kind(&self) -> String {
        "landing".to_owned()
    }

    fn fixes_frame(&self) -> bool {
        true
    }

    fn is_for(&self, target: Target) -> bool {
        target.can_jump_back()
    }
}

/// An address whose use makes the function keep its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// The frame address.
    Frame,
    /// The return address.
    Return,
}

impl Construct for Address {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Sink);
        let which = match self {
            Address::Frame => "frame",
            Address::Return => "return",
        };
        to.line(&format!("sink = (unsigned long)__builtin_{which}_address(0);"));
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x)
    }

    fn fixes_frame(&self) -> bool {
        *self == Address::Frame
    }

    fn kind(&self) -> String {
        match self {
            Address::Frame => "frame address".to_owned(),
            Address::Return => "return address".to_owned(),
        }
    }
}
