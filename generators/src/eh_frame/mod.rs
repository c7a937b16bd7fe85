//! An encoder of `.eh_frame` sections: CIEs and FDEs from call frame instructions (DWARF 5, 6.4;
//! LSB 5.0, "Exception Frames").
//!
//! It shares no code with any reader of `.eh_frame`, so that a test passes only if both interpret
//! the format in the same way.

mod directive;
mod encode;
mod form;
mod search_table;

pub use crate::blind::{CfiEdit, Rewritten, Room, rewritten};
pub(crate) use directive::advance;
pub use directive::{Cfi, Factors};
pub use encode::{Cie, EhFrameError, EhFrameSpec, EncodedSection, Fde, StartRelocation, encode};
pub use form::{ABSPTR, ALIGNED, DATAREL_SDATA4, Form, Letter, OMIT, PCREL_SDATA4, TEXTREL_SDATA4};
pub use search_table::{ENTRY, HEAD, search_table};
