//! Running a producer: bounded in time and output, killed when it exceeds either.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use wait_timeout::ChildExt as _;

/// What a command printed and how it ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Exit status 0.
    pub success: bool,
    /// The signal that ended it, where one did: it crashed.
    pub signal: Option<i32>,
    /// Standard output, up to [`MOST_OUTPUT`] bytes.
    pub stdout: String,
    /// Standard error, up to [`MOST_OUTPUT`] bytes.
    pub stderr: String,
}

impl Finished {
    /// The beginning of what it printed, in one line, or how it ended where it printed nothing.
    pub fn complaint(&self) -> String {
        let told: Vec<&str> = self.stderr.lines().chain(self.stdout.lines()).take(5).collect();
        match (self.signal, told.is_empty()) {
            (Some(signal), _) => format!("ended by signal {signal}: {}", told.join("; ")),
            (None, true) => "it failed and printed nothing".to_owned(),
            (None, false) => told.join("; "),
        }
    }
}

/// Why a command gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// It could not be started.
    #[error("cannot run {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// It ran too long and was killed.
    #[error("{program} did not finish in {seconds} s and was killed")]
    Timeout {
        /// The program.
        program: String,
        /// The limit.
        seconds: u64,
    },
    /// It ended with a failure.
    #[error("{program} failed: {message}")]
    Failed {
        /// The program with its arguments.
        program: String,
        /// The end of what it printed.
        message: String,
    },
}

/// Bytes kept of each output stream; the rest is read and dropped.
pub const MOST_OUTPUT: u64 = 64 << 10;

/// Runs a command in a folder, for at most so long.
///
/// # Errors
/// When it cannot start, does not end in time, or its output cannot be read.
pub fn run_within(program: &str, arguments: &[&str], folder: &Path, limit: Duration) -> Result<Finished, ProcessError> {
    let started = |error| ProcessError::Start { program: program.to_owned(), error };
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C")
        // A group of its own, so that what it started is killed with it.
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(started)?;
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let status = child.wait_timeout(limit).map_err(started)?;
    if status.is_none() {
        // Already gone is as good as killed.
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
        let _ = child.kill();
        child.wait().map_err(started)?;
        return Err(ProcessError::Timeout { program: program.to_owned(), seconds: limit.as_secs() });
    }
    let text =
        |stream: thread::JoinHandle<Vec<u8>>| String::from_utf8_lossy(&stream.join().unwrap_or_default()).into_owned();
    Ok(Finished {
        success: status.is_some_and(|status| status.success()),
        signal: status.and_then(|status| status.signal()),
        stdout: text(stdout),
        stderr: text(stderr),
    })
}

/// Reads a stream to its end in a thread of its own, keeping its beginning.
fn drain(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut stream) = stream {
            // A stream that breaks off has told what it could.
            let _ = stream.by_ref().take(MOST_OUTPUT).read_to_end(&mut kept);
            let _ = io::copy(&mut stream, &mut io::sink());
        }
        kept
    })
}
