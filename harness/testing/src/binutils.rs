//! Objects and programs from assembly text, by GNU binutils of this machine (`ci/setup`).

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::scratch;

/// Architecture and byte order of an assembled file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Amd64,
    /// AArch64, little-endian.
    Aarch64,
    /// AArch64, big-endian.
    Aarch64Be,
    S390x,
}

impl Target {
    pub const ALL: [Target; 4] = [Target::Amd64, Target::Aarch64, Target::Aarch64Be, Target::S390x];

    /// The name in file names and directives: `amd64`, `aarch64`, `aarch64be` or `s390x`.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Amd64 => "amd64",
            Target::Aarch64 => "aarch64",
            Target::Aarch64Be => "aarch64be",
            Target::S390x => "s390x",
        }
    }

    pub fn parse(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    const fn assembler(self) -> &'static [&'static str] {
        match self {
            Target::Amd64 => &["as", "--64"],
            Target::Aarch64 => &["aarch64-linux-gnu-as"],
            Target::Aarch64Be => &["aarch64-linux-gnu-as", "-EB"],
            Target::S390x => &["s390x-linux-gnu-as"],
        }
    }

    const fn linker(self) -> &'static [&'static str] {
        match self {
            Target::Amd64 => &["ld"],
            Target::Aarch64 => &["aarch64-linux-gnu-ld"],
            Target::Aarch64Be => &["aarch64-linux-gnu-ld", "-EB", "-m", "aarch64linuxb"],
            Target::S390x => &["s390x-linux-gnu-ld"],
        }
    }

    /// Assembles a text, and links the object if there are options for that, which may be empty.
    pub fn build(self, text: &str, assembler: &[&str], linker: Option<&[&str]>) -> Result<Vec<u8>, String> {
        let folder = scratch::folder();
        let [source, object, program] = ["f.s", "f.o", "f"].map(|name| folder.path().join(name));
        fs::write(&source, text).map_err(|error| error.to_string())?;
        run(self.assembler(), assembler, &source, &object)?;
        let Some(options) = linker else { return fs::read(object).map_err(|error| error.to_string()) };
        run(self.linker(), options, &object, &program)?;
        fs::read(program).map_err(|error| error.to_string())
    }
}

fn run(command: &[&str], options: &[&str], input: &Path, output: &Path) -> Result<(), String> {
    let [tool, own @ ..] = command else { return Err("no tool".to_owned()) };
    let done = Command::new(tool).args(own).args(options).arg("-o").arg(output).arg(input).output();
    let done = done.map_err(|error| format!("{tool}: {error}"))?;
    if done.status.success() { Ok(()) } else { Err(format!("{tool}: {}", String::from_utf8_lossy(&done.stderr))) }
}
