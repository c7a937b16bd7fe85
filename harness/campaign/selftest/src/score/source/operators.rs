//! The bugs that are made in C or Rust text: each operator lists the places of a definition where
//! it can be made.

use std::collections::BTreeSet;
use std::ops::Range;

use super::text::{Code, Definition, Returns, is_word};

/// A kind of bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// The condition of an `if` is negated.
    Negate,
    /// A statement is left out.
    Drop,
    /// An assignment of a field to the field of the same name is left out.
    LostCopy,
    /// A number is one more.
    OffByOne,
    /// Another constant whose name differs in one word.
    Constant,
    /// Another field of the same structure.
    Field,
    /// Two neighbouring arguments are swapped.
    Swap,
    /// A function returns at once.
    EarlyReturn,
    /// `<` for `<=`, `==` for `!=`.
    Comparison,
    /// `&&` for `||`.
    Logic,
    /// `+` for `-`, `<<` for `>>`, `|` for `&`.
    Arithmetic,
    /// Given by the user.
    Given,
}

/// A bug in a file: the text put in a place.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Edit {
    /// The kind of bug.
    pub operator: Operator,
    /// The function or table.
    pub definition: String,
    /// Line, from 1.
    pub line: usize,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The text that is put in their place.
    pub by: String,
}

impl Edit {
    /// The file with the bug: as many lines, so that assertions name the same ones.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut new = String::with_capacity(text.len() + self.by.len());
        new.push_str(text.get(..self.range.start).unwrap_or_default());
        new.push_str(&self.by);
        let lines = text.get(self.range.clone()).unwrap_or_default().matches('\n').count();
        new.push_str(&"\n".repeat(lines.saturating_sub(self.by.matches('\n').count())));
        new.push_str(text.get(self.range.end..).unwrap_or_default());
        new
    }
}

/// Every bug that can be made in a definition of a file, in order of operators and places.
pub(super) fn edits(code: &Code, definition: &Definition) -> Vec<Edit> {
    let places = Places { code, body: definition.body.clone() };
    let mut found = Vec::new();
    let mut add = |operator: Operator, all: Vec<(Range<usize>, String)>| {
        found.extend(all.into_iter().map(|(range, by)| Edit {
            operator,
            definition: definition.name.clone(),
            line: code.text.get(..range.start).unwrap_or_default().matches('\n').count() + 1,
            range,
            by,
        }));
    };
    add(Operator::OffByOne, places.numbers());
    add(Operator::Constant, places.constants());
    if let Some(returns) = definition.returns {
        add(Operator::Negate, places.conditions());
        let (copies, others): (Vec<_>, Vec<_>) = places.statements().into_iter().partition(|one| places.is_copy(one));
        add(Operator::Drop, others.into_iter().map(|range| (range, ";".to_owned())).collect());
        add(Operator::LostCopy, copies.into_iter().map(|range| (range, ";".to_owned())).collect());
        add(Operator::Field, places.fields());
        add(Operator::Swap, places.arguments());
        let value = if returns == Returns::Nothing { "" } else { " 0" };
        let start = definition.body.start;
        add(Operator::EarlyReturn, vec![(start..start + 1, format!("{{ if (1) return{value};"))]);
        let compared = [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "==")];
        add(Operator::Comparison, places.between_spaces(&compared));
        add(Operator::Logic, places.between_spaces(&[("&&", "||"), ("||", "&&")]));
        let arithmetic = [("+", "-"), ("-", "+"), ("<<", ">>"), (">>", "<<"), ("|", "&"), ("+=", "-="), ("|=", "&=")];
        add(Operator::Arithmetic, places.between_spaces(&arithmetic));
    }
    found
}

struct Places<'a> {
    code: &'a Code,
    body: Range<usize>,
}

type Replaced = Vec<(Range<usize>, String)>;

