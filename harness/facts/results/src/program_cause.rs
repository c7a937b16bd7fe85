//! Causes of wrong rows in generated programs: the properties that are the same in every program
//! that shows one bug of one compiler.

use crate::Blame;
use crate::finding::hash;

/// Common properties of the wrong rows of one bug.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct ProgramCause {
    /// Architecture, without byte order: `aarch64`.
    pub arch: String,
    /// `repair` if directives can be repaired; else the rule without its table, `outermost`, or the
    /// failure of a tool, `refused`.
    pub rule: String,
    /// Tool to blame, as far as the file shows.
    pub blame: Blame,
    /// The edit of directives in normal form, `insert .cfi_restore FP after pop FP`; else the
    /// difference of the wrong row from the right one, `cfa=rsp+N where rsp+N`, or a tool's message
    /// without numbers.
    pub shape: String,
    /// The state of the frame at the edit, `CFA by SP, FP saved`; else the instruction before the
    /// first wrong row, without numbers and with `R` for general
    /// registers that have no role in a frame, on AMD64 `S` for callee-saved ones: `pop %S`. Empty
    /// at the beginning of a function.
    pub after: String,
}

/// Maximum length of a folder name without its digits.
const MOST_OF_NAME: usize = 72;

impl ProgramCause {
    /// The `rule` of a cause that is a repair.
    pub const REPAIR: &str = "repair";

    /// Title, one line.
    pub fn title(&self) -> String {
        format!("{} {}: {}", self.arch, self.blame, self.line())
    }

    /// The title without architecture and tool.
    pub fn line(&self) -> String {
        let shape = if self.shape.is_empty() { String::new() } else { format!(": {}", self.shape) };
        let after = if self.after.is_empty() { String::new() } else { format!(" after `{}`", self.after) };
        format!("{}{shape}{after}", self.rule)
    }

    /// Folder name, of letters, digits and `-`.
    pub fn slug(&self) -> String {
        let words = format!("{} {} {} {}", self.arch, self.rule, self.after, self.shape);
        let parts: Vec<&str> =
            words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
        let name: String = parts.join("-").to_lowercase().chars().take(MOST_OF_NAME).collect();
        format!("{name}-{}", hash(&self.title()))
    }
}
