//! Cleanup at the end of a scope, and nested functions.

use std::ops::ControlFlow;

use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow};
use super::writer::Writer;
use super::{Compiler, Target};

/// A variable with a cleanup function, called at the end of its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cleanup;

impl Construct for Cleanup {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Tidy);
        to.uses(Helper::Leaf);
        to.open("{");
        to.line("__attribute__((cleanup(tidy))) unsigned held = x;");
        to.line("x = leaf(held + 2u);");
        to.close();
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x.wrapping_add(3))
    }

    fn kind(&self) -> String {
        "cleanup".to_owned()
    }
}

/// A nested function that is called by address: it needs a static chain and a trampoline on the
/// stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nested;

impl Construct for Nested {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Through);
        to.uses(Helper::Leaf);
        let name = to.fresh();
        to.open("{");
        to.line(&format!("unsigned inner{name}(unsigned y) {{ return leaf(y) + x; }}"));
        to.line(&format!("x = through(inner{name}, 3u);"));
        to.close();
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x.wrapping_add(4))
    }

    fn kind(&self) -> String {
        "nested function".to_owned()
    }

    fn fixes_frame(&self) -> bool {
        true
    }

    fn is_for(&self, target: Target) -> bool {
        target.compiler == Compiler::Gcc
    }
}
