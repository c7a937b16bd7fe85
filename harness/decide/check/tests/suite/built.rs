//! The compiler that a file names.

use check::built::compiler;

#[test]
fn each_compiler_writes_its_version_in_another_place() {
    for (text, expected) in [
        ("GCC: (Debian 12.2.0-14+deb12u1) 12.2.0", Some("gcc@12.2.0")),
        ("GCC: (GNU) 17.0.0 20261101 (experimental)", Some("gcc@17.0.0")),
        ("GCC: (crosstool-NG 1.26 (a)) 14.1.0", Some("gcc@14.1.0")),
        ("GNU C17 12.2.0 -mtune=generic -O2", Some("gcc@12.2.0")),
        ("GNU C++17 16.2.0 -O2", Some("gcc@16.2.0")),
        ("GNU AS 2.40", None),
        ("Debian clang version 23.1.4 (2)", Some("clang@23.1.4")),
        ("clang version 24.0.0git-1234", Some("clang@24.0.0git")),
        ("rustc version 1.86.0 (05f9846f8 2025-03-31)", None),
        ("Linker: Debian LLD 23.1.4", None),
        ("GCC: (GNU) ", None),
        ("", None),
    ] {
        assert_eq!(compiler(text).map(|name| name.to_string()).as_deref(), expected, "{text}");
    }
}
