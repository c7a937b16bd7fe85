//! Causes of wrong rows in programs that nobody wrote: what is the same in every program that shows
//! one bug of one compiler.

use crate::Blame;
use crate::finding::hash;

/// What wrong rows of one bug have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramCause {
    /// The architecture, whatever its byte order: `aarch64`.
    pub arch: String,
    /// The rule, whichever table it is about: `cfa-matches-truth`. Or what a tool did: `refused`.
    pub rule: String,
    /// Who is to blame, as far as the file shows.
    pub blame: Blame,
    /// How the wrong row differs from the right one, `cfa=rsp+N where rsp+N`; or a tool's message
    /// without numbers.
    pub shape: String,
    /// The instruction before the first wrong row, without numbers and with `R` for general
    /// registers that have no role in a frame, on AMD64 `S` for callee-saved ones: `pop %S`. Empty at the beginning of a function.
    pub after: String,
}

/// Characters of a folder's name besides its digits.
const MOST_OF_NAME: usize = 72;

impl ProgramCause {
    /// One line.
    pub fn title(&self) -> String {
        let shape = if self.shape.is_empty() { String::new() } else { format!(": {}", self.shape) };
        let after = if self.after.is_empty() { String::new() } else { format!(" after `{}`", self.after) };
        format!("{} {}: {}{shape}{after}", self.arch, self.blame, self.rule)
    }

    /// A name for a folder, of letters, digits and `-`.
    pub fn slug(&self) -> String {
        let words = format!("{} {} {} {}", self.arch, self.rule, self.after, self.shape);
        let parts: Vec<&str> =
            words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
        let name: String = parts.join("-").to_lowercase().chars().take(MOST_OF_NAME).collect();
        format!("{name}-{}", hash(&self.title()))
    }
}
