//! An encoder of `.sframe` sections: [`SectionSpec`] is a section as data, [`encode`] creates its
//! bytes.
//!
//! Every field that follows from others is computed, and every computed field can be overridden, so
//! that a section can be wrong in exactly one place.

mod edit;
mod encode;
mod field;
mod flex;
mod layout;
mod offset;
mod spec;

pub(crate) use edit::{edit, integer};
pub use encode::{EncodeError, EncodedSection, SectionAddress, StartRelocation, encode};
pub(crate) use field::Field;
pub use flex::{Control, control};
pub use layout::{FLAG_FRAME_POINTER, FLAG_PCREL, FLAG_SORTED, Layout};
pub use spec::{
    Anchor, Base, FunctionOverrides, FunctionSpec, HeaderOverrides, PcType, RowSpec, SectionSpec, Width, Word,
};
