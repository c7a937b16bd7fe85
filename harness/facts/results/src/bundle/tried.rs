//! Executions of a bundle's script.

/// An execution of the script of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedScript {
    /// The tool under test, with its version.
    pub tool: String,
    /// Whether the tool has the bug.
    pub expected: Expected,
    /// Exit status; `None` if it did not end by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<i32>,
}

/// What a script has to report of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// The tool has the bug.
    Bug,
    /// The tool does not have it.
    NoBug,
}

impl Expected {
    /// The exit status.
    pub const fn status(self) -> i32 {
        match self {
            Expected::Bug => 1,
            Expected::NoBug => 0,
        }
    }
}

impl TriedScript {
    /// Returns true if the script ended as expected.
    pub fn fits(&self) -> bool {
        self.status == Some(self.expected.status())
    }

    fn sentence(&self) -> String {
        let ended = self.status.map_or("did not end".to_owned(), |status| format!("exited with status {status}"));
        format!("run.sh {ended} with {}, expected {}", self.tool, self.expected.status())
    }
}

/// Why executions of a script do not prove that it distinguishes tools with the bug; `None` if
/// they do.
pub fn unproven(tried: &[TriedScript]) -> Option<String> {
    let wrong = tried.iter().find(|one| !one.fits());
    let has = |expected| tried.iter().any(|one| one.expected == expected);
    match wrong {
        Some(wrong) => Some(wrong.sentence()),
        None if !has(Expected::Bug) => Some("run.sh was not executed with a tool that has the bug".to_owned()),
        None if !has(Expected::NoBug) => {
            Some("run.sh was not executed with a tool without the bug: none is here (--against PATH)".to_owned())
        }
        None => None,
    }
}
