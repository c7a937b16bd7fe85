//! Files that a program asked for and that its file tree does not have.

/// The last files that were asked for and are absent, and how many there were. A file that is asked
/// for again counts again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absent {
    /// Number of files.
    pub count: u64,
    /// Paths as the program gave them, the last one last, each once.
    pub last: Vec<String>,
}

impl Absent {
    /// Most paths that are kept.
    const KEPT: usize = 3;

    pub(crate) fn add(&mut self, path: &[u8]) {
        let path = String::from_utf8_lossy(path).into_owned();
        self.count += 1;
        self.last.retain(|kept| *kept != path);
        if self.last.len() == Self::KEPT {
            self.last.remove(0);
        }
        self.last.push(path);
    }
}
