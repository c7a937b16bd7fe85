//! What a user gives a program: files and input, as they go from process to process.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use machine::{Given, Root, World, WorldError};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::root::HostRoot;

/// Files by their paths in the program's file tree, and its standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Supplies {
    /// Path, as the program names it, and contents.
    pub files: Vec<(String, Bytes)>,
    /// Standard input; without it there is none.
    pub input: Option<Bytes>,
    /// A folder that the program sees as its file tree, where nothing else was given. It is only read.
    pub root: Option<PathBuf>,
}

/// Contents of a file, which goes as a text of as many characters, U+0000 to U+00FF, and not as a list of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Arc<[u8]>);

impl Supplies {
    /// As the machine takes them. A root that cannot be read is empty.
    pub fn world(&self) -> World {
        let given = |(path, bytes): &(String, Bytes)| Given { path: path.clone(), bytes: Arc::clone(&bytes.0) };
        let input = self.input.as_ref().map(|bytes| Arc::clone(&bytes.0));
        let open = |folder: &PathBuf| HostRoot::open(folder).ok().map(|root| Arc::new(root) as Arc<dyn Root>);
        let root = self.root.as_ref().and_then(open);
        World { files: self.files.iter().map(given).collect(), input, root }
    }

    /// Whether each file has a place.
    ///
    /// # Errors
    /// One has none.
    pub fn check(&self) -> Result<(), WorldError> {
        self.world().check()
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.iter().copied().map(char::from).collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        deserializer.deserialize_str(BytesVisitor)
    }
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("characters of a byte each")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes, E> {
        text.chars().map(u8::try_from).collect::<Result<_, _>>().map(Bytes).map_err(E::custom)
    }
}
