//! A bundle with its sources.

use super::{Bundle, Check, Command, Upstream};

/// A bundle with its sources: the input of all texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filing {
    /// The measured data, and texts written by a person.
    pub bundle: Bundle,
    /// The texts of the sources, in order.
    pub texts: Vec<String>,
    /// The program whose execution shows the finding, if there is one.
    pub program: Option<Vec<u8>>,
    /// The state of the report at its project, from the ledger; `None` for a new bug.
    pub upstream: Option<Upstream>,
}

impl Filing {
    /// The bundle without the commands after the one that shows the bug, and without the sources
    /// that no remaining command reads.
    #[must_use]
    pub fn without_unused(mut self) -> Filing {
        self.bundle.commands = self.bundle.needed_commands().to_vec();
        let is_read =
            |name: &str| self.bundle.commands.iter().flat_map(|command| &command.words).any(|word| word.contains(name));
        let sources = std::mem::take(&mut self.bundle.sources);
        let all = sources.into_iter().zip(std::mem::take(&mut self.texts)).enumerate();
        let used = all.filter(|(at, (source, _))| *at == 0 || is_read(&source.name)).map(|(_, both)| both);
        (self.bundle.sources, self.texts) = used.unzip();
        self
    }

    /// The bundle with the program whose execution shows the finding, and its SHA-256.
    #[must_use]
    pub fn with_program(mut self, program: Option<(String, Vec<u8>)>) -> Filing {
        (self.bundle.program, self.program) = program.unzip();
        self
    }
}

impl Filing {
    /// Name and bytes of the file that is judged, if the bundle is about one.
    pub fn judged(&self) -> Option<(&str, &[u8])> {
        match (&self.bundle.check, &self.program) {
            (Check::File { name, .. }, Some(bytes)) => Some((name, bytes)),
            _ => None,
        }
    }
}

impl Bundle {
    /// The commands that are needed to see the bug: for a compiler's assembly, those that generate
    /// it.
    pub fn needed_commands(&self) -> &[Command] {
        let makes_assembly = |command: &Command| command.words.iter().any(|word| word == "-S");
        match (&self.check, self.commands.iter().position(makes_assembly)) {
            (Check::Directive { .. }, Some(at)) => self.commands.get(..=at).unwrap_or_default(),
            _ => &self.commands,
        }
    }
}
