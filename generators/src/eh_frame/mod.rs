//! An encoder of `.eh_frame` sections: CIEs and FDEs from call frame instructions (DWARF 5, 6.4;
//! LSB 5.0, "Exception Frames").
//!
//! It is written apart from whatever reads `.eh_frame`, so that both must understand the format for
//! a test to pass.

mod directive;
mod encode;
mod search_table;

pub use directive::Cfi;
pub use encode::{Cie, EhFrameError, EhFrameSpec, EncodedSection, Fde, StartRelocation, encode};
pub use search_table::{ENTRY, HEAD, search_table};
