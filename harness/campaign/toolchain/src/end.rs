//! How a command ended: with success, a refusal, a crash, or a timeout.

use std::fmt;

use crate::complaint::{INTERNAL_ERROR, without_numbers};
use crate::process::{Finished, ProcessError};

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolEnd {
    /// Exit status 0, and no message of a crash.
    Success,
    /// Another exit status, on purpose.
    Refusal {
        /// Text after the first "error: " on standard error, else all of standard error.
        message: String,
    },
    Crash(Crash),
    /// It was killed because it exceeded its time limit.
    Timeout,
}

/// Where a tool crashed, as far as known. Prints in the words of the classes of findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Crash {
    /// Killed by a signal, by number.
    Signal(i32),
    /// The tool prints the function: "Internal error in FUNCTION at FILE:LINE." of GNU as.
    Function(String),
    /// The tool caught a signal and prints it: "Internal error (Segmentation fault)." of GNU as.
    Caught(String),
    /// The tool prints no details.
    InternalError,
    /// The tool prints a reason, given without numbers: "error in backend: REASON" and "Assertion
    /// `REASON' failed" of LLVM.
    Reason(String),
    /// The tool prints a stack dump.
    StackDump,
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crash::Signal(number) => write!(f, "signal {number}"),
            Crash::Function(text) | Crash::Caught(text) | Crash::Reason(text) => f.write_str(text),
            Crash::InternalError => f.write_str(INTERNAL_ERROR),
            Crash::StackDump => f.write_str("stack dump"),
        }
    }
}

impl ToolEnd {
    /// How a command ended; `None` if it could not be run, which proves nothing about the tool.
    pub fn new(ran: &Result<Finished, ProcessError>) -> Option<ToolEnd> {
        match ran {
            Ok(finished) => Some(finished.end()),
            Err(ProcessError::Timeout { .. }) => Some(ToolEnd::Timeout),
            Err(
                ProcessError::Start { .. }
                | ProcessError::Folder(_)
                | ProcessError::Starved { .. }
                | ProcessError::Interrupted { .. }
                | ProcessError::Trouble { .. }
                | ProcessError::NotDeterministic { .. }
                | ProcessError::Failed { .. },
            ) => None,
        }
    }
}

impl Finished {
    /// How it ended. A tool that reports a crash has crashed, whatever its exit status.
    pub fn end(&self) -> ToolEnd {
        let printed = self.stderr.trim();
        match self.signal.map(Crash::Signal).or_else(|| crash(printed)) {
            Some(crash) => ToolEnd::Crash(crash),
            None if self.success => ToolEnd::Success,
            None => {
                let message = printed.lines().find_map(|line| line.split_once("rror: "));
                ToolEnd::Refusal { message: message.map_or(printed, |(_, message)| message).to_owned() }
            }
        }
    }
}

/// The crash that a tool's output reports.
fn crash(printed: &str) -> Option<Crash> {
    let signs = [INTERNAL_ERROR, "Segmentation fault", "PLEASE submit a bug report", "Assertion `"];
    if !signs.iter().any(|sign| printed.contains(sign)) {
        return None;
    }
    let after = |words: &str| printed.split_once(words).map(|(_, rest)| rest);
    if let Some(rest) = after(INTERNAL_ERROR) {
        let function = rest.strip_prefix(" in ").and_then(|rest| rest.split_whitespace().next());
        let caught = rest.strip_prefix(" (").and_then(|rest| rest.split(')').next());
        let function = function.map(|function| Crash::Function(function.to_owned()));
        return Some(
            function.or(caught.map(|signal| Crash::Caught(signal.to_owned()))).unwrap_or(Crash::InternalError),
        );
    }
    let reason = after("error in backend: ").or_else(|| after("Assertion `")).and_then(|rest| rest.lines().next());
    let reason = reason.map(|reason| reason.split(['.', '\'']).next().unwrap_or(reason));
    Some(reason.map_or(Crash::StackDump, |reason| Crash::Reason(without_numbers(reason))))
}

#[cfg(test)]
mod tests {
    use super::{Crash, ToolEnd};
    use crate::process::{Finished, ProcessError};

    fn finished(success: bool, signal: Option<i32>, stderr: &str) -> Finished {
        Finished { success, code: None, signal, stdout: String::new(), stderr: stderr.to_owned() }
    }

    /// In the words of `cases/found/classes.yaml`.
    #[test]
    fn a_crash_says_where_it_was() {
        for (printed, crash, words) in [
            (
                "x.s:7: Internal error in sframe_xlate_do_restore at ../../gas/gen-sframe.c:1582.",
                Crash::Function("sframe_xlate_do_restore".to_owned()),
                "sframe_xlate_do_restore",
            ),
            (
                "x.s: Internal error (Segmentation fault).\nPlease report this bug.",
                Crash::Caught("Segmentation fault".to_owned()),
                "Segmentation fault",
            ),
            ("Internal error!", Crash::InternalError, "Internal error"),
            (
                "fatal error: error in backend: SmallVector unable to grow. Requested capacity (4294967296)\nPLEASE submit a bug report",
                Crash::Reason("SmallVector unable to grow".to_owned()),
                "SmallVector unable to grow",
            ),
            ("x.cpp:305: Assertion `Row < 8' failed.", Crash::Reason("Row < N".to_owned()), "Row < N"),
            ("PLEASE submit a bug report\nStack dump:", Crash::StackDump, "stack dump"),
            ("sh: Segmentation fault", Crash::StackDump, "stack dump"),
        ] {
            assert_eq!(crash.to_string(), words);
            for success in [false, true] {
                assert_eq!(finished(success, None, printed).end(), ToolEnd::Crash(crash.clone()), "{printed}");
            }
        }
        let signal = finished(false, Some(11), "Internal error in f at g.").end();
        assert_eq!(signal, ToolEnd::Crash(Crash::Signal(11)));
        assert_eq!(Crash::Signal(11).to_string(), "signal 11");
    }

    #[test]
    fn a_refusal_has_a_message() {
        for (printed, message) in [
            ("x.s: Assembler messages:\nx.s:3: Error: no 7\nx.s:4: Error: no 8", "no 7"),
            ("  it does not like it\n", "it does not like it"),
            ("", ""),
        ] {
            assert_eq!(finished(false, None, printed).end(), ToolEnd::Refusal { message: message.to_owned() });
        }
        assert_eq!(finished(true, None, "x.s:3: Warning: Error: none").end(), ToolEnd::Success);
    }

    #[test]
    fn what_could_not_be_run_has_no_end() {
        let program = || "as".to_owned();
        assert_eq!(
            ToolEnd::new(&Err(ProcessError::Timeout { program: program(), seconds: 1 })),
            Some(ToolEnd::Timeout)
        );
        assert_eq!(ToolEnd::new(&Err(ProcessError::Interrupted { program: program() })), None);
        assert_eq!(ToolEnd::new(&Err(ProcessError::Starved { program: program(), seconds: 1 })), None);
        assert_eq!(ToolEnd::new(&Ok(finished(true, None, ""))), Some(ToolEnd::Success));
    }
}
