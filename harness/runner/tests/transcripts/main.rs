//! Transcripts: each file below `tests/transcripts` is a test of the command, named by its path.
//!
//! Its first paragraph is the reason why it is right (`Right, because ...`, from the contract in
//! `reports/README.md` or the specification), perhaps with a line `Needs: PROGRAM...` (on PATH, or
//! below the project's folder), without which it is ignored, or `Night: REASON`, for one that is
//! executed every night. The commands follow as in a terminal: `$ ` and the command, `> ` and its
//! further lines, then what it prints, and `[N]` for an exit code other than 0. One `bash` executes
//! them in a new folder; `tools/prelude.sh` has the functions that they call. `BLESS=1` rewrites
//! what is printed.

mod alike;
mod session;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial, run};
use session::Session;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness/runner/tests/transcripts");
    let tests = files(&folder).into_iter().map(|path| test(&folder, path)).collect();
    let mut arguments = Arguments::from_args();
    // Each waits for something a third of the time.
    arguments.test_threads.get_or_insert_with(|| 1 + std::thread::available_parallelism().map_or(1, usize::from));
    run(&arguments, tests).exit_code()
}

/// The transcripts below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "txt") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn test(folder: &Path, path: PathBuf) -> Trial {
    let name = path.strip_prefix(folder).expect("below the folder").with_extension("").display().to_string();
    let session = Session::parse(&fs::read_to_string(&path).expect("a transcript"));
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    let left_out = session.as_ref().ok().and_then(Session::left_out).filter(|_| !strict);
    let test = Trial::test(name, move || {
        let executed = session.map_err(|error| format!("{}: {error}", path.display()))?.execute()?;
        let text = executed.to_string();
        // A printed line that looks like a command would be executed the next time.
        if Session::parse(&text).ok().as_ref() != Some(&executed) {
            return Err(Failed::from(format!("{}: prints lines of a transcript: {text}", path.display())));
        }
        testing::blessed::blessed(&path, &text);
        Ok(())
    });
    match left_out {
        Some(why) => test.with_ignored_flag(true).with_kind(why),
        None => test,
    }
}
