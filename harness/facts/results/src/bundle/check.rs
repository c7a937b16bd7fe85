//! How a script detects the bug of a bundle.

use std::fmt;

/// Property of the last file, or of the last command, that shows the bug.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Check {
    /// The last command fails because of its own bug.
    Failure {
        /// Its output contains any of these texts; empty if it is killed by a signal.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        says: Vec<String>,
    },
    /// readelf decodes the row of a PC with a wrong value in one of the columns.
    Row {
        /// PC in the object; with `section`, relative to the start of that section.
        pc: u64,
        /// In a linked file: the section whose code the row describes. If no descriptor begins at
        /// its start, it is not described.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        section: Option<String>,
        /// Column to compare.
        column: Column,
        /// Actual value; empty if the bug is that the code is not described.
        wrong: String,
        /// Actual values in the format of other versions of readelf.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        or: Vec<String>,
        /// Expected value.
        right: String,
    },
    /// readelf prints a text that it does not print for a correct table.
    Printed {
        /// The table that readelf prints.
        dump: Dump,
        /// Part of its output.
        #[serde(default)]
        within: Part,
        /// The text.
        wrong: String,
        /// The text in the format of other versions of readelf.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        or: Vec<String>,
        /// Meaning of the text, as the script prints it.
        means: String,
    },
    /// A directive in the assembly output of a compiler (`-S`), between an instruction and the
    /// next. Assembler, linker and readelf are not involved.
    Directive {
        /// Name of the function.
        function: String,
        /// Instruction, as an extended regular expression (awk) over its text with one blank
        /// between words.
        after: String,
        /// A later instruction that ends the search.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// Directive, as an extended regular expression (awk).
        directive: String,
        /// True if the directive may also be earlier in the function.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        earlier: bool,
        /// Error in the directive.
        #[serde(default)]
        fault: DirectiveBug,
    },
    /// The relocations of `.sframe` listed by readelf are not those of the functions' start fields.
    Relocations {
        /// Error in the relocations.
        fault: Astray,
    },
    /// readelf prints no line matching an extended regular expression (grep) for the last file's
    /// table, although it does for a correct one.
    Lacks {
        /// The regular expression.
        line: String,
        /// An input of the link for which it prints such a line; without one the output proves
        /// nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
    /// The starts of the rows of a function do not ascend.
    StartsDescend,
    /// A function has no descriptor, and the tool printed no diagnostic.
    Silence {
        /// Number of functions with CFI; absent: one.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        functions: usize,
    },
    /// The linked file has `.sframe` but no segment for it.
    NoSegment,
    /// The program that the commands make exits with a wrong status when it is executed.
    Exit {
        /// Expected exit status.
        right: i32,
    },
    /// `check` of this program reports the rule for the last file.
    Rule {
        /// Options of `check`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        options: Vec<String>,
    },
    /// `check` of this program shows the finding, by its fingerprint, in a file whose sources are
    /// not known: the program of the bundle, or another build of it.
    File {
        /// Name of the file in the bundle's folder.
        name: String,
        /// Options of `check`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        options: Vec<String>,
    },
    /// The error is a difference between files: their tables are printed for a person to compare.
    #[default]
    ByEye,
}

const fn one() -> usize {
    1
}

fn is_one(count: &usize) -> bool {
    *count == 1
}

impl Check {
    /// A [`Check::Failure`] with this text, if it is not empty.
    pub fn failure(says: &str) -> Check {
        Check::Failure { says: if says.is_empty() { Vec::new() } else { vec![says.to_owned()] } }
    }
}

/// Error in a directive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DirectiveBug {
    /// It is missing.
    #[default]
    Absent,
    /// It is there and must not be.
    Early,
}

/// Error in relocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Astray {
    /// Their offsets are not those of start fields.
    Offsets,
    /// Their targets are not ascending, as the starts of a sorted table must be.
    Order,
}

/// A column of readelf's output for rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Column {
    /// The canonical frame address.
    Cfa,
    /// The caller's frame pointer.
    Fp,
    /// The return address.
    Ra,
}

impl Column {
    /// Number of the column, from 1, which is the start of the row.
    pub const fn number(self) -> usize {
        match self {
            Column::Cfa => 2,
            Column::Fp => 3,
            Column::Ra => 4,
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Column::Cfa => "CFA",
            Column::Fp => "FP",
            Column::Ra => "RA",
        })
    }
}

/// Table that readelf dumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dump {
    /// `.sframe`.
    Sframe,
    /// `.eh_frame`.
    Frames,
}

/// A part of readelf's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The complete output.
    #[default]
    All,
    /// The part before the first FDE: the CIE.
    Cie,
}
