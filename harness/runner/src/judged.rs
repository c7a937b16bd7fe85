//! A file of any kind, judged.

use std::io;
use std::path::Path;
use std::time::Duration;

use check::{Include, Limits, Options};
use reports::escape::shell;
use results::Report;
use toolchain::input;
use types::{FileError, FileErrorKind};
use unpack::{HEAD, Kind};

/// The processor time of exploration without options.
pub const EXPLORATION: Duration = Duration::from_secs(60);

/// The processor time of runs without options: a few times what the limit of steps takes in loops.
pub const RUN: Duration = Duration::from_secs(600);

/// The options of a file without any arguments.
pub fn defaults() -> Options {
    let limits = Limits { run: Some(RUN), exploration: Some(EXPLORATION), ..Limits::default() };
    Options { limits, include: [Include::Causes].into(), ..Options::exploring() }
}

/// Reports of a file, and of the objects that it mapped.
pub fn judged(path: &Path, options: &Options) -> Vec<Report> {
    let name = path.display().to_string();
    let failed = |error: io::Error| {
        // For a folder or an archive the user means the files inside.
        let message = match path.is_dir() {
            true => format!("a folder; sweep judges the files in it: sframe-conformance sweep {}", shell(&name)),
            false => error.to_string(),
        };
        Report::failed(&name, FileError::new(FileErrorKind::Io, message))
    };
    match input::read(path) {
        Ok(bytes) => match Kind::from_head(bytes.get(..HEAD).unwrap_or(&bytes)) {
            Kind::Holder(_) => {
                let message = format!(
                    "not an ELF file but one that holds others; sweep judges the files in it: sframe-conformance sweep {}",
                    shell(&name)
                );
                vec![not_elf(&name, message)]
            }
            Kind::Other(skip) => vec![not_elf(&name, format!("not an ELF file: {} (offset 0x0)", skip.hint()))],
            Kind::Elf => {
                let checked = check::check(&name, &bytes.into(), options);
                std::iter::once(checked.report).chain(checked.objects).collect()
            }
        },
        Err(error) => vec![failed(error)],
    }
}

fn not_elf(name: &str, message: String) -> Report {
    Report::failed(name, FileError::new(FileErrorKind::NotElf, message).at(0))
}
