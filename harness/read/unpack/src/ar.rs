//! `ar` archives as streams (ar(5)): a magic number, then for each member a text header of 60 bytes
//! and its contents, padded to an even offset.
//!
//! Names of up to 15 bytes are in the header, terminated by `/` (GNU) or blanks (BSD); longer ones
//! are in the member `//` (GNU), with `/OFFSET` as the header's name, or before the member's
//! contents (BSD), with `#1/LENGTH` as the header's name. Symbol tables are not members. In a thin
//! archive only those two tables have contents.

use std::io::{self, Read};

use crate::Error;

/// Length of the magic number.
const MAGIC: u64 = 8;
/// Length of a header.
const HEADER: usize = 60;
/// Maximum size of the table of long names, and of a name, in bytes.
const MOST_NAMES: u64 = 16 << 20;
const MOST_NAME: u64 = 64 << 10;

/// An archive after its magic number.
pub(crate) struct Ar<'r> {
    from: &'r mut dyn Read,
    /// Offset of the next byte in the archive.
    at: u64,
    /// Number of unread bytes of the member, without padding.
    left: u64,
    padded: bool,
    names: Vec<u8>,
    thin: bool,
}

/// The fields of a header.
struct Header {
    /// Name field, 16 bytes, without trailing blanks.
    name: Vec<u8>,
    size: u64,
    offset: u64,
}

impl<'r> Ar<'r> {
    /// Skips the magic number, which has been checked.
    pub(crate) fn new(from: &'r mut dyn Read, thin: bool) -> Result<Self, Error> {
        from.read_exact(&mut [0; MAGIC as usize]).map_err(Error::from_io)?;
        Ok(Ar { from, at: MAGIC, left: 0, padded: false, names: Vec::new(), thin })
    }

    /// Name of the next member, whose contents can then be read; in a thin archive, the path of a
    /// file.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        loop {
            self.skip()?;
            let Some(header) = self.header()? else { return Ok(None) };
            let Header { name, size, offset } = header;
            (self.left, self.padded) = (size, size % 2 == 1);
            match name.as_slice() {
                b"/" | b"/SYM64/" => continue,
                b"//" => {
                    if size > MOST_NAMES {
                        return Err(Error::Malformed { what: "the table of names is too large", offset });
                    }
                    self.names.clear();
                    let mut names = Vec::new();
                    self.read_to_end(&mut names).map_err(Error::from_io)?;
                    self.names = names;
                    continue;
                }
                _ => {}
            }
            let name = self.name(&name, offset)?;
            if self.thin {
                self.left = 0;
                self.padded = false;
            }
            if !name.starts_with(b"__.SYMDEF") {
                return Ok(Some(name));
            }
        }
    }

    fn skip(&mut self) -> Result<(), Error> {
        io::copy(self, &mut io::sink()).map_err(Error::from_io)?;
        if std::mem::take(&mut self.padded) {
            // The last member's padding may be missing.
            self.at += self.from.read(&mut [0]).map_err(Error::from_io)? as u64;
        }
        Ok(())
    }

    fn header(&mut self) -> Result<Option<Header>, Error> {
        let (mut bytes, offset) = (Vec::with_capacity(HEADER), self.at);
        (&mut *self.from).take(HEADER as u64).read_to_end(&mut bytes).map_err(Error::from_io)?;
        self.at += bytes.len() as u64;
        let Ok(bytes): Result<[u8; HEADER], _> = bytes.try_into().map_err(|cut: Vec<u8>| cut.is_empty()) else {
            return match self.at == offset {
                true => Ok(None),
                false => Err(Error::Truncated { what: "the header of a member", offset }),
            };
        };
        // Name 16, date 12, user 6, group 6, mode 8, size 10, end 2.
        let (name, rest) = bytes.split_at(16);
        let (size, end) = rest.split_at(32).1.split_at(10);
        if end != b"`\n" {
            return Err(Error::Malformed { what: "no header of a member", offset });
        }
        let size = number(size).ok_or(Error::Malformed { what: "the size of a member is not a number", offset })?;
        Ok(Some(Header { name: name.trim_ascii_end().to_vec(), size, offset }))
    }

    fn name(&mut self, name: &[u8], offset: u64) -> Result<Vec<u8>, Error> {
        if let Some(length) = name.strip_prefix(b"#1/") {
            let length = number(length).filter(|length| *length <= MOST_NAME && *length <= self.left);
            let length = length.ok_or(Error::Malformed { what: "the length of a name", offset })?;
            let mut long = Vec::new();
            (&mut *self).take(length).read_to_end(&mut long).map_err(Error::from_io)?;
            let end = long.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            long.truncate(end);
            return Ok(long);
        }
        let Some(place) = name.strip_prefix(b"/") else {
            return Ok(name.strip_suffix(b"/").unwrap_or(name).to_vec());
        };
        let malformed = || Error::Malformed { what: "a name is not in the table of names", offset };
        // A thin archive has `/OFFSET:ORIGIN` for a member of another archive.
        let place = place.split(|byte| *byte == b':').next().unwrap_or_default();
        let start = number(place).and_then(|start| usize::try_from(start).ok()).ok_or_else(malformed)?;
        let rest = self.names.get(start..).ok_or_else(malformed)?;
        let long = rest.split(|byte| matches!(byte, b'\n' | 0)).next().unwrap_or_default();
        if long.len() as u64 > MOST_NAME {
            return Err(malformed());
        }
        Ok(long.strip_suffix(b"/").unwrap_or(long).to_vec())
    }
}

/// Reads the rest of the member.
impl Read for Ar<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 || buffer.is_empty() {
            return Ok(0);
        }
        let count = (&mut *self.from).take(self.left).read(buffer)?;
        if count == 0 {
            return Err(Error::Truncated { what: "a member", offset: self.at }.into_io());
        }
        self.at += count as u64;
        self.left -= count as u64;
        Ok(count)
    }
}

/// Parses decimal digits, padded with blanks.
fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.trim_end().parse().ok()
}
