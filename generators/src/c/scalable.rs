//! Scalable vectors (SVE): a call that takes and returns one, and keeps it across another call.

use std::ops::ControlFlow;

use types::Abi;

use super::Target;
use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow};
use super::writer::Writer;

/// A vector as argument, if options allow SVE; else a call without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalable;

impl Construct for Scalable {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Scale);
        to.line("#ifdef __ARM_FEATURE_SVE");
        to.open("{");
        to.line("__SVInt32_t vector;");
        to.line("unsigned y = x;");
        to.line("asm volatile (\"dup %0.s, %w1\" : \"=w\" (vector) : \"r\" (x));");
        to.line("vector = scale(vector, &y);");
        to.line("asm volatile (\"fmov %w0, %s1\" : \"=r\" (x) : \"w\" (vector));");
        to.line("x += y;");
        to.close();
        to.line("#else");
        to.line("x += leaf(x);");
        to.line("#endif");
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x.wrapping_add(x).wrapping_add(1))
    }

    fn kind(&self) -> String {
        "scalable".to_owned()
    }

    fn is_for(&self, target: Target) -> bool {
        matches!(target.abi, Abi::Aarch64 | Abi::Aarch64Be)
    }
}
