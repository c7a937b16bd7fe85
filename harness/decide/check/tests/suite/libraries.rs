//! Tests of which host files a program can open: shared objects in the folders that a dynamic
//! linker searches, and no others.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Arc;

use check::libraries::{Libraries, cache};
use linux::{Root as _, World};
use types::Abi;

/// `e_machine` (gABI): EM_X86_64, EM_AARCH64.
const AMD64: u16 = 62;
const AARCH64: u16 = 183;
const PIE: u64 = 0x800_0000;

/// An ELF64 file of type ET_DYN with a dynamic section: strings, flags, no code.
fn object(machine: u16, needed: &[&str], folders: &str, flags: u64) -> Vec<u8> {
    let (mut strings, mut entries) = (vec![0u8], Vec::new());
    let mut string = |tag: u64, text: &str| {
        entries.push((tag, strings.len() as u64));
        strings.extend_from_slice(text.as_bytes());
        strings.push(0);
    };
    needed.iter().for_each(|name| string(1, name));
    string(29, folders);
    let table = 64 + 2 * 56;
    entries.extend([(5, table), (0x6fff_fffb, flags), (0, 0)]);
    strings.resize(strings.len().next_multiple_of(8), 0);
    let dynamic: Vec<u8> =
        entries.iter().flat_map(|(tag, value)| [tag.to_le_bytes(), value.to_le_bytes()].concat()).collect();
    let (at, size) = (table + strings.len() as u64, dynamic.len() as u64);
    let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0".to_vec();
    bytes.extend(machine.to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    bytes.extend([0u64, 64, 0].map(u64::to_le_bytes).concat());
    // e_flags, e_ehsize, e_phentsize, e_phnum; no sections.
    bytes.extend([0u16, 0, 64, 56, 2, 64, 0, 0].map(u16::to_le_bytes).concat());
    for (kind, offset, size) in [(1u32, 0, at + size), (2, at, size)] {
        bytes.extend([kind, 4].map(u32::to_le_bytes).concat());
        bytes.extend([offset, offset, offset, size, size, 8].map(u64::to_le_bytes).concat());
    }
    bytes.extend(strings);
    bytes.extend(dynamic);
    bytes
}

/// Function that opens a file by name, as seen by a program in a folder of its own, in which it is
/// executed.
fn opened(folder: &Path, program: &[u8], interpreter: &str) -> impl Fn(&str) -> Option<Vec<u8>> + use<> {
    let libraries = Libraries::new(Abi::Amd64, interpreter.as_bytes(), program, Some(folder), folder);
    let libraries = libraries.expect("a host");
    let world = World { root: Some(Arc::new(libraries)), ..World::default() };
    move |path| world.read(path).ok().map(|(_, bytes)| bytes)
}

#[test]
fn a_shared_object_is_opened_where_a_dynamic_linker_looks_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = fs::canonicalize(folder.path()).expect("a path");
    for name in ["app", "deps/more", "deps/glibc-hwcaps/x86-64-v3", "other"] {
        fs::create_dir_all(home.join(name)).expect("a folder");
    }
    let plain = object(AMD64, &[], "", 0);
    let write = |name: &str, bytes: &[u8]| fs::write(home.join(name), bytes).expect("a file");
    let further = object(AMD64, &[], "${ORIGIN}/more", 0);
    write("deps/libfar.so.1.2", &further);
    write("deps/more/libfarther.so", &plain);
    write("deps/glibc-hwcaps/x86-64-v3/libfast.so", &plain);
    write("other/libexact.so", &plain);
    write("ld.so", &plain);
    symlink("libfar.so.1.2", home.join("deps/libfar.so.1")).expect("a link");
    symlink(home.join("other/libexact.so"), home.join("deps/libaway.so")).expect("a link");
    symlink("deps", home.join("link")).expect("a link");
    let at = |name: &str| home.join(name).display().to_string();
    let program = object(AMD64, &["libfar.so.1", &at("other/libexact.so")], "$ORIGIN/../link:/no/such", PIE);
    let open = opened(&home.join("app"), &program, &at("ld.so"));
    for name in ["ld.so", "other/libexact.so", "deps/libaway.so", "deps/glibc-hwcaps/x86-64-v3/libfast.so"] {
        assert_eq!(open(&at(name)), Some(plain.clone()), "{name}");
    }
    // A folder in a library's DT_RUNPATH is allowed once that library was read.
    assert_eq!(open(&at("deps/more/libfarther.so")), None);
    assert_eq!(open(&at("link/libfar.so.1")), Some(further));
    assert_eq!(open(&at("deps/more/libfarther.so")), Some(plain));
}

