//! Where the cases come from: the checkout of the working directory, the folder in the environment
//! variable, the checkout that contains the program, or the embedded copy of a release.

#[path = "../../../src/copy.rs"]
mod copy;
#[path = "../../../build/data.rs"]
mod data;

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;

use crate::command::document::root;
use crate::command::support::Folder;

/// What the build packs is the tree: every file with its bytes, in order, what can be called as
/// such, and nothing else.
#[test]
fn the_copy_is_the_tree() {
    let root = root();
    let files = data::files(&root).expect("files");
    let archive = data::packed(&root, &files, Compression::fast()).expect("packed");
    let mut archive = tar::Archive::new(GzDecoder::new(&archive[..]));
    let mut carried = archive.entries().expect("an archive").map(|entry| entry.expect("an entry"));
    for file in &files {
        let mut entry = carried.next().unwrap_or_else(|| panic!("without {}", file.display()));
        assert_eq!(root.join(entry.path().expect("a name")), *file);
        assert_eq!(entry.header().mode().expect("a mode") & 0o100, callable(file), "{}", file.display());
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("bytes");
        assert!(bytes == fs::read(file).expect("a file"), "{}", file.display());
    }
    assert!(carried.next().is_none() && files.len() > 1000, "{} files", files.len());
}

fn callable(file: &Path) -> u32 {
    fs::metadata(file).expect("a file").permissions().mode() & 0o100
}

/// It is there in full or not at all, also with several processes, and is not written again.
#[test]
fn a_copy_comes_into_being_whole_and_stays() {
    let (root, folder) = (root(), Folder::new());
    let names = ["cases/objects/objects.yaml", "ci/producers.yaml", "ci/setup"];
    let archive = data::packed(&root, &names.map(|name| root.join(name)), Compression::fast()).expect("packed");
    let (cache, at) = (folder.path("cache"), folder.path("cache/0123"));
    let there = || fs::read_dir(&cache).map_or(0, Iterator::count);

    // Truncated, as by a full disk: no file is left.
    let error = copy::unpacked(&archive[..archive.len() / 2], Path::new(&at)).expect_err("half of it");
    assert!(error.to_string().contains(&at) && there() == 0, "{error:#}");
    // Several at once: each gets it, and it is there once.
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..8).map(|_| scope.spawn(|| copy::unpacked(&archive, Path::new(&at)))).collect();
        for one in all {
            assert_eq!(one.join().expect("no panic").expect("a home").root, Path::new(&at));
        }
    });
    assert_eq!(there(), 1, "what the slower ones unpacked is gone");
    for name in names {
        let [tree, copy] = [root.as_path(), Path::new(&at)].map(|home| home.join(name));
        assert_eq!(callable(&tree), callable(&copy), "{name}");
        assert!(fs::read(tree).expect("a file") == fs::read(copy).expect("a file"), "{name}");
    }
    // From then on it is taken as it is.
    fs::write(format!("{at}/mark"), "").expect("a file");
    copy::unpacked(b"no archive", Path::new(&at)).expect("a home");
    assert!(fs::exists(format!("{at}/mark")).expect("a folder") && there() == 1);
    // A folder that is not a home is not written over, and the message names it.
    let taken = folder.path("cache/taken");
    fs::create_dir(&taken).expect("a folder");
    fs::write(format!("{taken}/mine"), "").expect("a file");
    let error = copy::unpacked(&archive, Path::new(&taken)).expect_err("a folder of another");
    assert!(error.to_string().contains(&taken) && fs::exists(format!("{taken}/mine")).expect("a folder"), "{error:#}");
}
