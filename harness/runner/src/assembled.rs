//! An assembly source, assembled so that each instruction has its line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context as _, ensure};
use matrix::Meant;
use types::{Image, ImageKind, Pc};
use unwind::SourceLines;

/// An assembler with its options.
#[derive(Clone, Copy)]
pub(crate) struct Assembler<'a> {
    /// Its file.
    pub(crate) program: &'a Path,
    /// Options, separated by blanks.
    pub(crate) options: &'a str,
}

/// An object made of a text.
pub(crate) struct Assembled {
    pub(crate) object: PathBuf,
    pub(crate) image: Image,
    source: String,
    _folder: tempfile::TempDir,
}

impl Assembler<'_> {
    /// The text of a file as an assembler reads it; .S is preprocessed.
    pub(crate) fn text(&self, file: &Path) -> anyhow::Result<String> {
        let name = || file.display().to_string();
        if !is_to_preprocess(file) {
            return std::fs::read_to_string(file).with_context(name);
        }
        let output = self.run(&["-E".as_ref(), file.as_os_str()])?;
        String::from_utf8(output.stdout).with_context(name)
    }

    pub(crate) fn assemble(&self, text: &str) -> anyhow::Result<Assembled> {
        ensure!(
            !text.lines().any(|line| line.trim_start().starts_with(".loc ")),
            "the source has line numbers of another one: compile that without -g"
        );
        // Lines of this text, not of the one that markers name.
        let own: String = text
            .lines()
            .map(|line| if marker(line).is_some() { "\n".to_owned() } else { format!("{line}\n") })
            .collect();
        let folder = tempfile::tempdir()?;
        let (source, object) = (folder.path().join("source.s"), folder.path().join("source.o"));
        std::fs::write(&source, own)?;
        self.run(&["-g".as_ref(), "-c".as_ref(), source.as_os_str(), "-o".as_ref(), object.as_os_str()])?;
        let image = self.loaded(&object)?;
        Ok(Assembled { object, image, source: source.display().to_string(), _folder: folder })
    }

    /// The object of a file that may be linked, and what the directives of its text mean.
    pub(crate) fn meant(&self, text: &str, image: &Image) -> anyhow::Result<Meant> {
        let plain = if image.kind == ImageKind::Relocatable { image.clone() } else { self.object(text)? };
        let logged = self.object(&directives::logged(text, image.abi))?;
        Ok(Meant::new(plain, &logged)?)
    }

    fn object(&self, text: &str) -> anyhow::Result<Image> {
        let folder = tempfile::tempdir()?;
        let (source, object) = (folder.path().join("source.s"), folder.path().join("source.o"));
        std::fs::write(&source, text)?;
        self.run(&["-c".as_ref(), source.as_os_str(), "-o".as_ref(), object.as_os_str()])?;
        self.loaded(&object)
    }

    fn loaded(&self, object: &Path) -> anyhow::Result<Image> {
        let bytes = std::fs::read(object).with_context(|| format!("{}: wrote no object", self.program.display()))?;
        Ok(elf::load("source.o", &bytes.into())?)
    }

    fn run(&self, words: &[&OsStr]) -> anyhow::Result<Output> {
        let name = self.program.display();
        let output = Command::new(self.program).args(self.options.split_whitespace()).args(words).output();
        let output = output.with_context(|| name.to_string())?;
        let printed = String::from_utf8_lossy(&output.stderr);
        let first = printed.lines().find(|line| line.contains("rror")).or(printed.lines().next());
        ensure!(output.status.success(), "{name}: {}", first.unwrap_or("failed"));
        Ok(output)
    }
}

impl Assembled {
    /// Line, from 1, of an instruction in the text.
    pub(crate) fn line(&self, pc: u64) -> Option<usize> {
        let found = SourceLines::new(&self.image)?.at(Pc(pc))?;
        if found.file == self.source { usize::try_from(found.line).ok() } else { None }
    }
}

/// Returns true if a source is written for a preprocessor.
pub(crate) fn is_to_preprocess(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "S")
}

/// The line and file that a line marker of a preprocessor names (GCC, "Preprocessor Output"):
/// `# 12 "f.S"`.
pub(crate) fn marker(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    let file = rest.strip_prefix('"')?.split('"').next()?;
    Some((number.parse().ok()?, file))
}
