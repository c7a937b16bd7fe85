//! A local build in place of a tool of the producers' file: `run --as PATH --ld PATH`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use types::Abi;

use crate::by_abi::ByAbi;
use crate::entry::{Entry, Kind, Step};
use crate::find;
use crate::producers::Producers;

/// Role of the tool that a program replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An assembler.
    Assembler,
    /// A linker.
    Linker,
}

/// Why a program cannot replace a tool.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The file does not exist.
    #[error("{}: file not found", .0.display())]
    NoFile(PathBuf),
    /// The producers' file has no tool with this role.
    #[error("{}: the producers' file has no {what} whose place it could take", program.display())]
    NoneNamed { program: PathBuf, what: &'static str },
    /// The program's version output matches no tool with this role.
    #[error("{}: no {what} of the producers' file, by what it prints of itself: {tried}", program.display())]
    Unknown { program: PathBuf, what: &'static str, tried: String },
}

impl Role {
    fn has(self, entry: &Entry) -> bool {
        match self {
            Role::Assembler => entry.steps.contains_key(&Step::Assemble),
            Role::Linker => entry.kind == Kind::Linker,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Role::Assembler => "assembler",
            Role::Linker => "linker",
        }
    }
}

impl Producers {
    /// Returns the producers with this program, and no other version, in place of the tool that it
    /// identifies itself as; and that tool's name.
    ///
    /// # Errors
    /// It is not a file, or does not identify itself as a tool with this role.
    pub fn with_program(mut self, role: Role, program: &Path) -> Result<(Producers, String), LocalError> {
        let path = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
        if !path.is_file() {
            return Err(LocalError::NoFile(program.to_owned()));
        }
        let mut tried = Vec::new();
        for position in 0..self.entries.len() {
            let Some(entry) = self.entries.get(position).filter(|entry| role.has(entry)) else { continue };
            let local = Arc::new(Entry {
                program: ByAbi::all(vec![path.display().to_string()]),
                search: Vec::new(),
                wanted: Vec::new(),
                // The dependencies of a local build are unknown.
                parts: None,
                ..(**entry).clone()
            });
            let found = Abi::ALL.map(|abi| (abi, find::find(&local, abi, &self.root, (None, &self.told))));
            if found.iter().all(|(_, found)| found.is_err()) {
                let why = found.into_iter().find_map(|(_, found)| found.err()).map(|why| why.to_string());
                tried.push(format!("{} ({})", local.name, why.unwrap_or_default()));
                continue;
            }
            let name = local.name.clone();
            for (abi, found) in found {
                self.found.insert((name.clone(), abi), OnceLock::from(found));
            }
            if let Some(entry) = self.entries.get_mut(position) {
                *entry = local;
            }
            self.shipped = false;
            return Ok((self, name));
        }
        let (program, what) = (program.to_owned(), role.name());
        Err(match tried.join(", ") {
            tried if tried.is_empty() => LocalError::NoneNamed { program, what },
            tried => LocalError::Unknown { program, what, tried },
        })
    }
}
