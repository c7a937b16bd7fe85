//! The statements of an assembly source that are CFI directives.

use std::ops::Range;

use types::Abi;

/// The bytes of each statement that is a CFI directive, without labels before it and comments after
/// it, in order.
///
/// GNU as manual, "Syntax": a statement ends at a line break or `;`, outside strings, character
/// constants and comments.
pub(crate) fn cfi_statements(source: &str, abi: Abi) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut scan = Scan { rest: source.as_bytes(), at: 0, line_comment: abi.facts().line_comment.as_bytes() };
    while !scan.is_at_end() {
        let statement = scan.statement();
        let text = source.get(statement.clone()).unwrap_or_default();
        let body = text.trim_end();
        let from = after_labels(body);
        if body.get(from..).is_some_and(|body| body.starts_with(".cfi_")) {
            found.push(statement.start + from..statement.start + body.len());
        }
    }
    found
}

/// Offset of what follows blanks and labels.
fn after_labels(statement: &str) -> usize {
    let mut from = 0;
    loop {
        let rest = statement.get(from..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start().len();
        let name = rest.trim_start();
        let end = name.find(|c: char| !(c.is_alphanumeric() || "._$\\@\"".contains(c))).unwrap_or(name.len());
        if end == 0 || name.as_bytes().get(end) != Some(&b':') {
            return from + blanks;
        }
        from += blanks + end + 1;
    }
}

struct Scan<'a> {
    rest: &'a [u8],
    /// Offset of `rest` in the source.
    at: usize,
    line_comment: &'a [u8],
}

impl Scan<'_> {
    fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn skip(&mut self, bytes: usize) {
        let bytes = bytes.min(self.rest.len());
        self.rest = self.rest.get(bytes..).unwrap_or_default();
        self.at += bytes;
    }

    /// Skips what ends with `end`, which is skipped too.
    fn skip_past(&mut self, end: &[u8]) {
        let found = self.rest.windows(end.len()).position(|bytes| bytes == end);
        self.skip(found.map_or(self.rest.len(), |found| found + end.len()));
    }

    /// Skips a string or character constant that `quote` begins.
    fn skip_quoted(&mut self, quote: u8) {
        self.skip(1);
        while let Some(byte) = self.rest.first() {
            match byte {
                b'\\' => self.skip(2),
                byte if *byte == quote => return self.skip(1),
                _ => self.skip(1),
            }
        }
    }

    /// Skips a statement and its end; returns its bytes up to its comment.
    fn statement(&mut self) -> Range<usize> {
        let start = self.at;
        let mut is_first = true;
        while let Some(byte) = self.rest.first() {
            let is_line_comment = self.rest.starts_with(self.line_comment) || (is_first && *byte == b'#');
            match byte {
                b'\n' | b';' => {
                    let end = self.at;
                    self.skip(1);
                    return start..end;
                }
                _ if is_line_comment => {
                    let end = self.at;
                    self.skip_past(b"\n");
                    return start..end;
                }
                b'/' if self.rest.starts_with(b"/*") => self.skip_past(b"*/"),
                b'"' => self.skip_quoted(b'"'),
                // A character constant: the closing quote is optional.
                b'\'' => {
                    self.skip(if self.rest.get(1) == Some(&b'\\') { 3 } else { 2 });
                    if self.rest.first() == Some(&b'\'') {
                        self.skip(1);
                    }
                }
                _ => self.skip(1),
            }
            is_first &= byte.is_ascii_whitespace();
        }
        start..self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str, abi: Abi) -> Vec<&str> {
        cfi_statements(source, abi).into_iter().map(|range| &source[range]).collect()
    }

    #[test]
    fn statements_after_labels_and_separators_are_found() {
        let source = "f: .cfi_startproc; nop\n1:\n\t.cfi_offset %rbp, -16 # saved\n# .cfi_undefined 3\n\t.cfi_endproc";
        assert_eq!(texts(source, Abi::Amd64), [".cfi_startproc", ".cfi_offset %rbp, -16", ".cfi_endproc"]);
    }

    #[test]
    fn strings_constants_and_comments_hide_separators() {
        let source = ".ascii \";\\\";.cfi_a\"; .cfi_b /* ; .cfi_c\n*/ 1\ncmp $';', %al; .cfi_d // x\n";
        assert_eq!(texts(source, Abi::Amd64), [".cfi_b /* ; .cfi_c\n*/ 1", ".cfi_d // x"]);
        assert_eq!(texts("nop // ; .cfi_a\n.cfi_b // c\n#; .cfi_c", Abi::Aarch64), [".cfi_b"]);
    }
}
