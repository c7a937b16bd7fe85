//! The programs that a process and its children become, each at an address of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use types::elf::ET_DYN;
use types::{Abi, Bytes, Image};

use super::process::as_in_file;

/// Address of the first of these programs that can be placed, and the distance between two.
const FIRST_AT: u64 = 0x210_0000_0000;
const DISTANCE: u64 = 1 << 30;
/// Maximum number of different files.
const MOST: usize = 512;

/// The programs of a run. The program that the run begins with is the first file, its dynamic
/// linker the second.
#[derive(Debug)]
pub(crate) struct RunPrograms {
    abi: Abi,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    files: Vec<ProgramFile>,
    /// The files of each program, by its number.
    begun: BTreeMap<u32, Vec<usize>>,
}

/// An executable file.
#[derive(Debug)]
struct ProgramFile {
    path: String,
    bytes: Bytes,
    image: Arc<Image>,
}

pub(crate) struct FileOfRun {
    /// Its number; see [`RunPrograms`].
    pub(crate) index: usize,
    pub(crate) bytes: Bytes,
}

impl RunPrograms {
    /// The programs of a run that begins with these files, at their addresses.
    pub(crate) fn new(abi: Abi, files: impl IntoIterator<Item = (String, Bytes, Image)>) -> RunPrograms {
        let files = files.into_iter().map(|(path, bytes, image)| ProgramFile { path, bytes, image: Arc::new(image) });
        let files: Vec<ProgramFile> = files.collect();
        let begun = BTreeMap::from([(0, (0..files.len()).collect())]);
        RunPrograms { abi, known: Mutex::new(Known { files, begun }) }
    }

    /// The file at a path that is the program of this number, or its dynamic linker.
    pub(crate) fn find(&self, program: u32, path: &str) -> Option<FileOfRun> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut files = known.begun.get(&program)?.iter().filter_map(|index| Some((*index, known.files.get(*index)?)));
        let (index, file) = files.find(|(_, file)| file.path == path)?;
        Some(FileOfRun { index, bytes: file.bytes.clone() })
    }
}

impl linux::Programs for RunPrograms {
    fn load(&self, program: u32, path: &str, bytes: &[u8]) -> Option<Arc<Image>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let there = known.files.iter().position(|file| file.path == path && *file.bytes == *bytes);
        let index = there.unwrap_or(known.files.len());
        if there.is_none() {
            let file = Bytes::from(bytes.to_vec());
            let image = elf::load(path, &file).ok().filter(|image| image.abi == self.abi && index < MOST)?;
            let image = image.moved(place(index, &file));
            known.files.push(ProgramFile {
                path: path.to_owned(),
                image: Arc::new(as_in_file(image, &file)),
                bytes: file,
            });
        }
        known.begun.entry(program).or_default().push(index);
        known.files.get(index).map(|file| Arc::clone(&file.image))
    }
}

/// Load address of a file.
fn place(index: usize, bytes: &[u8]) -> u64 {
    // gABI, "ELF Header": e_type is the half at 16, here 2 or 3.
    let dynamic = bytes.get(16..18).is_some_and(|kind| kind.contains(&(ET_DYN as u8)));
    if dynamic { FIRST_AT + index as u64 * DISTANCE } else { 0 }
}
