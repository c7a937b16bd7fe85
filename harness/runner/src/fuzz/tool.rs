//! Assemblers to feed: those on PATH and those named, each for one ABI, and the linker beside it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use model::{Abi, SframeVersion};

use crate::process::{self, Finished, ProcessError};

/// An assembler that writes `.sframe` for an ABI.
#[derive(Clone, Debug)]
pub struct Tool {
    /// `gas@2.40`, `clang@22.1.8`.
    pub name: String,
    /// Target.
    pub abi: Abi,
    program: String,
    arguments: Vec<String>,
    linker: String,
    link_arguments: Vec<String>,
}

/// A file of a few dozen lines takes milliseconds: an assembler that takes this long hangs.
const LIMIT: Duration = Duration::from_secs(10);

/// The GNU assemblers on PATH that write `.sframe`: the target's prefixed name first, the plain one where it is for the target.
pub fn on_path() -> Vec<Tool> {
    let find = |abi: Abi| {
        let tools = [format!("{}-as", triple(abi)), "as".to_owned()];
        tools.iter().find_map(|program| at(program).ok()?.into_iter().find(|tool| tool.abi == abi))
    };
    Abi::ALL.into_iter().filter_map(find).collect()
}

/// All that is to be had here: the GNU assemblers on PATH, clang, and what `target/producers/*/bin` below `root` holds. A version that is there twice
/// counts once.
pub fn all(root: &Path) -> Vec<Tool> {
    let mut tools = on_path();
    tools.extend(["clang-22", "clang"].into_iter().find_map(|program| at(program).ok()).unwrap_or_default());
    let suites = entries(&root.join("target").join("producers"));
    for program in suites.iter().flat_map(|suite| entries(&suite.join("bin"))) {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        if name == "as" || name.ends_with("-as") || name == "clang" || name.starts_with("clang-") {
            tools.extend(at(&program.to_string_lossy()).unwrap_or_default());
        }
    }
    let mut seen = BTreeSet::new();
    tools.retain(|tool| seen.insert((tool.name.clone(), tool.abi)));
    tools
}

/// What a folder holds, sorted; nothing where there is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    let mut found: Vec<PathBuf> = read.unwrap_or_default();
    found.sort();
    found
}

/// The tools that a program is: GNU as by its target, both byte orders of AArch64; clang as an AMD64 assembler.
///
/// # Errors
/// When it cannot be run, or is neither.
pub fn at(program: &str) -> Result<Vec<Tool>, String> {
    let told =
        process::run_within(program, &["--version"], Path::new("."), LIMIT).map_err(|error| error.to_string())?;
    if told.stdout.contains("GNU assembler") {
        let version = version_of(&told.stdout).ok_or_else(|| format!("{program} does not tell its version"))?;
        let is_for = |abi: &Abi| told.stdout.contains(triple(*abi)) && sframe_of(*abi, &version).is_some();
        return Ok(Abi::ALL.into_iter().filter(is_for).map(|abi| gas(program, &version, abi)).collect());
    }
    let clang = told.stdout.split("clang version ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let version = clang.ok_or_else(|| format!("{program} is neither GNU as nor clang"))?;
    Ok(vec![clang_tool(program, version)])
}

fn gas(program: &str, version: &str, abi: Abi) -> Tool {
    let linker = program.strip_suffix("as").map_or_else(|| "ld".to_owned(), |stem| format!("{stem}ld"));
    let mut arguments = vec!["--gsframe".to_owned()];
    let mut link_arguments = Vec::new();
    if abi == Abi::Aarch64Be {
        arguments.push("-EB".to_owned());
        link_arguments = ["-EB", "-m", "aarch64linuxb"].map(str::to_owned).to_vec();
    }
    Tool { name: format!("gas@{version}"), abi, program: program.to_owned(), arguments, linker, link_arguments }
}

fn clang_tool(program: &str, version: &str) -> Tool {
    // Where it crashes, naming the functions of its stack takes ten times as long as all the rest.
    let quick = ["LLVM_DISABLE_SYMBOLIZATION=1", program];
    let options = ["-c", "--target=x86_64-linux-gnu", "-Wa,--allow-experimental-sframe", "-Wa,--gsframe"];
    Tool {
        name: format!("clang@{}", version.split('+').next().unwrap_or(version)),
        abi: Abi::Amd64,
        program: "env".to_owned(),
        arguments: quick.into_iter().chain(options).map(str::to_owned).collect(),
        linker: program.replace("clang", "ld.lld"),
        link_arguments: Vec::new(),
    }
}

impl Tool {
    /// Assembles `source` in `folder` to `object`.
    ///
    /// # Errors
    /// When it cannot start or hangs; a failure of its own is in what it gives.
    pub fn assemble(&self, folder: &Path, source: &str, object: &str) -> Result<Finished, ProcessError> {
        let mut arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        arguments.extend(["-o", object, source]);
        process::run_within(&self.program, &arguments, folder, LIMIT)
    }

    /// Links `object` in `folder` to `executable`.
    ///
    /// # Errors
    /// When the linker cannot start or hangs.
    pub fn link(&self, folder: &Path, object: &str, executable: &str) -> Result<Finished, ProcessError> {
        let mut arguments: Vec<&str> = self.link_arguments.iter().map(String::as_str).collect();
        arguments.extend(["-o", executable, object]);
        process::run_within(&self.linker, &arguments, folder, LIMIT)
    }
}

/// The prefix of the target's tools.
fn triple(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "x86_64-linux-gnu",
        Abi::Aarch64 | Abi::Aarch64Be => "aarch64-linux-gnu",
        Abi::S390x => "s390x-linux-gnu",
    }
}

/// The version at the end of the first line: `GNU assembler (GNU Binutils for Debian) 2.40`.
fn version_of(told: &str) -> Option<String> {
    let word = told.lines().next()?.split_whitespace().last()?;
    let looks_right = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    looks_right.then(|| word.to_owned())
}

/// GNU as: V1 in 2.40, V2 from 2.41, V2 errata 1 in 2.45 (s390x from there on), V3 from 2.46.
fn sframe_of(abi: Abi, version: &str) -> Option<SframeVersion> {
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
