//! Asks one reader about sections: many sections to one process, which is restarted when it ends. A
//! section at which a process ended is asked again in a separate process, so that no section is
//! blamed for the effect of another.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::reply::{Question, Reply, shortened};
use super::{PROTOCOL, Reader};
use crate::clock::{Clock, Over};
use crate::interrupt;
use crate::process::{self, Bounds, Stream, Waited};
use crate::running::Running;

/// Exit statuses of adapters, with which a section ends.
mod status {
    pub(super) const OUT_OF_MEMORY: i32 = 4;
    pub(super) const SANITISER: i32 = 99;
}

/// Maximum length of a line in bytes; no answer is longer.
const MOST_LINE: u64 = 4 << 10;

/// Number of lines that are read ahead.
const AHEAD: usize = 1024;

impl Reader {
    /// Asks for the rows of sections, in order. The reader's limits apply to each section
    /// separately.
    pub fn ask(&self, questions: &[Question<'_>]) -> Vec<Reply> {
        let mut replies = Vec::with_capacity(questions.len());
        while let Some(left) = questions.get(replies.len()..).filter(|left| !left.is_empty()) {
            let (done, end) = self.session(left);
            let before = done.len();
            replies.extend(done);
            let Some(end) = end else { continue };
            let alone = left.get(before..=before).filter(|_| before > 0);
            replies.push(alone.map_or(end, |one| self.alone(one)));
        }
        replies
    }

    fn alone(&self, one: &[Question<'_>]) -> Reply {
        let (done, end) = self.session(one);
        done.into_iter().next().or(end).unwrap_or_else(|| Reply::Broken("no answer".to_owned()))
    }

    /// Replies of one process, and how it ended, if that was not after the last question.
    fn session(&self, questions: &[Question<'_>]) -> (Vec<Reply>, Option<Reply>) {
        let session = match Session::start(self, questions) {
            Ok(session) => session,
            Err(end) => return (Vec::new(), Some(end)),
        };
        let limit = Duration::from_secs(self.consumer.limits.seconds);
        let mut replies = Vec::with_capacity(questions.len());
        for question in questions {
            match session.reply(question, limit) {
                Ok(reply) => replies.push(reply),
                Err(end) => return (replies, Some(session.ended(end))),
            }
        }
        match session.closed(limit) {
            // An error at the end may be due to the last section or any other.
            Some(end) => {
                replies.pop();
                (replies, Some(end))
            }
            None => (replies, None),
        }
    }
}

/// A process that is being asked.
struct Session {
    child: Running,
    lines: Receiver<String>,
    stderr: Option<Stream>,
}

/// Why there is no further line.
enum End {
    Closed,
    Late,
    /// The machine had no processor for it.
    Starved,
    Nonsense(String),
}

impl Session {
    fn start(reader: &Reader, questions: &[Question<'_>]) -> Result<Session, Reply> {
        let (program, first) = reader.words.split_first().ok_or_else(|| Reply::Broken("no command".to_owned()))?;
        let mut arguments: Vec<&str> = first.iter().map(String::as_str).collect();
        arguments.push(PROTOCOL);
        let limits = reader.consumer.limits;
        let bounds = Bounds {
            time: Duration::from_secs(limits.seconds),
            most_file: Some(16 << 20),
            most_memory: (limits.memory_mib > 0).then(|| limits.memory_mib.saturating_mul(1 << 20)),
        };
        let child = process::start(program, &arguments, Path::new("/"), bounds, true);
        let mut child = child.map_err(|error| Reply::Broken(format!("cannot run {program}: {error}")))?;
        let fed: String = questions.iter().map(Question::fed).collect();
        if let Some(mut stdin) = child.stdin.take() {
            // The reader need not read all of its input.
            thread::spawn(move || stdin.write_all(fed.as_bytes()));
        }
        let (sender, lines) = mpsc::sync_channel(AHEAD);
        let stdout = child.stdout.take();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout?);
            loop {
                let mut line = Vec::new();
                let count = stdout.by_ref().take(MOST_LINE).read_until(b'\n', &mut line).ok()?;
                let text = String::from_utf8_lossy(&line);
                // A line truncated by a crash does not count.
                let whole = text.strip_suffix('\n').filter(|_| count > 0)?;
                sender.send(whole.to_owned()).ok()?;
            }
            #[allow(unreachable_code, reason = "it gives the type of the thread's result")]
            Some(())
        });
        let stderr = Some(Stream::drain(child.stderr.take()));
        Ok(Session { child, lines, stderr })
    }

    fn reply(&self, question: &Question<'_>, limit: Duration) -> Result<Reply, End> {
        let mut clock = Clock::new(limit);
        let before = Reply::to_section(&self.line(&mut clock)?);
        let answers = (0..question.count()).map(|_| self.line(&mut clock)).collect::<Result<Vec<String>, End>>()?;
        match before {
            Some(Reply::Broken(why)) => Err(End::Nonsense(why)),
            Some(reply) => Ok(reply),
            None => Ok(Reply::Lines(answers)),
        }
    }

    fn line(&self, clock: &mut Clock) -> Result<String, End> {
        loop {
            match self.lines.recv_timeout(clock.pause()) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(End::Closed),
                Err(RecvTimeoutError::Timeout) if interrupt::is_requested() => return Err(End::Late),
                Err(RecvTimeoutError::Timeout) => match clock.over(&self.child) {
                    Some(Over::Used) => return Err(End::Late),
                    Some(Over::Starved) => return Err(End::Starved),
                    None => {}
                },
            }
        }
    }

