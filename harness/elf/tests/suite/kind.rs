//! The kind of a file, which is found without reading its sections.

use std::fs;

use types::Bytes;

/// Each frozen object.
#[test]
fn the_kind_is_that_of_the_loaded_image() {
    let mut kinds = Vec::new();
    for target in fs::read_dir(testing::root().join("cases/objects")).expect("the frozen objects") {
        let target = target.expect("an entry").path();
        let Ok(files) = fs::read_dir(&target) else { continue };
        for file in files {
            let whole = Bytes::from(fs::read(file.expect("an entry").path()).expect("a file"));
            let loaded = elf::load("file", &whole).map(|image| image.kind);
            assert_eq!(elf::kind(&whole), loaded, "{}", target.display());
            kinds.extend(loaded);
        }
    }
    kinds.sort_by_key(|kind| format!("{kind:?}"));
    kinds.dedup();
    assert_eq!(kinds.len(), 3, "{kinds:?}");
}
