//! Formats of tables that describe frames.

use core::fmt;

use crate::SframeVersion;

/// The format of a table of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableFormat {
    /// `.sframe` of this version.
    Sframe(SframeVersion),
    /// `.eh_frame`.
    EhFrame,
}

impl TableFormat {
    /// The name in identifiers and files: `v2e1`, `eh-frame`.
    pub const fn name(self) -> &'static str {
        match self {
            TableFormat::Sframe(version) => version.name(),
            TableFormat::EhFrame => "eh-frame",
        }
    }

    /// The name in prose: `SFrame V2 errata 1`, `.eh_frame`.
    pub const fn text(self) -> &'static str {
        match self {
            TableFormat::Sframe(version) => version.text(),
            TableFormat::EhFrame => self.section(),
        }
    }

    /// The name of its section: `.sframe`, `.eh_frame`.
    pub const fn section(self) -> &'static str {
        match self {
            TableFormat::Sframe(_) => ".sframe",
            TableFormat::EhFrame => ".eh_frame",
        }
    }

    /// The version of a `.sframe`.
    pub const fn sframe(self) -> Option<SframeVersion> {
        match self {
            TableFormat::Sframe(version) => Some(version),
            TableFormat::EhFrame => None,
        }
    }
}

impl From<SframeVersion> for TableFormat {
    fn from(version: SframeVersion) -> Self {
        TableFormat::Sframe(version)
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