    /// The reply for a process that ended during a section.
    fn ended(mut self, end: End) -> Reply {
        match end {
            End::Late if interrupt::is_requested() => Reply::Broken("interrupted".to_owned()),
            End::Late => Reply::Hang,
            End::Starved => starved(),
            End::Nonsense(why) => Reply::Broken(why),
            End::Closed => {
                let message = "exit status 0 before it had answered all".to_owned();
                self.status(Duration::from_secs(1)).unwrap_or(Reply::Broken(message))
            }
        }
    }

    /// The error if the process does not end properly after the last answer.
    fn closed(mut self, limit: Duration) -> Option<Reply> {
        match self.line(&mut Clock::new(limit)) {
            Ok(line) => Some(Reply::Broken(format!("'{}' after the last answer", shortened(&line)))),
            Err(End::Late) => Some(Reply::Hang),
            Err(End::Starved) => Some(starved()),
            Err(End::Closed | End::Nonsense(_)) => self.status(limit),
        }
    }

    /// The reply for its exit status; `None` for success.
    fn status(&mut self, limit: Duration) -> Option<Reply> {
        use std::os::unix::process::ExitStatusExt as _;
        let status = match process::wait(&mut self.child, limit, || false) {
            Ok(Waited::Ended(status)) => status,
            Ok(Waited::Over(Over::Starved)) => return Some(starved()),
            Ok(Waited::Over(Over::Used) | Waited::Interrupted) | Err(_) => return Some(Reply::Hang),
        };
        let message = self.stderr.take().map(Stream::text).unwrap_or_default();
        match (status.signal(), status.code()) {
            (Some(signal), _) => Some(Reply::Crash(signal, message)),
            (None, Some(0)) => None,
            (None, Some(status::OUT_OF_MEMORY)) => Some(Reply::OutOfMemory),
            (None, Some(status::SANITISER)) => Some(Reply::Sanitiser(message)),
            (None, code) => {
                let last = message.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing on stderr");
                Some(Reply::Broken(format!("exit status {}: {}", code.unwrap_or_default(), shortened(last))))
            }
        }
    }
}

/// Nothing is known of the reader, whose time was other processes'.
fn starved() -> Reply {
    Reply::Broken("this machine is too busy: the reader had no processor for most of 20 times its limit".to_owned())
}
