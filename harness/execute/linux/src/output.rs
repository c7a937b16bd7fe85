//! Standard output and error of a program.

/// The bytes written to standard output and error, in the order written.
#[derive(Debug, Default)]
pub(crate) struct Output {
    pub(crate) kept: Vec<u8>,
    pub(crate) written: u64,
}

impl Output {
    /// Maximum number of bytes that are kept.
    const MOST: usize = 1 << 20;

    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.written = self.written.saturating_add(bytes.len() as u64);
        let room = Output::MOST - self.kept.len();
        self.kept.extend(bytes.iter().take(room));
    }
}
