//! The GNU assemblers and linkers on PATH: one for each target, with the SFrame version it writes.

use std::path::Path;

use model::{Abi, SframeVersion};

use super::process::{self, ProcessError};

/// A GNU assembler and its linker for one ABI, or why there is none.
#[derive(Clone, Debug)]
pub struct Assembler {
    abi: Abi,
    found: Result<Found, String>,
}

#[derive(Clone, Debug)]
struct Found {
    assembler: String,
    linker: String,
    version: String,
    sframe: Option<SframeVersion>,
}

impl Assembler {
    /// Looks on PATH: the target's prefixed names first, the plain ones where they are for the target.
    pub fn find(abi: Abi) -> Assembler {
        let prefix = triple(abi);
        let prefixed = (format!("{prefix}-as"), format!("{prefix}-ld"));
        let plain = ("as".to_owned(), "ld".to_owned());
        let mut why = format!("no {} on PATH", prefixed.0);
        for (assembler, linker) in [prefixed, plain] {
            let Ok(told) = process::run(&assembler, &["--version"], Path::new(".")) else { continue };
            if !told.stdout.contains("GNU assembler") || !told.stdout.contains(prefix.split('-').next().unwrap_or("")) {
                continue;
            }
            let Some(version) = version_of(&told.stdout) else {
                why = format!("{assembler} does not tell its version");
                continue;
            };
            if process::run(&linker, &["--version"], Path::new(".")).is_err() {
                why = format!("{assembler} is there but no {linker}");
                continue;
            }
            let sframe = sframe_of(abi, &version);
            return Assembler { abi, found: Ok(Found { assembler, linker, version, sframe }) };
        }
        Assembler { abi, found: Err(why) }
    }

    /// Why it is absent, if it is.
    pub fn absent(&self) -> Option<&str> {
        self.found.as_ref().err().map(String::as_str)
    }

    /// Its version, `absent` where there is none.
    pub fn version(&self) -> &str {
        self.found.as_ref().map_or("absent", |found| &found.version)
    }

    /// The SFrame version it writes for the ABI; none where it writes none.
    pub fn sframe(&self) -> Option<SframeVersion> {
        self.found.as_ref().ok().and_then(|found| found.sframe)
    }

    /// Assembles and links `source` in `folder` to `object` and `executable`.
    ///
    /// # Errors
    /// When a tool is absent, fails, or does not end.
    pub fn build(&self, source: &Path, folder: &Path) -> Result<Built, ProcessError> {
        let absent = |why: &String| ProcessError::Failed { program: "as".to_owned(), message: why.clone() };
        let found = self.found.as_ref().map_err(absent)?;
        let source = source.to_string_lossy();
        let mut assemble = vec!["-o", "case.o", &source];
        let mut link = vec!["-o", "case", "case.o"];
        if self.abi == Abi::Aarch64Be {
            assemble.insert(0, "-EB");
            link.splice(0..0, ["-EB", "-m", "aarch64linuxb"]);
        }
        if found.sframe.is_some() {
            assemble.insert(0, "--gsframe");
        }
        let told = process::must_run(&found.assembler, &assemble, folder)?;
        process::must_run(&found.linker, &link, folder)?;
        Ok(Built {
            commands: vec![
                format!("{} {}", found.assembler, assemble.join(" ")),
                format!("{} {}", found.linker, link.join(" ")),
            ],
            warnings: told.stderr,
        })
    }
}

/// What a build did.
#[derive(Clone, Debug)]
pub struct Built {
    /// The commands.
    pub commands: Vec<String>,
    /// What the assembler printed on standard error.
    pub warnings: String,
}

/// The prefix of the target's tools.
pub(crate) fn triple(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "x86_64-linux-gnu",
        Abi::Aarch64 | Abi::Aarch64Be => "aarch64-linux-gnu",
        Abi::S390x => "s390x-linux-gnu",
    }
}

/// The version at the end of the first line: `GNU assembler (GNU Binutils for Debian) 2.40`.
pub(crate) fn version_of(told: &str) -> Option<String> {
    let word = told.lines().next()?.split_whitespace().last()?;
    let looks_right = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    looks_right.then(|| word.to_owned())
}

/// GNU as: V1 in 2.40, V2 from 2.41, V2 errata 1 in 2.45 (s390x from there on), V3 from 2.46.
pub(crate) fn sframe_of(abi: Abi, version: &str) -> Option<SframeVersion> {
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().ok());
    let (major, minor) = (numbers.next()??, numbers.next()??);
    match (major, minor) {
        (2, ..=39) | (..=1, _) => None,
        (2, ..=44) if abi == Abi::S390x => None,
        (2, 40) => Some(SframeVersion::V1),
        (2, 41..=44) => Some(SframeVersion::V2),
        (2, 45) => Some(SframeVersion::V2Errata1),
        _ => Some(SframeVersion::V3),
    }
}
