//! Scripts and programs that tests execute.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a script that can be executed.
///
/// # Panics
/// The file cannot be written.
pub fn write_program(path: impl AsRef<Path>, text: &str) {
    write_executable(path.as_ref(), text.as_bytes());
}

/// Writes an executable file. A child process writes it: if this process had it open for writing, a
/// process that another test starts at that moment could inherit the descriptor, and executing the
/// file would fail ("text file busy").
///
/// # Panics
/// The file cannot be written.
pub fn write_executable(path: &Path, content: &[u8]) {
    let mut writer = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    writer.stdin.take().expect("a pipe").write_all(content).expect("it reads");
    assert!(writer.wait().expect("it ends").success(), "{}", path.display());
}
