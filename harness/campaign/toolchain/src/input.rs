//! Reads files that a user names: regular files of limited size. Endless files, pipes that would
//! block, and sparse files are refused before they are read.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags, ResolveFlags, SeekFrom, openat2, seek};
use rustix::io::Errno;

/// Maximum size in bytes of a file that is judged or reported on.
pub const MOST_BYTES: u64 = 1 << 30;

/// Maximum size in bytes of a file written by people.
pub const MOST_TEXT: u64 = 1 << 20;

/// Maximum length in bytes of a line in a file that is read by lines.
pub const MOST_LINE: u64 = 64 << 20;

/// Maximum number of bytes in holes of a sparse file: no compiler leaves larger gaps in its output.
const MOST_HOLES: u64 = 16 << 20;

/// Name that means standard input.
const STANDARD_INPUT: &str = "-";

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("not a regular file but a {0}")]
    Kind(&'static str),
    #[error("larger than {most} bytes, the maximum")]
    Large { most: u64 },
    #[error("a sparse file: at least {0} of its bytes are holes")]
    Holes(u64),
    #[error("a line longer than {most} bytes, the maximum")]
    Line { most: u64 },
    #[error("outside the folder of the archive that names it")]
    Outside,
    #[error("it grew while it was read")]
    Grew,
}

impl From<Refused> for io::Error {
    fn from(why: Refused) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidInput, why)
    }
}

/// Reads a file, or standard input if its name is `-`.
///
/// # Errors
/// It is not a regular file, is larger than [`MOST_BYTES`], has many holes, or cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() == STANDARD_INPUT {
        return read_within(&mut io::stdin().lock(), 0, MOST_BYTES);
    }
    read_file(path, MOST_BYTES)
}

/// Reads a file written by people.
///
/// # Errors
/// Those of [`read`], with the limit [`MOST_TEXT`], and invalid UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_file(path, MOST_TEXT)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("not UTF-8 at byte {at}"))
    })
}

/// The lines of a file without their ends; text after the last end is the last line.
///
/// # Errors
/// Those of [`read`]; and a line longer than [`MOST_LINE`] bytes, after which the iteration stops.
pub fn lines(path: &Path) -> io::Result<impl Iterator<Item = io::Result<Vec<u8>>> + use<>> {
    let (file, length) = open(path, MOST_BYTES)?;
    // Data appended meanwhile is ignored.
    Ok(lines_of(BufReader::new(file.take(length)), MOST_LINE))
}

fn lines_of(mut from: impl BufRead, most: u64) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    let mut over = false;
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = match over {
            true => return None,
            false => (&mut from).take(most + 1).read_until(b'\n', &mut line),
        };
        let ended = line.pop_if(|byte| *byte == b'\n').is_some();
        match read {
            Ok(0) => None,
            Ok(_) if ended || line.len() as u64 <= most => Some(Ok(line)),
            Ok(_) => {
                over = true;
                Some(Err(Refused::Line { most }.into()))
            }
            Err(error) => {
                over = true;
                Some(Err(error))
            }
        }
    })
}

/// Reads a file that a tool made, without following links.
pub fn read_made(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_opened(open_as(path, most, Links::Refused)?, most)
}

fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_opened(open(path, most)?, most)
}

fn read_opened((mut file, length): (File, u64), most: u64) -> io::Result<Vec<u8>> {
    // Files that the kernel generates have length 0, and are read to their end.
    let most = if length == 0 { most } else { length };
    read_within(&mut file, length, most).map_err(|error| match length {
        0 => error,
        _ if error.kind() == io::ErrorKind::InvalidInput => Refused::Grew.into(),
        _ => error,
    })
}

/// Opens a file for reading in parts, and returns its size.
pub fn open(path: &Path, most: u64) -> io::Result<(File, u64)> {
    open_as(path, most, Links::Followed)
}

