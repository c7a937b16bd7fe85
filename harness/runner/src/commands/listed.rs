//! Findings in the output of `check --format json`, `sweep` and `fuzz`, for `bundle` and `reduce`.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use results::{FileLine, ProgramCause, Report};
use selftest::compiled::run::State;
use selftest::fuzz;
use spec::Severity;
use toolchain::input;
use types::{Bytes, counted};
use unpack::{Member, Walk};

/// A finding, by what shows it.
#[derive(Clone, Debug)]
pub(crate) enum Listed {
    /// A finding of a file; of a sweep, a cause.
    File(InFile),
    /// A text that an assembler gets wrong.
    Text(Box<fuzz::Finding>),
    /// A program that a compiler gets wrong.
    Program(InProgram),
}

/// A finding of a file.
#[derive(Clone, Debug)]
pub(crate) struct InFile {
    /// The file, or `ARCHIVE!MEMBER`.
    pub(crate) file: String,
    /// Fingerprint of the finding, or of its cause.
    pub(crate) fingerprint: String,
    title: String,
    /// Number of functions that show it.
    functions: u64,
}

/// A cause that `fuzz c` found.
#[derive(Clone, Debug)]
pub(crate) struct InProgram {
    /// Compiler: `gcc@12.2.0`.
    pub(crate) compiler: String,
    /// Target of the program.
    pub(crate) abi: types::Abi,
    /// The least program.
    pub(crate) path: PathBuf,
    /// Options of the compiler.
    pub(crate) options: String,
    /// Name of its folder.
    slug: String,
    /// What it shows.
    pub(crate) cause: ProgramCause,
    times: u64,
}

impl Listed {
    /// The findings in a file of results, those of most functions first; `None` if it is not
    /// one of these commands': results of `run`, an ELF file, a source.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Option<Vec<Listed>>> {
        let is_json = path.extension().is_some_and(|extension| extension == "json" || extension == "jsonl");
        if !is_json || !path.is_file() {
            return Ok(None);
        }
        let text = input::read_text(path).with_context(|| path.display().to_string())?;
        if let Ok(state) = serde_json::from_str::<State>(&text) {
            return Ok(Some(in_programs(&state, path.parent().unwrap_or(Path::new("")))));
        }
        let mut found = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let Ok(keys) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line) else {
                return Ok(None);
            };
            let line_is_wrong = || format!("{}: a line that this version did not write", path.display());
            if keys.contains_key("discrepancies") {
                found.extend(in_report(serde_json::from_str(line).with_context(line_is_wrong)?));
            } else if keys.contains_key("sha256") {
                found.extend(in_swept(serde_json::from_str(line).with_context(line_is_wrong)?));
            } else if keys.contains_key("assembler") {
                found.push(Listed::Text(Box::new(serde_json::from_str(line).with_context(line_is_wrong)?)));
            } else {
                return Ok(None);
            }
        }
        found.sort_by_key(|one| std::cmp::Reverse(one.weight()));
        Ok(Some(found))
    }

    /// Number of functions, texts or programs that show it.
    fn weight(&self) -> u64 {
        match self {
            Listed::File(found) => found.functions,
            Listed::Text(_) => 1,
            Listed::Program(found) => found.times,
        }
    }

    /// Names by which it is chosen.
    pub(crate) fn name(&self) -> String {
        match self {
            Listed::File(found) => found.fingerprint.clone(),
            Listed::Text(found) => format!("{}/{}/{}", found.assembler, found.abi, found.seed),
            Listed::Program(found) => found.slug.clone(),
        }
    }

    /// What it is, one line.
    pub(crate) fn title(&self) -> String {
        match self {
            Listed::File(InFile { file, title, functions, .. }) => {
                format!("{file}: {title}, {}", counted(*functions, "function"))
            }
            Listed::Text(found) => format!("{} {}: {}: {}", found.assembler, found.abi, found.what, found.detail),
            Listed::Program(found) => format!("{} {}: {}", found.compiler, found.abi, found.cause.title()),
        }
    }

    /// The finding with a name; the only one, or the first, without one.
    pub(crate) fn chosen(path: &Path, all: Vec<Listed>, name: Option<&str>) -> anyhow::Result<Listed> {
        let names: Vec<String> = all.iter().map(Listed::name).collect();
        let found = all.into_iter().find(|one| name.is_none_or(|name| one.name() == name));
        found.with_context(|| match name {
            Some(name) => {
                let unknown = results::unknown("finding", name, names.iter().map(String::as_str));
                format!("{}: {unknown}", path.display())
            }
            None => format!("{}: no error in it", path.display()),
        })
    }
}

fn in_report(report: Report) -> Vec<Listed> {
    let Report { file, discrepancies, .. } = report;
    let errors = discrepancies.into_iter().filter(|found| found.severity >= Severity::Error);
    let listed = errors.map(|found| InFile {
        file: file.clone(),
        fingerprint: found.fingerprint().to_owned(),
        title: format!("{}: {}", found.rule(), found.headline()),
        functions: 1,
    });
    listed.map(Listed::File).collect()
}

fn in_swept(line: FileLine) -> Vec<Listed> {
    let FileLine { file, judged, .. } = line;
    let causes = judged.into_iter().flat_map(|judged| judged.causes);
    let errors = causes.filter(|count| count.cause.severity >= Severity::Error);
    let listed = errors.map(|count| InFile {
        file: file.clone(),
        title: count.cause.title(),
        fingerprint: count.fingerprint,
        functions: count.functions,
    });
    listed.map(Listed::File).collect()
}

/// The causes that no ledger entry covers, each with its least program in the folder.
fn in_programs(state: &State, folder: &Path) -> Vec<Listed> {
    let all = state.causes.iter().flat_map(|(compiler, causes)| causes.iter().map(move |both| (compiler, both)));
    let new = all.filter(|(_, (_, found))| found.known.is_none());
    let listed = new.map(|(compiler, (slug, found))| InProgram {
        compiler: compiler.clone(),
        abi: found.first.abi,
        path: folder.join(compiler).join(slug).join("repro.c"),
        options: found.needs.clone().unwrap_or_else(|| found.first.options.clone()),
        slug: slug.clone(),
        cause: found.cause.clone(),
        times: found.times,
    });
    let mut listed: Vec<Listed> = listed.map(Listed::Program).collect();
    listed.sort_by_key(|one| std::cmp::Reverse(one.weight()));
    listed
}

/// The contents of a file, or of the member that `ARCHIVE!MEMBER` names.
pub(crate) fn contents(name: &str) -> anyhow::Result<Bytes> {
    let path = Path::new(name);
    let Some((archive, _)) = name.split_once('!').filter(|_| !path.exists()) else {
        return Ok(input::read(path).with_context(|| name.to_owned())?.into());
    };
    let mut file = BufReader::new(File::open(archive).with_context(|| archive.to_owned())?);
    let size = std::fs::metadata(archive).with_context(|| archive.to_owned())?.len();
    let mut found = None;
    let mut visit = |member: &str, what: Member<'_>| match what {
        Member::Elf(from) if member == name => {
            let mut bytes = Vec::new();
            found = Some(from.read_to_end(&mut bytes).map(|_| bytes));
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    };
    let _ = Walk::new(size, &mut visit).through(archive, &mut file);
    match found {
        Some(bytes) => Ok(bytes.with_context(|| name.to_owned())?.into()),
        None => bail!("{name}: no such ELF file in the archive"),
    }
}