impl Places<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        self.code.code.get(range).unwrap_or_default()
    }

    /// Names and numbers of the body, each with its place.
    fn words(&self) -> Vec<(Range<usize>, &str)> {
        words(&self.code.code, self.body.clone())
    }

    fn numbers(&self) -> Replaced {
        let decimal = |word: &str| word.parse::<u32>().ok().map(|value| (value + 1).to_string());
        let hex = |word: &str| {
            let value = u32::from_str_radix(word.strip_prefix("0x")?, 16).ok()?;
            Some(format!("{:#x}", value.wrapping_add(1)))
        };
        let replaced = |(range, word): (Range<usize>, &str)| Some((range, decimal(word).or_else(|| hex(word))?));
        self.words().into_iter().filter_map(replaced).collect()
    }

    /// Of all constants of the file that differ in one word, the next in order, round and round.
    fn constants(&self) -> Replaced {
        let all = words(&self.code.code, 0..self.code.code.len());
        let all: BTreeSet<&str> = all.into_iter().map(|(_, word)| word).filter(|word| is_constant(word)).collect();
        let other = |(range, word): (Range<usize>, &str)| {
            let after = all.range(word..).skip(1).chain(all.range(..word));
            let like = after.copied().find(|other| differs_in_one_word(word, other))?;
            is_constant(word).then(|| (range, like.to_owned()))
        };
        self.words().into_iter().filter_map(other).collect()
    }

    fn conditions(&self) -> Replaced {
        let ifs = self.words().into_iter().filter(|(_, word)| *word == "if");
        let inner = ifs.filter_map(|(range, _)| {
            let open = range.end + self.text(range.end..self.body.end).find('(')?;
            let close = self.closing(open)?;
            let condition = self.code.text.get(open..close + 1)?;
            Some((open..close + 1, format!("(!{condition})")))
        });
        inner.collect()
    }

    /// Statements that call or assign, without their declarations.
    fn statements(&self) -> Vec<Range<usize>> {
        let text = self.text(self.body.clone());
        let mut found = Vec::new();
        let (mut begin, mut depth) = (self.body.start, 0_usize);
        for (at, c) in text.char_indices().map(|(at, c)| (at + self.body.start, c)) {
            match c {
                '(' => depth += 1,
                ')' => {
                    depth = depth.saturating_sub(1);
                    // What follows the condition of a statement is one itself.
                    if depth == 0 && self.is_head(begin) {
                        begin = at + 1;
                    }
                }
                '{' | '}' | ':' if depth == 0 => begin = at + 1,
                ';' if depth == 0 => {
                    let start = begin + self.text(begin..at).find(|c: char| !c.is_whitespace()).unwrap_or(0);
                    if self.is_effect(start..at) {
                        found.push(start..at + 1);
                    }
                    begin = at + 1;
                }
                _ => {}
            }
        }
        found
    }

    /// Returns true if the head of a statement with a condition begins here.
    fn is_head(&self, begin: usize) -> bool {
        let text = self.text(begin..self.body.end).trim_start();
        let text = text.strip_prefix("else").map_or(text, str::trim_start);
        ["if", "while", "for", "switch"]
            .into_iter()
            .any(|word| text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word)))
    }

    fn is_effect(&self, range: Range<usize>) -> bool {
        let text = self.text(range.clone());
        let first = words(&self.code.code, range).into_iter().map(|(_, word)| word).next().unwrap_or_default();
        let jumps = ["return", "break", "continue", "goto", "else", "do", "while", "case", "default", ""];
        if jumps.contains(&first) || is_constant(first) {
            return false;
        }
        // Two names in a row declare a variable; so does a type and a star.
        let rest = text.trim_start_matches('*').strip_prefix(first).unwrap_or(text).trim_start();
        let declares = rest.starts_with(is_word) || rest.starts_with('*');
        !declares && (text.contains('=') || text.contains(" (") || text.contains("++") || text.contains("--"))
    }

    /// Returns true for `a->f = b->f;`.
    fn is_copy(&self, range: &Range<usize>) -> bool {
        let text = self.text(range.clone()).trim_end_matches(';');
        let field = |side: &str| side.trim().rsplit(['.', '>']).next().map(str::to_owned);
        text.split_once(" = ")
            .is_some_and(|(left, right)| (left.contains("->") || left.contains('.')) && field(left) == field(right))
    }

    /// Replacements of a structure's field by another field that the file uses of the same
    /// variable.
    fn fields(&self) -> Replaced {
        let of = |range: Range<usize>| members(&self.code.code, range);
        let all = of(0..self.code.code.len());
        let here = of(self.body.clone());
        let other = |(base, range): &(String, Range<usize>)| {
            let name = self.text(range.clone());
            let names: BTreeSet<&str> = all
                .iter()
                .filter(|(other, _)| other == base)
                .map(|(_, range)| self.code.code.get(range.clone()).unwrap_or_default())
                .collect();
            let after = names.range(name..).skip(1).chain(names.range(..name));
            after.copied().next().map(|other| (range.clone(), other.to_owned()))
        };
        here.iter().filter_map(other).collect()
    }

    fn arguments(&self) -> Replaced {
        let calls = self.words().into_iter().filter(|(range, word)| {
            let keywords = ["if", "while", "for", "switch", "sizeof", "return"];
            !keywords.contains(word) && self.text(range.end..self.body.end).trim_start().starts_with('(')
        });
        let swapped = calls.filter_map(|(range, _)| {
            let open = range.end + self.text(range.end..self.body.end).find('(')?;
            let close = self.closing(open)?;
            let parts = self.parts(open + 1..close);
            let pair = parts.windows(2).find(|pair| {
                let [one, two] = [0, 1].map(|at| pair.get(at).map(|part| self.text(part.clone()).trim()));
                one != two && one.is_some_and(|text| !text.is_empty()) && two.is_some_and(|text| !text.is_empty())
            })?;
            let [one, two] = pair else { return None };
            let text = |part: &Range<usize>| self.code.text.get(part.clone()).unwrap_or_default().trim();
            Some((one.start..two.end, format!("{}, {}", text(two), text(one))))
        });
        swapped.collect()
    }

    /// The parts between commas of this level.
    fn parts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let (mut depth, mut begin, mut parts) = (0_usize, range.start, Vec::new());
        for (at, c) in self.text(range.clone()).char_indices().map(|(at, c)| (at + range.start, c)) {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parts.push(begin..at);
                    begin = at + 1;
                }
                _ => {}
            }
        }
        parts.push(begin..range.end);
        parts
    }

    fn between_spaces(&self, pairs: &[(&str, &str)]) -> Replaced {
        let found = pairs.iter().flat_map(|(old, new)| {
            let needle = format!(" {old} ");
            let places: Vec<usize> = self.text(self.body.clone()).match_indices(&needle).map(|(at, _)| at).collect();
            let start = self.body.start;
            places.into_iter().map(move |at| (start + at + 1..start + at + 1 + old.len(), (*new).to_owned()))
        });
        found.collect()
    }

    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, c) in self.text(open..self.body.end).char_indices() {
            match c {
                '(' => depth += 1,
                ')' if depth == 1 => return Some(open + at),
                ')' => depth -= 1,
                _ => {}
            }
        }
        None
    }
}

