//! AMD64 disassembly, in AT&T syntax as GNU as and objdump have it.

use capstone::arch::x86::{ArchMode, ArchSyntax};
use capstone::prelude::*;

pub(crate) fn capstone() -> CsResult<Capstone> {
    Capstone::new().x86().mode(ArchMode::Mode64).syntax(ArchSyntax::Att).build()
}
