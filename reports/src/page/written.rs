//! Findings in the page's data: the text of each, and examples with picture, code and commands.
//!
//! `assets/data.js` and `assets/finding.js` read these keys; the files must change together.

use results::{Finding, TrialLine, Values, WindowLine, entry_name};
use serde_json::{Value, json};
use types::Aspect;

use super::data::Pool;
use super::picture::{Agreement, Line, Picture};
use super::text::clean;
use crate::cells::{FIELDS, charged, wrong_cells};
use crate::findings::Group;
use crate::places::Steps;

/// Maximum number of PC ranges of one example.
const RANGES: usize = 64;

/// Placeholders in an interned command for the finding's fingerprint and the trial's name: no
/// cleaned text contains them.
const FINGERPRINT: &str = "\u{3}";
const TRIAL: &str = "\u{4}";

/// The amount of data of an example.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// An example with window and picture.
    Full,
    /// An example without window and picture.
    Rows,
}

impl Pool {
    pub(super) fn group(&mut self, group: &Group<'_>, examples: &[Value]) -> Value {
        let first = group.best;
        let shape = first.what();
        let (rule, blame, field) = (first.rule().name(), first.blame().name(), first.evidence.field.name());
        let headline = first.headline();
        let words = [rule, blame, first.function(), &shape, field, &headline];
        let words = words.map(|text| self.strings.text(text));
        json!([clean(group.fingerprint), words, examples])
    }

    /// Writes a trial, given by its number, that shows the finding; `steps` are the commands for
    /// it.
    pub(super) fn example(
        &mut self,
        number: usize,
        trial: &TrialLine,
        found: &Finding,
        steps: &Steps,
        detail: Detail,
    ) -> Value {
        let sources = [&found.evidence.truth, &found.evidence.sframe, &found.evidence.eh_frame];
        let sources: Vec<Value> = sources.into_iter().map(|values| self.values(values.as_ref())).collect();
        let ranges: Vec<[String; 2]> =
            found.evidence.ranges.iter().take(RANGES).map(|(from, to)| [hex(*from), hex(*to)]).collect();
        let mut example = json!({
            "i": number, "b": charged(found), "c": self.steps(steps, found.fingerprint(), &trial.key), "m": self.strings.text(&found.shown.message), "p": self.strings.text(&found.shown.place), "r": ranges,
            "n": found.evidence.ranges.len(), "s": found.evidence.steps, "x": u8::from(found.evidence.executed), "d": found.evidence.depth,
            "e": self.strings.text(&found.shown.section), "o": found.shown.offset.map(hex), "v": sources,
        });
        if let Some(object) = example.as_object_mut() {
            if let Some(source) = &found.shown.source {
                object.insert("src".to_owned(), self.strings.text(&format!("{}:{}", source.file, source.line)).into());
            }
            let edits = found.evidence.repair.iter().flat_map(|repair| repair.edits());
            let edits: Vec<Value> = edits.map(|edit| self.strings.text(&edit.sentence()).into()).collect();
            if !edits.is_empty() {
                object.insert("fix".to_owned(), edits.into());
            }
            if let Some(like) = &found.standing.resembles {
                let texts = [entry_name(&like.file), &like.of].map(|text| self.strings.text(text));
                object.insert("like".to_owned(), json!([texts[0], texts[1], u8::from(like.same_case)]));
            }
        }
        if detail == Detail::Full
            && let Some(object) = example.as_object_mut()
        {
            let window: Vec<Value> = found.shown.window.iter().map(|line| self.window(found, line)).collect();
            object.insert("w".to_owned(), window.into());
            if let Some(picture) = Picture::new(found) {
                object.insert("pic".to_owned(), drawn(&picture));
            }
        }
        example
    }

    fn values(&mut self, values: Option<&Values>) -> Value {
        values.map_or(Value::Null, |values| {
            json!([
                values.cfa.map(hex),
                values.ra.map(hex),
                values.fp.map(hex),
                self.strings.text(&values.row.to_string())
            ])
        })
    }

    /// Address, texts, and for a wrong line its wrong cells, each with the sum of its wrong fields:
    /// 1 the CFA, 2 the return address, 4 the frame pointer, 0 the whole row.
    fn window(&mut self, found: &Finding, line: &WindowLine) -> Value {
        let texts = [&line.place, &line.text, &line.truth, &line.sframe, &line.eh_frame];
        let texts = texts.map(|text| self.strings.text(text));
        let cells: Vec<Value> =
            wrong_cells(found, line).into_iter().map(|(table, fields)| json!([table, bits(&fields)])).collect();
        json!([hex(line.pc), texts, if line.wrong { json!(cells) } else { json!(0) }])
    }

    /// The commands as pairs of texts with placeholders, so that findings share them. Without the
    /// page itself.
    pub(super) fn steps(&mut self, steps: &Steps, fingerprint: &str, trial: &str) -> u64 {
        let mut pairs = Vec::new();
        for (what, command) in steps.iter().filter(|(what, _)| *what != "page") {
            let mut command = clean(command);
            for (name, sign) in [(fingerprint, FINGERPRINT), (trial, TRIAL)] {
                if name.len() > 2 {
                    command = command.replace(&clean(name), sign);
                }
            }
            pairs.extend([self.strings.text(what), self.strings.number(command)]);
        }
        self.lists.number(pairs)
    }
}

/// Lines as `[address, offset from CFA, value]` or the number of bytes of a gap; marks as `[line,
/// source, what, above, wrong]`.
fn drawn(picture: &Picture) -> Value {
    let wrong = |standing: Agreement| u8::from(standing == Agreement::Wrong);
    let lines: Vec<Value> = picture
        .lines
        .iter()
        .map(|line| match line {
            Line::Word { at, from_cfa, value } => json!([picture.address(*at), format!("{from_cfa:+}"), value]),
            Line::Gap(bytes) => json!(bytes.to_string()),
        })
        .collect();
    let marks: Vec<Value> = picture
        .marks
        .iter()
        .map(|mark| json!([mark.line, mark.source, mark.what, mark.above.to_string(), wrong(mark.standing)]))
        .collect();
    let off_stack: Vec<Value> = picture
        .off_stack
        .iter()
        .map(|(source, text, standing)| json!([source, clean(text), wrong(*standing)]))
        .collect();
    json!({ "l": lines, "m": marks, "a": off_stack })
}

fn bits(fields: &[Aspect]) -> u64 {
    FIELDS.iter().enumerate().filter(|(_, field)| fields.contains(field)).map(|(nth, _)| 1 << nth).sum()
}

/// An address as text: numbers in scripts lose precision beyond 53 bits.
fn hex(value: u64) -> String {
    format!("{value:x}")
}
