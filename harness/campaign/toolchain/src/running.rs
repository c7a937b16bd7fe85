//! A running command with all its descendants: processes that leave its process group for a session
//! of their own are found and killed too.
//!
//! This process adopts the orphans of its commands (`PR_SET_CHILD_SUBREAPER`, prctl(2)), so that an
//! orphan is a child of this process and visible as such in `/proc`. An environment variable
//! identifies its command.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::{Deref, DerefMut};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, getpid, getrlimit, kill_process, kill_process_group,
    set_child_subreaper, setrlimit, waitpid,
};

/// Environment variable that identifies the command of a process: the process that started it, a
/// dot, a number.
const VARIABLE: &str = "SFRAME_CONFORMANCE_COMMAND";

/// Time to wait for killed orphans to end: one that the kernel cannot end yet is left to it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Minimum stack size in bytes for programs.
const STACK: u64 = 8 << 20;
const LEAST_STACK: u64 = 1 << 20;

/// The running commands: their processes and names.
static COMMANDS: Mutex<BTreeSet<(u32, String)>> = Mutex::new(BTreeSet::new());

/// A command in its own process group. When dropped, it is killed with all its descendants.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    name: String,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> io::Result<Running> {
        static ADOPTS: Once = Once::new();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        ADOPTS.call_once(|| {
            // If the kernel refuses, processes that leave the group are adopted by init.
            let _ = set_child_subreaper(Some(getpid()));
        });
        let name = format!("{}.{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        command.process_group(0).env(VARIABLE, &name);
        can_run()?;
        // A child that is not yet in the list would be taken for an orphan.
        let mut commands = commands();
        let child = command.spawn()?;
        commands.insert((child.id(), name.clone()));
        Ok(Running { child, name })
    }
}

/// State of the processes of a command's group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// Processor time that they and their ended children have used.
    pub(crate) used: Duration,
    /// True if none of them is running or runnable.
    pub(crate) waits: bool,
}

