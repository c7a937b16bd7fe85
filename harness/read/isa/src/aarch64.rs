//! AArch64 disassembly. Instructions are little-endian in both data byte orders (Arm ARM, B2.6.2).

use capstone::arch::arm64::ArchMode;
use capstone::prelude::*;

pub(crate) fn capstone() -> CsResult<Capstone> {
    Capstone::new().arm64().mode(ArchMode::Arm).build()
}
