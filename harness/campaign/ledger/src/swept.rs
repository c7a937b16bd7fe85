//! Reads the results of a sweep.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use results::{FileLine, SWEEP_SCHEMA};

use crate::run_files::{RESULTS, named};

/// File of a sweep's options, which its folder has from the beginning.
pub const ASKED: &str = "asked.json";

pub fn is_sweep(folder: &Path) -> bool {
    folder.join(ASKED).is_file()
}

/// Calls `each` with each line of a sweep's results, in order.
pub fn each_line(folder: &Path, mut each: impl FnMut(FileLine)) -> io::Result<()> {
    let path = folder.join(RESULTS);
    let file = File::open(&path).map_err(|error| named(&path, &error))?;
    let read = whole_lines(file, |line, _| {
        each(line);
        Ok(())
    });
    read.map(drop)
}

/// Position of a line in its file, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub offset: u64,
    pub length: usize,
}

/// Calls `each` with each complete line of this schema, and returns the number of bytes in complete
/// lines.
pub fn whole_lines(file: File, mut each: impl FnMut(FileLine, Extent) -> io::Result<()>) -> io::Result<u64> {
    let mut reader = BufReader::new(file);
    let (mut offset, mut bytes) = (0, Vec::new());
    loop {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes)?;
        // Bytes, not text: an interruption may have truncated a character.
        if !bytes.ends_with(b"\n") {
            return Ok(offset);
        }
        match serde_json::from_slice::<FileLine>(&bytes) {
            Ok(line) if line.schema == SWEEP_SCHEMA => each(line, Extent { offset, length })?,
            Ok(_) => {}
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        }
        offset += length as u64;
    }
}
