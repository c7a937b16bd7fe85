//! Answers of `check --for`: whether a reader takes the `.sframe` of a file, and which functions it
//! does not use.

use types::named;

/// Version of the schema of `check --for`.
pub const ACCEPTANCE_SCHEMA: u32 = 1;

named! {
    /// Whether a reader takes a table.
    pub enum Acceptance {
        /// It uses the table for every function.
        All = "takes-all",
        /// It uses the table, but not for every function.
        Part = "takes-part",
        /// It does not use the table.
        Refused = "refuses",
        /// It uses the table, and finds wrong rows, or crashes.
        Misread = "misreads",
        /// The table is malformed: what the reader makes of it is not predicted.
        Undecided = "undecided",
    }
}

named! {
    /// What a clause of a reader does to the functions for which its condition holds.
    pub enum ClauseEffect {
        /// The reader refuses the section.
        Refuse = "refuse",
        /// It finds no row.
        Unused = "unused",
        /// It finds another row.
        Misread = "misread",
        /// It is not predicted.
        Unknown = "unknown",
    }
}

/// The answer for one reader and one file: a line of `check --for READER --format json`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(title = "a line of check --for READER --format json")]
pub struct AcceptanceLine {
    /// Version of this shape.
    #[schemars(extend("const" = ACCEPTANCE_SCHEMA))]
    pub schema: u32,
    /// The file as it was named.
    pub file: String,
    /// Name of the reader.
    pub reader: String,
    /// Whether it takes the table.
    pub answer: Acceptance,
    /// Number of functions in the table.
    pub functions: u64,
    /// Number of functions for which the reader does not use the table.
    pub unused: u64,
    /// Why, in the order in which the reader tests.
    pub reasons: Vec<AcceptanceReason>,
}

/// A clause of a reader whose condition holds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct AcceptanceReason {
    /// Key of the condition.
    pub condition: String,
    /// What the condition means.
    pub text: String,
    /// What follows.
    pub effect: ClauseEffect,
    /// Where the reader does so: function and file of its source.
    pub source: String,
    /// The functions for which it holds; empty if it holds for the whole file.
    pub functions: Vec<AcceptanceFunction>,
}

/// A function of a table.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct AcceptanceFunction {
    /// First address.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// Symbol, if one is there.
    pub name: Option<String>,
}