#[test]
fn relative_paths_begin_in_the_working_directory() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = fs::canonicalize(folder.path()).expect("a path");
    fs::create_dir_all(home.join("deep/est")).expect("a folder");
    let (one, two) = (object(AMD64, &[], "", 0), object(AMD64, &["libd.so"], "est", 0));
    for (name, bytes) in [("liba.so", &one), ("deep/libb.so", &two), ("deep/libc.so", &one)] {
        fs::write(home.join(name), bytes).expect("a file");
    }
    fs::write(home.join("deep/est/libd.so"), &one).expect("a file");
    fs::write(home.join("deep/unnamed.so"), &one).expect("a file");
    let needed = ["../liba.so", "./est/../libb.so", "libc.so", "/no/such"];
    let open = opened(&home.join("deep"), &object(AMD64, &needed, ".", PIE), "/ld.so");
    assert_eq!(open("../liba.so"), Some(one.clone()));
    // A library's own names are known once it was read.
    assert_eq!(open("est/libd.so"), None);
    assert_eq!(open("./est/../libb.so"), Some(two));
    assert_eq!(open("est/libd.so"), Some(one.clone()));
    assert_eq!(open("./libc.so"), Some(one));
    assert_eq!(open("./unnamed.so"), None);
}

#[test]
fn nothing_else_of_the_host_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = fs::canonicalize(folder.path()).expect("a path");
    for name in ["app", "deps/below", "elsewhere"] {
        fs::create_dir_all(home.join(name)).expect("a folder");
    }
    let plain = object(AMD64, &[], "", 0);
    let write = |name: &str, bytes: &[u8]| fs::write(home.join(name), bytes).expect("a file");
    write("deps/secret", b"of the host");
    write("deps/libtext.so", b"GROUP ( libc.so.6 )");
    write("deps/libother.so", &object(AARCH64, &[], "", 0));
    write("deps/libprogram.so", &object(AMD64, &[], "", PIE));
    write("deps/libcut.so", &plain[..70]);
    write("deps/below/libbelow.so", &plain);
    write("elsewhere/libelsewhere.so", &plain);
    write("elsewhere/secret", b"of the host");
    symlink("/etc/passwd", home.join("deps/libpasswd.so")).expect("a link");
    symlink("../elsewhere/secret", home.join("deps/libsecret.so")).expect("a link");
    symlink("libloop.so", home.join("deps/libloop.so")).expect("a link");
    symlink("/", home.join("deps/libroot.so")).expect("a link");
    let _socket = UnixListener::bind(home.join("deps/libsocket.so")).expect("a socket");
    let at = |name: &str| home.join(name).display().to_string();
    let needed = ["/etc/passwd", &at("elsewhere/secret"), "../../etc/passwd", "/proc/self/mem", "/dev/zero"];
    let program = object(AMD64, &needed, "$ORIGIN/../deps:/etc:/:/proc/self:/dev:/root", PIE);
    for interpreter in ["/etc/passwd", "/", "relative", "", &at("elsewhere/secret")] {
        let open = opened(&home.join("app"), &program, interpreter);
        for path in ["/etc/passwd", "/etc/shadow", "/../etc/passwd", "/lib/../etc/passwd", "/etc/hostname", "/bin/true"]
        {
            assert_eq!(open(path), None, "{path}");
        }
        for path in ["/proc/self/mem", "/proc/self/environ", "/proc/1/maps", "/dev/mem", "/", "/etc", "/lib", ""] {
            assert_eq!(open(path), None, "{path}");
        }
        for name in [
            "deps/secret",
            "deps/libtext.so",
            "deps/libother.so",
            "deps/libprogram.so",
            "deps/libcut.so",
            "deps/below/libbelow.so",
            "elsewhere/libelsewhere.so",
            "elsewhere/secret",
            "deps/libpasswd.so",
            "deps/libsecret.so",
            "deps/libloop.so",
            "deps/libroot.so/etc/passwd",
            "deps/libsocket.so",
            "deps/../elsewhere/libelsewhere.so",
            "deps",
        ] {
            assert_eq!(open(&at(name)), None, "{name}");
        }
        // The existence of other names is not revealed either.
        let libraries = Libraries::new(Abi::Amd64, interpreter.as_bytes(), &program, None, Path::new("/"));
        let libraries = libraries.expect("a host");
        assert_eq!(
            (libraries.list(b""), libraries.list(b"etc"), libraries.find(b"etc/passwd")),
            (vec![], vec![], None)
        );
    }
}

#[test]
fn a_cache_of_any_bytes_names_folders_only() {
    assert_eq!(cache::folders(b""), BTreeSet::new());
    let mut bytes = [&b"glibc-ld.so.cache1.1"[..], &3u32.to_ne_bytes()].concat();
    bytes.resize(48, 0);
    let strings = 48 + 3 * 24;
    for offset in [strings, strings + 8, u32::MAX] {
        bytes.extend([[0; 8], [0; 8], [0; 8]].concat());
        let at = bytes.len() - 16;
        bytes[at..at + 4].copy_from_slice(&offset.to_ne_bytes());
    }
    bytes.extend(b"/a/b.so\0relative\0");
    assert!(cache::is_cache(&bytes) && !cache::is_cache(b"root:x:0:0"));
    assert_eq!(cache::folders(&bytes), BTreeSet::from([b"/a".to_vec()]));
    (0..bytes.len()).for_each(|end| drop(cache::folders(&bytes[..end])));
}
