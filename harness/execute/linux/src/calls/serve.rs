//! Dispatch of system calls to their implementations.

use super::files::HERE;
use super::stat::NO_FOLLOW;
use super::threads::Clone;
use super::transfer::At;
use super::{
    execute, files, folders, futex, mapping, pipes, poll, process, processes, signals, stat, suspend, threads, time,
    timers, transfer,
};
use crate::call::Call;
use crate::caller::Caller;
use crate::descriptors::{What, flag};
use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::processes::Forked;
use crate::registers::Registers;
use crate::sleeper::Sleeper;
use crate::space::Space;
use crate::tree::Last;

/// Unit of the second word of a `struct timeval`, in nanoseconds.
const MICROSECOND: u64 = 1000;

impl Kernel {
    pub(crate) fn answer(
        &mut self,
        call: Call,
        arguments: [u64; 6],
        registers: &mut dyn Registers,
        caller: &mut Caller<'_>,
    ) -> Result<u64, Refusal> {
        let [a, b, c, d, e, f] = arguments;
        let has_others = self.process.threads.has_others() || self.processes.has_others();
        let Kernel { process, processes, files, mappings, clock, scheduler, .. } = self;
        let sleeper = &mut Sleeper { process: &mut *process, clock: &mut *clock, has_others };
        Ok(match call {
            // The parent receives the low eight bits (POSIX `exit`).
            Call::Exit => return Err(Refusal::Exit((a & 0xff) as i32)),
            Call::Returns(value) => i64::from(value) as u64,
            Call::Refused(errno) => return Err(errno.into()),
            Call::ExitThread => return Err(threads::exit_thread(&mut process.threads, a, caller)),
            Call::Clone | Call::CloneBackwards | Call::CloneStackFirst | Call::Clone3 => {
                let wanted = Clone::new(call, arguments, caller)?;
                threads::clone(wanted, process, processes, scheduler, caller)?
            }
            Call::Fork => processes::fork(process, processes, scheduler, Forked::COPY)?,
            Call::Vfork => processes::fork(process, processes, scheduler, Forked::SHARING)?,
            Call::Wait4 => processes::wait4(process, processes, arguments, caller)?,
            Call::Waitid => processes::waitid(process, processes, arguments, caller)?,
            Call::ProcessId => process.number.into(),
            Call::Parent => process.parent.into(),
            Call::Execve => return Err(execute::execve(files, process, processes, HERE, [a, b, c, 0], caller)?),
            Call::Execveat => return Err(execute::execve(files, process, processes, a, [b, c, d, e], caller)?),

            Call::Open => files::open(files, mappings, HERE, a, b, c, caller)?,
            Call::Openat => files::open(files, mappings, a, b, c, d, caller)?,
            Call::Creat => {
                files::open(files, mappings, HERE, a, flag::CREATE | flag::WRITE_ONLY | flag::TRUNCATE, b, caller)?
            }
            Call::Close => files.close(a)?,
            Call::CloseRange => files::close_range(files, a, b, c)?,
            Call::Dup => files.descriptors.copy(a, 0, false)?,
            Call::Dup2 if a == b => files.descriptors.get(a).map(|_| b)?,
            Call::Dup2 => files::copy_descriptor(files, a, b, false)?,
            Call::Dup3 if a == b => return Err(Errno::Invalid.into()),
            Call::Dup3 => files::copy_descriptor(files, a, b, c & flag::CLOSE_ON_EXEC != 0)?,
            Call::Fcntl => files::fcntl(files, a, b, c, caller)?,
            Call::Ioctl => files::ioctl(files, a, b, c, caller)?,

            Call::Read => transfer::read(files, a, b, c, At::Offset, caller)?,
            Call::Write => transfer::write(files, a, b, c, At::Offset, caller)?,
            Call::Pread => transfer::read(files, a, b, c, At::Place(d), caller)?,
            Call::Pwrite => transfer::write(files, a, b, c, At::Place(d), caller)?,
            Call::Readv => transfer::vector(files, transfer::read, [a, b, c], At::Offset, caller)?,
            Call::Writev => transfer::vector(files, transfer::write, [a, b, c], At::Offset, caller)?,
            Call::Preadv => transfer::vector(files, transfer::read, [a, b, c], At::Place(d), caller)?,
            Call::Pwritev => transfer::vector(files, transfer::write, [a, b, c], At::Place(d), caller)?,
            Call::Sendfile => transfer::sendfile(files, arguments, caller)?,
            Call::Lseek => transfer::lseek(files, a, b, c)?,
            Call::Truncate => {
                let node = files.found(HERE, a, Last::Follow, caller)?;
                files.truncate(node, b, caller.now)?
            }
            Call::Ftruncate => files.truncate(files.writable(a)?, b, caller.now)?,
            Call::Fallocate => files::fallocate(files, arguments, caller)?,

            Call::Stat => stat::stat_at(files, [HERE, a, b, 0, 0, 0], caller)?,
            Call::Lstat => stat::stat_at(files, [HERE, a, b, NO_FOLLOW, 0, 0], caller)?,
            Call::Fstat => stat::fstat(files, a, b, caller)?,
            Call::Newfstatat => stat::stat_at(files, arguments, caller)?,
            Call::Statx => stat::statx(files, arguments, caller)?,
            Call::Statfs => {
                files.found(HERE, a, Last::Follow, caller)?;
                stat::statfs(b, caller)?
            }
            Call::Fstatfs => {
                files.descriptors.get(a)?;
                stat::statfs(b, caller)?
            }
            Call::Statfs64 => {
                files.found(HERE, a, Last::Follow, caller)?;
                stat::statfs(c, caller)?
            }
            Call::Fstatfs64 => {
                files.descriptors.get(a)?;
                stat::statfs(c, caller)?
            }
            Call::Access => stat::access(files, [HERE, a, b, 0, 0, 0], caller)?,
            Call::Faccessat => stat::access(files, [a, b, c, 0, 0, 0], caller)?,
            Call::Readlink => folders::read_link(files, HERE, a, b, c, caller)?,
            Call::Readlinkat => folders::read_link(files, a, b, c, d, caller)?,

            Call::Getdents => folders::getdents(files, a, b, c, caller)?,
            Call::Mkdir => folders::make_folder(files, HERE, a, b, caller)?,
            Call::Mkdirat => folders::make_folder(files, a, b, c, caller)?,
            Call::Rmdir => folders::remove_folder(files, HERE, a, caller)?,
            Call::Unlink => folders::unlink(files, HERE, a, 0, caller)?,
            Call::Unlinkat => folders::unlink(files, a, b, c, caller)?,
            Call::Rename => folders::rename(files, [HERE, a, HERE, b, 0, 0], caller)?,
            Call::Renameat => folders::rename(files, [a, b, c, d, 0, 0], caller)?,
            Call::Renameat2 => folders::rename(files, [a, b, c, d, e, 0], caller)?,
            Call::Link => folders::link(files, [HERE, a, HERE, b, 0, 0], caller)?,
            Call::Linkat => folders::link(files, arguments, caller)?,
            Call::Symlink => folders::make_link(files, a, HERE, b, caller)?,
            Call::Symlinkat => folders::make_link(files, a, b, c, caller)?,
            Call::Chdir => folders::change_folder(files, a, caller)?,
            Call::Fchdir => folders::change_folder_to(files, a)?,
            Call::Getcwd => folders::getcwd(files, a, b, caller)?,
            Call::Chmod => {
                let node = files.found(HERE, a, Last::Follow, caller)?;
                folders::change_mode(files, node, b)?
            }
            Call::Fchmodat => {
                let node = files.found(a, b, Last::Follow, caller)?;
                folders::change_mode(files, node, c)?
            }
            Call::Fchmod => match files.descriptors.get(a)?.what {
                What::Node(node) => folders::change_mode(files, node, b)?,
                _ => 0,
            },
            Call::Chown => files.found(HERE, a, Last::Keep, caller).map(|_| 0)?,
            Call::Fchownat => files.found(a, b, Last::Keep, caller).map(|_| 0)?,
            Call::Utimensat => folders::change_time(files, arguments, caller)?,
            Call::Umask => u64::from(std::mem::replace(&mut files.mask, a as u32 & 0o777)),

            Call::Pipe => pipes::pipe(files, a, 0, caller)?,
            Call::Pipe2 => pipes::pipe(files, a, b, caller)?,
            Call::Eventfd => pipes::eventfd(files, a, b)?,
            Call::MemfdCreate => files::memfd_create(files, a, b, caller)?,
            Call::Poll => poll::poll(files, sleeper, arguments, caller)?,
            Call::Ppoll => poll::ppoll(files, sleeper, arguments, caller)?,
            Call::Select => poll::select(files, sleeper, arguments, MICROSECOND, caller)?,
            Call::Pselect => poll::pselect(files, sleeper, arguments, caller)?,
            Call::EpollCreate => poll::epoll_create(files, a)?,
            Call::EpollCtl => poll::epoll_ctl(files, arguments, caller)?,
            Call::EpollWait => poll::epoll_wait(files, sleeper, arguments, caller)?,
            Call::EpollPwait => suspend::with_mask(sleeper, e, f, caller, |sleeper, caller| {
                poll::epoll_wait(files, sleeper, arguments, caller)
            })?,

            Call::Brk => process.space.brk(a, caller.memory),
            Call::Mmap => mapping::mmap(mappings, &mut process.space, files, arguments, caller)?,
            Call::MmapStruct => match *caller.words(a, 6)? {
                [a, b, c, d, e, f] => mapping::mmap(mappings, &mut process.space, files, [a, b, c, d, e, f], caller)?,
                _ => return Err(Errno::Fault.into()),
            },
            Call::Munmap => process.space.unmap(a, b, caller.memory)?,
            Call::Mremap => process.space.remap(arguments, caller.memory)?,
            Call::Mprotect => process.space.protect(a, b, c, caller.memory)?,
            Call::Madvise => Space::advise(a, b, c, caller.memory)?,
            Call::Mincore => mapping::mincore(&process.space, a, b, c, caller)?,

            Call::ClockGettime => time::time(clock, b, 1, caller)?,
            Call::ClockGetres => time::resolution(b, caller)?,
            Call::Gettimeofday => time::time(clock, a, MICROSECOND, caller)?,
            Call::Time => time::seconds(clock, a, caller)?,
            Call::Times => time::times(clock, a, caller)?,
            Call::Nanosleep => time::nanosleep(sleeper, a, b, caller)?,
            Call::ClockNanosleep => time::clock_nanosleep(sleeper, arguments, caller)?,
            Call::Alarm => timers::alarm(&mut process.timers, clock.now, a),
            Call::Getitimer => timers::itimer(&process.timers, clock.now, a, b, caller)?,
            Call::Setitimer => timers::set_itimer(&mut process.timers, clock.now, a, b, c, caller)?,
            Call::TimerCreate => timers::timer_create(process, a, b, c, caller)?,
            Call::TimerSettime => timers::timer_settime(&mut process.timers, clock, arguments, caller)?,
            Call::TimerGettime => timers::timer_gettime(&mut process.timers, clock.now, a, b, caller)?,
            Call::TimerGetoverrun => timers::timer_getoverrun(&mut process.timers, a)?,
            Call::TimerDelete => timers::timer_delete(&mut process.timers, a)?,

            Call::Uname => process::uname(a, caller)?,
            Call::Sysinfo => process::sysinfo(a, caller)?,
            Call::Getrandom => process::getrandom(&mut files.random, a, b, caller)?,
            Call::Prlimit => process::limits(b, d, caller)?,
            Call::Getrlimit => process::limits(a, b, caller)?,
            Call::Getrusage => time::usage(clock, b, caller)?,
            Call::Getcpu => process::getcpu(a, b, caller)?,
            Call::Getaffinity => process::affinity(b, c, caller)?,
            Call::Getres => process::three_zeroes(&[a, b, c], caller)?,
            Call::Capget => process::capabilities(a, b, caller)?,
            Call::Prctl => process::prctl(a, b, caller)?,
            Call::ArchPrctl => process::arch_prctl(a, b, registers, caller)?,
            Call::Rseq => process::rseq(a, b, c, caller)?,
            Call::Futex => futex::futex(sleeper, arguments, caller)?,
            Call::ThreadId => process.threads.now.0.into(),
            Call::SetTidAddress => threads::set_clear_at(&mut process.threads, a),
            Call::SetRobustList => threads::set_robust_list(&mut process.threads, a, b)?,
            Call::Yield => {
                process.threads.yields = process.threads.has_others();
                0
            }

            Call::Sigaction => signals::sigaction(&mut process.signals, a, b, c, caller)?,
            Call::Sigprocmask => signals::sigprocmask(process, a, b, c, caller)?,
            Call::Sigpending => signals::sigpending(&process.signals, a, caller)?,
            Call::Sigaltstack => {
                signals::sigaltstack(&mut process.signals, a, b, registers.read(caller.facts.sp.into()), caller)?
            }
            Call::Kill => signals::kill(process, processes, a, b)?,
            Call::Tkill => signals::tkill(process, a, b)?,
            Call::Tgkill => signals::tkill(process, b, c)?,
            Call::Sigreturn => return Err(Refusal::HandlerOver { is_plain: false }),
            Call::OldSigreturn => return Err(Refusal::HandlerOver { is_plain: true }),
            Call::Sigsuspend => suspend::sigsuspend(sleeper, a, b, caller)?,
            Call::Sigtimedwait => suspend::sigtimedwait(sleeper, arguments, caller)?,
            Call::Pause => sleeper.sleep_until_signal("it waits for a signal that never comes").map(|()| 0)?,
        })
    }
}
