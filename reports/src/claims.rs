//! The document of claims about the format: a text whose numbers are those of kept results.
//!
//! A field is `{n:PATH}`, a number or text; `{q2:PATH;PATH}`, a quotient with 2 digits;
//! `{p1:PATH;PATH}`, a quotient in per cent with 1 digit. A path has keys with dots between them. A
//! line that begins with `{for:PATH}` is repeated for each entry there: `$` is the entry's path,
//! `{@}` its key.

use serde_json::Value;

/// A field of the text that the results do not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no value for {{{0}}}")]
pub struct UnknownField(String);

/// The text with its fields filled in.
///
/// # Errors
/// A field that is not valid, or names nothing in the results.
pub fn render(text: &str, kept: &Value) -> Result<String, UnknownField> {
    let mut out = String::new();
    for line in text.lines() {
        let Some((list, row)) = line.strip_prefix("{for:").and_then(|rest| rest.split_once('}')) else {
            out += &filled(line, kept)?;
            out.push('\n');
            continue;
        };
        let entries = at(kept, list).and_then(Value::as_object).ok_or_else(|| UnknownField(list.to_owned()))?;
        for key in entries.keys() {
            out += &filled(&row.replace('$', &format!("{list}.{key}")).replace("{@}", key), kept)?;
            out.push('\n');
        }
    }
    Ok(out)
}

fn filled(line: &str, kept: &Value) -> Result<String, UnknownField> {
    let (mut out, mut rest) = (String::new(), line);
    while let Some((before, after)) = rest.split_once('{') {
        let unknown = || UnknownField(after.to_owned());
        let (field, next) = after.split_once('}').ok_or_else(unknown)?;
        out += before;
        out += &value(field, kept).ok_or_else(unknown)?;
        rest = next;
    }
    Ok(out + rest)
}

fn value(field: &str, kept: &Value) -> Option<String> {
    let (form, paths) = field.split_once(':')?;
    let number = |path: &str| at(kept, path).and_then(Value::as_f64);
    if form == "n" {
        let text = at(kept, paths)?;
        return text.as_str().map(str::to_owned).or_else(|| Some(text.as_f64()?.to_string()));
    }
    let (part, whole) = paths.split_once(';')?;
    let quotient = number(part)? / Some(number(whole)?).filter(|whole| *whole != 0.0)?;
    let digits: usize = form.get(1..)?.parse().ok()?;
    match form.get(..1)? {
        "q" => Some(format!("{quotient:.digits$}")),
        "p" => Some(format!("{:.digits$}", 100.0 * quotient)),
        _ => None,
    }
}

/// The value of a path. A key may have dots itself.
fn at<'v>(kept: &'v Value, path: &str) -> Option<&'v Value> {
    let after = |key: &str, value: &'v Value| match path.strip_prefix(key)? {
        "" => Some(value),
        rest => at(value, rest.strip_prefix('.')?),
    };
    match kept {
        Value::Array(entries) => entries.iter().enumerate().find_map(|(index, value)| after(&index.to_string(), value)),
        Value::Object(entries) => entries.iter().find_map(|(key, value)| after(key, value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_numbers_quotients_and_lines() {
        let kept = json!({"a": {"x.1": {"b": "V1", "c": [8, 3]}, "y": {"b": 2, "c": [4, 0]}}});
        let text = "{n:a.x.1.b} of {q2:a.x.1.c.1;a.x.1.c.0}\n{for:a}| {@} | {p1:$.c.1;$.c.0} |\n";
        assert_eq!(render(text, &kept).as_deref(), Ok("V1 of 0.38\n| x.1 | 37.5 |\n| y | 0.0 |\n"));
        for wrong in ["{n:b}", "{n:a}", "{q2:a.y.b;a.y.c.1}", "{q2:a.y.b}", "{z:a.y.b;a.y.b}", "{n:a.y.b", "{for:b}"] {
            assert!(render(wrong, &kept).is_err(), "{wrong}");
        }
    }
}
