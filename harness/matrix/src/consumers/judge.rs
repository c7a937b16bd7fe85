//! What an answer is worth. Nothing that a text leaves open, or that a reader does not claim, is held against it.

use generators::vectors::{Class, Expected, Row, Vector, call};
use model::{Abi, PacKey};
use toolchain::consumer::{Consumer, Reply, Tells};

use super::answers;
use crate::corpus::AnswerLine;

/// What an answer is worth, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing is owed, and the reader came back.
    Free,
    /// As expected.
    Right,
    /// It refuses a section or function that is valid and that it claims to read.
    Refused,
    /// It finds no row where there is one.
    Missed,
    /// The row finds something else than the right one.
    WrongRow,
    /// The caller is not the right one.
    WrongCaller,
    /// It answers from what cannot be read.
    AnsweredMalformed,
    /// The adapter does not speak the protocol.
    Broken,
    /// It runs out of memory.
    OutOfMemory,
    /// It does not come back.
    Hang,
    /// A signal ends it.
    Crash,
    /// A sanitiser ends it.
    Sanitiser,
}

impl Verdict {
    /// All, from good to bad.
    pub const ALL: [Verdict; 12] = [
        Verdict::Free,
        Verdict::Right,
        Verdict::Refused,
        Verdict::Missed,
        Verdict::WrongRow,
        Verdict::WrongCaller,
        Verdict::AnsweredMalformed,
        Verdict::Broken,
        Verdict::OutOfMemory,
        Verdict::Hang,
        Verdict::Crash,
        Verdict::Sanitiser,
    ];

    /// The word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Free => "free",
            Verdict::Right => "right",
            Verdict::Refused => "refused",
            Verdict::Missed => "missed",
            Verdict::WrongRow => "wrong-row",
            Verdict::WrongCaller => "wrong-caller",
            Verdict::AnsweredMalformed => "answered-malformed",
            Verdict::Broken => "broken",
            Verdict::OutOfMemory => "out-of-memory",
            Verdict::Hang => "hang",
            Verdict::Crash => "crash",
            Verdict::Sanitiser => "sanitiser",
        }
    }

    /// It is held against the reader.
    pub const fn accuses(self) -> bool {
        !matches!(self, Verdict::Free | Verdict::Right | Verdict::Broken)
    }
}

/// An answer and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The PC; none where the whole section is meant.
    pub pc: Option<u64>,
    /// What it is worth.
    pub verdict: Verdict,
    /// What was answered, or how it ended.
    pub got: String,
    /// What should have been.
    pub want: String,
}

/// Judges a reply: every answer, or how it ended where there is none.
pub(super) fn all(consumer: &Consumer, vector: &Vector, reply: &Reply) -> Vec<Judged> {
    let whole = |verdict, got: String| vec![Judged { pc: None, verdict, got, want: "an answer".to_owned() }];
    match reply {
        Reply::Crash(signal) => return whole(Verdict::Crash, format!("signal {signal}")),
        Reply::Hang => return whole(Verdict::Hang, "no end in time".to_owned()),
        Reply::Sanitiser(trace) => return whole(Verdict::Sanitiser, trace.clone()),
        Reply::OutOfMemory => return whole(Verdict::OutOfMemory, "out of memory".to_owned()),
        Reply::Broken(why) => return whole(Verdict::Broken, why.clone()),
        Reply::Refused | Reply::Lines(_) => {}
    }
    let answers = match answers(reply, vector.answers.len()) {
        Ok(answers) => answers,
        Err(why) => return whole(Verdict::Broken, why),
    };
    let judged = vector.answers.iter().zip(answers).map(|(asked, got)| {
        let got = got.named(vector.abi);
        Judged {
            pc: Some(asked.pc),
            verdict: one(consumer, vector, &asked.expected, got),
            got: got.to_string(),
            want: want(vector.abi, &asked.expected),
        }
    });
    judged.collect()
}

fn one(consumer: &Consumer, vector: &Vector, expected: &Expected, got: AnswerLine) -> Verdict {
    if matches!(vector.class, Class::Open(_) | Class::Invalid(_)) {
        return Verdict::Free;
    }
    let gives_nothing = matches!(got, AnswerLine::None | AnswerLine::Err);
    match expected {
        Expected::Anything | Expected::OneOf(_) => Verdict::Free,
        Expected::Row(row) => row_verdict(consumer, vector.abi, row, got),
        Expected::NoRow => match got {
            AnswerLine::None => Verdict::Right,
            AnswerLine::Err => Verdict::Refused,
            _ => Verdict::WrongRow,
        },
        Expected::Refuse if gives_nothing => Verdict::Right,
        Expected::Refuse => Verdict::AnsweredMalformed,
        Expected::RowOrRefuse(row) => match row_verdict(consumer, vector.abi, row, got) {
            Verdict::Right => Verdict::Right,
            _ if gives_nothing => Verdict::Right,
            _ => Verdict::AnsweredMalformed,
        },
    }
}

fn row_verdict(consumer: &Consumer, abi: Abi, row: &Row, got: AnswerLine) -> Verdict {
    match got {
        AnswerLine::None => Verdict::Missed,
        AnswerLine::Err => Verdict::Refused,
        AnswerLine::Caller { pc, sp, fp } => {
            let caller = call(abi, row);
            let right = caller.is_some_and(|caller| (caller.pc, caller.sp, caller.fp) == (pc, sp, fp));
            if right { Verdict::Right } else { Verdict::WrongCaller }
        }
        AnswerLine::Row { .. } | AnswerLine::Outer { .. } => {
            let want = told(consumer, AnswerLine::of(abi, row));
            if told(consumer, got) == want { Verdict::Right } else { Verdict::WrongRow }
        }
    }
}

/// A line without what the reader does not claim to tell. A key that is not told is the first.
fn told(consumer: &Consumer, line: AnswerLine) -> AnswerLine {
    let tells = |what| consumer.tells.contains(&what);
    match line {
        AnswerLine::Row { cfa, ra, fp, signed, signal } => {
            let key = signed.filter(|_| tells(Tells::Signed));
            let key = if tells(Tells::Key) { key } else { key.map(|_| PacKey::A) };
            AnswerLine::Row { cfa, ra, fp, signed: key, signal: signal && tells(Tells::Signal) }
        }
        AnswerLine::Outer { signal } => AnswerLine::Outer { signal: signal && tells(Tells::Signal) },
        line => line,
    }
}

/// What is expected, as people read it.
fn want(abi: Abi, expected: &Expected) -> String {
    let line = |row: &Row| AnswerLine::of(abi, row).to_string();
    match expected {
        Expected::Row(row) => line(row),
        Expected::NoRow => AnswerLine::None.to_string(),
        Expected::Refuse => "no row".to_owned(),
        Expected::RowOrRefuse(row) => format!("{}, or no row", line(row)),
        Expected::Anything => "anything".to_owned(),
        Expected::OneOf(readings) => {
            let all: Vec<String> = readings.iter().map(|one| want(abi, one)).collect();
            all.join(" | ")
        }
    }
}
