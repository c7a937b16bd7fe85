//! A local build in place of a tool of the producers' file: `run --as PATH --ld PATH`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use types::Abi;

use crate::by_abi::ByAbi;
use crate::entry::{Kind, ProducerEntry, Step};
use crate::find;
use crate::producers::Producers;

/// Role of the tool that a program replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Assembler,
    Linker,
    /// What compiles C.
    Compiler,
}

/// Why a program cannot replace a tool.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    #[error("{}: file not found", .0.display())]
    NoFile(PathBuf),
    #[error("{}: no {what} in this folder; looked for {}", folder.display(), names.join(", "))]
    NotInFolder { folder: PathBuf, what: &'static str, names: &'static [&'static str] },
    #[error("{}: the producers' file has no {what} that it could replace", program.display())]
    NoneNamed { program: PathBuf, what: &'static str },
    #[error("{}: another --{what} already replaces {name} for the same target", program.display())]
    Second { program: PathBuf, what: &'static str, name: String },
    #[error("{}: no {what} of the producers' file matches its version output: {tried}", program.display())]
    Unknown { program: PathBuf, what: &'static str, tried: String },
}

impl Role {
    fn has(self, entry: &ProducerEntry) -> bool {
        match self {
            Role::Assembler => entry.steps.contains_key(&Step::Assemble),
            Role::Linker => entry.kind == Kind::Linker,
            Role::Compiler => entry.kind == Kind::Compiler,
        }
    }

    /// The option of the command that names such a program.
    pub const fn option(self) -> &'static str {
        match self {
            Role::Assembler => "as",
            Role::Linker => "ld",
            Role::Compiler => "cc",
        }
    }

    /// Where a folder in which GNU's or LLVM's tools were built has such a program.
    const fn in_folder(self) -> &'static [&'static str] {
        match self {
            Role::Assembler => &["gas/as-new", "as-new", "bin/as", "as"],
            Role::Linker => &["ld/ld-new", "ld-new", "bin/ld", "bin/ld.lld", "ld"],
            Role::Compiler => &["gcc/xgcc", "xgcc", "bin/gcc", "bin/clang", "gcc"],
        }
    }

    /// The program that a path names: the file, or that of the role in a folder.
    fn program(self, path: &Path) -> Result<PathBuf, LocalError> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if path.is_file() {
            return Ok(path);
        }
        if !path.is_dir() {
            return Err(LocalError::NoFile(path));
        }
        let names = self.in_folder();
        let there = names.iter().map(|name| path.join(name)).find(|program| program.is_file());
        there.ok_or(LocalError::NotInFolder { folder: path, what: self.name(), names })
    }

    const fn name(self) -> &'static str {
        match self {
            Role::Assembler => "assembler",
            Role::Linker => "linker",
            Role::Compiler => "compiler",
        }
    }
}

impl Producers {
    /// The same with this program, and no other version, for the tool that it identifies itself as;
    /// and that tool's name. Programs for other targets that were put in its place stay there.
    ///
    /// # Errors
    /// If it is neither a file nor a folder with such a program, does not identify itself as a tool
    /// of the role, or another program already replaces that tool.
    pub fn with_program(mut self, role: Role, program: &Path) -> Result<(Producers, String), LocalError> {
        let path = role.program(program)?;
        let mut tried = Vec::new();
        for position in 0..self.entries.len() {
            let Some(entry) = self.entries.get(position).filter(|entry| role.has(entry)) else { continue };
            let local = Arc::new(ProducerEntry {
                program: ByAbi::all(vec![path.display().to_string()]),
                search: Vec::new(),
                wanted: Vec::new(),
                // The dependencies of a local build are unknown.
                parts: None,
                in_place_of: entry.in_place_of.clone().or_else(|| Some(entry.program.clone())),
                ..(**entry).clone()
            });
            let found = Abi::ALL.map(|abi| (abi, find::find(&local, abi, &self.root, None, &self.versions)));
            if found.iter().all(|(_, found)| found.is_err()) {
                let why = found.into_iter().find_map(|(_, found)| found.err()).map(|why| why.to_string());
                tried.push(format!("{} ({})", local.name, why.unwrap_or_default()));
                continue;
            }
            let name = local.name.clone();
            let before = self.local.insert(name.clone());
            for (abi, found) in found {
                let place = self.found.entry((name.clone(), abi)).or_default();
                let is_taken = !before && place.get().is_some_and(Result::is_ok);
                match found {
                    Ok(_) if is_taken => {
                        return Err(LocalError::Second { program: program.to_owned(), what: role.option(), name });
                    }
                    Err(_) if is_taken => {}
                    found => *place = OnceLock::from(found),
                }
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use testing::program::write_program;
    use types::Abi;

    use super::{LocalError, Role};
    use crate::producers::Producers;

    const FILE: &str = "
- name: gas
  kind: assembler
  about: a stand-in
  program: {amd64: [none-such-as], s390x: [none-such-as]}
  search: [nowhere]
  version: {pattern: 'assembler ([0-9.]+)', target: {amd64: x86_64, aarch64: aarch64, s390x: s390x}}
  steps: {assemble: '{program} -o {output} {inputs}'}
";

    #[test]
    fn programs_for_several_targets_take_the_place_of_one_tool_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = |name: &str, target: &str| -> PathBuf {
            let path = folder.path().join(name);
            write_program(&path, &format!("#!/bin/sh\necho 'assembler 9.1 for {target}'\n"));
            path
        };
        let of_amd64 = program("one", "x86_64");
        let of_s390x = program("two", "s390x");
        let again = program("three", "x86_64");
        let producers = Producers::parse(&folder.path().join("p.yaml"), FILE, folder.path()).expect("a file");
        let (producers, name) = producers.with_program(Role::Assembler, &of_amd64).expect("the first");
        assert_eq!(name, "gas");
        let (producers, _) = producers.with_program(Role::Assembler, &of_s390x).expect("the second");
        for (abi, path) in [(Abi::Amd64, &of_amd64), (Abi::S390x, &of_s390x)] {
            let tools = producers.tools("gas", abi).expect("it is here");
            assert_eq!(tools.iter().map(|tool| &tool.program).collect::<Vec<_>>(), [path], "{abi}");
        }
        let built = folder.path().join("build/gas");
        std::fs::create_dir_all(&built).expect("a folder");
        let none = Role::Assembler.program(&built).expect_err("nothing is in it");
        assert!(matches!(none, LocalError::NotInFolder { .. }), "{none}");
        std::fs::rename(&again, built.join("as-new")).expect("the program is moved");
        let again = folder.path().join("build");
        let refused = producers.with_program(Role::Assembler, &again).expect_err("the place is taken");
        assert!(matches!(refused, LocalError::Second { .. }), "{refused}");
    }
}
