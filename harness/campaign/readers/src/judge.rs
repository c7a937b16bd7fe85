//! Verdicts on answers. Behaviour that the specification leaves open, or that a reader does not
//! claim, does not count against it.

use generators::vectors::{Chain, Class, Expected, Row, Vector};
use results::{ReaderVerdict, without_numbers};
use toolchain::consumer::{Consumer, Exception, Reply, Tells};
use types::{Abi, PacKey};

use crate::answers::answers;
use crate::corpus::AnswerLine;

/// An answer with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// PC of the question; `None` if it is about the whole section.
    pub pc: Option<u64>,
    pub verdict: ReaderVerdict,
    /// The answer, or how the reader ended.
    pub got: String,
    /// The expected answer.
    pub want: String,
    /// Difference between the answers, or position of the crash; `N` replaces any number.
    pub shape: String,
    /// Stack whose callers were asked for; `None` for a row.
    pub stack: Option<Chain>,
}

/// Judges a reply: every answer, or how the reader ended if there is no answer.
pub(super) fn all(consumer: &Consumer, vector: &Vector, reply: &Reply) -> Vec<Judged> {
    let whole = |verdict, got: String, shape: String| {
        vec![Judged { pc: None, verdict, got, want: "an answer".to_owned(), shape, stack: None }]
    };
    match reply {
        Reply::Crash(signal, message) => {
            let ended = format!("signal {signal}");
            let shape = place(message).unwrap_or_else(|| ended.clone());
            return whole(ReaderVerdict::Crash, [ended.as_str(), message].join("\n").trim().to_owned(), shape);
        }
        Reply::Hang => return whole(ReaderVerdict::Hang, "no end in time".to_owned(), String::new()),
        Reply::Sanitiser(trace) => {
            return whole(ReaderVerdict::Sanitiser, trace.clone(), place(trace).unwrap_or_default());
        }
        Reply::OutOfMemory => return whole(ReaderVerdict::OutOfMemory, "out of memory".to_owned(), String::new()),
        Reply::NotAsked(_) => return Vec::new(),
        Reply::Broken(why) => return whole(ReaderVerdict::Broken, why.clone(), String::new()),
        Reply::Refused | Reply::Lines(_) => {}
    }
    let lookups = super::answered(consumer, vector);
    let answers = match answers(reply, lookups.len()) {
        Ok(answers) => answers,
        Err(why) => return whole(ReaderVerdict::Broken, why.to_string(), String::new()),
    };
    let judged = lookups.iter().zip(answers).map(|(lookup, got)| {
        let got = got.named(vector.abi);
        Judged {
            pc: Some(lookup.pc),
            verdict: one(consumer, vector, &lookup.expected, got),
            got: got.to_string(),
            want: want(vector.abi, &lookup.expected),
            shape: if *reply == Reply::Refused {
                "the section".to_owned()
            } else {
                shape(consumer, vector, &lookup.expected, got)
            },
            stack: None,
        }
    });
    let chains = match reply {
        Reply::Lines(lines) => lines.get(lookups.len()..).unwrap_or_default(),
        _ => &[],
    };
    let walked = vector.chains.iter().zip(chains).map(|(expected, actual)| chain(expected, actual));
    judged.chain(walked).collect()
}

/// Judges the answer about all callers of a stack: `chain PC...`, or why there is none.
fn chain(expected: &Chain, actual: &str) -> Judged {
    let text = |callers: &[u64]| callers.iter().map(|pc| format!("{pc:#x}")).collect::<Vec<_>>().join(" ");
    let hex = |word: &str| word.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let mut words = actual.split(' ');
    let first = words.next();
    let callers = words.map(hex).collect::<Option<Vec<u64>>>().filter(|_| first == Some("chain"));
    let (verdict, shape) = match (actual, &callers) {
        ("none", _) => (ReaderVerdict::Missed, "no chain"),
        ("err", _) => (ReaderVerdict::Refused, "no chain"),
        (_, None) => (ReaderVerdict::Broken, "no chain"),
        (_, Some(callers)) if *callers == expected.callers => (ReaderVerdict::Right, ""),
        (_, Some(callers)) if expected.callers.starts_with(callers) => (ReaderVerdict::Missed, "the chain ends early"),
        (_, Some(callers)) if callers.starts_with(&expected.callers) => {
            (ReaderVerdict::WrongCaller, "the chain goes on")
        }
        (_, Some(_)) => (ReaderVerdict::WrongCaller, "another chain"),
    };
    let want = format!("chain {}", text(&expected.callers));
    let stack = Some(expected.clone());
    Judged { pc: Some(expected.pc), verdict, got: actual.to_owned(), want, shape: shape.to_owned(), stack }
}

