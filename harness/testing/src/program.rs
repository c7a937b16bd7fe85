//! Scripts that tests have executed.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes an executable file. Another process does it: where this one had the file open, a process
/// that another test starts at that moment could have it open for a moment longer, and until then
/// nobody may execute it ("text file busy").
///
/// # Panics
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
