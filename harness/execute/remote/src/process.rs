//! A qemu-user process: started with the program, killed when dropped.

use std::fs::Permissions;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use types::Abi;
use witness::Plan;

use crate::connection::Connection;
use crate::error::RemoteError;

/// Time limit for the stub's socket to appear.
const STARTS_WITHIN: Duration = Duration::from_secs(10);
/// Host address of the program's address 0: the highest address in use stays below qemu's own
/// memory.
const GUEST_AT: &[&str] = &["-B", "0x100000000000"];
/// Maximum number of bytes of output that are kept.
const KEPT: usize = 1 << 20;

/// A running qemu-user.
pub(crate) struct Process {
    child: Child,
    output: Arc<Mutex<Output>>,
    /// A directory with the program and the socket.
    folder: TempDir,
}

/// The output of the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output {
    /// The first MiB.
    pub(crate) bytes: Vec<u8>,
    /// Total number of bytes.
    pub(crate) written: u64,
}

impl Process {
    /// Starts `qemu` with a program's file; it waits for a connection. `laid_out`: the program is
    /// not at its own addresses, which may be as low as 0, where the host maps no memory.
    pub(crate) fn start(qemu: &Path, plan: &Plan<'_>, file: &[u8], laid_out: bool) -> Result<Process, RemoteError> {
        let failed = |what: &str| {
            let what = what.to_owned();
            move |error| RemoteError::Start { what, error }
        };
        let folder = tempfile::Builder::new().prefix("sframe-remote-").tempdir().map_err(failed("a folder"))?;
        let program = folder.path().join("program");
        std::fs::write(&program, file)
            .and_then(|()| std::fs::set_permissions(&program, Permissions::from_mode(0o700)))
            .map_err(failed("the program's copy"))?;
        // All extensions of the processor.
        let cpu = match plan.image.abi {
            Abi::Aarch64 | Abi::Aarch64Be => format!("max,sve-default-vector-length={}", plan.vector_bits.get() / 8),
            Abi::Amd64 | Abi::S390x => "max".to_owned(),
        };
        let mut child = Command::new(qemu)
            .arg("-g")
            .arg(folder.path().join("socket"))
            .args(if laid_out { GUEST_AT } else { &[] })
            .args(["-cpu", &cpu, "-0", &plan.image.name])
            .arg(&program)
            .args(&plan.arguments)
            // As in the first engine: no environment, no input.
            .env_clear()
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed(&qemu.display().to_string()))?;
        let output = Arc::new(Mutex::new(Output::default()));
        if let Some(stream) = child.stdout.take() {
            keep(stream, Arc::clone(&output));
        }
        if let Some(stream) = child.stderr.take() {
            keep(stream, Arc::clone(&output));
        }
        Ok(Process { child, output, folder })
    }

    /// Connects to the process.
    pub(crate) fn connect(&mut self) -> Result<Connection, RemoteError> {
        let socket = self.folder.path().join("socket");
        let started = Instant::now();
        loop {
            let error = match Connection::to_socket(&socket) {
                Ok(connection) => return Ok(connection),
                Err(error) => error,
            };
            if started.elapsed() > STARTS_WITHIN || !matches!(self.child.try_wait(), Ok(None)) {
                let printed = String::from_utf8_lossy(&self.output().bytes).into_owned();
                let error = if printed.is_empty() { error } else { io::Error::other(printed) };
                return Err(RemoteError::Connect { address: socket.display().to_string(), error });
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The output of the program so far.
    pub(crate) fn output(&self) -> Output {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends the process, and returns its whole output.
    pub(crate) fn finish(mut self) -> Output {
        self.end();
        // The streams have ended; the threads that read them may need a moment.
        for _ in 0..100 {
            if Arc::strong_count(&self.output) == 1 {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.output()
    }

    fn end(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads a stream to its end, and keeps the beginning.
fn keep(mut stream: impl Read + Send + 'static, output: Arc<Mutex<Output>>) {
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut bytes) {
            let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
            let room = KEPT.saturating_sub(output.bytes.len()).min(count);
            output.bytes.extend_from_slice(&bytes[..room]);
            output.written += count as u64;
        }
    });
}

/// Path of the qemu-user of this name: in PATH, or in the directory of `ci/producers qemu`.
pub(crate) fn find(program: &'static str, fetched: &Path) -> Result<PathBuf, RemoteError> {
    let folder = fetched.join("qemu/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([folder.clone()]);
    folders
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
        .ok_or(RemoteError::NoQemu { program, folder })
}
