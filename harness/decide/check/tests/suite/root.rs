//! A folder of the host as a program's file tree.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use check::root::HostRoot;
use linux::{Entry, Root as _, World};

#[test]
fn a_file_has_its_own_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = File::create(folder.path().join("file")).expect("a file");
    file.set_modified(UNIX_EPOCH + Duration::new(1_000_000_007, 9)).expect("a time");
    let entries = HostRoot::open(folder.path()).expect("a folder").list(b"");
    let expected = Entry::File { size: 0, executable: false, changed: (1_000_000_007, 9) };
    assert_eq!(entries, [(b"file".to_vec(), expected)]);
}

#[test]
fn nothing_outside_the_folder_is_read() {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("secret"), "of the host").expect("a file");
    let inside = outside.path().join("root");
    fs::create_dir_all(inside.join("a/b")).expect("folders");
    fs::write(inside.join("a/file"), "inside").expect("a file");
    symlink("../secret", inside.join("up")).expect("a link");
    symlink(outside.path().join("secret"), inside.join("away")).expect("a link");
    symlink("/a/file", inside.join("a/b/link")).expect("a link");
    symlink(outside.path(), inside.join("folder")).expect("a link");
    let _socket = UnixListener::bind(inside.join("socket")).expect("a socket");
    let root = HostRoot::open(&inside).expect("a folder");
    let names: Vec<_> =
        root.list(b"").into_iter().map(|(name, _)| String::from_utf8_lossy(&name).into_owned()).collect();
    assert_eq!(names, ["a", "away", "folder", "up"]);
    assert_eq!(root.read(b"a/file"), Some(b"inside".to_vec()));
    let secret = outside.path().join("secret");
    for path in [
        "up",
        "away",
        "../secret",
        "a/../../secret",
        "folder/secret",
        secret.to_str().expect("UTF-8"),
        "a",
        "",
        "socket",
    ] {
        assert_eq!(root.read(path.as_bytes()), None, "{path}");
    }
    assert_eq!((root.list(b".."), root.list(b"folder"), root.list(b"/")), (Vec::new(), Vec::new(), Vec::new()));
    // As a program sees it: links are resolved inside the folder, and links out of it do not
    // resolve.
    let world = World { root: Some(Arc::new(root)), ..World::default() };
    let read = |path: &str| world.read(path).map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned()));
    assert_eq!(read("/a/b/link"), Ok(("/a/file".to_owned(), "inside".to_owned())));
    assert_eq!(read("/../../a/./b/../file"), Ok(("/a/file".to_owned(), "inside".to_owned())));
    for path in ["/up", "/away", "/folder/secret", "/secret", "/socket"] {
        assert!(read(path).is_err(), "{path}");
    }
    // Files that the emulated kernel provides hide those of the folder: a whole system has
    // these.
    fs::create_dir_all(inside.join("proc/1")).expect("folders");
    symlink("1", inside.join("proc/self")).expect("a link");
    fs::write(inside.join("proc/1/environ"), "of the host").expect("a file");
    let world = World { root: Some(Arc::new(HostRoot::open(&inside).expect("a folder"))), ..World::default() };
    assert!(linux::Kernel::new(types::Abi::Amd64, "/a/file", &world, 0).is_ok());
    assert!(world.read("/proc/self/environ").is_err() && world.read("/proc/self/maps").is_err());
}
