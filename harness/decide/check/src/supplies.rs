//! Inputs of a program, in a form that can be sent between processes: files and standard input.

use std::path::PathBuf;
use std::sync::Arc;

use linux::{Given, Root, World, WorldError};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::root::HostRoot;

/// Files by their paths in the program's file tree, and its standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Supplies {
    /// Path, as the program sees it, and contents.
    pub files: Vec<(String, Bytes)>,
    /// Standard input; `None` for an empty one.
    pub input: Option<Bytes>,
    /// Host files that the program sees in addition.
    pub outside: Outside,
}

/// Host files that a program sees. They are only read.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Outside {
    /// None: a program that needs a dynamic linker is not executed.
    #[default]
    Nothing,
    /// The dynamic linker of the program, and the shared objects that it may open.
    Libraries,
    /// A folder, as the program's file tree.
    Folder(PathBuf),
}

/// Contents of a file, serialized as a string of one character per byte instead of a list of
/// numbers: the characters from U+0100 on, which have two bytes each and are never escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Arc<[u8]>);

impl Supplies {
    /// The inputs as the machine expects them, without shared objects. A root that cannot be read
    /// is empty.
    pub fn world(&self) -> World {
        let given = |(path, bytes): &(String, Bytes)| Given { path: path.clone(), bytes: Arc::clone(&bytes.0) };
        let input = self.input.as_ref().map(|bytes| Arc::clone(&bytes.0));
        let root = match &self.outside {
            Outside::Nothing | Outside::Libraries => None,
            Outside::Folder(folder) => HostRoot::open(folder).ok().map(|root| Arc::new(root) as Arc<dyn Root>),
        };
        World { files: self.files.iter().map(given).collect(), input, root, program: None, programs: None }
    }

    /// Returns true if a program may become another one of these files.
    pub(crate) fn have_programs(&self) -> bool {
        let is_program = |bytes: &Bytes| bytes.0.starts_with(b"\x7fELF") || bytes.0.starts_with(b"#!");
        matches!(self.outside, Outside::Folder(_)) || self.files.iter().any(|(_, bytes)| is_program(bytes))
    }

    /// Checks that each file has a valid path.
    pub fn check(&self) -> Result<(), WorldError> {
        self.world().check()
    }
}

/// The character for a byte 0.
const FIRST: u32 = 0x100;

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: String = self.0.iter().filter_map(|byte| char::from_u32(FIRST + u32::from(*byte))).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        let byte = |char| u8::try_from(u32::from(char).wrapping_sub(FIRST));
        let text = String::deserialize(deserializer)?;
        text.chars().map(byte).collect::<Result<_, _>>().map(Bytes).map_err(D::Error::custom)
    }
}
