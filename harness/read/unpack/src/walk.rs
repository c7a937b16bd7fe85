//! Visits every file in a container, depth first, in order.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::rc::Rc;

use types::Skip;

use crate::ar::Ar;
use crate::budget::Budget;
use crate::decode::decoder;
use crate::error::Error;
use crate::kind::{HEAD, Holder, Kind};

/// Maximum nesting depth: a package has an archive of an archive of a compressed module.
const MOST_DEPTH: usize = 8;

/// Maximum size in bytes of the headers of one tar member, which include its long name.
const MOST_TAR_HEADERS: u64 = 1 << 20;

/// A file found in a container.
pub enum Member<'r> {
    /// An ELF file, with its contents.
    Elf(&'r mut dyn Read),
    /// Another kind of file.
    Other(Skip),
    /// A member of a thin archive: the path of a file, relative to the archive's folder.
    Elsewhere(Vec<u8>),
    /// The container cannot be read any further.
    Failed(Error),
}

/// A walk through one file on disk.
pub struct Walk<'v> {
    budget: Budget,
    visit: &'v mut dyn FnMut(&str, Member<'_>) -> ControlFlow<()>,
    elves: u64,
}

/// Why a walk stops.
enum Stop {
    Asked,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

impl<'v> Walk<'v> {
    /// A walk through a file of this size. `visit` is called with the name of everything found:
    /// members are named `ARCHIVE!MEMBER`, and the contents of a compressed file like the file
    /// itself.
    pub fn new(bytes: u64, visit: &'v mut dyn FnMut(&str, Member<'_>) -> ControlFlow<()>) -> Walk<'v> {
        Walk { budget: Budget::new(bytes), visit, elves: 0 }
    }

    /// Visits the files in a container. An error of the container itself is visited last, as
    /// [`Member::Failed`] under its own name.
    pub fn through(&mut self, name: &str, from: &mut dyn Read) -> ControlFlow<()> {
        let holder = match self.look(name, from, 0, None) {
            Ok(holder) => holder,
            Err(Stop::Asked) => return ControlFlow::Break(()),
            Err(Stop::Failed(error)) => return (self.visit)(name, Member::Failed(error)),
        };
        match holder {
            Some(Holder::Ar | Holder::ThinAr | Holder::Tar) if self.elves == 0 => {
                (self.visit)(name, Member::Other(Skip::Archive))
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Visits a file; if it is a container, its contents. `within` is the kind reported for files
    /// other than ELF.
    fn look(
        &mut self,
        name: &str,
        from: &mut dyn Read,
        depth: usize,
        within: Option<Skip>,
    ) -> Result<Option<Holder>, Stop> {
        let mut head = Vec::with_capacity(HEAD);
        from.take(HEAD as u64).read_to_end(&mut head).map_err(Error::from_io)?;
        let kind = Kind::from_head(&head);
        let mut whole = head.as_slice().chain(from);
        match kind {
            Kind::Elf => {
                self.elves += 1;
                self.tell(name, Member::Elf(&mut whole))?;
                Ok(None)
            }
            Kind::Other(skip) => {
                self.tell(name, Member::Other(within.unwrap_or(skip)))?;
                Ok(None)
            }
            Kind::Holder(_) if depth >= MOST_DEPTH => Err(Error::Depth { most: MOST_DEPTH }.into()),
            Kind::Holder(holder) => {
                match holder {
                    Holder::Ar => self.ar(name, &mut whole, false, depth)?,
                    Holder::ThinAr => self.ar(name, &mut whole, true, depth)?,
                    Holder::Tar => self.tar(name, &mut whole, depth)?,
                    Holder::Compressed(compression) => {
                        let mut plain = self.budget.count(decoder(compression, &mut whole));
                        return self.look(name, &mut plain, depth + 1, Some(Skip::Compressed));
                    }
                    Holder::Kernel(payload) => {
                        let mut packed = payload.read(&mut whole).map_err(Error::from_io)?;
                        return self.look(name, &mut packed, depth + 1, Some(Skip::Compressed));
                    }
                }
                Ok(Some(holder))
            }
        }
    }

    fn ar(&mut self, name: &str, from: &mut dyn Read, thin: bool, depth: usize) -> Result<(), Stop> {
        let mut ar = Ar::new(from, thin)?;
        while let Some(member) = ar.next()? {
            let full = format!("{name}!{}", file_name(&member));
            match (thin, depth) {
                (false, _) => self.member(&full, &mut ar, depth)?,
                (true, 0) => {
                    self.elves += 1;
                    self.tell(&full, Member::Elsewhere(member))?;
                }
                // The archive is itself a member, so its members' folder does not exist.
                (true, _) => self.tell(&full, Member::Failed(Error::Thin))?,
            }
        }
        Ok(())
    }

    fn tar(&mut self, name: &str, from: &mut dyn Read, depth: usize) -> Result<(), Stop> {
        let left = Rc::new(Cell::new(MOST_TAR_HEADERS));
        let mut archive = tar::Archive::new(Gate { from, left: Rc::clone(&left) });
        let mut entries = archive.entries().map_err(Error::from_io)?;
        loop {
            left.set(MOST_TAR_HEADERS);
            let Some(entry) = entries.next() else { return Ok(()) };
            let mut entry = entry.map_err(Error::from_io)?;
            left.set(u64::MAX);
            let full = format!("{name}!{}", file_name(&entry.path_bytes()));
            let kind = entry.header().entry_type();
            if kind.is_gnu_sparse() {
                let offset = entry.raw_header_position();
                return Err(Error::Malformed { what: "a member with holes, which is not read", offset }.into());
            }
            if kind.is_file() {
                self.member(&full, &mut entry, depth)?;
            } else if !kind.is_dir() {
                let skip = if kind.is_symlink() || kind.is_hard_link() { Skip::Link } else { Skip::Special };
                self.tell(&full, Member::Other(skip))?;
            }
            // Skipped here, because headers that follow have a limit.
            io::copy(&mut entry, &mut io::sink()).map_err(Error::from_io)?;
        }
    }

    /// Visits a member. An error in it ends only that member, except for a decompression bomb.
    fn member(&mut self, name: &str, from: &mut dyn Read, depth: usize) -> Result<(), Stop> {
        let looked = self.look(name, from, depth + 1, None);
        if self.budget.is_spent() {
            return Err(self.budget.error().into());
        }
        match looked {
            Ok(_) => Ok(()),
            Err(Stop::Asked) => Err(Stop::Asked),
            Err(Stop::Failed(error)) => self.tell(name, Member::Failed(error)),
        }
    }

    fn tell(&mut self, name: &str, found: Member<'_>) -> Result<(), Stop> {
        match (self.visit)(name, found) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Asked),
        }
    }
}

/// A name of bytes as text: invalid UTF-8 is escaped, so that different names stay different.
pub fn file_name(bytes: &[u8]) -> String {
    let mut name = String::new();
    for chunk in bytes.utf8_chunks() {
        name.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| name.push_str(&format!("\\x{byte:02x}")));
    }
    name
}

/// Limits reading to a number of bytes, which can be set again.
struct Gate<'r> {
    from: &'r mut dyn Read,
    left: Rc<Cell<u64>>,
}

impl Read for Gate<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 && !buffer.is_empty() {
            return Err(Error::Name { most: MOST_TAR_HEADERS }.into_io());
        }
        let count = (&mut *self.from).take(left).read(buffer)?;
        self.left.set(left - count as u64);
        Ok(count)
    }
}
