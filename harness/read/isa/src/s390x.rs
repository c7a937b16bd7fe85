//! s390x disassembly.

use capstone::arch::sysz::ArchMode;
use capstone::prelude::*;

pub(crate) fn capstone() -> CsResult<Capstone> {
    Capstone::new().sysz().mode(ArchMode::Default).build()
}
