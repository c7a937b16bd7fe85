//! Options for the user's own builds of programs that print tables.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use toolchain::consumer::Consumer;

/// readelf and objdump.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct OwnReader {
    /// test your own build of readelf as a reader, a file or the folder it was built in
    #[arg(long, value_name = "PATH", help_heading = "Tools")]
    readelf: Option<PathBuf>,
    /// test your own build of objdump as a reader, a file or the folder it was built in
    #[arg(long, value_name = "PATH", help_heading = "Tools")]
    objdump: Option<PathBuf>,
}

impl OwnReader {
    /// Returns true if a program is given.
    pub(crate) fn is_given(&self) -> bool {
        self.readelf.is_some() || self.objdump.is_some()
    }

    /// The entries for one's own builds of these programs and no other; all entries if none is
    /// given.
    pub(crate) fn put_in(&self, entries: Vec<Consumer>) -> anyhow::Result<Vec<Consumer>> {
        if !self.is_given() {
            return Ok(entries);
        }
        let mut own = Vec::new();
        for (name, path) in [("readelf", &self.readelf), ("objdump", &self.objdump)] {
            let Some(path) = path else { continue };
            let program = program(name, path)?;
            let entry = format!("{name}-own");
            let entry = entries.iter().find(|one| one.name == entry);
            let mut entry = entry.with_context(|| format!("--{name}: the file of readers has no {name}-own"))?.clone();
            let words = entry.command.split_whitespace().rev().skip(1).collect::<Vec<_>>();
            entry.command = words.into_iter().rev().chain([program.as_str()]).collect::<Vec<_>>().join(" ");
            own.push(entry);
        }
        Ok(own)
    }
}

/// The program that a path names: the file, or that of this name in a folder.
fn program(name: &str, path: &Path) -> anyhow::Result<String> {
    let path = std::path::absolute(path)?;
    let inside = ["binutils", "bin", "."].map(|folder| path.join(folder).join(name));
    let file = [path.clone()].into_iter().chain(inside).find(|file| file.is_file());
    let Some(file) = file else { bail!("{}: no {name} there", path.display()) };
    match file.to_str() {
        Some(text) if !text.contains(char::is_whitespace) => Ok(text.to_owned()),
        _ => bail!("{}: a path with spaces cannot be used", file.display()),
    }
}
