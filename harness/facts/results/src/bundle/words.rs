//! Arguments in files: one line if no argument is empty or contains a blank, else a list. No shell
//! interprets the line.

use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

pub(super) fn serialize<S: Serializer>(words: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    let line = words.join(" ");
    match line.split_whitespace().eq(words) {
        true => serializer.serialize_str(&line),
        false => words.serialize(serializer),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged, expecting = "arguments: a line, or a list where one has a blank in it")]
    enum Written {
        Line(String),
        List(Vec<String>),
    }
    Ok(match Written::deserialize(deserializer)? {
        Written::Line(line) => line.split_whitespace().map(str::to_owned).collect(),
        Written::List(words) => words,
    })
}
