//! Files that a program opened or looked up without success.

/// The last absent files that a program asked for, and their number. A repeated request counts
/// again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absent {
    /// Number of requests.
    pub count: u64,
    /// Paths as the program gave them, in order of the last request, each once.
    pub last: Vec<String>,
}

impl Absent {
    /// Maximum number of paths that are kept.
    const KEPT: usize = 64;

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