/// Opens a file below a folder, like [`open`]. The path cannot leave the folder: neither by `..`,
/// nor by a link, nor by `/`.
///
/// # Errors
/// Those of [`open`], and a path that leaves the folder.
/// As [`open`], and when it leads out.
pub fn open_beneath(folder: &Path, path: &Path, most: u64) -> io::Result<(File, u64)> {
    let top = rustix::fs::open(folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let file = openat2(&top, path, flags, Mode::empty(), resolve).map_err(|error| match error {
        Errno::XDEV => Refused::Outside.into(),
        error => io::Error::from(error),
    })?;
    bounded(File::from(file), most)
}

/// Treatment of a link in the last component of a path.
#[derive(Clone, Copy)]
enum Links {
    Followed,
    Refused,
}

fn open_as(path: &Path, most: u64, links: Links) -> io::Result<(File, u64)> {
    let (about, flags) = match links {
        Links::Followed => (fs::metadata(path)?, OFlags::NONBLOCK),
        Links::Refused => (fs::symlink_metadata(path)?, OFlags::NONBLOCK | OFlags::NOFOLLOW),
    };
    // Checked before it is opened, since opening some devices has effects; and again after it,
    // since the file may have been replaced.
    regular(about.file_type())?;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    bounded(file, most)
}

fn bounded(file: File, most: u64) -> io::Result<(File, u64)> {
    let about = file.metadata()?;
    regular(about.file_type())?;
    if about.len() > most {
        return Err(Refused::Large { most }.into());
    }
    if about.len() > MOST_HOLES {
        let holes = holes(&file, about.len())?;
        if holes > MOST_HOLES {
            return Err(Refused::Holes(holes).into());
        }
    }
    Ok((file, about.len()))
}

/// Reads to the end of the input.
pub fn read_from(from: &mut impl Read) -> io::Result<Vec<u8>> {
    read_within(from, 0, MOST_BYTES)
}

/// Reads to the end, which must be within `most` bytes.
fn read_within(from: &mut impl Read, expected: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    from.take(most).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == most && from.read(&mut [0])? > 0 {
        return Err(Refused::Large { most }.into());
    }
    Ok(bytes)
}

fn regular(kind: FileType) -> Result<(), Refused> {
    let what = match kind {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_symlink() => "symbolic link",
        kind if kind.is_dir() => "directory",
        kind if kind.is_fifo() => "pipe",
        kind if kind.is_socket() => "socket",
        kind if kind.is_char_device() || kind.is_block_device() => "device",
        _ => "special file",
    };
    Err(Refused::Kind(what))
}

/// Number of bytes in holes; a lower bound if there are many. `None` if the file system does not
/// report it.
fn holes(file: &File, length: u64) -> io::Result<u64> {
    let (mut at, mut holes) = (0, 0);
    while at < length && holes <= MOST_HOLES {
        let data = match seek(file, SeekFrom::Data(at)) {
            Ok(data) => data,
            // There is no more data.
            Err(Errno::NXIO) => length,
            Err(_) => break,
        };
        holes += data.saturating_sub(at);
        at = if data < length { seek(file, SeekFrom::Hole(data))?.max(data + 1) } else { length };
    }
    seek(file, SeekFrom::Start(0))?;
    Ok(holes)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::{self, Write as _};
    use std::os::unix::net::UnixListener;
    use std::path::Path;

    use super::{MOST_BYTES, MOST_TEXT, lines_of, read, read_text, read_within};

    fn refused(path: &Path) -> String {
        read(path).expect_err("refused").to_string()
    }

    #[test]
    fn what_has_no_end_is_not_begun() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).expect("a socket");
        // The pipe has no writer: opening it would block for ever.
        assert_eq!(refused(&pipe), "not a regular file but a pipe");
        assert_eq!(refused(&socket), "not a regular file but a socket");
        assert_eq!(refused(Path::new("/dev/zero")), "not a regular file but a device");
        assert_eq!(refused(folder.path()), "not a regular file but a directory");
        assert_eq!(read_text(&pipe).expect_err("refused").to_string(), "not a regular file but a pipe");
    }

    #[test]
    fn large_and_sparse_files_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let file = File::create(&path).expect("a file");
        file.set_len(4 << 30).expect("a length");
        assert_eq!(refused(&path), format!("larger than {MOST_BYTES} bytes, the maximum"));
        file.set_len(64 << 20).expect("a length");
        (&file).write_all(b"\x7fELF").expect("some bytes");
        assert!(refused(&path).starts_with("a sparse file: at least "), "{}", refused(&path));
        assert!(read_text(&path).expect_err("too large").to_string().starts_with(&format!("larger than {MOST_TEXT}")));
        file.set_len(1 << 20).expect("a length");
        assert_eq!(read(&path).expect("a small one").len(), 1 << 20);
        fs::write(&path, "text").expect("a file");
        assert_eq!(read_text(&path).expect("text"), "text");
        assert!(read(Path::new("/proc/self/status")).expect("made up by the kernel").starts_with(b"Name"));
    }

    #[test]
    fn a_line_has_an_end() {
        let lines = |text: &'static [u8]| lines_of(text, 4).map(|line| line.map_err(|error| error.to_string()));
        let ok = |text: &[u8]| Ok(text.to_vec());
        assert_eq!(lines(b"abcd\n\nab").collect::<Vec<_>>(), [ok(b"abcd"), ok(b""), ok(b"ab")]);
        let long = Err("a line longer than 4 bytes, the maximum".to_owned());
        assert_eq!(lines(b"ab\nabcde\nab\n").collect::<Vec<_>>(), [ok(b"ab"), long]);
    }

    #[test]
    fn what_does_not_end_is_left() {
        assert_eq!(read_within(&mut &b"abcd"[..], 0, 4).expect("four bytes"), b"abcd");
        let error = read_within(&mut io::repeat(7), 0, 1000).expect_err("no end");
        assert_eq!(error.to_string(), "larger than 1000 bytes, the maximum");
    }
}
