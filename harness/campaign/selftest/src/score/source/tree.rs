//! A source tree of binutils with a build for each target beside it, as `ci/source-score` makes it,
//! or of a reader alone: which files have to do with SFrame, and how programs are built of them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use results::Blame;
use sha2::{Digest as _, Sha256};
use toolchain::input;
use toolchain::process::{ProcessError, run_within};

/// A build that takes longer hangs.
const MOST_SECONDS: Duration = Duration::from_secs(900);

/// Assembler and linker, below the folder of a build.
const PROGRAMS: [&str; 2] = ["gas/as-new", "ld/ld-new"];

/// A source file that has to do with SFrame.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceFile {
    /// Its path below the source.
    pub path: &'static str,
    /// All of it, or only what has `sframe` in its name or on its line.
    pub whole: bool,
    /// The folder of the one build that uses it; none for every build.
    pub target: Option<&'static str>,
    /// The program that it is a part of.
    pub part: Part,
}

/// What a source file is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Assembler,
    Linker,
    /// The library that reads and writes tables for both, and for readers.
    Library,
    /// What only reads tables.
    Reader,
}

impl Part {
    /// All of them.
    pub(super) const ALL: [Part; 4] = [Part::Assembler, Part::Linker, Part::Library, Part::Reader];

    /// Returns true if readers of tables are made of it.
    pub(super) fn is_read(self) -> bool {
        matches!(self, Part::Library | Part::Reader)
    }

    /// Returns true if a finding that blames this tool is attributed rightly.
    pub(super) fn is_blamed(self, blame: Blame) -> bool {
        match self {
            Part::Assembler => matches!(blame, Blame::Assembler | Blame::AssemblerOrLinker),
            Part::Linker => matches!(blame, Blame::Linker | Blame::AssemblerOrLinker),
            Part::Library => matches!(blame, Blame::Assembler | Blame::Linker | Blame::AssemblerOrLinker),
            Part::Reader => matches!(blame, Blame::Consumer),
        }
    }
}

const fn file(path: &'static str, part: Part) -> SourceFile {
    SourceFile { path, whole: true, target: None, part }
}

const fn of(path: &'static str, target: &'static str, part: Part) -> SourceFile {
    SourceFile { path, whole: false, target: Some(target), part }
}

/// A file of every build, of which some lines are about SFrame.
const fn part_of(path: &'static str, part: Part) -> SourceFile {
    SourceFile { path, whole: false, target: None, part }
}

/// What a tree has the source of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Project {
    /// Assembler, linker and readers.
    Binutils,
    /// Linux, or its one file.
    Kernel,
    /// The crate simple-frame-rs.
    SimpleFrame,
}

impl Project {
    fn files(self) -> &'static [SourceFile] {
        match self {
            Project::Binutils => &FILES,
            Project::Kernel => &KERNEL,
            Project::SimpleFrame => &CRATE,
        }
    }

    /// What `ci/consumers` calls a reader of one's own source.
    fn reader(self) -> &'static str {
        match self {
            Project::Binutils => "binutils",
            Project::Kernel => "kernel",
            Project::SimpleFrame => "simple-frame",
        }
    }
}

const KERNEL: [SourceFile; 1] = [file("kernel/unwind/sframe.c", Part::Reader)];

const CRATE: [SourceFile; 4] = [
    file("src/v3.rs", Part::Reader),
    file("src/v2.rs", Part::Reader),
    file("src/v1.rs", Part::Reader),
    file("src/lib.rs", Part::Reader),
];

/// The files of binutils, in the order in which bugs are drawn from them.
pub(super) const FILES: [SourceFile; 19] = [
    file("gas/gen-sframe.c", Part::Assembler),
    file("gas/sframe-opt.c", Part::Assembler),
    file("bfd/elf-sframe.c", Part::Linker),
    file("libsframe/sframe.c", Part::Library),
    file("libsframe/sframe-dump.c", Part::Reader),
    part_of("binutils/readelf.c", Part::Reader),
    of("bfd/elfxx-x86.c", "x86_64", Part::Linker),
    of("bfd/elf64-x86-64.c", "x86_64", Part::Linker),
    of("bfd/elf64-s390.c", "s390x", Part::Linker),
    of("bfd/elfnn-aarch64.c", "aarch64", Part::Linker),
    of("gas/config/tc-i386.c", "x86_64", Part::Assembler),
    of("gas/config/tc-aarch64.c", "aarch64", Part::Assembler),
    of("gas/config/tc-s390.c", "s390x", Part::Assembler),
    part_of("bfd/elflink.c", Part::Linker),
    part_of("bfd/elf.c", Part::Linker),
    part_of("gas/dw2gencfi.c", Part::Assembler),
    part_of("gas/write.c", Part::Assembler),
    part_of("gas/as.c", Part::Assembler),
    // Its macros are used everywhere; no bug is drawn from it, since it defines no function.
    part_of("include/sframe.h", Part::Library),
];

