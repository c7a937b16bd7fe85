//! A name as a view of a file's bytes. A large object has a million names, and a copy of each would
//! need more memory than all other data about them.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::ops::{Deref, Range};

use crate::Bytes;

/// A string that shares a file's bytes. Cloning does not copy the bytes.
#[derive(Clone)]
pub struct Name {
    bytes: Arc<Bytes>,
    start: u32,
    length: u32,
}

impl Name {
    /// The bytes of a file in a range, as a name. Invalid UTF-8 gives an owned copy with U+FFFD in
    /// place of the invalid bytes.
    pub fn in_file(file: &Arc<Bytes>, range: Range<usize>) -> Name {
        let bytes = file.get(range.clone()).unwrap_or_default();
        let (start, length) = (u32::try_from(range.start), u32::try_from(bytes.len()));
        match (core::str::from_utf8(bytes), start, length) {
            (Ok(_), Ok(start), Ok(length)) => Name { bytes: Arc::clone(file), start, length },
            _ => Name::from(String::from_utf8_lossy(bytes).into_owned()),
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        let start = self.start as usize;
        let bytes = self.bytes.get(start..start.saturating_add(self.length as usize)).unwrap_or_default();
        // Both constructors check that it is UTF-8.
        core::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        Name { bytes: Arc::new(text.into()), start: 0, length }
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::from(text.to_owned())
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Name {}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}
