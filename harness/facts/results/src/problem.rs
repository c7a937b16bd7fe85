//! A reason, other than a finding, why a trial is not a plain pass.

use crate::Blame;

/// What is wrong with a trial besides its findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// One sentence.
    pub text: String,
    /// The tool that has the bug; `None` if the problem does not show which.
    pub blame: Option<Blame>,
}

impl Problem {
    /// A bug of this tool.
    pub fn new(blame: Blame, text: String) -> Problem {
        Problem { text, blame: Some(blame) }
    }
}

impl From<String> for Problem {
    fn from(text: String) -> Problem {
        Problem { text, blame: None }
    }
}
