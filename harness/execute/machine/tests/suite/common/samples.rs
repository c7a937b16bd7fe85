//! The frozen executables and the result of each run: instructions from entry to exit, and exit
//! status. The numbers were counted by an independent run of each program when the objects were
//! frozen.

use std::path::PathBuf;

/// Folder, file, instructions, exit status.
pub(crate) const SAMPLES: [(&str, &str, u64, i32); 22] = [
    ("aarch64", "gas-2.40--v1--gcc12-O0--exe", 52829, 8),
    ("aarch64", "gas-2.40--v1--gcc12-O2--exe", 20983, 8),
    ("aarch64", "gas-2.44--v2--gcc12-O0--exe", 52829, 8),
    ("aarch64", "gas-2.44--v2--gcc12-O2--exe", 20983, 8),
    ("aarch64", "gas-2.47.50--v3--gcc12-O0--exe", 52829, 8),
    ("aarch64", "gas-2.47.50--v3--gcc12-O2--exe", 20983, 8),
    ("aarch64_be", "gas-2.40--v1--gcc12-O0--exe", 52832, 8),
    ("aarch64_be", "gas-2.40--v1--gcc12-O2--exe", 20992, 8),
    ("aarch64_be", "gas-2.44--v2--gcc12-O0--exe", 52832, 8),
    ("aarch64_be", "gas-2.44--v2--gcc12-O2--exe", 20992, 8),
    ("aarch64_be", "gas-2.47.50--v3--gcc12-O0--exe", 52832, 8),
    ("aarch64_be", "gas-2.47.50--v3--gcc12-O2--exe", 20992, 8),
    ("s390x", "gas-2.47.50--v3--gcc12-O0--exe", 34940, 8),
    ("s390x", "gas-2.47.50--v3--gcc12-O2--exe", 17306, 8),
    ("x86_64", "clang-22--v2e1--gcc12-O0--exe", 37751, 9),
    ("x86_64", "clang-22--v2e1--gcc12-O2--exe", 20877, 9),
    ("x86_64", "gas-2.40--v1--gcc12-O0--exe", 37751, 9),
    ("x86_64", "gas-2.40--v1--gcc12-O2--exe", 20877, 9),
    ("x86_64", "gas-2.44--v2--gcc12-O0--exe", 37751, 9),
    ("x86_64", "gas-2.44--v2--gcc12-O2--exe", 20877, 9),
    ("x86_64", "gas-2.47.50--v3--gcc12-O0--exe", 37751, 9),
    ("x86_64", "gas-2.47.50--v3--gcc12-O2--exe", 20877, 9),
];

/// The path of a frozen executable.
pub(crate) fn path(folder: &str, file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../cases/objects").join(folder).join(file)
}
