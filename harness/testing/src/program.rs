//! Scripts that tests execute.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes an executable file. A child process writes it: if this process had it open for writing, a
/// process that another test starts at that moment could inherit the descriptor, and executing the
/// file would fail ("text file busy").
///
/// # Panics
/// The file cannot be written.
/// It cannot be written.
pub fn write_program(path: impl AsRef<Path>, text: &str) {
    let mut writer = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path.as_ref())
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    writer.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    assert!(writer.wait().expect("it ends").success(), "{}", path.as_ref().display());
}