/// Why a tree cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}: no build of binutils in it, which ci/source-score makes, nor source/ of Linux or simple-frame-rs", .0.display())]
    NoBuild(PathBuf),
    /// A line of the user's list of bugs is malformed.
    #[error("{}:{line}: {why}", path.display())]
    Given { path: PathBuf, line: usize, why: String },
    #[error(transparent)]
    Build(#[from] ProcessError),
}

/// A source tree and its builds.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    root: PathBuf,
    project: Project,
    /// Folders of the builds: `x86_64`.
    pub targets: Vec<String>,
}

impl Tree {
    /// Opens a tree, and puts back what an interrupted run left in it.
    pub(super) fn open(root: &Path) -> Result<Tree, TreeError> {
        let root = fs::canonicalize(root).map_err(|error| TreeError::File { path: root.to_owned(), error })?;
        // Not by its programs: an interrupted run may have left one unlinked.
        let built = |target: &&str| root.join(target).join("gas/Makefile").is_file();
        let targets: Vec<String> =
            ["x86_64", "aarch64", "s390x"].iter().filter(|target| built(target)).map(ToString::to_string).collect();
        let has = |path: &str| root.join("source").join(path).is_file();
        let project = match targets.is_empty() {
            false => Project::Binutils,
            true if has(KERNEL[0].path) => Project::Kernel,
            true if CRATE.iter().all(|file| has(file.path)) => Project::SimpleFrame,
            true => return Err(TreeError::NoBuild(root)),
        };
        let tree = Tree { root, project, targets };
        for file in tree.files() {
            let text = tree.text(file)?;
            tree.write(file, &text)?;
        }
        Ok(tree)
    }