impl Running {
    pub(crate) fn load(&self) -> Load {
        let group = i32::try_from(self.child.id()).unwrap_or_default();
        let of_group = processes().filter_map(Stat::read).filter(|stat| stat.group == group);
        of_group.fold(Load { used: Duration::ZERO, waits: true }, |load, stat| Load {
            used: load.used + stat.used,
            waits: load.waits && !stat.runs,
        })
    }
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.child
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = pid(self.child.id()).map(|group| kill_process_group(group, Signal::KILL));
        let _ = self.child.kill();
        let _ = self.child.wait();
        commands().remove(&(self.child.id(), self.name.clone()));
        let began = Instant::now();
        // Children of an orphan become orphans when it ends.
        while kill_orphans(Some(self.child.id())) && began.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Why commands do not run properly on this machine.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum Unfit {
    #[error("/proc is not mounted here: orphans of commands could not be found")]
    NoProc,
    #[error("the stack limit of {most} bytes is too low for compilers: raise it with ulimit -s")]
    Stack { most: u64 },
}

/// Checks that this machine can run commands properly.
pub fn can_run() -> io::Result<()> {
    static SEEN: LazyLock<Result<(), Unfit>> = LazyLock::new(|| {
        if Stat::read(std::process::id()).is_none() {
            return Err(Unfit::NoProc);
        }
        let Rlimit { current, maximum } = getrlimit(Resource::Stack);
        let (current, most) = (current.unwrap_or(u64::MAX), maximum.unwrap_or(u64::MAX));
        if most < LEAST_STACK {
            return Err(Unfit::Stack { most });
        }
        if current < STACK {
            // The stack size that compilers usually have, if a shell has set a lower limit that can
            // be raised.
            let _ = setrlimit(Resource::Stack, Rlimit { current: Some(STACK.min(most)), maximum });
        }
        Ok(())
    });
    (*SEEN).map_err(|why| io::Error::new(io::ErrorKind::Unsupported, why))
}

/// Kills all running commands with their descendants: this process is about to end.
pub(crate) fn kill_all() {
    let running: Vec<u32> = commands().iter().map(|(id, _)| *id).collect();
    for group in running.into_iter().filter_map(pid) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    commands().clear();
    kill_orphans(None);
}

fn commands() -> MutexGuard<'static, BTreeSet<(u32, String)>> {
    COMMANDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the orphans of commands that no longer run, and the rest of the group of one command.
/// Returns true if there were any.
fn kill_orphans(group: Option<u32>) -> bool {
    let commands = commands();
    let group = group.and_then(|id| i32::try_from(id).ok());
    let mut found = false;
    for child in children().iter().filter(|child| commands.iter().all(|(id, _)| *id != child.id)) {
        let is_left = group == Some(child.group) || is_left_over(child, &commands);
        let Some(pid) = pid(child.id).filter(|_| is_left) else { continue };
        found = true;
        let _ = kill_process(pid, Signal::KILL);
        // A moment later it has no environment, and its command would be unknown.
        let began = Instant::now();
        while waitpid(Some(pid), WaitOptions::NOHANG).is_ok_and(|ended| ended.is_none()) && began.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    }
    found
}

/// Returns true for a child that is neither this program's own (a worker) nor of a running command.
fn is_left_over(child: &Stat, commands: &BTreeSet<(u32, String)>) -> bool {
    static OWN: LazyLock<Option<String>> = LazyLock::new(|| std::env::var(VARIABLE).ok());
    let environment = fs::read(format!("/proc/{}/environ", child.id)).unwrap_or_default();
    let mut names = environment.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    match names.find_map(|pair| pair.strip_prefix(VARIABLE)?.strip_prefix('=').map(str::to_owned)) {
        Some(of) if OWN.as_ref() != Some(&of) => commands.iter().all(|(_, name)| *name != of),
        // A child that has cleared its environment belongs to no known command, and is killed once
        // none runs. Children that this process starts itself, workers among them, stay in its
        // session: 0 if the leader is in another PID namespace.
        _ => commands.is_empty() && Stat::read(std::process::id()).is_some_and(|own| child.session != own.session),
    }
}

/// The children of this process, zombies included.
fn children() -> Vec<Stat> {
    let me = i32::try_from(std::process::id()).unwrap_or_default();
    let ids = listed_children().unwrap_or_else(|| processes().collect());
    ids.into_iter().filter_map(Stat::read).filter(|stat| stat.parent == me).collect()
}

/// The processes that the kernel lists as children of each thread of this one
/// (proc_pid_children(5)), so that thousands of other processes need not be examined. A child that
/// ends while the list is read can hide the next one, so two consecutive lists must be equal.
/// `None` if the kernel has no such lists.
fn listed_children() -> Option<Vec<u32>> {
    let mut last = list_children()?;
    loop {
        let next = list_children()?;
        if next == last {
            return Some(next);
        }
        last = next;
    }
}

fn list_children() -> Option<Vec<u32>> {
    let mut all = Vec::new();
    for thread in fs::read_dir("/proc/self/task").ok()?.flatten() {
        // A thread that has ended has no children: another thread has adopted them.
        match fs::read_to_string(thread.path().join("children")) {
            Ok(list) => all.extend(list.split_whitespace().filter_map(|id| id.parse::<u32>().ok())),
            Err(error) if thread.path().exists() => return Err(error).ok(),
            Err(_) => {}
        }
    }
    all.sort_unstable();
    Some(all)
}

fn processes() -> impl Iterator<Item = u32> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The contents of `/proc/PID/stat`.
#[derive(Debug)]
struct Stat {
    id: u32,
    parent: i32,
    group: i32,
    session: i32,
    /// It runs, or waits for nothing but a processor or a disk.
    runs: bool,
    used: Duration,
}

impl Stat {
    /// Fields 3 to 6 and 14 to 17 (proc_pid_stat(5)); times are in hundredths of a second
    /// (`USER_HZ`). `None` if the process does not exist.
    fn read(id: u32) -> Option<Stat> {
        let stat = fs::read(format!("/proc/{id}/stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat);
        let mut fields = stat.rsplit(')').next()?.split_whitespace();
        let runs = matches!(fields.next()?, "R" | "D");
        let mut number = || fields.next()?.parse::<i32>().ok();
        let (parent, group, session) = (number()?, number()?, number()?);
        let ticks: u64 = fields.skip(7).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
        Some(Stat { id, parent, group, session, runs, used: Duration::from_millis(ticks * 10) })
    }
}

pub(crate) fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::Duration;

    use super::{Stat, list_children, processes};
    use crate::process::run_within;

    /// The kernel's list contains a child of any thread, and so does a search of all processes,
    /// which is used if there is no list.
    #[test]
    fn a_child_is_listed_whichever_thread_started_it() {
        let start = || std::process::Command::new("sleep").arg("100").spawn().expect("sleep");
        let mut children = [start(), std::thread::spawn(start).join().expect("a thread")];
        let ids = children.each_ref().map(|child| child.id());
        let is_listed = |all: &[u32]| ids.iter().all(|id| all.contains(id));
        let lists = list_children();
        let all: Vec<u32> = processes().collect();
        for child in &mut children {
            child.kill().and_then(|()| child.wait()).expect("it ends");
        }
        assert!(lists.is_none_or(|list| is_listed(&list)) && is_listed(&all), "{ids:?}");
    }

    /// Two processes that left the group, one of them without its environment, and a child of the
    /// first in another session.
    #[test]
    fn what_leaves_its_session_ends_with_its_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "setsid sh -c 'echo $$ > one; setsid sh -c \"echo \\$\\$ > two; exec sleep 100\" & sleep 100' & \
                      env -i setsid sh -c 'echo $$ > three; exec sleep 100' & \
                      until [ -s one -a -s two -a -s three ]; do sleep 0.01; done";
        let ran = run_within("sh", &["-c", script], folder.path(), Duration::from_secs(60)).expect("sh");
        assert!(ran.success, "{ran:?}");
        for name in ["one", "two"] {
            let id = fs::read_to_string(folder.path().join(name)).expect("a process").trim().parse().expect("its id");
            assert!(Stat::read(id).is_none(), "{name}: {id} is gone");
        }
        // It belongs to no known command, so it is killed when none runs: here other tests may run
        // some.
        let id = fs::read_to_string(folder.path().join("three")).expect("a process").trim().to_owned();
        for _ in 0..100 {
            if !Path::new(&format!("/proc/{id}")).exists() {
                return;
            }
            run_within("true", &[], folder.path(), Duration::from_secs(60)).expect("true");
        }
        panic!("{id} outlived its command");
    }
}
