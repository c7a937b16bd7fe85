//! Parses the answers in a reply, one for each PC.

use toolchain::consumer::Reply;

use crate::corpus::{AnswerLine, LineError};

/// Why a reply has no answers.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAnswers {
    /// The reader ended in another way, or was not asked.
    #[error("no answers")]
    Ended,
    #[error("{given} answers to {count} questions")]
    Few { given: usize, count: usize },
    #[error(transparent)]
    Line(#[from] LineError),
}

/// The answers in a reply to `count` questions.
pub(crate) fn answers(reply: &Reply, count: usize) -> Result<Vec<AnswerLine>, NoAnswers> {
    match reply {
        Reply::Refused => Ok(vec![AnswerLine::Err; count]),
        Reply::Lines(lines) => {
            // The remaining lines are chains.
            let rows = lines.get(..count).ok_or(NoAnswers::Few { given: lines.len(), count })?;
            Ok(rows.iter().map(|line| line.parse()).collect::<Result<_, _>>()?)
        }
        Reply::Crash(..)
        | Reply::Hang
        | Reply::Sanitiser(_)
        | Reply::OutOfMemory
        | Reply::NotAsked(_)
        | Reply::Broken(_) => Err(NoAnswers::Ended),
    }
}
