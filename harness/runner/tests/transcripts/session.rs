//! The commands of a transcript and what they print.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use testing::scratch::{self, SCRATCH};
use wait_timeout::ChildExt as _;

use crate::alike::{Names, alike};

/// Time limit of a transcript; none needs a tenth of it, even on a loaded machine.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Begins the line with the exit code after what a command prints.
const MARK: &str = "\u{1e}";

/// A transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    /// The lines before the first command.
    head: Vec<String>,
    calls: Vec<Call>,
}

/// A command, and what it prints.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    command: String,
    /// Standard output and error, and `[N]` for an exit code other than 0.
    printed: String,
}

impl Session {
    /// Parses the text of a transcript.
    pub(crate) fn parse(text: &str) -> Result<Session, String> {
        let mut session = Session { head: Vec::new(), calls: Vec::new() };
        for line in text.lines() {
            match (line.strip_prefix("$ "), line.strip_prefix('>'), session.calls.last_mut()) {
                (Some(command), ..) => {
                    session.calls.push(Call { command: command.to_owned(), printed: String::new() });
                }
                (None, Some(more), Some(call)) if call.printed.is_empty() => {
                    call.command += &format!("\n{}", more.strip_prefix(' ').unwrap_or(more));
                }
                (.., Some(call)) => call.printed += &format!("{line}\n"),
                (.., None) => session.head.push(line.to_owned()),
            }
        }
        let reason = session.head.first().filter(|line| line.starts_with("Right, because ") && line.len() > 40);
        reason.ok_or("its first line is the reason why it is right: 'Right, because ...'")?;
        if session.calls.is_empty() { Err("no command".to_owned()) } else { Ok(session) }
    }

    /// Why it is not executed here: a needed program is not on PATH, or it belongs to the night
    /// (`SAMPLES=all`).
    pub(crate) fn left_out(&self) -> Option<String> {
        let after = |key: &str| self.head.iter().find_map(|line| line.strip_prefix(key));
        let path = std::env::var_os("PATH")?;
        let is_here =
            |name: &str| std::env::split_paths(&path).chain([root()]).any(|folder| folder.join(name).is_file());
        let absent = after("Needs: ").and_then(|names| names.split_whitespace().find(|name| !is_here(name)));
        let night = after("Night: ").filter(|_| !testing::samples::all());
        absent.map(|name| format!("no {name}")).or(night.map(|why| format!("every night: {why}")))
    }

    /// Executes the commands; returns them with what they print now.
    pub(crate) fn execute(&self) -> Result<Session, String> {
        let folder = scratch::folder();
        let desk = folder.path().join("desk");
        fs::create_dir(&desk).map_err(|error| error.to_string())?;
        let tools = root().join("harness/runner/tests/transcripts/tools");
        let mut script = format!(". '{}'\n", tools.join("prelude.sh").display());
        for call in &self.calls {
            script += &format!("{}\nprintf '\\n{MARK}%s\\n' $?\n", call.command);
        }
        let (script_path, printed_path, names) =
            (folder.path().join("script"), folder.path().join("printed"), folder.path().join("names"));
        fs::write(&script_path, script).map_err(|error| error.to_string())?;
        let printed =
            File::options().append(true).create(true).open(&printed_path).map_err(|error| error.to_string())?;
        let mut command = Command::new("bash");
        command.arg(script_path).current_dir(&desk).process_group(0).stdin(Stdio::null());
        command.stdout(printed.try_clone().map_err(|error| error.to_string())?).stderr(printed);
        command.envs(variables()).env("desk", &desk).env("names", &names).env("tools", &tools);
        ["COLUMNS", "RAYON_NUM_THREADS", "SFRAME_CONFORMANCE_STRICT", "GITHUB_WORKSPACE", "NO_COLOR"]
            .into_iter()
            .for_each(|name| {
                command.env_remove(name);
            });
        let mut child = command.spawn().map_err(|error| format!("bash: {error}"))?;
        let ended = child.wait_timeout(TIME_LIMIT).map_err(|error| error.to_string())?;
        // What is left in the background ends with the transcript.
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            // An error means that no process is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let bytes = fs::read(printed_path).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        if ended.is_none() || text.contains(" panicked at ") {
            return Err(format!("panics, or does not end in {TIME_LIMIT:?}: {text}"));
        }
        let mut names = Names::read(&names);
        names.add(&format!("{}/", desk.display()), "");
        names.add(&desk.display().to_string(), "FOLDER");
        names.add(&folder.path().display().to_string(), "FOLDER");
        names.add(&root().display().to_string(), "ROOT");
        names.add(PROGRAM, "sframe-conformance");
        let mark = format!("\n{MARK}");
        let mut parts = text.split(&mark);
        let mut calls = Vec::new();
        let mut printed = parts.next().unwrap_or_default();
        for call in &self.calls {
            let part = parts.next().ok_or_else(|| format!("ends at: {}: {printed}", call.command))?;
            let (code, next) = part.split_once('\n').unwrap_or((part, ""));
            let mut shown = alike(&names.replaced(printed));
            if !shown.is_empty() && !shown.ends_with('\n') {
                shown += "\n";
            }
            if code != "0" {
                shown += &format!("[{code}]\n");
            }
            calls.push(Call { command: call.command.clone(), printed: shown });
            printed = next;
        }
        Ok(Session { head: self.head.clone(), calls })
    }
}

impl Display for Session {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.head.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        for Call { command, printed } in &self.calls {
            let command = command.replace("\n", "\n> ").replace("\n> \n", "\n>\n");
            write!(f, "$ {command}\n{printed}")?;
        }
        Ok(())
    }
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_sframe-conformance");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Environment of the commands: no producers, because querying the versions of all installed ones
/// takes longer than most calls, and the cases of this checkout.
fn variables() -> HashMap<&'static str, OsString> {
    HashMap::from([
        ("LC_ALL", "C.UTF-8".into()),
        ("PATH", PATH.clone()),
        ("PYTHONDONTWRITEBYTECODE", "1".into()),
        ("PROGRAM", PROGRAM.into()),
        ("SFRAME_CONFORMANCE_HOME", root().into()),
        ("SFRAME_CONFORMANCE_PRODUCERS", root().join("harness/runner/tests/suite/command/no-producers.yaml").into()),
        ("TMPDIR", SCRATCH.clone().into()),
        ("objects", root().join("cases/objects").into()),
        ("root", root().into()),
    ])
}

/// PATH, beginning with a folder of links: to the command, and to the program that `python3`
/// resolves to. If `python3` is a script that selects the user's version, it takes longer than the
/// test.
static PATH: LazyLock<OsString> = LazyLock::new(|| {
    let resolved = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().expect("python3");
    let python = String::from_utf8(resolved.stdout).expect("a path in UTF-8");
    let links = Path::new(env!("CARGO_TARGET_TMPDIR")).join("links");
    fs::create_dir_all(&links).expect("a folder");
    for (name, program) in [("python3", python.trim()), ("sframe-conformance", PROGRAM)] {
        let link = links.join(format!("{name}-{}", std::process::id()));
        symlink(program, &link).and_then(|()| fs::rename(&link, links.join(name))).expect("a link");
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(links).chain(std::env::split_paths(&path))).expect("a folder without a colon")
});