fn one(consumer: &Consumer, vector: &Vector, expected: &Expected, got: AnswerLine) -> ReaderVerdict {
    if matches!(vector.class, Class::Open(_) | Class::Invalid(_)) {
        return ReaderVerdict::Free;
    }
    let gives_nothing = matches!(got, AnswerLine::None | AnswerLine::Err);
    let guesses = consumer.except.contains(&Exception::Guesses);
    match expected {
        Expected::Refuse | Expected::RowOrRefuse(_) if guesses => ReaderVerdict::Free,
        Expected::Anything | Expected::OneOf(_) => ReaderVerdict::Free,
        Expected::Row(row) => row_verdict(consumer, vector, row, got),
        Expected::NoRow => match got {
            AnswerLine::None => ReaderVerdict::Right,
            AnswerLine::Err => ReaderVerdict::Refused,
            _ => ReaderVerdict::WrongRow,
        },
        Expected::Refuse if gives_nothing => ReaderVerdict::Right,
        Expected::Refuse => ReaderVerdict::AnsweredMalformed,
        Expected::RowOrRefuse(row) => match row_verdict(consumer, vector, row, got) {
            ReaderVerdict::Right => ReaderVerdict::Right,
            _ if gives_nothing => ReaderVerdict::Right,
            _ => ReaderVerdict::AnsweredMalformed,
        },
    }
}

fn row_verdict(consumer: &Consumer, vector: &Vector, row: &Row, got: AnswerLine) -> ReaderVerdict {
    let abi = vector.abi;
    match got {
        AnswerLine::None => ReaderVerdict::Missed,
        AnswerLine::Err => ReaderVerdict::Refused,
        AnswerLine::Caller { pc, sp, fp } => {
            let caller = vector.caller(row);
            let right = caller.is_some_and(|caller| (caller.pc, caller.sp, caller.fp) == (pc, sp, fp));
            if right { ReaderVerdict::Right } else { ReaderVerdict::WrongCaller }
        }
        AnswerLine::Row { .. } | AnswerLine::Outer { .. } => {
            let want = claimed(consumer, AnswerLine::new(abi, row));
            if claimed(consumer, got) == want { ReaderVerdict::Right } else { ReaderVerdict::WrongRow }
        }
    }
}

/// The answer without parts that the reader does not claim to report. A key that is not reported
/// becomes the first.
pub(crate) fn claimed(consumer: &Consumer, line: AnswerLine) -> AnswerLine {
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

/// Position of the crash, as the adapter reports it: `at sframe_decode`.
fn place(message: &str) -> Option<String> {
    message.lines().find(|line| line.starts_with("at ")).map(str::to_owned)
}

/// Difference between an answer and the expected one.
fn shape(consumer: &Consumer, vector: &Vector, expected: &Expected, got: AnswerLine) -> String {
    let row = |expected: &Expected| match expected {
        Expected::Row(row) | Expected::RowOrRefuse(row) => Some(claimed(consumer, AnswerLine::new(vector.abi, row))),
        _ => None,
    };
    let answered = Some(claimed(consumer, got));
    let is_row = matches!(got, AnswerLine::Row { .. } | AnswerLine::Outer { .. });
    // The row of another address: whatever it is, the look-up was wrong.
    if is_row && vector.answers.iter().any(|other| row(&other.expected) == answered) {
        return if row(expected).is_none() {
            "the row of another address where none"
        } else {
            "the row of another address"
        }
        .to_owned();
    }
    let row = row(expected);
    let parts = match (claimed(consumer, got), row) {
        (AnswerLine::None | AnswerLine::Err, _) => vec![got.to_string()],
        (
            AnswerLine::Row { cfa, ra, fp, signed, signal },
            Some(AnswerLine::Row { cfa: c, ra: r, fp: f, signed: k, signal: s }),
        ) => {
            let differs =
                |name: &str, got: String, want: String| (got != want).then(|| format!("{name} {got} where {want}"));
            let key = |key: Option<PacKey>| key.map_or_else(|| "none".to_owned(), |key| format!("{key:?}"));
            let all = [
                differs("cfa", cfa.to_string(), c.to_string()),
                differs("ra", ra.to_string(), r.to_string()),
                differs("fp", fp.to_string(), f.to_string()),
                differs("signed", key(signed), key(k)),
                differs("signal", signal.to_string(), s.to_string()),
            ];
            all.into_iter().flatten().collect()
        }
        (AnswerLine::Caller { .. }, _) => vec!["another caller".to_owned()],
        (AnswerLine::Outer { .. }, Some(AnswerLine::Outer { .. })) => vec!["another outer".to_owned()],
        (AnswerLine::Outer { .. }, _) => vec!["outer".to_owned()],
        (AnswerLine::Row { .. }, Some(_)) => vec!["a row where outer".to_owned()],
        (AnswerLine::Row { .. }, None) => vec!["a row".to_owned()],
    };
    without_numbers(&parts.join(", "))
}

fn want(abi: Abi, expected: &Expected) -> String {
    let line = |row: &Row| AnswerLine::new(abi, row).to_string();
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
