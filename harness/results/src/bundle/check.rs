//! How a script detects the bug of a bundle.

use std::fmt;

/// What the last file, or the last command, shows as long as the bug exists.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Check {
    /// The last command fails because of a bug of its own.
    Failure {
        /// Its output contains any of these; empty if a signal ends it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        says: Vec<String>,
    },
    /// readelf decodes the row of a PC, and one of its columns is wrong.
    Row {
        /// The PC in the object; with `section`, from where that begins.
        pc: u64,
        /// Of a linked file: the section whose code the row describes. A descriptor begins where it
        /// does, else nothing is described.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        section: Option<String>,
        /// Where to look.
        column: Column,
        /// The actual value; empty if the bug is that nothing is described.
        wrong: String,
        /// The same in other versions of readelf.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        or: Vec<String>,
        /// The expected value.
        right: String,
    },
    /// readelf prints what it does not print for a correct table.
    Printed {
        /// The table that readelf prints.
        dump: Dump,
        /// The part of its output.
        #[serde(default)]
        within: Part,
        /// The words.
        wrong: String,
        /// The same in other versions of readelf.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        or: Vec<String>,
        /// Their meaning, as the script prints it.
        means: String,
    },
    /// In the assembly that a compiler writes (`-S`), what is between an instruction and the next.
    /// Nothing of the assembler, the linker or readelf takes part.
    Directive {
        /// The function.
        function: String,
        /// The instruction, as a regular expression (extended, of awk), over its text with one
        /// blank between words.
        after: String,
        /// A later instruction: only code before it counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// The directive, as such an expression.
        directive: String,
        /// One earlier in the function counts as well.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        earlier: bool,
        /// What is wrong about it.
        #[serde(default)]
        fault: Fault,
    },
    /// The relocations of `.sframe`, as readelf lists them, are not those of the functions' start
    /// fields.
    Relocations {
        /// What is wrong about them.
        fault: Astray,
    },
    /// readelf prints no line of this regular expression (extended, of grep) of the last file's
    /// table, and does of a right one.
    Lacks {
        /// The expression.
        line: String,
        /// An input of the link for which it prints such a line; without one the output proves
        /// nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
    /// The starts of the rows of a function do not ascend.
    StartsDescend,
    /// A function has no descriptor, and the tool printed no diagnostic.
    Silence,
    /// The linked file has `.sframe` and no segment for it.
    NoSegment,
    /// This program names the rule when it checks the last file.
    Rule {
        /// Options of `check`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        options: Vec<String>,
    },
    /// What is wrong lies between files: their tables are printed, and a person compares.
    #[default]
    ByEye,
}

impl Check {
    /// [`Check::Failure`] with these words, if there are any.
    pub fn failure(says: &str) -> Check {
        Check::Failure { says: if says.is_empty() { Vec::new() } else { vec![says.to_owned()] } }
    }
}

/// What is wrong about a directive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// It is missing.
    #[default]
    Absent,
    /// It is there and must not be.
    Early,
}

/// What is wrong about relocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Astray {
    /// Offsets are not those of start fields.
    Offsets,
    /// Their targets are not ascending, as the starts of a sorted table are.
    Order,
}

/// A column of the rows that readelf prints.
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
    /// Number of the column; 1 is the start of the row.
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

/// The output that readelf is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dump {
    /// `.sframe`.
    Sframe,
    /// `.eh_frame`.
    Frames,
}

/// A part of what readelf prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// All of it.
    #[default]
    All,
    /// What precedes the first FDE: the CIE.
    Cie,
}
