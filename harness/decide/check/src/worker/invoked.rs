//! What a dynamic linker executes that is itself the checked file:
//! `check /lib64/ld-linux-x86-64.so.2 -- OPTIONS PROGRAM ARGUMENTS` (`ld.so(8)`).

use std::path::Path;

use linux::Given;
use types::{Image, ImageKind};

use crate::options::Inputs;
use crate::root::read_regular;

/// Options of dynamic linkers that have a value; glibc's and musl's.
const WITH_VALUE: [&str; 8] = [
    "--library-path",
    "--preload",
    "--audit",
    "--argv0",
    "--inhibit-rpath",
    "--glibc-hwcaps-prepend",
    "--glibc-hwcaps-mask",
    "--list-diagnostics-file",
];

/// The files that a dynamic linker's arguments name.
#[derive(Debug, Default)]
pub(super) struct Invoked {
    /// The program, a file of the host.
    pub(super) program: Option<Given>,
    /// Folders that are searched for shared objects.
    pub(super) folders: Vec<Vec<u8>>,
    /// Shared objects.
    pub(super) objects: Vec<Vec<u8>>,
}

/// Returns true if the image is executed from its entry as a dynamic linker: it has an entry, needs
/// no interpreter, and is given a program as argument.
pub(super) fn is_invoked(image: &Image, inputs: &Inputs) -> bool {
    image.kind == ImageKind::Shared && image.entry.0 != image.bias && !inputs.arguments.is_empty()
}

impl Invoked {
    /// Reads the arguments, and the program that they name.
    pub(super) fn new(arguments: &[String]) -> Invoked {
        let mut invoked = Invoked::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if argument == "--" || !argument.starts_with("--") {
                let name = if argument == "--" { rest.next() } else { Some(argument) };
                invoked.program = name.filter(|name| name.contains('/')).and_then(|name| program(name));
                return invoked;
            }
            let (option, value) = match argument.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None if WITH_VALUE.contains(&argument.as_str()) => (argument.as_str(), rest.next().map(String::as_str)),
                None => continue,
            };
            let paths =
                || value.into_iter().flat_map(|value| value.split([':', ';', ' '])).filter(|path| !path.is_empty());
            match option {
                "--library-path" => invoked.folders.extend(paths().map(|path| path.as_bytes().to_vec())),
                "--preload" | "--audit" => {
                    invoked
                        .objects
                        .extend(paths().filter(|path| path.contains('/')).map(|path| path.as_bytes().to_vec()));
                }
                _ => {}
            }
        }
        invoked
    }
}

/// The program at a host path, if it is an ELF file. A relative path is the host's; the program
/// finds it relative to its own working directory, `/`.
fn program(name: &str) -> Option<Given> {
    let bytes = read_regular(Path::new(name)).filter(|bytes| bytes.starts_with(b"\x7fELF"))?;
    Some(Given { path: name.to_owned(), bytes: bytes.into() })
}