fn words(code: &str, range: Range<usize>) -> Vec<(Range<usize>, &str)> {
    let text = code.get(range.clone()).unwrap_or_default();
    let mut found = Vec::new();
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (begin, is_word(c)) {
            (None, true) => begin = Some(at),
            (Some(start), false) => {
                found.push((range.start + start..range.start + at, text.get(start..at).unwrap_or_default()));
                begin = None;
            }
            _ => {}
        }
    }
    found
}

/// `a->b`, `a.b`: the variable and the place of the field.
fn members(code: &str, range: Range<usize>) -> Vec<(String, Range<usize>)> {
    let all = words(code, range);
    let pairs = all.windows(2).filter_map(|pair| {
        let [(base, name), (field, _)] = pair else { return None };
        let between = code.get(base.end..field.start)?;
        (between == "->" || between == ".").then(|| ((*name).to_owned(), field.clone()))
    });
    // What is called is not a field of a number.
    pairs.filter(|(base, _)| !base.starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// Returns true for `LIKE_THIS`.
fn is_constant(word: &str) -> bool {
    word.len() > 3
        && word.contains('_')
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && !word.contains(|c: char| c.is_ascii_lowercase())
}

fn differs_in_one_word(one: &str, other: &str) -> bool {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.split('_').collect(), other.split('_').collect());
    one.len() == other.len() && one.len() > 1 && one.iter().zip(&other).filter(|(a, b)| a != b).count() == 1
}

#[cfg(test)]
mod tests {
    use super::{Edit, Operator, edits};
    use crate::score::source::text::Code;

    const TEXT: &str = "\
static int
f (struct s *to, struct s *from, int n)
{
  int made = 1;
  to->kind = from->kind;
  if (n < 4 && to->kind == SFRAME_FRE_TYPE_ADDR1)
    g (to, from->size);
  to->size = n + SFRAME_FRE_TYPE_ADDR2;
  return made;
}
";

    fn made(operator: Operator) -> Vec<String> {
        let code = Code::new(TEXT);
        let [definition] = code.definitions().try_into().expect("one function");
        let all: Vec<Edit> = edits(&code, &definition);
        let lines = |edit: &Edit| {
            let new = edit.apply(TEXT);
            assert_eq!(new.matches('\n').count(), TEXT.matches('\n').count());
            let line = new.lines().nth(edit.line - 1).unwrap_or_default();
            assert_ne!(Some(line), TEXT.lines().nth(edit.line - 1), "{edit:?}");
            line.trim().to_owned()
        };
        all.iter().filter(|edit| edit.operator == operator).map(lines).collect()
    }

    #[test]
    fn each_operator_makes_its_mistakes_where_it_can() {
        let expected: [(Operator, &[&str]); 11] = [
            (Operator::Negate, &["if (!(n < 4 && to->kind == SFRAME_FRE_TYPE_ADDR1))"]),
            (Operator::Drop, &[";", ";"]),
            (Operator::LostCopy, &[";"]),
            (Operator::OffByOne, &["int made = 2;", "if (n < 5 && to->kind == SFRAME_FRE_TYPE_ADDR1)"]),
            (
                Operator::Constant,
                &["if (n < 4 && to->kind == SFRAME_FRE_TYPE_ADDR2)", "to->size = n + SFRAME_FRE_TYPE_ADDR1;"],
            ),
            (
                Operator::Field,
                &[
                    "to->size = from->kind;",
                    "to->kind = from->size;",
                    "if (n < 4 && to->size == SFRAME_FRE_TYPE_ADDR1)",
                    "g (to, from->kind);",
                    "to->kind = n + SFRAME_FRE_TYPE_ADDR2;",
                ],
            ),
            (Operator::Swap, &["g (from->size, to);"]),
            (Operator::EarlyReturn, &["{ if (1) return 0;"]),
            (
                Operator::Comparison,
                &[
                    "if (n <= 4 && to->kind == SFRAME_FRE_TYPE_ADDR1)",
                    "if (n < 4 && to->kind != SFRAME_FRE_TYPE_ADDR1)",
                ],
            ),
            (Operator::Logic, &["if (n < 4 || to->kind == SFRAME_FRE_TYPE_ADDR1)"]),
            (Operator::Arithmetic, &["to->size = n - SFRAME_FRE_TYPE_ADDR2;"]),
        ];
        for (operator, lines) in expected {
            assert_eq!(made(operator), lines, "{operator:?}");
        }
    }
}
