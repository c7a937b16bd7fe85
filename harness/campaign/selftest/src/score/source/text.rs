//! C or Rust text as bugs are put into it: what is code, and where functions and tables are.

use std::ops::Range;

/// The text of a file, and the same with comments, strings and lines of the preprocessor blanked.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// The unchanged text.
    pub text: String,
    /// The same length, with spaces in place of comments and literals.
    pub code: String,
}

/// A definition at the outermost level whose body is in braces: a function, or a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub name: String,
    /// From its brace to the one that closes it.
    pub body: Range<usize>,
    /// What it returns, if it is a function.
    pub returns: Option<Returns>,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returns {
    Nothing,
    /// A number, a pointer or a truth value.
    Scalar,
}

impl Code {
    /// Reads a file's text. Bytes that are not ASCII become question marks.
    pub(super) fn new(text: &str) -> Code {
        let text: String = text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect();
        let code = blanked(&text);
        Code { text, code }
    }

    /// Functions and tables, in order.
    pub(super) fn definitions(&self) -> Vec<Definition> {
        let bytes = self.code.as_bytes();
        let mut found = Vec::new();
        let (mut depth, mut begin, mut head) = (0_usize, 0, 0);
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                // What follows are functions of Rust.
                b'{' if depth == 0
                    && self.code.get(head..at).is_some_and(|head| head.trim_start().starts_with("impl")) =>
                {
                    head = at + 1;
                }
                b'{' => {
                    if depth == 0 {
                        begin = at;
                    }
                    depth += 1;
                }
                b'}' if depth == 0 => head = at + 1,
                b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        found.extend(definition(self.code.get(head..begin).unwrap_or_default(), begin..at + 1));
                        head = at + 1;
                    }
                }
                b';' if depth == 0 => head = at + 1,
                _ => {}
            }
        }
        found
    }
}

/// The definition that a head and a body make; `None` for a type.
fn definition(head: &str, body: Range<usize>) -> Option<Definition> {
    if let Some((_, function)) = head.split_once("fn ") {
        let name = function.split(|c| !is_word(c)).next()?;
        let returns = Some(if function.contains(" -> ") { Returns::Scalar } else { Returns::Nothing });
        return Some(Definition { name: name.to_owned(), body, returns });
    }
    let declared = head.trim_end().trim_end_matches('=').trim_end();
    if let Some(open) = declared.rfind('(').filter(|_| declared.ends_with(')')) {
        // The parameters may have parentheses of their own: the first one after a name opens them.
        let open = declared.find(" (").map_or(open, |at| at + 1);
        let before = declared.get(..open)?.trim_end();
        let name = last_word(before)?;
        let kind = before.get(..before.len() - name.len())?.trim_end();
        let nothing = kind.ends_with("void");
        let returns = Some(if nothing { Returns::Nothing } else { Returns::Scalar });
        return Some(Definition { name: name.to_owned(), body, returns });
    }
    if !head.trim_end().ends_with('=') {
        return None;
    }
    let name = last_word(declared.split('[').next()?.trim_end())?;
    Some(Definition { name: name.to_owned(), body, returns: None })
}

fn last_word(text: &str) -> Option<&str> {
    let start = text.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
    text.get(start..).filter(|word| !word.is_empty())
}

/// Returns true for a character of a name or number.
pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Spaces in place of comments, strings, characters and preprocessor lines; lines stay.
fn blanked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut state = State::Code;
    let mut before = '\n';
    let mut chars = text.chars().peekable();
    let mut line_is_blank = true;
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        let (shown, then) = match state {
            State::Code if c == '/' && next == Some('*') => (' ', State::Comment),
            State::Code if c == '/' && next == Some('/') => (' ', State::Line),
            State::Code if c == '#' && line_is_blank => (' ', State::Directive),
            // A lifetime of Rust has no quote after its first character.
            State::Code if c == '"' || c == '\'' && (next == Some('\\') || chars.clone().nth(1) == Some('\'')) => {
                (' ', State::Quoted(c))
            }
            State::Code => (c, State::Code),
            State::Comment if before == '*' && c == '/' => (' ', State::Code),
            State::Quoted(_) if before == '\\' => {
                // A backslash that is itself escaped escapes nothing.
                before = ' ';
                out.push(if c == '\n' { c } else { ' ' });
                continue;
            }
            State::Quoted(quote) if c == quote => (' ', State::Code),
            State::Line | State::Directive if c == '\n' && before != '\\' => (c, State::Code),
            other => (' ', other),
        };
        if state == State::Code && then == State::Comment {
            // Its star is not that of its end: "/*/" ends nothing.
            chars.next();
            out.push(' ');
        }
        before = if then == State::Comment && state == State::Code { ' ' } else { c };
        line_is_blank = c == '\n' || line_is_blank && c.is_whitespace();
        out.push(if c == '\n' { c } else { shown });
        state = then;
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    Comment,
    Line,
    Directive,
    Quoted(char),
}

#[cfg(test)]
mod tests {
    use super::{Code, Returns};

    #[test]
    fn comments_strings_and_macros_are_no_code() {
        let code = Code::new("a /* b \"*/ c \"d\\\"e\" 'f' g // h\n#define i \\\n j\nk /*/ l */ m");
        assert_eq!(code.code.split_whitespace().collect::<Vec<_>>(), ["a", "c", "g", "k", "m"]);
        assert_eq!(code.code.len(), code.text.len());
        assert_eq!(code.code.matches('\n').count(), code.text.matches('\n').count());
    }

    #[test]
    fn functions_and_tables_are_found_by_name() {
        let text = "struct s { int a; };\nstatic void\nf (int (*g) (int), char c)\n{ if (c) { } }\n\
                    static const struct s rows[] =\n{ { 1 }, { 2 } };\nint x;\nint *\nh (void)\n{ return 0; }\n";
        let found = Code::new(text).definitions();
        let named: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.returns)).collect();
        assert_eq!(named, [("f", Some(Returns::Nothing)), ("rows", None), ("h", Some(Returns::Scalar))]);
        assert_eq!(text.get(found[1].body.clone()), Some("{ { 1 }, { 2 } }"));
    }

    #[test]
    fn functions_of_rust_are_found_in_implementations() {
        let text = "struct S<'a>(&'a u8);\nimpl<'a> S<'a> {\n    fn f(&self) -> u8 { if *self.0 == b'}' { 1 } else { 2 } }\n\
                    \n    fn g(&mut self) { }\n}\nfn h() { }\n";
        let found = Code::new(text).definitions();
        let named: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.returns)).collect();
        assert_eq!(named, [("f", Some(Returns::Scalar)), ("g", Some(Returns::Nothing)), ("h", Some(Returns::Nothing))]);
    }
}
