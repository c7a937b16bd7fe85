//! Fails if an emulator of the system would be linked silently: `.cargo/config.toml` forbids it,
//! and `cargo install --git` does not read that file.

use std::env;
use std::process::{Command, Stdio, exit};

/// The environment variable with which the build of the emulator uses the pinned source.
const OWN_SOURCE: &str = "UNICORN_NO_PKG_CONFIG";

fn main() {
    println!("cargo:rerun-if-env-changed={OWN_SOURCE}");
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os(OWN_SOURCE).is_some() {
        return;
    }
    let asked =
        Command::new("pkg-config").args(["--exists", "unicorn"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if asked.is_ok_and(|status| status.success()) {
        eprintln!(
            "pkg-config finds a unicorn, which would be linked in place of the source that is pinned: build with {OWN_SOURCE}=1"
        );
        exit(1);
    }
}