    /// The files that bugs are put into, in the order in which they are drawn from.
    pub(super) fn files(&self) -> &'static [SourceFile] {
        self.project.files()
    }

    /// Returns true if a file is part of anything that was built.
    pub(super) fn uses(&self, file: &SourceFile) -> bool {
        self.project != Project::Binutils || !self.builds(file).is_empty()
    }

    pub(super) fn builds(&self, file: &SourceFile) -> Vec<String> {
        self.targets.iter().filter(|target| file.target.is_none_or(|only| only == *target)).cloned().collect()
    }

    /// A file as it is without bugs, which is kept beside the source.
    pub(super) fn text(&self, file: &SourceFile) -> Result<String, TreeError> {
        let (source, kept) = (self.root.join("source").join(file.path), self.root.join("unmodified").join(file.path));
        if !kept.is_file() {
            let failed = |error| TreeError::File { path: kept.clone(), error };
            fs::create_dir_all(kept.parent().unwrap_or(&self.root)).map_err(failed)?;
            fs::copy(&source, &kept).map_err(failed)?;
        }
        let bytes = input::read(&kept).map_err(|error| TreeError::File { path: kept.clone(), error })?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Writes a file of the source, unless it has that text already.
    pub(super) fn write(&self, file: &SourceFile, text: &str) -> Result<(), TreeError> {
        let path = self.root.join("source").join(file.path);
        if input::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()) {
            return Ok(());
        }
        fs::write(&path, text).map_err(|error| TreeError::File { path, error })
    }

    /// Builds the programs of a target that files of these parts are in; what its make files do not
    /// know to be made of a changed library is made anew.
    pub(super) fn build(&self, target: &str, parts: &[Part]) -> Result<(), ProcessError> {
        let folder = self.root.join(target);
        let changed = |by: &[Part]| parts.iter().any(|part| by.contains(part));
        let (assembler, linker) = (&[Part::Assembler, Part::Library], &[Part::Linker, Part::Library]);
        let steps: [(&str, &[&str], Option<&str>, bool); 4] = [
            ("libsframe", &["libsframe.la"], None, changed(&[Part::Library])),
            ("bfd", &["libbfd.la"], None, changed(linker)),
            ("gas", &["as-new"], Some("gas/as-new"), changed(assembler)),
            ("ld", &["ld-new"], Some("ld/ld-new"), changed(linker)),
        ];
        for (part, goals, program, _) in steps.into_iter().filter(|(.., changed)| *changed) {
            if let Some(program) = program {
                let _ = fs::remove_file(folder.join(program));
            }
            let words = [&["-s", "-C", part][..], goals].concat();
            let ran = run_within("make", &words, &folder, MOST_SECONDS)?;
            if !ran.success {
                let program = format!("make {}", words.join(" "));
                return Err(ProcessError::Failed { program, message: ran.complaint() });
            }
        }
        Ok(())
    }

    /// Builds the readers. Library, readelf and objdump are those of the first target: each reads
    /// the tables of all.
    pub(super) fn build_readers(&self, home: &Path) -> Result<(), ProcessError> {
        let is_binutils = self.project == Project::Binutils;
        let folder =
            self.root.join(if is_binutils { self.targets.first().map_or("", String::as_str) } else { "source" });
        let to = self.root.join("readers").display().to_string();
        let own = format!("{}={}", self.project.reader(), folder.display());
        let adapters = home.join("ci/consumers").display().to_string();
        let adapter: (&str, &[&str]) = (&adapters, &["--to", &to, &own]);
        let mut steps = vec![adapter];
        if is_binutils {
            for program in ["binutils/readelf", "binutils/objdump"] {
                let _ = fs::remove_file(folder.join(program));
            }
            let library: (&str, &[&str]) = ("make", &["-s", "-C", "libsframe", "libsframe.la"]);
            let linker = ("make", ["-s", "-C", "bfd", "libbfd.la"].as_slice());
            let printers = ("make", ["-s", "-C", "binutils", "readelf", "objdump"].as_slice());
            steps = vec![library, linker, printers, adapter];
        }
        for (program, words) in steps {
            let ran = run_within(program, words, &folder, MOST_SECONDS)?;
            if !ran.success {
                let program = format!("{program} {}", words.join(" "));
                return Err(ProcessError::Failed { program, message: ran.complaint() });
            }
        }
        Ok(())
    }

    /// The folder in which `ci/consumers` puts the readers, and the one that their entries name.
    pub(super) fn readers(&self) -> (PathBuf, String) {
        let name = self.project.reader();
        (self.root.join("readers").join(name), format!("target/consumers/{name}/"))
    }

    /// A sum over the readers.
    pub(super) fn sum_of_readers(&self) -> Result<String, TreeError> {
        let (folder, _) = self.readers();
        let programs = ["answer", "readelf", "objdump"].map(|program| folder.join(program));
        sum(&programs.into_iter().filter(|program| program.exists()).collect::<Vec<_>>())
    }

    /// Assembler and linker of a target.
    pub(super) fn programs(&self, target: &str) -> [PathBuf; 2] {
        PROGRAMS.map(|program| self.root.join(target).join(program))
    }

    /// Copies of assembler and linker of a target, made while its source has no bug.
    pub(super) fn copy_programs(&self, target: &str) -> Result<[PathBuf; 2], TreeError> {
        let copies = PROGRAMS.map(|program| self.root.join("unmodified").join(target).join(program));
        for (program, copy) in self.programs(target).iter().zip(&copies) {
            let failed = |error| TreeError::File { path: copy.clone(), error };
            fs::create_dir_all(copy.parent().unwrap_or(&self.root)).map_err(failed)?;
            fs::copy(program, copy).map_err(failed)?;
        }
        Ok(copies)
    }

    /// A sum over both programs of a target.
    pub(super) fn sum(&self, target: &str) -> Result<String, TreeError> {
        sum(&self.programs(target))
    }
}

fn sum(files: &[PathBuf]) -> Result<String, TreeError> {
    let mut sum = Sha256::new();
    for path in files {
        sum.update(input::read(path).map_err(|error| TreeError::File { path: path.clone(), error })?);
    }
    Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
