//! Options of judging.

use serde::{Deserialize, Serialize};

/// What is judged, how often, and how it is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// When the complete chain is walked.
    pub chains: Chains,
    /// When rows are evaluated.
    pub rows: Rows,
    /// Whether the file must have a `.sframe` section.
    pub sframe: Sframe,
    /// How synchronous unwind tables are reported.
    pub synchronous: Synchronous,
    /// True if errors get their [causes](crate::cause).
    pub causes: bool,
}

impl Options {
    /// Returns true if the complete chain is walked at every step.
    pub(crate) fn walk_all(self) -> bool {
        self.chains == Chains::AtEveryStep
    }

    /// Returns true if no step is counted as one that was judged before.
    pub(crate) fn repeat_nothing(self) -> bool {
        self.rows == Rows::AtEveryStep || self.walk_all()
    }
}

/// When the complete chain is walked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chains {
    /// At calls, returns and the first visit of a PC.
    #[default]
    AtCalls,
    AtEveryStep,
}

/// When rows are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rows {
    /// At steps whose state differs from that of a judged step.
    #[default]
    Changed,
    AtEveryStep,
}

/// Whether a file must have a `.sframe` section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sframe {
    /// The section is optional.
    #[default]
    Optional,
    /// A file without it is an error.
    Required,
}

/// How synchronous unwind tables are reported: tables that are right only at calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Synchronous {
    /// Each finding separately.
    #[default]
    Listed,
    Error,
    /// As one finding of severity info: they were requested.
    Note,
}
