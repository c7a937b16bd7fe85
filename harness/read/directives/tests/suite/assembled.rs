//! Texts assembled with the GNU assembler on PATH.

use std::fs;
use std::path::Path;
use std::process::Command;

use directives::Meaning;
use testing::scratch;
use types::{Abi, Bytes, Image};

/// An assembled text.
pub(crate) struct Assembled {
    /// The object without log.
    pub(crate) image: Image,
    /// What its directives mean.
    pub(crate) meaning: Meaning,
}

/// Assembles a text with and without log. `None` if the assembler refuses the text.
pub(crate) fn assembled(text: &str, abi: Abi) -> Option<Assembled> {
    let folder = scratch::folder();
    let image = assemble(text, abi, folder.path())?;
    let logged = assemble(&directives::logged(text, abi), abi, folder.path()).expect("the log is accepted");
    let meaning = Meaning::read(&image, &logged).expect("the log is read");
    Some(Assembled { image, meaning })
}

fn assemble(text: &str, abi: Abi, folder: &Path) -> Option<Image> {
    let (source, object) = (folder.join("a.s"), folder.join("a.o"));
    fs::write(&source, text).expect("scratch");
    let mut command = Command::new(format!("{}-as", abi.facts().gnu_triplet));
    if abi == Abi::Aarch64Be {
        command.arg("-EB");
    }
    let output = command.arg(&source).arg("-o").arg(&object).output().expect("an assembler");
    output.status.success().then(|| elf::load("a.o", &Bytes::from(fs::read(object).expect("an object"))).expect("ELF"))
}
