//! A file judged in a plain `#[test]`, by the installed program.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

/// Environment variable with the path of the program; without it, it is looked for on PATH.
const PROGRAM: &str = "SFRAME_CONFORMANCE_PROGRAM";

/// Judges a file with the installed program (`sframe-conformance check FILE`).
///
/// # Panics
/// If a table of the file is wrong, something could not be decided, the file cannot be judged, or
/// the program is not installed: the message is what the program printed.
#[track_caller]
pub fn assert_unwindable(file: impl AsRef<Path>) {
    let file = file.as_ref();
    let program = std::env::var_os(PROGRAM).unwrap_or_else(|| env!("CARGO_PKG_NAME").into());
    // A relative path could look like an option.
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    match Command::new(&program).args(["check", "--color", "never"]).arg(path).output() {
        Ok(ran) if ran.status.success() => {}
        Ok(ran) => panic!(
            "{}: {}\n{}{}",
            file.display(),
            ran.status,
            String::from_utf8_lossy(&ran.stdout),
            String::from_utf8_lossy(&ran.stderr)
        ),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("{} is not installed: put it on PATH, or its path into {PROGRAM}", program.display())
        }
        Err(error) => panic!("{}: {error}", program.display()),
    }
}
