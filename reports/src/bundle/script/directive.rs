//! Checks of a directive's position in a compiler's assembly, by awk over one function.

use std::fmt::Write as _;

use results::bundle::{Bundle, Check, DirectiveBug};

use super::made;
use crate::escape::{one_line, shell};

/// An awk program. A gap is the text between a matching instruction and the next one of the
/// function. The exit status is 1 if a gap is wrong, 3 if there is none, else 0.
const GAPS: &str = r##"
  index($0, name ":") == 1 { inside = 1; next }
  !inside { next }
  /^[ \t]*\.cfi_endproc/ { exit }
  {
    line = $0
    sub(/[ \t]+(#[ \t].*|\/\/.*)$/, "", line); gsub(/[ \t]+/, " ", line); sub(/^ /, "", line); sub(/ $/, "", line)
  }
  line == "" || line ~ /^(#|\/\/)/ || line ~ /:$/ { next }
  line ~ /^\.cfi_/ { between = between "  " line "\n"; if (line ~ ENVIRON["DIRECTIVE"]) stands = 1; next }
  line ~ /^\./ { next }
  {
    if (open) {
      gaps++
      if (stands == (fault == "early")) { bad++; said = said "  " open "\n" between "  " line "\n" }
    }
    if (ENVIRON["BEFORE"] == "" || line ~ ENVIRON["BEFORE"]) {
      seen += gaps; wrong += bad; printf "%s", said
      gaps = bad = 0; said = ""
    }
    open = line ~ ENVIRON["AFTER"] ? line : ""
    between = ""
    if (!earlier) stands = 0
  }
  END { if (wrong) exit 1; if (!seen) exit 3 }
"##;

/// Writes the check of the assembly.
pub(super) fn look(bundle: &Bundle, text: &mut String) {
    let Check::Directive { function, after, before, directive, earlier, fault } = &bundle.check else { return };
    let fault = match fault {
        DirectiveBug::Absent => "absent",
        DirectiveBug::Early => "early",
    };
    let _ = writeln!(
        text,
        "AFTER={} BEFORE={} DIRECTIVE={} awk -v name={} -v earlier={} -v fault={fault} '{GAPS}' {} >gaps",
        shell(after),
        shell(before.as_deref().unwrap_or_default()),
        shell(directive),
        shell(function),
        u8::from(*earlier),
        shell(&made(bundle)),
    );
    let message = shell(&format!("BUG: in {}, {}", one_line(function), means(&bundle.check)));
    let _ = writeln!(
        text,
        "case $? in\n  1) cat gaps; echo {message}; exit 1 ;;\n  0) echo \"no bug\" ;;\n  *) echo \"the compiler makes other code\"; \
         exit 2 ;;\nesac"
    );
}

/// The bug in words; regular expressions are replaced by examples.
pub(in crate::bundle) fn means(check: &Check) -> String {
    let Check::Directive { after, before, directive, fault, .. } = check else { return String::new() };
    let (after, directive) = (example(after), example(directive));
    let before = before.as_ref().map(|before| format!(", before '{}'", example(before))).unwrap_or_default();
    match fault {
        DirectiveBug::Absent => format!("no '{directive}' after '{after}'{before}"),
        DirectiveBug::Early => format!("'{directive}' already after '{after}'{before}"),
    }
}

/// An example text that a regular expression of a [`Check::Directive`] matches: the first of
/// alternatives, without optional parts, `...` for any text.
pub(in crate::bundle) fn example(expression: &str) -> String {
    let mut text = String::new();
    // Length of the text at each open group, and whether its first alternative has ended.
    let (mut groups, mut last) = (Vec::new(), 0);
    let mut chars = expression.trim_start_matches('^').chars().peekable();
    while let Some(next) = chars.next() {
        let before = text.len();
        let is_cut = groups.last().is_some_and(|(_, ended)| *ended);
        match next {
            '(' => groups.push((before, is_cut)),
            '|' => groups.last_mut().into_iter().for_each(|(_, ended)| *ended = true),
            ')' => last = groups.pop().map_or(before, |(start, _)| start),
            '[' => {
                chars.by_ref().find(|one| *one == ']');
                last = before;
            }
            '\\' if is_cut => drop(chars.next()),
            _ if is_cut => {}
            '?' => text.truncate(last),
            '$' if chars.peek().is_none() => {}
            '.' if chars.peek() == Some(&'*') => {
                chars.next();
                text.push_str("...");
            }
            one => {
                last = before;
                text.push(if one == '\\' { chars.next().unwrap_or(one) } else { one });
            }
        }
    }
    one_line(text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::example;

    #[test]
    fn an_example_is_plain_text() {
        let cases = [
            ("^popq? %rbp$", "pop %rbp"),
            (r"^\.cfi_restore (6|%rbp)$", ".cfi_restore 6"),
            (r"^\.cfi_def_cfa(_register)? (31|wsp|sp)", ".cfi_def_cfa 31"),
            (r"^\.cfi_(def_cfa_offset 16|def_cfa (w29|31), 16)$", ".cfi_def_cfa_offset 16"),
            (r"^stp x29, x30, \[sp, #-16\]!$", "stp x29, x30, [sp, #-16]!"),
            ("^movq [^%].*, %rbp$", "movq ..., %rbp"),
            (r"^pushq? \$", "push $"),
            ("x(a|bc?.*[|]d?)e", "xae"),
            ("", ""),
            ("(((", ""),
            (r"a\", r"a\"),
        ];
        for (expression, text) in cases {
            assert_eq!(example(expression), text, "{expression}");
        }
    }
}
